//! A tool's schema before any provider: references in place, `OpenAPI` words turned into JSON Schema, a root that is an
//! object, arrays with items, and no keyword that the server refuses.

use super::gemini_subset::Subset;
use super::keywords::{self, OPENAPI, each_inner, strip};
use super::{gemini_cleaning, refs, root};
use std::ops::Range;

use crate::json::{CompactText, Kind, Tape, Tree, Value, Writer};

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

    /// True if a schema needs nothing that another server's would not.
    fn is_plain(&self) -> bool {
        self.gemini.is_none() && !self.types_in_branches && self.refused.is_empty()
    }
}

/// A schema that can be sent; its root is an object with `type: "object"` and `properties`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) struct Schema<'t> {
    /// What was rewritten.
    tree: Option<Tree<'t>>,
    /// The caller's own, which needs nothing: the most common kind.
    as_is: Option<AsIs<'t>>,
}

/// The text of a schema, and where in it members of its root stand.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AsIs<'t> {
    text: &'t CompactText,
    properties: Range<usize>,
    required: Option<Range<usize>>,
}

impl<'t> Schema<'t> {
    /// A schema that is no longer the caller's text.
    pub(super) fn rewritten(tree: Tree<'t>) -> Self {
        Self { tree: Some(tree), as_is: None }
    }

    /// The schema of a tool without parameters.
    pub(in crate::providers) fn empty() -> Self {
        Self::rewritten(Tree::Object(vec![
            ("type".into(), Tree::string("object")),
            ("properties".into(), Tree::object()),
        ]))
    }

    /// Writes the schema as the next value.
    pub(in crate::providers) fn write(&self, w: &mut Writer) {
        match (&self.tree, &self.as_is) {
            (Some(tree), _) => tree.write(w),
            (None, Some(as_is)) => w.compact(as_is.text),
            (None, None) => w.object(|_| {}),
        }
    }

    /// Writes `properties` as the next value.
    pub(in crate::providers) fn write_properties(&self, w: &mut Writer) {
        match (&self.as_is, self.tree.as_ref().and_then(|tree| tree.get("properties"))) {
            (_, Some(properties)) => properties.write(w),
            (Some(as_is), None) => w.compact_part(as_is.text, as_is.properties.clone()),
            (None, None) => w.object(|_| {}),
        }
    }

    /// Writes `required` as the next value, an empty list if there is none.
    pub(in crate::providers) fn write_required(&self, w: &mut Writer) {
        let range = self.as_is.as_ref().and_then(|as_is| Some((as_is.text, as_is.required.clone()?)));
        match (range, self.tree.as_ref().and_then(|tree| tree.get("required"))) {
            (_, Some(required @ Tree::Array(_))) => required.write(w),
            (Some((text, required)), None) => w.compact_part(text, required),
            _ => w.array(|_| {}),
        }
    }

    /// True if there are no properties.
    pub(in crate::providers) fn is_empty(&self) -> bool {
        match (&self.tree, &self.as_is) {
            (Some(tree), _) => tree.get("properties").is_none_or(Tree::is_empty),
            (None, Some(as_is)) => as_is.properties.len() == "{}".len(),
            (None, None) => true,
        }
    }

    /// What was rewritten, to look into; `None` if the text needed nothing.
    pub(super) fn rewritten_tree(&self) -> Option<&Tree<'t>> {
        self.tree.as_ref()
    }

    /// A text that needed nothing, to look into; it stays what is written.
    pub(super) fn parsed(&self) -> Option<Tree<'t>> {
        self.as_is.as_ref().and_then(|as_is| Tree::parse(as_is.text.as_str()).ok())
    }

    /// The schema, to change.
    pub(in crate::providers) fn tree(&mut self) -> &mut Tree<'t> {
        let as_is = self.as_is.take();
        let tree = self.tree.take().unwrap_or_else(|| {
            // A text that is JSON parses.
            as_is.and_then(|as_is| Tree::parse(as_is.text.as_str()).ok()).unwrap_or_else(Tree::object)
        });
        self.tree.insert(tree)
    }
}

/// A schema, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) struct Normalized<'t> {
    /// The schema.
    pub(in crate::providers) schema: Schema<'t>,
    /// References that lead nowhere.
    pub(in crate::providers) unresolved: Vec<String>,
    /// Not every reference could be put in place: there would have been too much.
    pub(in crate::providers) cut: bool,
    /// Keywords that the place does not take and that could not be said otherwise.
    pub(in crate::providers) left_out: Vec<String>,
}

/// Normalizes the schema of a tool.
///
/// # Errors
/// Why the schema cannot be sent, as a phrase.
pub(in crate::providers) fn normalize<'t>(
    text: &'t CompactText,
    rules: &SchemaRules,
    tape: &mut Tape,
) -> Result<Normalized<'t>, String> {
    let root = tape.parse(text.as_str()).map_err(|error| error.to_string())?;
    let needs = keywords::needs(root);
    if let Some(keyword) = needs.dynamic.filter(|_| !rules.dynamic_references) {
        return Err(format!("`{keyword}` cannot be resolved"));
    }
    if !needs.inlining
        && !needs.rewording
        && rules.is_plain()
        && let Some(schema) = as_is(text, root)
    {
        return Ok(Normalized { schema, unresolved: Vec::new(), cut: false, left_out: Vec::new() });
    }
    let mut schema = Tree::parse(text.as_str()).map_err(|error| error.to_string())?;
    let mut found = refs::Found::default();
    if needs.inlining {
        (schema, found) = refs::inline(&schema, rules.gemini.is_some());
    }
    if found.circular {
        return Err("the schema refers to nothing but itself".to_owned());
    }
    if !schema.is_object() {
        return Err("the schema is not an object".to_owned());
    }
    // What a reference brought in was seen where it is defined, or stands under a keyword that nobody knows.
    if needs.rewording || needs.inlining {
        plain_json_schema(&mut schema);
    }
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
    Ok(Normalized { schema: Schema::rewritten(schema), unresolved: found.unresolved, cut: found.cut, left_out })
}

/// A schema whose root has the shape that it needs.
fn as_is<'t>(text: &'t CompactText, root: Value<'_>) -> Option<Schema<'t>> {
    let is_object = root.get("type").and_then(Value::as_str).is_some_and(|kind| kind.is("object"));
    let properties = root.get("properties").filter(|properties| properties.kind() == Kind::Object)?;
    let plain = root::REFUSED.iter().all(|keyword| root.get(keyword).is_none());
    let required = root.get("required").filter(|required| required.kind() == Kind::Array).map(Value::span);
    (is_object && plain)
        .then(|| Schema { tree: None, as_is: Some(AsIs { text, properties: properties.span(), required }) })
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
    use crate::json::{CompactText, Style, Tape, Writer};

    fn normalized(schema: &str) -> Result<String, String> {
        let text = CompactText::new(schema).unwrap();
        let normalized = normalize(&text, &SchemaRules::JSON_SCHEMA, &mut Tape::new())?;
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
