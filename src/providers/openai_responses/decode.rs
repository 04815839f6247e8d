//! Events, or one whole response, to a turn.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::calls::Call;
use super::super::error_body;
use super::super::problems::Problems;
use super::super::protocol::{Context, Ended, Event, Protocol};
use super::item::{Best, Content, Head, Item, Sort, Source, State};
use super::items::{Address, Headed, Items, Piece};
use super::status::{self, Terminal};
use crate::json::{Kind, Str, TextBuffer, Value};
use crate::model::{Problem, ProblemKind, Step, Turn, Usage};

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
    created: Option<String>,
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
        let [kind, index, item_id, delta] = body.pick(["type", "output_index", "item_id", "delta"]);
        let kind = kind.and_then(Value::to_text).filter(|kind| !kind.is_empty());
        let typed = kind.is_some();
        let kind = kind.as_deref().unwrap_or(event.name);
        if self.over() {
            return cx.note("OAI-R-044", || format!("`{kind}` after the end of the response"));
        }
        if kind == "error" || event.name == "error" {
            cx.note("OAI-R-048", || {
                let form = if error_body::find(body).is_some() { "nested" } else { "flat" };
                format!("the error event is {form}")
            });
            return self.failed(error_of(body), cx);
        }
        if !typed && is_response(body) {
            return self.whole(body, cx);
        }
        if kind.is_empty() {
            if let Some(problem) = error_body::reported(body) {
                self.failed(problem, cx);
            }
            return;
        }
        if event.name != kind {
            cx.note("OAI-R-032", || format!("event name `{}` differs from type `{kind}`", event.name));
        }
        let item_id = item_id.and_then(Value::to_text).filter(|id| !id.is_empty());
        let address = Address { index: index.and_then(Value::as_i64), id: item_id.as_deref() };
        let delta = delta.and_then(Value::non_null);
        match kind {
            "response.function_call_arguments.delta" => self.piece(Sort::Function, address, delta, cx),
            "response.custom_tool_call_input.delta" => self.piece(Sort::Custom, address, delta, cx),
            "response.function_call_arguments.done" => self.final_text(Sort::Function, address, body, cx),
            "response.custom_tool_call_input.done" => self.final_text(Sort::Custom, address, body, cx),
            "response.output_text.delta" | "response.refusal.delta" => {
                let said = delta.and_then(Value::as_str).filter(|text| !text.is_empty());
                if let Some(text) = said {
                    let at = self.item_of(Sort::Message, address, cx);
                    self.speak(at, part_index(body), true, text, kind.starts_with("response.refusal"), cx);
                }
            }
            "response.output_text.done" => self.final_part(address, body, body.get("text"), false, cx),
            "response.refusal.done" => self.final_part(address, body, body.get("refusal"), true, cx),
            "response.content_part.done" => {
                let [text, refusal] = body.some("part").map_or([None; 2], |part| part.pick(["text", "refusal"]));
                let kind = body.some("part").and_then(|part| part.text_of("type"));
                // The raw text of a reasoning item comes in parts as well.
                if kind.as_deref() != Some("reasoning_text") {
                    let refused = text.is_none() && refusal.is_some();
                    self.final_part(address, body, text.or(refusal), refused, cx);
                }
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" | "response.reasoning.delta" => {
                if let Some(text) = delta.and_then(Value::as_str).filter(|text| !text.is_empty()) {
                    let at = self.item_of(Sort::Reasoning, address, cx);
                    if let Some(Content::Reasoning { text: thinking, .. }) = self.content(at) {
                        cx.step(Step::Thinking(thinking.push(text)));
                    }
                }
            }
            "response.output_item.added" => self.added(address.index, body.some("item"), cx),
            "response.output_item.done" => self.item_done(address.index, body.some("item"), cx),
            _ => self.lifecycle(kind, body, cx),
        }
    }

    fn ignores(&self, event: &str) -> bool {
        // Keep-alives of api.openai.com are events of their own.
        !event.is_empty() && event != "error" && !event.starts_with("response.")
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

/// An `error` event: nested on the wire, flat in the documentation (openai/openai-dotnet#881).
fn error_of(body: Value<'_>) -> Problem {
    let mut problem = error_body::read(body);
    if error_body::find(body).is_none() && problem.error_type.as_deref() == Some("error") {
        problem.error_type = None;
    }
    problem
}

fn part_index(body: Value<'_>) -> i64 {
    body.get("content_index").and_then(Value::as_i64).unwrap_or(0)
}

impl Responses {
    /// Nothing more is read.
    fn over(&self) -> bool {
        self.terminal.is_some() || self.spliced || self.done
    }

    fn content(&mut self, at: Option<usize>) -> Option<&mut Content> {
        self.items.get_mut(at?).map(|item| &mut item.content)
    }

    /// The item that a piece is for; one without a head if none is found, none if the piece says nothing.
    fn item_of(&mut self, sort: Sort, address: Address<'_>, cx: &mut Context<'_>) -> Option<usize> {
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
                Content::Call { call, source: Source::Pieces, later_id: None }
            }
            Sort::Message => Content::Message { spoken: HashSet::new() },
            Sort::Reasoning => Content::Reasoning { text: TextBuffer::default(), encrypted: Best::default() },
            Sort::Server(_) => Content::Server { call: Best::default() },
        };
        let state = State::Open;
        let item = Item { sort, index, headed, done: false, state, broken: false, id: Best::default(), content };
        self.items.open(item, id)
    }

    /// Takes a piece of arguments or input.
    fn piece(&mut self, sort: Sort, address: Address<'_>, delta: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some(at) = self.item_of(sort, address, cx) else { return };
        if let Some(delta) = delta {
            self.append(at, delta, cx);
        }
    }

    /// Appends to the arguments of a call, unless a final form of them came.
    fn append(&mut self, at: usize, delta: Value<'_>, cx: &mut Context<'_>) {
        let Some(Content::Call { call, source: Source::Pieces, .. }) = self.content(Some(at)) else {
            return cx.note("OAI-R-041", || "a piece of arguments after the whole".to_owned());
        };
        let text = match delta.as_str() {
            // The whole once more; freeform text is never known to be whole.
            Some(text)
                if !call.custom
                    && call.arguments.progress() == crate::json::Progress::Complete
                    && call.arguments.is_copy(text) =>
            {
                return cx.note("OAI-R-059", || "arguments were sent again in full".to_owned());
            }
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
        let arguments = head.arguments(&sort);
        let Some(at) = self.item_of(sort, address, cx) else { return };
        if let Some(item) = self.items.get_mut(at)
            && let Some(call) = item.call_mut()
            && call.name.is_empty()
            && let Some(name) = head.name()
        {
            call.name = name.into_owned();
            cx.step(Step::Named { call: call.number, name: &call.name });
        }
        self.replace(at, arguments, Source::Text, cx);
    }

    /// Puts final arguments in the place of the pieces, unless better ones are there.
    pub(super) fn replace(&mut self, at: usize, arguments: Option<Value<'_>>, better: Source, cx: &mut Context<'_>) {
        let Some(Content::Call { call, source, .. }) = self.content(Some(at)) else { return };
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

    /// Takes what a part said, the first time in pieces or once as a whole.
    fn speak(&mut self, at: Option<usize>, part: i64, piece: bool, text: Str<'_>, refusal: bool, cx: &mut Context<'_>) {
        if let Some(Content::Message { spoken }) = self.content(at)
            && !spoken.insert(part)
            && !piece
        {
            return;
        }
        if refusal {
            self.refusal.push(text);
        } else {
            cx.step(Step::Text(self.text.push(text)));
        }
    }

    /// Takes the whole text of a part that no piece came of.
    fn final_part(
        &mut self,
        address: Address<'_>,
        body: Value<'_>,
        text: Option<Value<'_>>,
        refusal: bool,
        cx: &mut Context<'_>,
    ) {
        let Some(text) = text.and_then(Value::as_str).filter(|text| !text.is_empty()) else { return };
        let at = self.item_of(Sort::Message, address, cx);
        self.speak(at, part_index(body), false, text, refusal, cx);
    }

    fn added(&mut self, index: Option<i64>, item: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some((sort, head)) = item.and_then(sort_and_head) else { return };
        let id = head.id();
        let address = Address { index, id: id.as_deref() };
        if index.is_none() {
            cx.note("OAI-R-033", || "an item has no output_index".to_owned());
        }
        let at = match self.items.added(&sort, address, head) {
            Headed::Known => return cx.note("OAI-R-034", || "an item was added twice".to_owned()),
            Headed::Of(at) => at,
            Headed::New => self.open(sort.clone(), index, true, address.id, cx),
        };
        self.name(at, index, head, Source::Pieces, cx);
        match &sort {
            Sort::Function | Sort::Custom => {
                let arguments = head.arguments(&sort);
                if arguments.is_some_and(|a| a.as_str().is_none_or(|text| !text.is_empty())) {
                    cx.note("OAI-R-038", || "an added call has arguments already".to_owned());
                }
                if let Some(arguments) = arguments {
                    self.append(at, arguments, cx);
                }
            }
            _ => self.hold(at, head, Source::Pieces),
        }
    }

    /// Takes what a head says of its item: ids and name.
    pub(super) fn name(&mut self, at: usize, index: Option<i64>, head: Head<'_>, source: Source, cx: &mut Context<'_>) {
        if let Some(index) = index {
            self.items.place(at, index);
        }
        let Some(item) = self.items.get_mut(at) else { return };
        item.headed = true;
        item.id.offer(source, head.id().map(Cow::into_owned));
        let call_id = head.call_id();
        if let Content::Call { call, later_id, .. } = &mut item.content {
            match (&call.id, &call_id) {
                (None, Some(id)) => call.id = Some(id.clone().into_owned()),
                (Some(known), Some(id)) if known.as_str() != &**id => {
                    cx.note("OAI-R-036", || format!("the call `{known}` is later called `{id}`"));
                    *later_id = Some(id.clone().into_owned());
                }
                _ => {}
            }
            if call.name.is_empty()
                && let Some(name) = head.name()
            {
                call.name = name.into_owned();
                cx.step(Step::Named { call: call.number, name: &call.name });
            }
        }
        self.items.learn(at, head.id().as_deref(), call_id.as_deref());
    }

    /// Takes what a head holds besides arguments and text.
    pub(super) fn hold(&mut self, at: usize, head: Head<'_>, source: Source) {
        let Some(item) = self.items.get_mut(at) else { return };
        match &mut item.content {
            Content::Reasoning { encrypted, .. } => {
                encrypted.offer(source, head.value.text_of("encrypted_content").map(Cow::into_owned));
            }
            Content::Server { call } => {
                if let Sort::Server(kind) = &item.sort {
                    call.offer(source, Some(head.server_call(kind)));
                }
            }
            Content::Call { .. } | Content::Message { .. } => {}
        }
    }

    fn item_done(&mut self, index: Option<i64>, item: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some((sort, head)) = item.and_then(sort_and_head) else { return };
        let id = head.id();
        let address = Address { index, id: id.as_deref() };
        let at = match self.items.done(&sort, address, head) {
            Headed::Known => return cx.note("OAI-R-040", || "an item was finished twice".to_owned()),
            Headed::Of(at) => at,
            Headed::New => {
                cx.note("OAI-R-033", || "an item was finished that was not added".to_owned());
                self.open(sort.clone(), index, true, address.id, cx)
            }
        };
        self.name(at, index, head, Source::Done, cx);
        self.close(at, head, Source::Done, cx);
        if sort == Sort::Message {
            self.whole_message(at, head, cx);
        }
        self.items.finish(at);
    }

    /// Takes the final form of an item, of a message only that it is final.
    pub(super) fn close(&mut self, at: usize, head: Head<'_>, source: Source, cx: &mut Context<'_>) {
        let Some(item) = self.items.get_mut(at) else { return };
        if item.sort.is_call() {
            item.state = if head.is_cut() { State::Cut } else { State::Closed };
            let arguments = head.arguments(&item.sort);
            self.replace(at, arguments, source, cx);
            return;
        }
        if let Content::Reasoning { text, .. } = &mut item.content
            && text.is_empty()
        {
            for key in ["summary", "content"] {
                for part in head.value.get(key).into_iter().flat_map(Value::items) {
                    if let Some(more) = part.get("text").and_then(Value::as_str).filter(|more| !more.is_empty()) {
                        cx.step(Step::Thinking(text.push(more)));
                    }
                }
            }
        }
        self.hold(at, head, source);
    }

    /// Takes the text of a message of which nothing came.
    fn whole_message(&mut self, at: usize, head: Head<'_>, cx: &mut Context<'_>) {
        if !matches!(self.content(Some(at)), Some(Content::Message { spoken }) if spoken.is_empty()) {
            return;
        }
        for (part, content) in (0..).zip(head.value.get("content").into_iter().flat_map(Value::items)) {
            let [text, refusal] = content.pick(["text", "refusal"]).map(|text| text.and_then(Value::as_str));
            for (said, refused) in [(text, false), (refusal, true)] {
                if let Some(said) = said.filter(|said| !said.is_empty()) {
                    self.speak(Some(at), part, true, said, refused, cx);
                }
            }
        }
    }

    /// Takes the messages of a snapshot, if nothing was said before.
    pub(super) fn whole_text(&mut self, output: Value<'_>, cx: &mut Context<'_>) {
        if !self.text.is_empty() || !self.refusal.is_empty() {
            return;
        }
        for message in output.items().filter_map(sort_and_head).filter(|(sort, _)| *sort == Sort::Message) {
            let at = self.open(Sort::Message, None, true, None, cx);
            self.whole_message(at, message.1, cx);
        }
    }

    /// Takes an event about the response as a whole.
    fn lifecycle(&mut self, kind: &str, body: Value<'_>, cx: &mut Context<'_>) {
        let response = body.some("response");
        if let Some(response) = response {
            self.usage_of(response);
        }
        if kind == "response.created" {
            let id = response.and_then(|response| response.text_of("id")).map(Cow::into_owned);
            match (&self.created, id) {
                (None, Some(id)) => self.created = Some(id),
                (Some(first), Some(id)) if *first != id => {
                    let text = format!("a second answer (`{id}`) begins inside the first (`{first}`)");
                    let problem = Problem::new(ProblemKind::ProtocolViolation).reason("OAI-R-045").message(text);
                    self.problems.add(problem);
                    self.spliced = true;
                }
                _ => {}
            }
        }
        if let Some(terminal) = status::of_event(kind) {
            self.terminate(terminal, response, cx);
        }
    }

    /// Takes a body that is a response.
    fn whole(&mut self, response: Value<'_>, cx: &mut Context<'_>) {
        self.whole = true;
        self.usage_of(response);
        let status = response.text_of("status");
        match status.as_deref().map(status::of_status) {
            // A server that leaves the status out of a whole response has finished it.
            None => self.terminate(Terminal::Completed, Some(response), cx),
            Some(Some(terminal)) => self.terminate(terminal, Some(response), cx),
            // Queued or running: it has to be asked for again.
            Some(None) => {}
        }
    }

    fn usage_of(&mut self, response: Value<'_>) {
        let Some(usage) = response.some("usage").filter(|usage| usage.kind() == Kind::Object) else { return };
        let count = |key: &str| usage.get(key).and_then(Value::as_u64);
        let details = usage.some("input_tokens_details");
        let detail = |key: &str| details?.get(key)?.as_u64();
        self.usage.get_or_insert_default().update(Usage {
            input: count("input_tokens"),
            output: count("output_tokens"),
            cache_read: detail("cached_tokens"),
            cache_write: detail("cache_write_tokens"),
        });
    }
}

/// The sort and the head of an item, if it is one that counts.
pub(super) fn sort_and_head(item: Value<'_>) -> Option<(Sort, Head<'_>)> {
    let sort = Sort::of(&item.text_of("type")?)?;
    Some((sort, Head { value: item }))
}
