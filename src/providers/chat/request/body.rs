//! The body of a chat request.

use super::super::super::encoder::{Encoded, RefusalKind, Refused};
use super::super::super::outbound::adjustments::Adjustments;
use super::super::super::outbound::gemini_subset::HANDED_ON;
use super::super::super::outbound::projection::{self, Choice, Projection, ToolRules};
use super::super::super::outbound::replay::{self, ReplayRules};
use super::super::super::outbound::schema::SchemaRules;
use super::dialect::{Dialect, Parallel, ThinkingSwitch};
use super::markers::Marker;
use super::messages::Conversation;
use super::tools;
use crate::json::{Style, Writer};
use crate::model::{Message, Request};

/// Encodes a request in a server's dialect.
pub(in crate::providers) fn encode(request: &Request, dialect: &Dialect) -> Result<Encoded, Refused> {
    let options = &request.options;
    let mut adjustments = Adjustments::for_request(request);
    adjustments.no_stored_responses(request);
    let rules = ToolRules {
        names: dialect.tool_names,
        schemas: SchemaRules {
            gemini: dialect.schemas.gemini.or_else(|| is_gemini(&request.model).then_some(&HANDED_ON)),
            ..dialect.schemas
        },
        freeform: dialect.freeform,
    };
    let Projection { mut tools, choice, parallel, names } = projection::project(request, &rules, &mut adjustments)?;
    let mut choice = supported(choice, request, dialect)?;
    if let Some(Choice::Allowed { names, required }) = &choice
        && !dialect.allowed
    {
        tools.retain(|tool| names.contains(&tool.wire));
        adjustments
            .add("tool-choice-emulated", "the tools that are not allowed are left out: the server cannot be told");
        choice = Some(if *required { Choice::Required } else { Choice::Auto });
        choice = supported(choice, request, dialect)?;
    }
    if !dialect.choice && choice == Some(Choice::None) {
        tools.clear();
        adjustments.add("tool-choice-emulated", "all tools are left out: the server does not read `tool_choice`");
        choice = None;
    }
    if let Some(most) = dialect.max_tools.filter(|most| tools.len() > *most) {
        let message = format!("{} tools go out, and the server takes at most {most}", tools.len());
        return Err(Refused::new(RefusalKind::TooManyTools, message));
    }
    let strict = tools::strict(options.strict, dialect, &mut tools, &mut adjustments);
    let replay_rules = ReplayRules { api: dialect.api, ids: dialect.ids, stored_calls: false };
    let transcript = replay::replay(request, &request.messages, 0, &replay_rules, &mut adjustments);
    let mut conversation = Conversation::build(request, &transcript, &names, dialect, &mut adjustments);
    if conversation.is_empty() {
        return Err(Refused::new(RefusalKind::EmptyConversation, "there is no message to send"));
    }
    let marker = Marker::of(request, dialect);
    if marker.is_some() {
        conversation.mark();
    }
    let parallel = parallel.filter(|parallel| said(*parallel, dialect, &mut adjustments));

    let mut w = Writer::new(Style::Compact);
    w.object(|w| {
        w.member("model", &request.model);
        if options.stream {
            w.key("stream");
            w.literal(true);
            if dialect.usage {
                w.key("stream_options");
                w.object(|w| flag(w, "include_usage", true));
            }
        }
        if let Some(limit) = request.max_tokens {
            w.key(dialect.max_tokens);
            w.literal(limit);
        }
        if dialect.store {
            flag(w, "store", false);
        }
        thinking(request, dialect, &mut adjustments, w);
        if !tools.is_empty() || (dialect.empty_tools && has_calls(&request.messages)) {
            w.key("tools");
            tools::write(&tools, strict, marker, w);
        }
        if let Some(choice) = choice.as_ref().filter(|_| dialect.choice) {
            tools::choice(choice, dialect, w);
        }
        if let Some(parallel) = parallel.filter(|_| !tools.is_empty()) {
            flag(w, "parallel_tool_calls", parallel);
        }
        if dialect.tool_stream && options.stream && !tools.is_empty() {
            flag(w, "tool_stream", true);
        }
        w.key("messages");
        conversation.write(dialect, request, marker, w);
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

/// Models of Google read Google's subset of JSON Schema behind whatever server.
fn is_gemini(model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    model.contains("gemini") && !model.contains("anthropic") && !model.contains("claude")
}

/// The choice, if the server can be told it. Nothing is emulated in silence: a model that may do as it likes is not one that
/// has to call.
fn supported(choice: Option<Choice>, request: &Request, dialect: &Dialect) -> Result<Option<Choice>, Refused> {
    let unsupported = |what: &str| {
        let server = dialect.names.first().copied().unwrap_or(dialect.api.name());
        Err(Refused::new(RefusalKind::ToolChoiceUnsupported, format!("`{server}` cannot be told to {what}")))
    };
    let forced = matches!(choice, Some(Choice::Required | Choice::Tool(_)));
    if forced && !dialect.forced_thinking && request.thinking == Some(true) {
        return unsupported("call a tool while the model thinks");
    }
    match choice {
        Some(Choice::Required) if dialect.required.is_none() => unsupported("call some tool"),
        Some(Choice::Tool(name)) if !dialect.named => unsupported(&format!("call `{name}`")),
        choice => Ok(choice),
    }
}

fn said(parallel: bool, dialect: &Dialect, adjustments: &mut Adjustments) -> bool {
    let said = match dialect.parallel {
        Parallel::Sent => true,
        Parallel::OnlyTrue => parallel,
        Parallel::Unknown => false,
    };
    if !said {
        adjustments.add("parallel-left-out", "`parallel_tool_calls` is left out: the server refuses it");
    }
    said
}

fn thinking(request: &Request, dialect: &Dialect, adjustments: &mut Adjustments, w: &mut Writer) {
    let Some(on) = request.thinking else { return };
    match dialect.thinking {
        ThinkingSwitch::None => {
            adjustments.add("thinking-not-switched", "`thinking` is left out: the server has no switch for it");
        }
        ThinkingSwitch::Type => {
            w.key("thinking");
            w.object(|w| w.member("type", if on { "enabled" } else { "disabled" }));
        }
        ThinkingSwitch::Flag(name) => flag(w, name, on),
    }
}

fn has_calls(messages: &[Message]) -> bool {
    messages.iter().any(|message| match message {
        Message::User(_) => false,
        Message::ToolResult(_) => true,
        Message::Assistant(message) => {
            message.content.iter().any(|block| matches!(block, crate::model::AssistantBlock::Call(_)))
        }
    })
}

fn flag(w: &mut Writer, key: &str, value: bool) {
    w.key(key);
    w.literal(value);
}
