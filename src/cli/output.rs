//! Writing results and messages.

use std::io::Write as _;

use crate::report::escape;

/// Writes a result and a line end to stdout.
pub(super) fn result(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}")?;
    stdout.flush()?;
    Ok(())
}

/// Writes a result to stdout as it is.
pub(super) fn exactly(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes it so for this process.
    pub(super) fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::AlwaysAnsi,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// How a subcommand prints its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum TextOrJson {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Text that holds a provider's bytes, line by line safe to print: what a terminal would act on is spelled out.
pub(super) fn for_terminal(text: &str) -> String {
    text.split('\n').map(escape::terminal).collect::<Vec<_>>().join("\n")
}

/// Tells the user something that is no result.
pub(super) fn note(text: &str) {
    // There is nobody to tell if stderr is gone.
    let _ = writeln!(anstream::stderr(), "note: {}", for_terminal(text));
}

/// Tells the user why nothing was done: the message and its causes on one line.
pub(super) fn error(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "error: {}", for_terminal(&format!("{error:#}")));
}

/// True if the reader of our output went away.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
