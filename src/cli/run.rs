//! `toolwire run`: the main job.
#![expect(clippy::disallowed_methods, reason = "the edge: reads expectations, writes reports")]

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::select::{self, SelectArgs};
use super::{Exit, jobs, output, writer};
use crate::check;
use crate::corpus::{Case, Corpus, CorpusVersion, Grade};
use crate::harness::{self, Finished, Interrupt, Plan, Selection, Shard, Tier};
use crate::load::{self, Config};
use crate::report::{CaseLine, Footer, Header, Line, Report, TargetLine, terminal};
use crate::target::{Builtin, Mutant, Naive, Target};
use crate::verdict::{Expectations, Outcome, is_red};

const EXAMPLES: &str = "\
Examples:
  toolwire run
  toolwire run --api openai-chat --level must
  toolwire run --case 'anthropic-messages/*#chunking=byte' --verbose
  toolwire run --corpus my-corpus --report report.jsonl --report junit.xml
  toolwire run --target mutant:floats-for-numbers
  toolwire run --shard hash:1/4 --report shard-1.jsonl

Exits with 0 if everything is as expected, 1 if something is not, 2 for a mistake in what was typed or in a file, \
4 if nothing was selected.";

#[expect(clippy::struct_excessive_bools, reason = "switches of the command line, each on its own")]
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// What is under test: builtin (the default), naive, or mutant:NAME; may be given several times
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,

    #[command(flatten)]
    select: SelectArgs,

    /// How much: smoke (some 60 legal cases), standard (whole and one seeded cut) or full
    #[arg(long, value_name = "TIER", value_parser = tier, default_value = "full")]
    tier: Tier,

    /// One part of the cases: hash:1/4 or slice:1/4
    #[arg(long, value_name = "SHARD")]
    shard: Option<Shard>,

    /// Judge only cases up to this corpus version, so that a new corpus turns nobody red
    #[arg(long, value_name = "VERSION")]
    max_since: Option<CorpusVersion>,

    /// The seed of seeded cuts
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many workers; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Also judge captured traffic: a folder with PROVIDER/NAME/meta.json
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,

    /// What is known to fail, with reasons
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,

    /// The configuration; `toolwire.toml` of the working directory if not given
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Failures of level `should` are red as well
    #[arg(long)]
    strict: bool,

    /// Compare requests at least as JSON, whatever a case asks for
    #[arg(long)]
    strict_payload: bool,

    /// Compare requests byte by byte, whatever a case asks for
    #[arg(long)]
    strict_bytes: bool,

    /// Write a report; its ending says which: .jsonl, .json, .xml (JUnit), .md or .html; may be given several times
    #[arg(long, value_name = "FILE")]
    report: Vec<writer::ReportFile>,

    /// Show every failure in full, and what was skipped and why
    #[arg(long, short)]
    verbose: bool,
}

fn tier(text: &str) -> Result<Tier, String> {
    select::word(text, Tier::ALL, Tier::name)
}

/// What ^C stops.
static INTERRUPT: Interrupt = Interrupt::new();

pub(super) fn run(args: &RunArgs) -> anyhow::Result<Exit> {
    let config = Config::load(args.config.as_deref())?;
    let expectations = expectations(args, &config)?;
    let targets = targets(args, &config)?;
    let mut corpus = args.select.load()?;
    if let Some(dir) = &args.recordings {
        add_recordings(&mut corpus, dir)?;
    }
    let max_since = args.max_since.or(config.max_since);
    let at_least = match (args.strict_bytes, args.strict_payload) {
        (true, _) => Some(Grade::Bytes),
        (false, true) => Some(Grade::Exact),
        (false, false) => None,
    };
    let selection = Selection {
        tier: args.tier,
        shard: args.shard,
        max_since,
        seed: args.seed,
        at_least,
        ..args.select.selection()
    };
    let plan = Plan::new(&corpus, &selection)?;
    if let Some(outside) = args.target.iter().find(|name| config.targets.contains(name)) {
        output::note(&format!(
            "target `{outside}` is outside of toolwire and cannot be started by this version; it runs builtin, naive and mutant:NAME"
        ));
        return Ok(Exit::TargetFailed);
    }
    if plan.is_empty() {
        output::note("nothing was selected: no case fits all of the options; `toolwire list` takes the same ones");
        return Ok(Exit::NothingSelected);
    }
    let unfinished = plan.units.iter().filter(|unit| is_unfinished(unit.case)).count();
    if unfinished > 0 {
        let cases = if unfinished == 1 { "case still says" } else { "cases still say" };
        output::note(&format!("{unfinished} {cases} TODO in title, why or source"));
    }
    // A second handler in one process is refused; a run without one still works.
    let _ = ctrlc::set_handler(|| INTERRUPT.stop());
    let mut files = writer::ReportFiles::create(&args.report)?;
    let header = header(args, &corpus, &targets);
    let mut lines = Vec::with_capacity(plan.len() * targets.len() + 2);
    files.line(&header)?;
    lines.push(header);
    run_targets(args, &plan, &targets, &expectations, &mut |line| {
        files.line(&line)?;
        lines.push(line);
        Ok(())
    })?;
    let mut report = Report::from_lines(lines);
    let (footer, exit) = footer(&report, &corpus, &targets, &expectations);
    files.line(&Line::Footer(footer.clone()))?;
    report.close(footer);
    files.finish(&report)?;
    let options = terminal::Options { color: true, width: 120, verbose: args.verbose };
    output::result(terminal::render(&report, &options, check::rule).trim_end())?;
    Ok(exit)
}

