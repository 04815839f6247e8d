//! What all chat-shaped APIs share: choices, entries of `tool_calls`, reasoning, finish reasons.

mod accumulator;
mod choice;
mod delta;
mod entry;
mod finish;
mod pairing;
mod read;
mod reasoning;

pub(super) use accumulator::Clock;
pub(super) use choice::{Choice, Failures, merge_disjoint};
pub(super) use delta::ChoiceView;
pub(super) use pairing::exchanges;
pub(super) use read::{name_of, read};
