//! Strings: borrowed where nothing is escaped, and joined where a server cut a character apart.

use std::borrow::Cow;

use super::parse::hex4;

/// The inside of a JSON string literal, still escaped.
#[derive(Debug, Clone, Copy)]
pub struct Str<'a> {
    raw: &'a str,
    escaped: bool,
    lone_surrogate: bool,
}

impl<'a> Str<'a> {
    pub(super) fn new(raw: &'a str, escaped: bool, lone_surrogate: bool) -> Self {
        Self { raw, escaped, lone_surrogate }
    }

    /// The text between the quotes, escapes and all.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// True if it holds half of a surrogate pair.
    pub fn has_lone_surrogate(self) -> bool {
        self.lone_surrogate
    }

    /// True for `""`.
    pub fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// True if the string's value is `text`.
    pub fn is(self, text: &str) -> bool {
        if self.escaped { self.decode() == text } else { self.raw == text }
    }

    /// The value; lone surrogates become U+FFFD. Borrowed if nothing was escaped.
    pub fn decode(self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut buffer = TextBuffer::default();
        buffer.push(self);
        Cow::Owned(buffer.finish())
    }

    /// The value; lone surrogates are left out. Borrowed if nothing was escaped.
    pub fn without_halves(self) -> Cow<'a, str> {
        if !self.lone_surrogate {
            return self.decode();
        }
        let mut text = String::new();
        let mut high = None;
        self.parts(|part| match part {
            Part::Text(run) => {
                high = None;
                text.push_str(run);
            }
            Part::Half(unit) => {
                if let Some(c) = high.take().and_then(|high| pair(high, unit)) {
                    text.push(c);
                } else {
                    high = Some(unit);
                }
            }
        });
        Cow::Owned(text)
    }

    /// Hands over the value part by part.
    fn parts(self, mut part: impl FnMut(Part<'_>)) {
        let src = self.raw.as_bytes();
        let mut at = 0;
        let mut utf8 = [0; 4];
        while at < src.len() {
            let rest = src.get(at..).unwrap_or(&[]);
            let run = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            if run > 0 {
                part(Part::Text(self.raw.get(at..at + run).unwrap_or("")));
                at += run;
                continue;
            }
            let simple = match rest.get(1) {
                Some(b'b') => '\u{8}',
                Some(b'f') => '\u{c}',
                Some(b'n') => '\n',
                Some(b'r') => '\r',
                Some(b't') => '\t',
                Some(b'u') => {
                    let unit = hex4(src, at + 2).unwrap_or(0xfffd);
                    at += 6;
                    match char::from_u32(u32::from(unit)) {
                        Some(c) => part(Part::Text(c.encode_utf8(&mut utf8))),
                        None => part(Part::Half(unit)),
                    }
                    continue;
                }
                Some(&b) => char::from(b),
                None => '\\',
            };
            at += 2;
            part(Part::Text(simple.encode_utf8(&mut utf8)));
        }
    }
}

enum Part<'a> {
    Text(&'a str),
    /// Half of a surrogate pair.
    Half(u16),
}

fn pair(high: u16, low: u16) -> Option<char> {
    char::decode_utf16([high, low]).next()?.ok()
}

/// Text joined from several strings.
///
/// A server that cuts its text by UTF-16 units sends the two halves of one character in two
/// strings; they are joined. A half that stays alone becomes U+FFFD and marks the buffer lossy.
#[derive(Debug, Clone, Default)]
pub struct TextBuffer {
    text: String,
    high: Option<u16>,
    lossy: bool,
}

impl TextBuffer {
    /// Appends a string's value; returns what became visible.
    pub fn push(&mut self, string: Str<'_>) -> &str {
        let before = self.text.len();
        if !string.escaped {
            if !string.raw.is_empty() {
                self.settle();
            }
            self.text.push_str(string.raw);
            return self.text.get(before..).unwrap_or("");
        }
        string.parts(|part| match part {
            Part::Text(run) => self.push_str(run),
            Part::Half(unit) => {
                if let Some(c) = self.high.and_then(|high| pair(high, unit)) {
                    self.high = None;
                    self.text.push(c);
                    return;
                }
                self.settle();
                if unit < 0xdc00 {
                    self.high = Some(unit);
                } else {
                    self.text.push('\u{fffd}');
                    self.lossy = true;
                }
            }
        });
        self.text.get(before..).unwrap_or("")
    }

    /// Appends plain text.
    pub fn push_str(&mut self, text: &str) {
        if !text.is_empty() {
            self.settle();
            self.text.push_str(text);
        }
    }

    fn settle(&mut self) {
        if self.high.take().is_some() {
            self.text.push('\u{fffd}');
            self.lossy = true;
        }
    }

    /// What has been joined so far.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if nothing was appended.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.high.is_none()
    }

    /// True if half of a character was replaced, or is still waiting for its other half.
    pub fn is_lossy(&self) -> bool {
        self.lossy || self.high.is_some()
    }

    /// The joined text.
    pub fn finish(mut self) -> String {
        self.settle();
        self.text
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Doc, TextBuffer};

    #[test]
    fn lone_halves_are_left_out_and_pairs_stay() {
        let doc = Doc::parse(r#""a\ud83d b\ud83d\ude00\ude00\ud83d""#).unwrap();
        assert_eq!(doc.root().as_str().unwrap().without_halves(), "a b😀");
    }

    #[test]
    fn halves_of_a_character_are_joined_over_strings() {
        let doc = Doc::parse(r#"["a\ud83d","\ude00b","\ud83d","c"]"#).unwrap();
        let mut buffer = TextBuffer::default();
        let mut strings = doc.root().items().map(|v| v.as_str().unwrap());
        buffer.push(strings.next().unwrap());
        buffer.push(strings.next().unwrap());
        assert_eq!(buffer.as_str(), "a😀b");
        assert!(!buffer.is_lossy());
        buffer.push(strings.next().unwrap());
        assert!(buffer.is_lossy());
        buffer.push(strings.next().unwrap());
        assert_eq!(buffer.finish(), "a😀b\u{fffd}c");
    }
}
