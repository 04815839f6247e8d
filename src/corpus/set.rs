//! The whole corpus.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, CorpusError};
use super::fields::{FieldResult, Place};
use super::id::CaseId;
use super::kinds::{self, FaultKind};
use super::version::{CorpusVersion, CorpusVersionError};
use crate::json::Doc;

/// The files of a corpus by their path below its folder, with `/` between segments.
pub type Files<'a> = BTreeMap<String, std::borrow::Cow<'a, [u8]>>;

/// All cases and what is said about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    /// The calendar version, if it has one.
    pub version: Option<CorpusVersion>,
    /// The cases, by id.
    pub cases: Vec<Case>,
    /// The kinds of faults.
    pub kinds: Vec<FaultKind>,
    /// Old ids and what they are called now.
    pub renames: BTreeMap<String, CaseId>,
    /// Ids that are gone, and why.
    pub retired: BTreeMap<String, String>,
}

impl Corpus {
    /// Builds the corpus from its files.
    ///
    /// # Errors
    /// Every fault that was found, not only the first.
    pub fn build(files: &Files<'_>) -> Result<Self, Vec<CorpusError>> {
        let mut errors = Vec::new();
        let version = or_push(version(files), &mut errors);
        let kinds =
            or_push(text(files, "kinds.json").and_then(|text| text.map_or(Ok(Vec::new()), kinds::read)), &mut errors);
        let mut cases = Vec::new();
        for (path, bytes) in files {
            let Some(folder) = path.strip_suffix("/case.json") else { continue };
            match case(files, folder, bytes) {
                Ok(case) => cases.push(case),
                Err(error) => errors.push(error),
            }
        }
        for path in files.keys() {
            errors.extend(misplaced(path, files));
        }
        let renames = or_push(renames(files), &mut errors);
        let retired = or_push(retired(files), &mut errors);
        let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        for (old, new) in &renames {
            if ids.contains(old.as_str()) {
                errors.push(CorpusError::new("renames.json", format!("`{old}` is renamed, but there is such a case")));
            }
            if !ids.contains(new.as_str()) && !retired.contains_key(new.as_str()) {
                errors
                    .push(CorpusError::new("renames.json", format!("`{old}` is renamed to `{new}`, which is no case")));
            }
        }
        for id in retired.keys().filter(|id| ids.contains(id.as_str())) {
            errors.push(CorpusError::new("retired.json", format!("`{id}` is retired, but there is such a case")));
        }
        errors.extend(kind_errors(&cases, &kinds));
        errors.extend(dialect_errors(&cases));
        if errors.is_empty() { Ok(Self { version, cases, kinds, renames, retired }) } else { Err(errors) }
    }

    /// The version as reports name it.
    pub fn version_name(&self) -> String {
        self.version.map_or_else(|| "unversioned".to_owned(), |version| version.to_string())
    }

    /// The case of this id, by its old name too.
    pub fn case(&self, id: &str) -> Option<&Case> {
        let id = self.renames.get(id).map_or(id, CaseId::as_str);
        self.cases.iter().find(|case| case.id.as_str() == id)
    }

    /// The columns of the coverage table: the folders that hold cases.
    pub fn columns(&self) -> Vec<&str> {
        let folders: BTreeSet<&str> = self.cases.iter().map(|case| case.id.folder()).collect();
        folders.into_iter().collect()
    }
}

