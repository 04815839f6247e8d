//! Diagnostics, the first of each rule.

use crate::model::Diagnostic;

/// Rules by the id that a shared reader knows, and the id that an API calls them by; `None` where it has no such rule.
pub(super) type RuleNames = &'static [(&'static str, Option<&'static str>)];

/// What was tolerated so far. A server that bends a rule does so in every chunk; one note says it.
#[derive(Debug)]
pub(super) struct Notes {
    list: Vec<Diagnostic>,
    names: RuleNames,
}

impl Notes {
    pub(super) fn new(names: RuleNames) -> Self {
        Self { list: Vec::new(), names }
    }

    /// Adds a note unless the rule has one; returns it if it is new.
    pub(super) fn add(&mut self, rule: &'static str, message: impl FnOnce() -> String) -> Option<&Diagnostic> {
        let rule = self.names.iter().find(|(shared, _)| *shared == rule).map_or(Some(rule), |(_, name)| *name)?;
        if self.list.iter().any(|note| note.rule == rule) {
            return None;
        }
        self.list.push(Diagnostic { rule, message: message() });
        self.list.last()
    }

    /// All of them, in order of first appearance.
    pub(super) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.list)
    }
}
