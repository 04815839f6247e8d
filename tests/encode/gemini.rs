//! Requests to Gemini: what holds for every one.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::properties::{answers_later, complete, messages, tools};
use super::schemas::{not_json_schema, not_open_api};
use super::{assistant, body, call, encoded, failed, refusal, result, rules, tool, user, whole};

const APIS: &[&str] = &["gemini", "gemini/vertex", "gemini/codeassist"];
const MODELS: &[&str] = &["gemini-2.5-pro", "gemini-3-pro", "claude-sonnet-5", "m"];

/// The request in its envelope, or as it is.
fn request(body: &Value) -> &Value {
    body.get("request").unwrap_or(body)
}

fn functions(body: &Value) -> Vec<Value> {
    request(body)["tools"][0]["functionDeclarations"].as_array().cloned().unwrap_or_default()
}

#[test]
fn the_conversation_of_the_reference() {
    let conversation = |model: &str| {
        json!({"model": model, "toolChoice": "auto", "options": {"geminiSchemaField": "parameters"},
            "tools": [
                {"name": "get_weather", "description": "Weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"]}}, "required": ["city"]}},
                {"name": "now", "description": "Clock", "parameters": {"type": "object", "properties": {}}}],
            "messages": [
                user("Paris? And the time?"),
                assistant(vec![call("w1", "get_weather", json!({"city": "Paris"})), call("n1", "now", json!({}))]),
                result("w1", "12 C"),
                failed("n1", "clock off")]})
    };
    assert_eq!(
        body("gemini", conversation("gemini-2.5-flash")),
        json!({"tools": [{"functionDeclarations": [
                {"name": "get_weather", "description": "Weather", "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}, "unit": {"type": "STRING", "enum": ["c", "f"]}}, "required": ["city"]}},
                {"name": "now", "description": "Clock"}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
            "contents": [
                {"role": "user", "parts": [{"text": "Paris? And the time?"}]},
                {"role": "model", "parts": [
                    {"functionCall": {"name": "get_weather", "args": {"city": "Paris"}}},
                    {"functionCall": {"name": "now", "args": {}}}]},
                {"role": "user", "parts": [
                    {"functionResponse": {"name": "get_weather", "response": {"output": "12 C"}}},
                    {"functionResponse": {"name": "now", "response": {"error": "clock off"}}}]}]})
    );
    let assist = body("gemini/codeassist", conversation("gemini-2.5-flash"));
    assert_eq!(assist["request"], body("gemini", conversation("gemini-2.5-flash")));
    assert_eq!((&assist["model"], &assist["project"]), (&json!("gemini-2.5-flash"), &json!("{project}")));
}

#[test]
fn a_bad_tool_is_left_out_and_a_choice_of_it_refused() {
    let tools =
        json!([{"name": "round", "parameters": {"$ref": "#"}}, {"name": "list", "parameters": []}, tool("good")]);
    let request = json!({"tools": tools, "toolChoice": {"name": "good"}});
    assert_eq!(functions(&body("gemini", request.clone())).len(), 1);
    assert_eq!(rules("gemini", request), ["tool-skipped", "tool-skipped"]);
    assert_eq!(refusal("gemini", json!({"tools": tools, "toolChoice": {"name": "round"}})), "tool_choice_unavailable");
    assert_eq!(refusal("gemini", json!({"tools": [tool("f"), tool("f")]})), "duplicate_tool_name");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn tools_in_any_order_give_the_same_bytes(tools in tools(), order in any::<prop::sample::Index>(), field in select(vec!["parameters", "parametersJsonSchema"]), api in select(APIS)) {
        let mut turned = tools.clone();
        turned.reverse();
        turned.rotate_left(order.index(tools.len().max(1)).min(tools.len()));
        let sent = |tools: &Vec<Value>| encoded(api, &whole(json!({"tools": tools, "options": {"geminiSchemaField": field}}))).map(|sent| (sent.body, sent.names)).map_err(|refused| refused.kind);
        prop_assert_eq!(sent(&tools), sent(&turned));
    }

    #[test]
    fn schemas_that_go_out_are_taken(tools in tools(), api in select(APIS)) {
        for field in ["parameters", "parametersJsonSchema"] {
            let Ok(sent) = encoded(api, &whole(json!({"tools": tools, "options": {"geminiSchemaField": field}}))) else { return Ok(()) };
            let body: Value = serde_json::from_str(&sent.body).unwrap();
            for function in functions(&body) {
                let name = function["name"].as_str().unwrap();
                let rest = |b: u8| b.is_ascii_alphanumeric() || b"_.-".contains(&b);
                prop_assert!(name.len() <= 64 && !name.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-') && name.bytes().all(rest), "{name}");
                let Some(schema) = function.get(field) else {
                    prop_assert_eq!(field, "parameters");
                    continue;
                };
                let wrong = if field == "parameters" { not_open_api(schema, api == "gemini/vertex") } else { not_json_schema(schema) };
                prop_assert_eq!(wrong, None, "{}", schema);
                prop_assert!(schema["type"] == "object" || schema["type"] == "OBJECT", "{schema}");
            }
        }
    }

    #[test]
    fn results_answer_the_calls_before_them(messages in messages(), model in select(MODELS), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"model": model, "messages": messages}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let contents = request(&body)["contents"].as_array().unwrap();
        let of = |content: &Value, key: &str| content["parts"].as_array().unwrap().iter().filter_map(|part| part.get(key)).map(|call| (call["name"].clone(), call.get("id").cloned())).collect::<Vec<_>>();
        let mut seen = HashSet::new();
        prop_assert_eq!(&contents[0]["role"], "user");
        for (at, content) in contents.iter().enumerate() {
            let parts = content["parts"].as_array().unwrap();
            prop_assert!(!parts.is_empty());
            let (calls, responses) = (of(content, "functionCall"), of(content, "functionResponse"));
            prop_assert!(calls.is_empty() || responses.is_empty());
            if !calls.is_empty() {
                prop_assert_eq!(&content["role"], "model");
                prop_assert_eq!(&contents[at - 1]["role"], "user", "{}", sent.body);
                prop_assert_eq!(&of(&contents[at + 1], "functionResponse"), &calls, "{}", sent.body);
                prop_assert_eq!(contents[at + 1]["parts"].as_array().unwrap().len(), calls.len());
                for (_, id) in &calls {
                    prop_assert!(model != "gemini-2.5-pro" || id.is_none());
                    prop_assert!(model.starts_with("gemini") || id.is_some());
                    prop_assert!(id.as_ref().is_none_or(|id| seen.insert(id.clone())), "{}", sent.body);
                }
                let first = parts.iter().find(|part| part.get("functionCall").is_some()).unwrap();
                prop_assert!(model != "gemini-3-pro" || first.get("thoughtSignature").is_some(), "{}", sent.body);
            }
            if !responses.is_empty() {
                prop_assert_eq!(of(&contents[at - 1], "functionCall"), responses, "{}", sent.body);
            }
        }
    }

    #[test]
    fn a_longer_conversation_begins_as_the_shorter_did(messages in messages(), cut in any::<prop::sample::Index>(), model in select(MODELS)) {
        let settled: Vec<usize> = (1..=messages.len()).filter(|end| complete(&messages[..*end])).collect();
        if settled.is_empty() {
            return Ok(());
        }
        let end = settled[cut.index(settled.len())];
        if messages[end..].iter().any(|message| message["role"] == "toolResult" && !answers_later(&messages, end, message)) {
            return Ok(());
        }
        let sent = |messages: &[Value]| encoded("gemini", &whole(json!({"model": model, "messages": messages, "system": "s", "tools": [tool("a")]})));
        let (Ok(short), Ok(long)) = (sent(&messages[..end]), sent(&messages)) else { return Ok(()) };
        let view = |body: &str| -> (Value, Vec<(String, Value)>) {
            let body: Value = serde_json::from_str(body).unwrap();
            let parts = body["contents"].as_array().unwrap().iter().flat_map(|content| {
                let role = content["role"].as_str().unwrap().to_owned();
                content["parts"].as_array().unwrap().iter().map(move |part| (role.clone(), part.clone()))
            });
            (json!([body["systemInstruction"], body["tools"]]), parts.collect())
        };
        let ((head, first), (same_head, second)) = (view(&short.body), view(&long.body));
        prop_assert_eq!(head, same_head);
        prop_assert_eq!(Some(&first[..]), second.get(..first.len()), "{}\n{}", short.body, long.body);
    }
}
