//! The report room: its file, what is rendered from it, shards, and hostile text.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

mod hostile;
mod lines;
mod sample;
mod shards;
mod snapshots;
