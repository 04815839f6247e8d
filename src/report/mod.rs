//! `report.jsonl` and everything that is rendered from it. Pure: lines in, text out.

mod line;

pub use line::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line};
