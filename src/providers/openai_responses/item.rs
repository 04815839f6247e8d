//! One output item while it is put together.

use std::collections::HashSet;

use super::super::calls::Call;
use crate::json::{JsonText, TextBuffer, Value};
use crate::model::ServerCall;

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

    /// The best so far.
    pub(super) fn known(&self) -> Option<&T> {
        self.0.as_ref().map(|(_, value)| value)
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
        /// Where the arguments come from that `call` holds.
        source: Source,
        /// The `call_id` of an `item.done` that differs from the one the item was opened with.
        later_id: Option<String>,
    },
    Message {
        /// The parts that have said something, by `content_index`.
        spoken: HashSet<i64>,
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
        self.value.text_of("id")
    }

    /// The id of the call that it is.
    pub(super) fn call_id(self) -> Option<std::borrow::Cow<'a, str>> {
        self.value.get("call_id").and_then(super::super::calls::id_of)
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
            id: self.value.text_of("call_id").or_else(|| self.id()).map(owned),
            name: self.value.text_of("name").map_or_else(|| kind.to_owned(), owned),
            kind: kind.to_owned(),
            arguments,
        }
    }
}

impl Item {
    /// The call in it, if it is one.
    pub(super) fn call(&self) -> Option<&Call> {
        match &self.content {
            Content::Call { call, .. } => Some(call),
            _ => None,
        }
    }

    pub(super) fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.content {
            Content::Call { call, .. } => Some(call),
            _ => None,
        }
    }
}
