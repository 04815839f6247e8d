//! Checks on framing alone.

use super::table::Found;
use crate::corpus::FramesPattern;
use crate::json::JsonText;
use crate::observe::SeenFrames;

fn pairs(list: &[(String, String)], first: &str, second: &str) -> JsonText {
    JsonText::build(|w| {
        w.array(|w| {
            for (a, b) in list {
                w.object(|w| {
                    w.optional(first, Some(a.as_str()).filter(|a| !a.is_empty()));
                    w.member(second, b);
                });
            }
        });
    })
}

fn texts(list: &[String]) -> JsonText {
    JsonText::build(|w| w.array(|w| list.iter().for_each(|text| w.string(text))))
}

fn compare<T: PartialEq>(key: &str, expected: &[T], actual: &[T], write: impl Fn(&[T]) -> JsonText) -> Found {
    if expected == actual {
        return Found::Same;
    }
    let at = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
    Found::Different { expected: write(expected), actual: write(actual), pointer: format!("/{key}/{at}") }
}

pub(super) fn frames(pattern: &FramesPattern, seen: &SeenFrames) -> Found {
    let found = compare("frames", &pattern.frames, &seen.frames, |list| pairs(list, "event", "data"));
    match (found, &pattern.faults) {
        (Found::Same, Some(faults)) => compare("faults", faults, &seen.faults, texts),
        (Found::Same, None) if !seen.faults.is_empty() => compare("faults", &[], &seen.faults, texts),
        (found, _) => found,
    }
}

pub(super) fn comments(pattern: &FramesPattern, seen: &SeenFrames) -> Found {
    let Some(expected) = &pattern.comments else { return Found::NotAsserted };
    compare("comments", expected, &seen.comments, texts)
}

pub(super) fn strays(pattern: &FramesPattern, seen: &SeenFrames) -> Found {
    let Some(expected) = &pattern.strays else { return Found::NotAsserted };
    compare("strays", expected, &seen.strays, |list| pairs(list, "field", "value"))
}

pub(super) fn end(pattern: &FramesPattern, seen: &SeenFrames) -> Found {
    let Some(expected) = pattern.unterminated else { return Found::NotAsserted };
    let word = |flag: &[bool]| JsonText::build(|w| w.literal(flag.first().copied().unwrap_or_default()));
    match compare("unterminated", &[expected], &[seen.unterminated], word) {
        Found::Different { expected, actual, .. } => {
            Found::Different { expected, actual, pointer: "/unterminated".to_owned() }
        }
        found => found,
    }
}
