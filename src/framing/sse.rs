//! Server-sent events (WHATWG HTML, 9.2.6), read as real servers write them.
//!
//! An event that lies whole in a chunk is lent from it; only what crosses a chunk's end is copied.
//! Beyond the standard: unknown fields and bare JSON are handed on as strays, since servers report
//! failures that way, and the last event counts without its blank line.

use memchr::{memchr, memchr2};

use super::frame::{Fault, FaultKind, Frame, Piece, Span, Stray};
use super::limits::Limits;

const BOM: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
pub(super) struct Sse {
    limits: Limits,
    /// The beginning of a line whose end has not come yet.
    carry: Vec<u8>,
    /// The last chunk ended in CR: a LF that comes next belongs to it.
    skip_lf: bool,
    /// The line being read is over the limit and is being skipped.
    skip_line: bool,
    /// Offset of the next byte that `push` will see.
    offset: u64,
    /// Offset at which the current line begins.
    line_start: u64,
    /// Number of the current line, from 1.
    line: u64,
    /// Frames handed on.
    frames: u32,
    pending: Pending,
    json: BareJson,
}

/// The event being read, as far as it had to be copied.
#[expect(clippy::struct_excessive_bools, reason = "four facts about one event, each on its own")]
#[derive(Debug, Default)]
struct Pending {
    event: String,
    data: Vec<u8>,
    /// A field has been seen.
    open: bool,
    has_event: bool,
    has_data: bool,
    /// Over a limit: dropped at its end.
    dropped: bool,
    start: u64,
    line: u64,
}

/// Lines of JSON outside any field.
#[derive(Debug, Default)]
struct BareJson {
    text: Vec<u8>,
    start: u64,
    line: u64,
}

