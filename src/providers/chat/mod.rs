//! What all chat-shaped APIs share: choices, entries of `tool_calls`, reasoning, finish reasons.

mod accumulator;
mod choice;
mod completions;
mod delta;
mod entry;
mod family;
mod finish;
mod pairing;
mod read;
mod reasoning;
pub(super) mod request;

pub(super) use completions::Completions;
pub(super) use family::Family;
pub(super) use pairing::exchanges;
pub(super) use read::{name_of, read};
