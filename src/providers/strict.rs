//! The subset of JSON Schema that OpenAI takes under `strict`.
//!
//! Source: OpenAI documentation, "Structured Outputs" (supported schemas), by its mirror at
//! jsonschemaprofiles.unitvectorylabs.com; `_ensure_strict_json_schema` of openai-python 3.57.

use std::collections::HashSet;

use super::node::Node;
use super::rule::{Offences, shown};
use super::subschemas::{Subschema, subschemas};
use crate::json::{Kind, Value};

/// Keywords that are refused.
const REFUSED: &[&str] = &["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"];

/// Keywords that are refused by some models, by all that is known.
const DOUBTFUL: &[&str] = &["oneOf", "patternProperties", "minLength", "maxLength", "uniqueItems", "default"];

/// Most properties in one schema.
const MOST_PROPERTIES: usize = 5000;
/// Most objects inside one another.
const DEEPEST: usize = 10;
/// Most characters of property names, definition names, enum and const values together.
const MOST_CHARACTERS: usize = 120_000;
/// Most enum values in one schema.
const MOST_VALUES: usize = 1000;
/// An enum of more strings than this may have no more characters than `LARGE_ENUM_CHARACTERS`.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARACTERS: usize = 15_000;

fn is_object(schema: &Subschema<'_, '_>) -> bool {
    schema.has_type("object") || schema.value.get("properties").is_some()
}

/// Every object is closed.
pub(super) fn closed(schema: &Node<'_>, out: &mut Offences<'_>) {
    subschemas(schema, &mut |schema| {
        let closed = schema.value.get("additionalProperties").and_then(Value::as_bool) == Some(false);
        if is_object(schema) && !closed {
            let message = "an object in a strict schema needs `additionalProperties` set to false";
            out.add_at(|| schema.at("additionalProperties"), message);
        }
    });
}

/// Every property is required, and nothing else is.
pub(super) fn all_required(schema: &Node<'_>, out: &mut Offences<'_>) {
    subschemas(schema, &mut |schema| {
        if !is_object(schema) {
            return;
        }
        let keys: HashSet<_> = members(schema.value, "properties").map(|(key, _)| key).collect();
        let required: HashSet<_> =
            schema.value.get("required").into_iter().flat_map(Value::items).filter_map(Value::to_text).collect();
        if let Some(key) = keys.difference(&required).min() {
            let message =
                format!("the property {} is not in `required`, as it has to be in a strict schema", shown(key));
            out.add_at(|| schema.at("required"), message);
        }
        if let Some(key) = required.difference(&keys).min() {
            out.add_at(|| schema.at("required"), format!("`required` names {}, which is no property", shown(key)));
        }
    });
}

fn members<'a>(schema: Value<'a>, key: &str) -> impl Iterator<Item = (std::borrow::Cow<'a, str>, Value<'a>)> {
    schema.get(key).into_iter().flat_map(|map| map.members().map(|(key, value)| (key.decode(), value)))
}

/// No keyword outside the subset.
pub(super) fn keywords(schema: &Node<'_>, out: &mut Offences<'_>) {
    subschemas(schema, &mut |schema| {
        for keyword in REFUSED {
            if schema.value.get(keyword).is_some() {
                out.add_at(|| schema.at(keyword), format!("`{keyword}` does not go with `strict`"));
            }
        }
        for keyword in DOUBTFUL {
            if schema.value.get(keyword).is_some() {
                out.warn_at(|| schema.at(keyword), format!("`{keyword}` may not go with `strict`"));
            }
        }
        if schema.is_root() && schema.value.get("anyOf").is_some() {
            out.add_at(|| schema.at("anyOf"), "the root of a strict schema may not be `anyOf`");
        }
    });
}

/// The limits on size.
pub(super) fn size(schema: &Node<'_>, out: &mut Offences<'_>) {
    let (mut properties, mut deepest, mut characters, mut values) = (0, 0, 0, 0);
    subschemas(schema, &mut |schema| {
        deepest = deepest.max(schema.depth + usize::from(is_object(schema)));
        for map in ["properties", "$defs", "definitions"] {
            for (key, _) in members(schema.value, map) {
                properties += usize::from(map == "properties");
                characters += key.chars().count();
            }
        }
        let length = |value: Value<'_>| value.to_text().map_or(value.raw().len(), |text| text.chars().count());
        characters += schema.value.get("const").map_or(0, length);
        let list: Vec<Value<'_>> = schema.value.get("enum").into_iter().flat_map(Value::items).collect();
        let text: usize = list.iter().map(|value| length(*value)).sum();
        values += list.len();
        characters += text;
        let strings = list.iter().all(|value| value.kind() == Kind::String);
        if strings && list.len() > LARGE_ENUM && text > LARGE_ENUM_CHARACTERS {
            let message =
                format!("an enum of {} strings has {text} characters; {LARGE_ENUM_CHARACTERS} are allowed", list.len());
            out.add_at(|| schema.at("enum"), message);
        }
    });
    for (count, most, what) in [
        (properties, MOST_PROPERTIES, "properties"),
        (deepest, DEEPEST, "levels of objects"),
        (characters, MOST_CHARACTERS, "characters of names and values"),
        (values, MOST_VALUES, "enum values"),
    ] {
        if count > most {
            out.add(&schema.pointer, format!("the strict schema has {count} {what}; {most} are allowed"));
        }
    }
}

/// A reference stands alone.
pub(super) fn references(schema: &Node<'_>, out: &mut Offences<'_>) {
    subschemas(schema, &mut |schema| {
        if schema.value.get("$ref").is_some() && schema.value.members().nth(1).is_some() {
            out.warn_at(|| schema.at("$ref"), "a `$ref` with other keywords beside it");
        }
    });
}
