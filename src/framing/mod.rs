//! Bytes to frames.
//!
//! In: the bytes of a response, cut anywhere. Out: [`Piece`]s, the same ones whatever the cuts.
//! Framers are push state machines: they read nothing themselves, never fail and never panic; what
//! does not fit the framing is handed on as a stray or a fault.

mod body;
mod chunk;
mod frame;
mod framer;
mod limits;
mod sse;

pub use chunk::{ChunkPlan, ChunkPlanError};
pub use frame::{End, Fault, FaultKind, Frame, Piece, Span, Stray};
pub use framer::{Framer, Framing};
pub use limits::Limits;
