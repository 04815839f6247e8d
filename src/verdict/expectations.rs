//! The expectations: what is known to fail, on which target, and why.
//!
//! Entries are in the order of the file; where several speak of one thing, the last one decides. Reading the file
//! is [`read`](super::read), judging with it is [`account`](super::account).

use super::Status;
use crate::corpus::{CaseGlob, CaseId, wildcard};

/// What a reason says as long as nobody has looked at it.
pub const UNREVIEWED: &str = "(unreviewed)";

/// The entries of an expectations file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expectations {
    entries: Vec<Entry>,
}

/// One `[[expect]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The targets it speaks of.
    pub target: TargetGlob,
    /// The cases, or some of their permutations.
    pub case: CaseGlob,
    /// The check; `None`: the case as a whole.
    pub check: Option<String>,
    /// What is expected.
    pub status: Status,
    /// Why.
    pub reason: String,
    /// Where that is tracked.
    pub issue: Option<String>,
    /// The line of its `[[expect]]`, from 1.
    pub line: usize,
}

/// A target's name, or `name/surface`, with `*` for any characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetGlob {
    text: String,
    pattern: String,
}

impl TargetGlob {
    /// From what was written; every text is a pattern.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        // A target such as `adapter:drivers/x.py` has no segments.
        let pattern = text.replace('*', "**");
        Self { text, pattern }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if it names one target only.
    pub fn is_exact(&self) -> bool {
        !self.text.contains('*')
    }

    /// True if it takes in that target; a target's name takes in its surfaces, `name/surface`.
    pub fn matches(&self, target: &str) -> bool {
        let matches = |target: &str| wildcard(self.pattern.as_bytes(), target.as_bytes());
        matches(target) || target.rsplit_once('/').is_some_and(|(name, _)| matches(name))
    }

    /// True if it takes in that target, or a surface of it.
    fn concerns(&self, name: &str) -> bool {
        let of_a_surface = |pattern: &str| wildcard(pattern.as_bytes(), name.as_bytes());
        self.matches(name) || self.pattern.rsplit_once('/').is_some_and(|(pattern, _)| of_a_surface(pattern))
    }
}

impl Entry {
    /// True if it speaks of that permutation on that target.
    pub fn matches(&self, target: &str, id: &CaseId, permutation: &str) -> bool {
        self.target.matches(target) && self.case.matches(id, permutation)
    }

    /// True if it names one target and one case, or permutations of one.
    pub fn is_exact(&self) -> bool {
        self.target.is_exact() && !self.case.as_str().contains('*')
    }

    /// True if nobody has looked at its reason yet.
    pub fn is_unreviewed(&self) -> bool {
        self.reason.contains(UNREVIEWED)
    }
}

impl Expectations {
    /// From entries in the order of the file.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// In the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry because of which a permutation is not to be run.
    pub fn skips(&self, target: &str, id: &CaseId, permutation: &str) -> Option<&Entry> {
        let whole = self.entries.iter().rfind(|entry| entry.check.is_none() && entry.matches(target, id, permutation));
        whole.filter(|entry| entry.status == Status::Skip)
    }

    /// Entries for one of the run's `targets` (names, without surfaces) that match no permutation of the whole corpus.
    pub fn stale(&self, targets: &[&str], permutations: impl Iterator<Item = (CaseId, String)>) -> Vec<&Entry> {
        let spoken_of = |entry: &&Entry| targets.iter().any(|target| entry.target.concerns(target));
        unmatched(self.entries.iter().filter(spoken_of).collect(), permutations)
    }

    /// Entries that match no permutation of the whole corpus, whatever their target.
    pub fn stale_anywhere(&self, permutations: impl Iterator<Item = (CaseId, String)>) -> Vec<&Entry> {
        unmatched(self.entries.iter().collect(), permutations)
    }

    /// How many entries nobody has looked at yet.
    pub fn unreviewed(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_unreviewed()).count()
    }
}

