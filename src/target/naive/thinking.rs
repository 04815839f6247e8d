//! Thinking in chat-shaped answers: plain text in one of three fields, parts of `content`, and
//! the `reasoning_details` of `OpenRouter`.

use serde_json::Value;

use super::call::RawCall;
use super::value::{full, list, restore, some, text, whole_number};
use crate::model::Thinking;

/// One piece of thinking.
#[derive(Debug, Clone, Default)]
struct Piece {
    /// The choice that it came in.
    choice: usize,
    /// The key of its `reasoning_details` entry; plain text has none.
    key: Option<i64>,
    text: String,
    signature: Option<String>,
    encrypted: Option<String>,
    /// The call that it is the signature of.
    of_call: Option<String>,
}

/// Everything that was thought in one choice, in order.
#[derive(Debug, Default)]
pub(super) struct Thoughts(Vec<Piece>);

impl Thoughts {
    /// Takes the fields of a delta or message. Some servers send the same text in two of them, so
    /// the first that is not empty counts, details before plain text.
    pub(super) fn take_fields(&mut self, message: &Value) {
        let mut told = false;
        for (position, detail) in (0..).zip(list(message, "reasoning_details")) {
            let said = ["text", "summary"].iter().find_map(|field| some(detail, field)).and_then(Value::as_str);
            let piece = Piece {
                key: Some(detail.get("index").and_then(whole_number).unwrap_or(position)),
                text: said.unwrap_or("").to_owned(),
                signature: full(detail, "signature").map(str::to_owned),
                ..Piece::default()
            };
            told |= !piece.text.is_empty();
            let data = full(detail, "data").map(str::to_owned);
            let of_call = full(detail, "id").filter(|_| data.is_some()).map(str::to_owned);
            match of_call {
                Some(_) => {
                    self.0.push(piece);
                    self.0.push(Piece { encrypted: data, of_call, ..Piece::default() });
                }
                None => self.0.push(Piece { encrypted: data, ..piece }),
            }
        }
        let fields = ["reasoning_content", "reasoning", "reasoning_text"];
        if let Some(plain) = fields.iter().find_map(|field| full(message, field)).filter(|_| !told) {
            self.0.push(Piece { text: plain.to_owned(), ..Piece::default() });
        }
    }

    /// Takes a thinking part of `content`, whose text is a string or a list of parts (Mistral). It may be signed.
    pub(super) fn take_part(&mut self, part: &Value) {
        let inner = ["thinking", "text"].iter().find_map(|field| some(part, field)).unwrap_or(&Value::Null);
        let parts = inner.as_array().into_iter().flatten().filter_map(|part| text(part, "text"));
        let whole: String = parts.chain(inner.as_str()).collect();
        let signature = full(part, "signature").map(str::to_owned);
        self.0.push(Piece { text: whole, signature, ..Piece::default() });
    }

    /// Adds those of another choice.
    pub(super) fn extend(&mut self, other: Self) {
        let choice = self.0.iter().map(|piece| piece.choice + 1).max().unwrap_or(0);
        self.0.extend(other.0.into_iter().map(|piece| Piece { choice: piece.choice + choice, ..piece }));
    }

    /// Hands encrypted pieces that carry the id of a call over to that call.
    pub(super) fn give_signatures(&mut self, calls: &mut [RawCall]) {
        self.0.retain(|piece| {
            let Some(id) = &piece.of_call else { return true };
            let Some(call) = calls.iter_mut().rev().find(|call| call.id.as_ref() == Some(id)) else { return true };
            call.signature.clone_from(&piece.encrypted);
            false
        });
    }

    /// The entries in order. Pieces of one key are one entry: texts joined, the signature kept
    /// (agno-agi/agno#5802). What was to sign a call that never came stands last.
    pub(super) fn finish(self) -> Vec<Thinking> {
        let says = |piece: &Piece| !piece.text.is_empty() || piece.signature.is_some() || piece.encrypted.is_some();
        let (lost, own): (Vec<Piece>, Vec<Piece>) =
            self.0.into_iter().filter(says).partition(|piece| piece.of_call.is_some());
        let mut entries: Vec<Piece> = Vec::new();
        for piece in own {
            match entries.iter_mut().find(|entry| (entry.choice, entry.key) == (piece.choice, piece.key)) {
                Some(entry) => {
                    entry.text.push_str(&piece.text);
                    entry.signature = piece.signature.or(entry.signature.take());
                    entry.encrypted = piece.encrypted.or(entry.encrypted.take());
                }
                None => entries.push(piece),
            }
        }
        let shown = |piece: Piece| Thinking {
            text: restore(&piece.text),
            signature: piece.signature.as_deref().map(restore),
            encrypted: piece.encrypted.as_deref().map(restore),
            item_id: None,
        };
        entries.into_iter().chain(lost).map(shown).collect()
    }
}
