//! A report as one HTML page that loads nothing and runs nothing.
//!
//! No script, a content security policy that forbids one, light and dark by media query. Everything
//! foreign is escaped by the template engine, after its hidden characters are spelled out.

use std::collections::HashMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value, context};

use super::difference::{self, Limits};
use super::{CaseLine, Failure, Report, Sentences, escape};

const TEMPLATE: &str = include_str!("page.html");

const LIMITS: Limits = Limits { lines: 200, chars: 400 };

/// The report as an HTML document.
pub fn render(report: &Report, sentence: Sentences) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    if let Ok(syntax) =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()
    {
        environment.set_syntax(syntax);
    }

    let page = environment.render_str(TEMPLATE, page(report, sentence));
    // The template is fixed and a test renders it, so an error can only be a fault of ours: the page says it.
    page.unwrap_or_else(|error| {
        format!("<!doctype html><title>toolwire</title><p>the page failed to render: {}", error.kind())
    })
}

fn text(text: &str) -> Value {
    Value::from(escape::html(text))
}

fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::from(items.into_iter().map(Into::into).collect::<Vec<Value>>())
}

fn page(report: &Report, sentence: Sentences) -> Value {
    let header = report.header();
    let targets = report.targets().iter().map(|target| {
        let groups = target.groups.iter().map(|(class, level, tally)| {
            context! {
                class => class.name(), level => level.name(), passed => tally.passed(), judged => tally.judged(),
                red => tally.red, shown => tally.shown, counts => tally.sentence(),
            }
        });
        context! {
            label => text(&target.label),
            version => target.version.as_deref().map(text),
            groups => list(groups),
        }
    });
    let stale = report.stale().iter().map(|(pattern, line)| context! { pattern => text(pattern), line => *line });
    context! {
        conclusion => text(&report.conclusion()),
        green => report.is_green(),
        toolwire => header.map(|header| text(&header.toolwire)),
        corpus => header.map(|header| text(&header.corpus)),
        seed => header.map(|header| header.seed),
        notices => list(report.notices().iter().map(|notice| text(notice))),
        targets => list(targets),
        failures => list(report.failures().iter().map(|one| failure(one, sentence))),
        shown => list(report.shown().iter().map(|one| failure(one, sentence))),
        stale => list(stale),
        cases => list(rows(report)),
    }
}

fn failure(failure: &Failure<'_>, sentence: Sentences) -> Value {
    let line = failure.line;
    let checks = failure.checks().map(|check| {
        let diff = difference::diff(check, LIMITS);
        let lines = diff.iter().map(|line| {
            context! { mark => line.mark.name(), sign => line.mark.sign().to_string(), text => text(&line.text) }
        });
        context! {
            check => text(&check.check),
            turn => check.turn,
            pointer => difference::pointer(check).map(|at| text(&at)),
            rule => sentence(&check.check),
            diff => list(lines),
        }
    });
    let evidence = line.evidence.as_ref();
    let frames = evidence.map(|evidence| &evidence.frames).into_iter().flatten().map(|frame| {
        context! {
            number => frame.number, start => frame.start, end => frame.end,
            event => text(&frame.event), data => text(&frame.data),
        }
    });
    context! {
        verdict => line.verdict.name(),
        id => text(&line.id()),
        label => text(&line.label()),
        class => line.class.name(),
        level => line.level.name(),
        title => text(&line.title),
        explanation => failure.explanation().map(|it| text(&it)),
        also => list(failure.also.iter().map(|permutation| text(permutation))),
        checks => list(checks),
        blocked => list(failure.blocked().into_iter().map(text)),
        response => evidence.map(|evidence| text(&evidence.response)),
        cuts => list(evidence.into_iter().flat_map(|evidence| evidence.cuts.iter().copied())),
        frames => list(frames),
        request => evidence.and_then(|evidence| evidence.request.as_deref()).map(text),
        stderr => evidence.and_then(|evidence| evidence.stderr.as_deref()).map(text),
        rerun => text(&failure.rerun()),
    }
}

/// One row a case and target: how often each verdict, over its permutations.
fn rows(report: &Report) -> Vec<Value> {
    struct Row<'a> {
        line: &'a CaseLine,
        red: bool,
        verdicts: Vec<(&'static str, u64)>,
    }
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut places: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for line in report.cases() {
        let (target, surface, case, _) = line.key();
        let at = *places.entry((target, surface, case)).or_insert(rows.len());
        if at == rows.len() {
            rows.push(Row { line, red: false, verdicts: Vec::new() });
        }
        let Some(row) = rows.get_mut(at) else { continue };
        row.red |= line.red;
        match row.verdicts.iter_mut().find(|(name, _)| *name == line.verdict.name()) {
            Some((_, count)) => *count += 1,
            None => row.verdicts.push((line.verdict.name(), 1)),
        }
    }
    let rows = rows.into_iter().map(|row| {
        let verdicts: Vec<String> = row.verdicts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        context! {
            label => text(&row.line.label()),
            case => text(&row.line.case),
            title => text(&row.line.title),
            class => row.line.class.name(),
            level => row.line.level.name(),
            red => row.red,
            verdicts => verdicts.join(", "),
        }
    });
    rows.collect()
}
