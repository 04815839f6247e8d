//! OpenAI Chat Completions and every server that speaks it.

mod decode;
mod read;
mod rules;

pub(super) use decode::Completions;
pub(super) use read::read;
pub(super) use rules::RULES;
