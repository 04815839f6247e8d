//! What an API's decoder looks like from outside, and the registry.

use super::chat::Completions;
use super::notes::{Notes, RuleNames};
use super::setup::DecodeSetup;
use super::{anthropic_messages, gemini, mistral_chat, openai_chat, openai_responses};
use crate::json::Value;
use crate::model::{Api, Problem, Step, Turn};

/// An event whose data is JSON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event<'a> {
    /// The SSE event name; empty if none.
    pub(super) name: &'a str,
    /// The data.
    pub(super) value: Value<'a>,
}

/// Where a protocol puts what it finds.
pub(super) struct Context<'a> {
    pub(super) setup: &'a DecodeSetup,
    pub(super) notes: &'a mut Notes,
    pub(super) steps: &'a mut dyn FnMut(Step<'_>),
}

impl Context<'_> {
    /// Notes an oddity; the first of each rule is kept and shown.
    pub(super) fn note(&mut self, rule: &'static str, message: impl FnOnce() -> String) {
        if let Some(diagnostic) = self.notes.add(rule, message) {
            (self.steps)(Step::Note(diagnostic));
        }
    }

    pub(super) fn step(&mut self, step: Step<'_>) {
        (self.steps)(step);
    }
}

/// What is said of an answer whose body is an array without its closing bracket.
pub(super) const OPEN_ARRAY: &str = "the array that the body is does not end";

/// How the input of a protocol ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    /// `[DONE]` came.
    pub(super) done: bool,
    /// The last event was cut in the middle of its JSON.
    pub(super) cut: bool,
    /// The body is an array that never closed: more could have followed, whatever the last event says.
    pub(super) open_array: bool,
}

/// The state machine of one API: events in, a turn out.
pub(super) trait Protocol {
    /// Takes an event.
    fn event(&mut self, event: Event<'_>, cx: &mut Context<'_>);

    /// True if an event of this name means nothing to the API, so that its data may be anything.
    fn ignores(&self, _event: &str) -> bool {
        false
    }

    /// Learns that the stream failed here. Calls that are open now stay incomplete, whatever comes later.
    fn failed(&mut self, problem: Problem, cx: &mut Context<'_>);

    /// Learns that `[DONE]` came.
    fn done(&mut self, cx: &mut Context<'_>);

    /// Ends the turn.
    fn finish(self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn;
}

/// The decoder of an API.
pub(super) fn protocol(api: Api) -> Box<dyn Protocol> {
    match api {
        Api::AnthropicMessages => Box::<anthropic_messages::Messages>::default(),
        Api::OpenaiResponses => Box::<openai_responses::Responses>::default(),
        Api::Gemini => Box::<gemini::Generation>::default(),
        Api::OpenaiChat => Box::new(Completions::new(&openai_chat::FAMILY)),
        Api::MistralChat => Box::new(Completions::new(&mistral_chat::FAMILY)),
    }
}

/// Rules that an API calls by another id than the reader it shares, or does not have.
pub(super) fn rules(api: Api) -> RuleNames {
    match api {
        Api::MistralChat => mistral_chat::FAMILY.rules,
        _ => &[],
    }
}
