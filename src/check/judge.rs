//! All checks on one turn, with alternatives and prerequisites.

use super::result::{CheckOutcome, CheckResult};
use super::table::{CHECKS, Found, Look, TurnView};
use crate::corpus::{CaseTurn, Expect, TurnPattern};
use crate::json::{Doc, Style};
use crate::model::Turn;
use crate::observe::{Seen, SeenFrames};

/// What the checks say about one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Every check that was asserted: of the expectation, or of the alternative that passed.
    pub checks: Vec<CheckResult>,
    /// The alternative that passed, by its place in `accept`.
    pub accepted: Option<usize>,
}

/// Judges what a target showed of turn number `turn`. `None` if the case expects nothing of it.
pub fn judge(case: &CaseTurn, turn: usize, seen: &Seen) -> Option<Judgement> {
    let expect = case.expect.as_ref()?;
    let checks = judge_one(expect, turn, seen);
    if passes(&checks) {
        return Some(Judgement { checks, accepted: None });
    }
    for (at, accept) in case.accept.iter().enumerate() {
        let checks = judge_one(&accept.expect, turn, seen);
        if passes(&checks) {
            return Some(Judgement { checks, accepted: Some(at) });
        }
    }
    Some(Judgement { checks, accepted: None })
}

fn passes(checks: &[CheckResult]) -> bool {
    checks.iter().all(|check| check.outcome == CheckOutcome::Pass)
}

fn judge_one(expect: &Expect, turn: usize, seen: &Seen) -> Vec<CheckResult> {
    match (expect, seen) {
        (Expect::Turn(pattern), Seen::Turn(actual)) => judge_turn(pattern, actual, turn),
        (Expect::Frames(pattern), Seen::Frames(actual)) => run(turn, |look| match look {
            Look::Frames(look) => look(pattern, actual),
            _ => Found::NotAsserted,
        }),
        // A case and a target that speak of different things; nothing was seen of what is expected.
        (Expect::Turn(pattern), Seen::Frames(_)) => judge_turn(pattern, &Turn::empty(crate::model::Stop::Error), turn),
        (Expect::Frames(pattern), Seen::Turn(_)) => run(turn, |look| match look {
            Look::Frames(look) => look(pattern, &SeenFrames::default()),
            _ => Found::NotAsserted,
        }),
    }
}

/// The checks of one pattern on one turn.
pub(super) fn judge_turn(pattern: &TurnPattern, actual: &Turn, turn: usize) -> Vec<CheckResult> {
    let text = actual.to_json(Style::Compact);
    // What our own writer wrote is JSON; the fallback keeps the function total.
    let Ok(doc) = Doc::parse(text.as_str()) else { return Vec::new() };
    let view = TurnView { turn: actual, json: doc.root() };
    run(turn, |look| match look {
        Look::Turn(look) => look(pattern, &view),
        _ => Found::NotAsserted,
    })
}

fn run(turn: usize, look: impl Fn(Look) -> Found) -> Vec<CheckResult> {
    let mut results: Vec<CheckResult> = Vec::new();
    for check in CHECKS {
        let mut result = CheckResult {
            check: check.slug.to_owned(),
            outcome: CheckOutcome::Pass,
            turn,
            expected: None,
            actual: None,
            pointer: None,
        };
        let found = look(check.look);
        if matches!(found, Found::NotAsserted) {
            continue;
        }
        let failed = |slug: &&str| results.iter().any(|r| r.check == *slug && r.outcome != CheckOutcome::Pass);
        if check.needs.iter().any(failed) {
            result.outcome = CheckOutcome::Blocked;
        } else if let Found::Different { expected, actual, pointer } = found {
            result.outcome = CheckOutcome::Fail;
            result.expected = Some(expected);
            result.actual = Some(actual);
            result.pointer = Some(pointer);
        }
        results.push(result);
    }
    results
}
