//! The JSON grammar (RFC 8259), strict, in one pass without recursion.
//!
//! In: a text. Out: calls on a [`Sink`], or the first error with its byte offset. The same pass
//! fills a tape or only validates, so there is one grammar in the crate.

use std::fmt;

/// How deeply arrays and objects may nest. Deeper text is refused: some reader downstream would
/// overflow its stack (`serde_json` stops at 128, `CPython` near 1000).
pub const MAX_DEPTH: usize = 512;

/// What kind of error the grammar met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text ended inside a value.
    Eof,
    /// A byte that cannot stand there.
    Unexpected,
    /// Text after the one value.
    Trailing,
    /// An escape that JSON does not know.
    Escape,
    /// A control character inside a string.
    Control,
    /// A number that is none, such as `01` or `1.`.
    Number,
    /// More than [`MAX_DEPTH`] levels.
    Depth,
    /// A text over 4 GiB.
    Size,
}

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What was wrong.
    pub kind: ErrorKind,
    /// Byte offset into the text.
    pub at: usize,
}

impl Error {
    /// True when more text could have made it valid.
    pub fn is_eof(&self) -> bool {
        self.kind == ErrorKind::Eof
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ErrorKind::Eof => "JSON ends inside a value",
            ErrorKind::Unexpected => "unexpected character",
            ErrorKind::Trailing => "text after the JSON value",
            ErrorKind::Escape => "invalid escape in a string",
            ErrorKind::Control => "raw control character in a string",
            ErrorKind::Number => "malformed number",
            ErrorKind::Depth => "nested deeper than 512 levels",
            ErrorKind::Size => "text over 4 GiB",
        };
        write!(f, "{what} at byte {}", self.at)
    }
}

impl std::error::Error for Error {}

/// What the text of a string holds besides plain characters. One byte on purpose: two would be written apart and
/// read together, which stalls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StrFlags(u8);

impl StrFlags {
    pub(super) const NONE: Self = Self(0);
    const ESCAPED: u8 = 1;
    const LONE_SURROGATE: u8 = 2;

    /// At least one escape.
    pub(super) fn escaped(self) -> bool {
        self.0 & Self::ESCAPED != 0
    }

    /// An escaped surrogate without its other half.
    pub(super) fn lone_surrogate(self) -> bool {
        self.0 & Self::LONE_SURROGATE != 0
    }
}

/// A scalar or the opening of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Null,
    True,
    False,
    Number,
    Str(StrFlags),
}

/// Takes what the grammar finds, in order of the text.
pub(super) trait Sink {
    /// A scalar, or the key of an object, at `start..end`.
    fn scalar(&mut self, token: Token, start: usize, end: usize);
    /// The key of an object, at `start..end`.
    #[inline]
    fn key(&mut self, flags: StrFlags, start: usize, end: usize) {
        self.scalar(Token::Str(flags), start, end);
    }
    /// `{` (`object`) or `[` at `at`.
    fn open(&mut self, object: bool, at: usize);
    /// The closing bracket before `end`.
    fn close(&mut self, end: usize);
}

impl Sink for () {
    fn scalar(&mut self, _: Token, _: usize, _: usize) {}
    fn open(&mut self, _: bool, _: usize) {}
    fn close(&mut self, _: usize) {}
}

/// Checks that `text` is one JSON value with nothing after it; allocates nothing.
///
/// # Errors
/// The first offence, with its byte offset.
pub fn validate(text: &str) -> Result<(), Error> {
    parse(text, &mut ())
}

/// Open containers, innermost last: a bit each, set for objects.
struct Nesting {
    bits: [u64; MAX_DEPTH / 64],
    depth: usize,
}

impl Nesting {
    fn push(&mut self, object: bool, at: usize) -> Result<(), Error> {
        let Some(word) = self.bits.get_mut(self.depth / 64) else {
            return Err(Error { kind: ErrorKind::Depth, at });
        };
        let bit = 1u64 << (self.depth % 64);
        if object {
            *word |= bit;
        } else {
            *word &= !bit;
        }
        self.depth += 1;
        Ok(())
    }

