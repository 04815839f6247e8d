//! `toolwire list`: the cases, or what the corpus covers.

use std::fmt::Write as _;

use super::select::SelectArgs;
use super::{Exit, output};
use crate::corpus::{Cell, Corpus, KindScope};
use crate::harness::{Plan, Unit};
use crate::json::{Style, Writer};

const EXAMPLES: &str = "\
Examples:
  toolwire list
  toolwire list --api openai-chat --feature id-missing
  toolwire list --coverage
  toolwire list --format json | jq -r '.[].id'";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    #[command(flatten)]
    select: SelectArgs,

    /// Which fault kind is covered by how many cases of which API, or why it cannot occur there
    #[arg(long)]
    coverage: bool,

    /// text, or json: one array of objects
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: output::TextOrJson,
}

pub(super) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let corpus = args.select.load()?;
    if args.coverage {
        let text = match args.format {
            output::TextOrJson::Text => output::for_terminal(&coverage_table(&corpus)),
            output::TextOrJson::Json => coverage_json(&corpus),
        };
        output::result(&text)?;
        return Ok(Exit::AsExpected);
    }
    let plan = Plan::new(&corpus, &args.select.selection())?;
    if plan.is_empty() {
        output::note("no case fits all of the options");
        return Ok(Exit::NothingSelected);
    }
    match args.format {
        output::TextOrJson::Json => output::result(&json(&plan))?,
        output::TextOrJson::Text => {
            output::result(&table(&plan))?;
            output::note(&format!("{} cases, {} permutations", plan.units.len(), plan.len()));
        }
    }
    Ok(Exit::AsExpected)
}

fn table(plan: &Plan<'_>) -> String {
    let width = plan.units.iter().map(|unit| unit.case.id.as_str().len()).max().unwrap_or(0);
    let line = |unit: &Unit<'_>| {
        let case = unit.case;
        // A title from a corpus of somebody else stays on its line.
        let title = output::for_terminal(&case.title.replace('\n', " "));
        format!("{:width$}  {:6}  {:6}  {title}", case.id.as_str(), case.level.name(), case.class.name())
    };
    plan.units.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn json(plan: &Plan<'_>) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.array(|w| {
        for Unit { case, permutations } in &plan.units {
            w.object(|w| {
                w.member("id", case.id.as_str());
                w.member("title", &case.title);
                w.member("why", &case.why);
                w.member("api", case.subject.name());
                w.optional("dialect", case.dialect.as_deref());
                w.member("class", case.class.name());
                w.member("level", case.level.name());
                w.key("features");
                w.array(|w| case.features.iter().for_each(|feature| w.string(feature)));
                w.member("since", &case.since.to_string());
                w.key("permutations");
                w.array(|w| permutations.iter().for_each(|one| w.string(&case.name_of(one))));
            });
        }
    });
    writer.finish()
}

fn coverage_table(corpus: &Corpus) -> String {
    let columns = corpus.columns();
    let width = corpus.kinds.iter().map(|kind| kind.id.len()).max().unwrap_or(0);
    let mut out = format!("{:width$}", "kind");
    for column in &columns {
        let _ = write!(out, "  {column}");
    }
    let mut reasons = Vec::new();
    for kind in &corpus.kinds {
        let _ = write!(out, "\n{:width$}", kind.id);
        for column in &columns {
            let text = match kind.cell(column, &corpus.cases) {
                Cell::Covered(count) => count.to_string(),
                Cell::Empty => "EMPTY".to_owned(),
                Cell::NotApplicable(why) => {
                    if kind.scope == KindScope::Framing || *column != "framing" {
                        reasons.push(format!("{} in {column}: {why}", kind.id));
                    }
                    "n/a".to_owned()
                }
            };
            let _ = write!(out, "  {text:>w$}", w = column.len());
        }
    }
    out.push_str("\n\nnot applicable:\n  calls and requests do not exist in framing alone");
    for reason in reasons {
        let _ = write!(out, "\n  {reason}");
    }
    out
}

fn coverage_json(corpus: &Corpus) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.array(|w| {
        for kind in &corpus.kinds {
            w.object(|w| {
                w.member("id", &kind.id);
                w.member("title", &kind.title);
                w.member("says", &kind.says);
                for column in corpus.columns() {
                    w.key(column);
                    match kind.cell(column, &corpus.cases) {
                        Cell::Covered(count) => w.literal(count),
                        Cell::Empty => w.literal(0),
                        Cell::NotApplicable(why) => w.string(&why),
                    }
                }
            });
        }
    });
    writer.finish()
}
