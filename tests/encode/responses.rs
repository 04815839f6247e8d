//! Requests to Responses: what holds for every one, and payloads of the vendor's types.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::properties::{answers_later, complete, messages, tools};
use super::{assistant, body, call, encoded, failed, refusal, result, rules, tool, user, whole};

const APIS: &[&str] = &[
    "openai-responses",
    "openai-responses/azure",
    "openai-responses/openrouter",
    "openai-responses/copilot",
    "openai-responses/ollama",
];

fn custom(id: &str) -> Value {
    json!({"type": "toolCall", "id": id, "name": "sh", "kind": "custom", "arguments": "ls"})
}

#[test]
fn echoes_are_those_of_the_vendors_types() {
    let found = body(
        "openai-responses",
        json!({"messages": [user("hi"),
            assistant(vec![json!({"type": "thinking", "thinking": "", "itemId": "rs_1", "encrypted": "ENC"}), call("call_a1", "get_weather", json!({"city": "Oslo"}))]),
            result("call_a1", "4 C, rain"),
            assistant(vec![custom("call_c1")]),
            result("call_c1", "a.txt"),
            assistant(vec![call("call_b1", "get_weather", json!({"city": "Oslo"}))]),
            result("call_b1", json!([super::text("map:"), {"type": "image", "mimeType": "image/png", "data": "AAAA"}]))]}),
    );
    assert_eq!(
        found["input"],
        json!([
            {"role": "user", "content": "hi"},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ENC"},
            {"type": "function_call", "call_id": "call_a1", "name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"},
            {"type": "function_call_output", "call_id": "call_a1", "output": "4 C, rain"},
            {"type": "custom_tool_call", "call_id": "call_c1", "name": "sh", "input": "ls"},
            {"type": "custom_tool_call_output", "call_id": "call_c1", "output": "a.txt"},
            {"type": "function_call", "call_id": "call_b1", "name": "get_weather", "arguments": "{\"city\":\"Oslo\"}"},
            {"type": "function_call_output", "call_id": "call_b1", "output": [
                {"type": "input_text", "text": "map:"},
                {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,AAAA"}]}])
    );
}

#[test]
fn the_order_of_tools_is_that_of_utf_16() {
    let names = |tools: Vec<Value>| {
        let found = body("openai-responses", json!({"tools": tools}));
        let list = found["tools"].as_array().unwrap().clone();
        list.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(vec![tool("b"), tool("a"), tool("B"), tool("_"), tool("a1")]), ["B", "_", "a", "a1", "b"]);
}

#[test]
fn a_bad_tool_is_left_out_and_a_choice_of_it_refused() {
    let tools =
        json!([{"name": "round", "parameters": {"$ref": "#"}}, {"name": "text", "parameters": "x"}, tool("good")]);
    let request = json!({"tools": tools, "toolChoice": "auto"});
    assert_eq!(body("openai-responses", request.clone())["tools"].as_array().unwrap().len(), 1);
    assert_eq!(rules("openai-responses", request), ["tool-skipped", "tool-skipped"]);
    assert_eq!(
        refusal("openai-responses", json!({"tools": tools, "toolChoice": {"name": "round"}})),
        "tool_choice_unavailable"
    );
}

#[test]
fn turns_that_failed_are_not_replayed() {
    let mut broken = assistant(vec![call("call_x", "f", json!({}))]);
    broken["stop"] = json!("error");
    let found = body("openai-responses", json!({"messages": [user("a"), broken, failed("call_x", "no"), user("b")]}));
    assert_eq!(found["input"], json!([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]));
}

/// What a strict schema may not be, found without the encoder's own words.
fn not_strict(schema: &Value) -> Option<String> {
    let Some(object) = schema.as_object() else { return Some(format!("no schema: {schema}")) };
    for keyword in ["allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"] {
        if object.contains_key(keyword) {
            return Some(format!("{keyword} in {schema}"));
        }
    }
    if schema["type"] == "object" || schema["type"].as_array().is_some_and(|names| names.contains(&json!("object"))) {
        let names: HashSet<&str> =
            schema["properties"].as_object().into_iter().flatten().map(|(name, _)| &**name).collect();
        let required: HashSet<&str> = schema["required"].as_array()?.iter().filter_map(Value::as_str).collect();
        if schema["additionalProperties"] != false || names != required {
            return Some(format!("open: {schema}"));
        }
    }
    let inner = schema["properties"].as_object().into_iter().flat_map(|members| members.values());
    inner.chain(schema["anyOf"].as_array().into_iter().flatten()).chain(object.get("items")).find_map(not_strict)
}

/// The ids of calls and of outputs, in order.
fn ids(body: &Value) -> (Vec<String>, Vec<String>) {
    let (mut calls, mut outputs) = (Vec::new(), Vec::new());
    for item in body["input"].as_array().unwrap() {
        let id = || item["call_id"].as_str().unwrap().to_owned();
        match item["type"].as_str() {
            Some("function_call" | "custom_tool_call") => calls.push(id()),
            Some("function_call_output" | "custom_tool_call_output") => outputs.push(id()),
            _ => {}
        }
    }
    (calls, outputs)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn tools_in_any_order_give_the_same_bytes(tools in tools(), order in any::<prop::sample::Index>(), strict in select(vec![json!(true), json!(false), json!(null)]), api in select(APIS)) {
        let mut turned = tools.clone();
        turned.reverse();
        turned.rotate_left(order.index(tools.len().max(1)).min(tools.len()));
        let sent = |tools: &Vec<Value>| encoded(api, &whole(json!({"tools": tools, "options": {"strict": strict}}))).map(|sent| (sent.body, sent.names)).map_err(|refused| refused.kind);
        prop_assert_eq!(sent(&tools), sent(&turned));
    }

    #[test]
    fn tools_are_all_strict_or_none(tools in tools(), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"tools": tools, "options": {"strict": true}}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let tools: Vec<&Value> = body["tools"].as_array().into_iter().flatten().collect();
        let flags: HashSet<&Value> = tools.iter().map(|tool| &tool["strict"]).collect();
        prop_assert!(flags.len() <= 1, "{}", sent.body);
        for tool in tools {
            let schema = &tool["parameters"];
            prop_assert!(schema["type"] == "object" && schema["properties"].is_object(), "{schema}");
            if tool["strict"] == true {
                prop_assert_eq!(not_strict(schema), None);
            }
            let name = tool["name"].as_str().unwrap();
            prop_assert!((1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)), "{name}");
        }
    }

    #[test]
    fn each_call_has_one_output_behind_it(messages in messages(), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"messages": messages}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let (calls, outputs) = ids(&body);
        prop_assert_eq!(&calls, &outputs, "{}", sent.body);
        prop_assert_eq!(calls.iter().collect::<HashSet<_>>().len(), calls.len(), "{}", sent.body);
        prop_assert!(calls.iter().all(|id| (1..=64).contains(&id.chars().count()) && !id.contains('|')), "{:?}", calls);
        let mut known = HashSet::new();
        for item in body["input"].as_array().unwrap() {
            match item["type"].as_str() {
                Some("function_call") => {
                    known.insert(item["call_id"].clone());
                    prop_assert!(item["arguments"].as_str().is_some_and(|text| serde_json::from_str::<serde_json::Map<String, Value>>(text).is_ok()));
                }
                Some("function_call_output") => prop_assert!(known.contains(&item["call_id"]), "{}", sent.body),
                _ => {}
            }
        }
    }

    #[test]
    fn a_longer_conversation_begins_as_the_shorter_did(messages in messages(), cut in any::<prop::sample::Index>(), api in select(APIS)) {
        let settled: Vec<usize> = (1..=messages.len()).filter(|end| complete(&messages[..*end])).collect();
        if settled.is_empty() {
            return Ok(());
        }
        let end = settled[cut.index(settled.len())];
        if messages[end..].iter().any(|message| message["role"] == "toolResult" && !answers_later(&messages, end, message)) {
            return Ok(());
        }
        let sent = |messages: &[Value]| encoded(api, &whole(json!({"messages": messages, "system": "s", "tools": [tool("a")]})));
        let (Ok(short), Ok(long)) = (sent(&messages[..end]), sent(&messages)) else { return Ok(()) };
        let view = |body: &str| -> (Value, Value, Vec<Value>) {
            let body: Value = serde_json::from_str(body).unwrap();
            (body["instructions"].clone(), body["tools"].clone(), body["input"].as_array().unwrap().clone())
        };
        let ((system, tools, first), (same_system, same_tools, second)) = (view(&short.body), view(&long.body));
        prop_assert_eq!((system, tools), (same_system, same_tools));
        prop_assert_eq!(Some(&first[..]), second.get(..first.len()), "{}\n{}", short.body, long.body);
    }
}
