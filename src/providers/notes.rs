//! Diagnostics, the first of each rule.

use crate::model::Diagnostic;

/// What was tolerated so far. A server that bends a rule does so in every chunk; one note says it.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Diagnostic>);

impl Notes {
    /// Adds a note unless the rule has one; returns it if it is new.
    pub(super) fn add(&mut self, rule: &'static str, message: impl FnOnce() -> String) -> Option<&Diagnostic> {
        if self.0.iter().any(|note| note.rule == rule) {
            return None;
        }
        self.0.push(Diagnostic { rule, message: message() });
        self.0.last()
    }

    /// All of them, in order of first appearance.
    pub(super) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.0)
    }
}
