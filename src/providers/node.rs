//! A value of a request body with the pointer to it.

use std::borrow::Cow;

use crate::json::Value;

/// A value and its RFC 6901 pointer into the body.
///
/// For the levels whose keys an API defines. Below a schema or arguments keys are data, and may be long:
/// pointers to what lies there are only made when there is something to say.
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// The value.
    pub value: Value<'a>,
    /// Where it stands.
    pub pointer: String,
}

impl<'a> Node<'a> {
    /// The outermost value.
    pub fn root(value: Value<'a>) -> Self {
        Self { value, pointer: String::new() }
    }

    /// A value at `token` below this one.
    fn below(&self, token: impl std::fmt::Display, value: Value<'a>) -> Self {
        Self { value, pointer: format!("{}/{token}", self.pointer) }
    }

    /// The member called `key`, `null` or not. The key needs no escaping.
    pub fn get(&self, key: &str) -> Option<Self> {
        self.value.get(key).map(|value| self.below(key, value))
    }

    /// The member called `key`, unless it is `null`.
    pub fn some(&self, key: &str) -> Option<Self> {
        self.value.some(key).map(|value| self.below(key, value))
    }

    /// The first member of several spellings that is there and not `null`.
    pub fn any(&self, keys: &[&str]) -> Option<Self> {
        keys.iter().find_map(|key| self.some(key))
    }

    /// The member called `key`, if it is a string.
    pub fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.value.get(key)?.to_text()
    }

    /// The value, if it is a string.
    pub fn to_text(&self) -> Option<Cow<'a, str>> {
        self.value.to_text()
    }

    /// The items of an array; nothing for other kinds.
    pub fn items(&self) -> impl Iterator<Item = Self> {
        self.value.items().enumerate().map(|(at, item)| self.below(at, item))
    }

    /// The items of the array under `key`; nothing if there is none.
    pub fn items_of(&self, key: &str) -> Vec<Self> {
        self.some(key).map(|list| list.items().collect()).unwrap_or_default()
    }

    /// The pointer of the member called `key`, there or not.
    pub fn at(&self, key: &str) -> String {
        format!("{}/{key}", self.pointer)
    }
}

/// A token of a pointer, escaped as RFC 6901 says.
pub fn escape_token(token: &str) -> Cow<'_, str> {
    if token.contains(['~', '/']) {
        Cow::Owned(token.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(token)
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, escape_token};
    use crate::json::Doc;

    #[test]
    fn pointers_lead_to_their_values() {
        let doc = Doc::parse(r#"{"a":[{"b":null},{"c":"x"}]}"#).unwrap();
        let root = Node::root(doc.root());
        let item = root.items_of("a").pop().unwrap();
        let value = item.some("c").unwrap();
        assert_eq!((value.pointer.as_str(), value.to_text().unwrap().as_ref()), ("/a/1/c", "x"));
        assert_eq!(doc.root().pointer(&value.pointer).unwrap().raw(), "\"x\"");
        assert!(root.items_of("a")[0].some("b").is_none() && root.items_of("a")[0].get("b").is_some());
        assert_eq!(item.any(&["d", "c"]).unwrap().pointer, "/a/1/c");
        assert_eq!(escape_token("a/b~"), "a~1b~0");
    }
}
