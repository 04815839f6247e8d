//! The normalized turn.

use super::call::{Incomplete, ServerCall, ToolCall};
use super::problem::{Diagnostic, Problem};
use crate::json::{Style, Writer};

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// A clean end with at least one call requested, valid or not.
    ToolUse,
    /// A clean end without calls.
    Stop,
    /// The output limit.
    Length,
    /// The model or a filter stopped the output.
    Refusal,
    /// The provider paused and wants to be asked again.
    Pause,
    /// Something failed; nothing may run.
    Error,
    /// The caller gave up.
    Aborted,
}

impl Stop {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::ToolUse, Self::Stop, Self::Length, Self::Refusal, Self::Pause, Self::Error, Self::Aborted];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolUse => "toolUse",
            Self::Stop => "stop",
            Self::Length => "length",
            Self::Refusal => "refusal",
            Self::Pause => "pause",
            Self::Error => "error",
            Self::Aborted => "aborted",
        }
    }
}

/// One block of thinking.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thinking {
    /// What may be shown.
    pub text: String,
    /// The signature that must go back with it.
    pub signature: Option<String>,
    /// The id of the item that carries it.
    pub item_id: Option<String>,
    /// Thinking that only the provider can read.
    pub encrypted: Option<String>,
}

impl Thinking {
    fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("text", &self.text);
            w.optional("signature", self.signature.as_deref());
            w.optional("itemId", self.item_id.as_deref());
            w.optional("encrypted", self.encrypted.as_deref());
        });
    }
}

/// Tokens, as the provider counted them; what it did not say is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: Option<u64>,
    /// Tokens of the answer.
    pub output: Option<u64>,
    /// Prompt tokens read from the cache.
    pub cache_read: Option<u64>,
    /// Prompt tokens written to the cache.
    pub cache_write: Option<u64>,
}

impl Usage {
    /// The counters with their names in JSON.
    pub fn counters(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("inputTokens", self.input),
            ("outputTokens", self.output),
            ("cacheReadTokens", self.cache_read),
            ("cacheWriteTokens", self.cache_write),
        ]
    }

    /// Takes over the counters that `later` has.
    pub fn update(&mut self, later: Self) {
        self.input = later.input.or(self.input);
        self.output = later.output.or(self.output);
        self.cache_read = later.cache_read.or(self.cache_read);
        self.cache_write = later.cache_write.or(self.cache_write);
    }
}

/// What a response means, whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Closed calls whose arguments are a JSON object, or freeform.
    pub calls: Vec<ToolCall>,
    /// The text for the user.
    pub text: String,
    /// How it ended. Calls may run only when this is [`Stop::ToolUse`].
    pub stop: Stop,
    /// What was wrong.
    pub errors: Vec<Problem>,
    /// Thinking blocks in order.
    pub thinking: Vec<Thinking>,
    /// Signatures that came with text, in order; they go back with it.
    pub text_signatures: Vec<String>,
    /// Calls that were still open at the end.
    pub incomplete: Vec<Incomplete>,
    /// Token counts, if any came.
    pub usage: Option<Usage>,
    /// Calls that the provider ran itself.
    pub server_calls: Vec<ServerCall>,
    /// The other choices of an answer that has several.
    pub choices: Vec<Turn>,
    /// Oddities that were tolerated.
    pub diagnostics: Vec<Diagnostic>,
}

impl Turn {
    /// A turn in which nothing came.
    pub fn empty(stop: Stop) -> Self {
        Self {
            calls: Vec::new(),
            text: String::new(),
            stop,
            errors: Vec::new(),
            thinking: Vec::new(),
            text_signatures: Vec::new(),
            incomplete: Vec::new(),
            usage: None,
            server_calls: Vec::new(),
            choices: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The turn as JSON: `calls`, `text`, `stop` and `errors` always, the rest where there is any.
    pub fn to_json(&self, style: Style) -> String {
        let mut writer = Writer::new(style);
        self.write(&mut writer);
        writer.finish()
    }

    /// Writes the turn as the next value.
    pub fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.key("calls");
            w.array(|w| self.calls.iter().for_each(|call| call.write(w)));
            w.member("text", &self.text);
            w.member("stop", self.stop.name());
            w.key("errors");
            w.array(|w| self.errors.iter().for_each(|problem| problem.write(w)));
            list(w, "thinking", &self.thinking, Thinking::write);
            list(w, "textSignatures", &self.text_signatures, |signature, w| w.string(signature));
            list(w, "incomplete", &self.incomplete, Incomplete::write);
            if let Some(usage) = &self.usage {
                w.key("usage");
                w.object(|w| {
                    for (name, count) in usage.counters() {
                        if let Some(count) = count {
                            w.key(name);
                            w.literal(count);
                        }
                    }
                });
            }
            list(w, "serverCalls", &self.server_calls, ServerCall::write);
            list(w, "choices", &self.choices, Turn::write);
            list(w, "diagnostics", &self.diagnostics, Diagnostic::write);
        });
    }
}

fn list<T>(w: &mut Writer, key: &str, items: &[T], write: impl Fn(&T, &mut Writer)) {
    if !items.is_empty() {
        w.key(key);
        w.array(|w| items.iter().for_each(|item| write(item, w)));
    }
}
