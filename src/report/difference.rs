//! Expected against actual, as lines that every renderer can colour.

use similar::{DiffOp, TextDiff};

use super::escape;
use crate::check::CheckResult;
use crate::json::{Doc, JsonText, Kind, Strictness, Style, Value, Writer, difference};

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// In both.
    Same,
    /// Only expected.
    Expected,
    /// Only there.
    Actual,
    /// Says what was left out.
    Gap,
}

impl Mark {
    /// What stands before the line.
    pub(super) fn sign(self) -> char {
        match self {
            Self::Same | Self::Gap => ' ',
            Self::Expected => '-',
            Self::Actual => '+',
        }
    }

    /// The name in style sheets.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Expected => "expected",
            Self::Actual => "actual",
            Self::Gap => "gap",
        }
    }
}

/// One line of a diff, hidden characters spelled out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DiffLine {
    pub(super) mark: Mark,
    pub(super) text: String,
}

/// How much of a difference is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Lines of the diff.
    pub(super) lines: usize,
    /// Characters of a line.
    pub(super) chars: usize,
}

/// A text over this many bytes is not compared line by line, only where it differs first.
const MAX_DIFF_BYTES: usize = 32 * 1024;

/// Lines around a difference.
const CONTEXT: usize = 3;

/// Characters before the first difference of a line that is cut.
const LEAD: usize = 24;

/// The diff of a check's expected and actual values; empty if it has neither.
pub(super) fn diff(check: &CheckResult, limits: Limits) -> Vec<DiffLine> {
    let mut lines = match (&check.expected, &check.actual) {
        (Some(expected), Some(actual)) => both(expected, actual, limits),
        (Some(expected), None) => one(Mark::Expected, expected, limits),
        (None, Some(actual)) => one(Mark::Actual, actual, limits),
        (None, None) => Vec::new(),
    };
    if lines.len() > limits.lines {
        let rest = lines.len() - limits.lines;
        lines.truncate(limits.lines);
        lines.push(DiffLine { mark: Mark::Gap, text: format!("… {rest} more lines") });
    }
    lines
}

/// Where the values differ first, relative to the whole: the check's own pointer, or else ours.
pub(super) fn pointer(check: &CheckResult) -> Option<String> {
    check.pointer.clone().or_else(|| {
        let (expected, actual) = (check.expected.as_ref()?, check.actual.as_ref()?);
        Some(first(expected.doc().root(), actual.doc().root())?.pointer)
    })
}

/// One line: `expected 2, got 1`, of the first place where they differ.
pub(super) fn brief(check: &CheckResult, chars: usize) -> String {
    let (expected, actual) = match (&check.expected, &check.actual) {
        (Some(expected), Some(actual)) => match first(expected.doc().root(), actual.doc().root()) {
            Some(found) => (found.expected, found.actual),
            None => (Some(expected.as_str().to_owned()), Some(actual.as_str().to_owned())),
        },
        (expected, actual) => {
            (expected.as_ref().map(|v| v.as_str().to_owned()), actual.as_ref().map(|v| v.as_str().to_owned()))
        }
    };
    let short = |value: Option<String>| match value {
        Some(value) => escape::shorten(&escape::visible(&value), chars).into_owned(),
        None => "nothing".to_owned(),
    };
    match pointer(check).filter(|pointer| !pointer.is_empty()) {
        Some(at) => format!("at {}: expected {}, got {}", escape::visible(&at), short(expected), short(actual)),
        None => format!("expected {}, got {}", short(expected), short(actual)),
    }
}

fn first(expected: Value<'_>, actual: Value<'_>) -> Option<crate::json::Difference> {
    difference(expected, actual, Strictness::Value).or_else(|| difference(expected, actual, Strictness::Text))
}

fn one(mark: Mark, value: &JsonText, limits: Limits) -> Vec<DiffLine> {
    let text = pretty(&value.doc());
    text.lines().map(|line| DiffLine { mark, text: cut(line, 0, limits.chars) }).collect()
}

