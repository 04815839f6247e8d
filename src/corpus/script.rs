//! What the tools of a case answer.

use super::fields::{FieldResult, Place};

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptedResult {
    /// The tool.
    pub name: String,
    /// Which call of it, over the whole conversation, from 0.
    pub nth: u64,
    /// The text of the result, or of the failure.
    pub text: String,
    /// The tool failed.
    pub is_error: bool,
}

impl ScriptedResult {
    /// Reads an entry of `toolScript`: `{"name","nth","result"}` or `{"name","nth","error"}`. A result that is no text
    /// goes out as its JSON.
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(&["name", "nth", "result", "error"])?;
        let text = |place: Place<'_>| {
            place.value.to_text().map_or_else(|| place.value.raw().to_owned(), std::borrow::Cow::into_owned)
        };
        let (text, is_error) = match (fields.get("result"), fields.get("error")) {
            (Some(result), None) => (text(result), false),
            (None, Some(error)) => (text(error), true),
            _ => return Err(place.error("a scripted call has either a `result` or an `error`")),
        };
        let nth = match fields.get("nth") {
            None => 0,
            Some(nth) => nth.value.as_u64().ok_or_else(|| nth.error("`nth` is a number from 0"))?,
        };
        Ok(Self { name: fields.text("name")?, nth, text, is_error })
    }
}