fn or_push<T: Default>(result: Result<T, CorpusError>, errors: &mut Vec<CorpusError>) -> T {
    result.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

fn text<'f>(files: &'f Files<'_>, path: &str) -> Result<Option<&'f str>, CorpusError> {
    let Some(bytes) = files.get(path) else { return Ok(None) };
    std::str::from_utf8(bytes).map(Some).map_err(|_| CorpusError::new(path, "not UTF-8"))
}

/// A corpus of one's own need not have a version.
fn version(files: &Files<'_>) -> Result<Option<CorpusVersion>, CorpusError> {
    let version = text(files, "VERSION")?.map(|version| version.trim().parse());
    version.transpose().map_err(|error: CorpusVersionError| CorpusError::new("VERSION", error.to_string()))
}

fn case(files: &Files<'_>, folder: &str, bytes: &[u8]) -> Result<Case, CorpusError> {
    let path = format!("{folder}/case.json");
    let id = CaseId::new(folder).map_err(|error| CorpusError::new(&path, error.to_string()))?;
    let text = std::str::from_utf8(bytes).map_err(|_| CorpusError::new(&path, "not UTF-8"))?;
    Case::read(id, text, &|name| files.get(&format!("{folder}/{name}")).map(|bytes| &**bytes))
}

/// A folder with a stream and no `case.json` is a case that nobody would run.
fn misplaced(path: &str, files: &Files<'_>) -> Option<CorpusError> {
    let (folder, _) = path.rsplit_once('/')?;
    let is_case = folder.contains('/') && !files.contains_key(&format!("{folder}/case.json"));
    is_case.then(|| CorpusError::new(path, format!("`{folder}` has no case.json")))
}

fn entries(files: &Files<'_>, path: &str, key: &str) -> Result<Vec<(String, String)>, CorpusError> {
    let Some(text) = text(files, path)? else { return Ok(Vec::new()) };
    let doc = Doc::parse(text).map_err(|error| CorpusError::new(path, format!("not JSON: {error}")))?;
    let root = Place::root(doc.root());
    let read = || -> FieldResult<Vec<(String, String)>> {
        let map = root.object(&[key])?.required(key)?;
        map.entries()?.into_iter().map(|(id, value)| Ok((id, value.string()?))).collect()
    };
    read().map_err(|error| CorpusError::field(path, text, error))
}

fn renames(files: &Files<'_>) -> Result<BTreeMap<String, CaseId>, CorpusError> {
    let id = |text: &str| CaseId::new(text).map_err(|error| CorpusError::new("renames.json", error.to_string()));
    entries(files, "renames.json", "renames")?
        .into_iter()
        .map(|(old, new)| Ok((id(&old)?.as_str().to_owned(), id(&new)?)))
        .collect()
}

fn retired(files: &Files<'_>) -> Result<BTreeMap<String, String>, CorpusError> {
    let wrong = |message: String| CorpusError::new("retired.json", message);
    let entry = |(id, why): (String, String)| {
        let id = CaseId::new(&id).map_err(|error| wrong(error.to_string()))?;
        if why.trim().is_empty() {
            return Err(wrong(format!("`{id}` has no reason")));
        }
        Ok((id.as_str().to_owned(), why))
    };
    entries(files, "retired.json", "retired")?.into_iter().map(entry).collect()
}

/// A case may not be called like a dialect: `api/dialect` names a server.
fn dialect_errors(cases: &[Case]) -> Vec<CorpusError> {
    let dialects: BTreeSet<&str> = cases.iter().filter_map(|case| case.dialect.as_deref()).collect();
    let slug = |case: &Case| case.id.as_str().split('/').nth(1).is_some_and(|slug| dialects.contains(slug));
    let named = cases.iter().filter(|case| slug(case));
    named.map(|case| CorpusError::new(&format!("{}/case.json", case.id), "the slug is the name of a dialect")).collect()
}

/// Every case is tagged with a kind, if the corpus has kinds at all.
fn kind_errors(cases: &[Case], kinds: &[FaultKind]) -> Vec<CorpusError> {
    let tagged = |case: &Case| case.features.iter().any(|feature| kinds.iter().any(|kind| kind.id == *feature));
    let untagged = cases.iter().filter(|case| !kinds.is_empty() && !tagged(case));
    untagged
        .map(|case| CorpusError {
            pointer: "/features".to_owned(),
            ..CorpusError::new(
                &format!("{}/case.json", case.id),
                "no feature is a fault kind of kinds.json; `toolwire list --coverage` shows the kinds",
            )
        })
        .collect()
}
