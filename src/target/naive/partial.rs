//! Arguments that come as values at paths (decision 76).

use serde_json::Value;

use super::value::{arguments, either, has_halves, join_halves, restore};
use crate::json::{self, JsonText, Kind};

/// No path has more steps, since no value may be nested deeper.
const STEPS: usize = 512;

/// What a part says of the arguments of its call.
#[derive(Debug, Clone)]
pub(super) enum Said {
    /// `args`, as text.
    Args(String),
    /// An entry of `partialArgs`.
    Piece(Value),
    /// Something else in the place of that list.
    NoList,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
}

/// A value that grows.
#[derive(Debug, Clone)]
enum Node {
    /// The text of any JSON value.
    Scalar(String),
    /// A string that may go on.
    Text(String),
    Object(Vec<(String, Option<Node>)>),
    Array(Vec<Option<Node>>),
}

/// What a piece puts at its path.
enum Leaf {
    Text(String),
    Scalar(String),
}

/// A piece that can only be guessed at.
#[derive(Debug, PartialEq, Eq)]
struct Unreadable;

/// The text of the value that all of this builds, in its order, and whether each of it could be read. What cannot
/// be is the last; what is built then is the value before it.
pub(super) fn built(said: &[Said]) -> (String, bool) {
    let mut root = None;
    let mut before: Vec<(Vec<Step>, bool)> = Vec::new();
    for one in said {
        let so_far = root.clone();
        let taken = match one {
            Said::Args(args) => merge(&mut root, args),
            Said::Piece(piece) => take(&mut root, piece, &mut before),
            Said::NoList => Err(Unreadable),
        };
        if taken.is_err() {
            return (so_far.as_ref().map(text).unwrap_or_default(), false);
        }
    }
    (root.as_ref().map(text).unwrap_or_default(), !root.as_ref().is_some_and(is_half))
}

/// Sets the members of `args` one by one; the first may be any value.
fn merge(root: &mut Option<Node>, args: &str) -> Result<(), Unreadable> {
    let doc = json::Doc::parse(args).map_err(|_| Unreadable)?;
    if doc.root().has_lone_surrogate() {
        return Err(Unreadable);
    }
    match (root, node(doc.root())) {
        (Some(Node::Object(members)), Node::Object(more)) => {
            for (key, value) in more {
                *member(members, &key) = value;
            }
            Ok(())
        }
        (Some(_), _) => Err(Unreadable),
        (root, first) => {
            *root = Some(first);
            Ok(())
        }
    }
}

/// The place of a member, made if it is not there.
fn member<'a>(members: &'a mut Vec<(String, Option<Node>)>, name: &str) -> &'a mut Option<Node> {
    let at = members.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
        members.push((name.to_owned(), None));
        members.len() - 1
    });
    #[expect(clippy::indexing_slicing, reason = "the position was just found or made")]
    &mut members[at].1
}

fn take(root: &mut Option<Node>, piece: &Value, before: &mut Vec<(Vec<Step>, bool)>) -> Result<(), Unreadable> {
    let Some(leaf) = leaf(piece)? else { return Ok(()) };
    let text = either(piece, "jsonPath").and_then(Value::as_str).filter(|path| !has_halves(path));
    let path = text.and_then(path).ok_or(Unreadable)?;
    let last = before.iter().rfind(|(other, _)| *other == path);
    let goes_on = last.is_some_and(|(_, will_continue)| *will_continue);
    if path.len() > STEPS || !put(root, &path, leaf, goes_on) {
        return Err(Unreadable);
    }
    let will_continue = either(piece, "willContinue").and_then(Value::as_bool) == Some(true);
    before.push((path, will_continue));
    Ok(())
}

