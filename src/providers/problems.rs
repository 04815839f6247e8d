//! The failures of an answer, each told once, and not without end.

use std::collections::HashSet;

use crate::model::{Problem, ProblemKind};

/// How many failures are told; a broken stream can hold one in every event.
const MAX_PROBLEMS: usize = 100;

/// What went wrong so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    list: Vec<Problem>,
    told: HashSet<(ProblemKind, Option<String>)>,
    /// Failures beyond the limit.
    more: usize,
    /// The provider reported one of them.
    reported: bool,
}

impl Problems {
    /// Adds a failure. Gateways report one in several places or events; it is told once.
    pub(super) fn add(&mut self, problem: Problem) {
        self.reported |= matches!(problem.kind, ProblemKind::ProviderError | ProblemKind::MalformedFunctionCall);
        let key = (problem.kind, problem.message.clone());
        if self.told.contains(&key) {
            return;
        }
        if self.list.len() >= MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        self.told.insert(key);
        self.list.push(problem);
    }

    /// True if the provider reported a failure, which explains why the end did not come.
    pub(super) fn explain_the_end(&self) -> bool {
        self.reported
    }

    /// All that are told; the last one says how many are not.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        if let (Some(last), 1..) = (self.list.last_mut(), self.more) {
            let message = last.message.take().unwrap_or_default();
            last.message = Some(format!("{message} (and {} more errors)", self.more));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PROBLEMS, Problems};
    use crate::model::{Problem, ProblemKind};

    #[test]
    fn problems_are_told_once_and_not_without_end() {
        let mut problems = Problems::default();
        for i in 0..MAX_PROBLEMS + 7 {
            for _ in 0..2 {
                problems.add(Problem::new(ProblemKind::UnparsableEvent).message(format!("event {i}")));
            }
        }
        assert!(!problems.explain_the_end());
        let told = problems.finish();
        assert_eq!(told.len(), MAX_PROBLEMS);
        assert_eq!(told.last().unwrap().message.as_deref(), Some("event 99 (and 14 more errors)"));
    }
}
