//! What an outcome means for the run.

/// The word that a report gives a permutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Passed, and nothing else was expected.
    Pass,
    /// Passed by an accepted alternative.
    Lenient,
    /// Failed as the expectations say.
    ExpectedFail,
    /// Crashed as the expectations say.
    ExpectedCrash,
    /// Timed out as the expectations say.
    ExpectedTimeout,
    /// Passed or failed, and the expectations say that it may do either.
    Flaky,
    /// Passed although the expectations say that it does not.
    UnexpectedPass,
    /// Failed, and nobody said so.
    Fail,
    /// Died.
    Crash,
    /// Gave no answer in time.
    Timeout,
    /// Broke the adapter protocol.
    ProtocolError,
    /// Sent nothing to the mock provider.
    NoRequest,
    /// toolwire or an adapter failed.
    HarnessError,
    /// Cannot be tried on this target.
    Unsupported,
    /// No check could say anything.
    Blocked,
    /// The expectations say to leave it out.
    Skip,
    /// The run was cut before it.
    NotRun,
}

impl Verdict {
    /// All of them, in the order of reports.
    pub const ALL: &'static [Self] = &[
        Self::Pass,
        Self::Lenient,
        Self::ExpectedFail,
        Self::ExpectedCrash,
        Self::ExpectedTimeout,
        Self::Flaky,
        Self::UnexpectedPass,
        Self::Fail,
        Self::Crash,
        Self::Timeout,
        Self::ProtocolError,
        Self::NoRequest,
        Self::HarnessError,
        Self::Unsupported,
        Self::Blocked,
        Self::Skip,
        Self::NotRun,
    ];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Lenient => "lenient",
            Self::ExpectedFail => "expected-fail",
            Self::ExpectedCrash => "expected-crash",
            Self::ExpectedTimeout => "expected-timeout",
            Self::Flaky => "flaky",
            Self::UnexpectedPass => "unexpected-pass",
            Self::Fail => "fail",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::ProtocolError => "protocol-error",
            Self::NoRequest => "no-request",
            Self::HarnessError => "harness-error",
            Self::Unsupported => "unsupported",
            Self::Blocked => "blocked",
            Self::Skip => "skip",
            Self::NotRun => "not-run",
        }
    }
}
