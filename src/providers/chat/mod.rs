//! What all chat-shaped APIs share: choices, entries of `tool_calls`, reasoning, finish reasons.

mod accumulator;
mod choice;
mod completions;
mod delta;
mod entry;
mod family;
mod finish;
mod reasoning;
pub(super) mod request;

pub(super) use completions::Completions;
pub(super) use family::Family;
