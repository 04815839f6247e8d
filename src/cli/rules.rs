//! `toolwire rules`: what `lint` holds a request to.

use super::{Exit, output};
use crate::json::{Style, Writer};
use crate::lint;
use crate::model::Api;
use crate::providers::Rule;

const EXAMPLES: &str = "\
Examples:
  toolwire rules
  toolwire rules --api gemini
  toolwire rules ANT-Q-054
  toolwire rules --format json | jq -r '.[] | select(.severity == \"error\") | .id'";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RulesArgs {
    /// Show this rule in full: what it asks, who says so, what to do
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// Only the rules of this API; may be repeated
    #[arg(long, value_name = "API")]
    api: Vec<Api>,

    /// text, or json: one array of objects
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: output::TextOrJson,
}

pub(super) fn run(args: &RulesArgs) -> anyhow::Result<Exit> {
    let mut rules: Vec<(Api, &Rule)> =
        lint::rules().filter(|(api, _)| args.api.is_empty() || args.api.contains(api)).collect();
    if let Some(id) = &args.id {
        anyhow::ensure!(lint::rule(id).is_some(), "there is no rule `{id}`; `toolwire rules` lists them");
        rules.retain(|(_, rule)| rule.id.eq_ignore_ascii_case(id));
        if rules.is_empty() {
            output::note("the rule is one of another API");
            return Ok(Exit::NothingSelected);
        }
    }
    let text = match args.format {
        output::TextOrJson::Json => json(&rules),
        output::TextOrJson::Text if args.id.is_some() => rules.iter().map(|rule| in_full(*rule)).collect(),
        output::TextOrJson::Text => table(&rules),
    };
    output::result(text.trim_end())?;
    Ok(Exit::AsExpected)
}

fn table(rules: &[(Api, &Rule)]) -> String {
    let width = rules.iter().map(|(_, rule)| rule.id.len()).max().unwrap_or(0);
    let line = |(_, rule): &(Api, &Rule)| {
        format!("{:width$}  {:7}  {}  {}", rule.id, rule.severity.name(), rule.scope.name(), rule.says)
    };
    rules.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn in_full((api, rule): (Api, &Rule)) -> String {
    let mut out = format!("{}  {}, {} of {api}", rule.id, rule.severity, rule.scope.name());
    if !rule.dialects.is_empty() {
        out.push_str(", only ");
        out.push_str(&rule.dialects.join(", "));
    }
    if rule.first_party {
        out.push_str(", a warning at compatible servers");
    }
    format!("{out}\n  rule    {}\n  fix     {}\n  source  {}\n", rule.says, rule.fix, rule.source)
}

fn json(rules: &[(Api, &Rule)]) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.array(|w| {
        for (api, rule) in rules {
            w.object(|w| {
                w.member("id", rule.id);
                w.member("severity", rule.severity.name());
                w.member("statement", rule.says);
                w.member("source", rule.source);
                w.member("scope", rule.scope.name());
                w.member("api", api.name());
                w.member("about", rule.about.name());
                w.member("fix", rule.fix);
                w.key("firstParty");
                w.literal(rule.first_party);
                w.key("dialects");
                w.array(|w| rule.dialects.iter().for_each(|dialect| w.string(dialect)));
            });
        }
    });
    writer.finish()
}
