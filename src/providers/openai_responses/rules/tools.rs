//! Tools and the tool choice.

use super::super::super::charset::{is_longer, is_word};
use super::super::super::request_view::{ChoiceMode, RequestView, ToolKind, ToolView};
use super::super::super::rule::{Offences, shown};
use super::super::super::strict;
use crate::json::{Kind, Value};

/// The longest name: Open Responses says 64, OpenAI's specification 128 for the nested form.
const LONGEST_CERTAIN: usize = 64;
const LONGEST_TAKEN: usize = 128;

/// Most allowed tools. Source: openresponses/openresponses, `AllowedToolsParam`.
const MOST_ALLOWED: usize = 128;

/// Words, and types of objects, that `tool_choice` may be.
const CHOICES: &[&str] = &[
    "function",
    "custom",
    "mcp",
    "allowed_tools",
    "file_search",
    "web_search",
    "web_search_preview",
    "web_search_preview_2025_03_11",
    "computer",
    "computer_use_preview",
    "image_generation",
    "code_interpreter",
    "apply_patch",
    "shell",
    "programmatic_tool_calling",
];

fn functions<'v, 'a>(view: &'v RequestView<'a>) -> impl Iterator<Item = &'v ToolView<'a>> {
    view.tools.iter().filter(|tool| tool.kind == ToolKind::Function)
}

/// True for a tool inside a namespace, where less is required.
fn is_nested(tool: &ToolView<'_>) -> bool {
    tool.node.pointer.trim_start_matches("/tools/").contains("/tools/")
}

pub(super) fn flat(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.body.items_of("tools") {
        for key in ["function", "custom"] {
            if let Some(inner) = tool.some(key).filter(|inner| inner.value.kind() == Kind::Object) {
                out.add(&inner.pointer, format!("`{key}` wraps the tool; here its members stand beside `type`"));
            }
        }
    }
}

pub(super) fn names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |name: Option<&str>, pointer: String| match name {
        None | Some("") => out.add(&pointer, "the name is missing"),
        Some(name) if !name.chars().all(is_word) || is_longer(name, LONGEST_TAKEN) => {
            out.add(&pointer, format!("the name {} is refused", shown(name)));
        }
        Some(name) if is_longer(name, LONGEST_CERTAIN) => {
            out.warn(&pointer, format!("the name {} is longer than {LONGEST_CERTAIN}", shown(name)));
        }
        Some(_) => {}
    };
    for tool in view.client_tools() {
        look(tool.name.as_deref(), tool.node.at("name"));
    }
    for (part, call) in view.calls() {
        look(call.name.as_deref(), part.node.at("name"));
    }
}

pub(super) fn strict_said(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in functions(view).filter(|tool| tool.strict.is_none()) {
        out.add(&tool.node.at("strict"), "without `strict` the schema is changed so that every property is required");
    }
}

pub(super) fn parameters_said(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in functions(view).filter(|tool| !is_nested(tool) && tool.node.get("parameters").is_none()) {
        out.add(&tool.node.at("parameters"), "the key `parameters` is missing");
    }
}

pub(super) fn strict_subset(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in functions(view).filter(|tool| tool.strict == Some(true)).filter_map(|tool| tool.schema.as_ref()) {
        strict::closed(schema, out);
        strict::all_required(schema, out);
        strict::keywords(schema, out);
        strict::size(schema, out);
        strict::references(schema, out);
    }
}

pub(super) fn grammar(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Freeform) {
        let Some(format) = tool.node.some("format") else { continue };
        if format.text("type").as_deref() == Some("grammar") && format.some("syntax").is_none() {
            out.add(&format.pointer, "syntax and definition have to stand beside `type`; nested is the form of Chat");
        }
    }
}

pub(super) fn choice(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = &view.tool_choice else { return };
    let node = &choice.node;
    if node.value.kind() == Kind::String {
        if choice.mode == ChoiceMode::Other {
            out.add(&node.pointer, "`tool_choice` is none of auto, none and required");
        }
        return;
    }
    let kind = node.text("type").unwrap_or_default();
    if !CHOICES.contains(&&*kind) {
        out.add(&node.at("type"), format!("{} is no type of a tool choice", shown(&kind)));
    }
    for key in ["function", "custom", "allowed_tools"] {
        if node.value.some(key).is_some_and(|inner| inner.kind() == Kind::Object) {
            out.add(&node.at(key), format!("`{key}` wraps the choice; here its members stand beside `type`"));
        }
    }
    if kind == "allowed_tools" {
        let count = node.items_of("tools").len();
        if !(1..=MOST_ALLOWED).contains(&count) {
            out.add(&node.at("tools"), format!("{count} allowed tools; 1 to {MOST_ALLOWED} may be named"));
        }
    }
    if matches!(&*kind, "function" | "custom" | "allowed_tools") {
        let declared = view.tool_names();
        for (name, pointer) in &choice.names {
            if !declared.contains(&**name) {
                out.add(pointer, format!("`tool_choice` names {}, which is not among the tools", shown(name)));
            }
        }
    }
}

pub(super) fn deferred(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let is_deferred =
        |tool: &&ToolView<'_>| tool.node.value.get("defer_loading").and_then(Value::as_bool) == Some(true);
    let search = view.tools.iter().any(|tool| tool.type_name.as_deref() == Some("tool_search"));
    if let Some(tool) = view.tools.iter().find(is_deferred).filter(|_| !search) {
        out.add(&tool.node.at("defer_loading"), "a deferred tool, and no tool of type tool_search to find it");
    }
}
