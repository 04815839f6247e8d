//! Gemini `generateContent` and `streamGenerateContent`: AI Studio, Vertex, Code Assist, and servers that speak it.

mod call;
mod candidate;
mod decode;
mod encode;
mod encode_contents;
mod encode_dialects;
mod finish;
mod keys;
mod members;
mod model;
mod partial;
mod path;
mod piece;
mod read;
mod rules;
mod thoughts;

pub(super) use decode::Generation;
pub(super) use encode::encode;
pub(super) use model::{PLACEHOLDER, signs_calls};
pub(super) use read::read;
pub(super) use rules::RULES;
