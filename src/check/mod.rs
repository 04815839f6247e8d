//! Observed against expected, as named check results.

mod result;

pub use result::{CheckOutcome, CheckResult};
