//! What Anthropic gets.

use rstest::rstest;
use serde_json::{Value, json};

use super::{assistant, body, call, encoded, failed, image, refusal, result, rules, text, tool, user, whole};

const API: &str = "anthropic-messages";

fn header(api: &str, members: Value, name: &str) -> Option<String> {
    let encoded = encoded(api, &whole(members)).unwrap();
    encoded.headers.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn raw(members: Value) -> String {
    encoded(API, &whole(members)).unwrap().body
}

#[test]
fn the_bytes_of_a_small_request() {
    let request = json!({"system": "Be brief.", "maxTokens": 64, "toolChoice": "auto", "parallelToolCalls": false,
        "tools": [{"name": "zeta", "description": "z", "parameters": {"type": "object", "properties": {}, "additionalProperties": false}, "executor": "x", "sortKey": "a"},
            {"name": "alpha", "parameters": {"required": ["q"], "properties": {"q": {"type": "string"}}}}]});
    assert_eq!(
        raw(request),
        concat!(
            r#"{"model":"m","max_tokens":64,"stream":true,"#,
            r#""system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"#,
            r#""tools":[{"name":"alpha","input_schema":{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]},"eager_input_streaming":true},"#,
            r#"{"name":"zeta","description":"z","input_schema":{"type":"object","properties":{},"required":[]},"eager_input_streaming":true,"cache_control":{"type":"ephemeral"}}],"#,
            r#""tool_choice":{"type":"auto","disable_parallel_tool_use":true},"#,
            r#""messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}"#
        )
    );
}

#[rstest]
#[case("none", None)]
#[case("short", Some(json!({"type": "ephemeral"})))]
#[case("long", Some(json!({"type": "ephemeral", "ttl": "1h"})))]
fn markers_stand_on_the_last_tool_only(#[case] retention: &str, #[case] marker: Option<Value>) {
    let request = json!({"tools": [tool("b"), tool("a"), {"name": "z", "parameters": "x"}], "options": {"cacheRetention": retention}});
    let found = body(API, request);
    assert_eq!(found["tools"][0].get("cache_control"), None);
    assert_eq!(found["tools"][1].get("cache_control"), marker.as_ref());
    assert_eq!(found.to_string().contains("cache_control"), marker.is_some());
    let content = &found["messages"][0]["content"];
    assert_eq!(content.is_string(), marker.is_none(), "a string becomes a block to carry a marker");
}

#[test]
fn fireworks_gets_no_marker_on_tools_and_no_hour() {
    let request = json!({"tools": [tool("a")], "options": {"cacheRetention": "long"}});
    let found = body("anthropic-messages/fireworks", request);
    assert_eq!(found["tools"][0].get("cache_control"), None);
    assert_eq!(found["tools"][0].get("eager_input_streaming"), None);
    assert!(found.to_string().contains("cache_control") && !found.to_string().contains("ttl"));
}

/// Pointers of the messages' markers.
fn marked(members: Value) -> Vec<String> {
    let found = body(API, members);
    let mut out = Vec::new();
    for (m, message) in found["messages"].as_array().unwrap().iter().enumerate() {
        for (b, block) in message["content"].as_array().into_iter().flatten().enumerate() {
            if block.get("cache_control").is_some() {
                out.push(format!("{m}/{b}"));
            }
        }
    }
    out
}

#[rstest]
// The newest text of the user.
#[case(0, vec![user("a"), user(vec![text("b"), image(), text("c")])], &["1/2"])]
#[case(0, vec![user("a"), assistant(vec![text("b")])], &["0/0"])]
// Only results: the last of them, and the text before.
#[case(0, vec![user("a"), assistant(vec![call("x", "f", json!({})), call("y", "f", json!({}))]), result("x", "1"), result("y", "2")], &["0/0", "2/1"])]
// One marker left: the result has it.
#[case(2, vec![user("a"), assistant(vec![call("x", "f", json!({}))]), result("x", "1")], &["2/0"])]
// Text behind the results.
#[case(2, vec![user("a"), assistant(vec![call("x", "f", json!({}))]), result("x", "1"), user("b")], &["2/1"])]
#[case(3, vec![user("a")], &[])]
#[case(6, vec![user("a")], &[])]
fn markers_of_messages(#[case] system: usize, #[case] messages: Vec<Value>, #[case] expected: &[&str]) {
    let system: Vec<String> = (0..system).map(|n| format!("s{n}")).collect();
    let request = json!({"system": system, "messages": messages, "tools": [tool("f")]});
    assert_eq!(marked(request.clone()), expected);
    assert!(body(API, request).to_string().matches("cache_control").count() <= 4);
}

#[test]
fn eager_streaming_is_a_field_or_a_beta() {
    let request = |eager: Value| json!({"tools": [tool("f")], "options": {"eagerInputStreaming": eager}});
    for eager in [json!(true), json!(null)] {
        assert_eq!(body(API, request(eager.clone()))["tools"][0]["eager_input_streaming"], json!(true));
        assert_eq!(header(API, request(eager), "anthropic-beta"), None);
    }
    assert_eq!(body(API, request(json!(false)))["tools"][0].get("eager_input_streaming"), None);
    let beta = "fine-grained-tool-streaming-2025-05-14";
    assert_eq!(header(API, request(json!(false)), "anthropic-beta").as_deref(), Some(beta));
    assert_eq!(header(API, json!({"options": {"eagerInputStreaming": false}}), "anthropic-beta"), None, "no tools");
}

#[test]
fn oauth_names_go_out_in_their_casing_and_map_back() {
    let request = json!({"tools": [tool("bash"), tool("todowrite"), tool("find")], "toolChoice": {"name": "bash"}, "options": {"oauthToolNames": true},
        "messages": [user("a"), assistant(vec![call("x", "bash", json!({})), call("y", "webfetch", json!({}))]), result("x", "1"), result("y", "2")]});
    let found = body(API, request.clone());
    let names: Vec<&str> =
        found["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Bash", "TodoWrite", "find"]);
    assert_eq!(found["tool_choice"], json!({"type": "tool", "name": "Bash"}));
    assert_eq!(found["messages"][1]["content"][0]["name"], "Bash");
    assert_eq!(found["messages"][1]["content"][1]["name"], "WebFetch");
    assert_eq!(header(API, request.clone(), "anthropic-beta").as_deref(), Some("oauth-2025-04-20"));
    let names = encoded(API, &whole(request)).unwrap().names;
    assert_eq!(names, [("Bash".to_owned(), "bash".to_owned()), ("TodoWrite".to_owned(), "todowrite".to_owned())]);
    let both = json!({"tools": [tool("bash"), tool("Bash")], "options": {"oauthToolNames": true}});
    assert_eq!(refusal(API, both.clone()), "name_collision");
    assert_eq!(body(API, json!({"tools": both["tools"]}))["tools"][0]["name"], "Bash", "without OAuth names stay");
}

