//! Error objects, as providers and gateways shape them.

use crate::json::{Kind, Value};
use crate::model::{Problem, ProblemKind};

/// Codes that speak of the model's output, not of the service: the model wrote a call that the
/// provider could not use (Groq, `failed_generation`).
const MODEL_FAULTS: &[&str] = &["tool_use_failed"];

/// Keys under which a message stands, in order.
const MESSAGES: &[&str] = &["message", "detail", "error_msg", "status_msg"];

/// The error inside an event or body, if it holds one: a truthy member `error`, as the official
/// OpenAI client decides it.
pub(super) fn find(body: Value<'_>) -> Option<Value<'_>> {
    body.get("error").filter(|error| truthy(*error))
}

/// The failure that an answer reports instead of what was asked for: in a member `error`, in an array that holds
/// one, flat, or as the status that MiniMax puts into an answer with status 200.
pub(super) fn reported(body: Value<'_>) -> Option<Problem> {
    if find(body).is_some() || body.items().next().and_then(find).is_some() {
        return Some(read(body));
    }
    let is_error = body.get("object").and_then(Value::as_str).is_some_and(|kind| kind.is("error"));
    let says = || ["message", "detail"].iter().any(|key| body.text_of(key).is_some());
    if body.get("choices").is_none() && (is_error || says()) {
        return Some(read(body));
    }
    let base = body.some("base_resp")?;
    let code = base.get("status_code").and_then(Value::as_i64).filter(|code| *code != 0)?;
    let problem = Problem { kind: ProblemKind::ProviderError, ..read(base) };
    Some(problem.reason(code.to_string()))
}

/// JavaScript's and Python's idea of true, as far as they agree.
pub(super) fn truthy(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null => false,
        Kind::Bool => value.as_bool() == Some(true),
        Kind::String => value.as_str().is_some_and(|s| !s.is_empty()),
        Kind::Number => value.as_i64() != Some(0),
        Kind::Array => value.items().next().is_some(),
        Kind::Object => value.members().next().is_some(),
    }
}

/// Reads `{"error":{…}}`, `{"error":"…"}`, `[{"error":…}]`, a flat `{"message":…}` or the error itself.
pub(super) fn read(body: Value<'_>) -> Problem {
    let body = body.items().next().unwrap_or(body);
    let nested = find(body);
    let error = nested.unwrap_or(body);
    let mut problem = Problem::new(ProblemKind::ProviderError);
    if error.kind() != Kind::Object {
        let message = error.to_text().map_or_else(|| error.raw().to_owned(), std::borrow::Cow::into_owned);
        problem.reason = code_of(body);
        return problem.message(message);
    }
    let text = |key: &str| error.text_of(key).map(std::borrow::Cow::into_owned);
    problem.message = MESSAGES.iter().find_map(|key| text(key)).or_else(|| {
        // An error with nothing readable is still shown.
        Some(error.raw().to_owned())
    });
    // The type `error` of a flat one is that of the event.
    problem.error_type = text("type").filter(|word| nested.is_some() || word != "error").or_else(|| text("status"));
    problem.reason = code_of(error);
    if problem.reason.as_deref().is_some_and(|code| MODEL_FAULTS.contains(&code)) {
        problem.kind = ProblemKind::MalformedFunctionCall;
        problem.raw = text("failed_generation");
    }
    problem
}

/// A `code`, whether it is a word or a number.
fn code_of(error: Value<'_>) -> Option<String> {
    let code = error.text_of("code").map(std::borrow::Cow::into_owned);
    code.or_else(|| error.get("code")?.as_number().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::json::Doc;

    #[test]
    fn errors_of_every_shape_give_their_message() {
        for (body, message, kind, reason) in [
            (r#"{"error":{"message":"m","type":"t","code":502}}"#, "m", Some("t"), Some("502")),
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#,
                "m",
                Some("overloaded_error"),
                None,
            ),
            (r#"{"error":"m"}"#, "m", None, None),
            (
                r#"[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]"#,
                "m",
                Some("INVALID_ARGUMENT"),
                Some("400"),
            ),
            (r#"{"message":"m","type":"t","code":"wrong_api_format"}"#, "m", Some("t"), Some("wrong_api_format")),
            (r#"{"message":"m","type":"error","code":500}"#, "m", None, Some("500")),
            (r#"{"detail":"m"}"#, "m", None, None),
            (r#""m""#, "m", None, None),
            (r#"{"error":{"odd":1}}"#, r#"{"odd":1}"#, None, None),
        ] {
            let problem = read(Doc::parse(body).unwrap().root());
            assert_eq!(problem.message.as_deref(), Some(message), "{body}");
            assert_eq!(problem.error_type.as_deref(), kind, "{body}");
            assert_eq!(problem.reason.as_deref(), reason, "{body}");
        }
    }
}
