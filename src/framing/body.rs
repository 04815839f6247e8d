//! Bodies that are JSON: one value, several in a row (NDJSON), or the elements of an outermost array.
//!
//! A value is handed on as soon as its brackets have closed, lent from the chunk if it lies whole in it. What is
//! inside the brackets is not looked at; that is the parser's work.

use memchr::{memchr2, memchr2_iter};

use super::frame::{Fault, FaultKind, Frame, Piece, Span};
use super::limits::Limits;

const BOM: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
pub(super) struct Body {
    limit: usize,
    place: Place,
    /// What earlier chunks held of the value or text that is being read.
    carry: Vec<u8>,
    brackets: Brackets,
    /// Where that value or text begins.
    start: Position,
    /// Where the next byte stands.
    next: Position,
    /// The last byte was CR: a LF that comes next is the same line end.
    after_cr: bool,
    /// Nothing has come yet.
    first: bool,
    /// Where the outermost array begins, if one is open.
    array: Option<u64>,
    /// Frames handed on.
    frames: u32,
}

/// What is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The first bytes, which may be a byte order mark.
    Start,
    /// What stands between values.
    Between,
    /// A value, from its first bracket on.
    Value,
    /// Text that is no value, to the end of its line.
    Text,
    /// The rest of a body that holds something over the limit.
    GivenUp,
}

#[derive(Debug, Clone, Copy)]
struct Position {
    offset: u64,
    /// Counts from 1.
    line: u64,
}

impl Body {
    pub(super) fn new(limits: Limits) -> Self {
        let begin = Position { offset: 0, line: 1 };
        Self {
            limit: limits.body,
            place: Place::Start,
            carry: Vec::new(),
            brackets: Brackets::default(),
            start: begin,
            next: begin,
            after_cr: false,
            first: true,
            array: None,
            frames: 0,
        }
    }

    pub(super) fn push(&mut self, chunk: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let read = match self.place {
                Place::Start => self.mark(rest),
                Place::Between => self.between(rest),
                Place::Value => {
                    let end = self.brackets.end(rest);
                    self.extend(rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest), end.is_some(), sink)
                }
                Place::Text => {
                    let end = memchr2(b'\n', b'\r', rest);
                    self.extend(rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest), end.is_some(), sink)
                }
                Place::GivenUp => return,
            };
            rest = rest.get(read..).unwrap_or(&[]);
        }
    }

    pub(super) fn finish(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        match self.place {
            Place::GivenUp => return,
            Place::Start | Place::Value | Place::Text if !self.carry.is_empty() => {
                let carry = std::mem::take(&mut self.carry);
                self.hand_on(&carry, false, sink);
            }
            _ => {}
        }
        if let Some(start) = self.array {
            let span = Span { start, end: self.next.offset };
            sink(Piece::Fault(Fault { kind: FaultKind::OpenArray, span }));
        }
    }

    /// Drops a byte order mark; returns how many bytes were read.
    fn mark(&mut self, bytes: &[u8]) -> usize {
        let missing = BOM.get(self.carry.len()..).unwrap_or(&[]);
        let read = bytes.iter().zip(missing).take_while(|(byte, want)| byte == want).count();
        let part = bytes.get(..read).unwrap_or(bytes);
        self.carry.extend_from_slice(part);
        self.pass(part);
        if read == missing.len() {
            self.carry.clear();
            self.place = Place::Between;
        } else if read < bytes.len() {
            // Half a mark is text like any other.
            self.place = if self.carry.is_empty() { Place::Between } else { Place::Text };
        }
        read
    }

    /// Goes to where the next value begins; returns how many bytes were read.
    fn between(&mut self, bytes: &[u8]) -> usize {
        let inside = self.array.is_some();
        let space = |byte: &u8| byte.is_ascii_whitespace() || inside && *byte == b',';
        let at = bytes.iter().position(|byte| !space(byte)).unwrap_or(bytes.len());
        self.pass(bytes.get(..at).unwrap_or(bytes));
        let Some(first) = bytes.get(at..=at) else { return at };
        match first {
            // Only the body itself is taken apart; an array behind another value is a value.
            b"[" if !inside && self.first => self.array = Some(self.next.offset),
            b"]" if inside => {
                self.array = None;
                self.first = false;
            }
            _ => {
                self.start = self.next;
                self.first = false;
                self.place = if matches!(first, b"{" | b"[") { Place::Value } else { Place::Text };
                return at;
            }
        }
        self.pass(first);
        at + 1
    }

    /// Takes the next part of a value or text, the last one if it has its `end`; returns how many bytes were read.
    fn extend(&mut self, part: &[u8], end: bool, sink: &mut impl FnMut(Piece<'_>)) -> usize {
        self.pass(part);
        if self.carry.len() + part.len() > self.limit {
            self.carry = Vec::new();
            self.place = Place::GivenUp;
            let start = self.start.offset;
            let span = Span { start, end: start + self.limit as u64 };
            sink(Piece::Fault(Fault { kind: FaultKind::BodyTooLong(self.limit), span }));
        } else if !end {
            self.carry.extend_from_slice(part);
        } else if self.carry.is_empty() {
            self.hand_on(part, true, sink);
        } else {
            self.carry.extend_from_slice(part);
            let mut carry = std::mem::take(&mut self.carry);
            self.hand_on(&carry, true, sink);
            carry.clear();
            self.carry = carry;
        }
        part.len()
    }

    fn hand_on(&mut self, data: &[u8], terminated: bool, sink: &mut impl FnMut(Piece<'_>)) {
        let data = data.trim_ascii_end();
        let Position { offset, line } = self.start;
        let span = Span { start: offset, end: offset + data.len() as u64 };
        sink(Piece::Frame(Frame { number: self.frames, span, line, event: "", data, terminated }));
        self.frames += 1;
        self.place = Place::Between;
    }

    /// Counts bytes and lines.
    fn pass(&mut self, bytes: &[u8]) {
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            let after_cr = before.map_or(self.after_cr, |byte| *byte == b'\r');
            if bytes.get(at) == Some(&b'\r') || !after_cr {
                self.next.line += 1;
            }
        }
        if let Some(last) = bytes.last() {
            self.after_cr = *last == b'\r';
        }
        self.next.offset += bytes.len() as u64;
    }
}

