//! Generated responses: the same ones on every machine.

mod anthropic;
mod arguments;
mod chat;
mod gemini;
mod mistral;
mod random;
mod responses;

use std::ops::Range;

use toolwire::model::Api;

use random::Random;

/// Bytes of argument text that one event carries, at most.
pub const FRAGMENT: usize = 12;

/// What the calls of a response look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Two calls of 4 KB each.
    Parallel,
    /// One call of 1 MB.
    Large,
    /// One call with a single string of 1 MB.
    LargeString,
    /// As `LargeString`, of a length just over a power of two: a buffer that doubles is half empty.
    AwkwardString,
    /// One call with 1 MB of small values inside each other.
    LargeNested,
}

impl Shape {
    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parallel => "2 calls of 4 KB",
            Self::Large => "1 call of 1 MB",
            Self::LargeString => "1 string of 1 MB",
            Self::AwkwardString => "1 string over 1 MB",
            Self::LargeNested => "1 MB of small values",
        }
    }

    /// The argument texts of one response.
    fn arguments(self, random: &mut Random) -> Vec<String> {
        match self {
            Self::Parallel => vec![arguments::mixed(4 << 10, random), arguments::mixed(4 << 10, random)],
            Self::Large => vec![arguments::mixed(1 << 20, random)],
            Self::LargeString => vec![arguments::string(1 << 20, random)],
            Self::AwkwardString => vec![arguments::string((1 << 20) + 64, random)],
            Self::LargeNested => vec![arguments::nested(1 << 20, random)],
        }
    }
}

/// Whole responses, one after the other.
#[derive(Debug, Default)]
pub struct Stream {
    bytes: Vec<u8>,
    responses: Vec<(Range<usize>, Vec<String>)>,
    frames: usize,
    payload: usize,
}

impl Stream {
    /// Responses of an API until they have `size` bytes together; at least one.
    pub fn generate(api: Api, shape: Shape, size: usize) -> Self {
        let mut random = Random::new(7);
        let mut stream = Self::default();
        while stream.responses.is_empty() || stream.bytes.len() < size {
            let start = stream.bytes.len();
            let arguments = shape.arguments(&mut random);
            match api {
                Api::AnthropicMessages => anthropic::response(&arguments, &mut random, &mut stream),
                Api::OpenaiChat => chat::response(&arguments, &mut random, &mut stream),
                Api::OpenaiResponses => responses::response(&arguments, &mut random, &mut stream),
                Api::Gemini => gemini::response(&arguments, &mut random, &mut stream),
                Api::MistralChat => mistral::response(&arguments, &mut random, &mut stream),
                other => unreachable!("no stream is generated for {other}"),
            }
            stream.responses.push((start..stream.bytes.len(), arguments));
        }
        stream
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Each response, and the argument texts of its calls.
    pub fn responses(&self) -> impl Iterator<Item = (&[u8], &[String])> {
        self.responses.iter().map(|(range, arguments)| (&self.bytes[range.clone()], arguments.as_slice()))
    }

    /// How many events there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Bytes of data in all events.
    pub fn payload(&self) -> usize {
        self.payload
    }

    /// Adds an event; no `event:` line for an empty name.
    fn event(&mut self, name: &str, data: &str) {
        if !name.is_empty() {
            self.bytes.extend_from_slice(b"event: ");
            self.bytes.extend_from_slice(name.as_bytes());
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(b"data: ");
        self.bytes.extend_from_slice(data.as_bytes());
        self.bytes.extend_from_slice(b"\n\n");
        self.frames += 1;
        self.payload += data.len();
    }
}

/// Some words before the calls.
const WORDS: &[&str] = &["I'll", " look", " that", " up", " and", " tell", " you", ", just", " a", " moment", "."];

/// `text` in pieces of at most [`FRAGMENT`] bytes, whole characters each, as JSON strings.
fn fragments(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = rest.len().min(FRAGMENT);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| serde_json::Value::from(piece).to_string())
    })
}
