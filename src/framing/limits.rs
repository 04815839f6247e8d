//! How long things may get.

/// Limits in bytes. What is over one becomes a [`Fault`](super::Fault); a stream is read on after it, a body is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// One line of a stream.
    pub line: usize,
    /// The data of one event.
    pub event: usize,
    /// One value of a body that is JSON.
    pub body: usize,
}

impl Limits {
    /// 16 MiB a line and an event (what the adapter protocol allows for one message), 64 MiB a value of a body.
    pub const DEFAULT: Self = Self { line: 16 << 20, event: 16 << 20, body: 64 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
