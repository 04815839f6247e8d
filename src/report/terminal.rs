//! A report for a person at a terminal.
//!
//! A green run is three lines: what was run, how each class of cases did, and the conclusion. A red
//! one shows every failure in between, once for all permutations in which it is the same.

use std::fmt::Write as _;

use owo_colors::{OwoColorize as _, Style};

use super::difference::{self, Limits, Mark};
use super::{CaseLine, Failure, Report, Sentences, TargetSummary, escape};
use crate::verdict::Verdict;

/// How the report is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Colours, as SGR escapes.
    pub color: bool,
    /// Columns of the terminal; longer lines are cut.
    pub width: usize,
    /// Everything: all failures, longer diffs, and what was skipped or expected, with its reason.
    pub verbose: bool,
}

/// Failures shown unless everything is asked for.
const MAX_FAILURES: usize = 25;

/// Lines of a diff, and unless everything is asked for.
const MAX_LINES: (usize, usize) = (400, 30);

/// Lines of a target's stderr.
const MAX_STDERR: usize = 8;

/// The report as text, with a line end at its end.
pub fn render(report: &Report, options: &Options, sentence: Sentences) -> String {
    let mut page = Page { out: String::new(), options: *options, sentence };
    page.heading(report);
    for target in report.targets() {
        page.target(target, report.targets().len() > 1);
    }
    for notice in report.notices() {
        page.line(Style::new().yellow().bold(), &format!("note: {notice}"));
    }
    let failures = report.failures();
    let most = if options.verbose { usize::MAX } else { MAX_FAILURES };
    for failure in failures.iter().take(most) {
        page.failure(failure);
    }
    if failures.len() > most {
        let rest = failures.len() - most;
        page.blank();
        page.line(Style::new().bold(), &format!("… and {rest} more failures; --verbose shows them"));
    }
    page.shown(&report.shown(), most);
    if options.verbose {
        page.quiet(report);
    }
    if !failures.is_empty() || report.tally().shown > 0 {
        page.blank();
    }
    for (pattern, line) in report.stale() {
        let text = format!("stale: `{pattern}` on line {line} of the expectations matches no case; remove it");
        page.line(Style::new().red(), &text);
    }
    let style = if report.is_green() { Style::new().green().bold() } else { Style::new().red().bold() };
    page.line(style, &report.conclusion());
    page.out
}

struct Page {
    out: String,
    options: Options,
    sentence: Sentences,
}

const DIM: Style = Style::new().dimmed();

impl Page {
    /// One line in one style; its text may be foreign.
    fn line(&mut self, style: Style, text: &str) {
        let text = escape::terminal(text);
        // Writing to a String cannot fail.
        let _ =
            if self.options.color { writeln!(self.out, "{}", text.style(style)) } else { writeln!(self.out, "{text}") };
    }

    fn blank(&mut self) {
        self.out.push('\n');
    }

    /// Characters of a line that is cut.
    fn room(&self) -> usize {
        self.options.width.saturating_sub(10).max(30)
    }

    /// A line that is cut at the right edge.
    fn clipped(&mut self, style: Style, text: &str) {
        let text = escape::visible(text);
        let clipped = escape::shorten(&text, self.room());
        self.line(style, &clipped);
    }

    fn heading(&mut self, report: &Report) {
        let mut parts = Vec::new();
        if let Some(header) = report.header() {
            parts.push(format!("toolwire {}", header.toolwire));
            parts.push(format!("corpus {}", header.corpus));
            for (name, value) in &header.selection {
                parts.push(format!("--{name} {value}"));
            }
            let names: Vec<String> = header
                .targets
                .iter()
                .map(|t| t.version.as_ref().map_or_else(|| t.name.clone(), |version| format!("{} {version}", t.name)))
                .collect();
            parts.push(names.join(", "));
        }
        let cases: usize = report.targets().iter().map(|target| target.cases).sum();
        let total = report.tally().total();
        let seconds = report.tally().micros / 1000;
        parts.push(format!("{total} permutations of {cases} cases in {}.{} s", seconds / 1000, seconds % 1000 / 100));
        self.line(DIM, &parts.join(" · "));
    }

    fn target(&mut self, target: &TargetSummary, named: bool) {
        let mut parts: Vec<String> = Vec::new();
        for (class, level, tally) in target.groups.iter().filter(|(.., tally)| tally.judged() > 0) {
            let mut part = format!("{} {} {}/{}", class.name(), level.name(), tally.passed(), tally.judged());
            if tally.red > 0 {
                let _ = write!(part, " ({} red)", tally.red);
            }
            parts.push(part);
        }
        if target.tally.not_judged() > 0 {
            parts.push(format!("{} not judged", target.tally.not_judged()));
        }
        let prefix = if named { format!("{}: ", target.label) } else { "passed: ".to_owned() };
        self.line(Style::new(), &format!("{prefix}{}", parts.join(" · ")));
    }

