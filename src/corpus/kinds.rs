//! The kinds of faults, and which of them the corpus covers where.

use super::case::{Case, CorpusError};
use super::fields::{FieldResult, Place};
use crate::json::Doc;

/// A kind of fault that real clients had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultKind {
    /// The tag in a case's `features`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// What happens on the wire.
    pub says: String,
    /// What it is about.
    pub scope: KindScope,
    /// Columns in which it cannot occur, with the reason.
    pub not_applicable: Vec<(String, String)>,
}

/// What a kind of fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindScope {
    /// What a client reads out of a stream.
    Calls,
    /// How the bytes of a stream are framed.
    Framing,
    /// What a client sends.
    Requests,
}

impl KindScope {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Calls, Self::Framing, Self::Requests];

    /// The name in `kinds.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Framing => "framing",
            Self::Requests => "requests",
        }
    }
}

/// One cell of the coverage table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Cases that cover it.
    Covered(usize),
    /// It cannot occur; why.
    NotApplicable(String),
    /// Nothing covers it.
    Empty,
}

/// Reads `kinds.json`.
pub(super) fn read(text: &str) -> Result<Vec<FaultKind>, CorpusError> {
    let doc = Doc::parse(text).map_err(|error| CorpusError::new("kinds.json", format!("not JSON: {error}")))?;
    let root = Place::root(doc.root());
    let kinds = || -> FieldResult<Vec<FaultKind>> {
        root.object(&["kinds"])?.required("kinds")?.items()?.iter().map(FaultKind::read).collect()
    };
    kinds().map_err(|error| CorpusError::field("kinds.json", text, error))
}

impl FaultKind {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(&["id", "scope", "title", "says", "notApplicable"])?;
        let scope = fields.required("scope")?.word(KindScope::ALL, KindScope::name)?;
        let not_applicable = match fields.get("notApplicable") {
            None => Vec::new(),
            Some(map) => {
                map.entries()?.into_iter().map(|(api, why)| Ok((api, why.string()?))).collect::<FieldResult<_>>()?
            }
        };
        Ok(Self {
            id: fields.text("id")?,
            title: fields.text("title")?,
            says: fields.text("says")?,
            scope,
            not_applicable,
        })
    }

    /// The cell of this kind in the column of a folder.
    pub fn cell(&self, column: &str, cases: &[Case]) -> Cell {
        let covers = |case: &&Case| case.id.folder() == column && case.features.contains(&self.id);
        let count = cases.iter().filter(covers).count();
        let reason = self.not_applicable.iter().find(|(api, _)| api == column).map(|(_, why)| why.clone());
        match (count, reason) {
            (0, Some(why)) => Cell::NotApplicable(why),
            (0, None) if column == "framing" && self.scope != KindScope::Framing => {
                Cell::NotApplicable(format!("framing alone has no {}", self.scope.name()))
            }
            (0, None) => Cell::Empty,
            (count, _) => Cell::Covered(count),
        }
    }
}
