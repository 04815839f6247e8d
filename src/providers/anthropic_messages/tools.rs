//! `tools` and `tool_choice` of a request.

use std::collections::HashSet;

use super::super::outbound::names::Names;
use super::super::outbound::projection::{Choice, OutboundInput, OutboundTool};
use super::super::outbound::replay::{Block, Item, Transcript};
use super::super::outbound::schema::Schema;
use super::super::outbound::sort;
use super::cache::{self, Marker};
use crate::json::Writer;

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
                    OutboundInput::Freeform(_) => input_schema(&Schema::empty(), w),
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

fn input_schema(schema: &Schema<'_>, w: &mut Writer) {
    w.object(|w| {
        w.member("type", "object");
        w.key("properties");
        schema.write_properties(w);
        w.key("required");
        schema.write_required(w);
    });
}

/// The tools that a conversation calls, as far as it tells of them.
pub(super) fn stubs<'r>(transcript: &Transcript<'r>, names: &Names) -> Vec<OutboundTool<'r>> {
    let said = transcript.items.iter().filter_map(|item| match item {
        Item::Assistant(said) => Some(&said.blocks),
        _ => None,
    });
    let calls = said.flatten().filter_map(|block| match block {
        Block::Call(call) => Some(call.call.name.as_str()),
        _ => None,
    });
    let mut seen = HashSet::new();
    let mut tools: Vec<_> = calls
        .filter(|name| seen.insert(names.wire(name)))
        .map(|name| OutboundTool {
            index: 0,
            name,
            wire: names.wire(name).to_owned(),
            description: "",
            input: OutboundInput::Schema(Schema::empty()),
        })
        .collect();
    tools.sort_by(|a, b| sort::utf16(&a.wire, &b.wire));
    tools
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
