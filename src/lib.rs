//! toolwire: proves that a client of LLM providers reads tool calls right.
//!
//! # Layout, in the order in which data flows
//!
//! - [`framing`]: bytes to frames; chunk plans
//! - [`json`]: documents as they came, spans and all
//! - [`model`]: the normalized turn and its parts
//! - [`providers`]: one folder an API: frames to a [`model::Turn`]
//! - [`lint`]: a provider's rules over what was sent
//! - [`corpus`]: ids, cases, permutations, expectations
//! - [`observe`]: what a target showed
//! - [`check`]: observed against expected, as named results
//! - [`verdict`]: outcomes against the expectations file
//! - [`report`]: `report.jsonl` and its renderings
//! - [`load`]: corpus and captures from disk or embedded
//! - [`target`]: what is under test: builtin, naive readers, mutants
//! - [`harness`]: a plan, and its run
//! - `cli` (feature `cli`): the command line
//!
//! A module imports only from those above it; a test holds that.
//!
//! ```
//! use toolwire::model::Api;
//! use toolwire::providers::{DecodeSetup, decode};
//!
//! let body = br#"{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}"#;
//! let turn = decode(Api::OpenaiChat, DecodeSetup::default(), body);
//! assert_eq!(turn.text, "hi");
//! ```

pub mod framing;
pub mod json;
pub mod model;
pub mod providers;

pub mod lint;

pub mod corpus;
pub mod observe;

pub mod check;
pub mod verdict;

pub mod report;

pub mod load;

pub mod target;

pub mod harness;

#[cfg(feature = "cli")]
pub mod cli;
