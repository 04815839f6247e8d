//! Cases, built from bytes: ids, permutations, expectations on turns.

mod id;
mod level;

pub(crate) use id::wildcard;
pub use id::{CaseGlob, CaseGlobError, CaseId, CaseIdError};
pub use level::{Class, Level};
