//! Typed views of a choice and of its delta or message, each read in one walk over its object.

use super::family::Family;
use crate::json::{Str, Value};

/// An entry of `choices`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChoiceView<'a> {
    /// Which choice of the answer it belongs to.
    pub(super) index: Option<i64>,
    /// Token counts, which Moonshot puts here.
    pub(super) usage: Option<Value<'a>>,
    pub(super) body: ChoiceBody<'a>,
    pub(super) finish_reason: Option<Value<'a>>,
}

/// What a choice says.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChoiceBody<'a> {
    /// The next piece of a stream.
    Delta(Value<'a>),
    /// All of an answer.
    Message(Value<'a>),
    /// Nothing: Azure's filter results come so.
    Neither,
}

impl<'a> ChoiceView<'a> {
    pub(super) fn read(choice: Value<'a>, family: &Family) -> Self {
        let [index, usage, delta, message, snake_case, camel_case] = choice
            .pick(["index", "usage", "delta", "message", "finish_reason", "finishReason"])
            .map(|v| v.and_then(Value::non_null));
        let finish_reason = snake_case.or(camel_case.filter(|_| family.camel_case));
        let body = match (delta, message) {
            (Some(delta), _) => ChoiceBody::Delta(delta),
            (None, Some(message)) => ChoiceBody::Message(message),
            (None, None) => ChoiceBody::Neither,
        };
        Self { index: index.and_then(Value::as_i64), usage, body, finish_reason }
    }

    /// True for all of an answer in one piece.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.body, ChoiceBody::Message(_))
    }
}

/// A delta, or a message, which has the same members.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delta<'a> {
    pub(super) content: Option<Value<'a>>,
    pub(super) refusal: Option<Str<'a>>,
    pub(super) tool_calls: Option<Value<'a>>,
    /// The deprecated single call.
    pub(super) function_call: Option<Value<'a>>,
    /// Plain reasoning text: the first that is not empty, since some servers send the same under two names.
    pub(super) reasoning: Option<Str<'a>>,
    pub(super) reasoning_details: Option<Value<'a>>,
}

impl<'a> Delta<'a> {
    pub(super) fn read(value: Value<'a>, family: &Family) -> Self {
        let [
            content,
            refusal,
            tool_calls,
            camel_case,
            function_call,
            reasoning_content,
            reasoning,
            reasoning_text,
            details,
        ] = value
            .pick([
                "content",
                "refusal",
                "tool_calls",
                "toolCalls",
                "function_call",
                "reasoning_content",
                "reasoning",
                "reasoning_text",
                "reasoning_details",
            ])
            .map(|member| member.and_then(Value::non_null));
        let plain = [reasoning_content, reasoning, reasoning_text];
        Self {
            content,
            refusal: refusal.and_then(Value::as_str),
            tool_calls: tool_calls.or(camel_case.filter(|_| family.camel_case)),
            function_call,
            reasoning: plain.into_iter().filter_map(|text| text?.as_str()).find(|text| !text.is_empty()),
            reasoning_details: details,
        }
    }
}
