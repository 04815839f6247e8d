//! Events to items: parsed, sorted into answers and failures.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::sse::{Event, Form};
use super::value::{full, list, parse, parse_keeping, restore, some, text, truthy, whole_number};
use crate::model::{Api, Problem, ProblemKind};

/// How many characters of a text that cannot be read are shown.
const RAW: usize = 1000;

/// What an event turned out to be.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// Parsed data. A failure can stand beside other things in one object.
    Data {
        /// The event name; empty if there is none.
        name: String,
        /// What it holds.
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
    /// Data whose end did not come.
    Cut,
    /// The array that the body is did not end.
    OpenArray,
}

/// Events of Anthropic whose data has to be JSON (rule ANT-S-003); of others nothing is known.
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
    let blank = event.form == Form::Data && event.data.trim_ascii().is_empty();
    if blank || matches!(event.form, Form::Comment | Form::Unknown) {
        return Vec::new();
    }
    let lossy = String::from_utf8_lossy(&event.data);
    if event.form == Form::NameOnly {
        let failed = event.name == "error";
        return if failed { vec![Item::Failure(Problem::new(ProblemKind::ProviderError))] } else { Vec::new() };
    }
    if event.form == Form::OpenArray {
        return vec![Item::OpenArray];
    }
    let is_frame = matches!(event.form, Form::Data | Form::Body);
    if is_frame && event.data.starts_with(b"[DONE]") {
        return vec![Item::Done];
    }
    let says_error = event.form == Form::ErrorField || event.name == "error";
    let cut = is_frame && event.cut && is_cut(&event.data);
    // A piece of arguments may be a value.
    let more: &[&str] = if api == Api::OpenaiResponses { &["delta"] } else { &[] };
    match std::str::from_utf8(&event.data).map(|text| parse_keeping(text, more)) {
        Ok(Ok(value)) => {
            let values = elements(api, value).into_iter();
            values.filter_map(|value| data(api, &event.name, value, says_error)).collect()
        }
        _ if cut => vec![Item::Cut],
        _ if says_error => vec![Item::Failure(Problem::new(ProblemKind::ProviderError).message(lossy))],
        _ if api == Api::AnthropicMessages && !ANTHROPIC_EVENTS.contains(&event.name.as_str()) => Vec::new(),
        _ => vec![Item::Unparsable(lossy.chars().take(RAW).collect())],
    }
}

/// The values of an event: in Gemini's streams an array is its elements (decision 72).
fn elements(api: Api, value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) if api == Api::Gemini => {
            values.into_iter().flat_map(|value| elements(api, value)).collect()
        }
        value => vec![value],
    }
}

/// What one value says, out of the wrapping that it may have (decisions 72 and 85); data that is no object
/// and reports nothing says nothing (decision 44).
fn data(api: Api, name: &str, value: Value, says_error: bool) -> Option<Item> {
    let wrapping = match api {
        Api::Gemini => Some("response"),
        Api::MistralChat => Some("data"),
        _ => None,
    };
    let inner = wrapping.and_then(|key| value.get(key)).filter(|inner| inner.is_object());
    let inner = inner.filter(|_| api == Api::Gemini || value.get("choices").is_none());
    let failure = failure(api, name, inner.unwrap_or(&value), says_error);
    let failure = failure.or_else(|| error_member(&value).map(|_| reported(&value)));
    let value = inner.cloned().unwrap_or(value);
    (failure.is_some() || value.is_object()).then(|| Item::Data { name: name.to_owned(), value, failure })
}

/// True for JSON, or a character, that ends too early.
fn is_cut(data: &[u8]) -> bool {
    match std::str::from_utf8(data) {
        // `serde_json` looks at the four digits of an escape only when all are there.
        Ok(text) => parse(text).is_err_and(|error| error.is_eof()) && !ends_in_a_wrong_escape(text),
        Err(error) => error.error_len().is_none(),
    }
}

