//! `toolwire report`: a finished report rendered, the reports of shards merged, two compared.
#![expect(clippy::disallowed_methods, reason = "the edge: writes the file that the user named")]

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Subcommand, ValueEnum};

use super::{Exit, input, output};
use crate::check;
use crate::report::{self, Report};

const EXAMPLES: &str = "\
Examples:
  toolwire report render report.jsonl
  toolwire report render report.jsonl --format html -o report.html
  toolwire report merge shard-1.jsonl shard-2.jsonl -o report.jsonl
  toolwire report diff before.jsonl after.jsonl";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Turn a report.jsonl into something to read
    #[command(after_help = RENDER_EXAMPLES)]
    Render(RenderArgs),
    /// Make one report of the shards of a run
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeArgs),
    /// Say what became red, green or otherwise different; exits with 1 when it became worse
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
}

const RENDER_EXAMPLES: &str = "\
Examples:
  toolwire report render report.jsonl
  toolwire report render report.jsonl --format github
  toolwire report render report.jsonl --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  toolwire report render report.jsonl --format junit -o report.xml";

#[derive(Debug, clap::Args)]
struct RenderArgs {
    /// The report.jsonl of a run; `-` is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What to turn it into
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "terminal")]
    format: Format,

    /// Show everything (terminal): all failures, longer diffs, what was skipped and why
    #[arg(long, short)]
    verbose: bool,

    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What a report is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person at a terminal
    Terminal,
    /// Counts and failures for a program
    Json,
    /// JUnit XML
    Junit,
    /// For the summary of a CI job
    Markdown,
    /// Annotations of GitHub Actions
    Github,
    /// One page that loads nothing
    Html,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  toolwire report merge shard-1.jsonl shard-2.jsonl -o report.jsonl
  toolwire report merge shards/*.jsonl > report.jsonl";

#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// The report.jsonl of each shard
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const DIFF_EXAMPLES: &str = "\
Examples:
  toolwire report diff main.jsonl branch.jsonl
  toolwire report diff main.jsonl branch.jsonl --format json";

#[derive(Debug, clap::Args)]
struct DiffArgs {
    /// The earlier report.jsonl
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The later report.jsonl
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// How to write the changes
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: DiffFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// A line for each case that changed
    Text,
    /// For a program
    Json,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    match &args.command {
        Command::Render(args) => {
            let report = load(&args.file)?;
            let text = render(&report, args.format, args.verbose, args.output.is_none());
            write(args.output.as_deref(), &text)?;
            Ok(Exit::AsExpected)
        }
        Command::Merge(args) => {
            let reports = args.files.iter().map(|file| load(file)).collect::<anyhow::Result<Vec<_>>>()?;
            let merged = report::merge(reports).context("failed to merge")?;
            let text: String = merged.into_lines().iter().map(|line| line.to_json() + "\n").collect();
            write(args.output.as_deref(), &text)?;
            Ok(Exit::AsExpected)
        }
        Command::Diff(args) => {
            let diff = report::diff::diff(&load(&args.old)?, &load(&args.new)?);
            let text = match args.format {
                DiffFormat::Text => report::diff::render_text(&diff),
                DiffFormat::Json => report::diff::render_json(&diff),
            };
            write(None, &text)?;
            Ok(if diff.is_worse() { Exit::NotConformant } else { Exit::AsExpected })
        }
    }
}

/// The report as text. Colours are always written for stdout, which drops them where nobody sees them.
pub(super) fn render(report: &Report, format: Format, verbose: bool, color: bool) -> String {
    match format {
        Format::Terminal => {
            let options = report::terminal::Options { color, width: 100, verbose };
            report::terminal::render(report, &options, check::rule)
        }
        Format::Json => report::json::render(report),
        Format::Junit => report::junit::render(report, check::rule),
        Format::Markdown => report::markdown::render(report, check::rule),
        Format::Github => report::github::render(report, check::rule),
        Format::Html => report::html::render(report, check::rule),
    }
}

fn load(path: &Path) -> anyhow::Result<Report> {
    let name = path.display();
    let mut bytes = input::read(path)?;
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        // A run that was killed may have written half of a character.
        bytes.truncate(error.valid_up_to());
    }
    let text = String::from_utf8(bytes).with_context(|| format!("`{name}` is not UTF-8"))?;
    let lines = report::read(&text).with_context(|| format!("failed to read the report `{name}`"))?;
    Ok(Report::from_lines(lines))
}

fn write(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        Some(path) => std::fs::write(path, text).with_context(|| format!("failed to write `{}`", path.display())),
        None => output::result(text.trim_end_matches('\n')),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{CommandFactory as _, Parser};

    use super::{Exit, ReportArgs, run};

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        args: ReportArgs,
    }

    fn typed(line: &[&str]) -> anyhow::Result<Exit> {
        run(&Typed::try_parse_from(std::iter::once("report").chain(line.iter().copied()))?.args)
    }

    const HEADER: &str = r#"{"type":"header","toolwire":"0.1.0","corpus":"2026.12","selection":{},"seed":0,"targets":[{"name":"builtin"}]}"#;

    fn case(id: &str, verdict: &str) -> String {
        let red = verdict != "pass";
        format!(
            r#"{{"type":"case","target":"builtin","case":"{id}","title":"é","permutation":"","class":"legal","level":"must","outcome":"{verdict}","verdict":"{verdict}","red":{red},"ms":1,"checks":[]}}"#
        )
    }

    #[test]
    fn files_are_merged_compared_and_rendered() {
        Typed::command().debug_assert();
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let (a, b, all, out) = (path("a.jsonl"), path("b.jsonl"), path("all.jsonl"), path("out"));
        std::fs::write(&a, format!("{HEADER}\n{}\n", case("x/a", "pass"))).unwrap();
        std::fs::write(&b, format!("{HEADER}\n{}\n", case("x/b", "fail"))).unwrap();
        assert_eq!(typed(&["merge", &a, &b, "-o", &all]).unwrap(), Exit::AsExpected);
        assert_eq!(std::fs::read_to_string(&all).unwrap().lines().count(), 4);
        assert_eq!(typed(&["diff", &a, &all]).unwrap(), Exit::NotConformant);
        assert_eq!(typed(&["diff", &all, &all, "--format", "json"]).unwrap(), Exit::AsExpected);
        for format in ["terminal", "json", "junit", "markdown", "github", "html"] {
            assert_eq!(typed(&["render", &all, "--format", format, "-o", &out]).unwrap(), Exit::AsExpected);
            let text = std::fs::read_to_string(Path::new(&out)).unwrap();
            assert!(
                (text.contains("not conformant") || text.contains("x/b"))
                    && text.ends_with('\n')
                    && !text.contains('\u{1b}'),
                "{format}"
            );
        }
    }

    #[test]
    fn a_report_cut_inside_a_character_is_read_and_other_bytes_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("r.jsonl");
        let (name, out) = (file.to_str().unwrap(), dir.path().join("out"));
        let text = format!("{HEADER}\n{}", case("x/a", "pass"));
        let cut = text.find('é').unwrap() + 1;
        std::fs::write(&file, &text.as_bytes()[..cut]).unwrap();
        assert!(typed(&["render", name, "-o", out.to_str().unwrap()]).is_ok());
        std::fs::write(&file, [text.as_bytes(), b"\xff\n"].concat()).unwrap();
        assert!(typed(&["render", name]).unwrap_err().to_string().contains("is not UTF-8"));
        std::fs::write(&file, format!("{HEADER}\n{{}}\n")).unwrap();
        let error = format!("{:#}", typed(&["render", name]).unwrap_err());
        assert!(error.ends_with("line 2: `type` is missing"), "{error}");
    }
}
