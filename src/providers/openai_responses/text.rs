//! Text, refusals and thinking: of each part what came first counts, pieces or the whole.

use super::super::protocol::Context;
use super::decode::{Responses, index_of};
use super::heads::sort_and_head;
use super::item::{Content, Head, Sort};
use super::items::Address;
use crate::json::{Str, Value};
use crate::model::Step;

/// What a part of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Text,
    Refusal,
}

impl Part {
    /// What a part holds, by its type; those of reasoning items come in parts as well.
    pub(super) fn of(part: Value<'_>) -> Option<(Self, Value<'_>)> {
        match &*part.text_of("type")? {
            "output_text" => Some((Self::Text, part.get("text")?)),
            "refusal" => Some((Self::Refusal, part.get("refusal")?)),
            _ => None,
        }
    }
}

/// A text that is not empty.
fn full(text: Value<'_>) -> Option<Str<'_>> {
    text.as_str().filter(|text| !text.is_empty())
}

fn part_index(body: Value<'_>) -> i64 {
    body.get("content_index").and_then(index_of).unwrap_or(0)
}

impl Responses {
    /// Takes a piece of a message.
    pub(super) fn text(
        &mut self,
        address: Address<'_>,
        body: Value<'_>,
        delta: Option<Value<'_>>,
        part: Part,
        cx: &mut Context<'_>,
    ) {
        let Some(delta) = delta.and_then(full) else { return };
        if let Some(at) = self.item_of(Sort::Message, address, cx) {
            self.note_part(at, part, part_index(body));
            self.speak(part, delta, cx);
        }
    }

    /// Takes the whole text of a part that no piece came of.
    pub(super) fn final_part(
        &mut self,
        address: Address<'_>,
        body: Value<'_>,
        text: Option<Value<'_>>,
        part: Part,
        cx: &mut Context<'_>,
    ) {
        let Some(text) = text.and_then(full) else { return };
        if let Some(at) = self.item_of(Sort::Message, address, cx)
            && self.note_part(at, part, part_index(body))
        {
            self.speak(part, text, cx);
        }
    }

    /// Notes that a part has said something; true the first time.
    fn note_part(&mut self, at: usize, part: Part, index: i64) -> bool {
        let Some(Content::Message { spoken }) = self.content(at) else { return false };
        spoken.insert((part, index))
    }

    fn speak(&mut self, part: Part, text: Str<'_>, cx: &mut Context<'_>) {
        match part {
            Part::Text => cx.step(Step::Text(self.text.push(text))),
            Part::Refusal => {
                self.refusal.push(text);
            }
        }
    }

    /// Takes what a finished message says of the kinds of which nothing came.
    pub(super) fn whole_message(&mut self, at: usize, head: Head<'_>, cx: &mut Context<'_>) {
        let Some(Content::Message { spoken }) = self.content(at) else { return };
        let said = |part| spoken.iter().any(|(other, _)| *other == part);
        let [text, refusal] = [Part::Text, Part::Refusal].map(said);
        for (index, (part, said)) in (0..).zip(parts(head)) {
            if !(if part == Part::Text { text } else { refusal }) {
                self.note_part(at, part, index);
                self.speak(part, said, cx);
            }
        }
    }

    /// Takes the messages of a snapshot, of the kinds of which nothing came.
    pub(super) fn whole_text(&mut self, output: Value<'_>, cx: &mut Context<'_>) {
        let [text, refusal] = [self.text.is_empty(), self.refusal.is_empty()];
        let messages = output.items().filter_map(sort_and_head).filter(|(sort, _)| *sort == Sort::Message);
        for (part, said) in messages.flat_map(|(_, head)| parts(head)) {
            if if part == Part::Text { text } else { refusal } {
                self.speak(part, said, cx);
            }
        }
    }

    /// Takes a piece of thinking.
    pub(super) fn think(&mut self, address: Address<'_>, delta: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some(delta) = delta.and_then(full) else { return };
        if let Some(at) = self.item_of(Sort::Reasoning, address, cx)
            && let Some(Content::Reasoning { text, .. }) = self.content(at)
        {
            cx.step(Step::Thinking(text.push(delta)));
        }
    }

    /// Takes the thinking in a reasoning item of which nothing came.
    pub(super) fn whole_thinking(&mut self, at: usize, head: Head<'_>, cx: &mut Context<'_>) {
        let Some(Content::Reasoning { text, .. }) = self.content(at) else { return };
        if !text.is_empty() {
            return;
        }
        let parts =
            ["summary", "content"].into_iter().flat_map(|key| head.value.get(key).into_iter().flat_map(Value::items));
        for more in parts.filter_map(|part| full(part.get("text")?)) {
            cx.step(Step::Thinking(text.push(more)));
        }
    }
}

/// The parts of a message that say something.
fn parts(head: Head<'_>) -> impl Iterator<Item = (Part, Str<'_>)> {
    let parts = head.value.get("content").into_iter().flat_map(Value::items);
    parts.filter_map(Part::of).filter_map(|(part, text)| Some((part, full(text)?)))
}
