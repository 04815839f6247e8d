//! `OpenAI` Responses, streamed and whole.
//!
//! The events are sorted into items first; what became of each item is decided afterwards, from all
//! of it. A moment (`at`) is the number of an event in the whole response.

use serde_json::Value;

use super::arguments::{Fragment, joined};
use super::call::{End, Flaw, Outcome, RawCall, misroute, outcome};
use super::item::{Item, error_member, is_response, reported, reported_any, tell};
use super::message::{Said, spoken};
use super::output::{Address, Output, snapshot_call_ids};
use super::output_item::{Kind, OutputItem, id};
use super::quirk::{Quirk, Switch};
use super::usage::Counts;
use super::value::{arguments, full, index, list, name, restore, some, text};
use crate::json::JsonText;
use crate::model::{Api, Problem, ProblemKind, ServerCall, Stop, Thinking, Turn};
use crate::providers::DecodeSetup;

/// How a response says that it ended, the gravest last (decision 67).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Completed,
    Incomplete,
    Failed,
}

impl Status {
    fn of(word: &str) -> Option<Self> {
        match word {
            "completed" => Some(Self::Completed),
            "incomplete" => Some(Self::Incomplete),
            "failed" | "cancelled" => Some(Self::Failed),
            _ => None,
        }
    }
}

/// Everything that a response says.
#[derive(Debug, Default)]
struct Response {
    /// The id that it began with.
    id: Option<String>,
    /// Another response began inside it.
    spliced: bool,
    output: Output,
    said: Said,
    status: Option<Status>,
    /// The response is filtered.
    filtered: bool,
    /// The `call_id`s of the snapshot.
    shown: Vec<String>,
    /// The array that the body is did not end (decision 57).
    open_array: bool,
    problems: Vec<Problem>,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let open_array = items.iter().any(|item| matches!(item, Item::OpenArray));
    let mut response = Response { open_array, ..Response::default() };
    for (at, item) in items.iter().enumerate() {
        // Nothing more is read then (decisions 36, 67 and 68).
        if response.status.is_some() || response.spliced || matches!(item, Item::Done) {
            break;
        }
        match item {
            Item::Data { name, value, failure } => {
                if let Some(problem) = failure {
                    fail(&mut response, problem);
                }
                take_event(&mut response, name, value, at, switch);
            }
            Item::Failure(problem) => fail(&mut response, problem),
            // What was in it may have been a piece of any unfinished item.
            Item::Unparsable(raw) => fail(&mut response, &Problem::new(ProblemKind::UnparsableEvent).raw(raw)),
            Item::Done | Item::Cut | Item::OpenArray => {}
        }
    }
    turn_of(&response, setup, switch)
}

/// Notes a failure, and what it breaks.
fn fail(response: &mut Response, problem: &Problem) {
    tell(&mut response.problems, problem);
    response.output.fail();
}

fn take_event(response: &mut Response, name: &str, value: &Value, at: usize, switch: Switch) {
    let kind = full(value, "type").unwrap_or(name);
    let inner = some(value, "response").filter(|inner| inner.is_object());
    if let Some(inner) = inner {
        response.counts.take(inner, Api::OpenaiResponses);
    }
    match kind {
        "response.created" => {
            let Some(id) = inner.and_then(|inner| id(inner, "id")) else { return };
            if response.id.as_ref().is_some_and(|first| *first != id) {
                let problem = Problem::new(ProblemKind::ProtocolViolation).reason("OAI-R-045");
                response.problems.push(problem.message("two answers in one"));
                response.spliced = true;
            }
            response.id = Some(id);
        }
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            let word = kind.strip_prefix("response.").unwrap_or("");
            end(response, Some(word), inner.unwrap_or(&Value::Null), at, switch);
        }
        "" if is_response(value) => {
            response.counts.take(value, Api::OpenaiResponses);
            end(response, None, value, at, switch);
        }
        _ if switch.on(Quirk::SnapshotOnly) => {}
        _ => take_item_event(response, kind, value, at, switch),
    }
}

/// Takes the end of the response, and the snapshot that it carries.
fn end(response: &mut Response, said: Option<&str>, body: &Value, at: usize, switch: Switch) {
    let status = text(body, "status");
    // A body without a status is there, so it is complete; one that is still being made is no end.
    let said_of_body = status.or(Some("completed")).filter(|word| !matches!(*word, "queued" | "in_progress"));
    let words = [said.or(said_of_body), status];
    let gravest = words.into_iter().flatten().filter_map(|word| Some((Status::of(word)?, word))).max_by_key(|w| w.0);
    let unknown = said_of_body.map(|word| (Status::Completed, word));
    let Some((status, word)) = gravest.or(unknown) else { return };
    response.status = Some(status);
    if status == Status::Failed {
        if switch.on(Quirk::IgnoreErrors) {
            return;
        }
        if error_member(body).is_some() {
            fail(response, &reported(body));
        } else if !reported_any(&response.problems) {
            fail(response, &Problem::new(ProblemKind::ProviderError).reason(word).message("the response says so"));
        }
        return;
    }
    let details = some(body, "incomplete_details");
    response.filtered =
        status == Status::Incomplete && details.and_then(|details| text(details, "reason")) == Some("content_filter");
    let output = list(body, "output");
    response.shown = snapshot_call_ids(output);
    if switch.on(Quirk::DeltasOnly) {
        return;
    }
    response.output.take_snapshot(output, at, switch);
    response.said.take_snapshot(output);
}

