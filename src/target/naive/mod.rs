//! Naive readers: the oracle of the decoders, and their mutants.
//!
//! In: a whole response. Out: a [`Turn`]. Everything is read into memory, every event becomes a
//! `serde_json::Value`, and each question is answered afterwards by looking at all of it, as often
//! as need be. Nothing is shared with the decoders but the vocabulary of `model` and the check that
//! a text is JSON. So the two can only agree by being right, or by misreading the same sentence of
//! `docs/decisions.md`.
//!
//! A [`Quirk`] makes a reader wrong on purpose, the way real clients are: it proves that the checks
//! can fail. Diagnostics are not made, and nothing is repaired.

mod anthropic;
mod arguments;
mod call;
mod candidate;
mod chat;
mod gemini;
mod item;
mod json_body;
mod message;
mod names;
mod output;
mod output_item;
mod partial;
mod quirk;
mod reason;
mod responses;
mod route;
mod sse;
mod thinking;
mod usage;
mod value;

#[cfg(test)]
mod tests;

pub use quirk::Quirk;

use crate::model::{Api, Problem, ProblemKind, Stop, Turn};
use crate::observe::SeenFrames;
use crate::providers::DecodeSetup;
use quirk::Switch;
use sse::Form;

/// The frames of a response that came in these pieces, for cases about framing alone.
pub fn frames(quirk: Option<Quirk>, body: &[&[u8]]) -> SeenFrames {
    let mut seen = SeenFrames::default();
    for event in sse::events(body, Switch(quirk)) {
        let data = String::from_utf8_lossy(&event.data).into_owned();
        match event.form {
            Form::Data | Form::Body => {
                seen.unterminated = event.cut;
                seen.frames.push((event.name, data));
            }
            Form::OpenArray => seen.faults.push("the array that the body is does not end".to_owned()),
            Form::BareJson => seen.strays.push(("json".to_owned(), data)),
            Form::ErrorField => seen.strays.push(("error".to_owned(), data)),
            Form::NameOnly => seen.strays.push(("event".to_owned(), event.name)),
            Form::Unknown => seen.strays.push((event.name, data)),
            Form::Comment => seen.comments.push(data),
        }
    }
    seen
}

/// Reads a response that came in these pieces. Where it was cut matters to some quirks only.
pub fn read(api: Api, setup: &DecodeSetup, quirk: Option<Quirk>, body: &[&[u8]]) -> Turn {
    let switch = Switch(quirk);
    let events = sse::events(body, switch);
    let items = item::items(api, &events, switch);
    let mut turn = if setup.failed() {
        let mut turn = Turn::empty(Stop::Error);
        let text = body.concat();
        turn.errors.push(item::refused_by_status(&events, &String::from_utf8_lossy(&text)));
        turn
    } else {
        match api {
            Api::AnthropicMessages => anthropic::read(setup, &items, switch),
            Api::OpenaiChat | Api::MistralChat => chat::read(api, setup, &items, switch),
            Api::OpenaiResponses => responses::read(setup, &items, switch),
            Api::Gemini => gemini::read(setup, &items, switch),
        }
    };
    names::rename(&mut turn, &setup.names);
    if switch.on(Quirk::TextLostBesideCalls) && !turn.calls.is_empty() {
        turn.text.clear();
    }
    if switch.on(Quirk::DropSignatures) {
        turn.text_signatures.clear();
        turn.thinking.iter_mut().for_each(|thinking| thinking.signature = None);
        turn.calls.iter_mut().for_each(|call| call.thought_signature = None);
    }
    if switch.on(Quirk::SurplusError) {
        turn.errors.push(Problem::new(ProblemKind::ProtocolViolation).message("there was none"));
    }
    turn
}
