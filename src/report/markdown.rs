//! A report as GitHub-flavoured Markdown, for the summary of a CI job.
//!
//! A table by target and class, then each failure folded away. A job summary holds 1 MiB, so the
//! failures and their diffs are limited.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::difference::{self, Limits};
use super::{Failure, Report, Sentences, Tally, escape};
use crate::corpus::Class;
use crate::verdict::Verdict;

const MAX_FAILURES: usize = 50;

const LIMITS: Limits = Limits { lines: 40, chars: 200 };

/// The report as Markdown.
pub fn render(report: &Report, sentence: Sentences) -> String {
    let mut out = format!("## toolwire: {}\n\n", escape::markdown(&report.conclusion()));
    if let Some(header) = report.header() {
        let (version, corpus) = (escape::markdown(&header.toolwire), escape::markdown(&header.corpus));
        line(&mut out, &format!("toolwire {version}, corpus {corpus}, seed {}\n", header.seed));
    }
    for notice in report.notices() {
        line(&mut out, &format!("**Note**: {}\n", escape::markdown(&notice)));
    }
    table(&mut out, report);
    failures(&mut out, "Failures", &report.failures(), sentence);
    failures(&mut out, "Failed, not counted", &report.shown(), sentence);
    if !report.stale().is_empty() {
        line(&mut out, "### Stale expectations\n");
        for (pattern, at) in report.stale() {
            line(&mut out, &format!("- {} on line {at} matches no case; remove it", escape::markdown_code(pattern)));
        }
        out.push('\n');
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// A column and what it counts.
type Column = (&'static str, fn(&Tally) -> u64);

const COLUMNS: &[Column] = &[
    ("red", |tally| tally.red),
    ("passed", Tally::passed),
    ("expected", |tally| {
        [Verdict::ExpectedFail, Verdict::ExpectedCrash, Verdict::ExpectedTimeout, Verdict::Flaky]
            .iter()
            .map(|verdict| tally.get(*verdict))
            .sum()
    }),
    ("not counted", |tally| tally.shown),
    ("not judged", Tally::not_judged),
];

fn table(out: &mut String, report: &Report) {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    line(out, &format!("| target | class | {} |", names.join(" | ")));
    line(out, &format!("| --- | --- |{}", " ---: |".repeat(names.len())));
    for target in report.targets() {
        let mut name = escape::markdown_code(&target.label);
        if let Some(version) = &target.version {
            let _ = write!(name, " {}", escape::markdown(version));
        }
        for class in Class::ALL {
            let levels: Vec<&Tally> = target.groups.iter().filter(|(c, ..)| c == class).map(|(.., t)| t).collect();
            if levels.is_empty() {
                continue;
            }
            let cells: Vec<String> = COLUMNS
                .iter()
                .map(|(_, count)| levels.iter().map(|tally| count(tally)).sum::<u64>().to_string())
                .collect();
            line(out, &format!("| {name} | {} | {} |", class.name(), cells.join(" | ")));
        }
    }
    out.push('\n');
}

fn failures(out: &mut String, heading: &str, failures: &[Failure<'_>], sentence: Sentences) {
    if failures.is_empty() {
        return;
    }
    line(out, &format!("### {heading}\n"));
    for failure in failures.iter().take(MAX_FAILURES) {
        one(out, failure, sentence);
    }
    if failures.len() > MAX_FAILURES {
        line(out, &format!("… and {} more; see the report.\n", failures.len() - MAX_FAILURES));
    }
}

fn one(out: &mut String, failure: &Failure<'_>, sentence: Sentences) {
    let case = failure.line;
    let (id, label) = (escape::markdown_html(&case.id()), escape::markdown_html(&case.label()));
    let (class, level) = (case.class.name(), case.level.name());
    line(
        out,
        &format!("<details><summary>{} <code>{id}</code> ({label}, {class}, {level})</summary>\n", case.verdict.name()),
    );
    line(out, &format!("{}\n", escape::markdown(&case.title)));
    if let Some(text) = failure.explanation() {
        out.push_str(&escape::markdown_block("", escape::visible_lines(&text)));
        out.push('\n');
    }
    for check in failure.checks() {
        let at = difference::pointer(check).filter(|at| !at.is_empty());
        let at = at.map(|at| format!(" at {}", escape::markdown_code(&at))).unwrap_or_default();
        let rule = sentence(&check.check).map(|rule| format!(": {}", escape::markdown(rule))).unwrap_or_default();
        line(out, &format!("**{}**{at}{rule}\n", escape::markdown(&check.check)));
        let diff = difference::diff(check, LIMITS);
        if !diff.is_empty() {
            let lines = diff.iter().map(|line| Cow::Owned(format!("{} {}", line.mark.sign(), line.text)));
            out.push_str(&escape::markdown_block("diff", lines));
            out.push('\n');
        }
    }
    if !failure.also.is_empty() {
        let also: Vec<String> = failure.also.iter().map(|permutation| escape::markdown_code(permutation)).collect();
        let noun = if also.len() == 1 { "permutation" } else { "permutations" };
        line(out, &format!("also in {} other {noun}: {}\n", also.len(), also.join(", ")));
    }
    out.push_str(&escape::markdown_block("sh", std::iter::once(failure.rerun().into())));
    line(out, "\n</details>\n");
}
