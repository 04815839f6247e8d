//! `expect update`: the expectations file made to agree with a report.
//!
//! In: the file's text and the report's cases. Out: the text after it. Nothing that the report does not speak of is
//! touched, what a person wrote is never widened, and a second update changes nothing.

use std::collections::{HashMap, HashSet};

use super::CaseLine;
use super::expect_edit::{Fate, edit};
use super::permutation_cover::{both, cover};
use crate::check::CheckOutcome;
use crate::corpus::{CaseGlob, CaseGlobError, CaseId, CaseIdError, Level};
use crate::verdict::{
    Account, Ending, Entry, Expectations, ExpectationsError, Outcome, Status, TargetGlob, UNREVIEWED, Unexcused,
    Verdict, by_check,
};

/// What an update is made from.
#[derive(Debug, Clone, Copy)]
pub struct UpdateInput<'a> {
    /// The expectations as they are.
    pub text: &'a str,
    /// What the file is called, for messages.
    pub file_name: &'a str,
    /// The slugs that an entry may name.
    pub checks: &'a [&'a str],
    /// Every case of the corpus: a pattern goes only when the report has all cases that it matches.
    pub corpus: &'a [CaseId],
    /// The report.
    pub lines: &'a [CaseLine],
}

/// What an update did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// The expectations as they should be; equal to what came in if nothing changed.
    pub text: String,
    /// New entries.
    pub added: Vec<Entry>,
    /// Entries that only met passes.
    pub removed: Vec<Entry>,
    /// Entries that met passes and failures, and were narrowed to permutations that still fail.
    pub narrowed: Vec<Entry>,
    /// How many entries stayed as they were.
    pub kept: usize,
    /// Patterns that still meet passes, which a person has to narrow or remove.
    pub by_hand: Vec<Entry>,
    /// How many permutations stay red since no entry can excuse them (protocol errors, say).
    pub beyond_entries: usize,
}

