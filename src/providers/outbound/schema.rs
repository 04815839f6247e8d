//! A tool's schema before any provider: references in place, `OpenAPI` words turned into JSON Schema, a root that is an
//! object, arrays with items, and no keyword that the server refuses.

use super::gemini_subset::Subset;
use super::keywords::{each_inner, strip};
use super::{gemini_cleaning, refs, root};
use crate::json::{JsonText, Tree};

/// What a provider or server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) struct SchemaRules {
    /// `$dynamicRef` and `$dynamicAnchor` may stand.
    pub(in crate::providers) dynamic_references: bool,
    /// The server reads Google's subset of JSON Schema: which form of it.
    pub(in crate::providers) gemini: Option<&'static Subset>,
    /// A `type` beside `anyOf` has to stand in its branches, and the schemas of a tuple in `prefixItems`.
    pub(in crate::providers) types_in_branches: bool,
    /// Keywords that the server refuses.
    pub(in crate::providers) refused: &'static [&'static str],
}

impl SchemaRules {
    /// A server that reads JSON Schema.
    pub(in crate::providers) const JSON_SCHEMA: Self =
        Self { dynamic_references: false, gemini: None, types_in_branches: false, refused: &[] };
}

/// A schema that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) struct Normalized<'t> {
    /// The schema; its root is an object with `type: "object"` and `properties`.
    pub(in crate::providers) schema: Tree<'t>,
    /// References that lead nowhere.
    pub(in crate::providers) unresolved: Vec<String>,
    /// Not every reference could be put in place: there would have been too much.
    pub(in crate::providers) cut: bool,
    /// Keywords that the place does not take and that could not be said otherwise.
    pub(in crate::providers) left_out: Vec<String>,
}

/// Words of `OpenAPI` that are no part of JSON Schema.
const OPENAPI: &[&str] = &["discriminator", "externalDocs", "readOnly", "writeOnly", "xml", "example"];

/// Normalizes the schema of a tool.
///
/// # Errors
/// Why the schema cannot be sent, as a phrase.
pub(in crate::providers) fn normalize<'t>(text: &'t JsonText, rules: &SchemaRules) -> Result<Normalized<'t>, String> {
    // A `JsonText` is valid, but its depth is limited once more for the text that it may become part of.
    let mut schema = Tree::parse(text.as_str()).map_err(|error| error.to_string())?;
    if !rules.dynamic_references
        && let Some(keyword) = dynamic(&schema)
    {
        return Err(format!("`{keyword}` cannot be resolved"));
    }
    let mut found = refs::Found::default();
    if let Some((inlined, what)) = refs::inline(&schema, rules.gemini.is_some()) {
        (schema, found) = (inlined, what);
    }
    if found.circular {
        return Err("the schema refers to nothing but itself".to_owned());
    }
    if !schema.is_object() {
        return Err("the schema is not an object".to_owned());
    }
    plain_json_schema(&mut schema);
    root::shape(&mut schema).map_err(|kind| format!("the type at its root is {kind}, and arguments are an object"))?;
    let mut left_out = Vec::new();
    if let Some(subset) = rules.gemini {
        (schema, left_out) = gemini_cleaning::clean(schema, subset);
    }
    if rules.types_in_branches {
        types_into_branches(&mut schema);
    }
    if !rules.refused.is_empty() {
        strip(&mut schema, rules.refused);
    }
    Ok(Normalized { schema, unresolved: found.unresolved, cut: found.cut, left_out })
}

/// The schema of a tool without parameters.
pub(in crate::providers) fn empty<'t>() -> Tree<'t> {
    Tree::Object(vec![("type".into(), Tree::string("object")), ("properties".into(), Tree::object())])
}

