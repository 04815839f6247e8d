//! A chat-shaped request body as a neutral view: OpenAI Chat Completions, Mistral, and every server that
//! speaks one of them.

use std::borrow::Cow;

use super::super::node::Node;
use super::super::request_view::{
    CallView, ChoiceMode, ChoiceView, MarkerPlace, MessageView, Part, PartContent, RequestView, ResultView, Role,
    ToolKind, ToolView, marker_on, parts_of, text_part,
};
use crate::json::Value;
use crate::model::Api;

/// Keys of an assistant message that carry what the model thought.
const REASONING: &[&str] = &["reasoning_content", "reasoning", "reasoning_details"];

/// Reads a body. Keys are read in camelCase too, as Mistral's TypeScript client spells them.
pub(in super::super) fn read(api: Api, body: Node<'_>) -> RequestView<'_> {
    let mut view = RequestView::empty(api, body);
    for tool in view.body.items_of("tools") {
        view.markers.extend(marker_on(&tool, MarkerPlace::Tool));
        view.tools.push(tool_of(tool));
    }
    view.tools.extend(view.body.items_of("functions").into_iter().map(|node| ToolView::function(node, None)));
    let mut first = true;
    for node in view.body.items_of("messages") {
        let message = message(node);
        first &= message.role == Role::System;
        let on = if message.role == Role::System { MarkerPlace::System } else { MarkerPlace::Message };
        view.markers.extend(marker_on(&message.node, on));
        for part in &message.parts {
            let inner = part.as_result().into_iter().flat_map(|result| &result.parts).chain([part]);
            let own = inner.filter(|part| part.node.pointer != message.node.pointer);
            view.markers.extend(own.filter_map(|part| marker_on(&part.node, on)));
        }
        if first { view.system.extend(message.parts) } else { view.messages.push(message) }
    }
    // Stable: tools first, then the system prompt, then messages.
    view.markers.sort_by_key(|marker| marker.on);
    view.tool_choice = view.body.any(&["tool_choice", "toolChoice", "function_call"]).map(choice);
    view
}

fn tool_of(node: Node<'_>) -> ToolView<'_> {
    let type_name = node.text("type");
    let strict = node.value.get("strict").and_then(Value::as_bool);
    if let Some(custom) = node.some("custom") {
        return ToolView { kind: ToolKind::Freeform, ..ToolView::function(custom, type_name) };
    }
    if let Some(inner) = node.some("function") {
        return ToolView::function(inner, type_name);
    }
    // Without the wrapper: a function of another API, or something that only this server knows.
    let provider = !matches!(type_name.as_deref(), None | Some("function" | "custom"));
    let tool = ToolView::function(node, type_name);
    ToolView { kind: if provider { ToolKind::Provider } else { tool.kind }, strict, ..tool }
}

fn choice(node: Node<'_>) -> ChoiceView<'_> {
    if let Some(word) = node.to_text() {
        let mode = match &*word {
            "auto" => ChoiceMode::Auto,
            "none" => ChoiceMode::None,
            "required" | "any" => ChoiceMode::Required,
            _ => ChoiceMode::Other,
        };
        return ChoiceView { node, mode, names: Vec::new() };
    }
    if let Some(name) = name_of(&node) {
        return ChoiceView { node, mode: ChoiceMode::Tool, names: vec![name] };
    }
    let allowed = node.some("allowed_tools").unwrap_or_else(|| node.clone());
    let names = allowed.items_of("tools").iter().filter_map(name_of).collect();
    let mode = match allowed.text("mode").as_deref() {
        Some("required") => ChoiceMode::Required,
        Some("auto") => ChoiceMode::Auto,
        _ => ChoiceMode::Other,
    };
    ChoiceView { node, mode, names }
}

/// The name that an object gives, itself or inside Chat's wrapper, and the pointer to it.
pub(in super::super) fn name_of<'a>(node: &Node<'a>) -> Option<(Cow<'a, str>, String)> {
    let holder = node.any(&["function", "custom"]).unwrap_or_else(|| node.clone());
    Some((holder.text("name")?, holder.at("name")))
}

fn message(node: Node<'_>) -> MessageView<'_> {
    let role = match node.text("role").as_deref() {
        Some("system" | "developer") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool" | "function") => Role::Tool,
        _ => Role::Other,
    };
    let content = node.some("content");
    if role == Role::Tool {
        let result = ResultView {
            call_id: node.text("tool_call_id").or_else(|| node.text("toolCallId")),
            name: node.text("name"),
            is_error: None,
            parts: parts_of(content, part),
        };
        let part = Part { node: node.clone(), content: PartContent::Result(result) };
        return MessageView { node, role, parts: vec![part] };
    }
    let mut parts = Vec::new();
    for key in REASONING {
        if let Some(reasoning) = node.some(key) {
            let text = reasoning.to_text().unwrap_or_default();
            parts.push(Part { node: reasoning, content: PartContent::Thinking(text) });
        }
    }
    parts.extend(parts_of(content, part));
    let calls = node.any(&["tool_calls", "toolCalls"]);
    parts.extend(calls.iter().flat_map(Node::items).map(call));
    if let Some(function) = node.some("function_call") {
        let call = function_of(&function, None);
        parts.push(Part { node: function, content: PartContent::Call(call) });
    }
    MessageView { node, role, parts }
}

fn part(node: Node<'_>) -> Part<'_> {
    let type_name = node.text("type").unwrap_or_default();
    let content = match &*type_name {
        "text" | "refusal" | "output_text" | "input_text" => {
            PartContent::Text(node.text("text").or_else(|| node.text("refusal")).unwrap_or_default())
        }
        "image_url" | "imageUrl" | "input_audio" | "file" | "document_url" | "image" => PartContent::Media,
        "thinking" => {
            let pieces = node.items_of("thinking");
            let text: String = pieces.iter().filter_map(|piece| piece.text("text")).collect();
            PartContent::Thinking(Cow::Owned(text))
        }
        "" if node.to_text().is_some() => return text_part(node.clone()).unwrap_or(other(node)),
        _ => PartContent::Other(type_name),
    };
    Part { node, content }
}

fn other(node: Node<'_>) -> Part<'_> {
    Part { node, content: PartContent::Other(Cow::Borrowed("")) }
}

fn call(node: Node<'_>) -> Part<'_> {
    let id = node.text("id");
    let view = match node.some("custom") {
        Some(custom) => CallView {
            id,
            item_id: None,
            name: custom.text("name"),
            arguments: custom.get("input"),
            freeform: true,
            server: false,
        },
        None => function_of(&node.some("function").unwrap_or_else(|| node.clone()), id),
    };
    Part { node, content: PartContent::Call(view) }
}

fn function_of<'a>(function: &Node<'a>, id: Option<Cow<'a, str>>) -> CallView<'a> {
    CallView {
        id,
        item_id: None,
        name: function.text("name"),
        arguments: function.get("arguments"),
        freeform: false,
        server: false,
    }
}
