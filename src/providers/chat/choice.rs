//! One choice of a chat answer, streamed or whole.

use super::super::calls::{CallRules, Fate, settle};
use super::super::protocol::{Context, Ended, OPEN_ARRAY};
use super::accumulator::{Accumulator, Clock};
use super::delta::{ChoiceBody, ChoiceView, Delta};
use super::entry::Entry;
use super::family::Family;
use super::finish::{Finish, finish};
use super::reasoning::Reasoning;
use crate::json::{TextBuffer, Value};
use crate::model::{Problem, ProblemKind, Step, Stop, Turn};

const CALL_RULES: CallRules = CallRules {
    missing_id: "OAI-C-033",
    duplicate_id: "OAI-C-039",
    no_arguments: Some("OAI-C-042"),
    leading_empty: "OAI-C-043",
    repeated: "OAI-C-044",
    cumulative: "QWN-002",
    duplicate_keys: "OAI-C-041",
    undeclared: "OAI-C-045",
    copies: Some("OAI-C-039"),
};

/// What went wrong with an answer as a whole.
#[derive(Debug)]
pub(super) struct Failures<'a> {
    pub(super) problems: &'a [Problem],
    /// The provider reported one of them, which explains why the end did not come.
    pub(super) reported: bool,
}

/// What one choice has said so far.
#[derive(Debug, Default)]
pub(super) struct Choice {
    calls: Accumulator,
    text: TextBuffer,
    reasoning: Reasoning,
    refusal: TextBuffer,
    /// The gravest finish reason so far, with its word.
    finish: Option<(Finish, String)>,
    /// A finish reason that was the empty string.
    empty_finish: bool,
}

impl Choice {
    /// Takes a choice of a chunk or of a whole answer.
    pub(super) fn push(&mut self, choice: &ChoiceView<'_>, family: &Family, clock: &mut Clock, cx: &mut Context<'_>) {
        match choice.body {
            ChoiceBody::Delta(delta) => {
                let delta = Delta::read(delta, family);
                self.content(&delta, cx);
                self.calls_of(&delta, family, cx, |calls, entry, cx| calls.push(entry, clock, cx));
            }
            ChoiceBody::Message(message) => {
                let message = Delta::read(message, family);
                self.content(&message, cx);
                self.calls_of(&message, family, cx, |calls, entry, cx| calls.push_whole(entry, clock, cx));
            }
            ChoiceBody::Neither => cx.note("OAI-C-058", || "a choice has no delta".to_owned()),
        }
        if let Some(reason) = choice.finish_reason.and_then(Value::to_text) {
            self.finish_reason(&reason, clock, cx);
        }
    }

    fn calls_of(
        &mut self,
        delta: &Delta<'_>,
        family: &Family,
        cx: &mut Context<'_>,
        mut take: impl FnMut(&mut Accumulator, &Entry<'_>, &mut Context<'_>),
    ) {
        for entry in delta.tool_calls.into_iter().flat_map(Value::items) {
            if let Some(entry) = Entry::read(entry, family, cx) {
                take(&mut self.calls, &entry, cx);
            }
        }
        // Beside `tool_calls` the deprecated field is the same call once more.
        let beside = delta.tool_calls.is_some_and(|calls| calls.items().next().is_some());
        let legacy = delta.function_call.filter(|_| !beside);
        if let Some(entry) = legacy.and_then(|call| Entry::read_legacy(call, cx)) {
            take(&mut self.calls, &entry, cx);
        }
    }

    fn content(&mut self, delta: &Delta<'_>, cx: &mut Context<'_>) {
        self.reasoning.push(delta, cx);
        if let Some(content) = delta.content {
            if let Some(text) = content.as_str() {
                self.say(text, cx);
            }
            for part in content.items() {
                cx.note("OAI-C-068", || "content is a list of parts".to_owned());
                let kind = part.get("type").and_then(Value::to_text);
                match kind.as_deref() {
                    Some("thinking" | "reasoning") => self.reasoning.push_part(part, cx),
                    Some("refusal") => {
                        if let Some(text) = part.get("refusal").and_then(Value::as_str) {
                            self.refusal.push(text);
                        }
                    }
                    _ => {
                        if let Some(text) = part.get("text").and_then(Value::as_str) {
                            self.say(text, cx);
                        }
                    }
                }
            }
        }
        if let Some(text) = delta.refusal {
            self.refusal.push(text);
        }
    }

    fn say(&mut self, text: crate::json::Str<'_>, cx: &mut Context<'_>) {
        if !text.is_empty() {
            cx.step(Step::Text(self.text.push(text)));
        }
    }

