//! Calls as they were put together, and what becomes of them at the end of a turn.

use std::collections::HashSet;

use super::arguments::{Fragment, decide, joined};
use super::quirk::{Quirk, Switch};
use super::value::restore;
use crate::model::{GeneratedIds, Incomplete, Problem, ProblemKind, ToolCall, usable_id};

/// How a turn ended, as far as its calls are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With a reason to end that is none of the others.
    Clean,
    /// At the output limit.
    Length,
    /// To be continued.
    Pause,
    /// Refused or filtered.
    Refusal,
    /// Broken.
    Error,
}

/// What can be wrong with arguments that look right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Their end was said, and that they are cut (decision 64).
    Cut,
    /// They came in pieces that make no value (decision 76).
    Unreadable,
}

/// Everything that is known of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct RawCall {
    /// The choice that it came in.
    pub(super) choice: u32,
    /// The index at which it began.
    pub(super) index: Option<i64>,
    /// Its first usable id.
    pub(super) id: Option<String>,
    /// The id of the item that carries it.
    pub(super) item_id: Option<String>,
    /// Its id as it came, usable or not.
    pub(super) wire_id: String,
    /// Its name; empty if none came.
    pub(super) name: String,
    /// When its first name came.
    pub(super) named: Option<usize>,
    /// Each name that came.
    pub(super) names: Vec<String>,
    /// The pieces of its arguments.
    pub(super) fragments: Vec<Fragment>,
    /// It is a call of a freeform (custom) tool.
    pub(super) freeform: bool,
    /// The signature that belongs to it.
    pub(super) signature: Option<String>,
    /// When it began.
    pub(super) opened: usize,
    /// When its end was said, where an API says it.
    pub(super) stopped: Option<usize>,
    /// Something failed while it was open (decision 24).
    pub(super) broken: bool,
    /// What is wrong with its arguments, whatever they look like.
    pub(super) flaw: Option<Flaw>,
}

impl RawCall {
    /// When its last piece came, of those before `end`.
    pub(super) fn last_piece(&self, end: usize) -> usize {
        self.fragments.iter().map(|fragment| fragment.at).filter(|at| *at < end).max().unwrap_or(self.opened)
    }

    /// Its usable id, for the user.
    pub(super) fn shown_id(&self) -> Option<String> {
        self.id.as_deref().map(restore)
    }
}

/// What became of the calls of a turn.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) calls: Vec<ToolCall>,
    pub(super) problems: Vec<Problem>,
    pub(super) incomplete: Vec<Incomplete>,
}

/// Makes wrong calls of right ones, for quirks that can be played after the fact.
pub(super) fn misroute(calls: &mut Vec<RawCall>, switch: Switch) {
    if switch.on(Quirk::DropTheLastDelta) {
        for call in calls.iter_mut() {
            call.fragments.pop();
        }
    }
    regroup(calls, switch);
}

/// Gives names and pieces to the wrong calls.
pub(super) fn regroup(calls: &mut Vec<RawCall>, switch: Switch) {
    if switch.on(Quirk::NamesAppended) {
        for call in calls.iter_mut() {
            call.name = call.names.concat();
        }
    }
    if switch.on(Quirk::TrustOnlyTheFirstId) {
        redeal(calls, |_, _| 0);
    }
    if switch.on(Quirk::NewestBlockOnly) {
        redeal(calls, |openings, fragment| openings.iter().filter(|at| **at <= fragment.at).count().saturating_sub(1));
    }
    if switch.on(Quirk::KeyByName) {
        let mut kept: Vec<RawCall> = Vec::new();
        for call in calls.drain(..) {
            match kept.iter_mut().find(|other| other.name == call.name) {
                Some(other) => other.fragments.extend(call.fragments),
                None => kept.push(call),
            }
        }
        *calls = kept;
    }
}

/// Gives each fragment to the call that `owner` names.
fn redeal(calls: &mut [RawCall], owner: impl Fn(&[usize], &Fragment) -> usize) {
    let openings: Vec<usize> = calls.iter().map(|call| call.opened).collect();
    let mut fragments: Vec<Fragment> = calls.iter_mut().flat_map(|call| std::mem::take(&mut call.fragments)).collect();
    fragments.sort_by_key(|fragment| fragment.at);
    for fragment in fragments {
        if let Some(call) = calls.get_mut(owner(&openings, &fragment)) {
            call.fragments.push(fragment);
        }
    }
}

