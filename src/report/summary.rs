//! The report as one value: every line, and the counts and groups that all renderings share.
//!
//! Every figure is counted anew from the case lines; what the footer adds is the stale entries,
//! the unreviewed ones, the exit code, and that the run came to its end.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use super::{CaseLine, Footer, Header, Line, escape};
use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::{Class, Level};
use crate::verdict::Verdict;

/// Maps a check's slug to the rule that it holds clients to, as a sentence.
pub type Sentences = fn(&str) -> Option<&'static str>;

/// A whole report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    header: Option<Header>,
    cases: Vec<CaseLine>,
    footer: Option<Footer>,
    tally: Tally,
    targets: Vec<TargetSummary>,
}

/// How the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything selected was run.
    Complete,
    /// The run stopped itself before its end.
    Stopped,
    /// There is no footer: the run was killed, or the file was cut.
    Cut,
}

/// How many permutations have each verdict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    counts: BTreeMap<Verdict, u64>,
    /// Permutations that make the run red.
    pub red: u64,
    /// Permutations that failed without making the run red.
    pub shown: u64,
    /// What they took together, in microseconds.
    pub micros: u64,
}

/// What one target (or one surface of it) did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetSummary {
    /// The target, with the surface behind a slash.
    pub label: String,
    /// Version of the client, if it told.
    pub version: Option<String>,
    /// All its permutations.
    pub tally: Tally,
    /// How many cases those are of.
    pub cases: usize,
    /// The same by class and level, in their order, empty ones left out.
    pub groups: Vec<(Class, Level, Tally)>,
}

/// A failure of a case, once for all permutations in which it is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure<'a> {
    /// The first permutation.
    pub line: &'a CaseLine,
    /// The other permutations.
    pub also: Vec<&'a str>,
}

impl Tally {
    fn add(&mut self, line: &CaseLine) {
        *self.counts.entry(line.verdict).or_default() += 1;
        self.red += u64::from(line.red);
        self.shown += u64::from(is_shown(line));
        self.micros = self.micros.saturating_add(line.micros);
    }

    /// How many have this verdict.
    pub fn get(&self, verdict: Verdict) -> u64 {
        self.counts.get(&verdict).copied().unwrap_or(0)
    }

    /// The verdicts that occur, in the order of reports.
    pub fn counts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        self.counts.iter().map(|(verdict, count)| (*verdict, *count))
    }

    /// All permutations.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Those that passed, by an accepted alternative too.
    pub fn passed(&self) -> u64 {
        self.get(Verdict::Pass) + self.get(Verdict::Lenient)
    }

    /// Those that could be judged: all but the unsupported, blocked, skipped, and not run.
    pub fn judged(&self) -> u64 {
        self.total() - self.not_judged()
    }

    /// Those that could not be judged.
    pub fn not_judged(&self) -> u64 {
        [Verdict::Unsupported, Verdict::Blocked, Verdict::Skip, Verdict::NotRun].iter().map(|v| self.get(*v)).sum()
    }

    /// The counts of a footer: every verdict, zeros included.
    pub fn footer_counts(&self) -> Vec<(Verdict, u64)> {
        Verdict::ALL.iter().map(|verdict| (*verdict, self.get(*verdict))).collect()
    }

    /// The verdicts that occur as a list: `3 pass, 1 skip`.
    pub fn sentence(&self) -> String {
        let parts: Vec<String> = self.counts().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
        if parts.is_empty() { "nothing was run".to_owned() } else { parts.join(", ") }
    }
}

impl Report {
    /// Groups and counts lines. Of two lines of one permutation the later one counts, in the place
    /// of the earlier; of two headers or footers, the later one.
    pub fn from_lines(lines: Vec<Line>) -> Self {
        let mut report = Self::default();
        let mut seen: HashMap<(String, Option<String>, String, String), usize> = HashMap::new();
        for line in lines {
            match line {
                Line::Header(header) => report.header = Some(header),
                Line::Footer(footer) => report.footer = Some(footer),
                Line::Case(case) => {
                    let key = (case.target.clone(), case.surface.clone(), case.case.clone(), case.permutation.clone());
                    let at = *seen.entry(key).or_insert(report.cases.len());
                    match report.cases.get_mut(at) {
                        Some(earlier) => *earlier = *case,
                        None => report.cases.push(*case),
                    }
                }
            }
        }
        report.count();
        report
    }

