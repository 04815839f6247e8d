//! The prompt-cache prefix: what one request of a conversation says first, the next one repeats.
//!
//! Compared are neutral views: a string is one part of text, messages of one role in a row are one, cache markers do
//! not count. Text, names, schemas and arguments have to be the same to the letter, for a cache compares tokens.

use super::payload::{Apart, Comparison, compare};
use crate::corpus::Grade;
use crate::json::{JsonText, Strictness, Value, difference};
use crate::model::Api;
use crate::providers::{Node, Part, PartContent, RequestView, Role, ToolView};

/// Where the later request leaves the prefix that the earlier one set, or `None`. A turn that adds or removes a tool
/// begins a new prefix.
pub fn prefix(earlier: &RequestView<'_>, later: &RequestView<'_>) -> Option<Apart> {
    if earlier.tool_names() != later.tool_names() || earlier.tools.len() != later.tools.len() {
        return None;
    }
    for (before, after) in earlier.tools.iter().zip(&later.tools) {
        if !same_tool(earlier.api, before, after) {
            return Some(differ(&after.node.pointer, Some(&before.node), Some(&after.node)));
        }
    }
    let system = parts_apart(earlier.api, &roleless(&earlier.system), &roleless(&later.system));
    if system.is_some() || earlier.system.len() != later.system.len() {
        // What the later request has more of.
        let surplus = later.system.get(earlier.system.len()).map(|part| &part.node);
        return system.or_else(|| Some(differ(surplus.map_or("/system", |node| &node.pointer), None, surplus)));
    }
    parts_apart(earlier.api, &flat(earlier), &flat(later))
}

fn differ(pointer: &str, before: Option<&Node<'_>>, after: Option<&Node<'_>>) -> Apart {
    let text = |node: Option<&Node<'_>>| node.map(|node| JsonText::of(node.value));
    Apart { pointer: pointer.to_owned(), expected: text(before), actual: text(after), only_order: false }
}

fn same_tool(api: Api, before: &ToolView<'_>, after: &ToolView<'_>) -> bool {
    let schema = match (&before.schema, &after.schema) {
        (Some(before), Some(after)) => difference(before.value, after.value, Strictness::Text).is_none(),
        (before, after) => before.is_none() && after.is_none(),
    };
    schema
        && before.name == after.name
        && before.description == after.description
        && before.type_name == after.type_name
        && same_value(api, before.node.value, after.node.value)
}

/// The parts of all messages with who speaks.
fn flat<'v, 'a>(view: &'v RequestView<'a>) -> Vec<(Role, &'v Part<'a>)> {
    view.messages.iter().flat_map(|message| message.parts.iter().map(|part| (message.role, part))).collect()
}

fn roleless<'v, 'a>(parts: &'v [Part<'a>]) -> Vec<(Role, &'v Part<'a>)> {
    parts.iter().map(|part| (Role::System, part)).collect()
}

fn parts_apart(api: Api, before: &[(Role, &Part<'_>)], after: &[(Role, &Part<'_>)]) -> Option<Apart> {
    for (at, (role, part)) in before.iter().enumerate() {
        match after.get(at) {
            Some((other, next)) if role == other && same_part(api, part, next) => {}
            Some((_, next)) => return Some(differ(&next.node.pointer, Some(&part.node), Some(&next.node))),
            None => return Some(differ(&part.node.pointer, Some(&part.node), None)),
        }
    }
    None
}

fn same_part(api: Api, before: &Part<'_>, after: &Part<'_>) -> bool {
    match (&before.content, &after.content) {
        (PartContent::Text(before), PartContent::Text(after)) => before == after,
        (PartContent::Call(one), PartContent::Call(two)) => {
            let text = |call: &crate::providers::CallView<'_>| call.arguments_text().into_owned();
            (&one.id, &one.item_id, &one.name) == (&two.id, &two.item_id, &two.name) && text(one) == text(two)
        }
        (PartContent::Result(one), PartContent::Result(two)) => {
            let error = |flag: Option<bool>| flag.unwrap_or(false);
            one.call_id == two.call_id
                && error(one.is_error) == error(two.is_error)
                && one.parts.len() == two.parts.len()
                && one.parts.iter().zip(&two.parts).all(|(one, two)| same_part(api, one, two))
        }
        (PartContent::Thinking(_), PartContent::Thinking(_))
        | (PartContent::Media, PartContent::Media)
        | (PartContent::Other(_), PartContent::Other(_)) => same_value(api, before.node.value, after.node.value),
        _ => false,
    }
}

/// The same but for markers and defaults.
fn same_value(api: Api, before: Value<'_>, after: Value<'_>) -> bool {
    let how = Comparison { api, grade: Grade::Equivalent, placeholders: false };
    compare(before, after, "", how).is_none()
}
