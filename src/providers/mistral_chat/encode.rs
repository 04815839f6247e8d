//! A neutral request as one of Mistral's chat.
//!
//! Sources: mistralai's Python and TypeScript clients, the issues named below, and `OpenClaw`'s adapter for texts.

use super::super::chat::request::{self, Dialect, Images, Parallel, Reasoning, ThinkingSwitch};
use super::super::encoder::{Encoded, Refused};
use super::super::outbound::ids::IdRule;
use super::super::outbound::names::WORD_64;
use super::super::outbound::schema::SchemaRules;
use crate::model::{Api, Request};

const MISTRAL: Dialect = Dialect {
    api: Api::MistralChat,
    names: &["mistral"],
    path: "/v1/chat/completions",
    strict: true,
    freeform: false,
    empty_tools: false,
    tool_stream: false,
    max_tools: None,
    tool_names: WORD_64,
    schemas: SchemaRules::JSON_SCHEMA,
    choice: true,
    // `any` is the older word for `required`; both are taken.
    required: Some("any"),
    named: true,
    forced_thinking: true,
    allowed: false,
    parallel: Parallel::Sent,
    store: false,
    developer: false,
    max_tokens: "max_tokens",
    usage: false,
    thinking: ThinkingSwitch::None,
    ids: IdRule::Nine,
    reasoning: Reasoning::Chunks,
    empty_content: Some(""),
    result_name: true,
    trim_results: true,
    error_mark: "[tool error] ",
    empty_result: "(no tool output)",
    images: Images::Inside,
    // `user` directly behind `tool` is refused (datapizza-labs/datapizza-ai#98).
    between: Some("I have processed the tool results."),
    // The last message is the user's, a tool's, or the beginning of an answer.
    prefix: true,
    markers: false,
};

/// Encodes a request.
pub(in crate::providers) fn encode(request: &Request) -> Result<Encoded, Refused> {
    match request.options.dialect.as_deref() {
        None | Some("mistral") => request::encode(request, &MISTRAL),
        Some(_) => Err(Refused::unknown_dialect(request, Api::MistralChat, MISTRAL.names.iter().copied())),
    }
}
