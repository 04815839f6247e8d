//! `json::Doc` against `serde_json`: they accept the same texts and see the same values.
#![expect(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use serde_json::Value as Oracle;
use toolwire::json::{Doc, Kind, Strictness, Style, Value, Writer, difference};

fn oracle_of(value: Value<'_>) -> Oracle {
    match value.kind() {
        Kind::Null => Oracle::Null,
        Kind::Bool => Oracle::Bool(value.as_bool().unwrap()),
        Kind::Number => serde_json::from_str(value.raw()).unwrap(),
        Kind::String => Oracle::String(value.to_text().unwrap().into_owned()),
        Kind::Array => value.items().map(oracle_of).collect(),
        Kind::Object => value.members().map(|(key, member)| (key.decode().into_owned(), oracle_of(member))).collect(),
    }
}

/// `serde_json` refuses lone surrogates, numbers beyond a double and more than 127 levels; JSON does not.
fn beyond_the_oracle(text: &str) -> bool {
    let (mut depth, mut deepest) = (0i32, 0i32);
    for b in text.bytes() {
        match b {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > 120
}

fn check(text: &str) {
    match (Doc::parse(text), serde_json::from_str::<Oracle>(text)) {
        (Ok(doc), Ok(oracle)) => {
            assert_eq!(oracle_of(doc.root()), oracle, "{text}");
            let mut writer = Writer::new(Style::Compact);
            writer.value(doc.root());
            let written = writer.finish();
            let again = Doc::parse(written.as_str()).unwrap();
            assert_eq!(difference(doc.root(), again.root(), Strictness::Text), None, "{text}");
        }
        (Err(_), Err(_)) => {}
        (Ok(doc), Err(error)) => {
            let excused = doc.root().has_lone_surrogate()
                || error.to_string().contains("number out of range")
                || beyond_the_oracle(text);
            assert!(excused, "only Doc accepts {text:?}: {error}");
        }
        (Err(error), Ok(_)) => panic!("only serde_json accepts {text:?}: {error}"),
    }
}

#[test]
fn edges_of_the_grammar() {
    for text in [
        "",
        " ",
        "{",
        "}",
        "[1,]",
        "{\"a\":1,}",
        "[,1]",
        "01",
        "-",
        "-0",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1E-2",
        "+1",
        "tru",
        "nul",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud83d\"",
        "\"\\ud83d\\u0041\"",
        "\"\\ud83d\\ude00\"",
        "\"\t\"",
        "\"\u{7f}\"",
        "1 2",
        "{\"a\" 1}",
        "{1:2}",
        "[1 2]",
        "\u{feff}1",
        "\"\\/\\b\\f\\n\\r\\t\\\\\\\"\"",
        "{\"a\":{\"b\":[{},[],\"\"]}}",
        "12345678901234567890",
        "1e400",
        "\"abcdefgh\u{1}\"",
        "\"abcdefg\\\"h\"",
        "\"ééééééééé\\u00e9\"",
        "[true,false,null]",
        "\"unterminated",
        "'a'",
        "NaN",
        "[1]]",
    ] {
        check(text);
    }
}

#[test]
fn depth_is_limited_without_recursion() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(Doc::parse(nested(toolwire::json::MAX_DEPTH)).is_ok());
    let error = Doc::parse(nested(toolwire::json::MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.to_string(), "nested deeper than 512 levels at byte 512");
    assert!(Doc::parse("[".repeat(1_000_000)).is_err());
}

#[test]
fn offsets_duplicates_and_pointers_are_visible() {
    let text = r#"{"a": 1.0, "b/c": ["x", {"d": null}], "a": 1E2}"#;
    let doc = Doc::parse(text).unwrap();
    let root = doc.root();
    assert_eq!(root.get("a").unwrap().raw(), "1E2", "of duplicates the last");
    assert!(root.has_duplicate_keys());
    let inner = root.pointer("/b~1c/1/d").unwrap();
    assert!(inner.is_null());
    assert_eq!(&text[inner.span()], "null");
    assert_eq!(root.members().map(|(key, _)| key.raw()).collect::<Vec<_>>(), ["a", "b/c", "a"]);
}

#[test]
fn members_are_found_one_by_one_and_in_one_walk() {
    let doc = Doc::parse(r#"{"a":1,"bb":{"a":9},"\u0063":3,"a":[4],"":5}"#).unwrap();
    let root = doc.root();
    for name in ["a", "bb", "c", "", "d", "\\u0063", "aa"] {
        let [picked] = root.pick([name]);
        assert_eq!(picked.map(Value::raw), root.get(name).map(Value::raw), "{name}");
    }
    let [c, a, none, empty] = root.pick(["c", "a", "x", ""]).map(|value| value.map(Value::raw));
    assert_eq!((c, a, none, empty), (Some("3"), Some("[4]"), None, Some("5")));
    assert!(root.get("bb").unwrap().get("b").is_none() && root.get("c").unwrap().get("a").is_none());
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
        any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap()),
        "\"(\\\\u[0-9a-f]{4}|[a-z ]|\\\\[nrt\\\\\"/])*\"",
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| format!("[ {}]", items.join(" , "))),
            prop::collection::vec((any::<String>(), inner), 0..6).prop_map(|members| {
                let members: Vec<String> =
                    members.iter().map(|(k, v)| format!("{}:\n{v}", serde_json::to_string(k).unwrap())).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn agrees_on_json(text in json()) {
        check(&text);
    }

    #[test]
    fn agrees_on_broken_json(text in json(), at in any::<prop::sample::Index>(), with in "[\\[\\]{}\",:0-9a-z\\\\ ]?", cut in any::<bool>()) {
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        if cut {
            chars.truncate(at);
        } else {
            chars.splice(at..=at, with.chars());
        }
        check(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn agrees_on_anything(text in "[\\[\\]{}\",:0-9eE+.\\-a-u\\\\ \n]{0,24}") {
        check(&text);
    }
}
