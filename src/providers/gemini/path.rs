//! The `jsonPath` of a piece of arguments.
//!
//! What Vertex sends is a small part of RFC 9535: `$`, then names (`.a`, `['a']`, `["a"]`) and indexes (`[0]`).

use std::borrow::Cow;

use super::piece::PieceError;
use crate::json::MAX_DEPTH;

/// One step of a path, from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step<'p> {
    Name(Cow<'p, str>),
    Index(usize),
}

/// The steps of a path from the arguments to a value; no more than a JSON text can nest.
pub(super) fn steps(path: &str) -> Result<Vec<Step<'_>>, PieceError> {
    let mut rest = path.strip_prefix('$').ok_or(PieceError::UnreadablePath)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() >= MAX_DEPTH {
            return Err(PieceError::DeepPath);
        }
        let (step, after) = step(rest).ok_or(PieceError::UnreadablePath)?;
        steps.push(step);
        rest = after;
    }
    Ok(steps)
}

/// The first step of a text, and what stands after it.
fn step(text: &str) -> Option<(Step<'_>, &str)> {
    if let Some(text) = text.strip_prefix('.') {
        let (name, rest) = text.split_at_checked(text.find(['.', '[']).unwrap_or(text.len()))?;
        // `.*` is every member, which is no place for a value.
        return (!matches!(name, "" | "*")).then_some((Step::Name(Cow::Borrowed(name)), rest));
    }
    let text = text.strip_prefix('[')?;
    let (step, rest) = if let Some(text) = text.strip_prefix('\'') {
        quoted(text, '\'')?
    } else if let Some(text) = text.strip_prefix('"') {
        quoted(text, '"')?
    } else {
        let (digits, rest) = text.split_at_checked(text.find(']')?)?;
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        (Step::Index(digits.parse().ok().filter(|_| plain)?), rest)
    };
    Some((step, rest.strip_prefix(']')?))
}

/// A name that ends at `quote`, and what stands after that.
fn quoted(text: &str, quote: char) -> Option<(Step<'_>, &str)> {
    let special = [quote, '\\'];
    let (plain, mut rest) = text.split_at_checked(text.find(special)?)?;
    if let Some(rest) = rest.strip_prefix(quote) {
        return Some((Step::Name(Cow::Borrowed(plain)), rest));
    }
    let mut name = plain.to_owned();
    loop {
        if let Some(rest) = rest.strip_prefix(quote) {
            return Some((Step::Name(Cow::Owned(name)), rest));
        }
        let (c, after) = escape(rest.strip_prefix('\\')?)?;
        name.push(c);
        let (plain, tail) = after.split_at_checked(after.find(special)?)?;
        name.push_str(plain);
        rest = tail;
    }
}

/// The character of an escape without its backslash, and what stands after it.
fn escape(text: &str) -> Option<(char, &str)> {
    let mut rest = text.chars();
    let c = match rest.next()? {
        c @ ('\'' | '"' | '\\' | '/') => c,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let (unit, after) = unit(rest.as_str())?;
            let low = after.strip_prefix("\\u").and_then(unit_of_pair);
            return match (char::from_u32(u32::from(unit)), low) {
                (Some(c), _) => Some((c, after)),
                (None, Some((low, after))) => Some((char::decode_utf16([unit, low]).next()?.ok()?, after)),
                (None, None) => None,
            };
        }
        _ => return None,
    };
    Some((c, rest.as_str()))
}

/// The second half of a surrogate pair.
fn unit_of_pair(text: &str) -> Option<(u16, &str)> {
    unit(text).filter(|(unit, _)| (0xdc00..0xe000).contains(unit))
}

/// A UTF-16 unit in four hex digits.
fn unit(text: &str) -> Option<(u16, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    Some((u16::from_str_radix(digits, 16).ok().filter(|_| hex)?, rest))
}

#[cfg(test)]
mod tests {
    use super::super::piece::PieceError;
    use super::{Step, steps};

    fn name(name: &str) -> Step<'_> {
        Step::Name(name.into())
    }

    #[test]
    fn paths_are_names_and_indexes() {
        assert_eq!(steps("$"), Ok(vec![]));
        assert_eq!(steps("$.a"), Ok(vec![name("a")]));
        assert_eq!(steps("$.a-b c[0].d[12]"), Ok(vec![name("a-b c"), Step::Index(0), name("d"), Step::Index(12)]));
        assert_eq!(steps("$['a'][\"b.c\"]['']"), Ok(vec![name("a"), name("b.c"), name("")]));
        assert_eq!(steps("$.__proto__.é"), Ok(vec![name("__proto__"), name("é")]));
    }

    #[test]
    fn quoted_names_may_hold_escapes() {
        assert_eq!(steps(r"$['it\'s'].x"), Ok(vec![name("it's"), name("x")]));
        assert_eq!(steps(r#"$["a\"]\\"]"#), Ok(vec![name("a\"]\\")]));
        assert_eq!(steps(r"$['\u00e9\ud83d\ude00\n']"), Ok(vec![name("é😀\n")]));
    }

    #[test]
    fn anything_else_cannot_be_read() {
        for path in [
            "",
            "a",
            ".a",
            "$a",
            "$.",
            "$..a",
            "$.a.",
            "$[",
            "$[]",
            "$[-1]",
            "$[01]",
            "$[+1]",
            "$[ 0]",
            "$[0",
            "$['a'",
            "$['a]",
            "$['a'x]",
            "$[*]",
            "$.*",
            "$.a.*",
            "$[99999999999999999999]",
            r"$['\x']",
            r"$['\ud83d']",
            r"$['\u12']",
            "$[0]a",
            "$.['a']",
        ] {
            assert_eq!(steps(path), Err(PieceError::UnreadablePath), "{path}");
        }
        assert_eq!(steps(&format!("${}", "[0]".repeat(513))), Err(PieceError::DeepPath));
        assert_eq!(steps(&format!("${}", ".a".repeat(512))).map(|steps| steps.len()), Ok(512));
    }
}
