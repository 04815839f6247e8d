//! Anthropic Messages, streamed and whole.
//!
//! The events are sorted into blocks first; what became of each block is decided afterwards, from
//! all of it. A moment (`at`) is the number of an event in the whole response.

use serde_json::Value;

use super::arguments::{Fragment, decide, joined};
use super::call::{End, Outcome, RawCall, misroute, outcome, wire_id};
use super::item::Item;
use super::quirk::{Quirk, Switch};
use super::usage::Counts;
use super::value::{full, list, restore, some, text, whole_number};
use crate::model::{Arguments, Problem, ProblemKind, ServerCall, Stop, Thinking, Turn};
use crate::providers::DecodeSetup;

/// One content block.
#[derive(Debug, Clone, Default)]
struct Block {
    index: i64,
    /// What its start carries.
    start: Value,
    opened: usize,
    stopped: Option<usize>,
    pieces: Vec<Fragment>,
    thinking: String,
    signature: Option<String>,
    /// It stands in a body that is no stream.
    in_body: bool,
}

impl Block {
    fn kind(&self) -> &str {
        text(&self.start, "type").unwrap_or("")
    }

    /// True for a block that the provider runs itself.
    fn is_server_call(&self) -> bool {
        matches!(self.kind(), "server_tool_use" | "mcp_tool_use")
    }

    fn is_call(&self, switch: Switch) -> bool {
        self.kind() == "tool_use" || (self.is_server_call() && switch.on(Quirk::ServerToolsAsCalls))
    }

    /// The arguments: the pieces; if they are blank, the input of the start (wire sheet, "Building
    /// the arguments").
    fn arguments(&self, switch: Switch) -> Vec<Fragment> {
        if !joined(&self.pieces).trim().is_empty() {
            return self.pieces.clone();
        }
        match some(&self.start, "input") {
            _ if switch.on(Quirk::LoseStartInput) && !self.in_body => Vec::new(),
            None => Vec::new(),
            Some(Value::String(text)) if text.trim().is_empty() => Vec::new(),
            Some(input) => vec![Fragment { at: self.opened, text: input.to_string(), object: false }],
        }
    }

    /// True if the arguments came as one object in a stream (decision 12).
    fn came_whole(&self) -> bool {
        let input = some(&self.start, "input").and_then(Value::as_object).is_some_and(|input| !input.is_empty());
        input && !self.in_body && joined(&self.pieces).trim().is_empty()
    }
}

/// Everything that a response says.
#[derive(Debug, Default)]
struct Message {
    /// The ids of the messages that started; empty where there is none.
    ids: Vec<String>,
    blocks: Vec<Block>,
    text: String,
    reason: Option<String>,
    details: Value,
    /// Its end came.
    finished: bool,
    /// The response is a body that could not be read, and so no stream that could be incomplete.
    whole: bool,
    problems: Vec<Problem>,
    failed_at: Vec<usize>,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let mut message = Message::default();
    for (at, item) in items.iter().enumerate() {
        // Room for the blocks of a message between two events.
        let at = (at + 1) << 16;
        match item {
            Item::Data { failure: Some(problem), .. } | Item::Failure(problem) => {
                message.problems.push(problem.clone());
                message.failed_at.push(at);
            }
            Item::Data { name, value, failure: None } => take_event(&mut message, name, value, at, switch),
            Item::Done => {}
            Item::Unparsable(raw) | Item::UnparsableBody(raw) => {
                message.problems.push(Problem::new(ProblemKind::UnparsableEvent).raw(raw));
                // What was in it may have been a piece of any open call.
                message.failed_at.push(at);
                message.whole |= matches!(item, Item::UnparsableBody(_));
            }
            Item::Cut if switch.on(Quirk::EofIsSuccess) => {}
            Item::Cut => message.problems.push(Problem::new(ProblemKind::IncompleteStream)),
        }
    }
    turn_of(&message, setup, switch)
}

