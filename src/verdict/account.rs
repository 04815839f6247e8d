//! Entries against what happened: which of them decides, which held, and so the verdict.
//!
//! An entry without `check` decides the case as a whole and every check of it; an entry with one decides that check
//! alone; the last one about a thing decides it. `docs/expectations.md` tells it to users.

use std::collections::BTreeMap;

use super::{Expectations, Outcome, Status, Verdict, judge};
use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::CaseId;

/// The verdict on a permutation, and the entry that made it so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason that the entry gives.
    pub reason: Option<String>,
    /// The issue that the entry names.
    pub issue: Option<String>,
    /// Index of the entry without which the verdict would be another one.
    pub entry: Option<usize>,
}

/// One permutation of a case as it ended on a target.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    /// The target's name.
    pub target: &'a str,
    /// The case.
    pub id: &'a CaseId,
    /// `axis=value,…`.
    pub permutation: &'a str,
    /// What happened.
    pub outcome: Outcome,
    /// Every check that was asserted; of a lenient outcome those of the alternative.
    pub checks: &'a [CheckResult],
}

/// What entries had to do with an ending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account<'a> {
    /// Entries that decided something and held.
    pub held: Vec<usize>,
    /// Entries that decided something and did not hold. A crash or timeout that did not happen is among them also
    /// when the case failed otherwise.
    pub broken: Vec<usize>,
    /// What went wrong and no entry excuses, of the things that an entry can excuse.
    pub unexcused: Vec<Unexcused<'a>>,
}

/// Something that an entry could excuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unexcused<'a> {
    /// The target died.
    Crash,
    /// The target did not answer.
    Timeout,
    /// The case failed, and no check says so.
    Case,
    /// A check failed.
    Check(&'a str),
}

impl Expectations {
    /// The verdict on a permutation that ended so.
    pub fn verdict(
        &self,
        target: &str,
        id: &CaseId,
        permutation: &str,
        outcome: Outcome,
        checks: &[CheckResult],
    ) -> Judged {
        let ending = Ending { target, id, permutation, outcome, checks };
        let deciding = Deciding::of(self, &ending);
        let (verdict, entry) = self.conclude(&deciding, &ending);
        let entry = entry.filter(|_| verdict != judge(outcome, None));
        let told = entry.and_then(|index| self.entries().get(index));
        Judged {
            verdict,
            reason: told.map(|entry| entry.reason.clone()),
            issue: told.and_then(|entry| entry.issue.clone()),
            entry,
        }
    }