fn unmatched(mut entries: Vec<&Entry>, permutations: impl Iterator<Item = (CaseId, String)>) -> Vec<&Entry> {
    for (id, permutation) in permutations {
        if entries.is_empty() {
            break;
        }
        entries.retain(|entry| !entry.case.matches(&id, &permutation));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::{Entry, Expectations, Status, TargetGlob};
    use crate::corpus::CaseId;

    fn entry(target: &str, case: &str, check: Option<&str>, status: Status) -> Entry {
        Entry {
            target: TargetGlob::new(target),
            case: case.parse().unwrap(),
            check: check.map(str::to_owned),
            status,
            reason: "because".to_owned(),
            issue: None,
            line: 1,
        }
    }

    fn corpus() -> impl Iterator<Item = (CaseId, String)> {
        ["openai-chat/one", "openai-chat/two"].into_iter().flat_map(|id| {
            ["chunking=whole", "chunking=byte"].map(|permutation| (CaseId::new(id).unwrap(), permutation.to_owned()))
        })
    }

    #[test]
    fn targets_match_by_stars_across_anything() {
        for (glob, target, matches) in [
            ("sdk", "sdk", true),
            ("sdk", "sdk-2", false),
            ("*", "adapter:python3 drivers/x.py", true),
            ("adapter:*.py", "adapter:python3 drivers/x.py", true),
            ("openai-*", "openai-python", true),
            ("openai-*", "anthropic", false),
            ("sdk", "sdk/helper", true),
            ("sdk/helper", "sdk/helper", true),
            ("sdk/helper", "sdk/raw", false),
            ("sdk/helper", "sdk", false),
            ("*/helper", "sdk/helper", true),
        ] {
            assert_eq!(TargetGlob::new(glob).matches(target), matches, "{glob} {target}");
        }
    }

    #[test]
    fn only_entries_of_this_run_that_match_nothing_are_stale() {
        let expectations = Expectations::new(vec![
            entry("sdk", "openai-chat/one", None, Status::Fail),
            entry("sdk", "openai-chat/three", None, Status::Fail),
            entry("sdk", "openai-chat/*#chunking=line", None, Status::Skip),
            entry("other", "openai-chat/three", None, Status::Fail),
            entry("sdk/helper", "openai-chat/four", None, Status::Fail),
            entry("*", "gemini/*", Some("text"), Status::Fail),
            entry("*", "**", None, Status::Flaky),
        ]);
        let cases = |entries: Vec<&Entry>| -> Vec<String> {
            entries.iter().map(|entry| format!("{} {}", entry.target.as_str(), entry.case.as_str())).collect()
        };
        let stale =
            ["sdk openai-chat/three", "sdk openai-chat/*#chunking=line", "sdk/helper openai-chat/four", "* gemini/*"];
        assert_eq!(cases(expectations.stale(&["sdk", "builtin"], corpus())), stale);
        assert_eq!(cases(expectations.stale(&["builtin"], corpus())), ["* gemini/*"]);
        assert_eq!(cases(expectations.stale(&[], corpus())), [""; 0]);
        assert_eq!(expectations.stale_anywhere(corpus()).len(), 5);
    }

    #[test]
    fn the_last_entry_about_the_whole_case_says_whether_it_is_skipped() {
        let id = CaseId::new("openai-chat/one").unwrap();
        let skips = |entries: Vec<Entry>| Expectations::new(entries).skips("sdk", &id, "chunking=byte").is_some();
        let skip = |case: &str| entry("sdk", case, None, Status::Skip);
        assert!(skips(vec![skip("**")]));
        assert!(skips(vec![skip("openai-chat/one#chunking=byte")]));
        assert!(!skips(vec![skip("openai-chat/one#chunking=whole")]));
        assert!(!skips(vec![entry("other", "**", None, Status::Skip)]));
        assert!(!skips(vec![skip("**"), entry("*", "openai-chat/*", None, Status::Fail)]));
        assert!(skips(vec![entry("*", "openai-chat/*", None, Status::Fail), skip("**")]));
        assert!(skips(vec![skip("**"), entry("sdk", "**", Some("text"), Status::Fail)]), "a check decides itself only");
    }
}
