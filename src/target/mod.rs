//! What is under test. A target gets a [`Stimulus`] and shows what it made of it; it never judges, and
//! never sees an expectation.

mod builtin;
mod mutant;
pub mod naive;
mod stimulus;

pub use builtin::Builtin;
pub use mutant::Naive;
pub use stimulus::{Stimulus, StimulusTurn, Target};
