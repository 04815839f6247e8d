//! One hostile text through every renderer: nothing that a sink would act on comes out.

use toolwire::check::{CheckOutcome, CheckResult};
use toolwire::json::{Doc, JsonText};
use toolwire::report::escape::is_hidden;
use toolwire::report::{
    CaseLine, Evidence, Footer, FrameExcerpt, Header, Line, Report, Sentences, TargetLine, diff, github, html, json,
    junit, markdown, merge, read, terminal,
};
use toolwire::verdict::{Outcome, Verdict};

use crate::sample::passed;

const HOSTILE: &str = concat!(
    "::error title=x::injected\n",
    "::error::lf\r\n::error::crlf\r::error::cr\n  ::error::spaced\n",
    "##[error]azure ##vso[task.setvariable variable=a]b\n",
    "\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://evil.example\u{7}link\u{1b}]8;;\u{7} \u{9b}31m \u{7} \u{8} \u{7f} \u{0} ",
    "\u{202e}gnirts\u{202c} \u{2066}\u{2069} \u{200b}\u{feff}\u{ad} \u{2028}\u{2029} \u{fffe}\u{ffff} \u{e0041} ",
    "| a | b | `code` ```fence``` <script>alert(1)</script> <!-- --> <img src=x onerror=a> &amp; \"'> ]]> <![CDATA[ ",
    "{{ 7*7 }} {% raw %} @octocat #1 [link](javascript:alert(1)) ![img](http://evil.example/a.png) https://evil.example ",
    "www.evil.example %0A%25 $(id) ; rm -rf ~ ' \\ \\| *bold* _it_ ~~x~~\n",
    "```\n````\n</details></pre></code>\n# heading\n- item\n| --- |",
);

fn text() -> String {
    HOSTILE.to_owned()
}

/// Every text of a report hostile.
fn report() -> Report {
    let value = || {
        Some(
            JsonText::new(serde_json::to_string(&serde_json::json!({ HOSTILE: [HOSTILE, HOSTILE] })).unwrap()).unwrap(),
        )
    };
    let other = || {
        Some(JsonText::new(serde_json::to_string(&serde_json::json!({ HOSTILE: [HOSTILE, "x"] })).unwrap()).unwrap())
    };
    let check = |outcome| CheckResult {
        check: text(),
        outcome,
        turn: 1,
        expected: value(),
        actual: other(),
        pointer: Some(text()),
    };
    let case = |verdict, outcome, red, level, number: usize| CaseLine {
        target: text(),
        surface: Some(text()),
        case: text(),
        title: text(),
        permutation: format!("{number}{HOSTILE}"),
        verdict,
        outcome,
        red,
        level,
        checks: vec![check(CheckOutcome::Fail), check(CheckOutcome::Blocked)],
        message: Some(text()),
        reason: Some(text()),
        evidence: Some(Evidence {
            response: text(),
            cuts: vec![1],
            frames: vec![FrameExcerpt { number: 0, start: 0, end: 1, event: text(), data: text() }],
            request: Some(text()),
            stderr: Some(text()),
        }),
        ..passed("a/b", "")
    };
    let mut lines = vec![Line::Header(Header {
        toolwire: text(),
        corpus: text(),
        targets: vec![TargetLine { name: text(), version: Some(text()), language: Some(text()) }],
        selection: vec![(text(), text())],
        seed: 1,
    })];
    let mut number = 0;
    for verdict in Verdict::ALL {
        for (red, level) in [(true, toolwire::corpus::Level::Must), (false, toolwire::corpus::Level::Should)] {
            for _ in 0..2 {
                number += 1;
                lines.push(Line::Case(Box::new(case(*verdict, Outcome::Fail, red, level, number))));
            }
        }
    }
    let counts = vec![(Verdict::Pass, 1)];
    lines.push(Line::Footer(Footer { counts, stale: vec![(text(), 1)], unreviewed: 1, exit: 1, complete: false }));
    Report::from_lines(lines)
}

fn no_sentence(_: &str) -> Option<&'static str> {
    None
}

const NONE: Sentences = no_sentence;

fn assert_shown_only(name: &str, out: &str) {
    let found = out.chars().find(|c| is_hidden(*c) && *c != '\n');
    assert_eq!(found, None, "{name} lets a character through that is not shown");
    assert!(out.contains("u{202e}") || out.contains("u202e"), "{name} hides that there was one");
}

fn assert_no_command(name: &str, out: &str) {
    for line in out.lines() {
        assert!(!line.trim_start().starts_with("::"), "{name}: {line}");
        assert!(!line.contains("##"), "{name}: {line}");
    }
}

/// The SGR escapes of our own colours taken out.
fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        let (codes, tail) = after.split_once('m').unwrap();
        assert!(codes.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{codes:?}");
        rest = tail;
    }
    out + rest
}

#[test]
fn terminals_get_no_control_and_no_command() {
    for (color, verbose) in [(false, false), (false, true), (true, true)] {
        let out = terminal::render(&report(), &terminal::Options { color, width: 100, verbose }, NONE);
        let out = without_colours(&out);
        assert_shown_only("terminal", &out);
        assert_no_command("terminal", &out);
    }
    let empty = Report::from_lines(vec![report().into_lines().remove(0)]);
    let changes = diff::diff(&empty, &report());
    assert_shown_only("diff text", &diff::render_text(&changes));
    assert_no_command("diff text", &diff::render_text(&changes));
}

