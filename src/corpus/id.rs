//! Names of cases and of their permutations, and globs over them.

use std::fmt;

/// The permanent name of a case: its path below the corpus, `api/slug`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId(String);

/// Why a text is no case id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no case id; write folder/slug in lower case, digits and single hyphens")]
pub struct CaseIdError(String);

impl CaseId {
    /// Checks `folder/slug`, each lower-kebab.
    ///
    /// # Errors
    /// If it is not spelled so.
    pub fn new(text: &str) -> Result<Self, CaseIdError> {
        let kebab = |part: &str| {
            !part.is_empty()
                && part
                    .split('-')
                    .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
        };
        match text.split_once('/') {
            Some((folder, slug)) if kebab(folder) && kebab(slug) => Ok(Self(text.to_owned())),
            _ => Err(CaseIdError(text.to_owned())),
        }
    }

    /// A legal id from names that follow other rules: what is no letter or digit becomes a hyphen.
    pub fn kebab(folder: &str, name: &str) -> Self {
        let part = |text: &str| {
            let lower = text.to_ascii_lowercase();
            let words: Vec<&str> =
                lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
            if words.is_empty() { "unnamed".to_owned() } else { words.join("-") }
        };
        Self(format!("{}/{}", part(folder), part(name)))
    }

    /// The whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder: an API, `framing` or `conversations`.
    pub fn folder(&self) -> &str {
        self.0.split('/').next().unwrap_or("")
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A pattern over case ids, and with `#axis=value,…` over permutations: `*` stands for any characters within
/// a segment, `**` for any at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseGlob {
    text: String,
    case: String,
    axes: Vec<(String, String)>,
}

/// Why a text is no glob.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no case pattern; write folder/slug with * and **, and #axis=value,… behind it")]
pub struct CaseGlobError(String);

impl std::str::FromStr for CaseGlob {
    type Err = CaseGlobError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || CaseGlobError(text.to_owned());
        let (case, axes) = text.split_once('#').map_or((text, None), |(case, axes)| (case, Some(axes)));
        if case.is_empty() || case.contains(char::is_whitespace) {
            return Err(error());
        }
        let axes = axes
            .into_iter()
            .flat_map(|axes| axes.split(','))
            .map(|axis| match axis.split_once('=') {
                Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
                _ => Err(error()),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { text: text.to_owned(), case: case.to_owned(), axes })
    }
}

impl CaseGlob {
    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if the case's id matches, whatever the permutation.
    pub fn matches_case(&self, id: &CaseId) -> bool {
        wildcard(self.case.as_bytes(), id.as_str().as_bytes())
    }

    /// True if the id matches and `permutation` (`axis=value,…`) has every axis asked for.
    pub fn matches(&self, id: &CaseId, permutation: &str) -> bool {
        let has = |name: &str, value: &str| {
            permutation
                .split(',')
                .filter_map(|axis| axis.split_once('='))
                .any(|(n, v)| n == name && wildcard(value.as_bytes(), v.as_bytes()))
        };
        self.matches_case(id) && self.axes.iter().all(|(name, value)| has(name, value))
    }
}

/// `*` within a segment, `**` across; linear in text times pattern, without recursion on the text.
pub(crate) fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    // Most patterns are spelled out, or differ from the text before their first star.
    let literal = pattern.iter().position(|b| *b == b'*').unwrap_or(pattern.len());
    let (literal, pattern) = pattern.split_at_checked(literal).unwrap_or((pattern, &[]));
    let Some(text) = text.strip_prefix(literal) else { return false };
    if pattern.is_empty() {
        return text.is_empty();
    }
    // reached[i]: the pattern up to here matches text[..i].
    let mut reached = vec![false; text.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    let mut rest = pattern;
    while let Some((&first, tail)) = rest.split_first() {
        let across = first == b'*' && tail.first() == Some(&b'*');
        rest = if across { tail.get(1..).unwrap_or(&[]) } else { tail };
        let mut next = vec![false; reached.len()];
        let mut open = false;
        for (i, slot) in next.iter_mut().enumerate() {
            let here = reached.get(i).copied().unwrap_or(false);
            let before = i.checked_sub(1).and_then(|i| Some((reached.get(i)?, text.get(i)?)));
            if first == b'*' {
                let crossed = before.is_some_and(|(_, c)| *c == b'/' && !across);
                open = here || (open && !crossed);
                *slot = open;
            } else {
                *slot = before.is_some_and(|(reached, c)| *reached && *c == first);
            }
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::{CaseGlob, CaseId};

    #[test]
    fn ids_are_lower_kebab_paths() {
        for good in ["openai-chat/a", "framing/bom-at-start-2"] {
            assert!(CaseId::new(good).is_ok(), "{good}");
        }
        assert_eq!(CaseId::kebab("x.ai", "Grok 4.1_a--b").as_str(), "x-ai/grok-4-1-a-b");
        for bad in ["a", "a/b/c", "A/b", "a/b_c", "a/-b", "a/", "/b", "a/b--c", "../x"] {
            assert!(CaseId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn globs_match_within_and_across_segments_and_by_axis() {
        let id = CaseId::new("openai-chat/parallel-calls").unwrap();
        let matches = |glob: &str| glob.parse::<CaseGlob>().unwrap().matches(&id, "chunking=byte,newline=lf");
        for glob in [
            "openai-chat/parallel-calls",
            "openai-chat/*",
            "**",
            "*/parallel-*",
            "open*/*-calls",
            "**-calls",
            "openai-chat/*#chunking=byte",
            "**#newline=lf,chunking=b*",
        ] {
            assert!(matches(glob), "{glob}");
        }
        for glob in
            ["*", "openai-chat", "openai-chat/parallel", "**#chunking=whole", "*#chunking=byte", "anthropic-*/*"]
        {
            assert!(!matches(glob), "{glob}");
        }
        for bad in ["", "a b", "a#", "a#chunking", "a#=b"] {
            assert!(bad.parse::<CaseGlob>().is_err(), "{bad}");
        }
    }
}
