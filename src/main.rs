//! Parses, calls, maps to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolwire::cli::main().into()
}
