//! Bytes of a response to a turn, for any API.
//!
//! The part that all APIs share: framing, parsing each event once, `[DONE]`, strays, faults, error
//! statuses.

use super::error_body;
use super::notes::Notes;
use super::protocol::{Context, Ended, Event, Protocol, protocol, rules};
use super::setup::DecodeSetup;
use crate::framing::{FaultKind, Frame, Framer, Framing, Limits, Piece, Stray};
use crate::json::Tape;
use crate::model::{Api, Problem, ProblemKind, Step, Stop, Turn};

/// How much of an unreadable text is kept in an error.
const RAW_LIMIT: usize = 1000;

/// Reads one response of a provider.
///
/// Push state machine: give it the bytes as they come, cut anywhere, then [`finish`](Self::finish).
pub struct Decoder {
    framer: Framer,
    tape: Tape,
    reader: Reader,
    /// The beginning of an answer with an error status.
    failed_body: Vec<u8>,
}

struct Reader {
    setup: DecodeSetup,
    protocol: Box<dyn Protocol>,
    notes: Notes,
    ended: Ended,
}

impl Decoder {
    /// A decoder for one response.
    pub fn new(api: Api, setup: DecodeSetup) -> Self {
        Self {
            framer: Framer::new(Framing::Auto, Limits::DEFAULT),
            tape: Tape::new(),
            reader: Reader { setup, protocol: protocol(api), notes: Notes::new(rules(api)), ended: Ended::default() },
            failed_body: Vec::new(),
        }
    }

