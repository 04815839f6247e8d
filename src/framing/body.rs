//! A body that is one JSON value: one frame, at the end.

use super::frame::{Fault, FaultKind, Frame, Piece, Span};
use super::limits::Limits;

#[derive(Debug)]
pub(super) struct Body {
    bytes: Vec<u8>,
    /// Bytes seen, kept or not.
    seen: u64,
    limit: usize,
}

impl Body {
    pub(super) fn new(limits: Limits) -> Self {
        Self { bytes: Vec::new(), seen: 0, limit: limits.body }
    }

    pub(super) fn push(&mut self, chunk: &[u8], sink: &mut impl FnMut(Piece<'_>)) {
        let fits = self.seen <= self.limit as u64;
        self.seen += chunk.len() as u64;
        if self.seen <= self.limit as u64 {
            self.bytes.extend_from_slice(chunk);
        } else if fits {
            self.bytes = Vec::new();
            let span = Span { start: 0, end: self.limit as u64 };
            sink(Piece::Fault(Fault { kind: FaultKind::BodyTooLong(self.limit), span }));
        }
    }

    pub(super) fn finish(&mut self, sink: &mut impl FnMut(Piece<'_>)) {
        let data = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes).trim_ascii();
        if !data.is_empty() {
            let span = Span { start: 0, end: self.seen };
            sink(Piece::Frame(Frame { number: 0, span, line: 1, event: "", data, terminated: false }));
        }
    }
}
