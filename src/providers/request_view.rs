//! A request body of any API in neutral words: what checks and rules read.
//!
//! In: a body that somebody sent, right or wrong. Out: its tools, system prompt, messages, calls, results,
//! tool choice and cache markers, each with the pointer to where it stands. Reading never fails and is
//! linear; what has another type than it should is left out here, and stays visible in `body` for the rules.

use std::borrow::Cow;
use std::collections::HashSet;

use super::node::Node;
use super::{anthropic_messages, gemini, mistral_chat, openai_chat, openai_responses};
use crate::json::{Kind, Value};
use crate::model::Api;

/// What a request says.
#[derive(Debug, Clone)]
pub struct RequestView<'a> {
    /// The API whose words the body was read as.
    pub api: Api,
    /// The body itself, or what an envelope holds.
    pub body: Node<'a>,
    /// Path and headers, where known.
    pub http: Option<HttpView<'a>>,
    /// The dialect of a compatible server, where known.
    pub dialect: Option<&'a str>,
    /// The model.
    pub model: Option<Cow<'a, str>>,
    /// The system prompt where it stands apart, and the system messages that come before all others.
    pub system: Vec<Part<'a>>,
    /// The tools in order.
    pub tools: Vec<ToolView<'a>>,
    /// Which tools may or must be called; `None` if the body does not say.
    pub tool_choice: Option<ChoiceView<'a>>,
    /// The messages in order, without those in `system`.
    pub messages: Vec<MessageView<'a>>,
    /// Cache markers in the order in which the prompt is put together: tools, system, messages. One that
    /// stands on the request as a whole is the last.
    pub markers: Vec<MarkerView<'a>>,
    /// The conversation goes on from one that the provider keeps, so that calls may stand there.
    pub continues: bool,
}

/// What a request says besides its body.
#[derive(Debug, Clone, Copy)]
pub struct HttpView<'a> {
    /// The path, with the query.
    pub path: &'a str,
    /// The headers.
    pub headers: &'a [(String, String)],
}

impl<'a> HttpView<'a> {
    /// The value of a header, whatever the casing of its name; of several the first.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// A tool.
#[derive(Debug, Clone)]
pub struct ToolView<'a> {
    /// What holds its name and schema: the tool itself, or the object inside it.
    pub node: Node<'a>,
    /// Who runs it, and what it takes.
    pub kind: ToolKind,
    /// The provider's word for its type, if it has one.
    pub type_name: Option<Cow<'a, str>>,
    /// Its name on the wire.
    pub name: Option<Cow<'a, str>>,
    /// What the model is told about it.
    pub description: Option<Cow<'a, str>>,
    /// The JSON Schema of its arguments.
    pub schema: Option<Node<'a>>,
    /// `true` or `false` if the body says so.
    pub strict: Option<bool>,
}

impl<'a> ToolView<'a> {
    /// A function as OpenAI spells it, whose members stand in `node`.
    pub(super) fn function(node: Node<'a>, type_name: Option<Cow<'a, str>>) -> Self {
        Self {
            kind: ToolKind::Function,
            type_name,
            name: node.text("name"),
            description: node.text("description"),
            schema: node.some("parameters"),
            strict: node.value.get("strict").and_then(Value::as_bool),
            node,
        }
    }
}

/// The kinds of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// The client runs it; arguments are a JSON object.
    Function,
    /// The client runs it; the input is free text.
    Freeform,
    /// Defined by the provider, whoever runs it.
    Provider,
}

/// Which tools may or must be called.
#[derive(Debug, Clone)]
pub struct ChoiceView<'a> {
    /// Where it stands.
    pub node: Node<'a>,
    /// What it says.
    pub mode: ChoiceMode,
    /// The tools that it names, each with the pointer to its name.
    pub names: Vec<(Cow<'a, str>, String)>,
}

/// What a tool choice says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceMode {
    /// The model decides.
    Auto,
    /// No call.
    None,
    /// At least one call.
    Required,
    /// The named tool.
    Tool,
    /// Something else.
    Other,
}

