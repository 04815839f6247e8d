//! Google's forms of a schema, judged without the encoder's own words.

use std::collections::HashSet;

use serde_json::{Value, json};

const ANNOTATIONS: &[&str] = &["title", "description", "default"];
const OPEN_API: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "default",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "anyOf",
    "propertyOrdering",
];
const JSON_SCHEMA: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "enum",
    "default",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
];
const TYPES: &[&str] = &["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];

/// What is wrong with a schema in `parameters`, if anything.
pub(crate) fn not_open_api(schema: &Value, vertex: bool) -> Option<String> {
    let object = schema.as_object()?;
    let bad = || Some(schema.to_string());
    for (keyword, value) in object {
        let known = OPEN_API.contains(&&**keyword) || (vertex && keyword == "additionalProperties");
        if !known || (keyword == "type" && !value.as_str().is_some_and(|name| TYPES.contains(&name))) {
            return bad();
        }
    }
    if object.contains_key("anyOf")
        && object.keys().any(|key| !ANNOTATIONS.contains(&&**key) && !matches!(&**key, "anyOf" | "nullable"))
    {
        return bad();
    }
    if let Some(values) = object.get("enum")
        && !values
            .as_array()
            .is_some_and(|values| values.iter().all(|value| value.as_str().is_some_and(|text| !text.is_empty())))
    {
        return bad();
    }
    if schema["type"] == "ARRAY" && !schema["items"].is_object() {
        return bad();
    }
    required(schema).or_else(|| inner(schema).find_map(|schema| not_open_api(schema, vertex)))
}

/// What is wrong with a schema in `parametersJsonSchema`, if anything.
pub(crate) fn not_json_schema(schema: &Value) -> Option<String> {
    let object = schema.as_object()?;
    if object.keys().any(|keyword| !JSON_SCHEMA.contains(&&**keyword)) {
        return Some(schema.to_string());
    }
    let literal = |value: &Value| value.is_string() || value.is_number();
    if object.get("enum").is_some_and(|values| !values.as_array().is_some_and(|values| values.iter().all(literal))) {
        return Some(schema.to_string());
    }
    required(schema).or_else(|| inner(schema).find_map(not_json_schema))
}

fn required(schema: &Value) -> Option<String> {
    let names: HashSet<&str> =
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| &**name).collect();
    let missing = |name: &Value| !name.as_str().is_some_and(|name| names.contains(name));
    let required = schema.get("required")?.as_array()?;
    (required.is_empty() || required.iter().any(missing)).then(|| schema.to_string())
}

fn inner(schema: &Value) -> impl Iterator<Item = &Value> {
    let map = schema["properties"].as_object().into_iter().flat_map(|members| members.values());
    let lists = ["anyOf", "prefixItems"].into_iter().flat_map(|key| schema[key].as_array().into_iter().flatten());
    map.chain(lists).chain(schema.get("items")).chain(schema.get("additionalProperties"))
}

#[test]
fn the_judges_find_what_is_refused() {
    for schema in [
        json!({"type": ["STRING"]}),
        json!({"type": "string"}),
        json!({"const": "a"}),
        json!({"type": "STRING", "enum": [1]}),
        json!({"anyOf": [{"type": "STRING"}], "items": {}}),
        json!({"type": "ARRAY"}),
        json!({"type": "OBJECT", "properties": {"a": {"$ref": "#"}}}),
        json!({"type": "OBJECT", "properties": {}, "required": ["a"]}),
    ] {
        assert!(not_open_api(&schema, false).is_some(), "{schema}");
    }
    assert!(not_json_schema(&json!({"items": {"pattern": "a"}})).is_some());
    assert!(not_json_schema(&json!({"type": ["string", "null"]})).is_none());
}