    /// Whether the innermost container is an object; `None` at the top.
    fn innermost(&self) -> Option<bool> {
        let depth = self.depth.checked_sub(1)?;
        let word = self.bits.get(depth / 64)?;
        Some(word & (1 << (depth % 64)) != 0)
    }
}

/// Reads one value and the end of the text.
pub(super) fn parse(text: &str, sink: &mut impl Sink) -> Result<(), Error> {
    let src = text.as_bytes();
    if u32::try_from(src.len()).is_err() {
        return Err(Error { kind: ErrorKind::Size, at: 0 });
    }
    let mut nesting = Nesting { bits: [0; MAX_DEPTH / 64], depth: 0 };
    let mut at = skip_space(src, 0);
    'value: loop {
        // One value begins at `at`.
        match byte(src, at)? {
            b'{' => {
                nesting.push(true, at)?;
                sink.open(true, at);
                at = skip_space(src, at + 1);
                if byte(src, at)? != b'}' {
                    at = key(src, at, sink)?;
                    continue 'value;
                }
                at += 1;
                nesting.depth -= 1;
                sink.close(at);
            }
            b'[' => {
                nesting.push(false, at)?;
                sink.open(false, at);
                at = skip_space(src, at + 1);
                if byte(src, at)? != b']' {
                    continue 'value;
                }
                at += 1;
                nesting.depth -= 1;
                sink.close(at);
            }
            _ => {
                let (token, end) = scalar(src, at)?;
                sink.scalar(token, at, end);
                at = end;
            }
        }
        // A value has ended: close what ends with it, or go on to the next one.
        loop {
            at = skip_space(src, at);
            let Some(object) = nesting.innermost() else {
                return if at == src.len() { Ok(()) } else { Err(Error { kind: ErrorKind::Trailing, at }) };
            };
            match (byte(src, at)?, object) {
                (b',', true) => {
                    at = skip_space(src, at + 1);
                    at = key(src, at, sink)?;
                    continue 'value;
                }
                (b',', false) => {
                    at = skip_space(src, at + 1);
                    continue 'value;
                }
                (b'}', true) | (b']', false) => {
                    at += 1;
                    nesting.depth -= 1;
                    sink.close(at);
                }
                _ => return Err(Error { kind: ErrorKind::Unexpected, at }),
            }
        }
    }
}

fn byte(src: &[u8], at: usize) -> Result<u8, Error> {
    src.get(at).copied().ok_or(Error { kind: ErrorKind::Eof, at })
}

fn skip_space(src: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = src.get(at) {
        at += 1;
    }
    at
}

/// A key, its colon and the space after it; returns where the value begins.
#[inline]
fn key(src: &[u8], at: usize, sink: &mut impl Sink) -> Result<usize, Error> {
    if byte(src, at)? != b'"' {
        return Err(Error { kind: ErrorKind::Unexpected, at });
    }
    let (flags, end) = string(src, at)?;
    sink.key(flags, at, end);
    let at = skip_space(src, end);
    if byte(src, at)? != b':' {
        return Err(Error { kind: ErrorKind::Unexpected, at });
    }
    Ok(skip_space(src, at + 1))
}

#[expect(clippy::inline_always, reason = "one caller, in the innermost loop; measured")]
#[inline(always)]
fn scalar(src: &[u8], at: usize) -> Result<(Token, usize), Error> {
    match byte(src, at)? {
        b'"' => string(src, at).map(|(flags, end)| (Token::Str(flags), end)),
        b'-' | b'0'..=b'9' => number(src, at).map(|end| (Token::Number, end)),
        b't' => word(src, at, b"true").map(|end| (Token::True, end)),
        b'f' => word(src, at, b"false").map(|end| (Token::False, end)),
        b'n' => word(src, at, b"null").map(|end| (Token::Null, end)),
        _ => Err(Error { kind: ErrorKind::Unexpected, at }),
    }
}

#[inline]
fn word(src: &[u8], at: usize, word: &[u8]) -> Result<usize, Error> {
    if src.get(at..at + word.len()) == Some(word) {
        return Ok(at + word.len());
    }
    for (i, &want) in word.iter().enumerate() {
        if byte(src, at + i)? != want {
            return Err(Error { kind: ErrorKind::Unexpected, at: at + i });
        }
    }
    Ok(at + word.len())
}

