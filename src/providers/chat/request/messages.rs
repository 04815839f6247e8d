//! `messages` of a chat request.

use std::borrow::Cow;

use super::super::super::gemini;
use super::super::super::outbound::adjustments::Adjustments;
use super::super::super::outbound::arguments;
use super::super::super::outbound::names::Names;
use super::super::super::outbound::replay::{Answer, Block, Call, Item, Said, Transcript};
use super::dialect::{Dialect, Images, Reasoning};
use super::markers::Marker;
use super::reasoning::Thought;
use crate::json::Writer;
use crate::model::{CallArguments, Content, ContentBlock, Image, Request};

/// What a tool message says if its result is nothing but images that stand elsewhere.
const SEE_IMAGE: &str = "(see attached image)";
/// What stands before images of results.
const IMAGES_OF_RESULTS: &str = "Attached image(s) from tool result:";
const IMAGE_OMITTED: &str = "(image omitted: model does not support images)";
const RESULT_IMAGE_OMITTED: &str = "(tool image omitted: model does not support images)";
/// What a failure says that came without a word.
const NO_OUTPUT: &str = "(no output)";

/// The messages of a request.
#[derive(Debug)]
pub(super) struct Conversation<'r> {
    messages: Vec<Message<'r>>,
    /// The system prompt and the newest text carry a marker.
    marked: bool,
}

#[derive(Debug)]
enum Message<'r> {
    System { role: &'static str, text: Cow<'r, str> },
    User(Vec<Part<'r>>, Form),
    Assistant(Reply<'r>),
    Tool { id: &'r str, name: Option<Cow<'r, str>>, parts: Vec<Part<'r>> },
}

/// A message of the assistant.
#[derive(Debug, Default)]
struct Reply<'r> {
    text: String,
    thoughts: Vec<Thought<'r>>,
    calls: Vec<WireCall<'r>>,
    prefix: bool,
}

#[derive(Debug)]
struct WireCall<'r> {
    id: &'r str,
    name: Cow<'r, str>,
    call: &'r Call<'r>,
    /// The call's own, or what has to stand in its place.
    signature: Option<&'r str>,
}

/// How a list of parts came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As a string.
    String,
    /// As a list.
    List,
}

