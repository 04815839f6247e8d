//! Mistral's chat, a member of the chat family.
//!
//! Captures are often taken above one of Mistral's own clients, whose types fill in what the wire leaves out (`id: "null"`,
//! `index: 0`, `name: ""`), spell keys in camelCase (TypeScript) and wrap each chunk in `data`
//! (mistralai/client-ts `src/models/components/completionevent.ts`, zed-industries/zed#54058).

mod encode;
mod read;
mod rules;

pub(super) use encode::encode;
pub(super) use read::read;
pub(super) use rules::RULES;

use super::chat::Family;

pub(super) const FAMILY: Family = Family {
    camel_case: true,
    envelope: Some("data"),
    null_id: Some("MIS-011"),
    empty_name: Some("MIS-012"),
    rules: &[
        ("OAI-C-033", Some("MIS-010")),
        // Older streams leave `index` out, and a whole call needs none.
        ("OAI-C-035", None),
        ("OAI-C-036", Some("MIS-020")),
        ("OAI-C-037", Some("MIS-015")),
        ("OAI-C-040", Some("MIS-013")),
        ("OAI-C-049", Some("MIS-014")),
        ("OAI-C-056", Some("MIS-017")),
        ("OAI-C-068", Some("MIS-019")),
    ],
};
