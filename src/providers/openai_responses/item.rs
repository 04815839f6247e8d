//! One output item while it is put together.

use std::collections::HashSet;

use super::super::calls::{self, Call};
use super::super::protocol::Context;
use super::text::Part;
use crate::json::{JsonText, TextBuffer, Value};
use crate::model::{ServerCall, Step};

/// What an item is, as far as its events go: pieces of a kind find only items of their sort.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Function,
    Custom,
    Message,
    Reasoning,
    /// A call that the provider runs, by its type.
    Server(String),
}

impl Sort {
    /// The sort of an item type; `None` for items that say nothing about calls, text or thinking.
    pub(super) fn of(kind: &str) -> Option<Self> {
        match kind {
            "function_call" => Some(Self::Function),
            "custom_tool_call" => Some(Self::Custom),
            "message" => Some(Self::Message),
            "reasoning" => Some(Self::Reasoning),
            kind if kind.ends_with("_call") => Some(Self::Server(kind.to_owned())),
            _ => None,
        }
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self, Self::Function | Self::Custom)
    }
}

/// Where an item's final members come from; a later one in this list outranks an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Source {
    #[default]
    Pieces,
    /// `response.function_call_arguments.done` and its like.
    Text,
    Snapshot,
    /// `response.output_item.done`.
    Done,
}

/// A member of which the best source counts, and of equal ones the first.
#[derive(Debug)]
pub(super) struct Best<T>(Option<(Source, T)>);

impl<T> Default for Best<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Best<T> {
    pub(super) fn offer(&mut self, source: Source, value: Option<T>) {
        if let Some(value) = value
            && self.0.as_ref().is_none_or(|(best, _)| *best < source)
        {
            self.0 = Some((source, value));
        }
    }

    pub(super) fn take(self) -> Option<T> {
        self.0.map(|(_, value)| value)
    }
}

/// What an item holds.
#[derive(Debug)]
pub(super) enum Content {
    Call {
        call: Call,
        /// Where its name comes from; `None` while only `arguments.done` gave one, or nothing did.
        named: Option<Source>,
        /// Where the arguments come from that `call` holds.
        source: Source,
        /// The `call_id` of an `item.done` that differs from the one the item was opened with.
        later_id: Option<String>,
    },
    Message {
        /// The parts that have said something, with their `content_index`.
        spoken: HashSet<(Part, i64)>,
    },
    Reasoning {
        text: TextBuffer,
        encrypted: Best<String>,
    },
    Server {
        call: Best<ServerCall>,
    },
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    /// `item.done` or the terminal snapshot had it.
    Closed,
    /// The provider says that it was cut.
    Cut,
}

#[derive(Debug)]
pub(super) struct Item {
    pub(super) sort: Sort,
    pub(super) index: Option<i64>,
    /// An `added`, an `item.done` or a snapshot said what it is.
    pub(super) headed: bool,
    /// `item.done` came.
    pub(super) done: bool,
    pub(super) state: State,
    /// It was open when the stream failed.
    pub(super) broken: bool,
    pub(super) id: Best<String>,
    /// All ids that it was known by.
    pub(super) ids: Vec<String>,
    pub(super) content: Content,
}

/// The members of an item on the wire that tell it apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) value: Value<'a>,
}

impl<'a> Head<'a> {
    /// The id of the item.
    pub(super) fn id(self) -> Option<std::borrow::Cow<'a, str>> {
        self.value.get("id").and_then(calls::id_of)
    }

    /// The id of the call that it is.
    pub(super) fn call_id(self) -> Option<std::borrow::Cow<'a, str>> {
        self.value.get("call_id").and_then(calls::id_of)
    }

    pub(super) fn name(self) -> Option<std::borrow::Cow<'a, str>> {
        self.value.text_of("name").filter(|name| !name.trim().is_empty())
    }

    /// True if it says of itself that it was cut.
    pub(super) fn is_cut(self) -> bool {
        self.value.get("status").and_then(Value::as_str).is_some_and(|status| status.is("incomplete"))
    }

    /// The arguments or input of a call, unless null.
    pub(super) fn arguments(self, sort: &Sort) -> Option<Value<'a>> {
        self.value.some(if *sort == Sort::Custom { "input" } else { "arguments" })
    }

    /// A call that the provider ran.
    pub(super) fn server_call(self, kind: &str) -> ServerCall {
        let owned = std::borrow::Cow::into_owned;
        let arguments = match self.value.some("arguments") {
            Some(arguments) => match arguments.to_text() {
                Some(text) => JsonText::new(text.into_owned()).ok(),
                None => Some(JsonText::of(arguments)),
            },
            None => self.value.some("action").filter(|a| a.kind() == crate::json::Kind::Object).map(JsonText::of),
        };
        ServerCall {
            id: self.call_id().or_else(|| self.id()).map(owned),
            name: self.name().map_or_else(|| kind.to_owned(), owned),
            kind: kind.to_owned(),
            arguments,
        }
    }
}

impl Item {
    pub(super) fn new(sort: Sort, index: Option<i64>, headed: bool, content: Content) -> Self {
        let (id, ids) = (Best::default(), Vec::new());
        Self { sort, index, headed, done: false, state: State::Open, broken: false, id, ids, content }
    }

    /// Takes the name that a head gives, or `arguments.done` without one, unless a better source gave another.
    pub(super) fn take_name(&mut self, head: Head<'_>, source: Option<Source>, cx: &mut Context<'_>) {
        let Content::Call { call, named, .. } = &mut self.content else { return };
        let Some(name) = head.name().filter(|_| call.name.is_empty() || *named < source) else { return };
        *named = source;
        if *name != *call.name {
            call.name = name.into_owned();
            cx.step(Step::Named { call: call.number, name: &call.name });
        }
    }

    /// True if it is a call that was given this id.
    pub(super) fn has_call_id(&self, id: &str) -> bool {
        match &self.content {
            Content::Call { call, later_id, .. } => call.id.as_deref() == Some(id) || later_id.as_deref() == Some(id),
            _ => false,
        }
    }

    /// True for a call that a head gives another name than it has.
    pub(super) fn is_named_otherwise(&self, head: Head<'_>) -> bool {
        let known = self.call().map(|call| &*call.name).filter(|name| !name.is_empty());
        known.zip(head.name()).is_some_and(|(known, name)| *known != *name)
    }

    /// The call in it, if it is one.
    pub(super) fn call(&self) -> Option<&Call> {
        match &self.content {
            Content::Call { call, .. } => Some(call),
            _ => None,
        }
    }
}
