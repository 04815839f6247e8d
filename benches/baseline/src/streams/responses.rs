//! A streamed response of OpenAI's Responses, every event in full.

use super::random::Random;
use super::{Stream, WORDS, fragments};

/// Adds a response: a message, then a call for each of `arguments`.
pub(super) fn response(arguments: &[String], random: &mut Random, out: &mut Stream) {
    let id = random.id();
    let mut number = 0;
    let mut event = |kind: &str, rest: &str| {
        out.event(kind, &format!(r#"{{"type":"{kind}","sequence_number":{number},{rest}}}"#));
        number += 1;
    };
    let head = format!(
        r#""response":{{"id":"resp_{id}","object":"response","created_at":1790100000,"model":"gpt-5-mini-2025-08-07""#
    );
    let running = format!(
        r#"{head},"status":"in_progress","error":null,"incomplete_details":null,"output":[],"parallel_tool_calls":true,"tool_choice":"auto","usage":null}}"#
    );
    event("response.created", &running);
    event("response.in_progress", &running);
    let message = |content: &str, status: &str| {
        format!(r#"{{"id":"msg_{id}","type":"message","status":"{status}","content":[{content}],"role":"assistant"}}"#)
    };
    let part = |text: &str| format!(r#"{{"type":"output_text","annotations":[],"logprobs":[],"text":"{text}"}}"#);
    let place = format!(r#""item_id":"msg_{id}","output_index":0,"content_index":0"#);
    let text = WORDS.concat();
    event("response.output_item.added", &format!(r#""output_index":0,"item":{}"#, message("", "in_progress")));
    event("response.content_part.added", &format!(r#"{place},"part":{}"#, part("")));
    for word in WORDS {
        event("response.output_text.delta", &format!(r#"{place},"delta":"{word}","logprobs":[]"#));
    }
    event("response.output_text.done", &format!(r#"{place},"text":"{text}","logprobs":[]"#));
    event("response.content_part.done", &format!(r#"{place},"part":{}"#, part(&text)));
    let said = message(&part(&text), "completed");
    event("response.output_item.done", &format!(r#""output_index":0,"item":{said}"#));
    let mut output = said;
    for (index, text) in (1..).zip(arguments) {
        let (item, call) = (random.id(), random.id());
        let whole = serde_json::Value::from(text.as_str()).to_string();
        let item_of = |arguments: &str, status: &str| {
            format!(
                r#"{{"id":"fc_{item}","type":"function_call","status":"{status}","arguments":{arguments},"call_id":"call_{call}","name":"write_file"}}"#
            )
        };
        let added = item_of("\"\"", "in_progress");
        event("response.output_item.added", &format!(r#""output_index":{index},"item":{added}"#));
        let place = format!(r#""item_id":"fc_{item}","output_index":{index}"#);
        for fragment in fragments(text) {
            event(
                "response.function_call_arguments.delta",
                &format!(r#"{place},"delta":{fragment},"obfuscation":"vGq0hYbN""#),
            );
        }
        event("response.function_call_arguments.done", &format!(r#"{place},"arguments":{whole}"#));
        let done = item_of(&whole, "completed");
        event("response.output_item.done", &format!(r#""output_index":{index},"item":{done}"#));
        output.push(',');
        output.push_str(&done);
    }
    let usage = r#""usage":{"input_tokens":412,"input_tokens_details":{"cached_tokens":0},"output_tokens":1289,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1701}"#;
    event(
        "response.completed",
        &format!(
            r#"{head},"status":"completed","error":null,"incomplete_details":null,"output":[{output}],"parallel_tool_calls":true,"tool_choice":"auto",{usage}}}"#
        ),
    );
}
