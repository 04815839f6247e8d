//! What a check found.

use crate::json::JsonText;

/// How one check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckOutcome {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// Something it depends on failed, so it says nothing.
    Blocked,
    /// The target does not show what it looks at.
    Unsupported,
}

impl CheckOutcome {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Pass, Self::Fail, Self::Blocked, Self::Unsupported];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Blocked => "blocked",
            Self::Unsupported => "unsupported",
        }
    }
}

/// One check on one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The check's stable name, such as `arguments.value`.
    pub check: String,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// The turn it looked at, from 0.
    pub turn: usize,
    /// What was expected, when it failed.
    pub expected: Option<JsonText>,
    /// What was there, when it failed.
    pub actual: Option<JsonText>,
    /// Pointer into the turn to the first difference, when it failed.
    pub pointer: Option<String>,
}
