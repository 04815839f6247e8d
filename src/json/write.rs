//! JSON text out, key order and number text untouched.

use super::{Kind, Value, is_hidden};

/// Line breaks or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// No white space.
    Compact,
    /// Two spaces a level.
    Pretty,
}

/// Writes one JSON value piece by piece.
///
/// Characters that [`is_hidden`] names are written as escapes, so the output is safe to look at;
/// its value is the same.
#[derive(Debug)]
pub struct Writer {
    out: String,
    style: Style,
    depth: usize,
    /// The next item is the first of its container.
    first: bool,
    /// A key was just written.
    after_key: bool,
}

impl Writer {
    /// An empty output.
    pub fn new(style: Style) -> Self {
        Self { out: String::new(), style, depth: 0, first: true, after_key: false }
    }

    /// The text written.
    pub fn finish(self) -> String {
        self.out
    }

    fn item(&mut self) {
        if self.after_key {
            self.after_key = false;
            return;
        }
        if self.depth > 0 {
            if !self.first {
                self.out.push(',');
            }
            self.newline();
        }
        self.first = false;
    }

    fn newline(&mut self) {
        if self.style == Style::Pretty {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", self.depth));
        }
    }

    fn open(&mut self, bracket: char) {
        self.item();
        self.out.push(bracket);
        self.depth += 1;
        self.first = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        if !self.first {
            self.newline();
        }
        self.first = false;
        self.out.push(bracket);
    }

    /// An object whose members `fill` writes.
    pub fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open('{');
        fill(self);
        self.close('}');
    }

    /// An array whose items `fill` writes.
    pub fn array(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open('[');
        fill(self);
        self.close(']');
    }

    /// The key of the member whose value comes next.
    pub fn key(&mut self, key: &str) {
        self.item();
        self.quoted(key);
        self.colon();
    }

    fn colon(&mut self) {
        self.out.push(':');
        if self.style == Style::Pretty {
            self.out.push(' ');
        }
        self.after_key = true;
    }

    /// A string value.
    pub fn string(&mut self, text: &str) {
        self.item();
        self.quoted(text);
    }

    /// A number, `true`, `false` or `null` as text.
    pub fn literal(&mut self, text: impl std::fmt::Display) {
        use std::fmt::Write as _;
        self.item();
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{text}");
    }

    /// A number, `true`, `false` or `null`, spelled out.
    pub(crate) fn spelled(&mut self, text: &str) {
        self.item();
        self.out.push_str(text);
    }

    /// A value whose text can stand anywhere.
    pub fn compact(&mut self, text: &super::CompactText) {
        self.spelled(text.as_str());
    }

    /// A part of such a text that is a value.
    pub(crate) fn compact_part(&mut self, text: &super::CompactText, part: std::ops::Range<usize>) {
        self.spelled(text.as_str().get(part).unwrap_or("null"));
    }

    /// A string member.
    pub fn member(&mut self, key: &str, text: &str) {
        self.key(key);
        self.string(text);
    }

    /// A string member, if there is one.
    pub fn optional(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.member(key, text);
        }
    }

    /// A parsed value: white space is laid out anew, everything else is as it came.
    pub fn value(&mut self, value: Value<'_>) {
        match value.kind() {
            Kind::Object => self.object(|w| {
                for (key, member) in value.members() {
                    w.item();
                    w.raw_string(key.raw());
                    w.colon();
                    w.value(member);
                }
            }),
            Kind::Array => self.array(|w| value.items().for_each(|item| w.value(item))),
            Kind::String => {
                self.item();
                self.raw_string(value.as_str().map_or("", super::Str::raw));
            }
            _ => self.spelled(value.raw()),
        }
    }

    fn raw_string(&mut self, escaped: &str) {
        self.out.push('"');
        push_visible(&mut self.out, escaped);
        self.out.push('"');
    }

    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        loop {
            let (run, tail) = rest.split_at(plain_run(rest));
            self.out.push_str(run);
            let Some(c) = tail.chars().next() else { break };
            rest = tail.get(c.len_utf8()..).unwrap_or("");
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                c => push_visible_char(&mut self.out, c),
            }
        }
        self.out.push('"');
    }
}

