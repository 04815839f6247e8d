//! How much a case weighs, and where its stream comes from.

/// How a failing case counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Red.
    Must,
    /// Shown; red under `--strict`.
    Should,
    /// Shown.
    Info,
}

impl Level {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Must, Self::Should, Self::Info];

    /// The name in cases.
    pub fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Info => "info",
        }
    }
}

/// Who sends such a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The provider that the API is named after.
    Legal,
    /// A compatible server that is named.
    Bent,
    /// Nobody should; a client has to end safely.
    Broken,
}

impl Class {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Legal, Self::Bent, Self::Broken];

    /// The name in cases.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Bent => "bent",
            Self::Broken => "broken",
        }
    }
}
