//! What an update does to a file, example by example, and its laws on arbitrary ones.

use proptest::prelude::*;

use super::{CaseLine, Update, UpdateInput, update};
use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::{CaseId, Class, Level};
use crate::verdict::{Expectations, Outcome, Verdict, is_red};

const CHECKS: &[&str] = &["x", "y"];

/// `x+` passed, `x-` failed, `x?` blocked; `crash`, `timeout` and other outcomes by name.
fn line(case: &str, permutation: &str, ended: &str) -> CaseLine {
    let outcome = Outcome::ALL.iter().copied().find(|outcome| outcome.name() == ended);
    let check = |word: &str| CheckResult {
        check: word[..1].to_owned(),
        outcome: match &word[1..] {
            "+" => CheckOutcome::Pass,
            "-" => CheckOutcome::Fail,
            _ => CheckOutcome::Blocked,
        },
        turn: 0,
        expected: None,
        actual: None,
        pointer: None,
    };
    let failed = if ended.contains('-') { Outcome::Fail } else { Outcome::Pass };
    CaseLine {
        surface: None,
        target: "t".to_owned(),
        case: case.to_owned(),
        title: String::new(),
        permutation: permutation.to_owned(),
        class: Class::Legal,
        level: Level::Must,
        outcome: outcome.unwrap_or(failed),
        verdict: Verdict::Pass,
        red: false,
        micros: 1,
        checks: if outcome.is_some() { Vec::new() } else { ended.split_whitespace().map(check).collect() },
        message: None,
        reason: None,
        evidence: None,
    }
}

/// `case [x:]status` in order, separated by `;`.
fn file(entries: &str) -> String {
    let mut text = String::new();
    for entry in entries.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (case, rest) = entry.split_once(' ').unwrap();
        let (check, status) = rest.split_once(':').map_or((None, rest), |(check, status)| (Some(check), status));
        let check = check.map_or_else(String::new, |check| format!("check = '{check}'\n"));
        text.extend([format!(
            "[[expect]]\ntarget = 't'\ncase = '{case}'\n{check}status = '{status}'\nreason = 'r'\n\n"
        )]);
    }
    text
}

/// The inverse of [`file`].
fn entries(text: &str) -> String {
    let expectations = Expectations::parse(text, "e.toml", CHECKS).unwrap();
    let short = expectations.entries().iter().map(|entry| {
        let check = entry.check.as_ref().map_or_else(String::new, |check| format!("{check}:"));
        format!("{} {check}{}", entry.case.as_str(), entry.status.name())
    });
    short.collect::<Vec<_>>().join("; ")
}

fn updated(text: &str, corpus: &[&str], lines: &[CaseLine]) -> Update {
    let corpus: Vec<CaseId> = corpus.iter().map(|id| CaseId::new(id).unwrap()).collect();
    let input = UpdateInput { text, file_name: "e.toml", checks: CHECKS, corpus: &corpus, lines };
    update(&input, |check| format!("{check} is as expected.")).unwrap()
}

