//! One folder an API, and what they share.
//!
//! In: frames. Out: steps while the stream runs, and a [`Turn`](crate::model::Turn) at its end. Reading never
//! fails: what was wrong stands in the turn. Nothing here knows of cases or targets. A new API is
//! a folder and a line in `protocol.rs`.

mod anthropic_messages;
mod arguments;
mod calls;
mod chat;
mod decoder;
mod encoder;
mod error_body;
mod gemini;
mod mistral_chat;
mod notes;
mod openai_chat;
mod openai_responses;
mod outbound;
mod problems;
mod protocol;
mod repair;
mod setup;

pub use arguments::MAX_ARGUMENTS;
pub use decoder::{Decoder, decode};
pub use encoder::{Adjustment, Encoded, RefusalKind, Refused, encode};
pub use setup::DecodeSetup;
