//! Tool calls, whole and unfinished.

use crate::json::{JsonText, Writer};

/// What a call is called with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// The text of a JSON object, as the provider sent it.
    Object(JsonText),
    /// The raw input of a freeform (custom) tool.
    Freeform(String),
}

/// A closed call that the client has to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that its result must name; never empty, unique in the turn.
    pub id: String,
    /// The tool's name; never empty.
    pub name: String,
    /// What it is called with.
    pub arguments: Arguments,
    /// The id of the item that carries the call, where an API tells the two apart.
    pub item_id: Option<String>,
    /// Opaque state that must go back with the call.
    pub thought_signature: Option<String>,
    /// The arguments were mended and are not what the provider sent.
    pub repaired: bool,
}

impl ToolCall {
    /// Writes the call as the next value: the form in turns and in messages.
    pub(crate) fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("type", "toolCall");
            w.member("id", &self.id);
            w.member("name", &self.name);
            match &self.arguments {
                Arguments::Object(text) => {
                    w.key("arguments");
                    w.value(text.doc().root());
                }
                Arguments::Freeform(text) => {
                    w.member("kind", "custom");
                    w.member("arguments", text);
                }
            }
            w.optional("itemId", self.item_id.as_deref());
            w.optional("thoughtSignature", self.thought_signature.as_deref());
            if self.repaired {
                w.key("repaired");
                w.literal(true);
            }
        });
    }
}

/// A call that was still open when the stream ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Incomplete {
    /// Its id, if one came.
    pub id: Option<String>,
    /// Its name, if one came.
    pub name: Option<String>,
    /// The argument text so far.
    pub arguments_text: String,
}

impl Incomplete {
    pub(super) fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.optional("id", self.id.as_deref());
            w.optional("name", self.name.as_deref());
            w.member("argumentsText", &self.arguments_text);
        });
    }
}

/// A call that the provider ran itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCall {
    /// Its id, if one came.
    pub id: Option<String>,
    /// Its name.
    pub name: String,
    /// The wire's word for it, such as `server_tool_use`.
    pub kind: String,
    /// Its arguments if they are JSON.
    pub arguments: Option<JsonText>,
}

impl ServerCall {
    pub(super) fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.optional("id", self.id.as_deref());
            w.member("name", &self.name);
            w.member("kind", &self.kind);
            if let Some(arguments) = &self.arguments {
                w.key("arguments");
                w.value(arguments.doc().root());
            }
        });
    }
}