/// True for a case that `toolwire new` began and nobody filled in.
fn is_unfinished(case: &Case) -> bool {
    let sources = case.source.iter().flat_map(|source| [&source.reference, &source.says]);
    [&case.title, &case.why].into_iter().chain(sources).any(|text| text.starts_with("TODO"))
}

fn expectations(args: &RunArgs, config: &Config) -> anyhow::Result<Expectations> {
    let Some(path) = args.expectations.as_ref().or(config.expectations.as_ref()) else {
        return Ok(Expectations::default());
    };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("failed to read `{name}`"))?;
    Ok(Expectations::parse(&text, &name, &check::slugs())?)
}

/// The targets inside of toolwire that were named. Those that the configuration describes are left out.
fn targets(args: &RunArgs, config: &Config) -> anyhow::Result<Vec<Box<dyn Target>>> {
    let mut names = if args.target.is_empty() { vec!["builtin".to_owned()] } else { args.target.clone() };
    names.retain(|name| !config.targets.contains(name));
    let mut targets: Vec<Box<dyn Target>> = Vec::new();
    for name in names {
        targets.push(match name.split_once(':') {
            None if name == "builtin" => Box::new(Builtin),
            None if name == "naive" => Box::new(Naive::healthy()),
            Some(("mutant", name)) => match Mutant::find(name) {
                Some(mutant) => mutant.target(),
                None => bail!("there is no mutant `{name}`; `toolwire mutants` lists them"),
            },
            _ => bail!("unknown target `{name}`; use builtin, naive or mutant:NAME (`toolwire mutants` lists them)"),
        });
    }
    Ok(targets)
}

fn add_recordings(corpus: &mut Corpus, dir: &Path) -> anyhow::Result<()> {
    let captures = load::captures(dir)?;
    if captures.is_empty() {
        bail!("`{}` holds no recording of an API that is decoded", dir.display());
    }
    corpus.cases.extend(harness::recording_cases(captures));
    corpus.cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(())
}

fn header(args: &RunArgs, corpus: &Corpus, targets: &[Box<dyn Target>]) -> Line {
    let mut selection = args.select.typed();
    let mut typed = |name: &str, value: Option<String>| {
        selection.extend(value.map(|value| (name.to_owned(), value)));
    };
    typed("tier", Some(args.tier.name().to_owned()));
    typed("shard", args.shard.map(|shard| shard.to_string()));
    typed("strict-payload", args.strict_payload.then(|| "true".to_owned()));
    typed("strict-bytes", args.strict_bytes.then(|| "true".to_owned()));
    typed("max-since", args.max_since.map(|version| version.to_string()));
    Line::Header(Header {
        toolwire: env!("CARGO_PKG_VERSION").to_owned(),
        corpus: corpus.version_name(),
        targets: targets.iter().map(|target| TargetLine::from(target.name())).collect(),
        selection,
        seed: args.seed,
    })
}

/// Runs the plan on each target; the lines come in the order of the plan.
fn run_targets(
    args: &RunArgs,
    plan: &Plan<'_>,
    targets: &[Box<dyn Target>],
    expectations: &Expectations,
    emit: &mut dyn FnMut(Line) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let total = (plan.len() * targets.len()) as u64;
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let mut broken = Ok(());
    for target in targets {
        let name = target.name();
        bar.set_message(name.to_owned());
        let skip = |case: &Case, permutation: &str| expectations.skips(name, &case.id, permutation).is_some();
        let mut done = |_: usize, results: Vec<Finished<'_>>| {
            bar.inc(results.len() as u64);
            for result in results {
                if broken.is_ok() {
                    broken = emit(line(name, result, expectations, args.strict));
                }
                if broken.is_err() {
                    INTERRUPT.stop();
                }
            }
        };
        harness::run(plan, &**target, jobs::count(args.jobs), &INTERRUPT, &skip, &mut done);
    }
    bar.finish_and_clear();
    broken
}

fn line(target: &str, result: Finished<'_>, expectations: &Expectations, strict: bool) -> Line {
    let Finished { case, permutation, outcome, checks, message, evidence, micros } = result;
    let judged = expectations.verdict(target, &case.id, &permutation, outcome, &checks);
    Line::Case(Box::new(CaseLine {
        target: target.to_owned(),
        surface: None,
        case: case.id.to_string(),
        title: case.title.clone(),
        permutation,
        class: case.class,
        level: case.level,
        outcome,
        red: is_red(judged.verdict, case.level, strict),
        verdict: judged.verdict,
        micros,
        checks,
        message,
        reason: judged.reason,
        evidence,
    }))
}

/// The last line, and how the run ends.
fn footer(
    report: &Report,
    corpus: &Corpus,
    targets: &[Box<dyn Target>],
    expectations: &Expectations,
) -> (Footer, Exit) {
    let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    let everything = corpus
        .cases
        .iter()
        .flat_map(|case| case.permutations().into_iter().map(move |one| (case.id.clone(), case.name_of(&one))));
    let stale = expectations.stale(&names, everything);
    let stale: Vec<(String, usize)> = stale.iter().map(|entry| (entry.case.as_str().to_owned(), entry.line)).collect();
    let complete = !INTERRUPT.stopped();
    let harness_failed = report.cases().iter().any(|line| line.outcome == Outcome::HarnessError);
    let exit = if harness_failed {
        Exit::Internal
    } else if report.tally().red > 0 || !stale.is_empty() || !complete {
        Exit::NotConformant
    } else {
        Exit::AsExpected
    };
    let footer = Footer {
        counts: report.tally().footer_counts(),
        stale,
        unreviewed: expectations.unreviewed() as u64,
        exit: exit.code(),
        complete,
    };
    (footer, exit)
}