/// How many bytes of `text` can be written as they are: printable ASCII but for the quote and the backslash.
#[inline]
fn plain_run(text: &str) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // Eight bytes at once; a byte's high bit is set if it is below the limit, or zero.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let is = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word);
        let special = (word | below(word, 0x20) | is(word, b'"') | is(word, b'\\') | is(word, 0x7f)) & HIGHS;
        if special != 0 {
            // Bits above the lowest one may be wrong: the subtraction borrows.
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let tail = bytes.get(at..).unwrap_or(&[]);
    let plain = |b: &u8| matches!(b, 0x20..0x7f) && *b != b'"' && *b != b'\\';
    at + tail.iter().position(|b| !plain(b)).unwrap_or(tail.len())
}

fn push_visible_char(out: &mut String, c: char) {
    if is_hidden(c) {
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_escape(out, *unit));
    } else {
        out.push(c);
    }
}

fn push_escape(out: &mut String, unit: u16) {
    use std::fmt::Write as _;
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

fn push_visible(out: &mut String, text: &str) {
    if text.is_ascii() && !text.contains('\u{7f}') {
        out.push_str(text);
        return;
    }
    text.chars().for_each(|c| push_visible_char(out, c));
}

#[cfg(test)]
mod tests {
    use super::{Style, Writer};
    use crate::json::Doc;

    #[test]
    fn values_keep_number_text_key_order_and_escapes() {
        let text = r#"{"b":[1.0,1E2,12345678901234567890,{}],"a":"\u00e9é\/","b":[]}"#;
        let mut writer = Writer::new(Style::Compact);
        writer.value(Doc::parse(text).unwrap().root());
        assert_eq!(writer.finish(), text);
    }

    #[test]
    fn hidden_characters_are_escaped_and_the_value_is_the_same() {
        let text = "\u{7f}\u{200b}\u{e0041}\u{1fffe}é";
        let mut writer = Writer::new(Style::Compact);
        writer.string(text);
        let written = writer.finish();
        assert_eq!(written, "\"\\u007f\\u200b\\udb40\\udc41\\ud83f\\udffeé\"");
        assert_eq!(Doc::parse(written).unwrap().root().as_str().unwrap().decode(), text);
        let mut writer = Writer::new(Style::Compact);
        writer.value(Doc::parse(format!("\"{text}\"")).unwrap().root());
        assert!(!writer.finish().contains(crate::json::is_hidden));
    }

    #[test]
    fn every_character_is_written_so_that_it_is_read_again() {
        // Each special character at each place of a word of eight bytes, and two of them side by side.
        for c in (0..0x100).chain([0x2028, 0x1f600, 0xfeff, 0xe0041]).filter_map(char::from_u32) {
            for before in 0..17 {
                for after in ["", "\u{1}", "\"", "é", "abcdefghi"] {
                    let text = format!("{}{c}{after}", "x".repeat(before));
                    let mut writer = Writer::new(Style::Compact);
                    writer.string(&text);
                    let written = writer.finish();
                    assert!(!written.contains(crate::json::is_hidden), "{written}");
                    assert_eq!(Doc::parse(written).unwrap().root().as_str().unwrap().decode(), text);
                }
            }
        }
    }

    #[test]
    fn pretty_output_breaks_lines_and_keeps_empty_containers_short() {
        let mut writer = Writer::new(Style::Pretty);
        writer.object(|w| {
            w.member("a", "x\"\u{1}\u{202e}");
            w.key("b");
            w.array(|_| {});
            w.key("c");
            w.array(|w| w.literal(1));
        });
        assert_eq!(writer.finish(), "{\n  \"a\": \"x\\\"\\u0001\\u202e\",\n  \"b\": [],\n  \"c\": [\n    1\n  ]\n}");
    }
}