fn take_item_event(response: &mut Response, kind: &str, value: &Value, at: usize, switch: Switch) {
    let address = Address { index: value.get("output_index").and_then(index), item_id: id(value, "item_id") };
    let item = some(value, "item").filter(|item| item.is_object());
    let piece = arguments(value.get("delta")).filter(|(text, _)| !text.is_empty());
    match kind {
        "response.output_item.added" => {
            if let Some(item) = item {
                response.output.add(address.index, item, at, switch);
            }
        }
        "response.output_item.done" => {
            if let Some(item) = item.filter(|_| !switch.on(Quirk::DeltasOnly) || !is_message(item))
                && let Some(finished) = response.output.finish(address.index, item, at, switch)
                && finished.kind == Kind::Message
            {
                response.said.take_item(finished, item);
            }
        }
        "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
            if let Some((text, value)) = piece {
                let piece = Fragment { at, text: text.to_owned(), value };
                response.output.take_piece(called(kind), &address, piece, switch);
            }
        }
        "response.function_call_arguments.done" | "response.custom_tool_call_input.done" => {
            let key = if called(kind) == Kind::Custom { "input" } else { "arguments" };
            if let Some((text, is_value)) = arguments(value.get(key)) {
                let whole = Fragment { at, text: text.to_owned(), value: is_value };
                response.output.take_whole(called(kind), &address, whole, name(value), switch);
            }
        }
        "response.output_text.delta"
        | "response.output_text.done"
        | "response.refusal.delta"
        | "response.refusal.done"
        | "response.content_part.done" => {
            if let Some((form, said)) = spoken(kind, value)
                && !(form.is_final && switch.on(Quirk::DeltasOnly))
                && let Some(item) = response.output.piece_target(Kind::Message, &address, at, switch)
            {
                response.said.take(item, value, form, said);
            }
        }
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" | "response.reasoning.delta" => {
            if let Some((delta, false)) = piece
                && let Some(item) = response.output.piece_target(Kind::Reasoning, &address, at, switch)
            {
                item.thinking.push_str(delta);
            }
        }
        _ => {}
    }
}

fn is_message(item: Option<&Value>) -> bool {
    item.is_some_and(|item| text(item, "type") == Some("message"))
}

/// The kind of call that an event about arguments is about.
fn called(event: &str) -> Kind {
    if event.contains("custom") { Kind::Custom } else { Kind::Function }
}

