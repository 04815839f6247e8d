//! What all chat-shaped APIs share: choices, entries of `tool_calls`, reasoning, finish reasons.

mod accumulator;
mod choice;
mod delta;
mod entry;
mod finish;
mod reasoning;

pub(super) use accumulator::Clock;
pub(super) use choice::{Choice, Failures, merge_disjoint};
pub(super) use delta::ChoiceView;