fn take_event(message: &mut Message, name: &str, value: &Value, at: usize, switch: Switch) {
    let index = value.get("index").and_then(whole_number);
    match text(value, "type").unwrap_or(name) {
        "message_start" => {
            let start = value.get("message").unwrap_or(&Value::Null);
            if message.ids.is_empty() {
                take_message(message, start, at, false);
            }
            message.ids.push(text(start, "id").unwrap_or("").to_owned());
        }
        "content_block_start" => {
            let used = message.blocks.iter().any(|block| Some(block.index) == index);
            if used && switch.on(Quirk::MergeCallsOfEqualIndex) {
                return;
            }
            let next = i64::try_from(message.blocks.len()).unwrap_or(0);
            let index = index.unwrap_or(next);
            // A new block at a used index closes the old one (decision 30).
            let old = message.blocks.iter_mut().filter(|block| block.index == index && block.stopped.is_none());
            old.for_each(|block| block.stopped = Some(at));
            let start = value.get("content_block").cloned().unwrap_or_default();
            open(message, Block { index, start, opened: at, ..Block::default() });
        }
        "content_block_delta" => {
            let delta = value.get("delta").unwrap_or(&Value::Null);
            take_delta(message, index, delta, at, switch);
        }
        "content_block_stop" => {
            let mut open = message.blocks.iter_mut().rev().filter(|block| block.stopped.is_none());
            if let Some(block) = open.find(|block| index.is_none_or(|index| block.index == index)) {
                block.stopped = Some(at);
            }
        }
        "message_delta" => {
            let delta = value.get("delta").unwrap_or(&Value::Null);
            take_end(message, delta);
            message.counts.take(value);
        }
        "message_stop" => message.finished = true,
        "message" => take_body(message, value, at),
        "" if value.get("content").is_some_and(Value::is_array) => take_body(message, value, at),
        // `ping`, and what is yet to be invented.
        _ => {}
    }
}

/// Takes an answer that is no stream.
fn take_body(message: &mut Message, value: &Value, at: usize) {
    take_message(message, value, at, true);
    message.finished = true;
}

/// Takes a message object; its blocks are whole (wire sheet, second form of the stream).
fn take_message(message: &mut Message, value: &Value, at: usize, in_body: bool) {
    for (position, start) in list(value, "content").iter().enumerate() {
        let opened = at + position;
        let index = i64::try_from(position).unwrap_or(0);
        let stopped = Some(opened);
        open(message, Block { index, start: start.clone(), opened, stopped, in_body, ..Block::default() });
    }
    take_end(message, value);
    message.counts.take(value);
}

/// Takes a stop reason; a later one overwrites.
fn take_end(message: &mut Message, value: &Value) {
    if let Some(reason) = full(value, "stop_reason") {
        message.reason = Some(reason.to_owned());
    }
    if let Some(details) = some(value, "stop_details") {
        message.details = details.clone();
    }
}

fn open(message: &mut Message, mut block: Block) {
    let start = &block.start;
    match block.kind() {
        "text" => message.text.push_str(text(start, "text").unwrap_or("")),
        "thinking" => {
            let thinking = text(start, "thinking").unwrap_or("").to_owned();
            let signature = full(start, "signature").map(str::to_owned);
            (block.thinking, block.signature) = (thinking, signature);
        }
        _ => {}
    }
    message.blocks.push(block);
}

