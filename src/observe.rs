//! What a target showed.

use crate::json::{JsonText, Kind, Value};
use crate::model::Turn;

/// What a target made of one response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// A turn.
    Turn(Box<Turn>),
    /// The frames of a stream, from a target that can show framing alone.
    Frames(SeenFrames),
}

/// Frames, as a framing case expects them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenFrames {
    /// Event name, empty if none, and data.
    pub frames: Vec<(String, String)>,
    /// Texts of comments.
    pub comments: Vec<String>,
    /// Field and value of strays.
    pub strays: Vec<(String, String)>,
    /// The last event came without its blank line.
    pub unterminated: bool,
    /// What could not be framed.
    pub faults: Vec<String>,
}

/// What came out of a target for one permutation of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// One result a turn.
    Observed(Vec<Seen>),
    /// The target cannot try this.
    Unsupported(String),
    /// The target died.
    Crash(String),
}

/// A request as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentRequest {
    /// Such as `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers in order.
    pub headers: Vec<(String, String)>,
    /// The body, exact.
    pub body: Vec<u8>,
}

impl SentRequest {
    /// Reads `{"method","path","headers","body"}` with the body as text and the headers as an object or as pairs;
    /// `None` if the value is something else, such as a body itself.
    pub fn read(value: Value<'_>) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.to_text()?.into_owned());
        let (method, path, body) = (text("method")?, text("path")?, text("body")?);
        let headers = value.some("headers");
        let named = headers.into_iter().flat_map(Value::members).map(|(name, value)| (name.decode(), value.to_text()));
        let listed = headers.into_iter().flat_map(Value::items).filter(|pair| pair.kind() == Kind::Array).map(|pair| {
            let mut pair = pair.items().map(|one| one.to_text().unwrap_or_default());
            (pair.next().unwrap_or_default(), pair.next())
        });
        let pair = |(name, value): (std::borrow::Cow<'_, str>, Option<std::borrow::Cow<'_, str>>)| {
            (name.into_owned(), value.unwrap_or_default().into_owned())
        };
        Some(Self { method, path, headers: named.chain(listed).map(pair).collect(), body: body.into_bytes() })
    }
}

/// What a target made of a neutral request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// A request.
    Request {
        /// The request.
        request: SentRequest,
        /// What was left out or rewritten, as a JSON array; `None` if the target does not show it.
        diagnostics: Option<JsonText>,
    },
    /// Nothing: it cannot be sent at all.
    Refused {
        /// What kind of reason.
        kind: String,
        /// A sentence for people.
        message: String,
    },
    /// The target cannot try this.
    Unsupported(String),
    /// The target died.
    Crash(String),
}
