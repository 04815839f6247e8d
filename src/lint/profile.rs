//! How much is asked of a request.

use crate::providers::{Rule, Severity};

/// Whose rules count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Those of the API's own servers: every rule at its own severity.
    #[default]
    Strict,
    /// Those of a compatible server: what only the API's own servers are known to insist on is a warning.
    Compat,
}

/// Dialects that are the API's own service in another place.
const OWN: &[&str] = &[
    "openai",
    "azure",
    "anthropic",
    "vertex",
    "bedrock",
    "bedrock-mantle",
    "foundry",
    "aistudio",
    "codeassist",
    "mistral",
];

impl Profile {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Compat, Self::Strict];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Compat => "compat",
        }
    }

    /// What is meant where nobody says: a dialect names a compatible server, unless it is one of the API's own
    /// services.
    pub fn of(dialect: Option<&str>) -> Self {
        if dialect.is_some_and(|dialect| !OWN.contains(&dialect)) { Self::Compat } else { Self::Strict }
    }

    /// How grave a breach of `rule` is that would be `severity` at a server that holds to it.
    pub fn severity(self, rule: &Rule, severity: Severity) -> Severity {
        if self == Self::Compat && rule.first_party { Severity::Warning } else { severity }
    }
}
