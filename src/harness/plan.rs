//! What will be run: pure, from the corpus and what was selected.

use std::fmt;
use std::str::FromStr;

use super::shard::Shard;
use crate::corpus::{Case, CaseGlob, Chunking, Class, Corpus, CorpusVersion, Grade, Level, Permutation, Subject};
use crate::framing::ChunkPlan;
use crate::model::{ApiError, ApiName};

/// How much time a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Some 60 legal cases, whole and cut.
    Smoke,
    /// Every case, whole and with one seeded cut of at most eight pieces.
    Standard,
    /// Every case, every permutation.
    Full,
}

impl Tier {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Smoke, Self::Standard, Self::Full];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            apis: Vec::new(),
            cases: Vec::new(),
            levels: Vec::new(),
            features: Vec::new(),
            tier: Tier::Full,
            shard: None,
            max_since: None,
            seed: 0,
            at_least: None,
        }
    }
}

/// How many cases the smoke tier takes at most.
const SMOKE_CASES: usize = 60;

/// What was selected. Empty lists select everything.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Only these APIs (and dialects, where one is named), or framing alone.
    pub apis: Vec<SubjectFilter>,
    /// Only cases, and permutations, that one of these matches.
    pub cases: Vec<CaseGlob>,
    /// Only cases of one of these levels.
    pub levels: Vec<Level>,
    /// Only cases with all of these features.
    pub features: Vec<String>,
    /// How many permutations.
    pub tier: Tier,
    /// Only one part.
    pub shard: Option<Shard>,
    /// Only cases of this corpus version or an earlier one.
    pub max_since: Option<CorpusVersion>,
    /// The seed of seeded plans.
    pub seed: u64,
    /// The mildest grade in which requests are compared, whatever a case asks for.
    pub at_least: Option<Grade>,
}

/// What cases are about, written API, API/DIALECT, or `framing`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectFilter {
    /// An API, in one dialect or in all.
    Api(ApiName),
    /// Framing alone.
    Framing,
}

impl SubjectFilter {
    fn takes(&self, case: &Case) -> bool {
        match self {
            Self::Framing => case.subject == Subject::Framing,
            Self::Api(name) => {
                case.subject == Subject::Api(name.api)
                    && name.dialect.as_ref().is_none_or(|dialect| case.dialect.as_ref() == Some(dialect))
            }
        }
    }
}

impl FromStr for SubjectFilter {
    type Err = ApiError;

    fn from_str(text: &str) -> Result<Self, ApiError> {
        if text == Subject::Framing.name() { Ok(Self::Framing) } else { text.parse().map(Self::Api) }
    }
}

impl fmt::Display for SubjectFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Framing => f.write_str(Subject::Framing.name()),
            Self::Api(ApiName { api, dialect: None }) => api.fmt(f),
            Self::Api(ApiName { api, dialect: Some(dialect) }) => write!(f, "{api}/{dialect}"),
        }
    }
}

/// A case and the permutations that are run of it.
#[derive(Debug, Clone)]
pub struct Unit<'c> {
    /// The case.
    pub case: &'c Case,
    /// Its permutations, in order.
    pub permutations: Vec<Permutation>,
}

/// What will be run, in order.
#[derive(Debug, Clone)]
pub struct Plan<'c> {
    /// The units, by case id.
    pub units: Vec<Unit<'c>>,
    /// The mildest grade in which requests are compared.
    pub at_least: Option<Grade>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A pattern that no case of the corpus matches: probably a typo.
    #[error("no case matches `{pattern}`; {}", near(.hint.as_deref()))]
    NoSuchCase {
        /// The pattern.
        pattern: String,
        /// An id that is close.
        hint: Option<String>,
    },
    /// A case that is gone.
    #[error("`{id}` is retired: {why}")]
    Retired {
        /// The old id.
        id: String,
        /// Why it is gone.
        why: String,
    },
    /// A feature that no case has.
    #[error(
        "no case has the feature `{0}`; `toolwire list --coverage` shows the fault kinds, `toolwire list --format json` every feature"
    )]
    NoSuchFeature(String),
}

fn near(hint: Option<&str>) -> String {
    hint.map_or_else(|| "`toolwire list` shows them".to_owned(), |hint| format!("did you mean `{hint}`?"))
}