    /// Ends the report.
    pub fn close(&mut self, footer: Footer) {
        self.footer = Some(footer);
    }

    fn count(&mut self) {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut cases: HashSet<(usize, &str)> = HashSet::new();
        for line in &self.cases {
            self.tally.add(line);
            let label = line.label();
            let at = *places.entry(label.clone()).or_insert(self.targets.len());
            if at == self.targets.len() {
                let known = self.header.iter().flat_map(|h| &h.targets).find(|target| target.name == line.target);
                self.targets.push(TargetSummary {
                    label,
                    version: known.and_then(|target| target.version.clone()),
                    tally: Tally::default(),
                    cases: 0,
                    groups: Vec::new(),
                });
            }
            let Some(target) = self.targets.get_mut(at) else { continue };
            target.tally.add(line);
            target.cases += usize::from(cases.insert((at, &line.case)));
            let found = target.groups.iter_mut().find(|(class, level, _)| (*class, *level) == (line.class, line.level));
            if let Some((_, _, tally)) = found {
                tally.add(line);
            } else {
                let mut tally = Tally::default();
                tally.add(line);
                target.groups.push((line.class, line.level, tally));
            }
        }
        for target in &mut self.targets {
            target.groups.sort_by_key(|(class, level, _)| (*class, *level));
        }
    }

    /// The first line, if the file has one.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Every permutation, in the order of the run.
    pub fn cases(&self) -> &[CaseLine] {
        &self.cases
    }

    /// The last line, unless the run was cut.
    pub fn footer(&self) -> Option<&Footer> {
        self.footer.as_ref()
    }

    /// All permutations of all targets.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The targets, in the order of the run; each surface on its own.
    pub fn targets(&self) -> &[TargetSummary] {
        &self.targets
    }

    /// How the run ended.
    pub fn ending(&self) -> Ending {
        match &self.footer {
            Some(footer) if footer.complete => Ending::Complete,
            Some(_) => Ending::Stopped,
            None => Ending::Cut,
        }
    }

    /// Entries of the expectations that match nothing in the corpus: pattern and line.
    pub fn stale(&self) -> &[(String, usize)] {
        self.footer.as_ref().map_or(&[], |footer| &footer.stale)
    }

    /// How many entries of the expectations nobody reviewed yet.
    pub fn unreviewed(&self) -> u64 {
        self.footer.as_ref().map_or(0, |footer| footer.unreviewed)
    }

    /// True if nothing red was found, the run came to its end, and it ended with 0.
    pub fn is_green(&self) -> bool {
        self.tally.red == 0
            && self.stale().is_empty()
            && self.footer.as_ref().is_some_and(|footer| footer.complete && footer.exit == 0)
    }

    /// The red permutations, the same failures of a case together.
    pub fn failures(&self) -> Vec<Failure<'_>> {
        grouped(self.cases.iter().filter(|line| line.red))
    }

    /// What failed without making the run red, the same way.
    pub fn shown(&self) -> Vec<Failure<'_>> {
        grouped(self.cases.iter().filter(|line| is_shown(line)))
    }

    /// What a reader has to know before believing the figures.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        match self.ending() {
            Ending::Complete => {}
            Ending::Stopped => {
                notices.push("the run stopped before its end; the figures are of a part of it".to_owned());
            }
            Ending::Cut => {
                notices
                    .push("the run was cut: the report has no footer, and the figures are of a part of it".to_owned());
            }
        }
        if let Some(footer) = &self.footer {
            let counted: u64 = footer.counts.iter().map(|(_, count)| count).sum();
            if footer.counts.iter().any(|(verdict, count)| self.tally.get(*verdict) != *count) {
                let found = self.tally.total();
                notices.push(format!("the footer counts {counted} permutations, by verdict otherwise than the {found} lines above it: the file was changed"));
            }
        }
        notices
    }

    /// One line on the whole: `conformant: 3 pass, 1 skip`.
    pub fn conclusion(&self) -> String {
        let word = match self.ending() {
            _ if self.tally.red > 0 || !self.stale().is_empty() => "not conformant",
            Ending::Cut => "cut",
            Ending::Stopped => "incomplete",
            Ending::Complete if self.is_green() => "conformant",
            Ending::Complete => "not as expected",
        };
        let mut line = format!("{word}: {}", self.tally.sentence());
        let mut add = |count: u64, what: &str| {
            if count > 0 {
                // Writing to a String cannot fail.
                let _ = write!(line, "; {count} {what}");
            }
        };
        add(self.tally.red, "red");
        add(self.stale().len() as u64, "stale in the expectations");
        add(self.unreviewed(), "unreviewed in the expectations");
        if let Some(footer) = self.footer.as_ref().filter(|footer| footer.exit > 1) {
            let _ = write!(line, "; exit {}", footer.exit);
        }
        line
    }

    /// The lines again, with the footer's counts as they are.
    pub fn into_lines(self) -> Vec<Line> {
        let cases = self.cases.into_iter().map(|case| Line::Case(Box::new(case)));
        self.header.map(Line::Header).into_iter().chain(cases).chain(self.footer.map(Line::Footer)).collect()
    }
}

