//! Anthropic Messages, first-party and compatible servers.

mod blocks;
mod cache;
mod decode;
mod read;
mod rules;
mod dialects;
mod encode;
mod messages;
mod stop;
mod tools;

pub(super) use decode::Messages;
pub(super) use read::read;
pub(super) use rules::RULES;
pub(super) use encode::encode;
