//! Writing results and messages.

use std::io::Write as _;

/// Writes a result and a line end to stdout.
pub(super) fn result(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}")?;
    stdout.flush()?;
    Ok(())
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
