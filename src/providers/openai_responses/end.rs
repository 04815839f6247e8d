//! The end of a response: what became of its items.

use std::collections::HashSet;

use super::super::calls::{Call, CallRules, Fate, settle};
use super::super::protocol::{Context, Ended, OPEN_ARRAY};
use super::decode::Responses;
use super::item::{Content, Item, State};
use super::status::Terminal;
use crate::json::JsonText;
use crate::model::{Problem, ProblemKind, ServerCall, Step, Stop, Thinking, Turn};

const CALL_RULES: CallRules = CallRules {
    missing_id: "OAI-R-037",
    duplicate_id: "OAI-R-036",
    no_arguments: Some("OAI-R-052"),
    leading_empty: "OAI-R-051",
    repeated: "OAI-R-059",
    cumulative: "OAI-R-051",
    duplicate_keys: "OAI-R-051",
    undeclared: "OAI-R-058",
    copies: None,
};

/// The functions of xAI's X search, which come as custom calls although xAI runs them (tetsuo-ai/agenc-core#1448).
const SERVER_TOOLS: &[&str] = &["x_keyword_search", "x_semantic_search", "x_user_search", "x_thread_fetch"];

impl Responses {
    pub(super) fn end(mut self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn {
        let reported = self.problems.explain_the_end();
        let ended_well = self.terminal.is_some() && !ended.open_array;
        if !ended_well && !self.spliced && !reported {
            let message = match (ended.cut, ended.open_array) {
                (true, _) => "the stream was cut inside an event",
                (false, true) => OPEN_ARRAY,
                (false, false) => "the stream ended before the response did",
            };
            self.problems.add(Problem::new(ProblemKind::IncompleteStream).message(message));
        }
        let filtered = self.terminal == Some(Terminal::Incomplete) && self.reason.as_deref() == Some("content_filter");
        let refused = !self.refusal.is_empty();
        let mut errors = std::mem::take(&mut self.problems).finish();
        let stop = match self.terminal {
            _ if !errors.is_empty() => Stop::Error,
            _ if refused || filtered => Stop::Refusal,
            Some(Terminal::Incomplete) => Stop::Length,
            _ => Stop::Stop,
        };
        let mut turn = Turn::empty(stop);
        turn.text = self.text.finish();
        turn.usage = self.usage;
        let unbroken = errors.is_empty();
        let mut calls: Vec<(Option<i64>, Call, Fate)> = Vec::new();
        for item in self.items.into_all() {
            let fate = fate(&item, self.terminal, unbroken);
            let id = item.id.take();
            match item.content {
                Content::Call { call, .. } if ran_by_the_server(&call, cx) => turn.server_calls.push(ServerCall {
                    id: call.id.or(id),
                    name: call.name,
                    kind: "custom_tool_call".to_owned(),
                    arguments: JsonText::new(call.arguments.into_text()).ok(),
                }),
                Content::Call { mut call, .. } => {
                    call.item_id = id;
                    calls.push((item.index, call, fate));
                }
                Content::Reasoning { text, encrypted } => turn.thinking.push(Thinking {
                    text: text.finish(),
                    signature: None,
                    item_id: id,
                    encrypted: encrypted.take(),
                }),
                Content::Server { call } => turn.server_calls.extend(call.take()),
                Content::Message { .. } => {}
            }
        }
        if refused {
            let text = self.refusal.finish();
            errors.push(Problem::new(ProblemKind::Blocked).reason("refusal").message(text));
        } else if filtered {
            let message = "a filter stopped the output";
            errors.push(Problem::new(ProblemKind::Blocked).reason("content_filter").message(message));
        }
        if refused || filtered || self.spliced {
            calls.clear();
        }
        let settled = settle(in_order(calls), 0, &CALL_RULES, cx);
        if self.terminal == Some(Terminal::Completed) && stop == Stop::Stop {
            for call in &settled.incomplete {
                let text = "the response ended although the call was never finished";
                let problem = Problem::new(ProblemKind::ProtocolViolation).reason("OAI-R-042").message(text);
                errors.push(problem.call(call.id.clone(), call.name.clone()));
            }
        }
        if stop == Stop::Stop && settled.requested > 0 {
            turn.stop = Stop::ToolUse;
        }
        errors.extend(settled.errors);
        turn.errors = errors;
        turn.calls = settled.calls;
        turn.incomplete = settled.incomplete;
        cx.step(Step::Stop(turn.stop));
        turn
    }
}

/// True for a call that stands as the client's and was run by the provider, unless the client declared such a tool.
fn ran_by_the_server(call: &Call, cx: &Context<'_>) -> bool {
    call.custom && SERVER_TOOLS.contains(&&*call.name) && !cx.setup.tools.contains(&call.name)
}

/// Calls by `output_index` if each has one of its own.
fn in_order(mut calls: Vec<(Option<i64>, Call, Fate)>) -> Vec<(Call, Fate)> {
    let distinct: HashSet<i64> = calls.iter().filter_map(|(index, ..)| *index).collect();
    if distinct.len() == calls.len() {
        calls.sort_by_key(|(index, ..)| *index);
    }
    calls.into_iter().map(|(_, call, fate)| (call, fate)).collect()
}

/// What became of an item's call; `unbroken` if nothing failed.
fn fate(item: &Item, terminal: Option<Terminal>, unbroken: bool) -> Fate {
    let nameless = item.call().is_some_and(|call| call.name.is_empty());
    match (item.state, terminal) {
        _ if item.broken => Fate::Incomplete,
        (State::Cut, _) | (State::Open, Some(Terminal::Incomplete)) => Fate::Truncated,
        (State::Closed, _) => Fate::Closed,
        // It is told as a call without a name.
        (State::Open, Some(Terminal::Completed)) if nameless && unbroken => Fate::Closed,
        (State::Open, _) => Fate::Incomplete,
    }
}
