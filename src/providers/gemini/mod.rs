//! Gemini `generateContent` and `streamGenerateContent`: AI Studio, Vertex, Code Assist, and servers that speak it.

mod call;
mod candidate;
mod decode;
mod finish;
mod keys;
mod partial;
mod path;
mod piece;
mod read;
mod rules;
mod thoughts;

pub(super) use decode::Generation;
pub(super) use read::read;
pub(super) use rules::{RULES, signs_calls};
