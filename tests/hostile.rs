//! Streams made to be slow: decoding stays linear in their length. Times lie on a busy machine, so the test compares
//! two that are equal for a linear reader and asks for much less than the difference to a quadratic one, which is
//! sixteenfold.
#![expect(clippy::disallowed_methods, reason = "tests")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rstest::rstest;
use toolwire::model::Api::{self, AnthropicMessages, Gemini, MistralChat, OpenaiChat, OpenaiResponses};
use toolwire::providers::{DecodeSetup, Decoder};

const SMALL: usize = 1_500;

fn repeat(n: usize, event: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut stream, i| {
        let _ = write!(stream, "data: {}\n\n", event(i));
        stream
    })
}

fn delta(delta: &str) -> String {
    format!("{{\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}")
}

fn errors(n: usize) -> String {
    repeat(n, |i| format!("{{\"error\":{{\"message\":\"e{i}\"}}}}"))
}

fn unparsable(n: usize) -> String {
    repeat(n, |_| "{x".to_owned())
}

fn choices(n: usize) -> String {
    repeat(n, |i| format!("{{\"choices\":[{{\"index\":{i},\"delta\":{{\"content\":\"x\"}}}}]}}"))
}

fn reasoning(n: usize) -> String {
    repeat(n, |i| delta(&format!("{{\"reasoning_details\":[{{\"index\":{i},\"text\":\"x\"}}]}}")))
}

fn one_id(n: usize) -> String {
    repeat(n, |i| {
        delta(&format!(
            "{{\"tool_calls\":[{{\"index\":{i},\"id\":\"a\",\"function\":{{\"name\":\"f\",\"arguments\":\"{{\\\"n\\\":{i}}}\"}}}}]}}"
        ))
    })
}

fn calls_and_errors(n: usize) -> String {
    repeat(n, |i| {
        if i % 2 == 0 {
            delta(&format!("{{\"tool_calls\":[{{\"index\":{i},\"id\":\"c{i}\",\"function\":{{\"name\":\"f\"}}}}]}}"))
        } else {
            format!("{{\"error\":{{\"message\":\"e{i}\"}}}}")
        }
    })
}

fn long_name(n: usize) -> String {
    repeat(n, |_| delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"abcdefgh\"}}]}")) + "data: [DONE]\n\n"
}

fn start(i: usize, kind: &str) -> String {
    format!(
        "{{\"type\":\"content_block_start\",\"index\":{i},\"content_block\":{{\"type\":\"{kind}\",\"id\":\"t{i}\",\"name\":\"f\",\"input\":{{}}}}}}"
    )
}

fn open_blocks(n: usize) -> String {
    repeat(n, |i| start(i, "tool_use"))
}

fn stopped_blocks(n: usize) -> String {
    repeat(n, |i| {
        if i % 2 == 0 { start(i, "text") } else { format!("{{\"type\":\"content_block_stop\",\"index\":{}}}", i - 1) }
    })
}

fn pieces_without_an_owner(n: usize) -> String {
    let piece = |i: usize| {
        format!(
            "{{\"type\":\"content_block_delta\",\"index\":-{i},\"delta\":{{\"type\":\"input_json_delta\",\"partial_json\":\"1\"}}}}"
        )
    };
    open_blocks(n / 2) + &repeat(n / 2, piece)
}

fn items_at_one_index(n: usize) -> String {
    let item = |i: usize, kind: &str| {
        format!(
            "{{\"type\":\"response.output_item.{kind}\",\"output_index\":0,\"item\":{{\"type\":\"function_call\",\"id\":\"i{i}\",\"call_id\":\"c{i}\",\"name\":\"f\"}}}}"
        )
    };
    repeat(n / 2, |i| item(i, "added")) + &repeat(n / 2, |i| item(n / 2 - i, "done"))
}

fn headless_items(n: usize) -> String {
    let piece = |i: usize| {
        format!(
            "{{\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"i{i}\",\"output_index\":{i},\"delta\":\"1\"}}"
        )
    };
    let added = |i: usize| {
        format!(
            "{{\"type\":\"response.output_item.added\",\"item\":{{\"type\":\"custom_tool_call\",\"id\":\"j{i}\",\"call_id\":\"c\",\"name\":\"f\"}}}}"
        )
    };
    repeat(n / 2, piece) + &repeat(n / 2, added)
}

