//! Anthropic Messages, streamed and whole.
//!
//! The events are sorted into blocks first; what became of each block is decided afterwards, from
//! all of it. A moment (`at`) is the number of an event in the whole response.

use serde_json::Value;

use super::arguments::{Fragment, joined};
use super::call::{End, Outcome, RawCall, misroute, outcome, wire_id};
use super::item::{Item, reported_any, tell};
use super::quirk::{Quirk, Switch};
use super::usage::Counts;
use super::value::{arguments, full, list, restore, some, text, whole_number};
use crate::json::JsonText;
use crate::model::{Api, Problem, ProblemKind, ServerCall, Stop, Thinking, Turn};
use crate::providers::DecodeSetup;

/// The kind of the block for thinking that came for no thinking block.
const LOOSE: &str = "(loose thinking)";

/// One content block.
#[derive(Debug, Clone, Default)]
struct Block {
    index: i64,
    /// What its start carries.
    start: Value,
    opened: usize,
    stopped: Option<usize>,
    /// Something failed while it was open: it stays as it was then (decision 24).
    broken: bool,
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

    /// The arguments: the pieces; if they are blank, the input of the start.
    fn arguments(&self, switch: Switch) -> Vec<Fragment> {
        if !joined(&self.pieces).trim().is_empty() {
            return self.pieces.clone();
        }
        let none = |text: &str| {
            text.trim().is_empty() || matches!(serde_json::from_str(text), Ok(Value::Object(input)) if input.is_empty())
        };
        match arguments(self.start.get("input")) {
            _ if switch.on(Quirk::LoseStartInput) && !self.in_body => Vec::new(),
            Some((text, true)) if !none(text) => vec![Fragment { at: self.opened, text: text.to_owned(), value: true }],
            // Text in the place of an object: the arguments are that text.
            Some((text, false)) if !text.trim().is_empty() => {
                vec![Fragment { at: self.opened, text: Value::from(text).to_string(), value: true }]
            }
            _ => Vec::new(),
        }
    }

    /// True if the arguments came as one value in a stream (decision 12).
    fn came_whole(&self) -> bool {
        !self.in_body && matches!(&self.arguments(Switch(None))[..], [only] if only.value)
    }

    /// Takes pieces, and can be stopped.
    fn is_open(&self) -> bool {
        self.stopped.is_none() && !self.broken
    }
}

/// Everything that a response says.
#[derive(Debug, Default)]
struct Message {
    /// The id of the message that started, empty where it has none.
    id: Option<String>,
    /// Another message started inside it.
    spliced: bool,
    blocks: Vec<Block>,
    /// Thinking that came for no thinking block, all in one; the number of the block before which it began.
    loose: Option<usize>,
    text: String,
    reason: Option<String>,
    details: Value,
    /// Its end came.
    finished: bool,
    /// The array that the body is did not end (decision 57).
    open_array: bool,
    problems: Vec<Problem>,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let open_array = items.iter().any(|item| matches!(item, Item::OpenArray));
    let mut message = Message { open_array, ..Message::default() };
    for (at, item) in items.iter().enumerate() {
        // Nothing more is read then (decision 29).
        if message.finished || message.spliced {
            break;
        }
        // Room for the blocks of a message between two events.
        let at = (at + 1) << 16;
        match item {
            Item::Data { failure: Some(problem), .. } | Item::Failure(problem) => fail(&mut message, problem),
            Item::Data { name, value, failure: None } => take_event(&mut message, name, value, at, switch),
            // What was in it may have been a piece of any open call.
            Item::Unparsable(raw) => fail(&mut message, &Problem::new(ProblemKind::UnparsableEvent).raw(raw)),
            Item::Done | Item::Cut | Item::OpenArray => {}
        }
    }
    turn_of(&message, setup, switch)
}

/// Notes a failure, and what it breaks.
fn fail(message: &mut Message, problem: &Problem) {
    tell(&mut message.problems, problem);
    message.blocks.iter_mut().filter(|block| block.is_open()).for_each(|block| block.broken = true);
}

