//! The corpus and captured traffic, from disk or embedded.

mod captures;
mod config;
mod corpus;

pub use captures::{Capture, captures};
pub use config::{Config, ConfigError};
pub use corpus::{LoadError, corpus_head, corpus_in, embedded_corpus};
