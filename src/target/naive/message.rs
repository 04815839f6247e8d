//! What a Responses stream says to the user, and what it refuses (decision 69).

use serde_json::Value;

use super::output_item::OutputItem;
use super::value::{arguments, full, index, list, text};

/// The texts of all messages, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) refusal: String,
}

/// What a text is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// It is a refusal.
    refuses: bool,
    /// It is all of a part's text, which counts only if nothing else came.
    pub(super) is_final: bool,
}

/// The text in an event, and what it is.
pub(super) fn spoken<'a>(event: &str, value: &'a Value) -> Option<(Form, &'a str)> {
    let (said, refuses, is_final) = match event {
        "response.output_text.delta" => (delta(value), false, false),
        "response.output_text.done" => (full(value, "text"), false, true),
        "response.refusal.delta" => (delta(value), true, false),
        "response.refusal.done" => (full(value, "refusal"), true, true),
        "response.content_part.done" => {
            let part = value.get("part")?;
            (part_text(part), text(part, "type") == Some("refusal"), true)
        }
        _ => (None, false, false),
    };
    Some((Form { refuses, is_final }, said?))
}

/// The piece in an event, unless it is no text.
fn delta(event: &Value) -> Option<&str> {
    let (delta, is_value) = arguments(event.get("delta"))?;
    Some(delta).filter(|delta| !is_value && !delta.is_empty())
}

/// The text of a part, by its type.
fn part_text(part: &Value) -> Option<&str> {
    match text(part, "type")? {
        "output_text" => full(part, "text"),
        "refusal" => full(part, "refusal"),
        _ => None,
    }
}

/// The texts of a message's parts of one type, with their indexes.
fn texts<'a>(message: &'a Value, kind: &'static str) -> impl Iterator<Item = (i64, &'a str)> {
    let parts = (0..).zip(list(message, "content")).filter(move |(_, part)| text(part, "type") == Some(kind));
    parts.filter_map(|(index, part)| Some((index, part_text(part)?)))
}

impl Said {
    /// Takes the text of an event for a message.
    pub(super) fn take(&mut self, item: &mut OutputItem, event: &Value, form: Form, said: &str) {
        let part = event.get("content_index").and_then(index).unwrap_or(0);
        let (known, all) =
            if form.refuses { (&mut item.refusals, &mut self.refusal) } else { (&mut item.texts, &mut self.text) };
        if !form.is_final || !known.contains(&part) {
            known.push(part);
            all.push_str(said);
        }
    }

    /// Takes the texts of a finished message that has none yet.
    pub(super) fn take_item(&mut self, item: &mut OutputItem, message: &Value) {
        let of_text = ("output_text", &mut item.texts, &mut self.text);
        let of_refusal = ("refusal", &mut item.refusals, &mut self.refusal);
        for (kind, known, all) in [of_text, of_refusal] {
            if known.is_empty() {
                for (part, said) in texts(message, kind) {
                    known.push(part);
                    all.push_str(said);
                }
            }
        }
    }

    /// Takes the texts of the snapshot, if there are none yet.
    pub(super) fn take_snapshot(&mut self, output: &[Value]) {
        for (kind, all) in [("output_text", &mut self.text), ("refusal", &mut self.refusal)] {
            if all.is_empty() {
                let messages = output.iter().filter(|item| text(item, "type") == Some("message"));
                all.extend(messages.flat_map(|message| texts(message, kind)).map(|(_, said)| said));
            }
        }
    }
}
