//! Anthropic Messages, first-party and compatible servers.

mod blocks;
mod cache;
mod decode;
mod dialects;
mod encode;
mod messages;
mod read;
mod rules;
mod stop;
mod tools;

pub(super) use decode::Messages;
pub(super) use encode::encode;
pub(super) use read::read;
pub(super) use rules::RULES;
