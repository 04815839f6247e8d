//! Chat Completions of `OpenAI` and the servers that speak it, streamed and whole.
//!
//! All chunks are filed by choice first; what became of each call is decided afterwards, from all
//! of it. A moment (`at`) is the number of an entry, finish reason or event in the whole response.

use std::collections::BTreeMap;

use serde_json::Value;

use super::call::{End, Outcome, RawCall, misroute, outcome, without_repeats};
use super::item::Item;
use super::quirk::{Quirk, Switch};
use super::route::{Entry, file};
use super::thinking::Thoughts;
use super::usage::Counts;
use super::value::{list, restore, some, text, whole_number};
use crate::model::{Problem, ProblemKind, Stop, Turn};
use crate::providers::DecodeSetup;

/// Everything that came for one choice.
#[derive(Debug, Default)]
struct Choice {
    text: String,
    refusal: String,
    thoughts: Thoughts,
    calls: Vec<RawCall>,
    /// Finish reasons that are not empty, and when they came.
    reasons: Vec<(usize, String)>,
    /// A reason came that was the empty string (decision 20).
    empty_reason: bool,
}

/// What concerns all choices.
#[derive(Debug, Default)]
struct Shared {
    problems: Vec<Problem>,
    /// When something went wrong.
    failed_at: Vec<usize>,
    done_at: Option<usize>,
    /// The response is a body that could not be read, and so no stream that could be incomplete.
    whole: bool,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let mut choices: BTreeMap<i64, Choice> = BTreeMap::new();
    let mut shared = Shared::default();
    let mut at = 0;
    for item in items {
        at += 1;
        match item {
            Item::Data { value, failure, .. } => {
                if let Some(problem) = failure {
                    shared.problems.push(problem.clone());
                    shared.failed_at.push(at);
                }
                take_usage(value, &mut shared.counts);
                for (index, part) in numbered(value) {
                    take_message(choices.entry(index).or_default(), index, part, &mut at, setup, switch);
                }
                // Reasons come after all that stands beside them, also in other choices: they may be one.
                at += 1;
                for (index, part) in numbered(value) {
                    let choice = choices.entry(index).or_default();
                    match text(part, "finish_reason") {
                        Some("") => choice.empty_reason = true,
                        Some(reason) => choice.reasons.push((at, reason.to_owned())),
                        None => {}
                    }
                }
            }
            Item::Done => {
                // Nothing counts after the mark; the official SDKs stop reading here.
                shared.done_at = Some(at + 1);
                break;
            }
            Item::Failure(problem) => {
                shared.problems.push(problem.clone());
                shared.failed_at.push(at);
            }
            Item::Unparsable(raw) | Item::UnparsableBody(raw) => {
                shared.problems.push(Problem::new(ProblemKind::UnparsableEvent).raw(raw));
                // What was in it may have been a piece of any open call.
                shared.failed_at.push(at);
                shared.whole |= matches!(item, Item::UnparsableBody(_));
            }
            Item::Cut if switch.on(Quirk::EofIsSuccess) => {}
            Item::Cut => shared.problems.push(Problem::new(ProblemKind::IncompleteStream)),
        }
    }
    let mut turns = pooled(choices, setup).into_iter().map(|choice| turn_of(choice, &shared, setup, switch));
    let mut turn = turns.next().unwrap_or_else(|| turn_of(Choice::default(), &shared, setup, switch));
    turn.choices = turns.collect();
    if switch.on(Quirk::LastChoiceWins)
        && let Some(last) = turn.choices.pop()
    {
        turn = last;
    }
    turn.errors.splice(..0, shared.problems.iter().cloned());
    turn.usage = shared.counts.usage(switch);
    turn
}

/// The choices of a chunk or body with their indexes; one without stands where it says.
fn numbered(value: &Value) -> impl Iterator<Item = (i64, &Value)> {
    let index = |part: &Value| part.get("index").and_then(whole_number);
    (0..).zip(list(value, "choices")).map(move |(position, part)| (index(part).unwrap_or(position), part))
}

