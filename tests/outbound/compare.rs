//! Two bodies in three grades.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rstest::rstest;
use toolwire::check::outbound::{Apart, Comparison, EQUIVALENCES, compare};
use toolwire::corpus::Grade::{self, Bytes, Equivalent, Exact};
use toolwire::json::Doc;
use toolwire::model::Api::{self, AnthropicMessages, Gemini, MistralChat, OpenaiChat, OpenaiResponses};

fn apart(api: Api, grade: Grade, placeholders: bool, at: &str, expected: &str, actual: &str) -> Option<Apart> {
    let (expected, actual) = (Doc::parse(expected).unwrap(), Doc::parse(actual).unwrap());
    compare(expected.root(), actual.root(), at, Comparison { api, grade, placeholders })
}

/// Pairs of bodies that one rewrite makes one: the row's id, the API, both bodies, and a body that is another one.
const SAME: &[(&str, Api, &str, &str, &str)] = &[
    (
        "casing",
        Gemini,
        r#"{"contents":[{"parts":[{"functionCall":{"name":"f","args":{"a_b":1}}}]}]}"#,
        r#"{"contents":[{"parts":[{"function_call":{"name":"f","args":{"a_b":1}}}]}]}"#,
        r#"{"contents":[{"parts":[{"function_call":{"name":"f","args":{"aB":1}}}]}]}"#,
    ),
    (
        "type-casing",
        Gemini,
        r#"{"tools":[{"functionDeclarations":[{"parameters":{"type":"OBJECT","properties":{"type":{"type":"STRING","enum":["A"]}}}}]}]}"#,
        r#"{"tools":[{"functionDeclarations":[{"parameters":{"type":"object","properties":{"type":{"type":"string","enum":["A"]}}}}]}]}"#,
        r#"{"tools":[{"functionDeclarations":[{"parameters":{"type":"object","properties":{"type":{"type":"string","enum":["a"]}}}}]}]}"#,
    ),
    (
        "one-block",
        AnthropicMessages,
        r#"{"system":"s","messages":[{"role":"user","content":"a"}]}"#,
        r#"{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}"#,
        r#"{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}]}"#,
    ),
    (
        "one-part",
        MistralChat,
        r#"{"messages":[{"role":"user","content":"a"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"b"}]}]}"#,
    ),
    (
        "one-input",
        OpenaiResponses,
        r#"{"input":[{"type":"function_call_output","call_id":"a","output":"x"}]}"#,
        r#"{"input":[{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x"}]}]}"#,
        r#"{"input":[{"type":"function_call_output","call_id":"a","output":[{"type":"input_image","text":"x"}]}]}"#,
    ),
    (
        "one-message",
        OpenaiResponses,
        r#"{"input":"hi"}"#,
        r#"{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}]}"#,
        r#"{"input":[{"role":"developer","content":"hi"}]}"#,
    ),
    (
        "defaults",
        AnthropicMessages,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":false}]}],"stream":false}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true}]}]}"#,
    ),
    (
        "defaults",
        OpenaiChat,
        r#"{"tools":[{"type":"function","function":{"name":"f","strict":false}}],"messages":[{"role":"assistant","content":null,"tool_calls":[]}]}"#,
        r#"{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"assistant","tool_calls":[]}]}"#,
        r#"{"tools":[{"type":"function","function":{"name":"f","strict":true}}],"messages":[{"role":"assistant","tool_calls":[]}]}"#,
    ),
    (
        "defaults",
        OpenaiResponses,
        r#"{"store":true,"input":[{"type":"message","role":"user","content":"a"}]}"#,
        r#"{"input":[{"role":"user","content":"a"}]}"#,
        r#"{"store":false,"input":[{"role":"user","content":"a"}]}"#,
    ),
    (
        "defaults",
        Gemini,
        r#"{"contents":[{"role":"user","parts":[{"functionCall":{"name":"f","args":{}}}]}]}"#,
        r#"{"contents":[{"parts":[{"functionCall":{"name":"f"}}]}]}"#,
        r#"{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}}]}]}"#,
    ),
    (
        "defaults",
        MistralChat,
        r#"{"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function"}]}]}"#,
        r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"a"}]}]}"#,
        r#"{"messages":[{"role":"assistant","content":"x","tool_calls":[{"id":"a"}]}]}"#,
    ),
    (
        "arguments",
        MistralChat,
        r#"{"messages":[{"tool_calls":[{"function":{"arguments":"{\"b\":1, \"strict\":false}"}}]}]}"#,
        r#"{"messages":[{"tool_calls":[{"function":{"arguments":{"strict":false,"b":1.0}}}]}]}"#,
        r#"{"messages":[{"tool_calls":[{"function":{"arguments":{"b":1}}}]}]}"#,
    ),
    (
        "cache-markers",
        AnthropicMessages,
        r#"{"tools":[{"name":"f","cache_control":{"type":"ephemeral"}}]}"#,
        r#"{"tools":[{"name":"f"}]}"#,
        r#"{"tools":[{"name":"f","input_schema":{"cache_control":{}}}]}"#,
    ),
];

