//! The model's own thinking, in the places where chat servers want it back.

use super::dialect::Reasoning;
use crate::json::Writer;
use crate::model::ThinkingBlock;

/// A block of thinking that goes back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thought<'r> {
    text: &'r str,
    signature: Option<&'r str>,
    encrypted: Option<&'r str>,
    item: Option<&'r str>,
}

impl<'r> Thought<'r> {
    /// A block of a conversation, if there is anything in it.
    pub(super) fn of(block: &'r ThinkingBlock) -> Option<Self> {
        let encrypted = block.encrypted.as_deref().or(block.redacted.as_deref());
        let thought = Self {
            text: &block.thinking,
            signature: block.signature.as_deref(),
            encrypted,
            item: block.item_id.as_deref(),
        };
        (!thought.text.is_empty() || thought.signature.is_some() || encrypted.is_some()).then_some(thought)
    }

    /// The texts, joined by line ends.
    fn joined(thoughts: &[Self]) -> String {
        thoughts.iter().map(|thought| thought.text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// What stands before the text of the message: `<think>…</think>`, or nothing.
    pub(super) fn tagged(thoughts: &[Self], reasoning: Reasoning) -> String {
        let text = if reasoning == Reasoning::Tag { Self::joined(thoughts) } else { String::new() };
        if text.is_empty() { text } else { format!("<think>{text}</think>") }
    }

    /// Writes the field that holds the text, where the dialect has one. A server that thinks wants it in every message and takes
    /// an empty one; one that was told not to think does not read it.
    pub(super) fn write_field(
        thoughts: &[Self],
        reasoning: Reasoning,
        thinking: Option<bool>,
        has_calls: bool,
        w: &mut Writer,
    ) {
        let (field, required) = match reasoning {
            Reasoning::Field(field) => (field, false),
            Reasoning::Required { field, calls_only } => (field, has_calls || !calls_only),
            _ => return,
        };
        let text = Self::joined(thoughts);
        if thinking != Some(false) && (required || !text.is_empty()) {
            w.member(field, &text);
        }
    }

    /// Writes `reasoning_details`, and opaque state of calls with the ids that they have now.
    pub(super) fn write_details<'c>(
        thoughts: &[Self],
        calls: impl Iterator<Item = (&'c str, &'c str)>,
        w: &mut Writer,
    ) {
        let mut calls = calls.peekable();
        if thoughts.is_empty() && calls.peek().is_none() {
            return;
        }
        w.key("reasoning_details");
        w.array(|w| {
            for thought in thoughts {
                if !thought.text.is_empty() || thought.signature.is_some() {
                    w.object(|w| {
                        w.member("type", "reasoning.text");
                        w.member("text", thought.text);
                        w.optional("signature", thought.signature);
                    });
                }
                if let Some(data) = thought.encrypted {
                    w.object(|w| {
                        w.member("type", "reasoning.encrypted");
                        w.member("data", data);
                        w.optional("id", thought.item);
                    });
                }
            }
            for (id, data) in calls {
                w.object(|w| {
                    w.member("type", "reasoning.encrypted");
                    w.member("data", data);
                    w.member("id", id);
                });
            }
        });
    }

    /// Writes `thinking` chunks of a content list.
    pub(super) fn write_chunks(thoughts: &[Self], w: &mut Writer) {
        for thought in thoughts.iter().filter(|thought| !thought.text.is_empty()) {
            w.object(|w| {
                w.member("type", "thinking");
                w.key("thinking");
                w.array(|w| {
                    w.object(|w| {
                        w.member("type", "text");
                        w.member("text", thought.text);
                    });
                });
                // mistralai/client-python 3.7.0 `models/thinkchunk.py`.
                w.optional("signature", thought.signature);
            });
        }
    }
}
