//! Events, or one whole response, to a turn.

use std::collections::HashSet;

use super::super::calls::{self, Call};
use super::super::error_body;
use super::super::problems::Problems;
use super::super::protocol::{Context, Ended, Event, Protocol};
use super::item::{Best, Content, Head, Item, Sort, Source, State};
use super::items::{Address, Items, Piece};
use super::status::Terminal;
use super::text::Part;
use crate::json::{Kind, TextBuffer, Value};
use crate::model::{Problem, Step, Turn, Usage};

/// Reads a response, streamed or not.
#[derive(Debug, Default)]
pub(in super::super) struct Responses {
    pub(super) items: Items,
    pub(super) text: TextBuffer,
    pub(super) refusal: TextBuffer,
    pub(super) usage: Option<Usage>,
    pub(super) problems: Problems,
    /// How the response ended.
    pub(super) terminal: Option<Terminal>,
    /// Why it is incomplete.
    pub(super) reason: Option<String>,
    /// The id that `response.created` gave.
    pub(super) created: Option<String>,
    /// The answer came as one body.
    pub(super) whole: bool,
    /// Two answers were glued together.
    pub(super) spliced: bool,
    /// How many items there were at the last failure.
    failed_at: usize,
    /// `[DONE]` came.
    done: bool,
    calls: usize,
}

impl Protocol for Responses {
    fn event(&mut self, event: Event<'_>, cx: &mut Context<'_>) {
        let body = event.value;
        let [kind, index, item_id, delta, response] =
            body.pick(["type", "output_index", "item_id", "delta", "response"]);
        let kind = kind.and_then(Value::to_text).filter(|kind| !kind.is_empty());
        let kind = kind.as_deref().unwrap_or(event.name);
        if self.over() {
            return cx.note("OAI-R-044", || format!("`{kind}` after the end of the response"));
        }
        if let Some(problem) = failure(kind, event, cx) {
            self.failed(problem, cx);
        }
        if body.kind() != Kind::Object {
            return;
        }
        let response = response.and_then(Value::non_null);
        self.usage_of(response);
        if kind.is_empty() {
            if is_response(body) {
                self.whole(body, cx);
            }
            return;
        }
        if event.name != kind {
            cx.note("OAI-R-032", || format!("event name `{}` differs from type `{kind}`", event.name));
        }
        let item_id = item_id.and_then(calls::id_of);
        let address = Address { index: index.and_then(index_of), id: item_id.as_deref() };
        // What says nothing belongs nowhere.
        let delta = delta.and_then(says);
        match kind {
            "response.function_call_arguments.delta" => self.piece(Sort::Function, address, delta, cx),
            "response.custom_tool_call_input.delta" => self.piece(Sort::Custom, address, delta, cx),
            "response.function_call_arguments.done" => self.final_text(Sort::Function, address, body, cx),
            "response.custom_tool_call_input.done" => self.final_text(Sort::Custom, address, body, cx),
            "response.output_text.delta" => self.text(address, body, delta, Part::Text, cx),
            "response.refusal.delta" => self.text(address, body, delta, Part::Refusal, cx),
            "response.output_text.done" => self.final_part(address, body, body.get("text"), Part::Text, cx),
            "response.refusal.done" => self.final_part(address, body, body.get("refusal"), Part::Refusal, cx),
            "response.content_part.done" => {
                if let Some((part, text)) = body.some("part").and_then(Part::of) {
                    self.final_part(address, body, Some(text), part, cx);
                }
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" | "response.reasoning.delta" => {
                self.think(address, delta, cx);
            }
            "response.output_item.added" => self.added(address.index, body.some("item"), cx),
            "response.output_item.done" => self.item_done(address.index, body.some("item"), cx),
            _ => self.lifecycle(kind, response, cx),
        }
    }

    fn failed(&mut self, problem: Problem, _cx: &mut Context<'_>) {
        if self.over() {
            return;
        }
        self.problems.add(problem);
        // What was open at an earlier failure is broken already.
        let items = self.items.all_mut();
        for item in items.iter_mut().skip(self.failed_at) {
            item.broken = item.state == State::Open;
        }
        self.failed_at = items.len();
    }

    fn done(&mut self, _cx: &mut Context<'_>) {
        self.done = true;
    }

