//! Events, or one whole message, to a turn.
//!
//! Blocks are kept by their `index`; a block start at a used index ends the old block. `content_block_stop`
//! closes a call, and only `message_stop` ends a stream well.

use super::super::arguments::ArgumentText;
use super::super::calls::{Call, CallRules, Fate, id_of, settle};
use super::super::error_body;
use super::super::problems::Problems;
use super::super::protocol::{Context, Ended, Event, OPEN_ARRAY, Protocol};
use super::blocks::{Blocks, Content, State};
use super::stop::{Reason, reason};
use crate::json::{JsonText, Kind, TextBuffer, Value};
use crate::model::{Problem, ProblemKind, ServerCall, Step, Stop, Thinking, Turn, Usage};

const CALL_RULES: CallRules = CallRules {
    missing_id: "ANT-S-020",
    duplicate_id: "ANT-S-022",
    no_arguments: None,
    leading_empty: "ANT-S-023",
    repeated: "ANT-S-023",
    cumulative: "ANT-S-023",
    duplicate_keys: "ANT-S-023",
    undeclared: "ANT-S-027",
    copies: None,
};

/// Types of blocks that hold a call which the provider runs itself.
const SERVER_CALLS: &[&str] = &["server_tool_use", "mcp_tool_use"];

/// Events whose data has to be JSON (rule ANT-S-003); `ping` and unknown ones may hold anything.
const DATA_EVENTS: &[&str] = &[
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
];

/// Reads a message, streamed or not.
#[expect(clippy::struct_excessive_bools, reason = "facts about one message, each on its own")]
#[derive(Debug, Default)]
pub(in super::super) struct Messages {
    /// The id of the message; `Some` once it has begun.
    message: Option<String>,
    blocks: Blocks,
    text: TextBuffer,
    thinking: Vec<ThinkingBlock>,
    /// Thinking that came in blocks of another kind.
    loose_thinking: Option<usize>,
    stop_reason: Option<String>,
    stop_details: Option<Refusal>,
    usage: Option<Usage>,
    /// `message_stop` came, or the message came whole.
    stopped: bool,
    problems: Problems,
    /// The message came whole, put together by the server.
    whole: bool,
    /// A problem that leaves no safe turn.
    fatal: bool,
    /// Two answers were glued together; nothing more is read.
    spliced: bool,
    calls: usize,
}

#[derive(Debug, Default)]
struct Refusal {
    category: Option<String>,
    explanation: Option<String>,
}

#[derive(Debug, Default)]
struct ThinkingBlock {
    text: TextBuffer,
    signature: Option<String>,
    encrypted: Option<String>,
}

impl Protocol for Messages {
    fn event(&mut self, event: Event<'_>, cx: &mut Context<'_>) {
        let body = event.value;
        let [kind, error, index, delta] = body.pick(["type", "error", "index", "delta"]);
        let kind = kind.and_then(Value::to_text).filter(|kind| !kind.is_empty());
        let kind = kind.as_deref().unwrap_or(event.name);
        if self.over() {
            if kind != "ping" {
                cx.note("ANT-S-041", || format!("`{kind}` after the end of the message"));
            }
            return;
        }
        if kind == "error" || event.name == "error" || error.is_some_and(error_body::truthy) {
            return self.failed(error_body::read(body), cx);
        }
        if kind.is_empty()
            && let Some(problem) = error_body::reported(body)
        {
            return self.failed(problem, cx);
        }
        if body.kind() != Kind::Object {
            return cx.note("ANT-S-003", || format!("an event is {}, not an object", body.kind().article()));
        }
        if event.name != kind {
            cx.note("ANT-S-002", || format!("event name `{}` differs from type `{kind}`", event.name));
        }
        match kind {
            "message_start" => {
                if let Some(message) = body.some("message") {
                    self.start_message(message, cx);
                }
            }
            "message" => {
                self.start_message(body, cx);
                self.stopped = true;
                self.whole = true;
            }
            "content_block_start" => {
                let index = self.index(index, cx);
                if let Some(block) = body.some("content_block") {
                    self.start_block(index, block, cx);
                }
            }
            "content_block_delta" => {
                let index = self.index(index, cx);
                if let Some(delta) = delta.and_then(Value::non_null) {
                    self.delta(index, delta, cx);
                }
            }
            "content_block_stop" => {
                let index = self.index(index, cx);
                self.stop_block(index, cx);
            }
            "message_delta" => {
                if let Some(delta) = body.some("delta") {
                    self.stop_of(delta, cx);
                }
                self.usage_of(body);
            }
            "message_stop" => self.stopped = true,
            "ping" => {}
            _ if body.get("choices").is_some() => {
                cx.note("ANT-S-045", || "an OpenAI-shaped chunk in the stream".to_owned());
            }
            _ => cx.note("ANT-S-044", || format!("unknown event type `{kind}`")),
        }
    }

