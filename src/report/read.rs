//! `report.jsonl` back into lines, by `json::Doc`.
//!
//! Unknown keys are ignored, so that an older toolwire reads a newer report. A report that ends
//! without a footer, or in the middle of a line, is that of a run that was cut, and is readable.

use super::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line, TargetLine, escape};
use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::{Class, Level};
use crate::json::{self, JsonText, Kind, Tape, Value};
use crate::verdict::{Outcome, Verdict};

/// Why a text is no report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct ReportError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ReportErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportErrorKind {
    /// Not JSON.
    #[error("{0}")]
    Json(json::Error),
    /// JSON, but no object.
    #[error("not an object")]
    NotAnObject,
    /// A key that every line of this type has is not there.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A value of another kind.
    #[error("`{key}` is not {wanted}")]
    Wrong {
        /// The key.
        key: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A word that is not on the list of its key.
    #[error("`{key}` has the unknown value `{}`", escape::visible(.value))]
    Unknown {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
    },
    /// A header that is not first, or anything behind a footer.
    #[error("a {0} line cannot stand here: a report is one header, its cases, one footer")]
    Order(&'static str),
}

/// Reads a report; blank lines are passed over.
///
/// # Errors
/// The first line that is none of a report, and why. A last line without a line end that stops
/// inside its JSON is no error: the run was cut there.
pub fn read(text: &str) -> Result<Vec<Line>, ReportError> {
    let mut lines: Vec<Line> = Vec::new();
    let mut tape = Tape::new();
    for (at, source) in text.split_inclusive('\n').enumerate() {
        let error = |kind| ReportError { line: at + 1, kind };
        if source.trim().is_empty() {
            continue;
        }
        let root = match tape.parse(source.trim()) {
            Ok(root) => root,
            Err(cut) if cut.is_eof() && !source.ends_with('\n') => break,
            Err(json) => return Err(error(ReportErrorKind::Json(json))),
        };
        let line = line(root).map_err(error)?;
        let fits = match (&line, lines.last()) {
            (Line::Header(_), last) => last.is_none(),
            (_, last) => !matches!(last, Some(Line::Footer(_))),
        };
        if !fits {
            return Err(error(ReportErrorKind::Order(line.kind())));
        }
        lines.push(line);
    }
    Ok(lines)
}

type Read<T> = Result<T, ReportErrorKind>;

fn line(root: Value<'_>) -> Read<Line> {
    if root.kind() != Kind::Object {
        return Err(ReportErrorKind::NotAnObject);
    }
    Ok(match text(root, "type")?.as_str() {
        "header" => Line::Header(header(root)?),
        "case" => Line::Case(Box::new(case(root)?)),
        "footer" => Line::Footer(footer(root)?),
        other => return Err(ReportErrorKind::Unknown { key: "type", value: other.to_owned() }),
    })
}

fn header(root: Value<'_>) -> Read<Header> {
    let mut selection = Vec::new();
    for (name, values) in member(root, "selection")?.members() {
        for value in values.items() {
            selection.push((name.decode().into_owned(), as_text(value, "selection")?));
        }
    }
    let targets = array(root, "targets")?
        .map(|target| {
            Ok(TargetLine {
                name: text(target, "name")?,
                version: optional(target, "version")?,
                language: optional(target, "language")?,
            })
        })
        .collect::<Read<_>>()?;
    Ok(Header {
        toolwire: text(root, "toolwire")?,
        corpus: text(root, "corpus")?,
        targets,
        selection,
        seed: number(root, "seed")?,
    })
}

fn case(root: Value<'_>) -> Read<CaseLine> {
    Ok(CaseLine {
        target: text(root, "target")?,
        surface: optional(root, "surface")?,
        case: text(root, "case")?,
        title: text(root, "title")?,
        permutation: text(root, "permutation")?,
        class: word(root, "class", Class::ALL, Class::name)?,
        level: word(root, "level", Level::ALL, Level::name)?,
        outcome: word(root, "outcome", Outcome::ALL, Outcome::name)?,
        verdict: word(root, "verdict", Verdict::ALL, Verdict::name)?,
        red: boolean(root, "red")?,
        micros: micros(member(root, "ms")?)?,
        checks: array(root, "checks")?.map(check).collect::<Read<_>>()?,
        message: optional(root, "message")?,
        reason: optional(root, "reason")?,
        evidence: root.some("evidence").map(evidence).transpose()?,
    })
}

fn check(value: Value<'_>) -> Read<CheckResult> {
    Ok(CheckResult {
        check: text(value, "check")?,
        outcome: word(value, "outcome", CheckOutcome::ALL, CheckOutcome::name)?,
        turn: if value.some("turn").is_some() { number(value, "turn")? } else { 0 },
        expected: value.get("expected").map(JsonText::of),
        actual: value.get("actual").map(JsonText::of),
        pointer: optional(value, "pointer")?,
    })
}

fn evidence(value: Value<'_>) -> Read<Evidence> {
    let cuts = array(value, "cuts")?.map(|cut| as_number(cut, "cuts")).collect::<Read<_>>()?;
    let frames = array(value, "frames")?
        .map(|frame| {
            Ok(FrameExcerpt {
                number: number(frame, "number")?,
                start: number(frame, "start")?,
                end: number(frame, "end")?,
                event: text(frame, "event")?,
                data: text(frame, "data")?,
            })
        })
        .collect::<Read<_>>()?;
    Ok(Evidence {
        response: text(value, "response")?,
        cuts,
        frames,
        request: optional(value, "request")?,
        stderr: optional(value, "stderr")?,
    })
}

fn footer(root: Value<'_>) -> Read<Footer> {
    let given = member(root, "counts")?;
    for (name, _) in given.members() {
        let name = name.decode();
        if !Verdict::ALL.iter().any(|verdict| verdict.name() == name) {
            return Err(ReportErrorKind::Unknown { key: "counts", value: name.into_owned() });
        }
    }
    let counts = Verdict::ALL
        .iter()
        .map(|verdict| Ok((*verdict, given.get(verdict.name()).map_or(Ok(0), |count| as_number(count, "counts"))?)))
        .collect::<Read<_>>()?;
    let stale = array(root, "stale")?
        .map(|entry| Ok((text(entry, "pattern")?, number(entry, "line")?)))
        .collect::<Read<_>>()?;
    Ok(Footer {
        counts,
        stale,
        unreviewed: number(root, "unreviewed")?,
        exit: number(root, "exit")?,
        complete: boolean(root, "complete")?,
    })
}

fn member<'a>(value: Value<'a>, key: &'static str) -> Read<Value<'a>> {
    value.get(key).ok_or(ReportErrorKind::Missing(key))
}

fn array<'a>(value: Value<'a>, key: &'static str) -> Read<impl Iterator<Item = Value<'a>>> {
    let found = member(value, key)?;
    if found.kind() == Kind::Array {
        Ok(found.items())
    } else {
        Err(ReportErrorKind::Wrong { key, wanted: "an array" })
    }
}

fn as_text(value: Value<'_>, key: &'static str) -> Read<String> {
    let text = value.to_text().ok_or(ReportErrorKind::Wrong { key, wanted: "a string" })?;
    Ok(text.into_owned())
}

fn text(value: Value<'_>, key: &'static str) -> Read<String> {
    as_text(member(value, key)?, key)
}

fn optional(value: Value<'_>, key: &'static str) -> Read<Option<String>> {
    value.some(key).map(|found| as_text(found, key)).transpose()
}

fn as_number<N: TryFrom<u64>>(value: Value<'_>, key: &'static str) -> Read<N> {
    let number = value.as_u64().and_then(|number| number.try_into().ok());
    number.ok_or(ReportErrorKind::Wrong { key, wanted: "a whole number of that size" })
}

fn number<N: TryFrom<u64>>(value: Value<'_>, key: &'static str) -> Read<N> {
    as_number(member(value, key)?, key)
}

fn boolean(value: Value<'_>, key: &'static str) -> Read<bool> {
    member(value, key)?.as_bool().ok_or(ReportErrorKind::Wrong { key, wanted: "true or false" })
}

fn word<T: Copy>(value: Value<'_>, key: &'static str, all: &[T], name: fn(T) -> &'static str) -> Read<T> {
    let value = text(value, key)?;
    let found = all.iter().copied().find(|item| name(*item) == value);
    found.ok_or(ReportErrorKind::Unknown { key, value })
}

/// Milliseconds with decimals as whole microseconds; what is finer is cut off.
fn micros(value: Value<'_>) -> Read<u64> {
    let exact = || {
        let (whole, fraction) = match value.as_number()?.split_once('.') {
            Some((whole, fraction)) => (whole, format!("{fraction:0<3}")),
            None => (value.raw(), "000".to_owned()),
        };
        if !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction.get(..3)?.parse().ok()?)
    };
    exact().ok_or(ReportErrorKind::Wrong { key: "ms", wanted: "a plain decimal number of milliseconds" })
}

impl Line {
    /// The word under `type`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Header(_) => "header",
            Self::Case(_) => "case",
            Self::Footer(_) => "footer",
        }
    }
}