fn take_event(message: &mut Message, name: &str, value: &Value, at: usize, switch: Switch) {
    // An index that is left out is that of the block opened last, or 0.
    let newest = message.blocks.iter().rfind(|block| block.is_open()).map_or(0, |block| block.index);
    let number = |index: &Value| whole_number(index).or_else(|| index.as_str()?.parse().ok());
    let index = value.get("index").and_then(number).unwrap_or(newest);
    match full(value, "type").unwrap_or(name) {
        "message_start" => {
            let Some(start) = some(value, "message") else { return };
            let id = text(start, "id").unwrap_or("");
            match &message.id {
                None => take_message(message, start, at, false),
                Some(first) if first == id => {}
                Some(_) => {
                    let problem = Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-005");
                    message.problems.push(problem.message("two answers in one"));
                    message.spliced = true;
                }
            }
        }
        "content_block_start" => {
            let used = message.blocks.iter().any(|block| block.index == index);
            if used && switch.on(Quirk::MergeCallsOfEqualIndex) {
                return;
            }
            let Some(start) = some(value, "content_block") else { return };
            start_block(message, index, start, at);
        }
        "content_block_delta" => {
            let delta = value.get("delta").unwrap_or(&Value::Null);
            take_delta(message, index, delta, at, switch);
        }
        "content_block_stop" => {
            let mut open = message.blocks.iter_mut().rev().filter(|block| block.is_open());
            if let Some(block) = open.find(|block| block.index == index) {
                block.stopped = Some(at);
            }
        }
        "message_delta" => {
            let delta = value.get("delta").unwrap_or(&Value::Null);
            take_end(message, delta);
            message.counts.take(value, Api::AnthropicMessages);
        }
        "message_stop" => message.finished = true,
        "message" => take_body(message, value, at),
        // `ping`, and what is yet to be invented.
        _ => {}
    }
}

/// Starts a block. At a used index it closes the old one; the same start once more does nothing (decision 30).
fn start_block(message: &mut Message, index: i64, start: &Value, at: usize) {
    let same = |old: &Block, key| full(start, key).is_some_and(|text| full(&old.start, key) == Some(text));
    let mut open_here = message.blocks.iter_mut().filter(|block| block.index == index && block.is_open());
    if let Some(old) = open_here.next() {
        let id = |start: &Value| wire_id(start.get("id")).0;
        let same_id = id(start).is_some() && id(start) == id(&old.start);
        if old.kind() == "tool_use" && same_id && same(old, "name") {
            return;
        }
        old.stopped = Some(at);
    }
    open(message, Block { index, start: start.clone(), opened: at, ..Block::default() });
}

/// Takes an answer that is no stream.
fn take_body(message: &mut Message, value: &Value, at: usize) {
    if message.id.is_none() {
        take_message(message, value, at, true);
    } else if message.id.as_deref() != text(value, "id").or(Some("")) {
        let problem = Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-005");
        message.problems.push(problem.message("two answers in one"));
        message.spliced = true;
    }
    message.finished = true;
}

/// Takes a message object; its blocks are whole (the second form of the stream).
fn take_message(message: &mut Message, value: &Value, at: usize, in_body: bool) {
    message.id = Some(text(value, "id").unwrap_or("").to_owned());
    for (position, start) in list(value, "content").iter().enumerate() {
        let index = i64::try_from(position).unwrap_or(0);
        start_block(message, index, start, at + position);
        if let Some(block) = message.blocks.iter_mut().rfind(|block| block.is_open() && block.index == index) {
            block.in_body = in_body;
            block.stopped = Some(at + position);
        }
    }
    take_end(message, value);
    message.counts.take(value, Api::AnthropicMessages);
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
        "redacted_thinking" => block.signature = full(start, "signature").map(str::to_owned),
        _ => {}
    }
    message.blocks.push(block);
}

fn take_delta(message: &mut Message, index: i64, delta: &Value, at: usize, switch: Switch) {
    // Filed by what the delta says, whatever the block is (decision 32).
    match text(delta, "type").unwrap_or("") {
        "text_delta" => message.text.push_str(text(delta, "text").unwrap_or("")),
        "input_json_delta" => {
            let Some((text, value)) = arguments(delta.get("partial_json")) else { return };
            if !text.is_empty() {
                take_piece(message, index, Fragment { at, text: text.to_owned(), value }, switch);
            }
        }
        kind @ ("thinking_delta" | "signature_delta") => {
            let of_kind = if kind == "thinking_delta" { text(delta, "thinking") } else { full(delta, "signature") };
            let Some(said) = of_kind else { return };
            let thinks = |block: &Block| matches!(block.kind(), "thinking" | "redacted_thinking");
            let at_index = message.blocks.iter().rposition(|block| block.is_open() && block.index == index);
            let position = at_index.filter(|at| message.blocks.get(*at).is_some_and(thinks)).or(message.loose);
            let position = position.unwrap_or_else(|| {
                // A block that nobody opened, and that nothing can close.
                let start = serde_json::json!({ "type": LOOSE });
                message.blocks.push(Block { start, opened: at, stopped: Some(at), ..Block::default() });
                message.blocks.len() - 1
            });
            let Some(block) = message.blocks.get_mut(position) else { return };
            if block.kind() == LOOSE {
                message.loose = Some(position);
            }
            if kind == "thinking_delta" {
                block.thinking.push_str(said);
            } else {
                block.signature = Some(said.to_owned());
            }
        }
        _ => {}
    }
}

