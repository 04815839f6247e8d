//! What all encoders share, in the order in which a request goes through it.
//!
//! - [`projection`]: which tools go out, under which names ([`names`]), with which schemas ([`schema`], [`refs`], [`root`],
//!   [`strict`], [`gemini_cleaning`]), in which order ([`sort`]), and what is left of the tool choice
//! - [`replay`]: the conversation as it can be replayed: calls and results paired, foreign state taken out
//! - [`ids`]: the ids of its calls, legal at the provider
//!
//! Nothing here writes a provider's JSON.

mod gemini_alternatives;
mod gemini_cleaning;
mod keywords;
mod refs;
mod root;

pub(super) mod adjustments;
pub(super) mod gemini_subset;
pub(super) mod ids;
pub(super) mod names;
pub(super) mod projection;
pub(super) mod replay;
pub(super) mod schema;
pub(super) mod sort;
pub(super) mod strict;
