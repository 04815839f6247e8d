//! Examples by number, then others.

use serde_json::json;

use super::samples::{DONE, Sample, choice, data, delta, entry, f, t};
use crate::model::Api;

const A: &str = "{\"city\":\"A\"}";
const UTC: &str = "{\"tz\":\"UTC\"}";

fn sample(name: &'static str, parts: &[String], want: &str) -> Sample {
    Sample::new(Api::OpenaiChat, name, parts.concat(), want)
}

pub(super) fn samples() -> Vec<Sample> {
    let tools = ["get_weather", "get_time", "now"];
    [worked(), dialects(), framing(), endings(), ours()].into_iter().flatten().map(|s| s.tools(&tools)).collect()
}

fn worked() -> Vec<Sample> {
    let done = || DONE.to_owned();
    let calls = || f("tool_calls");
    vec![
        sample(
            "1",
            &[
                t("0", "call_a", "get_weather", ""),
                t("0", "-", "-", "{\"ci"),
                t("0", "-", "-", "ty\":\"Oslo\"}"),
                calls(),
                done(),
            ],
            "toolUse | call_a get_weather {\"city\":\"Oslo\"}",
        ),
        sample(
            "2 interleaved",
            &[
                t("0", "a", "get_weather", ""),
                t("1", "b", "get_time", ""),
                t("1", "-", "-", "{\"tz\":"),
                t("0", "-", "-", A),
                t("1", "-", "-", "\"UTC\"}"),
                calls(),
            ],
            "toolUse | a get_weather {\"city\":\"A\"} | b get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "3 two in a chunk",
            &[
                delta(&json!({"tool_calls": [entry("0", "a", "get_time", UTC), entry("1", "b", "get_time", A)]})),
                calls(),
            ],
            "toolUse | a get_time {\"tz\":\"UTC\"} | b get_time {\"city\":\"A\"}",
        ),
        sample(
            "4 all at index 0",
            &[t("0", "a", "get_weather", A), t("0", "b", "get_weather", UTC), calls()],
            "toolUse | a get_weather {\"city\":\"A\"} | b get_weather {\"tz\":\"UTC\"}",
        ),
        sample(
            "5 fresh id per chunk",
            &[t("0", "x1", "get_weather", ""), t("0", "x2", "-", "{\"city\":"), t("0", "x3", "-", "\"Y\"}"), calls()],
            "toolUse | x1 get_weather {\"city\":\"Y\"}",
        ),
        sample("6 no index", &[t("-", "g1", "get_weather", A), f("stop")], "toolUse | g1 get_weather {\"city\":\"A\"}"),
        sample(
            "7 neither index nor id",
            &[t("-", "-", "now", "{}"), t("-", "-", "get_time", UTC), f("stop")],
            "toolUse | * now {} | * get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "8 index from 1",
            &[t("1", "a", "now", ""), t("2", "b", "get_time", UTC), t("1", "-", "-", "{}"), calls()],
            "toolUse | a now {} | b get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "9 empty id",
            &[t("0", "a", "get_time", ""), t("0", "", "~", UTC), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "10 name repeated",
            &[t("0", "a", "get_time", "{\"tz\""), t("0", "a", "get_time", ":\"UTC\"}"), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "11 name in pieces",
            &[t("0", "a", "get_", ""), t("0", "-", "weather", ""), t("0", "-", "-", A), calls()],
            "toolUse | a get_weather {\"city\":\"A\"}",
        ),
        sample("12 no arguments", &[t("0", "a", "now", ""), calls()], "toolUse | a now {}"),
        sample("13", &[t("0", "a", "now", ""), t("0", "-", "-", "{}"), calls()], "toolUse | a now {}"),
        sample(
            "14 leading {}",
            &[t("0", "a", "get_time", "{}"), t("0", "-", "-", UTC), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "15 null tail",
            &[t("0", "a", "get_time", UTC), t("0", "-", "-", "~"), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "16 object",
            &[t("0", "a", "get_time", &format!("={UTC}")), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "17 sent twice",
            &[t("0", "a", "get_time", ""), t("0", "-", "-", UTC), t("0", "a", "get_time", UTC), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "18 truncated",
            &[t("0", "a", "get_weather", "{\"city\":\"Ne"), f("length")],
            "length | !truncated_arguments a get_weather <{\"city\":\"Ne>",
        ),
        sample(
            "19 masked truncation",
            &[t("0", "a", "get_weather", "{\"city\":\"Ne"), calls()],
            "toolUse | !invalid_arguments_json a get_weather <{\"city\":\"Ne>",
        ),
        sample(
            "20 error in the middle",
            &[
                t("0", "a", "get_time", "{\"ci"),
                data(&json!({"error": {"message": "overloaded", "code": 502}, "choices": []})),
            ],
            "error | !provider_error 502 | ?a get_time {\"ci",
        ),
        sample(
            "21 no finish reason",
            &[t("0", "a", "get_time", UTC), done()],
            "error | a get_time {\"tz\":\"UTC\"} | !incomplete_stream",
        ),
        sample(
            "23 two choices",
            &[
                choice(&json!({"index": 0, "delta": {"tool_calls": [entry("0", "a", "now", "{}")]}})),
                choice(&json!({"index": 1, "delta": {"tool_calls": [entry("0", "b", "now", "{}")]}})),
                calls(),
                choice(&json!({"index": 1, "delta": {}, "finish_reason": "tool_calls"})),
            ],
            "toolUse | a now {} | [toolUse | b now {}]",
        )
        .choices(2),
        sample(
            "24 Azure",
            &[
                data(&json!({"id": "", "choices": [], "prompt_filter_results": []})),
                t("0", "a", "now", "{}"),
                choice(&json!({"index": 0, "finish_reason": null, "content_filter_offsets": {}})),
                calls(),
            ],
            "toolUse | a now {}",
        ),
        sample(
            "25 same index, no ids",
            &[t("0", "-", "get_time", A), t("0", "-", "get_time", UTC), f("stop")],
            "toolUse | * get_time {\"city\":\"A\"} | * get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "26 legacy",
            &[
                delta(&json!({"function_call": {"name": "now"}})),
                delta(&json!({"function_call": {"arguments": "{}"}})),
                f("function_call"),
            ],
            "toolUse | * now {}",
        ),
        sample(
            "28 custom",
            &[
                delta(
                    &json!({"tool_calls": [{"index": 0, "id": "c1", "type": "custom", "custom": {"name": "sh", "input": "echo"}}]}),
                ),
                delta(&json!({"tool_calls": [{"index": 0, "custom": {"input": " hi"}}]})),
                calls(),
            ],
            "toolUse | c1 sh <echo hi>",
        ),
        sample(
            "29 late id",
            &[t("0", "~", "get_time", ""), t("0", "real7", "-", UTC), calls()],
            "toolUse | real7 get_time {\"tz\":\"UTC\"}",
        ),
        sample(
            "32 two objects",
            &[t("0", "a", "now", "{\"a\":1}"), t("0", "-", "-", "{\"b\":2}"), calls()],
            "toolUse | !invalid_arguments_json a now <{\"a\":1}{\"b\":2}>",
        ),
        sample(
            "33 double encoding",
            &[t("0", "a", "get_time", "\"{\\\"tz\\\":1}\""), calls()],
            "toolUse | !arguments_not_object a get_time <\"{\\\"tz\\\":1}\">",
        ),
        sample(
            "35 name after arguments",
            &[t("0", "a", "-", "{\"tz\":"), t("0", "-", "get_time", "\"UTC\"}"), calls()],
            "toolUse | a get_time {\"tz\":\"UTC\"}",
        ),
        sample("36 no name", &[t("0", "a", "-", "{}"), calls()], "toolUse | !missing_name a <{}>"),
        sample(
            "37 one call twice",
            &[t("0", "z", "now", "{}"), t("1", "z", "now", "{}"), calls()],
            "toolUse | z now {}",
        ),
        sample(
            "38 one id, two calls",
            &[t("0", "a", "now", "{}"), t("1", "a", "get_time", UTC), calls()],
            "toolUse | a now {} | * get_time {\"tz\":\"UTC\"}",
        ),
    ]
}

fn dialects() -> Vec<Sample> {
    vec![
        sample("Together's float index", &[t("0.0", "a", "now", "{}"), f("eos")], "toolUse | a now {}"),
        sample(
            "old llama.cpp",
            &[
                delta(
                    &json!({"tool_calls": [{"index": 0, "function": {"id": "x", "name": "now", "arguments": "{}"}}]}),
                ),
                f("stop"),
            ],
            "toolUse | x now {}",
        ),
        sample(
            "usage of Groq and Moonshot, later values count",
            &[
                data(
                    &json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 2}}}),
                ),
                choice(&json!({"index": 0, "delta": {"content": "x"}, "usage": {"completion_tokens": 3}})),
                data(
                    &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "x_groq": {"usage": {"completion_tokens": 4}}}),
                ),
            ],
            "stop | \"x\" | u7/4/2/-",
        ),
        sample(
            "cumulative arguments",
            &[
                t("0", "a", "now", "{\"a\""),
                t("0", "-", "-", "{\"a\":1"),
                t("0", "-", "-", "{\"a\":1}"),
                f("tool_calls"),
            ],
            "toolUse | a now {\"a\":1}",
        ),
        sample(
            "Copilot's split choices",
            &[json!({"choices": [
                {"message": {"content": "ok"}, "finish_reason": "tool_calls"},
                {"message": {"tool_calls": [entry("-", "a", "now", "{}")]}},
            ]})
            .to_string()],
            "toolUse | a now {} | \"ok\"",
        ),
        sample(
            "OpenRouter's error",
            &[
                ": OPENROUTER PROCESSING\n\n".to_owned(),
                data(
                    &json!({"error": {"code": 502, "message": "x"}, "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
                ),
            ],
            "error | !provider_error 502",
        ),
        sample(
            "Cerebras' flat error",
            &[json!({"message": "m", "type": "invalid_request_error", "param": "tools", "code": "wrong_api_format"})
                .to_string()],
            "error | !http_status invalid_request_error wrong_api_format",
        )
        .status(400),
        sample(
            "Gemini's list of errors",
            &[json!([{"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}]).to_string()],
            "error | !http_status INVALID_ARGUMENT 400",
        )
        .status(400),
        sample(
            "a page of a proxy",
            &["<h1>Bad gateway</h1>".to_owned()],
            "error | !http_status <<h1>Bad gateway</h1>>",
        )
        .status(502),
        sample(
            "thinking in details, and the signature of a call",
            &[
                delta(
                    &json!({"reasoning": "Let", "reasoning_details": [{"type": "reasoning.text", "text": "Let", "index": 0}]}),
                ),
                delta(
                    &json!({"reasoning_details": [{"type": "reasoning.text", "text": " me", "signature": "sg", "index": 0}]}),
                ),
                delta(
                    &json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "enc", "id": "rs_1", "index": 1}]}),
                ),
                t("0", "a", "now", "{}"),
                delta(
                    &json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "key", "id": "a", "index": 2}]}),
                ),
                f("tool_calls"),
            ],
            "toolUse | a now {} ^key | ~Let me ^sg | ~ %enc",
        ),
        sample(
            "thinking in the same words twice",
            &[
                delta(&json!({"reasoning_content": "hm", "reasoning": "hm"})),
                delta(&json!({"content": "x"})),
                f("stop"),
            ],
            "stop | \"x\" | ~hm",
        ),
        sample(
            "content in parts",
            &[
                delta(&json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}]})),
                delta(&json!({"content": [{"type": "thinking", "thinking": "m"}, {"type": "text", "text": "x"}]})),
                f("stop"),
            ],
            "stop | \"x\" | ~hm",
        ),
        sample(
            "metadata of Gemini's endpoint opens no call",
            &[
                t("-", "f1", "get_time", UTC),
                delta(&json!({"tool_calls": [{"extra_content": {"google": {"thought_signature": "S"}}}]})),
                f("stop"),
            ],
            "toolUse | f1 get_time {\"tz\":\"UTC\"} ^S",
        ),
        sample(
            "one id, two calls, no index",
            &[t("-", "x", "now", "{}"), t("-", "x", "get_time", UTC), f("stop")],
            "toolUse | x now {} | * get_time {\"tz\":\"UTC\"}",
        ),
    ]
}

