//! The one entry: a framer that knows, or finds out, how its bytes are framed.

use super::body::Body;
use super::frame::Piece;
use super::limits::Limits;
use super::sse::Sse;

/// How many blank bytes may stand before a body; more of them are a stream's.
const MAX_BLANK: usize = 1024;

/// How a response is framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// A body that begins with `{` or `[` is JSON; anything else is SSE.
    #[default]
    Auto,
    /// Server-sent events (WHATWG HTML, 9.2).
    Sse,
    /// JSON values: one, several in a row, or the elements of an array.
    Body,
}

#[derive(Debug)]
enum State {
    /// Only white space and a byte order mark so far.
    Undecided(Vec<u8>),
    Sse(Sse),
    Body(Body),
}

/// Turns bytes into [`Piece`]s.
#[derive(Debug)]
pub struct Framer {
    state: State,
    limits: Limits,
}

impl Framer {
    /// A framer for one response.
    pub fn new(framing: Framing, limits: Limits) -> Self {
        let state = match framing {
            Framing::Auto => State::Undecided(Vec::new()),
            Framing::Sse => State::Sse(Sse::new(limits)),
            Framing::Body => State::Body(Body::new(limits)),
        };
        Self { state, limits }
    }

    /// Takes the next bytes; the pieces that they complete are lent to `sink`.
    pub fn push(&mut self, chunk: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        match &mut self.state {
            State::Sse(sse) => sse.push(chunk, sink),
            State::Body(body) => body.push(chunk, sink),
            State::Undecided(held) => {
                let held = std::mem::take(held);
                self.decide(held, chunk, sink);
            }
        }
    }

    /// Chooses by the first byte that is neither white space nor part of a byte order mark.
    fn decide(&mut self, mut held: Vec<u8>, chunk: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        let first = chunk.iter().position(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf));
        // A long run of blank lines is a stream of blank lines, not worth holding.
        let long = held.len() + first.unwrap_or(chunk.len()) >= MAX_BLANK;
        if first.is_none() && !long {
            held.extend_from_slice(chunk);
            self.state = State::Undecided(held);
            return;
        }
        self.state = match first.and_then(|at| chunk.get(at)) {
            Some(b'{' | b'[') if !long => State::Body(Body::new(self.limits)),
            _ => State::Sse(Sse::new(self.limits)),
        };
        self.push(&held, sink);
        self.push(chunk, sink);
    }

    /// Ends the response: what was pending is handed on.
    pub fn finish(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        match &mut self.state {
            State::Undecided(_) => {}
            State::Sse(sse) => sse.finish(sink),
            State::Body(body) => body.finish(sink),
        }
    }
}
