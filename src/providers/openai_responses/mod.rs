//! OpenAI Responses, and Open Responses.

mod decode;
mod end;
mod item;
mod items;
mod read;
mod rules;
mod snapshot;
mod status;

pub(super) use decode::Responses;
pub(super) use read::read;
pub(super) use rules::RULES;
