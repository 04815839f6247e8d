//! A report as JUnit XML, for the test views of CI systems.
//!
//! One suite a target, one test a permutation. Expected failures pass with a note, unexpected passes
//! fail; what was not judged, and what failed without making the run red, is skipped with its reason.
//! Without timestamps: equal reports give equal files.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::difference::{self, Limits};
use super::{CaseLine, Failure, Report, Sentences, escape};
use crate::verdict::Verdict;

/// How much of a diff a failure shows.
const LIMITS: Limits = Limits { lines: 200, chars: 400 };

/// Characters of an expected or actual value in a message.
const MAX_CHARS: usize = 120;

/// The report as an XML document.
pub fn render(report: &Report, sentence: Sentences) -> String {
    let mut junit = Junit::new("toolwire");
    for target in report.targets() {
        let mut suite = TestSuite::new(escape::xml(&target.label));
        if let Some(version) = &target.version {
            suite.add_property(("version", escape::xml(version).as_str()));
        }
        if let Some(header) = report.header() {
            suite.add_property(("toolwire", escape::xml(&header.toolwire).as_str()));
            suite.add_property(("corpus", escape::xml(&header.corpus).as_str()));
        }
        for line in report.cases().iter().filter(|line| line.label() == target.label) {
            suite.add_test_case(test_case(line, sentence));
        }
        suite.set_time(Duration::from_micros(target.tally.micros));
        junit.add_test_suite(suite);
    }
    if let Some(suite) = whole(report) {
        junit.add_test_suite(suite);
    }
    junit.set_time(Duration::from_micros(report.tally().micros));
    // Only writing can fail, and a String takes everything; the fallback keeps the function total.
    junit.to_string().unwrap_or_default()
}

/// What concerns no single case: a run that was cut, and stale entries.
fn whole(report: &Report) -> Option<TestSuite> {
    let notices = report.notices().into_iter().map(|notice| ("run".to_owned(), notice));
    let stale = report.stale().iter().map(|(pattern, line)| {
        (format!("stale {pattern}"), format!("line {line} of the expectations matches no case; remove it"))
    });
    let mut suite = TestSuite::new("toolwire");
    for (name, message) in notices.chain(stale) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(escape::xml(&message));
        let mut case = TestCase::new(escape::xml(&name), status);
        case.set_classname("toolwire");
        suite.add_test_case(case);
    }
    (suite.tests > 0).then_some(suite)
}

fn test_case(line: &CaseLine, sentence: Sentences) -> TestCase {
    let failure = Failure { line, also: Vec::new() };
    let mut case = TestCase::new(escape::xml(&line.id()), status(&failure, sentence));
    case.set_classname(escape::xml(&format!("{}.{}", line.label(), line.folder())));
    case.set_time(Duration::from_micros(line.micros));
    if let Some(note) = note(line) {
        case.set_system_out(escape::xml(&note));
    }
    if let Some(stderr) = line.evidence.as_ref().and_then(|evidence| evidence.stderr.as_ref()) {
        case.set_system_err(escape::xml(stderr));
    }
    case
}

fn status(failure: &Failure<'_>, sentence: Sentences) -> TestCaseStatus {
    let line = failure.line;
    let mut status = match line.verdict {
        _ if line.red => TestCaseStatus::non_success(match line.verdict {
            Verdict::Crash | Verdict::Timeout | Verdict::ProtocolError | Verdict::NoRequest | Verdict::HarnessError => {
                NonSuccessKind::Error
            }
            _ => NonSuccessKind::Failure,
        }),
        Verdict::Pass
        | Verdict::Lenient
        | Verdict::Flaky
        | Verdict::ExpectedFail
        | Verdict::ExpectedCrash
        | Verdict::ExpectedTimeout => return TestCaseStatus::success(),
        _ => TestCaseStatus::skipped(),
    };
    let mut message: Vec<String> = Vec::new();
    message.extend(failure.explanation());
    message.extend(failure.checks().map(|check| format!("{} {}", check.check, difference::brief(check, MAX_CHARS))));
    let mut message = if message.is_empty() { line.reason.clone().unwrap_or_default() } else { message.join("; ") };
    if !line.red && line.verdict == Verdict::Fail {
        message = format!("failed, not counted ({}): {message}", line.level.name());
    }
    status.set_message(escape::xml(&message));
    status.set_type(line.verdict.name());
    if line.red {
        status.set_description(escape::xml(&description(failure, sentence)));
    }
    status
}

fn description(failure: &Failure<'_>, sentence: Sentences) -> String {
    let mut lines = vec![failure.line.title.clone()];
    for check in failure.checks() {
        lines.push(check.check.clone());
        lines.extend(sentence(&check.check).map(ToOwned::to_owned));
        let diff = difference::diff(check, LIMITS);
        if !diff.is_empty() {
            lines.push("- expected  + actual".to_owned());
        }
        lines.extend(diff.iter().map(|line| format!("{} {}", line.mark.sign(), line.text)));
    }
    lines.push(failure.rerun());
    lines.join("\n")
}

/// What a passed test says of itself.
fn note(line: &CaseLine) -> Option<String> {
    let what = match line.verdict {
        _ if line.red => return None,
        Verdict::Lenient => "passed by an accepted alternative",
        Verdict::Flaky => "may pass or fail",
        Verdict::ExpectedFail => "failed as expected",
        Verdict::ExpectedCrash => "crashed as expected",
        Verdict::ExpectedTimeout => "timed out as expected",
        _ => return None,
    };
    Some(match &line.reason {
        Some(reason) => format!("{what}: {reason}"),
        None => what.to_owned(),
    })
}
