//! Short ways to write streams.

use serde_json::{Value, json};

use crate::model::Api;
use crate::providers::DecodeSetup;

/// A response and what it means, as one line (see [`super::summary`]).
pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) api: Api,
    pub(super) setup: DecodeSetup,
    pub(super) body: Vec<u8>,
    pub(super) want: String,
}

impl Sample {
    pub(super) fn new(api: Api, name: &'static str, body: impl Into<Vec<u8>>, want: &str) -> Self {
        Self { name, api, setup: DecodeSetup::default(), body: body.into(), want: want.to_owned() }
    }

    pub(super) fn tools(mut self, tools: &[&str]) -> Self {
        self.setup.tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
        self
    }

    pub(super) fn choices(mut self, asked: u64) -> Self {
        self.setup.choices = Some(asked);
        self
    }

    pub(super) fn status(mut self, status: u16) -> Self {
        self.setup.status = Some(status);
        self
    }
}

/// `-` is absent, `~` is null, `=` begins a JSON value; anything else is a string.
fn put(object: &mut Value, key: &str, text: &str) {
    match (text, text.strip_prefix('=')) {
        ("-", _) => {}
        ("~", _) => object[key] = Value::Null,
        (_, Some(value)) => object[key] = serde_json::from_str(value).unwrap(),
        _ => object[key] = text.into(),
    }
}

/// An entry of `tool_calls`.
pub(super) fn entry(index: &str, id: &str, name: &str, arguments: &str) -> Value {
    let (mut entry, mut function) = (json!({}), json!({}));
    put(&mut entry, "index", &if index == "-" { "-".to_owned() } else { format!("={index}") });
    put(&mut entry, "id", id);
    put(&mut function, "name", name);
    put(&mut function, "arguments", arguments);
    entry["function"] = function;
    entry
}

/// An event with a delta of choice 0.
pub(super) fn delta(delta: &Value) -> String {
    choice(&json!({"index": 0, "delta": delta, "finish_reason": null}))
}

/// An event with one choice.
pub(super) fn choice(choice: &Value) -> String {
    data(&json!({"choices": [choice]}))
}

/// An event without a name.
pub(super) fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event with one entry of `tool_calls`.
pub(super) fn t(index: &str, id: &str, name: &str, arguments: &str) -> String {
    delta(&json!({"tool_calls": [entry(index, id, name, arguments)]}))
}

/// An event with a finish reason.
pub(super) fn f(reason: &str) -> String {
    choice(&json!({"index": 0, "delta": {}, "finish_reason": reason}))
}

/// The end of a chat stream.
pub(super) const DONE: &str = "data: [DONE]\n\n";

/// An event of Anthropic, named after its type.
pub(super) fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
}

/// `message_start`.
pub(super) fn ms(id: &str) -> String {
    event(&json!({"type": "message_start", "message": {"id": id, "type": "message", "content": [],
        "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 3}}}))
}

/// `content_block_start`.
pub(super) fn s(index: u32, block: &Value) -> String {
    event(&json!({"type": "content_block_start", "index": index, "content_block": block}))
}

/// `content_block_start` of a `tool_use` with an empty input.
pub(super) fn tool(index: u32, id: &str, name: &str) -> String {
    s(index, &json!({"type": "tool_use", "id": id, "name": name, "input": {}}))
}

/// `content_block_delta`.
pub(super) fn block_delta(index: u32, delta: &Value) -> String {
    event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

/// `input_json_delta`.
pub(super) fn d(index: u32, piece: &str) -> String {
    block_delta(index, &json!({"type": "input_json_delta", "partial_json": piece}))
}

/// `content_block_stop`.
pub(super) fn x(index: u32) -> String {
    event(&json!({"type": "content_block_stop", "index": index}))
}

/// `message_delta` with a stop reason, and `message_stop`.
pub(super) fn end(reason: &str) -> String {
    md(&json!({"stop_reason": reason})) + &event(&json!({"type": "message_stop"}))
}

/// `message_delta`.
pub(super) fn md(delta: &Value) -> String {
    event(&json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}}))
}

/// One stream, of events whose data are objects, in every way in which it can be framed without
/// meaning anything else. It has to begin and to end with an event that counts, and to hold a
/// character of more than one byte.
pub(super) fn framed(api: Api, events: &[Value], want: &str) -> Vec<Sample> {
    let all = |show: &dyn Fn(&Value) -> String| events.iter().map(show).collect::<String>();
    let lines = |value: &Value, between: &str| {
        let pretty = serde_json::to_string_pretty(value).unwrap();
        pretty.lines().flat_map(|line| ["data: ", line, "\n", between]).collect::<String>() + "\n"
    };
    let padded = |value: &Value| {
        let mut value = value.clone();
        value["p"] = "x".repeat(70_000).into();
        data(&value)
    };
    let plain = all(&data);
    let mut streams = vec![
        ("byte order mark", format!("\u{feff}{plain}")),
        ("CR LF in many lines", all(&|value| lines(value, "")).replace('\n', "\r\n")),
        ("comments", all(&|value| lines(value, ": no\n"))),
        ("huge lines", all(&padded)),
        ("no last blank line", plain.trim_end().to_owned()),
        ("lines of JSON", all(&|value| format!("{value}\n"))),
        ("an array", format!("[{}]", events.iter().map(Value::to_string).collect::<Vec<_>>().join(",\r\n"))),
    ];
    streams.push(("plain", plain));
    streams.into_iter().map(|(name, body)| Sample::new(api, name, body, want)).collect()
}
