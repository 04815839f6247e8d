//! Bytes to events, over the whole response at once.
//!
//! Lines first, then events: what a server-sent event stream is (WHATWG HTML, 9.2.6) with the
//! tolerances of `docs/decisions.md`, 1 to 7.

use super::json_body;
use super::quirk::{Quirk, Switch};

/// What an event is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Data lines.
    Data,
    /// A value of a body that is JSON (decision 56).
    Body,
    /// The array that a body is does not end (decision 57); always the last.
    OpenArray,
    /// JSON outside any field.
    BareJson,
    /// A field named `error` (ggml-org/llama.cpp#16109).
    ErrorField,
    /// An event name without data.
    NameOnly,
    /// A comment, its text in the data.
    Comment,
    /// A field that nobody knows, its name in `name`.
    Unknown,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) form: Form,
    /// The event name; empty if there is none.
    pub(super) name: String,
    /// The data; not UTF-8 only if the server's bytes are not.
    pub(super) data: Vec<u8>,
    /// The bytes ended before the event did.
    pub(super) cut: bool,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads a response that came in pieces: a stream, or a body that is JSON.
pub(super) fn events(body: &[&[u8]], switch: Switch) -> Vec<Event> {
    let per_piece = |piece: &&[u8]| String::from_utf8_lossy(piece).into_owned().into_bytes();
    let bytes =
        if switch.on(Quirk::DecodeUtf8PerChunk) { body.iter().flat_map(per_piece).collect() } else { body.concat() };
    let text = match bytes.strip_prefix(BOM) {
        Some(rest) if !switch.on(Quirk::BomKept) => rest,
        _ => &bytes,
    };
    if matches!(text.trim_ascii_start().first(), Some(b'[' | b'{')) {
        let events = json_body::events(text);
        let of_reads = switch.on(Quirk::ArrayParsedPerChunk) && text.trim_ascii_start().starts_with(b"[");
        return if of_reads { json_body::events_of_reads(body, events) } else { events };
    }
    let mut lines = if switch.on(Quirk::SplitOnDoubleLfOnly) {
        lines_of_blocks(text)
    } else {
        let glued = !switch.on(Quirk::CrlfNotJoined);
        lines(text, &if glued { Vec::new() } else { cuts(body, bytes.len() - text.len()) })
    };
    if switch.on(Quirk::HugeLinesCut) {
        lines.retain(|line| line.len() <= 64 << 10);
    }
    events_of(&lines, switch)
}

/// Where the pieces begin, counted from after the byte order mark.
fn cuts(body: &[&[u8]], skipped: usize) -> Vec<usize> {
    let mut at = 0;
    body.iter()
        .filter_map(|piece| {
            let start = at;
            at += piece.len();
            start.checked_sub(skipped)
        })
        .collect()
}

