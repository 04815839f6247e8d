//! Schemas in Google's subset of JSON Schema, for Gemini's own API and for servers that hand on to it.
//!
//! Nothing that the place takes is lost. What it refuses is said in other words where there are some (`const` is an
//! `enum` of one, null is `nullable`, a tuple's items are alternatives, numbers to choose from stand in the
//! description), and left out where there are none. A keyword counts only where a schema stands: properties may be
//! called `format`, `$ref` or `definitions`.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::gemini_alternatives::{Alternatives, assemble, take};
use super::gemini_subset::{Subset, Takes, concerns, knows_format, type_name};
use super::root::merge_branches;
use crate::json::{Style, Tree, Writer};

/// Members that say nothing about which values are taken.
pub(super) const ANNOTATIONS: &[&str] = &["title", "description", "default"];

/// Brings a normalized schema into a subset. Also gives the keywords that had to be left out, in order of their names.
pub(super) fn clean<'t>(schema: Tree<'t>, subset: &'static Subset) -> (Tree<'t>, Vec<String>) {
    let mut cleaner = Cleaner { subset, left_out: BTreeSet::new() };
    let schema = cleaner.schema(schema).unwrap_or_else(Tree::object);
    (schema, cleaner.left_out.into_iter().collect())
}

pub(super) struct Cleaner {
    pub(super) subset: &'static Subset,
    left_out: BTreeSet<String>,
}

