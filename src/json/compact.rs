//! JSON text that can be put into other JSON as it is.

use std::ops::Deref;

use super::{Error, JsonText, Tree, Value};

/// One valid JSON value without white space between its tokens, without halves of surrogate pairs, and with hidden
/// characters escaped. Number text and key order are as they came.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompactText(JsonText);

impl CompactText {
    /// Checks the text and takes out what does not belong.
    ///
    /// # Errors
    /// If it is not one JSON value.
    pub fn new(text: &str) -> Result<Self, Error> {
        Ok(Self::of(super::Doc::parse(text)?.root()))
    }

    /// The text of a value that was parsed.
    pub fn of(value: Value<'_>) -> Self {
        if value.has_lone_surrogate() {
            return Self(JsonText::build(|w| Tree::of(value).write(w)));
        }
        Self(JsonText::build(|w| w.value(value)))
    }

    /// The empty object.
    pub fn empty_object() -> Self {
        Self(JsonText::empty_object())
    }
}

impl Deref for CompactText {
    type Target = JsonText;

    fn deref(&self) -> &JsonText {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::CompactText;

    #[test]
    fn what_does_not_belong_is_taken_out() {
        let text = CompactText::new(" { \"a\" : [ 1.0 , \"\\ud83d x\\u0020\" ], \"\u{200b}\" : 1E2 } ").unwrap();
        assert_eq!(text.as_str(), r#"{"a":[1.0," x "],"\u200b":1E2}"#);
        let text = CompactText::new(r#"{"a" :"\u00e9\/"}"#).unwrap();
        assert_eq!(text.as_str(), r#"{"a":"\u00e9\/"}"#);
        assert!(CompactText::new("{").is_err());
    }
}
