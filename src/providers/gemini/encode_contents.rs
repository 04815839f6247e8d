//! `contents` of a Gemini request.
//!
//! A model's content with calls stands right behind one of the user, and the content with all their results right behind
//! it, in the order of the calls (google-gemini/gemini-cli#16415, #26486). A signature stays on the part that it came with.

use std::collections::HashSet;

use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::arguments;
use super::super::outbound::names::Names;
use super::super::outbound::replay::{Answer, Block, Item, Said, Transcript};
use super::model::{Model, PLACEHOLDER};
use crate::json::{JsonText, Writer};
use crate::model::{CallArguments, Content as UserContent, ContentBlock, Image, ThinkingBlock, usable_id};

/// What a result says that is nothing but images.
const SEE_IMAGE: &str = "(see attached image)";
/// What stands before images behind results.
const IMAGES_OF_RESULTS: &str = "Tool result image:";
/// What a failure says that came without a word.
const NO_OUTPUT: &str = "(no output)";

/// The contents of a request.
#[derive(Debug)]
pub(super) struct Contents<'r> {
    list: Vec<Content<'r>>,
}

#[derive(Debug)]
struct Content<'r> {
    role: &'static str,
    parts: Vec<Part<'r>>,
}

#[derive(Debug)]
enum Part<'r> {
    Text(&'r str, Option<&'r str>),
    Thought(&'r ThinkingBlock, Option<&'r str>),
    Image(&'r Image),
    Call { id: Option<&'r str>, name: &'r str, arguments: &'r CallArguments, signature: Option<&'r str> },
    Response { id: Option<&'r str>, name: &'r str, failed: bool, text: String, images: Vec<&'r Image> },
    Raw(&'r JsonText),
}

impl<'r> Contents<'r> {
    /// Builds the contents.
    pub(super) fn build(
        transcript: &'r Transcript<'r>,
        names: &'r Names,
        model: Model,
        adjustments: &mut Adjustments,
    ) -> Self {
        let called = vec![""; transcript.ids.len()];
        let mut builder =
            Builder { transcript, names, model, adjustments, called, ids: HashSet::new(), list: Vec::new() };
        for item in &transcript.items {
            match item {
                Item::User(content) => builder.user(content),
                Item::Assistant(said) => builder.assistant(said),
                Item::Results(answers) => builder.results(answers),
            }
        }
        Self { list: builder.list }
    }

    /// The role of the first content; `None` if there is none.
    pub(super) fn first_role(&self) -> Option<&'static str> {
        self.list.first().map(|content| content.role)
    }

    /// Writes the list.
    pub(super) fn write(&self, w: &mut Writer) {
        w.array(|w| {
            for content in &self.list {
                w.object(|w| {
                    w.member("role", content.role);
                    w.key("parts");
                    w.array(|w| content.parts.iter().for_each(|part| part.write(w)));
                });
            }
        });
    }
}

struct Builder<'r, 'a> {
    transcript: &'r Transcript<'r>,
    names: &'r Names,
    model: Model,
    adjustments: &'a mut Adjustments,
    /// The wire names of calls, by key: a result has the name of its call.
    called: Vec<&'r str>,
    /// Keys of the calls that carry their id.
    ids: HashSet<usize>,
    list: Vec<Content<'r>>,
}

impl<'r> Builder<'r, '_> {
    fn user(&mut self, content: &'r UserContent) {
        // A part without text is refused ("must include at least one parts field").
        let parts: Vec<_> = match content {
            UserContent::Text(text) => {
                Some(text).filter(|text| !text.is_empty()).map(|text| Part::Text(text, None)).into_iter().collect()
            }
            UserContent::Blocks(blocks) => blocks
                .iter()
                .filter_map(|block| match block {
                    ContentBlock::Text(text) if text.is_empty() => None,
                    ContentBlock::Text(text) => Some(Part::Text(text, None)),
                    ContentBlock::Image(image) => Some(Part::Image(image)),
                })
                .collect(),
        };
        if parts.is_empty() {
            self.adjustments.add("message-dropped", "a user message without text and images is left out");
        } else {
            self.list.push(Content { role: "user", parts });
        }
    }

    fn assistant(&mut self, said: &'r Said<'r>) {
        let mut parts = Vec::with_capacity(said.blocks.len());
        let mut first_call = true;
        for block in &said.blocks {
            match block {
                Block::Text(text, signature) => {
                    let signature = self.signature(*signature, said);
                    if !text.is_empty() || signature.is_some() {
                        parts.push(Part::Text(text, signature));
                    }
                }
                Block::Thinking(thinking) => {
                    let signature = self.signature(thinking.signature.as_deref(), said);
                    if !thinking.thinking.is_empty() || signature.is_some() {
                        parts.push(Part::Thought(thinking, signature));
                    } else {
                        let message = "thinking without text and signature is left out";
                        self.adjustments.message("thinking-left-out", message, said.message);
                    }
                }
                Block::Provider(block) => parts.push(Part::Raw(block)),
                Block::Call(call) => {
                    let mut signature = self.signature(call.signature, said);
                    if signature.is_none() && first_call && self.model.signatures {
                        let message = "the first call has no thought signature; the documented placeholder stands in";
                        self.adjustments.message("signature-placeholder", message, said.message);
                        signature = Some(PLACEHOLDER);
                    }
                    first_call = false;
                    if matches!(call.call.arguments, CallArguments::Invalid(_)) {
                        self.adjustments.message("arguments-wrapped", arguments::INVALID_NOTE, said.message);
                    }
                    let name = self.names.wire(&call.call.name);
                    if let Some(called) = self.called.get_mut(call.key) {
                        *called = name;
                    }
                    // Where no id came, none goes back: calls and results pair by order and name.
                    let given = usable_id(&call.call.id).is_some() || !self.model.optional_ids;
                    if self.model.ids && given {
                        self.ids.insert(call.key);
                    }
                    parts.push(Part::Call { id: self.id(call.key), name, arguments: &call.call.arguments, signature });
                }
            }
        }
        match self.list.last_mut() {
            _ if parts.is_empty() => {
                let message = "an assistant message of which nothing is left is not replayed";
                self.adjustments.message("message-dropped", message, said.message);
            }
            // Calls may not stand behind another content of the model.
            Some(last) if last.role == "model" => last.parts.extend(parts),
            _ => self.list.push(Content { role: "model", parts }),
        }
    }

    /// A signature that can be sent: the field holds bytes, in base64.
    fn signature(&mut self, signature: Option<&'r str>, said: &Said<'_>) -> Option<&'r str> {
        let signature = signature?;
        if signature == PLACEHOLDER || is_base64(signature) {
            return Some(signature);
        }
        let message = "a signature that is no base64 is left out";
        self.adjustments.message("signature-left-out", message, said.message);
        None
    }

    fn id(&self, key: usize) -> Option<&'r str> {
        self.transcript.ids.get(key).map(String::as_str).filter(|_| self.ids.contains(&key))
    }

    fn results(&mut self, answers: &'r [Answer<'r>]) {
        let mut behind = Vec::new();
        let mut parts = Vec::with_capacity(answers.len());
        for answer in answers {
            let images: Vec<_> = answer.images().collect();
            let mut text = answer.text();
            if text.is_empty() && !images.is_empty() {
                SEE_IMAGE.clone_into(&mut text);
            }
            if text.is_empty() && answer.is_error() {
                NO_OUTPUT.clone_into(&mut text);
            }
            let name = self.called.get(answer.key).copied().unwrap_or_default();
            let inside = if self.model.images_in_results {
                images
            } else {
                behind.extend(images);
                Vec::new()
            };
            parts.push(Part::Response {
                id: self.id(answer.key),
                name,
                failed: answer.is_error(),
                text,
                images: inside,
            });
        }
        self.list.push(Content { role: "user", parts });
        if !behind.is_empty() {
            let mut parts = vec![Part::Text(IMAGES_OF_RESULTS, None)];
            parts.extend(behind.into_iter().map(Part::Image));
            self.list.push(Content { role: "user", parts });
        }
    }
}

