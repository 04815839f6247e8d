//! Where a request goes: AI Studio, Vertex, or Code Assist.

use super::super::super::request_view::RequestView;
use super::super::super::rule::Offences;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// `generativelanguage.googleapis.com`, which is also assumed where nothing says otherwise.
    AiStudio,
    /// Google Cloud.
    Vertex,
    /// What gemini-cli talks to: the body inside an envelope.
    CodeAssist,
}

impl Route {
    pub(super) fn of(view: &RequestView<'_>) -> Self {
        let path = view.http.map_or("", |http| http.path);
        match view.dialect {
            Some("vertex") => Self::Vertex,
            Some("codeassist") => Self::CodeAssist,
            _ if path.contains("v1internal:") || view.body.pointer == "/request" => Self::CodeAssist,
            _ if path.contains("/projects/") || path.contains("/publishers/google/") => Self::Vertex,
            _ => Self::AiStudio,
        }
    }
}

pub(super) fn path(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(http) = view.http else { return };
    let (path, query) = http.path.split_once('?').unwrap_or((http.path, ""));
    if path.ends_with(":streamGenerateContent") {
        if !query.split('&').any(|pair| pair == "alt=sse") {
            out.add("path", "without `alt=sse` in the query the stream is one JSON array");
        }
    } else if !path.ends_with(":generateContent") {
        out.add("path", "the path ends neither in :generateContent nor in :streamGenerateContent");
    }
}

pub(super) fn envelope(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let enveloped = view.body.pointer == "/request";
    // The view's model of an enveloped body is the envelope's.
    if enveloped && view.model.is_none() {
        out.add("/model", "the envelope names no `model`");
    }
    if view.dialect == Some("codeassist") && !enveloped {
        out.add("/request", "Code Assist takes the body inside `request`");
    }
    if view.dialect.is_some_and(|dialect| dialect != "codeassist") && enveloped {
        out.add("/request", "only Code Assist takes the body inside `request`");
    }
}
