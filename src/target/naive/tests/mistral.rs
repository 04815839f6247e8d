//! Examples by number, then others.

use serde_json::json;

use super::samples::{DONE, Sample, choice, data, delta, entry, f, framed, t};
use crate::model::Api;

const UTC: &str = "{\"tz\":\"UTC\"}";

fn sample(name: &'static str, parts: &[String], want: &str) -> Sample {
    Sample::new(Api::MistralChat, name, parts.concat(), want)
}

pub(super) fn samples() -> Vec<Sample> {
    [worked(), ours(), framing()].into_iter().flatten().collect()
}

fn worked() -> Vec<Sample> {
    let done = || DONE.to_owned();
    let calls = || f("tool_calls");
    let one = |entry| choice(&json!({"index": 0, "delta": {"tool_calls": [entry]}, "finish_reason": "tool_calls"}));
    vec![
        sample(
            "1 one chunk",
            &[one(entry("0", "D681PevKs", "now", UTC)), done()],
            "toolUse | D681PevKs now {\"tz\":\"UTC\"}",
        ),
        sample(
            "2 fragments with empty names",
            &[t("0", "WcG8xhSs1", "get", ""), t("0", "-", "", "{\"ci"), t("0", "-", "", "ty\":1}"), calls(), done()],
            "toolUse | WcG8xhSs1 get {\"city\":1}",
        ),
        sample(
            "3 a null id on the last fragment",
            &[t("0", "WcG8xhSs1", "get", ""), t("0", "-", "", "{\"ci"), t("0", "null", "", "ty\":1}"), calls()],
            "toolUse | WcG8xhSs1 get {\"city\":1}",
        ),
        sample(
            "4 two calls as the types show them",
            &[data(&json!({"data": {"choices": [{"index": 0, "delta": {"toolCalls": [
                entry("0", "aaaaaaaa1", "now", "{}"), entry("0", "bbbbbbbb2", "now", "{}")]}, "finishReason": "tool_calls"}],
                "usage": {"promptTokens": 5, "completionTokens": 2}}}))],
            "toolUse | aaaaaaaa1 now {} | bbbbbbbb2 now {} | u5/2/-/-",
        ),
        sample("5 an object", &[one(entry("0", "a", "now", "={\"tz\":1.0}"))], "toolUse | a now {\"tz\":1.0}"),
        sample(
            "6 null ids alone",
            &[t("0", "null", "now", ""), t("0", "null", "", "{}"), calls()],
            "toolUse | * now {}",
        ),
        sample(
            "10 cut by the limit",
            &[t("0", "a", "now", "{\"a\":"), f("length")],
            "length | !truncated_arguments a now <{\"a\":>",
        ),
        sample(
            "11 an error as reason",
            &[t("0", "a", "now", "{}"), f("error")],
            "error | !provider_error error | ?a now {}",
        ),
        sample(
            "12 thinking",
            &[
                delta(&json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]})),
                one(entry("0", "a", "now", "{}")),
            ],
            "toolUse | a now {} | ~hm",
        ),
        sample(
            "13 whole, and too long for the model",
            &[json!({"choices": [{"index": 0, "message": {"content": "hi"}, "finish_reason": "model_length"}]})
                .to_string()],
            "length | \"hi\"",
        ),
        sample(
            "14 neither id nor place",
            &[t("-", "a", "now", ""), t("-", "b", "get", ""), t("-", "null", "", "{\"n\":1}"), calls()],
            "toolUse | a now {} | b get {\"n\":1}",
        ),
    ]
}

fn ours() -> Vec<Sample> {
    let calls = || f("tool_calls");
    let other = |text: &str| choice(&json!({"index": 1, "delta": {"content": text}, "finish_reason": "stop"}));
    vec![
        sample(
            "two named entries at index 0, the first unfinished",
            &[t("0", "a", "now", "{\"x\":1,"), t("0", "b", "now", "\"y\":2}"), calls()],
            "toolUse | a now {\"x\":1,\"y\":2}",
        ),
        sample(
            "two named entries at index 0, the second begins anew",
            &[t("0", "a", "now", "{\"x\":1,"), t("0", "b", "now", "{\"y\":2}"), calls()],
            "toolUse | b now {\"y\":2} | !invalid_arguments_json a now <{\"x\":1,>",
        ),
        sample(
            "at another index the same is one call",
            &[t("1", "a", "now", "{\"x\":1,"), t("1", "b", "now", "\"y\":2}"), calls()],
            "toolUse | a now {\"x\":1,\"y\":2}",
        ),
        sample(
            "both spellings",
            &[choice(&json!({"index": 0, "delta": {"tool_calls": [entry("0", "a", "now", "{}")], "toolCalls": [entry("0", "b", "now", "{}")]},
                "finish_reason": null, "finishReason": "tool_calls"}))],
            "toolUse | a now {}",
        ),
        sample("whole in camelCase", &[json!({"choices": [{"message": {"toolCalls": [entry("-", "a", "now", UTC)]}, "finishReason": "tool_calls"}]}).to_string()], "toolUse | a now {\"tz\":\"UTC\"}"),
        sample("an error event", &[t("0", "a", "now", "{"), data(&json!({"object": "error", "message": "m", "type": "t", "code": "3230"}))], "error | !provider_error t 3230 | ?a now {"),
        sample("an error in a wrapping", &[data(&json!({"data": {"object": "error", "message": "m", "type": "t", "code": "3230"}}))], "error | !provider_error t 3230"),
        sample("a stray failure", &[t("0", "a", "now", "{}"), calls(), "error: {\"message\":\"m\"}\n\n".to_owned()], "error | a now {} | !provider_error"),
        sample("refused", &[t("0", "a", "now", "{}"), f("content_filter")], "refusal | !blocked content_filter"),
        sample("no end", &[t("0", "a", "now", "{}")], "error | !incomplete_stream | ?a now {}"),
        sample("stop beside a call", &[t("0", "a", "now", "{}"), delta(&json!({"content": "hi"})), f("stop")], "toolUse | a now {} | \"hi\""),
        sample("two choices", &[delta(&json!({"content": "a"})), f("stop"), other("b")], "stop | \"a\" | [stop | \"b\"]"),
        sample(
            "interleaved",
            &[t("0", "a", "now", ""), t("1", "b", "now", ""), t("1", "-", "now", "{\"n\":"), t("0", "-", "-", "{\"m\":"), t("1", "-", "-", "1}"), t("0", "-", "-", "2}"), calls()],
            "toolUse | a now {\"m\":2} | b now {\"n\":1}",
        ),
        sample("cut arguments", &[t("0", "a", "now", "{\"x\":"), calls()], "toolUse | !invalid_arguments_json a now <{\"x\":>"),
        sample("double encoding", &[t("0", "a", "now", "\"{\\\"x\\\":1}\""), calls()], "toolUse | !arguments_not_object a now <\"{\\\"x\\\":1}\">"),
        sample("keys keep their order", &[t("0", "a", "now", "{\"b\":1E2,\"a\":12345678901234567890}"), calls()], "toolUse | a now {\"b\":1E2,\"a\":12345678901234567890}"),
        sample("the array does not end", &[format!("[{}", json!({"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}]}))], "error | !incomplete_stream | \"hi\""),
    ]
}

fn framing() -> Vec<Sample> {
    let events = [
        json!({"choices": [{"index": 0, "delta": {"tool_calls": [entry("0", "a", "now", "{\"x\":\"é\"}")]}}]}),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    framed(Api::MistralChat, &events, "toolUse | a now {\"x\":\"é\"}")
}
