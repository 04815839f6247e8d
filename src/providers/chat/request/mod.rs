//! Requests of the chat family: one writer, and a row of facts for each server.

mod body;
mod dialect;
mod markers;
mod messages;
mod reasoning;
mod tools;

pub(in crate::providers) use body::encode;
pub(in crate::providers) use dialect::{Dialect, Images, Parallel, Reasoning, ThinkingSwitch};
