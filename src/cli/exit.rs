//! Exit codes, the same for every subcommand.

use std::process::ExitCode;

/// How a command ended. When several apply, the first in this order counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// A fault of toolwire itself: 5.
    Internal,
    /// Usage, configuration or corpus error; nothing was run: 2.
    Usage,
    /// Not conformant, a finding, a counterexample, or a change for the worse: 1.
    NotConformant,
    /// Everything is as expected: 0.
    AsExpected,
}

impl Exit {
    /// The code that the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::NotConformant => 1,
            Self::Usage => 2,
            Self::Internal => 5,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
