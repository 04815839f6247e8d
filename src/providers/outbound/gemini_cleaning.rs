//! Schemas in Google's subset of JSON Schema, for Gemini's own API and for servers that hand on to it.

use crate::json::Tree;

/// Brings a normalized schema into the subset.
pub(super) fn clean(schema: Tree<'_>) -> Tree<'_> {
    schema
}
