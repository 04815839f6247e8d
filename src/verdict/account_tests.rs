//! How entries combine, one row a combination.

use super::{Ending, Expectations, Outcome, Unexcused};
use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::CaseId;
use crate::verdict::Verdict;

const CHECKS: &[&str] = &["x", "y", "z"];

/// `fail`, `x:flaky` or `@glob fail`, separated by `;`.
fn expectations(entries: &str) -> Expectations {
    let mut text = String::new();
    for (index, entry) in entries.split(';').map(str::trim).filter(|entry| !entry.is_empty()).enumerate() {
        let (case, rest) = entry.strip_prefix('@').and_then(|rest| rest.split_once(' ')).unwrap_or(("**", entry));
        let (check, status) = rest.split_once(':').map_or((None, rest), |(check, status)| (Some(check), status));
        let check = check.map_or_else(String::new, |check| format!("check = '{check}'\n"));
        text.extend([format!(
            "[[expect]]\ntarget = '*'\ncase = '{case}'\n{check}status = '{status}'\nreason = 'reason {index}'\n"
        )]);
    }
    Expectations::parse(&text, "e.toml", CHECKS).unwrap()
}

/// `x+` passed, `x-` failed, `x?` blocked, `x!` unsupported.
fn results(checks: &str) -> Vec<CheckResult> {
    let one = |(turn, word): (usize, &str)| {
        let (check, mark) = word.split_at(word.len() - 1);
        let outcome = match mark {
            "+" => CheckOutcome::Pass,
            "-" => CheckOutcome::Fail,
            "?" => CheckOutcome::Blocked,
            "!" => CheckOutcome::Unsupported,
            other => panic!("{other}"),
        };
        CheckResult { check: check.to_owned(), outcome, turn, expected: None, actual: None, pointer: None }
    };
    checks.split_whitespace().enumerate().map(one).collect()
}

#[test]
fn entries_combine() {
    use Outcome::{Blocked, Crash, Fail, HarnessError, Lenient, NotRun, Pass, Timeout, Unsupported};
    use Verdict as V;
    let id = CaseId::new("a/b").unwrap();
    for (entries, outcome, checks, verdict, entry) in [
        // Nothing said.
        ("", Pass, "x+", V::Pass, None),
        ("", Fail, "x-", V::Fail, None),
        ("@a/c fail", Fail, "x-", V::Fail, None),
        ("@**#p=2 fail", Fail, "x-", V::Fail, None),
        // The case as a whole.
        ("fail", Fail, "x- y-", V::ExpectedFail, Some(0)),
        ("@**#p=1 fail", Fail, "x-", V::ExpectedFail, Some(0)),
        ("fail", Pass, "x+ y+", V::UnexpectedPass, Some(0)),
        ("fail", Lenient, "x+", V::UnexpectedPass, Some(0)),
        ("fail", Crash, "", V::Crash, None),
        ("fail", Fail, "", V::ExpectedFail, Some(0)),
        ("flaky", Fail, "", V::Flaky, Some(0)),
        ("crash", Fail, "", V::Fail, None),
        ("crash", Crash, "", V::ExpectedCrash, Some(0)),
        ("crash", Timeout, "", V::Timeout, None),
        ("crash", Fail, "x-", V::Fail, None),
        ("crash", Pass, "x+", V::UnexpectedPass, Some(0)),
        ("flaky", Fail, "x-", V::Flaky, Some(0)),
        ("flaky", Pass, "x+", V::Flaky, Some(0)),
        ("flaky", Crash, "", V::Crash, None),
        ("skip", NotRun, "", V::Skip, Some(0)),
        ("skip", Fail, "x-", V::Skip, Some(0)),
        ("skip", Unsupported, "", V::Unsupported, None),
        ("fail", Blocked, "x?", V::Blocked, None),
        ("fail", HarnessError, "", V::HarnessError, None),
        // The last one about the whole case wins.
        ("fail; crash", Fail, "x-", V::Fail, None),
        ("crash; fail", Fail, "x-", V::ExpectedFail, Some(1)),
        ("crash; fail", Crash, "", V::Crash, None),
        ("fail; flaky", Pass, "x+", V::Flaky, Some(1)),
        ("skip; fail", Fail, "x-", V::ExpectedFail, Some(1)),
        ("fail; skip", Fail, "x-", V::Skip, Some(1)),
        ("fail; @a/c flaky", Pass, "x+", V::UnexpectedPass, Some(0)),
        // One check.
        ("x:fail", Fail, "x- y+", V::ExpectedFail, Some(0)),
        ("x:fail", Fail, "x- y-", V::Fail, None),
        ("x:fail", Fail, "x- y? z!", V::ExpectedFail, Some(0)),
        ("x:fail; y:fail", Fail, "x- y-", V::ExpectedFail, Some(0)),
        ("x:fail", Pass, "x+ y+", V::UnexpectedPass, Some(0)),
        ("x:fail", Fail, "x+ y-", V::Fail, None),
        ("x:fail; y:fail", Fail, "x+ y-", V::UnexpectedPass, Some(0)),
        ("y:flaky; x:fail", Fail, "x+ y-", V::UnexpectedPass, Some(1)),
        // It says nothing where its check says nothing.
        ("x:fail", Pass, "y+", V::Pass, None),
        ("x:fail", Pass, "x! y+", V::Pass, None),
        ("x:fail; y:fail", Fail, "x? y-", V::ExpectedFail, Some(1)),
        ("x:fail", Blocked, "x?", V::Blocked, None),
        ("x:fail", Crash, "", V::Crash, None),
        ("x:flaky", Pass, "y+", V::Pass, None),
        // Several turns: failed on one is failed, blocked on one is not passed.
        ("x:fail", Fail, "x+ x-", V::ExpectedFail, Some(0)),
        ("x:fail; y:fail", Fail, "x+ y- x?", V::ExpectedFail, Some(1)),
        ("x:fail", Pass, "x+ x!", V::UnexpectedPass, Some(0)),
        // Flaky checks.
        ("x:flaky", Pass, "x+ y+", V::Flaky, Some(0)),
        ("x:flaky", Fail, "x- y+", V::Flaky, Some(0)),
        ("x:flaky", Fail, "x- y-", V::Fail, None),
        ("x:flaky; y:fail", Fail, "x- y-", V::ExpectedFail, Some(1)),
        ("x:flaky; y:fail", Fail, "x+ y-", V::ExpectedFail, Some(1)),
        ("x:flaky; y:fail", Pass, "x+ y+", V::UnexpectedPass, Some(1)),
        // A check, then the whole case: the whole decides the check as well.
        ("x:fail; fail", Fail, "x+ y-", V::ExpectedFail, Some(1)),
        ("x:fail; flaky", Pass, "x+ y+", V::Flaky, Some(1)),
        ("x:fail; crash", Fail, "x-", V::Fail, None),
        ("x:flaky; fail", Pass, "x+", V::UnexpectedPass, Some(1)),
        // The whole case, then a check: the check is decided apart.
        ("fail; x:fail", Fail, "x- y+", V::ExpectedFail, Some(1)),
        ("fail; x:fail", Fail, "x+ y-", V::UnexpectedPass, Some(1)),
        ("fail; x:fail", Pass, "x+ y+", V::UnexpectedPass, Some(1)),
        ("flaky; x:fail", Pass, "x+ y+", V::UnexpectedPass, Some(1)),
        ("flaky; x:fail", Fail, "x- y-", V::ExpectedFail, Some(1)),
        ("flaky; x:fail", Fail, "x+ y-", V::UnexpectedPass, Some(1)),
        ("fail; x:flaky", Fail, "x- y+", V::Flaky, Some(1)),
        ("fail; x:flaky", Fail, "x+ y-", V::ExpectedFail, Some(0)),
        ("fail; x:flaky", Pass, "x+ y+", V::Flaky, Some(1)),
        ("fail; x:flaky", Pass, "y+", V::UnexpectedPass, Some(0)),
        ("crash; x:fail", Fail, "x-", V::ExpectedFail, Some(1)),
        ("crash; x:fail", Fail, "x- y-", V::Fail, None),
        ("crash; x:fail", Crash, "", V::ExpectedCrash, Some(0)),
        ("crash; x:flaky", Pass, "x+", V::UnexpectedPass, Some(0)),
        ("skip; x:fail", Fail, "x+", V::Skip, Some(0)),
        // The last one about a check wins.
        ("x:fail; x:flaky", Pass, "x+", V::Flaky, Some(1)),
        ("x:flaky; x:fail", Pass, "x+", V::UnexpectedPass, Some(1)),
        ("x:fail; @a/c x:flaky", Pass, "x+", V::UnexpectedPass, Some(0)),
    ] {
        let expectations = expectations(entries);
        let judged = expectations.verdict("t", &id, "p=1", outcome, &results(checks));
        let row = format!("`{entries}` on {} with `{checks}`", outcome.name());
        assert_eq!((judged.verdict, judged.entry), (verdict, entry), "{row}");
        assert_eq!(judged.reason, entry.map(|index| format!("reason {index}")), "{row}");
    }
}

