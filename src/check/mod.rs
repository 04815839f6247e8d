//! Observed against expected, as named check results.
//!
//! The checks are one static table; each looks at one key of a turn. A check whose prerequisite failed
//! is blocked: one fault gives one red.

mod calls;
mod frames;
mod invariance;
mod judge;
pub mod outbound;
mod result;
mod table;
mod turn;

pub use invariance::{INVARIANCE, invariance};
pub use judge::{Judgement, judge};
pub use result::{CheckOutcome, CheckResult};
pub use table::{CHECKS, Check, rule, slugs};
