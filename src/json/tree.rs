//! A JSON value that can be changed: number text and key order stay, strings are decoded.

use std::borrow::Cow;

use super::parse::{self, Error, Sink, StrFlags, Token};
use super::string::Str;
use super::{Kind, Value, Writer};

/// An owned, editable value. What was not changed borrows from the text that it was read from.
///
/// Lone surrogates are left out of its strings: no provider takes them. Of duplicate keys the last is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree<'a> {
    /// A number, `true`, `false` or `null`, as text.
    Literal(Cow<'a, str>),
    /// A string, decoded.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Self>),
    /// An object, its members in order.
    Object(Vec<(Cow<'a, str>, Self)>),
}

impl<'a> Tree<'a> {
    /// Reads one JSON value with nothing after it.
    ///
    /// # Errors
    /// The first offence against the grammar or a limit.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let mut builder = Builder { text, open: Vec::new(), key: None, root: None };
        parse::parse(text, &mut builder)?;
        // A text that parsed has a root.
        Ok(builder.root.unwrap_or_else(Self::null))
    }

    /// A parsed value.
    pub fn of(value: Value<'a>) -> Self {
        match value.kind() {
            Kind::Object => {
                Self::Object(value.members().map(|(key, member)| (key.without_halves(), Self::of(member))).collect())
            }
            Kind::Array => Self::Array(value.items().map(Self::of).collect()),
            Kind::String => Self::String(value.as_str().map_or(Cow::Borrowed(""), Str::without_halves)),
            _ => Self::Literal(Cow::Borrowed(value.raw())),
        }
    }

    /// `null`.
    pub fn null() -> Self {
        Self::Literal(Cow::Borrowed("null"))
    }

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        Self::Literal(Cow::Borrowed(if value { "true" } else { "false" }))
    }

    /// A string.
    pub fn string(text: impl Into<Cow<'a, str>>) -> Self {
        Self::String(text.into())
    }

    /// `{}`.
    pub fn object() -> Self {
        Self::Object(Vec::new())
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Literal(text) if text == "true" => Some(true),
            Self::Literal(text) if text == "false" => Some(false),
            _ => None,
        }
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Literal(text) if text == "null")
    }

    /// True for an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// True for `{}` and `[]`.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Object(members) => members.is_empty(),
            Self::Array(items) => items.is_empty(),
            _ => false,
        }
    }

    /// The items of an array; none for other kinds.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; none for other kinds.
    pub fn members(&self) -> &[(Cow<'a, str>, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The members of an object, to change; none for other kinds.
    pub fn members_mut(&mut self) -> &mut [(Cow<'a, str>, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &mut [],
        }
    }

    /// The member called `key`.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members().iter().rfind(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The member called `key`, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        self.members_mut().iter_mut().rfind(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Takes the member called `key` out, duplicates and all.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        let Self::Object(members) = self else { return None };
        let at = members.iter().rposition(|(name, _)| name == key)?;
        let (_, value) = members.remove(at);
        members.retain(|(name, _)| name != key);
        Some(value)
    }

    /// Puts a member in the place of the one called `key`, or at the end.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Self) {
        let key = key.into();
        if let Some(place) = self.get_mut(&key) {
            *place = value;
        } else if let Self::Object(members) = self {
            members.push((key, value));
        }
    }

    /// Puts a member in the place of the one called `key`, or at position `at`.
    pub fn set_at(&mut self, at: usize, key: impl Into<Cow<'a, str>>, value: Self) {
        let key = key.into();
        if let Some(place) = self.get_mut(&key) {
            *place = value;
        } else if let Self::Object(members) = self {
            members.insert(at.min(members.len()), (key, value));
        }
    }

    /// Writes the value as the next one.
    pub fn write(&self, w: &mut Writer) {
        match self {
            Self::Literal(text) => w.spelled(text),
            Self::String(text) => w.string(text),
            Self::Array(items) => w.array(|w| items.iter().for_each(|item| item.write(w))),
            Self::Object(members) => w.object(|w| {
                for (key, value) in members {
                    w.key(key);
                    value.write(w);
                }
            }),
        }
    }
}

/// Builds the tree while the text is parsed.
struct Builder<'a> {
    text: &'a str,
    /// Open containers, and the key under which each stands.
    open: Vec<(Option<Cow<'a, str>>, Tree<'a>)>,
    key: Option<Cow<'a, str>>,
    root: Option<Tree<'a>>,
}

impl<'a> Builder<'a> {
    fn string(&self, flags: StrFlags, start: usize, end: usize) -> Cow<'a, str> {
        let raw = self.text.get(start + 1..end.saturating_sub(1)).unwrap_or("");
        if !flags.escaped() {
            return Cow::Borrowed(raw);
        }
        Str::new(raw, flags.escaped(), flags.lone_surrogate()).without_halves()
    }

    fn put(&mut self, key: Option<Cow<'a, str>>, value: Tree<'a>) {
        match self.open.last_mut() {
            Some((_, Tree::Array(items))) => items.push(value),
            Some((_, Tree::Object(members))) => members.push((key.unwrap_or_default(), value)),
            _ => self.root = Some(value),
        }
    }
}

impl Sink for Builder<'_> {
    fn scalar(&mut self, token: Token, start: usize, end: usize) {
        let value = match token {
            Token::Str(flags) => Tree::String(self.string(flags, start, end)),
            _ => Tree::Literal(Cow::Borrowed(self.text.get(start..end).unwrap_or("null"))),
        };
        let key = self.key.take();
        self.put(key, value);
    }

    fn key(&mut self, flags: StrFlags, start: usize, end: usize) {
        self.key = Some(self.string(flags, start, end));
    }

    fn open(&mut self, object: bool, _: usize) {
        let value = if object { Tree::object() } else { Tree::Array(Vec::new()) };
        let key = self.key.take();
        self.open.push((key, value));
    }

    fn close(&mut self, _: usize) {
        if let Some((key, value)) = self.open.pop() {
            self.put(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::json::{Doc, Style, Writer};

    fn text(tree: &Tree<'_>) -> String {
        let mut writer = Writer::new(Style::Compact);
        tree.write(&mut writer);
        writer.finish()
    }

    #[test]
    fn what_is_read_is_written_again() {
        for source in [r#"{"b":[1.0,1E2,12345678901234567890,{},[]],"a":{"x":null,"y":"é\"\n"},"b":true}"#, "3", "\"\""]
        {
            assert_eq!(text(&Tree::parse(source).unwrap()), source);
            assert_eq!(Tree::of(Doc::parse(source).unwrap().root()), Tree::parse(source).unwrap());
        }
        assert_eq!(text(&Tree::parse(r#" { "a\ud800" : "\ud83d\ude00\udc00" } "#).unwrap()), "{\"a\":\"😀\"}");
        assert!(Tree::parse("{\"a\":").is_err());
    }

    #[test]
    fn members_are_changed_in_place() {
        let mut tree = Tree::parse(r#"{"a":1,"b":2,"a":3}"#).unwrap();
        assert_eq!(tree.get("a"), Some(&Tree::Literal("3".into())));
        tree.set("b", Tree::bool(true));
        tree.set("c", Tree::null());
        tree.set_at(0, "z", Tree::string("s"));
        assert_eq!(text(&tree), r#"{"z":"s","a":1,"b":true,"a":3,"c":null}"#);
        assert_eq!(tree.remove("a"), Some(Tree::Literal("3".into())));
        assert_eq!(text(&tree), r#"{"z":"s","b":true,"c":null}"#);
    }
}
