//! Gemini `generateContent` and `streamGenerateContent`: AI Studio, Vertex, Code Assist, and servers that speak it.

mod call;
mod candidate;
mod decode;
mod encode;
mod encode_contents;
mod encode_dialects;
mod encode_model;
mod finish;
mod keys;
mod members;
mod partial;
mod path;
mod piece;
mod thoughts;

pub(super) use decode::Generation;
pub(super) use encode::encode;
