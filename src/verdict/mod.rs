//! Outcomes against expectations: what makes a run red.
//!
//! In: how a permutation of a case ended, and the text of `expectations.toml`. Out: a [`Verdict`].

mod account;
mod expectations;
mod lint;
mod outcome;
mod read;
mod status;
mod truth;
#[expect(clippy::module_inception, reason = "the room's main noun")]
mod verdict;

pub(crate) use account::by_check;
pub use account::{Account, Ending, Judged, Unexcused};
pub use expectations::{Entry, Expectations, TargetGlob, UNREVIEWED};
pub use lint::{EntryFinding, Flaw};
pub use outcome::Outcome;
pub use read::{ExpectationsError, ExpectationsProblem};
pub use status::Status;
pub use truth::{is_red, judge};
pub use verdict::Verdict;
