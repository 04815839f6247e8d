//! Checks on the calls of a turn.

use std::collections::HashSet;

use super::table::{Found, TurnView};
use crate::corpus::{CallPattern, TurnPattern};
use crate::json::{JsonText, Strictness, Value, difference};
use crate::model::{Arguments, ToolCall};

fn names<'a>(names: impl Iterator<Item = &'a str>) -> JsonText {
    JsonText::build(|w| w.array(|w| names.for_each(|name| w.string(name))))
}

pub(super) fn count(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.calls else { return Found::NotAsserted };
    if expected.len() == view.turn.calls.len() {
        return Found::Same;
    }
    let same = |(expected, actual): &(&CallPattern, &ToolCall)| {
        expected.name == actual.name && expected.id.as_ref().is_none_or(|id| *id == actual.id)
    };
    let first = expected.iter().zip(&view.turn.calls).take_while(same).count();
    Found::Different {
        expected: names(expected.iter().map(|call| call.name.as_str())),
        actual: names(view.turn.calls.iter().map(|call| call.name.as_str())),
        pointer: format!("/calls/{first}"),
    }
}

/// How a call is told from others when their order is in doubt: name, id unless any will do, arguments.
fn key(name: &str, id: Option<&str>, arguments: &str) -> String {
    format!("{name}\u{0}{}\u{0}{arguments}", id.unwrap_or_default())
}

fn compact(text: &JsonText) -> String {
    JsonText::build(|w| w.value(text.doc().root())).as_str().to_owned()
}

pub(super) fn order(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(expected) = &pattern.calls else { return Found::NotAsserted };
    // With an id that may be any, calls are told apart by the rest.
    let by_id = expected.iter().all(|call| call.id.is_some());
    let wanted: Vec<String> = expected
        .iter()
        .map(|call| key(&call.name, call.id.as_deref().filter(|_| by_id), &compact(&call.arguments)))
        .collect();
    let actual: Vec<String> = view
        .turn
        .calls
        .iter()
        .map(|call| {
            let arguments = match &call.arguments {
                Arguments::Object(text) => compact(text),
                Arguments::Freeform(text) => compact(&JsonText::string(text)),
            };
            key(&call.name, Some(call.id.as_str()).filter(|_| by_id), &arguments)
        })
        .collect();
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    // The same calls in another order; anything else is for the checks on the single calls.
    if wanted == actual || sorted(&wanted) != sorted(&actual) {
        return Found::Same;
    }
    Found::Different {
        expected: names(expected.iter().map(|call| call.id.as_deref().unwrap_or(&call.name))),
        actual: names(view.turn.calls.iter().map(|call| if by_id { call.id.as_str() } else { &call.name })),
        pointer: "/calls".to_owned(),
    }
}

/// Expected and actual calls in pairs, with the number of the pair.
fn pairs<'a>(
    pattern: &'a TurnPattern,
    view: &'a TurnView<'_>,
) -> Option<impl Iterator<Item = (usize, &'a CallPattern, &'a ToolCall)>> {
    let expected = pattern.calls.as_ref()?;
    // Nothing is asserted of calls that are not there.
    (!expected.is_empty()).then(|| expected.iter().zip(&view.turn.calls).enumerate().map(|(i, (e, a))| (i, e, a)))
}

pub(super) fn name(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(mut pairs) = pairs(pattern, view) else { return Found::NotAsserted };
    pairs.find(|(_, expected, actual)| expected.name != actual.name).map_or(Found::Same, |(i, expected, actual)| {
        Found::Different {
            expected: JsonText::string(&expected.name),
            actual: JsonText::string(&actual.name),
            pointer: format!("/calls/{i}/name"),
        }
    })
}

pub(super) fn id(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let Some(pairs) = pairs(pattern, view) else { return Found::NotAsserted };
    let mut seen = HashSet::new();
    for (i, expected, actual) in pairs {
        let fits = expected.id.as_ref().is_none_or(|id| *id == actual.id);
        if !fits || actual.id.is_empty() || !seen.insert(&actual.id) {
            let wanted = expected.id.as_deref().unwrap_or("an id that is not empty and unique in the turn");
            return Found::Different {
                expected: JsonText::string(wanted),
                actual: JsonText::string(&actual.id),
                pointer: format!("/calls/{i}/id"),
            };
        }
    }
    Found::Same
}

fn arguments(pattern: &TurnPattern, view: &TurnView<'_>, strictness: Strictness) -> Found {
    let Some(pairs) = pairs(pattern, view) else { return Found::NotAsserted };
    for (i, expected, actual) in pairs {
        let actual = match &actual.arguments {
            Arguments::Object(text) => text.clone(),
            Arguments::Freeform(text) => JsonText::string(text),
        };
        let (expected_doc, actual_doc) = (expected.arguments.doc(), actual.doc());
        if let Some(found) = difference(expected_doc.root(), actual_doc.root(), strictness) {
            let pointer = format!("/calls/{i}/arguments{}", found.pointer);
            return Found::Different { expected: expected.arguments.clone(), actual, pointer };
        }
    }
    Found::Same
}

pub(super) fn arguments_value(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    arguments(pattern, view, Strictness::Value)
}

pub(super) fn arguments_text(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    arguments(pattern, view, Strictness::Text)
}

pub(super) fn extra(pattern: &TurnPattern, view: &TurnView<'_>) -> Found {
    let expected = pattern.calls.iter().flatten().enumerate();
    let mut asserted = expected.filter_map(|(i, call)| Some((i, call.rest.as_ref()?))).peekable();
    if asserted.peek().is_none() {
        return Found::NotAsserted;
    }
    for (i, rest) in asserted {
        let doc = rest.doc();
        let actual = view.json.get("calls").and_then(|calls| calls.items().nth(i));
        let Some(actual) = actual else { continue };
        if let Some(found) = difference(doc.root(), actual, Strictness::Subset) {
            let pointer = format!("/calls/{i}{}", found.pointer);
            return Found::Different { expected: rest.clone(), actual: JsonText::of(actual), pointer };
        }
    }
    Found::Same
}

/// The value under a key of a turn, or an empty list where the turn leaves the key out.
pub(super) fn member(json: Value<'_>, key: &str) -> JsonText {
    json.get(key).map_or_else(|| JsonText::build(|w| w.array(|_| {})), JsonText::of)
}
