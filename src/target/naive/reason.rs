//! Gemini's reasons to finish and to block, by name or by number (decisions 78 and 79).

use serde_json::Value;

use super::value::whole_number;

/// The numbers of `generativelanguage.v1beta`.
const FINISH: &[&str] = &[
    "FINISH_REASON_UNSPECIFIED",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "RECITATION",
    "OTHER",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "MALFORMED_FUNCTION_CALL",
    "IMAGE_SAFETY",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_OTHER",
    "NO_IMAGE",
    "IMAGE_RECITATION",
];

const BLOCK: &[&str] =
    &["BLOCK_REASON_UNSPECIFIED", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"];

/// How a reason ends the turn, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grade {
    /// Any that is none of the others.
    Clean,
    /// To be continued.
    Pause,
    /// The output limit.
    Length,
    /// A filter.
    Safety,
    /// The model failed.
    Malformed,
}

/// What a finish reason means.
pub(super) fn grade(name: &str) -> Grade {
    match name {
        "MALFORMED_FUNCTION_CALL"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS"
        | "MALFORMED_RESPONSE"
        | "MISSING_THOUGHT_SIGNATURE" => Grade::Malformed,
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "NO_IMAGE"
        | "OTHER"
        | "MODEL_ARMOR"
        | "ESCALATION"
        | "PUP_LIMITED_DISABLED" => Grade::Safety,
        image if image.starts_with("IMAGE_") => Grade::Safety,
        "MAX_TOKENS" => Grade::Length,
        "CONTINUATION" => Grade::Pause,
        _ => Grade::Clean,
    }
}

/// The name of a finish reason, if it is one.
pub(super) fn finish(value: &Value) -> Option<String> {
    named(value, FINISH)
}

/// The name of a reason to block the prompt, if it is one.
pub(super) fn block(value: &Value) -> Option<String> {
    named(value, BLOCK)
}

fn named(value: &Value, names: &[&str]) -> Option<String> {
    let numbered = |number: i64| {
        let name = usize::try_from(number).ok().and_then(|number| names.get(number));
        name.map_or_else(|| number.to_string(), |name| (*name).to_owned())
    };
    let name = value.as_str().map(str::to_owned).or_else(|| whole_number(value).map(numbered))?;
    (!name.is_empty() && !name.ends_with("UNSPECIFIED")).then_some(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Grade, block, finish, grade};

    #[test]
    fn numbers_are_names() {
        assert_eq!(finish(&json!(1)).as_deref(), Some("STOP"));
        assert_eq!(finish(&json!(6)).as_deref(), Some("LANGUAGE"));
        assert_eq!(finish(&json!(17)).as_deref(), Some("IMAGE_RECITATION"));
        assert_eq!(finish(&json!(99)).as_deref(), Some("99"));
        assert_eq!(block(&json!(4)).as_deref(), Some("PROHIBITED_CONTENT"));
        for none in [json!(0), json!(""), json!("FINISH_REASON_UNSPECIFIED"), json!(null), json!({})] {
            assert_eq!(finish(&none), None);
        }
        assert_eq!(block(&json!("BLOCKED_REASON_UNSPECIFIED")), None);
    }

    #[test]
    fn unknown_reasons_are_clean() {
        assert_eq!(grade("99"), Grade::Clean);
        assert_eq!(grade("IMAGE_OF_THE_MOON"), Grade::Safety);
        assert!(Grade::Malformed > Grade::Safety && Grade::Safety > Grade::Length && Grade::Length > Grade::Pause);
    }
}