#[test]
fn a_report_makes_these_changes() {
    for (before, report, after) in [
        // Additions: a check each, the plain id when every permutation fails.
        ("", vec![("a/one", "c=a", "x+")], ""),
        ("", vec![("a/one", "c=a", "x-"), ("a/one", "c=b", "x-")], "a/one x:fail"),
        ("", vec![("a/one", "c=a", "x- y-")], "a/one x:fail; a/one y:fail"),
        ("", vec![("a/one", "c=a", "x-"), ("a/one", "c=b", "x+")], "a/one#c=a x:fail"),
        ("", vec![("a/one", "c=a", "x-"), ("a/one", "c=b", "x?")], "a/one x:fail"),
        ("", vec![("a/one", "c=a", "x-"), ("a/one", "c=b", "not-run")], "a/one#c=a x:fail"),
        ("", vec![("a/one", "c=a", "crash"), ("a/one", "c=b", "crash")], "a/one crash"),
        ("", vec![("a/one", "c=a", "x-"), ("a/one", "c=b", "timeout")], "a/one#c=b timeout; a/one x:fail"),
        ("", vec![("a/one", "", "fail")], "a/one fail"),
        ("", vec![("a/one", "c=a", "protocol-error"), ("a/one", "c=b", "unsupported")], ""),
        ("", vec![("a/one", "c=a", "x+"), ("a/one", "c=a", "x-")], "a/one x:fail"),
        // What is excused already gets nothing.
        ("a/* fail", vec![("a/one", "c=a", "x-")], "a/* fail"),
        ("a/one x:flaky", vec![("a/one", "c=a", "x-")], "a/one x:flaky"),
        ("a/one skip", vec![("a/one", "c=a", "not-run")], "a/one skip"),
        ("a/* x:fail", vec![("a/one", "c=a", "x- y-")], "a/* x:fail; a/one y:fail"),
        ("a/one fail", vec![("a/one", "c=a", "crash")], "a/one fail; a/one crash"),
        // Removals.
        ("a/one fail", vec![("a/one", "c=a", "x+")], ""),
        ("a/one fail", vec![("a/one", "c=a", "lenient")], ""),
        ("a/one x:fail; a/one y:fail", vec![("a/one", "c=a", "x+ y-")], "a/one y:fail"),
        ("a/one x:fail", vec![("a/one", "c=a", "x+ y-")], "a/one y:fail"),
        ("a/one x:fail", vec![("a/one", "c=a", "x? y+")], "a/one x:fail"),
        ("a/one fail; a/one fail", vec![("a/one", "c=a", "x+")], ""),
        ("a/one crash", vec![("a/one", "c=a", "x-")], "a/one x:fail"),
        ("a/one crash", vec![("a/one", "c=a", "timeout")], "a/one timeout"),
        ("a/one flaky", vec![("a/one", "c=a", "x+")], "a/one flaky"),
        ("a/one fail", vec![("a/one", "c=a", "unsupported")], "a/one fail"),
        // What the report does not speak of stays.
        ("a/two fail; a/one#c=b fail", vec![("a/one", "c=a", "x+")], "a/two fail; a/one#c=b fail"),
        ("a/* fail", vec![("a/one", "c=a", "x+")], "a/* fail"),
        ("a/* fail", vec![("a/one", "c=a", "x+"), ("a/two", "c=a", "x+")], ""),
        ("a/* fail", vec![("a/one", "c=a", "x+"), ("a/two", "c=a", "x-")], "a/* fail"),
        // An exact entry that holds for some permutations.
        (
            "a/one x:fail",
            vec![("a/one", "c=a", "x+"), ("a/one", "c=b", "x-"), ("a/one", "c=d", "x-")],
            "a/one#c=b x:fail; a/one#c=d x:fail",
        ),
        (
            "a/one#n=x fail",
            vec![("a/one", "c=a,n=x", "x+"), ("a/one", "c=b,n=x", "x-"), ("a/one", "c=b,n=y", "x+")],
            "a/one#n=x,c=b fail",
        ),
        // Without the last entry the case would be skipped.
        ("** skip; a/one fail", vec![("a/one", "c=a", "x+")], "** skip; a/one fail"),
    ] {
        let lines: Vec<CaseLine> = report.iter().map(|(case, axes, ended)| line(case, axes, ended)).collect();
        let text = file(before);
        let update = updated(&text, &["a/one", "a/two"], &lines);
        assert_eq!(entries(&update.text), after, "`{before}` after {report:?}");
        assert_eq!(before == after, text == update.text, "`{before}` after {report:?}");
    }
}

#[test]
fn comments_order_and_reasons_stay_and_new_reasons_are_marked() {
    let before = "# Mine.\n\n# gone\n[[expect]]\ntarget = 't'\ncase = 'a/one'\nstatus = 'fail'\nreason = 'old'\n\n# stays\n\
                  [[expect]]\ntarget = 't'\ncase = 'a/two' # partly\nstatus = 'fail'\nreason = 'upstream'\nissue = '#1'\n";
    let lines = [
        line("a/one", "c=a", "x+ y-"),
        line("a/two", "c=a", "x-"),
        line("a/two", "c=b", "x+"),
        line("a/two", "", "crash"),
    ];
    let update = updated(before, &[], &lines);
    let after = "# Mine.\n\n# stays\n\
                 [[expect]]\ntarget = 't'\ncase = \"a/two#c=a\" # partly\nstatus = 'fail'\nreason = 'upstream'\nissue = '#1'\n\n\
                 [[expect]]\ntarget = \"t\"\ncase   = \"a/one\"\ncheck  = \"y\"\nstatus = \"fail\"\n\
                 reason = \"y is as expected. (unreviewed)\"\n";
    let before_one = before.replace("'a/one'\n", "'a/one'\ncheck = 'x'\n");
    assert_eq!(updated(&before_one, &[], &lines[..3]).text, after);
    assert_eq!((update.added.len(), update.removed.len(), update.narrowed.len(), update.kept), (0, 0, 1, 1));
}

