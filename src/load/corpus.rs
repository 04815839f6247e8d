//! Reading a corpus: a folder, or the one inside this program.
#![expect(clippy::disallowed_methods, reason = "reads the corpus from disk")]

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::corpus::{Corpus, CorpusError, Files};

/// Why there is no corpus.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file or folder could not be read.
    #[error("failed to read `{}`", .path.display())]
    Io {
        /// What was read.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file or the whole folder is too large.
    #[error("`{}` is over the limit of {limit} bytes", .path.display())]
    TooLarge {
        /// What was read.
        path: PathBuf,
        /// The limit that it is over.
        limit: u64,
    },
    /// Files that are not what they should be; all of them.
    #[error("{} {} in the corpus:\n{}", .0.len(), if .0.len() == 1 { "error" } else { "errors" }, list(.0))]
    Corpus(Vec<CorpusError>),
}

fn list(errors: &[CorpusError]) -> String {
    errors.iter().map(|error| format!("  {error}")).collect::<Vec<_>>().join("\n")
}

/// The most that one file may hold, and a whole folder, in bytes.
const MAX_FILE: u64 = 64 << 20;
const MAX_FOLDER: u64 = 1 << 30;

/// How deeply folders may nest: api/slug/file, with room to spare.
const MAX_DEPTH: usize = 8;

static PACK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/corpus.pack"));

/// The corpus that this program was built with.
///
/// # Errors
/// If it is broken; a test keeps it whole.
pub fn embedded_corpus() -> Result<Corpus, LoadError> {
    if cfg!(debug_assertions) && PACK.is_empty() {
        return corpus_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
    }
    Corpus::build(&unpack(PACK)).map_err(LoadError::Corpus)
}

fn unpack(mut pack: &[u8]) -> Files<'_> {
    fn part<'a>(pack: &mut &'a [u8]) -> Option<&'a [u8]> {
        let (length, rest) = pack.split_first_chunk::<4>()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        *pack = rest;
        Some(part)
    }
    let mut files = Files::new();
    while let Some((name, bytes)) = part(&mut pack).and_then(|name| Some((name, part(&mut pack)?))) {
        files.insert(String::from_utf8_lossy(name).into_owned(), Cow::Borrowed(bytes));
    }
    files
}

/// The corpus in a folder.
///
/// # Errors
/// If it cannot be read, or is not a corpus.
pub fn corpus_in(dir: &Path) -> Result<Corpus, LoadError> {
    let mut files = Files::new();
    let mut budget = MAX_FOLDER;
    read_dir(dir, "", 0, &mut files, &mut budget)?;
    Corpus::build(&files).map_err(LoadError::Corpus)
}

/// What the corpus in a folder says about itself, without its cases. A folder that is not there says nothing.
///
/// # Errors
/// If what is there cannot be read, or is not of a corpus.
pub fn corpus_head(dir: &Path) -> Result<Corpus, LoadError> {
    let mut files = Files::new();
    for name in ["VERSION", "kinds.json"] {
        let path = dir.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => {
                files.insert(name.to_owned(), Cow::Owned(bytes));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(LoadError::Io { path, source }),
        }
    }
    Corpus::build(&files).map_err(LoadError::Corpus)
}

fn read_dir(dir: &Path, prefix: &str, depth: usize, files: &mut Files<'_>, budget: &mut u64) -> Result<(), LoadError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| LoadError::Io { path, source }
    };
    for entry in std::fs::read_dir(dir).map_err(io(dir))? {
        let entry = entry.map_err(io(dir))?;
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        // Editors and file managers leave hidden files behind.
        if name.starts_with('.') {
            continue;
        }
        let inner = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        // Links are not followed: a corpus stays inside its folder.
        let kind = entry.file_type().map_err(io(&path))?;
        if kind.is_dir() && depth < MAX_DEPTH {
            read_dir(&path, &inner, depth + 1, files, budget)?;
        } else if kind.is_file() {
            let size = entry.metadata().map_err(io(&path))?.len();
            if size > MAX_FILE || size > *budget {
                return Err(LoadError::TooLarge { path, limit: MAX_FILE.min(*budget) });
            }
            *budget -= size;
            files.insert(inner, Cow::Owned(std::fs::read(&path).map_err(io(&path))?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{embedded_corpus, unpack};

    #[test]
    fn the_corpus_of_this_program_is_whole() {
        let corpus = embedded_corpus().unwrap_or_else(|error| panic!("{error}"));
        assert!(corpus.cases.len() >= 150, "{}", corpus.cases.len());
    }

    #[test]
    fn packs_are_read_to_their_end_and_no_further() {
        let pack = b"\x01\0\0\0a\x02\0\0\0xy\x01\0\0\0b\0\0\0\0";
        let files = unpack(pack);
        assert_eq!(files.len(), 2);
        assert_eq!(&*files["a"], b"xy");
        for cut in 0..pack.len() {
            assert!(unpack(&pack[..cut]).len() <= 2);
        }
    }
}
