//! What is under test. A target gets a [`Stimulus`] and shows what it made of it; it never judges, and
//! never sees an expectation.

mod builtin;
mod stimulus;

pub use builtin::Builtin;
pub use stimulus::{Stimulus, StimulusTurn, Target};
