//! Exit codes, the same for every subcommand.

use std::process::ExitCode;

/// How a command ended. When several apply, the first in this order counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// A fault of toolwire itself: 5.
    Internal,
    /// Usage, configuration or corpus error; nothing was run: 2.
    Usage,
    /// A target could not be started or kept alive: 3.
    TargetFailed,
    /// Nothing was selected: 4.
    NothingSelected,
    /// Not conformant, a finding, a counterexample or a breaking change: 1.
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
            Self::TargetFailed => 3,
            Self::NothingSelected => 4,
            Self::Internal => 5,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_gravest_of_several_counts() {
        let order = [
            Exit::Internal,
            Exit::Usage,
            Exit::TargetFailed,
            Exit::NothingSelected,
            Exit::NotConformant,
            Exit::AsExpected,
        ];
        assert!(order.is_sorted());
        assert_eq!(order.map(Exit::code), [5, 2, 3, 4, 1, 0]);
        assert_eq!(Exit::NotConformant.min(Exit::TargetFailed), Exit::TargetFailed);
    }
}
