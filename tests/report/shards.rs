//! Shards merged, and reports compared.

use toolwire::report::diff::{ChangeKind, diff, render_json, render_text};
use toolwire::report::{CaseLine, Footer, Header, Line, Report, junit, merge};
use toolwire::verdict::{Outcome, Verdict};

use crate::sample::{cases, ended, footer, green, header, passed, red, report, sentence};

/// The lines with another header and footer.
fn shard(cases: Vec<CaseLine>, shard: &str, exit: u8) -> Report {
    let mut lines = report(cases, footer(exit)).into_lines();
    let mut header = header();
    header.selection.push(("shard".to_owned(), shard.to_owned()));
    lines[0] = Line::Header(header);
    Report::from_lines(lines)
}

fn halves() -> (Report, Report) {
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for (at, case) in cases().into_iter().enumerate() {
        if at % 2 == 0 { even.push(case) } else { odd.push(case) }
    }
    (shard(even, "slice:1/2", 1), shard(odd, "slice:2/2", 0))
}

#[test]
fn shards_make_one_report_whatever_their_order() {
    let (a, b) = halves();
    let merged = merge(vec![a.clone(), b.clone()]).unwrap();
    assert_eq!(merged.cases().len(), cases().len());
    assert_eq!(merged.tally().footer_counts(), red().tally().footer_counts());
    assert_eq!(merged.footer().unwrap().counts, merged.tally().footer_counts());
    assert_eq!((merged.footer().unwrap().exit, merged.footer().unwrap().complete), (1, true));
    assert_eq!(merged.header().unwrap(), &header());
    assert_eq!(merged.notices(), Vec::<String>::new());
    let tests = |report: &Report| junit::render(report, sentence).matches("<testcase ").count();
    assert_eq!(tests(&merged), cases().len());
    // A shard given twice, and the other order.
    let again = merge(vec![b.clone(), a.clone(), b]).unwrap();
    assert_eq!(tests(&again), cases().len());
    let ids = |report: &Report| report.cases().iter().map(|line| line.case.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&again), ids(&merged));
}

#[test]
fn a_missing_or_cut_shard_makes_it_incomplete() {
    let (a, b) = halves();
    let alone = merge(vec![a.clone()]).unwrap();
    assert!(!alone.footer().unwrap().complete);
    assert!(alone.header().unwrap().selection.contains(&("shard".to_owned(), "slice:1/2".to_owned())));
    let mut lines = b.into_lines();
    lines.pop();
    let cut = merge(vec![a, Report::from_lines(lines)]).unwrap();
    assert_eq!((cut.footer().unwrap().exit, cut.footer().unwrap().complete), (1, false));
    assert!(!cut.is_green());
}

#[test]
fn exit_codes_of_shards_count_in_their_order() {
    let with = |exits: &[u8]| {
        let reports = exits.iter().enumerate().map(|(at, exit)| {
            let shown = if *exit == 4 { Vec::new() } else { vec![passed("a/b", &at.to_string())] };
            report(shown, footer(*exit))
        });
        merge(reports.collect()).unwrap().footer().unwrap().exit
    };
    for (exits, exit) in
        [(&[0, 0][..], 0), (&[0, 1], 1), (&[0, 4], 0), (&[4, 4], 4), (&[1, 3], 3), (&[3, 2], 2), (&[2, 5, 1], 5)]
    {
        assert_eq!(with(exits), exit, "{exits:?}");
    }
}

#[test]
fn reports_of_different_runs_are_refused() {
    let other = |header: Header| Report::from_lines(vec![Line::Header(header)]);
    let error = |reports| merge(reports).unwrap_err().to_string();
    assert_eq!(error(Vec::new()), "no report has a header line");
    assert_eq!(
        error(vec![red(), other(Header { corpus: "2027.01".to_owned(), ..header() })]),
        "the reports are of different runs: corpus 2026.12 and corpus 2027.01"
    );
    let changed = report(vec![ended("openai-chat/text", Outcome::Crash, Verdict::Crash)], footer(1));
    assert_eq!(
        error(vec![red(), changed]),
        "openai-chat/text#chunking=whole on openai-python is `pass` in one report and `crash` in another"
    );
}

#[test]
fn changes_are_named_and_worse_is_said() {
    let old = report(
        vec![
            passed("a/turns-red", "x=1"),
            ended("a/turns-green", Outcome::Fail, Verdict::Fail),
            ended("a/changes", Outcome::Fail, Verdict::Flaky),
            passed("a/goes", ""),
            passed("a/stays", ""),
        ],
        footer(1),
    );
    let new = report(
        vec![
            CaseLine { permutation: "x=1".to_owned(), ..ended("a/turns-red", Outcome::Crash, Verdict::Crash) },
            CaseLine { permutation: "chunking=whole".to_owned(), ..passed("a/turns-green", "") },
            ended("a/changes", Outcome::Pass, Verdict::Flaky),
            passed("a/comes", ""),
            passed("a/stays", ""),
        ],
        footer(1),
    );
    let found = diff(&old, &new);
    for kind in ChangeKind::ALL {
        assert_eq!(found.of(*kind).count(), 1, "{kind:?}");
    }
    assert!(found.is_worse());
    insta::assert_snapshot!(render_text(&found));
    insta::assert_snapshot!(render_json(&found));
    assert!(!diff(&new, &new).is_worse());
    assert_eq!(render_text(&diff(&new, &new)), "not worse: nothing changed\n");
}

#[test]
fn cut_runs_red_additions_and_stale_entries_are_worse() {
    let mut cut = green().into_lines();
    cut.pop();
    assert!(diff(&green(), &Report::from_lines(cut)).is_worse());
    let mut cases = green().cases().to_vec();
    assert!(!diff(&report(cases[1..].to_vec(), footer(0)), &green()).is_worse());
    cases.push(ended("a/new", Outcome::Fail, Verdict::Fail));
    assert!(diff(&green(), &report(cases, footer(1))).is_worse());
    let stale = Footer { stale: vec![("x".to_owned(), 1)], ..footer(1) };
    assert!(diff(&green(), &report(green().cases().to_vec(), stale)).is_worse());
}