fn dynamic(schema: &Tree<'_>) -> Option<&'static str> {
    ["$dynamicRef", "$dynamicAnchor"].into_iter().find(|keyword| has_keyword(schema, keyword))
}

fn has_keyword(schema: &Tree<'_>, keyword: &str) -> bool {
    use super::keywords::{Holds, holds};
    schema.members().iter().any(|(name, value)| {
        name == keyword
            || match holds(name) {
                Holds::Data => false,
                Holds::Schema => has_keyword(value, keyword),
                Holds::List | Holds::Either => match value {
                    Tree::Array(items) => items.iter().any(|item| has_keyword(item, keyword)),
                    inner => has_keyword(inner, keyword),
                },
                Holds::Map => value.members().iter().any(|(_, inner)| has_keyword(inner, keyword)),
            }
    })
}

/// Turns the words of `OpenAPI` into JSON Schema, and gives arrays their items, everywhere.
fn plain_json_schema(schema: &mut Tree<'_>) {
    each_inner(schema, &mut plain_json_schema);
    let Tree::Object(members) = schema else { return };
    members.retain(|(keyword, _)| !OPENAPI.contains(&&**keyword));
    if schema.get("nullable").is_some_and(|nullable| nullable.as_bool().is_some())
        && schema.remove("nullable").and_then(|nullable| nullable.as_bool()) == Some(true)
    {
        allow_null(schema);
    }
    let array = match schema.get("type") {
        Some(Tree::Array(names)) => names.iter().any(|name| name.as_str() == Some("array")),
        Some(name) => name.as_str() == Some("array"),
        None => false,
    };
    if array && schema.get("items").is_none() {
        schema.set("items", Tree::object());
    }
}

/// Moves a type beside alternatives into those that have none, and tuples into `prefixItems`.
fn types_into_branches(schema: &mut Tree<'_>) {
    each_inner(schema, &mut types_into_branches);
    if let Some(items @ Tree::Array(_)) = schema.get_mut("items") {
        let tuple = std::mem::replace(items, Tree::object());
        schema.set("prefixItems", tuple);
    }
    if schema.get("type").is_none() || !matches!(schema.get("anyOf"), Some(Tree::Array(_))) {
        return;
    }
    let Some(kind) = schema.remove("type") else { return };
    if let Some(Tree::Array(branches)) = schema.get_mut("anyOf") {
        for branch in branches.iter_mut().filter(|branch| branch.get("type").is_none()) {
            branch.set_at(0, "type", kind.clone());
        }
    }
}

/// Lets a schema also take null.
fn allow_null(schema: &mut Tree<'_>) {
    let null_type = || Tree::Object(vec![("type".into(), Tree::string("null"))]);
    if let Some(Tree::Array(values)) = schema.get_mut("enum")
        && !values.iter().any(Tree::is_null)
    {
        values.push(Tree::null());
    }
    match schema.get_mut("type") {
        Some(Tree::String(name)) if name == "null" => {}
        Some(name @ Tree::String(_)) => {
            let one = std::mem::replace(name, Tree::null());
            *name = Tree::Array(vec![one, Tree::string("null")]);
        }
        Some(Tree::Array(names)) => {
            if !names.iter().any(|name| name.as_str() == Some("null")) {
                names.push(Tree::string("null"));
            }
        }
        _ => {
            if let Some(Tree::Array(variants)) = schema.get_mut("anyOf") {
                if !variants.iter().any(|variant| variant.get("type").and_then(Tree::as_str) == Some("null")) {
                    variants.push(null_type());
                }
            } else if ["oneOf", "allOf", "const", "not", "$ref"].iter().any(|keyword| schema.get(keyword).is_some()) {
                wrap_with_null(schema, null_type());
            }
            // Without a type and alternatives anything is taken, null included.
        }
    }
}

/// `{anyOf: [schema, null]}`; what describes the value stays outside.
fn wrap_with_null<'t>(schema: &mut Tree<'t>, null_type: Tree<'t>) {
    let Tree::Object(members) = std::mem::replace(schema, Tree::object()) else { return };
    let (outside, inside): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(keyword, _)| matches!(keyword.as_ref(), "title" | "description" | "default"));
    *schema = Tree::Object(outside);
    schema.set("anyOf", Tree::Array(vec![Tree::Object(inside), null_type]));
}

#[cfg(test)]
mod tests {
    use super::{SchemaRules, normalize};
    use crate::json::{JsonText, Style, Writer};

    fn normalized(schema: &str) -> Result<String, String> {
        let text = JsonText::new(schema).unwrap();
        let normalized = normalize(&text, &SchemaRules::JSON_SCHEMA)?;
        let mut writer = Writer::new(Style::Compact);
        normalized.schema.write(&mut writer);
        Ok(writer.finish())
    }

    #[test]
    fn schemas_are_brought_into_json_schema() {
        let property = |schema: &str| format!(r#"{{"type":"object","properties":{{"p":{schema}}}}}"#);
        for (from, to) in [
            (r#"{"type":"string","nullable":true}"#, r#"{"type":["string","null"]}"#),
            (r#"{"type":"string","nullable":false,"example":"e"}"#, r#"{"type":"string"}"#),
            (r#"{"type":["string"],"enum":["a"],"nullable":true}"#, r#"{"type":["string","null"],"enum":["a",null]}"#),
            (r#"{"enum":["a"],"nullable":true}"#, r#"{"enum":["a",null]}"#),
            (r#"{"anyOf":[{"type":"string"}],"nullable":true}"#, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
            (
                r#"{"description":"d","oneOf":[{"type":"string"}],"nullable":true}"#,
                r#"{"description":"d","anyOf":[{"oneOf":[{"type":"string"}]},{"type":"null"}]}"#,
            ),
            (r#"{"nullable":true}"#, "{}"),
            (r#"{"properties":{"nullable":{"xml":{}},"xml":{}}}"#, r#"{"properties":{"nullable":{},"xml":{}}}"#),
            (r#"{"type":"array"}"#, r#"{"type":"array","items":{}}"#),
            (
                r#"{"type":["array","null"],"items":{"type":"array"}}"#,
                r#"{"type":["array","null"],"items":{"type":"array","items":{}}}"#,
            ),
        ] {
            assert_eq!(normalized(&property(from)).unwrap(), property(to), "{from}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_said() {
        for (schema, why) in [
            (r#"{"type":"array"}"#, "the type at its root is `array`"),
            (r##"{"$ref":"#"}"##, "refers to nothing but itself"),
            (r##"{"properties":{"a":{"$dynamicRef":"#x"}}}"##, "`$dynamicRef` cannot be resolved"),
        ] {
            let error = normalized(schema).unwrap_err();
            assert!(error.contains(why), "{schema}: {error}");
        }
        assert!(normalized(r#"{"properties":{"$dynamicRef":{}}}"#).is_ok());
    }
}