/// Why there is no update.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// The file is not understood.
    #[error(transparent)]
    Expectations(#[from] ExpectationsError),
    /// The report names something that is no case.
    #[error("the report is not toolwire's: {0}")]
    Case(#[from] CaseIdError),
    /// The report names a permutation that cannot be written as a pattern.
    #[error("the report is not toolwire's: {0}")]
    Permutation(#[from] CaseGlobError),
}

/// Makes the expectations agree with a report; `rule_says` gives a check's rule as a sentence.
///
/// # Errors
/// If the expectations cannot be read, or the report's names are none.
pub fn update(input: &UpdateInput<'_>, rule_says: impl Fn(&str) -> String) -> Result<Update, UpdateError> {
    let before = Expectations::parse(input.text, input.file_name, input.checks)?;
    let runs = Runs::of(input.lines)?;
    let endings: Vec<Ending<'_>> = runs.endings().collect();

    // What is added can settle what an older entry was kept for, so both are repeated until nothing is missing.
    let mut standing: Vec<Standing> = before.entries().iter().cloned().enumerate().map(Standing::from).collect();
    let after = loop {
        standing = reconcile(standing, &runs, &endings, input.corpus)?;
        let now = entries(&standing);
        let added = missing(&now, &runs, &endings, &rule_says)?;
        if added.is_empty() {
            break now;
        }
        standing.extend(added.into_iter().map(|entry| Standing { origin: None, entry }));
    };

    let added = standing.iter().filter(|now| now.origin.is_none()).map(|now| now.entry.clone()).collect();
    let mut update = Update { added, ..Update::default() };
    let mut fates = Vec::new();
    for (index, entry) in before.entries().iter().enumerate() {
        let now: Vec<&CaseGlob> =
            standing.iter().filter(|now| now.origin == Some(index)).map(|now| &now.entry.case).collect();
        fates.push(match now.as_slice() {
            [] => {
                update.removed.push(entry.clone());
                Fate::Removed
            }
            [case] if **case == entry.case => {
                update.kept += 1;
                Fate::Kept
            }
            cases => {
                update.narrowed.push(entry.clone());
                Fate::Narrowed(cases.iter().map(|case| case.as_str().to_owned()).collect())
            }
        });
    }
    for (line, ending) in runs.lines.iter().zip(&endings) {
        let judged = after.verdict(ending.target, ending.id, ending.permutation, ending.outcome, ending.checks);
        let entry = judged.entry.and_then(|index| after.entries().get(index));
        match judged.verdict {
            Verdict::UnexpectedPass => {
                if let Some(entry) = entry.filter(|entry| !update.by_hand.contains(entry)) {
                    update.by_hand.push(entry.clone());
                }
            }
            Verdict::ProtocolError | Verdict::NoRequest | Verdict::HarnessError if line.level != Level::Info => {
                update.beyond_entries += 1;
            }
            _ => {}
        }
    }
    update.text = if update.added.is_empty() && update.removed.is_empty() && update.narrowed.is_empty() {
        input.text.to_owned()
    } else {
        edit(input.text, &fates, &update.added)
    };
    Ok(update)
}

/// The report's cases; of two lines for one permutation the last counts.
struct Runs<'a> {
    lines: Vec<&'a CaseLine>,
    /// Targets as entries name them, `name/surface`, line by line.
    targets: Vec<String>,
    ids: Vec<CaseId>,
    /// Target and case: a place in `groups`.
    places: HashMap<(String, &'a str), usize>,
    /// Lines of one case on one target, in the order of the report.
    groups: Vec<Vec<usize>>,
}

impl<'a> Runs<'a> {
    fn of(all: &'a [CaseLine]) -> Result<Self, CaseIdError> {
        let mut seen = HashSet::new();
        let mut lines: Vec<&CaseLine> = all
            .iter()
            .rev()
            .filter(|line| seen.insert((line.label(), line.case.as_str(), line.permutation.as_str())))
            .collect();
        lines.reverse();
        let targets: Vec<String> = lines.iter().map(|line| line.label()).collect();
        let ids = lines.iter().map(|line| CaseId::new(&line.case)).collect::<Result<_, _>>()?;
        let mut places = HashMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, (line, target)) in lines.iter().zip(&targets).enumerate() {
            let place = *places.entry((target.clone(), line.case.as_str())).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        Ok(Self { lines, targets, ids, places, groups })
    }

    fn endings(&self) -> impl Iterator<Item = Ending<'_>> {
        self.lines.iter().zip(&self.targets).zip(&self.ids).map(|((line, target), id)| Ending {
            target,
            id,
            permutation: &line.permutation,
            outcome: line.outcome,
            checks: &line.checks,
        })
    }

    /// True if the report has every case that the entry speaks of.
    fn cover(&self, entry: &Entry, corpus: &[CaseId]) -> bool {
        let reported: HashSet<&str> =
            self.places.keys().filter(|(target, _)| entry.target.matches(target)).map(|(_, case)| *case).collect();
        let mut cases = corpus.iter().filter(|id| entry.case.matches_case(id));
        entry.is_exact() || (entry.target.is_exact() && cases.all(|id| reported.contains(id.as_str())))
    }
}

/// An entry of the file to be.
struct Standing {
    /// Index of the entry that it was; `None` if it is new.
    origin: Option<usize>,
    entry: Entry,
}

impl From<(usize, Entry)> for Standing {
    fn from((index, entry): (usize, Entry)) -> Self {
        Self { origin: Some(index), entry }
    }
}

fn entries(standing: &[Standing]) -> Expectations {
    Expectations::new(standing.iter().map(|now| now.entry.clone()).collect())
}

/// Takes away and narrows until every exact entry holds where it decides. An entry that goes can uncover an earlier one, hence the rounds; each makes less of them.
fn reconcile(
    mut standing: Vec<Standing>,
    runs: &Runs<'_>,
    endings: &[Ending<'_>],
    corpus: &[CaseId],
) -> Result<Vec<Standing>, CaseGlobError> {
    loop {
        let now = entries(&standing);
        let mut held: Vec<Vec<&Ending<'_>>> = vec![Vec::new(); standing.len()];
        let mut broken = held.clone();
        for ending in endings {
            let account = now.account(ending);
            for (indices, lists) in [(&account.held, &mut held), (&account.broken, &mut broken)] {
                for index in indices {
                    if let Some(list) = lists.get_mut(*index) {
                        list.push(ending);
                    }
                }
            }
        }
        let mut changed = false;
        let mut next = Vec::new();
        for (index, (Standing { origin, entry }, (held, broken))) in
            standing.into_iter().zip(held.iter().zip(&broken)).enumerate()
        {
            if broken.is_empty() || uncovers_a_skip(&now, index, endings) {
                next.push(Standing { origin, entry });
            } else if held.is_empty() && runs.cover(&entry, corpus) {
                changed = true;
            } else if !held.is_empty() && is_of_one_case(&entry, held, broken) {
                changed = true;
                let selections = cover(&permutations(held), &permutations(broken));
                next.extend(narrowed(&entry, &selections)?.into_iter().map(|entry| Standing { origin, entry }));
            } else {
                next.push(Standing { origin, entry });
            }
        }
        standing = next;
        if !changed {
            return Ok(standing);
        }
    }
}

/// True if the entry keeps an earlier one from skipping something. No update leaves a case out.
fn uncovers_a_skip(entries: &Expectations, index: usize, endings: &[Ending<'_>]) -> bool {
    let Some(entry) = entries.entries().get(index).filter(|entry| entry.check.is_none()) else { return false };
    let mut skips = entries.entries().iter().take(index).filter(|entry| entry.status == Status::Skip);
    let both = |skip: &Entry, e: &Ending<'_>| {
        skip.matches(e.target, e.id, e.permutation) && entry.matches(e.target, e.id, e.permutation)
    };
    skips.any(|skip| endings.iter().any(|ending| both(skip, ending)))
}

/// True if nothing but permutations tells apart what the entry met.
fn is_of_one_case(entry: &Entry, held: &[&Ending<'_>], broken: &[&Ending<'_>]) -> bool {
    // The name of a target with several surfaces speaks of them all.
    entry.is_exact() && held.iter().chain(broken).all(|ending| ending.target == entry.target.as_str())
}

fn permutations<'a>(endings: &[&Ending<'a>]) -> Vec<&'a str> {
    endings.iter().map(|ending| ending.permutation).collect()
}

