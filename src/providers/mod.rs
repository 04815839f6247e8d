//! One folder an API, and what they share.
//!
//! In: frames. Out: steps while the stream runs, and a [`Turn`](crate::model::Turn) at its end. Reading never
//! fails: what was wrong stands in the turn. Nothing here knows of cases or targets. A new API is
//! a folder and a line in `protocol.rs`.

mod anthropic_messages;
mod arguments;
mod calls;
mod charset;
mod chat;
mod decoder;
mod encoder;
mod error_body;
mod gemini;
mod mistral_chat;
mod node;
mod notes;
mod openai_chat;
mod openai_responses;
mod outbound;
mod problems;
mod protocol;
mod repair;
mod request_view;
mod rule;
mod setup;
mod strict;
mod subschemas;

pub use arguments::MAX_ARGUMENTS;
pub use charset::camel_case;
pub use decoder::{Decoder, decode};
pub use encoder::{Adjustment, Encoded, RefusalKind, Refused, encode};
pub use node::{Node, escape_token};
pub use request_view::{
    CallView, ChoiceMode, ChoiceView, HttpView, MarkerPlace, MarkerView, MessageView, Part, PartContent, RequestView,
    ResultView, Role, ToolKind, ToolView, read,
};
pub use rule::{About, MAX_BREACHES, Offence, Offences, Rule, Scope, Severity, rules};
pub use setup::{DecodeSetup, wire_names};
