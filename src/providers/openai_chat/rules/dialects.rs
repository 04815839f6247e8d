//! What single servers ask for besides, or instead.

use super::super::super::request_view::{ChoiceMode, RequestView, Role, ToolKind};
use super::super::super::rule::{Offences, shown};
use crate::json::{Doc, Kind, Value};

pub(super) fn mixed_strict(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut tools = view.tools.iter().filter(|tool| tool.kind == ToolKind::Function);
    let Some(first) = tools.next() else { return };
    let strict = first.strict == Some(true);
    if let Some(other) = tools.find(|tool| (tool.strict == Some(true)) != strict) {
        out.add(&other.node.at("strict"), "tools with and without `strict` in one request");
    }
}

pub(super) fn reasoning_content(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mode = view.body.some("thinking").and_then(|thinking| thinking.text("type"));
    // The name of the model that does not think.
    let silent = view.model.as_deref() == Some("deepseek-chat") && mode.is_none();
    if silent || mode.as_deref() == Some("disabled") {
        return;
    }
    for message in view.messages.iter().filter(|message| message.role == Role::Assistant) {
        if message.calls().next().is_some() && message.node.text("reasoning_content").is_none() {
            out.add(&message.node.at("reasoning_content"), "an assistant message with calls lacks `reasoning_content`");
        }
    }
}

pub(super) fn parameters_present(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Function && tool.schema.is_none()) {
        out.add(&tool.node.at("parameters"), "the tool has no `parameters`");
    }
}

pub(super) fn gemini_signature(view: &RequestView<'_>, out: &mut Offences<'_>) {
    // Only models since Gemini 3 insist.
    let insists = view.model.as_deref().is_some_and(super::super::super::gemini::signs_calls);
    for message in view.messages.iter().filter(|_| insists) {
        let Some((part, _)) = message.calls().next() else { continue };
        if part.node.some("extra_content").is_none() {
            out.add(&part.node.at("extra_content"), "the call lacks its thought signature");
        }
    }
}

/// Members that the endpoint answers with "Cannot find field".
const GEMINI_UNKNOWN: &[&str] = &[
    "store",
    "metadata",
    "prompt_cache_key",
    "thinking",
    "web_search_options",
    "frequency_penalty",
    "reasoning",
    "top_k",
];

pub(super) fn gemini_unknown(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for key in GEMINI_UNKNOWN {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("`{key}` is refused by Gemini's endpoint"));
        }
    }
}

pub(super) fn choice_is_word(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if let Some(choice) = view.body.some("tool_choice").filter(|choice| choice.value.kind() != Kind::String) {
        out.add(&choice.pointer, "`tool_choice` has to be a word here");
    }
}

pub(super) fn no_store(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.get("store").and_then(|store| store.value.as_bool()) == Some(true) {
        out.add("/store", "`store` is not supported here");
    }
}

pub(super) fn root_object(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in view.tools.iter().filter_map(|tool| tool.schema.as_ref()) {
        if schema.text("type").as_deref() != Some("object") {
            out.add(&schema.at("type"), "the schema's own `type` has to be \"object\"");
        }
    }
}

pub(super) fn system_with_tools(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in view.body.items_of("messages") {
        let system = message.text("role").as_deref() == Some("system");
        let empty = |content: Value<'_>| content.to_text().is_some_and(|text| text.is_empty());
        let content = message.some("content").is_some_and(|content| !empty(content.value));
        if system && message.some("tools").is_some() && content {
            out.add(&message.at("content"), "a system message with tools has content too");
        }
    }
}

pub(super) fn arguments_are_json(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, call) in view.calls().filter(|(_, call)| !call.freeform) {
        if let Some(arguments) = &call.arguments
            && Doc::parse(&*call.arguments_text()).is_err()
        {
            let name = call.name.as_deref().unwrap_or_default();
            out.add(&arguments.pointer, format!("the arguments of the call of {} are not JSON", shown(name)));
        }
    }
}

pub(super) fn no_choice(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if let Some(choice) = view.tool_choice.as_ref().filter(|choice| choice.mode != ChoiceMode::Auto) {
        out.add(&choice.node.pointer, "`tool_choice` has no effect here");
    }
}