impl ChoiceMode {
    /// True if the model has to make a call.
    pub fn is_forced(self) -> bool {
        matches!(self, Self::Required | Self::Tool)
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool, where results have a role of their own.
    Tool,
    /// A role that the API does not know, or none.
    Other,
}

/// A message, or an item that stands for one.
#[derive(Debug, Clone)]
pub struct MessageView<'a> {
    /// The message itself.
    pub node: Node<'a>,
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<Part<'a>>,
}

/// A part of a message. A string stands for one part of text.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// Where it stands.
    pub node: Node<'a>,
    /// What it is.
    pub content: PartContent<'a>,
}

/// What a part is.
#[derive(Debug, Clone)]
pub enum PartContent<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// An image, a file, audio.
    Media,
    /// What the model thought.
    Thinking(Cow<'a, str>),
    /// A call that the model made.
    Call(CallView<'a>),
    /// What a tool gave back.
    Result(ResultView<'a>),
    /// Anything else, by the provider's word for it.
    Other(Cow<'a, str>),
}

/// A call.
#[derive(Debug, Clone)]
pub struct CallView<'a> {
    /// The id that its result names; `None` if missing, `null` or no string.
    pub id: Option<Cow<'a, str>>,
    /// The id of the item that carries it, where that is another one.
    pub item_id: Option<Cow<'a, str>>,
    /// The tool's name.
    pub name: Option<Cow<'a, str>>,
    /// What it was called with; `None` if missing.
    pub arguments: Option<Node<'a>>,
    /// Free text instead of a JSON object.
    pub freeform: bool,
    /// The provider runs it, so no result is owed.
    pub server: bool,
}

impl<'a> CallView<'a> {
    /// The arguments as text: what the string says, or the text of the value.
    pub fn arguments_text(&self) -> Cow<'a, str> {
        let Some(arguments) = &self.arguments else { return Cow::Borrowed("") };
        arguments.to_text().unwrap_or(Cow::Borrowed(arguments.value.raw()))
    }
}

/// A result.
#[derive(Debug, Clone)]
pub struct ResultView<'a> {
    /// The id of the call; `None` if missing, `null` or no string.
    pub call_id: Option<Cow<'a, str>>,
    /// The tool's name, where the body repeats it.
    pub name: Option<Cow<'a, str>>,
    /// Failed or not, where the API can say it.
    pub is_error: Option<bool>,
    /// What came back.
    pub parts: Vec<Part<'a>>,
}

impl ResultView<'_> {
    /// The texts, one after the other.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }

    /// Pointers to images and other media.
    pub fn media(&self) -> impl Iterator<Item = &str> {
        self.parts
            .iter()
            .filter(|part| matches!(part.content, PartContent::Media))
            .map(|part| part.node.pointer.as_str())
    }
}

/// A cache marker.
#[derive(Debug, Clone)]
pub struct MarkerView<'a> {
    /// The marker itself.
    pub node: Node<'a>,
    /// What it stands on.
    pub on: MarkerPlace,
    /// The type of the block that it stands on, where that has one.
    pub block: Cow<'a, str>,
    /// How long it asks to be kept.
    pub ttl: Option<Cow<'a, str>>,
}

/// What a marker stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkerPlace {
    /// A tool.
    Tool,
    /// The system prompt.
    System,
    /// A message.
    Message,
    /// The request as a whole.
    Request,
}

impl MarkerPlace {
    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::System => "system",
            Self::Message => "message",
            Self::Request => "request",
        }
    }
}