#[test]
fn rewrites_make_bodies_equivalent_and_nothing_closer() {
    for (id, api, one, other, different) in SAME {
        for (expected, actual) in [(one, other), (other, one)] {
            assert_eq!(apart(*api, Equivalent, false, "", expected, actual), None, "{id}");
            assert!(apart(*api, Exact, false, "", expected, actual).is_some(), "{id}");
            assert!(apart(*api, Bytes, false, "", expected, actual).is_some(), "{id}");
        }
        for (expected, actual) in [(one, different), (different, one)] {
            assert!(apart(*api, Equivalent, false, "", expected, actual).is_some(), "{id}: {different}");
        }
        for body in [one, other, different] {
            for grade in Grade::ALL {
                assert_eq!(apart(*api, *grade, false, "", body, body), None, "{id}");
            }
        }
    }
}

#[test]
fn every_rewrite_has_a_pair() {
    let tested: BTreeSet<(&str, Api)> = SAME.iter().map(|(id, api, ..)| (*id, *api)).collect();
    for row in EQUIVALENCES {
        assert!(row.apis.iter().any(|api| tested.contains(&(row.id, *api))), "{}", row.id);
        assert!(!row.source.is_empty() && !row.says.is_empty());
    }
}

/// grade, at, expected, actual, the pointer of the difference (none: the same), whether only order differs
#[rstest]
#[case(Exact, "", r#"{"a":1,"b":[1.0]}"#, r#"{"b":[1],"a":1e0}"#, None)]
#[case(Exact, "", r#"{"a":1}"#, r#"{"a":1,"b":2}"#, Some(("/b", false)))]
#[case(Exact, "", r#"{"a":1,"b":2}"#, r#"{"a":1}"#, Some(("/b", false)))]
#[case(Exact, "/a", r#"{"a":1,"b":2}"#, r#"{"a":1}"#, None)]
#[case(Exact, "/b", r#"{"a":1}"#, r#"{"a":1}"#, None)]
#[case(Exact, "/b", r#"{"a":1}"#, r#"{"b":null}"#, Some(("/b", false)))]
#[case(Exact, "/a", r#"{"a":12345678901234567890}"#, r#"{"a":12345678901234567000}"#, Some(("/a", false)))]
#[case(Exact, "/tools", r#"{"tools":[{"name":"a"},{"name":"b"}]}"#, r#"{"tools":[{"name":"b"},{"name":"a"}]}"#, Some(("/tools", true)))]
#[case(Exact, "/tools", r#"{"tools":[{"name":"a"},{"name":"b"}]}"#, r#"{"tools":[{"name":"b"},{"name":"c"}]}"#, Some(("/tools/0/name", false)))]
#[case(Exact, "/tools", r#"{"tools":[{"name":"a"},{"name":"b"}]}"#, r#"{"tools":[{"name":"a"}]}"#, Some(("/tools/1", false)))]
#[case(Exact, "", r#"{"m":[{"c":[{"id":"1"},{"id":"2"}]}]}"#, r#"{"m":[{"c":[{"id":"2"},{"id":"1"}]}]}"#, Some(("/m/0/c", true)))]
#[case(Exact, "", r#"{"a/b":{"~":1}}"#, r#"{"a/b":{"~":2}}"#, Some(("/a~1b/~0", false)))]
#[case(Bytes, "", r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#, None)]
#[case(Bytes, "", r#"{"x":{"a":1,"b":2}}"#, r#"{"x":{"b":2,"a":1}}"#, Some(("/x", true)))]
#[case(Bytes, "/a", r#"{"a":1.0}"#, r#"{"a":1}"#, Some(("/a", false)))]
#[case(Bytes, "", r#"{"a":1}"#, r#"{"a": 1}"#, Some(("", false)))]
#[case(Bytes, "", r#"{"a":"\u00e9"}"#, r#"{"a":"é"}"#, Some(("", false)))]
#[case(Equivalent, "/tools", r#"{"tools":[{"name":"a","cache_control":{}},{"name":"b"}]}"#, r#"{"tools":[{"name":"b","cache_control":{}},{"name":"a"}]}"#, Some(("/tools", true)))]
fn the_first_difference_is_told(
    #[case] grade: Grade,
    #[case] at: &str,
    #[case] expected: &str,
    #[case] actual: &str,
    #[case] found: Option<(&str, bool)>,
) {
    let apart = apart(AnthropicMessages, grade, false, at, expected, actual);
    assert_eq!(apart.as_ref().map(|apart| (apart.pointer.as_str(), apart.only_order)), found, "{apart:?}");
}

