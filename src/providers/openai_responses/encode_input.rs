//! `input` of a Responses request: messages, thinking, calls and outputs, each an item.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::arguments;
use super::super::outbound::names::Names;
use super::super::outbound::replay::{Answer, Block, Call, Item, Said, Source, Transcript};
use super::encode_dialects::Dialect;
use super::encode_groups::Groups;
use crate::json::{JsonText, Writer};
use crate::model::{
    AssistantBlock, CallArguments, Content, ContentBlock, Image, Message, Request, ThinkingBlock, ToolResult,
};

/// What the text of a failed call begins with: the wire has no flag for failures (`status` of an output is about the item).
const ERROR_MARK: &str = "Error: ";
/// What a failure says that came without a word.
const NO_OUTPUT: &str = "(no output)";

/// Characters that an item id may have.
const MAX_ITEM_ID: usize = 64;

/// The items of a request.
#[derive(Debug)]
pub(super) struct Input<'r> {
    items: Vec<InputItem<'r>>,
}

#[derive(Debug)]
enum InputItem<'r> {
    User(&'r Content),
    Assistant(&'r str),
    Reasoning(&'r ThinkingBlock, &'r str),
    Call { id: Option<&'r str>, call_id: &'r str, name: &'r str, namespace: Option<&'r str>, call: CallItem<'r> },
    Output { call_id: &'r str, custom: bool, parts: Vec<Part<'r>> },
    Raw(&'r JsonText),
}

#[derive(Debug)]
enum CallItem<'r> {
    Function(&'r CallArguments),
    Custom(&'r str),
}

#[derive(Debug)]
enum Part<'r> {
    Text(Cow<'r, str>),
    Image(&'r Image),
}

impl<'r> Input<'r> {
    /// Builds the items.
    pub(super) fn build(
        request: &'r Request,
        transcript: &'r Transcript<'r>,
        names: &'r Names,
        groups: &Groups<'r>,
        dialect: &Dialect,
        adjustments: &mut Adjustments,
    ) -> Self {
        let custom = if dialect.freeform { custom_calls(&request.messages) } else { HashMap::new() };
        let mut builder = Builder {
            transcript,
            names,
            groups,
            dialect,
            custom,
            sent: HashMap::new(),
            adjustments,
            items: Vec::new(),
        };
        for item in &transcript.items {
            match item {
                Item::User(content) => builder.items.push(InputItem::User(content)),
                Item::Assistant(said) => builder.assistant(said),
                Item::Results(answers) => answers.iter().for_each(|answer| builder.output(answer)),
            }
        }
        Self { items: builder.items }
    }

    /// True if there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// True if encrypted thinking goes back.
    pub(super) fn has_reasoning(&self) -> bool {
        self.items.iter().any(|item| matches!(item, InputItem::Reasoning(..)))
    }

    /// Writes the list.
    pub(super) fn write(&self, w: &mut Writer) {
        w.array(|w| self.items.iter().for_each(|item| item.write(w)));
    }
}

/// Whether the call that an id belongs to is a custom one, by the id as it came; the newest counts.
fn custom_calls(messages: &[Message]) -> HashMap<&str, bool> {
    let blocks = messages.iter().flat_map(|message| match message {
        Message::Assistant(message) => message.content.as_slice(),
        _ => &[],
    });
    blocks
        .filter_map(|block| match block {
            AssistantBlock::Call(call) => {
                Some((call.id.as_str(), matches!(call.arguments, CallArguments::Freeform(_))))
            }
            _ => None,
        })
        .collect()
}

struct Builder<'r, 'a> {
    transcript: &'r Transcript<'r>,
    names: &'r Names,
    groups: &'a Groups<'r>,
    dialect: &'a Dialect,
    /// Custom calls of the whole conversation: some may be stored at the server and not be sent.
    custom: HashMap<&'r str, bool>,
    /// Whether a call that is sent is a custom one, by its wire id.
    sent: HashMap<&'r str, bool>,
    adjustments: &'a mut Adjustments,
    items: Vec<InputItem<'r>>,
}

impl<'r> Builder<'r, '_> {
    fn assistant(&mut self, said: &'r Said<'r>) {
        // Thinking needs the item that came of it behind it (vercel/ai#10829), and nothing between the two
        // (continuedev/continue#11721).
        let last = said.blocks.iter().rposition(|block| match block {
            Block::Text(text, _) => !text.is_empty(),
            Block::Thinking(_) => false,
            Block::Call(_) | Block::Provider(_) => true,
        });
        let mut dropped = false;
        for block in said.blocks.iter().take(last.unwrap_or(0)) {
            dropped |= matches!(block, Block::Thinking(thinking) if self.encrypted(thinking).is_none());
        }
        // An item that the server knows by its id asks for the thinking before it (0xPlaygrounds/rig#751); without the id
        // it does not.
        let ids = self.dialect.item_ids && said.source != Source::Foreign && !dropped;
        for (at, block) in said.blocks.iter().enumerate() {
            match block {
                Block::Text("", _) => {}
                Block::Text(text, _) => self.items.push(InputItem::Assistant(text)),
                Block::Provider(block) => self.items.push(InputItem::Raw(block)),
                Block::Call(call) => self.call(said, call, ids),
                Block::Thinking(thinking) => match self.encrypted(thinking) {
                    Some(encrypted) if last.is_some_and(|last| at < last) => {
                        self.items.push(InputItem::Reasoning(thinking, encrypted));
                    }
                    Some(_) => self.adjustments.message(
                        "thinking-left-out",
                        "thinking that nothing came of is left out: an unpaired reasoning item is refused",
                        said.message,
                    ),
                    None => self.adjustments.message(
                        "thinking-left-out",
                        "thinking without its encrypted form is left out: the server keeps nothing to complete it",
                        said.message,
                    ),
                },
            }
        }
    }

    fn encrypted(&self, thinking: &'r ThinkingBlock) -> Option<&'r str> {
        thinking.encrypted.as_deref().filter(|_| self.dialect.encrypted)
    }

    fn call(&mut self, said: &Said<'r>, call: &'r Call<'r>, ids: bool) {
        let block = call.call;
        let item = match &block.arguments {
            CallArguments::Freeform(text) if self.dialect.freeform => CallItem::Custom(text),
            other => CallItem::Function(other),
        };
        if matches!(block.arguments, CallArguments::Invalid(_)) {
            self.adjustments.message("arguments-wrapped", arguments::INVALID_NOTE, said.message);
        }
        let call_id = self.transcript.ids.get(call.key).map_or("", String::as_str);
        let prefix = match item {
            CallItem::Function(_) => "fc",
            CallItem::Custom(_) => "ctc",
        };
        let given = block.item_id.as_deref().or_else(|| block.id.split_once('|').map(|(_, item)| item));
        let id = given.filter(|id| ids && *id != call_id && is_item_id(id, prefix));
        self.sent.insert(call_id, matches!(item, CallItem::Custom(_)));
        let name = self.names.wire(&block.name);
        // A call of a tool in a namespace is refused without it (earendil-works/pi#7709).
        let given = block.namespace.as_deref().filter(|_| said.source != Source::Foreign);
        let namespace = self.groups.name(name).or(given).filter(|_| self.dialect.namespaces);
        self.items.push(InputItem::Call { id, call_id, name, namespace, call: item });
    }

    fn output(&mut self, answer: &'r Answer<'r>) {
        let call_id = self.transcript.ids.get(answer.key).map_or("", String::as_str);
        let stored = || answer.result.and_then(|result| self.custom.get(result.call_id.as_str()).copied());
        let custom = self.sent.get(call_id).copied().or_else(stored).unwrap_or(false);
        let mut parts = match answer.result {
            Some(result) if answer.images().next().is_some() => parts(result),
            _ => vec![Part::Text(answer.text().into())],
        };
        if answer.is_error() {
            self.adjustments.add("error-in-text", "failed results are marked in their text: the API has no flag");
            mark(&mut parts);
        }
        self.items.push(InputItem::Output { call_id, custom, parts });
    }
}

fn parts(result: &ToolResult) -> Vec<Part<'_>> {
    match &result.content {
        Content::Text(text) => vec![Part::Text(text.into())],
        Content::Blocks(blocks) => blocks
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Text(text) if text.is_empty() => None,
                ContentBlock::Text(text) => Some(Part::Text(text.into())),
                ContentBlock::Image(image) => Some(Part::Image(image)),
            })
            .collect(),
    }
}

/// Marks a failure in its first text.
fn mark(parts: &mut Vec<Part<'_>>) {
    let first = parts.iter_mut().find_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Image(_) => None,
    });
    match first {
        Some(text) if text.starts_with(ERROR_MARK.trim_end()) => {}
        Some(text) if text.is_empty() => *text = format!("{ERROR_MARK}{NO_OUTPUT}").into(),
        Some(text) => *text = format!("{ERROR_MARK}{text}").into(),
        None => parts.insert(0, Part::Text(format!("{ERROR_MARK}{NO_OUTPUT}").into())),
    }
}

