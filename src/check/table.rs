//! The table of checks.

use super::calls;
use super::frames;
use super::outbound::REQUEST_CHECKS;
use super::turn;
use crate::corpus::{FramesPattern, TurnPattern};
use crate::json::{JsonText, Value};
use crate::model::Turn;
use crate::observe::SeenFrames;

/// How a check looks.
#[derive(Clone, Copy)]
pub(super) enum Look {
    /// At a turn.
    Turn(fn(&TurnPattern, &TurnView<'_>) -> Found),
    /// At frames.
    Frames(fn(&FramesPattern, &SeenFrames) -> Found),
    /// At all permutations of a case together.
    Permutations,
}

/// A turn and its JSON.
pub(super) struct TurnView<'a> {
    pub(super) turn: &'a Turn,
    pub(super) json: Value<'a>,
}

/// What a look found.
pub(super) enum Found {
    /// The case does not assert this.
    NotAsserted,
    /// As expected.
    Same,
    /// Not as expected.
    Different { expected: JsonText, actual: JsonText, pointer: String },
}

/// One check.
#[derive(Clone, Copy)]
pub struct Check {
    /// Its stable name.
    pub slug: &'static str,
    /// The rule, in a sentence.
    pub says: &'static str,
    /// Checks that have to pass before this one says anything.
    pub needs: &'static [&'static str],
    pub(super) look: Look,
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.slug)
    }
}

/// All checks on what was read, prerequisites first.
pub static CHECKS: &[Check] = &[
    Check {
        slug: super::INVARIANCE,
        says: "The result must not depend on how the bytes were cut or how lines end.",
        needs: &[],
        look: Look::Permutations,
    },
    Check {
        slug: "frames",
        says: "Every event comes out with its name and data, and what is no event does not.",
        needs: &[],
        look: Look::Frames(frames::frames),
    },
    Check {
        slug: "frames.comments",
        says: "Comments are told apart from data.",
        needs: &[],
        look: Look::Frames(frames::comments),
    },
    Check {
        slug: "frames.strays",
        says: "Lines outside the grammar are handed on, since servers report failures in them.",
        needs: &[],
        look: Look::Frames(frames::strays),
    },
    Check {
        slug: "frames.end",
        says: "An event at the end of the stream counts without its blank line, and is marked.",
        needs: &[],
        look: Look::Frames(frames::end),
    },
    Check {
        slug: "calls.count",
        says: "Exactly the calls that the model made and the provider finished come out: none lost, none invented.",
        needs: &[],
        look: Look::Turn(calls::count),
    },
    Check {
        slug: "calls.order",
        says: "Calls come out in the order in which the stream opened them.",
        needs: &["calls.count"],
        look: Look::Turn(calls::order),
    },
    Check {
        slug: "calls.name",
        says: "Each call has the name that the provider sent, once.",
        needs: &["calls.count", "calls.order"],
        look: Look::Turn(calls::name),
    },
    Check {
        slug: "calls.id",
        says: "Each call keeps the provider's id; a missing, duplicate or `null` one is replaced by a unique one.",
        needs: &["calls.count", "calls.order"],
        look: Look::Turn(calls::id),
    },
    Check {
        slug: "arguments.value",
        says: "Arguments are the JSON value that the provider sent, numbers exact, never `{}` in place of it.",
        needs: &["calls.count", "calls.order"],
        look: Look::Turn(calls::arguments_value),
    },
    Check {
        slug: "arguments.text",
        says: "Arguments keep the provider's spelling of numbers and order of keys.",
        needs: &["calls.count", "calls.order", "arguments.value"],
        look: Look::Turn(calls::arguments_text),
    },
    Check {
        slug: "calls.extra",
        says: "What goes back with a call, such as its signature, is kept with exactly that call.",
        needs: &["calls.count", "calls.order"],
        look: Look::Turn(calls::extra),
    },
    Check {
        slug: "text",
        says: "The text is what the provider sent as text, all of it and nothing else.",
        needs: &[],
        look: Look::Turn(turn::text),
    },
    Check {
        slug: "thinking",
        says: "Thinking blocks keep their text, signature and encrypted form for the replay.",
        needs: &[],
        look: Look::Turn(turn::thinking),
    },
    Check {
        slug: "text_signatures",
        says: "Signatures that came with text are kept, since they go back with it.",
        needs: &[],
        look: Look::Turn(turn::text_signatures),
    },
    Check {
        slug: "stop",
        says: "The stop reason tells whether calls may run: toolUse only after a clean end with calls.",
        needs: &[],
        look: Look::Turn(turn::stop),
    },
    Check {
        slug: "errors",
        says: "What went wrong is reported by its kind, and a healthy stream reports nothing.",
        needs: &[],
        look: Look::Turn(turn::errors),
    },
    Check {
        slug: "incomplete",
        says: "A call that was still open when the stream ended is shown as incomplete, with its text so far.",
        needs: &[],
        look: Look::Turn(turn::incomplete),
    },
    Check {
        slug: "usage",
        says: "Token counts are those that the provider sent last.",
        needs: &[],
        look: Look::Turn(turn::usage),
    },
    Check {
        slug: "server_calls",
        says: "Calls that the provider ran itself are told apart from those that the client has to run.",
        needs: &[],
        look: Look::Turn(turn::server_calls),
    },
    Check {
        slug: "choices",
        says: "Several choices stay apart, each with its own calls.",
        needs: &[],
        look: Look::Turn(turn::choices),
    },
];

/// The rule of a check, in a sentence.
pub fn rule(slug: &str) -> Option<&'static str> {
    let of_turns = CHECKS.iter().map(|check| (check.slug, check.says));
    let of_requests = REQUEST_CHECKS.iter().map(|check| (check.slug, check.says));
    of_turns.chain(of_requests).find(|(name, _)| *name == slug).map(|(_, says)| says)
}

/// The names of all checks.
pub fn slugs() -> Vec<&'static str> {
    CHECKS.iter().map(|check| check.slug).chain(REQUEST_CHECKS.iter().map(|check| check.slug)).collect()
}
