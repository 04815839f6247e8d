//! Schemas of tools.
//!
//! Source: Anthropic documentation, "Structured outputs" (the subset under `strict`); anthropics/claude-code#5973.

use std::collections::{HashMap, HashSet};

use super::super::super::charset::fits;
use super::super::super::node::{Node, escape_token};
use super::super::super::request_view::{RequestView, ToolKind};
use super::super::super::rule::{Offences, shown};
use super::super::super::subschemas::{Subschema, has_type, subschemas};
use crate::json::Value;

/// Longest key of a property.
const LONGEST_KEY: usize = 64;

/// Most strict tools, optional parameters over all of them, and parameters with several types.
const MOST_STRICT: usize = 20;
const MOST_OPTIONAL: usize = 24;
const MOST_UNIONS: usize = 16;

/// Bounds, which a strict schema may not have.
const BOUNDS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// String formats that a strict schema may have.
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

fn schemas<'v, 'a>(view: &'v RequestView<'a>) -> impl Iterator<Item = &'v Node<'a>> {
    view.tools.iter().filter(|tool| tool.kind == ToolKind::Function).filter_map(|tool| tool.schema.as_ref())
}

pub(super) fn root_unions(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in schemas(view) {
        for keyword in ["oneOf", "anyOf", "allOf"] {
            if schema.value.get(keyword).is_some() {
                out.add(&schema.at(keyword), format!("`{keyword}` at the root of a schema is refused"));
            }
        }
    }
}

pub(super) fn property_keys(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in schemas(view) {
        subschemas(schema, &mut |schema| {
            for (key, _) in schema.value.get("properties").into_iter().flat_map(Value::members) {
                let key = key.decode();
                if !fits(&key, LONGEST_KEY, |c| c.is_ascii_alphanumeric() || "_.-".contains(c)) {
                    out.add_at(|| schema.at("properties"), format!("the property name {} may be refused", shown(&key)));
                }
            }
        });
    }
}

pub(super) fn strict(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut tools = 0;
    let (mut optional, mut unions) = (0, 0);
    for tool in view.tools.iter().filter(|tool| tool.strict == Some(true)) {
        tools += 1;
        let Some(root) = &tool.schema else { continue };
        if let Some(name) = cycle(root.value) {
            out.add(&root.pointer, format!("the strict schema refers to itself at {}", shown(&name)));
        }
        subschemas(root, &mut |schema| {
            one_strict(schema, out);
            let required = || schema.value.get("required").into_iter().flat_map(Value::items).count();
            let properties = schema.value.get("properties").into_iter().flat_map(Value::members).count();
            optional += if properties > 0 { properties.saturating_sub(required()) } else { 0 };
            let types = schema.value.get("type").into_iter().flat_map(Value::items).count();
            unions += usize::from(types > 1 || schema.value.get("anyOf").is_some());
        });
    }
    for (count, most, what) in [
        (tools, MOST_STRICT, "strict tools"),
        (optional, MOST_OPTIONAL, "optional parameters in strict tools"),
        (unions, MOST_UNIONS, "parameters with several types in strict tools"),
    ] {
        if count > most {
            out.add("/tools", format!("{count} {what}; {most} are allowed"));
        }
    }
}

fn one_strict(schema: &Subschema<'_, '_>, out: &mut Offences<'_>) {
    let value = schema.value;
    let is_object = has_type(value, "object") || value.get("properties").is_some();
    if is_object && value.get("additionalProperties").and_then(Value::as_bool) != Some(false) {
        let message = "an object in a strict schema needs `additionalProperties` set to false";
        out.add_at(|| schema.at("additionalProperties"), message);
    }
    for keyword in BOUNDS {
        if value.get(keyword).is_some() {
            out.add_at(|| schema.at(keyword), format!("`{keyword}` does not go with `strict`"));
        }
    }
    if value.get("minItems").is_some_and(|least| least.as_u64().is_none_or(|least| least > 1)) {
        out.add_at(|| schema.at("minItems"), "`minItems` over 1 does not go with `strict`");
    }
    if value.get("$ref").and_then(Value::to_text).is_some_and(|target| !target.starts_with('#')) {
        out.add_at(|| schema.at("$ref"), "a reference out of the schema does not go with `strict`");
    }
    if let Some(format) = value.get("format").and_then(Value::to_text)
        && has_type(value, "string")
        && !FORMATS.contains(&&*format)
    {
        out.add_at(|| schema.at("format"), format!("the format {} does not go with `strict`", shown(&format)));
    }
    if let Some(pattern) = value.get("pattern").and_then(Value::to_text)
        && ["(?=", "(?!", "(?<", "\\b"].iter().any(|what| pattern.contains(what))
    {
        out.add_at(|| schema.at("pattern"), "look-around and `\\b` in a pattern do not go with `strict`");
    }
}

/// A name in `$defs` whose definition leads back to itself, or `#`.
fn cycle(root: Value<'_>) -> Option<String> {
    let mut edges: HashMap<String, Vec<String>> = HashMap::new();
    subschemas(&Node::root(root), &mut |schema| {
        let Some(target) = schema.value.get("$ref").and_then(Value::to_text) else { return };
        // The definition that the reference stands in.
        let home = match schema.top() {
            Some((map @ ("$defs" | "definitions"), Some(name))) => format!("#/{map}/{}", escape_token(name)),
            _ => "#".to_owned(),
        };
        edges.entry(home).or_default().push(target.into_owned());
    });
    // Depth-first with a stack of our own; a node on the way is grey, a finished one black.
    let mut black: HashSet<&str> = HashSet::new();
    for start in edges.keys() {
        let mut grey: Vec<(&str, usize)> = vec![(start, 0)];
        let mut way: HashSet<&str> = [start.as_str()].into();
        while let Some((at, next)) = grey.last_mut() {
            let target = edges.get(*at).and_then(|targets| targets.get(*next));
            *next += 1;
            match target {
                None => {
                    way.remove(*at);
                    black.insert(*at);
                    grey.pop();
                }
                Some(target) if way.contains(target.as_str()) => return Some(target.clone()),
                Some(target) if black.contains(target.as_str()) => {}
                Some(target) => {
                    way.insert(target);
                    grey.push((target, 0));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::cycle;
    use crate::json::Doc;

    #[test]
    fn references_that_lead_back_are_found() {
        for (schema, expected) in [
            (r##"{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}"##, false),
            (r##"{"properties":{"a":{"$ref":"#"}}}"##, true),
            (r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{"items":{"$ref":"#/$defs/a"}}}}"##, true),
            (r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{}}, "items":{"$ref":"#/$defs/a"}}"##, false),
        ] {
            assert_eq!(cycle(Doc::parse(schema).unwrap().root()).is_some(), expected, "{schema}");
        }
    }
}
