//! Our own adapters, in process.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::stimulus::{Stimulus, StimulusTurn, Target};
use crate::corpus::Subject;
use crate::framing::{Framer, Framing, Limits, Piece};
use crate::json::JsonText;
use crate::model::{ApiName, Request};
use crate::observe::{Ended, Seen, SeenFrames, Sent, SentRequest};
use crate::providers::{DecodeSetup, Decoder, Encoded, Refused, encode, wire_names};

/// The embedded default target.
#[derive(Debug, Clone, Copy, Default)]
pub struct Builtin;

impl Target for Builtin {
    fn name(&self) -> &'static str {
        "builtin"
    }

    fn run(&self, stimulus: &Stimulus<'_>) -> Ended {
        let turn = |(number, turn): (u32, &StimulusTurn<'_>)| match stimulus.subject {
            Subject::Framing => Seen::Frames(frames(&turn.pieces)),
            Subject::Api(api) => {
                let setup = DecodeSetup { turn: number, status: Some(turn.status), ..stimulus.setup.clone() };
                let mut decoder = Decoder::new(api, setup);
                for piece in &turn.pieces {
                    decoder.push(piece, &mut |_| {});
                }
                Seen::Turn(Box::new(decoder.finish(&mut |_| {})))
            }
        };
        let read = || (0u32..).zip(&stimulus.turns).map(turn).collect();
        match catch_unwind(AssertUnwindSafe(read)) {
            Ok(seen) => Ended::Observed(seen),
            Err(panic) => Ended::Crash(panic_message(&*panic)),
        }
    }

    fn names(&self, api: &ApiName, request: &JsonText) -> Vec<(String, String)> {
        names_sent(api, request)
    }

    fn encode(&self, api: &ApiName, request: &JsonText) -> Sent {
        match catch_unwind(AssertUnwindSafe(|| encoded(api, request))) {
            Ok(sent) => sent,
            Err(panic) => Sent::Crash(panic_message(&*panic)),
        }
    }

    fn sorts_tools(&self) -> bool {
        true
    }
}

/// The request by our own encoder.
fn encoded(api: &ApiName, request: &JsonText) -> Sent {
    match read_request(api, request) {
        Ok(request) => sent(encode(api.api, &request)),
        Err(refused) => refused,
    }
}

/// The neutral request in the dialect of the case, unless it names one itself.
pub(super) fn read_request(api: &ApiName, request: &JsonText) -> Result<Request, Sent> {
    let mut request = Request::read(request.doc().root())
        .map_err(|error| Sent::Refused { kind: "unreadable".to_owned(), message: error.to_string() })?;
    if request.options.dialect.is_none() {
        request.options.dialect.clone_from(&api.dialect);
    }
    Ok(request)
}

/// What an encoder gave, as an observation.
pub(super) fn sent(encoded: Result<Encoded, Refused>) -> Sent {
    match encoded {
        Err(refused) => Sent::Refused { kind: refused.kind.name().to_owned(), message: refused.message },
        Ok(encoded) => {
            let diagnostics = encoded.diagnostics_json();
            let headers = encoded.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let request = SentRequest {
                method: encoded.method.to_owned(),
                path: encoded.path,
                headers,
                body: encoded.body.into_bytes(),
            };
            Sent::Request { request, diagnostics: Some(diagnostics) }
        }
    }
}

/// The names that our own encoder changes. A panic of it is for the judgement of the request to tell.
pub(super) fn names_sent(api: &ApiName, request: &JsonText) -> Vec<(String, String)> {
    catch_unwind(AssertUnwindSafe(|| wire_names(api, request.doc().root()))).unwrap_or_default()
}

/// What a panic said.
pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

/// The frames of a response.
fn frames(pieces: &[&[u8]]) -> SeenFrames {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut seen = SeenFrames::default();
    let mut framer = Framer::new(Framing::Auto, Limits::DEFAULT);
    let mut sink = |piece: Piece<'_>| match piece {
        Piece::Frame(frame) => {
            seen.frames.push((frame.event.to_owned(), text(frame.data)));
            seen.unterminated = !frame.terminated;
        }
        Piece::Comment(comment) => seen.comments.push(text(comment)),
        Piece::Stray(stray) => seen.strays.push((stray.field.to_owned(), text(stray.value))),
        Piece::Fault(fault) => seen.faults.push(fault.to_string()),
    };
    for piece in pieces {
        framer.push(piece, &mut sink);
    }
    framer.finish(&mut sink);
    seen
}
