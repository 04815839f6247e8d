//! Messages, calls and results.

use std::collections::{HashMap, HashSet};

use super::super::super::charset::is_longer;
use super::super::super::chat::exchanges;
use super::super::super::request_view::{RequestView, Role};
use super::super::super::rule::{Offences, shown};
use crate::json::{Doc, Kind};

/// The longest id of a call. Source: camel-ai/camel#2215, langgenius/dify#28987, vercel/ai#8132.
const LONGEST_ID: usize = 40;

/// Most calls in a message. Source: pydantic/pydantic-ai#1105.
const MOST_CALLS: usize = 128;

pub(super) fn answered(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for exchange in exchanges(view).0 {
        let mut answers: HashMap<&str, usize> = HashMap::new();
        for (_, result) in &exchange.results {
            if let Some(id) = result.call_id.as_deref() {
                *answers.entry(id).or_default() += 1;
            }
        }
        for (part, call) in exchange.asked.calls() {
            let Some(id) = call.id.as_deref() else { continue };
            match answers.get(id).copied().unwrap_or(0) {
                0 => out.add(&part.node.pointer, format!("the call {} has no tool message behind it", shown(id))),
                1 => {}
                n => out.add(&part.node.pointer, format!("the call {} has {n} tool messages", shown(id))),
            }
        }
    }
}

pub(super) fn answers_a_call(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let (exchanges, orphans) = exchanges(view);
    for part in orphans {
        out.add(&part.node.pointer, "the tool message does not stand behind an assistant message with calls");
    }
    for exchange in exchanges {
        let asked: HashSet<&str> = exchange.asked.calls().filter_map(|(_, call)| call.id.as_deref()).collect();
        for (part, result) in &exchange.results {
            match result.call_id.as_deref() {
                Some(id) if asked.contains(id) => {}
                Some(id) => {
                    let message = format!("the tool message names {}, which was not called right before it", shown(id));
                    out.add(&part.node.at("tool_call_id"), message);
                }
                None => out.add(&part.node.at("tool_call_id"), "the tool message names no call"),
            }
        }
    }
}

pub(super) fn id_length(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |id: Option<&str>, pointer: String| {
        if let Some(id) = id.filter(|id| id.is_empty() || is_longer(id, LONGEST_ID)) {
            out.add(&pointer, format!("the id {} does not have 1 to {LONGEST_ID} characters", shown(id)));
        }
    };
    for (part, call) in view.calls() {
        look(call.id.as_deref(), part.node.at("id"));
    }
    for (part, result) in view.results() {
        look(result.call_id.as_deref(), part.node.at("tool_call_id"));
    }
}

pub(super) fn ids_unique(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut earlier: HashSet<&str> = HashSet::new();
    for message in &view.messages {
        let mut own: HashSet<&str> = HashSet::new();
        for (part, call) in message.calls() {
            let Some(id) = call.id.as_deref() else { continue };
            if !own.insert(id) {
                out.add(&part.node.at("id"), format!("the id {} stands twice in the message", shown(id)));
            } else if earlier.contains(id) {
                out.warn(&part.node.at("id"), format!("the id {} was used in an earlier message", shown(id)));
            }
        }
        earlier.extend(own);
    }
}

pub(super) fn arguments(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, call) in view.calls().filter(|(_, call)| !call.freeform) {
        let at = || call.arguments.as_ref().map_or_else(|| part.node.at("function/arguments"), |a| a.pointer.clone());
        match call.arguments.as_ref().map(|arguments| arguments.value) {
            None => out.add_at(at, "the call has no `arguments`"),
            Some(value) if value.kind() != Kind::String => {
                out.add_at(at, format!("`arguments` is {}, not a string", value.kind().article()));
            }
            Some(_) => {
                let text = call.arguments_text();
                if Doc::parse(&*text).map_or(true, |doc| doc.root().kind() != Kind::Object) {
                    out.warn_at(at, "`arguments` does not hold a JSON object");
                }
            }
        }
    }
}

pub(super) fn number_of_calls(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in &view.messages {
        let Some(calls) = message.node.some("tool_calls") else { continue };
        match calls.value.items().count() {
            _ if calls.value.kind() != Kind::Array => {
                out.add(&calls.pointer, format!("`tool_calls` is {}, not an array", calls.value.kind().article()));
            }
            0 => out.add(&calls.pointer, "`tool_calls` is empty"),
            n if n > MOST_CALLS => out.add(&calls.pointer, format!("{n} calls; {MOST_CALLS} are allowed")),
            _ => {}
        }
    }
}

pub(super) fn content(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in view.messages.iter().filter(|message| message.role == Role::Assistant) {
        let other = ["content", "tool_calls", "function_call", "refusal", "audio"];
        if !other.iter().any(|key| message.node.some(key).is_some()) {
            out.add(&message.node.at("content"), "an assistant message without content and without calls");
        }
    }
}

pub(super) fn tool_content(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in view.messages.iter().filter(|message| message.role == Role::Tool) {
        let Some(content) = message.node.get("content") else {
            out.add(&message.node.at("content"), "a tool message without content");
            continue;
        };
        match content.value.kind() {
            Kind::String => {}
            Kind::Array => {
                for part in content.items().filter(|part| part.text("type").as_deref() != Some("text")) {
                    out.add(&part.pointer, "a tool message may hold parts of text only");
                }
            }
            kind => out.add(&content.pointer, format!("the content of a tool message is {}", kind.article())),
        }
    }
}

pub(super) fn stream_options(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let streams = view.body.get("stream").and_then(|stream| stream.value.as_bool()) == Some(true);
    if let Some(options) = view.body.some("stream_options").filter(|_| !streams) {
        out.add(&options.pointer, "`stream_options` without `stream` set to true");
    }
}
