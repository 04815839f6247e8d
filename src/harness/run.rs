//! Running a plan: workers take cases, results come back in the order of the plan.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use super::evidence::evidence;
use super::outbound;
use super::plan::{Plan, Unit};
use crate::check::{CheckOutcome, CheckResult, invariance, judge};
use crate::corpus::{Case, Grade, Permutation, Subject};
use crate::model::ApiName;
use crate::observe::{Ended, Seen};
use crate::providers::DecodeSetup;
use crate::report::Evidence;
use crate::target::{Stimulus, StimulusTurn, Target};
use crate::verdict::Outcome;

/// Tells a run to stop after what is being run now.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// A run that goes on.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Stops the run.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the run has been stopped.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One permutation, run and checked.
#[derive(Debug, Clone)]
pub struct Finished<'c> {
    /// The case.
    pub case: &'c Case,
    /// `axis=value,…`.
    pub permutation: String,
    /// What happened.
    pub outcome: Outcome,
    /// Every check that was asserted.
    pub checks: Vec<CheckResult>,
    /// What went wrong besides checks.
    pub message: Option<String>,
    /// Where to look, if a check failed.
    pub evidence: Option<Evidence>,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// Runs a plan on a target with `jobs` workers. `skip` says which permutations to leave out, `done` hears of
/// each finished case, with its number in the plan and the results; cases come in the order of the plan.
pub fn run<'c>(
    plan: &Plan<'c>,
    target: &dyn Target,
    jobs: usize,
    interrupt: &Interrupt,
    skip: &(dyn Fn(&Case, &str) -> bool + Sync),
    done: &mut dyn FnMut(usize, Vec<Finished<'c>>),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, plan.units.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !interrupt.stopped() {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = plan.units.get(at) else { break };
                    if sender.send((at, run_unit(unit, target, plan.at_least, skip))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Results are handed on in order: what came early waits for its turn.
        let mut waiting = std::collections::BTreeMap::new();
        let mut turn = 0;
        for (at, results) in receiver {
            waiting.insert(at, results);
            while let Some(results) = waiting.remove(&turn) {
                done(turn, results);
                turn += 1;
            }
        }
        // A stopped run leaves gaps.
        for (at, results) in waiting {
            done(at, results);
        }
    });
}

/// Runs every permutation of one case.
fn run_unit<'c>(
    unit: &Unit<'c>,
    target: &dyn Target,
    at_least: Option<Grade>,
    skip: &dyn Fn(&Case, &str) -> bool,
) -> Vec<Finished<'c>> {
    let case = unit.case;
    let setup = setup_of(case, target);
    let mut first: Option<Vec<Seen>> = None;
    let several = unit.permutations.len() > 1;
    // Requests do not depend on how an answer is cut: they are judged once, with the first permutation.
    let mut requests_due = !case.requests.is_empty();
    let one = |permutation: &Permutation| {
        let name = case.name_of(permutation);
        if skip(case, &name) {
            return finished(case, name, Outcome::NotRun);
        }
        let bodies: Vec<_> = case.turns.iter().map(|turn| turn.response.bytes(permutation)).collect();
        let turns = case.turns.iter().zip(&bodies).map(|(turn, body)| StimulusTurn {
            status: turn.response.status,
            pieces: turn.response.plan(permutation).pieces(body),
        });
        let stimulus = Stimulus { subject: case.subject, setup: &setup, turns: turns.collect() };
        #[expect(clippy::disallowed_methods, reason = "the harness measures")]
        let start = Instant::now();
        // A case about requests alone has nothing to read.
        let ended = if case.turns.is_empty() { Ended::Observed(Vec::new()) } else { target.run(&stimulus) };
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let crashed = |why| Finished { message: Some(why), micros, ..finished(case, name.clone(), Outcome::Crash) };
        let seen = match ended {
            Ended::Observed(seen) => seen,
            Ended::Unsupported(why) => {
                return Finished { message: Some(why), ..finished(case, name, Outcome::Unsupported) };
            }
            Ended::Crash(why) => return crashed(why),
        };
        let outbound = if std::mem::take(&mut requests_due) {
            outbound::judge(case, target, &seen, at_least)
        } else {
            outbound::Outbound::default()
        };
        if let Some(why) = outbound.crash {
            return crashed(why);
        }
        let mut result = Finished { micros, ..judged(case, name, &seen, outbound) };
        if several {
            let check = invariance(first.as_deref().unwrap_or(&seen), &seen);
            if check.outcome == CheckOutcome::Fail {
                result.outcome = Outcome::Fail;
            }
            result.checks.insert(0, check);
        }
        first.get_or_insert(seen);
        if result.outcome == Outcome::Fail {
            // Frames show nothing of a request.
            let failed = result.checks.iter().find(|check| check.outcome == CheckOutcome::Fail);
            let failed = failed.filter(|check| !check.check.starts_with("outbound."));
            let turn = failed.and_then(|check| case.turns.get(check.turn));
            result.evidence = turn.map(|turn| evidence(turn, case.subject, &setup, permutation, &result.checks));
        }
        result
    };
    unit.permutations.iter().map(one).collect()
}

/// What is known of a case's request, whatever permutation is run.
fn setup_of(case: &Case, target: &dyn Target) -> DecodeSetup {
    let Some(request) = &case.request else { return DecodeSetup::default() };
    let setup = DecodeSetup::default().with_request(request.doc().root());
    match case.subject {
        Subject::Api(api) if !case.turns.is_empty() => {
            setup.with_names(target.names(&ApiName { api, dialect: case.dialect.clone() }, request))
        }
        _ => setup,
    }
}

fn finished(case: &Case, permutation: String, outcome: Outcome) -> Finished<'_> {
    Finished { case, permutation, outcome, checks: Vec::new(), message: None, evidence: None, micros: 0 }
}

/// The checks of every turn, and of the requests.
fn judged<'c>(case: &'c Case, permutation: String, seen: &[Seen], outbound: outbound::Outbound) -> Finished<'c> {
    let mut result = finished(case, permutation, Outcome::Pass);
    for (number, (turn, seen)) in case.turns.iter().zip(seen).enumerate() {
        let Some(judgement) = judge(turn, number, seen) else { continue };
        if judgement.accepted.is_some() && result.outcome == Outcome::Pass {
            result.outcome = Outcome::Lenient;
        }
        result.checks.extend(judgement.checks);
    }
    result.checks.extend(outbound.checks);
    if result.checks.iter().any(|check| check.outcome == CheckOutcome::Fail) {
        result.outcome = Outcome::Fail;
    }
    result.message = outbound.unjudged;
    if result.checks.is_empty() {
        result.outcome = Outcome::Unsupported;
        let unjudged = || format!("this version does not judge {}", case.unjudged.join(", "));
        result.message = Some(result.message.unwrap_or_else(unjudged));
    }
    result
}
