//! Mending arguments, only when asked to: the result is not what the provider sent.

use std::fmt::Write as _;

use crate::json::{Doc, Kind, Scanner};

/// The object that a broken text was probably meant to be. The repairs: an object inside a string,
/// raw control characters in strings, text after a whole object, missing closing brackets.
pub(super) fn object(text: &str) -> Option<String> {
    let text = text.trim();
    if let Ok(doc) = Doc::parse(text) {
        return doc.root().to_text().filter(|inner| is_object(inner)).map(std::borrow::Cow::into_owned);
    }
    let escaped = escape_controls(text)?;
    [without_tail(&escaped), with_closed_brackets(&escaped), Some(escaped)]
        .into_iter()
        .flatten()
        .find(|candidate| is_object(candidate))
}

fn is_object(text: &str) -> bool {
    Doc::parse(text).is_ok_and(|doc| doc.root().kind() == Kind::Object && !doc.root().has_lone_surrogate())
}

/// Raw control characters inside strings as escapes; not behind a backslash, where nobody knows what was meant.
fn escape_controls(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string && c < ' ' {
            if escaped {
                return None;
            }
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
            continue;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        out.push(c);
    }
    Some(out)
}

/// The first whole value, if leaked template markup follows it, and nothing else.
fn without_tail(text: &str) -> Option<String> {
    let end = Scanner::end_of_value(text)?;
    let (value, tail) = text.split_at_checked(end)?;
    let markup = tail.trim_start().starts_with(['<', '`']) && !tail.contains(['{', '[', '"']);
    markup.then(|| value.to_owned())
}

/// The text with the brackets closed that are open at its end; not if it ends inside a string or with a number, whose
/// rest nobody knows.
fn with_closed_brackets(text: &str) -> Option<String> {
    let mut open = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                open.pop().filter(|&want| want == c)?;
            }
            _ => {}
        }
    }
    let cut_number = text.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    (!in_string && !cut_number).then(|| text.chars().chain(open.into_iter().rev()).collect())
}

#[cfg(test)]
mod tests {
    use super::object;

    #[test]
    fn repairs_are_the_listed_ones() {
        for (broken, mended) in [
            (r#""{\"a\":1}""#, r#"{"a":1}"#),
            ("{\"a\":\"x\ny\"}", r#"{"a":"x\u000ay"}"#),
            (r#"{"a":1}</parameter>"#, r#"{"a":1}"#),
            (r#"{"a":["x""#, r#"{"a":["x"]}"#),
        ] {
            assert_eq!(object(broken).as_deref(), Some(mended), "{broken}");
        }
        for hopeless in [
            "[1]",
            "3",
            "{\"a\":\"cut",
            r#"{"a":1}{"b":2}"#,
            "{path: 'a'}",
            "{\"a\":]",
            "{\"a\":12",
            "{\"a\":1},\"b\":2}",
            "{\"a\":\"x\\\ny\"}",
        ] {
            assert_eq!(object(hopeless), None, "{hopeless}");
        }
    }
}
