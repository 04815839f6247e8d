//! Strict schemas: one flag for all tools, true only if every schema can be strict.
//!
//! OpenAI refuses a strict schema unless every object is closed (`additionalProperties: false`) and requires all its
//! properties, and knows only some keywords (platform.openai.com, structured outputs: supported schemas). What may be
//! closed without a change of meaning is closed; an optional property or an open map makes a tool not strict, and then none
//! is: some servers refuse a mixed list, and one flag keeps the prompt's prefix stable.

use std::borrow::Cow;
use std::collections::HashSet;

use super::adjustments::Adjustments;
use super::keywords::{Holds, each_inner, holds};
use super::projection::{OutboundInput, OutboundTool};
use super::schema::Schema;
use crate::json::Tree;

/// Keywords that strict schemas may not hold.
const REFUSED: &[&str] = &[
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minLength",
    "maxLength",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "default",
];

/// Properties that all objects of a schema may have together.
const MAX_PROPERTIES: usize = 5000;
/// Levels that objects may nest.
const MAX_LEVELS: usize = 10;
/// Values to choose from in all of a schema.
const MAX_VALUES: usize = 1000;
/// Characters of all names and values together.
const MAX_CHARACTERS: usize = 120_000;

/// Violations that are told of one tool.
const MAX_TOLD: usize = 20;

/// Settles the flag of all tools. If every schema can be strict, they are closed in place and the answer is true; if one
/// cannot, all stay as they are, the violations are told by their paths, and the answer is false.
pub(in crate::providers) fn settle(tools: &mut [OutboundTool<'_>], adjustments: &mut Adjustments) -> bool {
    let mut strict = true;
    // Where none is strict, a schema that needed nothing goes out as the text that it is.
    let mut parsed = Vec::with_capacity(tools.len());
    for tool in tools.iter() {
        let OutboundInput::Schema(schema) = &tool.input else { continue };
        let own = schema.parsed();
        let violations = own.as_ref().or(schema.rewritten_tree()).map(violations).unwrap_or_default();
        parsed.push(own);
        if violations.is_empty() {
            continue;
        }
        strict = false;
        let paths: Vec<_> = violations.iter().take(MAX_TOLD).map(|path| format!("`{}.{path}`", tool.name)).collect();
        let more = if violations.len() > MAX_TOLD { " and more" } else { "" };
        let message = format!("no tool is strict: {}{more} cannot be", paths.join(", "));
        adjustments.tool("strict-off", message, tool.index, Some(tool.name));
    }
    if strict {
        let schemas = tools.iter_mut().filter_map(|tool| match &mut tool.input {
            OutboundInput::Schema(schema) => Some(schema),
            OutboundInput::Freeform(_) => None,
        });
        for (schema, own) in schemas.zip(parsed) {
            if let Some(tree) = own {
                *schema = Schema::rewritten(tree);
            }
            close(schema.tree());
        }
    }
    strict
}

/// What keeps a schema from being strict, by path: `parameters.properties.x.required.y` is a property `y` of `x` that is
/// not required. No more than are told, and one.
fn violations(schema: &Tree<'_>) -> Vec<String> {
    let mut judge = Judge { path: vec!["parameters".into()], ..Judge::default() };
    judge.schema(schema, 0);
    let limits = [
        ("properties", judge.properties, MAX_PROPERTIES),
        ("levels", judge.levels, MAX_LEVELS),
        ("values", judge.values, MAX_VALUES),
        ("characters", judge.characters, MAX_CHARACTERS),
    ];
    let over = limits.iter().filter(|(_, count, max)| count > max);
    judge.found.extend(over.map(|(what, count, max)| format!("parameters: {count} {what}, over {max}")));
    judge.found
}

#[derive(Debug, Default)]
struct Judge<'s> {
    found: Vec<String>,
    /// Where the schema stands that is looked at.
    path: Vec<Cow<'s, str>>,
    properties: usize,
    levels: usize,
    values: usize,
    characters: usize,
}

