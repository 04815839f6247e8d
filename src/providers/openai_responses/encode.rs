//! A neutral request as a Responses one.
//!
//! The conversation goes out whole and nothing is stored, unless the request goes on from a stored response: then only
//! what came after it does.

use super::super::encoder::{Encoded, RefusalKind, Refused};
use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::ids::IdRule;
use super::super::outbound::names::WORD_64;
use super::super::outbound::projection::{self, Projection, ToolRules};
use super::super::outbound::replay::{self, ReplayRules};
use super::super::outbound::schema::SchemaRules;
use super::encode_dialects::{self, Dialect};
use super::encode_groups::Groups;
use super::encode_input::Input;
use super::encode_tools as tools;
use crate::json::{Style, Writer};
use crate::model::{Api, CacheRetention, Message, Request};

/// The smallest output limit that is taken (openai/openai-openapi, `CreateResponse`).
const MIN_OUTPUT_TOKENS: u64 = 16;

/// Characters that a call id may have (openai/openai-openapi, `FunctionToolCall`).
const MAX_CALL_ID: usize = 64;

/// Encodes a request.
pub(in crate::providers) fn encode(request: &Request) -> Result<Encoded, Refused> {
    let options = &request.options;
    let dialect = encode_dialects::dialect(options.dialect.as_deref())
        .ok_or_else(|| Refused::unknown_dialect(request, Api::OpenaiResponses, encode_dialects::names()))?;
    let mut adjustments = Adjustments::for_request(request);
    let rules = ToolRules { names: WORD_64, schemas: SchemaRules::JSON_SCHEMA, freeform: dialect.freeform };
    let Projection { mut tools, choice, parallel, names } = projection::project(request, &rules, &mut adjustments)?;
    let choice = tools::choose(choice, dialect, &mut tools, &mut adjustments)?;
    let strict = tools::strict(options.strict, dialect, &mut tools, &mut adjustments);

    let groups = Groups::of(request, &tools, choice.as_ref(), dialect, &mut adjustments);
    let previous = previous(request, dialect, &mut adjustments);
    let first = if previous.is_some() { first_unstored(request) } else { 0 };
    let replay_rules =
        ReplayRules { api: Api::OpenaiResponses, ids: IdRule::Paired(MAX_CALL_ID), stored_calls: previous.is_some() };
    let messages = request.messages.get(first..).unwrap_or_default();
    let transcript = replay::replay(request, messages, first, &replay_rules, &mut adjustments);
    let input = Input::build(request, &transcript, &names, &groups, dialect, &mut adjustments);
    if input.is_empty() {
        return Err(Refused::new(RefusalKind::EmptyConversation, "there is no message to send"));
    }
    let instructions = instructions(request, previous, dialect, &mut adjustments);
    let limit = limit(request, dialect, &mut adjustments);
    let thinking = dialect.reasoning && request.thinking == Some(true);
    if request.thinking == Some(false) || (request.thinking == Some(true) && !thinking) {
        adjustments.add("thinking-not-switched", "`thinking` is left out: which switch there is depends on the model");
    }
    let encrypted = dialect.encrypted && previous.is_none() && (thinking || input.has_reasoning());

    let mut w = Writer::new(Style::Compact);
    w.object(|w| {
        w.member("model", &request.model);
        if options.stream {
            flag(w, "stream", true);
        }
        // What goes on from a stored response is stored as well, which is the default.
        if dialect.store && previous.is_none() {
            flag(w, "store", false);
        }
        if encrypted {
            w.key("include");
            w.array(|w| w.string("reasoning.encrypted_content"));
        }
        if let Some(limit) = limit {
            w.key("max_output_tokens");
            w.literal(limit);
        }
        if thinking {
            w.key("reasoning");
            w.object(|w| w.member("summary", "auto"));
        }
        if dialect.retention && options.cache_retention == CacheRetention::Long {
            w.member("prompt_cache_retention", "24h");
        }
        w.optional("previous_response_id", previous);
        w.optional("instructions", instructions.as_deref());
        if !tools.is_empty() {
            w.key("tools");
            tools::write(&tools, &groups, strict, w);
            if let Some(choice) = &choice {
                w.key("tool_choice");
                tools::write_choice(choice, &tools, w);
            }
            if let Some(parallel) = parallel {
                flag(w, "parallel_tool_calls", parallel);
            }
        }
        w.key("input");
        input.write(w);
    });
    Ok(Encoded {
        method: "POST",
        path: dialect.path.to_owned(),
        headers: vec![("content-type", "application/json".to_owned())],
        body: w.finish(),
        diagnostics: adjustments.finish(),
        names: names.changed(),
    })
}

/// The stored response that the request goes on from, where the server stores any.
fn previous<'r>(request: &'r Request, dialect: &Dialect, adjustments: &mut Adjustments) -> Option<&'r str> {
    let previous = request.previous_response_id.as_deref()?;
    if dialect.previous {
        return Some(previous);
    }
    let message = "`previousResponseId` is left out, and the conversation goes out whole: the server stores nothing";
    adjustments.add("previous-response-left-out", message);
    None
}

/// The first message that the stored response does not hold: the one behind the message that it is, or else behind the last
/// one of the assistant. A call that is sent again is a duplicate (MacPaw/OpenAI#432).
fn first_unstored(request: &Request) -> usize {
    let named = request.messages.iter().rposition(|message| {
        matches!(message, Message::Assistant(message)
            if message.response_id.is_some() && message.response_id == request.previous_response_id)
    });
    let last = || request.messages.iter().rposition(|message| matches!(message, Message::Assistant(_)));
    named.or_else(last).map_or(0, |at| at + 1)
}

fn instructions(
    request: &Request,
    previous: Option<&str>,
    dialect: &Dialect,
    adjustments: &mut Adjustments,
) -> Option<String> {
    let blocks: Vec<&str> = request.system.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    if blocks.is_empty() {
        return None;
    }
    if previous.is_some() && !dialect.instructions_again {
        let message = "the system prompt is left out: the server refuses it beside a stored response, which has it";
        adjustments.add("system-left-out", message);
        return None;
    }
    Some(blocks.join("\n\n"))
}

fn limit(request: &Request, dialect: &Dialect, adjustments: &mut Adjustments) -> Option<u64> {
    let limit = request.max_tokens?;
    if !dialect.max_tokens {
        adjustments.add("max-tokens-left-out", "`maxTokens` is left out: the server refuses a limit");
        return None;
    }
    if limit < MIN_OUTPUT_TOKENS {
        let message = format!("`maxTokens` is raised from {limit} to {MIN_OUTPUT_TOKENS}, the least that is taken");
        adjustments.add("max-tokens-raised", message);
    }
    Some(limit.max(MIN_OUTPUT_TOKENS))
}

fn flag(w: &mut Writer, key: &str, value: bool) {
    w.key(key);
    w.literal(value);
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
