//! `toolwire.toml`: where expectations lie, which corpus version is judged, which targets there are.
#![expect(clippy::disallowed_methods, reason = "reads the configuration from disk")]

use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, TableLike};

use crate::corpus::CorpusVersion;

/// What the configuration says. Paths are resolved against the folder it lies in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// The expectations file.
    pub expectations: Option<PathBuf>,
    /// The latest corpus version that is judged.
    pub max_since: Option<CorpusVersion>,
    /// Names of the targets that it describes.
    pub targets: Vec<String>,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// It could not be read.
    #[error("failed to read `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not TOML, or not a configuration.
    #[error("{}: {message}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
}

/// The keys at the top, and those of a target.
const KEYS: &[&str] = &["expectations", "snapshots", "max_since", "targets"];
const TARGET_KEYS: &[&str] = &["adapter", "command", "base-url", "gateway", "require", "env", "surface", "sortsTools"];

impl Config {
    /// The configuration in `path`, or in `toolwire.toml` of the working directory if there is one.
    ///
    /// # Errors
    /// If a named file is missing, or a file is not a configuration.
    pub fn load(path: Option<&Path>) -> Result<Self, ConfigError> {
        let default = Path::new("toolwire.toml");
        let path = match path {
            Some(path) => path,
            None if default.is_file() => default,
            None => return Ok(Self::default()),
        };
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
        Self::parse(&text, path.parent().unwrap_or(Path::new("")))
            .map_err(|message| ConfigError::Invalid { path: path.to_owned(), message })
    }

    fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let document = Document::parse(text.to_owned()).map_err(|error| error.to_string())?;
        let root = document.as_table();
        known(root, KEYS, "")?;
        let string = |key: &str| match root.get(key) {
            None => Ok(None),
            Some(item) => item.as_str().map(Some).ok_or_else(|| format!("`{key}` has to be a string")),
        };
        let mut targets = Vec::new();
        if let Some(table) = root.get("targets") {
            let table = table.as_table_like().ok_or("`targets` has to be a table of tables")?;
            for (name, target) in table.iter() {
                let target = target.as_table_like().ok_or_else(|| format!("`targets.{name}` has to be a table"))?;
                known(target, TARGET_KEYS, &format!("targets.{name}."))?;
                targets.push(name.to_owned());
            }
        }
        Ok(Self {
            expectations: string("expectations")?.map(|path| folder.join(path)),
            max_since: string("max_since")?
                .map(|version| version.parse().map_err(|error| format!("`max_since`: {error}")))
                .transpose()?,
            targets,
        })
    }
}

fn known(table: &dyn TableLike, keys: &[&str], prefix: &str) -> Result<(), String> {
    let unknown = table.iter().find(|(key, item)| !keys.contains(key) && !matches!(item, Item::None));
    match unknown {
        Some((key, _)) => Err(format!("unknown key `{prefix}{key}`; known are {}", keys.join(", "))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Config;

    #[test]
    fn paths_are_relative_to_the_file_and_mistakes_are_named() {
        let config = Config::parse(
            "expectations = \"e.toml\"\nmax_since = \"2026.12\"\n[targets.x]\nadapter = [\"a\"]",
            Path::new("dir"),
        )
        .unwrap();
        assert_eq!(config.expectations.as_deref(), Some(Path::new("dir/e.toml")));
        assert_eq!(config.targets, ["x"]);
        assert_eq!(config.max_since, "2026.12".parse().ok());
        let error = |text: &str| Config::parse(text, Path::new("")).unwrap_err();
        assert!(error("expectation = \"x\"").contains("unknown key `expectation`; known are expectations"));
        assert!(error("[targets.x]\nadaptor = 1").contains("targets.x.adaptor"));
        assert_eq!(error("max_since = \"2026.1\""), "`max_since`: `2026.1` is no calendar version such as 2026.12");
        assert!(error("expectations = 3").contains("has to be a string"));
        assert!(error("x = ").contains("TOML parse error"));
    }
}