#[test]
fn the_command_to_run_again_is_one_command() {
    let report = report();
    for failure in report.failures() {
        let rerun = failure.rerun();
        // What is left when single-quoted words are taken out holds nothing for a shell.
        let outside: String = rerun.replace("'\\''", "").split('\'').step_by(2).collect();
        assert_eq!(outside, "toolwire run --target  --case ");
        assert_eq!(rerun.lines().count(), 1);
    }
}

#[test]
fn github_gets_only_our_commands() {
    let out = github::render(&report(), NONE);
    assert_shown_only("github", &out);
    for line in out.lines() {
        let rest = line.strip_prefix("::error title=").or_else(|| line.strip_prefix("::warning title=")).unwrap();
        let (title, message) = rest.split_once("::").unwrap();
        assert!(!title.contains([':', ',']), "{title}");
        let percents = |text: &str| {
            text.match_indices('%')
                .all(|(at, _)| ["%25", "%0A", "%0D", "%3A", "%2C"].contains(&text.get(at..at + 3).unwrap_or("")))
        };
        assert!(percents(title) && percents(message));
    }
    let of = |kind: &str| out.lines().filter(|line| line.starts_with(kind)).count();
    assert!(of("::error") <= 10 && of("::warning") <= 10);
}

#[test]
fn xml_is_well_formed_and_holds_no_markup_of_others() {
    let out = junit::render(&report(), NONE);
    assert_shown_only("junit", &out);
    assert!(!out.contains("<script") && !out.contains("<img") && !out.contains("]]>") && !out.contains("<![CDATA["));
    let parsed = quick_junit::Report::deserialize_from_str(&out).unwrap();
    assert_eq!(parsed.tests, report().cases().len() + 3, "and two notices and a stale entry");
}

#[test]
fn html_is_only_our_markup() {
    let out = html::render(&report(), NONE);
    assert_shown_only("html", &out);
    for part in ["<script", "<img", "</script", "<!--", "javascript:alert(1)\"", "href"] {
        assert!(!out.contains(part), "{part}");
    }
    assert!(out.contains("{{ 7*7 }} {% raw %}"));
    assert!(out.contains("default-src &#x27;none&#x27;") || out.contains("default-src 'none'"));
    let details = |tag: &str| out.matches(tag).count();
    assert_eq!(details("<details>"), details("</details>"));
    assert_eq!(details("<pre>"), details("</pre>"));
}

#[test]
fn markdown_is_only_our_markup() {
    let out = markdown::render(&report(), NONE);
    assert_shown_only("markdown", &out);
    let mut fence: Option<&str> = None;
    for line in out.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == open => fence = None,
            Some(open) => assert!(ticks.len() < open.len(), "{line}"),
            None if ticks.len() >= 3 && !line[ticks.len()..].contains('`') => fence = Some(ticks),
            None => {
                let spans = strip_spans(line);
                for part in ["<script", "<img", "<!--", "](", "://", "@octocat", "www.", "```"] {
                    assert!(!spans.contains(part), "{part} in {line}");
                }
                if line.starts_with("| ") {
                    assert_eq!(line.matches('|').count(), 8, "{line}");
                }
            }
        }
    }
    assert_eq!(fence, None);
    assert_eq!(out.matches("<details>").count(), out.lines().filter(|line| *line == "</details>").count());
}

/// The line without its code spans and without what a backslash takes its meaning from.
fn strip_spans(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['`', '\\']) {
        out.push_str(&rest[..at]);
        if let Some(escaped) = rest[at..].strip_prefix('\\') {
            rest = escaped.strip_prefix(|c: char| c.is_ascii_punctuation()).unwrap_or(escaped);
            continue;
        }
        let tail = &rest[at..];
        let ticks = tail.len() - tail.trim_start_matches('`').len();
        let inner = &tail[ticks..];
        let close = (0..inner.len()).find(|i| {
            inner.is_char_boundary(*i)
                && !inner[..*i].ends_with('`')
                && inner[*i..].len() - inner[*i..].trim_start_matches('`').len() == ticks
        });
        rest = &inner[close.expect("a span is closed") + ticks..];
    }
    out + rest
}

#[test]
fn json_is_json() {
    let empty = Report::from_lines(vec![report().into_lines().remove(0)]);
    let changes = diff::render_json(&diff::diff(&empty, &report()));
    let lines: Vec<String> = report().into_lines().iter().map(Line::to_json).collect();
    for out in lines.iter().chain([&json::render(&report()), &changes]) {
        Doc::parse(out.as_str()).unwrap();
        let acted_on = out
            .chars()
            .find(|c| c.is_control() && *c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert_eq!(acted_on, None);
    }
    let again: Vec<String> = read(&lines.join("\n")).unwrap().iter().map(Line::to_json).collect();
    assert_eq!(again, lines);
}

#[test]
fn errors_are_one_line_each() {
    let other = Report::from_lines(vec![Line::Header(Header {
        toolwire: text(),
        corpus: "x".to_owned(),
        ..Header::default()
    })]);
    let error = merge(vec![report(), other]).unwrap_err().to_string();
    assert_shown_only("merge error", &error);
    assert_eq!(error.lines().count(), 1);
    let bad =
        Line::Case(Box::new(passed("a/b", ""))).to_json().replace("\"must\"", &serde_json::to_string(HOSTILE).unwrap());
    let error = read(&bad).unwrap_err().to_string();
    assert_shown_only("read error", &error);
    assert_eq!(error.lines().count(), 1);
}
