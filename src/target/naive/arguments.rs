//! From the pieces of a call's arguments to their value, decided once, from all of them.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::value::{has_halves, join_halves, mark, restore};
use crate::json::{self, JsonText, Kind};
use crate::model::{Arguments, ProblemKind};

/// One piece of a call's arguments.
#[derive(Debug, Clone)]
pub(super) struct Fragment {
    /// When it came.
    pub(super) at: usize,
    /// Its text; never empty.
    pub(super) text: String,
    /// It came as a JSON value, not as text.
    pub(super) value: bool,
}

/// The text of all pieces.
pub(super) fn joined(fragments: &[Fragment]) -> String {
    join_halves(&fragments.iter().map(|fragment| fragment.text.as_str()).collect::<String>())
}

/// True for the text of one valid JSON object.
fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && is_json(text)
}

/// True for one valid JSON value in which no half of a surrogate pair stands alone (decision 9).
fn is_json(text: &str) -> bool {
    // Two limits of `serde_json` that JSON does not have: doubles, and 128 levels instead of 512.
    let limits = ["number out of range", "recursion limit exceeded"];
    let valid = match serde_json::from_str::<Value>(text) {
        Ok(_) => true,
        Err(error) => limits.iter().any(|limit| error.to_string().starts_with(limit)),
    };
    valid && JsonText::new(text).is_ok() && !has_halves(&mark(text))
}

/// The value that a text is two or more times over.
fn copied(text: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut copies = Vec::new();
    let mut start = 0;
    while let Some(value) = values.next() {
        value.ok()?;
        copies.push(text.get(start..values.byte_offset())?.trim());
        start = values.byte_offset();
    }
    let (first, rest) = copies.split_first()?;
    (!rest.is_empty() && rest.iter().all(|copy| copy == first)).then(|| (*first).to_owned())
}

/// The text of the one object that the pieces mean, assembly undone (decision 8); `None` if there
/// is none.
pub(super) fn assembled(fragments: &[Fragment]) -> Option<String> {
    let joined = joined(fragments);
    let without_prefix = joined.trim_start().strip_prefix("{}").unwrap_or(&joined);
    let cumulative = || {
        let texts: Vec<&str> = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
        let only_text = fragments.iter().all(|fragment| !fragment.value);
        let growing = only_text && texts.windows(2).all(|pair| matches!(pair, [a, b] if b.starts_with(a)));
        if growing { texts.last().map(|text| join_halves(text)) } else { None }
    };
    let candidates =
        [Some(joined.clone()), Some(without_prefix.to_owned()), copied(&joined), copied(without_prefix), cumulative()];
    candidates.into_iter().flatten().find(|text| is_object(text))
}

/// How far a text has come, seen by its brackets alone: in the middle of a stream nobody can ask for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Blank,
    Begun,
    /// One value and nothing else.
    Whole,
    /// More than one value.
    Beyond,
}

/// The shape of a text.
pub(super) fn shape(text: &str) -> Shape {
    if text.trim().is_empty() {
        return Shape::Blank;
    }
    // Strings become one quote each, whatever they hold; an unfinished one swallows the rest.
    let mut bare = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            bare.extend(Some(c).filter(|c| !c.is_ascii_whitespace()));
            continue;
        }
        loop {
            match chars.next() {
                Some('\\') => drop(chars.next()),
                Some('"') => break bare.push('"'),
                Some(_) => {}
                None => break bare.push('['),
            }
        }
    }
    let mut depth = 0;
    let end = bare.chars().position(|c| {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            '"' => {}
            _ => return false,
        }
        depth <= 0
    });
    match end {
        None => Shape::Begun,
        Some(end) if depth == 0 && bare.chars().count() == end + 1 => Shape::Whole,
        Some(_) => Shape::Beyond,
    }
}

