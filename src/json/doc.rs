//! The tree of spans: [`Tape`] holds the nodes, [`Value`] is a cursor into it.
//!
//! A node is a kind and a span; children follow their parent, and each node knows where the
//! next sibling stands. A tape is filled anew for each text and keeps its allocation.

use std::borrow::Cow;

use super::parse::{self, Error, Sink, Token};
use super::string::Str;

/// The kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of JSON itself")]
pub enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The word used in messages: "an object", "a string".
    pub fn article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: Kind,
    flags: parse::StrFlags,
    start: u32,
    end: u32,
    /// Index of the node after this one's subtree.
    next: u32,
}

/// Reusable storage for one parsed text at a time.
#[derive(Debug, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses `text`, forgetting what the tape held before.
    ///
    /// # Errors
    /// The first offence against the grammar or a limit.
    pub fn parse<'a>(&'a mut self, text: &'a str) -> Result<Value<'a>, Error> {
        self.nodes.clear();
        self.open.clear();
        parse::parse(text, self)?;
        Ok(Value { src: text, nodes: &self.nodes, at: 0 })
    }
}

// Offsets and node counts fit in u32: `parse` refuses longer texts, and a node takes a byte or more.
#[expect(clippy::cast_possible_truncation, reason = "parse refuses texts over 4 GiB")]
impl Sink for Tape {
    #[inline]
    fn scalar(&mut self, token: Token, start: usize, end: usize) {
        let (kind, flags) = match token {
            Token::Null => (Kind::Null, parse::StrFlags::default()),
            Token::True | Token::False => (Kind::Bool, parse::StrFlags::default()),
            Token::Number => (Kind::Number, parse::StrFlags::default()),
            Token::Str(flags) => (Kind::String, flags),
        };
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, flags, start: start as u32, end: end as u32, next });
    }

    fn open(&mut self, object: bool, at: usize) {
        let kind = if object { Kind::Object } else { Kind::Array };
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Node { kind, flags: parse::StrFlags::default(), start: at as u32, end: 0, next: 0 });
    }

    fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if let Some(at) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(at as usize)
        {
            node.end = end as u32;
            node.next = next;
        }
    }
}

/// A parsed text with a tape of its own.
#[derive(Debug)]
pub struct Doc<'a> {
    src: Cow<'a, str>,
    tape: Tape,
}

impl<'a> Doc<'a> {
    /// Parses one JSON value with nothing after it.
    ///
    /// # Errors
    /// The first offence against the grammar or a limit.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, Error> {
        let src = text.into();
        let mut tape = Tape::new();
        parse::parse(&src, &mut tape)?;
        Ok(Self { src, tape })
    }

    /// The document `null`.
    pub(super) fn null() -> Self {
        let mut tape = Tape::new();
        tape.scalar(Token::Null, 0, 4);
        Self { src: Cow::Borrowed("null"), tape }
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { src: &self.src, nodes: &self.tape.nodes, at: 0 }
    }
}

/// A value inside a parsed text. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    src: &'a str,
    nodes: &'a [Node],
    at: u32,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.raw())
    }
}

static NULL: Node = Node { kind: Kind::Null, flags: parse::StrFlags::NONE, start: 0, end: 0, next: 0 };

/// Up to how many keys of an object are compared each with each.
const FEW_KEYS: usize = 16;

