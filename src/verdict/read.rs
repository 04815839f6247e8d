//! Reads `expectations.toml`: text in, [`Expectations`] out, or the first thing wrong with it.
//!
//! Strict: what is not understood is an error with its line, never passed over, since an entry that says nothing
//! would make a run red, or keep it green, for no visible reason.

use std::ops::Range;

use toml_edit::{Document, Item, Key, Table};

use super::{Entry, Expectations, Status, TargetGlob};
use crate::corpus::CaseGlobError;

const KEYS: [&str; 6] = ["target", "case", "check", "status", "reason", "issue"];

/// What is wrong with an expectations file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct ExpectationsError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub problem: ExpectationsProblem,
}

/// What is wrong with an expectations file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpectationsProblem {
    /// Not TOML.
    #[error("not TOML: {0}")]
    Toml(String),
    /// A key outside of entries.
    #[error(
        "unknown key {0:?}; the file holds [[expect]] entries and nothing else, so put it below an [[expect]] line"
    )]
    UnknownTopKey(String),
    /// `expect` is something else.
    #[error("`expect` is no list of tables; begin each entry with a line [[expect]]")]
    NoTables,
    /// A key that entries do not have.
    #[error(
        "unknown key {0:?} in an entry; allowed are target, case, check, status, reason, issue: rename or remove it"
    )]
    UnknownKey(String),
    /// A key is not there.
    #[error("the entry has no `{key}`; add {key} = {example}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What could stand there.
        example: &'static str,
    },
    /// A value of another type.
    #[error("`{0}` is not a string; write it in quotes")]
    NoString(&'static str),
    /// A value without a word in it.
    #[error("`{key}` is blank; {advice}")]
    Blank {
        /// The key.
        key: &'static str,
        /// What to write.
        advice: &'static str,
    },
    /// A status that does not exist.
    #[error("unknown status {0:?}; allowed are fail, crash, timeout, flaky, skip: write one of them")]
    UnknownStatus(String),
    /// A check that does not exist.
    #[error("unknown check {check:?}; allowed are {}: write one of them, or leave `check` out to speak of the whole case", allowed.join(", "))]
    UnknownCheck {
        /// What was written.
        check: String,
        /// The checks there are.
        allowed: Vec<String>,
    },
    /// A status that cannot be said of one check.
    #[error("status {:?} is not about a single check; allowed with `check` are fail and flaky: change the status, or remove `check`", .0.name())]
    StatusOfCheck(Status),
    /// The case is no pattern.
    #[error(transparent)]
    Case(#[from] CaseGlobError),
}

impl Expectations {
    /// Reads the text of `file_name`; `checks` are the slugs that an entry may name.
    ///
    /// # Errors
    /// At the first thing that is not understood, with its line.
    pub fn parse(text: &str, file_name: &str, checks: &[&str]) -> Result<Self, ExpectationsError> {
        let lines = Lines::of(text);
        let place = |found: Found| ExpectationsError {
            file: file_name.to_owned(),
            line: lines.number(found.at),
            problem: found.problem,
        };
        let document = Document::parse(text)
            .map_err(|e| place(Found { at: start(e.span()), problem: Problem::Toml(e.message().to_owned()) }))?;
        entries(document.as_table(), checks, &lines).map(Self::new).map_err(place)
    }
}

use ExpectationsProblem as Problem;

/// A problem and the offset at which it stands.
struct Found {
    at: usize,
    problem: Problem,
}

fn found(at: Option<Range<usize>>, problem: Problem) -> Found {
    Found { at: start(at), problem }
}

fn start(span: Option<Range<usize>>) -> usize {
    span.map_or(0, |span| span.start)
}

fn entries(table: &Table, checks: &[&str], lines: &Lines) -> Result<Vec<Entry>, Found> {
    let mut entries = Vec::new();
    for (key, item) in table {
        let span = table.key(key).and_then(Key::span);
        if key != "expect" {
            return Err(found(span, Problem::UnknownTopKey(key.to_owned())));
        }
        let tables = item.as_array_of_tables().ok_or_else(|| found(span, Problem::NoTables))?;
        for table in tables {
            entries.push(entry(table, checks, lines)?);
        }
    }
    Ok(entries)
}

fn entry(table: &Table, checks: &[&str], lines: &Lines) -> Result<Entry, Found> {
    if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(key)) {
        return Err(found(table.key(key).and_then(Key::span), Problem::UnknownKey(key.to_owned())));
    }
    let required = |key, example| match table.get(key) {
        None => Err(found(table.span(), Problem::Missing { key, example })),
        Some(item) => string(key, item).map(|text| (text, item.span())),
    };
    let words = |key, text: &str, span: Option<Range<usize>>, advice| {
        if text.trim().is_empty() { Err(found(span, Problem::Blank { key, advice })) } else { Ok(text.to_owned()) }
    };

    let (target, at) = required("target", "\"the target's name\" (or \"*\" for all)")?;
    let target = words("target", target, at, "name a target, or write \"*\" for all")?;
    let (case, at) = required("case", "\"api/slug\" (with * and **, and #axis=value behind it)")?;
    let case = case.parse().map_err(|e: CaseGlobError| found(at, e.into()))?;
    let (status, status_at) = required("status", "\"fail\" (or crash, timeout, flaky, skip)")?;
    let status =
        Status::from_name(status).ok_or_else(|| found(status_at.clone(), Problem::UnknownStatus(status.to_owned())))?;
    let (reason, at) = required("reason", "\"why that is so, in a sentence\"")?;
    let reason = words("reason", reason, at, "say in a sentence why that is so")?;

    let check = match table.get("check") {
        None => None,
        Some(item) => {
            let check = string("check", item)?;
            if !checks.contains(&check) {
                let allowed = checks.iter().map(|&check| check.to_owned()).collect();
                return Err(found(item.span(), Problem::UnknownCheck { check: check.to_owned(), allowed }));
            }
            if !status.is_about_a_check() {
                return Err(found(status_at, Problem::StatusOfCheck(status)));
            }
            Some(check.to_owned())
        }
    };
    let issue = match table.get("issue") {
        None => None,
        Some(item) => {
            let issue = string("issue", item)?;
            Some(words("issue", issue, item.span(), "write where it is tracked, or remove the key")?)
        }
    };
    let line = lines.number(start(table.span()));
    Ok(Entry { target: TargetGlob::new(target), case, check, status, reason, issue, line })
}

