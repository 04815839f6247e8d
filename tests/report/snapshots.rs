//! What people see, as snapshots.

use insta::assert_snapshot;
use toolwire::report::{Line, Report, github, html, json, junit, markdown, terminal};

use crate::sample::{green, red, sentence};

const PLAIN: terminal::Options = terminal::Options { color: false, width: 100, verbose: false };

#[test]
fn terminal_red() {
    assert_snapshot!(terminal::render(&red(), &PLAIN, sentence));
}

#[test]
fn terminal_verbose() {
    let text = terminal::render(&red(), &terminal::Options { verbose: true, ..PLAIN }, sentence);
    assert_snapshot!(text);
}

#[test]
fn terminal_green() {
    let text = terminal::render(&green(), &PLAIN, sentence);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_snapshot!(text);
}

#[test]
fn terminal_says_that_a_run_was_cut() {
    let mut lines = green().into_lines();
    assert!(matches!(lines.pop(), Some(Line::Footer(_))));
    assert_snapshot!(terminal::render(&Report::from_lines(lines), &PLAIN, sentence));
}

#[test]
fn colours_are_only_those_of_the_terminal() {
    let plain = terminal::render(&red(), &PLAIN, sentence);
    let coloured = terminal::render(&red(), &terminal::Options { color: true, ..PLAIN }, sentence);
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}[31m"));
}

#[test]
fn markdown_red() {
    assert_snapshot!(markdown::render(&red(), sentence));
}

#[test]
fn junit_red() {
    assert_snapshot!(junit::render(&red(), sentence));
}

#[test]
fn github_red() {
    assert_snapshot!(github::render(&red(), sentence));
    assert_eq!(github::render(&green(), sentence), "");
}

#[test]
fn json_red() {
    assert_snapshot!(json::render(&red()));
}

#[test]
fn html_holds_everything_and_no_script() {
    let page = html::render(&red(), sentence);
    for part in ["<!doctype html>", "not conformant", "12345678901234567000", "killed by signal 11", "boom", "stale"] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "javascript:", "http://", "https://", " on", "src="] {
        let found = page
            .match_indices(part)
            .find(|(at, _)| page[..*at].matches('<').count() > page[..*at].matches('>').count());
        assert_eq!(found, None, "{part} inside a tag");
    }
    // Tags are balanced, by a count of those that this page uses.
    for tag in ["table", "details", "tr", "td", "pre", "code", "ul", "p"] {
        let (open, close) = (
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count(),
            page.matches(&format!("</{tag}>")).count(),
        );
        assert_eq!(open, close, "{tag}");
    }
}
