//! Gemini `generateContent` and `streamGenerateContent`.

mod read;
mod rules;

pub(super) use read::read;
pub(super) use rules::{RULES, signs_calls};
