//! Responses, one or a stream of them, to a turn.

use super::super::error_body;
use super::super::problems::Problems;
use super::super::protocol::{Context, Ended, Event, Protocol};
use super::candidate::{Candidate, Failures};
use super::finish::block_reason;
use super::keys::either;
use crate::json::{Kind, Value};
use crate::model::{Problem, ProblemKind, Stop, Turn, Usage};

/// How many candidates are read; Google gives eight at most (`candidateCount`).
const MAX_CANDIDATES: usize = 128;

/// Reads what `generateContent` and `streamGenerateContent` answer.
#[derive(Debug, Default)]
pub(in super::super) struct Generation {
    /// The candidates by their index, in order of first appearance.
    candidates: Vec<(i64, Candidate)>,
    problems: Problems,
    tokens: Option<Tokens>,
    /// Calls of all candidates.
    calls: usize,
    /// The prompt was blocked.
    blocked: bool,
    /// `[DONE]` came: what follows is not read.
    done: bool,
}

/// Running totals; the thoughts are counted apart from the rest of the output.
#[derive(Debug, Default)]
struct Tokens {
    prompt: Option<u64>,
    candidates: Option<u64>,
    thoughts: Option<u64>,
    cached: Option<u64>,
}

impl Protocol for Generation {
    fn event(&mut self, event: Event<'_>, cx: &mut Context<'_>) {
        if self.done {
            return;
        }
        if event.name == "error" {
            self.failed(error_body::read(event.value), cx);
        } else if !event.name.is_empty() {
            cx.note("GGL-S-002", || format!("an event has the name `{}`", event.name));
        }
        if event.value.kind() == Kind::Object {
            return self.response(event.value, cx);
        }
        // An array stands for its elements, at any depth.
        let mut rest = vec![event.value];
        while let Some(value) = rest.pop() {
            match value.kind() {
                Kind::Object => self.response(value, cx),
                kind => cx.note("GGL-S-001", || format!("an event is {}, not an object", kind.article())),
            }
            let next = rest.len();
            rest.extend(value.items());
            if let Some(items) = rest.get_mut(next..) {
                items.reverse();
            }
        }
    }

    fn failed(&mut self, problem: Problem, _cx: &mut Context<'_>) {
        if self.done {
            return;
        }
        self.problems.add(problem);
        self.candidates.iter_mut().for_each(|(_, candidate)| candidate.fail());
    }

    fn done(&mut self, cx: &mut Context<'_>) {
        cx.note("GGL-S-002", || "`[DONE]` in the stream".to_owned());
        self.done = true;
    }

    fn finish(self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn {
        let Self { mut candidates, problems, tokens, blocked, .. } = *self;
        if blocked && !candidates.is_empty() {
            cx.note("GGL-S-036", || "candidates beside a blocked prompt".to_owned());
        }
        if candidates.is_empty() {
            candidates.push((0, Candidate::default()));
        }
        candidates.sort_by_key(|(index, _)| *index);
        let explained = blocked || problems.explain_the_end();
        let problems = problems.finish();
        let failures = Failures { problems: &problems, explained, blocked };
        let turn =
            |(position, (_, candidate)): (u32, (i64, Candidate))| candidate.finish(position, ended, &failures, cx);
        let mut turns = (0u32..).zip(candidates).map(turn);
        let mut turn = turns.next().unwrap_or_else(|| Turn::empty(Stop::Error));
        turn.choices = turns.collect();
        turn.usage = tokens.map(Tokens::usage);
        turn
    }
}

impl Generation {
    fn response(&mut self, body: Value<'_>, cx: &mut Context<'_>) {
        // Code Assist wraps the response.
        if let Some(response) = body.some("response").filter(|response| response.kind() == Kind::Object) {
            if error_body::find(body).is_some() {
                self.failed(error_body::read(body), cx);
            }
            return self.content(response, cx);
        }
        self.content(body, cx);
    }

    fn content(&mut self, body: Value<'_>, cx: &mut Context<'_>) {
        let [error, candidates, feedback, feedback_snake, usage, usage_snake] =
            body.pick(["error", "candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata"]);
        let reported = if error.is_some() || candidates.is_none() { error_body::reported(body) } else { None };
        if let Some(problem) = reported {
            self.failed(problem, cx);
        }
        if let Some(feedback) = either(feedback, feedback_snake, cx) {
            self.feedback(feedback, cx);
        }
        if let Some(usage) = either(usage, usage_snake, cx).filter(|usage| usage.kind() == Kind::Object) {
            self.tokens.get_or_insert_default().update(usage, cx);
        }
        for (place, candidate) in (0..).zip(candidates.into_iter().flat_map(Value::items)) {
            if candidate.kind() == Kind::Object {
                self.candidate(place, candidate, cx);
            }
        }
    }

    fn candidate(&mut self, place: i64, candidate: Value<'_>, cx: &mut Context<'_>) {
        let number = |index: Value<'_>| index.as_i64().or_else(|| index.to_text()?.parse().ok());
        let index = candidate.get("index").and_then(number).unwrap_or(place);
        let known = self.candidates.iter().position(|(known, _)| *known == index);
        if known.is_none() {
            if self.candidates.len() >= MAX_CANDIDATES {
                let text = format!("more than {MAX_CANDIDATES} candidates");
                return self.problems.add(Problem::new(ProblemKind::ProtocolViolation).message(text));
            }
            self.candidates.push((index, Candidate::default()));
        }
        let at = known.unwrap_or(self.candidates.len().saturating_sub(1));
        if let Some((_, state)) = self.candidates.get_mut(at) {
            state.push(candidate, &mut self.calls, cx);
        }
    }

    fn feedback(&mut self, feedback: Value<'_>, cx: &mut Context<'_>) {
        let [reason, reason_snake, message, message_snake] =
            feedback.pick(["blockReason", "block_reason", "blockReasonMessage", "block_reason_message"]);
        let Some(reason) = either(reason, reason_snake, cx).and_then(block_reason) else { return };
        let message = either(message, message_snake, cx).and_then(Value::to_text).filter(|text| !text.is_empty());
        let message = message.map_or_else(|| format!("the prompt was blocked: {reason}"), std::borrow::Cow::into_owned);
        self.problems.add(Problem::new(ProblemKind::Blocked).reason(reason).message(message));
        self.blocked = true;
    }
}

impl Tokens {
    fn update(&mut self, usage: Value<'_>, cx: &mut Context<'_>) {
        let [prompt, prompt_snake, candidates, candidates_snake] =
            usage.pick(["promptTokenCount", "prompt_token_count", "candidatesTokenCount", "candidates_token_count"]);
        let [thoughts, thoughts_snake, cached, cached_snake] = usage.pick([
            "thoughtsTokenCount",
            "thoughts_token_count",
            "cachedContentTokenCount",
            "cached_content_token_count",
        ]);
        let mut take = |counter: &mut Option<u64>, camel, snake| {
            *counter = either(camel, snake, cx).and_then(Value::as_u64).or(*counter);
        };
        take(&mut self.prompt, prompt, prompt_snake);
        take(&mut self.candidates, candidates, candidates_snake);
        take(&mut self.thoughts, thoughts, thoughts_snake);
        take(&mut self.cached, cached, cached_snake);
    }

    fn usage(self) -> Usage {
        let output = match (self.candidates, self.thoughts) {
            (Some(candidates), Some(thoughts)) => Some(candidates.saturating_add(thoughts)),
            (candidates, thoughts) => candidates.or(thoughts),
        };
        Usage { input: self.prompt, output, cache_read: self.cached, cache_write: None }
    }
}
