//! A streamed completion of Mistral, the call in fragments as its newer models send it.

use super::random::Random;
use super::{Stream, WORDS, fragments};

/// Adds a completion: some text, then a call for each of `arguments`, and `[DONE]`.
pub(super) fn response(arguments: &[String], random: &mut Random, out: &mut Stream) {
    let head = format!(
        r#"{{"id":"{}","object":"chat.completion.chunk","created":1790100000,"model":"devstral-medium-2507","#,
        random.id()
    );
    let mut chunk = |delta: &str, finish: &str, usage: &str| {
        out.event(
            "",
            &format!(
                r#"{head}"choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]{usage},"p":"abcdef"}}"#
            ),
        );
    };
    chunk(r#"{"role":"assistant","content":""}"#, "null", "");
    for word in WORDS {
        chunk(&format!(r#"{{"content":"{word}"}}"#), "null", "");
    }
    for (index, text) in arguments.iter().enumerate() {
        let id: String = random.id().chars().take(9).collect();
        chunk(
            &format!(
                r#"{{"tool_calls":[{{"id":"{id}","function":{{"name":"write_file","arguments":""}},"index":{index}}}]}}"#
            ),
            "null",
            "",
        );
        for fragment in fragments(text) {
            chunk(
                &format!(r#"{{"tool_calls":[{{"function":{{"arguments":{fragment}}},"index":{index}}}]}}"#),
                "null",
                "",
            );
        }
    }
    let usage = r#","usage":{"prompt_tokens":412,"total_tokens":1701,"completion_tokens":1289}"#;
    chunk(r#"{"content":""}"#, "\"tool_calls\"", usage);
    out.event("", "[DONE]");
}
