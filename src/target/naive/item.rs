//! Events to items: parsed, sorted into answers and failures.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::sse::{Event, Form};
use super::value::{full, list, parse, restore, some, text, truthy};
use crate::model::{Api, Problem, ProblemKind};

/// What an event turned out to be.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// Parsed data. A failure can stand beside other things in one object.
    Data {
        /// The event name; empty if there is none.
        name: String,
        /// An object.
        value: Value,
        /// What the event says went wrong.
        failure: Option<Problem>,
    },
    /// The `[DONE]` mark.
    Done,
    /// A failure that is no JSON.
    Failure(Problem),
    /// Data that is not the JSON it has to be.
    Unparsable(String),
    /// A body that is not the JSON it has to be.
    UnparsableBody(String),
    /// Data whose end did not come.
    Cut,
}

/// Events of Anthropic whose data has to be JSON (wire sheet, ANT-S-003); of others nothing is known.
const ANTHROPIC_EVENTS: &[&str] = &[
    "",
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
];

/// Reads all events.
pub(super) fn items(api: Api, events: &[Event], switch: Switch) -> Vec<Item> {
    let mut items: Vec<Item> = events.iter().flat_map(|event| item(api, event, switch)).collect();
    if switch.on(Quirk::IgnoreErrors) {
        items.retain_mut(|item| match item {
            Item::Data { failure, .. } => failure.take().is_none(),
            Item::Failure(_) => false,
            _ => true,
        });
    }
    items
}

fn item(api: Api, event: &Event, switch: Switch) -> Vec<Item> {
    if switch.on(Quirk::IgnoreEventlessFrames) && event.form == Form::Data && event.name.is_empty() {
        return Vec::new();
    }
    if matches!(event.form, Form::Comment | Form::Unknown) {
        return Vec::new();
    }
    let lossy = String::from_utf8_lossy(&event.data);
    if event.form == Form::NameOnly {
        let failed = event.name == "error";
        return if failed { vec![Item::Failure(Problem::new(ProblemKind::ProviderError))] } else { Vec::new() };
    }
    if lossy.trim_start().starts_with("[DONE]") {
        return vec![Item::Done];
    }
    let parsed = std::str::from_utf8(&event.data).map(parse);
    // A body that ends inside its value is cut as well.
    let cut = event.cut || (event.form == Form::Body && matches!(&parsed, Ok(Err(error)) if error.is_eof()));
    let says_error = event.form == Form::ErrorField || event.name == "error";
    let values = match parsed {
        Ok(Ok(Value::Array(values))) => values,
        Ok(Ok(value)) => vec![value],
        _ if cut => return vec![Item::Cut],
        _ if says_error => {
            let problem = Problem::new(ProblemKind::ProviderError).message(lossy);
            return vec![Item::Failure(problem)];
        }
        _ if api == Api::AnthropicMessages && !ANTHROPIC_EVENTS.contains(&event.name.as_str()) => return Vec::new(),
        _ if event.form == Form::Body => return vec![Item::UnparsableBody(lossy.into_owned())],
        _ => return vec![Item::Unparsable(lossy.into_owned())],
    };
    let read = |value: Value| match failure(api, &value, says_error) {
        None if !value.is_object() => Item::Unparsable(lossy.clone().into_owned()),
        failure => Item::Data { name: event.name.clone(), value, failure },
    };
    values.into_iter().map(read).collect()
}

/// The failure that an object reports, in any of the forms that servers use
/// (wire sheets: 1.C of both, and "Error body shapes").
fn failure(api: Api, value: &Value, says_error: bool) -> Option<Problem> {
    let of_choice = || list(value, "choices").iter().find_map(|choice| some(choice, "error"));
    let of_groq = || some(some(value, "x_groq")?, "error");
    let inner = some(value, "error").filter(|error| truthy(error)).or_else(of_choice).or_else(of_groq);
    // MiniMax reports failures in a 200 body this way.
    let base = some(value, "base_resp").filter(|base| base.get("status_code").is_some_and(truthy));
    let flat = text(value, "type") == Some("error")
        || text(value, "object") == Some("error")
        || (text(value, "message").is_some() && value.get("choices").is_none());
    let (error, code) = match (inner, base) {
        (Some(error), _) => (error, if error.is_string() { value.get("code") } else { error.get("code") }),
        (None, Some(base)) => (base, base.get("status_code")),
        (None, None) if flat || says_error => (value, value.get("code")),
        (None, None) => return None,
    };
    let mut problem = Problem::new(ProblemKind::ProviderError);
    let message = error.as_str().or_else(|| text(error, "message")).or_else(|| text(error, "status_msg"));
    problem.message = Some(message.map_or_else(|| error.to_string(), restore));
    // Around a flat error, `"type":"error"` says only that it is one.
    let kind = full(error, "type").filter(|kind| *kind != "error" || !std::ptr::eq(error, value));
    problem.error_type = kind.map(restore);
    if api == Api::OpenaiChat {
        problem.reason = match code {
            Some(Value::String(code)) if !code.is_empty() => Some(restore(code)),
            Some(Value::Number(code)) => Some(code.to_string()),
            _ => None,
        };
    }
    Some(problem)
}

/// The problem of an answer with an error status.
pub(super) fn refused_by_status(items: &[Item], body: &str) -> Problem {
    let reported = items.iter().find_map(|item| match item {
        Item::Data { failure, .. } => failure.clone(),
        _ => None,
    });
    match reported {
        Some(problem) => Problem { kind: ProblemKind::HttpStatus, ..problem },
        None if body.trim().is_empty() => Problem::new(ProblemKind::HttpStatus),
        None => Problem::new(ProblemKind::HttpStatus).raw(body.chars().take(1000).collect::<String>()),
    }
}
