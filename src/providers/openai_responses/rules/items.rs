//! Input items: ids, pairing, reasoning.

use std::collections::HashMap;

use super::super::super::charset::{fits, is_word};
use super::super::super::node::Node;
use super::super::super::request_view::{Part, PartContent, RequestView, Role};
use super::super::super::rule::{Offences, shown};
use super::super::read::{CALLS, RESULTS};
use crate::json::Kind;

/// The longest id, of calls and of items. Source: openai/openai-openapi 2.3.0.
const LONGEST_ID: usize = 64;

/// The longest output, in characters. Source: openai/openai-openapi 2.3.0.
const LONGEST_OUTPUT: usize = 10 << 20;

/// The beginning of an item's id by the item's type.
/// Source: nodetool-ai/nodetool#4252 ("Expected an ID that begins with 'fc'"), openai-python 3.57.
const PREFIXES: &[(&str, &str)] = &[
    ("function_call", "fc"),
    ("custom_tool_call", "ctc"),
    ("reasoning", "rs"),
    ("message", "msg"),
    ("web_search_call", "ws"),
    ("file_search_call", "fs"),
    ("code_interpreter_call", "ci"),
    ("image_generation_call", "ig"),
    ("mcp_call", "mcp"),
];

/// Every item of `input` with its type.
fn items<'v, 'a>(view: &'v RequestView<'a>) -> impl Iterator<Item = (&'v Node<'a>, std::borrow::Cow<'a, str>)> {
    view.messages.iter().map(|message| (&message.node, message.node.text("type").unwrap_or_default()))
}

pub(super) fn call_id_length(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |id: Option<&str>, part: &Part<'_>| match id {
        Some(id) if fits(id, LONGEST_ID, |_| true) => {}
        Some(id) => {
            out.add(
                &part.node.at("call_id"),
                format!("the id {} does not have 1 to {LONGEST_ID} characters", shown(id)),
            );
        }
        None => out.add(&part.node.at("call_id"), "the `call_id` is missing"),
    };
    for (part, call) in view.calls() {
        look(call.id.as_deref(), part);
    }
    for (part, result) in view.results() {
        // A result that nobody asked for names its tool instead.
        if result.call_id.is_some() || result.name.is_none() {
            look(result.call_id.as_deref(), part);
        }
    }
}

pub(super) fn item_ids(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (item, kind) in items(view) {
        let Some(id) = item.get("id").filter(|id| !id.value.is_null()) else { continue };
        let text = id.to_text().unwrap_or_default();
        let prefix = PREFIXES.iter().find(|(known, _)| *known == kind).map(|(_, prefix)| *prefix);
        // A message may be the short form, which has no id of the server's.
        if let Some(prefix) = prefix.filter(|prefix| !text.starts_with(prefix)) {
            out.add(&id.pointer, format!("the id {} of this item has to begin with `{prefix}`", shown(&text)));
        } else if !fits(&text, LONGEST_ID, is_word) {
            out.add(&id.pointer, format!("the id {} is refused", shown(&text)));
        } else if text.ends_with('_') {
            out.warn(&id.pointer, format!("the id {} ends in `_`, as cut ones do", shown(&text)));
        }
    }
}

pub(super) fn ids_differ(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, call) in view.calls() {
        if call.item_id.is_some() && call.item_id == call.id {
            out.add(&part.node.at("id"), "the id of the item is that of the call");
        }
    }
}

pub(super) fn answered(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut answers: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, part) in view.parts() {
        if let Some(id) = part.as_result().and_then(|result| result.call_id.as_deref()) {
            let entry = answers.entry(id).or_default();
            *entry = (entry.0 + 1, at);
        }
    }
    for (at, part) in view.parts() {
        let Some(id) = part.as_call().and_then(|call| call.id.as_deref()) else { continue };
        match answers.get(id) {
            None => out.add(&part.node.pointer, format!("the call {} has no output", shown(id))),
            Some((1, last)) if *last < at => {
                out.add(&part.node.pointer, format!("the output of the call {} stands before it", shown(id)));
            }
            Some((1, _)) => {}
            Some((n, _)) => out.add(&part.node.pointer, format!("the call {} has {n} outputs", shown(id))),
        }
    }
}

