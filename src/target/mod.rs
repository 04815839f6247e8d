//! What can be tested: our own readers, readers broken on purpose, and (elsewhere) other people's.

pub mod naive;
