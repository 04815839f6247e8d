//! Payloads that the vendors' own types take, or that their pages show: what comes out has to be the same JSON.

use rstest::rstest;
use serde_json::{Value, json};

use super::{assistant, body, call, failed, result, user};

fn weather() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"]}}, "required": ["city"]})
}

fn strict_weather() -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}, "unit": {"type": ["string", "null"], "enum": ["c", "f", null]}},
        "required": ["city", "unit"], "additionalProperties": false})
}

fn tools(schema: Value) -> Value {
    json!([{"name": "get_weather", "description": "Current weather for a city", "parameters": schema}])
}

/// The sample conversation of two calls, one of which fails.
fn conversation() -> Value {
    json!({
        "model": "M",
        "maxTokens": 1024,
        "tools": [
            {"name": "get_weather", "description": "Weather", "parameters": weather()},
            {"name": "now", "description": "Clock", "parameters": {"type": "object", "properties": {}}}],
        "toolChoice": "auto",
        "messages": [
            user("Paris? And the time?"),
            assistant(vec![call("w1", "get_weather", json!({"city": "Paris"})), call("n1", "now", json!({}))]),
            result("w1", "12 C"),
            failed("n1", "clock off")],
        "options": {"cacheRetention": "none", "stream": false, "eagerInputStreaming": false}
    })
}

#[test]
fn anthropic_conversation() {
    assert_eq!(
        body("anthropic-messages", conversation()),
        json!({"model": "M", "max_tokens": 1024,
            "tools": [
                {"name": "get_weather", "description": "Weather", "input_schema": weather()},
                // `required` is always there; an empty one says what a missing one does.
                {"name": "now", "description": "Clock", "input_schema": {"type": "object", "properties": {}, "required": []}}],
            "tool_choice": {"type": "auto"},
            "messages": [
                {"role": "user", "content": "Paris? And the time?"},
                {"role": "assistant", "content": [
                    {"type": "tool_use", "id": "w1", "name": "get_weather", "input": {"city": "Paris"}},
                    {"type": "tool_use", "id": "n1", "name": "now", "input": {}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "w1", "content": "12 C"},
                    {"type": "tool_result", "tool_use_id": "n1", "content": "clock off", "is_error": true}]}]})
    );
}

#[rstest]
#[case("openai-chat", weather(), json!(null), None)]
#[case("openai-chat", weather(), json!(false), Some(false))]
#[case("openai-chat", strict_weather(), json!(null), None)]
#[case("mistral-chat", weather(), json!(null), None)]
fn function_tools(#[case] api: &str, #[case] schema: Value, #[case] strict: Value, #[case] flag: Option<bool>) {
    let mut function =
        json!({"name": "get_weather", "description": "Current weather for a city", "parameters": schema});
    if let Some(flag) = flag {
        function["strict"] = json!(flag);
    }
    let found = body(api, json!({"tools": tools(schema), "options": {"strict": strict}}));
    assert_eq!(found["tools"], json!([{"type": "function", "function": function}]));
}

#[test]
fn chat_custom_tool() {
    let found = body(
        "openai-chat",
        json!({"tools": [{"name": "sh", "description": "Run a shell line", "kind": "custom",
            "format": {"type": "grammar", "syntax": "regex", "definition": "^[a-z ]+$"}}]}),
    );
    assert_eq!(
        found["tools"],
        json!([{"type": "custom", "custom": {"name": "sh", "description": "Run a shell line",
            "format": {"type": "grammar", "grammar": {"syntax": "regex", "definition": "^[a-z ]+$"}}}}])
    );
}

#[rstest]
#[case(json!("auto"), json!("auto"), json!("auto"))]
#[case(json!("none"), json!("none"), json!("none"))]
#[case(json!("required"), json!("required"), json!("any"))]
#[case(json!({"name": "get_weather"}), json!({"type": "function", "function": {"name": "get_weather"}}), json!({"type": "function", "function": {"name": "get_weather"}}))]
#[case(json!({"allowed": ["get_weather"], "mode": "required"}),
    json!({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "get_weather"}}]}}), json!("any"))]
fn tool_choices(#[case] neutral: Value, #[case] chat: Value, #[case] mistral: Value) {
    let request = json!({"tools": tools(weather()), "toolChoice": neutral});
    assert_eq!(body("openai-chat", request.clone())["tool_choice"], chat);
    assert_eq!(body("mistral-chat", request)["tool_choice"], mistral);
}

#[test]
fn chat_echo_and_result() {
    let found = body(
        "openai-chat",
        json!({"messages": [user("hi"), assistant(vec![call("call_a1", "get_weather", json!({"city": "Oslo"}))]), result("call_a1", "4 C, rain")]}),
    );
    assert_eq!(
        found["messages"],
        json!([
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"}}]},
            {"role": "tool", "tool_call_id": "call_a1", "content": "4 C, rain"}])
    );
}

#[test]
fn chat_custom_echo() {
    let found = body(
        "openai-chat",
        json!({"messages": [user("hi"),
            assistant(vec![json!({"type": "toolCall", "id": "call_c1", "name": "sh", "kind": "custom", "arguments": "ls"})]), result("call_c1", "a.txt")]}),
    );
    assert_eq!(
        found["messages"][1],
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "call_c1", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]})
    );
}

#[test]
fn mistral_echo_and_result() {
    let mut answer = result("aB3dE6gH9", "4 C, rain");
    answer["toolName"] = json!("get_weather");
    let found = body(
        "mistral-chat",
        json!({"messages": [user("hi"), assistant(vec![call("aB3dE6gH9", "get_weather", json!({"city": "Oslo"}))]), answer]}),
    );
    assert_eq!(
        found["messages"],
        json!([
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "aB3dE6gH9", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"}}]},
            {"role": "tool", "tool_call_id": "aB3dE6gH9", "name": "get_weather", "content": "4 C, rain"}])
    );
}

#[rstest]
#[case("deepseek", json!({"content": "", "reasoning_content": "plan"}))]
#[case("kimi", json!({"content": "", "reasoning_content": "plan"}))]
#[case("openrouter", json!({"content": "", "reasoning_details": [{"type": "reasoning.text", "text": "plan", "signature": "sig"}]}))]
#[case("minimax", json!({"content": "<think>plan</think>"}))]
#[case("gemini", json!({"content": ""}))]
fn vendor_additions_on_the_echo(#[case] dialect: &str, #[case] expected: Value) {
    let mut one = call("f1", "get_weather", json!({}));
    if dialect == "gemini" {
        one["thoughtSignature"] = json!("S");
    }
    let thinking = json!({"type": "thinking", "thinking": "plan", "signature": "sig"});
    let found = body(
        &format!("openai-chat/{dialect}"),
        json!({"messages": [user("hi"), assistant(vec![thinking, one]), result("f1", "1")]}),
    );
    let message = &found["messages"][1];
    for (key, value) in expected.as_object().unwrap() {
        // `null` is no text.
        let found = if message[key].is_null() { json!("") } else { message[key].clone() };
        assert_eq!(found, *value, "{dialect} {key}");
    }
    let signature = &message["tool_calls"][0]["extra_content"];
    let wanted = if dialect == "gemini" { json!({"google": {"thought_signature": "S"}}) } else { json!(null) };
    assert_eq!(*signature, wanted, "{dialect}");
}
