//! A request body of Anthropic Messages as a neutral view.

use std::borrow::Cow;

use super::super::node::Node;
use super::super::request_view::{
    CallView, ChoiceMode, ChoiceView, MarkerPlace, MessageView, Part, PartContent, RequestView, ResultView, Role,
    ToolKind, ToolView, marker_on, parts_of, text_part,
};
use crate::json::Value;
use crate::model::Api;

/// Types of blocks that hold a call which the provider runs itself.
pub(super) const SERVER_CALLS: &[&str] = &["server_tool_use", "mcp_tool_use"];

/// Reads a body.
pub(in super::super) fn read(body: Node<'_>) -> RequestView<'_> {
    let mut view = RequestView::empty(Api::AnthropicMessages, body);
    for tool in view.body.items_of("tools") {
        view.markers.extend(marker_on(&tool, MarkerPlace::Tool));
        view.tools.push(tool_of(tool));
    }
    for part in parts_of(view.body.some("system"), block) {
        view.markers.extend(marker_on(&part.node, MarkerPlace::System));
        view.system.push(part);
    }
    for node in view.body.items_of("messages") {
        let parts = parts_of(node.some("content"), block);
        for part in &parts {
            view.markers.extend(marker_on(&part.node, MarkerPlace::Message));
            let inner = part.as_result().into_iter().flat_map(|result| &result.parts);
            view.markers.extend(inner.filter_map(|part| marker_on(&part.node, MarkerPlace::Message)));
        }
        let role = match node.text("role").as_deref() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            _ => Role::Other,
        };
        view.messages.push(MessageView { node, role, parts });
    }
    view.markers.extend(marker_on(&view.body, MarkerPlace::Request));
    view.tool_choice = view.body.some("tool_choice").map(choice);
    view
}

fn tool_of(node: Node<'_>) -> ToolView<'_> {
    let type_name = node.text("type");
    let custom = type_name.as_deref().is_none_or(|name| name == "custom");
    ToolView {
        kind: if custom { ToolKind::Function } else { ToolKind::Provider },
        name: node.text("name").or_else(|| node.text("mcp_server_name").filter(|_| !custom)),
        description: node.text("description"),
        schema: node.some("input_schema"),
        strict: node.value.get("strict").and_then(Value::as_bool),
        type_name,
        node,
    }
}

fn choice(node: Node<'_>) -> ChoiceView<'_> {
    let mode = match node.text("type").as_deref() {
        Some("auto") => ChoiceMode::Auto,
        Some("none") => ChoiceMode::None,
        Some("any") => ChoiceMode::Required,
        Some("tool") => ChoiceMode::Tool,
        _ => ChoiceMode::Other,
    };
    let names = node.text("name").map(|name| (name, node.at("name"))).into_iter().collect();
    ChoiceView { node, mode, names }
}

fn block(node: Node<'_>) -> Part<'_> {
    let type_name = node.text("type").unwrap_or_default();
    let content = match &*type_name {
        "text" => PartContent::Text(node.text("text").unwrap_or_default()),
        "image" | "document" => PartContent::Media,
        "thinking" => PartContent::Thinking(node.text("thinking").unwrap_or_default()),
        "redacted_thinking" => PartContent::Thinking(Cow::Borrowed("")),
        "tool_result" => PartContent::Result(ResultView {
            call_id: node.text("tool_use_id"),
            name: None,
            is_error: node.value.get("is_error").and_then(Value::as_bool),
            parts: parts_of(node.some("content"), inner_block),
        }),
        name if name == "tool_use" || SERVER_CALLS.contains(&name) => PartContent::Call(CallView {
            id: node.text("id"),
            item_id: None,
            name: node.text("name"),
            arguments: node.get("input"),
            freeform: false,
            server: name != "tool_use",
        }),
        // A list may hold bare strings in place of blocks at lenient servers.
        "" if node.to_text().is_some() => return text_part(node.clone()).unwrap_or(other(node, type_name)),
        _ => PartContent::Other(type_name),
    };
    Part { node, content }
}

/// A block inside a result, where there are no further results.
fn inner_block(node: Node<'_>) -> Part<'_> {
    let type_name = node.text("type").unwrap_or_default();
    let content = match &*type_name {
        "text" => PartContent::Text(node.text("text").unwrap_or_default()),
        "image" | "document" => PartContent::Media,
        _ => PartContent::Other(type_name),
    };
    Part { node, content }
}

fn other<'a>(node: Node<'a>, type_name: Cow<'a, str>) -> Part<'a> {
    Part { node, content: PartContent::Other(type_name) }
}