/// Follows brackets outside strings from the first one of a value to the one that closes it.
#[derive(Debug, Default)]
struct Brackets {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Brackets {
    /// The length of the rest of the value, if it ends in `bytes`, which go on with it.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.escaped {
                self.escaped = false;
                at += 1;
                continue;
            }
            let rest = bytes.get(at..).unwrap_or(&[]);
            if self.in_string {
                at += memchr2(b'"', b'\\', rest)?;
                match bytes.get(at) {
                    Some(b'"') => self.in_string = false,
                    _ => self.escaped = true,
                }
                at += 1;
                continue;
            }
            at += 1;
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{ChunkPlan, Framer, Framing, Limits, Piece};

    /// Every piece, spelled out, for a body given in chunks.
    fn pieces(framing: Framing, chunks: &[&[u8]], limits: Limits) -> Vec<String> {
        let mut framer = Framer::new(framing, limits);
        let mut out = Vec::new();
        let mut sink = |piece: Piece<'_>| {
            out.push(match piece {
                Piece::Frame(f) => format!(
                    "{}@{}-{} line {} {}{}",
                    f.number,
                    f.span.start,
                    f.span.end,
                    f.line,
                    String::from_utf8_lossy(f.data),
                    if f.terminated { "" } else { " (cut)" }
                ),
                Piece::Fault(f) => format!("{f} @{}-{}", f.span.start, f.span.end),
                other => format!("{other:?}"),
            });
        };
        for chunk in chunks {
            framer.push(chunk, &mut sink);
        }
        framer.finish(&mut sink);
        out
    }

    fn check(body: &str, want: &[&str]) {
        let bytes = body.as_bytes();
        assert_eq!(pieces(Framing::Auto, &[bytes], Limits::DEFAULT), want, "whole: {body:?}");
        assert_eq!(pieces(Framing::Body, &[bytes], Limits::DEFAULT), want, "known to be a body: {body:?}");
        for at in 0..=bytes.len() {
            let (a, b) = bytes.split_at(at);
            assert_eq!(pieces(Framing::Auto, &[a, b], Limits::DEFAULT), want, "cut at {at}: {body:?}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(pieces(Framing::Auto, &single, Limits::DEFAULT), want, "byte by byte: {body:?}");
    }

    #[test]
    fn one_value_is_one_frame() {
        check(r#"{"a":1}"#, &[r#"0@0-7 line 1 {"a":1}"#]);
        check("\u{feff}\r\n {\"a\":\n[\"}\\\"]\"]}\n", &["0@6-21 line 2 {\"a\":\n[\"}\\\"]\"]}"]);
        check(r#"{"a":[1"#, &[r#"0@0-7 line 1 {"a":[1 (cut)"#]);
        check(r#"{"a":"\"#, &[r#"0@0-7 line 1 {"a":"\ (cut)"#]);
    }

    #[test]
    fn values_in_a_row_are_frames_each() {
        check(
            "{\"a\":1}\n{\"b\":2}\r\n\r{}",
            &[r#"0@0-7 line 1 {"a":1}"#, r#"1@8-15 line 2 {"b":2}"#, "2@18-20 line 4 {}"],
        );
        check(r#"{"a":1}{"b":"#, &[r#"0@0-7 line 1 {"a":1}"#, r#"1@7-12 line 1 {"b": (cut)"#]);
    }

    #[test]
    fn the_elements_of_an_outermost_array_are_frames() {
        check(
            "[{\"a\":1}\n,\r\n{\"b\":[2]} , [3]]",
            &[r#"0@1-8 line 1 {"a":1}"#, r#"1@12-21 line 3 {"b":[2]}"#, "2@24-27 line 3 [3]"],
        );
        check("[]", &[]);
        check("[{}][{}]{}", &["0@1-3 line 1 {}", "1@4-8 line 1 [{}]", "2@8-10 line 1 {}"]);
    }

    #[test]
    fn an_array_that_never_closes_is_told_at_the_end() {
        let open = |span: &str| format!("the array that the body is does not end @{span}");
        check("[", &[&open("0-1")]);
        check(" [{}\n", &["0@2-4 line 1 {}", &open("1-5")]);
        check("[{},{\"a\"", &["0@1-3 line 1 {}", "1@4-8 line 1 {\"a\" (cut)", &open("0-8")]);
    }

    #[test]
    fn text_in_the_place_of_a_value_reaches_to_the_end_of_its_line() {
        check(
            "{}\ndata: {} \r\n{}\noops",
            &["0@0-2 line 1 {}", "1@3-11 line 2 data: {}", "2@14-16 line 3 {}", "3@17-21 line 4 oops (cut)"],
        );
        check("{}}\n,{}\n", &["0@0-2 line 1 {}", "1@2-3 line 1 }", "2@4-7 line 2 ,{}"]);
        check("[1,\n{},\"x\"\n]", &["0@1-3 line 1 1,", "1@4-6 line 2 {}", "2@7-10 line 2 \"x\""]);
    }

    #[test]
    fn half_a_byte_order_mark_is_text() {
        for (bytes, want) in
            [(&b"\xef\xbb"[..], "0@0-2 line 1 \u{fffd} (cut)"), (b"\xef{}\n", "0@0-3 line 1 \u{fffd}{}")]
        {
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(pieces(Framing::Body, &[bytes], Limits::DEFAULT), [want]);
            assert_eq!(pieces(Framing::Body, &single, Limits::DEFAULT), [want]);
        }
    }

    #[test]
    fn a_value_over_the_limit_ends_the_reading() {
        let limits = Limits { body: 9, ..Limits::DEFAULT };
        for (body, want) in [
            (
                r#"[{"a":111},{"a":2222},{}]"#,
                vec![r#"0@1-10 line 1 {"a":111}"#, "body at byte 11 is longer than 9 bytes @11-20"],
            ),
            ("{}\nlonger text", vec!["0@0-2 line 1 {}", "body at byte 3 is longer than 9 bytes @3-12"]),
        ] {
            for plan in ["whole", "byte", "line", "at:3", "at:12"] {
                let chunks = plan.parse::<ChunkPlan>().unwrap().pieces(body.as_bytes());
                assert_eq!(pieces(Framing::Auto, &chunks, limits), want, "{plan} {body}");
            }
        }
    }

    #[test]
    fn white_space_before_a_body_counts_the_same_in_any_cutting() {
        for spaces in [10, 1022, 1023, 1024, 2000] {
            let body = format!("{}{{}}\n\n", " ".repeat(spaces));
            let whole = pieces(Framing::Auto, &[body.as_bytes()], Limits::DEFAULT);
            for plan in ["byte", "seed:1", "at:1000", "at:1023", "at:1500"] {
                let chunks = plan.parse::<ChunkPlan>().unwrap().pieces(body.as_bytes());
                assert_eq!(pieces(Framing::Auto, &chunks, Limits::DEFAULT), whole, "{spaces} {plan}");
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_do_not_depend_on_the_cuts(body in r#"\x{feff}?[\[{ ]([\[\]{}",:\\ \n\r1aé]{0,40})"#, seed: u64) {
            for limits in [Limits::DEFAULT, Limits { body: 7, ..Limits::DEFAULT }] {
                let whole = pieces(Framing::Auto, &[body.as_bytes()], limits);
                for plan in [ChunkPlan::Byte, ChunkPlan::Cut, ChunkPlan::Seed(seed), ChunkPlan::CutSeed(seed)] {
                    prop_assert_eq!(&pieces(Framing::Auto, &plan.pieces(body.as_bytes()), limits), &whole, "{}", plan);
                }
            }
        }
    }
}
