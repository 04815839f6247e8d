//! The root of a tool's schema: an object with properties, and no alternatives.
//!
//! Anthropic and OpenAI refuse `anyOf`, `oneOf` and `allOf` there (anthropics/claude-code#5973, cecli-dev/cecli#281),
//! and most servers want `properties`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::Tree;

/// Keywords that may not stand at the root.
pub(super) const REFUSED: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "not"];

/// Brings the root into shape.
///
/// # Errors
/// The type that the root has, if it is not an object's.
pub(super) fn shape(schema: &mut Tree<'_>) -> Result<(), String> {
    merge_all_of(schema);
    merge_alternatives(schema);
    match schema.get("type") {
        None => schema.set_at(0, "type", Tree::string("object")),
        Some(Tree::String(name)) if name == "object" => {}
        // `["object","null"]`: arguments are never null.
        Some(Tree::Array(names)) if names.iter().any(|name| name.as_str() == Some("object")) => {
            schema.set("type", Tree::string("object"));
        }
        Some(other) => {
            return Err(other.as_str().map_or_else(|| "not `object`".to_owned(), |name| format!("`{name}`")));
        }
    }
    if !schema.get("properties").is_some_and(Tree::is_object) {
        let at = schema.members().iter().position(|(key, _)| key == "type").map_or(0, |at| at + 1);
        schema.set_at(at, "properties", Tree::object());
    }
    // Both say nothing about an object that is not said elsewhere, and OpenAI refuses them at the root.
    for keyword in ["enum", "not"] {
        schema.remove(keyword);
    }
    Ok(())
}

/// Puts the branches of `allOf` into the schema: all of them hold.
fn merge_all_of(schema: &mut Tree<'_>) {
    let Some(branches) = schema.remove("allOf") else { return };
    let Tree::Array(branches) = branches else { return };
    let shaped = branches.into_iter().map(|mut branch| {
        merge_all_of(&mut branch);
        merge_alternatives(&mut branch);
        branch
    });
    merge_branches(schema, shaped);
}

/// Puts a schema that holds as well into another; where both say something else, what the first says counts.
pub(super) fn merge_branch<'t>(schema: &mut Tree<'t>, branch: Tree<'t>) {
    merge_branches(schema, std::iter::once(branch));
}

/// Puts schemas that hold as well into another.
pub(super) fn merge_branches<'t>(schema: &mut Tree<'t>, branches: impl Iterator<Item = Tree<'t>>) {
    let mut joiner = Joiner::of(schema);
    for branch in branches {
        let Tree::Object(members) = branch else { continue };
        for (keyword, value) in members {
            match (keyword.as_ref(), schema.get_mut(&keyword)) {
                ("properties", _) => joiner.properties(schema, value, both),
                ("required", _) => joiner.required(schema, value),
                ("allOf", Some(Tree::Array(there))) => {
                    if let Tree::Array(more) = value {
                        there.extend(more);
                    }
                }
                ("items" | "additionalProperties", Some(there @ Tree::Object(_))) if value.is_object() => {
                    both(there, value);
                }
                (_, None) => schema.set(keyword, value),
                _ => {}
            }
        }
    }
}

/// Puts the branches of `anyOf` and `oneOf` into the schema: what any of them takes is taken, and only what all of
/// them require is required.
fn merge_alternatives(schema: &mut Tree<'_>) {
    let mut branches = Vec::new();
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Tree::Array(items)) = schema.remove(keyword) {
            branches.extend(items);
        }
    }
    if branches.is_empty() {
        return;
    }
    let own_required = schema.get("required").is_some_and(|required| !required.items().is_empty());
    let mut required: Option<Vec<Tree<'_>>> = None;
    let mut joiner = Joiner::of(schema);
    for mut branch in branches {
        merge_all_of(&mut branch);
        merge_alternatives(&mut branch);
        if !is_object_schema(&branch) {
            continue;
        }
        let names = branch.get("required").map(|names| names.items().to_vec()).unwrap_or_default();
        required = Some(match required {
            None => names,
            Some(so_far) => {
                let names: HashSet<&str> = names.iter().filter_map(Tree::as_str).collect();
                so_far.into_iter().filter(|name| name.as_str().is_some_and(|name| names.contains(name))).collect()
            }
        });
        if let Some(properties) = branch.remove("properties") {
            joiner.properties(schema, properties, either);
        }
    }
    if !own_required {
        match required {
            Some(required) if !required.is_empty() => schema.set("required", Tree::Array(required)),
            _ => drop(schema.remove("required")),
        }
    }
    if schema.get("additionalProperties").is_none() {
        schema.set("additionalProperties", Tree::bool(true));
    }
}

fn is_object_schema(schema: &Tree<'_>) -> bool {
    match schema.get("type") {
        Some(kind) => kind.as_str() == Some("object"),
        None => schema.is_object(),
    }
}

/// Joins properties and required names of branches into a schema. It knows what is there, so that many branches take
/// no more time than their size.
struct Joiner<'t> {
    places: HashMap<Cow<'t, str>, usize>,
    required: HashSet<Cow<'t, str>>,
}

impl<'t> Joiner<'t> {
    fn of(schema: &Tree<'t>) -> Self {
        let properties = schema.get("properties").map(Tree::members).unwrap_or_default();
        let required = schema.get("required").map(Tree::items).unwrap_or_default();
        Self {
            places: properties.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect(),
            required: required.iter().filter_map(name_of).collect(),
        }
    }

