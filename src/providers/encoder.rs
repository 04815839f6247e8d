//! What an encoder gives: the exact HTTP request, or why there is none.
//!
//! In: a neutral [`Request`]. Out: method, path, headers and body, equal for equal requests whatever order the
//! tools come in. What cannot be sent at all is refused before anything goes out; what was left out or rewritten is
//! said. Nothing here knows a key or a host.

use super::{anthropic_messages, gemini, mistral_chat, openai_chat, openai_responses};
use crate::json::{JsonText, Style, Writer};
use crate::model::{Api, Request};

/// A request as a provider gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The HTTP method.
    pub method: &'static str,
    /// The path with its query, from the host on. `{project}` and the like stand for what only the caller knows.
    pub path: String,
    /// The headers that the body needs, names in lower case; credentials are the caller's.
    pub headers: Vec<(&'static str, String)>,
    /// The body: JSON without white space, its keys in a fixed order.
    pub body: String,
    /// What was left out or rewritten.
    pub diagnostics: Vec<Adjustment>,
    /// Tool names that are others on the wire: (wire name, the caller's name).
    pub names: Vec<(String, String)>,
}

/// Something that was left out of a request, or rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Adjustment {
    /// What kind of adjustment, in kebab-case.
    pub rule: &'static str,
    /// What was done, and why.
    pub message: String,
    /// The tool it is about, in the caller's words.
    pub tool: Option<String>,
    /// Where in the neutral request.
    pub pointer: Option<String>,
}

/// Why a request cannot be sent at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// What kind of reason.
    pub kind: RefusalKind,
    /// A sentence for people.
    pub message: String,
}

macro_rules! refusal_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Reasons to refuse a request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum RefusalKind {
            $($(#[$doc])* $variant,)*
        }

        impl RefusalKind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

refusal_kinds! {
    /// The dialect is in no table of the API.
    UnknownDialect = "unknown_dialect",
    /// Two tools have one name.
    DuplicateToolName = "duplicate_tool_name",
    /// Two names become one on the wire.
    NameCollision = "name_collision",
    /// More tools than the server takes.
    TooManyTools = "too_many_tools",
    /// The choice names a tool that does not go out, or needs one where none does.
    ToolChoiceUnavailable = "tool_choice_unavailable",
    /// The server cannot be told this choice.
    ToolChoiceUnsupported = "tool_choice_unsupported",
    /// The conversation has nothing to send.
    EmptyConversation = "empty_conversation",
    /// The conversation begins with the model, where the provider wants the user first.
    AssistantFirst = "assistant_first",
}

impl Refused {
    pub(super) fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// A dialect that the API's table does not have.
    pub(super) fn unknown_dialect<'n>(request: &Request, api: Api, known: impl Iterator<Item = &'n str>) -> Self {
        let name = request.options.dialect.as_deref().unwrap_or("");
        let known: Vec<&str> = known.collect();
        let message = format!("`{api}` has no dialect `{name}`; known are {}", known.join(", "));
        Self::new(RefusalKind::UnknownDialect, message)
    }

    /// `{"refused":{"kind","message"}}`.
    pub fn to_json(&self, style: Style) -> String {
        let mut writer = Writer::new(style);
        writer.object(|w| {
            w.key("refused");
            w.object(|w| {
                w.member("kind", self.kind.name());
                w.member("message", &self.message);
            });
        });
        writer.finish()
    }
}

impl Encoded {
    /// `{"method","path","headers","body","diagnostics","names"}`; the body is a string.
    pub fn to_json(&self, style: Style) -> String {
        let mut writer = Writer::new(style);
        writer.object(|w| {
            w.member("method", self.method);
            w.member("path", &self.path);
            w.key("headers");
            w.object(|w| self.headers.iter().for_each(|(name, value)| w.member(name, value)));
            w.member("body", &self.body);
            w.key("diagnostics");
            w.array(|w| self.diagnostics.iter().for_each(|adjustment| adjustment.write(w)));
            w.key("names");
            w.object(|w| self.names.iter().for_each(|(wire, name)| w.member(wire, name)));
        });
        writer.finish()
    }
}

impl Encoded {
    /// The diagnostics alone, as an array.
    pub fn diagnostics_json(&self) -> JsonText {
        JsonText::build(|w| w.array(|w| self.diagnostics.iter().for_each(|adjustment| adjustment.write(w))))
    }
}

impl Adjustment {
    fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("rule", self.rule);
            w.member("message", &self.message);
            w.optional("tool", self.tool.as_deref());
            w.optional("pointer", self.pointer.as_deref());
        });
    }
}

/// Encodes a request for an API; `options.dialect` selects a compatible server.
///
/// # Errors
/// [`Refused`] if the provider would refuse it whatever is left out.
pub fn encode(api: Api, request: &Request) -> Result<Encoded, Refused> {
    match api {
        Api::AnthropicMessages => anthropic_messages::encode(request),
        Api::OpenaiChat => openai_chat::encode(request),
        Api::MistralChat => mistral_chat::encode(request),
        Api::OpenaiResponses => openai_responses::encode(request),
        Api::Gemini => gemini::encode(request),
    }
}
