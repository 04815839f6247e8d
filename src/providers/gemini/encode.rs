//! A neutral request as a Gemini one.

use super::super::encoder::{Encoded, RefusalKind, Refused};
use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::gemini_subset::JSON_SCHEMA;
use super::super::outbound::names::NameRule;
use super::super::outbound::projection::{self, Choice, OutboundInput, OutboundTool, Projection, ToolRules};
use super::super::outbound::replay::{self, ReplayRules};
use super::super::outbound::schema::SchemaRules;
use super::encode_contents::Contents;
use super::encode_dialects::{self, Dialect};
use super::model::{Model, Thinking};
use crate::json::{Style, Writer};
use crate::model::{Api, GeminiSchemaField, Request, Strict};

/// A letter or `_`, then letters, digits and `_ . -`, at most 64 characters: what every service takes. Newer ones take `:`
/// and 128 characters as well (google-gemini/gemini-cli#7878).
const NAMES: NameRule = NameRule { extra: "-.", any_first: false, max: 64, casing: &[] };

/// The most functions that a request may declare (googleapis/python-genai, `Tool.function_declarations`).
const MAX_FUNCTIONS: usize = 512;

/// What stands for the project, which only the caller knows.
const PROJECT: &str = "{project}";

/// Encodes a request.
pub(in crate::providers) fn encode(request: &Request) -> Result<Encoded, Refused> {
    let options = &request.options;
    let dialect = encode_dialects::dialect(options.dialect.as_deref())
        .ok_or_else(|| Refused::unknown_dialect(request, Api::Gemini, encode_dialects::names()))?;
    let mut adjustments = Adjustments::for_request(request);
    adjustments.no_stored_responses(request);
    let subset = match options.gemini_schema_field {
        GeminiSchemaField::ParametersJsonSchema => &JSON_SCHEMA,
        GeminiSchemaField::Parameters => dialect.parameters,
    };
    let rules = ToolRules {
        names: NAMES,
        schemas: SchemaRules { gemini: Some(subset), ..SchemaRules::JSON_SCHEMA },
        freeform: false,
    };
    let Projection { tools, choice, parallel, names } = projection::project(request, &rules, &mut adjustments)?;
    if tools.len() > MAX_FUNCTIONS {
        let message = format!("{} functions go out, and at most {MAX_FUNCTIONS} may be declared", tools.len());
        return Err(Refused::new(RefusalKind::TooManyTools, message));
    }
    if parallel == Some(false) {
        adjustments
            .add("parallel-left-out", "`parallelToolCalls` is left out: there is no switch for one call at most");
    }
    if options.strict == Strict::On && !tools.is_empty() {
        adjustments.add("strict-left-out", "`strict` is not sent: there is no field for it");
    }

    let model = Model::of(&request.model);
    let replay_rules = ReplayRules { api: Api::Gemini, ids: model.id_rule, stored_calls: false };
    let transcript = replay::replay(request, &request.messages, 0, &replay_rules, &mut adjustments);
    let contents = Contents::build(&transcript, &names, model, &mut adjustments);
    match contents.first_role() {
        None => return Err(Refused::new(RefusalKind::EmptyConversation, "there is no message to send")),
        Some("model") => {
            let message = "the conversation begins with the assistant; Gemini wants a user message first";
            return Err(Refused::new(RefusalKind::AssistantFirst, message));
        }
        Some(_) => {}
    }
    let thinking = thinking(request, model, &mut adjustments);

    let mut w = Writer::new(Style::Compact);
    let body = |w: &mut Writer| {
        system(&request.system, w);
        if !tools.is_empty() {
            functions(&tools, options.gemini_schema_field, w);
            if let Some(choice) = &choice {
                tool_config(choice, w);
            }
        }
        generation_config(request.max_tokens, thinking, w);
        w.key("contents");
        contents.write(w);
    };
    w.object(|w| {
        if dialect.envelope {
            w.member("model", &request.model);
            w.member("project", PROJECT);
            w.key("request");
            w.object(body);
        } else {
            body(w);
        }
    });
    Ok(Encoded {
        method: "POST",
        path: path(dialect, request),
        headers: vec![("content-type", "application/json".to_owned())],
        body: w.finish(),
        diagnostics: adjustments.finish(),
        names: names.changed(),
    })
}

