//! Anthropic Messages, first-party and compatible servers.

mod blocks;
mod decode;
mod stop;

pub(super) use decode::Messages;
