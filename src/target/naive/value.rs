//! JSON values with halves of surrogate pairs in them.
//!
//! `serde_json` refuses a text with a lone half (`"\ud83d"`), but servers cut pairs apart over two
//! fragments (decision 9). So each lone half is replaced by a private-use character before
//! parsing, and put together again in the joined text.

use serde_json::Value;

/// Stands for U+D800; the 2048 characters from here stand for the surrogates. Nobody sends them.
const FIRST_MARK: u32 = 0x10_F000;
const LOW_MARK: u32 = FIRST_MARK + 0x400;
const LAST_MARK: u32 = FIRST_MARK + 0x7ff;

/// Begins the text of arguments that came as a value.
const KEPT: char = '\u{10_F900}';

/// The members that are arguments, or part of them.
const KEPT_KEYS: [&str; 9] = [
    "arguments",
    "input",
    "partial_json",
    "action",
    "args",
    "executableCode",
    "executable_code",
    "numberValue",
    "number_value",
];

/// Parses JSON; lone halves are marked, and arguments that are values are kept as text, since a `Value` would
/// change their numbers and the order of their keys.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    parse_keeping(text, &[])
}

/// Parses JSON, and keeps what stands under more keys than usual.
pub(super) fn parse_keeping(text: &str, more: &[&str]) -> Result<Value, serde_json::Error> {
    let marked = mark(text);
    let value = serde_json::from_str(&marked)?;
    let keys: Vec<String> = KEPT_KEYS.iter().chain(more).map(|key| format!("\"{key}\"")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    if !keys.iter().any(|key| marked.contains(*key)) {
        return Ok(value);
    }
    let mut out = String::new();
    let mut rest = marked.as_str();
    while let Some(at) = keys.iter().filter_map(|key| Some(rest.find(key)? + key.len())).min() {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = after;
        let Some(given) = after.trim_start().strip_prefix(':').map(str::trim_start) else { continue };
        let mut values = serde_json::Deserializer::from_str(given).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        if value.is_null() || value.is_string() {
            continue;
        }
        let (kept, after) = given.split_at_checked(values.byte_offset()).unwrap_or((given, ""));
        out.push(':');
        out.push_str(&Value::from(format!("{KEPT}{}", unmark(kept))).to_string());
        rest = after;
    }
    out.push_str(rest);
    serde_json::from_str(&out)
}

/// A JSON text in which every mark is the escape that it was.
pub(super) fn unmark(text: &str) -> String {
    let escape = |c: char| match u32::from(c) {
        mark @ FIRST_MARK..=LAST_MARK => format!("\\u{:04x}", mark - FIRST_MARK + 0xd800),
        _ => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Arguments in a member: their text, and whether they came as a value and not as text.
pub(super) fn arguments(member: Option<&Value>) -> Option<(&str, bool)> {
    let text = member?.as_str()?;
    Some(text.strip_prefix(KEPT).map_or((text, false), |kept| (kept, true)))
}

/// A JSON text in which every escaped lone half is a mark.
pub(super) fn mark(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let (unit, next) = (half(escape), escape.get(6..).and_then(half));
        let whole = match (unit, next) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(unit @ 0xd800..=0xdfff), _) => {
                out.extend(char::from_u32(FIRST_MARK + unit - 0xd800));
                rest = escape.get(6..).unwrap_or("");
                continue;
            }
            _ => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (escape, after) = escape.split_at_checked(whole).unwrap_or((escape, ""));
        out.push_str(escape);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The number of an escape `\uXXXX` at the beginning of a text.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

/// The text with halves that stand side by side made whole; lone ones stay marked.
pub(super) fn join_halves(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let high = u32::from(c);
        let low = chars.peek().map_or(0, |&c| u32::from(c));
        if (FIRST_MARK..LOW_MARK).contains(&high) && (LOW_MARK..=LAST_MARK).contains(&low) {
            chars.next();
            out.extend(char::from_u32(0x1_0000 + ((high - FIRST_MARK) << 10) + (low - LOW_MARK)));
        } else {
            out.push(c);
        }
    }
    out
}

/// True if a lone half is left.
pub(super) fn has_halves(text: &str) -> bool {
    text.chars().any(|c| (FIRST_MARK..=LAST_MARK).contains(&u32::from(c)))
}

/// The text for the user: halves joined, lone ones U+FFFD.
pub(super) fn restore(text: &str) -> String {
    let lossy = |c: char| if (FIRST_MARK..=LAST_MARK).contains(&u32::from(c)) { '\u{fffd}' } else { c };
    join_halves(text).chars().map(lossy).collect()
}

/// A member that is there and is not null.
pub(super) fn some<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|member| !member.is_null())
}

/// A member that is a string.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

/// A member that is a string and not empty.
pub(super) fn full<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    text(value, name).filter(|text| !text.is_empty())
}

/// The elements of a member that is an array.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A member that is there and not null, by its name in camelCase or in `snake_case`.
pub(super) fn either<'a>(value: &'a Value, camel: &str) -> Option<&'a Value> {
    let snake = |c: char| if c.is_ascii_uppercase() { format!("_{}", c.to_ascii_lowercase()) } else { c.to_string() };
    some(value, camel).or_else(|| some(value, &camel.chars().map(snake).collect::<String>()))
}

/// An index, in any spelling of a whole number (decision 55).
pub(super) fn index(value: &Value) -> Option<i64> {
    whole_number(value).or_else(|| value.as_str()?.parse().ok())
}

/// A name with something in it.
pub(super) fn name(owner: &Value) -> Option<&str> {
    full(owner, "name").filter(|name| !name.trim().is_empty())
}

/// A whole number, also when it is spelled `0.0` (Together's types say float).
pub(super) fn whole_number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let float = value.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        (float.fract() == 0.0 && float.abs() < 1e9).then_some(float as i64)
    })
}

/// What JavaScript and Python take for a value and not for its absence.
pub(super) fn truthy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::{arguments, has_halves, join_halves, mark, parse, restore};

    #[test]
    fn halves_are_marked_joined_and_lost_in_that_order() {
        let read = |text| parse(text).unwrap().as_str().unwrap().to_owned();
        assert_eq!(read(r#""\ud83d\ude00""#), "\u{1f600}");
        let (high, low) = (read(r#""a\ud83d""#), read(r#""\ude00b""#));
        assert!(has_halves(&high));
        assert_eq!(join_halves(&format!("{high}{low}")), "a\u{1f600}b");
        assert_eq!(restore(&high), "a\u{fffd}");
        assert_eq!(restore(&format!("{low}{high}")), "\u{fffd}ba\u{fffd}");
        for untouched in [r#""\\ud83d""#, r#""\u00e9""#, r#""\"\ud83d\ude00""#, "\"\\", "\"\\u12"] {
            assert_eq!(mark(untouched), untouched);
        }
    }

    #[test]
    fn arguments_that_are_values_keep_their_text() {
        let kept = r#"{"b": 1E2,"a":["\ud83d",{"input":1.0}]}"#;
        let entry = parse(&format!(r#"{{"name":"arguments","arguments" : {kept},"input":"{{}}"}}"#)).unwrap();
        assert_eq!(arguments(entry.get("arguments")), Some((kept, true)));
        assert_eq!(arguments(entry.get("input")), Some(("{}", false)));
        assert_eq!(arguments(entry.get("other")), None);
    }
}
