//! Mistakes in schemas.

use super::neutral::each_below;
use super::place::at;
use super::tools::owned;
use super::{OutboundQuirk, Wire};
use crate::json::Tree;
use crate::model::ToolInput;

/// The dialect that schema libraries write.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keywords that cleaners take out wherever they find them.
const CLEANED: &[&str] = &[
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "title",
    "default",
    "examples",
    "example",
    "format",
    "pattern",
    "const",
    "nullable",
    "additionalProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "not",
    "if",
    "enum",
    "type",
    "description",
    "items",
    "properties",
    "required",
];

/// Makes the mistake.
pub(super) fn edit(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    for tool in &wire.view.tools {
        let Some(schema) = tool.schema.as_ref().and_then(|schema| at(tree, &schema.pointer)) else { continue };
        let original = || {
            let name = wire.callers(tool.name.as_deref()?);
            let given = wire.request.tools.iter().find(|one| one.name.as_deref() == Some(name))?;
            match &given.input {
                ToolInput::Schema(schema) => Some(schema),
                _ => None,
            }
        };
        match wire.quirk {
            OutboundQuirk::SchemasAsTheyCame => {
                if let Some(text) = original() {
                    *schema = owned(text.as_str());
                }
            }
            OutboundQuirk::RefsLeftIn => {
                if let Some(text) = original().filter(|text| text.as_str().contains("\"$ref\"")) {
                    *schema = owned(text.as_str());
                }
            }
            OutboundQuirk::DollarSchemaSent => schema.set_at(0, "$schema", Tree::string(DIALECT)),
            OutboundQuirk::KeywordPropertiesDropped => clean(schema),
            OutboundQuirk::OpenMapsClosed => close(schema),
            _ => {}
        }
    }
}

/// Takes properties out that are called like keywords.
fn clean(schema: &mut Tree<'_>) {
    let is_keyword = |name: &str| CLEANED.contains(&name);
    if let Some(Tree::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|(name, _)| !is_keyword(name));
    }
    if let Some(Tree::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(is_keyword));
    }
    each_below(schema, clean);
}

/// Closes objects that the schema leaves open in so many words.
fn close(schema: &mut Tree<'_>) {
    if let Some(open) = schema.get_mut("additionalProperties") {
        *open = Tree::bool(false);
    }
    each_below(schema, close);
}
