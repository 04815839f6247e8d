//! The APIs and their names.

use std::fmt;
use std::str::FromStr;

/// A provider API that toolwire decodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Api {
    /// Anthropic Messages.
    AnthropicMessages,
    /// OpenAI Chat Completions and every server that speaks it.
    OpenaiChat,
    /// OpenAI Responses.
    OpenaiResponses,
    /// Gemini generateContent and streamGenerateContent.
    Gemini,
    /// Mistral chat.
    MistralChat,
}

/// Names that are reserved for APIs to come.
const LATER: &[&str] = &["bedrock-converse", "cohere-chat", "ollama-chat"];

impl Api {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::AnthropicMessages, Self::OpenaiChat, Self::OpenaiResponses, Self::Gemini, Self::MistralChat];

    /// The name on the command line and in cases.
    pub fn name(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Gemini => "gemini",
            Self::MistralChat => "mistral-chat",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a name is no API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// An API that will be read one day.
    #[error("API `{0}` is not yet supported; supported are {list}", list = supported())]
    NotYet(String),
    /// No API at all.
    #[error("unknown API `{name}`{}; supported are {list}", .hint.map(|h| format!(", did you mean `{h}`?")).unwrap_or_default(), list = supported())]
    Unknown {
        /// What was given.
        name: String,
        /// What was probably meant.
        hint: Option<&'static str>,
    },
    /// A dialect that is not spelled like one.
    #[error("malformed dialect in `{0}`; write API/DIALECT in lower case, such as openai-chat/deepseek")]
    Dialect(String),
}

fn supported() -> String {
    Api::ALL.iter().map(|api| api.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Api {
    type Err = ApiError;

    fn from_str(name: &str) -> Result<Self, ApiError> {
        if let Some(api) = Self::ALL.iter().find(|api| api.name() == name) {
            return Ok(*api);
        }
        if LATER.contains(&name) {
            return Err(ApiError::NotYet(name.to_owned()));
        }
        let lower = name.to_ascii_lowercase();
        let first = lower.split(['-', '_', '/', ' ']).next().unwrap_or("");
        let hint = Self::ALL.iter().map(|api| api.name()).find(|known| {
            !first.is_empty() && (known.split('-').any(|word| word == first) || known.starts_with(first))
        });
        Err(ApiError::Unknown { name: name.to_owned(), hint })
    }
}

/// An API with the dialect of a compatible server, written `openai-chat/deepseek`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ApiName {
    /// The API.
    pub api: Api,
    /// The server's dialect, lower case; `None` for any.
    pub dialect: Option<String>,
}

impl FromStr for ApiName {
    type Err = ApiError;

    fn from_str(text: &str) -> Result<Self, ApiError> {
        let (api, dialect) = text.split_once('/').map_or((text, None), |(api, dialect)| (api, Some(dialect)));
        let api = api.parse()?;
        let well_formed = |d: &str| {
            !d.is_empty() && d.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.')
        };
        match dialect {
            Some(dialect) if !well_formed(dialect) => Err(ApiError::Dialect(text.to_owned())),
            _ => Ok(Self { api, dialect: dialect.map(str::to_owned) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Api, ApiError, ApiName};

    #[test]
    fn names_are_read_and_mistakes_are_named() {
        assert_eq!("openai-chat".parse(), Ok(Api::OpenaiChat));
        let name: ApiName = "openai-chat/deepseek".parse().unwrap();
        assert_eq!((name.api, name.dialect.as_deref()), (Api::OpenaiChat, Some("deepseek")));
        assert_eq!("gemini".parse(), Ok(Api::Gemini));
        assert_eq!("cohere-chat".parse::<Api>(), Err(ApiError::NotYet("cohere-chat".into())));
        assert!("anthropic".parse::<Api>().unwrap_err().to_string().contains("did you mean `anthropic-messages`?"));
        assert!("x".parse::<Api>().unwrap_err().to_string().starts_with("unknown API `x`; supported are anthropic"));
        assert!(matches!("openai-chat/Deep Seek".parse::<ApiName>(), Err(ApiError::Dialect(_))));
    }
}
