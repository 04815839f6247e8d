//! How a permutation of a case ended on a target.

/// What happened, before any expectation is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Every check passed.
    Pass,
    /// Every check of an accepted alternative passed.
    Lenient,
    /// A check failed.
    Fail,
    /// The target said that it cannot do this.
    Unsupported,
    /// No check could say anything.
    Blocked,
    /// The target died.
    Crash,
    /// The target did not answer in time.
    Timeout,
    /// The target broke the adapter protocol.
    ProtocolError,
    /// The target sent nothing to the mock provider.
    NoRequest,
    /// toolwire or an adapter failed, not the client.
    HarnessError,
    /// The run was cut before it.
    NotRun,
}

impl Outcome {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Pass,
        Self::Lenient,
        Self::Fail,
        Self::Unsupported,
        Self::Blocked,
        Self::Crash,
        Self::Timeout,
        Self::ProtocolError,
        Self::NoRequest,
        Self::HarnessError,
        Self::NotRun,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Lenient => "lenient",
            Self::Fail => "fail",
            Self::Unsupported => "unsupported",
            Self::Blocked => "blocked",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::ProtocolError => "protocol-error",
            Self::NoRequest => "no-request",
            Self::HarnessError => "harness-error",
            Self::NotRun => "not-run",
        }
    }
}
