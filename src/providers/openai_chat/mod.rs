//! OpenAI Chat Completions and every server that speaks it.

mod dialects;
mod encode;
mod read;
mod rules;

pub(super) use encode::encode;
pub(super) use read::read;
pub(super) use rules::RULES;

use super::chat::Family;

/// The head of the family: what the shared reader does is what this API needs.
pub(super) const FAMILY: Family =
    Family { camel_case: false, envelope: None, null_id: None, empty_name: None, rules: &[] };
