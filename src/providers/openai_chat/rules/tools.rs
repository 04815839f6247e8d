//! Tools, their schemas and the tool choice.

use super::super::super::charset::{fits, is_longer, is_word};
use super::super::super::node::Node;
use super::super::super::request_view::{ChoiceMode, RequestView, ToolKind};
use super::super::super::rule::{Offences, shown};
use super::super::super::strict;
use crate::json::{Kind, Value};

/// The longest name. Source: openai-python 3.57, `FunctionDefinition.name`.
const LONGEST_NAME: usize = 64;

/// Most tools. Source: vishalmysore/Tools4AI#16; the empty list: vllm-project/vllm#39780.
const MOST_TOOLS: usize = 128;

/// The longest description that was taken. Source: getsentry/sentry-mcp#106.
const LONGEST_DESCRIPTION: usize = 1024;

pub(super) fn names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |name: Option<&str>, pointer: &dyn Fn() -> String| match name {
        Some(name) if fits(name, LONGEST_NAME, is_word) => {}
        Some(name) => out.add_at(pointer, format!("the name {} is refused", shown(name))),
        None => out.add_at(pointer, "the name is missing"),
    };
    for tool in view.client_tools() {
        look(tool.name.as_deref(), &|| tool.node.at("name"));
    }
    for (name, pointer) in view.tool_choice.iter().flat_map(|choice| &choice.names) {
        look(Some(name), &|| pointer.clone());
    }
    for (part, call) in view.calls() {
        let inner = ["function", "custom"].into_iter().find(|key| part.node.some(key).is_some());
        look(call.name.as_deref(), &|| {
            inner.map_or_else(|| part.node.at("name"), |key| part.node.at(&format!("{key}/name")))
        });
    }
}

pub(super) fn number(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(tools) = view.body.some("tools") else { return };
    if tools.value.kind() != Kind::Array {
        out.add(&tools.pointer, format!("`tools` is {}, not an array", tools.value.kind().article()));
        return;
    }
    match tools.value.items().count() {
        0 => out.add(&tools.pointer, "`tools` is empty"),
        n if n > MOST_TOOLS => out.add(&tools.pointer, format!("{n} tools; {MOST_TOOLS} are allowed")),
        _ => {}
    }
}

pub(super) fn descriptions(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.client_tools() {
        if tool.description.as_deref().is_some_and(|text| is_longer(text, LONGEST_DESCRIPTION)) {
            out.add(
                &tool.node.at("description"),
                format!("a description of more than {LONGEST_DESCRIPTION} characters"),
            );
        }
    }
}

pub(super) fn parameters(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Function) {
        let Some(schema) = &tool.schema else { continue };
        if schema.value.kind() != Kind::Object {
            out.add(&schema.pointer, format!("the schema is {}, not an object", schema.value.kind().article()));
            continue;
        }
        if schema.text("type").as_deref() != Some("object") {
            out.add(&schema.at("type"), "the schema's own `type` has to be \"object\"");
        }
        for keyword in ["oneOf", "anyOf", "allOf", "enum", "not"] {
            if schema.value.get(keyword).is_some() {
                out.add(&schema.at(keyword), format!("`{keyword}` at the root of a schema is refused"));
            }
        }
    }
}

/// A check on every strict schema.
fn each_strict(view: &RequestView<'_>, check: impl FnMut(&Node<'_>)) {
    let strict = view.tools.iter().filter(|tool| tool.strict == Some(true));
    strict.filter_map(|tool| tool.schema.as_ref()).for_each(check);
}

pub(super) fn strict_closed(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_strict(view, |schema| strict::closed(schema, out));
}

pub(super) fn strict_required(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_strict(view, |schema| strict::all_required(schema, out));
}

pub(super) fn strict_keywords(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_strict(view, |schema| strict::keywords(schema, out));
}

pub(super) fn strict_size(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_strict(view, |schema| strict::size(schema, out));
}

pub(super) fn strict_references(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_strict(view, |schema| strict::references(schema, out));
}