    fn failure(&mut self, failure: &Failure<'_>) {
        let line = failure.line;
        self.blank();
        self.title(failure, "", Style::new().red().bold());
        self.line(DIM, &format!("  {}", line.title));
        if let Some(also) = failure.elsewhere(self.room()) {
            self.line(DIM, &format!("  {also}"));
        }
        if let Some(text) = failure.explanation() {
            for text in text.lines() {
                self.line(Style::new(), &format!("  {text}"));
            }
        }
        self.checks(failure);
        self.evidence(line);
        self.line(Style::new().cyan(), &format!("  rerun: {}", failure.rerun()));
    }

    fn title(&mut self, failure: &Failure<'_>, indent: &str, style: Style) {
        let line = failure.line;
        let head = format!("{indent}{} {}", line.verdict.name().to_uppercase(), line.id());
        self.line(style, &format!("{head}  ({}, {}, {})", line.label(), line.class.name(), line.level.name()));
    }

    fn checks(&mut self, failure: &Failure<'_>) {
        let limits = Limits {
            lines: if self.options.verbose { MAX_LINES.0 } else { MAX_LINES.1 },
            chars: self.options.width.saturating_sub(20).max(30),
        };
        for check in failure.checks() {
            let mut head = format!("  {}", check.check);
            if check.turn > 0 {
                let _ = write!(head, ", turn {}", check.turn);
            }
            if let Some(at) = difference::pointer(check).filter(|at| !at.is_empty()) {
                let _ = write!(head, " at {at}");
            }
            self.line(Style::new().bold(), &head);
            if let Some(rule) = (self.sentence)(&check.check) {
                self.line(Style::new(), &format!("    {rule}"));
            }
            let diff = difference::diff(check, limits);
            if !diff.is_empty() {
                self.line(DIM, "    - expected  + actual");
            }
            for line in diff {
                let style = match line.mark {
                    Mark::Same | Mark::Gap => DIM,
                    Mark::Expected => Style::new().red(),
                    Mark::Actual => Style::new().green(),
                };
                self.line(style, &format!("    {} {}", line.mark.sign(), line.text));
            }
        }
        let blocked = failure.blocked();
        if !blocked.is_empty() {
            self.clipped(DIM, &format!("  not checked because of this: {}", blocked.join(", ")));
        }
    }

    fn evidence(&mut self, line: &CaseLine) {
        let Some(evidence) = &line.evidence else { return };
        if !evidence.response.is_empty() {
            let cuts: Vec<String> = evidence.cuts.iter().map(ToString::to_string).collect();
            let cuts = if cuts.is_empty() { String::new() } else { format!(", cut at {}", cuts.join(", ")) };
            self.clipped(DIM, &format!("  {}{cuts}", evidence.response));
        }
        for frame in &evidence.frames {
            let event = if frame.event.is_empty() { String::new() } else { format!("{}: ", frame.event) };
            let text =
                format!("    frame {}, bytes {}..{}  {event}{}", frame.number, frame.start, frame.end, frame.data);
            self.clipped(Style::new(), &text);
        }
        if let Some(request) = &evidence.request {
            self.clipped(DIM, &format!("  sent: {request}"));
        }
        if let Some(stderr) = &evidence.stderr {
            self.line(DIM, "  stderr:");
            let lines: Vec<&str> = stderr.lines().collect();
            for text in lines.iter().skip(lines.len().saturating_sub(MAX_STDERR)) {
                self.clipped(DIM, &format!("  | {text}"));
            }
        }
    }

    fn shown(&mut self, shown: &[Failure<'_>], most: usize) {
        if shown.is_empty() {
            return;
        }
        self.blank();
        self.line(DIM, "failed, not counted:");
        for failure in shown.iter().take(most) {
            self.title(failure, "  ", DIM);
            if let Some(text) = failure.explanation() {
                self.clipped(DIM, &format!("    {text}"));
            }
            for check in failure.checks() {
                let text = difference::brief(check, self.options.width / 3);
                self.line(DIM, &format!("    {} {text}", check.check));
            }
            if let Some(also) = failure.elsewhere(self.room()) {
                self.line(DIM, &format!("    {also}"));
            }
        }
        if shown.len() > most {
            self.line(DIM, &format!("  … and {} more", shown.len() - most));
        }
    }

    /// What was expected to fail, skipped, or could not be tried.
    fn quiet(&mut self, report: &Report) {
        for line in report.cases() {
            let told = line.red || matches!(line.verdict, Verdict::Pass | Verdict::Lenient | Verdict::Fail);
            if told {
                continue;
            }
            let why = line.reason.as_ref().or(line.message.as_ref());
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            self.line(DIM, &format!("{} {} ({}){why}", line.verdict.name(), line.id(), line.label()));
        }
    }
}
