//! Reading what the user named.
#![expect(clippy::disallowed_methods, reason = "the edge: files and stdin")]

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};

/// The most that is read from one file or from stdin, in bytes.
pub(super) const MAX_INPUT: u64 = 1 << 30;

/// The bytes of a file, or of stdin for `-`.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") {
        if super::args::stdin_is_terminal() {
            bail!("nothing to read: name a FILE, or pipe it into stdin");
        }
        std::io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes).context("failed to read stdin")?;
        "stdin".to_owned()
    } else {
        let name = path.display().to_string();
        if path.is_dir() {
            bail!("`{name}` is a directory; name a file");
        }
        let file = std::fs::File::open(path).with_context(|| format!("failed to open `{name}`"))?;
        file.take(MAX_INPUT + 1).read_to_end(&mut bytes).with_context(|| format!("failed to read `{name}`"))?;
        name
    };
    if bytes.len() as u64 > MAX_INPUT {
        bail!("`{name}` is longer than {MAX_INPUT} bytes");
    }
    if bytes.is_empty() {
        super::output::note(&format!("`{name}` is empty"));
    }
    Ok(bytes)
}