impl Sse {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            carry: Vec::new(),
            skip_lf: false,
            skip_line: false,
            offset: 0,
            line_start: 0,
            line: 1,
            frames: 0,
            pending: Pending::default(),
            json: BareJson::default(),
        }
    }

    pub(super) fn push(&mut self, chunk: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        let mut rest = chunk;
        if self.skip_lf && !rest.is_empty() {
            self.skip_lf = false;
            if let Some(after) = rest.strip_prefix(b"\n") {
                self.offset += 1;
                self.line_start = self.offset;
                rest = after;
            }
        }
        // A single data line of the pending event, lent from this chunk.
        let mut lent: Option<&[u8]> = None;
        while let Some(at) = memchr2(b'\n', b'\r', rest) {
            let (Some(line), Some(&end)) = (rest.get(..at), rest.get(at)) else { break };
            let mut next = at + 1;
            if end == b'\r' {
                match rest.get(next) {
                    Some(b'\n') => next += 1,
                    Some(_) => {}
                    None => self.skip_lf = true,
                }
            }
            rest = rest.get(next..).unwrap_or(&[]);
            self.offset += next as u64;
            if self.carry.is_empty() && !self.skip_line {
                self.take_line(line, &mut lent, sink);
            } else {
                self.extend_carry(line, sink);
                let carry = std::mem::take(&mut self.carry);
                if !std::mem::take(&mut self.skip_line) {
                    // The carried line does not live in this chunk: its data is copied.
                    let mut owned = None;
                    self.settle(&mut lent);
                    self.take_line(&carry, &mut owned, sink);
                    self.settle(&mut owned);
                }
                self.carry = carry;
                self.carry.clear();
            }
            self.line += 1;
            self.line_start = self.offset;
        }
        self.offset += rest.len() as u64;
        if !rest.is_empty() {
            self.extend_carry(rest, sink);
        }
        self.settle(&mut lent);
    }

    pub(super) fn finish(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        let carry = std::mem::take(&mut self.carry);
        let mut lent = None;
        if !carry.is_empty() && !self.skip_line {
            self.take_line(&carry, &mut lent, sink);
        }
        self.line_start = self.offset;
        self.end_json(sink);
        self.dispatch(lent, false, sink);
    }

    /// Copies a lent line into the pending event, before the bytes it stands in go away.
    fn settle(&mut self, lent: &mut Option<&[u8]>) {
        if let Some(data) = lent.take() {
            self.pending.data.extend_from_slice(data);
        }
    }

    fn extend_carry(&mut self, part: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        if self.skip_line {
            return;
        }
        if self.carry.len() + part.len() > self.limits.line {
            self.carry = Vec::new();
            self.skip_line = true;
            self.line_too_long(sink);
        } else {
            self.carry.extend_from_slice(part);
        }
    }

    fn line_too_long(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        self.open();
        self.pending.dropped = true;
        sink(fault(FaultKind::LineTooLong(self.limits.line), self.line_start, self.limits.line));
    }

    /// Reads one line without its end. `lent` is the data line of the pending event that was
    /// lent from the same bytes as `line`.
    fn take_line<'a>(&mut self, line: &'a [u8], lent: &mut Option<&'a [u8]>, sink: &mut impl FnMut(Piece<'_>)) {
        let line = if self.line == 1 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        if line.len() > self.limits.line {
            return self.line_too_long(sink);
        }
        if line.is_empty() {
            self.end_json(sink);
            return self.dispatch(lent.take(), true, sink);
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            self.end_json(sink);
            return self.data(data.strip_prefix(b" ").unwrap_or(data), lent, sink);
        }
        if line.starts_with(b"{") || line.starts_with(b"[") || (!self.json.text.is_empty() && !is_field(line)) {
            return self.bare_json(line, sink);
        }
        self.end_json(sink);
        if let Some(name) = line.strip_prefix(b"event:") {
            return self.event(name.strip_prefix(b" ").unwrap_or(name));
        }
        let (field, value) = match memchr(b':', line) {
            Some(0) => return sink(Piece::Comment(line.get(1..).unwrap_or(&[]))),
            Some(at) => {
                let value = line.get(at + 1..).unwrap_or(&[]);
                (line.get(..at).unwrap_or(line), value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match field {
            b"data" => self.data(value, lent, sink),
            b"event" => self.event(value),
            b"id" | b"retry" => {}
            _ => {
                let field = std::str::from_utf8(field).unwrap_or("\u{fffd}");
                let span = Span { start: self.line_start, end: self.line_start + line.len() as u64 };
                sink(Piece::Stray(Stray { span, line: self.line, field, value }));
            }
        }
    }

    fn event(&mut self, value: &[u8]) {
        self.open();
        self.pending.has_event = true;
        // Most events have the name of the one before, which is kept for that.
        if self.pending.event.as_bytes() != value {
            self.pending.event.clear();
            // A name that is not UTF-8 is no name that any provider uses.
            self.pending.event.push_str(std::str::from_utf8(value).unwrap_or("\u{fffd}"));
        }
    }

    fn open(&mut self) {
        if !self.pending.open {
            self.pending.open = true;
            self.pending.start = self.line_start;
            self.pending.line = self.line;
        }
    }

    fn data<'a>(&mut self, data: &'a [u8], lent: &mut Option<&'a [u8]>, sink: &mut impl FnMut(Piece<'_>)) {
        self.open();
        if !self.pending.has_data {
            self.pending.has_data = true;
            *lent = Some(data);
            return;
        }
        self.settle(lent);
        if self.pending.dropped {
            return;
        }
        if self.pending.data.len() + data.len() >= self.limits.event {
            self.pending.dropped = true;
            return sink(fault(FaultKind::EventTooLong(self.limits.event), self.pending.start, self.limits.event));
        }
        self.pending.data.push(b'\n');
        self.pending.data.extend_from_slice(data);
    }

    /// Ends the pending event; `lent` is its only data line if that was not copied.
    fn dispatch(&mut self, lent: Option<&[u8]>, terminated: bool, sink: &mut impl FnMut(Piece<'_>)) {
        if !self.pending.open {
            return;
        }
        let pending = &self.pending;
        let span = Span { start: pending.start, end: self.line_start };
        let data = lent.unwrap_or(&pending.data);
        if pending.dropped {
        } else if !data.is_empty() {
            let (number, line) = (self.frames, pending.line);
            let event = if pending.has_event { &*pending.event } else { "" };
            sink(Piece::Frame(Frame { number, span, line, event, data, terminated }));
            self.frames += 1;
        } else if pending.has_event && !pending.has_data {
            let value = pending.event.as_bytes();
            sink(Piece::Stray(Stray { span, line: pending.line, field: "event", value }));
        }
        let pending = &mut self.pending;
        pending.data.clear();
        (pending.open, pending.has_event, pending.has_data, pending.dropped) = (false, false, false, false);
    }

    fn bare_json(&mut self, line: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        if self.json.text.is_empty() {
            self.json.start = self.line_start;
            self.json.line = self.line;
        } else {
            self.json.text.push(b'\n');
        }
        if self.json.text.len() + line.len() > self.limits.event {
            self.json.text = Vec::new();
            sink(fault(FaultKind::EventTooLong(self.limits.event), self.json.start, self.limits.event));
        } else {
            self.json.text.extend_from_slice(line);
        }
    }

    fn end_json(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        if self.json.text.is_empty() {
            return;
        }
        let span = Span { start: self.json.start, end: self.line_start };
        sink(Piece::Stray(Stray { span, line: self.json.line, field: "json", value: &self.json.text }));
        self.json.text.clear();
    }
}

/// What is over a limit, from where it begins to where the limit lies.
fn fault(kind: FaultKind, start: u64, limit: usize) -> Piece<'static> {
    Piece::Fault(Fault { kind, span: Span { start, end: start + limit as u64 } })
}