#[rstest]
#[case(json!("required"), json!(null), json!({"type": "any"}))]
#[case(json!("required"), json!(false), json!({"type": "any", "disable_parallel_tool_use": true}))]
#[case(json!("none"), json!(false), json!({"type": "none"}))]
#[case(json!({"name": "f"}), json!(true), json!({"type": "tool", "name": "f"}))]
#[case(json!(null), json!(true), json!(null))]
fn choices(#[case] choice: Value, #[case] parallel: Value, #[case] expected: Value) {
    let found = body(API, json!({"tools": [tool("f")], "toolChoice": choice, "parallelToolCalls": parallel}));
    assert_eq!(found["tool_choice"], expected);
}

#[test]
fn an_allowed_subset_is_emulated_and_said() {
    let request = json!({"tools": [tool("f"), tool("g")], "toolChoice": {"allowed": ["g"], "mode": "required"}});
    let found = body(API, request.clone());
    assert_eq!((found["tools"].as_array().unwrap().len(), &found["tool_choice"]["type"]), (1, &json!("any")));
    assert_eq!(rules(API, request), ["tool-choice-emulated"]);
}

#[test]
fn without_tools_nothing_speaks_of_tools() {
    let found = body(API, json!({"toolChoice": "auto", "parallelToolCalls": false, "tools": []}));
    assert!(found.get("tools").is_none() && found.get("tool_choice").is_none());
}

