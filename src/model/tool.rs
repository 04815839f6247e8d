//! A tool as the caller declares it, wrong or not.

use crate::json::fields::{FieldResult, Place};
use crate::json::{CompactText, JsonText, Kind};

/// A tool. Whatever else the caller keeps with it (executor, owner, sort key) is not read and never sent.
///
/// A tool that cannot be sent is still a tool here: an encoder leaves it out and says so, and the others go out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name; `None` if missing, empty, or no string.
    pub name: Option<String>,
    /// What the model is told about it; empty if nothing.
    pub description: String,
    /// What it takes.
    pub input: ToolInput,
    /// The group that it belongs to, where an API has such groups.
    pub namespace: Option<Namespace>,
    /// It is shown to the model only once the model has searched for it, where an API can do that.
    pub deferred: bool,
}

/// A group of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// What the model is told about it; empty if nothing.
    pub description: String,
}

/// What a tool takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolInput {
    /// No `parameters`, or `null`: a tool without arguments.
    Nothing,
    /// The text of a JSON Schema that is an object.
    Schema(CompactText),
    /// `parameters` that are no object.
    NotObject(JsonText),
    /// Free text, not JSON: a custom tool. The format limits the text.
    Freeform(Option<CompactText>),
}

/// Which tools the model may or must call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolChoice {
    /// It decides.
    Auto,
    /// No call.
    None,
    /// At least one call.
    Required,
    /// This tool.
    Tool(String),
    /// Some of the tools only: `{"allowed":["f"],"mode":"required"}`.
    Allowed {
        /// Their names.
        names: Vec<String>,
        /// At least one call.
        required: bool,
    },
}

impl Tool {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        let name = fields.get("name").and_then(|name| name.lenient_string().ok()).filter(|name| !name.is_empty());
        let description = fields.get("description").map(|text| text.lenient_string()).transpose()?.unwrap_or_default();
        let custom = fields.get("kind").map(|kind| kind.word(&["function", "custom"], |kind| kind)).transpose()?;
        let input = match fields.get("parameters") {
            _ if custom == Some("custom") => {
                let format =
                    fields.get("format").map(|format| format.open_object().map(|_| CompactText::of(format.value)));
                ToolInput::Freeform(format.transpose()?)
            }
            None => ToolInput::Nothing,
            Some(schema) if schema.value.kind() == Kind::Object => ToolInput::Schema(CompactText::of(schema.value)),
            Some(other) => ToolInput::NotObject(JsonText::of(other.value)),
        };
        let namespace = fields.get("namespace").map(|group| Namespace::read(&group)).transpose()?;
        let deferred = fields.get("deferLoading").map(|flag| flag.bool()).transpose()?.unwrap_or(false);
        Ok(Self { name, description, input, namespace, deferred })
    }
}

impl Namespace {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.open_object()?;
        let description = fields.get("description").map(|text| text.lenient_string()).transpose()?.unwrap_or_default();
        Ok(Self { name: fields.text("name")?, description })
    }
}

impl ToolChoice {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        if place.value.kind() == Kind::String {
            return Ok(match place.word(&["auto", "none", "required"], |word| word)? {
                "auto" => Self::Auto,
                "none" => Self::None,
                _ => Self::Required,
            });
        }
        let fields = place.object(&["name", "allowed", "mode"])?;
        if let Some(allowed) = fields.get("allowed") {
            let mode = fields.get("mode").map(|mode| mode.word(&["auto", "required"], |word| word)).transpose()?;
            return Ok(Self::Allowed { names: allowed.strings()?, required: mode == Some("required") });
        }
        Ok(Self::Tool(fields.text("name")?))
    }
}
