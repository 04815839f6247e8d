//! The readers against the examples and the faults of real clients, and every quirk
//! against them.

mod anthropic;
mod chat;
mod faults;
mod gemini;
mod mistral;
mod responses;
mod responses_ends;
mod samples;

use super::{Quirk, frames, read};
use crate::model::{Api, Arguments, Turn};
use crate::providers::DecodeSetup;
use samples::Sample;

/// A turn in one line: the stop, then `id name arguments` of each call, `!kind …` of each error,
/// `?…` of each unfinished call, `"text"`, `~thinking`, `^signature` of text. `#` marks the id of an item. Generated
/// ids are `*`.
fn summary(turn: &Turn, wire: &str) -> String {
    let id = |id: &str| if wire.contains(id) { id.to_owned() } else { "*".to_owned() };
    let mut out = vec![turn.stop.name().to_owned()];
    for call in &turn.calls {
        let arguments = match &call.arguments {
            Arguments::Object(text) => text.as_str().to_owned(),
            Arguments::Freeform(text) => format!("<{text}>"),
        };
        let part = |mark, text: &Option<String>| text.as_ref().map(|text| format!(" {mark}{text}")).unwrap_or_default();
        let (item, signature) = (part('#', &call.item_id), part('^', &call.thought_signature));
        out.push(format!("{} {} {arguments}{item}{signature}", id(&call.id), call.name));
    }
    for problem in &turn.errors {
        let raw = problem.raw.as_ref().map(|raw| format!("<{raw}>"));
        let parts = [problem.id.as_deref().map(id), problem.name.clone(), problem.error_type.clone()];
        let parts = parts.into_iter().chain([problem.reason.clone(), raw]).flatten();
        let parts = parts.fold(String::new(), |all, part| all + " " + &part);
        out.push(format!("!{}{parts}", problem.kind.name()));
    }
    for call in &turn.incomplete {
        let [id, name] = [&call.id, &call.name].map(|part| part.as_deref().unwrap_or("-"));
        out.push(format!("?{id} {name} {}", call.arguments_text));
    }
    for call in &turn.server_calls {
        let arguments = call.arguments.as_ref().map_or("-", |text| text.as_str());
        out.push(format!("@{} {} {arguments}", call.kind, call.name));
    }
    if !turn.text.is_empty() {
        out.push(format!("{:?}", turn.text));
    }
    for thought in &turn.thinking {
        let part = |mark, text: &Option<String>| text.as_ref().map(|text| format!(" {mark}{text}")).unwrap_or_default();
        let (signature, encrypted) = (part('^', &thought.signature), part('%', &thought.encrypted));
        out.push(format!("~{}{}{signature}{encrypted}", thought.text, part('#', &thought.item_id)));
    }
    out.extend(turn.text_signatures.iter().map(|signature| format!("^{signature}")));
    if let Some(usage) = turn.usage {
        let counts = usage.counters().map(|(_, count)| count.map_or("-".to_owned(), |count| count.to_string()));
        out.push(format!("u{}", counts.join("/")));
    }
    out.extend(turn.choices.iter().map(|choice| format!("[{}]", summary(choice, wire))));
    out.join(" | ")
}

