//! What there is to know about a text without a tree of it.

use super::doc::{Kind, Value};
use super::parse::{self, Error, Sink, StrFlags, Token};
use super::string::Str;

/// What [`check`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// What kind of value the text is.
    pub kind: Kind,
    /// Where it stands, without the white space around it.
    pub span: std::ops::Range<usize>,
    /// A string or key inside holds half of a surrogate pair.
    pub lone_surrogate: bool,
    /// An object inside holds one key twice.
    pub duplicate_keys: bool,
}

impl Facts {
    /// What there is to know about the text of a value that was parsed, without parsing it again.
    pub(crate) fn of(value: Value<'_>) -> Self {
        Self {
            kind: value.kind(),
            span: 0..value.raw().len(),
            lone_surrogate: value.has_lone_surrogate(),
            duplicate_keys: value.has_duplicate_keys(),
        }
    }
}

/// Reads one JSON value with nothing after it; keeps only the keys of the objects that are open.
///
/// # Errors
/// The first offence against the grammar or a limit.
pub fn check(text: &str) -> Result<Facts, Error> {
    let facts = Facts { kind: Kind::Null, span: 0..0, lone_surrogate: false, duplicate_keys: false };
    let mut checker = Checker { text, facts, begun: false, keys: Vec::new(), open: Vec::new() };
    parse::parse(text, &mut checker)?;
    Ok(checker.facts)
}

struct Checker<'t> {
    text: &'t str,
    facts: Facts,
    begun: bool,
    /// The keys of all open objects, innermost last.
    keys: Vec<Key>,
    /// Where the keys of each open container begin.
    open: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Key {
    hash: u32,
    escaped: bool,
    start: u32,
    end: u32,
}

impl Checker<'_> {
    fn begin(&mut self, kind: Kind, start: usize) {
        if !self.begun {
            self.begun = true;
            self.facts.kind = kind;
            self.facts.span.start = start;
        }
    }
}

fn decoded<'t>(text: &'t str, key: &Key) -> std::borrow::Cow<'t, str> {
    let raw = text.get(key.start as usize + 1..key.end as usize - 1).unwrap_or("");
    Str::new(raw, key.escaped, false).decode()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[expect(clippy::cast_possible_truncation, reason = "parse refuses texts over 4 GiB")]
impl Sink for Checker<'_> {
    #[inline]
    fn scalar(&mut self, token: Token, start: usize, end: usize) {
        let kind = match token {
            Token::Null => Kind::Null,
            Token::True | Token::False => Kind::Bool,
            Token::Number => Kind::Number,
            Token::Str(flags) => {
                self.facts.lone_surrogate |= flags.lone_surrogate();
                Kind::String
            }
        };
        self.begin(kind, start);
        if self.open.is_empty() {
            self.facts.span.end = end;
        }
    }

    #[inline]
    fn key(&mut self, flags: StrFlags, start: usize, end: usize) {
        self.facts.lone_surrogate |= flags.lone_surrogate();
        if !self.facts.duplicate_keys {
            let mut key = Key { hash: 0, escaped: flags.escaped(), start: start as u32, end: end as u32 };
            key.hash = if key.escaped {
                hash(decoded(self.text, &key).as_bytes())
            } else {
                hash(self.text.as_bytes().get(start + 1..end - 1).unwrap_or(&[]))
            };
            self.keys.push(key);
        }
    }

    fn open(&mut self, object: bool, at: usize) {
        self.begin(if object { Kind::Object } else { Kind::Array }, at);
        self.open.push(self.keys.len());
    }

    fn close(&mut self, end: usize) {
        let from = self.open.pop().unwrap_or(0);
        let text = self.text;
        if let Some(keys) = self.keys.get_mut(from..)
            && keys.len() > 1
        {
            keys.sort_unstable_by(|a, b| a.hash.cmp(&b.hash).then_with(|| decoded(text, a).cmp(&decoded(text, b))));
            self.facts.duplicate_keys |= keys
                .windows(2)
                .any(|pair| matches!(pair, [a, b] if a.hash == b.hash && decoded(text, a) == decoded(text, b)));
        }
        self.keys.truncate(from);
        if self.open.is_empty() {
            self.facts.span.end = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, check};
    use crate::json::{Doc, Kind};

    #[test]
    fn facts_are_those_of_the_tree() {
        for (text, duplicates, lone) in [
            (" {\"a\":1,\"b\":{\"a\":2}} ", false, false),
            (r#"{"a":1,"a":2}"#, true, false),
            (r#"[{"x":{"a":1,"\u0061":2}}]"#, true, false),
            (r#"{"a":{"b":1},"c":{"b":1}}"#, false, false),
            (r#"{"k":"\ud83d"}"#, false, true),
            (r#"{"\ud83d":1}"#, false, true),
            ("3", false, false),
            ("\"s\" ", false, false),
        ] {
            let Facts { kind, span, lone_surrogate, duplicate_keys } = check(text).unwrap();
            let doc = Doc::parse(text).unwrap();
            assert_eq!((kind, span), (doc.root().kind(), doc.root().span()), "{text}");
            assert_eq!((duplicate_keys, lone_surrogate), (duplicates, lone), "{text}");
            assert_eq!(duplicate_keys, doc.root().has_duplicate_keys(), "{text}");
            assert_eq!(lone_surrogate, doc.root().has_lone_surrogate(), "{text}");
        }
        assert_eq!(check("[1").unwrap_err(), Doc::parse("[1").unwrap_err());
        assert_eq!(check("{}").unwrap().kind, Kind::Object);
    }
}