fn snapshot_of_everything(n: usize) -> String {
    let added = repeat(n, |i| {
        format!(
            "{{\"type\":\"response.output_item.added\",\"output_index\":{i},\"item\":{{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f{i}\"}}}}"
        )
    });
    let items: Vec<String> =
        (0..n).map(|i| format!("{{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f{}\"}}", n - i)).collect();
    format!("{added}data: {{\"type\":\"response.completed\",\"response\":{{\"output\":[{}]}}}}\n\n", items.join(","))
}

fn items_and_errors(n: usize) -> String {
    repeat(n, |i| {
        if i % 2 == 0 {
            format!(
                "{{\"type\":\"response.output_item.done\",\"output_index\":{i},\"item\":{{\"type\":\"function_call\",\"call_id\":\"c{i}\",\"name\":\"f\"}}}}"
            )
        } else {
            format!("{{\"type\":\"error\",\"message\":\"e{i}\"}}")
        }
    })
}

fn kinds_of_server_calls(n: usize) -> String {
    repeat(n, |i| {
        format!(
            "{{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{{\"type\":\"k{i}_call\",\"id\":\"i\"}}}}"
        )
    })
}

/// A streamed call of Gemini with so many pieces, each in a chunk.
fn pieces(n: usize, path: impl Fn(usize) -> String) -> String {
    let part =
        |call: String| format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"functionCall\":{call}}}]}}}}]}}");
    let head = repeat(1, |_| part("{\"name\":\"f\",\"willContinue\":true}".to_owned()));
    let pieces = repeat(n, |i| {
        let path = path(i);
        part(format!(
            "{{\"partialArgs\":[{{\"jsonPath\":\"{path}\",\"stringValue\":\"x\",\"willContinue\":true}}],\"willContinue\":true}}"
        ))
    });
    head + &pieces
}

fn members_of_one_object(n: usize) -> String {
    pieces(n, |i| format!("$.k{i}"))
}

fn items_of_one_array(n: usize) -> String {
    pieces(n, |i| format!("$.a[{i}]"))
}

fn one_string(n: usize) -> String {
    pieces(n, |_| "$.a".to_owned())
}

fn deep_paths(n: usize) -> String {
    // A path of its own for each, as deep as may be, but not more values in all than are kept.
    pieces(n / 20, |i| format!("$.k{i}{}", ".d".repeat(500)))
}

fn args_again_and_again(n: usize) -> String {
    repeat(n, |i| {
        format!(
            "{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"functionCall\":{{\"id\":\"c\",\"args\":{{\"k{i}\":1}},\"willContinue\":true}}}}]}}}}]}}"
        )
    })
}

fn heads_again_and_again(n: usize) -> String {
    repeat(n, |_| {
        "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}]}}]}"
            .to_owned()
    })
}

fn candidates(n: usize) -> String {
    repeat(n, |i| format!("{{\"candidates\":[{{\"index\":{i},\"content\":{{\"parts\":[{{\"text\":\"x\"}}]}}}}]}}"))
}

fn parts_of_one_chunk(n: usize) -> String {
    let parts: Vec<String> = (0..n)
        .map(|i| format!("{{\"functionCall\":{{\"name\":\"f\",\"id\":\"c\",\"args\":{{\"n\":{i}}}}}}},{{\"thought\":true,\"text\":\"x\"}}"))
        .collect();
    repeat(1, |_| format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{}]}}}}]}}", parts.join(",")))
}

fn calls_and_errors_gemini(n: usize) -> String {
    repeat(n, |i| {
        if i % 2 == 0 {
            "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"args\":{}}}]}}]}".to_owned()
        } else {
            format!("{{\"error\":{{\"message\":\"e{i}\"}}}}")
        }
    })
}

fn array_in_an_event(n: usize) -> String {
    repeat(1, |_| format!("[{}0]", "[],".repeat(n)))
}

fn small_value(i: usize) -> String {
    format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{i}\"}}]}}}}]}}\n")
}

fn json_lines(n: usize) -> String {
    (0..n).map(small_value).collect()
}

fn json_array(n: usize) -> String {
    format!("[{}]", (0..n).map(small_value).collect::<Vec<_>>().join(","))
}

