//! Which case kills which mutant: proof that the checks can fail.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Plan, Unit};
use super::run::{Finished, Interrupt, run};
use crate::check::{CheckOutcome, slugs};
use crate::target::{Builtin, Mutant, Naive, Side, Target};
use crate::verdict::Outcome;

/// What became of one mutant.
#[derive(Debug, Clone)]
pub struct MutantResult {
    /// The mutant.
    pub mutant: Mutant,
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
    /// Cases that a target without any mistake fails, with its name: nothing can be concluded from them.
    pub unsound: Vec<(String, String)>,
}

impl MutantMatrix {
    /// True if every mutant dies, every check kills, and the targets that mutants are made from are healthy.
    pub fn is_sound(&self) -> bool {
        self.mutants.iter().all(|mutant| !mutant.kills.is_empty())
            && self.idle_checks.is_empty()
            && self.unsound.is_empty()
    }
}

/// Runs every mutant over a plan.
pub fn mutants(plan: &Plan<'_>, jobs: usize, interrupt: &Interrupt, progress: &dyn Fn(Mutant)) -> MutantMatrix {
    let failing = |target: &dyn Target, plan: &Plan<'_>| {
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
    let sides = [(Side::Inbound, &Naive::healthy() as &dyn Target), (Side::Outbound, &Builtin)];
    let mut matrix = MutantMatrix { mutants: Vec::new(), idle_checks: Vec::new(), unsound: Vec::new() };
    for (side, healthy) in sides {
        let plan = part(plan, side);
        let unsound = failing(healthy, &plan);
        for mutant in Mutant::all().filter(|mutant| mutant.side() == side) {
            progress(mutant);
            let mut kills = failing(&*mutant.target(), &plan);
            kills.retain(|case, _| !unsound.contains_key(case));
            matrix.mutants.push(MutantResult { mutant, kills });
        }
        matrix.unsound.extend(unsound.into_keys().map(|case| (healthy.name().to_owned(), case)));
    }
    let killing: BTreeSet<&str> = matrix.mutants.iter().flat_map(|mutant| mutant.checks().into_keys()).collect();
    matrix.idle_checks = slugs().into_iter().filter(|slug| !killing.contains(slug)).collect();
    matrix
}

/// What shows mistakes of this side: streams in all their cuttings, or requests, which do not depend on those.
fn part<'c>(plan: &Plan<'c>, side: Side) -> Plan<'c> {
    let units = plan.units.iter();
    let units = match side {
        Side::Inbound => units.filter(|unit| !unit.case.turns.is_empty()).cloned().collect(),
        Side::Outbound => units
            .filter(|unit| !unit.case.requests.is_empty())
            .map(|unit| Unit { permutations: unit.permutations.iter().take(1).cloned().collect(), ..unit.clone() })
            .collect(),
    };
    Plan { units, ..plan.clone() }
}