/// True for a line that can only be a comment or one of the known fields, and so ends bare JSON.
fn is_field(line: &[u8]) -> bool {
    [&b":"[..], b"data:", b"event:", b"id:", b"retry:"].iter().any(|field| line.starts_with(field))
}

#[cfg(test)]
mod tests {
    use super::super::{Framer, Framing, Limits, Piece};

    /// Every piece, spelled out, for a stream given in chunks.
    fn pieces(chunks: &[&[u8]], limits: Limits) -> Vec<String> {
        let mut framer = Framer::new(Framing::Sse, limits);
        let mut out = Vec::new();
        let mut sink = |piece: Piece<'_>| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            out.push(match piece {
                Piece::Frame(f) => format!(
                    "{}@{}-{} line {} {}|{}{}",
                    f.number,
                    f.span.start,
                    f.span.end,
                    f.line,
                    f.event,
                    text(f.data),
                    if f.terminated { "" } else { " (cut)" }
                ),
                Piece::Comment(c) => format!("comment{}", text(c)),
                Piece::Stray(s) => format!("stray@{}-{} {}={}", s.span.start, s.span.end, s.field, text(s.value)),
                Piece::Fault(f) => f.to_string(),
            });
        };
        for chunk in chunks {
            framer.push(chunk, &mut sink);
        }
        framer.finish(&mut sink);
        out
    }

    fn check(stream: &str, want: &[&str]) {
        let bytes = stream.as_bytes();
        assert_eq!(pieces(&[bytes], Limits::DEFAULT), want, "whole: {stream:?}");
        for at in 0..=bytes.len() {
            let (a, b) = bytes.split_at(at);
            assert_eq!(pieces(&[a, b], Limits::DEFAULT), want, "cut at {at}: {stream:?}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(pieces(&single, Limits::DEFAULT), want, "byte by byte: {stream:?}");
    }

    #[test]
    fn events_end_at_a_blank_line_of_any_kind() {
        check("data: a\n\ndata:b\n\n", &["0@0-8 line 1 |a", "1@9-16 line 3 |b"]);
        check("data: a\r\rdata:b\r\r", &["0@0-8 line 1 |a", "1@9-16 line 3 |b"]);
        check("event: x\r\ndata: a\r\n\r\n", &["0@0-19 line 1 x|a"]);
        check(
            "data: a\n\r\ndata: b\r\n\ndata: c\r\n\r",
            &["0@0-8 line 1 |a", "1@10-19 line 3 |b", "2@20-29 line 5 |c"],
        );
    }

    #[test]
    fn fields_are_read_as_the_standard_says() {
        check("\u{feff}data:  a\n\n", &["0@0-12 line 1 | a"]);
        check("data: a\nevent: late\ndata\ndata: b\n\n", &["0@0-33 line 1 late|a\n\nb"]);
        check(":c\n: d\n\n:\n", &["commentc", "comment d", "comment"]);
        check("id: 1\nretry: 5\n\ndata:\n\n", &[]);
        check("event: ping\n\ndata: a\n\n", &["stray@0-12 event=ping", "0@13-21 line 3 |a"]);
        check("data: a\u{2028}b\u{85}c\n\n", &["0@0-15 line 1 |a\u{2028}b\u{85}c"]);
    }

    #[test]
    fn what_is_outside_the_grammar_is_handed_on() {
        check("error: {\"a\":1}\n data: x\n", &["stray@0-14 error={\"a\":1}", "stray@15-23  data=x"]);
        check("data: a\n\n{\"error\":\n \"x\"}\n", &["0@0-8 line 1 |a", "stray@9-25 json={\"error\":\n \"x\"}"]);
        check("{\"a\":1}\ndata: b\n\n", &["stray@0-8 json={\"a\":1}", "0@8-16 line 2 |b"]);
    }

    #[test]
    fn the_last_event_counts_without_its_blank_line() {
        check("data: a", &["0@0-7 line 1 |a (cut)"]);
        check("data: a\n", &["0@0-8 line 1 |a (cut)"]);
        check("data: a\r", &["0@0-8 line 1 |a (cut)"]);
    }

    #[test]
    fn limits_drop_the_event_and_reading_goes_on() {
        let limits = Limits { line: 8, event: 8, body: 8 };
        let stream = b"data: aaaaaaaaa\n\ndata: b\n\ndata: 12\ndata: 34\ndata: 56\ndata: 78\n\ndata: c\n\n";
        let want = [
            "line at byte 0 is longer than 8 bytes",
            "0@17-25 line 3 |b",
            "event at byte 26 is longer than 8 bytes",
            "1@63-71 line 10 |c",
        ];
        assert_eq!(pieces(&[stream], limits), want);
        let single: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(pieces(&single, limits), want);
    }
}
