//! Mistakes in the neutral request, before it is encoded.

use std::borrow::Cow;

use super::OutboundQuirk;
use crate::json::{CompactText, Style, Tree, Writer};
use crate::model::{
    Api, AssistantBlock, AssistantMessage, CacheRetention, CallArguments, Content, ContentBlock, Message, Request,
    Stop, ToolInput, ToolResult,
};
use crate::providers::{Encoded, RefusalKind, Refused, encode};

/// The signature of thinking that has none; it is taken out behind the encoder.
pub(super) const UNSIGNED: &str = "unsigned";

/// What encoders say in the place of an image.
const SEE_IMAGE: &str = "(see attached image)";

/// Makes the mistake.
pub(super) fn edit(quirk: OutboundQuirk, request: &mut Request, now: impl FnOnce() -> u64) {
    match quirk {
        OutboundQuirk::NoCacheMarkers => request.options.cache_retention = CacheRetention::None,
        OutboundQuirk::HourLongMarkersAlways => request.options.cache_retention = CacheRetention::Long,
        OutboundQuirk::OauthNamesNotUsed => request.options.oauth_tool_names = false,
        OutboundQuirk::ClockInTheSystemPrompt => request.system.insert(0, format!("The clock says {}.", now())),
        OutboundQuirk::UnionsFlattened => {
            for tool in &mut request.tools {
                if let ToolInput::Schema(schema) = &mut tool.input {
                    rewrite(schema, flatten);
                }
            }
        }
        OutboundQuirk::ResultsSwapped => swap_results(&mut request.messages),
        _ => {}
    }
    for message in &mut request.messages {
        match message {
            Message::Assistant(message) => edit_turn(quirk, message),
            Message::ToolResult(result) => edit_result(quirk, result),
            Message::User(_) => {}
        }
    }
}

/// What goes out although the request had to be refused.
pub(super) fn insist(quirk: OutboundQuirk, api: Api, request: &Request, refused: Refused) -> Result<Encoded, Refused> {
    match (quirk, refused.kind) {
        (OutboundQuirk::ChoiceOfAMissingToolForgotten, RefusalKind::ToolChoiceUnavailable) => {
            encode(api, &Request { tool_choice: None, ..request.clone() })
        }
        (OutboundQuirk::FirstToolOfANameWins, RefusalKind::DuplicateToolName | RefusalKind::NameCollision) => {
            let without = |at: usize| {
                let mut request = request.clone();
                request.tools.remove(at);
                encode(api, &request).ok()
            };
            (0..request.tools.len()).rev().find_map(without).ok_or(refused)
        }
        _ => Err(refused),
    }
}

fn edit_turn(quirk: OutboundQuirk, message: &mut AssistantMessage) {
    match quirk {
        OutboundQuirk::AbortedTurnsReplayed if matches!(message.stop, Some(Stop::Error | Stop::Aborted)) => {
            message.stop = None;
        }
        OutboundQuirk::ForeignStateReplayed => message.origin = None,
        _ => {}
    }
    for block in &mut message.content {
        match (quirk, block) {
            (OutboundQuirk::UnsignedThinkingReplayed, AssistantBlock::Thinking(thinking)) => {
                thinking.signature.get_or_insert_with(|| UNSIGNED.to_owned());
            }
            (OutboundQuirk::SignaturesNotReplayed, AssistantBlock::Thinking(thinking)) => {
                thinking.signature = None;
                thinking.encrypted = None;
            }
            (OutboundQuirk::SignaturesNotReplayed, AssistantBlock::Text { signature, .. }) => *signature = None,
            (OutboundQuirk::SignaturesNotReplayed, AssistantBlock::Call(call)) => call.thought_signature = None,
            (OutboundQuirk::ArgumentsThroughDoubles, AssistantBlock::Call(call)) => {
                if let CallArguments::Object(text) = &mut call.arguments {
                    rewrite(text, doubles);
                }
            }
            (OutboundQuirk::BrokenArgumentsEmptied, AssistantBlock::Call(call)) => {
                if matches!(call.arguments, CallArguments::Invalid(_)) {
                    call.arguments = CallArguments::Object(CompactText::empty_object());
                }
            }
            _ => {}
        }
    }
}

fn edit_result(quirk: OutboundQuirk, result: &mut ToolResult) {
    match quirk {
        OutboundQuirk::ErrorFlagDropped => result.is_error = false,
        OutboundQuirk::ResultImagesDropped => {
            if let Content::Blocks(blocks) = &mut result.content {
                blocks.retain(|block| matches!(block, ContentBlock::Text(_)));
            }
        }
        OutboundQuirk::EmptyResultClaimsAnImage if result.content.is_empty() => {
            result.content = Content::Text(SEE_IMAGE.to_owned());
        }
        _ => {}
    }
}

/// Gives the first two results of each turn to one another's calls.
fn swap_results(messages: &mut [Message]) {
    let turns = messages.chunk_by_mut(|a, b| matches!((a, b), (Message::ToolResult(_), Message::ToolResult(_))));
    for turn in turns {
        if let [Message::ToolResult(first), Message::ToolResult(second), ..] = turn {
            std::mem::swap(&mut first.content, &mut second.content);
            std::mem::swap(&mut first.is_error, &mut second.is_error);
        }
    }
}

/// The text after a change of its tree.
fn rewrite(text: &mut CompactText, change: impl FnOnce(&mut Tree<'_>)) {
    let Ok(mut tree) = Tree::parse(text.as_str()) else { return };
    change(&mut tree);
    let mut writer = Writer::new(Style::Compact);
    tree.write(&mut writer);
    if let Ok(changed) = CompactText::new(&writer.finish()) {
        *text = changed;
    }
}

/// Puts the first of some alternatives in their place.
fn flatten(schema: &mut Tree<'_>) {
    for key in ["anyOf", "oneOf"] {
        let first = match schema.remove(key) {
            Some(Tree::Array(items)) => items.into_iter().next(),
            _ => None,
        };
        if let Some(Tree::Object(members)) = first {
            for (key, value) in members {
                schema.set(key, value);
            }
        }
    }
    each_below(schema, flatten);
}

/// Every number as a double prints.
fn doubles(value: &mut Tree<'_>) {
    if let Tree::Literal(text) = value
        && let Ok(number) = text.parse::<f64>()
    {
        *text = Cow::Owned(number.to_string());
    }
    each_below(value, doubles);
}

/// Changes each item and member.
pub(super) fn each_below(value: &mut Tree<'_>, change: fn(&mut Tree<'_>)) {
    match value {
        Tree::Array(items) => items.iter_mut().for_each(change),
        Tree::Object(members) => members.iter_mut().for_each(|(_, value)| change(value)),
        Tree::Literal(_) | Tree::String(_) => {}
    }
}
