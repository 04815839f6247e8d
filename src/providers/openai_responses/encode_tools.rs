//! `tools` and `tool_choice` of a Responses request.

use std::collections::{HashMap, HashSet};

use super::super::encoder::{RefusalKind, Refused};
use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::projection::{Choice, OutboundInput, OutboundTool};
use super::super::outbound::strict::settle;
use super::encode_dialects::{Dialect, StrictUse};
use super::encode_groups::{Entry, Groups};
use crate::json::Writer;
use crate::model::Strict;

/// The `strict` flag of all function tools, `None` if it is not sent; schemas are closed if it is true.
pub(super) fn strict(
    wanted: Strict,
    dialect: &Dialect,
    tools: &mut [OutboundTool<'_>],
    adjustments: &mut Adjustments,
) -> Option<bool> {
    let on = match (dialect.strict, wanted) {
        (StrictUse::Refused, Strict::On) if !tools.is_empty() => {
            adjustments.add("strict-left-out", "`strict` is not sent: the server does not read it");
            return None;
        }
        (StrictUse::Refused, _) | (_, Strict::Null) => return None,
        (StrictUse::Native, Strict::Unsaid) | (_, Strict::On) => true,
        (_, Strict::Off | Strict::Unsaid) => false,
    };
    Some(on && settle(tools, adjustments))
}

/// The choice, and the tools that it leaves, if the server can be told it. What it cannot be told is either said by leaving
/// tools out, or refused: a model that may do as it likes is not one that has to call.
pub(super) fn choose(
    choice: Option<Choice>,
    dialect: &Dialect,
    tools: &mut Vec<OutboundTool<'_>>,
    adjustments: &mut Adjustments,
) -> Result<Option<Choice>, Refused> {
    let choice = match choice {
        Some(Choice::Allowed { names, required }) if !dialect.allowed => {
            let names: HashSet<String> = names.into_iter().collect();
            tools.retain(|tool| names.contains(&tool.wire));
            adjustments
                .add("tool-choice-emulated", "tools that are not allowed are left out: the server cannot be told");
            Some(if required { Choice::Required } else { Choice::Auto })
        }
        choice => choice,
    };
    let server = dialect.names.first().copied().unwrap_or_default();
    if let Some(most) = dialect.max_tools.filter(|most| tools.len() > *most) {
        let message = format!("{} tools go out, and `{server}` takes at most {most}", tools.len());
        return Err(Refused::new(RefusalKind::TooManyTools, message));
    }
    if dialect.choice {
        return Ok(choice);
    }
    match choice {
        None | Some(Choice::Auto) => {}
        Some(Choice::None) => {
            tools.clear();
            adjustments.add("tool-choice-emulated", "all tools are left out: the server does not read `tool_choice`");
        }
        Some(_) => {
            let message = format!("`{server}` cannot be told to call a tool");
            return Err(Refused::new(RefusalKind::ToolChoiceUnsupported, message));
        }
    }
    Ok(None)
}

/// Writes the list, and a search where tools are left to one.
pub(super) fn write(tools: &[OutboundTool<'_>], groups: &Groups<'_>, strict: Option<bool>, w: &mut Writer) {
    w.array(|w| {
        let mut searched = false;
        for entry in groups.entries(tools) {
            match entry {
                Entry::Tool(tool) => w.object(|w| searched |= write_tool(tool, groups, strict, w)),
                Entry::Group(group, members) => w.object(|w| {
                    w.member("type", "namespace");
                    w.member("name", &group.name);
                    // The key is required.
                    w.member(
                        "description",
                        if group.description.is_empty() { &group.name } else { &group.description },
                    );
                    w.key("tools");
                    w.array(|w| {
                        for tool in members {
                            w.object(|w| searched |= write_tool(tool, groups, strict, w));
                        }
                    });
                }),
            }
        }
        if searched {
            w.object(|w| w.member("type", "tool_search"));
        }
    });
}

/// Writes a tool's members; true if it is left to a search.
fn write_tool(tool: &OutboundTool<'_>, groups: &Groups<'_>, strict: Option<bool>, w: &mut Writer) -> bool {
    w.member("type", kind(tool));
    w.member("name", &tool.wire);
    if !tool.description.is_empty() {
        w.member("description", tool.description);
    }
    match &tool.input {
        OutboundInput::Schema(schema) => {
            w.key("parameters");
            schema.write(w);
            if let Some(strict) = strict {
                w.key("strict");
                w.literal(strict);
            }
        }
        OutboundInput::Freeform(format) => {
            if let Some(format) = format {
                w.key("format");
                w.compact(format);
            }
        }
    }
    let deferred = groups.is_deferred(&tool.wire);
    if deferred {
        w.key("defer_loading");
        w.literal(true);
    }
    deferred
}

/// Writes the choice.
pub(super) fn write_choice(choice: &Choice, tools: &[OutboundTool<'_>], w: &mut Writer) {
    let kinds: HashMap<&str, &str> = tools.iter().map(|tool| (tool.wire.as_str(), kind(tool))).collect();
    let named = |name: &str, w: &mut Writer| {
        w.object(|w| {
            w.member("type", kinds.get(name).unwrap_or(&"function"));
            w.member("name", name);
        });
    };
    match choice {
        Choice::Auto => w.string("auto"),
        Choice::None => w.string("none"),
        Choice::Required => w.string("required"),
        Choice::Tool(name) => named(name, w),
        Choice::Allowed { names, required } => w.object(|w| {
            w.member("type", "allowed_tools");
            w.member("mode", if *required { "required" } else { "auto" });
            w.key("tools");
            w.array(|w| names.iter().for_each(|name| named(name, w)));
        }),
    }
}

fn kind(tool: &OutboundTool<'_>) -> &'static str {
    match tool.input {
        OutboundInput::Schema(_) => "function",
        OutboundInput::Freeform(_) => "custom",
    }
}
