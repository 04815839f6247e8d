//! A streamed message of Anthropic, every event in full.

use super::random::Random;
use super::{Stream, WORDS, fragments};

/// Adds a message: some text, then a call for each of `arguments`.
pub(super) fn response(arguments: &[String], random: &mut Random, out: &mut Stream) {
    let start = format!(
        r#"{{"type":"message_start","message":{{"id":"msg_{}","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":412,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}}}}"#,
        random.id()
    );
    out.event("message_start", &start);
    out.event(
        "content_block_start",
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
    );
    out.event("ping", r#"{"type": "ping"}"#);
    for word in WORDS {
        let text =
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{word}"}}}}"#);
        out.event("content_block_delta", &text);
    }
    out.event("content_block_stop", r#"{"type":"content_block_stop","index":0}"#);
    for (index, text) in (1..).zip(arguments) {
        call(index, text, random, out);
    }
    out.event(
        "message_delta",
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1289}}"#,
    );
    out.event("message_stop", r#"{"type":"message_stop"}"#);
}

fn call(index: u32, arguments: &str, random: &mut Random, out: &mut Stream) {
    let start = format!(
        r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"tool_use","id":"toolu_{}","name":"write_file","input":{{}}}}}}"#,
        random.id()
    );
    out.event("content_block_start", &start);
    for fragment in std::iter::once("\"\"".to_owned()).chain(fragments(arguments)) {
        let delta = format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"input_json_delta","partial_json":{fragment}}}}}"#
        );
        out.event("content_block_delta", &delta);
    }
    out.event("content_block_stop", &format!(r#"{{"type":"content_block_stop","index":{index}}}"#));
}
