//! One case: what and why, the request, the turns, the expectations.

use super::fields::{FieldError, FieldResult, Place};
use super::id::CaseId;
use super::level::{Class, Level};
use super::outbound::RequestPattern;
use super::pattern::{FramesPattern, TurnPattern};
use super::permutation::{Chunking, Newline, Permutation, Vary};
use super::script::ScriptedResult;
use super::version::{CorpusVersion, CorpusVersionError};
use crate::framing::End;
use crate::json::{Doc, JsonText, Style, Writer};
use crate::model::{Api, ApiError};

/// A case. It can only exist if it is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its permanent name.
    pub id: CaseId,
    /// What it shows, in a line.
    pub title: String,
    /// What clients get wrong here.
    pub why: String,
    /// Who sends such a stream.
    pub class: Class,
    /// How a failure counts.
    pub level: Level,
    /// What it speaks.
    pub subject: Subject,
    /// The compatible server whose dialect it is in.
    pub dialect: Option<String>,
    /// Tags, fault kinds among them.
    pub features: Vec<String>,
    /// The corpus version that first had it.
    pub since: CorpusVersion,
    /// Where it comes from.
    pub source: Vec<Source>,
    /// The neutral request.
    pub request: Option<JsonText>,
    /// The turns.
    pub turns: Vec<CaseTurn>,
    /// What the tools answer.
    pub tool_script: Vec<ScriptedResult>,
    /// What is expected of the requests.
    pub requests: Vec<RequestPattern>,
    vary: Vary,
    /// Parts that this version carries but does not judge, by key.
    pub unjudged: Vec<String>,
}

/// What a case is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An API.
    Api(Api),
    /// Framing alone.
    Framing,
}

impl Subject {
    /// The name in `case.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Api(api) => api.name(),
            Self::Framing => "framing",
        }
    }
}

/// Where a case comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// docs, sdk, issue, recording or rule.
    pub kind: String,
    /// What to look up.
    pub reference: String,
    /// What it says.
    pub says: String,
}

const SOURCE_KINDS: &[&str] = &["docs", "sdk", "issue", "recording", "rule"];

/// Kinds of sources that can carry a `must`: what a provider promises or was seen to send.
const MUST_SOURCES: &[&str] = &["docs", "sdk", "recording"];

/// One turn: the response that the target gets, and what is expected of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseTurn {
    /// The response.
    pub response: Response,
    /// What is expected; `None` if only parts that are not judged yet are.
    pub expect: Option<Expect>,
    /// Other results that pass, as lenient.
    pub accept: Vec<Accept>,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body's file.
    pub file: String,
    /// The body, expanded.
    pub body: Vec<u8>,
    /// How the connection ends.
    pub end: End,
    /// Offsets at which it matters to cut.
    pub cuts: Vec<usize>,
}

/// What is expected of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// A turn.
    Turn(TurnPattern),
    /// Frames.
    Frames(FramesPattern),
}

/// An accepted alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accept {
    /// Why it passes.
    pub why: String,
    /// What it is.
    pub expect: Expect,
}

/// What is wrong with a file of the corpus.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {message}{}", .line.map(|line| format!(":{line}")).unwrap_or_default(), if .pointer.is_empty() { String::new() } else { format!(" (at {})", .pointer) })]
pub struct CorpusError {
    /// The file below the corpus.
    pub path: String,
    /// Its line, where known.
    pub line: Option<usize>,
    /// The JSON pointer, where there is one.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

impl CorpusError {
    pub(super) fn new(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, pointer: String::new(), message: message.into() }
    }

    pub(super) fn field(path: &str, text: &str, error: FieldError) -> Self {
        let before = text.get(..error.at).unwrap_or("");
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        Self { path: path.to_owned(), line: Some(line), pointer: error.pointer, message: error.message }
    }
}

/// Gives the files of one case's folder.
pub(super) type Folder<'f> = dyn Fn(&str) -> Option<&'f [u8]> + 'f;

/// Keys of a turn.
const TURN_KEYS: &[&str] = &["response", "expect", "accept", "outbound"];

/// The name of a file that lies in the case's own folder.
pub(super) fn own_file(place: &Place<'_>) -> FieldResult<String> {
    let file = place.string()?;
    if file.is_empty() || file.contains(['/', '\\']) || file.starts_with('.') {
        return Err(place.error(format!("`{file}` is not a file of the case's own folder")));
    }
    Ok(file)
}

