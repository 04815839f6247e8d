//! Mutants: targets that are wrong on purpose, the way real clients are.

use super::naive::Quirk;
use super::outbound::{OutboundQuirk, Sender};
use super::reader::Naive;
use super::stimulus::Target;
use crate::model::Api;

/// What a mutant gets wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What it reads.
    Inbound,
    /// What it sends.
    Outbound,
}

impl Side {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inbound => "inbound",
            Self::Outbound => "outbound",
        }
    }
}

/// A mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// A naive reader with a mistake.
    Reader(Quirk),
    /// A sender with a mistake.
    Sender(OutboundQuirk),
}

impl Mutant {
    /// All of them, readers first.
    pub fn all() -> impl Iterator<Item = Self> {
        let readers = Quirk::ALL.iter().copied().map(Self::Reader);
        readers.chain(OutboundQuirk::ALL.iter().copied().map(Self::Sender))
    }

    /// The one with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|mutant| mutant.name() == name)
    }

    /// The name, lower-kebab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader(quirk) => quirk.name(),
            Self::Sender(quirk) => quirk.name(),
        }
    }

    /// What it does wrong, in one sentence.
    pub fn says(self) -> &'static str {
        match self {
            Self::Reader(quirk) => quirk.says(),
            Self::Sender(quirk) => quirk.says(),
        }
    }

    /// The APIs that it can be seen at.
    pub fn apis(self) -> &'static [Api] {
        match self {
            Self::Reader(quirk) => quirk.apis(),
            Self::Sender(quirk) => quirk.apis(),
        }
    }

    /// What it gets wrong.
    pub fn side(self) -> Side {
        match self {
            Self::Reader(_) => Side::Inbound,
            Self::Sender(_) => Side::Outbound,
        }
    }

    /// The target.
    pub fn target(self) -> Box<dyn Target> {
        match self {
            Self::Reader(quirk) => Box::new(Naive::mutant(quirk)),
            Self::Sender(quirk) => Box::new(Sender::mutant(quirk)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mutant;

    #[test]
    fn names_are_told_apart_and_sentences_are_sentences() {
        let mut names: Vec<&str> = Mutant::all().map(Mutant::name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        for mutant in Mutant::all() {
            assert!(mutant.says().ends_with('.') && !mutant.apis().is_empty(), "{}", mutant.name());
            assert_eq!(Mutant::find(mutant.name()), Some(mutant));
        }
    }
}
