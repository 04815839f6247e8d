//! Messages of a conversation, as the caller keeps them.

use super::turn::Stop;
use crate::json::fields::{FieldResult, Fields, Place};
use crate::json::{CompactText, Kind};

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// From the user.
    User(Content),
    /// From the model.
    Assistant(AssistantMessage),
    /// What a tool gave back.
    ToolResult(ToolResult),
}

/// What a user says or a tool gives back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A string.
    Text(String),
    /// A list of blocks.
    Blocks(Vec<ContentBlock>),
}

/// A block of content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentBlock {
    /// Text.
    Text(String),
    /// An image.
    Image(Image),
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Such as `image/png`.
    pub mime_type: String,
    /// The bytes in base64.
    pub data: String,
}

/// What the model said in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssistantMessage {
    /// The blocks in order.
    pub content: Vec<AssistantBlock>,
    /// How the turn ended; `None` if not kept.
    pub stop: Option<Stop>,
    /// Who said it; `None` if not kept.
    pub origin: Option<Origin>,
    /// The id of the response, where the provider keeps it.
    pub response_id: Option<String>,
}

/// A block of an assistant message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssistantBlock {
    /// Text.
    Text {
        /// What it says.
        text: String,
        /// Opaque state that must go back with it.
        signature: Option<String>,
    },
    /// Thinking.
    Thinking(ThinkingBlock),
    /// A call.
    Call(CallBlock),
    /// A block that only one API understands, to be sent back as it came.
    Provider {
        /// The API.
        api: String,
        /// The block.
        block: CompactText,
    },
}

/// A block of thinking.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThinkingBlock {
    /// What may be shown.
    pub thinking: String,
    /// The signature that must go back with it.
    pub signature: Option<String>,
    /// Thinking that was redacted whole: opaque data in its place.
    pub redacted: Option<String>,
    /// The id of the item that carries it.
    pub item_id: Option<String>,
    /// Thinking that only the provider can read.
    pub encrypted: Option<String>,
}

/// A call that the model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallBlock {
    /// Its id; may be empty, `null` or used twice, as some servers send it.
    pub id: String,
    /// The tool's name; may be empty.
    pub name: String,
    /// What it was called with.
    pub arguments: CallArguments,
    /// The id of the item that carries it.
    pub item_id: Option<String>,
    /// The group of the tool, where an API has such groups.
    pub namespace: Option<String>,
    /// Opaque state that must go back with it.
    pub thought_signature: Option<String>,
}

/// What a call in a conversation was called with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CallArguments {
    /// The text of a JSON object.
    Object(CompactText),
    /// The input of a freeform (custom) tool.
    Freeform(String),
    /// Text that is no JSON object.
    Invalid(String),
}

/// Who made an assistant message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The API, perhaps with a dialect; may be one that toolwire does not know.
    pub api: String,
    /// The model.
    pub model: String,
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// The id of the call.
    pub call_id: String,
    /// The tool's name; empty if not kept.
    pub tool_name: String,
    /// What it gave.
    pub content: Content,
    /// It failed.
    pub is_error: bool,
}

impl Message {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        let role = fields.required("role")?;
        match role.word(&["user", "assistant", "toolResult"], |role| role)? {
            "user" => Ok(Self::User(Content::read(&fields.required("content")?)?)),
            "assistant" => Ok(Self::Assistant(AssistantMessage::read(&fields)?)),
            _ => Ok(Self::ToolResult(ToolResult::read(&fields)?)),
        }
    }
}

impl Content {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        if place.value.kind() == Kind::String {
            return Ok(Self::Text(place.lenient_string()?));
        }
        place.items()?.iter().map(ContentBlock::read).collect::<FieldResult<_>>().map(Self::Blocks)
    }

    /// True if there is neither text nor an image.
    pub fn is_empty(&self) -> bool {
        self.texts().all(str::is_empty) && self.images().next().is_none()
    }

    /// The texts in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, blocks) = match self {
            Self::Text(text) => (Some(text.as_str()), [].as_slice()),
            Self::Blocks(blocks) => (None, blocks.as_slice()),
        };
        text.into_iter().chain(blocks.iter().filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.as_str()),
            ContentBlock::Image(_) => None,
        }))
    }

    /// The images in order.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        let blocks = match self {
            Self::Text(_) => [].as_slice(),
            Self::Blocks(blocks) => blocks.as_slice(),
        };
        blocks.iter().filter_map(|block| match block {
            ContentBlock::Text(_) => None,
            ContentBlock::Image(image) => Some(image),
        })
    }
}

