//! The truth table: an outcome and what the expectations say of it in, a verdict out; and what is red.
//!
//! No status excuses more than its own word. `docs/expectations.md` shows both tables; a test compares them.

use super::{Outcome, Status, Verdict};
use crate::corpus::Level;

/// The verdict on an outcome, given the status of the entry that decides, if any.
pub fn judge(outcome: Outcome, status: Option<Status>) -> Verdict {
    use Outcome as O;
    use Status as S;
    match (status, outcome) {
        // What was not tried cannot be excused, nor found to pass.
        (_, O::Unsupported) => Verdict::Unsupported,
        (
            Some(S::Skip),
            O::Pass
            | O::Lenient
            | O::Fail
            | O::Blocked
            | O::Crash
            | O::Timeout
            | O::ProtocolError
            | O::NoRequest
            | O::HarnessError
            | O::NotRun,
        ) => Verdict::Skip,

        (None, O::Pass) => Verdict::Pass,
        (None, O::Lenient) => Verdict::Lenient,
        (Some(S::Fail | S::Crash | S::Timeout), O::Pass | O::Lenient) => Verdict::UnexpectedPass,
        (Some(S::Flaky), O::Pass | O::Lenient | O::Fail) => Verdict::Flaky,

        (Some(S::Fail), O::Fail) => Verdict::ExpectedFail,
        (None | Some(S::Crash | S::Timeout), O::Fail) => Verdict::Fail,

        (Some(S::Crash), O::Crash) => Verdict::ExpectedCrash,
        (None | Some(S::Fail | S::Timeout | S::Flaky), O::Crash) => Verdict::Crash,

        (Some(S::Timeout), O::Timeout) => Verdict::ExpectedTimeout,
        (None | Some(S::Fail | S::Crash | S::Flaky), O::Timeout) => Verdict::Timeout,

        (None | Some(S::Fail | S::Crash | S::Timeout | S::Flaky), O::Blocked) => Verdict::Blocked,
        (None | Some(S::Fail | S::Crash | S::Timeout | S::Flaky), O::ProtocolError) => Verdict::ProtocolError,
        (None | Some(S::Fail | S::Crash | S::Timeout | S::Flaky), O::NoRequest) => Verdict::NoRequest,
        (None | Some(S::Fail | S::Crash | S::Timeout | S::Flaky), O::HarnessError) => Verdict::HarnessError,
        (None | Some(S::Fail | S::Crash | S::Timeout | S::Flaky), O::NotRun) => Verdict::NotRun,
    }
}

/// True if the verdict on a case of that level makes the run red.
pub fn is_red(verdict: Verdict, level: Level, strict: bool) -> bool {
    use Verdict as V;
    match verdict {
        V::Fail => match level {
            Level::Must => true,
            Level::Should => strict,
            Level::Info => false,
        },
        // The file is wrong, whatever the case weighs.
        V::UnexpectedPass => true,
        V::Crash | V::Timeout | V::ProtocolError | V::NoRequest | V::HarnessError => match level {
            Level::Must | Level::Should => true,
            Level::Info => false,
        },
        V::Pass
        | V::Lenient
        | V::ExpectedFail
        | V::ExpectedCrash
        | V::ExpectedTimeout
        | V::Flaky
        | V::Unsupported
        | V::Blocked
        | V::Skip
        | V::NotRun => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Outcome, Status, Verdict, is_red, judge};

    /// Rows: outcomes. Columns: no entry, fail, crash, timeout, flaky, skip.
    const TABLE: &str = "
        pass            pass            unexpected-pass unexpected-pass unexpected-pass  flaky          skip
        lenient         lenient         unexpected-pass unexpected-pass unexpected-pass  flaky          skip
        fail            fail            expected-fail   fail            fail             flaky          skip
        unsupported     unsupported     unsupported     unsupported     unsupported      unsupported    unsupported
        blocked         blocked         blocked         blocked         blocked          blocked        skip
        crash           crash           crash           expected-crash  crash            crash          skip
        timeout         timeout         timeout         timeout         expected-timeout timeout        skip
        protocol-error  protocol-error  protocol-error  protocol-error  protocol-error   protocol-error skip
        no-request      no-request      no-request      no-request      no-request       no-request     skip
        harness-error   harness-error   harness-error   harness-error   harness-error    harness-error  skip
        not-run         not-run         not-run         not-run         not-run          not-run        skip
    ";

    /// Rows: verdicts. Columns: must, should, info; then the same under --strict.
    const RED: &str = "
        pass             - - -   - - -
        lenient          - - -   - - -
        expected-fail    - - -   - - -
        expected-crash   - - -   - - -
        expected-timeout - - -   - - -
        flaky            - - -   - - -
        unexpected-pass  R R R   R R R
        fail             R - -   R R -
        crash            R R -   R R -
        timeout          R R -   R R -
        protocol-error   R R -   R R -
        no-request       R R -   R R -
        harness-error    R R -   R R -
        unsupported      - - -   - - -
        blocked          - - -   - - -
        skip             - - -   - - -
        not-run          - - -   - - -
    ";

    fn rows(table: &str) -> Vec<Vec<&str>> {
        table.trim().lines().map(|line| line.split_whitespace().collect()).collect()
    }

    #[test]
    fn every_cell_of_the_truth_table() {
        let rows = rows(TABLE);
        assert_eq!(rows.len(), Outcome::ALL.len());
        let statuses: Vec<Option<Status>> =
            std::iter::once(None).chain(Status::ALL.iter().copied().map(Some)).collect();
        for (row, outcome) in rows.iter().zip(Outcome::ALL) {
            assert_eq!(row[0], outcome.name());
            assert_eq!(row.len(), statuses.len() + 1, "{}", row[0]);
            for (cell, status) in row[1..].iter().zip(&statuses) {
                assert_eq!(judge(*outcome, *status).name(), *cell, "{} under {status:?}", row[0]);
            }
        }
    }

    #[test]
    fn every_cell_of_what_is_red() {
        let rows = rows(RED);
        assert_eq!(rows.len(), Verdict::ALL.len());
        for (row, verdict) in rows.iter().zip(Verdict::ALL) {
            assert_eq!(row[0], verdict.name());
            let columns =
                [false, true].into_iter().flat_map(|strict| Level::ALL.iter().map(move |level| (level, strict)));
            let cells: Vec<&str> =
                columns.map(|(level, strict)| if is_red(*verdict, *level, strict) { "R" } else { "-" }).collect();
            assert_eq!(row[1..], cells, "{}", row[0]);
        }
    }
}