impl<'s> Judge<'s> {
    fn schema(&mut self, schema: &'s Tree<'_>, level: usize) {
        let Tree::Object(members) = schema else {
            return self.violated(&[]);
        };
        for (keyword, _) in members.iter().filter(|(keyword, _)| REFUSED.contains(&&**keyword)) {
            self.violated(&[keyword]);
        }
        // Without a type anything is taken, which no grammar says.
        if !["type", "anyOf", "$ref", "enum", "const"].iter().any(|keyword| schema.get(keyword).is_some()) {
            self.violated(&["type"]);
        }
        let object = is_object(schema);
        if object {
            self.object(schema, level);
        }
        let values = schema.get("enum").map(Tree::items).unwrap_or_default();
        self.values += values.len();
        self.characters += values.iter().filter_map(Tree::as_str).map(str::len).sum::<usize>();
        let level = level + usize::from(object);
        self.levels = self.levels.max(level);
        for (keyword, value) in members {
            if keyword == "additionalProperties" || REFUSED.contains(&&**keyword) {
                continue;
            }
            self.path.push(Cow::Borrowed(keyword));
            match (holds(keyword), value) {
                (Holds::Data, _) => {}
                (Holds::List | Holds::Either, Tree::Array(items)) => {
                    for (at, item) in items.iter().enumerate() {
                        self.inner(Cow::Owned(at.to_string()), item, level);
                    }
                }
                (Holds::Map, schemas) => {
                    for (name, inner) in schemas.members() {
                        self.characters += name.len();
                        self.inner(Cow::Borrowed(name), inner, level);
                    }
                }
                (_, inner) => self.schema(inner, level),
            }
            self.path.pop();
        }
    }

    fn inner(&mut self, name: Cow<'s, str>, schema: &'s Tree<'_>, level: usize) {
        self.path.push(name);
        self.schema(schema, level);
        self.path.pop();
    }

    fn violated(&mut self, rest: &[&str]) {
        if self.found.len() <= MAX_TOLD {
            let path: Vec<&str> = self.path.iter().map(|part| &**part).chain(rest.iter().copied()).collect();
            self.found.push(path.join("."));
        }
    }

    fn object(&mut self, schema: &Tree<'_>, level: usize) {
        let properties = schema.get("properties").map(Tree::members).unwrap_or_default();
        self.properties += properties.len();
        let open = match schema.get("additionalProperties") {
            // An object of which nothing is known is a map; the arguments themselves are none.
            None => properties.is_empty() && level > 0,
            Some(more) => more.as_bool() != Some(false),
        };
        if open {
            self.violated(&["additionalProperties"]);
        }
        let required = match schema.get("required") {
            None => &[],
            Some(Tree::Array(names)) if names.iter().all(|name| name.as_str().is_some()) => names.as_slice(),
            Some(_) => return self.violated(&["required"]),
        };
        let required: HashSet<&str> = required.iter().filter_map(Tree::as_str).collect();
        for (name, _) in properties.iter().filter(|(name, _)| !required.contains(&**name)) {
            self.violated(&["required", name]);
        }
        let declared: HashSet<&str> = properties.iter().map(|(name, _)| &**name).collect();
        // A required name that is no property can never be given.
        if required.iter().any(|name| !declared.contains(name)) {
            self.violated(&["required"]);
        }
    }
}

fn is_object(schema: &Tree<'_>) -> bool {
    match schema.get("type") {
        Some(Tree::Array(names)) => names.iter().any(|name| name.as_str() == Some("object")),
        Some(name) => name.as_str() == Some("object"),
        None => schema.get("properties").is_some(),
    }
}