    fn ignores(&self, event: &str) -> bool {
        !event.is_empty() && !DATA_EVENTS.contains(&event)
    }

    fn failed(&mut self, problem: Problem, _cx: &mut Context<'_>) {
        if self.over() {
            return;
        }
        self.problems.add(problem);
        self.fatal = true;
        self.blocks.fail();
    }

    fn done(&mut self, cx: &mut Context<'_>) {
        cx.note("ANT-S-045", || "`[DONE]` in the stream".to_owned());
    }

    fn finish(mut self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn {
        let reason = self.stop_reason.as_deref().map(|word| {
            reason(word).unwrap_or_else(|| {
                cx.note("ANT-S-032", || format!("unknown stop_reason `{word}`"));
                Reason::Clean
            })
        });
        let explained = self.spliced || self.problems.explain_the_end();
        if !explained && (!self.stopped || reason.is_none() || ended.open_array) {
            let message = match (ended.cut, self.stopped) {
                (true, _) => "the stream was cut inside an event",
                _ if ended.open_array => OPEN_ARRAY,
                (false, true) => "the message ended without a stop_reason",
                (false, false) => "the stream ended before message_stop",
            };
            self.problems.add(Problem::new(ProblemKind::IncompleteStream).message(message));
            self.fatal = true;
        }
        let stop = match reason {
            _ if self.fatal => Stop::Error,
            Some(Reason::Refusal) => Stop::Refusal,
            Some(Reason::Pause) => Stop::Pause,
            Some(Reason::Length) => Stop::Length,
            _ => Stop::Stop,
        };
        self.end(stop, cx)
    }
}

impl Messages {
    /// Nothing more is read: the message has ended, or another one began inside it.
    fn over(&self) -> bool {
        self.stopped || self.spliced
    }

    /// The index of an event; some servers leave it out, and then mean the newest block.
    fn index(&self, index: Option<Value<'_>>, cx: &mut Context<'_>) -> i64 {
        let number = |index: Value<'_>| index.as_i64().or_else(|| index.to_text()?.parse().ok());
        index.and_then(number).unwrap_or_else(|| {
            cx.note("ANT-S-012", || "an event has no block index".to_owned());
            self.blocks.newest_index().unwrap_or(0)
        })
    }