/// True for an id that the server may have given: it begins with the kind of its item (nodetool-ai/nodetool#4252), holds
/// nothing but word characters (langchain-ai/langchainjs#11044), and does not end where it was cut
/// (earendil-works/pi#977).
fn is_item_id(id: &str, prefix: &str) -> bool {
    id.len() <= MAX_ITEM_ID
        && id.strip_prefix(prefix).is_some_and(|rest| rest.len() > 1 && rest.starts_with('_'))
        && !id.ends_with('_')
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl InputItem<'_> {
    fn write(&self, w: &mut Writer) {
        match self {
            Self::Raw(block) => w.value(block.doc().root()),
            other => w.object(|w| other.members(w)),
        }
    }

    fn members(&self, w: &mut Writer) {
        match self {
            Self::Raw(_) => {}
            Self::User(content) => {
                w.member("role", "user");
                w.key("content");
                match content {
                    Content::Text(text) => w.string(text),
                    Content::Blocks(blocks) if blocks.is_empty() => w.string(""),
                    Content::Blocks(blocks) => w.array(|w| blocks.iter().for_each(|block| write_block(block, w))),
                }
            }
            Self::Assistant(text) => {
                w.member("role", "assistant");
                w.member("content", text);
            }
            Self::Reasoning(thinking, encrypted) => {
                w.member("type", "reasoning");
                w.optional("id", thinking.item_id.as_deref());
                w.key("summary");
                w.array(|w| {
                    if !thinking.thinking.is_empty() {
                        w.object(|w| {
                            w.member("type", "summary_text");
                            w.member("text", &thinking.thinking);
                        });
                    }
                });
                w.member("encrypted_content", encrypted);
            }
            Self::Call { id, call_id, name, namespace, call } => {
                let (kind, key) = match call {
                    CallItem::Function(_) => ("function_call", "arguments"),
                    CallItem::Custom(_) => ("custom_tool_call", "input"),
                };
                w.member("type", kind);
                w.optional("id", *id);
                w.member("call_id", call_id);
                w.member("name", name);
                w.optional("namespace", *namespace);
                match call {
                    CallItem::Function(given) => w.member(key, &arguments::text(given)),
                    CallItem::Custom(text) => w.member(key, text),
                }
            }
            Self::Output { call_id, custom, parts } => {
                w.member("type", if *custom { "custom_tool_call_output" } else { "function_call_output" });
                w.member("call_id", call_id);
                w.key("output");
                match parts.as_slice() {
                    [] => w.string(""),
                    [Part::Text(text)] => w.string(text),
                    parts => w.array(|w| {
                        for part in parts {
                            match part {
                                Part::Text(text) => write_text(text, w),
                                Part::Image(image) => write_image(image, w),
                            }
                        }
                    }),
                }
            }
        }
    }
}

fn write_block(block: &ContentBlock, w: &mut Writer) {
    match block {
        ContentBlock::Text(text) => write_text(text, w),
        ContentBlock::Image(image) => write_image(image, w),
    }
}

fn write_text(text: &str, w: &mut Writer) {
    w.object(|w| {
        w.member("type", "input_text");
        w.member("text", text);
    });
}

fn write_image(image: &Image, w: &mut Writer) {
    w.object(|w| {
        w.member("type", "input_image");
        w.member("detail", "auto");
        w.member("image_url", &format!("data:{};base64,{}", image.mime_type, image.data));
    });
}
