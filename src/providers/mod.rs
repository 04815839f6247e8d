//! test
mod setup;
pub use setup::DecodeSetup;
