//! The reports of shards as one.

use std::collections::{BTreeSet, HashMap};

use super::{CaseLine, Ending, Footer, Line, Report, escape};

/// Why reports are no shards of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// No report, or none with a header.
    #[error("no report has a header line")]
    NoHeader,
    /// Run with another toolwire or on another corpus.
    #[error("the reports are of different runs: {what} {first} and {what} {other}", first = escape::visible(.first), other = escape::visible(.other))]
    Different {
        /// `toolwire` or `corpus`.
        what: &'static str,
        /// In the first report.
        first: String,
        /// In another.
        other: String,
    },
    /// One permutation ended in two ways.
    #[error("{} on {} is `{first}` in one report and `{other}` in another", escape::visible(.id), escape::visible(.target))]
    Conflict {
        /// The target, and its surface.
        target: String,
        /// `case#permutation`.
        id: String,
        /// The outcome in the earlier report.
        first: &'static str,
        /// The outcome in the later one.
        other: &'static str,
    },
}

/// One report with the case lines of all, by target and case. The counts are made anew.
///
/// It is complete if every report is, and if no shard of `--shard …:i/n` is missing; the exit code
/// is the one that counts first of theirs (5, 2, 3, 4, 1), where 4, nothing selected, counts only if no
/// shard ran anything, and a cut shard counts as 1, as a run that was stopped.
///
/// # Errors
/// If they are of different versions, or a permutation has two outcomes.
pub fn merge(reports: Vec<Report>) -> Result<Report, MergeError> {
    let headers = || reports.iter().filter_map(Report::header);
    let mut header = headers().next().ok_or(MergeError::NoHeader)?.clone();
    for other in headers() {
        for (what, first, other) in
            [("toolwire", &header.toolwire, &other.toolwire), ("corpus", &header.corpus, &other.corpus)]
        {
            if first != other {
                return Err(MergeError::Different { what, first: first.clone(), other: other.clone() });
            }
        }
    }
    for target in headers().flat_map(|other| &other.targets) {
        if !header.targets.iter().any(|known| known.name == target.name) {
            header.targets.push(target.clone());
        }
    }
    let shards = Shards::of(&reports);
    header.selection.retain(|(name, _)| name != "shard");
    if !shards.all {
        header.selection.extend(shards.present.iter().map(|shard| ("shard".to_owned(), shard.clone())));
    }

    let complete = shards.all && reports.iter().all(|report| report.ending() == Ending::Complete);
    let mut stale: Vec<(String, usize)> = Vec::new();
    for entry in reports.iter().flat_map(Report::stale) {
        if !stale.contains(entry) {
            stale.push(entry.clone());
        }
    }
    let unreviewed = reports.iter().map(Report::unreviewed).max().unwrap_or(0);
    let exits: Vec<u8> = reports.iter().map(|report| report.footer().map_or(1, |footer| footer.exit)).collect();

    let mut cases = union(reports)?;
    let places: HashMap<String, usize> =
        header.targets.iter().enumerate().map(|(at, target)| (target.name.clone(), at)).collect();
    cases.sort_by(|a, b| {
        let place = |line: &CaseLine| places.get(&line.target).copied().unwrap_or(usize::MAX);
        (place(a), &a.target, &a.surface, &a.case).cmp(&(place(b), &b.target, &b.surface, &b.case))
    });
    let red = !stale.is_empty() || cases.iter().any(|line| line.red);
    let exit = exit(&exits, red, cases.is_empty());
    let lines = |footer: Footer| {
        let cases = cases.iter().map(|case| Line::Case(Box::new(case.clone())));
        std::iter::once(Line::Header(header.clone()))
            .chain(cases)
            .chain(std::iter::once(Line::Footer(footer)))
            .collect()
    };
    let counted =
        Report::from_lines(lines(Footer { counts: Vec::new(), stale: Vec::new(), unreviewed, exit, complete }));
    let counts = counted.tally().footer_counts();
    Ok(Report::from_lines(lines(Footer { counts, stale, unreviewed, exit, complete })))
}

fn union(reports: Vec<Report>) -> Result<Vec<CaseLine>, MergeError> {
    let mut cases: Vec<CaseLine> = Vec::new();
    let mut places: HashMap<[String; 4], usize> = HashMap::new();
    for line in reports.into_iter().flat_map(Report::into_lines) {
        let Line::Case(line) = line else { continue };
        let (target, surface, case, permutation) = line.key();
        let key = [target, surface, case, permutation].map(ToOwned::to_owned);
        let at = *places.entry(key).or_insert(cases.len());
        match cases.get(at) {
            None => cases.push(*line),
            Some(known) if (known.outcome, known.verdict, known.red) == (line.outcome, line.verdict, line.red) => {}
            Some(known) => {
                let (first, other) = if known.outcome == line.outcome {
                    (known.verdict.name(), line.verdict.name())
                } else {
                    (known.outcome.name(), line.outcome.name())
                };
                return Err(MergeError::Conflict { target: line.label(), id: line.id(), first, other });
            }
        }
    }
    Ok(cases)
}

fn exit(exits: &[u8], red: bool, nothing: bool) -> u8 {
    let of_shards = [5, 2, 3].into_iter().find(|code| exits.contains(code));
    match of_shards {
        Some(code) => code,
        None if nothing && exits.contains(&4) => 4,
        None => u8::from(red || exits.contains(&1)),
    }
}

/// Which shards there are of those that make the whole.
struct Shards {
    present: BTreeSet<String>,
    all: bool,
}

impl Shards {
    fn of(reports: &[Report]) -> Self {
        let present: BTreeSet<String> = reports
            .iter()
            .filter_map(Report::header)
            .flat_map(|header| &header.selection)
            .filter(|(name, _)| name == "shard")
            .map(|(_, shard)| shard.clone())
            .collect();
        // `hash:2/4`: the last number is how many there are. A shard of another plan leaves a gap.
        let plan = |shard: &str| {
            let (kind, part) = shard.split_once(':').unwrap_or(("", shard));
            let (_, of) = part.split_once('/')?;
            Some((kind.to_owned(), of.parse::<usize>().ok()?))
        };
        let plans: BTreeSet<Option<(String, usize)>> = present.iter().map(|shard| plan(shard)).collect();
        let all = match plans.first() {
            None => true,
            Some(Some((_, of))) => plans.len() == 1 && present.len() == *of,
            Some(None) => false,
        };
        Self { present, all }
    }
}