    fn start_message(&mut self, message: Value<'_>, cx: &mut Context<'_>) {
        let id = message.text_of("id").unwrap_or_default().into_owned();
        if let Some(first) = &self.message {
            if *first == id {
                return cx.note("ANT-S-005", || "message_start came twice".to_owned());
            }
            self.spliced = true;
            self.fatal = true;
            let text = format!("a second answer (`{id}`) begins inside the first (`{first}`)");
            self.problems.add(Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-005").message(text));
            return;
        }
        self.message = Some(id);
        self.usage_of(message);
        // A running server-side program gives its next calls in one piece.
        for (index, block) in (0..).zip(message.some("content").into_iter().flat_map(Value::items)) {
            self.start_block(index, block, cx);
            self.stop_block(index, cx);
        }
        self.stop_of(message, cx);
    }

    fn start_block(&mut self, index: i64, block: Value<'_>, cx: &mut Context<'_>) {
        if let Some(old) = self.blocks.at(index) {
            cx.note("ANT-S-013", || format!("block index {index} is used while it is open"));
            if is_start_of(old, block) {
                return;
            }
            self.close(index, cx);
        } else if self.blocks.any_open() {
            cx.note("ANT-S-011", || "a block begins while another is open".to_owned());
        }
        let content = self.content(block, cx);
        self.blocks.open(index, content);
    }

    fn content(&mut self, block: Value<'_>, cx: &mut Context<'_>) -> Content {
        let text = |key: &str| block.text_of(key).map(std::borrow::Cow::into_owned);
        let kind = block.text_of("type").unwrap_or_default();
        match &*kind {
            "text" => {
                if let Some(text) = block.get("text").and_then(Value::as_str) {
                    cx.step(Step::Text(self.text.push(text)));
                }
                Content::Other
            }
            "thinking" | "redacted_thinking" => {
                let mut thinking =
                    ThinkingBlock { signature: text("signature"), encrypted: text("data"), ..ThinkingBlock::default() };
                if let Some(text) = block.get("thinking").and_then(Value::as_str) {
                    cx.step(Step::Thinking(thinking.text.push(text)));
                }
                self.thinking.push(thinking);
                Content::Thinking(self.thinking.len() - 1)
            }
            "tool_use" => {
                let number = self.calls;
                self.calls += 1;
                let id = block.get("id").and_then(id_of).map(std::borrow::Cow::into_owned);
                let name = text("name").filter(|name| !name.trim().is_empty()).unwrap_or_default();
                cx.step(Step::Opened { call: number, id: id.as_deref() });
                if !name.is_empty() {
                    cx.step(Step::Named { call: number, name: &name });
                }
                if block.get("input").is_none() {
                    cx.note("ANT-S-021", || format!("the start of `{name}` has no input"));
                }
                Content::Call(Call { number, id, name, ..Call::default() }, start_input(block))
            }
            kind if SERVER_CALLS.contains(&kind) => {
                let name = text("name").unwrap_or_default();
                let call = ServerCall { id: text("id"), name, kind: kind.to_owned(), arguments: start_input(block) };
                Content::Server { call, arguments: ArgumentText::default() }
            }
            _ => Content::Other,
        }
    }

    fn delta(&mut self, index: i64, delta: Value<'_>, cx: &mut Context<'_>) {
        let [kind, piece] = delta.pick(["type", "partial_json"]);
        let kind = kind.and_then(Value::to_text).unwrap_or_default();
        match &*kind {
            "input_json_delta" => self.input_delta(index, piece.and_then(Value::non_null), cx),
            "text_delta" => {
                if let Some(text) = delta.get("text").and_then(Value::as_str) {
                    cx.step(Step::Text(self.text.push(text)));
                }
            }
            "thinking_delta" => {
                if let Some(text) = delta.get("thinking").and_then(Value::as_str)
                    && let Some(thinking) = self.thinking_at(index, cx)
                {
                    cx.step(Step::Thinking(thinking.text.push(text)));
                }
            }
            "signature_delta" => {
                if let Some(signature) = delta.text_of("signature")
                    && let Some(thinking) = self.thinking_at(index, cx)
                {
                    thinking.signature = Some(signature.into_owned());
                }
            }
            "citations_delta" | "compaction_delta" => {}
            other => cx.note("ANT-S-016", || format!("unknown delta type `{other}`")),
        }
    }

    /// Files a piece of arguments: with the block of its index, else with the only open call, else it
    /// is lost to some call, and the turn cannot be trusted.
    fn input_delta(&mut self, index: i64, piece: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some((content, elsewhere)) = self.blocks.input_at(index) else {
            // After a failure the call is known to be incomplete already.
            if !self.fatal && piece.is_some_and(|piece| piece.as_str().is_none_or(|text| !text.is_empty())) {
                let text = "arguments came for no open tool block; the call they belong to is not known";
                self.problems.add(Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-012").message(text));
                self.fatal = true;
            }
            return;
        };
        if elsewhere {
            cx.note("ANT-S-012", || "arguments came for a block that is no open call".to_owned());
        }
        let (arguments, number) = match content {
            Content::Call(call, _) => (&mut call.arguments, Some(call.number)),
            Content::Server { arguments, .. } => (arguments, None),
            _ => return,
        };
        let text = match piece {
            Some(piece) if piece.kind() == Kind::String => piece.as_str().map_or("", |s| arguments.push(s)),
            // Arguments as a value instead of as text.
            Some(piece) => arguments.push_value(piece),
            None => "",
        };
        if let (false, Some(call)) = (text.is_empty(), number) {
            cx.step(Step::Appended { call, text });
        }
    }

    /// The thinking block at `at`; a thinking delta for another kind of block (LiteLLM sends them into text
    /// blocks) goes to one that all such deltas share.
    fn thinking_at(&mut self, index: i64, cx: &mut Context<'_>) -> Option<&mut ThinkingBlock> {
        let content = self.blocks.at(index);
        let position = if let Some(Content::Thinking(position)) = content {
            *position
        } else {
            cx.note("ANT-S-015", || "a thinking delta came for another kind of block".to_owned());
            *self.loose_thinking.get_or_insert_with(|| {
                self.thinking.push(ThinkingBlock::default());
                self.thinking.len() - 1
            })
        };
        self.thinking.get_mut(position)
    }

    fn stop_block(&mut self, index: i64, cx: &mut Context<'_>) {
        if !self.close(index, cx) {
            cx.note("ANT-S-012", || format!("block {index} is stopped but not open"));
        }
    }

    /// Closes the block at an index; false if none is open there.
    fn close(&mut self, index: i64, cx: &mut Context<'_>) -> bool {
        let Some(block) = self.blocks.close(index) else { return false };
        if let Content::Call(call, Some(_)) = &block.content
            && !call.arguments.as_str().trim().is_empty()
        {
            cx.note("ANT-S-024", || format!("`{}` has input in its start and in deltas", call.name));
        }
        true
    }

    fn stop_of(&mut self, holder: Value<'_>, cx: &mut Context<'_>) {
        if let Some(word) = holder.text_of("stop_reason") {
            self.stop_reason = Some(word.into_owned());
        }
        if let Some(details) = holder.some("stop_details") {
            let text = |key: &str| details.text_of(key).map(std::borrow::Cow::into_owned);
            self.stop_details = Some(Refusal { category: text("category"), explanation: text("explanation") });
        }
        if self.blocks.any_open() && self.stop_reason.is_some() {
            cx.note("ANT-S-014", || "the message stops while a block is open".to_owned());
        }
    }

    fn usage_of(&mut self, holder: Value<'_>) {
        let Some(usage) = holder.some("usage") else { return };
        let count = |key: &str| usage.get(key).and_then(Value::as_u64);
        // Counters are running totals: a later one replaces, a missing one keeps.
        self.usage.get_or_insert_default().update(Usage {
            input: count("input_tokens"),
            output: count("output_tokens"),
            cache_read: count("cache_read_input_tokens"),
            cache_write: count("cache_creation_input_tokens"),
        });
    }

    fn end(self, stop: Stop, cx: &mut Context<'_>) -> Turn {
        let mut turn = Turn::empty(stop);
        turn.errors = self.problems.finish();
        turn.text = self.text.finish();
        turn.usage = self.usage;
        let thinking = self.thinking.into_iter().map(|block| Thinking {
            text: block.text.finish(),
            signature: block.signature,
            encrypted: block.encrypted,
            item_id: None,
        });
        turn.thinking = thinking.collect();
        let mut calls = Vec::new();
        let (count, blocks) = self.blocks.finish();
        for block in blocks {
            match block.content {
                Content::Call(mut call, input) => {
                    if let Some(input) = input.filter(|_| call.arguments.as_str().trim().is_empty()) {
                        call.arguments.push_value(input.doc().root());
                    }
                    // A value in one piece cannot have been cut on its way; one that the server put together can.
                    let whole_value = call.arguments.is_value() && !self.whole;
                    let fate = match block.state {
                        // Nothing followed: the limit was hit inside this call, whatever it looks like.
                        State::Closed(at) if stop == Stop::Length && at == count && !whole_value => Fate::Truncated,
                        State::Closed(_) => Fate::Closed,
                        State::Open if stop == Stop::Length => Fate::Truncated,
                        State::Open | State::Broken => Fate::Incomplete,
                    };
                    calls.push((call, fate));
                }
                Content::Server { mut call, arguments } => {
                    if !arguments.as_str().trim().is_empty() {
                        call.arguments = JsonText::new(arguments.into_text()).ok();
                    } else if matches!(block.state, State::Closed(_)) {
                        call.arguments.get_or_insert_with(JsonText::empty_object);
                    }
                    turn.server_calls.push(call);
                }
                Content::Thinking(_) | Content::Other => {}
            }
        }
        // A refusal voids every call, whatever else went wrong.
        if self.stop_reason.as_deref().and_then(reason) == Some(Reason::Refusal) {
            let details = self.stop_details.unwrap_or_default();
            let word = self.stop_reason.clone().unwrap_or_default();
            turn.errors.push(
                Problem::new(ProblemKind::Blocked)
                    .reason(details.category.unwrap_or(word))
                    .message(details.explanation.unwrap_or_else(|| "the provider stopped for policy".to_owned())),
            );
            calls.clear();
        }
        if self.spliced {
            calls.clear();
        }
        let settled = settle(calls, 0, &CALL_RULES, cx);
        if matches!(stop, Stop::Stop | Stop::Pause) {
            for call in &settled.incomplete {
                let text = "the message ended although the block was never stopped";
                let problem = Problem::new(ProblemKind::ProtocolViolation).reason("ANT-S-014").message(text);
                turn.errors.push(problem.call(call.id.clone(), call.name.clone()));
            }
        }
        if stop == Stop::Stop {
            if settled.requested > 0 {
                turn.stop = Stop::ToolUse;
            }
            if (settled.requested > 0) != (self.stop_reason.as_deref() == Some("tool_use")) {
                cx.note("ANT-S-033", || "stop_reason and the calls of the message disagree".to_owned());
            }
        }
        turn.errors.extend(settled.errors);
        turn.calls = settled.calls;
        turn.incomplete = settled.incomplete;
        cx.step(Step::Stop(turn.stop));
        turn
    }
}

/// True if `block` is the start of this very call once more, id and name alike.
fn is_start_of(content: &Content, block: Value<'_>) -> bool {
    let Content::Call(call, _) = content else { return false };
    call.id.is_some()
        && call.id.as_deref() == block.get("id").and_then(id_of).as_deref()
        && Some(&*call.name) == block.text_of("name").as_deref()
}

/// The `input` of a block start, unless it is the usual empty object, or blank text in its place.
fn start_input(block: Value<'_>) -> Option<JsonText> {
    let input = block.some("input")?;
    let empty = match input.to_text() {
        Some(text) => text.trim().is_empty(),
        None => input.kind() == Kind::Object && input.members().next().is_none(),
    };
    (!empty).then(|| JsonText::of(input))
}
