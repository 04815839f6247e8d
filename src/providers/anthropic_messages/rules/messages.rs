//! Messages and their blocks, each by itself.
//!
//! Source: Anthropic documentation, "Messages" and "Handle tool calls"; types of the official SDKs.

use std::collections::HashMap;

use super::super::super::charset::{is_blank, is_word};
use super::super::super::request_view::{Part, PartContent, RequestView, Role};
use super::super::super::rule::{Offences, shown};
use crate::json::Kind;

/// Block types that a result may hold.
const RESULT_BLOCKS: &[&str] = &["text", "image", "document", "search_result", "tool_reference", "browser_state"];

pub(super) fn roles(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.messages.first().is_some_and(|first| first.role == Role::Assistant) {
        out.add("/messages/0/role", "the first message has to be the user's");
    }
    for message in view.messages.iter().filter(|message| message.role == Role::Other) {
        let role = message.node.text("role").unwrap_or_default();
        out.add(&message.node.at("role"), format!("{} is no role; there are user and assistant", shown(&role)));
    }
}

pub(super) fn blank_text(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let is_block = |part: &&Part<'_>| part.node.value.kind() != Kind::String;
    // The system prompt and a result may be an empty string; a block of text may be empty nowhere.
    let own = view.system.iter().filter(is_block).chain(view.parts().map(|(_, part)| part));
    let inner = view.results().flat_map(|(_, result)| &result.parts).filter(is_block);
    for part in own.chain(inner).filter(|part| part.as_text().is_some_and(is_blank)) {
        out.add(&part.node.pointer, "a text without anything but white space");
    }
}

pub(super) fn calls(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, call) in view.calls() {
        match call.id.as_deref() {
            Some(id) if !id.is_empty() && id.chars().all(is_word) => {}
            Some(id) => out.add(&part.node.at("id"), format!("the id {} is refused", shown(id))),
            None => out.add(&part.node.at("id"), "the call has no id"),
        }
        if call.name.as_deref().is_none_or(str::is_empty) {
            out.add(&part.node.at("name"), "the call has no name");
        }
        let kind = call.arguments.as_ref().map(|input| input.value.kind());
        if kind != Some(Kind::Object) {
            let found = kind.map_or("missing", Kind::article);
            out.add(&part.node.at("input"), format!("`input` has to be an object; it is {found}"));
        }
    }
}

pub(super) fn ids_unique(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut first: HashMap<&str, &str> = HashMap::new();
    for (part, call) in view.calls() {
        let Some(id) = call.id.as_deref() else { continue };
        if let Some(other) = first.get(id) {
            out.add(&part.node.at("id"), format!("the id {} is that of the call at {other} too", shown(id)));
        } else {
            first.insert(id, &part.node.pointer);
        }
    }
}

pub(super) fn failed_results(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, result) in view.results().filter(|(_, result)| result.is_error == Some(true)) {
        if result.parts.iter().all(|part| part.as_text().is_some_and(str::is_empty)) {
            out.add(&part.node.at("content"), "a result with `is_error` says nothing");
        }
        if let Some(other) = result.parts.iter().find(|part| part.as_text().is_none()) {
            out.add(&other.node.pointer, "a result with `is_error` holds something that is no text");
        }
    }
}

pub(super) fn result_blocks(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, result) in view.results() {
        if let Some(content) = part.node.some("content")
            && !matches!(content.value.kind(), Kind::String | Kind::Array)
        {
            out.add(&content.pointer, "the content of a result has to be a string or an array");
        }
        for block in result.parts.iter().filter(|block| block.node.value.kind() != Kind::String) {
            let kind = block.type_name();
            if !RESULT_BLOCKS.contains(&&*kind) {
                out.add(&block.node.at("type"), format!("a block of type {} inside a result", shown(&kind)));
            }
        }
    }
}

pub(super) fn signatures(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, part) in view.parts() {
        if !matches!(part.content, PartContent::Thinking(_)) {
            continue;
        }
        let key = if part.type_name() == "redacted_thinking" { "data" } else { "signature" };
        match part.node.text(key) {
            None => out.add(&part.node.at(key), format!("a thinking block without its `{key}`")),
            Some(text) if text.is_empty() => {
                out.add(&part.node.at(key), format!("a thinking block with an empty `{key}`"));
            }
            Some(_) => {}
        }
    }
}

pub(super) fn tools_absent(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.some("tools").is_none()
        && let Some((part, _)) = view.calls().next()
    {
        out.add(&part.node.pointer, "the conversation holds calls, and the request has no `tools`");
    }
}

pub(super) fn system_inside(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut before: Option<&super::super::super::request_view::MessageView<'_>> = None;
    for message in &view.messages {
        if message.role == Role::System {
            match before {
                None => out.add(&message.node.pointer, "a system message comes first; it belongs into `system`"),
                Some(other) if other.calls().next().is_some() => {
                    out.add(&message.node.pointer, "a system message stands between a call and its result");
                }
                Some(other) if other.role == Role::Assistant && !ends_in_server_result(other) => {
                    out.add(&message.node.pointer, "a system message follows an assistant turn");
                }
                Some(_) => {}
            }
        } else {
            before = Some(message);
        }
    }
}

fn ends_in_server_result(message: &super::super::super::request_view::MessageView<'_>) -> bool {
    message.parts.last().is_some_and(|part| part.type_name().ends_with("_tool_result"))
}

pub(super) fn prefill(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(last) = view.messages.last().filter(|last| last.role == Role::Assistant) else { return };
    // What the server paused in goes on.
    let paused = last.parts.last().is_some_and(|part| part.as_call().is_some_and(|call| call.server));
    if !paused && !ends_in_server_result(last) && view.model.as_deref().is_some_and(refuses_prefill) {
        out.add(&last.node.pointer, "the last message is the assistant's, which models since 4.6 refuse");
    }
}

/// True for models of version 4.6 and later, by their names: `claude-opus-4-6`, `claude-sonnet-5`.
fn refuses_prefill(model: &str) -> bool {
    let Some((_, name)) = model.split_once("claude-") else { return false };
    // A number of six or more digits is a date.
    let number = |word: &str| word.parse::<u32>().ok().filter(|n| *n < 1000);
    let mut words = name.split(['-', '.', '@']);
    if words.next().is_none_or(|family| number(family).is_some()) {
        return false;
    }
    let Some(major) = words.next().and_then(number) else { return false };
    (major, words.next().and_then(number).unwrap_or(0)) >= (4, 6)
}

#[cfg(test)]
mod tests {
    use super::refuses_prefill;

    #[test]
    fn versions_are_read_from_model_names() {
        for (model, expected) in [
            ("claude-opus-4-6", true),
            ("claude-sonnet-5", true),
            ("anthropic.claude-opus-4-7-20260101-v1:0", true),
            ("claude-sonnet-4-5-20250929", false),
            ("claude-opus-4-20250514", false),
            ("claude-3-7-sonnet-latest", false),
            ("gpt-5", false),
        ] {
            assert_eq!(refuses_prefill(model), expected, "{model}");
        }
    }
}