fn path(dialect: &Dialect, request: &Request) -> String {
    dialect.path(&request.model, request.options.stream)
}

fn system(blocks: &[String], w: &mut Writer) {
    if blocks.iter().all(String::is_empty) {
        return;
    }
    w.key("systemInstruction");
    w.object(|w| {
        w.key("parts");
        w.array(|w| {
            for text in blocks.iter().filter(|text| !text.is_empty()) {
                w.object(|w| w.member("text", text));
            }
        });
    });
}

/// All functions stand in one entry, as the services have always taken it.
fn functions(tools: &[OutboundTool<'_>], field: GeminiSchemaField, w: &mut Writer) {
    w.key("tools");
    w.array(|w| {
        w.object(|w| {
            w.key("functionDeclarations");
            w.array(|w| tools.iter().for_each(|tool| w.object(|w| function(tool, field, w))));
        });
    });
}

fn function(tool: &OutboundTool<'_>, field: GeminiSchemaField, w: &mut Writer) {
    w.member("name", &tool.wire);
    if !tool.description.is_empty() {
        w.member("description", tool.description);
    }
    // Custom tools are left out before: there is nothing like them.
    let OutboundInput::Schema(schema) = &tool.input else { return };
    // An object without properties is refused in this form (agno-agi/agno#2112): no parameters are said by none.
    let none = field == GeminiSchemaField::Parameters && schema.is_empty();
    if !none {
        w.key(field.name());
        schema.write(w);
    }
}

fn tool_config(choice: &Choice, w: &mut Writer) {
    // Names may be listed with `ANY` and `VALIDATED` only; the latter leaves the model free to answer with text.
    let (mode, names): (_, &[String]) = match choice {
        Choice::Auto => ("AUTO", &[]),
        Choice::None => ("NONE", &[]),
        Choice::Required => ("ANY", &[]),
        Choice::Tool(name) => ("ANY", std::slice::from_ref(name)),
        Choice::Allowed { names, required } => (if *required { "ANY" } else { "VALIDATED" }, names),
    };
    w.key("toolConfig");
    w.object(|w| {
        w.key("functionCallingConfig");
        w.object(|w| {
            w.member("mode", mode);
            if !names.is_empty() {
                w.key("allowedFunctionNames");
                w.array(|w| names.iter().for_each(|name| w.string(name)));
            }
        });
    });
}

/// What is said about thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThinkingConfig {
    Show,
    Off,
}

fn thinking(request: &Request, model: Model, adjustments: &mut Adjustments) -> Option<ThinkingConfig> {
    match (request.thinking?, model.thinking) {
        (true, Thinking::Shown | Thinking::Budgeted) => Some(ThinkingConfig::Show),
        (false, Thinking::Budgeted) => Some(ThinkingConfig::Off),
        _ => {
            adjustments.add("thinking-not-switched", "`thinking` is left out: the model has no switch for it");
            None
        }
    }
}

fn generation_config(limit: Option<u64>, thinking: Option<ThinkingConfig>, w: &mut Writer) {
    if limit.is_none() && thinking.is_none() {
        return;
    }
    w.key("generationConfig");
    w.object(|w| {
        if let Some(limit) = limit {
            w.key("maxOutputTokens");
            w.literal(limit);
        }
        if let Some(thinking) = thinking {
            w.key("thinkingConfig");
            w.object(|w| match thinking {
                ThinkingConfig::Show => {
                    w.key("includeThoughts");
                    w.literal(true);
                }
                ThinkingConfig::Off => {
                    w.key("thinkingBudget");
                    w.literal(0);
                }
            });
        }
    });
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