/// Without checks, `verdict` is the truth table; with any, its account explains it.
#[test]
fn the_verdict_and_its_account_agree() {
    let id = CaseId::new("a/b").unwrap();
    let entries = ["", "fail", "crash", "timeout", "flaky", "skip", "x:fail", "x:flaky", "y:fail", "y:flaky"];
    for (first, second) in entries.iter().flat_map(|first| entries.iter().map(move |second| (first, second))) {
        let text = format!("{first};{second}");
        let expectations = expectations(&text);
        for outcome in Outcome::ALL {
            let sets: &[&str] = match outcome {
                Outcome::Pass | Outcome::Lenient => &["x+", "x+ y+", "x! y+"],
                Outcome::Fail => &["x-", "x- y-", "x+ y-", "x? y-"],
                _ => &[""],
            };
            for checks in sets {
                let checks = results(checks);
                let ending = Ending { target: "t", id: &id, permutation: "p=1", outcome: *outcome, checks: &checks };
                let judged = expectations.verdict("t", &id, "p=1", *outcome, &checks);
                let account = expectations.account(&ending);
                let row = format!("`{text}` {} {:?}: {judged:?} {account:?}", outcome.name(), ending.checks);
                match judged.verdict {
                    Verdict::UnexpectedPass => assert!(account.broken.contains(&judged.entry.unwrap()), "{row}"),
                    Verdict::Fail => assert!(!account.unexcused.is_empty(), "{row}"),
                    Verdict::Crash => assert_eq!(account.unexcused, [Unexcused::Crash], "{row}"),
                    Verdict::Timeout => assert_eq!(account.unexcused, [Unexcused::Timeout], "{row}"),
                    Verdict::ExpectedFail | Verdict::ExpectedCrash | Verdict::ExpectedTimeout | Verdict::Flaky => {
                        assert!(account.held.contains(&judged.entry.unwrap()), "{row}");
                        assert!(account.unexcused.is_empty(), "{row}");
                    }
                    _ => assert!(account.unexcused.is_empty() && account.broken.is_empty(), "{row}"),
                }
            }
        }
    }
}
