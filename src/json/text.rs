//! JSON text that is known to be valid.

use super::{Doc, Error, Value, validate};

/// One valid JSON value as text, exactly as it came.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonText(Box<str>);

impl JsonText {
    /// Checks the text.
    ///
    /// # Errors
    /// If it is not one JSON value.
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, Error> {
        let text = text.into();
        validate(&text)?;
        Ok(Self(text))
    }

    /// The empty object.
    pub fn empty_object() -> Self {
        Self("{}".into())
    }

    /// The text of a value that was parsed.
    pub fn of(value: Value<'_>) -> Self {
        Self(value.raw().into())
    }

    /// What `fill` writes, without white space; `null` if it writes nothing.
    pub fn build(fill: impl FnOnce(&mut super::Writer)) -> Self {
        let mut writer = super::Writer::new(super::Style::Compact);
        fill(&mut writer);
        Self::new(writer.finish()).unwrap_or_else(|_| Self("null".into()))
    }

    /// A string.
    pub fn string(text: &str) -> Self {
        Self::build(|w| w.string(text))
    }

    /// The text, which [`check`](super::check) found valid; moved, not copied, if nothing stands around the value.
    pub(crate) fn checked(mut text: String, facts: &super::Facts) -> Self {
        text.truncate(facts.span.end);
        if facts.span.start > 0 {
            text.drain(..facts.span.start);
        }
        Self(text.into_boxed_str())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a tree.
    pub fn doc(&self) -> Doc<'_> {
        // Validated in every constructor; the fallback keeps the function total.
        Doc::parse(self.as_str()).unwrap_or_else(|_| Doc::null())
    }
}
