//! `tools` and `tool_choice` of a request.

use super::super::outbound::projection::{Choice, OutboundInput, OutboundTool};
use super::super::outbound::schema;
use super::cache::{self, Marker};
use crate::json::{Tree, Writer};

/// Writes the list. Of a schema only `type`, `properties` and `required` go out: the API refuses alternatives at the root,
/// and normalization has already put everything else into these three.
pub(super) fn write(tools: &[OutboundTool<'_>], eager: bool, marker: Option<Marker>, w: &mut Writer) {
    w.array(|w| {
        for (at, tool) in tools.iter().enumerate() {
            w.object(|w| {
                w.member("name", &tool.wire);
                if !tool.description.is_empty() {
                    w.member("description", tool.description);
                }
                w.key("input_schema");
                match &tool.input {
                    OutboundInput::Schema(schema) => input_schema(schema, w),
                    OutboundInput::Freeform(_) => input_schema(&schema::empty(), w),
                }
                if eager {
                    w.key("eager_input_streaming");
                    w.literal(true);
                }
                if at + 1 == tools.len() {
                    cache::write(marker, w);
                }
            });
        }
    });
}

fn input_schema(schema: &Tree<'_>, w: &mut Writer) {
    w.object(|w| {
        w.member("type", "object");
        w.key("properties");
        match schema.get("properties") {
            Some(properties) => properties.write(w),
            None => w.object(|_| {}),
        }
        w.key("required");
        match schema.get("required") {
            Some(required @ Tree::Array(_)) => required.write(w),
            _ => w.array(|_| {}),
        }
    });
}

/// Writes the choice, and whether one call at most is wanted. That is a member of the choice and cannot stand alone, so
/// `auto` is said then, which is the default (langchain4j/langchain4j#5890).
pub(super) fn choice(choice: Option<&Choice>, parallel: Option<bool>, w: &mut Writer) {
    let single = parallel == Some(false);
    let (kind, name) = match choice {
        None if single => ("auto", None),
        None => return,
        Some(Choice::Auto | Choice::Allowed { .. }) => ("auto", None),
        Some(Choice::None) => ("none", None),
        Some(Choice::Required) => ("any", None),
        Some(Choice::Tool(name)) => ("tool", Some(name.as_str())),
    };
    w.key("tool_choice");
    w.object(|w| {
        w.member("type", kind);
        w.optional("name", name);
        if single && kind != "none" {
            w.key("disable_parallel_tool_use");
            w.literal(true);
        }
    });
}
