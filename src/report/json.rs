//! A summary for programs: counts, targets, and what failed.

use super::jsonl::{milliseconds, write_check, write_stale};
use super::{Ending, Failure, Report, Tally};
use crate::json::{Style, Writer};

/// One JSON object, laid out for reading.
pub fn render(report: &Report) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.object(|w| {
        w.member("type", "summary");
        if let Some(header) = report.header() {
            w.member("toolwire", &header.toolwire);
            w.member("corpus", &header.corpus);
            w.key("seed");
            w.literal(header.seed);
        }
        w.key("green");
        w.literal(report.is_green());
        let ending = match report.ending() {
            Ending::Complete => "complete",
            Ending::Stopped => "stopped",
            Ending::Cut => "cut",
        };
        w.member("ending", ending);
        if let Some(footer) = report.footer() {
            w.key("exit");
            w.literal(footer.exit);
        }
        w.key("notices");
        w.array(|w| report.notices().iter().for_each(|notice| w.string(notice)));
        write_tally(w, report.tally());
        w.key("targets");
        w.array(|w| {
            for target in report.targets() {
                w.object(|w| {
                    w.member("name", &target.label);
                    w.optional("version", target.version.as_deref());
                    w.key("cases");
                    w.literal(target.cases);
                    write_tally(w, &target.tally);
                    w.key("groups");
                    w.array(|w| {
                        for (class, level, tally) in &target.groups {
                            w.object(|w| {
                                w.member("class", class.name());
                                w.member("level", level.name());
                                write_tally(w, tally);
                            });
                        }
                    });
                });
            }
        });
        w.key("failures");
        w.array(|w| report.failures().iter().for_each(|failure| write_failure(w, failure)));
        w.key("shown");
        w.array(|w| report.shown().iter().for_each(|failure| write_failure(w, failure)));
        w.key("stale");
        w.array(|w| report.stale().iter().for_each(|entry| write_stale(w, entry)));
        w.key("unreviewed");
        w.literal(report.unreviewed());
    });
    writer.finish() + "\n"
}

fn write_tally(w: &mut Writer, tally: &Tally) {
    w.key("counts");
    w.object(|w| {
        for (verdict, count) in tally.counts() {
            w.key(verdict.name());
            w.literal(count);
        }
    });
    for (key, number) in [("red", tally.red), ("shown", tally.shown)] {
        w.key(key);
        w.literal(number);
    }
    w.key("ms");
    w.literal(milliseconds(tally.micros));
}

fn write_failure(w: &mut Writer, failure: &Failure<'_>) {
    let line = failure.line;
    w.object(|w| {
        w.member("target", &line.target);
        w.optional("surface", line.surface.as_deref());
        w.member("case", &line.case);
        w.member("title", &line.title);
        w.key("permutations");
        w.array(|w| {
            w.string(&line.permutation);
            failure.also.iter().for_each(|permutation| w.string(permutation));
        });
        w.member("class", line.class.name());
        w.member("level", line.level.name());
        w.member("outcome", line.outcome.name());
        w.member("verdict", line.verdict.name());
        w.optional("message", line.message.as_deref());
        w.optional("reason", line.reason.as_deref());
        w.key("checks");
        w.array(|w| failure.checks().for_each(|check| write_check(w, check)));
        w.member("rerun", &failure.rerun());
    });
}
