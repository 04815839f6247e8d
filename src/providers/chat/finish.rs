//! Finish reasons, from every dialect.

/// What a finish reason means; the gravest of several counts, so the order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finish {
    /// A clean end, with or without calls.
    Clean,
    /// The output limit.
    Length,
    /// A filter stopped the output.
    Filtered,
    /// The service failed.
    Failed,
}

/// Known values: OpenAI's own, `eos` of Together, `sensitive` and `network_error` of Zhipu, `error` of OpenRouter,
/// `insufficient_system_resource` of DeepSeek, `model_length` of Mistral.
const REASONS: &[(&str, Finish)] = &[
    ("stop", Finish::Clean),
    ("tool_calls", Finish::Clean),
    ("function_call", Finish::Clean),
    ("eos", Finish::Clean),
    ("length", Finish::Length),
    ("model_length", Finish::Length),
    ("content_filter", Finish::Filtered),
    ("sensitive", Finish::Filtered),
    ("error", Finish::Failed),
    ("network_error", Finish::Failed),
    ("insufficient_system_resource", Finish::Failed),
];

/// The meaning of a reason; `None` for one that no provider is known to send.
pub(super) fn finish(reason: &str) -> Option<Finish> {
    REASONS.iter().find(|(name, _)| *name == reason).map(|(_, finish)| *finish)
}
