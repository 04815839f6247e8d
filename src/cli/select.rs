//! Options that choose cases, shared by the subcommands that read the corpus.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::corpus::{CaseGlob, Corpus, Level};
use crate::harness::{Selection, SubjectFilter};
use crate::load;

#[derive(Debug, clap::Args)]
pub(super) struct SelectArgs {
    /// Only this API, API/DIALECT, or framing; may be given several times
    #[arg(long, value_name = "API")]
    pub(super) api: Vec<SubjectFilter>,

    /// Only cases that match: api/slug, * within a segment, ** across, #axis=value for permutations; may be
    /// given several times
    #[arg(long = "case", value_name = "GLOB")]
    pub(super) case: Vec<CaseGlob>,

    /// Only cases of this level: must, should or info; may be given several times
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(super) level: Vec<Level>,

    /// Only cases with this feature or fault kind; may be given several times, all must hold
    #[arg(long, value_name = "FEATURE")]
    pub(super) feature: Vec<String>,

    /// The corpus in this folder instead of the embedded one
    #[arg(long, value_name = "DIR")]
    pub(super) corpus: Option<PathBuf>,
}

fn level(text: &str) -> Result<Level, String> {
    word(text, Level::ALL, Level::name)
}

/// One of a few words.
pub(super) fn word<T: Copy>(text: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    let known = || all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", ");
    all.iter().copied().find(|one| name(*one) == text).ok_or_else(|| format!("use one of {}", known()))
}

impl SelectArgs {
    /// The corpus that was named.
    pub(super) fn load(&self) -> anyhow::Result<Corpus> {
        corpus(self.corpus.as_deref())
    }

    /// The selection, with every permutation.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            apis: self.api.clone(),
            cases: self.case.clone(),
            levels: self.level.clone(),
            features: self.feature.clone(),
            ..Selection::default()
        }
    }

    /// The options as typed, for the report.
    pub(super) fn typed(&self) -> Vec<(String, String)> {
        let mut typed: Vec<(&str, String)> = self.api.iter().map(|api| ("api", api.to_string())).collect();
        typed.extend(self.case.iter().map(|glob| ("case", glob.as_str().to_owned())));
        typed.extend(self.level.iter().map(|level| ("level", level.name().to_owned())));
        typed.extend(self.feature.iter().map(|feature| ("feature", feature.clone())));
        typed.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The corpus in a folder, or the embedded one.
pub(super) fn corpus(dir: Option<&Path>) -> anyhow::Result<Corpus> {
    match dir {
        Some(dir) => {
            let name = dir.display();
            let corpus = load::corpus_in(dir).with_context(|| format!("failed to load the corpus in `{name}`"))?;
            if corpus.cases.is_empty() {
                bail!("no case in `{name}`; a case is a folder API/SLUG with a case.json (`toolwire new` begins one)");
            }
            Ok(corpus)
        }
        None => load::embedded_corpus().context("failed to load the embedded corpus"),
    }
}
