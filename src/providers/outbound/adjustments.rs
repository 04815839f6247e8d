//! What was left out or rewritten, collected while a request is encoded.

use std::collections::HashSet;

use super::super::encoder::Adjustment;
use crate::model::Request;

/// The adjustments so far, in order, each once.
#[derive(Debug, Default)]
pub(in crate::providers) struct Adjustments {
    list: Vec<Adjustment>,
    seen: HashSet<Adjustment>,
}

impl Adjustments {
    /// Those that were made when the request was read.
    pub(in crate::providers) fn for_request(request: &Request) -> Self {
        let mut adjustments = Self::default();
        if request.mended_surrogates {
            adjustments.add("surrogates-left-out", "halves of surrogate pairs are left out: no provider takes them");
        }
        adjustments
    }

    /// Says that the API keeps no responses that a request could go on from.
    pub(in crate::providers) fn no_stored_responses(&mut self, request: &Request) {
        if request.previous_response_id.is_some() {
            self.add("previous-response-left-out", "`previousResponseId` is left out: the API keeps no responses");
        }
    }

    /// Adds one about the request as a whole.
    pub(in crate::providers) fn add(&mut self, rule: &'static str, message: impl Into<String>) {
        self.push(rule, message.into(), None, None);
    }

    /// Adds one about a tool.
    pub(in crate::providers) fn tool(
        &mut self,
        rule: &'static str,
        message: impl Into<String>,
        index: usize,
        name: Option<&str>,
    ) {
        self.push(rule, message.into(), name.map(str::to_owned), Some(format!("/tools/{index}")));
    }

    /// Adds one about the name of a tool.
    pub(in crate::providers) fn named(&mut self, rule: &'static str, message: impl Into<String>, name: &str) {
        self.push(rule, message.into(), Some(name.to_owned()), None);
    }

    /// Adds one about a message.
    pub(in crate::providers) fn message(&mut self, rule: &'static str, message: impl Into<String>, index: usize) {
        self.push(rule, message.into(), None, Some(format!("/messages/{index}")));
    }

    fn push(&mut self, rule: &'static str, message: String, tool: Option<String>, pointer: Option<String>) {
        let adjustment = Adjustment { rule, message, tool, pointer };
        if self.seen.insert(adjustment.clone()) {
            self.list.push(adjustment);
        }
    }

    /// All of them.
    pub(in crate::providers) fn finish(self) -> Vec<Adjustment> {
        self.list
    }
}
