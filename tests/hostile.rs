//! Streams made to be slow: decoding stays linear in their length. Times lie on a busy machine, so the test asks for
//! much less than the difference between linear and quadratic: 16 times the input may take at most 64 times as long,
//! where a quadratic reader takes 256 times.
#![expect(clippy::disallowed_methods, reason = "tests")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use rstest::rstest;
use toolwire::model::Api::{self, AnthropicMessages, MistralChat, OpenaiChat, OpenaiResponses};
use toolwire::providers::{DecodeSetup, decode};

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

fn time(api: Api, stream: &str) -> Duration {
    let once = || {
        let start = Instant::now();
        decode(api, DecodeSetup::default(), stream.as_bytes());
        start.elapsed()
    };
    // The quickest of a few runs is the least disturbed one.
    (0..3).map(|_| once()).min().unwrap_or_default()
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
fn time_is_linear(#[case] api: Api, #[case] stream: fn(usize) -> String) {
    let (small, large) = (time(api, &stream(SMALL)), time(api, &stream(16 * SMALL)));
    assert!(large < 64 * small.max(Duration::from_micros(200)), "{small:?} for one, {large:?} for sixteen");
}
