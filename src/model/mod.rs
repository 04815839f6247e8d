//! The normalized vocabulary: what every provider's wire format is read into.
//!
//! Plain values without behaviour of any provider. The JSON shapes are those that adapters answer
//! with and cases expect.

mod api;
mod call;
mod id;
mod problem;
mod step;
mod turn;

pub use api::{Api, ApiError, ApiName};
pub use call::{Arguments, Incomplete, ServerCall, ToolCall};
pub use id::{GeneratedIds, usable_id};
pub use problem::{Diagnostic, Problem, ProblemKind};
pub use step::Step;
pub use turn::{Stop, Thinking, Turn, Usage};
