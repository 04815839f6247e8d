//! Bytes to frames, three ways.
//!
//! Each way answers with a number that depends on every line, so that nothing is optimized away.

use std::convert::Infallible;
use std::pin::pin;

use eventsource_stream::EventStream;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use toolwire::framing::{Framer, Framing, Limits, Piece};

use crate::CHUNK;

/// What was framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Framed {
    /// How many events.
    pub frames: usize,
    /// Bytes of their data.
    pub payload: usize,
}

impl Framed {
    fn add(&mut self, data: &[u8]) {
        self.frames += 1;
        self.payload += data.len();
    }
}

/// toolwire's framer.
pub fn toolwire(bytes: &[u8]) -> Framed {
    let mut framer = Framer::new(Framing::Sse, Limits::DEFAULT);
    let mut all = Framed::default();
    let mut sink = |piece: Piece<'_>| {
        if let Piece::Frame(frame) = piece {
            all.add(frame.data);
        }
    };
    for chunk in bytes.chunks(CHUNK) {
        framer.push(chunk, &mut sink);
    }
    framer.finish(&mut sink);
    all
}

/// The least that any framer has to do: find each line end. The sum of their offsets in their chunks.
pub fn line_ends(bytes: &[u8]) -> usize {
    bytes.chunks(CHUNK).flat_map(|chunk| memchr::memchr_iter(b'\n', chunk)).fold(0, usize::wrapping_add)
}

/// The crate that most Rust clients frame with.
pub fn eventsource(bytes: &[u8]) -> Framed {
    let mut events = pin!(EventStream::new(stream::iter(bytes.chunks(CHUNK).map(Ok::<_, Infallible>))));
    let all = async {
        let mut framed = Framed::default();
        while let Some(event) = events.next().await {
            framed.add(event.expect("a generated stream is well formed").data.as_bytes());
        }
        framed
    };
    all.now_or_never().expect("memory is always ready")
}