    /// Which entries held and which did not, on a permutation that ended so.
    pub fn account<'a>(&self, ending: &Ending<'a>) -> Account<'a> {
        self.settle(&Deciding::of(self, ending), ending)
    }

    fn conclude(&self, deciding: &Deciding<'_>, ending: &Ending<'_>) -> (Verdict, Option<usize>) {
        let status = |index: Option<usize>| index.and_then(|index| self.entries().get(index)).map(|entry| entry.status);
        let whole = (judge(ending.outcome, status(deciding.whole)), deciding.whole);
        if deciding.is_empty() || status(deciding.whole) == Some(Status::Skip) {
            return whole;
        }
        let passed = match ending.outcome {
            Outcome::Pass | Outcome::Lenient => true,
            Outcome::Fail => false,
            Outcome::Unsupported
            | Outcome::Blocked
            | Outcome::Crash
            | Outcome::Timeout
            | Outcome::ProtocolError
            | Outcome::NoRequest
            | Outcome::HarnessError
            | Outcome::NotRun => return whole,
        };
        let account = self.settle(deciding, ending);
        if !account.unexcused.is_empty() {
            return (judge(Outcome::Fail, None), None);
        }
        let first = |indices: &[usize], wanted: &dyn Fn(Status) -> bool| {
            indices.iter().copied().find(|index| status(Some(*index)).is_some_and(wanted))
        };
        if let Some(index) = first(&account.broken, &|s| passed || s == Status::Fail) {
            return (judge(Outcome::Pass, status(Some(index))), Some(index));
        }
        let held = first(&account.held, &|s| s == Status::Fail).or_else(|| first(&account.held, &|_| true));
        (judge(ending.outcome, status(held)), held)
    }

    fn settle<'a>(&self, deciding: &Deciding<'_>, ending: &Ending<'a>) -> Account<'a> {
        let mut account = Account::default();
        let status = |index: usize| self.entries().get(index).map(|entry| entry.status);
        let whole = deciding.whole.and_then(|index| Some((index, status(index)?)));
        if matches!(whole, Some((_, Status::Skip))) {
            return account;
        }
        let (gone, thing) = match ending.outcome {
            Outcome::Crash => (Status::Crash, Unexcused::Crash),
            Outcome::Timeout => (Status::Timeout, Unexcused::Timeout),
            Outcome::Pass | Outcome::Lenient | Outcome::Fail => {
                self.settle_checks(deciding, whole, ending, &mut account);
                return account;
            }
            // Neither proves nor disproves an entry, and none excuses it.
            Outcome::Unsupported
            | Outcome::Blocked
            | Outcome::ProtocolError
            | Outcome::NoRequest
            | Outcome::HarnessError
            | Outcome::NotRun => return account,
        };
        match whole {
            Some((index, status)) if status == gone => account.held.push(index),
            Some((index, Status::Crash | Status::Timeout)) => {
                account.broken.push(index);
                account.unexcused.push(thing);
            }
            Some((_, Status::Fail | Status::Flaky | Status::Skip)) | None => account.unexcused.push(thing),
        }
        account
    }

    fn settle_checks<'a>(
        &self,
        deciding: &Deciding<'_>,
        whole: Option<(usize, Status)>,
        ending: &Ending<'a>,
        account: &mut Account<'a>,
    ) {
        let failed = ending.outcome == Outcome::Fail;
        let mut a_check_failed = false;
        let mut a_flaky_check_passed = false;
        for (check, found) in by_check(ending.checks) {
            let named = deciding.named.get(check).copied();
            let decides = named.or(deciding.whole);
            let status = decides.and_then(|index| self.entries().get(index)).map(|entry| entry.status);
            match found {
                CheckOutcome::Fail if failed => {
                    a_check_failed = true;
                    match (decides, status) {
                        (Some(index), Some(Status::Fail | Status::Flaky)) => note(&mut account.held, index),
                        _ => account.unexcused.push(Unexcused::Check(check)),
                    }
                }
                CheckOutcome::Pass => match (named, status) {
                    (Some(index), Some(Status::Flaky)) => {
                        a_flaky_check_passed = true;
                        note(&mut account.held, index);
                    }
                    (Some(index), Some(Status::Fail)) => note(&mut account.broken, index),
                    _ => {}
                },
                CheckOutcome::Fail | CheckOutcome::Blocked | CheckOutcome::Unsupported => {}
            }
        }
        match whole {
            Some((index, Status::Crash | Status::Timeout)) => note(&mut account.broken, index),
            // The check that is flaky may be the one that the entry is about: today's pass proves nothing.
            Some((index, Status::Fail)) if !failed && !a_flaky_check_passed => note(&mut account.broken, index),
            Some((index, Status::Flaky)) if !failed => note(&mut account.held, index),
            Some((index, Status::Fail | Status::Flaky)) if failed && !a_check_failed => note(&mut account.held, index),
            _ => {}
        }
        if failed && !a_check_failed && !matches!(whole, Some((_, Status::Fail | Status::Flaky))) {
            account.unexcused.push(Unexcused::Case);
        }
    }
}

/// The entries that decide on a permutation.
struct Deciding<'e> {
    /// On the case as a whole, and on every check that is not below.
    whole: Option<usize>,
    /// On single checks, by entries that stand after `whole`.
    named: BTreeMap<&'e str, usize>,
}

impl<'e> Deciding<'e> {
    fn of(expectations: &'e Expectations, ending: &Ending<'_>) -> Self {
        let mut deciding = Self { whole: None, named: BTreeMap::new() };
        for (index, entry) in expectations.entries().iter().enumerate() {
            if entry.matches(ending.target, ending.id, ending.permutation) {
                if let Some(check) = &entry.check {
                    deciding.named.insert(check, index);
                } else {
                    deciding.whole = Some(index);
                    deciding.named.clear();
                }
            }
        }
        deciding
    }

    fn is_empty(&self) -> bool {
        self.whole.is_none() && self.named.is_empty()
    }
}

/// Every check once: failed if it failed on any turn, passed if nothing else can be said of any.
pub(crate) fn by_check(results: &[CheckResult]) -> BTreeMap<&str, CheckOutcome> {
    let weight = |outcome: CheckOutcome| match outcome {
        CheckOutcome::Unsupported => 0,
        CheckOutcome::Pass => 1,
        // What a blocked turn would have shown is not known, so the check has not passed.
        CheckOutcome::Blocked => 2,
        CheckOutcome::Fail => 3,
    };
    let mut found: BTreeMap<&str, CheckOutcome> = BTreeMap::new();
    for result in results {
        let outcome = found.entry(&result.check).or_insert(result.outcome);
        if weight(result.outcome) > weight(*outcome) {
            *outcome = result.outcome;
        }
    }
    found
}

fn note(indices: &mut Vec<usize>, index: usize) {
    if !indices.contains(&index) {
        indices.push(index);
    }
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