fn check(samples: &[Sample]) {
    let mut wrong = Vec::new();
    for sample in samples {
        let wire = String::from_utf8_lossy(&sample.body);
        let whole = read(sample.api, &sample.setup, None, &[&sample.body]);
        let found = summary(&whole, &wire);
        if found != sample.want {
            wrong.push(format!("{}:\n{wire}\nfound {found}\nwant  {}", sample.name, sample.want));
        }
        let single: Vec<&[u8]> = sample.body.chunks(1).collect();
        assert_eq!(read(sample.api, &sample.setup, None, &single), whole, "{}: byte by byte", sample.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The examples of all APIs.
fn samples() -> Vec<Sample> {
    let lists = [
        chat::samples(),
        anthropic::samples(),
        responses::samples(),
        responses_ends::samples(),
        gemini::samples(),
        mistral::samples(),
    ];
    lists.into_iter().flatten().collect()
}

#[test]
fn worked_examples_are_read_right() {
    check(&samples());
}

/// A quirk that changes nothing proves nothing.
#[test]
fn every_quirk_changes_a_turn_of_each_of_its_apis() {
    let samples = samples();
    let mut blind = Vec::new();
    for (quirk, api) in Quirk::ALL.iter().flat_map(|quirk| quirk.apis().iter().map(move |api| (*quirk, *api))) {
        let seen = samples.iter().filter(|sample| sample.api == api).any(|sample| {
            let pieces: [Vec<&[u8]>; 2] = [vec![&sample.body], sample.body.chunks(1).collect()];
            pieces
                .iter()
                .any(|pieces| read(api, &sample.setup, Some(quirk), pieces) != read(api, &sample.setup, None, pieces))
        });
        if !seen {
            blind.push(format!("{} on {api}", quirk.name()));
        }
    }
    assert!(blind.is_empty(), "no sample shows {blind:?}");
}

/// A mutant that is cut otherwise than the quirk looks for is no mutant: quirks of framing by
/// pieces leave a response in one piece alone.
#[test]
fn quirks_of_cuts_need_cuts() {
    for sample in samples() {
        for quirk in [Quirk::CrlfNotJoined, Quirk::DecodeUtf8PerChunk, Quirk::ArrayParsedPerChunk] {
            let whole = |quirk| read(sample.api, &sample.setup, quirk, &[&sample.body]);
            if std::str::from_utf8(&sample.body).is_ok() {
                assert_eq!(whole(Some(quirk)), whole(None), "{}", sample.name);
            }
        }
    }
}

/// Bodies that are JSON have frames too (decisions 56 and 57).
#[test]
fn values_of_a_body_are_frames() {
    let seen = |body: &str| {
        let seen = frames(None, &[body.as_bytes()]);
        let data: Vec<String> = seen.frames.into_iter().map(|(name, data)| name + &data).collect();
        (data.join(" | "), seen.unterminated, seen.faults)
    };
    let open = vec!["the array that the body is does not end".to_owned()];
    assert_eq!(seen("{\"a\":1}"), ("{\"a\":1}".to_owned(), false, vec![]));
    assert_eq!(seen("{\"a\":1}\n{\"b\""), ("{\"a\":1} | {\"b\"".to_owned(), true, vec![]));
    assert_eq!(seen("[{},\n{}]"), ("{} | {}".to_owned(), false, vec![]));
    assert_eq!(seen("[{},{}"), ("{} | {}".to_owned(), false, open.clone()));
    assert_eq!(seen("[{},{"), ("{} | {".to_owned(), true, open));
}

#[test]
fn quirks_are_named_once() {
    let mut names: Vec<&str> = Quirk::ALL.iter().map(|quirk| quirk.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Quirk::ALL.len());
    for quirk in Quirk::ALL {
        assert!(quirk.says().ends_with('.') && !quirk.apis().is_empty(), "{}", quirk.name());
    }
}

#[test]
fn no_bytes_and_no_quirk_make_a_reader_panic() {
    let samples = samples();
    for sample in samples.iter().filter(|sample| sample.body.len() < 4_000) {
        // Every beginning of the bytes, with every API and quirk in turn.
        for (at, quirk) in (0..sample.body.len()).zip(Quirk::ALL.iter().cycle()) {
            let (start, _) = sample.body.split_at(at);
            for api in Api::ALL.iter().filter(|api| **api == sample.api || at % 37 == 0) {
                let setup = DecodeSetup { status: Some(if at % 5 == 0 { 500 } else { 200 }), ..DecodeSetup::default() };
                read(*api, &setup, Some(*quirk), &[start]);
                read(*api, &setup, None, &[start]);
            }
        }
    }
}
