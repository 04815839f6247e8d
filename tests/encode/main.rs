//! Neutral requests as the providers get them.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "tests"
)]

mod anthropic;
mod chat;
mod faults;
mod gemini;
mod golden;
mod mistral;
mod properties;
mod responses;
mod schemas;
mod views;

#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use toolwire::json::Doc;
use toolwire::model::{ApiName, Request};
use toolwire::providers::{Encoded, Refused, encode};

/// Encodes a request for `api` or `api/dialect`.
fn encoded(api: &str, request: &Value) -> Result<Encoded, Refused> {
    encoded_text(api, &request.to_string())
}

/// Encodes a request whose keys stand in an order: those of a [`Value`] are sorted.
fn encoded_text(api: &str, text: &str) -> Result<Encoded, Refused> {
    let doc = Doc::parse(text).unwrap();
    let mut request = Request::read(doc.root()).unwrap_or_else(|error| panic!("{error}: {text}"));
    let name: ApiName = api.parse().unwrap();
    if name.dialect.is_some() {
        request.options.dialect = name.dialect;
    }
    encode(name.api, &request)
}

/// The request with a model, and a message if it has none.
fn whole(mut members: Value) -> Value {
    let object = members.as_object_mut().unwrap();
    object.entry("model").or_insert(json!("m"));
    object.entry("messages").or_insert(json!([{"role": "user", "content": "hi"}]));
    members
}

/// The body of a request that is sent.
fn body(api: &str, members: Value) -> Value {
    let encoded =
        encoded(api, &whole(members)).unwrap_or_else(|refused| panic!("{}: {}", refused.kind.name(), refused.message));
    serde_json::from_str(&encoded.body).unwrap()
}

/// The kind of refusal of a request that is not sent.
fn refusal(api: &str, members: Value) -> &'static str {
    encoded(api, &whole(members)).unwrap_err().kind.name()
}

/// The rules of the adjustments of a request that is sent.
fn rules(api: &str, members: Value) -> Vec<&'static str> {
    encoded(api, &whole(members)).unwrap().diagnostics.iter().map(|adjustment| adjustment.rule).collect()
}

/// Text, as a block.
fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="})
}

fn user(content: impl Into<Value>) -> Value {
    json!({"role": "user", "content": content.into()})
}

fn assistant(blocks: Vec<Value>) -> Value {
    json!({"role": "assistant", "content": blocks})
}

fn call(id: &str, name: &str, arguments: Value) -> Value {
    json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments})
}

fn result(id: &str, content: impl Into<Value>) -> Value {
    json!({"role": "toolResult", "toolCallId": id, "toolName": "", "content": content.into(), "isError": false})
}

fn failed(id: &str, content: impl Into<Value>) -> Value {
    json!({"role": "toolResult", "toolCallId": id, "toolName": "", "content": content.into(), "isError": true})
}

/// A tool without arguments.
fn tool(name: &str) -> Value {
    json!({"name": name, "description": "d", "parameters": {"type": "object", "properties": {}}})
}
