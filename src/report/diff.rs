//! Two reports of the same targets: what became red, what became green, what else changed.

use std::collections::HashMap;

use super::{CaseLine, Ending, Report, escape};
use crate::json::{Style, Writer};

/// How a permutation's end changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Red now, and was not.
    NewlyRed,
    /// Was red, and is not.
    NewlyGreen,
    /// Another outcome or verdict, as red or green as before.
    Changed,
    /// Only in the new report.
    Added,
    /// Only in the old report.
    Removed,
}

impl ChangeKind {
    /// All of them, in the order of reports.
    pub const ALL: &'static [Self] = &[Self::NewlyRed, Self::NewlyGreen, Self::Changed, Self::Added, Self::Removed];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NewlyRed => "newly-red",
            Self::NewlyGreen => "newly-green",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// One permutation whose end changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How.
    pub kind: ChangeKind,
    /// The target, with the surface behind a slash.
    pub label: String,
    /// The case's id.
    pub case: String,
    /// The permutation.
    pub permutation: String,
    /// Verdict before; `None` if it is new.
    pub old: Option<&'static str>,
    /// Verdict now; `None` if it is gone.
    pub new: Option<&'static str>,
    /// True if it makes the new report red.
    pub red: bool,
}

/// Everything that changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// The permutations, by kind, target and case.
    pub changes: Vec<Change>,
    /// Entries of the expectations that became stale.
    pub stale: Vec<String>,
    /// True if the new run did not come to its end, and the old one did.
    pub cut: bool,
}

/// Compares two reports.
pub fn diff(old: &Report, new: &Report) -> Diff {
    let before: HashMap<_, &CaseLine> = old.cases().iter().map(|line| (line.key(), line)).collect();
    let after: HashMap<_, &CaseLine> = new.cases().iter().map(|line| (line.key(), line)).collect();
    let mut changes: Vec<Change> =
        new.cases().iter().filter_map(|line| change(before.get(&line.key()).copied(), Some(line))).collect();
    changes.extend(
        old.cases().iter().filter(|line| !after.contains_key(&line.key())).filter_map(|line| change(Some(line), None)),
    );
    changes.sort_by(|a, b| (a.kind, &a.label, &a.case).cmp(&(b.kind, &b.label, &b.case)));
    let known = |pattern: &String| old.stale().iter().any(|(old, _)| old == pattern);
    let stale = new.stale().iter().map(|(pattern, _)| pattern.clone()).filter(|pattern| !known(pattern)).collect();
    let cut = old.ending() == Ending::Complete && new.ending() != Ending::Complete;
    Diff { changes, stale, cut }
}

fn change(old: Option<&CaseLine>, new: Option<&CaseLine>) -> Option<Change> {
    let kind = match (old, new) {
        (None, Some(_)) => ChangeKind::Added,
        (Some(_), None) => ChangeKind::Removed,
        (Some(old), Some(new)) if !old.red && new.red => ChangeKind::NewlyRed,
        (Some(old), Some(new)) if old.red && !new.red => ChangeKind::NewlyGreen,
        (Some(old), Some(new)) if (old.outcome, old.verdict) != (new.outcome, new.verdict) => ChangeKind::Changed,
        _ => return None,
    };
    let line = new.or(old)?;
    // The outcome says more where the verdict stayed, as a flaky one does.
    let verdicts = old.map(|line| line.verdict) != new.map(|line| line.verdict);
    let word = |line: &CaseLine| if verdicts { line.verdict.name() } else { line.outcome.name() };
    Some(Change {
        kind,
        label: line.label(),
        case: line.case.clone(),
        permutation: line.permutation.clone(),
        old: old.map(word),
        new: new.map(word),
        red: new.is_some_and(|line| line.red),
    })
}

impl Diff {
    /// The changes of one kind.
    pub fn of(&self, kind: ChangeKind) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.kind == kind)
    }

    /// True if something is red that was not (a new permutation too), an entry became stale, or the
    /// new run did not come to its end.
    pub fn is_worse(&self) -> bool {
        let red = |change: &Change| match change.kind {
            ChangeKind::NewlyRed => true,
            ChangeKind::Added => change.red,
            _ => false,
        };
        self.cut || !self.stale.is_empty() || self.changes.iter().any(red)
    }
}

/// The changes as lines, the permutations of a case together.
pub fn render_text(diff: &Diff) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(&escape::terminal(text));
        out.push('\n');
    };
    if diff.cut {
        line("the new run did not come to its end");
    }
    for pattern in &diff.stale {
        line(&format!("newly stale: `{pattern}`"));
    }
    for kind in ChangeKind::ALL {
        let changes: Vec<&Change> = diff.of(*kind).collect();
        let alike = |a: &&Change, b: &&Change| {
            (&a.label, &a.case, a.old, a.new, a.red) == (&b.label, &b.case, b.old, b.new, b.red)
        };
        for group in changes.chunk_by(alike) {
            let Some(first) = group.first() else { continue };
            let how = match (first.old, first.new) {
                (Some(old), Some(new)) => format!("{old} → {new}"),
                (old, new) => old.or(new).unwrap_or("").to_owned(),
            };
            let permutations: Vec<&str> = group.iter().map(|change| change.permutation.as_str()).collect();
            let permutations = match permutations.join("  ") {
                none if none.is_empty() => none,
                some => format!("  [{some}]"),
            };
            line(&format!("{}: {} ({}) {how}{permutations}", kind.name(), first.case, first.label));
        }
    }
    let counts: Vec<String> = ChangeKind::ALL
        .iter()
        .map(|kind| (diff.of(*kind).count(), kind.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let word = if diff.is_worse() { "worse" } else { "not worse" };
    line(&format!("{word}: {}", if counts.is_empty() { "nothing changed".to_owned() } else { counts.join(", ") }));
    out
}

/// The changes as a JSON object.
pub fn render_json(diff: &Diff) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.object(|w| {
        w.member("type", "diff");
        w.key("worse");
        w.literal(diff.is_worse());
        w.key("cut");
        w.literal(diff.cut);
        w.key("stale");
        w.array(|w| diff.stale.iter().for_each(|pattern| w.string(pattern)));
        w.key("changes");
        w.array(|w| {
            for change in &diff.changes {
                w.object(|w| {
                    w.member("kind", change.kind.name());
                    w.member("target", &change.label);
                    w.member("case", &change.case);
                    w.member("permutation", &change.permutation);
                    w.optional("old", change.old);
                    w.optional("new", change.new);
                    w.key("red");
                    w.literal(change.red);
                });
            }
        });
    });
    writer.finish() + "\n"
}
