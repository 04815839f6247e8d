//! The neutral request: what a caller asks, whatever provider it goes to.

use super::message::Message;
use super::tool::{Tool, ToolChoice};
use crate::json::fields::{FieldError, FieldResult, Place};
use crate::json::{Kind, Value};

/// A request to a model, in no provider's words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The model.
    pub model: String,
    /// The system prompt, a text a block; none if there is none.
    pub system: Vec<String>,
    /// The tools, in any order.
    pub tools: Vec<Tool>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Which tools may or must be called; `None` if the caller does not say.
    pub tool_choice: Option<ToolChoice>,
    /// Whether several calls a turn are wanted; `None` if the caller does not say.
    pub parallel_tool_calls: Option<bool>,
    /// The output limit in tokens.
    pub max_tokens: Option<u64>,
    /// The stored response that this request goes on from.
    pub previous_response_id: Option<String>,
    /// Whether the model should think; `None` leaves it to the provider.
    pub thinking: Option<bool>,
    /// How it is sent.
    pub options: Options,
    /// Halves of surrogate pairs were left out of texts while the request was read.
    pub mended_surrogates: bool,
}

/// How a request is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How long the prompt is cached.
    pub cache_retention: CacheRetention,
    /// Whether tool arguments are constrained by their schema.
    pub strict: Strict,
    /// The answer is streamed.
    pub stream: bool,
    /// Tool names take the casing that OAuth clients of Anthropic have to use.
    pub oauth_tool_names: bool,
    /// Arguments are streamed unbuffered; `None` means as the server likes it.
    pub eager_input_streaming: Option<bool>,
    /// The field in which Gemini gets its schemas.
    pub gemini_schema_field: GeminiSchemaField,
    /// The compatible server whose dialect is spoken.
    pub dialect: Option<String>,
}

/// How long the prompt is cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CacheRetention {
    /// No markers.
    None,
    /// As long as the provider does it by default.
    #[default]
    Short,
    /// An hour, where the provider can.
    Long,
}

impl CacheRetention {
    const ALL: &'static [Self] = &[Self::None, Self::Short, Self::Long];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}

/// What the caller says about strict schemas. To leave it unsaid lets the encoder choose; `null` keeps the
/// field out of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strict {
    /// Nothing.
    #[default]
    Unsaid,
    /// `null`.
    Null,
    /// Not strict.
    Off,
    /// Strict, if every schema can be.
    On,
}

/// The field in which Gemini gets its schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GeminiSchemaField {
    /// `parametersJsonSchema`: JSON Schema.
    #[default]
    ParametersJsonSchema,
    /// `parameters`: the older subset of `OpenAPI`.
    Parameters,
}

impl GeminiSchemaField {
    const ALL: &'static [Self] = &[Self::ParametersJsonSchema, Self::Parameters];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParametersJsonSchema => "parametersJsonSchema",
            Self::Parameters => "parameters",
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cache_retention: CacheRetention::default(),
            strict: Strict::default(),
            stream: true,
            oauth_tool_names: false,
            eager_input_streaming: None,
            gemini_schema_field: GeminiSchemaField::default(),
            dialect: None,
        }
    }
}

/// Why a JSON value is no request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at {})", if .pointer.is_empty() { "the top" } else { .pointer })]
pub struct RequestError {
    /// RFC 6901 pointer to what is wrong.
    pub pointer: String,
    /// Byte offset of it in the text.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl From<FieldError> for RequestError {
    fn from(error: FieldError) -> Self {
        Self { pointer: error.pointer, at: error.at, message: error.message }
    }
}

const KEYS: &[&str] = &[
    "model",
    "system",
    "tools",
    "messages",
    "toolChoice",
    "parallelToolCalls",
    "maxTokens",
    "previousResponseId",
    "thinking",
    "options",
];

const OPTION_KEYS: &[&str] =
    &["cacheRetention", "strict", "stream", "oauthToolNames", "eagerInputStreaming", "geminiSchemaField", "dialect"];

impl Request {
    /// Reads a neutral request. Unknown keys at the top and in `options` are errors, for a misspelt option
    /// changes what is sent; tools, messages and blocks may carry more than is read.
    ///
    /// # Errors
    /// The first thing that is wrong, with its pointer. A tool that cannot be sent is none: see [`Tool`].
    pub fn read(value: Value<'_>) -> Result<Self, RequestError> {
        Ok(Self::read_fields(value)?)
    }

    fn read_fields(value: Value<'_>) -> FieldResult<Self> {
        let fields = Place::root(value).object(KEYS)?;
        let flag = |key: &str| fields.get(key).map(|flag| flag.bool()).transpose();
        let list = |key: &str| fields.get(key).map(|list| list.items()).transpose().map(Option::unwrap_or_default);
        let max_tokens = match fields.get("maxTokens") {
            None => None,
            Some(limit) => match limit.count()? {
                0 => return Err(limit.error("`maxTokens` has to be at least 1")),
                count => Some(count),
            },
        };
        fields.required("messages")?;
        Ok(Self {
            model: fields.text("model")?,
            system: match fields.get("system") {
                None => Vec::new(),
                Some(text) if text.value.kind() == Kind::String => vec![text.lenient_string()?],
                Some(blocks) => blocks.items()?.iter().map(Place::lenient_string).collect::<FieldResult<_>>()?,
            },
            tools: list("tools")?.iter().map(Tool::read).collect::<FieldResult<_>>()?,
            messages: list("messages")?.iter().map(Message::read).collect::<FieldResult<_>>()?,
            tool_choice: fields.get("toolChoice").map(|choice| ToolChoice::read(&choice)).transpose()?,
            parallel_tool_calls: flag("parallelToolCalls")?,
            max_tokens,
            previous_response_id: fields.get("previousResponseId").map(|id| id.string()).transpose()?,
            thinking: flag("thinking")?,
            options: fields.get("options").map(|options| Options::read(&options)).transpose()?.unwrap_or_default(),
            mended_surrogates: value.has_lone_surrogate(),
        })
    }
}

