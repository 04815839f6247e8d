//! OpenAI Responses, and Open Responses.

mod decode;
mod end;
mod heads;
mod item;
mod items;
mod lifecycle;
mod snapshot;
mod status;
mod text;

pub(super) use decode::Responses;
