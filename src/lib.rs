//! test
pub mod framing;
pub mod json;
pub mod model;
pub mod providers;
pub mod target;