fn turn_of(response: &Response, setup: &DecodeSetup, switch: Switch) -> Turn {
    let mut errors = response.problems.clone();
    let finished = (response.status.is_some() && !response.open_array) || switch.on(Quirk::EofIsSuccess);
    if !finished && !response.spliced && !reported_any(&errors) {
        errors.push(Problem::new(ProblemKind::IncompleteStream).message("the end of the response did not come"));
    }
    let broken = !errors.is_empty();
    let refused = !response.said.refusal.is_empty();
    if refused {
        errors.push(Problem::new(ProblemKind::Blocked).reason("refusal").message(restore(&response.said.refusal)));
    } else if response.filtered {
        errors.push(Problem::new(ProblemKind::Blocked).reason("content_filter"));
    }
    let end = match response.status {
        _ if refused || response.filtered => End::Refusal,
        _ if broken => End::Error,
        Some(Status::Incomplete) => End::Length,
        _ => End::Clean,
    };

    let by_server = |item: &OutputItem| item.kind == Kind::Server || ran_by_xai(item, setup);
    let is_call =
        |item: &OutputItem| if by_server(item) { switch.on(Quirk::ServerToolsAsCalls) } else { item.kind.is_call() };
    let items = response.output.0.iter().filter(|item| is_call(item) && !response.spliced);
    let mut calls: Vec<RawCall> =
        in_order(items.collect()).into_iter().map(|item| raw(item, response, switch)).collect();
    misroute(&mut calls, switch);
    let mut closed: Vec<bool> = calls.iter().map(|call| call.stopped.is_some() && !call.broken).collect();
    // Never finished although the response is (decision 64).
    for (call, closed) in calls.iter().zip(&mut closed) {
        if end != End::Clean || *closed || switch.on(Quirk::IncompleteCallsRun) || switch.on(Quirk::EofIsSuccess) {
            continue;
        }
        if call.name.is_empty() {
            *closed = true;
            continue;
        }
        let problem = Problem::new(ProblemKind::ProtocolViolation).message("the item was never finished");
        errors.push(problem.call(call.shown_id(), Some(restore(&call.name))).reason("OAI-R-042"));
    }
    let Outcome { calls, problems, incomplete } =
        outcome(calls.into_iter().zip(closed).collect(), end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty() || !incomplete.is_empty();
    errors.extend(problems);

    let stop = match end {
        _ if broken => Stop::Error,
        End::Refusal => Stop::Refusal,
        End::Length => Stop::Length,
        _ if requested && !switch.on(Quirk::StopFromTheReason) => Stop::ToolUse,
        _ => Stop::Stop,
    };
    let mut turn = Turn::empty(stop);
    turn.text = restore(&response.said.text);
    turn.thinking = response.output.0.iter().filter(|item| item.kind == Kind::Reasoning).map(thinking).collect();
    let ran = response.output.0.iter().filter(|item| by_server(item) && !is_call(item));
    turn.server_calls = ran.map(|item| server_call(item, response, switch)).collect();
    turn.usage = response.counts.usage(switch);
    (turn.calls, turn.errors, turn.incomplete) = (calls, errors, incomplete);
    turn
}

/// The calls by index, if each has its own; otherwise as they came (decision 66).
fn in_order(mut items: Vec<&OutputItem>) -> Vec<&OutputItem> {
    let index = |item: &&OutputItem| item.index.or(item.place);
    let mut indexes: Vec<Option<i64>> = items.iter().map(index).collect();
    indexes.sort_unstable();
    indexes.dedup();
    if indexes.len() == items.len() && !indexes.contains(&None) {
        items.sort_by_key(index);
    }
    items
}

/// A call as it was put together.
fn raw(item: &OutputItem, response: &Response, switch: Switch) -> RawCall {
    let incomplete = response.status == Some(Status::Incomplete);
    let stopped = item.finished.or_else(|| item.is_shown(incomplete).then_some(usize::MAX));
    // Also if something failed before it began (decision 64).
    let cut = item.is_incomplete() || (incomplete && stopped.is_none() && !switch.on(Quirk::RunTruncatedCalls));
    let item_id = item.item_id();
    let call_id = item.call_id(&response.shown);
    RawCall {
        id: if switch.on(Quirk::ItemIdAsCallId) { item_id.clone().or(call_id) } else { call_id },
        wire_id: item.wire_id(),
        item_id,
        name: item.name().unwrap_or("").to_owned(),
        fragments: item.arguments(switch),
        freeform: item.kind == Kind::Custom,
        opened: item.opened,
        stopped,
        broken: item.broken,
        flaw: (cut && !item.broken).then_some(Flaw::Cut),
        ..RawCall::default()
    }
}

/// The thinking in an item (decision 70).
fn thinking(item: &OutputItem) -> Thinking {
    let encrypted = item.heads().into_iter().find_map(|head| full(head, "encrypted_content"));
    Thinking {
        text: restore(&item.thinking),
        signature: None,
        encrypted: encrypted.map(restore),
        item_id: item.item_id().as_deref().map(restore),
    }
}

/// The tools of xAI's X search.
const X_SEARCH: &[&str] = &["x_keyword_search", "x_semantic_search", "x_user_search", "x_thread_fetch"];

/// True for a call that comes as one of the client's and is none (decision 87).
fn ran_by_xai(item: &OutputItem, setup: &DecodeSetup) -> bool {
    let name = item.name().filter(|name| item.kind == Kind::Custom && X_SEARCH.contains(name));
    name.is_some_and(|name| !setup.tools.iter().any(|tool| tool == name))
}

/// A call that the provider runs (decisions 58 and 87).
fn server_call(item: &OutputItem, response: &Response, switch: Switch) -> ServerCall {
    if item.kind == Kind::Custom {
        return ServerCall {
            id: item.call_id(&response.shown).or_else(|| item.item_id()).as_deref().map(restore),
            name: restore(item.name().unwrap_or_default()),
            kind: item.item_type.clone(),
            arguments: JsonText::new(restore(&joined(&item.arguments(switch)))).ok(),
        };
    }
    let told = item.told_last();
    let action = || arguments(told.get("action")).filter(|(text, value)| *value && text.starts_with('{'));
    let given = arguments(told.get("arguments")).or_else(action);
    ServerCall {
        id: id(told, "call_id").or_else(|| id(told, "id")).as_deref().map(restore),
        name: restore(name(told).unwrap_or(&item.item_type)),
        kind: item.item_type.clone(),
        arguments: given.and_then(|(text, _)| JsonText::new(restore(text)).ok()),
    }
}