fn json_array_without_end(n: usize) -> String {
    format!("[{}", "[".repeat(20 * n))
}

fn commas(n: usize) -> String {
    format!("[{}", ",\n".repeat(20 * n))
}

/// Reads a stream that comes in pieces of so many bytes.
fn read(api: Api, stream: &str, piece: usize) {
    let mut decoder = Decoder::new(api, DecodeSetup::default());
    stream.as_bytes().chunks(piece).for_each(|piece| decoder.push(piece, &mut |_| {}));
    decoder.finish(&mut |_| {});
}

/// Sixteen times the input may take at most four times as long as the input sixteen times.
fn assert_linear(api: Api, stream: fn(usize) -> String, piece: usize) {
    let (small, large) = (stream(SMALL), stream(16 * SMALL));
    let time = |stream: &str, times: usize| {
        let start = Instant::now();
        (0..times).for_each(|_| read(api, stream, piece));
        start.elapsed()
    };
    // Another process can disturb an attempt, but none makes a quadratic reader quick.
    let mut attempts: Vec<(Duration, Duration)> = Vec::new();
    while attempts.last().is_none_or(|(small, large)| *large >= 4 * *small) {
        assert!(attempts.len() < 5, "{attempts:?}");
        attempts.push((time(&small, 16), time(&large, 1)));
    }
}

#[rstest]
#[case::errors(OpenaiChat, errors)]
#[case::unparsable_events(OpenaiChat, unparsable)]
#[case::choices(OpenaiChat, choices)]
#[case::reasoning_indexes(OpenaiChat, reasoning)]
#[case::calls_of_one_id(OpenaiChat, one_id)]
#[case::errors_between_calls(OpenaiChat, calls_and_errors)]
#[case::a_name_without_end(OpenaiChat, long_name)]
#[case::errors_anthropic(AnthropicMessages, errors)]
#[case::unparsable_events_anthropic(AnthropicMessages, unparsable)]
#[case::open_blocks(AnthropicMessages, open_blocks)]
#[case::stopped_blocks(AnthropicMessages, stopped_blocks)]
#[case::pieces_without_an_owner(AnthropicMessages, pieces_without_an_owner)]
#[case::items_at_one_index(OpenaiResponses, items_at_one_index)]
#[case::headless_items(OpenaiResponses, headless_items)]
#[case::snapshot_of_everything(OpenaiResponses, snapshot_of_everything)]
#[case::errors_between_items(OpenaiResponses, items_and_errors)]
#[case::kinds_of_server_calls(OpenaiResponses, kinds_of_server_calls)]
#[case::calls_of_one_id_mistral(MistralChat, one_id)]
#[case::members_of_one_object(Gemini, members_of_one_object)]
#[case::items_of_one_array(Gemini, items_of_one_array)]
#[case::one_string(Gemini, one_string)]
#[case::deep_paths(Gemini, deep_paths)]
#[case::args_again_and_again(Gemini, args_again_and_again)]
#[case::heads_again_and_again(Gemini, heads_again_and_again)]
#[case::candidates(Gemini, candidates)]
#[case::parts_of_one_chunk(Gemini, parts_of_one_chunk)]
#[case::errors_between_calls_gemini(Gemini, calls_and_errors_gemini)]
#[case::unparsable_events_gemini(Gemini, unparsable)]
#[case::array_in_an_event(Gemini, array_in_an_event)]
#[case::json_lines(Gemini, json_lines)]
#[case::json_array(Gemini, json_array)]
#[case::json_array_without_end(Gemini, json_array_without_end)]
#[case::commas(Gemini, commas)]
#[case::json_lines_chat(OpenaiChat, json_lines)]
fn time_is_linear(#[case] api: Api, #[case] stream: fn(usize) -> String) {
    assert_linear(api, stream, usize::MAX);
}

#[rstest]
#[case::json_lines(json_lines)]
#[case::json_array(json_array)]
#[case::json_array_without_end(json_array_without_end)]
#[case::commas(commas)]
#[case::parts_of_one_chunk(parts_of_one_chunk)]
fn small_reads_are_linear(#[case] stream: fn(usize) -> String) {
    assert_linear(Gemini, stream, 7);
}
