//! The lines of `report.jsonl`: what is written while a run goes, and what every rendering is made from.

use crate::check::CheckResult;
use crate::corpus::{Class, Level};
use crate::verdict::{Outcome, Verdict};

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// Version of toolwire.
    pub toolwire: String,
    /// Version of the corpus.
    pub corpus: String,
    /// The targets, in the order of the run.
    pub targets: Vec<TargetLine>,
    /// The options that selected the cases, as typed: name and value, equal names next to each other.
    pub selection: Vec<(String, String)>,
    /// The seed of seeded plans.
    pub seed: u64,
}

/// What a target said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TargetLine {
    /// Its name in the configuration.
    pub name: String,
    /// Version of the client.
    pub version: Option<String>,
    /// Language of the client.
    pub language: Option<String>,
}

impl From<&str> for TargetLine {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// One permutation of one case on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseLine {
    /// The target.
    pub target: String,
    /// The way in which the target's client was used, if it has several.
    pub surface: Option<String>,
    /// The case's id.
    pub case: String,
    /// The case's title.
    pub title: String,
    /// `axis=value,…`.
    pub permutation: String,
    /// The case's class.
    pub class: Class,
    /// The case's level.
    pub level: Level,
    /// What happened.
    pub outcome: Outcome,
    /// What that means, given the expectations.
    pub verdict: Verdict,
    /// True if the verdict makes the run red.
    pub red: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Every check that was asserted.
    pub checks: Vec<CheckResult>,
    /// What went wrong, for outcomes that are not about checks; the reason for unsupported.
    pub message: Option<String>,
    /// The reason that the deciding entry of the expectations gives.
    pub reason: Option<String>,
    /// Where to look, when a check failed.
    pub evidence: Option<Evidence>,
}

/// Where in the response a failure shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// The body file below the case's folder.
    pub response: String,
    /// The offsets at which the response was cut.
    pub cuts: Vec<usize>,
    /// The frames around the failure.
    pub frames: Vec<FrameExcerpt>,
    /// The body that the client sent, shortened, when a check of it failed.
    pub request: Option<String>,
    /// The end of what the target wrote to stderr.
    pub stderr: Option<String>,
}

/// One frame of the response, shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameExcerpt {
    /// Counts the frames of the response from 0.
    pub number: u32,
    /// Offset of its first byte.
    pub start: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// The event name, if any.
    pub event: String,
    /// The beginning of its data.
    pub data: String,
}

/// The last line; without it the run was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// How many lines have each verdict, in the order of [`Verdict::ALL`], zeros included.
    pub counts: Vec<(Verdict, u64)>,
    /// Entries of the expectations that match nothing in the corpus: pattern and line in the file.
    pub stale: Vec<(String, usize)>,
    /// Entries whose reason still says `(unreviewed)`.
    pub unreviewed: u64,
    /// The exit code of the run.
    pub exit: u8,
    /// False if the run was stopped before its end.
    pub complete: bool,
}

impl CaseLine {
    /// What no two lines of a report share: target, surface, case, permutation.
    pub fn key(&self) -> (&str, &str, &str, &str) {
        (&self.target, self.surface.as_deref().unwrap_or(""), &self.case, &self.permutation)
    }

    /// The target, with the surface behind a slash.
    pub fn label(&self) -> String {
        match &self.surface {
            Some(surface) => format!("{}/{surface}", self.target),
            None => self.target.clone(),
        }
    }

    /// `case#axis=value,…`, as `--case` takes it.
    pub fn id(&self) -> String {
        if self.permutation.is_empty() { self.case.clone() } else { format!("{}#{}", self.case, self.permutation) }
    }

    /// The case's folder: an API, `framing` or `conversations`.
    pub fn folder(&self) -> &str {
        self.case.split('/').next().unwrap_or("")
    }
}

/// Any line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The first one.
    Header(Header),
    /// One for each permutation.
    Case(Box<CaseLine>),
    /// The last one.
    Footer(Footer),
}