fn framing() -> Vec<Sample> {
    let hello = delta(&json!({"content": "h\u{e9}llo"}));
    let two = hello.clone() + &f("stop");
    let halves = "data: {\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ude00\\ud83d\"}}]}\n\n";
    vec![
        sample("CR LF", &[two.replace('\n', "\r\n"), DONE.replace('\n', "\r\n")], "stop | \"h\u{e9}llo\""),
        sample(
            "CR LF in one event",
            &["data: {\r\ndata: \"choices\":[]}\r\n\r\n".to_owned(), two.replace('\n', "\r\n")],
            "stop | \"h\u{e9}llo\"",
        ),
        sample("BOM", &["\u{feff}".to_owned(), two.clone()], "stop | \"h\u{e9}llo\""),
        sample(
            "a comment in an event",
            &["data: {\n: hi\ndata: \"choices\":[]}\n\n".to_owned(), two],
            "stop | \"h\u{e9}llo\"",
        ),
        sample(
            "a line of 70000 bytes",
            &[
                delta(&json!({"content": "", "pad": "x".repeat(70_000)})),
                t("0", "a", "now", &format!("{{\"p\":\"{}\"}}", "y".repeat(70_000))),
                f("stop"),
            ],
            &format!("toolUse | a now {{\"p\":\"{}\"}}", "y".repeat(70_000)),
        ),
        sample("halves of a character", &[halves.to_owned(), f("stop")], "stop | \"a\u{1f600}\u{fffd}\""),
        Sample::new(
            Api::OpenaiChat,
            "not UTF-8",
            [b"data: {\"x\":\"\xff\"}\n\n".as_slice(), f("stop").as_bytes()].concat(),
            "error | !unparsable_event <{\"x\":\"\u{fffd}\"}>",
        ),
        sample("no JSON", &["data: {oops\n\n".to_owned(), f("stop")], "error | !unparsable_event <{oops>"),
        sample(
            "cut in an event",
            &[hello.clone(), "data: {\"choi".to_owned()],
            "error | !incomplete_stream | \"h\u{e9}llo\"",
        ),
        sample("cut after an event", &[hello.clone(), f("stop").trim_end().to_owned()], "stop | \"h\u{e9}llo\""),
        sample("cut in a body", &["{\"choices\":[".to_owned()], "error | !incomplete_stream"),
        sample(
            "a broken body",
            &["{\"choices\":]".to_owned()],
            "error | !unparsable_event <{\"choices\":]> | !incomplete_stream",
        ),
        sample("nothing", &[], "error | !incomplete_stream"),
        sample(
            "an error field",
            &[hello.clone(), "error: {\"code\":500,\"message\":\"x\"}\n\n".to_owned(), DONE.to_owned()],
            "error | !provider_error 500 | \"h\u{e9}llo\"",
        ),
        sample(
            "bare JSON",
            &[hello.clone(), "{\"error\":{\n\"type\":\"t\",\"code\":\"c\"}}\n".to_owned()],
            "error | !provider_error t c | \"h\u{e9}llo\"",
        ),
        sample(
            "an event named error",
            &[hello, "event: error\n\n".to_owned()],
            "error | !provider_error | \"h\u{e9}llo\"",
        ),
    ]
}