#[test]
fn roots_with_alternatives_become_one_object() {
    let schema = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "k": {"const": "x"}}, "required": ["a", "k"]},
        {"type": "object", "properties": {"b": {"type": "array"}, "k": {"const": "y"}}, "required": ["k"]}],
        "$defs": {"A": {"type": "string", "nullable": true}}});
    let found = body(API, json!({"tools": [{"name": "f", "parameters": schema}]}));
    assert_eq!(
        found["tools"][0]["input_schema"],
        json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}, "k": {"enum": ["x", "y"]}, "b": {"type": "array", "items": {}}}, "required": ["k"]})
    );
}

#[test]
fn results_are_one_message_and_come_first() {
    let found = body(
        API,
        json!({"options": {"cacheRetention": "none"}, "messages": [
        user("go"), assistant(vec![text(""), text("ok"), call("x", "f", json!({"n": 1})), call("y", "g", json!({})), call("z", "g", json!({}))]),
        result("y", vec![text("2"), text(""), text("b")]), user(vec![text("hurry"), image()]), result("x", vec![text("map"), image()]), result("z", ""), user("now")]}),
    );
    let picture =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
    assert_eq!(
        found["messages"],
        json!([
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [text("ok"), {"type": "tool_use", "id": "x", "name": "f", "input": {"n": 1}},
                {"type": "tool_use", "id": "y", "name": "g", "input": {}}, {"type": "tool_use", "id": "z", "name": "g", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "x", "content": [text("map"), picture]},
                {"type": "tool_result", "tool_use_id": "y", "content": "2\nb"},
                {"type": "tool_result", "tool_use_id": "z"},
                text("hurry"), picture, text("now")]}])
    );
}

#[test]
fn images_and_failures_without_words() {
    let found = body(
        API,
        json!({"options": {"cacheRetention": "none"}, "messages": [
        user("go"), assistant(vec![call("x", "f", json!({})), call("y", "f", json!({})), call("z", "f", json!({}))]),
        result("x", vec![image()]), failed("y", ""), failed("z", vec![image()])]}),
    );
    let content = &found["messages"][2]["content"];
    assert_eq!(content[0]["content"][0], text("(see attached image)"));
    assert_eq!(
        content[1],
        json!({"type": "tool_result", "tool_use_id": "y", "content": "(no output)", "is_error": true})
    );
    assert_eq!(content[2]["content"], "(see attached image)", "a failed result holds text only");
    assert_eq!(content[3]["type"], "image");
}

#[test]
fn thinking_goes_back_as_it_came_or_as_text() {
    let thought = |signature: Value| json!({"type": "thinking", "thinking": "plan", "signature": signature});
    let message = |origin: Value| {
        let mut message = assistant(vec![
            thought(json!("sig")),
            thought(json!(null)),
            json!({"type": "thinking", "thinking": "", "signature": "s2"}),
            json!({"type": "thinking", "thinking": "", "redacted": "ZW5j"}),
            json!({"type": "thinking", "thinking": "", "encrypted": "ZW5k"}),
            call("f:0", "f", json!({})),
        ]);
        message["origin"] = origin;
        let request = json!({"messages": [user("go"), message, result("f:0", "1")], "thinking": true, "options": {"cacheRetention": "none"}});
        body(API, request)
    };
    let own = message(json!({"api": API, "model": "m"}));
    assert_eq!(own["thinking"], json!({"type": "adaptive"}));
    assert_eq!(
        own["messages"][1]["content"],
        json!([{"type": "thinking", "thinking": "plan", "signature": "sig"}, text("plan"), {"type": "thinking", "thinking": "", "signature": "s2"},
            {"type": "redacted_thinking", "data": "ZW5j"}, {"type": "redacted_thinking", "data": "ZW5k"},
            {"type": "tool_use", "id": "f:0", "name": "f", "input": {}}])
    );
    let foreign = message(json!({"api": "openai-chat", "model": "m"}));
    let content = foreign["messages"][1]["content"].as_array().unwrap().clone();
    assert_eq!(content[..2], [text("plan"), text("plan")]);
    assert_eq!(content.len(), 3);
    assert!(content[2]["id"].as_str().unwrap().starts_with("f_0_"));
    assert_eq!(foreign["messages"][2]["content"][0]["tool_use_id"], content[2]["id"]);
}

