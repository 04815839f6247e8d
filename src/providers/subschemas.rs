//! Every schema inside a JSON Schema, keywords told apart from properties that are named like one.

use std::borrow::Cow;

use super::node::{Node, escape_token};
use crate::json::{Kind, Value};

/// Keywords that hold one schema.
const SINGLE: &[&str] = &[
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// Keywords that hold a list of schemas.
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems", "items", "any_of", "prefix_items"];

/// Keywords that hold schemas by names of the user's own.
const MAPS: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "defs"];

/// A schema inside another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subschema<'p, 'a> {
    /// The schema: an object, or a boolean.
    pub(super) value: Value<'a>,
    /// How many objects with properties are around it.
    pub(super) depth: usize,
    path: Option<&'p Step<'p, 'a>>,
    base: &'p str,
}

/// The way to a subschema, from its end.
#[derive(Debug)]
struct Step<'p, 'a> {
    before: Option<&'p Step<'p, 'a>>,
    keyword: Cow<'a, str>,
    name: Option<Cow<'a, str>>,
}

impl Subschema<'_, '_> {
    /// The pointer to it in the body.
    pub(super) fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut step = self.path;
        while let Some(one) = step {
            steps.push(one);
            step = one.before;
        }
        let mut out = self.base.to_owned();
        for step in steps.iter().rev() {
            for token in [Some(&step.keyword), step.name.as_ref()].into_iter().flatten() {
                out.push('/');
                out.push_str(&escape_token(token));
            }
        }
        out
    }

    /// The pointer to one of its keywords.
    pub(super) fn at(&self, keyword: &str) -> String {
        format!("{}/{}", self.pointer(), escape_token(keyword))
    }

    /// The outermost keyword that it stands under, and the name there: the definition that it is part of.
    pub(super) fn top(&self) -> Option<(&str, Option<&str>)> {
        let mut step = self.path?;
        while let Some(before) = step.before {
            step = before;
        }
        Some((&step.keyword, step.name.as_deref()))
    }

    /// True for the outermost schema.
    pub(super) fn is_root(&self) -> bool {
        self.path.is_none()
    }

    /// True if its `type` is this word, in any casing, alone or in a list.
    pub(super) fn has_type(&self, word: &str) -> bool {
        has_type(self.value, word)
    }
}

/// True if the `type` of a schema is this word, in any casing, alone or in a list.
pub(super) fn has_type(schema: Value<'_>, word: &str) -> bool {
    let is = |value: Value<'_>| value.to_text().is_some_and(|text| text.eq_ignore_ascii_case(word));
    schema.get("type").is_some_and(|kind| is(kind) || kind.items().any(is))
}

/// Visits a schema and every schema inside it, in order.
pub(super) fn subschemas<'a>(schema: &Node<'a>, visit: &mut dyn FnMut(&Subschema<'_, 'a>)) {
    walk(Subschema { value: schema.value, depth: 0, path: None, base: &schema.pointer }, visit);
}

fn walk<'a>(schema: Subschema<'_, 'a>, visit: &mut dyn FnMut(&Subschema<'_, 'a>)) {
    visit(&schema);
    for (keyword, value) in schema.value.members() {
        let keyword = keyword.decode();
        let known = |list: &[&str]| list.contains(&&*keyword);
        match value.kind() {
            Kind::Object if known(MAPS) => {
                let depth = schema.depth + usize::from(&*keyword == "properties");
                for (name, value) in value.members() {
                    below(schema, depth, keyword.clone(), Some(name.decode()), value, visit);
                }
            }
            Kind::Object | Kind::Bool if known(SINGLE) => {
                below(schema, schema.depth, keyword.clone(), None, value, visit);
            }
            Kind::Array if known(LISTS) => {
                for (at, value) in value.items().enumerate() {
                    below(schema, schema.depth, keyword.clone(), Some(at.to_string().into()), value, visit);
                }
            }
            _ => {}
        }
    }
}

fn below<'a>(
    schema: Subschema<'_, 'a>,
    depth: usize,
    keyword: Cow<'a, str>,
    name: Option<Cow<'a, str>>,
    value: Value<'a>,
    visit: &mut dyn FnMut(&Subschema<'_, 'a>),
) {
    let step = Step { before: schema.path, keyword, name };
    walk(Subschema { value, depth, path: Some(&step), base: schema.base }, visit);
}

#[cfg(test)]
mod tests {
    use super::{Subschema, subschemas};
    use crate::json::Doc;
    use crate::providers::node::Node;

    #[test]
    fn properties_named_like_keywords_are_not_taken_for_them() {
        let text = r#"{"properties":{"not":{"type":"string"},"a/b":{"items":[{"x":1},{"anyOf":[{}]}]}},
            "default":{"properties":{"no":{}}},"additionalProperties":false,"items":{"properties":{"p":{}}}}"#;
        let doc = Doc::parse(text).unwrap();
        let mut found = Vec::new();
        let mut visit = |schema: &Subschema<'_, '_>| found.push((schema.pointer(), schema.depth));
        subschemas(&Node { value: doc.root(), pointer: "/s".to_owned() }, &mut visit);
        let all = [
            ("/s", 0),
            ("/s/properties/not", 1),
            ("/s/properties/a~1b", 1),
            ("/s/properties/a~1b/items/0", 1),
            ("/s/properties/a~1b/items/1", 1),
            ("/s/properties/a~1b/items/1/anyOf/0", 1),
            ("/s/additionalProperties", 0),
            ("/s/items", 0),
            ("/s/items/properties/p", 1),
        ];
        assert_eq!(found, all.map(|(pointer, depth)| (pointer.to_owned(), depth)));
    }
}