impl<'c> Plan<'c> {
    /// Selects from the corpus. The plan may be empty.
    ///
    /// # Errors
    /// If something that was named does not exist.
    pub fn new(corpus: &'c Corpus, selection: &Selection) -> Result<Self, PlanError> {
        let globs = selection.cases.iter().map(|glob| renamed(corpus, glob)).collect::<Result<Vec<_>, _>>()?;
        if let Some(unknown) = selection.features.iter().find(|f| !corpus.cases.iter().any(|c| c.features.contains(f)))
        {
            return Err(PlanError::NoSuchFeature(unknown.clone()));
        }
        let chosen = corpus.cases.iter().filter(|case| selects(selection, case));
        let chosen = chosen.filter(|case| globs.is_empty() || globs.iter().any(|glob| glob.matches_case(&case.id)));
        let mut cases: Vec<&Case> = chosen.collect();
        if selection.tier == Tier::Smoke {
            cases = smoke(cases);
        }
        let cases = cases
            .into_iter()
            .enumerate()
            .filter(|(position, case)| selection.shard.is_none_or(|shard| shard.holds(&case.id, *position)));
        let units = cases
            .map(|(_, case)| {
                let mut permutations = permutations(case, selection);
                permutations.retain(|permutation| {
                    let name = case.name_of(permutation);
                    globs.is_empty() || globs.iter().any(|glob| glob.matches(&case.id, &name))
                });
                Unit { case, permutations }
            })
            .filter(|unit| !unit.permutations.is_empty())
            .collect();
        Ok(Self { units, at_least: selection.at_least })
    }

    /// How many permutations the plan has.
    pub fn len(&self) -> usize {
        self.units.iter().map(|unit| unit.permutations.len()).sum()
    }

    /// True if nothing was selected.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }
}

fn selects(selection: &Selection, case: &Case) -> bool {
    let api = selection.apis.is_empty() || selection.apis.iter().any(|filter| filter.takes(case));
    api && (selection.levels.is_empty() || selection.levels.contains(&case.level))
        && selection.features.iter().all(|feature| case.features.contains(feature))
        && selection.max_since.is_none_or(|max| case.since <= max)
}

/// A pattern under the new name of a case that was renamed; an error if nothing goes by it.
fn renamed(corpus: &Corpus, glob: &CaseGlob) -> Result<CaseGlob, PlanError> {
    if corpus.cases.iter().any(|case| glob.matches_case(&case.id)) {
        return Ok(glob.clone());
    }
    let (id, axes) = glob.as_str().split_once('#').unwrap_or((glob.as_str(), ""));
    if let Some(why) = corpus.retired.get(id) {
        return Err(PlanError::Retired { id: id.to_owned(), why: why.clone() });
    }
    if let Some(new) = corpus.renames.get(id) {
        let text = if axes.is_empty() { new.to_string() } else { format!("{new}#{axes}") };
        if let Ok(glob) = text.parse() {
            return Ok(glob);
        }
    }
    Err(PlanError::NoSuchCase { pattern: glob.as_str().to_owned(), hint: nearest(corpus, id) })
}

/// The id that is most like what was typed, if one is like it at all. Within a folder that exists only slugs are
/// compared: what all ids share says nothing.
fn nearest(corpus: &Corpus, typed: &str) -> Option<String> {
    const ALIKE: f64 = 0.85;
    let (folder, slug) = typed.split_once('/').unwrap_or(("", typed));
    let inside = corpus.cases.iter().any(|case| case.id.folder() == folder);
    let likeness = |case: &&Case| {
        let (own, own_slug) = case.id.as_str().split_once('/').unwrap_or(("", case.id.as_str()));
        if inside && own != folder { 0.0 } else { strsim::jaro_winkler(own_slug, slug) }
    };
    let best = corpus.cases.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&best) >= ALIKE).then(|| best.id.to_string())
}

/// Legal cases, spread evenly over the folders and over each folder.
fn smoke(cases: Vec<&Case>) -> Vec<&Case> {
    let legal: Vec<&Case> = cases.into_iter().filter(|case| case.class == Class::Legal).collect();
    let step = legal.len().div_ceil(SMOKE_CASES).max(1);
    legal.into_iter().step_by(step).collect()
}

fn permutations(case: &Case, selection: &Selection) -> Vec<Permutation> {
    let all = case.permutations();
    let whole = Permutation { chunking: Chunking::Plan(ChunkPlan::Whole), newline: None };
    let with = |plan: ChunkPlan| vec![whole.clone(), Permutation { chunking: Chunking::Plan(plan), newline: None }];
    match selection.tier {
        Tier::Full => all,
        Tier::Standard => with(ChunkPlan::CutSeed(selection.seed)),
        Tier::Smoke => with(ChunkPlan::Cut),
    }
}
