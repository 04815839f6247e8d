//! Mistakes in the conversation.

use super::neutral::UNSIGNED;
use super::place::{at, list, remove_item};
use super::tools::owned;
use super::{OutboundQuirk, Wire};
use crate::json::{JsonText, Tree};
use crate::model::{Api, AssistantBlock, Message, ToolResult};
use crate::providers::{PartContent, Role};

/// What encoders say for a call that was never answered.
const NO_RESULT: &str = "No result provided";

/// Makes the mistake.
pub(super) fn edit(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    match wire.quirk {
        OutboundQuirk::ResultsSplit => split(wire, tree),
        OutboundQuirk::UserTextBeforeResults => {
            for message in wire.view.messages.iter().filter(|message| message.results().next().is_some()) {
                if let Some(items) = list(tree, &message.node.at("content")) {
                    items.sort_by_key(|item| item.get("type").and_then(Tree::as_str) == Some("tool_result"));
                }
            }
        }
        OutboundQuirk::UnansweredCallsKept => {
            let made_up = wire.view.results().filter(|(_, result)| result.text().contains(NO_RESULT));
            let pointers: Vec<&str> = made_up.map(|(part, _)| part.node.pointer.as_str()).collect();
            // From the end, so that those before stay where they are.
            pointers.iter().rev().for_each(|pointer| remove_item(tree, pointer));
        }
        OutboundQuirk::OrphanResultsKept => orphans(wire, tree),
        OutboundQuirk::ImageInToolRole => images(wire, tree),
        OutboundQuirk::UnsignedThinkingReplayed => {
            for (_, part) in wire.view.parts().filter(|(_, part)| matches!(part.content, PartContent::Thinking(_))) {
                if part.node.text("signature").as_deref() == Some(UNSIGNED)
                    && let Some(item) = at(tree, &part.node.pointer)
                {
                    item.set("signature", Tree::string(""));
                }
            }
        }
        OutboundQuirk::ArgumentsAsObject => {
            let arguments = wire.view.calls().filter(|(_, call)| !call.freeform);
            for node in arguments.filter_map(|(_, call)| call.arguments.as_ref()) {
                if let (Some(place), Some(text)) = (at(tree, &node.pointer), node.to_text()) {
                    *place = owned(&text);
                }
            }
        }
        _ => {}
    }
}

/// The list of messages.
fn messages<'t, 'a>(wire: &Wire<'_>, tree: &'t mut Tree<'a>) -> Option<&'t mut Vec<Tree<'a>>> {
    let key = match wire.api.api {
        Api::Gemini => "contents",
        Api::OpenaiResponses => "input",
        _ => "messages",
    };
    list(tree, &wire.view.body.at(key))
}

fn split(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let key = if wire.api.api == Api::Gemini { "parts" } else { "content" };
    let Some(list) = messages(wire, tree) else { return };
    let old = std::mem::take(list);
    for (message, seen) in old.into_iter().zip(&wire.view.messages) {
        if seen.results().count() < 2 {
            list.push(message);
            continue;
        }
        for part in message.get(key).map(Tree::items).unwrap_or_default() {
            let mut one = message.clone();
            one.set(key, Tree::Array(vec![part.clone()]));
            list.push(one);
        }
    }
}

/// Adds the results whose calls are not there.
fn orphans(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let said = |id: &str| {
        wire.request.messages.iter().any(|message| match message {
            Message::Assistant(message) => {
                message.content.iter().any(|block| matches!(block, AssistantBlock::Call(call) if call.id == id))
            }
            _ => false,
        })
    };
    let Some(list) = messages(wire, tree) else { return };
    for message in &wire.request.messages {
        match message {
            Message::ToolResult(result) if !said(&result.call_id) => {
                list.push(owned(orphan(wire.api.api, result).as_str()));
            }
            _ => {}
        }
    }
}

/// A result in the words of the API.
fn orphan(api: Api, result: &ToolResult) -> JsonText {
    let text: String = result.content.texts().collect();
    JsonText::build(|w| {
        w.object(|w| match api {
            Api::AnthropicMessages => {
                w.member("role", "user");
                w.key("content");
                w.array(|w| {
                    w.object(|w| {
                        w.member("type", "tool_result");
                        w.member("tool_use_id", &result.call_id);
                        w.member("content", &text);
                    });
                });
            }
            Api::OpenaiResponses => {
                w.member("type", "function_call_output");
                w.member("call_id", &result.call_id);
                w.member("output", &text);
            }
            Api::Gemini => {
                w.member("role", "user");
                w.key("parts");
                w.array(|w| {
                    w.object(|w| {
                        w.key("functionResponse");
                        w.object(|w| {
                            w.member("name", &result.tool_name);
                            w.key("response");
                            w.object(|w| w.member("output", &text));
                        });
                    });
                });
            }
            Api::OpenaiChat | Api::MistralChat => {
                w.member("role", "tool");
                w.member("tool_call_id", &result.call_id);
                w.member("content", &text);
            }
        });
    })
}

/// Puts the images that the user shows behind results into the last of those.
fn images(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let mut moved = Vec::new();
    for pair in wire.view.messages.windows(2) {
        let [result, user] = pair else { continue };
        let shows = user.parts.iter().any(|part| matches!(part.content, PartContent::Media));
        if result.role == Role::Tool && user.role == Role::User && shows {
            let Some(Tree::Array(parts)) = at(tree, &user.node.at("content")).cloned() else { continue };
            if let Some(place) = at(tree, &result.node.at("content")) {
                *place = Tree::Array(parts);
                moved.push(&user.node.pointer);
            }
        }
    }
    moved.into_iter().rev().for_each(|pointer| remove_item(tree, pointer));
}
