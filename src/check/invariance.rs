//! The first property of all: the result does not depend on how the bytes came.

use super::result::{CheckOutcome, CheckResult};
use crate::json::{JsonText, Strictness, difference};
use crate::model::{ProblemKind, Turn};
use crate::observe::Seen;

/// The check's name.
pub const INVARIANCE: &str = "calls.invariance";

/// Compares what one permutation showed with what the first one did, turn by turn; one result.
pub fn invariance(first: &[Seen], other: &[Seen]) -> CheckResult {
    let mut result = CheckResult {
        check: INVARIANCE.to_owned(),
        outcome: CheckOutcome::Pass,
        turn: 0,
        expected: None,
        actual: None,
        pointer: None,
    };
    if first.len() != other.len() {
        result.outcome = CheckOutcome::Fail;
        result.pointer = Some(String::new());
        return result;
    }
    for (turn, (first, other)) in first.iter().zip(other).enumerate() {
        if first == other {
            continue;
        }
        let (Seen::Turn(first), Seen::Turn(other)) = (first, other) else {
            result.outcome = CheckOutcome::Fail;
            result.turn = turn;
            result.pointer = Some("/frames".to_owned());
            return result;
        };
        let (expected, actual) = (comparable(first), comparable(other));
        if let Some(found) = difference(expected.doc().root(), actual.doc().root(), Strictness::Text) {
            result.outcome = CheckOutcome::Fail;
            result.turn = turn;
            result.pointer = Some(found.pointer);
            result.expected = Some(expected);
            result.actual = Some(actual);
            return result;
        }
    }
    result
}

/// The turn without what speaks of byte offsets, which move when line ends do.
fn comparable(turn: &Turn) -> JsonText {
    let mut turn = turn.clone();
    turn.diagnostics.clear();
    for problem in turn.errors.iter_mut().filter(|problem| problem.kind == ProblemKind::UnparsableEvent) {
        problem.message = None;
    }
    JsonText::build(|w| turn.write(w))
}
