//! The report room: its file, what is rendered from it, shards, and hostile text.

mod hostile;
mod lines;
mod sample;
mod shards;
mod snapshots;