/// Reads the body of a request to `api`.
pub fn read(api: Api, body: Value<'_>) -> RequestView<'_> {
    let body = Node::root(body);
    match api {
        Api::AnthropicMessages => anthropic_messages::read(body),
        Api::OpenaiChat => openai_chat::read(body),
        Api::OpenaiResponses => openai_responses::read(body),
        Api::Gemini => gemini::read(body),
        Api::MistralChat => mistral_chat::read(body),
    }
}

impl<'a> RequestView<'a> {
    /// A view that says nothing yet.
    pub(super) fn empty(api: Api, body: Node<'a>) -> Self {
        Self {
            api,
            model: body.text("model"),
            body,
            http: None,
            dialect: None,
            system: Vec::new(),
            tools: Vec::new(),
            tool_choice: None,
            messages: Vec::new(),
            markers: Vec::new(),
            continues: false,
        }
    }

    /// Adds what is known of the request besides its body.
    #[must_use]
    pub fn with_http(mut self, http: Option<HttpView<'a>>) -> Self {
        self.http = http;
        if self.model.is_none() {
            // Gemini names the model in the path alone.
            let model = http.and_then(|http| http.path.split_once("models/")?.1.split([':', '?', '/']).next());
            self.model = model.map(Cow::Borrowed);
        }
        self
    }

    /// Names the dialect.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Option<&'a str>) -> Self {
        self.dialect = dialect;
        self
    }

    /// Every part of every message, with the message's place in the list.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &Part<'a>)> {
        self.messages.iter().enumerate().flat_map(|(at, message)| message.parts.iter().map(move |part| (at, part)))
    }

    /// The calls in order, each with its part.
    pub fn calls(&self) -> impl Iterator<Item = (&Part<'a>, &CallView<'a>)> {
        self.parts().filter_map(|(_, part)| Some((part, part.as_call()?)))
    }

    /// The results in order, each with its part.
    pub fn results(&self) -> impl Iterator<Item = (&Part<'a>, &ResultView<'a>)> {
        self.parts().filter_map(|(_, part)| Some((part, part.as_result()?)))
    }

    /// The names of all tools.
    pub fn tool_names(&self) -> HashSet<&str> {
        self.tools.iter().filter_map(|tool| tool.name.as_deref()).collect()
    }

    /// Tools that the client runs.
    pub fn client_tools(&self) -> impl Iterator<Item = &ToolView<'a>> {
        self.tools.iter().filter(|tool| tool.kind != ToolKind::Provider)
    }
}

impl<'a> MessageView<'a> {
    /// The calls of the message that the client runs.
    pub fn calls(&self) -> impl Iterator<Item = (&Part<'a>, &CallView<'a>)> {
        self.parts.iter().filter_map(|part| Some((part, part.as_call()?))).filter(|(_, call)| !call.server)
    }

    /// The results of the message.
    pub fn results(&self) -> impl Iterator<Item = (&Part<'a>, &ResultView<'a>)> {
        self.parts.iter().filter_map(|part| Some((part, part.as_result()?)))
    }
}

impl<'a> Part<'a> {
    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            PartContent::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The call, if it is one.
    pub fn as_call(&self) -> Option<&CallView<'a>> {
        match &self.content {
            PartContent::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The result, if it is one.
    pub fn as_result(&self) -> Option<&ResultView<'a>> {
        match &self.content {
            PartContent::Result(result) => Some(result),
            _ => None,
        }
    }

    /// The provider's word for its type; empty if it has none.
    pub fn type_name(&self) -> Cow<'a, str> {
        self.node.text("type").unwrap_or_default()
    }
}

/// Content that is a string or a list of parts, as parts.
pub(super) fn parts_of<'a>(content: Option<Node<'a>>, part: impl Fn(Node<'a>) -> Part<'a>) -> Vec<Part<'a>> {
    let Some(content) = content else { return Vec::new() };
    if content.value.kind() == Kind::Array {
        content.items().map(part).collect()
    } else {
        text_part(content).into_iter().collect()
    }
}

/// A string as one part of text.
pub(super) fn text_part(node: Node<'_>) -> Option<Part<'_>> {
    let text = node.to_text()?;
    Some(Part { content: PartContent::Text(text), node })
}

/// The marker on `node`, if there is one.
pub(super) fn marker_on<'a>(node: &Node<'a>, on: MarkerPlace) -> Option<MarkerView<'a>> {
    let marker = node.some("cache_control")?;
    let ttl = marker.text("ttl");
    Some(MarkerView { node: marker, on, block: node.text("type").unwrap_or_default(), ttl })
}