pub(super) fn answers_a_call(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.continues {
        return;
    }
    // An item that is only referred to may be the call.
    let referred = items(view).any(|(_, kind)| kind == "item_reference");
    let mut asked = std::collections::HashSet::new();
    for (_, part) in view.parts() {
        match &part.content {
            PartContent::Call(call) => asked.extend(call.id.as_deref()),
            PartContent::Result(result) => {
                if let Some(id) = result.call_id.as_deref()
                    && !asked.contains(id)
                    && !referred
                {
                    out.add(&part.node.at("call_id"), format!("no call {} comes before the output", shown(id)));
                }
            }
            _ => {}
        }
    }
}

pub(super) fn types_match(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let asked: HashMap<&str, bool> =
        view.calls().filter_map(|(_, call)| Some((call.id.as_deref()?, call.freeform))).collect();
    for (part, result) in view.results() {
        let Some(freeform) = result.call_id.as_deref().and_then(|id| asked.get(id)) else { continue };
        let custom = part.type_name() == RESULTS.last().copied().unwrap_or_default();
        if *freeform != custom {
            let kind = if *freeform { "custom_tool_call_output" } else { "function_call_output" };
            out.add(&part.node.at("type"), format!("the output of this call is of type {kind}"));
        }
    }
}

pub(super) fn outputs(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, result) in view.results() {
        let Some(output) = part.node.some("output") else {
            out.add(&part.node.at("output"), "the output is missing");
            continue;
        };
        match output.value.kind() {
            Kind::String if output.value.raw().len() > LONGEST_OUTPUT => {
                out.add(&output.pointer, format!("the output is longer than {LONGEST_OUTPUT} characters"));
            }
            Kind::String => {}
            Kind::Array => {
                for part in &result.parts {
                    let kind = part.type_name();
                    if !matches!(&*kind, "input_text" | "input_image" | "input_file") {
                        out.add(&part.node.at("type"), format!("a part of type {} inside an output", shown(&kind)));
                    }
                }
            }
            kind => out.add(&output.pointer, format!("the output is {}, not a string or a list", kind.article())),
        }
    }
}

pub(super) fn reasoning_followed(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let is_reasoning = |part: &Part<'_>| matches!(part.content, PartContent::Thinking(_));
    for (at, message) in view.messages.iter().enumerate() {
        if !message.parts.iter().any(is_reasoning) {
            continue;
        }
        let next = view.messages.get(at + 1);
        let followed = next.is_some_and(|next| {
            // Items of the provider's own tools are nobody's message.
            matches!(next.role, Role::Assistant) || (next.role == Role::Other && next.node.text("role").is_none())
        });
        if !followed {
            out.add(&message.node.pointer, "no item of the model's follows the reasoning item");
        }
    }
}

pub(super) fn not_stored(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.get("store").and_then(|store| store.value.as_bool()) != Some(false) {
        return;
    }
    for (item, kind) in items(view) {
        if kind == "item_reference" {
            out.add(&item.pointer, "a reference to an item, and `store` is false");
        } else if kind == "reasoning" && item.some("encrypted_content").is_none() {
            out.add(&item.at("encrypted_content"), "reasoning without `encrypted_content`, and `store` is false");
        }
    }
}

pub(super) fn strings(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, call) in view.calls() {
        let kind = part.type_name();
        let key = CALLS.iter().find(|(known, _)| *known == kind).map_or("arguments", |(_, key)| *key);
        match call.arguments.as_ref().map(|arguments| arguments.value.kind()) {
            Some(Kind::String) => {}
            Some(kind) => out.add(&part.node.at(key), format!("`{key}` is {}, not a string", kind.article())),
            None => out.add(&part.node.at(key), format!("the call has no `{key}`")),
        }
    }
}