/// Parts of a case that later versions judge.
const UNJUDGED_CASE: &[&str] =
    &["tools", "hooks", "policies", "approvals", "limits", "abortAfter", "trace", "traceMatch"];

impl Case {
    /// Builds a case from the text of its `case.json` and the files beside it.
    pub(super) fn read(id: CaseId, text: &str, folder: &Folder<'_>) -> Result<Self, CorpusError> {
        let path = format!("{id}/case.json");
        let doc = Doc::parse(text).map_err(|error| {
            let at = FieldError { pointer: String::new(), at: error.at, message: format!("not JSON: {error}") };
            CorpusError::field(&path, text, at)
        })?;
        Self::read_fields(id, &Place::root(doc.root()), folder).map_err(|e| CorpusError::field(&path, text, e))
    }

    fn read_fields(id: CaseId, place: &Place<'_>, folder: &Folder<'_>) -> FieldResult<Self> {
        let mut keys = vec![
            "title",
            "why",
            "class",
            "level",
            "api",
            "dialect",
            "features",
            "since",
            "source",
            "request",
            "turns",
            "toolScript",
            "vary",
        ];
        keys.extend(UNJUDGED_CASE);
        let fields = place.object(&keys)?;
        let api = fields.required("api")?;
        let subject = match api.string()?.as_str() {
            "framing" => Subject::Framing,
            name => Subject::Api(name.parse().map_err(|error: ApiError| api.error(error.to_string()))?),
        };
        if id.folder() != subject.name() && id.folder() != "conversations" {
            return Err(api.error(format!("the case lies in `{}`, its api is `{}`", id.folder(), subject.name())));
        }
        let level = fields.required("level")?;
        let source = fields.required("source")?;
        let sources: Vec<Source> = source.items()?.iter().map(Source::read).collect::<FieldResult<_>>()?;
        if sources.is_empty() {
            return Err(source.error("a case names at least one source"));
        }
        let level_word = level.word(Level::ALL, Level::name)?;
        if level_word == Level::Must && !sources.iter().any(|source| MUST_SOURCES.contains(&source.kind.as_str())) {
            return Err(level.error(format!("level `must` needs a source of kind {}", MUST_SOURCES.join(", "))));
        }
        let since = fields.required("since")?;
        let turns_place = fields.required("turns")?;
        let unjudged: Vec<String> =
            UNJUDGED_CASE.iter().filter(|key| fields.get(key).is_some()).map(|key| (*key).to_owned()).collect();
        let mut turns = Vec::new();
        let mut requests = Vec::new();
        let api = match subject {
            Subject::Api(api) => Some(api),
            Subject::Framing => None,
        };
        for (number, turn) in turns_place.items()?.iter().enumerate() {
            let turn_fields = turn.object(TURN_KEYS)?;
            if let Some(outbound) = turn_fields.get("outbound") {
                requests.push(RequestPattern::read(&outbound, number, api, folder)?);
            }
            // A turn that is only about the request has no response.
            if turn_fields.get("response").is_some() {
                turns.push(CaseTurn::read(turn, subject, folder)?);
            } else if turn_fields.get("expect").is_some() || turn_fields.get("accept").is_some() {
                return Err(turn.error("a turn that expects something needs a response"));
            }
        }
        if turns.iter().all(|turn| turn.expect.is_none()) && requests.is_empty() && unjudged.is_empty() {
            return Err(turns_place.error("the case expects nothing"));
        }
        if let (Some(first), None) = (requests.first(), fields.get("request")) {
            return Err(
                turns_place.error(format!("turn {} expects a request, and there is no `request` to send", first.turn))
            );
        }
        Ok(Self {
            id,
            title: fields.text("title")?,
            why: fields.text("why")?,
            class: fields.required("class")?.word(Class::ALL, Class::name)?,
            level: level_word,
            subject,
            dialect: fields.get("dialect").map(|dialect| dialect.string()).transpose()?,
            features: fields.required("features")?.strings()?,
            since: since.string()?.parse().map_err(|error: CorpusVersionError| since.error(error.to_string()))?,
            source: sources,
            request: fields.get("request").map(|request| JsonText::of(request.value)),
            turns,
            requests,
            tool_script: fields
                .get("toolScript")
                .map(|script| script.items()?.iter().map(ScriptedResult::read).collect())
                .transpose()?
                .unwrap_or_default(),
            vary: fields.get("vary").map(|vary| Vary::read(&vary)).transpose()?.unwrap_or_default(),
            unjudged,
        })
    }