/// True for a text that ends in `\u` and less than four characters that are not all digits.
fn ends_in_a_wrong_escape(text: &str) -> bool {
    text.rsplit_once("\\u").is_some_and(|(before, digits)| {
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        backslashes % 2 == 0 && digits.len() < 4 && !digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// The failure that an event reports, in any of the forms that servers use
/// (`error_body` lists them).
fn failure(api: Api, name: &str, value: &Value, says_error: bool) -> Option<Problem> {
    let kind = full(value, "type").unwrap_or(name);
    // Where an event has a kind, only that says what it is.
    let chat = matches!(api, Api::OpenaiChat | Api::MistralChat);
    let any_shape = match api {
        Api::OpenaiChat | Api::MistralChat => true,
        Api::Gemini => value.get("candidates").is_none(),
        Api::AnthropicMessages | Api::OpenaiResponses => kind.is_empty(),
    };
    let typed = matches!(api, Api::AnthropicMessages | Api::OpenaiResponses);
    let in_array = value.get(0).is_some_and(|first| error_member(first).is_some());
    let answers = value.get("choices").is_some() || (api == Api::OpenaiResponses && is_response(value));
    let flat = !answers
        && (text(value, "object") == Some("error")
            || ["message", "detail"].iter().any(|key| full(value, key).is_some()));
    if says_error || error_member(value).is_some() || (typed && kind == "error") || (any_shape && (in_array || flat)) {
        return Some(reported(value));
    }
    let of_groq = || error_member(some(value, "x_groq")?);
    let of_choice = || list(value, "choices").iter().find_map(error_member);
    // MiniMax reports failures in a 200 body this way.
    let base = some(value, "base_resp").filter(|_| any_shape);
    let status = base.and_then(|base| whole_number(base.get("status_code")?)).filter(|status| *status != 0);
    match (base, status) {
        (Some(base), Some(status)) => {
            Some(Problem { kind: ProblemKind::ProviderError, ..reported(base) }.reason(status.to_string()))
        }
        _ if chat => of_groq().or_else(of_choice).map(reported),
        _ => None,
    }
}

/// True for a body that is an answer of Responses itself.
pub(super) fn is_response(value: &Value) -> bool {
    text(value, "object") == Some("response") || value.get("output").is_some_and(Value::is_array)
}

pub(super) fn error_member(value: &Value) -> Option<&Value> {
    some(value, "error").filter(|error| truthy(error))
}

/// What an error body says: `{"error":{…}}`, `{"error":"…"}`, `[{"error":{…}}]`, or the error itself.
pub(super) fn reported(body: &Value) -> Problem {
    let body = body.get(0).unwrap_or(body);
    let error = error_member(body).unwrap_or(body);
    let code = match if error.is_object() { error.get("code") } else { body.get("code") } {
        Some(Value::String(code)) if !code.is_empty() => Some(restore(code)),
        Some(Value::Number(code)) => Some(code.to_string()),
        _ => None,
    };
    let messages = ["message", "detail", "error_msg", "status_msg"];
    let message = error.as_str().or_else(|| messages.iter().find_map(|key| full(error, key)));
    let mut problem = Problem::new(ProblemKind::ProviderError);
    problem.message = Some(message.map_or_else(|| error.to_string(), restore));
    // The type `error` of a flat one is that of the event (decision 71).
    let own_type = full(error, "type").filter(|word| *word != "error" || error_member(body).is_some());
    problem.error_type = own_type.or_else(|| full(error, "status")).map(restore);
    // The model failed, not the service (decision 38).
    if error.is_object() && code.as_deref() == Some("tool_use_failed") {
        problem.kind = ProblemKind::MalformedFunctionCall;
        problem.raw = full(error, "failed_generation").map(restore);
    }
    problem.reason = code;
    problem
}

/// Adds a failure, unless it was told already.
pub(super) fn tell(problems: &mut Vec<Problem>, problem: &Problem) {
    let known = problems.iter().any(|known| known.kind == problem.kind && known.message == problem.message);
    if !known || problem.kind == ProblemKind::UnparsableEvent {
        problems.push(problem.clone());
    }
}

/// True if the provider reported a failure: then it is known why there is no end (decision 40).
pub(super) fn reported_any(problems: &[Problem]) -> bool {
    problems
        .iter()
        .any(|problem| matches!(problem.kind, ProblemKind::ProviderError | ProblemKind::MalformedFunctionCall))
}

/// The problem of an answer with an error status: what its first JSON says, or its text.
pub(super) fn refused_by_status(events: &[Event], body: &str) -> Problem {
    let json = |event: &Event| parse(std::str::from_utf8(&event.data).ok()?).ok();
    let said = events.iter().filter(|event| matches!(event.form, Form::Data | Form::Body)).find_map(json);
    match said {
        Some(value) => Problem { kind: ProblemKind::HttpStatus, ..reported(&value) },
        None if body.trim().is_empty() => Problem::new(ProblemKind::HttpStatus),
        None => Problem::new(ProblemKind::HttpStatus).raw(body.chars().take(RAW).collect::<String>()),
    }
}
