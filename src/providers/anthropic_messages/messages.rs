//! `messages` of a request.

use std::borrow::Cow;

use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::arguments;
use super::super::outbound::names::Names;
use super::super::outbound::replay::{Answer, Block, Item, Said, Transcript};
use super::cache::{self, Marker};
use super::dialects::Dialect;
use crate::json::{JsonText, Tree, Writer};
use crate::model::{CallArguments, CallBlock, Content, ContentBlock, Image, ThinkingBlock};

/// What the text beside images says if a tool gave nothing else.
const SEE_IMAGE: &str = "(see attached image)";
/// What a failure says that came without a word.
const NO_OUTPUT: &str = "(no output)";

/// The messages of a request.
#[derive(Debug)]
pub(super) struct Conversation<'r>(Vec<Turn<'r>>);

#[derive(Debug)]
struct Turn<'r> {
    role: &'static str,
    parts: Vec<Marked<'r>>,
    /// One text that came as a string and goes out as one, if no marker needs a block.
    plain: bool,
}

/// A block that may carry a marker.
#[derive(Debug)]
pub(super) struct Marked<'r> {
    pub(super) part: Part<'r>,
    pub(super) marked: bool,
}

/// A block.
#[derive(Debug)]
pub(super) enum Part<'r> {
    Text(&'r str),
    Image(&'r Image),
    Thinking(&'r ThinkingBlock),
    Redacted(&'r str),
    Use { id: &'r str, name: Cow<'r, str>, call: &'r CallBlock },
    Result { id: &'r str, content: ResultContent<'r>, is_error: bool },
    Provider(&'r JsonText),
}

/// The content of a result.
#[derive(Debug)]
pub(super) enum ResultContent<'r> {
    Nothing,
    Text(String),
    Blocks(Vec<Part<'r>>),
}

impl<'r> From<Part<'r>> for Marked<'r> {
    fn from(part: Part<'r>) -> Self {
        Self { part, marked: false }
    }
}

impl<'r> Conversation<'r> {
    /// Builds the messages: results and what the user says behind them are one message, results first.
    pub(super) fn build(
        transcript: &'r Transcript<'r>,
        names: &'r Names,
        dialect: &Dialect,
        adjustments: &mut Adjustments,
    ) -> Self {
        let mut builder = Builder { transcript, names, dialect, adjustments, turns: Vec::new(), after_results: false };
        for item in &transcript.items {
            match item {
                Item::User(content) => builder.user(content),
                Item::Assistant(said) => builder.assistant(said),
                Item::Results(answers) => builder.results(answers),
            }
        }
        Self(builder.turns)
    }

    /// The role of the first message.
    pub(super) fn first_role(&self) -> Option<&'static str> {
        self.0.first().map(|turn| turn.role)
    }

    /// The blocks of the user's messages, newest first.
    pub(super) fn user_messages_backwards(&mut self) -> impl Iterator<Item = &mut Vec<Marked<'r>>> {
        self.0.iter_mut().rev().filter(|turn| turn.role == "user").map(|turn| &mut turn.parts)
    }

    /// Writes the list.
    pub(super) fn write(&self, marker: Option<Marker>, w: &mut Writer) {
        w.array(|w| {
            for turn in &self.0 {
                w.object(|w| {
                    w.member("role", turn.role);
                    w.key("content");
                    match turn.parts.as_slice() {
                        [Marked { part: Part::Text(text), marked: false }] if turn.plain => w.string(text),
                        parts => w.array(|w| parts.iter().for_each(|part| part.write(marker, w))),
                    }
                });
            }
        });
    }
}

struct Builder<'r, 'a> {
    transcript: &'r Transcript<'r>,
    names: &'r Names,
    dialect: &'a Dialect,
    adjustments: &'a mut Adjustments,
    turns: Vec<Turn<'r>>,
    /// The last message begins with results.
    after_results: bool,
}

impl<'r> Builder<'r, '_> {
    fn user(&mut self, content: &'r Content) {
        let mut parts: Vec<Marked<'r>> = Vec::new();
        match content {
            Content::Text(text) => parts.extend(visible(text).map(Part::Text).map(Marked::from)),
            Content::Blocks(blocks) => parts.extend(blocks.iter().filter_map(part_of).map(Marked::from)),
        }
        if parts.is_empty() {
            // The API refuses blank text (NousResearch/hermes-agent#11945).
            self.adjustments.add("message-dropped", "a user message without any text or image is left out");
            return;
        }
        match self.turns.last_mut() {
            Some(turn) if self.after_results => turn.parts.extend(parts),
            _ => self.turns.push(Turn { role: "user", parts, plain: matches!(content, Content::Text(_)) }),
        }
    }

    fn results(&mut self, answers: &'r [Answer<'r>]) {
        let mut parts = Vec::new();
        let mut behind = Vec::new();
        for answer in answers {
            let id = self.transcript.ids.get(answer.key).map_or("", String::as_str);
            let mut is_error = answer.is_error();
            let content = if is_error && answer.images().next().is_some() {
                // A failed result may hold nothing but text.
                self.adjustments.add("image-moved", "the images of a failed result stand behind the results");
                behind.extend(answer.images().map(Part::Image).map(Marked::from));
                text_of(answer, SEE_IMAGE)
            } else if answer.images().next().is_some() {
                blocks_of(answer)
            } else {
                text_of(answer, if is_error { NO_OUTPUT } else { "" })
            };
            if matches!(&content, ResultContent::Nothing) {
                is_error = false;
            }
            parts.push(Part::Result { id, content, is_error }.into());
        }
        parts.extend(behind);
        self.turns.push(Turn { role: "user", parts, plain: false });
        self.after_results = true;
    }

    fn assistant(&mut self, said: &'r Said<'r>) {
        let mut parts: Vec<Marked<'r>> = Vec::new();
        for block in &said.blocks {
            let part = match block {
                Block::Text(text, _) => visible(text).map(Part::Text),
                Block::Provider(block) => Some(Part::Provider(block)),
                Block::Thinking(thinking) => self.thinking(said.message, thinking),
                Block::Call(call) => {
                    let id = self.transcript.ids.get(call.key).map_or("", String::as_str);
                    self.note_arguments(said.message, &call.call.arguments);
                    Some(Part::Use { id, name: self.names.wire(&call.call.name).into(), call: call.call })
                }
            };
            parts.extend(part.map(Marked::from));
        }
        if parts.is_empty() {
            let message = "an assistant message of which nothing is left is not replayed";
            return self.adjustments.message("message-dropped", message, said.message);
        }
        self.turns.push(Turn { role: "assistant", parts, plain: false });
        self.after_results = false;
    }

    fn thinking(&mut self, message: usize, thinking: &'r ThinkingBlock) -> Option<Part<'r>> {
        if let Some(data) = thinking.redacted.as_deref().or(thinking.encrypted.as_deref()) {
            return Some(Part::Redacted(data));
        }
        if self.dialect.unsigned_thinking
            || thinking.signature.as_deref().is_some_and(|signature| !signature.is_empty())
        {
            return Some(Part::Thinking(thinking));
        }
        // Anthropic takes no thinking that it did not sign.
        self.adjustments.message("thinking-as-text", "thinking without a signature is replayed as text", message);
        visible(&thinking.thinking).map(Part::Text)
    }

    fn note_arguments(&mut self, message: usize, arguments: &CallArguments) {
        match arguments {
            CallArguments::Object(_) => {}
            CallArguments::Freeform(_) => {
                let text = "the free text of a custom call is sent as an object: the API has no custom tools";
                self.adjustments.message("arguments-wrapped", text, message);
            }
            CallArguments::Invalid(_) => {
                self.adjustments.message("arguments-wrapped", arguments::INVALID_NOTE, message);
            }
        }
    }
}

/// Text that the API takes: blank blocks are refused.
fn visible(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

fn part_of(block: &ContentBlock) -> Option<Part<'_>> {
    match block {
        ContentBlock::Text(text) => visible(text).map(Part::Text),
        ContentBlock::Image(image) => Some(Part::Image(image)),
    }
}

fn text_of<'r>(answer: &Answer<'r>, if_empty: &str) -> ResultContent<'r> {
    let text = answer.text();
    match (text.trim().is_empty(), if_empty) {
        (false, _) => ResultContent::Text(text),
        (true, "") => ResultContent::Nothing,
        (true, words) => ResultContent::Text(words.to_owned()),
    }
}