/// Usage stands in the chunk, in its first choice (Moonshot) or in `x_groq`.
fn take_usage(value: &Value, counts: &mut Counts) {
    counts.take(value);
    for owner in list(value, "choices").first().into_iter().chain(some(value, "x_groq")) {
        counts.take(owner);
    }
}

/// Files what one chunk, or a whole answer, says of one choice.
fn take_message(choice: &mut Choice, index: i64, part: &Value, at: &mut usize, setup: &DecodeSetup, switch: Switch) {
    let delta = some(part, "delta").filter(|delta| delta.is_object());
    let whole = delta.is_none();
    if let Some(message) = delta.or_else(|| some(part, "message")) {
        take_content(choice, message, *at);
        choice.refusal.push_str(text(message, "refusal").unwrap_or(""));
        choice.thoughts.take_fields(message, *at);
        let lost = switch.on(Quirk::LoseTheCallInTheFinishingChunk) && !whole && text(part, "finish_reason").is_some();
        let entries = list(message, "tool_calls").iter().filter(|entry| entry.is_object());
        let entries = entries.map(|entry| Entry::of_tool_call(entry, whole));
        let legacy = some(message, "function_call").map(|call| Entry::of_function_call(call, whole));
        for entry in entries.chain(legacy).filter(|_| !lost) {
            *at += 1;
            file(&mut choice.calls, entry, *at, &setup.tools, switch);
        }
        let number = u32::try_from(index).unwrap_or(0);
        choice.calls.iter_mut().for_each(|call| call.choice = number);
    }
}

/// Files `content`: a string, or parts as some hosts send them (wire sheet 1.D).
fn take_content(choice: &mut Choice, message: &Value, at: usize) {
    choice.text.push_str(text(message, "content").unwrap_or(""));
    for part in list(message, "content") {
        match text(part, "type") {
            Some("thinking" | "reasoning") => choice.thoughts.take_part(part, at),
            Some("refusal") => choice.refusal.push_str(text(part, "refusal").unwrap_or("")),
            _ => choice.text.push_str(text(part, "text").unwrap_or("")),
        }
    }
}

/// The choices as turns: one if they are disjoint parts of one answer (decision 23).
fn pooled(choices: BTreeMap<i64, Choice>, setup: &DecodeSetup) -> Vec<Choice> {
    let one_asked = setup.choices.is_none_or(|asked| asked <= 1);
    let with_text = choices.values().filter(|choice| !choice.text.is_empty()).count();
    let with_calls = choices.values().filter(|choice| choice.calls.iter().any(is_call)).count();
    let choices = choices.into_values();
    if !one_asked || with_text > 1 || with_calls > 1 {
        return choices.collect();
    }
    let merge = |mut all: Choice, one: Choice| {
        all.text.push_str(&one.text);
        all.refusal.push_str(&one.refusal);
        all.thoughts.extend(one.thoughts);
        all.calls.extend(one.calls);
        all.reasons.extend(one.reasons);
        all.empty_reason |= one.empty_reason;
        all
    };
    choices.reduce(merge).into_iter().collect()
}

/// An entry with neither name nor arguments by the end of the stream is no call (decision 18).
fn is_call(call: &RawCall) -> bool {
    !call.name.is_empty() || !call.fragments.is_empty()
}

/// How a finish reason ends the turn (wire sheet §0.5; decision 21 for unknown ones).
fn end_of(reason: &str) -> End {
    match reason {
        "length" | "model_length" => End::Length,
        "content_filter" | "sensitive" => End::Refusal,
        "error" | "insufficient_system_resource" | "network_error" => End::Error,
        _ => End::Clean,
    }
}