#[derive(Debug)]
enum Part<'r> {
    Text(Cow<'r, str>),
    Image(&'r Image),
}

impl<'r> Conversation<'r> {
    /// Builds the messages.
    pub(super) fn build(
        request: &'r Request,
        transcript: &'r Transcript<'r>,
        names: &'r Names,
        dialect: &'r Dialect,
        adjustments: &mut Adjustments,
    ) -> Self {
        let mut builder = Builder { request, transcript, names, dialect, adjustments, messages: Vec::new() };
        builder.system();
        for item in &transcript.items {
            match item {
                Item::User(content) => builder.user(content),
                Item::Assistant(said) => builder.assistant(said),
                Item::Results(answers) => builder.results(answers),
            }
        }
        if let (true, Some(Message::Assistant(reply))) = (dialect.prefix, builder.messages.last_mut()) {
            reply.prefix = true;
        }
        Self { messages: builder.messages, marked: false }
    }

    /// True if there is nothing but the system prompt.
    pub(super) fn is_empty(&self) -> bool {
        self.messages.iter().all(|message| matches!(message, Message::System { .. }))
    }

    /// Sets the markers.
    pub(super) fn mark(&mut self) {
        self.marked = true;
    }

    /// Writes the list.
    pub(super) fn write(&self, dialect: &Dialect, request: &Request, marker: Option<Marker>, w: &mut Writer) {
        let marker = marker.filter(|_| self.marked);
        let newest = self.messages.iter().rposition(|message| match message {
            Message::User(parts, _) => parts.iter().any(|part| matches!(part, Part::Text(text) if !text.is_empty())),
            Message::Assistant(reply) => !reply.text.is_empty(),
            _ => false,
        });
        w.array(|w| {
            for (at, message) in self.messages.iter().enumerate() {
                let system = matches!(message, Message::System { .. });
                let marker = marker.filter(|_| system || newest == Some(at));
                w.object(|w| message.write(dialect, request, marker, w));
            }
        });
    }
}

struct Builder<'r, 'a> {
    request: &'r Request,
    transcript: &'r Transcript<'r>,
    names: &'r Names,
    dialect: &'r Dialect,
    adjustments: &'a mut Adjustments,
    messages: Vec<Message<'r>>,
}

impl<'r> Builder<'r, '_> {
    fn system(&mut self) {
        let blocks: Vec<&str> =
            self.request.system.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let text = match blocks.as_slice() {
            [] => return,
            [one] => Cow::Borrowed(*one),
            several => Cow::Owned(several.join("\n\n")),
        };
        let developer = self.dialect.developer && self.request.thinking == Some(true);
        self.messages.push(Message::System { role: if developer { "developer" } else { "system" }, text });
    }

    fn user(&mut self, content: &'r Content) {
        let (parts, form) = match content {
            Content::Text(text) => (vec![Part::Text(text.into())], Form::String),
            Content::Blocks(blocks) => {
                let parts: Vec<_> = self.parts(blocks, IMAGE_OMITTED);
                // A list may not be empty, a string may.
                if parts.is_empty() { (vec![Part::Text("".into())], Form::String) } else { (parts, Form::List) }
            }
        };
        self.between();
        self.messages.push(Message::User(parts, form));
    }

    /// Blocks as parts; a run of images that the server does not take is a word about it.
    fn parts(&mut self, blocks: &'r [ContentBlock], omitted: &'static str) -> Vec<Part<'r>> {
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            match block {
                ContentBlock::Text(text) if text.is_empty() => {}
                ContentBlock::Text(text) => parts.push(Part::Text(text.into())),
                ContentBlock::Image(image) if self.dialect.images != Images::Nowhere => parts.push(Part::Image(image)),
                ContentBlock::Image(_) => {
                    self.adjustments.add("image-left-out", "images are left out: the server takes none");
                    if !matches!(parts.last(), Some(Part::Text(text)) if text == omitted) {
                        parts.push(Part::Text(omitted.into()));
                    }
                }
            }
        }
        parts
    }

    /// Puts a word of the assistant between results and what comes next, where the server wants one.
    fn between(&mut self) {
        if let (Some(words), Some(Message::Tool { .. })) = (self.dialect.between, self.messages.last()) {
            self.messages.push(Message::Assistant(Reply { text: words.to_owned(), ..Reply::default() }));
        }
    }

    fn assistant(&mut self, said: &'r Said<'r>) {
        let mut reply = Reply::default();
        for block in &said.blocks {
            match block {
                Block::Text(text, _) => {
                    if !reply.text.is_empty() {
                        reply.text.push('\n');
                    }
                    reply.text.push_str(text);
                }
                Block::Thinking(thinking) => reply.thoughts.extend(Thought::of(thinking)),
                Block::Call(call) => {
                    let id = self.transcript.ids.get(call.key).map_or("", String::as_str);
                    if matches!(call.call.arguments, CallArguments::Invalid(_)) {
                        self.adjustments.message("arguments-wrapped", arguments::INVALID_NOTE, said.message);
                    }
                    let mut signature = call.signature;
                    let first = reply.calls.is_empty() && self.dialect.reasoning == Reasoning::CallSignatures;
                    if signature.is_none() && first && gemini::signs_calls(&self.request.model) {
                        let message = "the first call has no thought signature; the documented placeholder stands in";
                        self.adjustments.message("signature-placeholder", message, said.message);
                        signature = Some(gemini::PLACEHOLDER);
                    }
                    let name = self.names.wire(&call.call.name).into();
                    reply.calls.push(WireCall { id, name, call, signature });
                }
                Block::Provider(_) => {
                    let message = "a provider's block is left out: chat messages have no place for it";
                    self.adjustments.message("provider-block-left-out", message, said.message);
                }
            }
        }
        if self.dialect.reasoning == Reasoning::Dropped && !reply.thoughts.is_empty() {
            reply.thoughts.clear();
            self.adjustments.message(
                "thinking-left-out",
                "thinking is left out: the API has no place for it",
                said.message,
            );
        }
        if reply.text.is_empty() && reply.calls.is_empty() {
            let message = "an assistant message without text and calls is not replayed";
            return self.adjustments.message("message-dropped", message, said.message);
        }
        self.messages.push(Message::Assistant(reply));
    }

    fn results(&mut self, answers: &'r [Answer<'r>]) {
        let mut images = Vec::new();
        for answer in answers {
            let has_images = answer.images().next().is_some();
            let text = self.result_text(answer, has_images);
            let mut parts = vec![Part::Text(text.into())];
            match self.dialect.images {
                Images::Behind => images.extend(answer.images()),
                Images::Inside => parts.extend(answer.images().map(Part::Image)),
                Images::Nowhere => {}
            }
            let id = self.transcript.ids.get(answer.key).map_or("", String::as_str);
            let name = self.dialect.result_name.then(|| Cow::Borrowed(self.names.wire(answer.tool)));
            self.messages.push(Message::Tool { id, name, parts });
        }
        if !images.is_empty() {
            // Every tool message has to stand directly behind the calls (aaif-goose/goose#11893).
            let mut parts = vec![Part::Text(IMAGES_OF_RESULTS.into())];
            parts.extend(images.into_iter().map(Part::Image));
            self.between();
            self.messages.push(Message::User(parts, Form::List));
        }
    }

    fn result_text(&mut self, answer: &Answer<'r>, has_images: bool) -> String {
        let mut text = answer.text();
        if self.dialect.trim_results && text.trim().len() < text.len() {
            text = text.trim().into();
        }
        if has_images && self.dialect.images == Images::Nowhere {
            self.adjustments.add("image-left-out", "images are left out: the server takes none");
            let line = if text.is_empty() { "" } else { "\n" };
            text = format!("{text}{line}{RESULT_IMAGE_OMITTED}");
        }
        if text.is_empty() && has_images {
            SEE_IMAGE.clone_into(&mut text);
        }
        if answer.is_error() {
            self.adjustments.add("error-in-text", "failed results are marked in their text: the API has no flag");
            if text.is_empty() {
                let words = if self.dialect.empty_result.is_empty() { NO_OUTPUT } else { self.dialect.empty_result };
                words.clone_into(&mut text);
            }
            if !text.starts_with(self.dialect.error_mark.trim_end()) {
                text.insert_str(0, self.dialect.error_mark);
            }
        }
        if text.is_empty() { self.dialect.empty_result.to_owned() } else { text }
    }
}