impl Cleaner {
    /// The schema as the place takes it; `None` for `false`, which no value fits.
    pub(super) fn schema<'t>(&mut self, schema: Tree<'t>) -> Option<Tree<'t>> {
        match schema {
            Tree::Object(_) => Some(self.object(schema)),
            other if other.as_bool() == Some(false) => None,
            _ => Some(Tree::object()),
        }
    }

    fn object<'t>(&mut self, mut schema: Tree<'t>) -> Tree<'t> {
        merge_all_of(&mut schema);
        if schema.remove("$ref").is_some() {
            // What could be put in place is: this leads nowhere, and only what describes it is known.
            self.left_out.insert("$ref".to_owned());
            keep(&mut schema, ANNOTATIONS);
        }
        match take(&mut schema) {
            Some(Alternatives { at, variants }) => self.alternatives(schema, at, variants),
            None => self.single(schema),
        }
    }

    /// A schema without alternatives.
    pub(super) fn single<'t>(&mut self, mut schema: Tree<'t>) -> Tree<'t> {
        let nullable = schema.remove("nullable").and_then(|flag| flag.as_bool()) == Some(true);
        let null_value = literal_values(&mut schema);
        let mut kinds = kinds(&schema);
        if null_value && kinds.is_empty() && schema.get("enum").is_none() {
            kinds.push("null");
        }
        if self.subset.is_json_schema() {
            return self.json_schema(schema, kinds, nullable || null_value);
        }
        let typed_null = kinds.contains(&"null");
        let null = nullable || null_value || typed_null;
        kinds.retain(|kind| *kind != "null");
        match kinds.as_slice() {
            [] if typed_null => {
                put_type(&mut schema, &[self.subset.spelled("null")]);
                self.plain(schema, Some("null"))
            }
            [] | [_] => {
                let kind = kinds.first().copied().or_else(|| implied(&schema));
                put_type(&mut schema, &kind.map(|kind| self.subset.spelled(kind)).into_iter().collect::<Vec<_>>());
                let mut schema = self.plain(schema, kind);
                if null {
                    schema.set("nullable", Tree::bool(true));
                }
                schema
            }
            _ => self.split(schema, &kinds, null),
        }
    }

    fn json_schema<'t>(&mut self, mut schema: Tree<'t>, mut kinds: Vec<&'static str>, null: bool) -> Tree<'t> {
        // Null among strings or numbers to choose from is none of either.
        let apart = null && schema.get("enum").is_some();
        if apart {
            kinds.retain(|kind| *kind != "null");
        } else if null && !kinds.is_empty() && !kinds.contains(&"null") {
            kinds.push("null");
        }
        if kinds.is_empty() {
            kinds.extend(of_values(&schema));
        }
        put_type(&mut schema, &kinds);
        let mut schema = self.plain(schema, kinds.first().copied().filter(|_| kinds.len() == 1));
        if !apart {
            return schema;
        }
        if schema.get("enum").is_none() {
            // The values are said in the description.
            if !kinds.is_empty() {
                kinds.push("null");
                put_type(&mut schema, &kinds);
            }
            return schema;
        }
        let Tree::Object(members) = schema else { return schema };
        let (outside, inside): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(keyword, _)| ANNOTATIONS.contains(&&**keyword));
        let mut schema = Tree::Object(outside);
        schema.set("anyOf", Tree::Array(vec![Tree::Object(inside), null_type()]));
        schema
    }

    /// Several types become alternatives, each with the keywords that say something about it.
    fn split<'t>(&mut self, schema: Tree<'t>, kinds: &[&'static str], null: bool) -> Tree<'t> {
        let whole = kinds.contains(&"number");
        let mut variants: Vec<(&str, Tree<'t>)> = kinds
            .iter()
            .filter(|kind| !(whole && **kind == "integer"))
            .map(|kind| (*kind, Tree::Object(vec![("type".into(), Tree::string(*kind))])))
            .collect();
        let mut outside = Tree::object();
        let Tree::Object(members) = schema else { return schema };
        for (keyword, value) in members {
            match &*keyword {
                "type" => {}
                _ if ANNOTATIONS.contains(&&*keyword) => outside.set(keyword, value),
                "enum" => {
                    for (kind, variant) in &mut variants {
                        let values: Vec<_> = value.items().iter().filter(|v| fits(v, kind)).cloned().collect();
                        if !values.is_empty() {
                            variant.set("enum", Tree::Array(values));
                        }
                    }
                    // A type without a value to choose is no alternative.
                    variants.retain(|(_, variant)| variant.get("enum").is_some());
                }
                _ => {
                    let concerned = variants.iter_mut().find(|(kind, _)| concerns(&keyword).contains(kind));
                    match concerned {
                        Some((_, variant)) => variant.set(keyword, value),
                        None => self.leave_out(&keyword),
                    }
                }
            }
        }
        let variants = variants.into_iter().map(|(_, variant)| self.single(variant)).collect();
        assemble(outside, 0, variants, null)
    }

    /// A schema with neither alternatives nor several types: member for member.
    pub(super) fn plain<'t>(&mut self, schema: Tree<'t>, kind: Option<&str>) -> Tree<'t> {
        let Tree::Object(members) = self.tuple(schema) else { return Tree::object() };
        let mut out = Tree::object();
        let mut hint = None;
        let mut required = None;
        let mut names: HashSet<String> = HashSet::new();
        for (keyword, value) in members {
            let Some(takes) = self.subset.takes(&keyword) else {
                self.leave_out(&keyword);
                continue;
            };
            let value = match takes {
                Takes::Types | Takes::Value => Some(value),
                Takes::Literals => {
                    let values = self.choices(value, kind);
                    hint = values.as_ref().err().cloned().flatten();
                    match values {
                        Ok(values) => Some(Tree::Array(values)),
                        Err(_) => continue,
                    }
                }
                Takes::Text => Some(value).filter(|text| text.as_str().is_some()),
                Takes::Format => Some(value).filter(|text| text.as_str().is_some_and(|f| knows_format(kind, f))),
                Takes::Count => Some(value).filter(|count| number(count).is_some_and(is_count)),
                Takes::Number => Some(value).filter(|limit| number(limit).is_some()),
                Takes::Texts => Some(value).filter(|list| texts(list).is_some()),
                Takes::Names => {
                    // Which names are properties is known at the end; the place is kept.
                    required =
                        texts(&value).map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
                    Some(Tree::null())
                }
                Takes::Schema => self.schema(value),
                Takes::Schemas => match value {
                    Tree::Array(items) => {
                        let items: Vec<_> = items.into_iter().filter_map(|item| self.schema(item)).collect();
                        Some(Tree::Array(items)).filter(|items| !items.is_empty())
                    }
                    _ => None,
                },
                Takes::Map => self.map(value, &mut names),
                Takes::SchemaOrFlag if value.as_bool().is_some() => Some(value),
                Takes::SchemaOrFlag => Some(value).filter(Tree::is_object).and_then(|schema| self.schema(schema)),
            };
            match value {
                Some(value) => out.set(keyword, value),
                None => self.leave_out(&keyword),
            }
        }
        require(&mut out, required.unwrap_or_default(), &names);
        if out.get("items").is_none() && kinds(&out).contains(&"array") {
            out.set("items", Tree::object());
        }
        if let Some(hint) = hint {
            describe(&mut out, &hint);
        }
        out
    }

    fn map<'t>(&mut self, schemas: Tree<'t>, names: &mut HashSet<String>) -> Option<Tree<'t>> {
        let Tree::Object(schemas) = schemas else { return None };
        // Of two properties with one name the last counts.
        let mut places: HashMap<String, usize> = HashMap::with_capacity(schemas.len());
        let mut out: Vec<(_, Tree<'t>)> = Vec::with_capacity(schemas.len());
        for (name, schema) in schemas {
            let Some(schema) = self.schema(schema) else { continue };
            if let Some(place) = places.get(&*name).and_then(|at| out.get_mut(*at)) {
                place.1 = schema;
            } else {
                places.insert(name.to_string(), out.len());
                out.push((name, schema));
            }
        }
        names.extend(places.into_keys());
        Some(Tree::Object(out))
    }

    /// The literal values to choose from; where the place takes none of the kind, a sentence that names them.
    fn choices<'t>(&mut self, values: Tree<'t>, kind: Option<&str>) -> Result<Vec<Tree<'t>>, Option<String>> {
        let Tree::Array(values) = values else {
            self.leave_out("enum");
            return Err(None);
        };
        let taken = if self.subset.is_json_schema() {
            values.iter().all(|value| value.as_str().is_some() || number(value).is_some())
        } else {
            kind == Some("string")
        };
        if !taken {
            return Err(one_of(&values));
        }
        let mut seen = HashSet::new();
        let values: Vec<_> = if self.subset.is_json_schema() {
            values.into_iter().filter(|value| seen.insert(text_of(value))).collect()
        } else {
            // Strings only, and none that is empty.
            let texts = values.into_iter().filter_map(|value| match value {
                Tree::String(text) | Tree::Literal(text) if !text.is_empty() => Some(Tree::String(text)),
                _ => None,
            });
            texts.filter(|value| seen.insert(text_of(value))).collect()
        };
        if values.is_empty() { Err(None) } else { Ok(values) }
    }

    /// Schemas for the places of a list: alternatives for all of them, or `prefixItems`.
    fn tuple<'t>(&mut self, mut schema: Tree<'t>) -> Tree<'t> {
        let listed = matches!(schema.get("items"), Some(Tree::Array(_)));
        if self.subset.is_json_schema() {
            if listed {
                if let Some((keyword, _)) = member_mut(&mut schema, "items") {
                    *keyword = "prefixItems".into();
                }
                // Places behind the listed ones take anything.
                schema.set("items", Tree::object());
            }
            return schema;
        }
        if !listed && !matches!(schema.get("prefixItems"), Some(Tree::Array(_))) {
            return schema;
        }
        let at = schema.members().iter().position(|(keyword, _)| matches!(&**keyword, "items" | "prefixItems"));
        let mut places = Vec::new();
        for keyword in ["prefixItems", "items"] {
            match schema.remove(keyword) {
                Some(Tree::Array(items)) => places.extend(items),
                Some(rest @ Tree::Object(_)) if !rest.is_empty() => places.push(rest),
                _ => {}
            }
        }
        let items = Tree::Object(vec![("anyOf".into(), Tree::Array(places))]);
        schema.set_at(at.unwrap_or(usize::MAX), "items", items);
        schema
    }

    pub(super) fn leave_out(&mut self, keyword: &str) {
        self.left_out.insert(keyword.to_owned());
    }
}