fn narrowed(entry: &Entry, selections: &[String]) -> Result<Vec<Entry>, CaseGlobError> {
    let (case, axes) = entry.case.as_str().split_once('#').unwrap_or((entry.case.as_str(), ""));
    selections
        .iter()
        .map(|selection| Ok(Entry { case: pattern(case, &both(axes, selection))?, ..entry.clone() }))
        .collect()
}

fn pattern(case: &str, axes: &str) -> Result<CaseGlob, CaseGlobError> {
    if axes.is_empty() { case.parse() } else { format!("{case}#{axes}").parse() }
}

/// Entries for what goes wrong and nobody excuses. Info never makes a run red and gets none: an entry could.
fn missing(
    expectations: &Expectations,
    runs: &Runs<'_>,
    endings: &[Ending<'_>],
    rule_says: &impl Fn(&str) -> String,
) -> Result<Vec<Entry>, CaseGlobError> {
    let accounts: Vec<Account<'_>> = endings.iter().map(|ending| expectations.account(ending)).collect();
    let mut added = Vec::new();
    for group in &runs.groups {
        let members: Vec<(&CaseLine, &Account<'_>)> = group
            .iter()
            .filter_map(|index| Some((*runs.lines.get(*index)?, accounts.get(*index)?)))
            .filter(|(line, _)| line.level != Level::Info)
            .collect();
        // Whole cases first: an entry about a check must come later to decide.
        let mut things: Vec<Unexcused<'_>> =
            members.iter().flat_map(|(_, account)| account.unexcused.clone()).collect();
        things.sort_unstable();
        things.dedup();
        for thing in things {
            let mut wanted = Vec::new();
            let mut forbidden = Vec::new();
            for (line, account) in &members {
                if account.unexcused.contains(&thing) {
                    wanted.push(line.permutation.as_str());
                } else if would_change(thing, line) {
                    forbidden.push(line.permutation.as_str());
                }
            }
            let (check, status, says) = match thing {
                Unexcused::Crash => (None, Status::Crash, "the target dies".to_owned()),
                Unexcused::Timeout => (None, Status::Timeout, "the target does not answer in time".to_owned()),
                Unexcused::Case => (None, Status::Fail, "fails without a failing check".to_owned()),
                Unexcused::Check(check) => (Some(check.to_owned()), Status::Fail, rule_says(check)),
            };
            let Some((line, _)) = members.first() else { continue };
            let target = line.label();
            for axes in cover(&wanted, &forbidden) {
                added.push(Entry {
                    target: TargetGlob::new(target.as_str()),
                    case: pattern(&line.case, &axes)?,
                    check: check.clone(),
                    status,
                    reason: format!("{} {UNREVIEWED}", says.trim()).trim_start().to_owned(),
                    issue: None,
                    line: 0,
                });
            }
        }
    }
    Ok(added)
}

/// True if an entry about `thing` would have a say in another permutation as well, now or when it is run.
fn would_change(thing: Unexcused<'_>, line: &CaseLine) -> bool {
    match (thing, line.outcome) {
        (_, Outcome::Unsupported) => false,
        (_, Outcome::NotRun) | (Unexcused::Crash | Unexcused::Timeout | Unexcused::Case, _) => true,
        (Unexcused::Check(check), _) => {
            matches!(by_check(&line.checks).get(check), Some(CheckOutcome::Pass | CheckOutcome::Fail))
        }
    }
}

#[cfg(test)]
#[path = "expect_update_tests.rs"]
mod tests;