impl Message<'_> {
    fn write(&self, dialect: &Dialect, request: &Request, marker: Option<Marker>, w: &mut Writer) {
        match self {
            Self::System { role, text } => {
                w.member("role", role);
                w.key("content");
                string(text, marker, w);
            }
            Self::User(parts, form) => {
                w.member("role", "user");
                w.key("content");
                content(parts, *form, marker, w);
            }
            Self::Assistant(reply) => reply.write(dialect, request, marker, w),
            Self::Tool { id, name, parts } => {
                w.member("role", "tool");
                w.member("tool_call_id", id);
                w.optional("name", name.as_deref());
                w.key("content");
                let form = if parts.len() > 1 { Form::List } else { Form::String };
                content(parts, form, marker, w);
            }
        }
    }
}

impl Reply<'_> {
    fn write(&self, dialect: &Dialect, request: &Request, marker: Option<Marker>, w: &mut Writer) {
        w.member("role", "assistant");
        w.key("content");
        let tagged = Thought::tagged(&self.thoughts, dialect.reasoning);
        if dialect.reasoning == Reasoning::Chunks && !self.thoughts.is_empty() {
            w.array(|w| {
                Thought::write_chunks(&self.thoughts, w);
                if !self.text.is_empty() {
                    text_part(&self.text, marker, w);
                }
            });
        } else if !tagged.is_empty() {
            string(&format!("{tagged}{}", self.text), marker, w);
        } else if !self.text.is_empty() {
            string(&self.text, marker, w);
        } else {
            match dialect.empty_content {
                Some(words) => w.string(words),
                None => w.literal("null"),
            }
        }
        Thought::write_field(&self.thoughts, dialect.reasoning, request.thinking, !self.calls.is_empty(), w);
        if dialect.reasoning == Reasoning::Details {
            let signed = self.calls.iter().filter_map(|call| Some((call.id, call.signature?)));
            Thought::write_details(&self.thoughts, signed, w);
        }
        if !self.calls.is_empty() {
            w.key("tool_calls");
            w.array(|w| self.calls.iter().for_each(|call| call.write(dialect, w)));
        }
        if self.prefix {
            w.key("prefix");
            w.literal(true);
        }
    }
}

impl WireCall<'_> {
    fn write(&self, dialect: &Dialect, w: &mut Writer) {
        w.object(|w| {
            w.member("id", self.id);
            match &self.call.call.arguments {
                CallArguments::Freeform(text) if dialect.freeform => {
                    w.member("type", "custom");
                    w.key("custom");
                    w.object(|w| {
                        w.member("name", &self.name);
                        w.member("input", text);
                    });
                }
                other => {
                    w.member("type", "function");
                    w.key("function");
                    w.object(|w| {
                        w.member("name", &self.name);
                        w.member("arguments", &arguments::text(other));
                    });
                }
            }
            if let (Reasoning::CallSignatures, Some(signature)) = (dialect.reasoning, self.signature) {
                w.key("extra_content");
                w.object(|w| {
                    w.key("google");
                    w.object(|w| w.member("thought_signature", signature));
                });
            }
        });
    }
}

/// A text, as a string unless a marker needs a part.
fn string(text: &str, marker: Option<Marker>, w: &mut Writer) {
    match marker {
        None => w.string(text),
        Some(_) => w.array(|w| text_part(text, marker, w)),
    }
}

fn content(parts: &[Part<'_>], form: Form, marker: Option<Marker>, w: &mut Writer) {
    if let (Form::String, [Part::Text(text)]) = (form, parts) {
        return string(text, marker, w);
    }
    let last_text = parts.iter().rposition(|part| matches!(part, Part::Text(_)));
    w.array(|w| {
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Text(text) => text_part(text, marker.filter(|_| last_text == Some(at)), w),
                Part::Image(image) => w.object(|w| {
                    w.member("type", "image_url");
                    w.key("image_url");
                    w.object(|w| w.member("url", &format!("data:{};base64,{}", image.mime_type, image.data)));
                }),
            }
        }
    });
}

fn text_part(text: &str, marker: Option<Marker>, w: &mut Writer) {
    w.object(|w| {
        w.member("type", "text");
        w.member("text", text);
        if let Some(marker) = marker {
            marker.write(w);
        }
    });
}