fn blocks_of<'r>(answer: &Answer<'r>) -> ResultContent<'r> {
    let mut parts: Vec<Part<'r>> = match answer.result.map(|result| &result.content) {
        Some(Content::Blocks(blocks)) => blocks.iter().filter_map(part_of).collect(),
        _ => Vec::new(),
    };
    if !parts.iter().any(|part| matches!(part, Part::Text(_))) {
        parts.insert(0, Part::Text(SEE_IMAGE));
    }
    ResultContent::Blocks(parts)
}

impl Marked<'_> {
    fn write(&self, marker: Option<Marker>, w: &mut Writer) {
        self.part.write(marker.filter(|_| self.marked), w);
    }
}

impl Part<'_> {
    fn write(&self, marker: Option<Marker>, w: &mut Writer) {
        if let Self::Provider(block) = self {
            return Tree::of(block.doc().root()).write(w);
        }
        w.object(|w| {
            match self {
                Self::Text(text) => {
                    w.member("type", "text");
                    w.member("text", text);
                }
                Self::Image(image) => {
                    w.member("type", "image");
                    w.key("source");
                    w.object(|w| {
                        w.member("type", "base64");
                        w.member("media_type", &image.mime_type);
                        w.member("data", &image.data);
                    });
                }
                Self::Thinking(thinking) => {
                    w.member("type", "thinking");
                    w.member("thinking", &thinking.thinking);
                    w.member("signature", thinking.signature.as_deref().unwrap_or(""));
                }
                Self::Redacted(data) => {
                    w.member("type", "redacted_thinking");
                    w.member("data", data);
                }
                Self::Use { id, name, call } => {
                    w.member("type", "tool_use");
                    w.member("id", id);
                    w.member("name", name);
                    w.key("input");
                    arguments::write(&call.arguments, w);
                }
                Self::Result { id, content, is_error } => {
                    w.member("type", "tool_result");
                    w.member("tool_use_id", id);
                    match content {
                        ResultContent::Nothing => {}
                        ResultContent::Text(text) => w.member("content", text),
                        ResultContent::Blocks(parts) => {
                            w.key("content");
                            w.array(|w| parts.iter().for_each(|part| part.write(None, w)));
                        }
                    }
                    if *is_error {
                        w.key("is_error");
                        w.literal(true);
                    }
                }
                Self::Provider(_) => {}
            }
            cache::write(marker, w);
        });
    }
}
