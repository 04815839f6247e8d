//! A plan from what was selected, and its run.

mod conversation;
mod evidence;
mod mutants;
mod outbound;
mod plan;
mod recordings;
mod run;
mod shard;
mod variants;

pub use mutants::{MutantMatrix, MutantResult, mutants};
pub use plan::{Plan, PlanError, Selection, SubjectFilter, Tier, Unit};
pub use recordings::recording_cases;
pub use run::{Finished, Interrupt, run};
pub use shard::{Shard, ShardError};