impl<'a> Value<'a> {
    fn node(self) -> &'a Node {
        // Cursors are only made for nodes that exist; the fallback keeps the function total.
        self.nodes.get(self.at as usize).unwrap_or(&NULL)
    }

    fn with(self, at: u32) -> Self {
        Self { at, ..self }
    }

    /// What kind of value this is.
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Byte offsets of the value in the parsed text.
    pub fn span(self) -> std::ops::Range<usize> {
        let node = self.node();
        node.start as usize..node.end as usize
    }

    /// The value's own text, exactly as it came.
    pub fn raw(self) -> &'a str {
        self.src.get(self.span()).unwrap_or("")
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The value unless it is `null`.
    pub fn non_null(self) -> Option<Self> {
        (!self.is_null()).then_some(self)
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The string, if it is one.
    pub fn as_str(self) -> Option<Str<'a>> {
        let node = self.node();
        (node.kind == Kind::String).then(|| {
            let raw = self.raw();
            let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or("");
            Str::new(inner, node.flags.escaped(), node.flags.lone_surrogate())
        })
    }

    /// The string with lone surrogates replaced by U+FFFD.
    pub fn to_text(self) -> Option<Cow<'a, str>> {
        self.as_str().map(Str::decode)
    }

    /// The text of the number, if it is one.
    pub fn as_number(self) -> Option<&'a str> {
        (self.kind() == Kind::Number).then(|| self.raw())
    }

    /// An integer that fits, also when spelled `3.0`.
    pub fn as_i64(self) -> Option<i64> {
        let text = self.as_number()?;
        text.parse().ok().or_else(|| {
            let (int, fraction) = text.split_once('.')?;
            fraction.bytes().all(|b| b == b'0').then(|| int.parse().ok())?
        })
    }

    /// A non-negative integer that fits.
    pub fn as_u64(self) -> Option<u64> {
        let text = self.as_number()?;
        text.parse().ok().or_else(|| self.as_i64()?.try_into().ok())
    }

    /// The members of an object in order, duplicates included; nothing for other kinds.
    pub fn members(self) -> impl Iterator<Item = (Str<'a>, Value<'a>)> {
        let node = self.node();
        let end = if node.kind == Kind::Object { node.next } else { 0 };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let key = self.with(at);
            let value = self.with(key.node().next);
            at = value.node().next;
            Some((key.as_str()?, value))
        })
    }

    /// The items of an array in order; nothing for other kinds.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> {
        let node = self.node();
        let end = if node.kind == Kind::Array { node.next } else { 0 };
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let item = self.with(at);
            at = item.node().next;
            Some(item)
        })
    }

    /// The member called `name`; of duplicates the last, as JavaScript and Python read them.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        let node = self.node();
        if node.kind != Kind::Object {
            return None;
        }
        // Keys are scalars: each is one node, and its value the next. Lengths tell most keys apart before
        // a byte of the text is looked at.
        let literal = name.len() + 2;
        let members = self.nodes.get(self.at as usize + 1..node.next as usize)?;
        let mut at = 0;
        let mut found = None;
        while let (Some(key), Some(value)) = (members.get(at), members.get(at + 1)) {
            if key.flags.escaped() || (key.end - key.start) as usize == literal {
                let key = self.with(self.at + 1 + u32::try_from(at).unwrap_or(u32::MAX));
                if key.key_is(name) {
                    found = Some(key.with(key.at + 1));
                }
            }
            at = (value.next - self.at - 1) as usize;
        }
        found
    }

    /// The members called `names`, found in one walk; of duplicates the last, as in [`get`](Self::get).
    #[expect(clippy::inline_always, reason = "the names are constants; inlined, their lengths are compared first")]
    #[inline(always)]
    pub fn pick<const N: usize>(self, names: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut found = [None; N];
        let node = self.node();
        if node.kind != Kind::Object {
            return found;
        }
        let src = self.src.as_bytes();
        let mut at = self.at + 1;
        while at < node.next {
            let (Some(key), Some(value)) = (self.nodes.get(at as usize), self.nodes.get(at as usize + 1)) else {
                break;
            };
            if key.flags.escaped() {
                self.pick_escaped(at, &names, &mut found);
            } else if let Some(text) = src.get(key.start as usize + 1..(key.end as usize).saturating_sub(1)) {
                for (slot, name) in found.iter_mut().zip(names) {
                    if text == name.as_bytes() {
                        *slot = Some(self.with(at + 1));
                    }
                }
            }
            at = value.next;
        }
        found
    }

    #[cold]
    fn pick_escaped(self, at: u32, names: &[&str], found: &mut [Option<Value<'a>>]) {
        for (slot, name) in found.iter_mut().zip(names) {
            if self.with(at).key_is(name) {
                *slot = Some(self.with(at + 1));
            }
        }
    }

    fn key_is(self, name: &str) -> bool {
        let node = self.node();
        if node.flags.escaped() {
            return self.as_str().is_some_and(|key| key.is(name));
        }
        let inner = node.start as usize + 1..(node.end as usize).saturating_sub(1);
        self.src.as_bytes().get(inner) == Some(name.as_bytes())
    }

    /// The member called `name`, unless it is `null`.
    pub fn some(self, name: &str) -> Option<Value<'a>> {
        self.get(name)?.non_null()
    }

    /// The member called `name` if it is a non-empty string.
    pub fn text_of(self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.to_text().filter(|text| !text.is_empty())
    }

    /// True if any object inside holds one key twice.
    pub fn has_duplicate_keys(self) -> bool {
        let objects = (self.at..self.node().next).map(|at| self.with(at)).filter(|v| v.kind() == Kind::Object);
        let mut keys: Vec<Str<'_>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for object in objects {
            keys.clear();
            keys.extend(object.members().map(|(key, _)| key));
            let twice = if keys.len() <= FEW_KEYS && !keys.iter().any(|key| key.raw().contains('\\')) {
                // Lengths tell most keys apart; no hash is as quick.
                keys.iter().enumerate().any(|(at, key)| keys.iter().take(at).any(|other| other.raw() == key.raw()))
            } else {
                seen.clear();
                !keys.iter().all(|key| seen.insert(key.decode()))
            };
            if twice {
                return true;
            }
        }
        false
    }

    /// True if a string or key inside holds half of a surrogate pair.
    pub fn has_lone_surrogate(self) -> bool {
        let range = self.at as usize..self.node().next as usize;
        self.nodes.get(range).is_some_and(|nodes| nodes.iter().any(|n| n.flags.lone_surrogate()))
    }

    /// The value at an RFC 6901 pointer.
    pub fn pointer(self, pointer: &str) -> Option<Value<'a>> {
        let mut value = self;
        if pointer.is_empty() {
            return Some(value);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            value = match value.kind() {
                Kind::Object => value.get(&token)?,
                Kind::Array => value.items().nth(token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }
}
