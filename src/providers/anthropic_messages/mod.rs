//! Anthropic Messages, first-party and compatible servers.

mod blocks;
mod decode;
mod read;
mod rules;
mod stop;

pub(super) use decode::Messages;
pub(super) use read::read;
pub(super) use rules::RULES;