/// What a closed call is called with, or why it cannot be called, and the text.
pub(super) fn decide(
    fragments: &[Fragment],
    freeform: bool,
    switch: Switch,
) -> Result<Arguments, (ProblemKind, String)> {
    let text = joined(fragments);
    if freeform {
        return Ok(Arguments::Freeform(restore(&text)));
    }
    let object = if switch.on(Quirk::ParseEachFragment) {
        Some(fragments.iter().rev().map(|f| f.text.clone()).find(|f| is_object(f)).unwrap_or_else(|| "{}".to_owned()))
    } else if matches!(text.trim(), "" | "null") {
        // That is what providers mean by no text, and by `null` (decision 35).
        Some("{}".to_owned())
    } else {
        assembled(fragments)
    };
    let inner = || serde_json::from_str::<String>(&text).ok().filter(|inner| is_object(inner));
    let object = match object {
        None if switch.on(Quirk::DoubleEncodedUnwrappedSilently) => inner(),
        None if switch.on(Quirk::EmptyObjectForMalformed) => Some("{}".to_owned()),
        object => object,
    };
    let object = object.map(|text| misread(text, switch)).and_then(|text| JsonText::new(text.trim()).ok());
    object.map(Arguments::Object).ok_or_else(|| {
        let kind = if is_json(&text) { ProblemKind::ArgumentsNotObject } else { ProblemKind::InvalidArgumentsJson };
        (kind, restore(&text))
    })
}

/// The text of an object as a mutant reads it; unchanged without a quirk.
fn misread(text: String, switch: Switch) -> String {
    if switch.on(Quirk::FloatsForNumbers) {
        let read = serde_json::from_str(&text).map(floats);
        return read.map_or(text, |value| value.to_string());
    }
    if switch.on(Quirk::SortKeys) {
        return json::Doc::parse(text.as_str()).map_or(String::new(), |doc| sorted(doc.root()));
    }
    text
}

fn floats(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(items) => items.into_iter().map(floats).collect(),
        Value::Object(members) => members.into_iter().map(|(key, value)| (key, floats(value))).collect(),
        other => other,
    }
}

/// By `json::Doc`, since a `Value` would change numbers too.
fn sorted(value: json::Value<'_>) -> String {
    match value.kind() {
        Kind::Object => {
            let mut members: Vec<_> = value.members().collect();
            members.sort_by_key(|(key, _)| key.decode().into_owned());
            let members = members.into_iter().map(|(key, value)| format!("\"{}\":{}", key.raw(), sorted(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Kind::Array => format!("[{}]", value.items().map(sorted).collect::<Vec<_>>().join(",")),
        _ => value.raw().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::quirk::Switch;
    use super::{Fragment, decide};
    use crate::model::Arguments;

    fn read(pieces: &[&str]) -> String {
        let fragment = |text: &&str| Fragment { at: 0, text: (*text).to_owned(), value: false };
        match decide(&pieces.iter().map(fragment).collect::<Vec<_>>(), false, Switch(None)) {
            Ok(Arguments::Object(text)) => text.as_str().to_owned(),
            Ok(Arguments::Freeform(text)) => text,
            Err((kind, raw)) => format!("{} {raw}", kind.name()),
        }
    }

    #[test]
    fn assembly_is_undone_and_repair_is_not_done() {
        for (pieces, want) in [
            (&["{\"a\"", ":1}"][..], "{\"a\":1}"),
            (&[], "{}"),
            (&[" "], "{}"),
            (&["{}", "{\"a\":1}"], "{\"a\":1}"),
            (&["{}", "{}"], "{}"),
            (&["{\"a\":1}", "{\"a\":1}"], "{\"a\":1}"),
            (&["{\"a\"", "{\"a\":1", "{\"a\":1}"], "{\"a\":1}"),
            (
                &["{\"n\":1.0,\"a\":12345678901234567890,\"e\":1E999}"],
                "{\"n\":1.0,\"a\":12345678901234567890,\"e\":1E999}",
            ),
            (&["{\"a\":1}", "{\"b\":2}"], "invalid_arguments_json {\"a\":1}{\"b\":2}"),
            (&["{\"a\":"], "invalid_arguments_json {\"a\":"),
            (&["{\"a\":\"\\ud83d\"}"], "invalid_arguments_json {\"a\":\"\\ud83d\"}"),
            (&["{\"a\":\"\\ud83d", "\\ude00\"}"], "{\"a\":\"\\ud83d\\ude00\"}"),
            (&["\"{\\\"a\\\":1}\""], "arguments_not_object \"{\\\"a\\\":1}\""),
            (&["[1]"], "arguments_not_object [1]"),
            (&["null"], "{}"),
        ] {
            assert_eq!(read(pieces), want, "{pieces:?}");
        }
        let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(read(&[&deep(511)]), deep(511));
        assert!(read(&[&deep(512)]).starts_with("invalid_arguments_json"));
    }
}
