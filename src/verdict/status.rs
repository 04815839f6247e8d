//! What an entry of the expectations says about its cases.

/// The `status` of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// A check fails.
    Fail,
    /// The target dies.
    Crash,
    /// The target does not answer in time.
    Timeout,
    /// Passes or fails.
    Flaky,
    /// Is not run.
    Skip,
}

impl Status {
    /// All of them, in the order of the documentation.
    pub const ALL: &'static [Self] = &[Self::Fail, Self::Crash, Self::Timeout, Self::Flaky, Self::Skip];

    /// The word in `expectations.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Flaky => "flaky",
            Self::Skip => "skip",
        }
    }

    /// The status of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.name() == name)
    }

    /// True if it can be said of one check; the others are about the target's process or the run.
    pub fn is_about_a_check(self) -> bool {
        match self {
            Self::Fail | Self::Flaky => true,
            Self::Crash | Self::Timeout | Self::Skip => false,
        }
    }
}
