//! The rules of Mistral's chat API: requests.

use std::collections::HashSet;

use super::super::charset::fits;
use super::super::chat::exchanges;
use super::super::request_view::{ChoiceMode, RequestView, Role, ToolKind};
use super::super::rule::{About, Offences, Rule, Severity::Error, Severity::Warning, shown};
use crate::json::Kind;

/// Every id has exactly so many characters. Source: nearai/ironclaw#1241 (code 3280).
const ID_LENGTH: usize = 9;

/// The rules, in the order of their ids.
pub(in super::super) static RULES: &[Rule] = &[
    Rule::request(
        "MIS-001",
        Error,
        About::Messages,
        [
            "ids of calls are exactly nine letters or digits, in calls and tool messages",
            "map foreign ids to nine characters of a hash, in call and result alike",
            "nearai/ironclaw#1241",
        ],
        id_charset,
    ),
    Rule::request(
        "MIS-002",
        Error,
        About::Messages,
        [
            "every call and every tool message has an id, and it is not \"null\"",
            "give the call, and its result, an id",
            "zed#54058, mistralai/client-js#69",
        ],
        id_present,
    ),
    Rule::request(
        "MIS-003",
        Error,
        About::Messages,
        [
            "an assistant message is followed by as many tool messages as it has calls, with the same ids",
            "add the missing result (an error will do), drop the surplus one",
            "mistralai/client-ts#106",
        ],
        answered,
    ),
    Rule::request(
        "MIS-004",
        Error,
        About::Messages,
        [
            "no user message stands right behind a tool message, and no tool message right behind a user's",
            "put an assistant message between them",
            "datapizza-ai#98, charmbracelet/crush#279",
        ],
        order,
    )
    .first_party(),
    Rule::request(
        "MIS-005",
        Error,
        About::Schema,
        ["every function has `parameters`, an object", "send {\"type\":\"object\",\"properties\":{}}", "mistralai 3.7"],
        parameters,
    ),
    Rule::request(
        "MIS-006",
        Warning,
        About::Body,
        [
            "no member that Mistral does not know: seed, max_completion_tokens, store, stream_options, function_call, the role developer",
            "use `random_seed`, `max_tokens` and the role `system`; leave the rest out",
            "mistralai 3.7",
        ],
        unknown,
    ),
    Rule::request(
        "MIS-007",
        Warning,
        About::Messages,
        [
            "the last message is the user's, a tool's, or the assistant's with `prefix` set to true",
            "end with a user's message, or set `prefix`",
            "not checked against a source",
        ],
        last_role,
    ),
    Rule::request(
        "MIS-008",
        Warning,
        About::ToolChoice,
        ["`tool_choice` is auto, none, any, required, or names a tool", "use one of them", "mistralai 3.7"],
        choice,
    ),
    Rule::request(
        "MIS-009",
        Warning,
        About::Body,
        [
            "keys are in snake_case: camelCase is what the TypeScript client takes, not what it sends",
            "write tool_calls, tool_call_id, tool_choice, image_url",
            "@mistralai/mistralai 2.7",
        ],
        casing,
    ),
];

fn result_id_key(node: &super::super::node::Node<'_>) -> String {
    node.at(if node.some("toolCallId").is_some() { "toolCallId" } else { "tool_call_id" })
}

fn id_charset(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |id: Option<&str>, pointer: String| {
        // A missing one is another rule's.
        let Some(id) = id.filter(|id| !id.is_empty() && *id != "null") else { return };
        if id.len() != ID_LENGTH || !fits(id, ID_LENGTH, |c| c.is_ascii_alphanumeric()) {
            out.add(&pointer, format!("the id {} is not nine letters or digits", shown(id)));
        }
    };
    for (part, call) in view.calls() {
        look(call.id.as_deref(), part.node.at("id"));
    }
    for (part, result) in view.results() {
        look(result.call_id.as_deref(), result_id_key(&part.node));
    }
}

fn id_present(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut look = |id: Option<&str>, pointer: String| {
        if id.is_none_or(|id| id.is_empty() || id == "null") {
            out.add(&pointer, "the id is missing");
        }
    };
    for (part, call) in view.calls() {
        look(call.id.as_deref(), part.node.at("id"));
    }
    for (part, result) in view.results() {
        look(result.call_id.as_deref(), result_id_key(&part.node));
    }
}

fn answered(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let (exchanges, orphans) = exchanges(view);
    for part in orphans {
        out.add(&part.node.pointer, "the tool message does not stand behind an assistant message with calls");
    }
    for exchange in exchanges {
        let calls = exchange.asked.calls().count();
        let results = exchange.results.len();
        if calls != results {
            let message = format!("{calls} calls are followed by {results} tool messages");
            out.add(&exchange.asked.node.pointer, message);
            continue;
        }
        let mut asked: HashSet<&str> = exchange.asked.calls().filter_map(|(_, call)| call.id.as_deref()).collect();
        for (part, result) in &exchange.results {
            if let Some(id) = result.call_id.as_deref()
                && !asked.remove(id)
            {
                out.add(&result_id_key(&part.node), format!("{} is no open call of the message before", shown(id)));
            }
        }
    }
}

fn order(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for pair in view.messages.windows(2) {
        let [before, message] = pair else { continue };
        match (before.role, message.role) {
            (Role::Tool, Role::User) => {
                out.add(&message.node.pointer, "a user message stands right behind a tool message");
            }
            (Role::User, Role::Tool) => {
                out.add(&message.node.pointer, "a tool message stands right behind a user message");
            }
            _ => {}
        }
    }
}

fn parameters(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in view.tools.iter().filter(|tool| tool.kind == ToolKind::Function) {
        match &tool.schema {
            None => out.add(&tool.node.at("parameters"), "the function has no `parameters`"),
            Some(schema) if schema.value.kind() != Kind::Object => {
                out.add(&schema.pointer, format!("`parameters` is {}, not an object", schema.value.kind().article()));
            }
            Some(_) => {}
        }
    }
}

fn unknown(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for key in ["seed", "max_completion_tokens", "store", "stream_options", "function_call", "functions"] {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("Mistral does not know `{key}`"));
        }
    }
    for message in view.body.items_of("messages") {
        if message.text("role").as_deref() == Some("developer") {
            out.add(&message.at("role"), "Mistral does not know the role `developer`");
        }
    }
}

fn last_role(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(last) = view.messages.last() else { return };
    let prefix = last.node.get("prefix").and_then(|prefix| prefix.value.as_bool()) == Some(true);
    let fits = matches!(last.role, Role::User | Role::Tool) || (last.role == Role::Assistant && prefix);
    if !fits {
        out.add(&last.node.pointer, "the last message is not the user's, a tool's, or a prefix");
    }
}

fn choice(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if let Some(choice) = view.tool_choice.as_ref().filter(|choice| choice.mode == ChoiceMode::Other) {
        out.add(&choice.node.pointer, "`tool_choice` is none of auto, none, any, required or a tool");
    }
}

/// Keys that the TypeScript client spells in camelCase.
const CAMEL: &[&str] = &["toolCalls", "toolCallId", "imageUrl"];

fn casing(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for key in ["toolChoice", "parallelToolCalls", "maxTokens", "responseFormat", "randomSeed"] {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("`{key}` is in camelCase"));
        }
    }
    for message in view.body.items_of("messages") {
        for node in [message.clone()].into_iter().chain(message.items_of("content")) {
            for key in CAMEL.iter().filter(|key| node.get(key).is_some()) {
                out.add(&node.at(key), format!("`{key}` is in camelCase"));
            }
        }
    }
}
