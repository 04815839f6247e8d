//! One request under every check.

use rstest::rstest;
use toolwire::check::outbound::{RequestJudge, determinism};
use toolwire::check::{CheckOutcome, CheckResult};
use toolwire::corpus::{ExpectedBody, Grade, RequestPattern};
use toolwire::json::JsonText;
use toolwire::observe::{Sent, SentRequest};

pub(crate) const BODY: &str = r#"{"model":"m","max_tokens":16,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},"messages":[{"role":"user","content":"hi"}]}"#;

fn pattern() -> RequestPattern {
    RequestPattern {
        turn: 0,
        body: None,
        at: vec![String::new()],
        grade: Grade::Exact,
        absent: Vec::new(),
        path: None,
        headers: Vec::new(),
        rules: Vec::new(),
        placeholders: false,
        refused: None,
        diagnostics: Vec::new(),
    }
}

fn expecting(body: &str) -> RequestPattern {
    let text = JsonText::new(body).unwrap();
    RequestPattern { body: Some(ExpectedBody { file: "1.request.json".to_owned(), text }), ..pattern() }
}

pub(crate) fn request(body: &str) -> SentRequest {
    SentRequest {
        method: "POST".to_owned(),
        path: "/v1/messages".to_owned(),
        headers: vec![
            ("anthropic-version".to_owned(), "2023-06-01".to_owned()),
            ("anthropic-beta".to_owned(), "b, a".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    }
}

fn judged(pattern: &RequestPattern, sent: &Sent, at_least: Option<Grade>) -> Vec<CheckResult> {
    let api = "anthropic-messages".parse().unwrap();
    RequestJudge { api: &api, at_least }.judge(pattern, sent)
}

fn sent(body: &str) -> Sent {
    let diagnostics = JsonText::new(r#"[{"rule":"tool-left-out","message":"m","tool":"g"}]"#).unwrap();
    Sent::Request { request: request(body), diagnostics: Some(diagnostics) }
}

/// Names of checks that failed.
fn failed(results: &[CheckResult]) -> Vec<&str> {
    results.iter().filter(|one| one.outcome == CheckOutcome::Fail).map(|one| one.check.as_str()).collect()
}

#[test]
fn the_same_body_passes_every_check_in_every_grade() {
    for grade in Grade::ALL {
        let results = judged(&expecting(BODY), &sent(BODY), Some(*grade));
        assert!(failed(&results).is_empty(), "{results:?}");
        let names: Vec<&str> = results.iter().map(|one| one.check.as_str()).collect();
        assert_eq!(
            names,
            [
                "outbound.request",
                "outbound.tools",
                "outbound.messages",
                "outbound.tool_choice",
                "outbound.cache_control",
                "outbound.body"
            ]
        );
    }
}

#[rstest]
#[case::tools(r#""name":"f""#, r#""name":"g""#, "outbound.tools", "/tools/0/name")]
#[case::messages(r#""content":"hi""#, r#""content":"ho""#, "outbound.messages", "/messages/0/content")]
#[case::choice(r#""type":"auto""#, r#""type":"none""#, "outbound.tool_choice", "/tool_choice/type")]
#[case::body(r#""max_tokens":16"#, r#""max_tokens":17"#, "outbound.body", "/max_tokens")]
#[case::surplus(r#""model":"m""#, r#""model":"m","store":true"#, "outbound.body", "/store")]
fn each_part_has_a_check_of_its_own(#[case] from: &str, #[case] to: &str, #[case] check: &str, #[case] pointer: &str) {
    let results = judged(&expecting(BODY), &sent(&BODY.replace(from, to)), None);
    assert_eq!(failed(&results), [check]);
    let failure = results.iter().find(|one| one.check == check).unwrap();
    assert_eq!(failure.pointer.as_deref(), Some(pointer), "{failure:?}");
}

#[test]
fn markers_are_left_to_their_own_check_under_equivalent() {
    let moved = BODY.replace(r#","cache_control":{"type":"ephemeral"}}]"#, "}]");
    let expected = RequestPattern { grade: Grade::Equivalent, ..expecting(BODY) };
    assert_eq!(failed(&judged(&expected, &sent(&moved), None)), ["outbound.cache_control"]);
    // What is not asserted is not compared.
    let tools = RequestPattern { at: vec!["/tools".to_owned()], ..expected };
    assert!(failed(&judged(&tools, &sent(&moved), None)).is_empty());
}

#[test]
fn grades_are_raised_but_never_lowered() {
    let spaced = BODY.replace(r#""model":"m""#, r#""model": "m""#);
    let equivalent = RequestPattern { grade: Grade::Equivalent, ..expecting(BODY) };
    assert!(failed(&judged(&equivalent, &sent(&spaced), Some(Grade::Exact))).is_empty());
    assert_eq!(failed(&judged(&equivalent, &sent(&spaced), Some(Grade::Bytes))), ["outbound.body"]);
    let bytes = RequestPattern { grade: Grade::Bytes, ..expecting(BODY) };
    assert_eq!(failed(&judged(&bytes, &sent(&spaced), Some(Grade::Equivalent))), ["outbound.body"]);
    let placeholders = RequestPattern { placeholders: true, ..expecting(BODY) };
    assert!(failed(&judged(&placeholders, &sent(&spaced), Some(Grade::Bytes))).is_empty());
}

#[test]
fn what_may_not_be_there_is_found_even_as_null() {
    let absent = RequestPattern { absent: vec!["/tools/0/strict".to_owned(), "/store".to_owned()], ..pattern() };
    assert!(failed(&judged(&absent, &sent(BODY), None)).is_empty());
    let strict = BODY.replace(r#""name":"f""#, r#""name":"f","strict":null"#);
    assert_eq!(failed(&judged(&absent, &sent(&strict), None)), ["outbound.tools"]);
}

#[rstest]
#[case(&[("Anthropic-Version", Some("2023-06-01"))], true)]
#[case(&[("anthropic-beta", Some("a,b"))], true)]
#[case(&[("anthropic-beta", Some("<any text>"))], true)]
#[case(&[("anthropic-beta", Some("a"))], false)]
#[case(&[("anthropic-beta", None)], false)]
#[case(&[("x", None)], true)]
#[case(&[("x", Some("y"))], false)]
fn headers_are_compared_by_name(#[case] headers: &[(&str, Option<&str>)], #[case] fits: bool) {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect();
    let results = judged(&RequestPattern { headers, ..pattern() }, &sent(BODY), None);
    assert_eq!(failed(&results).is_empty(), fits, "{results:?}");
}

#[test]
fn the_path_is_compared() {
    let path = |path: &str| RequestPattern { path: Some(path.to_owned()), ..pattern() };
    assert!(failed(&judged(&path("/v1/messages"), &sent(BODY), None)).is_empty());
    assert_eq!(failed(&judged(&path("/v1"), &sent(BODY), None)), ["outbound.headers"]);
}

#[test]
fn rules_judge_what_the_case_does_not_speak_of() {
    let wrong = BODY.replace(r#"{"role":"user","content":"hi"}"#, r#"{"role":"user","content":" "}"#);
    let path = RequestPattern { path: Some("/v1/messages".to_owned()), ..pattern() };
    let results = judged(&path, &sent(&wrong), None);
    assert_eq!(failed(&results), ["outbound.messages"]);
    let failure = results.iter().find(|one| one.check == "outbound.messages").unwrap();
    assert!(failure.expected.as_ref().unwrap().as_str().contains("ANT-Q-051"), "{failure:?}");
    assert_eq!(failure.pointer.as_deref(), Some("/messages/0/content"));
    // A warning counts where the case says so.
    let long = BODY.replace(r#""name":"f""#, &format!(r#""name":"{}""#, "f".repeat(65)));
    assert!(failed(&judged(&path, &sent(&long), None)).is_empty());
    let named = RequestPattern { rules: vec!["ANT-Q-012".to_owned()], ..path };
    assert_eq!(failed(&judged(&named, &sent(&long), None)), ["outbound.tools"]);
}

#[test]
fn a_body_that_is_no_json_fails_the_first_check_alone() {
    assert_eq!(failed(&judged(&expecting(BODY), &sent("{"), None)), ["outbound.request"]);
}

#[test]
fn refusals_are_expected_by_kind() {
    let refused = |kind: &str| Sent::Refused { kind: kind.to_owned(), message: "m".to_owned() };
    let expects = |kind: &str| RequestPattern { refused: Some(kind.to_owned()), ..pattern() };
    assert!(failed(&judged(&expects("a"), &refused("a"), None)).is_empty());
    assert!(failed(&judged(&expects("<any>"), &refused("b"), None)).is_empty());
    for results in [
        judged(&expects("a"), &refused("b"), None),
        judged(&expects("a"), &sent(BODY), None),
        judged(&expecting(BODY), &refused("a"), None),
    ] {
        assert_eq!(failed(&results), ["outbound.request"]);
    }
    assert!(judged(&expects("a"), &Sent::Unsupported("no".to_owned()), None).is_empty());
}

#[test]
fn diagnostics_are_found_among_others() {
    let says = |text: &str| RequestPattern { diagnostics: vec![JsonText::new(text).unwrap()], ..pattern() };
    assert!(failed(&judged(&says(r#"{"tool":"g"}"#), &sent(BODY), None)).is_empty());
    assert_eq!(failed(&judged(&says(r#"{"tool":"h"}"#), &sent(BODY), None)), ["outbound.diagnostics"]);
}

#[test]
fn determinism_is_equality_of_bytes() {
    let api = "anthropic-messages".parse().unwrap();
    let two = r#"{"tools":[{"name":"a"},{"name":"b"}]}"#;
    assert_eq!(determinism(&api, 0, &request(two), &request(two)).outcome, CheckOutcome::Pass);
    let other = r#"{"tools":[{"name":"b"},{"name":"a"}]}"#;
    let result = determinism(&api, 0, &request(two), &request(other));
    assert_eq!((result.outcome, result.pointer.as_deref()), (CheckOutcome::Fail, Some("/tools")));
    assert!(result.actual.unwrap().as_str().contains("order"));
}
