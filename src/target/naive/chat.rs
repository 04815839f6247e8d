//! Chat Completions of `OpenAI`, of the servers that speak it, and of Mistral, streamed and whole.
//!
//! All chunks are filed by choice first; what became of each call is decided afterwards, from all
//! of it. A moment (`at`) is the number of an entry, finish reason or event in the whole response.

use std::collections::BTreeMap;

use serde_json::Value;

use super::arguments::{Fragment, joined};
use super::call::{End, Outcome, RawCall, misroute, outcome, without_repeats};
use super::item::{Item, reported_any, tell};
use super::quirk::{Quirk, Switch};
use super::route::{Entry, file};
use super::thinking::Thoughts;
use super::usage::Counts;
use super::value::{list, restore, some, text, whole_number};
use crate::model::{Api, Problem, ProblemKind, Stop, Turn};
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
    /// The answer came as whole messages.
    whole: bool,
    /// The array that the body is did not end (decision 57).
    open_array: bool,
    counts: Counts,
}

/// Reads a response.
pub(super) fn read(api: Api, setup: &DecodeSetup, items: &[Item], switch: Switch) -> Turn {
    let mut choices: BTreeMap<i64, Choice> = BTreeMap::new();
    let mut shared = Shared::default();
    let mut at = 0;
    for item in items {
        at += 1;
        match item {
            Item::Data { value, failure, .. } => {
                if let Some(problem) = failure {
                    tell(&mut shared.problems, problem);
                    shared.failed_at.push(at);
                }
                take_usage(api, value, &mut shared.counts);
                for (index, part) in numbered(value) {
                    shared.whole |= is_whole(part);
                    take_message(api, choices.entry(index).or_default(), part, &mut at, setup, switch);
                }
                // Reasons come after all that stands beside them, also in other choices: they may be one.
                at += 1;
                for (index, part) in numbered(value) {
                    let choice = choices.entry(index).or_default();
                    match reason(api, part) {
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
                tell(&mut shared.problems, problem);
                shared.failed_at.push(at);
            }
            Item::Unparsable(raw) => {
                tell(&mut shared.problems, &Problem::new(ProblemKind::UnparsableEvent).raw(raw));
                // What was in it may have been a piece of any open call.
                shared.failed_at.push(at);
            }
            // The end is missing then, or what is missing did not count (decision 40).
            Item::Cut => {}
            Item::OpenArray => shared.open_array = true,
        }
    }
    if shared.whole {
        // A whole answer is its own end marker (decision 39).
        shared.done_at.get_or_insert(at + 1);
    }
    for choice in choices.values_mut() {
        let (calls, reasons) = (choice.calls.clone(), &choice.reasons);
        for call in &mut choice.calls {
            call.broken = is_broken(call, &calls, reasons, &shared);
        }
    }
    let choices = (0..).zip(pooled(choices, setup));
    let mut turns = choices.map(|(number, choice)| turn_of(number, choice, &shared, setup, switch));
    let mut turn = turns.next().unwrap_or_else(|| turn_of(0, Choice::default(), &shared, setup, switch));
    turn.choices = turns.collect();
    if switch.on(Quirk::LastChoiceWins)
        && let Some(last) = turn.choices.pop()
    {
        turn = last;
    }
    turn.usage = shared.counts.usage(switch);
    turn
}

/// The choices of a chunk or body with their indexes; one without stands where it says, as do those of a
/// whole answer (Copilot numbers two of them 0).
fn numbered(value: &Value) -> impl Iterator<Item = (i64, &Value)> {
    let index = |part: &Value| part.get("index").filter(|_| !is_whole(part)).and_then(whole_number);
    (0..).zip(list(value, "choices")).map(move |(position, part)| (index(part).unwrap_or(position), part))
}

/// True for a choice that holds a message and no delta.
fn is_whole(choice: &Value) -> bool {
    some(choice, "delta").is_none() && some(choice, "message").is_some()
}

/// Usage stands in the chunk, in `x_groq` or in its choices (Moonshot).
fn take_usage(api: Api, value: &Value, counts: &mut Counts) {
    counts.take(value, api);
    for owner in some(value, "x_groq").into_iter().chain(list(value, "choices")) {
        counts.take(owner, api);
    }
}

/// A finish reason; Mistral's TypeScript types spell it their way (decision 85).
fn reason(api: Api, part: &Value) -> Option<&str> {
    let camel = || text(part, "finishReason").filter(|_| api == Api::MistralChat);
    text(part, "finish_reason").or_else(camel)
}

/// The calls of a delta or message, in either spelling.
fn tool_calls(api: Api, message: &Value) -> &[Value] {
    let calls = list(message, "tool_calls");
    if calls.is_empty() && api == Api::MistralChat { list(message, "toolCalls") } else { calls }
}

/// Files what one chunk, or a whole answer, says of one choice.
fn take_message(api: Api, choice: &mut Choice, part: &Value, at: &mut usize, setup: &DecodeSetup, switch: Switch) {
    let whole = is_whole(part);
    if let Some(message) = some(part, if whole { "message" } else { "delta" }) {
        choice.thoughts.take_fields(message);
        take_content(choice, message);
        choice.refusal.push_str(text(message, "refusal").unwrap_or(""));
        let lost = switch.on(Quirk::LoseTheCallInTheFinishingChunk) && !whole && reason(api, part).is_some();
        let entries = tool_calls(api, message).iter().filter(|entry| entry.is_object());
        let entries = entries.map(|entry| Entry::of_tool_call(entry, whole, switch));
        // Beside `tool_calls` the deprecated field is the same call once more.
        let legacy = some(message, "function_call").filter(|_| tool_calls(api, message).is_empty());
        let legacy = legacy.and_then(|call| Entry::of_function_call(call, whole));
        for entry in entries.chain(legacy).filter(|_| !lost) {
            *at += 1;
            file(&mut choice.calls, entry, *at, &setup.tools, switch);
        }
    }
}

/// Files `content`: a string, or parts as some hosts send them.
fn take_content(choice: &mut Choice, message: &Value) {
    choice.text.push_str(text(message, "content").unwrap_or(""));
    for part in list(message, "content") {
        match text(part, "type") {
            Some("thinking" | "reasoning") => choice.thoughts.take_part(part),
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
    !call.name.is_empty() || !joined(&call.fragments).trim().is_empty()
}

/// How a finish reason ends the turn (decision 21 for unknown ones).
fn end_of(reason: &str) -> End {
    match reason {
        "length" | "model_length" => End::Length,
        "content_filter" | "sensitive" => End::Refusal,
        "error" | "insufficient_system_resource" | "network_error" => End::Error,
        _ => End::Clean,
    }
}

/// The turn of one choice. What went wrong with the answer went wrong with each.
fn turn_of(number: u32, mut choice: Choice, shared: &Shared, setup: &DecodeSetup, switch: Switch) -> Turn {
    let mut errors = shared.problems.clone();
    let word = |wanted: End| choice.reasons.iter().map(|(_, reason)| reason).find(|reason| end_of(reason) == wanted);
    let has = |wanted: End| word(wanted).is_some();
    let clean_end = choice.empty_reason && shared.done_at.is_some();
    let eof_is_success = switch.on(Quirk::EofIsSuccess);
    // A call that begins after the end, and has none itself.
    let goes_on = has(End::Clean)
        && ![End::Error, End::Refusal, End::Length].into_iter().any(has)
        && choice.calls.iter().any(|call| is_call(call) && !is_closed(call, &choice.calls, &choice.reasons, shared));
    if has(End::Error) {
        if errors.is_empty() {
            let word = word(End::Error).cloned().unwrap_or_default();
            errors.push(Problem::new(ProblemKind::ProviderError).reason(word).message("the finish reason says so"));
        }
    } else if (goes_on || shared.open_array || (choice.reasons.is_empty() && !clean_end))
        && !reported_any(&errors)
        && !eof_is_success
    {
        errors.push(Problem::new(ProblemKind::IncompleteStream).message("the end did not come"));
    }
    // Decision 19: the gravest counts. A refusal voids the calls whatever else happened.
    let broken = !errors.is_empty();
    let refused = !choice.refusal.is_empty();
    let filter = word(End::Refusal).filter(|_| !has(End::Error));
    let end = match () {
        () if refused || filter.is_some() => End::Refusal,
        () if broken => End::Error,
        () if has(End::Length) => End::Length,
        () => End::Clean,
    };
    if refused {
        errors.push(Problem::new(ProblemKind::Blocked).reason("refusal").message(restore(&choice.refusal)));
    } else if let Some(word) = filter {
        errors.push(Problem::new(ProblemKind::Blocked).reason(word));
    }

    misroute(&mut choice.calls, switch);
    choice.calls.retain(is_call);
    choice.thoughts.give_signatures(&mut choice.calls);
    choice.calls.iter_mut().for_each(|call| call.choice = number);
    let limitless =
        |reason: &&(usize, String)| end_of(&reason.1) != End::Length || !switch.on(Quirk::RunTruncatedCalls);
    let reasons: Vec<(usize, String)> = choice.reasons.iter().filter(limitless).cloned().collect();
    let closed = |call: &RawCall| !call.broken && is_closed(call, &choice.calls, &reasons, shared);
    let closed: Vec<bool> = choice.calls.iter().map(closed).collect();
    let calls = without_repeats(choice.calls.into_iter().zip(closed).collect());
    let Outcome { calls, problems, incomplete } = outcome(calls, end, setup.turn, switch);
    let requested = !calls.is_empty() || !problems.is_empty() || !incomplete.is_empty();
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

/// True if the call's end was said by the end of the response (decision 13).
fn is_closed(call: &RawCall, calls: &[RawCall], reasons: &[(usize, String)], shared: &Shared) -> bool {
    closed_by(usize::MAX, call, calls, reasons, shared)
}

/// True if the call's end was said before a moment: after its last piece, by a finish reason, the end mark or
/// a later call. Under a limit only what followed says that a call is whole.
fn closed_by(moment: usize, call: &RawCall, calls: &[RawCall], reasons: &[(usize, String)], shared: &Shared) -> bool {
    let last_piece = call.last_piece(moment).max(began(call).unwrap_or(0));
    let limited = reasons.iter().any(|(at, reason)| *at < moment && end_of(reason) == End::Length);
    let said = reasons.iter().filter(|(_, reason)| matches!(end_of(reason), End::Clean | End::Refusal));
    let said = said.map(|(at, _)| *at).chain(shared.done_at).filter(|_| !limited);
    let later = calls.iter().filter_map(began).filter(|at| *at > last_piece);
    // A value in one piece is closed when it arrives (decision 12).
    let pieces: Vec<&Fragment> = call.fragments.iter().filter(|fragment| fragment.at < moment).collect();
    let arrived = matches!(&pieces[..], [only] if only.value);
    arrived || said.chain(later).any(|at| (last_piece..moment).contains(&at))
}

/// When a call got its name or its first arguments: before that it is none.
fn began(call: &RawCall) -> Option<usize> {
    let mut text = String::new();
    let argued = call.fragments.iter().find(|fragment| {
        text.push_str(&fragment.text);
        !text.trim().is_empty()
    });
    call.named.into_iter().chain(argued.map(|fragment| fragment.at)).min()
}

/// True if something failed while the call was open (decision 24).
fn is_broken(call: &RawCall, calls: &[RawCall], reasons: &[(usize, String)], shared: &Shared) -> bool {
    let failures = reasons.iter().filter(|(_, reason)| end_of(reason) == End::Error).map(|(at, _)| *at);
    let mut failures = failures.chain(shared.failed_at.iter().copied());
    failures.any(|at| at > call.opened && !closed_by(at, call, calls, reasons, shared))
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
