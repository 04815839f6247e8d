//! `toolwire expect lint` and `toolwire expect update`: keeping `expectations.toml` true.
#![expect(clippy::disallowed_methods, reason = "the edge: writes the expectations")]

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Exit, input, output, select};
use crate::check;
use crate::corpus::{CaseId, Corpus};
use crate::report::{self, CaseLine, Line, Update, UpdateInput};
use crate::verdict::{Entry, Expectations};

const EXAMPLES: &str = "\
Examples:
  toolwire run --target openai-python --report report.jsonl
  toolwire expect update --from report.jsonl
  toolwire expect lint";

const LINT_EXAMPLES: &str = "\
Examples:
  toolwire expect lint
  toolwire expect lint --expectations ci/expectations.toml --corpus my-corpus

Exits with 1 if an entry matches nothing in the corpus, with 2 if the file cannot be read.";

const UPDATE_EXAMPLES: &str = "\
Examples:
  toolwire expect update --from report.jsonl
  toolwire expect update --from report.jsonl --dry-run | diff expectations.toml -

Adds an entry for every failure that none excuses, its reason marked \"(unreviewed)\"; removes and narrows entries \
whose cases pass now. What the report does not hold stays as it is, comments and order too.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExpectArgs {
    #[command(subcommand)]
    command: ExpectCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ExpectCommand {
    /// Find entries that match nothing, never decide, or were never reviewed
    Lint(LintArgs),
    /// Make the expectations agree with a report
    Update(UpdateArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = LINT_EXAMPLES)]
struct LintArgs {
    #[command(flatten)]
    files: FileArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = UPDATE_EXAMPLES)]
struct UpdateArgs {
    /// The report of a run, as `run --report FILE.jsonl` writes it
    #[arg(long, value_name = "FILE")]
    from: PathBuf,

    /// Print the new expectations instead of writing them
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    files: FileArgs,
}

#[derive(Debug, clap::Args)]
struct FileArgs {
    /// The expectations
    #[arg(long, value_name = "FILE", default_value = "expectations.toml")]
    expectations: PathBuf,

