//! `toolwire mutants`: which case kills which mutant.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Exit, jobs, output, select};
use crate::harness::{Interrupt, MutantMatrix, Plan, Selection, Tier, mutants};
use crate::json::{Style, Writer};

const EXAMPLES: &str = "\
Examples:
  toolwire mutants
  toolwire mutants --cases drop-the-last-delta
  toolwire mutants --format json

A mutant is a reader (inbound) or a sender (outbound) that is wrong on purpose, the way real clients are. Exits with 1 \
if one survives, or if a check kills none.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct MutantsArgs {
    /// List every case that kills this mutant
    #[arg(long, value_name = "MUTANT")]
    cases: Option<String>,

    /// The corpus in this folder instead of the embedded one
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// How many workers; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// text, or json: one array of objects with name and side
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: output::TextOrJson,
}

pub(super) fn run(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let corpus = select::corpus(args.corpus.as_deref())?;
    let everything = Selection { tier: Tier::Full, ..Selection::default() };
    let plan = Plan::new(&corpus, &everything)?;
    let matrix = mutants(&plan, jobs::count(args.jobs), &Interrupt::new(), &|_| {});
    if let Some(name) = &args.cases {
        let name = name.trim_start_matches("mutant:");
        let Some(mutant) = matrix.mutants.iter().find(|mutant| mutant.mutant.name() == name) else {
            anyhow::bail!("there is no mutant `{name}`; `toolwire mutants` lists them");
        };
        let line = |(case, checks): (&String, &std::collections::BTreeSet<String>)| {
            format!("{case}  {}", checks.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
        };
        output::result(&mutant.kills.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    } else {
        output::result(&match args.format {
            output::TextOrJson::Text => text(&matrix),
            output::TextOrJson::Json => json(&matrix),
        })?;
    }
    Ok(if matrix.is_sound() { Exit::AsExpected } else { Exit::NotConformant })
}

fn text(matrix: &MutantMatrix) -> String {
    let width = matrix.mutants.iter().map(|mutant| mutant.mutant.name().len()).max().unwrap_or(0);
    let mut out = String::new();
    for mutant in &matrix.mutants {
        let name = mutant.mutant.name();
        match mutant.kills.keys().next() {
            None => {
                let _ = writeln!(out, "{name:width$}  SURVIVES");
            }
            Some(first) => {
                let checks: Vec<String> = mutant.checks().iter().map(|(slug, n)| format!("{slug}×{n}")).collect();
                let _ = writeln!(out, "{name:width$}  {:>3} cases  {}", mutant.kills.len(), checks.join(" "));
                let _ = writeln!(out, "{:width$}  {}", "", mutant.mutant.says());
                let _ = writeln!(out, "{:width$}  first: {first}", "");
            }
        }
    }
    for check in &matrix.idle_checks {
        let _ = writeln!(out, "check {check} kills no mutant");
    }
    for (target, case) in &matrix.unsound {
        let _ = writeln!(out, "{target} fails {case}, without any mistake");
    }
    let survivors = matrix.mutants.iter().filter(|mutant| mutant.kills.is_empty()).count();
    let _ = write!(out, "{} mutants, {survivors} survive", matrix.mutants.len());
    out
}

fn json(matrix: &MutantMatrix) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.array(|w| {
        for mutant in &matrix.mutants {
            w.object(|w| {
                w.member("name", mutant.mutant.name());
                w.member("side", mutant.mutant.side().name());
                w.member("says", mutant.mutant.says());
                w.key("apis");
                w.array(|w| mutant.mutant.apis().iter().for_each(|api| w.string(api.name())));
                w.key("killed");
                w.literal(!mutant.kills.is_empty());
                w.key("kills");
                w.object(|w| {
                    for (case, checks) in &mutant.kills {
                        w.key(case);
                        w.array(|w| checks.iter().for_each(|check| w.string(check)));
                    }
                });
            });
        }
    });
    writer.finish()
}