/// The schema with the branches of its `allOf` in it, and theirs.
fn merge_all_of(schema: &mut Tree<'_>) {
    while let Some(branches) = schema.remove("allOf") {
        let Tree::Array(branches) = branches else { continue };
        // Branches may bring an `allOf` of their own, which is merged in the next round.
        merge_branches(schema, branches.into_iter());
    }
}

/// `const` as an `enum` of one, and null taken out of the values; true if it was there.
fn literal_values(schema: &mut Tree<'_>) -> bool {
    if schema.get("const").is_some() {
        schema.remove("enum");
        if let Some((keyword, value)) = member_mut(schema, "const") {
            *keyword = "enum".into();
            let only = std::mem::replace(value, Tree::null());
            *value = Tree::Array(vec![only]);
        }
    }
    let Some(Tree::Array(values)) = schema.get_mut("enum") else { return false };
    let before = values.len();
    values.retain(|value| !value.is_null());
    let (null, empty) = (values.len() < before, values.is_empty());
    if empty {
        schema.remove("enum");
    }
    null
}

fn member_mut<'s, 't>(
    schema: &'s mut Tree<'t>,
    keyword: &str,
) -> Option<&'s mut (std::borrow::Cow<'t, str>, Tree<'t>)> {
    schema.members_mut().iter_mut().rfind(|(name, _)| name == keyword)
}

