//! Calls and their results: every call is answered once, at once, in front of anything else.
//!
//! Source: Anthropic documentation, "Handle tool calls" and "Parallel tool use".

use std::collections::{HashMap, HashSet};

use super::super::super::request_view::{CallView, MessageView, Part, RequestView, ResultView, Role};
use super::super::super::rule::{Offences, shown};

/// Messages of one role in a row, which the server takes for one.
struct Turn<'v, 'a> {
    role: Role,
    messages: Vec<&'v MessageView<'a>>,
}

impl<'v, 'a> Turn<'v, 'a> {
    fn parts(&self) -> impl Iterator<Item = &'v Part<'a>> {
        self.messages.iter().flat_map(|message| &message.parts)
    }

    fn calls(&self) -> impl Iterator<Item = (&'v Part<'a>, &'v CallView<'a>)> {
        self.parts().filter_map(|part| Some((part, part.as_call()?))).filter(|(_, call)| !call.server)
    }

    fn results(&self) -> impl Iterator<Item = (&'v Part<'a>, &'v ResultView<'a>)> {
        self.parts().filter_map(|part| Some((part, part.as_result()?)))
    }
}

/// The turns; system messages in between are left out.
fn turns<'v, 'a>(view: &'v RequestView<'a>) -> Vec<Turn<'v, 'a>> {
    let mut turns: Vec<Turn<'v, 'a>> = Vec::new();
    for message in view.messages.iter().filter(|message| message.role != Role::System) {
        match turns.last_mut() {
            Some(turn) if turn.role == message.role => turn.messages.push(message),
            _ => turns.push(Turn { role: message.role, messages: vec![message] }),
        }
    }
    turns
}

/// Each turn with the one before it.
fn with_before<'t, 'v, 'a>(
    turns: &'t [Turn<'v, 'a>],
) -> impl Iterator<Item = (Option<&'t Turn<'v, 'a>>, &'t Turn<'v, 'a>)> {
    let before = std::iter::once(None).chain(turns.iter().map(Some));
    before.zip(turns)
}

pub(super) fn answered_once(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let turns = turns(view);
    for (at, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.role == Role::Assistant) {
        let mut answers: HashMap<&str, usize> = HashMap::new();
        let next = turns.get(at + 1).filter(|turn| turn.role == Role::User);
        for (_, result) in next.into_iter().flat_map(Turn::results) {
            if let Some(id) = result.call_id.as_deref() {
                *answers.entry(id).or_default() += 1;
            }
        }
        for (part, call) in turn.calls() {
            let Some(id) = call.id.as_deref() else { continue };
            match answers.get(id).copied().unwrap_or(0) {
                0 => out.add(&part.node.pointer, format!("the call {} has no result in the next message", shown(id))),
                1 => {}
                n => out.add(&part.node.pointer, format!("the call {} has {n} results", shown(id))),
            }
        }
    }
}

pub(super) fn answers_a_call(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let turns = turns(view);
    let server = server_ids(view);
    for (before, turn) in with_before(&turns) {
        let asked: HashSet<&str> = before
            .filter(|before| before.role == Role::Assistant)
            .into_iter()
            .flat_map(Turn::calls)
            .filter_map(|(_, call)| call.id.as_deref())
            .collect();
        for (part, result) in turn.results() {
            match result.call_id.as_deref() {
                None => out.add(&part.node.at("tool_use_id"), "the result names no call"),
                Some(id) if asked.contains(id) || server.contains(id) => {}
                Some(id) => {
                    let message = format!("the result names {}, which the turn before it did not call", shown(id));
                    out.add(&part.node.at("tool_use_id"), message);
                }
            }
        }
    }
}

fn server_ids<'v>(view: &'v RequestView<'_>) -> HashSet<&'v str> {
    view.calls().filter(|(_, call)| call.server).filter_map(|(_, call)| call.id.as_deref()).collect()
}

pub(super) fn results_first(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for turn in turns(view) {
        let mut other = None;
        for part in turn.parts() {
            if part.as_result().is_none() {
                other.get_or_insert(part.node.pointer.as_str());
            } else if let Some(other) = other {
                out.add(&part.node.pointer, format!("the result stands behind {other}"));
            }
        }
    }
}

pub(super) fn results_together(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for turn in turns(view) {
        let mut with_results = turn.messages.iter().filter(|message| message.results().next().is_some());
        if let Some(second) = with_results.nth(1) {
            out.add(&second.node.pointer, "the results of one turn stand in several messages");
        }
    }
}

pub(super) fn no_server_results(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let server = server_ids(view);
    for (part, result) in view.results() {
        if let Some(id) = result.call_id.as_deref().filter(|id| server.contains(id)) {
            out.add(&part.node.pointer, format!("the call {} was run by the provider", shown(id)));
        }
    }
}

pub(super) fn results_only(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let turns = turns(view);
    for (before, turn) in with_before(&turns) {
        let Some(before) = before.filter(|before| before.role == Role::Assistant && before.calls().next().is_some())
        else {
            continue;
        };
        let resolved: HashSet<_> = before
            .parts()
            .filter(|part| part.type_name().ends_with("_tool_result"))
            .filter_map(|part| part.node.text("tool_use_id"))
            .collect();
        let pending = before.parts().any(|part| {
            let Some(call) = part.as_call() else { return false };
            let caller = part.node.some("caller").and_then(|caller| caller.text("type"));
            let programmatic = caller.is_some_and(|caller| caller.starts_with("code_execution_"));
            programmatic || (call.server && call.id.as_ref().is_some_and(|id| !resolved.contains(id)))
        });
        if pending && let Some(part) = turn.parts().find(|part| part.as_result().is_none()) {
            out.add(&part.node.pointer, "while a call of the provider waits, the message may hold results only");
        }
    }
}

pub(super) fn toolsets(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let asked: HashMap<&str, _> =
        view.calls().filter_map(|(part, call)| Some((call.id.as_deref()?, part.node.text("toolset_name")))).collect();
    for (part, result) in view.results() {
        let Some(set) = result.call_id.as_deref().and_then(|id| asked.get(id)) else { continue };
        let named = part.node.text("toolset_name");
        if named != *set {
            out.add(&part.node.at("toolset_name"), "the result has to repeat the `toolset_name` of its call");
        }
    }
}