/// The one value of a piece, if it has any.
fn leaf(piece: &Value) -> Result<Option<Leaf>, Unreadable> {
    let keys = ["stringValue", "numberValue", "boolValue", "nullValue"];
    let [string, number, boolean, null] = keys.map(|key| either(piece, key));
    // Null itself is how the JSON of a proto prints its NULL_VALUE, if no other value is mentioned.
    let spellings = ["stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value"]
        .map(|key| piece.get(key));
    let alone = spellings.iter().all(Option::is_none);
    let null = null.or_else(|| piece.get("nullValue").or(piece.get("null_value")).filter(|_| alone));
    let leaf = match (string, number, boolean, null) {
        (None, None, None, None) => return Ok(None),
        (Some(string), None, None, None) => string.as_str().map(|text| Leaf::Text(text.to_owned())),
        (None, Some(number), None, None) => {
            let kept =
                arguments(Some(number)).filter(|(text, _)| text.starts_with(|c: char| c == '-' || c.is_ascii_digit()));
            kept.filter(|(_, is_value)| *is_value).map(|(text, _)| Leaf::Scalar(text.to_owned()))
        }
        (None, None, Some(boolean), None) => boolean.as_bool().map(|boolean| Leaf::Scalar(boolean.to_string())),
        (None, None, None, Some(_)) => Some(Leaf::Scalar("null".to_owned())),
        _ => None,
    };
    leaf.map(Some).ok_or(Unreadable)
}

/// Puts a leaf at a path, or appends it to the text that is there; false if there is no such place.
fn put(slot: &mut Option<Node>, path: &[Step], leaf: Leaf, goes_on: bool) -> bool {
    let Some((step, rest)) = path.split_first() else {
        *slot = Some(match (leaf, slot.take()) {
            (Leaf::Text(more), Some(Node::Text(text))) if goes_on => Node::Text(text + &more),
            (Leaf::Text(text), _) => Node::Text(text),
            (Leaf::Scalar(text), _) => Node::Scalar(text),
        });
        return true;
    };
    let empty = || match step {
        Step::Name(_) => Node::Object(Vec::new()),
        Step::Index(_) => Node::Array(Vec::new()),
    };
    let inner = match (slot.get_or_insert_with(empty), step) {
        (Node::Object(members), Step::Name(name)) => Some(member(members, name)),
        (Node::Array(items), Step::Index(index)) => {
            if *index == items.len() {
                items.push(None);
            }
            items.get_mut(*index)
        }
        _ => None,
    };
    inner.is_some_and(|inner| put(inner, rest, leaf, goes_on))
}

/// The steps of a path; `None` if it is none.
fn path(text: &str) -> Option<Vec<Step>> {
    let mut rest = text.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = match (rest.strip_prefix('.'), rest.strip_prefix('[')) {
            (Some(name), _) => {
                let (name, after) = name.split_at_checked(name.find(['.', '[']).unwrap_or(name.len()))?;
                (Step::Name(Some(name).filter(|name| !matches!(*name, "" | "*"))?.to_owned()), after)
            }
            (_, Some(inner)) if inner.starts_with(['\'', '"']) => {
                let (name, after) = quoted(inner)?;
                (Step::Name(name), after.strip_prefix(']')?)
            }
            (_, Some(inner)) => {
                let (digits, after) = inner.split_once(']')?;
                let index: usize = digits.parse().ok()?;
                // Only in its one spelling.
                (Step::Index(Some(index).filter(|index| index.to_string() == digits)?), after)
            }
            (None, None) => return None,
        };
        steps.push(step);
        rest = after;
    }
    Some(steps)
}

/// The text between quotes, and what follows them.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.chars();
    let quote = chars.next()?;
    // The same text as a JSON string, which knows the same escapes but the one of the single quote.
    let mut json = String::from("\"");
    loop {
        match chars.next()? {
            '\\' => match chars.next()? {
                '\'' => json.push('\''),
                escaped => json.extend(['\\', escaped]),
            },
            end if end == quote => break,
            '"' => json.push_str("\\\""),
            control if control < ' ' => json.extend(format!("\\u{:04x}", u32::from(control)).chars()),
            other => json.push(other),
        }
    }
    json.push('"');
    Some((serde_json::from_str(&json).ok()?, chars.as_str()))
}

