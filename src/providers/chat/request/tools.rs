//! `tools` and `tool_choice` of a chat request.

use super::super::super::outbound::adjustments::Adjustments;
use super::super::super::outbound::projection::{Choice, OutboundInput, OutboundTool};
use super::super::super::outbound::strict::settle;
use super::dialect::Dialect;
use super::markers::Marker;
use crate::json::{JsonText, Writer};
use crate::model::Strict;

/// The `strict` flag of all tools, `None` if it is not sent; schemas are closed if it is true.
pub(super) fn strict(
    wanted: Strict,
    dialect: &Dialect,
    tools: &mut [OutboundTool<'_>],
    adjustments: &mut Adjustments,
) -> Option<bool> {
    if !dialect.strict {
        if wanted == Strict::On && !tools.is_empty() {
            adjustments.add("strict-left-out", "`strict` is not sent: the server refuses it");
        }
        return None;
    }
    match wanted {
        Strict::Null => None,
        Strict::Unsaid | Strict::Off => Some(false),
        Strict::On => Some(settle(tools, adjustments)),
    }
}

/// Writes the list.
pub(super) fn write(tools: &[OutboundTool<'_>], strict: Option<bool>, marker: Option<Marker>, w: &mut Writer) {
    w.array(|w| {
        for (at, tool) in tools.iter().enumerate() {
            w.object(|w| {
                match &tool.input {
                    OutboundInput::Schema(schema) => {
                        w.member("type", "function");
                        w.key("function");
                        w.object(|w| {
                            head(tool, w);
                            w.key("parameters");
                            schema.write(w);
                            if let Some(strict) = strict {
                                w.key("strict");
                                w.literal(strict);
                            }
                        });
                    }
                    OutboundInput::Freeform(format) => {
                        w.member("type", "custom");
                        w.key("custom");
                        w.object(|w| {
                            head(tool, w);
                            if let Some(format) = format {
                                self::format(format, w);
                            }
                        });
                    }
                }
                if let Some(marker) = marker.filter(|_| at + 1 == tools.len()) {
                    marker.write(w);
                }
            });
        }
    });
}

fn head(tool: &OutboundTool<'_>, w: &mut Writer) {
    w.member("name", &tool.wire);
    if !tool.description.is_empty() {
        w.member("description", tool.description);
    }
}

/// The format of free text. Chat has a grammar's parts one level deeper than Responses, whose form is the neutral one.
fn format(format: &JsonText, w: &mut Writer) {
    let doc = format.doc();
    let root = doc.root();
    w.key("format");
    if root.text_of("type").as_deref() != Some("grammar") || root.get("grammar").is_some() {
        return w.value(root);
    }
    w.object(|w| {
        w.member("type", "grammar");
        w.key("grammar");
        w.object(|w| {
            for (key, value) in root.members().filter(|(key, _)| !key.is("type")) {
                w.key(&key.decode());
                w.value(value);
            }
        });
    });
}

/// Writes the choice, which the server takes.
pub(super) fn choice(choice: &Choice, dialect: &Dialect, w: &mut Writer) {
    let function = |name: &str, w: &mut Writer| {
        w.object(|w| {
            w.member("type", "function");
            w.key("function");
            w.object(|w| w.member("name", name));
        });
    };
    w.key("tool_choice");
    match choice {
        Choice::Auto => w.string("auto"),
        Choice::None => w.string("none"),
        Choice::Required => w.string(dialect.required.unwrap_or("required")),
        Choice::Tool(name) => function(name, w),
        Choice::Allowed { names, required } => w.object(|w| {
            w.member("type", "allowed_tools");
            w.key("allowed_tools");
            w.object(|w| {
                w.member("mode", if *required { "required" } else { "auto" });
                w.key("tools");
                w.array(|w| names.iter().for_each(|name| function(name, w)));
            });
        }),
    }
}