/// The turn of one choice, without what concerns all of them.
fn turn_of(mut choice: Choice, shared: &Shared, setup: &DecodeSetup, switch: Switch) -> Turn {
    let mut errors = Vec::new();
    let ends: Vec<(usize, End)> = choice.reasons.iter().map(|(at, reason)| (*at, end_of(reason))).collect();
    let has = |wanted: End| ends.iter().any(|(_, end)| *end == wanted);
    let provider_error = shared.problems.iter().any(|problem| problem.kind == ProblemKind::ProviderError);
    let already_cut = shared.problems.iter().any(|problem| problem.kind == ProblemKind::IncompleteStream);
    let finished =
        !ends.is_empty() || (choice.empty_reason && shared.done_at.is_some()) || switch.on(Quirk::EofIsSuccess);

    if has(End::Error) && !provider_error {
        let reason = choice.reasons.iter().map(|(_, reason)| reason).find(|reason| end_of(reason) == End::Error);
        let reason = reason.map(String::as_str).unwrap_or_default();
        errors.push(Problem::new(ProblemKind::ProviderError).reason(reason).message("the finish reason says so"));
    } else if !finished && !provider_error && !already_cut && !shared.whole {
        errors.push(Problem::new(ProblemKind::IncompleteStream).message("no finish reason came"));
    }
    let refused = !choice.refusal.is_empty();
    if refused {
        errors.push(Problem::new(ProblemKind::Blocked).reason("refusal").message(restore(&choice.refusal)));
    } else if has(End::Refusal) {
        errors.push(Problem::new(ProblemKind::Blocked).reason("content_filter"));
    }
    // Decision 19: the gravest counts. A refusal voids the calls whatever else happened.
    let broken = has(End::Error) || !finished || !shared.problems.is_empty();
    let end = match () {
        () if refused || has(End::Refusal) => End::Refusal,
        () if broken => End::Error,
        () if has(End::Length) => End::Length,
        () => End::Clean,
    };

    misroute(&mut choice.calls, switch);
    choice.calls.retain(is_call);
    choice.thoughts.give_signatures(&mut choice.calls);
    let closed: Vec<bool> =
        choice.calls.iter().map(|call| is_closed(call, &choice.calls, &ends, shared, switch)).collect();
    let calls = without_repeats(choice.calls.into_iter().zip(closed).collect());
    let Outcome { calls, problems, incomplete } = outcome(calls, end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty();
    errors.extend(problems);

    let last_reason = choice.reasons.last().map(|(_, reason)| reason.as_str());
    let stop = match end {
        _ if broken => Stop::Error,
        End::Refusal => Stop::Refusal,
        End::Length => Stop::Length,
        _ if switch.on(Quirk::StopFromTheReason) => match last_reason {
            Some("tool_calls" | "function_call") => Stop::ToolUse,
            _ => Stop::Stop,
        },
        _ if requested => Stop::ToolUse,
        _ => Stop::Stop,
    };
    let mut turn = Turn::empty(stop);
    turn.text = restore(&choice.text);
    turn.thinking = choice.thoughts.finish();
    (turn.calls, turn.errors, turn.incomplete) = (calls, errors, incomplete);
    turn
}

/// True if the call's end was said (decision 13), and before anything failed (decision 24).
fn is_closed(call: &RawCall, calls: &[RawCall], ends: &[(usize, End)], shared: &Shared, switch: Switch) -> bool {
    let length = ends.iter().any(|(_, end)| *end == End::Length) && !switch.on(Quirk::RunTruncatedCalls);
    // Under a limit only what followed a call says that it is whole.
    let said = ends.iter().filter(|(_, end)| !length && *end != End::Error).map(|(at, _)| *at);
    let done = shared.done_at.into_iter().filter(|_| !length);
    let later = calls.iter().map(|other| other.opened).filter(|at| *at > call.opened);
    // An object in one piece is closed when it arrives (decision 12).
    let arrived = call.fragments.iter().filter(|fragment| fragment.object).map(|fragment| fragment.at);
    let closers: Vec<usize> = said.chain(done).chain(later).chain(arrived).collect();
    let closed_by = |moment: usize| {
        let last_piece = call.last_piece(moment);
        closers.iter().any(|at| (last_piece..moment).contains(at))
    };
    let failures = ends.iter().filter(|(_, end)| *end == End::Error).map(|(at, _)| *at);
    let mut failures = failures.chain(shared.failed_at.iter().copied()).filter(|at| *at > call.opened);
    failures.all(closed_by) && closed_by(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{End, end_of};

    #[test]
    fn unknown_reasons_are_clean_ends() {
        assert_eq!(end_of("eos"), End::Clean);
        assert_eq!(end_of("stop_by_moon_phase"), End::Clean);
        assert_eq!(end_of("sensitive"), End::Refusal);
    }
}
