//! Bodies read back in no provider's words, so that two of them can be compared whatever their markers and forms.

use serde_json::{Value, json};

/// A body as a list of (role, block): a text is one block, markers are left out, and messages of one role that follow each other are
/// one.
pub(crate) fn blocks(body: &Value) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    if let Some(system) = body.get("system") {
        content("system", system, &mut out);
    }
    for message in body["messages"].as_array().unwrap() {
        let role = message["role"].as_str().unwrap();
        if let Some(id) = message.get("tool_call_id") {
            out.push((role.to_owned(), json!({"id": id, "content": message["content"], "name": message["name"]})));
            continue;
        }
        content(role, &message["content"], &mut out);
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            out.push((role.to_owned(), call.clone()));
        }
    }
    out
}

fn content(role: &str, content: &Value, out: &mut Vec<(String, Value)>) {
    match content {
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => out.push((role.to_owned(), json!({"type": "text", "text": text}))),
        Value::Array(items) => out.extend(items.iter().map(|item| (role.to_owned(), unmarked(item)))),
        _ => {}
    }
}

/// The tools without markers.
pub(crate) fn tools(body: &Value) -> Vec<Value> {
    body["tools"].as_array().into_iter().flatten().map(unmarked).collect()
}

fn unmarked(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        object.remove("cache_control");
    }
    value
}

/// The ids of calls and of results, in order.
pub(crate) fn ids(body: &Value) -> (Vec<String>, Vec<String>) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for message in body["messages"].as_array().unwrap() {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            calls.push(text(&call["id"]));
        }
        results.extend(message.get("tool_call_id").map(text));
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str() {
                Some("tool_use") => calls.push(text(&block["id"])),
                Some("tool_result") => results.push(text(&block["tool_use_id"])),
                _ => {}
            }
        }
    }
    (calls, results)
}
