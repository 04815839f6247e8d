//! The thinking of one candidate.

use crate::json::{Str, TextBuffer};
use crate::model::Thinking;

/// Entries in order. Parts are joined to one entry until something ends it.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    entries: Vec<Thought>,
    /// The last entry goes on.
    open: bool,
}

#[derive(Debug, Default)]
struct Thought {
    text: TextBuffer,
    signature: Option<String>,
}

impl Thoughts {
    /// Takes text; returns what became visible.
    pub(super) fn push(&mut self, text: Str<'_>) -> &str {
        if text.is_empty() {
            return "";
        }
        self.entry().text.push(text)
    }

    /// Takes a signature, which ends the entry.
    pub(super) fn sign(&mut self, signature: String) {
        self.entry().signature = Some(signature);
        self.open = false;
    }

    /// Ends the entry.
    pub(super) fn end(&mut self) {
        self.open = false;
    }

    fn entry(&mut self) -> &mut Thought {
        if !self.open {
            self.open = true;
            self.entries.push(Thought::default());
        }
        let last = self.entries.len().saturating_sub(1);
        #[expect(clippy::indexing_slicing, reason = "an open entry is the last one")]
        &mut self.entries[last]
    }

    pub(super) fn finish(self) -> Vec<Thinking> {
        let whole =
            |entry: Thought| Thinking { text: entry.text.finish(), signature: entry.signature, ..Thinking::default() };
        self.entries.into_iter().map(whole).collect()
    }
}
