//! OpenAI Responses, and Open Responses.

mod decode;
mod encode;
mod encode_dialects;
mod encode_groups;
mod encode_input;
mod encode_tools;
mod end;
mod item;
mod items;
mod snapshot;
mod status;

pub(super) use decode::Responses;
pub(super) use encode::encode;
