//! What a client sent against what it should have sent.
//!
//! In: the pattern of a case, and the request (or the refusal) of a target. Out: named results: one part of the
//! request each, compared in the case's grade, and held to the API's rules besides. The rules need no pattern: they
//! judge any request, whoever made it.

mod equivalence;
mod judge;
mod payload;
mod prefix;
mod table;

pub use equivalence::{EQUIVALENCES, Equivalence};
pub use judge::{RequestJudge, determinism, prefix_result};
pub use payload::{Apart, Comparison, compare};
pub use prefix::prefix;
pub use table::{DETERMINISM, PREFIX, REQUEST_CHECKS, RequestCheck};
