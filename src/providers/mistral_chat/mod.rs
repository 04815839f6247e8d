//! Mistral's chat API.

mod read;
mod rules;

pub(super) use read::read;
pub(super) use rules::RULES;