    fn finish_reason(&mut self, reason: &str, clock: &Clock, cx: &mut Context<'_>) {
        if reason.is_empty() {
            cx.note("OAI-C-049", || "finish_reason is the empty string".to_owned());
            self.empty_finish = true;
            return;
        }
        let meaning = finish(reason).unwrap_or_else(|| {
            cx.note("OAI-C-049", || format!("unknown finish_reason `{reason}`"));
            Finish::Clean
        });
        self.calls.end(meaning, clock);
        if self.finish.as_ref().is_none_or(|(before, _)| *before < meaning) {
            self.finish = Some((meaning, reason.to_owned()));
        }
    }

    /// The stream failed here.
    pub(super) fn fail(&mut self) {
        self.calls.fail();
    }

    /// Ends the choice as the turn number `position` of the answer. `failures` are those of the whole answer.
    pub(super) fn end(mut self, position: u32, ended: Ended, failures: &Failures<'_>, cx: &mut Context<'_>) -> Turn {
        for (id, data) in std::mem::take(&mut self.reasoning.for_calls) {
            if !self.calls.sign(&id, &data) {
                self.reasoning.push_encrypted(data);
            }
        }
        let finish = self.finish.as_ref().map(|(finish, _)| *finish);
        let word = self.finish.as_ref().map_or("", |(_, word)| word.as_str());
        let refused = !self.refusal.is_empty();
        let mut errors = failures.problems.to_vec();
        match finish {
            Some(Finish::Failed) if errors.is_empty() => {
                errors.push(
                    Problem::new(ProblemKind::ProviderError)
                        .reason(word)
                        .message(format!("the provider ended with finish_reason `{word}`")),
                );
            }
            Some(Finish::Failed) => {}
            _ if ended.open_array && !failures.reported => {
                errors.push(Problem::new(ProblemKind::IncompleteStream).message(OPEN_ARRAY));
            }
            None if !(failures.reported || ended.done && self.empty_finish) => {
                let message = match (ended.cut, ended.done) {
                    (true, _) => "the stream was cut inside an event",
                    (false, true) => "the stream ended without a finish_reason",
                    (false, false) => "the stream ended before a finish_reason",
                };
                errors.push(Problem::new(ProblemKind::IncompleteStream).message(message));
            }
            // A call that begins after the end is cut off like any other.
            Some(Finish::Clean) if self.calls.has_open(ended.done) && !failures.reported => {
                let message = "the stream goes on with a call after the finish_reason, and has no end";
                errors.push(Problem::new(ProblemKind::IncompleteStream).message(message));
            }
            _ => {}
        }
        // A refusal voids every call, whatever else went wrong.
        let blocked = refused || finish == Some(Finish::Filtered);
        let stop = match finish {
            _ if !errors.is_empty() => Stop::Error,
            _ if blocked => Stop::Refusal,
            Some(Finish::Length) => Stop::Length,
            _ => Stop::Stop,
        };
        let mut turn = Turn::empty(stop);
        let open = if stop == Stop::Length { Fate::Truncated } else { Fate::Incomplete };
        let calls = if blocked { Vec::new() } else { self.calls.finish(ended.done, open, cx) };
        let settled = settle(calls, position, &CALL_RULES, cx);
        if blocked {
            let text = self.refusal.finish();
            let problem = Problem::new(ProblemKind::Blocked);
            errors.push(if refused {
                problem.reason("refusal").message(text)
            } else {
                problem.reason(word).message("a filter stopped the output")
            });
        }
        if stop == Stop::Stop && settled.requested > 0 {
            turn.stop = Stop::ToolUse;
            if word == "stop" {
                cx.note("OAI-C-050", || "finish_reason is `stop` although calls were made".to_owned());
            }
        } else if stop == Stop::Stop && word == "tool_calls" {
            cx.note("OAI-C-051", || "finish_reason is `tool_calls` without a call".to_owned());
        }
        errors.extend(settled.errors);
        turn.calls = settled.calls;
        turn.incomplete = settled.incomplete;
        turn.text = self.text.finish();
        turn.thinking = self.reasoning.finish();
        turn.errors = errors;
        cx.step(Step::Stop(turn.stop));
        turn
    }
}

/// Joins choices that are parts of one answer: no two with text, no two with calls. Otherwise they stay as they are.
pub(super) fn merge_disjoint(choices: Vec<Choice>) -> Vec<Choice> {
    let with_text = choices.iter().filter(|choice| !choice.text.is_empty()).count();
    let with_calls = choices.iter().filter(|choice| !choice.calls.is_empty()).count();
    if with_text > 1 || with_calls > 1 {
        return choices;
    }
    let merged = choices.into_iter().reduce(|mut first, other| {
        first.calls.append(other.calls);
        first.text.push_str(&other.text.finish());
        first.reasoning.append(other.reasoning);
        first.refusal.push_str(&other.refusal.finish());
        first.empty_finish |= other.empty_finish;
        first.finish = match (first.finish, other.finish) {
            (Some(a), Some(b)) if b.0 > a.0 => Some(b),
            (a, b) => a.or(b),
        };
        first
    });
    merged.into_iter().collect()
}