/// True for base64 of either alphabet, padded or not, as JSON of protocol buffers takes it.
fn is_base64(text: &str) -> bool {
    let plain = text.trim_end_matches('=');
    let padding = text.len() - plain.len();
    !plain.is_empty()
        && plain.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_'))
        && plain.len() % 4 != 1
        && (padding == 0 || text.len().is_multiple_of(4))
}

impl Part<'_> {
    fn write(&self, w: &mut Writer) {
        match self {
            Self::Raw(block) => w.value(block.doc().root()),
            other => w.object(|w| other.members(w)),
        }
    }

    fn members(&self, w: &mut Writer) {
        match self {
            Self::Raw(_) => {}
            Self::Text(text, signature) => {
                w.member("text", text);
                w.optional("thoughtSignature", *signature);
            }
            Self::Thought(thinking, signature) => {
                w.key("thought");
                w.literal(true);
                w.member("text", &thinking.thinking);
                w.optional("thoughtSignature", *signature);
            }
            Self::Image(image) => inline(image, w),
            Self::Call { id, name, arguments: given, signature } => {
                w.key("functionCall");
                w.object(|w| {
                    w.optional("id", *id);
                    w.member("name", name);
                    w.key("args");
                    arguments::write(given, w);
                });
                w.optional("thoughtSignature", *signature);
            }
            Self::Response { id, name, failed, text, images } => {
                w.key("functionResponse");
                w.object(|w| {
                    w.optional("id", *id);
                    w.member("name", name);
                    w.key("response");
                    // Always an object: a list or a text of its own is refused (microsoft/vscode-copilot-chat#2745).
                    w.object(|w| w.member(if *failed { "error" } else { "output" }, text));
                    if !images.is_empty() {
                        w.key("parts");
                        w.array(|w| images.iter().for_each(|image| w.object(|w| inline(image, w))));
                    }
                });
            }
        }
    }
}

fn inline(image: &Image, w: &mut Writer) {
    w.key("inlineData");
    w.object(|w| {
        w.member("mimeType", &image.mime_type);
        w.member("data", &image.data);
    });
}

#[cfg(test)]
mod tests {
    use super::is_base64;

    #[test]
    fn base64_is_told_from_other_text() {
        assert!(["c2ln", "c2k=", "YQ==", "YQ", "_-8=", "+/8="].iter().all(|text| is_base64(text)));
        assert!(!["", "=", "a", "c2ln=", "sig natur", "<sig>", "a==="].iter().any(|text| is_base64(text)));
    }
}
