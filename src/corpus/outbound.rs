//! What a case expects of the request that a client sends.

use super::fields::{FieldResult, Place};
use super::pattern::{ObjectPattern, objects};
use crate::json::JsonText;
use crate::model::Api;
use crate::providers;

/// How closely two requests are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The same JSON after the rewrites that the provider is known not to mind; cache markers aside.
    Equivalent,
    /// The same JSON: key order aside, numbers by exact value, nothing missing and nothing more.
    Exact,
    /// The same text.
    Bytes,
}

impl Grade {
    /// All of them, the mildest first.
    pub const ALL: &'static [Self] = &[Self::Equivalent, Self::Exact, Self::Bytes];

    /// The name in `case.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Exact => "exact",
            Self::Bytes => "bytes",
        }
    }
}

/// What is expected of the request of one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestPattern {
    /// The turn, from 0.
    pub turn: usize,
    /// The body.
    pub body: Option<ExpectedBody>,
    /// Pointers to what is compared; the empty one is the whole body.
    pub at: Vec<String>,
    /// How closely.
    pub grade: Grade,
    /// Pointers to what may not be there, `null` or not.
    pub absent: Vec<String>,
    /// The path with its query.
    pub path: Option<String>,
    /// Headers; `None` for one that may not be sent.
    pub headers: Vec<(String, Option<String>)>,
    /// Rules that have to hold even where a breach is only a warning.
    pub rules: Vec<String>,
    /// Strings such as `<id:1>` in the body stand for what they say.
    pub placeholders: bool,
    /// Nothing may be sent; the kind of the reason.
    pub refused: Option<String>,
    /// What has to be said of what was left out or rewritten; each is a subset of one entry.
    pub diagnostics: Vec<ObjectPattern>,
}

/// The body that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedBody {
    /// The file beside `case.json`.
    pub file: String,
    /// Its JSON, exact.
    pub text: JsonText,
}

const KEYS: &[&str] =
    &["body", "at", "grade", "absent", "path", "headers", "rules", "placeholders", "refused", "diagnostics"];

const DIAGNOSTIC_KEYS: &[&str] = &["rule", "message", "tool", "pointer"];

impl RequestPattern {
    pub(super) fn read(
        place: &Place<'_>,
        turn: usize,
        api: Option<Api>,
        folder: &super::case::Folder<'_>,
    ) -> FieldResult<Self> {
        let Some(api) = api else { return Err(place.error("a case about framing sends no request")) };
        let fields = place.object(KEYS)?;
        let list = |key: &str| fields.get(key).map(|list| list.items()).transpose().map(Option::unwrap_or_default);
        let pointers = |key: &str| list(key)?.iter().map(pointer).collect::<FieldResult<Vec<_>>>();
        let body = fields.get("body").map(|body| ExpectedBody::read(&body, folder)).transpose()?;
        let mut at = pointers("at")?;
        match (&body, fields.get("at")) {
            (None, Some(at)) => return Err(at.error("there is no `body` to compare with")),
            (Some(_), None) => at.push(String::new()),
            _ => {}
        }
        let rule = |place: &Place<'_>| {
            let id = place.string()?;
            let known = providers::rules(api).iter().any(|rule| rule.id == id);
            if known { Ok(id) } else { Err(place.error(format!("`{id}` is no rule of {api}"))) }
        };
        let headers = match fields.get("headers") {
            None => Vec::new(),
            Some(headers) => headers
                .entries()?
                .into_iter()
                .map(|(name, value)| Ok((name, if value.value.is_null() { None } else { Some(value.string()?) })))
                .collect::<FieldResult<_>>()?,
        };
        let pattern = Self {
            turn,
            body,
            at,
            grade: fields
                .get("grade")
                .map(|grade| grade.word(Grade::ALL, Grade::name))
                .transpose()?
                .unwrap_or(Grade::Exact),
            absent: pointers("absent")?,
            path: fields.get("path").map(|path| path.string()).transpose()?,
            headers,
            rules: list("rules")?.iter().map(rule).collect::<FieldResult<_>>()?,
            placeholders: fields.get("placeholders").map(|flag| flag.bool()).transpose()?.unwrap_or(false),
            refused: fields.get("refused").map(|kind| kind.string()).transpose()?,
            diagnostics: fields
                .get("diagnostics")
                .map(|list| objects(&list, DIAGNOSTIC_KEYS))
                .transpose()?
                .unwrap_or_default(),
        };
        let asserts = pattern.body.is_some()
            || pattern.path.is_some()
            || !pattern.absent.is_empty()
            || !pattern.headers.is_empty()
            || !pattern.rules.is_empty()
            || !pattern.diagnostics.is_empty();
        if pattern.refused.is_some() && asserts {
            return Err(place.error("of a request that is refused nothing else can be expected"));
        }
        if !asserts && pattern.refused.is_none() {
            return Err(place.error("an `outbound` that expects nothing checks nothing"));
        }
        Ok(pattern)
    }
}

fn pointer(place: &Place<'_>) -> FieldResult<String> {
    let pointer = place.string()?;
    if pointer.is_empty() || pointer.starts_with('/') {
        Ok(pointer)
    } else {
        Err(place.error(format!("`{pointer}` is no JSON pointer; it has to begin with /")))
    }
}

impl ExpectedBody {
    fn read(place: &Place<'_>, folder: &super::case::Folder<'_>) -> FieldResult<Self> {
        let file = super::case::own_file(place)?;
        let bytes = folder(&file).ok_or_else(|| place.error(format!("there is no file `{file}` beside case.json")))?;
        let text = std::str::from_utf8(bytes).map_err(|_| place.error(format!("`{file}` is not UTF-8")))?;
        // A line end at the end of the file is the editor's.
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = JsonText::new(text).map_err(|error| place.error(format!("`{file}` is not JSON: {error}")))?;
        Ok(Self { file, text })
    }
}