    /// The corpus in this folder instead of the embedded one
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

pub(super) fn run(args: &ExpectArgs) -> anyhow::Result<Exit> {
    match &args.command {
        ExpectCommand::Lint(args) => lint(args),
        ExpectCommand::Update(args) => update(args),
    }
}

fn lint(args: &LintArgs) -> anyhow::Result<Exit> {
    let path = &args.files.expectations;
    let name = path.display().to_string();
    let text = text(path)?;
    let corpus = select::corpus(args.files.corpus.as_deref())?;
    let expectations = Expectations::parse(&text, &name, &check::slugs())?;
    let findings = expectations.lint(Some(permutations(&corpus)));
    let lines: Vec<String> = findings.iter().map(|finding| format!("{name}:{finding}")).collect();
    if !lines.is_empty() {
        output::result(&output::for_terminal(&lines.join("\n")))?;
    }
    let errors = findings.iter().filter(|finding| finding.flaw.is_error()).count();
    let warnings = findings.len() - errors;
    let entries = counted(expectations.entries().len(), "entry", "entries");
    output::note(&format!(
        "{entries}: {}, {}",
        counted(errors, "error", "errors"),
        counted(warnings, "warning", "warnings")
    ));
    Ok(if errors > 0 { Exit::NotConformant } else { Exit::AsExpected })
}

/// Every permutation of every case, by name.
fn permutations(corpus: &Corpus) -> impl Iterator<Item = (CaseId, String)> {
    corpus.cases.iter().flat_map(|case| {
        case.permutations().into_iter().map(|permutation| (case.id.clone(), case.name_of(&permutation)))
    })
}

fn update(args: &UpdateArgs) -> anyhow::Result<Exit> {
    let path = &args.files.expectations;
    let name = path.display().to_string();
    // A first update begins the file.
    let before = if path.exists() { text(path)? } else { String::new() };
    let lines = reported(&args.from)?;
    let corpus = select::corpus(args.files.corpus.as_deref())?;
    let ids: Vec<CaseId> = corpus.cases.iter().map(|case| case.id.clone()).collect();
    let slugs = check::slugs();
    let input = UpdateInput { text: &before, file_name: &name, checks: &slugs, corpus: &ids, lines: &lines };
    let update = report::update(&input, |slug| check::rule(slug).unwrap_or_default().to_owned())?;

    if args.dry_run {
        output::result(update.text.strip_suffix('\n').unwrap_or(&update.text))?;
    } else if update.text != before {
        std::fs::write(path, &update.text).with_context(|| format!("failed to write `{name}`"))?;
    }
    for line in summary(&update, &name) {
        output::note(&line);
    }
    Ok(Exit::AsExpected)
}

/// The cases of a report.
fn reported(path: &Path) -> anyhow::Result<Vec<CaseLine>> {
    let name = path.display();
    let lines = report::read(&text(path)?).with_context(|| format!("`{name}` is no report"))?;
    let complete = lines.iter().any(|line| matches!(line, Line::Footer(footer) if footer.complete));
    let cases: Vec<CaseLine> =
        lines.into_iter().filter_map(|line| if let Line::Case(case) = line { Some(*case) } else { None }).collect();
    if cases.is_empty() {
        bail!("`{name}` holds no case; write a report with `toolwire run --report FILE.jsonl`");
    }
    if !complete {
        output::note(&format!("the run of `{name}` was cut; only the cases that it holds are looked at"));
    }
    Ok(cases)
}

fn summary(update: &Update, name: &str) -> Vec<String> {
    let told = |entry: &Entry| {
        let check = entry.check.as_ref().map_or_else(String::new, |check| format!(", {check}"));
        format!("{:?} on {:?}{check}: {}", entry.case.as_str(), entry.target.as_str(), entry.status.name())
    };
    let mut lines = Vec::new();
    for (what, entries) in [("added", &update.added), ("removed", &update.removed), ("narrowed", &update.narrowed)] {
        lines.extend(entries.iter().map(|entry| format!("{what} {}", told(entry))));
    }
    for entry in &update.by_hand {
        let told = told(entry);
        lines.push(format!(
            "{told} still meets cases that pass; narrow or remove it by hand (line {} before)",
            entry.line
        ));
    }
    if update.beyond_entries > 0 {
        let permutations = counted(update.beyond_entries, "permutation stays", "permutations stay");
        lines.push(format!("{permutations} red: no entry excuses protocol-error, no-request or harness-error"));
    }
    lines.push(format!(
        "{name}: {} added, {} removed, {} narrowed, {} kept",
        update.added.len(),
        update.removed.len(),
        update.narrowed.len(),
        update.kept
    ));
    lines
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(input::read(path)?).with_context(|| format!("`{}` is not UTF-8", path.display()))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::{Exit, ExpectArgs, run};

    #[derive(Debug, clap::Parser)]
    struct Typed {
        #[command(flatten)]
        args: ExpectArgs,
    }

    #[test]
    fn stale_entries_are_an_error_and_a_bad_file_is_none_of_ours() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("e.toml");
        let entry =
            |case: &str| format!("[[expect]]\ntarget='t'\ncase='{case}'\nstatus='fail'\nreason='(unreviewed)'\n");
        let lint = || run(&Typed::parse_from(["expect", "lint", "--expectations", path.to_str().unwrap()]).args);
        for (text, exit) in [
            (String::new(), Some(Exit::AsExpected)),
            (entry("openai-chat/*#chunking=byte"), Some(Exit::AsExpected)),
            (entry("openai-chat/no-such-case"), Some(Exit::NotConformant)),
            (entry("openai-chat/*").replace("fail", "fails"), None),
        ] {
            std::fs::write(&path, &text).unwrap();
            assert_eq!(lint().ok(), exit, "{text}");
        }
    }
}
