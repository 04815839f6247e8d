//! How a response ends, by the status that it has or by the event that says so.

/// How a response ended; the graver of event and status counts, so the order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Terminal {
    Completed,
    Incomplete,
    Failed,
}

/// Statuses that are final (openai-python `types/responses/response_status.py`).
/// The terminal events are these words behind `response.`.
const STATUSES: &[(&str, Terminal)] = &[
    ("completed", Terminal::Completed),
    ("incomplete", Terminal::Incomplete),
    ("failed", Terminal::Failed),
    ("cancelled", Terminal::Failed),
];

/// Statuses of a response that is still being made.
const RUNNING: &[&str] = &["queued", "in_progress"];

/// The end that a word means, as the status of a response or in the name of an event.
pub(super) fn of_word(word: &str) -> Option<Terminal> {
    STATUSES.iter().find(|(known, _)| *known == word).map(|(_, terminal)| *terminal)
}

/// True for a response that has to be asked for again.
pub(super) fn is_running(status: &str) -> bool {
    RUNNING.contains(&status)
}
