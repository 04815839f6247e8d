//! One entry of `tool_calls`, cleaned: what counts as absent is absent.

use std::borrow::Cow;

use super::super::calls::id_of;
use super::super::protocol::Context;
use super::family::Family;
use crate::json::{Kind, Str, Value};

/// What an entry adds to the arguments.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fragment<'a> {
    None,
    Text(Str<'a>),
    /// Arguments that came as a value, whole.
    Value(Value<'a>),
}

impl Fragment<'_> {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text) => text.is_empty(),
            Self::Value(_) => false,
        }
    }

    /// True if it can only be the beginning of arguments.
    pub(super) fn starts_object(&self) -> bool {
        match self {
            Self::None => false,
            Self::Text(text) => text.decode().trim_start().starts_with('{'),
            Self::Value(_) => true,
        }
    }
}

/// An entry of `tool_calls`, or a legacy `function_call`.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) index: Option<i64>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Option<Cow<'a, str>>,
    pub(super) fragment: Fragment<'a>,
    pub(super) custom: bool,
    pub(super) signature: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    /// Reads an entry of `tool_calls`; `None` if it is no object.
    pub(super) fn read(value: Value<'a>, family: &Family, cx: &mut Context<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            return None;
        }
        let [custom, function, id, index, extra] = value
            .pick(["custom", "function", "id", "index", "extra_content"])
            .map(|part| part.and_then(Value::non_null));
        // Snowflake fills in an empty `custom` beside every function.
        let custom = custom.filter(|_| function.is_none());
        let function = function.or(custom);
        let [inner_id, name, arguments, input] = match function {
            Some(function) => function.pick(["id", "name", "arguments", "input"]),
            None => [None; 4],
        };
        if let (Some(rule), Some(true)) = (family.null_id, id.and_then(Value::as_str).map(|id| id.is("null"))) {
            cx.note(rule, || "the id is the word `null`".to_owned());
        }
        if let (Some(rule), Some(true)) = (family.empty_name, name.and_then(Value::as_str).map(Str::is_empty)) {
            cx.note(rule, || "the name is empty".to_owned());
        }
        let mut id = id.and_then(id_of);
        if id.is_none() {
            id = inner_id.and_then(id_of);
            if id.is_some() {
                cx.note("LCP-002", || "the id stands inside `function`".to_owned());
            }
        }
        let (name, fragment) = match function {
            Some(function) if function.kind() == Kind::Object => {
                let text = if custom.is_some() { input } else { arguments };
                (name.and_then(Value::to_text), fragment(text, cx))
            }
            // Typed as possible by Fireworks; whatever it holds, it is no call with a name.
            Some(function) => (None, fragment(Some(function), cx)),
            None => (None, Fragment::None),
        };
        if custom.is_some() {
            cx.note("OAI-C-065", || "a custom tool call in a stream".to_owned());
        }
        let signature = extra
            .and_then(|extra| extra.some("google").or_else(|| extra.some("vertex")))
            .and_then(|vendor| vendor.text_of("thought_signature"));
        let name = name.filter(|name| !name.trim().is_empty());
        Some(Self { index: index.and_then(index_of), id, name, fragment, custom: custom.is_some(), signature })
    }

    /// Reads the legacy `function_call`, of which a choice has at most one.
    pub(super) fn read_legacy(value: Value<'a>, cx: &mut Context<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            return None;
        }
        let name = value.text_of("name").filter(|name| !name.trim().is_empty());
        let fragment = fragment(value.get("arguments"), cx);
        if name.is_none() && fragment.is_empty() {
            return None;
        }
        cx.note("OAI-C-062", || "the deprecated `function_call` is used".to_owned());
        Some(Self { index: Some(0), id: None, name, fragment, custom: false, signature: None })
    }
}

/// The index; Together types it as a float, so `0.0` counts.
fn index_of(index: Value<'_>) -> Option<i64> {
    index.as_i64().or_else(|| index.to_text()?.parse().ok())
}

fn fragment<'a>(arguments: Option<Value<'a>>, cx: &mut Context<'_>) -> Fragment<'a> {
    let Some(arguments) = arguments else { return Fragment::None };
    match (arguments.as_str(), arguments.kind()) {
        (Some(text), _) => Fragment::Text(text),
        (None, Kind::Null) => {
            cx.note("OAI-C-040", || "arguments are null".to_owned());
            Fragment::None
        }
        (None, kind) => {
            cx.note("OAI-C-040", || format!("arguments are {}, not a string", kind.article()));
            Fragment::Value(arguments)
        }
    }
}
