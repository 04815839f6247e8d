//! `report.jsonl` and everything that is rendered from it. Pure: lines in, text out.
//!
//! A run yields [`Line`]s, [`Line::to_json`] and [`read`] are their file, and a [`Report`] is what
//! every renderer takes. Foreign text goes through `escape` on its way out.

pub mod escape;

mod difference;
mod expect_edit;
mod expect_update;
mod jsonl;
mod line;
mod merge;
mod permutation_cover;
mod read;
mod summary;

pub mod diff;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod terminal;

pub use expect_update::{Update, UpdateError, UpdateInput, update};
pub use line::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line, TargetLine};
pub use merge::{MergeError, merge};
pub use read::{ReportError, ReportErrorKind, read};
pub use summary::{Ending, Failure, Report, Sentences, Tally, TargetSummary};
