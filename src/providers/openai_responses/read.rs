//! A request body of the Responses API as a neutral view. Every input item is a message of its own.

use std::borrow::Cow;

use super::super::chat::name_of;
use super::super::node::Node;
use super::super::request_view::{
    CallView, ChoiceMode, ChoiceView, MessageView, Part, PartContent, RequestView, ResultView, Role, ToolKind,
    ToolView, parts_of, text_part,
};
use crate::json::Kind;
use crate::model::Api;

/// Item types that are calls, with the key of what the tool is called with.
pub(super) const CALLS: &[(&str, &str)] = &[("function_call", "arguments"), ("custom_tool_call", "input")];

/// Item types that are results.
pub(super) const RESULTS: &[&str] = &["function_call_output", "custom_tool_call_output"];

/// Reads a body.
pub(in super::super) fn read(body: Node<'_>) -> RequestView<'_> {
    let mut view = RequestView::empty(Api::OpenaiResponses, body);
    view.system = parts_of(view.body.some("instructions"), content);
    for tool in view.body.items_of("tools") {
        tools_of(tool, &mut view.tools);
    }
    view.tool_choice = view.body.some("tool_choice").map(choice);
    view.continues = view.body.any(&["previous_response_id", "conversation"]).is_some();
    match view.body.some("input") {
        Some(input) if input.value.kind() == Kind::Array => view.messages = input.items().map(item).collect(),
        Some(input) => {
            let parts = text_part(input.clone()).into_iter().collect();
            view.messages.push(MessageView { node: input, role: Role::User, parts });
        }
        None => {}
    }
    view
}

/// The tool, or the tools of the namespace.
fn tools_of<'a>(node: Node<'a>, out: &mut Vec<ToolView<'a>>) {
    if node.text("type").as_deref() == Some("namespace") {
        out.extend(node.items_of("tools").into_iter().map(tool));
    } else {
        out.push(tool(node));
    }
}

fn tool(node: Node<'_>) -> ToolView<'_> {
    let type_name = node.text("type");
    // Chat's wrapper, where somebody took one API for the other.
    let node = node.some("function").or_else(|| node.some("custom")).unwrap_or(node);
    ToolView {
        kind: match type_name.as_deref() {
            None | Some("function") => ToolKind::Function,
            Some("custom") => ToolKind::Freeform,
            Some(_) => ToolKind::Provider,
        },
        ..ToolView::function(node, type_name)
    }
}

fn choice(node: Node<'_>) -> ChoiceView<'_> {
    if let Some(word) = node.to_text() {
        let mode = match &*word {
            "auto" => ChoiceMode::Auto,
            "none" => ChoiceMode::None,
            "required" => ChoiceMode::Required,
            _ => ChoiceMode::Other,
        };
        return ChoiceView { node, mode, names: Vec::new() };
    }
    if let Some(name) = name_of(&node) {
        return ChoiceView { mode: ChoiceMode::Tool, names: vec![name], node };
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

fn item(node: Node<'_>) -> MessageView<'_> {
    let type_name = node.text("type").unwrap_or_default();
    if let Some((_, key)) = CALLS.iter().find(|(name, _)| *name == type_name) {
        let call = CallView {
            id: node.text("call_id"),
            item_id: node.text("id"),
            name: node.text("name"),
            arguments: node.get(key),
            freeform: *key == "input",
            server: false,
        };
        return single(node, Role::Assistant, PartContent::Call(call));
    }
    if RESULTS.contains(&&*type_name) {
        let result = ResultView {
            call_id: node.text("call_id"),
            name: node.text("name"),
            is_error: None,
            parts: parts_of(node.some("output"), content),
        };
        return single(node, Role::Tool, PartContent::Result(result));
    }
    match &*type_name {
        "reasoning" => {
            let pieces = node.items_of("summary").into_iter().chain(node.items_of("content"));
            let text: String = pieces.filter_map(|piece| piece.text("text")).collect();
            single(node, Role::Assistant, PartContent::Thinking(Cow::Owned(text)))
        }
        "message" | "" => {
            let role = match node.text("role").as_deref() {
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                Some("system" | "developer") => Role::System,
                _ => Role::Other,
            };
            let parts = parts_of(node.some("content"), content);
            MessageView { node, role, parts }
        }
        _ => single(node, Role::Other, PartContent::Other(type_name)),
    }
}

fn single<'a>(node: Node<'a>, role: Role, content: PartContent<'a>) -> MessageView<'a> {
    MessageView { parts: vec![Part { node: node.clone(), content }], node, role }
}

fn content(node: Node<'_>) -> Part<'_> {
    let type_name = node.text("type").unwrap_or_default();
    let content = match &*type_name {
        "input_text" | "output_text" | "text" | "refusal" | "summary_text" => {
            PartContent::Text(node.text("text").or_else(|| node.text("refusal")).unwrap_or_default())
        }
        "input_image" | "input_file" | "input_audio" => PartContent::Media,
        _ => PartContent::Other(type_name),
    };
    Part { node, content }
}