    fn finish(self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn {
        self.end(ended, cx)
    }
}

/// True for a body that is a response itself.
fn is_response(body: Value<'_>) -> bool {
    let [object, output] = body.pick(["object", "output"]);
    object.and_then(Value::as_str).is_some_and(|object| object.is("response"))
        || output.is_some_and(|output| output.kind() == Kind::Array)
}

/// The failure that an event reports, whatever else it says: an `error` event, nested on the wire and flat in the
/// documentation (openai/openai-dotnet#881), or an `error` member, for which the official client looks in every event.
fn failure(kind: &str, event: Event<'_>, cx: &mut Context<'_>) -> Option<Problem> {
    let body = event.value;
    let nested = error_body::find(body).is_some();
    if kind == "error" || event.name == "error" {
        cx.note("OAI-R-048", || format!("the error event is {}", if nested { "nested" } else { "flat" }));
    }
    if nested || kind == "error" || event.name == "error" {
        return Some(error_body::read(body));
    }
    if kind.is_empty() && !is_response(body) { error_body::reported(body) } else { None }
}

/// A number, also as a string of digits.
pub(super) fn index_of(index: Value<'_>) -> Option<i64> {
    index.as_i64().or_else(|| index.to_text()?.parse().ok())
}

/// A value that is neither null nor an empty text.
fn says(value: Value<'_>) -> Option<Value<'_>> {
    value.non_null().filter(|value| value.as_str().is_none_or(|text| !text.is_empty()))
}

impl Responses {
    /// Nothing more is read.
    fn over(&self) -> bool {
        self.terminal.is_some() || self.spliced || self.done
    }

    pub(super) fn content(&mut self, at: usize) -> Option<&mut Content> {
        self.items.get_mut(at).map(|item| &mut item.content)
    }

    /// The item that a piece is for; one without a head if none is found, none if the piece says nothing.
    pub(super) fn item_of(&mut self, sort: Sort, address: Address<'_>, cx: &mut Context<'_>) -> Option<usize> {
        if address.index.is_none() {
            cx.note("OAI-R-033", || "an event has no output_index".to_owned());
        }
        match self.items.piece(&sort, address) {
            Piece::Of(at) => Some(at),
            Piece::Nothing => None,
            Piece::Headless => {
                cx.note("OAI-R-033", || "an event for an item that was not added".to_owned());
                Some(self.open(sort, address.index, false, address.id, cx))
            }
        }
    }

    /// Opens an item.
    pub(super) fn open(
        &mut self,
        sort: Sort,
        index: Option<i64>,
        headed: bool,
        id: Option<&str>,
        cx: &mut Context<'_>,
    ) -> usize {
        let content = match &sort {
            Sort::Function | Sort::Custom => {
                let number = self.calls;
                self.calls += 1;
                cx.step(Step::Opened { call: number, id: None });
                let call = Call { number, custom: sort == Sort::Custom, ..Call::default() };
                Content::Call { call, named: None, source: Source::Pieces, later_id: None }
            }
            Sort::Message => Content::Message { spoken: HashSet::new() },
            Sort::Reasoning => Content::Reasoning { text: TextBuffer::default(), encrypted: Best::default() },
            Sort::Server(_) => Content::Server { call: Best::default() },
        };
        self.items.open(Item::new(sort, index, headed, content), id)
    }

    /// Takes a piece of arguments or input.
    fn piece(&mut self, sort: Sort, address: Address<'_>, delta: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some(delta) = delta else { return };
        if let Some(at) = self.item_of(sort, address, cx) {
            self.append(at, delta, cx);
        }
    }

    /// Appends to the arguments of a call, unless a final form of them came.
    pub(super) fn append(&mut self, at: usize, delta: Value<'_>, cx: &mut Context<'_>) {
        let Some(Content::Call { call, source: Source::Pieces, .. }) = self.content(at) else {
            return cx.note("OAI-R-041", || "a piece of arguments after the whole".to_owned());
        };
        let text = match delta.as_str() {
            Some(text) => call.arguments.push(text),
            None => call.arguments.push_value(delta),
        };
        if !text.is_empty() {
            cx.step(Step::Appended { call: call.number, text });
        }
    }

    /// Takes `arguments.done` or `input.done`.
    fn final_text(&mut self, sort: Sort, address: Address<'_>, body: Value<'_>, cx: &mut Context<'_>) {
        let head = Head { value: body };
        let Some(arguments) = head.arguments(&sort) else { return };
        let Some(at) = self.item_of(sort, address, cx) else { return };
        if let Some(item) = self.items.get_mut(at) {
            item.take_name(head, None, cx);
        }
        self.replace(at, Some(arguments), Source::Text, cx);
    }

    /// Puts final arguments in the place of the pieces, unless better ones are there.
    pub(super) fn replace(&mut self, at: usize, arguments: Option<Value<'_>>, better: Source, cx: &mut Context<'_>) {
        let Some(Content::Call { call, source, .. }) = self.content(at) else { return };
        let Some(arguments) = arguments else { return };
        if *source >= better {
            if *source == better {
                cx.note("OAI-R-040", || "the final arguments came twice".to_owned());
            }
            return;
        }
        *source = better;
        let text = arguments.as_str();
        if text.is_some_and(|text| call.arguments.is_copy(text)) {
            return;
        }
        let shown = std::mem::take(&mut call.arguments).into_text();
        match text {
            Some(text) => call.arguments.push(text),
            None => call.arguments.push_value(arguments),
        };
        match call.arguments.as_str().strip_prefix(&*shown) {
            Some("") => {}
            Some(rest) => cx.step(Step::Appended { call: call.number, text: rest }),
            None => cx.note("OAI-R-039", || "the pieces of the arguments are not the final ones".to_owned()),
        }
    }
}
