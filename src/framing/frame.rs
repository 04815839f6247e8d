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

/// One event of a stream, or a whole body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Counts the frames of a response from 0.
    pub number: u32,
    /// Where the frame stands: its fields, without the blank line that ends it.
    pub span: Span,
    /// Line of its first field, from 1.
    pub line: u64,
    /// The event name; empty if none was given.
    pub event: &'a str,
    /// The payload, its lines joined by LF. Never empty.
    pub data: &'a [u8],
    /// False if the bytes ended before the blank line that ends an event, and for a whole body.
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
    /// A body longer than [`Limits::body`](super::Limits::body); carries the limit.
    BodyTooLong(usize),
}

/// Bytes that were given up, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// Where the line, event or body begins, and where the limit lies.
    pub span: Span,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, limit) = match self.kind {
            FaultKind::LineTooLong(limit) => ("line", limit),
            FaultKind::EventTooLong(limit) => ("event", limit),
            FaultKind::BodyTooLong(limit) => ("body", limit),
        };
        write!(f, "{what} at byte {} is longer than {limit} bytes", self.span.start)
    }
}

/// Everything a framer can hand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// An event with data, or a body.
    Frame(Frame<'a>),
    /// The text of a comment line, without its colon.
    Comment(&'a [u8]),
    /// A line outside the grammar.
    Stray(Stray<'a>),
    /// Something over a limit.
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