fn number(src: &[u8], start: usize) -> Result<usize, Error> {
    let digits = |mut at: usize| {
        while src.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    // A digit has to stand at `at`; the end of the text there is a cut number.
    let some_digits = |at: usize| {
        let end = digits(at);
        if end > at {
            Ok(end)
        } else if at == src.len() {
            Err(Error { kind: ErrorKind::Eof, at })
        } else {
            Err(Error { kind: ErrorKind::Number, at })
        }
    };
    let mut at = start;
    if src.get(at) == Some(&b'-') {
        at += 1;
    }
    let int = at;
    at = some_digits(at)?;
    if at - int > 1 && src.get(int) == Some(&b'0') {
        return Err(Error { kind: ErrorKind::Number, at: int });
    }
    if src.get(at) == Some(&b'.') {
        at = some_digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = src.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = src.get(at) {
            at += 1;
        }
        at = some_digits(at)?;
    }
    Ok(at)
}

/// Index of the first byte at or after `at` that is `"`, `\` or a control character.
#[inline]
fn plain_run(src: &[u8], mut at: usize) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zero = |x: u64| x.wrapping_sub(LOW) & !x & HIGH;
    while let Some(chunk) = src.get(at..at + 8).and_then(|c| <[u8; 8]>::try_from(c).ok()) {
        let x = u64::from_le_bytes(chunk);
        let hit = zero(x ^ (LOW * 0x22)) | zero(x ^ (LOW * 0x5c)) | (x.wrapping_sub(LOW * 0x20) & !x & HIGH);
        if hit != 0 {
            // A borrow can only mark bytes above a true hit, so the lowest mark is exact.
            return at + hit.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while src.get(at).is_some_and(|&b| b != b'"' && b != b'\\' && b >= 0x20) {
        at += 1;
    }
    at
}

/// A string literal that begins at its quote; returns the offset after the closing one.
#[inline]
fn string(src: &[u8], start: usize) -> Result<(StrFlags, usize), Error> {
    let at = plain_run(src, start + 1);
    // Most strings, and nearly all keys, hold no escape.
    if src.get(at) == Some(&b'"') {
        return Ok((StrFlags::default(), at + 1));
    }
    odd_string(src, at)
}

/// The rest of a string literal from its first byte that is not plain.
#[inline(never)]
fn odd_string(src: &[u8], mut at: usize) -> Result<(StrFlags, usize), Error> {
    let mut flags = StrFlags::default();
    loop {
        at = plain_run(src, at);
        match byte(src, at)? {
            b'"' => return Ok((flags, at + 1)),
            b'\\' => {
                flags.0 |= StrFlags::ESCAPED;
                match byte(src, at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at += 2,
                    b'u' => {
                        let unit = hex4(src, at + 2)?;
                        at += 6;
                        if (0xdc00..0xe000).contains(&unit) {
                            flags.0 |= StrFlags::LONE_SURROGATE;
                        } else if (0xd800..0xdc00).contains(&unit) {
                            if src.get(at) == Some(&b'\\') && src.get(at + 1) == Some(&b'u') {
                                if (0xdc00..0xe000).contains(&hex4(src, at + 2)?) {
                                    at += 6;
                                } else {
                                    flags.0 |= StrFlags::LONE_SURROGATE;
                                }
                            } else {
                                flags.0 |= StrFlags::LONE_SURROGATE;
                            }
                        }
                    }
                    _ => return Err(Error { kind: ErrorKind::Escape, at }),
                }
            }
            _ => return Err(Error { kind: ErrorKind::Control, at }),
        }
    }
}

/// The UTF-16 unit that four hex digits spell.
pub(super) fn hex4(src: &[u8], at: usize) -> Result<u16, Error> {
    let mut unit = 0u16;
    for i in at..at + 4 {
        let digit = match byte(src, i)? {
            b @ b'0'..=b'9' => b - b'0',
            b @ b'a'..=b'f' => b - b'a' + 10,
            b @ b'A'..=b'F' => b - b'A' + 10,
            _ => return Err(Error { kind: ErrorKind::Escape, at: i }),
        };
        unit = unit << 4 | u16::from(digit);
    }
    Ok(unit)
}