impl Options {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(OPTION_KEYS)?;
        let flag = |key: &str| fields.get(key).map(|flag| flag.bool()).transpose();
        let retention = fields.get("cacheRetention").map(|word| word.word(CacheRetention::ALL, CacheRetention::name));
        let field =
            fields.get("geminiSchemaField").map(|word| word.word(GeminiSchemaField::ALL, GeminiSchemaField::name));
        Ok(Self {
            cache_retention: retention.transpose()?.unwrap_or_default(),
            strict: match fields.raw("strict") {
                None => Strict::Unsaid,
                Some(null) if null.value.is_null() => Strict::Null,
                Some(flag) if flag.bool()? => Strict::On,
                Some(_) => Strict::Off,
            },
            stream: flag("stream")?.unwrap_or(true),
            oauth_tool_names: flag("oauthToolNames")?.unwrap_or(false),
            eager_input_streaming: flag("eagerInputStreaming")?,
            gemini_schema_field: field.transpose()?.unwrap_or_default(),
            dialect: fields.get("dialect").map(|dialect| dialect.string()).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Request, Strict};
    use crate::json::Doc;
    use crate::model::{AssistantBlock, CallArguments, Message, ToolInput};

    fn read(text: &str) -> Result<Request, String> {
        Request::read(Doc::parse(text).unwrap().root()).map_err(|error| error.to_string())
    }

    #[test]
    fn only_model_and_messages_are_needed() {
        let request = read(r#"{"model":"m","messages":[]}"#).unwrap();
        assert!(request.options.stream && request.options.strict == Strict::Unsaid && request.tools.is_empty());
        assert_eq!(read("{}").unwrap_err(), "key `messages` is missing (at the top)");
        assert_eq!(read(r#"{"messages":[]}"#).unwrap_err(), "key `model` is missing (at the top)");
    }

    #[test]
    fn mistakes_are_named_with_their_pointer() {
        let with = |member: &str| format!(r#"{{"model":"m","messages":[],{member}}}"#);
        for (text, message) in [
            (with(r#""tool":[]"#), "unknown key `tool`; known are"),
            (with(r#""options":{"cache":"all"}"#), "(at /options/cache)"),
            (
                with(r#""options":{"cacheRetention":"forever"}"#),
                "`forever` is not one of none, short, long (at /options/cacheRetention)",
            ),
            (with(r#""tools":[{"name":"f"},3]"#), "expected an object, found a number (at /tools/1)"),
            (with(r#""toolChoice":"any"#.to_owned().as_str()) + "\"", ""),
            (with(r#""maxTokens":0"#), "(at /maxTokens)"),
        ] {
            let Ok(doc) = Doc::parse(text.as_str()) else { continue };
            let error = Request::read(doc.root()).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        let arguments = r#"{"model":"m","messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":[1]}]}]}"#;
        assert!(read(arguments).unwrap_err().ends_with("(at /messages/0/content/0/arguments)"));
    }

    #[test]
    fn tools_keep_what_is_wrong_with_them() {
        let request = read(
            r#"{"model":"m","messages":[],"options":{"strict":null},
                "tools":[{"name":""},{"name":7,"parameters":"x"},{"name":"f","parameters":null,"executor":{"x":1}},{"name":"g","parameters":{}}]}"#,
        )
        .unwrap();
        let inputs: Vec<_> = request.tools.iter().map(|tool| (tool.name.as_deref(), &tool.input)).collect();
        assert!(matches!(
            inputs.as_slice(),
            [
                (None, ToolInput::Nothing),
                (None, ToolInput::NotObject(_)),
                (Some("f"), ToolInput::Nothing),
                (Some("g"), ToolInput::Schema(_))
            ]
        ));
        assert_eq!(request.options.strict, Strict::Null);
    }

    #[test]
    fn calls_come_with_arguments_of_every_kind() {
        let request = read(
            r#"{"model":"m","messages":[{"role":"assistant","content":[
                {"type":"toolCall","id":"a","name":"f","arguments":{"n":1.0}},
                {"type":"toolCall","id":"b","name":"f","arguments":null,"invalidArguments":"{\"a\":"},
                {"type":"toolCall","id":"c","name":"f","kind":"custom","arguments":"ls"},
                {"type":"toolCall","id":"d","name":"f\ud800"}]}]}"#,
        )
        .unwrap();
        assert!(request.mended_surrogates);
        let Some(Message::Assistant(message)) = request.messages.first() else { panic!() };
        let arguments: Vec<_> = message
            .content
            .iter()
            .map(|block| match block {
                AssistantBlock::Call(call) => (call.name.as_str(), &call.arguments),
                _ => panic!(),
            })
            .collect();
        assert!(matches!(
            arguments.as_slice(),
            [
                (_, CallArguments::Object(_)),
                (_, CallArguments::Invalid(_)),
                (_, CallArguments::Freeform(_)),
                ("f", CallArguments::Object(_))
            ]
        ));
    }
}
