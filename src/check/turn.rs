//! Checks on what a turn holds besides calls.

use super::calls::member;
use super::judge::judge_turn;
use super::result::CheckOutcome;
use super::table::{Found, TurnView};
use crate::corpus::{ObjectPattern, TurnPattern};
use crate::json::{JsonText, Strictness, difference};

pub(super) fn text(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.text else { return Found::NotAsserted };
    if *expected == view.turn.text {
        return Found::Same;
    }
    Found::Different {
        expected: JsonText::string(expected),
        actual: JsonText::string(&view.turn.text),
        pointer: "/text".to_owned(),
    }
}

pub(super) fn stop(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = pattern.stop else { return Found::NotAsserted };
    if expected == view.turn.stop {
        return Found::Same;
    }
    Found::Different {
        expected: JsonText::string(expected.name()),
        actual: JsonText::string(view.turn.stop.name()),
        pointer: "/stop".to_owned(),
    }
}

fn array(items: &[ObjectPattern]) -> JsonText {
    JsonText::build(|w| w.array(|w| items.iter().for_each(|item| w.value(item.doc().root()))))
}

fn list(expected: Option<&Vec<ObjectPattern>>, view: &TurnView<'_>, key: &str) -> Found {
    let Some(expected) = expected else { return Found::NotAsserted };
    let (expected, actual) = (array(expected), member(view.json, key));
    match difference(expected.doc().root(), actual.doc().root(), Strictness::Subset) {
        None => Found::Same,
        Some(found) => {
            Found::Different { expected, actual: actual.clone(), pointer: format!("/{key}{}", found.pointer) }
        }
    }
}

pub(super) fn thinking(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    list(pattern.thinking.as_ref(), view, "thinking")
}

pub(super) fn incomplete(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    list(pattern.incomplete.as_ref(), view, "incomplete")
}

pub(super) fn server_calls(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    list(pattern.server_calls.as_ref(), view, "serverCalls")
}

pub(super) fn usage(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.usage else { return Found::NotAsserted };
    let actual = view.json.get("usage").map_or_else(JsonText::empty_object, JsonText::of);
    match difference(expected.doc().root(), actual.doc().root(), Strictness::Subset) {
        None => Found::Same,
        Some(found) => Found::Different {
            expected: expected.clone(),
            actual: actual.clone(),
            pointer: format!("/usage{}", found.pointer),
        },
    }
}

pub(super) fn text_signatures(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.text_signatures else { return Found::NotAsserted };
    if *expected == view.turn.text_signatures {
        return Found::Same;
    }
    let list = |signatures: &[String]| JsonText::build(|w| w.array(|w| signatures.iter().for_each(|s| w.string(s))));
    Found::Different {
        expected: list(expected),
        actual: list(&view.turn.text_signatures),
        pointer: "/textSignatures".to_owned(),
    }
}

/// Errors are a set: each expected one is there, and no other.
pub(super) fn errors(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.errors else { return Found::NotAsserted };
    let actual = member(view.json, "errors");
    let different = |pointer: String| Found::Different { expected: array(expected), actual: actual.clone(), pointer };
    let doc = actual.doc();
    let mut rest: Vec<(usize, _)> = doc.root().items().enumerate().collect();
    // The patterns with the most keys choose first, so that a bare kind does not take another's match.
    let mut wanted: Vec<&ObjectPattern> = expected.iter().collect();
    wanted.sort_by_key(|pattern| std::cmp::Reverse(pattern.doc().root().members().count()));
    for pattern in wanted {
        let pattern = pattern.doc();
        let fits = rest.iter().position(|(_, e)| difference(pattern.root(), *e, Strictness::Subset).is_none());
        match fits {
            Some(at) => {
                rest.remove(at);
            }
            None => return different("/errors".to_owned()),
        }
    }
    match rest.first() {
        None => Found::Same,
        Some((surplus, _)) => different(format!("/errors/{surplus}")),
    }
}

/// The other choices, each as a turn of its own.
pub(super) fn choices(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.choices else { return Found::NotAsserted };
    let actual = &view.turn.choices;
    if expected.len() != actual.len() {
        let number = |n: usize| JsonText::build(|w| w.literal(n));
        return Found::Different {
            expected: number(expected.len()),
            actual: number(actual.len()),
            pointer: "/choices".to_owned(),
        };
    }
    for (i, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        let failed = judge_turn(expected, actual, 0).into_iter().find(|result| result.outcome == CheckOutcome::Fail);
        if let Some((expected, actual)) = failed.as_ref().and_then(|r| Some((r.expected.clone()?, r.actual.clone()?))) {
            let inner = failed.and_then(|result| result.pointer).unwrap_or_default();
            return Found::Different { expected, actual, pointer: format!("/choices/{i}{inner}") };
        }
    }
    Found::Same
}
