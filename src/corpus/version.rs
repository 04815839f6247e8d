//! Calendar versions of the corpus.

use std::fmt;
use std::str::FromStr;

/// A calendar version such as `2026.12`; later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CorpusVersion {
    year: u16,
    month: u8,
}

impl CorpusVersion {
    /// Before every version, `0000.00`: what stands in no corpus, such as a recording.
    pub const NONE: Self = Self { year: 0, month: 0 };
}

impl fmt::Display for CorpusVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}", self.year, self.month)
    }
}

/// Why a text is no calendar version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no calendar version such as 2026.12")]
pub struct CorpusVersionError(String);

impl FromStr for CorpusVersion {
    type Err = CorpusVersionError;

    fn from_str(text: &str) -> Result<Self, CorpusVersionError> {
        let wrong = || CorpusVersionError(text.to_owned());
        let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
        let (year, month) = text.split_once('.').ok_or_else(wrong)?;
        if !digits(year, 4) || !digits(month, 2) {
            return Err(wrong());
        }
        let version = Self { year: year.parse().map_err(|_| wrong())?, month: month.parse().map_err(|_| wrong())? };
        if (1..=12).contains(&version.month) { Ok(version) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::CorpusVersion;

    #[test]
    fn versions_are_read_strictly_and_compared_by_time() {
        let version = |text: &str| text.parse::<CorpusVersion>();
        assert_eq!(version("2026.12").unwrap().to_string(), "2026.12");
        assert!(version("2026.12").unwrap() < version("2027.01").unwrap());
        assert!(CorpusVersion::NONE < version("0001.01").unwrap());
        for wrong in ["2026", "2026.1", "2026.13", "2026.00", "26.12", "2026.12 ", "2026-12", "2026.1a", "+026.12", ""]
        {
            assert!(version(wrong).is_err(), "{wrong}");
        }
    }
}
