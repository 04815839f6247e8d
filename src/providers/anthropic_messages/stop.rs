//! Stop reasons.

/// What a stop reason means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// A clean end, with or without calls.
    Clean,
    /// The output or context limit: the last call cannot be trusted.
    Length,
    /// The provider wants to be asked again.
    Pause,
    /// Stopped for policy: the calls of the turn are void.
    Refusal,
}

/// Known values: Anthropic's own, some of them beta. `sensitive` is what some compatible servers send.
const REASONS: &[(&str, Reason)] = &[
    ("end_turn", Reason::Clean),
    ("tool_use", Reason::Clean),
    ("stop_sequence", Reason::Clean),
    ("max_tokens", Reason::Length),
    ("model_context_window_exceeded", Reason::Length),
    ("pause_turn", Reason::Pause),
    ("compaction", Reason::Pause),
    ("refusal", Reason::Refusal),
    ("sensitive", Reason::Refusal),
];

/// The meaning of a reason; `None` for one that is not known.
pub(super) fn reason(word: &str) -> Option<Reason> {
    REASONS.iter().find(|(name, _)| *name == word).map(|(_, reason)| *reason)
}
