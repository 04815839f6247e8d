//! Thinking in chat-shaped answers: plain text in one of three fields, parts of `content`, and
//! the `reasoning_details` of `OpenRouter`.

use serde_json::Value;

use super::call::RawCall;
use super::value::{full, list, restore, text, whole_number};
use crate::model::Thinking;

/// Everything that was thought in one choice.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    /// When the plain text began.
    plain_at: Option<usize>,
    plain: String,
    plain_signature: Option<String>,
    /// Entries of `reasoning_details`: when, under which key, what.
    details: Vec<(usize, i64, Value)>,
}

impl Thoughts {
    /// Takes the fields of a delta or message. Some servers send the same text in two of them, so
    /// the first that is not empty counts (wire sheet, "Reasoning echo").
    pub(super) fn take_fields(&mut self, message: &Value, at: usize) {
        let fields = ["reasoning_content", "reasoning", "reasoning_text"];
        if let Some(plain) = fields.iter().find_map(|field| full(message, field)) {
            self.plain_at.get_or_insert(at);
            self.plain.push_str(plain);
        }
        for (position, detail) in list(message, "reasoning_details").iter().enumerate() {
            let key = detail.get("index").and_then(whole_number);
            self.details.push((at, key.unwrap_or(i64::try_from(position).unwrap_or(0)), detail.clone()));
        }
    }

    /// Takes a thinking part of `content`, whose text is a string or a list of parts (Mistral).
    pub(super) fn take_part(&mut self, part: &Value, at: usize) {
        self.plain_at.get_or_insert(at);
        for field in ["thinking", "reasoning", "text"] {
            self.plain.push_str(text(part, field).unwrap_or(""));
            for inner in list(part, field) {
                self.plain.push_str(text(inner, "text").unwrap_or(""));
            }
        }
        if let Some(signature) = full(part, "signature") {
            self.plain_signature = Some(signature.to_owned());
        }
    }

    /// Adds those of another choice.
    pub(super) fn extend(&mut self, other: Self) {
        self.plain_at = self.plain_at.or(other.plain_at);
        self.plain.push_str(&other.plain);
        self.plain_signature = self.plain_signature.take().or(other.plain_signature);
        self.details.extend(other.details);
    }

    /// Hands encrypted entries that carry the id of a call over to that call.
    pub(super) fn give_signatures(&mut self, calls: &mut [RawCall]) {
        self.details.retain(|(_, _, detail)| {
            let encrypted = full(detail, "data").filter(|_| text(detail, "type") == Some("reasoning.encrypted"));
            let Some((id, data)) = full(detail, "id").zip(encrypted) else { return true };
            let Some(call) = calls.iter_mut().find(|call| call.ids.iter().any(|known| known == id)) else {
                return true;
            };
            call.signature = Some(data.to_owned());
            false
        });
    }

    /// The entries in order. Details of one key are one entry: texts joined, the signature kept
    /// (agno-agi/agno#5802). Plain text is left out when the details repeat it.
    pub(super) fn finish(self) -> Vec<Thinking> {
        let mut entries: Vec<(usize, i64, Thinking)> = Vec::new();
        for (at, key, detail) in &self.details {
            let position = entries.iter().position(|(_, known, _)| known == key).unwrap_or_else(|| {
                entries.push((*at, *key, Thinking::default()));
                entries.len() - 1
            });
            let Some((_, _, entry)) = entries.get_mut(position) else { continue };
            entry.text.push_str(text(detail, "text").or_else(|| text(detail, "summary")).unwrap_or(""));
            let owned = |field| full(detail, field).map(restore);
            entry.signature = owned("signature").or(entry.signature.take());
            entry.encrypted = owned("data").or(entry.encrypted.take());
        }
        let repeated = entries.iter().any(|(_, _, entry)| !entry.text.is_empty());
        if let Some(at) = self.plain_at.filter(|_| !repeated) {
            let plain = Thinking { text: self.plain, signature: self.plain_signature, ..Thinking::default() };
            entries.push((at, i64::MIN, plain));
        }
        entries.sort_by_key(|(at, _, _)| *at);
        let entries = entries.into_iter().map(|(_, _, entry)| Thinking { text: restore(&entry.text), ..entry });
        entries.filter(|entry| *entry != Thinking::default()).collect()
    }
}