/// The known types that a schema names, in lower case, each once.
pub(super) fn kinds(schema: &Tree<'_>) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    let named = match schema.get("type") {
        Some(Tree::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => &[],
    };
    for kind in named.iter().filter_map(|name| type_name(name.as_str()?)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

pub(super) fn put_type(schema: &mut Tree<'_>, kinds: &[&'static str]) {
    match kinds {
        [] => drop(schema.remove("type")),
        [kind] => schema.set_at(0, "type", Tree::string(*kind)),
        kinds => schema.set_at(0, "type", Tree::Array(kinds.iter().map(|kind| Tree::string(*kind)).collect())),
    }
}

/// The type that a schema has without saying so.
fn implied(schema: &Tree<'_>) -> Option<&'static str> {
    of_values(schema).or_else(|| {
        let has = |keyword| schema.get(keyword).is_some();
        match () {
            () if has("properties") => Some("object"),
            () if has("items") || has("prefixItems") => Some("array"),
            () => None,
        }
    })
}

/// The type of all values to choose from.
fn of_values(schema: &Tree<'_>) -> Option<&'static str> {
    let values = schema.get("enum")?.items();
    let first = value_kind(values.first()?)?;
    let kinds: Option<Vec<_>> = values.iter().map(value_kind).collect();
    let kinds = kinds?;
    let numeric = |kind: &str| matches!(kind, "number" | "integer");
    match () {
        () if kinds.iter().all(|kind| *kind == first) => Some(first),
        () if kinds.iter().all(|kind| numeric(kind)) => Some("number"),
        () => None,
    }
}

/// The type of a literal value that may be chosen.
pub(super) fn value_kind(value: &Tree<'_>) -> Option<&'static str> {
    match value {
        Tree::String(_) => Some("string"),
        Tree::Literal(_) if value.as_bool().is_some() => Some("boolean"),
        Tree::Literal(_) if value.is_null() => None,
        Tree::Literal(text) if text.bytes().all(|b| b == b'-' || b.is_ascii_digit()) => Some("integer"),
        Tree::Literal(_) => Some("number"),
        _ => None,
    }
}

fn fits(value: &Tree<'_>, kind: &str) -> bool {
    value_kind(value).is_some_and(|of| of == kind || (of == "integer" && kind == "number"))
}

fn number<'v>(value: &'v Tree<'_>) -> Option<&'v str> {
    match value {
        Tree::Literal(text) if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => Some(text),
        _ => None,
    }
}

fn is_count(number: &str) -> bool {
    number.bytes().all(|b| b.is_ascii_digit()) && number.parse::<i64>().is_ok()
}

fn texts<'v>(list: &'v Tree<'_>) -> Option<Vec<&'v str>> {
    match list {
        Tree::Array(items) => items.iter().map(Tree::as_str).collect(),
        _ => None,
    }
}

/// Puts the required names that are properties into the place of `required`, or takes it away.
fn require(schema: &mut Tree<'_>, required: Vec<String>, properties: &HashSet<String>) {
    let mut seen = HashSet::new();
    let known: Vec<_> = required
        .into_iter()
        .filter(|name| properties.contains(name) && seen.insert(name.clone()))
        .map(Tree::string)
        .collect();
    if known.is_empty() {
        schema.remove("required");
    } else {
        schema.set("required", Tree::Array(known));
    }
}

/// Adds a sentence to the description.
pub(super) fn describe(schema: &mut Tree<'_>, sentence: &str) {
    let text = match schema.get("description").and_then(Tree::as_str) {
        Some(text) if !text.is_empty() => format!("{text} {sentence}"),
        _ => sentence.to_owned(),
    };
    schema.set("description", Tree::string(text));
}

fn one_of(values: &[Tree<'_>]) -> Option<String> {
    match values {
        [] => None,
        [only] => Some(format!("Must be {}.", text_of(only))),
        values => Some(format!("One of: {}.", values.iter().map(text_of).collect::<Vec<_>>().join(", "))),
    }
}

pub(super) fn text_of(value: &Tree<'_>) -> String {
    let mut writer = Writer::new(Style::Compact);
    value.write(&mut writer);
    writer.finish()
}

pub(super) fn null_type<'t>() -> Tree<'t> {
    Tree::Object(vec![("type".into(), Tree::string("null"))])
}

/// Keeps these members only.
pub(super) fn keep(schema: &mut Tree<'_>, keywords: &[&str]) {
    if let Tree::Object(members) = schema {
        members.retain(|(keyword, _)| keywords.contains(&&**keyword));
    }
}

#[cfg(test)]
#[path = "gemini_cleaning_tests.rs"]
mod tests;
