//! Reasoning, in the places where chat dialects put it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::protocol::Context;
use super::delta::Delta;
use crate::json::{TextBuffer, Value};
use crate::model::{Step, Thinking};

/// The thinking of one choice.
#[derive(Debug, Default)]
pub(super) struct Reasoning {
    entries: Vec<ReasoningEntry>,
    /// Positions of the entries that have a key.
    by_key: HashMap<Option<i64>, usize>,
    /// Encrypted pieces that name a call, with that id.
    pub(super) for_calls: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct ReasoningEntry {
    text: TextBuffer,
    signature: Option<String>,
    encrypted: Option<String>,
}

impl Reasoning {
    /// Reads the reasoning of a delta or message.
    pub(super) fn push(&mut self, delta: &Delta<'_>, cx: &mut Context<'_>) {
        let mut detailed = false;
        for (place, detail) in (0..).zip(delta.reasoning_details.into_iter().flat_map(Value::items)) {
            detailed |= self.detail(place, detail, cx);
        }
        if let Some(text) = delta.reasoning.filter(|_| !detailed) {
            let shown = self.entry(None).text.push(text);
            cx.step(Step::Thinking(shown));
        }
    }

    /// Appends a thinking part of a content list.
    pub(super) fn push_part(&mut self, part: Value<'_>, cx: &mut Context<'_>) {
        let inner = part.some("thinking").or_else(|| part.some("text"));
        let texts = inner.into_iter().flat_map(|inner| {
            let items = inner.items().filter_map(|item| item.get("text"));
            items.chain(inner.as_str().map(|_| inner))
        });
        for text in texts.filter_map(Value::as_str).filter(|text| !text.is_empty()) {
            let shown = self.entry(None).text.push(text);
            cx.step(Step::Thinking(shown));
        }
        if let Some(signature) = part.text_of("signature") {
            self.entry(None).signature = Some(signature.into_owned());
        }
    }

    /// OpenRouter's details: pieces of one index belong together, or of one place where there is no index.
    /// True if it held text.
    fn detail(&mut self, place: i64, detail: Value<'_>, cx: &mut Context<'_>) -> bool {
        let key = detail.get("index").and_then(Value::as_i64).unwrap_or(place);
        if let Some(data) = detail.text_of("data") {
            match detail.text_of("id") {
                Some(id) => self.for_calls.push((id.into_owned(), data.into_owned())),
                None => self.entry(Some(key)).encrypted = Some(data.into_owned()),
            }
        }
        if let Some(signature) = detail.text_of("signature") {
            self.entry(Some(key)).signature = Some(Cow::into_owned(signature));
        }
        let text = detail.some("text").or_else(|| detail.some("summary")).and_then(Value::as_str);
        let Some(text) = text.filter(|text| !text.is_empty()) else { return false };
        let shown = self.entry(Some(key)).text.push(text);
        cx.step(Step::Thinking(shown));
        true
    }

    fn entry(&mut self, key: Option<i64>) -> &mut ReasoningEntry {
        let at = *self.by_key.entry(key).or_insert_with(|| {
            self.entries.push(ReasoningEntry::default());
            self.entries.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "the position was just found or made")]
        &mut self.entries[at]
    }

    /// Adds encrypted thinking that belongs to no call.
    pub(super) fn push_encrypted(&mut self, data: String) {
        self.entries.push(ReasoningEntry { encrypted: Some(data), ..ReasoningEntry::default() });
    }

    /// Moves the thinking of another choice behind the own.
    pub(super) fn append(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.for_calls.extend(other.for_calls);
    }

    pub(super) fn finish(self) -> Vec<Thinking> {
        let whole = |entry: ReasoningEntry| Thinking {
            text: entry.text.finish(),
            signature: entry.signature,
            item_id: None,
            encrypted: entry.encrypted,
        };
        self.entries.into_iter().map(whole).collect()
    }
}
