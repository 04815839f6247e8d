//! What several tests need.

use std::path::PathBuf;

/// The folder with captures and faults, where it is present: `../shared`, or what `TOOLWIRE_SHARED` names.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TOOLWIRE_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = root.join(folder);
    path.is_dir().then_some(path)
}