#[test]
fn order_is_told_by_names() {
    let found = apart(
        OpenaiChat,
        Exact,
        false,
        "/tools",
        r#"{"tools":[{"function":{"name":"a"}},{"function":{"name":"b"}}]}"#,
        r#"{"tools":[{"function":{"name":"b"}},{"function":{"name":"a"}}]}"#,
    )
    .unwrap();
    assert_eq!(found.expected.unwrap().as_str(), r#"{"order":["a","b"]}"#);
    assert_eq!(found.actual.unwrap().as_str(), r#"{"order":["b","a"]}"#);
}

#[rstest]
#[case(r#"["<any text>","<any>"]"#, r#"["x",{"a":1}]"#, true)]
#[case(r#"["<any text>"]"#, r#"[""]"#, false)]
#[case(r#"["<any text>"]"#, "[1]", false)]
#[case(r#"["<id:1>","<id:2>","<id:1>"]"#, r#"["a","b","a"]"#, true)]
#[case(r#"["<id:1>","<id:2>"]"#, r#"["a","a"]"#, false)]
#[case(r#"["<id:1>","<id:1>"]"#, r#"["a","b"]"#, false)]
#[case(r#"["<id:1>"]"#, r#"[""]"#, false)]
#[case(r#"["<id:1>"]"#, "[1]", false)]
fn placeholders_stand_for_what_they_say(#[case] expected: &str, #[case] actual: &str, #[case] fits: bool) {
    assert_eq!(apart(OpenaiChat, Exact, true, "", expected, actual).is_none(), fits);
    // Without leave they are texts like any other.
    assert!(apart(OpenaiChat, Exact, false, "", expected, actual).is_some());
}

#[test]
fn a_placeholder_stands_for_the_text_of_one_block() {
    let expected = r#"{"messages":[{"role":"user","content":"<any text>"}]}"#;
    let actual = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}"#;
    assert_eq!(apart(AnthropicMessages, Equivalent, true, "", expected, actual), None);
    assert!(apart(AnthropicMessages, Exact, true, "", expected, actual).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_body_is_itself_in_every_grade(texts in prop::collection::vec("[a-c]{0,2}", 1..20), api in 0usize..5) {
        let words = ["content", "input", "tools", "arguments", "function_call", "type", "parameters", "role"];
        let body = texts.iter().rev().enumerate().fold("null".to_owned(), |inner, (at, text)| {
            format!(r#"{{"{}":"{text}","{}":[{inner}],"x":{inner}}}"#, words[at % 8], words[(at * 3 + 1) % 8])
        });
        prop_assume!(body.len() < 100_000);
        for grade in Grade::ALL {
            prop_assert_eq!(apart(Api::ALL[api], *grade, false, "", &body, &body), None);
        }
    }
}

/// As in `tests/hostile.rs`: 16 times the input, far less than 256 times the time.
#[rstest]
#[case::items(|n| format!(r#"{{"tools":[{}]}}"#, (0..n).map(|i| format!(r#"{{"name":"f{i}"}}"#)).collect::<Vec<_>>().join(",")))]
#[case::keys(|n| format!("{{{}}}", (0..n).map(|i| format!(r#""k{i}":[{i}]"#)).collect::<Vec<_>>().join(",")))]
#[case::duplicates(|n| format!("{{{}}}", (0..n).map(|i| format!(r#""k":{i}"#)).collect::<Vec<_>>().join(",")))]
fn comparing_is_linear(#[case] body: fn(usize) -> String) {
    let time = |n: usize| {
        let expected = body(n);
        // The last value differs, so that everything before it is looked at.
        let at = expected.rfind(|c: char| c.is_ascii_digit()).unwrap();
        let digit = if expected[at..].starts_with('7') { "8" } else { "7" };
        let actual = format!("{}{digit}{}", &expected[..at], &expected[at + 1..]);
        #[expect(clippy::disallowed_methods, reason = "measures")]
        let start = std::time::Instant::now();
        for grade in Grade::ALL {
            assert!(apart(AnthropicMessages, *grade, false, "", &expected, &actual).is_some(), "{grade:?}");
        }
        start.elapsed()
    };
    let small = (0..5).map(|_| time(1000)).min().unwrap();
    let large = (0..5).map(|_| time(16_000)).min().unwrap();
    assert!(large < small * 64, "{small:?} became {large:?}");
}
