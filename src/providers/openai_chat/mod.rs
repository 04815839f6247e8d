//! OpenAI Chat Completions and every server that speaks it.

mod decode;

pub(super) use decode::Completions;
