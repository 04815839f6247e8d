//! Cases, built from bytes: ids, permutations, expectations.
//!
//! Serde types do not appear: every file is read as a document, strictly, and a value that exists is valid.

mod case;
mod id;
mod kinds;
mod level;
mod outbound;
mod pattern;
mod permutation;
mod script;
mod set;
mod version;

use crate::json::fields;

pub use case::{Accept, Case, CaseTurn, CorpusError, Expect, Response, Source, Subject};
pub(crate) use id::wildcard;
pub use id::{CaseGlob, CaseGlobError, CaseId, CaseIdError};
pub use kinds::{Cell, FaultKind, KindScope};
pub use level::{Class, Level};
pub use outbound::{ExpectedBody, Grade, RequestPattern};
pub use pattern::{ANY, CallPattern, FramesPattern, ObjectPattern, TurnPattern};
pub use permutation::{ALL_CHUNKINGS, Chunking, Newline, Permutation, Vary};
pub use script::ScriptedResult;
pub use set::{Corpus, Files};
pub use version::{CorpusVersion, CorpusVersionError};
