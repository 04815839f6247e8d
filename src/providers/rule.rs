//! Rules of a provider's wire format, as data: what has to hold, how grave a breach is, who says so.
//!
//! The rules of an API are a table in its folder. A rule that looks at a request gets the neutral view of it
//! and reports each breach with the pointer to it. Rules of streams will stand in the same tables.

use std::fmt;

use super::request_view::RequestView;
use super::{anthropic_messages, gemini, mistral_chat, openai_chat, openai_responses};
use crate::model::Api;

/// How grave a breach is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The provider refuses the request, or something is lost.
    Error,
    /// It may go well, or only some servers object.
    Warning,
}

impl Severity {
    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a rule is about. Each has a check of its own (`outbound.…`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum About {
    /// Tools: their names, number and flags.
    Tools,
    /// Schemas of arguments.
    Schema,
    /// Messages: ids, pairing, order, content.
    Messages,
    /// Which tools may or must be called.
    ToolChoice,
    /// Cache markers.
    CacheControl,
    /// Headers and the path.
    Headers,
    /// The rest of the body.
    Body,
}

impl About {
    /// The check that fails with the rule, without its `outbound.`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Schema => "schema",
            Self::Messages => "messages",
            Self::ToolChoice => "tool_choice",
            Self::CacheControl => "cache_control",
            Self::Headers => "headers",
            Self::Body => "body",
        }
    }
}

/// What a rule looks at.
#[derive(Clone, Copy)]
pub enum Scope {
    /// A request.
    Request(fn(&RequestView<'_>, &mut Offences<'_>)),
}

impl Scope {
    /// The word in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Request(_) => "request",
        }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id, which stays what it is for good.
    pub id: &'static str,
    /// How grave a breach is at a server that holds to the rule.
    pub severity: Severity,
    /// Only the API's own servers are known to insist; compatible ones often do not.
    pub first_party: bool,
    /// The dialects that it is about; empty for all.
    pub dialects: &'static [&'static str],
    /// What it is about.
    pub about: About,
    /// What has to hold, in a sentence.
    pub says: &'static str,
    /// What to do about a breach.
    pub fix: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// What it looks at.
    pub scope: Scope,
}

impl Rule {
    /// A rule about requests.
    pub(super) const fn request(
        id: &'static str,
        severity: Severity,
        about: About,
        [says, fix, source]: [&'static str; 3],
        look: fn(&RequestView<'_>, &mut Offences<'_>),
    ) -> Self {
        let scope = Scope::Request(look);
        Self { id, severity, first_party: false, dialects: &[], about, says, fix, source, scope }
    }

    /// The same rule, where only the API's own servers are known to insist.
    pub(super) const fn first_party(mut self) -> Self {
        self.first_party = true;
        self
    }

    /// The same rule, for these dialects alone.
    pub(super) const fn only(mut self, dialects: &'static [&'static str]) -> Self {
        self.dialects = dialects;
        self
    }

    /// True if the rule is for this dialect.
    pub fn applies_to(&self, dialect: Option<&str>) -> bool {
        self.dialects.is_empty() || dialect.is_some_and(|dialect| self.dialects.contains(&dialect))
    }

    /// Every breach of the rule in a request.
    pub fn breaches(&self, view: &RequestView<'_>) -> Offences<'_> {
        let mut offences = Offences { rule: self, found: Vec::new(), more: 0 };
        if self.applies_to(view.dialect) {
            match self.scope {
                Scope::Request(look) => look(view, &mut offences),
            }
        }
        offences
    }
}

/// The rules of an API, in the order of their ids.
pub fn rules(api: Api) -> &'static [Rule] {
    match api {
        Api::AnthropicMessages => anthropic_messages::RULES,
        Api::OpenaiChat => openai_chat::RULES,
        Api::OpenaiResponses => openai_responses::RULES,
        Api::Gemini => gemini::RULES,
        Api::MistralChat => mistral_chat::RULES,
    }
}

/// Most breaches of one rule that are told one by one; a body of 100,000 wrong tools is told in few lines.
pub const MAX_BREACHES: usize = 50;

/// A breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offence {
    /// How grave it is: the rule's severity, or less.
    pub severity: Severity,
    /// RFC 6901 pointer into the body; of a header `header:` and its name.
    pub pointer: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// The breaches of one rule.
#[derive(Debug)]
pub struct Offences<'r> {
    rule: &'r Rule,
    /// The first of them, in order.
    pub found: Vec<Offence>,
    /// How many came after those.
    pub more: usize,
}

impl Offences<'_> {
    /// Reports a breach.
    pub(super) fn add(&mut self, pointer: &str, message: impl Into<String>) {
        self.add_at(|| pointer.to_owned(), message);
    }

    /// Reports a breach that is never more than a warning.
    pub(super) fn warn(&mut self, pointer: &str, message: impl Into<String>) {
        self.warn_at(|| pointer.to_owned(), message);
    }

    /// Reports a breach whose pointer may be long.
    pub(super) fn add_at(&mut self, pointer: impl FnOnce() -> String, message: impl Into<String>) {
        self.push(self.rule.severity, pointer, message);
    }

    /// Reports a breach that is never more than a warning, and whose pointer may be long.
    pub(super) fn warn_at(&mut self, pointer: impl FnOnce() -> String, message: impl Into<String>) {
        self.push(Severity::Warning, pointer, message);
    }

    fn push(&mut self, severity: Severity, pointer: impl FnOnce() -> String, message: impl Into<String>) {
        if self.found.len() < MAX_BREACHES {
            self.found.push(Offence { severity, pointer: pointer(), message: message.into() });
        } else {
            self.more += 1;
        }
    }
}

/// A text of the body in a message: in backticks, and cut where it is long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("`{text}`"),
        Some((at, _)) => format!("`{}…`", text.get(..at).unwrap_or("")),
    }
}
