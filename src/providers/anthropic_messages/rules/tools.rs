//! Tools: names, types, flags.
//!
//! Source: Anthropic documentation, "Define tools" and "Tool reference"; types of the official SDKs.

use std::collections::{HashMap, HashSet};

use super::super::super::charset::{fits, is_longer, is_word};
use super::super::super::node::Node;
use super::super::super::request_view::{RequestView, ToolKind, ToolView};
use super::super::super::rule::{Offences, shown};
use super::route::Route;
use crate::json::Kind;

/// The longest name that the API takes, and the longest that is documented.
/// Source: BerriAI/litellm#26788, aws/aws-sdk-js-v3#7287; documentation.
const LONGEST_TAKEN: usize = 128;
const LONGEST_DOCUMENTED: usize = 64;

/// Types of tools that Anthropic defines, without their dates, and the name that each has to have.
const TYPES: &[(&str, Option<&str>)] = &[
    ("bash", Some("bash")),
    ("text_editor", None),
    ("memory", Some("memory")),
    ("computer", Some("computer")),
    ("computer_toolset", None),
    ("browser_toolset", None),
    ("web_search", Some("web_search")),
    ("web_fetch", Some("web_fetch")),
    ("code_execution", Some("code_execution")),
    ("tool_search_tool_regex", Some("tool_search_tool_regex")),
    ("tool_search_tool_bm25", Some("tool_search_tool_bm25")),
    ("advisor", Some("advisor")),
    ("mcp_toolset", None),
];

/// Who may call a tool.
const CALLERS: &[&str] = &["direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"];

/// The type without its date.
fn family(type_name: &str) -> &str {
    match type_name.rsplit_once('_') {
        Some((family, date)) if date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit()) => family,
        _ => type_name,
    }
}

fn custom<'v, 'a>(view: &'v RequestView<'a>) -> impl Iterator<Item = &'v ToolView<'a>> {
    view.tools.iter().filter(|tool| tool.kind == ToolKind::Function)
}

pub(super) fn shape(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in custom(view) {
        if tool.node.value.kind() != Kind::Object {
            out.add(&tool.node.pointer, "a tool has to be an object");
            continue;
        }
        if tool.name.as_deref().is_none_or(str::is_empty) {
            out.add(&tool.node.at("name"), "the tool has no name");
        }
        match &tool.schema {
            None => out.add(&tool.node.at("input_schema"), "the tool has no `input_schema`"),
            Some(schema) if schema.value.kind() != Kind::Object => {
                out.add(&schema.pointer, format!("the schema is {}, not an object", schema.value.kind().article()));
            }
            Some(schema) if schema.text("type").as_deref() != Some("object") => {
                out.add(&schema.at("type"), "the schema's own `type` has to be \"object\"");
            }
            Some(_) => {}
        }
    }
}

pub(super) fn name_charset(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in custom(view) {
        let Some(name) = tool.name.as_deref().filter(|name| !name.is_empty()) else { continue };
        if !fits(name, LONGEST_TAKEN, is_word) {
            out.add(&tool.node.at("name"), format!("the name {} is refused", shown(name)));
        }
    }
}

pub(super) fn name_length(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in custom(view) {
        let Some(name) = tool.name.as_deref() else { continue };
        if is_longer(name, LONGEST_DOCUMENTED) {
            out.add(&tool.node.at("name"), format!("the name {} is longer than {LONGEST_DOCUMENTED}", shown(name)));
        }
    }
}

pub(super) fn names_unique(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut first: HashMap<&str, &str> = HashMap::new();
    for tool in &view.tools {
        // A toolset of a server may have the name of a tool: its members are told apart by the set.
        if tool.type_name.as_deref().is_some_and(|name| name.ends_with("toolset")) {
            continue;
        }
        let Some(name) = tool.name.as_deref() else { continue };
        if let Some(other) = first.get(name) {
            out.add(&tool.node.at("name"), format!("the name {} stands at {other} too", shown(name)));
        } else {
            first.insert(name, &tool.node.pointer);
        }
    }
}

