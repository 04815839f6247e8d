//! Which case kills which mutant: proof that the checks can fail.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::Plan;
use super::run::{Finished, Interrupt, run};
use crate::check::{CHECKS, CheckOutcome};
use crate::target::Naive;
use crate::target::naive::Quirk;
use crate::verdict::Outcome;

/// What became of one mutant.
#[derive(Debug, Clone)]
pub struct MutantResult {
    /// The mistake.
    pub quirk: Quirk,
    /// The cases that it fails, with the checks that fail.
    pub kills: BTreeMap<String, BTreeSet<String>>,
}

impl MutantResult {
    /// The checks that see the mistake, and how many cases let each see it.
    pub fn checks(&self) -> BTreeMap<&str, usize> {
        let mut checks = BTreeMap::new();
        for slug in self.kills.values().flatten() {
            *checks.entry(slug.as_str()).or_insert(0) += 1;
        }
        checks
    }
}

/// All mutants against a corpus.
#[derive(Debug, Clone)]
pub struct MutantMatrix {
    /// One result a mutant.
    pub mutants: Vec<MutantResult>,
    /// Checks that no mutant fails.
    pub idle_checks: Vec<&'static str>,
    /// Cases that the healthy naive reader fails: nothing can be concluded from them.
    pub unsound: Vec<String>,
}

impl MutantMatrix {
    /// True if every mutant dies, every check kills, and the oracle is healthy.
    pub fn is_sound(&self) -> bool {
        self.mutants.iter().all(|mutant| !mutant.kills.is_empty())
            && self.idle_checks.is_empty()
            && self.unsound.is_empty()
    }
}

/// Runs every mutant over a plan.
pub fn mutants(plan: &Plan<'_>, jobs: usize, interrupt: &Interrupt, progress: &dyn Fn(Quirk)) -> MutantMatrix {
    let failing = |target: &Naive| {
        let mut failing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut collect = |_: usize, results: Vec<Finished<'_>>| {
            for result in results.iter().filter(|r| matches!(r.outcome, Outcome::Fail | Outcome::Crash)) {
                let slugs = failing.entry(result.case.id.to_string()).or_default();
                let failed = result.checks.iter().filter(|check| check.outcome == CheckOutcome::Fail);
                slugs.extend(failed.map(|check| check.check.clone()));
            }
        };
        run(plan, target, jobs, interrupt, &|_, _| false, &mut collect);
        failing
    };
    let unsound: Vec<String> = failing(&Naive::healthy()).into_keys().collect();
    let one = |quirk: &Quirk| {
        progress(*quirk);
        let mut kills = failing(&Naive::mutant(*quirk));
        kills.retain(|case, _| !unsound.contains(case));
        MutantResult { quirk: *quirk, kills }
    };
    let mutants: Vec<MutantResult> = Quirk::ALL.iter().map(one).collect();
    let killing: BTreeSet<&str> = mutants.iter().flat_map(|mutant| mutant.checks().into_keys()).collect();
    let idle_checks = CHECKS.iter().map(|check| check.slug).filter(|slug| !killing.contains(slug)).collect();
    MutantMatrix { mutants, idle_checks, unsound }
}
