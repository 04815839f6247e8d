//! Alternatives (`anyOf`, `oneOf`) in Google's subset of JSON Schema.
//!
//! `oneOf` is refused or read as `anyOf`. A null among the alternatives makes the rest nullable
//! (agentscope-ai/agentscope#2436); literal values of one type are an `enum`; one alternative that is left is no
//! alternative. In the `OpenAPI` form nothing but annotations stands beside `anyOf`: what does goes into the
//! alternatives (anomalyco/opencode#43421).

use std::borrow::Cow;
use std::collections::HashSet;

use super::gemini_cleaning::{ANNOTATIONS, Cleaner, describe, kinds, null_type, put_type, text_of, value_kind};
use super::gemini_subset::concerns;
use super::root::merge_branch;
use crate::json::Tree;

/// Bytes that a keyword beside alternatives may take in all of them together.
const MAX_HANDED_DOWN: usize = 64 * 1024;

/// The alternatives of a schema, taken out of it.
pub(super) struct Alternatives<'t> {
    /// Where they stood among its members.
    pub(super) at: usize,
    /// The alternatives; those that no value fits are gone.
    pub(super) variants: Vec<Tree<'t>>,
}

/// Takes the alternatives out of a schema.
pub(super) fn take<'t>(schema: &mut Tree<'t>) -> Option<Alternatives<'t>> {
    let at = schema.members().iter().position(|(keyword, _)| matches!(&**keyword, "anyOf" | "oneOf"))?;
    let mut variants = Vec::new();
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Tree::Array(items)) = schema.remove(keyword) {
            variants.extend(items);
        }
    }
    variants.retain(|variant| variant.as_bool() != Some(false));
    (!variants.is_empty()).then_some(Alternatives { at, variants })
}

/// True for a schema that only null fits.
pub(super) fn is_null(schema: &Tree<'_>) -> bool {
    let only_null = |values: &Tree<'_>| matches!(values.items(), [only] if only.is_null());
    kinds(schema) == ["null"]
        || schema.get("const").is_some_and(Tree::is_null)
        || schema.get("enum").is_some_and(only_null)
}

impl Cleaner {
    /// A schema with alternatives; they stood at member `at`.
    pub(super) fn alternatives<'t>(&mut self, mut schema: Tree<'t>, at: usize, variants: Vec<Tree<'t>>) -> Tree<'t> {
        if schema.get("enum").is_some() || schema.get("const").is_some() {
            // The values to choose from say it all.
            return self.single(schema);
        }
        let (nulls, mut variants): (Vec<_>, Vec<_>) = variants.into_iter().partition(is_null);
        if !nulls.is_empty() {
            schema.set("nullable", Tree::bool(true));
        }
        if let [_] | [] = variants.as_slice() {
            let Some(only) = variants.pop() else {
                // Null was the only alternative.
                put_type(&mut schema, &["null"]);
                schema.remove("nullable");
                return self.single(schema);
            };
            if only.get("type").is_some() {
                schema.remove("type");
            }
            merge_branch(&mut schema, only);
            return self.schema(schema).unwrap_or_else(Tree::object);
        }
        if let Some(values) = literals(&variants) {
            schema.remove("type");
            schema.set_at(at, "enum", Tree::Array(values));
            let said: Vec<_> = variants.iter().filter_map(said_of).collect();
            if !said.is_empty() {
                describe(&mut schema, &said.join(" "));
            }
            return self.single(schema);
        }
        self.union(schema, at, variants)
    }

