//! `docs/expectations.md` says what the code does.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test that reads a page")]

use toolwire::check::slugs;
use toolwire::corpus::Level;
use toolwire::verdict::{Expectations, Outcome, Status, Verdict, is_red, judge};

fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/expectations.md")).unwrap()
}

fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = row(head.iter().map(|cell| (*cell).to_owned()));
    text += &row(head.iter().map(|_| "---".to_owned()));
    text.extend(rows.into_iter().map(row));
    text
}

/// A verdict that the entry made is bold.
fn truth() -> String {
    let rows = Outcome::ALL.iter().map(|outcome| {
        let bare = judge(*outcome, None);
        let mut cells = vec![outcome.name().to_owned(), bare.name().to_owned()];
        cells.extend(Status::ALL.iter().map(|status| match judge(*outcome, Some(*status)) {
            verdict if verdict == bare => verdict.name().to_owned(),
            verdict => format!("**{}**", verdict.name()),
        }));
        cells
    });
    let head: Vec<&str> = ["outcome", "no entry"].into_iter().chain(Status::ALL.iter().map(|s| s.name())).collect();
    table(&head, rows)
}

/// Verdicts that can be red; all others never are.
fn red() -> String {
    let told = |verdict: Verdict, level: Level| match (is_red(verdict, level, false), is_red(verdict, level, true)) {
        (true, true) => "red",
        (false, true) => "red under `--strict`",
        (false, false) => "shown",
        (true, false) => panic!("--strict makes {verdict:?} green"),
    };
    let can_be = |verdict: &&Verdict| Level::ALL.iter().any(|level| is_red(**verdict, *level, true));
    let rows = Verdict::ALL.iter().filter(can_be).map(|verdict| {
        let mut cells = vec![verdict.name().to_owned()];
        cells.extend(Level::ALL.iter().map(|level| told(*verdict, *level).to_owned()));
        cells
    });
    let head: Vec<&str> = ["verdict"].into_iter().chain(Level::ALL.iter().map(|level| level.name())).collect();
    table(&head, rows)
}

#[test]
fn the_tables_are_those_of_the_code() {
    let page = page();
    for expected in [truth(), red()] {
        assert!(page.contains(&expected), "docs/expectations.md should hold this table:\n\n{expected}");
    }
}

#[test]
fn the_examples_are_expectations() {
    let page = page();
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or("")).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let expectations = Expectations::parse(example, "docs/expectations.md", &slugs()).unwrap();
        assert!(!expectations.entries().is_empty(), "{example}");
    }
}
