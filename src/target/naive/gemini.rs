//! Gemini's `generateContent`, streamed and whole.
//!
//! The parts are filed by candidate first; what became of each call is decided afterwards. A moment
//! (`at`) counts what came for candidates; a finish reason comes after the parts beside it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::call::{End, Outcome, outcome, regroup};
use super::candidate::{Candidate, Reason};
use super::item::{Item, reported_any, tell};
use super::quirk::{Quirk, Switch};
use super::reason::{self, Grade};
use super::usage::Counts;
use super::value::{either, index, restore};
use crate::model::{Api, Problem, ProblemKind, Stop, Turn};
use crate::providers::DecodeSetup;

/// Everything that a response says.
#[derive(Debug, Default)]
struct Response {
    candidates: BTreeMap<i64, Candidate>,
    problems: Vec<Problem>,
    /// The prompt was blocked.
    blocked: bool,
    /// The array that the body is did not end (decision 57).
    open_array: bool,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let mut response = Response::default();
    let mut at = 0;
    for item in items {
        match item {
            Item::Data { value, failure, .. } => {
                if let Some(problem) = failure {
                    fail(&mut response, problem);
                }
                take_chunk(&mut response, value, &mut at, switch);
            }
            Item::Failure(problem) => fail(&mut response, problem),
            // What was in it may have been a piece of any open call.
            Item::Unparsable(raw) => fail(&mut response, &Problem::new(ProblemKind::UnparsableEvent).raw(raw)),
            // Nothing counts after the mark (decision 84).
            Item::Done => break,
            Item::OpenArray => response.open_array = true,
            Item::Cut => {}
        }
    }
    let candidates = (0..).zip(response.candidates.values());
    let mut turns = candidates.map(|(number, candidate)| turn_of(number, candidate, &response, setup, switch));
    let mut turn = turns.next().unwrap_or_else(|| turn_of(0, &Candidate::default(), &response, setup, switch));
    turn.choices = turns.collect();
    if switch.on(Quirk::LastChoiceWins)
        && let Some(last) = turn.choices.pop()
    {
        turn = last;
    }
    turn.usage = response.counts.usage(switch);
    turn
}

/// Notes a failure, and what it breaks.
fn fail(response: &mut Response, problem: &Problem) {
    tell(&mut response.problems, problem);
    response.candidates.values_mut().for_each(Candidate::fail);
}

/// A member that is a list.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    either(value, name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn take_chunk(response: &mut Response, chunk: &Value, at: &mut usize, switch: Switch) {
    response.counts.take(chunk, Api::Gemini);
    for (place, value) in (0..).zip(list(chunk, "candidates")).filter(|(_, value)| value.is_object()) {
        *at += 2;
        let candidate = response.candidates.entry(value.get("index").and_then(index).unwrap_or(place)).or_default();
        let finish = either(value, "finishReason");
        let finish = finish.filter(|value| value.is_string() || !switch.on(Quirk::FinishNumbersUnknown));
        let finish = finish.and_then(reason::finish);
        let lost = finish.is_some() && switch.on(Quirk::LoseTheCallInTheFinishingChunk);
        for part in either(value, "content").map_or(&[][..], |content| list(content, "parts")) {
            candidate.take_part(part, *at, lost, switch);
        }
        if let Some(name) = finish {
            let message = either(value, "finishMessage").and_then(Value::as_str).map(restore);
            candidate.reasons.push(Reason { at: *at + 1, name, message });
        }
    }
    let feedback = either(chunk, "promptFeedback");
    if let Some(name) = feedback.and_then(|feedback| reason::block(either(feedback, "blockReason")?)) {
        response.blocked = true;
        if !switch.on(Quirk::BlockedPromptIsEmptyAnswer) {
            let mut problem = Problem::new(ProblemKind::Blocked).reason(restore(&name));
            let message = feedback.and_then(|feedback| either(feedback, "blockReasonMessage")?.as_str());
            // Two reasons without a message are two failures.
            problem.message = Some(message.filter(|text| !text.is_empty()).map_or(name, restore));
            tell(&mut response.problems, &problem);
        }
    }
}

/// The turn of one candidate. What went wrong with the answer went wrong with each.
fn turn_of(number: u32, candidate: &Candidate, response: &Response, setup: &DecodeSetup, switch: Switch) -> Turn {
    let mut errors = response.problems.clone();
    let gravest = candidate.gravest();
    let end_is_missing = gravest.is_none() || candidate.goes_on() || response.open_array;
    let explained = response.blocked || reported_any(&errors) || switch.on(Quirk::EofIsSuccess);
    match gravest {
        Some((Grade::Malformed, reason)) => {
            let mut problem = Problem::new(ProblemKind::MalformedFunctionCall).reason(restore(&reason.name));
            problem.message.clone_from(&reason.message);
            tell(&mut errors, &problem);
        }
        _ if end_is_missing && !explained => {
            errors.push(Problem::new(ProblemKind::IncompleteStream).message("the end of the answer did not come"));
        }
        _ => {}
    }
    let broken = !errors.is_empty();
    let end = match gravest.map(|(grade, _)| grade) {
        _ if response.blocked => End::Refusal,
        Some(Grade::Safety) => End::Refusal,
        _ if broken => End::Error,
        Some(Grade::Length) => End::Length,
        Some(Grade::Pause) => End::Pause,
        _ => End::Clean,
    };
    if let Some((Grade::Safety, reason)) = gravest {
        let mut problem = Problem::new(ProblemKind::Blocked).reason(restore(&reason.name));
        problem.message.clone_from(&reason.message);
        errors.push(problem);
    }

    let (mut calls, closed): (Vec<_>, Vec<_>) = candidate.calls(number, switch).into_iter().unzip();
    regroup(&mut calls, switch);
    let Outcome { calls, problems, incomplete } =
        outcome(calls.into_iter().zip(closed).collect(), end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty() || !incomplete.is_empty();
    errors.extend(problems);

    let stop = match end {
        _ if broken => Stop::Error,
        End::Refusal if gravest.is_some() => Stop::Refusal,
        End::Length => Stop::Length,
        End::Pause => Stop::Pause,
        _ if requested && !switch.on(Quirk::StopFromTheReason) => Stop::ToolUse,
        _ => Stop::Stop,
    };
    let mut turn = Turn::empty(stop);
    turn.text = restore(&candidate.text);
    turn.text_signatures = candidate.signatures.iter().map(|signature| restore(signature)).collect();
    turn.thinking = candidate.thinking();
    turn.server_calls.clone_from(&candidate.server_calls);
    (turn.calls, turn.errors, turn.incomplete) = (calls, errors, incomplete);
    turn
}