pub(super) fn examples(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in &view.tools {
        let Some(examples) = tool.node.some("input_examples") else { continue };
        if tool.kind != ToolKind::Function {
            out.add(&examples.pointer, "examples are for tools of one's own");
            continue;
        }
        if examples.value.kind() != Kind::Array {
            out.add(&examples.pointer, "`input_examples` has to be an array");
        }
        let schema = tool.schema.as_ref();
        let required: Vec<_> = schema
            .map(|schema| schema.items_of("required"))
            .unwrap_or_default()
            .iter()
            .filter_map(Node::to_text)
            .collect();
        let closed = schema.and_then(|schema| schema.value.get("additionalProperties")?.as_bool()) == Some(false);
        let properties = schema.and_then(|schema| schema.value.some("properties"));
        let known: HashSet<_> = properties.into_iter().flat_map(|p| p.members().map(|(key, _)| key.decode())).collect();
        for example in examples.items() {
            if example.value.kind() != Kind::Object {
                out.add(&example.pointer, format!("an example is {}, not an object", example.value.kind().article()));
                continue;
            }
            let given: HashSet<_> = example.value.members().map(|(key, _)| key.decode()).collect();
            if let Some(missing) = required.iter().find(|key| !given.contains(*key)) {
                out.add(&example.pointer, format!("an example lacks the required {}", shown(missing)));
            }
            if let Some(surplus) = given.iter().filter(|key| closed && !known.contains(*key)).min() {
                out.add(&example.pointer, format!("an example has {}, which the schema forbids", shown(surplus)));
            }
        }
    }
}

fn is_deferred(tool: &ToolView<'_>) -> bool {
    tool.node.value.get("defer_loading").and_then(crate::json::Value::as_bool) == Some(true)
}

pub(super) fn deferred(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if !view.tools.is_empty() && view.tools.iter().all(is_deferred) {
        out.add("/tools", "every tool is deferred; the model sees none");
    }
    for tool in view.tools.iter().filter(|tool| is_deferred(tool)) {
        if tool.type_name.as_deref().is_some_and(|name| name.starts_with("tool_search_tool")) {
            out.add(&tool.node.at("defer_loading"), "the tool search itself is deferred");
        }
        if tool.node.some("cache_control").is_some() {
            out.add(&tool.node.at("cache_control"), "a deferred tool carries a cache marker");
        }
    }
}

pub(super) fn callers(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in &view.tools {
        let Some(callers) = tool.node.some("allowed_callers") else { continue };
        let mut direct = false;
        for caller in callers.items() {
            let name = caller.to_text().unwrap_or_default();
            direct |= name == "direct";
            if !CALLERS.contains(&&*name) {
                out.add(&caller.pointer, format!("{} is no known caller", shown(&name)));
            }
        }
        let forced = view.tool_choice.as_ref().filter(|choice| choice.mode.is_forced());
        let named = forced.is_some_and(|choice| choice.names.iter().any(|(name, _)| tool.name.as_ref() == Some(name)));
        if named && !direct {
            out.add("/tool_choice/name", "the tool that is demanded may not be called directly");
        }
    }
}

pub(super) fn eager(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in &view.tools {
        let Some(flag) = tool.node.some("eager_input_streaming") else { continue };
        if tool.kind != ToolKind::Function {
            out.add(&flag.pointer, "`eager_input_streaming` is for tools of one's own");
        } else if Route::of(view) == Route::Bedrock {
            out.add(&flag.pointer, "Bedrock does not know `eager_input_streaming`");
        }
    }
}

pub(super) fn types(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Provider) {
        let type_name = tool.type_name.as_deref().unwrap_or("");
        match TYPES.iter().find(|(known, _)| *known == family(type_name)) {
            None => out.add(&tool.node.at("type"), format!("{} is no known type of a tool", shown(type_name))),
            Some((_, Some(name))) if tool.name.as_deref() != Some(name) => {
                out.add(&tool.node.at("name"), format!("a tool of this type has to be called `{name}`"));
            }
            Some(_) => {}
        }
    }
}