/// The lines, each ended by LF, CR or CR LF. A LF that stands at one of the `apart` offsets is not
/// joined to the CR before it.
fn lines(text: &[u8], apart: &[usize]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut after_cr = false;
    for (at, &byte) in text.iter().enumerate() {
        let second_half = after_cr && byte == b'\n' && !apart.contains(&at);
        after_cr = byte == b'\r';
        match byte {
            b'\n' if second_half => {}
            b'\n' | b'\r' => lines.push(std::mem::take(&mut line)),
            _ => line.push(byte),
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The lines as a reader sees them that looks for LF LF alone and keeps the rest in its buffer.
fn lines_of_blocks(text: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let mut blocks: Vec<&str> = text.split("\n\n").collect();
    blocks.pop();
    let lines = |block: &str| block.split('\n').map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>();
    blocks.into_iter().flat_map(|block| lines(block).into_iter().chain([Vec::new()])).collect()
}

/// The fields of the event that is being read.
#[derive(Default)]
struct Pending {
    name: Option<String>,
    data: Vec<Vec<u8>>,
    json: Vec<Vec<u8>>,
}

impl Pending {
    fn end_json(&mut self, cut: bool, events: &mut Vec<Event>) {
        if !self.json.is_empty() {
            let data = std::mem::take(&mut self.json).join(&b'\n');
            events.push(Event { form: Form::BareJson, name: String::new(), data, cut });
        }
    }

    fn end(&mut self, cut: bool, events: &mut Vec<Event>) {
        self.end_json(cut, events);
        let name = self.name.take();
        let lines = std::mem::take(&mut self.data);
        let data = lines.join(&b'\n');
        if !data.is_empty() {
            events.push(Event { form: Form::Data, name: name.unwrap_or_default(), data, cut });
        } else if let (Some(name), true) = (name, lines.is_empty()) {
            events.push(Event { form: Form::NameOnly, name, data: Vec::new(), cut });
        }
    }
}

fn events_of(lines: &[Vec<u8>], switch: Switch) -> Vec<Event> {
    let mut events = Vec::new();
    let mut pending = Pending::default();
    for line in lines {
        if line.is_empty() {
            pending.end(false, &mut events);
            continue;
        }
        let opens_json = line.starts_with(b"{") || line.starts_with(b"[");
        if opens_json || (!pending.json.is_empty() && !is_field(line)) {
            pending.json.push(line.clone());
            continue;
        }
        pending.end_json(false, &mut events);
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => {
                let (field, rest) = line.split_at(colon);
                let value = rest.strip_prefix(b":").unwrap_or(rest);
                (field, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line.as_slice(), &[][..]),
        };
        match field {
            b"" if switch.on(Quirk::CommentsAreData) => pending.end(false, &mut events),
            b"data" if switch.on(Quirk::FirstDataLineOnly) && !pending.data.is_empty() => {}
            b"data" => pending.data.push(value.to_vec()),
            b"" => events.push(Event { form: Form::Comment, name: String::new(), data: after_colon(line), cut: false }),
            b"event" => pending.name = Some(String::from_utf8_lossy(value).into_owned()),
            b"error" => {
                let data = value.to_vec();
                events.push(Event { form: Form::ErrorField, name: String::new(), data, cut: false });
            }
            b"id" | b"retry" => {}
            _ => {
                let name = String::from_utf8_lossy(field).into_owned();
                events.push(Event { form: Form::Unknown, name, data: value.to_vec(), cut: false });
            }
        }
    }
    // The last event counts without its blank line (decision 2).
    if !switch.on(Quirk::LastEventLost) {
        pending.end(true, &mut events);
    }
    if switch.on(Quirk::StraysDropped) {
        events
            .retain(|event| !matches!(event.form, Form::Unknown | Form::ErrorField | Form::BareJson | Form::NameOnly));
    }
    events
}

/// The text of a comment, whose first byte is its colon.
fn after_colon(line: &[u8]) -> Vec<u8> {
    line.get(1..).unwrap_or(&[]).to_vec()
}

/// True for a line that cannot be the continuation of bare JSON.
fn is_field(line: &[u8]) -> bool {
    [&b":"[..], b"data:", b"event:", b"id:", b"retry:"].iter().any(|field| line.starts_with(field))
}

#[cfg(test)]
mod tests {
    use super::super::quirk::Switch;
    use super::{Form, events};

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let show = |event: super::Event| {
            let form = match event.form {
                Form::Data => "",
                Form::Body => "body ",
                Form::OpenArray => "open ",
                Form::BareJson => "json ",
                Form::ErrorField => "error ",
                Form::NameOnly => "name ",
                Form::Comment | Form::Unknown => return None,
            };
            let cut = if event.cut { " cut" } else { "" };
            Some(format!("{form}{}|{}{cut}", event.name, String::from_utf8_lossy(&event.data)))
        };
        events(pieces, Switch(None)).into_iter().filter_map(show).collect()
    }

    #[test]
    fn every_line_end_and_cut_gives_the_same_events() {
        let want = ["x|a", "|b\nc", "name ping|", "|d cut"];
        for end in ["\n", "\r", "\r\n"] {
            let stream =
                "\u{feff}event: x\ndata:a\n\n: no\n:\ndata: b\ndata: c\nid: 7\n\ndata:\n\nevent: ping\n\ndata: d";
            let stream = stream.replace('\n', end);
            for at in 0..=stream.len() {
                let (a, b) = stream.as_bytes().split_at(at);
                assert_eq!(read(&[a, b]), want, "{end:?} cut at {at}");
            }
        }
    }

    #[test]
    fn failures_outside_the_grammar_are_seen() {
        assert_eq!(read(&[b"data: a\nerror: {\"code\":1}\n\n"]), ["error |{\"code\":1}", "|a"]);
        assert_eq!(read(&[b"data: a\n\n{\"error\":\n 1}\ndata: b\n\n"]), ["|a", "json |{\"error\":\n 1}", "|b"]);
        assert_eq!(read(&[b"data: a\n[1]"]), ["json |[1] cut", "|a cut"]);
    }

    #[test]
    fn a_body_of_json_is_a_sequence_of_values() {
        assert_eq!(read(&[b" \n{\"a\":\n\n1}\n{"]), ["body |{\"a\":\n\n1}", "body |{ cut"]);
        assert_eq!(read(&[b"\xef\xbb\xbf[{}"]), ["body |{}", "open | cut"]);
        assert_eq!(read(&[b""]), [""; 0]);
    }
}
