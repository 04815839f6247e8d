//! `report.jsonl` and everything that is rendered from it. Pure: lines in, text out.

mod expect_edit;
mod expect_update;
mod line;
mod permutation_cover;

pub use expect_update::{Update, UpdateError, UpdateInput, update};
pub use line::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line};