#[test]
fn surfaces_are_told_apart() {
    let on = |surface: &str, ended: &str| {
        let mut line = line("a/one", "c=a", ended);
        line.surface = Some(surface.to_owned());
        line
    };
    let lines = [on("raw", "x+"), on("helper", "x-")];
    let added = updated("", &[], &lines).added;
    let [entry] = added.as_slice() else { panic!("{added:?}") };
    assert_eq!((entry.target.as_str(), entry.case.as_str()), ("t/helper", "a/one"));
    // An entry for both, which holds for one: by hand.
    let update = updated(&file("a/one x:fail"), &[], &lines);
    assert_eq!((update.by_hand.len(), update.kept, update.added.len()), (1, 1, 0));
    let update = updated(&file("a/one x:fail"), &[], &[on("raw", "x+"), on("helper", "x+")]);
    assert_eq!((update.text.as_str(), update.removed.len()), ("", 1));
}

#[test]
fn what_an_update_cannot_settle_is_told() {
    let mut should = line("a/one", "c=b", "no-request");
    should.level = Level::Should;
    let mut info = line("a/two", "c=a", "x-");
    info.level = Level::Info;
    let lines = [line("a/one", "c=a", "x+"), should, info];
    let update = updated(&file("a/* x:fail"), &["a/one", "a/two"], &lines);
    assert!(update.added.is_empty() && update.removed.is_empty(), "{update:?}");
    assert_eq!(update.by_hand.iter().map(|entry| entry.line).collect::<Vec<_>>(), [1]);
    assert_eq!((update.beyond_entries, update.kept), (1, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_update_makes_a_run_green_and_a_second_one_changes_nothing(
        before in prop::collection::vec((
            prop::sample::select(vec!["a/one", "a/two", "a/one#c=a", "a/one#n=x", "a/*", "**#c=b", "b/three"]),
            prop::sample::select(vec!["fail", "crash", "timeout", "flaky", "skip", "x:fail", "x:flaky", "y:fail"]),
        ), 0..5),
        report in prop::collection::vec((
            prop::sample::select(vec!["a/one", "a/two"]),
            prop::sample::select(vec!["c=a,n=x", "c=a,n=y", "c=b,n=x", "c=b,n=y", "c=d"]),
            prop::sample::select(vec![
                "x+ y+", "x-", "x- y-", "x+ y-", "x? y-", "crash", "timeout", "unsupported", "not-run", "blocked", "fail",
                "pass", "lenient",
            ]),
        ), 0..10),
    ) {
        let before: Vec<String> = before.iter().map(|(case, rest)| format!("{case} {rest}")).collect();
        let lines: Vec<CaseLine> = report.iter().map(|(case, axes, ended)| line(case, axes, ended)).collect();
        let text = file(&before.join("; "));
        let first = updated(&text, &["a/one", "a/two"], &lines);
        let second = updated(&first.text, &["a/one", "a/two"], &lines);
        prop_assert_eq!(&first.text, &second.text);
        prop_assert!(second.added.is_empty() && second.removed.is_empty() && second.narrowed.is_empty());

        let (old, new) = (
            Expectations::parse(&text, "e.toml", CHECKS).unwrap(),
            Expectations::parse(&first.text, "e.toml", CHECKS).unwrap(),
        );
        for (index, line) in lines.iter().enumerate() {
            if lines[index + 1..].iter().any(|later| (&later.case, &later.permutation) == (&line.case, &line.permutation)) {
                continue;
            }
            let id = CaseId::new(&line.case).unwrap();
            let judge = |e: &Expectations| e.verdict("t", &id, &line.permutation, line.outcome, &line.checks).verdict;
            let (was, is) = (judge(&old), judge(&new));
            let by_hand = is == Verdict::UnexpectedPass && !first.by_hand.is_empty();
            prop_assert!(!is_red(is, Level::Must, true) || by_hand, "{} {} {is:?}", line.case, line.permutation);
            prop_assert!(is != Verdict::Skip || was == Verdict::Skip, "an update skips nothing");
        }
        for entry in old.entries() {
            let spoken_of = lines.iter().any(|l| entry.matches("t", &CaseId::new(&l.case).unwrap(), &l.permutation));
            prop_assert!(spoken_of || new.entries().iter().any(|other| other.case == entry.case), "{entry:?} is gone");
        }
    }
}
