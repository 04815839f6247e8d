//! Why an answer ended, or never began: names and numbers of enums, and what they mean.
//!
//! Numbers come with `enum-encoding=int`; they are those of `google.ai.generativelanguage.v1beta` (Vertex numbers some
//! differently). Names without a number are Vertex's, or newer than the published proto.

use std::borrow::Cow;

use crate::json::Value;

/// What a finish reason means; the gravest of several counts, so the order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finish {
    /// A clean end, with or without calls.
    Clean,
    /// The next request goes on with this answer.
    Pause,
    /// The output limit.
    Length,
    /// Stopped for policy: the calls of the turn are void.
    Blocked,
    /// The model wrote something that the provider could not use.
    Malformed,
}

/// No reason, as a name and as a number.
const UNSPECIFIED: (&str, i64) = ("UNSPECIFIED", 0);

/// `Candidate.FinishReason`.
const FINISH_REASONS: &[(&str, Option<i64>, Finish)] = &[
    ("STOP", Some(1), Finish::Clean),
    ("MAX_TOKENS", Some(2), Finish::Length),
    ("SAFETY", Some(3), Finish::Blocked),
    ("RECITATION", Some(4), Finish::Blocked),
    ("OTHER", Some(5), Finish::Blocked),
    ("LANGUAGE", Some(6), Finish::Blocked),
    ("BLOCKLIST", Some(7), Finish::Blocked),
    ("PROHIBITED_CONTENT", Some(8), Finish::Blocked),
    ("SPII", Some(9), Finish::Blocked),
    ("MALFORMED_FUNCTION_CALL", Some(10), Finish::Malformed),
    ("IMAGE_SAFETY", Some(11), Finish::Blocked),
    ("UNEXPECTED_TOOL_CALL", Some(12), Finish::Malformed),
    ("TOO_MANY_TOOL_CALLS", Some(13), Finish::Malformed),
    ("IMAGE_PROHIBITED_CONTENT", Some(14), Finish::Blocked),
    ("IMAGE_OTHER", Some(15), Finish::Blocked),
    ("NO_IMAGE", Some(16), Finish::Blocked),
    ("IMAGE_RECITATION", Some(17), Finish::Blocked),
    ("MALFORMED_RESPONSE", None, Finish::Malformed),
    ("MISSING_THOUGHT_SIGNATURE", None, Finish::Malformed),
    ("MODEL_ARMOR", None, Finish::Blocked),
    ("ESCALATION", None, Finish::Blocked),
    ("PUP_LIMITED_DISABLED", None, Finish::Blocked),
    ("CONTINUATION", None, Finish::Pause),
];

/// `PromptFeedback.BlockReason`; the name is all that counts.
const BLOCK_REASONS: &[(&str, i64)] =
    &[("SAFETY", 1), ("OTHER", 2), ("BLOCKLIST", 3), ("PROHIBITED_CONTENT", 4), ("IMAGE_SAFETY", 5)];

/// A finish reason: its name, and its meaning if that is known; `None` if it says that there is none yet.
pub(super) fn finish_reason(value: Value<'_>) -> Option<(Cow<'_, str>, Option<Finish>)> {
    let (word, number) = word(value)?;
    let known = |(name, known, _): &&(&str, Option<i64>, Finish)| match number {
        Some(number) => *known == Some(number),
        None => *name == word,
    };
    Some(match FINISH_REASONS.iter().find(known) {
        Some((name, _, finish)) => (Cow::Borrowed(*name), Some(*finish)),
        None => (word, None),
    })
}

/// Why the prompt was blocked, by name; `None` if it was not.
pub(super) fn block_reason(value: Value<'_>) -> Option<Cow<'_, str>> {
    let (word, number) = word(value)?;
    let known = BLOCK_REASONS.iter().find(|(_, known)| Some(*known) == number);
    Some(known.map_or(word, |(name, _)| Cow::Borrowed(*name)))
}

/// The word or the number of an enum, unless it stands for nothing.
fn word(value: Value<'_>) -> Option<(Cow<'_, str>, Option<i64>)> {
    if let Some(number) = value.as_number() {
        let known = value.as_i64();
        return (known != Some(UNSPECIFIED.1)).then_some((Cow::Borrowed(number), known));
    }
    let word = value.to_text()?;
    // The empty string is what some languages print for a missing one.
    (!word.is_empty() && !word.ends_with(UNSPECIFIED.0)).then_some((word, None))
}

#[cfg(test)]
mod tests {
    use super::{Finish, block_reason, finish_reason};
    use crate::json::Doc;

    #[test]
    fn reasons_have_names_and_numbers() {
        for (value, name, finish) in [
            (r#""STOP""#, "STOP", Some(Finish::Clean)),
            ("1", "STOP", Some(Finish::Clean)),
            ("2", "MAX_TOKENS", Some(Finish::Length)),
            ("5.0", "OTHER", Some(Finish::Blocked)),
            ("10", "MALFORMED_FUNCTION_CALL", Some(Finish::Malformed)),
            (r#""MISSING_THOUGHT_SIGNATURE""#, "MISSING_THOUGHT_SIGNATURE", Some(Finish::Malformed)),
            (r#""CONTINUATION""#, "CONTINUATION", Some(Finish::Pause)),
            (r#""NEW""#, "NEW", None),
            ("99", "99", None),
        ] {
            assert_eq!(finish_reason(Doc::parse(value).unwrap().root()), Some((name.into(), finish)), "{value}");
        }
        for (value, name) in [(r#""SAFETY""#, "SAFETY"), ("4", "PROHIBITED_CONTENT"), (r#""JAILBREAK""#, "JAILBREAK")] {
            assert_eq!(block_reason(Doc::parse(value).unwrap().root()).as_deref(), Some(name), "{value}");
        }
        for value in ["0", "null", "true", r#""""#, r#""FINISH_REASON_UNSPECIFIED""#, r#""BLOCKED_REASON_UNSPECIFIED""#]
        {
            let doc = Doc::parse(value).unwrap();
            assert_eq!((finish_reason(doc.root()), block_reason(doc.root())), (None, None), "{value}");
        }
    }

    #[test]
    fn the_gravest_comes_last() {
        let order = [Finish::Clean, Finish::Pause, Finish::Length, Finish::Blocked, Finish::Malformed];
        assert!(order.is_sorted());
    }
}
