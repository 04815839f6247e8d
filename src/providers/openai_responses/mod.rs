//! OpenAI Responses, and Open Responses.

mod decode;
mod end;
mod item;
mod items;
mod snapshot;
mod status;

pub(super) use decode::Responses;
