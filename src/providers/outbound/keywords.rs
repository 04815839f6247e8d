//! Where schemas stand inside a schema. A keyword counts only there: `properties` may hold a property called
//! `format`, `$ref` or `definitions`, and `default`, `const`, `enum` hold data.

use crate::json::{Kind, Tree, Value};

/// What stands under a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A schema.
    Schema,
    /// A list of schemas.
    List,
    /// A schema, or a list of them.
    Either,
    /// Schemas under names.
    Map,
    /// Data, or nothing that is looked into.
    Data,
}

/// What stands under `keyword`.
pub(super) fn holds(keyword: &str) -> Holds {
    match keyword {
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => Holds::Map,
        "items" => Holds::Either,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Holds::List,
        "additionalProperties"
        | "additionalItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Holds::Schema,
        _ => Holds::Data,
    }
}

/// What has to be done about a schema, found in one walk: most need nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Needs {
    /// There are local references, or definitions for them.
    pub(super) inlining: bool,
    /// A dynamic reference or anchor.
    pub(super) dynamic: Option<&'static str>,
    /// There are words of `OpenAPI`, or arrays without items.
    pub(super) rewording: bool,
}

/// Finds out what has to be done about a schema.
pub(super) fn needs(schema: Value<'_>) -> Needs {
    let mut needs = Needs::default();
    walk(schema, &mut needs);
    needs
}

fn walk(schema: Value<'_>, needs: &mut Needs) {
    let (mut array, mut items) = (false, false);
    for (keyword, value) in schema.members() {
        match &*keyword.decode() {
            "type" => {
                let is_array = |name: Value<'_>| name.as_str().is_some_and(|name| name.is("array"));
                array = is_array(value) || value.items().any(is_array);
            }
            "$ref" => needs.inlining |= value.as_str().is_some(),
            "$dynamicRef" => needs.dynamic = Some("$dynamicRef"),
            "$dynamicAnchor" => needs.dynamic = needs.dynamic.or(Some("$dynamicAnchor")),
            "nullable" => needs.rewording = true,
            word if OPENAPI.contains(&word) => needs.rewording = true,
            word => {
                items |= word == "items";
                needs.inlining |= matches!(word, "$defs" | "definitions");
                match (holds(word), value.kind()) {
                    (Holds::Data, _) => {}
                    (Holds::List | Holds::Either, Kind::Array) => value.items().for_each(|inner| walk(inner, needs)),
                    (Holds::Map, _) => value.members().for_each(|(_, inner)| walk(inner, needs)),
                    (Holds::Schema | Holds::List | Holds::Either, _) => walk(value, needs),
                }
            }
        }
    }
    needs.rewording |= array && !items;
}

/// Words of `OpenAPI` that are no part of JSON Schema.
pub(super) const OPENAPI: &[&str] = &["discriminator", "externalDocs", "readOnly", "writeOnly", "xml", "example"];

/// Calls `each` on the schemas directly inside `schema`.
pub(super) fn each_inner<'t>(schema: &mut Tree<'t>, each: &mut impl FnMut(&mut Tree<'t>)) {
    for (keyword, value) in schema.members_mut() {
        match holds(keyword) {
            Holds::Data => {}
            Holds::Schema => each(value),
            Holds::List | Holds::Either => match value {
                Tree::Array(items) => items.iter_mut().for_each(&mut *each),
                schema => each(schema),
            },
            Holds::Map => value.members_mut().iter_mut().for_each(|(_, schema)| each(schema)),
        }
    }
}

/// Takes keywords out of a schema and every schema inside it; properties of these names stay.
pub(super) fn strip(schema: &mut Tree<'_>, keywords: &[&str]) {
    if let Tree::Object(members) = schema {
        members.retain(|(keyword, _)| !keywords.contains(&&**keyword));
    }
    each_inner(schema, &mut |inner| strip(inner, keywords));
}

#[cfg(test)]
mod tests {
    use super::strip;
    use crate::json::{Style, Tree, Writer};

    #[test]
    fn keywords_go_and_properties_and_data_of_these_names_stay() {
        let mut schema = Tree::parse(
            r#"{"format":"x","properties":{"format":{"type":"string","format":"date","default":{"format":1}}},
                "anyOf":[{"format":"y"}],"enum":[{"format":"z"}]}"#,
        )
        .unwrap();
        strip(&mut schema, &["format"]);
        let mut writer = Writer::new(Style::Compact);
        schema.write(&mut writer);
        assert_eq!(
            writer.finish(),
            r#"{"properties":{"format":{"type":"string","default":{"format":1}}},"anyOf":[{}],"enum":[{"format":"z"}]}"#
        );
    }
}
