//! The table of checks on requests.

use crate::model::Api;
use crate::providers::{About, camel_case};

/// A check on a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestCheck {
    /// Its stable name.
    pub slug: &'static str,
    /// The rule, in a sentence.
    pub says: &'static str,
    /// What it looks at; `None` for those that look at several requests, or at none.
    pub(super) about: Option<About>,
}

/// The name of the check on what went out at all.
pub(super) const REQUEST: &str = "outbound.request";
/// The name of the check on what was said about it.
pub(super) const DIAGNOSTICS: &str = "outbound.diagnostics";
/// The name of the check on equal bytes.
pub const DETERMINISM: &str = "outbound.determinism";
/// The name of the check on the prompt-cache prefix.
pub const PREFIX: &str = "outbound.prefix";

/// All checks on requests. When the first fails, the others say nothing.
pub static REQUEST_CHECKS: &[RequestCheck] = &[
    RequestCheck {
        slug: REQUEST,
        says: "A request with a JSON body goes out; one that no provider would take is refused before it does.",
        about: None,
    },
    RequestCheck {
        slug: "outbound.tools",
        says: "The tools that are sent are those that were declared, under names that the provider takes, in one order.",
        about: Some(About::Tools),
    },
    RequestCheck {
        slug: "outbound.schema",
        says: "Every schema that is sent is one that the provider takes.",
        about: Some(About::Schema),
    },
    RequestCheck {
        slug: "outbound.messages",
        says: "The conversation is sent whole and in order: every call with exactly one result, ids legal and in step.",
        about: Some(About::Messages),
    },
    RequestCheck {
        slug: "outbound.tool_choice",
        says: "What may or must be called is said as the provider expects it, and of tools that are there.",
        about: Some(About::ToolChoice),
    },
    RequestCheck {
        slug: "outbound.cache_control",
        says: "Cache markers stand where they help, at most as many as the provider takes.",
        about: Some(About::CacheControl),
    },
    RequestCheck {
        slug: "outbound.headers",
        says: "Path and headers are those that the body needs.",
        about: Some(About::Headers),
    },
    RequestCheck {
        slug: "outbound.body",
        says: "The rest of the body is as expected, and nothing is in it that the provider refuses.",
        about: Some(About::Body),
    },
    RequestCheck { slug: DIAGNOSTICS, says: "What was left out or rewritten is said.", about: None },
    RequestCheck {
        slug: DETERMINISM,
        says: "The same request gives the same bytes, whatever order its tools are given in.",
        about: None,
    },
    RequestCheck {
        slug: PREFIX,
        says: "Each request of a conversation begins with the tools, system prompt and messages of the one before it.",
        about: None,
    },
];

/// What the member of a body called `key` is about.
pub(super) fn about(api: Api, key: &str) -> About {
    // Gemini reads both spellings.
    let key = if api == Api::Gemini { camel_case(key) } else { key.to_owned() };
    match key.as_str() {
        "tools" | "functions" => About::Tools,
        "messages" | "contents" | "input" | "system" | "systemInstruction" | "instructions" => About::Messages,
        "tool_choice" | "toolConfig" | "parallel_tool_calls" | "function_call" => About::ToolChoice,
        "cache_control" => About::CacheControl,
        _ => About::Body,
    }
}
