//! `toolwire completions`: for the shell.

use clap::CommandFactory as _;

use super::{Exit, args, output};

const EXAMPLES: &str = "\
Examples:
  toolwire completions bash > ~/.local/share/bash-completion/completions/toolwire
  toolwire completions zsh > ~/.zfunc/_toolwire";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: clap_complete::Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::Args::command(), "toolwire", &mut script);
    output::result(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::AsExpected)
}
