//! The tool choice.
//!
//! Source: Anthropic documentation, "Define tools" (forcing tool use) and "Extended thinking"; SDK types.

use super::super::super::request_view::{ChoiceMode, RequestView};
use super::super::super::rule::{Offences, shown};

pub(super) fn shape(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = &view.tool_choice else { return };
    match choice.mode {
        ChoiceMode::Other => {
            out.add(&choice.node.at("type"), "the type of `tool_choice` has to be auto, any, tool or none");
        }
        ChoiceMode::Tool => match choice.names.first() {
            None => out.add(&choice.node.at("name"), "`tool_choice` of type tool names no tool"),
            Some((name, pointer)) if !view.tools.iter().any(|tool| tool.name.as_ref() == Some(name)) => {
                out.add(pointer, format!("`tool_choice` names {}, which is not among the tools", shown(name)));
            }
            Some(_) => {}
        },
        ChoiceMode::Auto | ChoiceMode::None | ChoiceMode::Required => {
            if let Some((_, pointer)) = choice.names.first() {
                out.add(pointer, "only a `tool_choice` of type tool has a name");
            }
        }
    }
    if view.tools.is_empty() && choice.mode != ChoiceMode::None {
        out.warn(&choice.node.pointer, "`tool_choice` without tools");
    }
}

pub(super) fn parallel(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for key in ["disable_parallel_tool_use", "parallel_tool_calls"] {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("`{key}` is no member of the body"));
        }
    }
    let Some(choice) = &view.tool_choice else { return };
    if let Some(flag) = choice.node.some("disable_parallel_tool_use") {
        if choice.mode == ChoiceMode::None {
            out.add(&flag.pointer, "`disable_parallel_tool_use` does not go with type none");
        } else if flag.value.as_bool().is_none() {
            out.add(&flag.pointer, "`disable_parallel_tool_use` has to be true or false");
        }
    }
}

pub(super) fn forced_while_thinking(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let thinking = view.body.some("thinking").and_then(|thinking| thinking.text("type"));
    let forced = view.tool_choice.as_ref().filter(|choice| choice.mode.is_forced());
    if let (Some("enabled"), Some(choice)) = (thinking.as_deref(), forced) {
        out.add(&choice.node.pointer, "a call cannot be demanded while thinking is enabled");
    }
}
