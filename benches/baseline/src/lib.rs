//! What toolwire is measured on, and against.
//!
//! - [`streams`]: generated responses, and what they hold
//! - [`framing`]: counting frames: toolwire, a walk from line end to line end, eventsource-stream
//! - [`decode`]: reading calls: toolwire, eventsource-stream with `serde_json::Value`
//! - [`encode`]: requests to bodies: toolwire, `serde_json` from structs of that body ([`encode_bodies`])
//! - [`corpus`]: the whole corpus judged
//! - [`timing`]: interleaved pairs and their medians
//! - [`report`]: the table, its bars and what became of them
//!
//! The binary `toolwire-bench` measures time, `toolwire-bench-heap` the heap: an allocator that counts would
//! disturb the clock.

pub mod corpus;
pub mod decode;
pub mod encode;
pub mod encode_bodies;
pub mod framing;
pub mod report;
pub mod streams;
pub mod timing;

/// How many bytes each side is given at once.
pub const CHUNK: usize = 16 << 10;
