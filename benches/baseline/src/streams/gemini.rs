//! A stream of Gemini: each call whole in its part.

use super::random::Random;
use super::{Stream, WORDS};

/// Adds an answer: some text, then a call for each of `arguments`.
pub(super) fn response(arguments: &[String], random: &mut Random, out: &mut Stream) {
    let id = random.id();
    let mut chunk = |part: &str, finish: &str| {
        out.event(
            "",
            &format!(
                r#"{{"candidates": [{{"content": {{"parts": [{part}],"role": "model"}},{finish}"index": 0}}],"usageMetadata": {{"promptTokenCount": 412,"candidatesTokenCount": 1289,"totalTokenCount": 1701,"promptTokensDetails": [{{"modality": "TEXT","tokenCount": 412}}]}},"modelVersion": "gemini-3-pro-preview","responseId": "{id}"}}"#
            ),
        );
    };
    for word in WORDS {
        chunk(&format!(r#"{{"text": "{word}"}}"#), "");
    }
    for text in arguments {
        let call = random.id();
        chunk(&format!(r#"{{"functionCall": {{"name": "write_file","args": {text},"id": "{call}"}}}}"#), "");
    }
    chunk(r#"{"text": ""}"#, r#""finishReason": "STOP","#);
}