fn endings() -> Vec<Sample> {
    vec![
        sample(
            "stop beside calls and text",
            &[delta(&json!({"content": "hi"})), t("0", "a", "now", "{}"), f("stop")],
            "toolUse | a now {} | \"hi\"",
        ),
        sample("tool_calls without calls", &[f("tool_calls")], "stop"),
        sample("an empty reason, done", &[t("0", "a", "now", "{}"), f(""), DONE.to_owned()], "toolUse | a now {}"),
        sample("an empty reason, cut", &[t("0", "a", "now", "{}"), f("")], "error | !incomplete_stream | ?a now {}"),
        sample("an unknown reason", &[t("0", "a", "now", "{}"), f("moon")], "toolUse | a now {}"),
        sample(
            "cut",
            &[t("0", "a", "now", "{}"), t("1", "b", "now", "{")],
            "error | a now {} | !incomplete_stream | ?b now {",
        ),
        sample(
            "a filter",
            &[t("0", "a", "now", "{}"), t("1", "b", "now", "{"), delta(&json!({"content": "x"})), f("content_filter")],
            "refusal | !blocked content_filter | \"x\"",
        ),
        sample(
            "a refusal",
            &[delta(&json!({"refusal": "I "})), delta(&json!({"refusal": "won't"})), f("stop")],
            "refusal | !blocked refusal",
        ),
        sample(
            "DeepSeek is full",
            &[t("0", "a", "now", "{}"), f("insufficient_system_resource")],
            "error | !provider_error insufficient_system_resource | ?a now {}",
        ),
        sample(
            "the gravest reason counts",
            &[t("0", "a", "now", "{}"), f("tool_calls"), f("length")],
            "length | !truncated_arguments a now <{}>",
        ),
        sample(
            "a limit after a call that another one followed",
            &[t("0", "a", "now", "{}"), t("1", "b", "now", "{}"), f("length")],
            "length | a now {} | !truncated_arguments b now <{}>",
        ),
        sample("a limit after an object", &[t("0", "a", "now", "={\"a\":1}"), f("length")], "length | a now {\"a\":1}"),
        sample(
            "Groq's error",
            &[data(&json!({"choices": [], "x_groq": {"error": "boom"}}))],
            "error | !provider_error",
        ),
        sample(
            "MiniMax's error",
            &[json!({"base_resp": {"status_code": 2013, "status_msg": "m"}}).to_string()],
            "error | !provider_error 2013",
        ),
        sample(
            "an error settles the calls that are open",
            &[
                t("0", "a", "now", "{}"),
                t("1", "b", "now", "{"),
                data(&json!({"error": "x"})),
                t("1", "-", "-", "}"),
                f("tool_calls"),
            ],
            "error | a now {} | !provider_error | ?b now {}",
        ),
        sample(
            "calls beside the finish reason",
            &[choice(
                &json!({"index": 0, "delta": {"tool_calls": [entry("0", "a", "now", "{}")]}, "finish_reason": "tool_calls"}),
            )],
            "toolUse | a now {}",
        ),
        sample(
            "completed in another order",
            &[t("0", "a", "now", ""), t("1", "b", "now", "{}"), t("0", "-", "-", "{\"n\":1.0}"), f("tool_calls")],
            "toolUse | a now {\"n\":1.0} | b now {}",
        ),
    ]
}

