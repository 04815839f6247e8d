//! What can be typed.

use std::io::IsTerminal as _;

use clap::{Parser, Subcommand};

use super::{Exit, completions, decode, encode, expect, lint, list, mutants, new, output, report, rules, run, show};

/// Proves that a client of LLM providers reads tool calls right.
#[derive(Debug, Parser)]
#[command(name = "toolwire", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub(super) struct Args {
    /// Colour: auto, always or never; `NO_COLOR` counts under auto
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        hide_possible_values = true,
        display_order = 900
    )]
    pub(super) color: output::Color,

    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Judge what a target makes of the corpus: the main job
    Run(run::RunArgs),
    /// Read a provider's response and print the turn it means, as JSON
    Decode(decode::DecodeArgs),
    /// Judge a request by the rules of its API, without sending it
    Lint(lint::LintArgs),
    /// List the rules that lint holds a request to
    Rules(rules::RulesArgs),
    /// Turn a neutral request into the exact request that a provider gets
    Encode(encode::EncodeArgs),
    /// List the cases of the corpus, or what it covers
    List(list::ListArgs),
    /// Show one case: its stream, and what is expected
    Show(show::ShowArgs),
    /// Show which case kills which mutant: proof that the checks can fail
    Mutants(mutants::MutantsArgs),
    /// Keep the expectations file true: find stale entries, take over a report
    Expect(expect::ExpectArgs),
    /// Render, merge or compare reports
    Report(report::ReportArgs),
    /// Begin a new case
    New(new::NewArgs),
    /// Print the completion script of a shell
    Completions(completions::CompletionsArgs),
}

impl Command {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        match self {
            Self::Run(args) => run::run(args),
            Self::Expect(args) => expect::run(args),
            Self::Report(args) => report::run(args),
            Self::Decode(args) => decode::run(args),
            Self::Lint(args) => lint::run(args),
            Self::Rules(args) => rules::run(args),
            Self::Encode(args) => encode::run(args),
            Self::List(args) => list::run(args),
            Self::Show(args) => show::run(args),
            Self::Mutants(args) => mutants::run(args),
            Self::New(args) => new::run(args),
            Self::Completions(args) => completions::run(args),
        }
    }
}

/// True if nothing is piped in.
pub(super) fn stdin_is_terminal() -> bool {
    #[expect(clippy::disallowed_methods, reason = "asks what stdin is, at the edge")]
    std::io::stdin().is_terminal()
}
