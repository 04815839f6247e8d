//! Faults that real clients had on the way out, where the collection is present: a request must not repeat them.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};

use toolwire::providers::Encoded;

use super::{encoded_text, support};

/// The APIs that are encoded.
const APIS: &[&str] =
    &["anthropic-messages", "openai-chat", "openai-chat/deepseek", "mistral-chat", "openai-responses", "gemini"];

fn read(dir: &Path, name: &str) -> Option<Value> {
    std::fs::read_to_string(dir.join(name)).ok().map(|text| serde_json::from_str(&text).unwrap())
}

/// A body with the names of types in lower case: Gemini takes both.
fn small_types(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, inner)| match inner {
                Value::String(name) if key == "type" => (key.clone(), json!(name.to_lowercase())),
                inner => (key.clone(), small_types(inner)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(small_types).collect(),
        other => other.clone(),
    }
}

/// The neutral request of a fault, as text: the order of keys is part of some.
fn request(dir: &Path, api: &str) -> String {
    let file = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
    let mut members = vec![
        r#""model":"m""#.to_owned(),
        format!(r#""messages":{}"#, file("messages.json").unwrap_or("[]".to_owned())),
    ];
    members.extend(file("tools.json").map(|tools| format!(r#""tools":{tools}"#)));
    if api == "gemini" {
        // What the collection expects of schemas is the older form.
        members.push(r#""options":{"geminiSchemaField":"parameters"}"#.to_owned());
    }
    for (key, value) in read(dir, "options.json").iter().filter_map(Value::as_object).flatten() {
        members.push(match key.as_str() {
            "cache" => r#""options":{"cacheRetention":"short"}"#.to_owned(),
            "strict" => format!(r#""options":{{"strict":{value}}}"#),
            _ => format!(r#""{key}":{value}"#),
        });
    }
    format!("{{{}}}", members.join(","))
}

/// What is missing of `expected` in `actual`, if anything.
fn missing(expected: &Value, actual: &Value, ids: &mut HashMap<String, String>) -> Option<String> {
    let differs = || Some(format!("expected {expected}, found {actual}"));
    match (expected, actual) {
        (Value::String(text), _) if text.starts_with("<any") => {
            let found = actual.as_str().or_else(|| actual[0]["text"].as_str());
            if found.is_some_and(|text| !text.is_empty()) { None } else { differs() }
        }
        (Value::String(name), Value::String(id)) if name.starts_with("<id") => {
            let bound = ids.entry(name.clone()).or_insert_with(|| id.clone());
            if bound == id { None } else { differs() }
        }
        // A list stays the text that it came as: a protobuf number would not keep all its digits.
        (Value::Array(_), Value::String(text)) if serde_json::from_str::<Value>(text).is_ok_and(|v| v == *expected) => {
            None
        }
        // A text is one block, and `null` is no text.
        (Value::Array(blocks), Value::String(text)) if blocks.len() == 1 && blocks[0]["text"] == json!(text) => None,
        (Value::String(text), Value::Array(blocks)) if blocks.len() == 1 && blocks[0]["text"] == json!(text) => None,
        (Value::Null, Value::String(text)) | (Value::String(text), Value::Null) if text.is_empty() => None,
        (Value::Object(wanted), Value::Object(found)) => wanted.iter().find_map(|(key, value)| match found.get(key) {
            Some(other) => missing(value, other, ids).map(|what| format!("/{key}{what}")),
            None => Some(format!("/{key} is missing")),
        }),
        (Value::Array(wanted), Value::Array(found)) => {
            let is_text = |part: &&Value| part["type"] == "text";
            let only_images = !wanted.is_empty() && wanted.iter().all(|part| part["type"] == "image_url");
            let found: Vec<&Value> = found.iter().filter(|part| !(only_images && is_text(part))).collect();
            if wanted.len() != found.len() {
                return differs();
            }
            wanted
                .iter()
                .zip(found)
                .enumerate()
                .find_map(|(at, (value, other))| missing(value, other, ids).map(|what| format!("/{at}{what}")))
        }
        _ if expected == actual => None,
        _ => differs(),
    }
}

fn keys(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, inner)| {
            out.push(key.clone());
            keys(inner, out);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, out)),
        _ => {}
    }
}

#[test]
fn no_fault_is_repeated() {
    let Some(root) = support::shared("faults/cases") else { return };
    let mut judged = 0;
    for entry in std::fs::read_dir(root).unwrap() {
        let dir = entry.unwrap().path();
        let Some(expected) = read(&dir, "expected-request.json") else { continue };
        let api = expected["api"].as_str().unwrap();
        if !APIS.contains(&api) {
            continue;
        }
        judged += 1;
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        let sent = encoded_text(api, &request(&dir, api)).unwrap();
        let found: Value = serde_json::from_str(&sent.body).unwrap();
        let mut ids = HashMap::new();
        if let Some(wanted) = expected.get("body") {
            let found = if api == "gemini" { small_types(&found) } else { found.clone() };
            assert_eq!(missing(wanted, &found, &mut ids), None, "{name}: {found}");
        }
        let distinct: std::collections::HashSet<&String> = ids.values().collect();
        assert_eq!(distinct.len(), ids.len(), "{name}");
        let mut present = Vec::new();
        keys(&found, &mut present);
        for key in expected["mustNotContain"].as_array().into_iter().flatten() {
            assert!(!present.iter().any(|one| json!(one) == *key), "{name}: {key}");
        }
        in_words(&name, &sent, &found);
    }
    assert!(judged >= 35, "only {judged} faults were found");
}

/// What the collection says in words.
fn in_words(name: &str, sent: &Encoded, found: &Value) {
    let text = found.to_string();
    match name.split('-').next().unwrap() {
        "134" | "139" => {
            for part in found["messages"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|one| one["content"].as_array().into_iter().flatten())
            {
                let Some(id) = part.get("id").or_else(|| part.get("tool_use_id")).and_then(Value::as_str) else {
                    continue;
                };
                assert!(id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{name}: {id}");
            }
        }
        "136" => {
            for one in found["messages"].as_array().unwrap() {
                for id in one["tool_calls"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|call| &call["id"])
                    .chain(one.get("tool_call_id"))
                {
                    let id = id.as_str().unwrap();
                    assert!(id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()), "{id}");
                }
            }
        }
        "149" => {
            assert!(text.matches("cache_control").count() <= 4);
            assert!(found["tools"].to_string().contains("cache_control"));
            assert!(found["messages"].as_array().unwrap().last().unwrap().to_string().contains("cache_control"));
        }
        "152" => {
            let place = |key: &str| sent.body.find(&format!("\"{key}\":{{")).unwrap();
            assert!(
                place("z") < place("a") && place("a") < place("m") && sent.body.contains(r#""required":["z","a"]"#)
            );
        }
        "137" => {
            let items = found["input"].as_array().unwrap();
            let call_id = format!("call_{}", "abcdefghijklmnopqrstuvwx");
            assert_eq!((&items[1]["call_id"], &items[2]["call_id"]), (&json!(call_id), &json!(call_id)));
            assert!(items[1]["id"].as_str().is_none_or(|id| id.starts_with("fc_")));
        }
        "140" => assert!(found["input"][1].get("id").is_none()),
        "161" => assert!(text.len() < 64 * 1024 && !text.contains("$ref") && !text.contains("$defs")),
        "179" => assert_eq!(sent.names, [("_3d_print".to_owned(), "3d_print".to_owned())]),
        "176" => assert_eq!(sent.names, [("docs_read_file".to_owned(), "docs/read file".to_owned())]),
        "178" => {
            let names = &sent.names;
            assert!(names.len() == 2 && names.iter().all(|(wire, _)| wire.len() <= 64) && names[0].0 != names[1].0);
        }
        _ => {}
    }
}
