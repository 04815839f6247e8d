//! How responses end, what they say, and what only mistakes show (decisions 67 to 71).

use serde_json::{Value, json};

use super::responses::{add, at, completed, created, d, done, fc, message, sample, text};
use super::samples::{DONE, Sample, data, event, framed};
use crate::model::Api;

pub(super) fn samples() -> Vec<Sample> {
    [endings(), texts(), wrong(), framing()].into_iter().flatten().collect()
}

/// Decisions 67, 68 and 71.
fn endings() -> Vec<Sample> {
    let f = || done(0, &fc("-", "a", "f", "{}"));
    let named = |name: &str, status: &str| {
        event(&json!({"type": format!("response.{name}"), "response": {"status": status, "output": []}}))
    };
    let failed =
        |error: Value| event(&json!({"type": "response.failed", "response": {"status": "failed", "error": error}}));
    let filtered = json!({"type": "response.incomplete", "response": {"status": "incomplete",
        "incomplete_details": {"reason": "content_filter"}}});
    let error = || event(&json!({"type": "error", "message": "m", "code": "c"}));
    let other = json!({"type": "response.created", "response": {"id": "s"}});
    let whole =
        |status: &str| json!({"object": "response", "status": status, "output": [fc("-", "a", "f", "{}")]}).to_string();
    vec![
        sample("no end", &[f()], "error | a f {} | !incomplete_stream"),
        sample("[DONE] is no end", &[f(), DONE.to_owned(), completed(&[])], "error | a f {} | !incomplete_stream"),
        sample("[DONE] after the end", &[f(), completed(&[]), DONE.to_owned()], "toolUse | a f {}"),
        sample(
            "unfinished at the end of the bytes",
            &[add(0, &fc("-", "a", "f", "")), d(0, "{")],
            "error | !incomplete_stream | ?a f {",
        ),
        sample("an error after the end", &[f(), completed(&[]), error()], "toolUse | a f {}"),
        sample("the status is graver", &[f(), named("completed", "incomplete")], "length | a f {}"),
        sample("the name is graver", &[f(), named("incomplete", "completed")], "length | a f {}"),
        sample("cancelled", &[f(), named("cancelled", "cancelled")], "error | a f {} | !provider_error cancelled"),
        sample("an end that says it is none", &[f(), named("completed", "in_progress")], "toolUse | a f {}"),
        sample("filtered", &[f(), event(&filtered)], "refusal | !blocked content_filter"),
        sample(
            "whole and failed",
            &[json!({"object": "response", "status": "failed", "error": {"code": "c", "message": "m"}, "output": []})
                .to_string()],
            "error | !provider_error c",
        ),
        sample("whole and not ready", &[whole("queued")], "error | !incomplete_stream"),
        sample("whole and incomplete", &[whole("incomplete")], "length | !truncated_arguments a f <{}>"),
        sample("whole, not incomplete, and incomplete", &[whole("completed")], "toolUse | a f {}"),
        sample(
            "one failure told twice",
            &[f(), error(), failed(json!({"code": "c", "message": "m"}))],
            "error | a f {} | !provider_error c",
        ),
        sample(
            "two failures",
            &[error(), failed(json!({"code": "d", "message": "n"}))],
            "error | !provider_error c | !provider_error d",
        ),
        sample("a failure without words", &[error(), failed(Value::Null)], "error | !provider_error c"),
        sample(
            "a failure while a call is open",
            &[
                add(0, &fc("-", "a", "f", "")),
                error(),
                done(0, &fc("-", "a", "f", "{}")),
                add(1, &fc("-", "b", "f", "")),
                done(1, &fc("-", "b", "f", "{}")),
                completed(&[]),
            ],
            "error | b f {} | !provider_error c | ?a f {}",
        ),
        sample(
            "two answers in one",
            &[created(), f(), text(1, "hi"), event(&other), completed(&[])],
            "error | !protocol_violation OAI-R-045 | \"hi\"",
        ),
        sample("begun twice", &[created(), f(), created(), completed(&[])], "toolUse | a f {}"),
        sample(
            "an error body",
            &[json!({"error": {"type": "t", "code": "c", "message": "m"}}).to_string()],
            "error | !provider_error t c",
        ),
        sample(
            "an error status",
            &[json!({"error": {"type": "t", "code": "c", "message": "m"}}).to_string()],
            "error | !http_status t c",
        )
        .status(429),
        sample(
            "the array does not end",
            &[format!("[{}", json!({"type": "response.completed", "response": {"output": [fc("-", "a", "f", "{}")]}}))],
            "error | a f {} | !incomplete_stream",
        ),
    ]
}

