//! Exact comparison of two values, with the pointer of the first difference.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{JsonText, Kind, Value, same_number};

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
    /// Text of the expected value, or the list of its keys where objects differ in nothing but those; `None` if there should be none.
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
    Some(Difference { pointer, expected: expected.map(|side| side.text()), actual: actual.map(|side| side.text()) })
}

/// What stands at the pointer.
enum Side<'a> {
    Value(Value<'a>),
    /// Of an object whose members are in another order or not as often.
    Keys(Vec<Cow<'a, str>>),
}

impl Side<'_> {
    fn text(&self) -> String {
        match self {
            Self::Value(value) => value.raw().to_owned(),
            Self::Keys(keys) => {
                JsonText::build(|w| w.array(|w| keys.iter().for_each(|key| w.string(key)))).as_str().to_owned()
            }
        }
    }
}

type Sides<'a> = (Option<Side<'a>>, Option<Side<'a>>);

fn both<'a>(expected: Value<'a>, actual: Value<'a>) -> Sides<'a> {
    (Some(Side::Value(expected)), Some(Side::Value(actual)))
}

fn keys(object: Value<'_>) -> Vec<Cow<'_, str>> {
    object.members().map(|(key, _)| key.decode()).collect()
}

fn walk<'a>(
    path: &mut Vec<Cow<'a, str>>,
    expected: Value<'a>,
    actual: Value<'a>,
    strictness: Strictness,
) -> Option<Sides<'a>> {
    if expected.kind() != actual.kind() {
        return Some(both(expected, actual));
    }
    match expected.kind() {
        Kind::Null => None,
        Kind::Bool => {
            if expected.raw() == actual.raw() {
                None
            } else {
                Some(both(expected, actual))
            }
        }
        Kind::Number => {
            let same = match strictness {
                Strictness::Value | Strictness::Subset => same_number(expected.raw(), actual.raw()),
                Strictness::Text => expected.raw() == actual.raw(),
            };
            if same { None } else { Some(both(expected, actual)) }
        }
        Kind::String => {
            let same = match (expected.as_str(), actual.as_str()) {
                (Some(a), Some(b)) if strictness == Strictness::Subset && a.is("<any>") => !b.is_empty(),
                (Some(a), Some(b)) if a.has_lone_surrogate() || b.has_lone_surrogate() => a.raw() == b.raw(),
                (Some(a), Some(b)) => a.decode() == b.decode(),
                _ => false,
            };
            if same { None } else { Some(both(expected, actual)) }
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
                    (a, b) => (a.map(Side::Value), b.map(Side::Value)),
                };
                path.push(Cow::Owned(at.to_string()));
                return Some(sides);
            }
            None
        }
        Kind::Object if strictness == Strictness::Text => {
            let (wanted, found) = (keys(expected), keys(actual));
            let wanted_set: HashSet<&str> = wanted.iter().map(|key| &**key).collect();
            let found_set: HashSet<&str> = found.iter().map(|key| &**key).collect();
            if wanted != found && wanted_set == found_set {
                return Some((Some(Side::Keys(wanted)), Some(Side::Keys(found))));
            }
            for ((key, a), (other, b)) in expected.members().zip(actual.members()) {
                if key.decode() != other.decode() {
                    break;
                }
                path.push(key.decode());
                let found = walk(path, a, b, strictness);
                if found.is_some() {
                    return found;
                }
                path.pop();
            }
            // Either the keys are the same, or one side has a key that the other one lacks.
            let lone = |a: Value<'a>, b: &HashSet<&str>| a.members().find(|(key, _)| !b.contains(&*key.decode()));
            if let Some((key, value)) = lone(expected, &found_set) {
                path.push(key.decode());
                return Some((Some(Side::Value(value)), None));
            }
            let (key, value) = lone(actual, &wanted_set)?;
            path.push(key.decode());
            Some((None, Some(Side::Value(value))))
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
                    None => Some((Some(Side::Value(value)), None)),
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
            Some((None, Some(Side::Value(surplus))))
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
        assert_eq!(pointer(a, b, Strictness::Text).as_deref(), Some(""));
        assert_eq!(pointer(r#"{"a":1,"a":2}"#, r#"{"a":2}"#, Strictness::Value), None);
        assert_eq!(pointer(r#"{"a":1,"a":2}"#, r#"{"a":2}"#, Strictness::Text).as_deref(), Some(""));
        assert_eq!(pointer(r#"{"a":1.0}"#, r#"{"a":1}"#, Strictness::Text).as_deref(), Some("/a"));
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

    #[test]
    fn key_order_and_duplicates_are_told_as_lists_of_keys() {
        let told = |a: &str, b: &str| {
            let found = difference(Doc::parse(a).unwrap().root(), Doc::parse(b).unwrap().root(), Strictness::Text)?;
            Some((found.pointer, found.expected.unwrap_or_default(), found.actual.unwrap_or_default()))
        };
        let texts = |at: &str, a: &str, b: &str| Some((at.to_owned(), a.to_owned(), b.to_owned()));
        assert_eq!(
            told(r#"[{"a":5,"b\"":5}]"#, r#"[{"b\"":5,"a":5}]"#),
            texts("/0", r#"["a","b\""]"#, r#"["b\"","a"]"#)
        );
        assert_eq!(told(r#"{"a":5,"a":5}"#, r#"{"a":5}"#), texts("", r#"["a","a"]"#, r#"["a"]"#));
        assert_eq!(told(r#"{"a":1,"b":2}"#, r#"{"b":2}"#), texts("/a", "1", ""));
        assert_eq!(told(r#"{"b":2}"#, r#"{"a":1,"b":2}"#), texts("/a", "", "1"));
        assert_eq!(told(r#"{"a":1,"b":2}"#, r#"{"a":3,"c":2}"#), texts("/a", "1", "3"));
        assert_eq!(told(r#"{"\u0061":1}"#, r#"{"a":1}"#), None);
    }
}
