//! Annotations for GitHub Actions, as workflow commands.
//!
//! GitHub shows ten errors and ten warnings of a step, so the tenth says how many more there are.

use std::fmt::Write as _;

use super::{Failure, Report, Sentences, difference, escape};

/// Annotations of one kind that GitHub shows.
const MAX_SHOWN: usize = 10;

/// Characters of an expected or actual value.
const MAX_CHARS: usize = 160;

/// One `::error` for each red failure, stale entry and doubt about the whole, one `::warning` for each
/// failure that is only shown.
pub fn render(report: &Report, sentence: Sentences) -> String {
    let mut errors: Vec<(String, String)> = report
        .notices()
        .into_iter()
        .map(|notice| ("toolwire".to_owned(), notice))
        .chain(report.failures().iter().map(|failure| annotation(failure, sentence)))
        .collect();
    errors.extend(report.stale().iter().map(|(pattern, line)| {
        ("stale expectation".to_owned(), format!("`{pattern}` on line {line} matches no case; remove it"))
    }));
    let warnings = report.shown().iter().map(|failure| annotation(failure, sentence)).collect();
    commands("error", errors) + &commands("warning", warnings)
}

fn annotation(failure: &Failure<'_>, sentence: Sentences) -> (String, String) {
    let line = failure.line;
    let title = format!("{} {} ({})", line.verdict.name(), line.id(), line.label());
    let mut message = vec![line.title.clone()];
    message.extend(failure.explanation());
    for check in failure.checks() {
        message.push(format!("{} {}", check.check, difference::brief(check, MAX_CHARS)));
        message.extend(sentence(&check.check).map(ToOwned::to_owned));
    }
    message.extend(failure.elsewhere(MAX_CHARS));
    message.push(failure.rerun());
    (title, message.join("\n"))
}

fn commands(kind: &str, mut annotations: Vec<(String, String)>) -> String {
    if annotations.len() > MAX_SHOWN {
        let rest = annotations.split_off(MAX_SHOWN - 1).len();
        annotations.push(("toolwire".to_owned(), format!("{rest} more; see the report")));
    }
    let mut out = String::new();
    for (title, message) in &annotations {
        let (title, message) = (escape::github_property(title), escape::github_message(message));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "::{kind} title={title}::{message}");
    }
    out
}
