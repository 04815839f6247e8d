//! The main job: the whole corpus, every permutation, judged.

use std::time::{Duration, Instant};

use toolwire::corpus::Corpus;
use toolwire::harness::{Interrupt, Plan, Selection, run};
use toolwire::target::Target;

/// Judges every permutation with one worker; how many there were, and how long it took by the wall, since the worker is
/// a thread of its own.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub fn judge(corpus: &Corpus, target: &dyn Target) -> (u32, Duration) {
    let plan =
        Plan::new(corpus, &Selection::default()).expect("an empty selection names nothing that could be missing");
    let start = Instant::now();
    let mut judged = 0u32;
    run(&plan, target, 1, &Interrupt::new(), &|_, _| false, &mut |_, results| {
        judged += u32::try_from(results.len()).unwrap_or(u32::MAX);
    });
    (judged, start.elapsed())
}