fn take_delta(message: &mut Message, index: Option<i64>, delta: &Value, at: usize, switch: Switch) {
    // Filed by what the delta says, whatever the block is (decision 32).
    match text(delta, "type").unwrap_or("") {
        "text_delta" => message.text.push_str(text(delta, "text").unwrap_or("")),
        "input_json_delta" => {
            let piece = match some(delta, "partial_json") {
                None => String::new(),
                Some(Value::String(piece)) => piece.clone(),
                Some(piece) => piece.to_string(),
            };
            if !piece.is_empty() {
                take_piece(message, index, Fragment { at, text: piece, object: false }, switch);
            }
        }
        kind @ ("thinking_delta" | "signature_delta") => {
            let known = message.blocks.iter().rposition(|block| index.is_none_or(|index| block.index == index));
            let position = known.unwrap_or_else(|| {
                // Thinking of a block that was never opened.
                let index = index.unwrap_or(0);
                message.blocks.push(Block { index, opened: at, ..Block::default() });
                message.blocks.len() - 1
            });
            let Some(block) = message.blocks.get_mut(position) else { return };
            block.thinking.push_str(text(delta, "thinking").filter(|_| kind == "thinking_delta").unwrap_or(""));
            if let Some(signature) = full(delta, "signature").filter(|_| kind == "signature_delta") {
                block.signature = Some(signature.to_owned());
            }
        }
        _ => {}
    }
}

/// Files a piece of arguments: into the open tool block at its index, else into the only open one;
/// otherwise a call somewhere lacks it (decision 28).
fn take_piece(message: &mut Message, index: Option<i64>, piece: Fragment, switch: Switch) {
    let takes = |block: &Block| block.is_call(switch) || block.is_server_call();
    let at_index = |block: &Block| Some(block.index) == index;
    if switch.on(Quirk::MergeCallsOfEqualIndex) {
        if let Some(block) = message.blocks.iter_mut().find(|block| takes(block) && at_index(block)) {
            block.pieces.push(piece);
        }
        return;
    }
    let is_open = |block: &Block| takes(block) && block.stopped.is_none();
    let open = message.blocks.iter().filter(|block| is_open(block)).count();
    let target = message.blocks.iter_mut().rev().find(|block| is_open(block) && (at_index(block) || open == 1));
    match target {
        Some(block) => block.pieces.push(piece),
        None => {
            message.problems.push(Problem::new(ProblemKind::ProtocolViolation).message("arguments of no open call"));
        }
    }
}

/// How a stop reason ends the turn (decisions 21 and 31).
fn end_of(reason: &str) -> End {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => End::Length,
        "pause_turn" | "compaction" => End::Pause,
        "refusal" | "sensitive" => End::Refusal,
        _ => End::Clean,
    }
}