    /// A recorded response as a case: whatever target reads it has to find `expect`.
    pub fn recorded(id: CaseId, api: Api, request: Option<JsonText>, response: Response, expect: TurnPattern) -> Self {
        Self {
            title: format!("recording {id}"),
            why: "real traffic".to_owned(),
            class: Class::Legal,
            level: Level::Should,
            subject: Subject::Api(api),
            dialect: None,
            features: vec!["recording".to_owned()],
            since: CorpusVersion::NONE,
            source: vec![Source {
                kind: "recording".to_owned(),
                reference: id.to_string(),
                says: "what a provider sent".to_owned(),
            }],
            request,
            turns: vec![CaseTurn { response, expect: Some(Expect::Turn(expect)), accept: Vec::new() }],
            requests: Vec::new(),
            tool_script: Vec::new(),
            vary: Vary::default(),
            unjudged: Vec::new(),
            id,
        }
    }

    /// Every permutation of the case.
    pub fn permutations(&self) -> Vec<Permutation> {
        if self.turns.is_empty() {
            // There is no response to cut.
            return vec![Permutation { chunking: Chunking::Plan(crate::framing::ChunkPlan::Whole), newline: None }];
        }
        self.vary.permutations(self.turns.iter().any(|turn| !turn.response.cuts.is_empty()))
    }

    /// The name of a permutation: `chunking=byte,newline=lf`.
    pub fn name_of(&self, permutation: &Permutation) -> String {
        let own = || self.turns.first().map_or(Newline::Lf, |turn| Newline::of(&turn.response.body));
        let newline = permutation.newline.unwrap_or_else(own);
        format!("chunking={},newline={}", permutation.chunking, newline.name())
    }
}

impl Response {
    /// The body with the line ends of a permutation.
    pub fn bytes(&self, permutation: &Permutation) -> std::borrow::Cow<'_, [u8]> {
        match permutation.newline {
            Some(newline) => newline.rewrite(&self.body),
            None => std::borrow::Cow::Borrowed(&self.body),
        }
    }

    /// The chunk plan of a permutation.
    pub fn plan(&self, permutation: &Permutation) -> crate::framing::ChunkPlan {
        match &permutation.chunking {
            Chunking::Plan(plan) => plan.clone(),
            Chunking::Cuts => crate::framing::ChunkPlan::Offsets(self.cuts.clone()),
        }
    }
}

impl Source {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(&["kind", "ref", "says"])?;
        let kind = fields.required("kind")?.word(SOURCE_KINDS, |kind| kind)?;
        Ok(Self { kind: kind.to_owned(), reference: fields.text("ref")?, says: fields.text("says")? })
    }
}

impl CaseTurn {
    fn read(place: &Place<'_>, subject: Subject, folder: &Folder<'_>) -> FieldResult<Self> {
        let fields = place.object(TURN_KEYS)?;
        let response_place = fields.required("response")?;
        let response_fields = response_place.object(&["status", "headers", "body", "end", "cuts", "expand"])?;
        let expand = Expand::read(response_fields.get("expand"))?;
        let response = Response::read(&response_fields, &expand, folder)?;
        let expect = match fields.get("expect") {
            None => None,
            Some(expect) => Some(Expect::read(&expect, subject, &expand)?),
        };
        if let (None, Some(accept)) = (&expect, fields.get("accept")) {
            return Err(accept.error("alternatives need an `expect`"));
        }
        let mut accept = Vec::new();
        for alternative in fields.get("accept").map(|list| list.items()).transpose()?.unwrap_or_default() {
            let fields = alternative.object(&["grade", "why", "expect"])?;
            fields.required("grade")?.word(&["lenient"], |grade| grade)?;
            let expect = Expect::read(&fields.required("expect")?, subject, &expand)?;
            accept.push(Accept { why: fields.text("why")?, expect });
        }
        Ok(Self { response, expect, accept })
    }
}