    /// Takes the next bytes; what they changed is lent to `steps`.
    pub fn push(&mut self, bytes: &[u8], steps: &mut dyn FnMut(Step<'_>)) {
        let Self { framer, tape, reader, failed_body } = self;
        if reader.setup.failed() {
            let room = Limits::DEFAULT.body.saturating_sub(failed_body.len());
            failed_body.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
            return;
        }
        framer.push(bytes, &mut |piece| reader.piece(piece, tape, steps));
    }

    /// Ends the response. How the connection ended makes no difference: what counts is what the provider
    /// had said by then.
    pub fn finish(self, steps: &mut dyn FnMut(Step<'_>)) -> Turn {
        let Self { mut framer, mut tape, mut reader, failed_body } = self;
        if let Some(status) = reader.setup.status
            && reader.setup.failed()
        {
            return failed_turn(status, &failed_body);
        }
        framer.finish(&mut |piece| reader.piece(piece, &mut tape, steps));
        let Reader { setup, protocol, mut notes, ended } = reader;
        let mut turn = protocol.finish(ended, &mut Context { setup: &setup, notes: &mut notes, steps });
        turn.diagnostics = notes.take();
        turn
    }
}

/// Decodes a response that is already in memory.
pub fn decode(api: Api, setup: DecodeSetup, bytes: &[u8]) -> Turn {
    let mut decoder = Decoder::new(api, setup);
    decoder.push(bytes, &mut |_| {});
    decoder.finish(&mut |_| {})
}

impl Reader {
    fn piece(&mut self, piece: Piece<'_>, tape: &mut Tape, steps: &mut dyn FnMut(Step<'_>)) {
        match piece {
            Piece::Comment(_) => {}
            Piece::Frame(frame) => self.frame(&frame, tape, steps),
            Piece::Stray(stray) => self.stray(&stray, tape, steps),
            // After `[DONE]` nothing is missed.
            Piece::Fault(fault) if fault.kind == FaultKind::OpenArray => self.ended.open_array = !self.ended.done,
            Piece::Fault(fault) => {
                let problem = Problem::new(ProblemKind::UnparsableEvent).message(fault.to_string());
                self.failed(problem, steps);
            }
        }
    }

    fn failed(&mut self, problem: Problem, steps: &mut dyn FnMut(Step<'_>)) {
        let mut cx = Context { setup: &self.setup, notes: &mut self.notes, steps };
        self.protocol.failed(problem, &mut cx);
    }

    fn frame(&mut self, frame: &Frame<'_>, tape: &mut Tape, steps: &mut dyn FnMut(Step<'_>)) {
        // The sentinel is a payload that starts with `[DONE]` (openai-python `_streaming.py`).
        if frame.data.starts_with(b"[DONE]") {
            self.ended.done = true;
            let mut cx = Context { setup: &self.setup, notes: &mut self.notes, steps };
            return self.protocol.done(&mut cx);
        }
        if frame.data.trim_ascii().is_empty() {
            return;
        }
        // What the end of the bytes cut off is no fault of what is there.
        let (value, cut) = match std::str::from_utf8(frame.data) {
            Err(error) => (Err(format!("invalid UTF-8 at byte {}", error.valid_up_to())), error.error_len().is_none()),
            Ok(text) => match tape.parse(text) {
                Ok(value) => (Ok(value), false),
                Err(error) => (Err(error.to_string()), error.is_eof()),
            },
        };
        match value {
            Ok(value) => {
                let mut cx = Context { setup: &self.setup, notes: &mut self.notes, steps };
                self.protocol.event(Event { name: frame.event, value }, &mut cx);
            }
            Err(_) if cut && !frame.terminated => self.ended.cut = true,
            Err(_) if self.protocol.ignores(frame.event) => {}
            Err(_) if frame.event == "error" => {
                let message = String::from_utf8_lossy(frame.data).into_owned();
                self.failed(Problem::new(ProblemKind::ProviderError).message(message), steps);
            }
            Err(why) => {
                let at = frame.span.start;
                let message = format!("event {} at byte {at} (line {}): {why}", frame.number, frame.line);
                let problem = Problem::new(ProblemKind::UnparsableEvent).raw(excerpt(frame.data)).message(message);
                self.failed(problem, steps);
            }
        }
    }

    fn stray(&mut self, stray: &Stray<'_>, tape: &mut Tape, steps: &mut dyn FnMut(Step<'_>)) {
        let text = std::str::from_utf8(stray.value).ok();
        let value = text.and_then(|text| tape.parse(text).ok());
        match stray.field {
            // A failure reported as an SSE field (ggml-org/llama.cpp#16109, GPUStack).
            "error" => {
                let problem = match value {
                    Some(value) => error_body::read(value),
                    None => Problem::new(ProblemKind::ProviderError).message(excerpt(stray.value)),
                };
                self.failed(problem, steps);
            }
            "event" if stray.value == b"error" => {
                self.failed(Problem::new(ProblemKind::ProviderError).message("an error event without data"), steps);
            }
            "json" => {
                if let Some(value) = value {
                    let mut cx = Context { setup: &self.setup, notes: &mut self.notes, steps };
                    self.protocol.event(Event { name: "", value }, &mut cx);
                } else {
                    let problem = Problem::new(ProblemKind::UnparsableEvent)
                        .raw(excerpt(stray.value))
                        .message(format!("bare text at byte {} (line {}) is not JSON", stray.span.start, stray.line));
                    self.failed(problem, steps);
                }
            }
            _ => {}
        }
    }
}

/// The turn of an answer with an error status.
fn failed_turn(status: u16, body: &[u8]) -> Turn {
    let mut problem = error_of(body).unwrap_or_else(|| match body.trim_ascii() {
        b"" => Problem::new(ProblemKind::HttpStatus),
        _ => Problem::new(ProblemKind::HttpStatus).raw(excerpt(body)),
    });
    problem.kind = ProblemKind::HttpStatus;
    problem.message.get_or_insert_with(|| format!("HTTP {status}"));
    let mut turn = Turn::empty(Stop::Error);
    turn.errors.push(problem);
    turn
}

/// The error in a body that is JSON or an array around it, or in a stream whose first JSON event is one.
fn error_of(body: &[u8]) -> Option<Problem> {
    let mut framer = Framer::new(Framing::Auto, Limits::DEFAULT);
    let mut tape = Tape::new();
    let mut found = None;
    let mut look = |piece: Piece<'_>| {
        if let (None, Piece::Frame(frame)) = (&found, piece) {
            let value = std::str::from_utf8(frame.data).ok().and_then(|text| tape.parse(text).ok());
            found = value.map(error_body::read);
        }
    };
    framer.push(body, &mut look);
    framer.finish(&mut look);
    found
}

fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(RAW_LIMIT).collect()
}