/// Sorts the calls of a turn into runnable ones, wrong ones and unfinished ones. Each comes with
/// the word whether it was closed.
pub(super) fn outcome(mut calls: Vec<(RawCall, bool)>, end: End, turn: u32, switch: Switch) -> Outcome {
    let mut out = Outcome::default();
    if end == End::Refusal && !switch.on(Quirk::KeepCallsOnRefusal) {
        return out;
    }
    let as_if_closed = match end {
        End::Length => switch.on(Quirk::RunTruncatedCalls),
        End::Refusal => true,
        _ => switch.on(Quirk::IncompleteCallsRun) || switch.on(Quirk::EofIsSuccess),
    };
    if switch.on(Quirk::OrderByCompletion) {
        calls.sort_by_key(|(call, _)| call.stopped.unwrap_or_else(|| call.last_piece(usize::MAX)));
    }
    for (_, closed) in &mut calls {
        *closed |= as_if_closed;
    }
    // Nobody has to answer a call that is cut, so it takes no id away.
    let is_cut = |call: &RawCall| call.flaw == Some(Flaw::Cut) && !switch.on(Quirk::IncompleteItemsRun);
    for (call, closed) in &mut calls {
        *closed &= !is_cut(call);
    }
    let ids = ids(&calls, turn, switch);
    for ((call, closed), id) in calls.into_iter().zip(ids) {
        let name = (!call.name.is_empty()).then(|| restore(&call.name));
        if !closed {
            let text = restore(&joined(&call.fragments));
            if is_cut(&call) || end == End::Length {
                out.problems.push(Problem::new(ProblemKind::TruncatedArguments).raw(text).call(call.shown_id(), name));
            } else {
                out.incomplete.push(Incomplete { id: call.shown_id(), name, arguments_text: text });
            }
            continue;
        }
        let Some(name) = name else {
            let text = restore(&joined(&call.fragments));
            out.problems.push(Problem::new(ProblemKind::MissingName).raw(text).call(Some(id), None));
            continue;
        };
        let decided = if call.flaw == Some(Flaw::Unreadable) {
            Err((ProblemKind::InvalidArgumentsJson, restore(&joined(&call.fragments))))
        } else {
            decide(&call.fragments, call.freeform && !switch.on(Quirk::CustomInputParsed), switch)
        };
        match decided {
            Ok(arguments) => out.calls.push(ToolCall {
                id,
                name,
                arguments,
                item_id: call.item_id.as_deref().map(restore),
                thought_signature: call.signature.as_deref().map(restore),
                repaired: false,
            }),
            Err((kind, raw)) => out.problems.push(Problem::new(kind).raw(raw).call(Some(id), Some(name))),
        }
    }
    out
}

/// An id for each call: its own one if that is usable and new, otherwise a generated one.
fn ids(calls: &[(RawCall, bool)], turn: u32, switch: Switch) -> Vec<String> {
    if switch.on(Quirk::IdsKeptAsTheyCame) {
        return calls.iter().map(|(call, _)| call.shown_id().unwrap_or_else(|| call.wire_id.clone())).collect();
    }
    if switch.on(Quirk::OneIdPerName) {
        return calls
            .iter()
            .map(|(call, _)| call.shown_id().unwrap_or_else(|| format!("call_{}", call.name)))
            .collect();
    }
    // All ids that came are taken before the first one is made; of equal ones the first closed call keeps its own.
    let came: Vec<Option<String>> = calls.iter().map(|(call, _)| call.shown_id()).collect();
    let mut taken: HashSet<String> = came.iter().flatten().cloned().collect();
    let used_before = |position: usize, id: &String| {
        came.iter().zip(calls).take(position).any(|(other, (_, closed))| *closed && other.as_ref() == Some(id))
    };
    came.iter()
        .zip(calls)
        .enumerate()
        .map(|(position, (id, (call, closed)))| match id.clone().filter(|id| !used_before(position, id)) {
            Some(id) => id,
            None if *closed => GeneratedIds::new(turn, call.choice).make(position, &mut taken),
            None => String::new(),
        })
        .collect()
}

/// Leaves one of several calls with the same id, name and argument text: one call that was sent twice
/// (decision 16).
pub(super) fn without_repeats(calls: Vec<(RawCall, bool)>) -> Vec<(RawCall, bool)> {
    let mut kept: Vec<(RawCall, bool)> = Vec::new();
    for (call, closed) in calls {
        let text = joined(&call.fragments);
        let repeated = kept.iter().any(|(other, _)| {
            call.id.is_some() && other.id == call.id && other.name == call.name && joined(&other.fragments) == text
        });
        if !repeated {
            kept.push((call, closed));
        }
    }
    kept
}

/// The id that came, as `null`, a string or a number: what is usable of it, and what it was.
pub(super) fn wire_id(value: Option<&serde_json::Value>) -> (Option<String>, Option<String>) {
    let came = match value {
        Some(serde_json::Value::String(id)) => Some(id.clone()),
        Some(serde_json::Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    (came.as_deref().and_then(usable_id).map(str::to_owned), came)
}
