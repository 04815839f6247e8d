//! Examples by number, then others.

use serde_json::json;

use super::samples::{DONE, Sample, block_delta, d, end, event, md, ms, s, tool, x};
use crate::model::Api;

/// A sample of the usual usage: the turn's line ends in `u10/9/3/-`.
fn sample(name: &'static str, parts: &[String], want: &str) -> Sample {
    let body = ms("msg_1") + &parts.concat();
    Sample::new(Api::AnthropicMessages, name, body, want)
}

fn bare(name: &'static str, parts: &[String], want: &str) -> Sample {
    Sample::new(Api::AnthropicMessages, name, parts.concat(), want)
}

pub(super) fn samples() -> Vec<Sample> {
    [worked(), rest()].into_iter().flatten().collect()
}

fn error(kind: &str) -> String {
    event(&json!({"type": "error", "error": {"type": kind, "message": "m", "code": "c"}}))
}

fn text(index: u32, text: &str) -> String {
    s(index, &json!({"type": "text", "text": ""}))
        + &block_delta(index, &json!({"type": "text_delta", "text": text}))
        + &x(index)
}

fn worked() -> Vec<Sample> {
    let a = || tool(0, "toolu_1", "get");
    let uses = || end("tool_use");
    let prefilled = json!({"type": "message_start", "message": {"id": "m", "stop_reason": "tool_use",
        "content": [{"type": "tool_use", "id": "toolu_3", "name": "roll", "input": {"player": "p2"}}]}});
    vec![
        sample(
            "1",
            &[a(), d(0, ""), d(0, "{\"city\":"), d(0, " \"Par"), d(0, "is\"}"), x(0), uses()],
            "toolUse | toolu_1 get {\"city\": \"Paris\"} | u10/9/3/-",
        ),
        sample("2", &[a(), d(0, ""), x(0), uses()], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample("3", &[a(), d(0, "{}"), x(0), uses()], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample(
            "4",
            &[s(0, &json!({"type": "tool_use", "id": "t1", "name": "f"})), d(0, "{\"a\":1}"), x(0), uses()],
            "toolUse | t1 f {\"a\":1} | u10/9/3/-",
        ),
        sample(
            "5",
            &[s(0, &json!({"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}})), x(0), uses()],
            "toolUse | t1 f {\"a\":1} | u10/9/3/-",
        ),
        bare(
            "6",
            &[event(&prefilled), event(&json!({"type": "message_stop"}))],
            "toolUse | toolu_3 roll {\"player\":\"p2\"}",
        ),
        sample(
            "8",
            &[a(), d(0, "{\"e\":\"\\ud83d"), d(0, "\\ude00\"}"), x(0), uses()],
            "toolUse | toolu_1 get {\"e\":\"\\ud83d\\ude00\"} | u10/9/3/-",
        ),
        sample(
            "9",
            &[
                text(0, "h\u{e9}"),
                tool(1, "t1", "f"),
                d(1, "{}"),
                x(1),
                tool(2, "t2", "f"),
                d(2, "{\"a\":1.0}"),
                x(2),
                uses(),
            ],
            "toolUse | t1 f {} | t2 f {\"a\":1.0} | \"h\u{e9}\" | u10/9/3/-",
        ),
        sample(
            "10",
            &[a(), tool(1, "t2", "g"), d(0, "{\"x\""), d(1, "{\"y\":2}"), x(1), d(0, ":1}"), x(0), uses()],
            "toolUse | toolu_1 get {\"x\":1} | t2 g {\"y\":2} | u10/9/3/-",
        ),
        sample(
            "11",
            &[a(), d(0, "{\"x\":1}"), x(0), tool(0, "t2", "g"), d(0, "{\"y\":2}"), x(0), uses()],
            "toolUse | toolu_1 get {\"x\":1} | t2 g {\"y\":2} | u10/9/3/-",
        ),
        sample(
            "12",
            &[a(), d(0, "{\"p\":\"ab"), x(0), end("max_tokens")],
            "length | !truncated_arguments toolu_1 get <{\"p\":\"ab> | u10/9/3/-",
        ),
        sample(
            "13",
            &[a(), d(0, "{\"p\":1}"), x(0), end("max_tokens")],
            "length | !truncated_arguments toolu_1 get <{\"p\":1}> | u10/9/3/-",
        ),
        sample(
            "14",
            &[a(), d(0, "{}"), x(0), tool(1, "t2", "g"), d(1, "{"), x(1), end("max_tokens")],
            "length | toolu_1 get {} | !truncated_arguments t2 g <{> | u10/9/3/-",
        ),
        sample(
            "15",
            &[a(), d(0, "{\"q\": abc}"), x(0), uses()],
            "toolUse | !invalid_arguments_json toolu_1 get <{\"q\": abc}> | u10/9/3/-",
        ),
        sample(
            "16",
            &[a(), d(0, "[1,2]"), x(0), uses()],
            "toolUse | !arguments_not_object toolu_1 get <[1,2]> | u10/9/3/-",
        ),
        sample(
            "17",
            &[a(), d(0, "\"{\\\"a\\\":1}\""), x(0), uses()],
            "toolUse | !arguments_not_object toolu_1 get <\"{\\\"a\\\":1}\"> | u10/9/3/-",
        ),
        sample(
            "18",
            &[a(), d(0, "{\"a\""), error("overloaded_error")],
            "error | !provider_error overloaded_error c | ?toolu_1 get {\"a\" | u10/1/3/-",
        ),
        sample(
            "19",
            &[a(), d(0, "{}"), x(0), error("api_error")],
            "error | toolu_1 get {} | !provider_error api_error c | u10/1/3/-",
        ),
        bare("20", &[error("overloaded_error")], "error | !provider_error overloaded_error c"),
        sample("21", &[a(), d(0, "{}"), x(0)], "error | toolu_1 get {} | !incomplete_stream | u10/1/3/-"),
        sample(
            "22",
            &[a(), event(&json!({"type": "ping"})), event(&json!({"type": "foo"})), d(0, "{}"), x(0), uses()],
            "toolUse | toolu_1 get {} | u10/9/3/-",
        ),
        sample(
            "23",
            &[
                s(0, &json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}})),
                d(0, "{\"q\":1}"),
                x(0),
                s(1, &json!({"type": "web_search_tool_result", "tool_use_id": "s1", "content": []})),
                x(1),
                text(2, "so"),
                tool(3, "t1", "f"),
                d(3, "{}"),
                x(3),
                uses(),
            ],
            "toolUse | t1 f {} | @server_tool_use web_search {\"q\":1} | \"so\" | u10/9/3/-",
        ),
        sample(
            "24",
            &[
                s(0, &json!({"type": "server_tool_use", "id": "s1", "name": "w", "input": {"q": 1}})),
                x(0),
                end("pause_turn"),
            ],
            "pause | @server_tool_use w {\"q\":1} | u10/9/3/-",
        ),
        sample(
            "25",
            &[
                a(),
                d(0, "{\"a\""),
                md(&json!({"stop_reason": "refusal", "stop_details": {"category": "cyber"}})),
                event(&json!({"type": "message_stop"})),
            ],
            "refusal | !blocked cyber | u10/9/3/-",
        ),
        sample(
            "26 and 28",
            &[
                s(0, &json!({"type": "thinking", "thinking": "", "signature": ""})),
                block_delta(0, &json!({"type": "thinking_delta", "thinking": "hm"})),
                block_delta(0, &json!({"type": "signature_delta", "signature": "sg"})),
                x(0),
                s(1, &json!({"type": "text", "text": ""})),
                block_delta(1, &json!({"type": "thinking_delta", "thinking": "misfiled"})),
                block_delta(1, &json!({"type": "text_delta", "text": "x"})),
                x(1),
                s(2, &json!({"type": "redacted_thinking", "data": "enc"})),
                x(2),
                end("end_turn"),
            ],
            "stop | \"x\" | ~hm ^sg | ~misfiled | ~ %enc | u10/9/3/-",
        ),
        sample("29", &[a(), x(0), end("end_turn")], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample("30", &[uses()], "stop | u10/9/3/-"),
        sample(
            "31 splice",
            &[
                text(0, "a"),
                tool(1, "t1", "f"),
                d(1, "{\"v\":\"Sp"),
                ms("msg_2"),
                text(0, "b"),
                tool(1, "t2", "f"),
                d(1, "{}"),
                x(1),
                uses(),
            ],
            "error | !protocol_violation ANT-S-005 | \"a\" | u10/1/3/-",
        ),
        sample(
            "32",
            &[a(), d(0, "{\"a\""), ms("msg_1"), d(0, ":1}"), x(0), uses()],
            "toolUse | toolu_1 get {\"a\":1} | u10/9/3/-",
        ),
        sample("34", &[a(), x(0), md(&json!({"stop_reason": null})), uses()], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample(
            "35",
            &[a(), d(0, "{\"id\":9007199254740993,\"a\":1}"), x(0), uses()],
            "toolUse | toolu_1 get {\"id\":9007199254740993,\"a\":1} | u10/9/3/-",
        ),
        bare(
            "40",
            &[error("overloaded_error").replace("event: error\ndata: ", "")],
            "error | !http_status overloaded_error c",
        )
        .status(529),
    ]
}

fn rest() -> Vec<Sample> {
    let a = || tool(0, "toolu_1", "get");
    let uses = || end("tool_use");
    let body = |reason: &str| {
        json!({"type": "message", "id": "m", "content": [
            {"type": "text", "text": "x"},
            {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}},
            {"type": "tool_use", "id": "t1", "name": "f", "input": [1]},
        ], "stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 2, "cache_creation_input_tokens": 4}})
        .to_string()
    };
    let eventless = [ms("m"), a(), d(0, "{}"), x(0), uses()].concat();
    let eventless =
        eventless.lines().filter(|line| !line.starts_with("event:")).fold(String::new(), |all, line| all + line + "\n");
    vec![
        bare("a body", &[body("tool_use")], "toolUse | t1 f {\"a\":1} | !arguments_not_object * f <[1]> | \"x\" | u1/2/-/4"),
        bare("a body at the limit", &[body("max_tokens")], "length | t1 f {\"a\":1} | !truncated_arguments t1 f <[1]> | \"x\" | u1/2/-/4"),
        bare("a body without an end", &[json!({"type": "message", "content": [], "stop_reason": null}).to_string()], "error | !incomplete_stream"),
        bare("no event names", &[eventless], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample("CR LF", &[[a(), d(0, "{\"a\":\"\u{e9}\"}"), x(0), uses()].concat().replace('\n', "\r\n")], "toolUse | toolu_1 get {\"a\":\"\u{e9}\"} | u10/9/3/-"),
        bare("BOM", &["\u{feff}".to_owned(), ms("m").replace("event: message_start\n", ""), uses()], "stop | u10/9/3/-"),
        bare(
            "CR LF in one event",
            &[(ms("m") + "data: {\ndata: \"type\":\"ping\"}\n\n" + &uses()).replace('\n', "\r\n")],
            "stop | u10/9/3/-",
        ),
        bare("all of it CR LF after a BOM", &[("\u{feff}".to_owned() + &ms("m") + &a() + &x(0) + &uses()).replace('\n', "\r\n")], "toolUse | toolu_1 get {} | u10/9/3/-"),
        sample(
            "data in lines, a comment between",
            &["data: {\"type\":\"content_block_start\",\"index\":0,\n: hi\ndata: \"content_block\":{\"type\":\"text\",\"text\":\"x\"}}\n\n".to_owned(), end("end_turn")],
            "stop | \"x\" | u10/9/3/-",
        ),
        sample("a long line", &[text(0, &"y".repeat(70_000)), end("end_turn")], &format!("stop | \"{}\" | u10/9/3/-", "y".repeat(70_000))),
        sample("done", &[text(0, "x"), end("end_turn"), DONE.to_owned()], "stop | \"x\" | u10/9/3/-"),
        sample("a limit after an input in one piece", &[s(0, &json!({"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}})), x(0), end("max_tokens")], "length | t1 f {\"a\":1} | u10/9/3/-"),
        sample("never stopped", &[a(), d(0, "{}"), uses()], "toolUse | !protocol_violation toolu_1 get ANT-S-014 | ?toolu_1 get {} | u10/9/3/-"),
        sample("open at the end", &[a(), d(0, "{}")], "error | !incomplete_stream | ?toolu_1 get {} | u10/1/3/-"),
        sample("a piece at another index", &[a(), d(5, "{\"a\":1}"), x(0), uses()], "toolUse | toolu_1 get {\"a\":1} | u10/9/3/-"),
        sample("a piece for nobody", &[a(), x(0), d(0, "{\"a\":1}"), uses()], "error | toolu_1 get {} | !protocol_violation ANT-S-012 | u10/9/3/-"),
        sample("no ids", &[tool(0, "", "f"), x(0), tool(1, "null", "f"), x(1), uses()], "toolUse | * f {} | * f {} | u10/9/3/-"),
        sample("no end of the message", &[text(0, "x"), md(&json!({"stop_reason": "end_turn"}))], "error | !incomplete_stream | \"x\" | u10/9/3/-"),
        sample("no reason", &[text(0, "x"), event(&json!({"type": "message_stop"}))], "error | !incomplete_stream | \"x\" | u10/1/3/-"),
        sample("no JSON", &["event: message_delta\ndata: {oops\n\n".to_owned(), text(0, "x"), end("end_turn")], "error | !unparsable_event <{oops> | \"x\" | u10/9/3/-"),
        sample("no JSON where none is promised", &["event: ping\ndata: pong\n\n".to_owned(), text(0, "x"), end("end_turn")], "stop | \"x\" | u10/9/3/-"),
        sample("an error that is no JSON", &["event: error\ndata: Overloaded\n\n".to_owned()], "error | !provider_error | u10/1/3/-"),
        sample("an error field", &["error: {\"message\":\"x\",\"code\":5}\n\n".to_owned(), uses()], "error | !provider_error 5 | u10/9/3/-"),
        sample("no blank line at the end", &[text(0, "x"), end("end_turn").trim_end().to_owned()], "stop | \"x\" | u10/9/3/-"),
        sample("compaction", &[end("compaction")], "pause | u10/9/3/-"),
        sample("a refusal after a call", &[a(), d(0, "{}"), x(0), end("refusal")], "refusal | !blocked refusal | u10/9/3/-"),
    ]
}