#[test]
fn values_come_through_exactly() {
    let request = r#"{"model":"m","messages":[{"role":"user","content":"a\ud83d b\ud83d\ude00"},{"role":"assistant","content":[
        {"type":"toolCall","id":"x","name":"f","arguments":{ "z" : 12345678901234567890, "a": 1.0, "e": 1E2, "s": "\ud83d!", "\udc00k": "\ud83d\ude00" }}]}]}"#;
    let doc = toolwire::json::Doc::parse(request).unwrap();
    let request = toolwire::model::Request::read(doc.root()).unwrap();
    let encoded = toolwire::providers::encode(toolwire::model::Api::AnthropicMessages, &request).unwrap();
    assert!(
        encoded.body.contains(r#""input":{"z":12345678901234567890,"a":1.0,"e":1E2,"s":"!","k":"😀"}"#),
        "{}",
        encoded.body
    );
    assert!(encoded.body.contains(r#""text":"a b😀""#) && !encoded.body.contains("\\ud83d!"));
    assert_eq!(encoded.diagnostics[0].rule, "surrogates-left-out");
}

#[test]
fn what_cannot_be_sent_is_refused() {
    assert_eq!(refusal(API, json!({"messages": []})), "empty_conversation");
    assert_eq!(refusal(API, json!({"messages": [user(" ")]})), "empty_conversation");
    assert_eq!(refusal(API, json!({"messages": [assistant(vec![text("hi")])]})), "assistant_first");
    assert_eq!(refusal(API, json!({"tools": [tool("f"), tool("f")]})), "duplicate_tool_name");
    assert_eq!(
        refusal(API, json!({"tools": [{"name": "f", "parameters": []}], "toolChoice": {"name": "f"}})),
        "tool_choice_unavailable"
    );
    assert_eq!(refusal("anthropic-messages/nowhere", json!({})), "unknown_dialect");
}

#[test]
fn bedrock_gets_tools_beside_calls() {
    let messages = json!([
        user("a"),
        assistant(vec![call("x", "g", json!({})), call("y", "f", json!({})), call("z", "g", json!({}))]),
        user("b")
    ]);
    let found = body("anthropic-messages/bedrock", json!({"messages": messages}));
    let names: Vec<&Value> = found["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["f", "g"]);
    assert_eq!(found["tool_choice"], json!({"type": "none"}));
    assert_eq!(body(API, json!({"messages": messages})).get("tools"), None);
}

#[test]
fn routes() {
    let request = || json!({"model": "claude:0", "tools": [tool("f")], "options": {"oauthToolNames": false}});
    let first = encoded(API, &whole(request())).unwrap();
    assert_eq!((first.method, first.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(header(API, request(), "anthropic-version").as_deref(), Some("2023-06-01"));
    let vertex = encoded("anthropic-messages/vertex", &whole(request())).unwrap();
    assert_eq!(
        vertex.path,
        "/v1/projects/{project}/locations/{location}/publishers/anthropic/models/claude%3A0:streamRawPredict"
    );
    assert!(vertex.body.starts_with(r#"{"anthropic_version":"vertex-2023-10-16","max_tokens":4096,"stream":true,"#));
    let bedrock = encoded("anthropic-messages/bedrock", &whole(request())).unwrap();
    assert_eq!(bedrock.path, "/model/claude%3A0/invoke-with-response-stream");
    assert!(bedrock.body.starts_with(
        r#"{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["fine-grained-tool-streaming-2025-05-14"],"max_tokens":4096,"tools""#
    ));
    assert!(!bedrock.body.contains("eager_input_streaming") && bedrock.headers.len() == 1);
    let whole_answer = encoded("anthropic-messages/bedrock", &whole(json!({"options": {"stream": false}}))).unwrap();
    assert_eq!(whole_answer.path, "/model/m/invoke");
}
