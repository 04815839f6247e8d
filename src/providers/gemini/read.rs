//! A request body of Gemini's `generateContent` as a neutral view, in either casing of its keys, with or without
//! the envelope of Code Assist.

use std::borrow::Cow;

use super::super::node::Node;
use super::super::request_view::{
    CallView, ChoiceMode, ChoiceView, MessageView, Part, PartContent, RequestView, ResultView, Role, ToolKind,
    ToolView, text_part,
};
use crate::model::Api;

/// The two spellings of the keys that are read. proto3 JSON takes both.
pub(super) const SYSTEM: &[&str] = &["systemInstruction", "system_instruction"];
pub(super) const DECLARATIONS: &[&str] = &["functionDeclarations", "function_declarations"];
pub(super) const TOOL_CONFIG: &[&str] = &["toolConfig", "tool_config"];
pub(super) const CALLING_CONFIG: &[&str] = &["functionCallingConfig", "function_calling_config"];
pub(super) const ALLOWED: &[&str] = &["allowedFunctionNames", "allowed_function_names"];
pub(super) const CALL: &[&str] = &["functionCall", "function_call"];
pub(super) const RESPONSE: &[&str] = &["functionResponse", "function_response"];
pub(super) const JSON_SCHEMA: &[&str] = &["parametersJsonSchema", "parameters_json_schema"];
pub(super) const SIGNATURE: &[&str] = &["thoughtSignature", "thought_signature"];
pub(super) const INLINE: &[&str] = &["inlineData", "inline_data"];
const FILE: &[&str] = &["fileData", "file_data"];

/// Keys under which a result holds what the tool gave, and whether that is an error.
const OUTCOMES: &[(&str, bool)] = &[("output", false), ("error", true), ("result", false), ("content", false)];

/// Reads a body.
pub(in super::super) fn read(body: Node<'_>) -> RequestView<'_> {
    let model = body.text("model");
    let mut view = RequestView::empty(Api::Gemini, body.some("request").unwrap_or(body));
    view.model = model;
    if let Some(system) = view.body.any(SYSTEM) {
        view.system = text_part(system.clone()).map_or_else(|| parts(&system), |part| vec![part]);
    }
    for entry in view.body.items_of("tools") {
        tools_of(&entry, &mut view.tools);
    }
    view.tool_choice = view.body.any(TOOL_CONFIG).and_then(|config| config.any(CALLING_CONFIG)).map(choice);
    for node in view.body.items_of("contents") {
        let role = match node.text("role").as_deref() {
            None | Some("user") => Role::User,
            Some("model") => Role::Assistant,
            Some("function" | "tool") => Role::Tool,
            Some(_) => Role::Other,
        };
        let parts = parts(&node);
        view.messages.push(MessageView { node, role, parts });
    }
    view
}

fn tools_of<'a>(entry: &Node<'a>, out: &mut Vec<ToolView<'a>>) {
    for node in entry.any(DECLARATIONS).iter().flat_map(Node::items) {
        out.push(ToolView {
            kind: ToolKind::Function,
            type_name: None,
            name: node.text("name"),
            description: node.text("description"),
            schema: node.any(JSON_SCHEMA).or_else(|| node.some("parameters")),
            strict: None,
            node,
        });
    }
    for (key, _) in entry.value.members() {
        let key = key.decode();
        if !DECLARATIONS.contains(&&*key) {
            out.push(ToolView {
                node: entry.clone(),
                kind: ToolKind::Provider,
                name: None,
                type_name: Some(key),
                description: None,
                schema: None,
                strict: None,
            });
        }
    }
}

fn choice(node: Node<'_>) -> ChoiceView<'_> {
    let allowed = node.any(ALLOWED);
    let names: Vec<_> =
        allowed.iter().flat_map(Node::items).filter_map(|name| Some((name.to_text()?, name.pointer))).collect();
    let mode = match node.text("mode").as_deref() {
        None | Some("AUTO" | "MODE_UNSPECIFIED" | "VALIDATED") => ChoiceMode::Auto,
        Some("NONE") => ChoiceMode::None,
        Some("ANY") if names.len() == 1 => ChoiceMode::Tool,
        Some("ANY") => ChoiceMode::Required,
        Some(_) => ChoiceMode::Other,
    };
    ChoiceView { node, mode, names }
}

fn parts<'a>(content: &Node<'a>) -> Vec<Part<'a>> {
    content.items_of("parts").into_iter().map(part).collect()
}

fn part(node: Node<'_>) -> Part<'_> {
    let content = if let Some(call) = node.any(CALL) {
        PartContent::Call(CallView {
            id: call.text("id"),
            item_id: None,
            name: call.text("name"),
            arguments: call.get("args"),
            freeform: false,
            server: false,
        })
    } else if let Some(response) = node.any(RESPONSE) {
        PartContent::Result(result(&response))
    } else if let Some(text) = node.text("text") {
        let thought = node.value.get("thought").and_then(crate::json::Value::as_bool) == Some(true);
        if thought { PartContent::Thinking(text) } else { PartContent::Text(text) }
    } else if node.any(INLINE).or_else(|| node.any(FILE)).is_some() {
        PartContent::Media
    } else {
        PartContent::Other(node.value.members().next().map_or(Cow::Borrowed(""), |(key, _)| key.decode()))
    };
    Part { node, content }
}

fn result<'a>(response: &Node<'a>) -> ResultView<'a> {
    let mut parts = Vec::new();
    let mut is_error = None;
    if let Some(value) = response.some("response") {
        let outcome = OUTCOMES.iter().find_map(|(key, error)| Some((value.get(key)?, *error)));
        let (node, failed) = outcome.unwrap_or((value, false));
        is_error = Some(failed);
        let text = node.to_text().unwrap_or(Cow::Borrowed(node.value.raw()));
        parts.push(Part { node, content: PartContent::Text(text) });
    }
    parts.extend(response.items_of("parts").into_iter().map(|node| Part { node, content: PartContent::Media }));
    ResultView { call_id: response.text("id"), name: response.text("name"), is_error, parts }
}
