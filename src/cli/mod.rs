//! The command line: what was typed, then a validated plan, then the work.
//!
//! Results go to stdout, messages to stderr. One file a subcommand.

mod args;
mod completions;
mod decode;
mod encode;
mod exit;
mod expect;
mod input;
mod jobs;
mod lint;
mod list;
mod mutants;
mod new;
mod output;
mod report;
mod rules;
mod run;
mod select;
mod show;
mod writer;

use clap::Parser as _;

pub use exit::Exit;

/// Runs the command line of this process.
pub fn main() -> Exit {
    // A panic is a fault of ours, and has an exit code of its own.
    match std::panic::catch_unwind(run) {
        Ok(exit) => exit,
        Err(_) => Exit::Internal,
    }
}

fn run() -> Exit {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are errors to clap, and go to stdout.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::AsExpected };
            // A help text that nobody reads to its end is no mistake.
            let _ = error.print();
            return exit;
        }
    };
    args.color.apply();
    match args.command.run() {
        Ok(exit) => exit,
        // Whoever read our output has seen enough.
        Err(error) if output::is_broken_pipe(&error) => Exit::AsExpected,
        Err(error) => {
            output::error(&error);
            Exit::Usage
        }
    }
}