    fn properties(&mut self, schema: &mut Tree<'t>, more: Tree<'t>, join: fn(&mut Tree<'t>, Tree<'t>)) {
        let Tree::Object(more) = more else { return };
        if !schema.get("properties").is_some_and(Tree::is_object) {
            schema.set("properties", Tree::object());
        }
        let Some(Tree::Object(properties)) = schema.get_mut("properties") else { return };
        for (name, value) in more {
            if let Some((_, there)) = self.places.get(&name).and_then(|at| properties.get_mut(*at)) {
                join(there, value);
            } else {
                self.places.insert(name.clone(), properties.len());
                properties.push((name, value));
            }
        }
    }

    fn required(&mut self, schema: &mut Tree<'t>, more: Tree<'t>) {
        let Tree::Array(more) = more else { return };
        if !matches!(schema.get("required"), Some(Tree::Array(_))) {
            schema.set("required", Tree::Array(Vec::new()));
        }
        let Some(Tree::Array(required)) = schema.get_mut("required") else { return };
        required.extend(more.into_iter().filter(|name| name_of(name).is_some_and(|name| self.required.insert(name))));
    }
}

fn name_of<'t>(value: &Tree<'t>) -> Option<Cow<'t, str>> {
    match value {
        Tree::String(name) => Some(name.clone()),
        _ => None,
    }
}

/// A property that several branches of `allOf` have.
fn both<'t>(there: &mut Tree<'t>, other: Tree<'t>) {
    if *there == other {
        return;
    }
    if let Tree::Object(members) = there
        && let [(keyword, Tree::Array(list))] = members.as_mut_slice()
        && keyword == "allOf"
    {
        return list.push(other);
    }
    let first = std::mem::replace(there, Tree::object());
    there.set("allOf", Tree::Array(vec![first, other]));
}

/// A property that several alternatives have: literal values are joined (a discriminator has one in each), of
/// anything else the first counts.
#[expect(clippy::needless_pass_by_value, reason = "one of two ways to join")]
fn either<'t>(there: &mut Tree<'t>, other: Tree<'t>) {
    let Some(more) = literals(&other) else { return };
    if !matches!(there.get("enum"), Some(Tree::Array(_))) {
        let Some(value) = there.remove("const") else { return };
        there.set("enum", Tree::Array(vec![value]));
    }
    let Some(Tree::Array(values)) = there.get_mut("enum") else { return };
    for value in more {
        if !values.contains(&value) {
            values.push(value);
        }
    }
}

fn literals<'t>(schema: &Tree<'t>) -> Option<Vec<Tree<'t>>> {
    if let Some(Tree::Array(values)) = schema.get("enum") {
        return Some(values.clone());
    }
    schema.get("const").map(|value| vec![value.clone()])
}

#[cfg(test)]
mod tests {
    use super::shape;
    use crate::json::{Style, Tree, Writer};

    fn shaped(schema: &str) -> Result<String, String> {
        let mut tree = Tree::parse(schema).unwrap();
        shape(&mut tree)?;
        let mut writer = Writer::new(Style::Compact);
        tree.write(&mut writer);
        Ok(writer.finish())
    }

    #[test]
    fn an_object_with_properties_stays_as_it_is() {
        let schema = r#"{"properties":{"b":{"anyOf":[{},{}]},"a":{}},"type":"object","required":["b"],"x":1}"#;
        assert_eq!(shaped(schema).as_deref(), Ok(schema));
    }

    #[test]
    fn what_is_missing_is_added() {
        let empty = Ok(r#"{"type":"object","properties":{}}"#.to_owned());
        assert_eq!(shaped("{}"), empty);
        assert_eq!(shaped(r#"{"type":"object","properties":[]}"#), empty);
        assert_eq!(shaped(r#"{"type":["null","object"],"enum":[{}]}"#), empty);
        assert_eq!(shaped(r#"{"required":["a"]}"#).unwrap(), r#"{"type":"object","properties":{},"required":["a"]}"#);
        assert_eq!(shaped(r#"{"type":"string"}"#), Err("`string`".to_owned()));
        assert_eq!(shaped(r#"{"type":["array"]}"#), Err("not `object`".to_owned()));
    }

    #[test]
    fn alternatives_become_one_object() {
        assert_eq!(
            shaped(
                r#"{"oneOf":[{"type":"object","properties":{"kind":{"const":"a","description":"A"},"x":{"type":"string"}},"required":["kind","x"]},
                             {"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"number"}},"required":["kind"]},{"type":"null"}]}"#
            )
            .unwrap(),
            r#"{"type":"object","properties":{"kind":{"description":"A","enum":["a","b"]},"x":{"type":"string"}},"required":["kind"],"additionalProperties":true}"#
        );
        assert_eq!(
            shaped(
                r#"{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false}"#
            )
            .unwrap(),
            r#"{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}"#
        );
        assert_eq!(
            shaped(r#"{"required":["c"],"properties":{"c":{}},"anyOf":[{"properties":{"a":{}},"required":["a"]}]}"#)
                .unwrap(),
            r#"{"type":"object","required":["c"],"properties":{"c":{},"a":{}},"additionalProperties":true}"#
        );
    }

    #[test]
    fn all_of_is_merged() {
        assert_eq!(
            shaped(
                r#"{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"a":{"minLength":1},"b":{}},"required":["b","a"],"description":"d"}]}"#
            )
            .unwrap(),
            r#"{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"minLength":1}]},"b":{}},"required":["a","b"],"description":"d"}"#
        );
    }
}
