//! What was wrong with a turn, and what was odd but tolerated.

use crate::json::Writer;

macro_rules! problem_kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// The closed list of error kinds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ProblemKind {
            $($(#[$doc])* $variant,)*
        }

        impl ProblemKind {
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

problem_kinds! {
    /// The output limit hit while the call was open.
    TruncatedArguments = "truncated_arguments",
    /// A closed call's arguments are not JSON.
    InvalidArgumentsJson = "invalid_arguments_json",
    /// A closed call's arguments are JSON, but no object.
    ArgumentsNotObject = "arguments_not_object",
    /// The stream ended before its terminal event.
    IncompleteStream = "incomplete_stream",
    /// An event that is not the JSON it has to be.
    UnparsableEvent = "unparsable_event",
    /// The provider reported a failure.
    ProviderError = "provider_error",
    /// The provider says that the model produced an unusable call.
    MalformedFunctionCall = "malformed_function_call",
    /// The model or a filter stopped the prompt or the answer.
    Blocked = "blocked",
    /// Two calls share an id, and that cannot be mended.
    DuplicateId = "duplicate_id",
    /// A call without a name.
    MissingName = "missing_name",
    /// A call of a tool that was not offered.
    UnknownTool = "unknown_tool",
    /// The grammar of the stream is broken so that no safe value exists.
    ProtocolViolation = "protocol_violation",
    /// A turn that must hold calls holds none.
    NoToolCalls = "no_tool_calls",
    /// The answer's status is not 2xx.
    HttpStatus = "http_status",
}

/// One entry of a turn's `errors`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of error.
    pub kind: ProblemKind,
    /// The call it is about.
    pub id: Option<String>,
    /// The tool it is about.
    pub name: Option<String>,
    /// The provider's own type, such as `overloaded_error`; for `http_status` the provider's type too.
    pub error_type: Option<String>,
    /// The provider's reason or code, or the rule that was broken.
    pub reason: Option<String>,
    /// The text that was wrong.
    pub raw: Option<String>,
    /// A sentence for people.
    pub message: Option<String>,
}

impl Problem {
    /// A problem with nothing but its kind.
    pub fn new(kind: ProblemKind) -> Self {
        Self { kind, id: None, name: None, error_type: None, reason: None, raw: None, message: None }
    }

    /// With a sentence for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// With a reason or code.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// With the text that was wrong.
    #[must_use]
    pub fn raw(mut self, raw: impl Into<String>) -> Self {
        self.raw = Some(raw.into());
        self
    }

    /// About this call.
    #[must_use]
    pub fn call(mut self, id: Option<String>, name: Option<String>) -> Self {
        self.id = id;
        self.name = name;
        self
    }

    pub(super) fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("kind", self.kind.name());
            w.optional("id", self.id.as_deref());
            w.optional("name", self.name.as_deref());
            w.optional("type", self.error_type.as_deref());
            w.optional("reason", self.reason.as_deref());
            w.optional("raw", self.raw.as_deref());
            w.optional("message", self.message.as_deref());
        });
    }
}

/// An oddity that was tolerated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The lint rule that says what is odd.
    pub rule: &'static str,
    /// What was seen.
    pub message: String,
}

impl Diagnostic {
    pub(super) fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("rule", self.rule);
            w.member("message", &self.message);
        });
    }
}
