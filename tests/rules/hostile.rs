//! Bodies made to hurt: wrong types everywhere, depth, size. Reading and judging them never panics, and is linear.
//! The ratio asked for is far below that of a quadratic reader: 16 times the input, at most 64 times the time.
#![expect(clippy::disallowed_methods, reason = "measures")]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use rstest::rstest;
use toolwire::json::Doc;
use toolwire::lint::Profile;
use toolwire::model::Api;
use toolwire::providers::{MAX_BREACHES, read};

use crate::support::judge;

const SMALL: usize = 600;

fn list(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect::<Vec<_>>().join(",")
}

fn tools(n: usize) -> String {
    let one = |i| {
        format!(
            r#"{{"name":"{}","type":"function","function":{{"name":3}},"functionDeclarations":[{{"name":"3"}}]}}"#,
            i % 7
        )
    };
    format!(r#"{{"tools":[{}],"tool_choice":{{"type":"tool","name":"x"}}}}"#, list(n, one))
}

fn calls_of_one_message(n: usize) -> String {
    let block = |i| format!(r#"{{"type":"tool_use","id":"a{i}","name":"f","input":{{}}}}"#);
    let call = |i| format!(r#"{{"id":"a{i}","function":{{"name":"f","arguments":"{{}}"}}}}"#);
    let part = |i| format!(r#"{{"functionCall":{{"id":"a{i}","name":"f"}}}}"#);
    let item = |i| format!(r#"{{"type":"function_call","call_id":"a{i}","name":"f","arguments":"{{}}"}}"#);
    format!(
        r#"{{"messages":[{{"role":"assistant","content":[{}],"tool_calls":[{}]}}],"contents":[{{"role":"model","parts":[{}]}}],"input":[{}]}}"#,
        list(n, block),
        list(n, call),
        list(n, part),
        list(n, item)
    )
}

fn results_without_calls(n: usize) -> String {
    let message = |i| {
        format!(
            r#"{{"role":"{}","tool_call_id":"a","content":[{{"type":"tool_result","tool_use_id":"a","content":[{{"type":"x"}}]}}]}}"#,
            if i % 2 == 0 { "tool" } else { "user" }
        )
    };
    let content = |_| r#"{"parts":[{"functionResponse":{"name":"f","response":3}}]}"#.to_owned();
    format!(r#"{{"messages":[{}],"contents":[{}]}}"#, list(n, message), list(n, content))
}

fn long_keys(n: usize) -> String {
    let key = "k".repeat(n * 10);
    let inner = list(n, |i| format!(r#""p {i}":{{"type":["string","null"],"const":1,"not":{{}}}}"#));
    let schema = format!(r#"{{"type":"object","properties":{{"{key}":{{"properties":{{{inner}}}}}}}}}"#);
    format!(
        r#"{{"tools":[{{"name":"f","strict":true,"input_schema":{schema},"parameters":{schema},"type":"function"}},
            {{"functionDeclarations":[{{"name":"f","parameters":{schema},"parametersJsonSchema":{schema}}}]}}]}}"#
    )
}

fn references(n: usize) -> String {
    let defs = list(n, |i| format!(r##""d{i}":{{"items":{{"$ref":"#/$defs/d{}"}}}}"##, i + 1));
    format!(r#"{{"tools":[{{"name":"f","strict":true,"input_schema":{{"type":"object","$defs":{{{defs}}}}}}}]}}"#)
}

fn allowed(n: usize) -> String {
    let names = list(n, |i| format!(r#""n{i}""#));
    let tools = list(n, |i| format!(r#"{{"type":"function","name":"n{i}"}}"#));
    format!(
        r#"{{"toolConfig":{{"functionCallingConfig":{{"mode":"ANY","allowedFunctionNames":[{names}]}}}},
            "tools":[{tools}],"tool_choice":{{"type":"allowed_tools","mode":"auto","tools":[{tools}]}}}}"#
    )
}

fn all_apis(body: &str) -> Duration {
    let doc = Doc::parse(body).unwrap();
    let start = Instant::now();
    for api in Api::ALL {
        let findings = judge(api.name(), doc.root(), Profile::Strict);
        assert!(findings.len() <= MAX_BREACHES * toolwire::providers::rules(*api).len());
    }
    start.elapsed()
}

#[rstest]
#[case::tools(tools)]
#[case::calls(calls_of_one_message)]
#[case::results(results_without_calls)]
#[case::long_keys(long_keys)]
#[case::references(references)]
#[case::allowed(allowed)]
fn judging_is_linear(#[case] body: fn(usize) -> String) {
    let (small, large) = (body(SMALL), body(SMALL * 16));
    let time = |body: &str| (0..3).map(|_| all_apis(body)).min().unwrap();
    // What takes no time at all says nothing.
    let (base, grown) = (time(&small).max(Duration::from_millis(1)), time(&large));
    assert!(grown < base * 64, "{base:?} became {grown:?}");
}

#[test]
fn a_hundred_thousand_tools_are_told_in_few_lines() {
    let body = tools(100_000);
    let doc = Doc::parse(body.as_str()).unwrap();
    let findings = judge("anthropic-messages", doc.root(), Profile::Strict);
    assert!(findings.len() < 400 && findings.iter().any(|finding| finding.message.contains("more like this")));
}

#[test]
fn deep_schemas_do_not_overflow_the_stack() {
    for (open, close) in [(r#"{"items":"#, "}"), (r#"{"properties":{"a":"#, "}}"), (r#"{"anyOf":["#, "]}")] {
        let levels = 500 / open.matches(['{', '[']).count();
        let schema = format!("{}{{}}{}", open.repeat(levels), close.repeat(levels));
        let body = format!(
            r#"{{"tools":[{{"name":"f","strict":true,"type":"function","input_schema":{schema},"parameters":{schema}}},{{"functionDeclarations":[{{"parameters":{schema}}}]}}]}}"#
        );
        all_apis(&body);
    }
}

/// Words that the readers look for, and values of every kind.
fn body() -> impl Strategy<Value = String> {
    const KEYS: &[&str] = &[
        "model",
        "messages",
        "contents",
        "input",
        "tools",
        "system",
        "role",
        "content",
        "parts",
        "type",
        "text",
        "name",
        "function",
        "custom",
        "id",
        "call_id",
        "tool_use_id",
        "tool_call_id",
        "tool_calls",
        "arguments",
        "args",
        "output",
        "functionCall",
        "functionResponse",
        "response",
        "functionDeclarations",
        "parameters",
        "input_schema",
        "strict",
        "properties",
        "required",
        "anyOf",
        "$ref",
        "$defs",
        "enum",
        "cache_control",
        "ttl",
        "tool_choice",
        "toolConfig",
        "functionCallingConfig",
        "allowedFunctionNames",
        "mode",
        "request",
        "thinking",
        "signature",
        "max_tokens",
        "stream",
        "store",
        "instructions",
        "summary",
        "thoughtSignature",
        "inlineData",
        "data",
        "input_examples",
    ];
    const WORDS: &[&str] = &[
        "user",
        "assistant",
        "tool",
        "model",
        "system",
        "text",
        "tool_use",
        "tool_result",
        "server_tool_use",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "reasoning",
        "item_reference",
        "function",
        "object",
        "array",
        "a",
        "",
        "ANY",
        "namespace",
        "allowed_tools",
        "#/$defs/a",
        "ephemeral",
        "thinking",
        "null",
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("0".to_owned()),
        Just("-1.5e9".to_owned()),
        Just(r#""\ud800""#.to_owned()),
        prop::sample::select(WORDS).prop_map(|word| format!("\"{word}\"")),
    ];
    leaf.prop_recursive(7, 200, 8, |inner| {
        let member = (prop::sample::select(KEYS), inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            2 => prop::collection::vec(member, 0..8).prop_map(|members| format!("{{{}}}", members.join(","))),
            1 => prop::collection::vec(inner, 0..6).prop_map(|items| format!("[{}]", items.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn anything_can_be_read(body in body()) {
        let doc = Doc::parse(body.as_str()).unwrap();
        for api in Api::ALL {
            let view = read(*api, doc.root());
            let pointers = view.parts().map(|(_, part)| &part.node).chain(view.tools.iter().map(|tool| &tool.node));
            for node in pointers.chain(view.markers.iter().map(|marker| &marker.node)) {
                prop_assert_eq!(doc.root().pointer(&node.pointer).unwrap().span(), node.value.span());
            }
            judge(api.name(), doc.root(), Profile::Compat);
        }
    }
}
