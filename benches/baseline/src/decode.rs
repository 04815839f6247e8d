//! Bytes to tool calls, two ways.

use std::collections::HashMap;
use std::convert::Infallible;
use std::hint::black_box;
use std::pin::pin;

use eventsource_stream::EventStream;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::Value;
use toolwire::model::{Api, Arguments, Stop, Turn};
use toolwire::providers::{DecodeSetup, Decoder};

use crate::CHUNK;
use crate::streams::Stream;

/// toolwire: one response to its turn.
pub fn toolwire(api: Api, response: &[u8]) -> Turn {
    let mut decoder = Decoder::new(api, DecodeSetup::default());
    for chunk in response.chunks(CHUNK) {
        decoder.push(chunk, &mut |_| {});
    }
    decoder.finish(&mut |_| {})
}

/// A call as a client assembles it by hand.
#[derive(Debug, Default)]
pub struct Call {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The joined fragments; empty where arguments come as a value.
    pub text: String,
    /// What they say.
    pub arguments: Value,
}

/// eventsource-stream and `serde_json::Value`: one response to its calls, with the least of state. It trusts
/// the stream, which toolwire does not.
pub fn baseline(api: Api, response: &[u8]) -> Vec<Call> {
    let mut events = pin!(EventStream::new(stream::iter(response.chunks(CHUNK).map(Ok::<_, Infallible>))));
    let take = match api {
        Api::AnthropicMessages => take_message_event,
        Api::OpenaiChat | Api::MistralChat => take_chunk,
        Api::OpenaiResponses => take_response_event,
        Api::Gemini => take_parts,
        other => unreachable!("no baseline reads {other}"),
    };
    let all = async {
        let mut calls = HashMap::new();
        while let Some(event) = events.next().await {
            let event = event.expect("a generated stream is well formed");
            if event.data == "[DONE]" {
                break;
            }
            take(&serde_json::from_str(&event.data).expect("a generated event is JSON"), &mut calls);
        }
        calls
    };
    let calls = all.now_or_never().expect("memory is always ready");
    let mut calls: Vec<(u64, Call)> = calls.into_iter().collect();
    calls.sort_unstable_by_key(|(index, _)| *index);
    let parsed = calls.into_iter().map(|(_, mut call)| {
        if !call.text.is_empty() {
            call.arguments = serde_json::from_str(&call.text).expect("generated arguments are JSON");
        }
        call
    });
    parsed.collect()
}

fn take_message_event(event: &Value, calls: &mut HashMap<u64, Call>) {
    let index = event["index"].as_u64().unwrap_or(0);
    match event["type"].as_str() {
        Some("content_block_start") => {
            let block = &event["content_block"];
            if block["type"] == "tool_use" {
                let text = |key: &str| block[key].as_str().unwrap_or("").to_owned();
                calls.insert(index, Call { id: text("id"), name: text("name"), ..Call::default() });
            }
        }
        Some("content_block_delta") => {
            if let (Some(text), Some(call)) = (event["delta"]["partial_json"].as_str(), calls.get_mut(&index)) {
                call.text.push_str(text);
            }
        }
        _ => {}
    }
}

fn take_chunk(chunk: &Value, calls: &mut HashMap<u64, Call>) {
    let Some(entries) = chunk["choices"][0]["delta"]["tool_calls"].as_array() else { return };
    for entry in entries {
        let call = calls.entry(entry["index"].as_u64().unwrap_or(0)).or_default();
        if let Some(id) = entry["id"].as_str() {
            id.clone_into(&mut call.id);
        }
        let function = &entry["function"];
        if let Some(name) = function["name"].as_str() {
            name.clone_into(&mut call.name);
        }
        if let Some(text) = function["arguments"].as_str() {
            call.text.push_str(text);
        }
    }
}

fn take_response_event(event: &Value, calls: &mut HashMap<u64, Call>) {
    let index = event["output_index"].as_u64().unwrap_or(0);
    match event["type"].as_str() {
        Some("response.output_item.added") if event["item"]["type"] == "function_call" => {
            let text = |key: &str| event["item"][key].as_str().unwrap_or("").to_owned();
            calls.insert(index, Call { id: text("call_id"), name: text("name"), ..Call::default() });
        }
        Some("response.function_call_arguments.delta") => {
            if let (Some(text), Some(call)) = (event["delta"].as_str(), calls.get_mut(&index)) {
                call.text.push_str(text);
            }
        }
        _ => {}
    }
}

fn take_parts(chunk: &Value, calls: &mut HashMap<u64, Call>) {
    let Some(parts) = chunk["candidates"][0]["content"]["parts"].as_array() else { return };
    for call in parts.iter().filter_map(|part| part.get("functionCall")) {
        let text = |key: &str| call[key].as_str().unwrap_or("").to_owned();
        let arguments = call["args"].clone();
        calls.insert(calls.len() as u64, Call { id: text("id"), name: text("name"), text: String::new(), arguments });
    }
}

/// Decodes each response of a stream with toolwire.
pub fn all_toolwire(api: Api, stream: &Stream) {
    for (response, _) in stream.responses() {
        black_box(toolwire(api, response));
    }
}

/// Decodes each response of a stream with the baseline.
pub fn all_baseline(api: Api, stream: &Stream) {
    for (response, _) in stream.responses() {
        black_box(baseline(api, response));
    }
}

/// Panics unless both sides find exactly the arguments that were sent.
pub fn check(api: Api, stream: &Stream) {
    for (response, sent) in stream.responses() {
        let turn = toolwire(api, response);
        assert_eq!(turn.stop, Stop::ToolUse, "{api}: the turn has to end well");
        assert!(turn.errors.is_empty() && turn.incomplete.is_empty(), "{api}: {:?}", turn.errors);
        assert!(turn.diagnostics.is_empty(), "{api}: {:?}", turn.diagnostics);
        let ours = turn.calls.iter().map(|call| match &call.arguments {
            Arguments::Object(text) => text.as_str(),
            Arguments::Freeform(text) => text,
        });
        assert!(ours.eq(sent.iter().map(String::as_str)), "{api}: toolwire's arguments differ");
        let calls = baseline(api, response);
        let sent = sent.iter().map(|text| serde_json::from_str::<Value>(text).expect("generated arguments are JSON"));
        assert!(calls.iter().map(|call| call.arguments.clone()).eq(sent), "{api}: the baseline's arguments differ");
        let ids = |id: &str, name: &str| (id.to_owned(), name.to_owned());
        assert!(
            turn.calls.iter().map(|call| ids(&call.id, &call.name)).eq(calls.iter().map(|c| ids(&c.id, &c.name))),
            "{api}: ids or names differ"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::framing::{Framed, eventsource, toolwire};
    use crate::streams::{Shape, Stream};
    use toolwire::model::Api;

    #[test]
    fn all_sides_read_what_was_generated() {
        for api in Api::ALL {
            for shape in [Shape::Parallel, Shape::LargeString] {
                let stream = Stream::generate(*api, shape, 300_000);
                let framed = Framed { frames: stream.frames(), payload: stream.payload() };
                assert_eq!(toolwire(stream.bytes()), framed);
                assert_eq!(eventsource(stream.bytes()), framed);
                check(*api, &stream);
            }
        }
    }
}