/// Decision 69.
fn texts() -> Vec<Sample> {
    let m = || add(0, &json!({"type": "message", "id": "m", "content": []}));
    let final_text = |part: i64, text: &str| at("output_text.done", 0, json!({"content_index": part, "text": text}));
    let final_part = |part: i64, text: &str| {
        at("content_part.done", 0, json!({"content_index": part, "part": {"type": "output_text", "text": text}}))
    };
    let refusal = |text: &str| json!({"type": "message", "content": [{"type": "refusal", "refusal": text}]});
    vec![
        sample(
            "deltas, and their final forms",
            &[
                m(),
                text(0, "a"),
                text(0, "b"),
                final_text(0, "ab"),
                final_part(0, "ab"),
                done(0, &message("ab")),
                completed(&[message("ab")]),
            ],
            "stop | \"ab\"",
        ),
        sample(
            "final forms of parts alone",
            &[m(), final_text(0, "a"), final_part(0, "a"), final_part(1, "b"), completed(&[])],
            "stop | \"ab\"",
        ),
        sample("the item alone", &[m(), done(0, &message("a")), completed(&[message("a")])], "stop | \"a\""),
        sample("the snapshot alone", &[completed(&[message("a"), message("b")])], "stop | \"ab\""),
        sample("text without an item", &[text(-1, "a"), text(-1, "b"), completed(&[message("ab")])], "stop | \"ab\""),
        sample("an item that was cut", &[m(), text(0, "a"), done(0, &message("ab")), completed(&[])], "stop | \"a\""),
        sample(
            "a refusal",
            &[
                done(1, &fc("-", "a", "f", "{}")),
                m(),
                at("refusal.delta", 0, json!({"delta": "no"})),
                at("refusal.done", 0, json!({"refusal": "no"})),
                completed(&[refusal("no")]),
            ],
            "refusal | !blocked refusal",
        ),
        sample("a refusal in the item alone", &[done(0, &refusal("no")), completed(&[])], "refusal | !blocked refusal"),
        sample(
            "a refusal in the snapshot alone",
            &[text(0, "hm"), completed(&[refusal("no")])],
            "refusal | !blocked refusal | \"hm\"",
        ),
        sample(
            "text beside a call",
            &[text(0, "hm"), done(1, &fc("-", "a", "f", "{}")), completed(&[])],
            "toolUse | a f {} | \"hm\"",
        ),
    ]
}

/// What only mistakes show.
fn wrong() -> Vec<Sample> {
    let f = |call: &str, arguments: &str| fc("-", call, "f", arguments);
    vec![
        sample(
            "cut arguments",
            &[done(0, &f("a", "{\"x\":")), completed(&[])],
            "toolUse | !invalid_arguments_json a f <{\"x\":>",
        ),
        sample(
            "double encoding",
            &[done(0, &f("a", "\"{\\\"x\\\":1}\"")), completed(&[])],
            "toolUse | !arguments_not_object a f <\"{\\\"x\\\":1}\">",
        ),
        sample(
            "finished in another order than begun",
            &[
                add(0, &f("a", "")),
                add(1, &f("b", "")),
                done(1, &f("b", "{\"n\":1}")),
                done(0, &f("a", "{}")),
                completed(&[]),
            ],
            "toolUse | a f {} | b f {\"n\":1}",
        ),
        sample("unparsable", &["data: {x\n\n".to_owned(), completed(&[])], "error | !unparsable_event <{x>"),
        sample(
            "a stray failure",
            &[done(0, &f("a", "{}")), "error: {\"code\":1,\"message\":\"m\"}\n\n".to_owned(), completed(&[])],
            "error | a f {} | !provider_error 1",
        ),
        sample(
            "no event names",
            &[data(&json!({"type": "response.output_item.done", "item": f("a", "{}")})), completed(&[])],
            "toolUse | a f {}",
        ),
    ]
}

fn framing() -> Vec<Sample> {
    let events = [
        json!({"type": "response.output_item.done", "output_index": 0, "item": fc("-", "a", "f", "{\"x\":\"é\"}")}),
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}}),
    ];
    framed(Api::OpenaiResponses, &events, "toolUse | a f {\"x\":\"é\"}")
}
