//! Writing results and messages.

use std::io::Write as _;

/// Writes a result and a line end to stdout.
pub(super) fn result(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}")?;
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

/// Text that holds a provider's bytes, safe to print: what a terminal would act on is shown as an escape.
pub(super) fn for_terminal(text: &str) -> String {
    let acts = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// Tells the user something that is no result.
pub(super) fn note(text: &str) {
    // There is nobody to tell if stderr is gone.
    let _ = writeln!(anstream::stderr(), "note: {text}");
}

/// Tells the user why nothing was done: the message and its causes on one line.
pub(super) fn error(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "error: {error:#}");
}

/// True if the reader of our output went away.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