fn ours() -> Vec<Sample> {
    vec![
        sample("keys out of order", &[t("0", "a", "now", "{\"z\":1,\"a\":{\"y\":1E2,\"b\":12345678901234567890}}"), f("stop")], "toolUse | a now {\"z\":1,\"a\":{\"y\":1E2,\"b\":12345678901234567890}}"),
        sample(
            "a new id at a used index without a name",
            &[t("0", "a", "now", "{}"), t("0", "b", "-", "{}"), f("stop")],
            "toolUse | a now {} | !missing_name b <{}>",
        ),
        sample(
            "the tail at an unseen index",
            &[t("0", "a", "now", "{}"), t("0", "b", "now", "{\"x\":"), t("1", "-", "-", "1}"), f("stop")],
            "toolUse | a now {} | b now {\"x\":1}",
        ),
        sample("null as text", &[t("0", "null", "now", "{}"), f("stop")], "toolUse | * now {}"),
        sample("a name that joins to no tool", &[t("0", "-", "now", ""), t("0", "-", "get_time", UTC), f("stop")], "toolUse | * now {} | * get_time {\"tz\":\"UTC\"}"),
        sample(
            "calls of a whole answer are calls of their own",
            &[json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
                entry("-", "a", "now", "{}"), entry("-", "-", "now", "{}"), entry("-", "-", "now", "{}"), entry("-", "a", "now", "{}"),
            ]}}]})
            .to_string()],
            "toolUse | a now {} | * now {} | * now {}",
        ),
    ]
}