    fn union<'t>(&mut self, mut schema: Tree<'t>, at: usize, variants: Vec<Tree<'t>>) -> Tree<'t> {
        let mut kinds = kinds(&schema);
        let mut null = schema.remove("nullable").is_some() || kinds.contains(&"null");
        kinds.retain(|kind| *kind != "null");
        let inherited = match kinds.as_slice() {
            [kind] => Some(*kind),
            _ => None,
        };
        let mut seen = HashSet::new();
        let mut cleaned: Vec<Tree<'t>> = Vec::with_capacity(variants.len());
        for mut variant in variants {
            if let Some(kind) = inherited
                && ["type", "anyOf", "oneOf", "allOf", "const", "enum", "$ref"].iter().all(|k| variant.get(k).is_none())
                && variant.is_object()
            {
                put_type(&mut variant, &[kind]);
            }
            let Some(mut variant) = self.schema(variant) else { continue };
            if !self.subset.is_json_schema() {
                null |= variant.remove("nullable").is_some();
            }
            let inner = match variant.members() {
                [(keyword, _)] if keyword == "anyOf" => variant.remove("anyOf"),
                _ => None,
            };
            let inner = match inner {
                Some(Tree::Array(inner)) => inner,
                _ => vec![variant],
            };
            for variant in inner {
                if is_null(&variant) {
                    null = true;
                } else if seen.insert(text_of(&variant)) {
                    cleaned.push(variant);
                }
            }
        }
        // One that takes anything makes the others say nothing.
        if cleaned.is_empty() || cleaned.iter().any(Tree::is_empty) {
            if null {
                schema.set("nullable", Tree::bool(true));
            }
            return self.single(schema);
        }
        if self.subset.is_json_schema() {
            return self.json_schema_union(schema, at, cleaned, null);
        }
        schema.remove("type");
        let base = self.plain(schema, inherited);
        let Tree::Object(members) = base else { return base };
        let (outside, inside): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(keyword, _)| ANNOTATIONS.contains(&&**keyword));
        self.hand_down(Tree::Object(inside), &mut cleaned);
        assemble(Tree::Object(outside), at, cleaned, null)
    }

    fn json_schema_union<'t>(
        &mut self,
        mut schema: Tree<'t>,
        at: usize,
        mut variants: Vec<Tree<'t>>,
        null: bool,
    ) -> Tree<'t> {
        // Alternatives say which types there are.
        put_type(&mut schema, &[]);
        let mut out = self.plain(schema, None);
        if null {
            variants.push(null_type());
        }
        match variants.len() {
            0 => {}
            1 => variants.into_iter().for_each(|only| fill(&mut out, only)),
            _ => out.set_at(at, "anyOf", Tree::Array(variants)),
        }
        out
    }

    /// Puts what stands beside alternatives into them: into those that it concerns, if they do not say it themselves.
    fn hand_down<'t>(&mut self, beside: Tree<'t>, variants: &mut Vec<Tree<'t>>) {
        let Tree::Object(members) = beside else { return };
        let mut of_objects = Tree::object();
        let mut of_arrays = Tree::object();
        for (keyword, value) in members {
            let of = concerns(&keyword);
            match of {
                ["object"] => of_objects.set(keyword, value),
                ["array"] => of_arrays.set(keyword, value),
                _ if text_of(&value).len().saturating_mul(variants.len()) > MAX_HANDED_DOWN => self.leave_out(&keyword),
                of => variants.iter_mut().for_each(|variant| give(variant, &keyword, &value, of)),
            }
        }
        // Schemas are not copied into each: all objects become one, and all arrays.
        for (kind, base) in [("object", of_objects), ("array", of_arrays)] {
            if !base.is_empty() {
                self.merge_kind(kind, base, variants);
            }
        }
    }

    fn merge_kind<'t>(&mut self, kind: &'static str, base: Tree<'t>, variants: &mut Vec<Tree<'t>>) {
        let at = variants.iter().position(|variant| kinds(variant) == [kind]);
        let Some(at) = at else {
            base.members().iter().for_each(|(keyword, _)| self.leave_out(keyword));
            return;
        };
        let (same, mut rest): (Vec<_>, Vec<_>) =
            std::mem::take(variants).into_iter().partition(|variant| kinds(variant) == [kind]);
        let mut required = base.get("required").map(|names| names.items().to_vec()).unwrap_or_default();
        let by_all = required_by_all(&same);
        let already: HashSet<&str> = required.iter().filter_map(Tree::as_str).collect();
        let more: Vec<_> = by_all.into_iter().filter(|name| !already.contains(name.as_str())).collect();
        required.extend(more.into_iter().map(Tree::string));
        let mut merged = base;
        put_type(&mut merged, &[self.subset.spelled(kind)]);
        merge_all(&mut merged, same);
        if required.is_empty() {
            merged.remove("required");
        } else {
            merged.set("required", Tree::Array(required));
        }
        rest.insert(at.min(rest.len()), merged);
        *variants = rest;
    }
}

