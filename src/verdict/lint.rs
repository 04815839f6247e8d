//! What can be said of an expectations file without a run.

use std::fmt;

use super::{Entry, Expectations};
use crate::corpus::CaseId;

/// Something about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryFinding<'e> {
    /// The entry.
    pub entry: &'e Entry,
    /// What about it.
    pub flaw: Flaw,
}

/// What can be wrong with an entry that is well written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// No permutation of the corpus matches.
    Stale,
    /// A later entry for the same target and case decides everything that it could.
    Overruled {
        /// The later entry's line.
        by: usize,
    },
    /// Nobody has looked at its reason yet.
    Unreviewed,
}

impl Flaw {
    /// True if a run is red for it.
    pub fn is_error(self) -> bool {
        match self {
            Self::Stale => true,
            Self::Overruled { .. } | Self::Unreviewed => false,
        }
    }
}

impl fmt::Display for EntryFinding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = self.entry;
        let severity = if self.flaw.is_error() { "error" } else { "warning" };
        // Debug spelling: the file's text may hold control characters.
        write!(f, "{}: {severity}: {:?} for {:?}: ", entry.line, entry.case.as_str(), entry.target.as_str())?;
        match self.flaw {
            Flaw::Stale => f.write_str("matches nothing in the corpus; correct the pattern, or remove the entry"),
            Flaw::Overruled { by } => {
                write!(f, "never decides anything, since line {by} comes later; remove one of the two")
            }
            Flaw::Unreviewed => f.write_str("nobody has reviewed it; say in `reason` why this fails"),
        }
    }
}

impl Expectations {
    /// Everything to say of the entries, by line; `corpus`: every permutation, or `None` if it is not at hand.
    pub fn lint(&self, corpus: Option<impl Iterator<Item = (CaseId, String)>>) -> Vec<EntryFinding<'_>> {
        let mut findings: Vec<EntryFinding<'_>> = Vec::new();
        if let Some(permutations) = corpus {
            let stale = self.stale_anywhere(permutations);
            findings.extend(stale.into_iter().map(|entry| EntryFinding { entry, flaw: Flaw::Stale }));
        }
        for (index, entry) in self.entries().iter().enumerate() {
            let covers = |later: &&Entry| {
                later.target == entry.target
                    && later.case == entry.case
                    && (later.check.is_none() || later.check == entry.check)
            };
            if let Some(later) = self.entries().iter().skip(index + 1).find(covers) {
                findings.push(EntryFinding { entry, flaw: Flaw::Overruled { by: later.line } });
            }
            if entry.is_unreviewed() {
                findings.push(EntryFinding { entry, flaw: Flaw::Unreviewed });
            }
        }
        findings.sort_by_key(|finding| finding.entry.line);
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::{Expectations, Flaw};
    use crate::corpus::CaseId;

    #[test]
    fn stale_overruled_and_unreviewed_entries_are_found() {
        let entry =
            |case: &str, rest: &str| format!("[[expect]]\ntarget = 't'\ncase = '{case}'\nstatus = 'fail'\n{rest}\n");
        let text = [
            entry("a/b", "reason = 'r'\ncheck = 'x'"),
            entry("a/b", "reason = 'r'\ncheck = 'y'"),
            entry("a/c", "reason = 'r (unreviewed)'"),
            entry("a/b", "reason = 'r'\ncheck = 'x'"),
            entry("a/*", "reason = 'r'"),
            entry("a/*#p=2", "reason = 'r'"),
        ];
        let text = text.concat();
        let expectations = Expectations::parse(&text, "e.toml", &["x", "y"]).unwrap();
        let corpus = || std::iter::once((CaseId::new("a/b").unwrap(), "p=1".to_owned()));
        let found: Vec<(usize, Flaw)> =
            expectations.lint(Some(corpus())).iter().map(|finding| (finding.entry.line, finding.flaw)).collect();
        assert_eq!(
            found,
            [(1, Flaw::Overruled { by: 18 }), (13, Flaw::Stale), (13, Flaw::Unreviewed), (29, Flaw::Stale)],
            "{text}"
        );
        let told = expectations.lint(Some(corpus()));
        assert!(told[1].to_string().starts_with("13: error: \"a/c\" for \"t\": matches nothing in the corpus;"));
        assert_eq!(expectations.lint(None::<std::iter::Empty<_>>).len(), 2);
    }
}
