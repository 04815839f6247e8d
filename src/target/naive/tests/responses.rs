//! Examples by number, then the decisions about items (58 to 66).

use serde_json::{Value, json};

use super::samples::{Sample, event};
use crate::model::Api;

const OSLO: &str = "{\"city\":\"Oslo\"}";

pub(super) fn sample(name: &'static str, parts: &[String], want: &str) -> Sample {
    Sample::new(Api::OpenaiResponses, name, parts.concat(), want)
}

pub(super) fn samples() -> Vec<Sample> {
    [worked(), items(), heads(), snapshots()].into_iter().flatten().collect()
}

pub(super) fn created() -> String {
    event(&json!({"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}}))
}

/// A `function_call`; `-` leaves a member out.
pub(super) fn fc(id: &str, call_id: &str, name: &str, arguments: &str) -> Value {
    let mut item = json!({"type": "function_call"});
    for (key, text) in [("id", id), ("call_id", call_id), ("name", name), ("arguments", arguments)] {
        if text != "-" {
            item[key] = text.into();
        }
    }
    item
}

fn with(mut object: Value, key: &str, value: impl Into<Value>) -> Value {
    object[key] = value.into();
    object
}

/// An event of an item's; an index of -1 is left out.
pub(super) fn at(kind: &str, index: i64, mut fields: Value) -> String {
    fields["type"] = format!("response.{kind}").into();
    if index >= 0 {
        fields["output_index"] = index.into();
    }
    event(&fields)
}

pub(super) fn add(index: i64, item: &Value) -> String {
    at("output_item.added", index, json!({ "item": item }))
}

pub(super) fn done(index: i64, item: &Value) -> String {
    at("output_item.done", index, json!({ "item": item }))
}

pub(super) fn d(index: i64, piece: &str) -> String {
    at("function_call_arguments.delta", index, json!({ "delta": piece }))
}

fn ad(index: i64, arguments: &str) -> String {
    at("function_call_arguments.done", index, json!({ "arguments": arguments }))
}

pub(super) fn text(index: i64, piece: &str) -> String {
    at("output_text.delta", index, json!({"content_index": 0, "delta": piece}))
}

/// The terminal event of this name.
fn end(word: &str, output: &[Value]) -> String {
    let details = if word == "incomplete" { json!({"reason": "max_output_tokens"}) } else { Value::Null };
    event(&json!({"type": format!("response.{word}"), "response": {"id": "r", "status": word, "output": output,
        "incomplete_details": details, "error": null}}))
}

pub(super) fn completed(output: &[Value]) -> String {
    end("completed", output)
}

pub(super) fn message(text: &str) -> Value {
    json!({"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

fn worked() -> Vec<Sample> {
    let f = |arguments: &str| fc("fc_1", "call_1", "get_weather", arguments);
    let oslo = "toolUse | call_1 get_weather {\"city\":\"Oslo\"} #fc_1";
    let whole = |item: &Value| {
        [add(0, &f("")), d(0, "{\"city\":"), d(0, "\"Oslo\"}"), ad(0, OSLO), done(0, item), completed(&[])].concat()
    };
    let ids = |id: &str| fc(id, "call_1", "get_weather", OSLO);
    let web = json!({"type": "web_search_call", "id": "ws", "status": "completed",
        "action": {"type": "search", "query": "x"}});
    let search = json!({"type": "tool_search_call", "id": "ts", "call_id": "c", "arguments": {"q": 1.0}});
    let usage = json!({"type": "response.completed", "response": {"status": "completed", "output": [f(OSLO)],
        "usage": {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 3}, "output_tokens": 2}}});
    let body = json!({"id": "r", "object": "response", "status": "completed", "error": null, "output": [
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}]},
        fc("fc_1", "a", "f", "{}"), fc("fc_2", "b", "g", "{\"n\":1.0}")]});
    vec![
        sample("1", &[created(), add(0, &f("")), whole(&f(OSLO))], oslo),
        sample(
            "2 each event its own item id",
            &[
                add(0, &ids("i1")),
                at("function_call_arguments.delta", 0, json!({"item_id": "i2", "delta": OSLO})),
                at("function_call_arguments.done", 0, json!({"item_id": "i3", "arguments": OSLO})),
                done(0, &ids("i4")),
                completed(&[ids("i5")]),
            ],
            "toolUse | call_1 get_weather {\"city\":\"Oslo\"} #i4",
        ),
        sample("3 empty output", &[whole(&f(OSLO)), completed(&[])], oslo),
        sample("4 only the snapshot is whole", &[add(0, &f("")), d(0, "{\"city\":\"Os"), completed(&[f(OSLO)])], oslo),
        sample("5 the finished item counts", &[whole(&f("{\"city\":\"B\"}"))], &oslo.replace("Oslo", "B")),
        sample(
            "6 interleaved",
            &[
                add(0, &fc("x", "a", "f", "")),
                add(1, &fc("y", "b", "g", "")),
                d(1, "{\"n\":"),
                d(0, OSLO),
                d(1, "1}"),
                done(1, &fc("y", "b", "g", "-")),
                done(0, &fc("x", "a", "f", "-")),
                completed(&[]),
            ],
            "toolUse | a f {\"city\":\"Oslo\"} #x | b g {\"n\":1} #y",
        ),
        sample(
            "8 cut by the limit",
            &[
                add(0, &f("")),
                d(0, "{\"q\":\"lo"),
                done(0, &with(f("{\"q\":\"lo"), "status", "incomplete")),
                end("incomplete", &[]),
            ],
            "length | !truncated_arguments call_1 get_weather <{\"q\":\"lo>",
        ),
        sample(
            "9 nested error",
            &[
                created(),
                event(&json!({"type": "error", "error": {"type": "t", "code": "rate_limit_exceeded", "message": "m"}})),
            ],
            "error | !provider_error t rate_limit_exceeded",
        ),
        sample(
            "10 flat error",
            &[event(&json!({"type": "error", "code": "x", "message": "m", "param": null}))],
            "error | !provider_error x",
        ),
        sample(
            "11 custom",
            &[
                add(0, &json!({"type": "custom_tool_call", "id": "i", "call_id": "c", "name": "sh", "input": ""})),
                at("custom_tool_call_input.delta", 0, json!({"delta": "{\"echo\""})),
                at("custom_tool_call_input.delta", 0, json!({"delta": ": 1}"})),
                at("custom_tool_call_input.done", 0, json!({"input": "{\"echo\": 1}"})),
                done(
                    0,
                    &json!({"type": "custom_tool_call", "id": "i", "call_id": "c", "name": "sh", "input": "{\"echo\": 1}"}),
                ),
                completed(&[]),
            ],
            "toolUse | c sh <{\"echo\": 1}> #i",
        ),
        sample("13 no arguments", &[whole(&f(""))], "toolUse | call_1 get_weather {} #fc_1"),
        sample(
            "15 the announcement holds all",
            &[add(0, &f(OSLO)), d(0, OSLO), done(0, &f("-")), completed(&[])],
            oslo,
        ),
        sample(
            "16 null item",
            &[at("output_item.added", 0, json!({"item": null})), add(1, &f("")), done(1, &f(OSLO)), completed(&[])],
            oslo,
        ),
        sample("21 whole", &[body.to_string()], "toolUse | a f {} #fc_1 | b g {\"n\":1.0} #fc_2 | ~hm #rs"),
        sample(
            "22 and 23 the provider's own calls",
            &[
                add(0, &json!({"type": "web_search_call", "id": "ws"})),
                done(0, &web),
                done(1, &search),
                completed(&[web, search]),
            ],
            "stop | @web_search_call web_search_call {\"query\":\"x\",\"type\":\"search\"} | \
             @tool_search_call tool_search_call {\"q\":1.0}",
        ),
        sample(
            "25 no index anywhere",
            &[
                add(-1, &fc("-", "c1", "now", "")),
                d(-1, "{}"),
                add(-1, &fc("-", "c2", "get_time", "")),
                d(-1, "{\"tz\":1}"),
                done(-1, &fc("-", "c1", "now", "-")),
                done(-1, &fc("-", "c2", "get_time", "-")),
                completed(&[]),
            ],
            "toolUse | c1 now {} | c2 get_time {\"tz\":1}",
        ),
        sample(
            "26 one index for two items",
            &[
                add(0, &json!({"type": "message", "content": []})),
                text(0, "hi"),
                done(0, &message("hi")),
                add(0, &f("")),
                d(0, OSLO),
                done(0, &f("-")),
                completed(&[]),
            ],
            &format!("{oslo} | \"hi\""),
        ),
        sample(
            "27 finished in another order",
            &[
                add(0, &fc("x", "a", "f", "")),
                add(1, &fc("y", "b", "g", "")),
                ad(1, "{\"n\":1}"),
                done(1, &fc("y", "b", "g", "{\"n\":1}")),
                done(0, &fc("x", "a", "f", "{}")),
                completed(&[]),
            ],
            "toolUse | a f {} #x | b g {\"n\":1} #y",
        ),
        sample("usage", &[event(&usage)], &format!("{oslo} | u7/2/3/-")),
    ]
}

/// Decisions 58 to 60.
fn items() -> Vec<Sample> {
    let f = |call: &str, arguments: &str| fc("-", call, "f", arguments);
    vec![
        sample("no call id", &[done(0, &fc("fc_1", "-", "f", "{}")), completed(&[])], "toolUse | * f {} #fc_1"),
        sample(
            "announced twice",
            &[add(0, &f("a", "")), add(0, &f("-", "{\"x\":1}")), d(0, "{}"), done(0, &f("a", "-")), completed(&[])],
            "toolUse | a f {}",
        ),
        sample(
            "another call at the index of an unfinished one",
            &[
                add(0, &f("a", "")),
                d(0, "{\"n\":1}"),
                add(0, &f("b", "")),
                d(0, "{\"n\":2}"),
                done(0, &f("a", "-")),
                done(0, &f("b", "-")),
                completed(&[]),
            ],
            "toolUse | a f {\"n\":1} | b f {\"n\":2}",
        ),
        sample(
            "two at one index told apart by item ids",
            &[
                add(0, &fc("x", "a", "f", "")),
                add(0, &fc("y", "b", "f", "")),
                at("function_call_arguments.delta", 0, json!({"item_id": "x", "delta": "{\"n\":1}"})),
                at("function_call_arguments.delta", 0, json!({"item_id": "z", "delta": "{\"n\":2}"})),
                done(0, &fc("x", "a", "f", "-")),
                done(0, &fc("y", "b", "f", "-")),
                completed(&[]),
            ],
            "toolUse | a f {\"n\":1} #x | b f {\"n\":2} #y",
        ),
        sample(
            "an unknown index, a known item id",
            &[
                add(0, &fc("x", "a", "f", "")),
                at("function_call_arguments.delta", 7, json!({"item_id": "x", "delta": "{\"n\":1}"})),
                done(0, &fc("x", "a", "f", "-")),
                completed(&[]),
            ],
            "toolUse | a f {\"n\":1} #x",
        ),
        sample(
            "a piece without index and id after all calls",
            &[add(0, &f("a", "")), done(0, &f("a", "{}")), ad(-1, "{\"n\":1}"), completed(&[])],
            "toolUse | a f {}",
        ),
        sample(
            "an index as text, an id as number",
            &[
                event(&json!({"type": "response.output_item.done", "output_index": "1", "item":
                    {"type": "function_call", "call_id": 7, "name": "f", "arguments": "{}"}})),
                event(&json!({"type": "response.function_call_arguments.done", "output_index": 1, "arguments": "{"})),
                completed(&[]),
            ],
            "toolUse | 7 f {}",
        ),
        sample(
            "searches that xAI runs",
            &[
                done(
                    0,
                    &json!({"type": "custom_tool_call", "call_id": "c", "name": "x_user_search", "input": "{\"q\":1}"}),
                ),
                completed(&[]),
            ],
            "stop | @custom_tool_call x_user_search {\"q\":1}",
        ),
        sample(
            "other items say nothing",
            &[
                done(0, &json!({"type": "mcp_approval_request", "id": "m", "name": "f", "arguments": "{}"})),
                done(1, &json!({"type": "function_call_output", "call_id": "a", "output": "x"})),
                completed(&[json!({"type": "mcp_list_tools"})]),
            ],
            "stop",
        ),
    ]
}

/// Decisions 61 to 63.
fn heads() -> Vec<Sample> {
    let f = |call: &str, arguments: &str| fc("-", call, "f", arguments);
    let g = |call: &str, arguments: &str| fc("-", call, "g", arguments);
    vec![
        sample(
            "pieces before the announcement",
            &[d(0, "{\"n\":"), add(0, &f("a", "")), d(0, "1}"), done(0, &f("a", "-")), completed(&[])],
            "toolUse | a f {\"n\":1}",
        ),
        sample(
            "pieces, then the item",
            &[d(0, "{\"n\":1}"), done(0, &f("a", "-")), completed(&[])],
            "toolUse | a f {\"n\":1}",
        ),
        sample("pieces, then the snapshot", &[d(0, "{\"n\":1}"), completed(&[f("a", "-")])], "toolUse | a f {\"n\":1}"),
        sample(
            "pieces without index get the next head that fits",
            &[
                at("function_call_arguments.delta", -1, json!({"item_id": "q", "delta": "{\"n\":1}"})),
                add(0, &json!({"type": "custom_tool_call", "call_id": "c", "name": "sh"})),
                done(0, &json!({"type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "ls"})),
                done(1, &f("a", "-")),
                completed(&[]),
            ],
            "toolUse | c sh <ls> | a f {\"n\":1}",
        ),
        sample("no head", &[d(0, "{\"n\":1}"), completed(&[])], "toolUse | !missing_name * <{\"n\":1}>"),
        sample(
            "no head but a name",
            &[at("function_call_arguments.done", 0, json!({"arguments": "{}", "name": "f"})), completed(&[])],
            "toolUse | !protocol_violation f OAI-R-042 | ?- f {}",
        ),
        sample(
            "finished twice",
            &[
                done(0, &f("a", "{\"n\":1}")),
                done(0, &f("a", "{\"n\":2}")),
                done(0, &f("-", "{\"n\":3}")),
                completed(&[]),
            ],
            "toolUse | a f {\"n\":1}",
        ),
        sample(
            "another call id on a finished index",
            &[done(0, &f("a", "{\"n\":1}")), done(0, &f("b", "{\"n\":2}")), completed(&[])],
            "toolUse | a f {\"n\":1} | b f {\"n\":2}",
        ),
        sample(
            "the first call id is kept",
            &[add(0, &f("a", "")), done(0, &f("b", "{}")), completed(&[])],
            "toolUse | a f {}",
        ),
        sample(
            "unless the snapshot has only the later one",
            &[add(0, &f("a", "")), done(0, &f("b", "{}")), completed(&[f("b", "{}")])],
            "toolUse | b f {}",
        ),
        sample(
            "another name is another item",
            &[add(0, &f("a", "")), done(0, &g("b", "{}")), completed(&[])],
            "toolUse | b g {} | !protocol_violation a f OAI-R-042 | ?a f ",
        ),
        sample(
            "finished by call id, by item id",
            &[
                add(-1, &fc("x", "a", "f", "")),
                add(-1, &fc("y", "-", "g", "")),
                done(3, &fc("z", "a", "f", "{\"n\":1}")),
                done(-1, &fc("y", "b", "g", "{\"n\":2}")),
                completed(&[]),
            ],
            "toolUse | a f {\"n\":1} #z | b g {\"n\":2} #y",
        ),
        sample(
            "finished without an index: the newest that nothing speaks against",
            &[
                add(-1, &fc("-", "-", "f", "")),
                d(-1, "{\"n\":1}"),
                done(-1, &f("b", "-")),
                add(-1, &fc("-", "-", "f", "")),
                done(-1, &f("b", "{\"n\":2}")),
                done(-1, &g("c", "{}")),
                completed(&[]),
            ],
            "toolUse | b f {\"n\":1} | c g {} | !protocol_violation f OAI-R-042 | ?- f ",
        ),
        sample(
            "an empty text counts, a null one does not",
            &[
                add(0, &f("a", "")),
                d(0, "{\"n\":1}"),
                done(0, &f("a", "")),
                add(1, &f("b", "")),
                d(1, "{\"n\":1}"),
                ad(1, "{\"n\":2}"),
                ad(1, "{\"n\":3}"),
                done(1, &with(f("b", ""), "arguments", Value::Null)),
                completed(&[]),
            ],
            "toolUse | a f {} | b f {\"n\":2}",
        ),
        sample(
            "arguments as a value, and doubled",
            &[
                done(0, &with(f("a", ""), "arguments", json!({"b": 1.0, "a": [7]}))),
                done(1, &f("b", "{\"x\":1}{\"x\":1}")),
                completed(&[]),
            ],
            "toolUse | a f {\"a\":[7],\"b\":1.0} | b f {\"x\":1}",
        ),
        sample(
            "an item id only in the announcement",
            &[add(0, &fc("x", "a", "f", "")), done(0, &f("a", "{}")), completed(&[])],
            "toolUse | a f {} #x",
        ),
        sample(
            "keys keep their order",
            &[done(0, &f("a", "{\"b\":1E2,\"a\":12345678901234567890}")), completed(&[])],
            "toolUse | a f {\"b\":1E2,\"a\":12345678901234567890}",
        ),
    ]
}

/// Decisions 64 to 66.
fn snapshots() -> Vec<Sample> {
    let f = |call: &str, arguments: &str| fc("-", call, "f", arguments);
    let complete = |item: Value| with(item, "status", "completed");
    vec![
        sample(
            "snapshot only",
            &[created(), completed(&[f("a", "{}"), f("b", "{\"n\":1}")])],
            "toolUse | a f {} | b f {\"n\":1}",
        ),
        sample(
            "a call more than in the stream",
            &[done(1, &f("b", "{}")), completed(&[f("a", "{\"n\":1}"), f("b", "{}")])],
            "toolUse | a f {\"n\":1} | b f {}",
        ),
        sample(
            "a call less than in the stream",
            &[done(0, &f("a", "{}")), done(1, &f("b", "{}")), completed(&[f("b", "{}")])],
            "toolUse | a f {} | b f {}",
        ),
        sample(
            "one call id on two calls",
            &[
                done(0, &f("a", "{\"n\":1}")),
                done(1, &f("a", "{\"n\":2}")),
                completed(&[f("a", "{\"n\":1}"), f("a", "{\"n\":2}")]),
            ],
            "toolUse | a f {\"n\":1} | * f {\"n\":2}",
        ),
        sample(
            "matched by index and name",
            &[add(0, &f("-", "")), completed(&[f("a", "{\"n\":1}")])],
            "toolUse | a f {\"n\":1}",
        ),
        sample(
            "matched by item id",
            &[add(0, &fc("x", "-", "-", "")), completed(&[message("hi"), fc("x", "a", "f", "{}")])],
            "toolUse | a f {} #x | \"hi\"",
        ),
        sample(
            "a cut call in a complete response",
            &[done(0, &f("a", "{}")), completed(&[with(f("a", "{}"), "status", "incomplete")])],
            "toolUse | !truncated_arguments a f <{}>",
        ),
        sample(
            "an incomplete response",
            &[
                done(0, &f("a", "{}")),
                add(1, &f("b", "")),
                add(2, &f("c", "")),
                add(3, &f("d", "")),
                d(3, "{"),
                end("incomplete", &[f("a", "{}"), complete(f("b", "{}")), f("c", "{}")]),
            ],
            "length | a f {} | b f {} | !truncated_arguments c f <{}> | !truncated_arguments d f <{>",
        ),
        sample(
            "never finished",
            &[add(0, &f("a", "")), d(0, "{\"n\":1}"), completed(&[])],
            "toolUse | !protocol_violation a f OAI-R-042 | ?a f {\"n\":1}",
        ),
        sample(
            "by index, however they came",
            &[done(4, &f("b", "{}")), done(2, &f("a", "{}")), completed(&[])],
            "toolUse | a f {} | b f {}",
        ),
        sample(
            "as they came, where one has no index",
            &[done(4, &f("b", "{}")), done(-1, &f("c", "{}")), done(2, &f("a", "{}")), completed(&[])],
            "toolUse | b f {} | c f {} | a f {}",
        ),
        sample(
            "the snapshot of a failed response",
            &[done(0, &f("a", "{}")), end("failed", &[f("a", "{}"), f("b", "{}")])],
            "error | a f {} | !provider_error failed",
        ),
        sample(
            "reasoning: matched by id, by index, and late",
            &[
                done(
                    0,
                    &json!({"type": "reasoning", "id": "a", "summary": [{"text": "x"}], "content": [{"text": "y"}]}),
                ),
                add(1, &json!({"type": "reasoning", "id": "b", "encrypted_content": "old"})),
                at("reasoning_summary_text.delta", 1, json!({"delta": "p"})),
                at("reasoning_text.delta", 1, json!({"delta": "q"})),
                completed(&[
                    json!({"type": "reasoning", "id": "a", "encrypted_content": "e"}),
                    json!({"type": "reasoning", "id": "c", "encrypted_content": "f", "summary": [{"text": "no"}]}),
                    json!({"type": "reasoning", "id": "d"}),
                ]),
            ],
            "stop | ~xy #a %e | ~pq #c %f",
        ),
        sample(
            "reasoning only in the snapshot",
            &[completed(&[
                json!({"type": "reasoning", "id": "a"}),
                json!({"type": "reasoning", "id": "b", "summary": [{"text": "x"}]}),
            ])],
            "stop | ~ #a | ~x #b",
        ),
        sample(
            "reasoning without a head",
            &[at("reasoning.delta", 0, json!({"delta": "p"})), completed(&[])],
            "stop | ~p",
        ),
    ]
}