fn turn_of(message: &Message, setup: &DecodeSetup, switch: Switch) -> Turn {
    let mut errors = message.problems.clone();
    let has = |kind| message.problems.iter().any(|problem: &Problem| problem.kind == kind);
    let provider_error = has(ProblemKind::ProviderError);
    let finished = (message.finished && message.reason.is_some()) || switch.on(Quirk::EofIsSuccess);
    if !finished && !provider_error && !has(ProblemKind::IncompleteStream) && !message.whole {
        errors.push(Problem::new(ProblemKind::IncompleteStream).message("the end of the message did not come"));
    }
    // A second start with another id: two answers were glued (decision 29).
    let mut known_ids = message.ids.iter().filter(|id| !id.is_empty());
    let spliced = known_ids.next().is_some_and(|first| known_ids.any(|id| id != first));
    if spliced {
        errors.push(Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-005").message("two answers in one"));
    }
    let reason = message.reason.as_deref().unwrap_or("");
    let refused = end_of(reason) == End::Refusal;
    if refused {
        let other = if reason == "refusal" { "refusal" } else { "content_filter" };
        let mut problem =
            Problem::new(ProblemKind::Blocked).reason(full(&message.details, "category").unwrap_or(other));
        problem.message = full(&message.details, "explanation").map(restore);
        errors.push(problem);
    }
    let end = match end_of(reason) {
        End::Refusal => End::Refusal,
        _ if !errors.is_empty() => End::Error,
        end => end,
    };

    let mut calls: Vec<RawCall> = Vec::new();
    for block in message.blocks.iter().filter(|block| block.is_call(switch)) {
        let (id, came) = wire_id(block.start.get("id"));
        calls.push(RawCall {
            ids: id.into_iter().collect(),
            wire_id: came.unwrap_or_default(),
            name: full(&block.start, "name").unwrap_or("").to_owned(),
            fragments: block.arguments(switch),
            opened: block.opened,
            stopped: block.stopped,
            ..RawCall::default()
        });
    }
    if spliced {
        calls.clear();
    }
    misroute(&mut calls, switch);
    let closed: Vec<bool> = calls.iter().map(|call| is_closed(call, message, end)).collect();
    // Never stopped although the message ended (decision 27).
    let mut abandoned = Vec::new();
    for (call, closed) in calls.iter().zip(&closed) {
        if matches!(end, End::Clean | End::Pause) && !closed && !switch.on(Quirk::IncompleteCallsRun) {
            let name = Some(restore(&call.name)).filter(|name| !name.is_empty());
            let problem = Problem::new(ProblemKind::ProtocolViolation).message("the block was never stopped");
            abandoned.push(problem.call(call.ids.first().cloned(), name));
        }
    }
    errors.extend(abandoned.into_iter().filter(|_| !switch.on(Quirk::EofIsSuccess)));
    let broken = !errors.iter().all(|problem| problem.kind == ProblemKind::Blocked);
    let Outcome { calls, problems, incomplete } =
        outcome(calls.into_iter().zip(closed).collect(), end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty();
    errors.extend(problems);

    let stop = match end {
        _ if broken => Stop::Error,
        End::Refusal => Stop::Refusal,
        End::Length => Stop::Length,
        End::Pause => Stop::Pause,
        _ if switch.on(Quirk::StopFromTheReason) => {
            if reason == "tool_use" {
                Stop::ToolUse
            } else {
                Stop::Stop
            }
        }
        _ if requested => Stop::ToolUse,
        _ => Stop::Stop,
    };
    let mut turn = Turn::empty(stop);
    turn.text = restore(&message.text);
    turn.thinking = message.blocks.iter().filter_map(thinking).collect();
    turn.server_calls = message
        .blocks
        .iter()
        .filter(|block| block.is_server_call() && !block.is_call(switch))
        .map(server_call)
        .collect();
    turn.usage = message.counts.usage(switch);
    (turn.calls, turn.errors, turn.incomplete) = (calls, errors, incomplete);
    turn
}

/// True if the call's end was said, and before anything failed.
fn is_closed(call: &RawCall, message: &Message, end: End) -> bool {
    let Some(stopped) = call.stopped else { return false };
    if message.failed_at.iter().any(|at| (call.opened..stopped).contains(at)) {
        return false;
    }
    // Under a limit, arguments that the server assembled are whole only if another block followed.
    let block = message.blocks.iter().find(|block| block.opened == call.opened);
    let last_piece = call.last_piece(usize::MAX);
    let followed = message.blocks.iter().any(|other| other.opened > call.opened && other.opened > last_piece);
    end != End::Length || followed || block.is_some_and(Block::came_whole)
}

/// The thinking in a block, wherever it was filed.
fn thinking(block: &Block) -> Option<Thinking> {
    let encrypted = full(&block.start, "data").filter(|_| block.kind() == "redacted_thinking").map(restore);
    let signature = block.signature.as_deref().map(restore);
    let thinking = Thinking { text: restore(&block.thinking), signature, encrypted, item_id: None };
    (thinking != Thinking::default()).then_some(thinking)
}

fn server_call(block: &Block) -> ServerCall {
    let arguments = match decide(&block.arguments(Switch(None)), false, Switch(None)) {
        Ok(Arguments::Object(text)) => Some(text),
        _ => None,
    };
    ServerCall {
        id: wire_id(block.start.get("id")).0.map(|id| restore(&id)),
        name: restore(full(&block.start, "name").unwrap_or("")),
        kind: block.kind().to_owned(),
        arguments,
    }
}
