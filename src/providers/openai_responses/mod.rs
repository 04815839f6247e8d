//! OpenAI Responses, and Open Responses.

mod decode;
mod encode;
mod encode_dialects;
mod encode_groups;
mod encode_input;
mod encode_tools;
mod end;
mod heads;
mod item;
mod items;
mod lifecycle;
mod read;
mod rules;
mod snapshot;
mod status;
mod text;

pub(super) use decode::Responses;
pub(super) use encode::encode;
pub(super) use read::read;
pub(super) use rules::RULES;
