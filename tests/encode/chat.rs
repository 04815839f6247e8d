//! What chat servers get.

use rstest::rstest;
use serde_json::{Value, json};

use super::{
    assistant, body, call, encoded, encoded_text, failed, image, refusal, result, rules, text, tool, user, whole,
};

const API: &str = "openai-chat";

#[test]
fn the_bytes_of_a_small_request() {
    let request = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"system":"Be brief.","maxTokens":64,"toolChoice":"auto","parallelToolCalls":false,
        "tools":[{"name":"b","description":"d","parameters":{"type":"object","properties":{}}},{"name":"B","description":"d"}]}"#;
    let encoded = encoded_text(API, request).unwrap();
    assert_eq!((encoded.method, encoded.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(encoded.headers, [("content-type", "application/json".to_owned())]);
    assert_eq!(
        encoded.body,
        concat!(
            r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":64,"store":false,"#,
            r#""tools":[{"type":"function","function":{"name":"B","description":"d","parameters":{"type":"object","properties":{}},"strict":false}},"#,
            r#"{"type":"function","function":{"name":"b","description":"d","parameters":{"type":"object","properties":{}},"strict":false}}],"#,
            r#""tool_choice":"auto","parallel_tool_calls":false,"#,
            r#""messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]}"#
        )
    );
}

/// `strict`, `store`, the field of the limit, `tool_choice` required and named, parallel false.
#[rstest]
#[case("openai", true, true, "max_completion_tokens", true, true, true)]
#[case("azure", true, true, "max_completion_tokens", true, true, true)]
#[case("deepseek", false, false, "max_tokens", true, true, true)]
#[case("xai", true, false, "max_completion_tokens", true, true, true)]
#[case("groq", true, false, "max_completion_tokens", true, true, true)]
#[case("openrouter", true, true, "max_completion_tokens", true, true, true)]
#[case("moonshot", false, false, "max_tokens", false, true, true)]
#[case("dashscope", false, false, "max_tokens", true, true, true)]
#[case("zai", true, false, "max_completion_tokens", true, false, true)]
#[case("minimax", false, false, "max_completion_tokens", true, true, true)]
#[case("together", false, false, "max_tokens", true, true, false)]
#[case("fireworks", true, false, "max_completion_tokens", true, true, true)]
#[case("cerebras", true, false, "max_completion_tokens", true, true, false)]
#[case("vllm", true, false, "max_completion_tokens", true, true, true)]
#[case("llamacpp", false, false, "max_completion_tokens", true, true, true)]
#[case("sglang", true, false, "max_completion_tokens", true, true, true)]
#[case("lmstudio", false, false, "max_completion_tokens", true, false, true)]
#[case("gemini", false, false, "max_completion_tokens", true, true, true)]
#[case("ollama", false, false, "max_tokens", false, false, true)]
#[case("copilot", true, false, "max_completion_tokens", true, true, true)]
#[case("cloudflare", false, false, "max_completion_tokens", true, true, true)]
fn each_server_gets_what_it_takes(
    #[case] dialect: &str,
    #[case] strict: bool,
    #[case] store: bool,
    #[case] limit: &str,
    #[case] required: bool,
    #[case] named: bool,
    #[case] single: bool,
) {
    let api = format!("openai-chat/{dialect}");
    let with =
        |choice: Value| json!({"tools": [tool("f")], "maxTokens": 9, "parallelToolCalls": false, "toolChoice": choice});
    let found = body(&api, with(json!(null)));
    let function = &found["tools"][0]["function"];
    assert_eq!(function.get("strict"), strict.then_some(&json!(false)));
    assert_eq!(found.get("store"), store.then_some(&json!(false)));
    assert_eq!(found[limit], 9);
    assert_eq!(found["stream_options"]["include_usage"], true);
    assert_eq!(found.get("parallel_tool_calls"), single.then_some(&json!(false)));
    for (choice, takes) in [(json!("required"), required), (json!({"name": "f"}), named)] {
        match encoded(&api, &whole(with(choice))) {
            Ok(sent) => assert!(takes && sent.body.contains("tool_choice"), "{}", sent.body),
            Err(refused) => assert!(!takes && refused.kind.name() == "tool_choice_unsupported", "{refused}"),
        }
    }
}

#[rstest]
#[case(json!(null), None)]
#[case(json!(false), Some(false))]
fn strict_is_never_null(#[case] option: Value, #[case] expected: Option<bool>) {
    let request = whole(json!({"tools": [tool("f")], "options": {"strict": option}}));
    let encoded = encoded(API, &request).unwrap();
    assert_eq!(encoded.body.contains("strict"), expected.is_some());
    assert!(!encoded.body.contains("\"strict\":null"));
}

#[test]
fn an_empty_list_of_tools_is_sent_only_where_it_is_needed() {
    let history = json!([user("a"), assistant(vec![call("x", "f", json!({}))]), result("x", "1")]);
    assert_eq!(body("openai-chat/litellm", json!({"messages": history}))["tools"], json!([]));
    assert_eq!(body("openai-chat/openrouter", json!({"messages": history}))["tools"], json!([]));
    assert_eq!(body(API, json!({"messages": history})).get("tools"), None);
    assert_eq!(body("openai-chat/litellm", json!({})).get("tools"), None);
}

#[test]
fn openrouter_marks_for_models_of_anthropic() {
    let request = |model: &str, retention: &str| {
        json!({"model": model, "system": ["a", "b"], "tools": [tool("g"), tool("f")], "options": {"cacheRetention": retention},
            "messages": [user("a"), assistant(vec![text("b"), call("x", "f", json!({}))]), result("x", "1")]})
    };
    let found = body("openai-chat/openrouter", request("anthropic/claude", "long"));
    let marker = json!({"type": "ephemeral", "ttl": "1h"});
    assert_eq!(found["messages"][0]["content"], json!([{"type": "text", "text": "a\n\nb", "cache_control": marker}]));
    assert_eq!(found["messages"][2]["content"], json!([{"type": "text", "text": "b", "cache_control": marker}]));
    assert_eq!(found["tools"][1]["cache_control"], marker);
    assert_eq!(found.to_string().matches("cache_control").count(), 3);
    for (dialect, model, retention) in [
        ("openrouter", "anthropic/claude", "none"),
        ("openrouter", "x/y", "short"),
        ("litellm", "anthropic/claude", "short"),
    ] {
        let found = body(&format!("openai-chat/{dialect}"), request(model, retention));
        assert!(!found.to_string().contains("cache_control"), "{dialect} {model} {retention}");
    }
}

#[test]
fn images_of_results_stand_behind_all_of_them() {
    let messages = json!([
        user(vec![text("look"), image()]),
        assistant(vec![call("x", "f", json!({})), call("y", "g", json!({}))]),
        result("x", vec![image()]),
        result("y", vec![text("2"), text("b"), image()]),
        user("next")
    ]);
    let found = body(API, json!({"messages": messages}));
    let picture = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
    assert_eq!(found["messages"][0]["content"], json!([text("look"), picture]));
    assert_eq!(
        found["messages"].as_array().unwrap()[2..],
        [
            json!({"role": "tool", "tool_call_id": "x", "content": "(see attached image)"}),
            json!({"role": "tool", "tool_call_id": "y", "content": "2\nb"}),
            json!({"role": "user", "content": [text("Attached image(s) from tool result:"), picture, picture]}),
            json!({"role": "user", "content": "next"})
        ]
    );
    let found = body("openai-chat/deepseek", json!({"messages": messages}));
    assert_eq!(
        found["messages"][0]["content"],
        json!([text("look"), text("(image omitted: model does not support images)")])
    );
    assert_eq!(found["messages"][2]["content"], "(tool image omitted: model does not support images)");
    assert_eq!(found["messages"][3]["content"], "2\nb\n(tool image omitted: model does not support images)");
    assert!(!found.to_string().contains("image_url"));
}

#[test]
fn failures_are_marked_in_the_text() {
    let messages = json!([
        user("a"),
        assistant(vec![
            call("w", "f", json!({})),
            call("x", "f", json!({})),
            call("y", "f", json!({})),
            call("z", "f", json!({}))
        ]),
        failed("w", "timeout"),
        failed("x", ""),
        failed("y", "Error: gone"),
        result("z", "")
    ]);
    let found = body(API, json!({"messages": messages}));
    let texts: Vec<&str> =
        found["messages"].as_array().unwrap()[2..].iter().map(|one| one["content"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Error: timeout", "Error: (no output)", "Error: gone", ""]);
    assert_eq!(rules(API, json!({"messages": messages})), ["error-in-text"]);
}

#[test]
fn long_ids_are_cut_with_a_hash_where_there_is_a_limit() {
    let long = |end: char| format!("chatcmpl-tool-0123456789abcdef0123456789abcde{end}");
    let (a, b) = (long('a'), long('b'));
    let composite = format!("call_1|fc_{a}");
    let messages = json!([
        user("a"),
        assistant(vec![call(&a, "f", json!({})), call(&b, "f", json!({})), call(&composite, "f", json!({}))]),
        result(&a, "1"),
        result(&b, "2"),
        result(&composite, "3")
    ]);
    let found = body(API, json!({"messages": messages}));
    let ids: Vec<&str> =
        found["messages"][1]["tool_calls"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.iter().all(|id| id.len() <= 40) && ids[0] != ids[1] && ids[2] == "call_1", "{ids:?}");
    for (at, id) in ids.iter().enumerate() {
        assert_eq!(found["messages"][2 + at]["tool_call_id"], *id);
    }
    let kept = body("openai-chat/minimax", json!({"messages": messages}));
    assert_eq!(kept["messages"][1]["tool_calls"][0]["id"], a.as_str());
}

#[rstest]
#[case("deepseek", json!(true), json!("plan"), json!(""))]
#[case("deepseek", json!(null), json!("plan"), json!(""))]
#[case("deepseek", json!(false), json!(null), json!(null))]
#[case("kimi", json!(true), json!("plan"), json!(null))]
#[case("dashscope", json!(true), json!("plan"), json!(null))]
#[case("openai", json!(true), json!(null), json!(null))]
fn reasoning_goes_back(#[case] dialect: &str, #[case] thinking: Value, #[case] with: Value, #[case] without: Value) {
    let thought = json!({"type": "thinking", "thinking": "plan"});
    let found = body(
        &format!("openai-chat/{dialect}"),
        json!({"thinking": thinking, "messages": [user("a"), assistant(vec![thought, call("x", "f", json!({}))]), result("x", "1"), assistant(vec![text("b")]), user("c")]}),
    );
    assert_eq!(found["messages"][1]["reasoning_content"], with);
    assert_eq!(found["messages"][3]["reasoning_content"], without);
}

#[rstest]
#[case("openai", "developer", json!(null), json!(null))]
#[case("deepseek", "system", json!({"type": "enabled"}), json!(null))]
#[case("qwen", "system", json!(null), json!(true))]
fn thinking_is_switched(#[case] dialect: &str, #[case] role: &str, #[case] thinking: Value, #[case] flag: Value) {
    let found = body(&format!("openai-chat/{dialect}"), json!({"system": "s", "thinking": true}));
    assert_eq!(
        (&found["messages"][0]["role"], &found["thinking"], &found["enable_thinking"]),
        (&json!(role), &thinking, &flag)
    );
}

#[test]
fn opaque_reasoning_goes_back_to_openrouter_under_the_ids_of_now() {
    let mut signed = call("x", "f", json!({}));
    signed["thoughtSignature"] = json!("enc");
    let blocks = vec![
        json!({"type": "thinking", "thinking": "plan", "signature": "sig"}),
        json!({"type": "thinking", "thinking": "", "encrypted": "e", "itemId": "rs_1"}),
        signed,
    ];
    let found = body("openai-chat/openrouter", json!({"messages": [user("a"), assistant(blocks), result("x", "1")]}));
    assert_eq!(
        found["messages"][1]["reasoning_details"],
        json!([{"type": "reasoning.text", "text": "plan", "signature": "sig"}, {"type": "reasoning.encrypted", "data": "e", "id": "rs_1"},
            {"type": "reasoning.encrypted", "data": "enc", "id": "x"}])
    );
}

#[test]
fn servers_of_their_own_kind() {
    let glm = body("openai-chat/glm", json!({"tools": [tool("f")]}));
    assert_eq!((&glm["tool_stream"], body("openai-chat/glm", json!({})).get("tool_stream")), (&json!(true), None));
    let history = json!([user("a"), assistant(vec![call("x", "f", json!({}))]), result("x", "1")]);
    assert_eq!(body("openai-chat/cerebras", json!({"messages": history}))["messages"][1]["content"], "");
    let ollama = body("openai-chat/ollama", json!({"tools": [tool("f")], "toolChoice": "none"}));
    assert!(ollama.get("tools").is_none() && ollama.get("tool_choice").is_none());
    assert_eq!(
        rules("openai-chat/ollama", json!({"tools": [tool("f")], "toolChoice": "none"})),
        ["tool-choice-emulated"]
    );
    let forced = json!({"tools": [tool("f")], "toolChoice": {"name": "f"}, "thinking": true});
    assert_eq!(refusal("openai-chat/kimi", forced), "tool_choice_unsupported");
    assert_eq!(refusal("openai-chat/nowhere", json!({})), "unknown_dialect");
}

#[test]
fn text_that_is_no_json_goes_back_as_an_object() {
    let bad = json!({"type": "toolCall", "id": "x", "name": "f", "invalidArguments": "{\"a\":"});
    let found = body(API, json!({"messages": [user("a"), assistant(vec![bad]), failed("x", "bad")]}));
    let arguments = found["messages"][1]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(arguments).unwrap(), json!({"INVALID_JSON": "{\"a\":"}));
}

#[test]
fn schemas_that_cannot_be_sent_leave_the_others() {
    let request = json!({"tools": [tool("b"), {"name": "bad", "parameters": {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#"}}}},
        {"name": "dynamic", "parameters": {"properties": {"a": {"$dynamicRef": "#x"}}}}, {"parameters": {}}, tool("a")]});
    let found = encoded(API, &whole(request)).unwrap();
    assert_eq!(found.body.matches("\"type\":\"function\"").count(), 2);
    let skipped: Vec<_> =
        found.diagnostics.iter().map(|one| (one.rule, one.tool.as_deref(), one.pointer.as_deref())).collect();
    assert_eq!(
        skipped,
        [
            ("tool-skipped", Some("bad"), Some("/tools/1")),
            ("tool-skipped", Some("dynamic"), Some("/tools/2")),
            ("tool-skipped", None, Some("/tools/3"))
        ]
    );
}
