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
            _ => self.literal(value.raw()),
        }
    }

    fn raw_string(&mut self, escaped: &str) {
        self.out.push('"');
        push_visible(&mut self.out, escaped);
        self.out.push('"');
    }

    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = 0;
        for (at, b) in text.bytes().enumerate() {
            if b >= 0x20 && b != b'"' && b != b'\\' {
                continue;
            }
            push_visible(&mut self.out, text.get(plain..at).unwrap_or(""));
            plain = at + 1;
            match b {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                _ => push_escape(&mut self.out, u16::from(b)),
            }
        }
        push_visible(&mut self.out, text.get(plain..).unwrap_or(""));
        self.out.push('"');
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
    for c in text.chars() {
        if is_hidden(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_escape(out, *unit));
        } else {
            out.push(c);
        }
    }
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
