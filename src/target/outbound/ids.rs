//! Mistakes in the ids of calls.

use std::collections::HashMap;

use super::place::at;
use super::{OutboundQuirk, Wire};
use crate::json::Tree;
use crate::model::{Api, AssistantBlock, CallBlock, Message, Stop};

/// Makes the mistake.
pub(super) fn edit(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let ids = match wire.quirk {
        OutboundQuirk::IdsAsTheyCame => as_they_came(wire),
        OutboundQuirk::IdsCut => {
            let most = most(wire.api.api);
            let mut ids = as_they_came(wire);
            ids.retain(|_, id| id.chars().count() > most);
            for id in ids.values_mut() {
                *id = id.chars().take(most).collect();
            }
            ids
        }
        OutboundQuirk::ItemIdSentAsCallId => {
            let items = wire.view.calls().filter_map(|(_, call)| Some((call.id.as_deref()?, call.item_id.as_deref()?)));
            let ids: HashMap<String, String> = items.map(|(id, item)| (id.to_owned(), item.to_owned())).collect();
            return answers(wire, tree, &ids);
        }
        _ => return,
    };
    let key = if wire.api.api == Api::OpenaiResponses { "call_id" } else { "id" };
    for (part, call) in wire.view.calls() {
        put(tree, &part.node.pointer, key, call.id.as_deref(), &ids);
    }
    answers(wire, tree, &ids);
}

/// The longest id.
fn most(api: Api) -> usize {
    match api {
        Api::MistralChat => 9,
        Api::OpenaiChat => 40,
        _ => 64,
    }
}

fn answers(wire: &Wire<'_>, tree: &mut Tree<'_>, ids: &HashMap<String, String>) {
    let key = match wire.api.api {
        Api::AnthropicMessages => "tool_use_id",
        Api::OpenaiChat | Api::MistralChat => "tool_call_id",
        Api::OpenaiResponses => "call_id",
        Api::Gemini => "id",
    };
    for (part, result) in wire.view.results() {
        put(tree, &part.node.pointer, key, result.call_id.as_deref(), ids);
    }
}

fn put(tree: &mut Tree<'_>, pointer: &str, key: &'static str, id: Option<&str>, ids: &HashMap<String, String>) {
    let Some(new) = id.and_then(|id| ids.get(id)) else { return };
    let Some(item) = at(tree, pointer) else { return };
    // Gemini keeps the id one level deeper.
    for inner in ["functionCall", "functionResponse"] {
        if let Some(inner) = item.get_mut(inner) {
            return inner.set(key, Tree::string(new.clone()));
        }
    }
    item.set(key, Tree::string(new.clone()));
}

/// The ids that calls came with, by their wire ids; nothing if some call was left out, for then nobody can tell.
fn as_they_came(wire: &Wire<'_>) -> HashMap<String, String> {
    let mut calls: Vec<&CallBlock> = Vec::new();
    for message in &wire.request.messages {
        let Message::Assistant(message) = message else { continue };
        if !matches!(message.stop, Some(Stop::Error | Stop::Aborted)) {
            calls.extend(message.content.iter().filter_map(|block| match block {
                AssistantBlock::Call(call) => Some(call),
                _ => None,
            }));
        }
    }
    let sent: Vec<_> = wire.view.calls().filter(|(_, call)| !call.server).collect();
    if sent.len() != calls.len() {
        return HashMap::new();
    }
    let pairs = sent.iter().zip(calls).filter_map(|((_, sent), call)| Some((sent.id.as_deref()?, call.id.as_str())));
    pairs.map(|(wire, came)| (wire.to_owned(), came.to_owned())).collect()
}
