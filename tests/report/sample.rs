//! One small report with a line of each kind.

use toolwire::check::{CheckOutcome, CheckResult};
use toolwire::corpus::{Class, Level};
use toolwire::json::JsonText;
use toolwire::report::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line, Report, TargetLine};
use toolwire::verdict::{Outcome, Verdict};

/// A case line that passed.
pub(crate) fn passed(case: &str, permutation: &str) -> CaseLine {
    CaseLine {
        target: "openai-python".to_owned(),
        surface: None,
        case: case.to_owned(),
        title: format!("what {case} is about"),
        permutation: permutation.to_owned(),
        class: Class::Legal,
        level: Level::Must,
        outcome: Outcome::Pass,
        verdict: Verdict::Pass,
        red: false,
        micros: 1_500,
        checks: Vec::new(),
        message: None,
        reason: None,
        evidence: None,
    }
}

pub(crate) fn ended(case: &str, outcome: Outcome, verdict: Verdict) -> CaseLine {
    let red = matches!(verdict, Verdict::UnexpectedPass | Verdict::Fail | Verdict::Crash);
    CaseLine { outcome, verdict, red, ..passed(case, "chunking=whole") }
}

pub(crate) fn failed_check(check: &str, expected: &str, actual: &str, pointer: Option<&str>) -> CheckResult {
    CheckResult {
        check: check.to_owned(),
        outcome: CheckOutcome::Fail,
        turn: 0,
        expected: Some(JsonText::new(expected).unwrap()),
        actual: Some(JsonText::new(actual).unwrap()),
        pointer: pointer.map(ToOwned::to_owned),
    }
}

pub(crate) fn header() -> Header {
    Header {
        toolwire: "0.1.0".to_owned(),
        corpus: "2026.12".to_owned(),
        targets: vec![TargetLine {
            name: "openai-python".to_owned(),
            version: Some("3.57.0".to_owned()),
            language: Some("python".to_owned()),
        }],
        selection: vec![("api".to_owned(), "openai-chat".to_owned())],
        seed: 7,
    }
}

pub(crate) fn footer(exit: u8) -> Footer {
    Footer { counts: Vec::new(), stale: Vec::new(), unreviewed: 0, exit, complete: true }
}

/// A report of these lines, with a footer that counts them.
#[expect(clippy::needless_pass_by_value, reason = "callers build the list in place")]
pub(crate) fn report(cases: Vec<CaseLine>, footer: Footer) -> Report {
    let lines = |footer| {
        let cases = cases.iter().map(|case| Line::Case(Box::new(case.clone())));
        std::iter::once(Line::Header(header())).chain(cases).chain(std::iter::once(Line::Footer(footer))).collect()
    };
    let counts = Report::from_lines(lines(footer.clone())).tally().footer_counts();
    Report::from_lines(lines(Footer { counts, ..footer }))
}

pub(crate) fn cases() -> Vec<CaseLine> {
    let mut fail = ended("openai-chat/parallel-calls", Outcome::Fail, Verdict::Fail);
    fail.checks = vec![
        failed_check(
            "arguments.value",
            r#"{"city":"Oslo","days":12345678901234567890,"units":["c","f"]}"#,
            r#"{"city":"Oslo","units":["c"],"days":12345678901234567000}"#,
            Some("/calls/0/arguments/days"),
        ),
        failed_check("calls.count", "2", "1", None),
        CheckResult {
            check: "calls.order".to_owned(),
            outcome: CheckOutcome::Blocked,
            turn: 0,
            expected: None,
            actual: None,
            pointer: None,
        },
    ];
    fail.evidence = Some(Evidence {
        response: "1.response.sse".to_owned(),
        cuts: vec![212, 431],
        frames: vec![FrameExcerpt {
            number: 3,
            start: 200,
            end: 431,
            event: String::new(),
            data: r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"da"}}]}}]}"#.to_owned(),
        }],
        request: None,
        stderr: Some("Traceback:\n  boom\n".to_owned()),
    });
    let again = CaseLine { permutation: "chunking=byte".to_owned(), ..fail.clone() };
    let mut crash = ended("openai-chat/crash", Outcome::Crash, Verdict::Crash);
    crash.message = Some("killed by signal 11".to_owned());
    crash.class = Class::Broken;
    let mut expected = ended("openai-chat/known", Outcome::Fail, Verdict::ExpectedFail);
    expected.reason = Some("helper merges fragments by name".to_owned());
    let mut unexpected = ended("openai-chat/mended", Outcome::Pass, Verdict::UnexpectedPass);
    unexpected.reason = Some("issue 12".to_owned());
    let mut should = ended("openai-chat/index-inconsistent", Outcome::Fail, Verdict::Fail);
    should.red = false;
    should.level = Level::Should;
    should.class = Class::Bent;
    should.checks = vec![failed_check("calls.name", "\"get_weather\"", "\"get\"", Some("/calls/0/name"))];
    let mut unsupported = ended("anthropic-messages/thinking", Outcome::Unsupported, Verdict::Unsupported);
    unsupported.message = Some("no such api".to_owned());
    let mut skip = ended("openai-chat/slow", Outcome::NotRun, Verdict::Skip);
    skip.reason = Some("takes a minute".to_owned());
    vec![
        passed("openai-chat/text", "chunking=whole"),
        passed("openai-chat/text", "chunking=byte"),
        ended("openai-chat/empty-arguments", Outcome::Lenient, Verdict::Lenient),
        expected,
        unexpected,
        fail,
        again,
        crash,
        should,
        unsupported,
        skip,
    ]
}

pub(crate) fn red() -> Report {
    let stale = vec![("openai-chat/gone-*".to_owned(), 14)];
    report(cases(), Footer { stale, unreviewed: 2, ..footer(1) })
}

pub(crate) fn green() -> Report {
    report(cases().into_iter().filter(|case| !case.red && case.level == Level::Must).collect(), footer(0))
}

pub(crate) fn sentence(check: &str) -> Option<&'static str> {
    Some(match check {
        "arguments.value" => "Arguments have the value that was streamed, numbers exact.",
        "calls.count" => "Every call that was closed comes out, and no other.",
        _ => return None,
    })
}
