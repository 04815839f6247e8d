//! A line as JSON text: what a run appends to `report.jsonl`.
//!
//! Numbers keep their text and keys their order; characters that a terminal acts on are written
//! as escapes. `docs/report-format.md` describes every key.

use super::{CaseLine, Evidence, Footer, Header, Line};
use crate::check::CheckResult;
use crate::json::{JsonText, MAX_DEPTH, Style, Value, Writer};

/// Levels that a line itself puts around an expected or actual value, generously.
const FRAME_DEPTH: usize = 12;

impl Line {
    /// The line as JSON, without a line end and without line breaks.
    ///
    /// An expected or actual value nested so deeply that the line could not be read again is
    /// written as a string that holds its text.
    pub fn to_json(&self) -> String {
        let mut writer = Writer::new(Style::Compact);
        writer.object(|w| match self {
            Self::Header(header) => write_header(w, header),
            Self::Case(case) => write_case(w, case),
            Self::Footer(footer) => write_footer(w, footer),
        });
        writer.finish()
    }
}

fn write_header(w: &mut Writer, header: &Header) {
    w.member("type", "header");
    w.member("toolwire", &header.toolwire);
    w.member("corpus", &header.corpus);
    w.key("selection");
    w.object(|w| {
        for group in header.selection.chunk_by(|a, b| a.0 == b.0) {
            if let Some((name, _)) = group.first() {
                w.key(name);
                w.array(|w| group.iter().for_each(|(_, value)| w.string(value)));
            }
        }
    });
    w.key("seed");
    w.literal(header.seed);
    w.key("targets");
    w.array(|w| {
        for target in &header.targets {
            w.object(|w| {
                w.member("name", &target.name);
                w.optional("version", target.version.as_deref());
                w.optional("language", target.language.as_deref());
            });
        }
    });
}

fn write_case(w: &mut Writer, case: &CaseLine) {
    w.member("type", "case");
    w.member("target", &case.target);
    w.optional("surface", case.surface.as_deref());
    w.member("case", &case.case);
    w.member("title", &case.title);
    w.member("permutation", &case.permutation);
    w.member("class", case.class.name());
    w.member("level", case.level.name());
    w.member("outcome", case.outcome.name());
    w.member("verdict", case.verdict.name());
    w.key("red");
    w.literal(case.red);
    w.key("ms");
    w.literal(milliseconds(case.micros));
    w.key("checks");
    w.array(|w| case.checks.iter().for_each(|check| write_check(w, check)));
    w.optional("message", case.message.as_deref());
    w.optional("reason", case.reason.as_deref());
    if let Some(evidence) = &case.evidence {
        w.key("evidence");
        w.object(|w| write_evidence(w, evidence));
    }
}

/// One check as an object; the summary for programs has the same.
pub(super) fn write_check(w: &mut Writer, check: &CheckResult) {
    w.object(|w| {
        w.member("check", &check.check);
        w.member("outcome", check.outcome.name());
        if check.turn > 0 {
            w.key("turn");
            w.literal(check.turn);
        }
        for (key, value) in [("expected", &check.expected), ("actual", &check.actual)] {
            if let Some(value) = value {
                w.key(key);
                write_value(w, value);
            }
        }
        w.optional("pointer", check.pointer.as_deref());
    });
}

fn write_value(w: &mut Writer, value: &JsonText) {
    let doc = value.doc();
    if deeper_than(doc.root(), MAX_DEPTH - FRAME_DEPTH) {
        w.string(value.as_str());
    } else {
        w.value(doc.root());
    }
}

fn deeper_than(value: Value<'_>, limit: usize) -> bool {
    // A document is MAX_DEPTH levels deep at most, and so is this recursion.
    let Some(rest) = limit.checked_sub(1) else { return true };
    value.items().any(|item| deeper_than(item, rest)) || value.members().any(|(_, member)| deeper_than(member, rest))
}

fn write_evidence(w: &mut Writer, evidence: &Evidence) {
    w.member("response", &evidence.response);
    w.key("cuts");
    w.array(|w| evidence.cuts.iter().for_each(|cut| w.literal(cut)));
    w.key("frames");
    w.array(|w| {
        for frame in &evidence.frames {
            w.object(|w| {
                for (key, number) in [("number", u64::from(frame.number)), ("start", frame.start), ("end", frame.end)] {
                    w.key(key);
                    w.literal(number);
                }
                w.member("event", &frame.event);
                w.member("data", &frame.data);
            });
        }
    });
    w.optional("request", evidence.request.as_deref());
    w.optional("stderr", evidence.stderr.as_deref());
}

fn write_footer(w: &mut Writer, footer: &Footer) {
    w.member("type", "footer");
    w.key("counts");
    w.object(|w| {
        for (verdict, count) in footer.counts.iter().filter(|(_, count)| *count > 0) {
            w.key(verdict.name());
            w.literal(count);
        }
    });
    w.key("stale");
    w.array(|w| footer.stale.iter().for_each(|entry| write_stale(w, entry)));
    w.key("unreviewed");
    w.literal(footer.unreviewed);
    w.key("exit");
    w.literal(footer.exit);
    w.key("complete");
    w.literal(footer.complete);
}

/// An entry of the expectations that matches nothing.
pub(super) fn write_stale(w: &mut Writer, (pattern, line): &(String, usize)) {
    w.object(|w| {
        w.member("pattern", pattern);
        w.key("line");
        w.literal(line);
    });
}

/// Milliseconds with up to three decimals, exact.
pub(super) fn milliseconds(micros: u64) -> String {
    let text = format!("{}.{:03}", micros / 1000, micros % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn milliseconds_are_exact_and_short() {
        for (micros, text) in [
            (0, "0"),
            (1, "0.001"),
            (1_000, "1"),
            (12_340, "12.34"),
            (100_000, "100"),
            (u64::MAX, "18446744073709551.615"),
        ] {
            assert_eq!(milliseconds(micros), text);
        }
    }
}