/// Files a piece of arguments: into the open tool block at its index, else into the only open one;
/// otherwise a call somewhere lacks it (decision 28).
fn take_piece(message: &mut Message, index: i64, piece: Fragment, switch: Switch) {
    let takes = |block: &Block| block.is_call(switch) || block.is_server_call();
    let at_index = |block: &Block| block.index == index;
    if switch.on(Quirk::MergeCallsOfEqualIndex) {
        if let Some(block) = message.blocks.iter_mut().find(|block| takes(block) && at_index(block)) {
            block.pieces.push(piece);
        }
        return;
    }
    let is_open = |block: &Block| takes(block) && block.is_open();
    let open = message.blocks.iter().filter(|block| is_open(block)).count();
    let target = message.blocks.iter_mut().rev().find(|block| is_open(block) && (at_index(block) || open == 1));
    if let Some(block) = target {
        block.pieces.push(piece);
    } else if message.problems.is_empty() {
        // Once is enough, and after a failure the call is known to be incomplete.
        let problem = Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-012");
        message.problems.push(problem.message("arguments of no open call"));
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
    let finished =
        (message.finished && message.reason.is_some() && !message.open_array) || switch.on(Quirk::EofIsSuccess);
    let explained = message.spliced || reported_any(&message.problems);
    if !finished && !explained {
        errors.push(Problem::new(ProblemKind::IncompleteStream).message("the end of the message did not come"));
    }
    let reason = message.reason.as_deref().unwrap_or("");
    let broken = !errors.is_empty();
    let refused = end_of(reason) == End::Refusal;
    if refused {
        let mut problem =
            Problem::new(ProblemKind::Blocked).reason(restore(full(&message.details, "category").unwrap_or(reason)));
        problem.message = full(&message.details, "explanation").map(restore);
        errors.push(problem);
    }
    let end = match end_of(reason) {
        End::Refusal => End::Refusal,
        _ if broken => End::Error,
        end => end,
    };

    let mut calls: Vec<RawCall> = Vec::new();
    for block in message.blocks.iter().filter(|block| block.is_call(switch)) {
        let (id, came) = wire_id(block.start.get("id"));
        calls.push(RawCall {
            id,
            wire_id: came.unwrap_or_default(),
            name: full(&block.start, "name").filter(|name| !name.trim().is_empty()).unwrap_or("").to_owned(),
            fragments: block.arguments(switch),
            opened: block.opened,
            stopped: block.stopped,
            broken: block.broken,
            ..RawCall::default()
        });
    }
    if message.spliced {
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
            abandoned.push(problem.call(call.shown_id(), name).reason("ANT-S-014"));
        }
    }
    errors.extend(abandoned.into_iter().filter(|_| !switch.on(Quirk::EofIsSuccess)));
    let Outcome { calls, problems, incomplete } =
        outcome(calls.into_iter().zip(closed).collect(), end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty() || !incomplete.is_empty();
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
    let Some(stopped) = call.stopped.filter(|_| !call.broken) else { return false };
    // Under a limit, arguments that the server assembled are whole only if another block followed.
    let block = message.blocks.iter().find(|block| block.opened == call.opened);
    let mut others = message.blocks.iter().filter(|other| other.kind() != LOOSE);
    // In a body, and where a start stops the block before it, both stand at one moment.
    let followed = others.any(|other| other.opened >= stopped && other.opened > call.opened);
    end != End::Length || followed || block.is_some_and(Block::came_whole)
}

/// The thinking in a block.
fn thinking(block: &Block) -> Option<Thinking> {
    let thinks = matches!(block.kind(), "thinking" | "redacted_thinking" | LOOSE);
    thinks.then(|| Thinking {
        text: restore(&block.thinking),
        signature: block.signature.as_deref().map(restore),
        encrypted: full(&block.start, "data").map(restore),
        item_id: None,
    })
}

fn server_call(block: &Block) -> ServerCall {
    let text = joined(&block.arguments(Switch(None)));
    let whole = block.stopped.is_some() && !block.broken;
    let text = if text.trim().is_empty() && whole { "{}".to_owned() } else { text };
    ServerCall {
        id: full(&block.start, "id").map(restore),
        name: restore(full(&block.start, "name").unwrap_or("")),
        kind: block.kind().to_owned(),
        arguments: JsonText::new(text).ok(),
    }
}
