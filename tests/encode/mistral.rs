//! What Mistral gets.

use serde_json::{Value, json};

use super::{assistant, body, call, encoded_text, failed, image, refusal, result, text, tool, user};

const API: &str = "mistral-chat";

#[test]
fn the_bytes_of_a_small_request() {
    let request = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"system":"s","maxTokens":64,"tools":[{"name":"f","description":"d"}]}"#;
    let encoded = encoded_text(API, request).unwrap();
    assert_eq!(encoded.path, "/v1/chat/completions");
    assert_eq!(
        encoded.body,
        concat!(
            r#"{"model":"m","stream":true,"max_tokens":64,"#,
            r#""tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{}},"strict":false}}],"#,
            r#""messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}"#
        )
    );
}

#[test]
fn ids_are_nine_letters_and_digits_and_stay_distinct() {
    let ids = [
        "call_abc123",
        "abc-def-ghi",
        "abcdefghi",
        "call_123|fc_456",
        "toolcall:0",
        "call_abcdefgh1",
        "call_abcdefgh2",
        "",
    ];
    let calls = ids.iter().map(|id| call(id, "f", json!({}))).collect();
    let mut messages = vec![user("a"), assistant(calls)];
    messages.extend(ids.iter().map(|id| result(id, "1")));
    let found = body(API, json!({"messages": messages}));
    let wire: Vec<&str> =
        found["messages"][1]["tool_calls"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(wire.iter().all(|id| id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric())), "{wire:?}");
    assert_eq!((wire[0], wire[2], wire[3], wire[4]), ("9k918q7jl", "abcdefghi", "1h618ir1b", "toolcall0"));
    assert_ne!(wire[1], "abcdefghi", "a legal id stays, so another one makes way");
    let distinct: std::collections::HashSet<_> = wire.iter().collect();
    assert_eq!(distinct.len(), ids.len());
    let answered: Vec<&str> =
        found["messages"].as_array().unwrap()[2..].iter().map(|one| one["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(answered, wire);
}

#[test]
fn results_have_their_words() {
    let messages = json!([
        user("a"),
        assistant((0..6).map(|n| call(&format!("aaaaaaaa{n}"), "f", json!({}))).collect()),
        result("aaaaaaaa0", " 18 C\n"),
        result("aaaaaaaa1", ""),
        failed("aaaaaaaa2", "timeout"),
        failed("aaaaaaaa3", ""),
        result("aaaaaaaa4", vec![image()])
    ]);
    let found = body(API, json!({"messages": messages}));
    let contents: Vec<&Value> = found["messages"].as_array().unwrap()[2..].iter().map(|one| &one["content"]).collect();
    assert_eq!(
        contents[..4],
        [
            &json!("18 C"),
            &json!("(no tool output)"),
            &json!("[tool error] timeout"),
            &json!("[tool error] (no tool output)")
        ]
    );
    assert_eq!(
        *contents[4],
        json!([text("(see attached image)"), {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}])
    );
    assert_eq!(*contents[5], json!("[tool error] No result provided"));
    assert!(found["messages"].as_array().unwrap()[2..].iter().all(|one| one["name"] == "f"));
}

#[test]
fn roles_follow_each_other_as_mistral_wants_them() {
    let found = body(
        API,
        json!({"messages": [user("a"), assistant(vec![call("aaaaaaaa0", "f", json!({}))]), result("aaaaaaaa0", "1"), user("b"), user("c"), assistant(vec![text("so")])]}),
    );
    let roles: Vec<&str> =
        found["messages"].as_array().unwrap().iter().map(|one| one["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user", "user", "assistant"]);
    assert_eq!(found["messages"][3]["content"], "I have processed the tool results.");
    assert_eq!(found["messages"][6], json!({"role": "assistant", "content": "so", "prefix": true}));
}

#[test]
fn thinking_goes_back_as_chunks() {
    let found = body(
        API,
        json!({"messages": [user("a"), assistant(vec![json!({"type": "thinking", "thinking": "hm"}), text("so"), call("aaaaaaaa0", "f", json!({}))])]}),
    );
    assert_eq!(found["messages"][1]["content"], json!([{"type": "thinking", "thinking": [text("hm")]}, text("so")]));
}

#[test]
fn nothing_that_mistral_does_not_know_is_sent() {
    let found =
        body(API, json!({"tools": [tool("f")], "toolChoice": "required", "parallelToolCalls": true, "maxTokens": 9}));
    for key in ["stream_options", "store", "max_completion_tokens"] {
        assert_eq!(found.get(key), None, "{key}");
    }
    assert_eq!((&found["tool_choice"], &found["parallel_tool_calls"]), (&json!("any"), &json!(true)));
    assert_eq!(
        refusal(API, json!({"tools": [{"name": "f", "parameters": 3}], "toolChoice": {"name": "f"}})),
        "tool_choice_unavailable"
    );
}
