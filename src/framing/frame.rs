//! What a framer hands on.

use std::fmt;

/// Byte offsets into the response, from its first byte; `end` is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset after the last byte.
    pub end: u64,
}

/// One event of a stream, or one value of a body that is JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Counts the frames of a response from 0.
    pub number: u32,
    /// Where the frame stands: its fields, without the blank line that ends it; in a body, the value.
    pub span: Span,
    /// Line where it begins, from 1.
    pub line: u64,
    /// The event name; empty if none was given.
    pub event: &'a str,
    /// The payload, its lines joined by LF. Never empty.
    pub data: &'a [u8],
    /// False if the bytes ended before the blank line that ends an event, or before the brackets of a value closed.
    pub terminated: bool,
}

/// A line that is no part of an event, in a place where one could be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stray<'a> {
    /// Where it stands.
    pub span: Span,
    /// Its line, from 1.
    pub line: u64,
    /// The field name; `json` for bare JSON; `event` for an event without data.
    pub field: &'a str,
    /// The value.
    pub value: &'a [u8],
}

/// What could not be framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// A line longer than [`Limits::line`](super::Limits::line); carries the limit.
    LineTooLong(usize),
    /// An event whose data is longer than [`Limits::event`](super::Limits::event); carries the limit.
    EventTooLong(usize),
    /// A value of a body longer than [`Limits::body`](super::Limits::body); carries the limit.
    BodyTooLong(usize),
    /// The bytes ended before the array that a body is. No bytes were given up.
    OpenArray,
}

/// Bytes that were given up, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// Where the line, event, value or array begins, and where the limit or the end of the bytes lies.
    pub span: Span,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, limit) = match self.kind {
            FaultKind::LineTooLong(limit) => ("line", limit),
            FaultKind::EventTooLong(limit) => ("event", limit),
            FaultKind::BodyTooLong(limit) => ("body", limit),
            FaultKind::OpenArray => return f.write_str("the array that the body is does not end"),
        };
        write!(f, "{what} at byte {} is longer than {limit} bytes", self.span.start)
    }
}

/// Everything a framer can hand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// An event with data, or a value of a body.
    Frame(Frame<'a>),
    /// The text of a comment line, without its colon.
    Comment(&'a [u8]),
    /// A line outside the grammar.
    Stray(Stray<'a>),
    /// Something over a limit, or without its end.
    Fault(Fault),
}

/// How the bytes ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// The connection closed as it should.
    #[default]
    Eof,
    /// The connection broke.
    Reset,
    /// Nothing more came until a time limit.
    Stall,
}