impl ContentBlock {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        match fields.required("type")?.word(&["text", "image"], |kind| kind)? {
            "text" => Ok(Self::Text(fields.required("text")?.lenient_string()?)),
            _ => Ok(Self::Image(Image { mime_type: fields.text("mimeType")?, data: fields.text("data")? })),
        }
    }
}

impl AssistantMessage {
    fn read(fields: &Fields<'_>) -> FieldResult<Self> {
        let place = fields.required("content")?;
        let content = if place.value.kind() == Kind::String {
            vec![AssistantBlock::Text { text: place.lenient_string()?, signature: None }]
        } else {
            place.items()?.iter().map(AssistantBlock::read).collect::<FieldResult<_>>()?
        };
        Ok(Self {
            content,
            stop: fields.get("stop").map(|stop| stop.word(Stop::ALL, Stop::name)).transpose()?,
            origin: fields.get("origin").map(|origin| Origin::read(&origin)).transpose()?,
            response_id: optional(fields, "responseId")?,
        })
    }
}

impl Origin {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        Ok(Self { api: fields.text("api")?, model: fields.text("model")? })
    }
}

impl AssistantBlock {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        match fields.required("type")?.word(&["text", "thinking", "toolCall", "providerBlock"], |kind| kind)? {
            "text" => Ok(Self::Text {
                text: fields.required("text")?.lenient_string()?,
                signature: optional(&fields, "thoughtSignature")?,
            }),
            "thinking" => Ok(Self::Thinking(ThinkingBlock {
                thinking: optional(&fields, "thinking")?.unwrap_or_default(),
                signature: optional(&fields, "signature")?,
                redacted: optional(&fields, "redacted")?,
                item_id: optional(&fields, "itemId")?,
                encrypted: optional(&fields, "encrypted")?,
            })),
            "toolCall" => Ok(Self::Call(CallBlock {
                id: optional(&fields, "id")?.unwrap_or_default(),
                name: optional(&fields, "name")?.unwrap_or_default(),
                arguments: CallArguments::read(&fields)?,
                item_id: optional(&fields, "itemId")?,
                namespace: optional(&fields, "namespace")?,
                thought_signature: optional(&fields, "thoughtSignature")?,
            })),
            _ => Ok(Self::Provider {
                api: fields.text("api")?,
                block: CompactText::of(fields.required("block")?.open_object()?.place.value),
            }),
        }
    }
}

impl CallArguments {
    fn read(fields: &Fields<'_>) -> FieldResult<Self> {
        if let Some(invalid) = optional(fields, "invalidArguments")? {
            return Ok(Self::Invalid(invalid));
        }
        let custom = fields.get("kind").map(|kind| kind.word(&["function", "custom"], |kind| kind)).transpose()?;
        match fields.get("arguments") {
            _ if custom == Some("custom") => Ok(Self::Freeform(optional(fields, "arguments")?.unwrap_or_default())),
            None => Ok(Self::Object(CompactText::empty_object())),
            Some(object) if object.value.kind() == Kind::Object => Ok(Self::Object(CompactText::of(object.value))),
            Some(other) => Err(other.error(format!(
                "arguments have to be an object, found {}; text that is none stands under `invalidArguments`",
                other.value.kind().article()
            ))),
        }
    }
}

impl ToolResult {
    fn read(fields: &Fields<'_>) -> FieldResult<Self> {
        Ok(Self {
            call_id: optional(fields, "toolCallId")?.unwrap_or_default(),
            tool_name: optional(fields, "toolName")?.unwrap_or_default(),
            content: match fields.get("content") {
                Some(content) => Content::read(&content)?,
                None => Content::Blocks(Vec::new()),
            },
            is_error: fields.get("isError").map(|flag| flag.bool()).transpose()?.unwrap_or(false),
        })
    }
}

fn optional(fields: &Fields<'_>, key: &str) -> FieldResult<Option<String>> {
    fields.get(key).map(|text| text.lenient_string()).transpose()
}