impl Response {
    fn read(fields: &super::fields::Fields<'_>, expand: &Expand, folder: &Folder<'_>) -> FieldResult<Self> {
        let body = fields.required("body")?;
        let file = own_file(&body)?;
        let bytes = folder(&file).ok_or_else(|| body.error(format!("there is no file `{file}` beside case.json")))?;
        let status = match fields.get("status") {
            None => 200,
            Some(status) => u16::try_from(status.count()?)
                .ok()
                .filter(|code| (100..600).contains(code))
                .ok_or_else(|| status.error("an HTTP status is a number from 100 to 599"))?,
        };
        let headers = match fields.get("headers") {
            None => Vec::new(),
            Some(headers) => headers
                .entries()?
                .into_iter()
                .map(|(name, value)| Ok((name, value.string()?)))
                .collect::<FieldResult<_>>()?,
        };
        let end = match fields.get("end") {
            None => End::Eof,
            Some(end) => end.word(&[End::Eof, End::Reset, End::Stall], |end| match end {
                End::Eof => "eof",
                End::Reset => "reset",
                End::Stall => "stall",
            })?,
        };
        let body = expand
            .bytes(bytes)
            .ok_or_else(|| body.error(format!("the body is longer than {MAX_EXPANSION} bytes once it is expanded")))?;
        let cuts = match fields.get("cuts") {
            None => Vec::new(),
            Some(cuts) => {
                let offset = |place: &Place<'_>| {
                    let at = usize::try_from(place.count()?).unwrap_or(usize::MAX);
                    if at == 0 || at >= body.len() {
                        return Err(place.error(format!("offset {at} is not inside the body of {} bytes", body.len())));
                    }
                    Ok(at)
                };
                cuts.items()?.iter().map(offset).collect::<FieldResult<_>>()?
            }
        };
        Ok(Self { status, headers, file, body, end, cuts })
    }
}

impl Expect {
    fn read(place: &Place<'_>, subject: Subject, expand: &Expand) -> FieldResult<Self> {
        let read = |place: &Place<'_>| match subject {
            Subject::Framing => FramesPattern::read(place).map(Self::Frames),
            Subject::Api(_) => TurnPattern::read(place).map(Self::Turn),
        };
        if place.value.kind() == crate::json::Kind::Object && place.value.members().next().is_none() {
            return Err(place.error("an expectation without any key checks nothing"));
        }
        let Some(text) = expand.json(place.value.raw()) else { return read(place) };
        let doc = Doc::parse(text).map_err(|error| place.error(format!("not JSON once expanded: {error}")))?;
        // Offsets in the expanded text mean nothing to the reader of the file.
        read(&Place::root(doc.root())).map_err(|error| place.error(format!("{} {}", error.pointer, error.message)))
    }
}

/// Markers that stand for long repetitions, so that files stay short.
struct Expand(Vec<(String, String)>);

/// The longest text that one marker may stand for, and the longest body once all are expanded, in bytes.
const MAX_EXPANSION: u64 = 32 << 20;

impl Expand {
    fn read(place: Option<Place<'_>>) -> FieldResult<Self> {
        let Some(place) = place else { return Ok(Self(Vec::new())) };
        let entry = |(marker, value): (String, Place<'_>)| {
            let fields = value.object(&["repeat", "times"])?;
            let (repeat, times) = (fields.required("repeat")?.string()?, fields.required("times")?.count()?);
            if marker.is_empty() || times.saturating_mul(repeat.len() as u64) > MAX_EXPANSION {
                return Err(value.error(format!("a marker stands for at most {MAX_EXPANSION} bytes")));
            }
            Ok((marker, repeat.repeat(usize::try_from(times).unwrap_or(0))))
        };
        place.entries()?.into_iter().map(entry).collect::<FieldResult<_>>().map(Self)
    }

    /// The body with its markers expanded; `None` if it gets too long.
    fn bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out = bytes.to_vec();
        for (marker, text) in &self.0 {
            let mut expanded = Vec::with_capacity(out.len());
            let mut rest = &out[..];
            while let Some(at) = memchr::memmem::find(rest, marker.as_bytes()) {
                let (before, after) = rest.split_at_checked(at).unwrap_or((rest, &[]));
                expanded.extend_from_slice(before);
                expanded.extend_from_slice(text.as_bytes());
                rest = after.get(marker.len()..).unwrap_or(&[]);
                if expanded.len() as u64 > MAX_EXPANSION {
                    return None;
                }
            }
            expanded.extend_from_slice(rest);
            out = expanded;
        }
        Some(out)
    }

    /// The JSON text with the markers in its strings expanded; `None` if there are none.
    fn json(&self, raw: &str) -> Option<String> {
        if !self.0.iter().any(|(marker, _)| raw.contains(marker)) {
            return None;
        }
        let mut out = raw.to_owned();
        for (marker, text) in &self.0 {
            let mut writer = Writer::new(Style::Compact);
            writer.string(text);
            let quoted = writer.finish();
            out = out.replace(marker, quoted.trim_matches('"'));
        }
        Some(out)
    }
}
