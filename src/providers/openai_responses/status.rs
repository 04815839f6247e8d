//! How a response ends, by the status that it has or by the event that says so.

/// How a response ended; the graver of event and status counts, so the order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Terminal {
    Completed,
    Incomplete,
    Failed,
}

/// Statuses that are final (openai-python `types/responses/response_status.py`); `queued` and `in_progress` are not.
/// The terminal events are these words behind `response.`.
const STATUSES: &[(&str, Terminal)] = &[
    ("completed", Terminal::Completed),
    ("incomplete", Terminal::Incomplete),
    ("failed", Terminal::Failed),
    ("cancelled", Terminal::Failed),
];

/// The end that a status means, if it is one.
pub(super) fn of_status(status: &str) -> Option<Terminal> {
    STATUSES.iter().find(|(word, _)| *word == status).map(|(_, terminal)| *terminal)
}

/// The end that an event type means, if it is one.
pub(super) fn of_event(kind: &str) -> Option<Terminal> {
    of_status(kind.strip_prefix("response.")?)
}
