//! Where a request goes: Anthropic itself, Vertex, or Bedrock, which wrap the same body differently.
//!
//! Source: Anthropic documentation, "Claude on Vertex AI" and "Claude on Amazon Bedrock", and the client classes
//! of the official SDKs.

use super::super::super::request_view::RequestView;
use super::super::super::rule::{Offences, shown};

/// Versions of the API, and where they are sent.
const VERSIONS: &[&str] = &["2023-06-01", "2026-10-21", "vertex-2023-10-16", "bedrock-2023-05-31"];

/// The version that refuses sampling parameters.
const NEWEST: &str = "2026-10-21";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// Anthropic's own API, and servers that copy it.
    Own,
    /// Google Vertex AI: `rawPredict`.
    Vertex,
    /// Amazon Bedrock: `InvokeModel`.
    Bedrock,
}

impl Route {
    pub(super) fn of(view: &RequestView<'_>) -> Self {
        match view.dialect {
            Some("vertex") => return Self::Vertex,
            Some("bedrock") => return Self::Bedrock,
            _ => {}
        }
        match view.body.text("anthropic_version").as_deref() {
            Some(version) if version.starts_with("vertex-") => Self::Vertex,
            Some(version) if version.starts_with("bedrock-") => Self::Bedrock,
            _ => Self::Own,
        }
    }
}

pub(super) fn version_present(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.text("anthropic_version").is_some_and(|version| !version.is_empty()) {
        return;
    }
    match (Route::of(view), view.http) {
        (Route::Own, Some(http)) if http.header("anthropic-version").is_none() => {
            out.add("header:anthropic-version", "the header `anthropic-version` is missing");
        }
        (Route::Own, _) => {}
        (Route::Vertex | Route::Bedrock, _) => {
            out.add("/anthropic_version", "the body has no `anthropic_version`, which this route needs");
        }
    }
}

pub(super) fn version_known(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let header = view.http.and_then(|http| http.header("anthropic-version"));
    if let Some(version) = header.filter(|version| !VERSIONS.contains(version)) {
        out.add("header:anthropic-version", format!("{} is no known version", shown(version)));
    }
    let body = view.body.text("anthropic_version");
    if let Some(version) = body.filter(|version| !VERSIONS.contains(&&**version)) {
        out.add("/anthropic_version", format!("{} is no known version", shown(&version)));
    }
}

pub(super) fn one_key(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let has = |name| view.http.is_some_and(|http| http.header(name).is_some());
    if has("x-api-key") && has("authorization") {
        out.add("header:authorization", "`x-api-key` and `authorization` are both sent");
    }
}

pub(super) fn model(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let there = |key: &str| view.body.get(key).is_some();
    match Route::of(view) {
        Route::Own if view.body.text("model").is_none_or(|model| model.is_empty()) => {
            out.add("/model", "the body names no `model`");
        }
        Route::Vertex | Route::Bedrock if there("model") => {
            out.add("/model", "the route names the model; `model` in the body is refused");
        }
        Route::Bedrock if there("stream") => {
            out.add("/stream", "the route says whether to stream; `stream` in the body is refused");
        }
        Route::Own | Route::Vertex | Route::Bedrock => {}
    }
}

pub(super) fn max_tokens(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(limit) = view.body.get("max_tokens") else {
        let counting = view.http.is_some_and(|http| http.path.contains("count_tokens"));
        if !counting {
            out.add("/max_tokens", "`max_tokens` is missing");
        }
        return;
    };
    let forced = view.tool_choice.as_ref().is_some_and(|choice| choice.mode.is_forced());
    match limit.value.as_u64() {
        Some(0) if forced => out.add(&limit.pointer, "`max_tokens` is 0 although a call is demanded"),
        Some(_) => {}
        None => out.add(&limit.pointer, "`max_tokens` is no whole number"),
    }
}

pub(super) fn newest_version(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let header = view.http.and_then(|http| http.header("anthropic-version"));
    if header != Some(NEWEST) && view.body.text("anthropic_version").as_deref() != Some(NEWEST) {
        return;
    }
    for key in ["temperature", "top_p", "top_k"] {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("`{key}` is refused since version {NEWEST}"));
        }
    }
    for message in &view.messages {
        let assistant = message.role == super::super::super::request_view::Role::Assistant;
        for part in &message.parts {
            if assistant && part.type_name() == "document" {
                out.add(&part.node.pointer, "a document in an assistant message is refused");
            }
            let cited = part.node.some("citations").is_some_and(|list| list.value.items().next().is_some());
            if !assistant && part.as_text().is_some() && cited {
                out.add(&part.node.at("citations"), "citations on a user's text are refused");
            }
        }
    }
}
