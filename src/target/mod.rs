//! What is under test. A target gets a [`Stimulus`] and shows what it made of it; it never judges, and
//! never sees an expectation.

mod builtin;
mod mutant;
pub mod naive;
mod outbound;
mod quirks;
mod reader;
mod stimulus;

pub use builtin::Builtin;
pub use mutant::{Mutant, Side};
pub use outbound::{OutboundQuirk, Sender};
pub use reader::Naive;
pub use stimulus::{Stimulus, StimulusTurn, Target};