pub(super) fn flags_without_tools(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let parallel = view.body.get("parallel_tool_calls");
    if let Some(flag) = &parallel
        && flag.value.as_bool().is_none()
    {
        out.add(&flag.pointer, format!("`parallel_tool_calls` is {}, not a boolean", flag.value.kind().article()));
    }
    if view.tools.is_empty() {
        for flag in parallel.into_iter().chain(view.body.some("tool_choice")) {
            out.add(&flag.pointer, "this is refused when there are no tools");
        }
    }
}

pub(super) fn choice(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = view.tool_choice.as_ref().filter(|_| view.body.some("tool_choice").is_some()) else { return };
    let kind = choice.node.value.kind();
    if kind == Kind::Object && choice.node.text("type").is_none() {
        out.add(&choice.node.at("type"), "an object as `tool_choice` needs a `type`");
    }
    if choice.mode == ChoiceMode::Other {
        out.add(&choice.node.pointer, "`tool_choice` is none of auto, none, required, a tool or allowed tools");
    }
    if choice.mode == ChoiceMode::Required && view.tools.is_empty() {
        out.add(&choice.node.pointer, "a call is demanded, and there are no tools");
    }
    let declared = view.tool_names();
    for (name, pointer) in &choice.names {
        if !declared.contains(&**name) {
            out.add(pointer, format!("`tool_choice` names {}, which is not among the tools", shown(name)));
        }
    }
}

pub(super) fn deprecated(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mixed = view.body.some("tools").is_some();
    let mut used: Vec<String> =
        ["functions", "function_call"].iter().filter_map(|key| Some(view.body.some(key)?.pointer)).collect();
    for message in &view.messages {
        if message.node.text("role").as_deref() == Some("function") {
            used.push(message.node.at("role"));
        }
        used.extend(message.node.some("function_call").map(|call| call.pointer));
    }
    for pointer in used {
        if mixed {
            out.add(&pointer, "the deprecated functions are mixed with `tools`");
        } else {
            out.warn(&pointer, "functions are deprecated; `tools` took their place");
        }
    }
}

pub(super) fn grammar(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Freeform) {
        let Some(format) = tool.node.some("format") else { continue };
        if format.text("type").as_deref() == Some("grammar") && format.some("grammar").is_none() {
            out.add(
                &format.pointer,
                "the grammar has to stand in `format.grammar`; flat is the form of the Responses API",
            );
        }
    }
}

pub(super) fn allowed_tools(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = view.body.some("tool_choice") else { return };
    if choice.text("type").as_deref() == Some("allowed_tools") && choice.some("allowed_tools").is_none() {
        out.add(
            &choice.pointer,
            "the list has to stand in `tool_choice.allowed_tools`; flat is the form of the Responses API",
        );
    }
}

pub(super) fn strict_and_parallel(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let single = view.body.get("parallel_tool_calls").and_then(|flag| flag.value.as_bool()) == Some(false);
    if let Some(tool) = view.tools.iter().find(|tool| tool.strict == Some(true) && !single) {
        out.add(&tool.node.at("strict"), "strict arguments are only promised with `parallel_tool_calls` set to false");
    }
}

/// Models that think, by the beginning of their names. Source: `@ai-sdk/openai` 3.0.
const THINKING_MODELS: &[&str] = &["o1", "o3", "o4-mini", "gpt-5"];

pub(super) fn thinking_models(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let model = view.model.as_deref().unwrap_or("");
    let thinks = THINKING_MODELS.iter().any(|known| model.starts_with(known)) && !model.contains("chat");
    if !thinks || view.body.text("reasoning_effort").as_deref() == Some("none") {
        return;
    }
    if view.body.some("max_tokens").is_some() {
        out.add("/max_tokens", "a model that thinks takes `max_completion_tokens`, not `max_tokens`");
    }
    for key in ["temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs", "logit_bias"] {
        let default = |value: Value<'_>| {
            let number = value.as_number().unwrap_or("");
            crate::json::same_number(number, if key.ends_with("penalty") { "0" } else { "1" })
                || value.as_bool() == Some(false)
        };
        if view.body.some(key).is_some_and(|knob| !default(knob.value)) {
            out.add(&view.body.at(key), format!("a model that thinks does not take `{key}`"));
        }
    }
}