/// Gives a keyword to a schema of a type that it concerns, or to such alternatives of it, unless they have it.
#[expect(clippy::ptr_arg, reason = "a borrowed keyword stays borrowed")]
fn give<'t>(schema: &mut Tree<'t>, keyword: &Cow<'t, str>, value: &Tree<'t>, of: &[&str]) {
    if let Some(Tree::Array(variants)) = schema.get_mut("anyOf") {
        return variants.iter_mut().for_each(|variant| give(variant, keyword, value, of));
    }
    if schema.get(keyword).is_none() && kinds(schema).iter().any(|kind| of.contains(kind)) {
        schema.set(keyword.clone(), value.clone());
    }
}

/// Annotations with alternatives beside them, or with the only alternative in them.
pub(super) fn assemble<'t>(mut outside: Tree<'t>, at: usize, variants: Vec<Tree<'t>>, null: bool) -> Tree<'t> {
    match variants.len() {
        0 => {}
        1 => variants.into_iter().for_each(|only| fill(&mut outside, only)),
        _ => outside.set_at(at, "anyOf", Tree::Array(variants)),
    }
    if null {
        outside.set("nullable", Tree::bool(true));
    }
    outside
}

/// The property names that every schema requires, in the order of the first.
fn required_by_all(schemas: &[Tree<'_>]) -> Vec<String> {
    let of = |schema: &Tree<'_>| -> Vec<String> {
        let names = schema.get("required").map(Tree::items).unwrap_or_default();
        names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let Some((first, others)) = schemas.split_first() else { return Vec::new() };
    others.iter().fold(of(first), |mut so_far, schema| {
        let names: HashSet<String> = of(schema).into_iter().collect();
        so_far.retain(|name| names.contains(name));
        so_far
    })
}

/// Adds the members of `from` that are not there.
fn fill<'t>(schema: &mut Tree<'t>, from: Tree<'t>) {
    let Tree::Object(members) = from else { return };
    for (keyword, value) in members {
        if schema.get(&keyword).is_none() {
            let at = if keyword == "type" { 0 } else { usize::MAX };
            schema.set_at(at, keyword, value);
        }
    }
}

/// Puts clean schemas of one type into one: the first that says something about a property, or has a keyword, counts.
fn merge_all<'t>(schema: &mut Tree<'t>, others: Vec<Tree<'t>>) {
    let mut names: HashSet<String> = HashSet::new();
    names.extend(
        schema.get("properties").map(Tree::members).unwrap_or_default().iter().map(|(name, _)| name.to_string()),
    );
    for other in others {
        let Tree::Object(members) = other else { continue };
        for (keyword, value) in members {
            match (keyword.as_ref(), schema.get_mut(&keyword), value) {
                ("required", ..) => {}
                ("properties", Some(Tree::Object(there)), Tree::Object(more)) => {
                    there.extend(more.into_iter().filter(|(name, _)| names.insert(name.to_string())));
                }
                (name, None, value) => {
                    if name == "properties" {
                        names.extend(value.members().iter().map(|(name, _)| name.to_string()));
                    }
                    schema.set(keyword, value);
                }
                _ => {}
            }
        }
    }
}

/// All literal values, if the alternatives are nothing but values of one type.
fn literals<'t>(variants: &[Tree<'t>]) -> Option<Vec<Tree<'t>>> {
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    let mut kind = None;
    for variant in variants {
        let only_values = variant
            .members()
            .iter()
            .all(|(keyword, _)| matches!(&**keyword, "const" | "enum" | "type" | "title" | "description"));
        let of_variant = match (variant.get("const"), variant.get("enum")) {
            (Some(value), _) => std::slice::from_ref(value),
            (None, Some(Tree::Array(values))) => values.as_slice(),
            _ => return None,
        };
        if !only_values || of_variant.is_empty() {
            return None;
        }
        for value in of_variant {
            let of_value = value_kind(value)?;
            if *kind.get_or_insert(of_value) != of_value {
                return None;
            }
            if seen.insert(text_of(value)) {
                values.push(value.clone());
            }
        }
    }
    Some(values)
}

/// What an alternative says about its value.
fn said_of(variant: &Tree<'_>) -> Option<String> {
    let said = variant.get("description").or_else(|| variant.get("title")).and_then(Tree::as_str)?;
    let value = variant.get("const").or_else(|| match variant.get("enum")?.items() {
        [only] => Some(only),
        _ => None,
    })?;
    let value = value.as_str().map_or_else(|| text_of(value), str::to_owned);
    Some(format!("{value}: {said}."))
}