fn string<'t>(key: &'static str, item: &'t Item) -> Result<&'t str, Found> {
    item.as_str().ok_or_else(|| found(item.span(), Problem::NoString(key)))
}

/// Where lines begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line of an offset, from 1.
    fn number(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::{Expectations, Status};

    const CHECKS: &[&str] = &["calls.count", "text"];

    const GOOD: &str = "\
# What is known.

[[expect]]
target = \"sdk\"
case   = \"openai-chat/parallel-*\"
check  = \"text\" # only that
status = \"fail\"
reason = \"merges \\\"fragments\\\"\"

  [[expect]]
  target = '*'
  case = \"**#chunking=byte\"
  status = \"skip\"
  reason = \"\"\"
slow (unreviewed)\"\"\"
  issue = \"#12\"
";

    #[test]
    fn entries_are_read_with_their_lines() {
        for text in [GOOD.to_owned(), GOOD.replace('\n', "\r\n")] {
            let expectations = Expectations::parse(&text, "e.toml", CHECKS).unwrap();
            let [one, two] = expectations.entries() else { panic!("{expectations:?}") };
            assert_eq!((one.line, one.target.as_str(), one.case.as_str()), (3, "sdk", "openai-chat/parallel-*"));
            assert_eq!((one.check.as_deref(), one.status), (Some("text"), Status::Fail));
            assert_eq!((one.reason.as_str(), one.issue.as_deref()), ("merges \"fragments\"", None));
            assert_eq!((two.line, two.target.as_str(), two.case.as_str()), (10, "*", "**#chunking=byte"));
            assert_eq!((two.check.as_deref(), two.status, two.issue.as_deref()), (None, Status::Skip, Some("#12")));
            assert_eq!((two.reason.trim_end(), expectations.unreviewed()), ("slow (unreviewed)", 1));
        }
        for empty in ["", "# nothing\n", "\n\n"] {
            assert!(Expectations::parse(empty, "e.toml", CHECKS).unwrap().entries().is_empty());
        }
    }

    #[test]
    fn errors_say_where_what_and_what_to_do() {
        let entry = "[[expect]]\ntarget = \"sdk\"\ncase = \"a/b\"\nstatus = \"fail\"\nreason = \"r\"\n";
        let change = |from: &str, to: &str| entry.replace(from, to);
        for (text, error) in [
            ("a = 1\n".to_owned(), "e.toml:1: unknown key \"a\"; the file holds [[expect]] entries and nothing else"),
            (format!("{entry}[other]\n"), "e.toml:6: unknown key \"other\""),
            (entry.replace("[[expect]]", "[expect]"), "e.toml:1: `expect` is no list of tables; begin each entry with"),
            ("\nexpect = 3".to_owned(), "e.toml:2: `expect` is no list of tables"),
            (format!("{entry}tagret = 1\n"), "e.toml:6: unknown key \"tagret\" in an entry; allowed are target, case,"),
            (format!("{entry}[expect.more]\n"), "e.toml:6: unknown key \"more\" in an entry"),
            (
                change("target = \"sdk\"\n", ""),
                "e.toml:1: the entry has no `target`; add target = \"the target's name\"",
            ),
            (change("case = \"a/b\"\n", ""), "e.toml:1: the entry has no `case`; add case = \"api/slug\""),
            (change("status = \"fail\"\n", ""), "e.toml:1: the entry has no `status`; add status = \"fail\""),
            (change("reason = \"r\"\n", ""), "e.toml:1: the entry has no `reason`; add reason = \"why"),
            (change("\"sdk\"", "\" \""), "e.toml:2: `target` is blank; name a target, or write \"*\" for all"),
            (change("\"sdk\"", "[]"), "e.toml:2: `target` is not a string; write it in quotes"),
            (change("\"a/b\"", "\"a b\""), "e.toml:3: `a b` is no case pattern; write folder/slug"),
            (
                change("\"fail\"", "\"fails\""),
                "e.toml:4: unknown status \"fails\"; allowed are fail, crash, timeout, fl",
            ),
            (change("\"r\"", "\"\\t \""), "e.toml:5: `reason` is blank; say in a sentence why that is so"),
            (change("\"r\"", "5"), "e.toml:5: `reason` is not a string"),
            (format!("{entry}issue = ''"), "e.toml:6: `issue` is blank; write where it is tracked, or remove the key"),
            (
                format!("{entry}check = 'calls'"),
                "e.toml:6: unknown check \"calls\"; allowed are calls.count, text: write one of them, or leave `check` out",
            ),
            (
                change("\"fail\"", "\"crash\"\ncheck = \"text\""),
                "e.toml:4: status \"crash\" is not about a single check; allowed with `check` are fail and flaky",
            ),
            (change("\"fail\"", "\"skip\"\ncheck = \"text\""), "e.toml:4: status \"skip\" is not about a single check"),
            (format!("{entry}{entry}case = 'x'"), "e.toml:11: not TOML: "),
            (format!("\n{entry}\nx ="), "e.toml:8: not TOML: "),
        ] {
            let found = Expectations::parse(&text, "e.toml", CHECKS).unwrap_err().to_string();
            assert!(found.starts_with(error), "{text}\nfound: {found}\n  not: {error}");
        }
    }
}
