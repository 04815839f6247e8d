//! Outcomes against expectations: what makes a run red.

mod outcome;
#[expect(clippy::module_inception, reason = "the room's main noun")]
mod verdict;

pub use outcome::Outcome;
pub use verdict::Verdict;
