//! OpenAI Chat Completions and every server that speaks it (wire sheet, sections 0, 1 and 6).

mod decode;

pub(super) use decode::Completions;