/// Closes every object of a schema that can be strict (spring-projects/spring-ai#6865: the root alone is not enough).
fn close(schema: &mut Tree<'_>) {
    each_inner(schema, &mut close);
    if is_object(schema) {
        if schema.get("required").is_none() {
            schema.set("required", Tree::Array(Vec::new()));
        }
        if schema.get("additionalProperties").is_none() {
            schema.set("additionalProperties", Tree::bool(false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{close, violations};
    use crate::json::{Style, Tree, Writer};

    fn closed(schema: &str) -> Result<String, Vec<String>> {
        let mut tree = Tree::parse(schema).unwrap();
        let found = violations(&tree);
        if !found.is_empty() {
            return Err(found);
        }
        close(&mut tree);
        let mut writer = Writer::new(Style::Compact);
        tree.write(&mut writer);
        Ok(writer.finish())
    }

    #[test]
    fn what_can_be_closed_is_closed_everywhere() {
        for (schema, expected) in [
            (
                r#"{"type":"object","properties":{}}"#,
                r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#,
            ),
            (
                r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":["string","null"],"enum":["c","f",null]}},"required":["city","unit"],"additionalProperties":false}"#,
                r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":["string","null"],"enum":["c","f",null]}},"required":["city","unit"],"additionalProperties":false}"#,
            ),
            (
                r#"{"type":"object","properties":{"xs":{"type":"array","items":{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]},{"type":"null"}]}},"required":["a"]}}},"required":["xs"]}"#,
                r#"{"type":"object","properties":{"xs":{"type":"array","items":{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false},{"type":"null"}]}},"required":["a"],"additionalProperties":false}}},"required":["xs"],"additionalProperties":false}"#,
            ),
        ] {
            assert_eq!(closed(schema).as_deref(), Ok(expected), "{schema}");
        }
    }

    #[test]
    fn what_cannot_be_strict_is_told_by_its_path() {
        for (schema, path) in [
            (
                r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}"#,
                "parameters.required.b",
            ),
            (
                r#"{"type":"object","properties":{"x":{"type":"object","properties":{"y":{"type":"string"}}}},"required":["x"]}"#,
                "parameters.properties.x.required.y",
            ),
            (
                r#"{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}},"required":["env"]}"#,
                "parameters.properties.env.additionalProperties",
            ),
            (
                r#"{"type":"object","properties":{"m":{"type":"object"}},"required":["m"]}"#,
                "parameters.properties.m.additionalProperties",
            ),
            (r#"{"type":"object","properties":{},"additionalProperties":true}"#, "parameters.additionalProperties"),
            (r#"{"type":"object","properties":{"a":{}},"required":["a"]}"#, "parameters.properties.a.type"),
            (
                r#"{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}"#,
                "parameters.properties.a.minLength",
            ),
            (
                r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"oneOf":[{"type":"string"}]}]}},"required":["a"]}"#,
                "parameters.properties.a.anyOf.1.oneOf",
            ),
            (r#"{"type":"object","properties":{},"required":"a"}"#, "parameters.required"),
            (r#"{"type":"object","properties":{},"required":["a"]}"#, "parameters.required"),
        ] {
            let found = closed(schema).unwrap_err();
            assert_eq!(found.first().map(String::as_str), Some(path), "{schema}: {found:?}");
        }
        let properties = (0..5001).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect::<Vec<_>>().join(",");
        let names = (0..5001).map(|n| format!(r#""p{n}""#)).collect::<Vec<_>>().join(",");
        let many = format!(r#"{{"type":"object","properties":{{{properties}}},"required":[{names}]}}"#);
        assert_eq!(closed(&many).unwrap_err(), ["parameters: 5001 properties, over 5000"]);
    }

    #[test]
    fn a_property_called_like_a_keyword_is_a_property() {
        let schema = r#"{"type":"object","properties":{"default":{"type":"string"},"not":{"type":"string"}},"required":["default","not"],"additionalProperties":false}"#;
        assert_eq!(closed(schema).as_deref(), Ok(schema));
    }
}
