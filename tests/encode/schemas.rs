//! Google's forms of a schema, judged without the encoder's own words.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{body, tool};

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

/// Schemas with every keyword there is, in combinations that make little sense.
fn schema() -> impl Strategy<Value = Value> {
    let literal = select(vec![json!("a"), json!(""), json!(1), json!(1.5), json!(true), json!(null), json!([1])]);
    let types = select(vec![
        json!("string"),
        json!("object"),
        json!("array"),
        json!("integer"),
        json!("null"),
        json!("any"),
        json!(7),
        json!(["string", "null"]),
        json!(["object", "array", "null"]),
        json!(["integer", "number"]),
        json!([]),
    ]);
    let scalar = select(vec![
        ("format", json!("email")),
        ("format", json!("date-time")),
        ("minLength", json!(1)),
        ("pattern", json!("^a")),
        ("minimum", json!(1.5)),
        ("minimum", json!("1")),
        ("maxItems", json!(-1)),
        ("uniqueItems", json!(true)),
        ("$comment", json!("c")),
        ("description", json!("d")),
        ("description", json!(1)),
        ("title", json!("t")),
        ("default", json!({"$ref": "x"})),
        ("nullable", json!(true)),
        ("additionalProperties", json!(false)),
        ("required", json!(["a", "b", "a"])),
        ("required", json!("a")),
        ("$ref", json!("#/nowhere")),
        ("propertyOrdering", json!(["a"])),
        ("if", json!({})),
    ]);
    let leaf = prop_oneof![
        4 => (types.clone(), prop::collection::vec(scalar.clone(), 0..4)).prop_map(|(kind, scalars)| with(json!({"type": kind}), scalars)),
        1 => select(vec![json!(true), json!(false), json!({}), json!(3)]),
        1 => literal.clone().prop_map(|value| json!({"const": value})),
        2 => prop::collection::vec(literal, 0..4).prop_map(|values| json!({"enum": values})),
    ];
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let many = prop::collection::vec(inner.clone(), 0..4);
        let property = (select(vec!["a", "b", "enum", "$ref", "format"]), inner.clone());
        let properties = prop::collection::vec(property, 0..4);
        (
            types.clone(),
            prop::collection::vec(scalar.clone(), 0..3),
            prop::collection::vec((select(vec!["anyOf", "oneOf", "allOf", "prefixItems", "items"]), many), 0..3),
            prop::option::of(properties),
            prop::option::of((select(vec!["items", "additionalProperties", "not"]), inner)),
        )
            .prop_map(|(kind, scalars, lists, properties, one)| {
                let mut schema = with(json!({"type": kind}), scalars);
                for (keyword, list) in lists {
                    schema[keyword] = json!(list);
                }
                if let Some(properties) = properties {
                    schema["properties"] =
                        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
                }
                if let Some((keyword, one)) = one {
                    schema[keyword] = one;
                }
                if kind == "any" {
                    schema.as_object_mut().unwrap().remove("type");
                }
                schema
            })
    })
}

fn with(mut schema: Value, members: Vec<(&str, Value)>) -> Value {
    for (keyword, value) in members {
        schema[keyword] = value;
    }
    schema
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_becomes_one_that_is_taken(schema in schema()) {
        let mut one = tool("f");
        one["parameters"] = json!({"type": "object", "properties": {"p": schema}});
        for (api, field) in [("gemini", "parameters"), ("gemini/vertex", "parameters"), ("gemini", "parametersJsonSchema")] {
            let sent = body(api, json!({"tools": [one], "options": {"geminiSchemaField": field}}));
            let found = &sent["tools"][0]["functionDeclarations"][0][field];
            let wrong = if field == "parameters" { not_open_api(found, api == "gemini/vertex") } else { not_json_schema(found) };
            prop_assert_eq!(wrong, None, "{} {}", api, found);
        }
    }
}
