//! Exact comparison of two values, with the pointer of the first difference.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Kind, Value, same_number};

/// What counts as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// JSON values: key order aside, numbers by exact decimal value, of duplicate keys the last.
    Value,
    /// Also the text of numbers, the order of keys and every duplicate.
    Text,
    /// As [`Value`](Self::Value), but objects may hold more than expected, and the expected string
    /// `<any>` stands for any that is not empty.
    Subset,
}

/// Where two values differ first, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// RFC 6901 pointer.
    pub pointer: String,
    /// Text of the expected value; `None` if there should be none.
    pub expected: Option<String>,
    /// Text of the actual value; `None` if there is none.
    pub actual: Option<String>,
}

/// The first difference between two values in the order of the expected one, or `None`.
pub fn difference(expected: Value<'_>, actual: Value<'_>, strictness: Strictness) -> Option<Difference> {
    let mut path = Vec::new();
    let (expected, actual) = walk(&mut path, expected, actual, strictness)?;
    let pointer = path.iter().fold(String::new(), |mut pointer, token| {
        pointer.push('/');
        pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
        pointer
    });
    Some(Difference {
        pointer,
        expected: expected.map(|v| v.raw().to_owned()),
        actual: actual.map(|v| v.raw().to_owned()),
    })
}

type Sides<'a> = (Option<Value<'a>>, Option<Value<'a>>);

fn walk<'a>(
    path: &mut Vec<Cow<'a, str>>,
    expected: Value<'a>,
    actual: Value<'a>,
    strictness: Strictness,
) -> Option<Sides<'a>> {
    let whole = Some((Some(expected), Some(actual)));
    if expected.kind() != actual.kind() {
        return whole;
    }
    match expected.kind() {
        Kind::Null => None,
        Kind::Bool => (expected.raw() != actual.raw()).then_some((Some(expected), Some(actual))),
        Kind::Number => {
            let same = match strictness {
                Strictness::Value | Strictness::Subset => same_number(expected.raw(), actual.raw()),
                Strictness::Text => expected.raw() == actual.raw(),
            };
            if same { None } else { whole }
        }
        Kind::String => {
            let same = match (expected.as_str(), actual.as_str()) {
                (Some(a), Some(b)) if strictness == Strictness::Subset && a.is("<any>") => !b.is_empty(),
                (Some(a), Some(b)) if a.has_lone_surrogate() || b.has_lone_surrogate() => a.raw() == b.raw(),
                (Some(a), Some(b)) => a.decode() == b.decode(),
                _ => false,
            };
            if same { None } else { whole }
        }
        Kind::Array => {
            let (mut left, mut right) = (expected.items(), actual.items());
            for at in 0.. {
                let sides = match (left.next(), right.next()) {
                    (None, None) => return None,
                    (Some(a), Some(b)) => {
                        path.push(Cow::Owned(at.to_string()));
                        let found = walk(path, a, b, strictness);
                        if found.is_some() {
                            return found;
                        }
                        path.pop();
                        continue;
                    }
                    sides => sides,
                };
                path.push(Cow::Owned(at.to_string()));
                return Some(sides);
            }
            None
        }
        Kind::Object if strictness == Strictness::Text => {
            let (mut left, mut right) = (expected.members(), actual.members());
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return None,
                    (Some((a_key, a)), Some((b_key, b))) if a_key.decode() == b_key.decode() => {
                        path.push(a_key.decode());
                        let found = walk(path, a, b, strictness);
                        if found.is_some() {
                            return found;
                        }
                        path.pop();
                    }
                    (Some((key, a)), _) => {
                        path.push(key.decode());
                        return Some((Some(a), actual.get(&key.decode())));
                    }
                    (None, Some((key, b))) => {
                        path.push(key.decode());
                        return Some((None, Some(b)));
                    }
                }
            }
        }
        Kind::Object => {
            let mut rest: HashMap<Cow<'_, str>, Value<'_>> = actual.members().map(|(k, v)| (k.decode(), v)).collect();
            // Of duplicates the last one counts, so an earlier one is passed over.
            let last: HashMap<Cow<'_, str>, Value<'_>> = expected.members().map(|(k, v)| (k.decode(), v)).collect();
            for (key, value) in expected.members() {
                let key = key.decode();
                if last.get(&key).is_some_and(|v| v.span() != value.span()) {
                    continue;
                }
                path.push(key.clone());
                let found = match rest.remove(&key) {
                    Some(other) => walk(path, value, other, strictness),
                    None => Some((Some(value), None)),
                };
                if found.is_some() {
                    return found;
                }
                path.pop();
            }
            if strictness == Strictness::Subset {
                return None;
            }
            let (key, surplus) = actual.members().find_map(|(k, _)| {
                let key = k.decode();
                rest.get(&key).map(|v| (key.clone(), *v))
            })?;
            path.push(key);
            Some((None, Some(surplus)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Strictness, difference};
    use crate::json::Doc;

    fn pointer(a: &str, b: &str, strictness: Strictness) -> Option<String> {
        difference(Doc::parse(a).unwrap().root(), Doc::parse(b).unwrap().root(), strictness).map(|d| d.pointer)
    }

    #[test]
    fn values_are_equal_whatever_the_key_order_and_number_spelling() {
        let (a, b) = (r#"{"a":1.0,"b":[true,null]}"#, r#"{"b":[true,null],"a":1}"#);
        assert_eq!(pointer(a, b, Strictness::Value), None);
        assert_eq!(pointer(a, b, Strictness::Text).as_deref(), Some("/a"));
        assert_eq!(pointer(r#"{"a":1,"a":2}"#, r#"{"a":2}"#, Strictness::Value), None);
        assert_eq!(pointer(r#"{"a":1,"a":2}"#, r#"{"a":2}"#, Strictness::Text).as_deref(), Some("/a"));
    }

    #[test]
    fn the_first_difference_is_named_by_its_pointer() {
        for (a, b, at) in [
            (r#"{"a":{"x/y":[1,2]}}"#, r#"{"a":{"x/y":[1,3]}}"#, "/a/x~1y/1"),
            (r#"{"a":1}"#, "{}", "/a"),
            ("{}", r#"{"z":1}"#, "/z"),
            ("[1]", "[1,2]", "/1"),
            ("[]", "{}", ""),
            (r#"{"n":12345678901234567890}"#, r#"{"n":12345678901234567000}"#, "/n"),
            (r#""\ud83d""#, r#""\udead""#, ""),
        ] {
            assert_eq!(pointer(a, b, Strictness::Value).as_deref(), Some(at), "{a} {b}");
        }
        assert_eq!(pointer("\"\u{e9}\"", r#""\u00e9""#, Strictness::Value), None);
    }

    #[test]
    fn subsets_may_leave_out_keys_but_no_items() {
        let subset = |a: &str, b: &str| pointer(a, b, Strictness::Subset);
        assert_eq!(subset(r#"{"id":"<any>"}"#, r#"{"id":"x","name":"y"}"#), None);
        assert_eq!(subset(r#"{"id":"<any>"}"#, r#"{"id":""}"#).as_deref(), Some("/id"));
        assert_eq!(subset(r#"{"a":[{}]}"#, r#"{"a":[{"b":1},2]}"#).as_deref(), Some("/a/1"));
    }
}
