//! A streamed chat completion of OpenAI, every chunk in full.

use super::random::Random;
use super::{Stream, WORDS, fragments};

/// Adds a completion: some text, then a call for each of `arguments`, the usage and `[DONE]`.
pub(super) fn response(arguments: &[String], random: &mut Random, out: &mut Stream) {
    let head = format!(
        r#"{{"id":"chatcmpl-{}","object":"chat.completion.chunk","created":1790100000,"model":"gpt-5-mini-2025-08-07","service_tier":"default","system_fingerprint":"fp_560af6e559","#,
        random.id()
    );
    let mut chunk = |delta: &str, finish: &str| {
        let data = format!(
            r#"{head}"choices":[{{"index":0,"delta":{delta},"logprobs":null,"finish_reason":{finish}}}],"usage":null}}"#
        );
        out.event("", &data);
    };
    chunk(r#"{"role":"assistant","content":"","refusal":null}"#, "null");
    for word in WORDS {
        chunk(&format!(r#"{{"content":"{word}"}}"#), "null");
    }
    for (index, text) in arguments.iter().enumerate() {
        let opening = format!(
            r#"{{"tool_calls":[{{"index":{index},"id":"call_{}","type":"function","function":{{"name":"write_file","arguments":""}}}}]}}"#,
            random.id()
        );
        chunk(&opening, "null");
        for fragment in fragments(text) {
            let delta = format!(r#"{{"tool_calls":[{{"index":{index},"function":{{"arguments":{fragment}}}}}]}}"#);
            chunk(&delta, "null");
        }
    }
    chunk("{}", "\"tool_calls\"");
    let usage = r#""choices":[],"usage":{"prompt_tokens":412,"completion_tokens":1289,"total_tokens":1701,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}"#;
    out.event("", &format!("{head}{usage}"));
    out.event("", "[DONE]");
}