fn both(expected: &JsonText, actual: &JsonText, limits: Limits) -> Vec<DiffLine> {
    let (left, right) = (expected.doc(), actual.doc());
    if expected.as_str().len() + actual.as_str().len() > MAX_DIFF_BYTES {
        return leaf(left.root(), right.root(), limits);
    }
    let duplicates = left.root().has_duplicate_keys() || right.root().has_duplicate_keys();
    let (old, new) = if !duplicates && difference(left.root(), right.root(), Strictness::Value).is_some() {
        // Key order is no difference here, so it should not look like one.
        (pretty(&left), pretty_like(right.root(), left.root()))
    } else {
        (pretty(&left), pretty(&right))
    };
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // That an item is no longer the last one is no difference, so commas are aside.
    let bare = |lines: &[&'_ str]| lines.iter().map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>();
    let (bare_old, bare_new) = (bare(&old), bare(&new));
    let (bare_old, bare_new): (Vec<&str>, Vec<&str>) =
        (bare_old.iter().map(String::as_str).collect(), bare_new.iter().map(String::as_str).collect());
    let diff = TextDiff::from_slices(&bare_old, &bare_new);
    let mut out = Vec::new();
    let mut end = 0;
    for group in diff.grouped_ops(CONTEXT) {
        for op in group {
            if op.old_range().start > end {
                out.push(DiffLine { mark: Mark::Gap, text: "…".to_owned() });
            }
            end = op.old_range().end;
            push_op(&mut out, op, &old, &new, limits.chars);
        }
    }
    if end < old.len() {
        out.push(DiffLine { mark: Mark::Gap, text: "…".to_owned() });
    }
    out
}

fn push_op(out: &mut Vec<DiffLine>, op: DiffOp, old: &[&str], new: &[&str], chars: usize) {
    let (before, after) = (old.get(op.old_range()).unwrap_or(&[]), new.get(op.new_range()).unwrap_or(&[]));
    if matches!(op, DiffOp::Equal { .. }) {
        out.extend(before.iter().map(|line| DiffLine { mark: Mark::Same, text: cut(line, 0, chars) }));
        return;
    }
    // Lines that stand against each other are cut at the same place, where they differ.
    let lead = |at: usize| before.get(at).zip(after.get(at)).map_or(0, |(a, b)| common(a, b));
    for (mark, lines) in [(Mark::Expected, before), (Mark::Actual, after)] {
        out.extend(lines.iter().enumerate().map(|(at, line)| DiffLine { mark, text: cut(line, lead(at), chars) }));
    }
}

/// Only the place where they differ first, for texts too long to compare by lines.
fn leaf(expected: Value<'_>, actual: Value<'_>, limits: Limits) -> Vec<DiffLine> {
    let Some(found) = first(expected, actual) else { return Vec::new() };
    let (old, new) = (found.expected.unwrap_or_default(), found.actual.unwrap_or_default());
    let lead = common(&old, &new);
    let mut out = vec![DiffLine {
        mark: Mark::Gap,
        text: format!("… too long to show; at `{}`:", escape::visible(&found.pointer)),
    }];
    for (mark, text) in [(Mark::Expected, old), (Mark::Actual, new)] {
        if !text.is_empty() {
            out.push(DiffLine { mark, text: cut(&text, lead, limits.chars) });
        }
    }
    out
}

fn common(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// A line of at most `chars` characters or so, that shows what stands at `interesting`.
fn cut(line: &str, interesting: usize, chars: usize) -> String {
    let skip = if interesting > chars / 2 { interesting.saturating_sub(LEAD) } else { 0 };
    let rest = line.char_indices().nth(skip).and_then(|(at, _)| line.get(at..)).unwrap_or("");
    let shown = escape::shorten(rest, chars);
    let shown = escape::visible(&shown);
    if skip > 0 { format!("…{shown}") } else { shown.into_owned() }
}

fn pretty(doc: &Doc<'_>) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.value(doc.root());
    finish(writer)
}

/// `value` with the keys of its objects in the order of `model`, surplus ones last.
fn pretty_like(value: Value<'_>, model: Value<'_>) -> String {
    let mut writer = Writer::new(Style::Pretty);
    write_like(&mut writer, value, Some(model));
    finish(writer)
}

fn finish(writer: Writer) -> String {
    let mut text = writer.finish();
    text.push('\n');
    text
}

fn write_like(w: &mut Writer, value: Value<'_>, model: Option<Value<'_>>) {
    match (value.kind(), model) {
        (Kind::Object, Some(model)) if model.kind() == Kind::Object => w.object(|w| {
            let modelled = model.members().map(|(key, _)| key.decode());
            let surplus = value.members().map(|(key, _)| key.decode()).filter(|key| model.get(key).is_none());
            for key in modelled.chain(surplus) {
                if let Some(member) = value.get(&key) {
                    w.key(&key);
                    write_like(w, member, model.get(&key));
                }
            }
        }),
        (Kind::Array, Some(model)) if model.kind() == Kind::Array => w.array(|w| {
            let mut models = model.items();
            value.items().for_each(|item| write_like(w, item, models.next()));
        }),
        _ => w.value(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, brief, diff};
    use crate::check::{CheckOutcome, CheckResult};
    use crate::json::JsonText;

    fn check(expected: &str, actual: &str) -> CheckResult {
        CheckResult {
            check: "calls".to_owned(),
            outcome: CheckOutcome::Fail,
            turn: 0,
            expected: Some(JsonText::new(expected).unwrap()),
            actual: Some(JsonText::new(actual).unwrap()),
            pointer: None,
        }
    }

    fn lines(expected: &str, actual: &str) -> Vec<String> {
        let limits = Limits { lines: 12, chars: 40 };
        diff(&check(expected, actual), limits).iter().map(|line| format!("{}{}", line.mark.sign(), line.text)).collect()
    }

    #[test]
    fn only_differences_are_marked() {
        assert_eq!(lines("2", "1"), ["-2", "+1"]);
        assert_eq!(
            lines(r#"{"a":1,"b":2}"#, r#"{"b":3,"a":1}"#),
            [" {", "   \"a\": 1,", "-  \"b\": 2", "+  \"b\": 3", " }"]
        );
        assert_eq!(lines(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#).iter().filter(|l| l.starts_with('-')).count(), 1);
        assert_eq!(brief(&check(r#"{"a":[1,2]}"#, r#"{"a":[1]}"#), 20), "at /a/1: expected 2, got nothing");
    }

    #[test]
    fn long_values_are_cut_where_they_differ() {
        let long = "x".repeat(5000);
        let found = lines(&format!("\"{long}a\""), &format!("\"{long}b\""));
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("xa\"") && found[1].ends_with("xb\"") && found[0].len() < 40, "{found:?}");
        let many: Vec<String> = (0..30_000).map(|n| n.to_string()).collect();
        let found = lines(&format!("[{}]", many.join(",")), &format!("[{},7]", many.join(",")));
        assert_eq!(found, [" … too long to show; at `/30000`:", "+7"]);
        let found = lines(&format!("[{}]", many[..99].join(",")), "[]");
        assert_eq!(found.len(), 13);
    }
}