impl Failure<'_> {
    /// The checks that failed.
    pub fn checks(&self) -> impl Iterator<Item = &CheckResult> {
        self.line.checks.iter().filter(|check| check.outcome == CheckOutcome::Fail)
    }

    /// The slugs of the checks that could say nothing because another failed.
    pub fn blocked(&self) -> Vec<&str> {
        let blocked = self.line.checks.iter().filter(|check| check.outcome == CheckOutcome::Blocked);
        blocked.map(|check| check.check.as_str()).collect()
    }

    /// What went wrong, for verdicts that are not about checks.
    pub fn explanation(&self) -> Option<String> {
        if self.line.verdict == Verdict::UnexpectedPass {
            return Some(match &self.line.reason {
                Some(reason) => {
                    format!("passes although the expectations say that it fails ({reason}); remove the entry")
                }
                None => "passes although the expectations say that it fails; remove the entry".to_owned(),
            });
        }
        self.line.message.clone()
    }

    /// In how many other permutations it failed alike, with as many of their names as fit into `chars`
    /// characters; nothing if in none.
    pub fn elsewhere(&self, chars: usize) -> Option<String> {
        let count = self.also.len();
        if count == 0 {
            return None;
        }
        let mut text = format!("also in {count} other permutation{}", if count == 1 { "" } else { "s" });
        for (at, name) in self.also.iter().enumerate() {
            let name = escape::visible(name);
            if text.chars().count() + name.chars().count() + 4 > chars {
                text.push_str(if at == 0 { "" } else { "  …" });
                break;
            }
            text.push_str(if at == 0 { ": " } else { "  " });
            text.push_str(&name);
        }
        Some(text)
    }

    /// The command that runs this permutation again, escaped for a terminal.
    pub fn rerun(&self) -> String {
        let target = match self.line.target.as_str() {
            "builtin" => String::new(),
            target => format!(" --target {}", escape::shell(target)),
        };
        format!("toolwire run{target} --case {}", escape::shell_word(&self.line.id()))
    }
}

/// Failed, and not red.
fn is_shown(line: &CaseLine) -> bool {
    let failed = matches!(
        line.verdict,
        Verdict::UnexpectedPass
            | Verdict::Fail
            | Verdict::Crash
            | Verdict::Timeout
            | Verdict::ProtocolError
            | Verdict::NoRequest
            | Verdict::HarnessError
    );
    failed && !line.red
}

fn grouped<'a>(lines: impl Iterator<Item = &'a CaseLine>) -> Vec<Failure<'a>> {
    let mut groups: Vec<Failure<'_>> = Vec::new();
    let mut of_case: HashMap<(&str, &str, &str), Vec<usize>> = HashMap::new();
    for line in lines {
        let (target, surface, case, permutation) = line.key();
        let known = of_case.entry((target, surface, case)).or_default();
        let same = known.iter().copied().find(|at| groups.get(*at).is_some_and(|group| is_same(group.line, line)));
        if let Some(group) = same.and_then(|at| groups.get_mut(at)) {
            group.also.push(permutation);
        } else {
            known.push(groups.len());
            groups.push(Failure { line, also: Vec::new() });
        }
    }
    groups
}

/// True if two permutations of a case failed alike; where the bytes were cut is aside.
fn is_same(a: &CaseLine, b: &CaseLine) -> bool {
    (a.outcome, a.verdict, &a.checks, &a.message, &a.reason) == (b.outcome, b.verdict, &b.checks, &b.message, &b.reason)
}
