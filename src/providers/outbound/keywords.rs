//! Where schemas stand inside a schema. A keyword counts only there: `properties` may hold a property called
//! `format`, `$ref` or `definitions`, and `default`, `const`, `enum` hold data.

use crate::json::Tree;

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

const HOLDS: &[(&str, Holds)] = &[
    ("properties", Holds::Map),
    ("items", Holds::Either),
    ("anyOf", Holds::List),
    ("oneOf", Holds::List),
    ("allOf", Holds::List),
    ("prefixItems", Holds::List),
    ("additionalProperties", Holds::Schema),
    ("patternProperties", Holds::Map),
    ("additionalItems", Holds::Schema),
    ("not", Holds::Schema),
    ("if", Holds::Schema),
    ("then", Holds::Schema),
    ("else", Holds::Schema),
    ("contains", Holds::Schema),
    ("propertyNames", Holds::Schema),
    ("unevaluatedItems", Holds::Schema),
    ("unevaluatedProperties", Holds::Schema),
    ("contentSchema", Holds::Schema),
    ("dependentSchemas", Holds::Map),
    ("$defs", Holds::Map),
    ("definitions", Holds::Map),
];

/// What stands under `keyword`.
pub(super) fn holds(keyword: &str) -> Holds {
    HOLDS.iter().find(|(name, _)| *name == keyword).map_or(Holds::Data, |(_, holds)| *holds)
}

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
