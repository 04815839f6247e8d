//! Reading JSON of our own formats strictly: what is wrong is said together with its place.

use std::borrow::Cow;

use crate::json::{Kind, Value};

/// What is wrong with a value, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError {
    pub(crate) pointer: String,
    /// Byte offset into the file.
    pub(crate) at: usize,
    pub(crate) message: String,
}

pub(crate) type FieldResult<T> = Result<T, FieldError>;

/// A value with its place in the file.
#[derive(Debug, Clone)]
pub(crate) struct Place<'a> {
    pub(crate) value: Value<'a>,
    pointer: String,
}

impl<'a> Place<'a> {
    pub(crate) fn root(value: Value<'a>) -> Self {
        Self { value, pointer: String::new() }
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> FieldError {
        FieldError { pointer: self.pointer.clone(), at: self.value.span().start, message: message.into() }
    }

    pub(crate) fn expected(&self, what: &str) -> FieldError {
        self.error(format!("expected {what}, found {}", self.value.kind().article()))
    }

    pub(crate) fn child(&self, token: &str, value: Value<'a>) -> Self {
        let token = token.replace('~', "~0").replace('/', "~1");
        Self { value, pointer: format!("{}/{token}", self.pointer) }
    }

    pub(crate) fn string(&self) -> FieldResult<String> {
        let text = self.value.as_str().ok_or_else(|| self.expected("a string"))?;
        if text.has_lone_surrogate() {
            return Err(self.error("a string with half of a surrogate pair"));
        }
        Ok(text.decode().into_owned())
    }

    /// The string without halves of surrogate pairs, which no provider takes.
    pub(crate) fn lenient_string(&self) -> FieldResult<String> {
        let text = self.value.as_str().ok_or_else(|| self.expected("a string"))?;
        Ok(text.without_halves().into_owned())
    }

    pub(crate) fn bool(&self) -> FieldResult<bool> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(crate) fn count(&self) -> FieldResult<u64> {
        self.value.as_u64().ok_or_else(|| self.expected("a whole number"))
    }

    pub(crate) fn items(&self) -> FieldResult<Vec<Place<'a>>> {
        if self.value.kind() != Kind::Array {
            return Err(self.expected("an array"));
        }
        Ok(self.value.items().enumerate().map(|(i, item)| self.child(&i.to_string(), item)).collect())
    }

    pub(crate) fn strings(&self) -> FieldResult<Vec<String>> {
        self.items()?.iter().map(Place::string).collect()
    }

    /// The members of an object whose keys are data.
    pub(crate) fn entries(&self) -> FieldResult<Vec<(String, Place<'a>)>> {
        if self.value.kind() != Kind::Object {
            return Err(self.expected("an object"));
        }
        Ok(self
            .value
            .members()
            .map(|(key, value)| (key.decode().into_owned(), self.child(&key.decode(), value)))
            .collect())
    }

    /// The value as one of a few words.
    pub(crate) fn word<T: Copy>(&self, all: &[T], name: impl Fn(T) -> &'static str) -> FieldResult<T> {
        let text = self.string()?;
        all.iter().copied().find(|one| name(*one) == text).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|one| name(*one)).collect();
            self.error(format!("`{text}` is not one of {}", known.join(", ")))
        })
    }

    /// The value as an object with any keys.
    pub(crate) fn open_object(&self) -> FieldResult<Fields<'a>> {
        if self.value.kind() == Kind::Object {
            Ok(Fields { place: self.clone() })
        } else {
            Err(self.expected("an object"))
        }
    }

    /// The value as an object with these keys and no others.
    pub(crate) fn object(&self, allowed: &[&str]) -> FieldResult<Fields<'a>> {
        if self.value.kind() != Kind::Object {
            return Err(self.expected("an object"));
        }
        let mut seen: Vec<Cow<'_, str>> = Vec::new();
        for (key, value) in self.value.members() {
            let key = key.decode();
            let place = self.child(&key, value);
            if !allowed.contains(&&*key) {
                return Err(place.error(format!("unknown key `{key}`; known are {}", allowed.join(", "))));
            }
            if seen.contains(&key) {
                return Err(place.error(format!("key `{key}` stands twice")));
            }
            seen.push(key);
        }
        Ok(Fields { place: self.clone() })
    }
}

/// An object whose keys have been checked.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) place: Place<'a>,
}

impl<'a> Fields<'a> {
    /// The member, unless it is absent or null.
    pub(crate) fn get(&self, key: &str) -> Option<Place<'a>> {
        self.place.value.some(key).map(|value| self.place.child(key, value))
    }

    /// The member as it stands, `null` included.
    pub(crate) fn raw(&self, key: &str) -> Option<Place<'a>> {
        self.place.value.get(key).map(|value| self.place.child(key, value))
    }

    pub(crate) fn required(&self, key: &str) -> FieldResult<Place<'a>> {
        self.get(key).ok_or_else(|| self.place.error(format!("key `{key}` is missing")))
    }

    /// A required string that says something.
    pub(crate) fn text(&self, key: &str) -> FieldResult<String> {
        let place = self.required(key)?;
        let text = place.string()?;
        if text.trim().is_empty() { Err(place.error(format!("`{key}` is blank"))) } else { Ok(text) }
    }
}