fn node(value: json::Value<'_>) -> Node {
    match value.kind() {
        Kind::Object => {
            let mut members = Vec::new();
            value.members().for_each(|(key, value)| *member(&mut members, &key.decode()) = Some(node(value)));
            Node::Object(members)
        }
        Kind::Array => Node::Array(value.items().map(|item| Some(node(item))).collect()),
        _ => Node::Scalar(value.raw().to_owned()),
    }
}

/// The JSON text of a value.
fn text(node: &Node) -> String {
    let inner = |value: &Option<Node>| value.as_ref().map_or_else(|| "null".to_owned(), text);
    match node {
        Node::Scalar(text) => text.clone(),
        Node::Text(text) => string(text),
        Node::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{}:{}", string(key), inner(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Node::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(",")),
    }
}

/// A string as JSON, its lone halves of surrogate pairs lost.
fn string(text: &str) -> String {
    JsonText::string(&restore(text)).as_str().to_owned()
}

/// True if a string inside holds half of a surrogate pair.
fn is_half(node: &Node) -> bool {
    let inner = |value: &Option<Node>| value.as_ref().is_some_and(is_half);
    match node {
        Node::Scalar(_) => false,
        Node::Text(text) => has_halves(&join_halves(text)),
        Node::Object(members) => members.iter().any(|(_, value)| inner(value)),
        Node::Array(items) => items.iter().any(inner),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::value::parse;
    use super::Said;

    fn built(args: Option<&str>, pieces: &[Value]) -> (String, bool) {
        let args = args.map(|args| Said::Args(args.to_owned()));
        super::built(&args.into_iter().chain(pieces.iter().cloned().map(Said::Piece)).collect::<Vec<_>>())
    }

    fn build(args: Option<&str>, pieces: &str) -> (String, bool) {
        let pieces = parse(pieces).unwrap();
        built(args, pieces.as_array().unwrap())
    }

    #[test]
    fn pieces_build_a_value() {
        for (whole, pieces, want) in [
            (None, "[]", ""),
            (None, r#"[{"jsonPath":"$.a","stringValue":"x"}]"#, r#"{"a":"x"}"#),
            (
                None,
                r#"[{"jsonPath":"$.ops[0].a","stringValue":"x"},{"jsonPath":"$.ops[0].b","numberValue":1.0},
                    {"jsonPath":"$.ops[1]['a']","boolValue":false},{"jsonPath":"$.n","nullValue":"NULL_VALUE"}]"#,
                r#"{"ops":[{"a":"x","b":1.0},{"a":false}],"n":null}"#,
            ),
            (
                None,
                r#"[{"jsonPath":"$.a","stringValue":"ab","willContinue":true},
                    {"jsonPath":"$['a']","stringValue":"cd","willContinue":true},{"jsonPath":"$.a","stringValue":""}]"#,
                r#"{"a":"abcd"}"#,
            ),
            (
                None,
                r#"[{"jsonPath":"$.a","stringValue":"ab","willContinue":true},{"jsonPath":"$.b","boolValue":true},
                    {"jsonPath":"$.a","stringValue":"cd"},{"jsonPath":"$.b","stringValue":"x"}]"#,
                r#"{"a":"abcd","b":"x"}"#,
            ),
            (None, r#"[{"jsonPath":"$.a","stringValue":"ab"},{"jsonPath":"$.a","stringValue":"cd"}]"#, r#"{"a":"cd"}"#),
            (None, r#"[{"json_path":"$.a","string_value":"x","will_continue":true}]"#, r#"{"a":"x"}"#),
            (
                Some(r#"{"b":1E2,"a":{}}"#),
                r#"[{"jsonPath":"$[\"a\"].c","numberValue":12345678901234567890}]"#,
                r#"{"b":1E2,"a":{"c":12345678901234567890}}"#,
            ),
            (
                None,
                r#"[{"jsonPath":"$['it\\'s']['a.b']","stringValue":"x"},{"jsonPath":"$.__proto__","stringValue":"y"}]"#,
                r#"{"it's":{"a.b":"x"},"__proto__":"y"}"#,
            ),
            (
                None,
                r#"[{"jsonPath":"$.a","stringValue":"\ud83d","willContinue":true},{"jsonPath":"$.a","stringValue":"\ude00"}]"#,
                "{\"a\":\"\u{1f600}\"}",
            ),
            (Some(r#"{"a":{"x":1},"a":{"y":1.0,"y":2}}"#), "[]", r#"{"a":{"y":2}}"#),
            (
                None,
                r#"[{"jsonPath":"$.a","nullValue":null},{"jsonPath":"$['\\u0062\\n']","boolValue":true}]"#,
                r#"{"a":null,"b\n":true}"#,
            ),
            (None, r#"[{"jsonPath":"$.a"},{},{"jsonPath":"$.a","stringValue":null},7]"#, ""),
            (None, r#"[{"jsonPath":"$","stringValue":"x"}]"#, r#""x""#),
        ] {
            assert_eq!(build(whole, pieces), (want.to_owned(), true), "{pieces}");
        }
    }

    #[test]
    fn what_can_only_be_guessed_is_not() {
        let first = json!({"jsonPath": "$.a", "stringValue": "x"});
        for path in [
            "",
            "a",
            "$a",
            "$.",
            "$..a",
            "$.a.",
            "$[",
            "$[]",
            "$[a]",
            "$['a'",
            "$['a'x]",
            "$[-1]",
            "$[*]",
            "$.*",
            "$[01]",
            r"$['\x']",
            r"$['\ud83d']",
        ] {
            let pieces = [first.clone(), json!({"jsonPath": path, "stringValue": "x"})];
            assert_eq!(built(None, &pieces), (r#"{"a":"x"}"#.to_owned(), false), "{path}");
        }
        for piece in [
            r#"{"stringValue":"x"}"#,
            r#"{"jsonPath":"$.a.b","stringValue":"x"}"#,
            r#"{"jsonPath":"$[0]","stringValue":"x"}"#,
            r#"{"jsonPath":"$.b[1]","stringValue":"x"}"#,
            r#"{"jsonPath":"$.b","stringValue":"x","boolValue":true}"#,
            r#"{"jsonPath":"$.b","stringValue":7}"#,
            r#"{"jsonPath":"$.b","numberValue":"7"}"#,
            r#"{"jsonPath":"$.b","boolValue":"true"}"#,
        ] {
            let pieces = [first.clone(), parse(piece).unwrap(), json!({"jsonPath": "$.c", "boolValue": true})];
            assert_eq!(built(None, &pieces), (r#"{"a":"x"}"#.to_owned(), false), "{piece}");
        }
        assert_eq!(build(Some("\"x\""), r#"[{"jsonPath":"$.a","boolValue":true}]"#), ("\"x\"".to_owned(), false));
        let half = build(None, r#"[{"jsonPath":"$.a","stringValue":"\ud83d"}]"#);
        assert_eq!(half, ("{\"a\":\"\u{fffd}\"}".to_owned(), false));
        let args = |text: &str| Said::Args(text.to_owned());
        for (said, want, readable) in [
            (vec![args(r#"{"a":1}"#), args(r#"{"b":2,"a":3}"#)], r#"{"a":3,"b":2}"#, true),
            (vec![Said::Piece(first.clone()), args(r#"{"a":3}"#)], r#"{"a":3}"#, true),
            (vec![args(r#"{"a":1}"#), args("[1]"), args("{}")], r#"{"a":1}"#, false),
            (vec![args("[1]"), args("{}")], "[1]", false),
            (vec![args(r#"{"a":"\ud83d"}"#), args("{}")], "", false),
            (vec![args("{}"), Said::NoList], "{}", false),
        ] {
            assert_eq!(super::built(&said), (want.to_owned(), readable), "{said:?}");
        }
        let deep = |steps: usize| -> Vec<Value> {
            vec![json!({"jsonPath": format!("${}", ".a".repeat(steps)), "boolValue": true})]
        };
        assert!(built(None, &deep(512)).1);
        assert!(!built(None, &deep(513)).1);
    }
}
