//! The permutations of a case: one expectation, many ways to send the same answer.

use std::borrow::Cow;
use std::fmt;

use super::fields::{FieldResult, Place};
use crate::framing::ChunkPlan;

/// How the lines of a response end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Newline {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`
    Cr,
    /// Several of them, as in the file.
    Mixed,
}

impl Newline {
    /// Those that a case can ask for.
    pub const ALL: &'static [Self] = &[Self::Lf, Self::CrLf, Self::Cr];

    /// The name in permutations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::CrLf => "crlf",
            Self::Cr => "cr",
            Self::Mixed => "mixed",
        }
    }

    /// How the lines of `bytes` end; LF if there are none.
    pub fn of(bytes: &[u8]) -> Self {
        let mut kinds = [false; 3];
        let mut at = 0;
        while let Some(step) = memchr::memchr2(b'\n', b'\r', bytes.get(at..).unwrap_or(&[])) {
            at += step;
            let [lf, crlf, cr] = &mut kinds;
            match (bytes.get(at), bytes.get(at + 1)) {
                (Some(b'\r'), Some(b'\n')) => {
                    *crlf = true;
                    at += 1;
                }
                (Some(b'\r'), _) => *cr = true,
                _ => *lf = true,
            }
            at += 1;
        }
        match kinds {
            [_, false, false] => Self::Lf,
            [false, true, false] => Self::CrLf,
            [false, false, true] => Self::Cr,
            _ => Self::Mixed,
        }
    }

    /// `bytes` with every line ended this way; unchanged for [`Mixed`](Self::Mixed).
    pub fn rewrite(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        if self == Self::Mixed || self == Self::of(bytes) {
            return Cow::Borrowed(bytes);
        }
        let end: &[u8] = match self {
            Self::Lf | Self::Mixed => b"\n",
            Self::CrLf => b"\r\n",
            Self::Cr => b"\r",
        };
        let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 32);
        let mut rest = bytes;
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, tail) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            out.extend_from_slice(line);
            out.extend_from_slice(end);
            rest = tail.strip_prefix(b"\r\n").or_else(|| tail.get(1..)).unwrap_or(&[]);
        }
        out.extend_from_slice(rest);
        Cow::Owned(out)
    }
}

/// One way to send the responses of a case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Permutation {
    /// How they are cut.
    pub chunking: Chunking,
    /// How their lines end; `None` as in the file.
    pub newline: Option<Newline>,
}

/// A chunk plan, or the cuts that the case itself names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Chunking {
    /// A plan for any response.
    Plan(ChunkPlan),
    /// The response's own `cuts`.
    Cuts,
}

impl fmt::Display for Chunking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan(plan) => plan.fmt(f),
            Self::Cuts => f.write_str("cuts"),
        }
    }
}

/// What a case varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    pub(super) chunking: Vec<ChunkPlan>,
    pub(super) newline: Vec<Newline>,
}

/// The chunkings of a case that names none.
pub const ALL_CHUNKINGS: &[ChunkPlan] =
    &[ChunkPlan::Whole, ChunkPlan::Event, ChunkPlan::Line, ChunkPlan::Byte, ChunkPlan::Cut, ChunkPlan::Seed(7)];

impl Default for Vary {
    fn default() -> Self {
        Self { chunking: ALL_CHUNKINGS.to_vec(), newline: Vec::new() }
    }
}

impl Vary {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(&["chunking", "newline"])?;
        let chunking = match fields.get("chunking") {
            None => ALL_CHUNKINGS.to_vec(),
            Some(list) => {
                let plan = |item: &Place<'_>| match item.string()?.parse() {
                    // Offsets belong to a response: its `cuts`.
                    Ok(ChunkPlan::Offsets(_)) => Err(item.error("name offsets as `cuts` of the response")),
                    Ok(plan) => Ok(plan),
                    Err(error) => Err(item.error(error.to_string())),
                };
                let plans: Vec<ChunkPlan> = list.items()?.iter().map(plan).collect::<FieldResult<_>>()?;
                if plans.is_empty() {
                    return Err(list.error("an empty list varies nothing; leave the key out for all chunkings"));
                }
                plans
            }
        };
        let newline = match fields.get("newline") {
            None => Vec::new(),
            Some(list) => {
                list.items()?.iter().map(|n| n.word(Newline::ALL, Newline::name)).collect::<FieldResult<_>>()?
            }
        };
        Ok(Self { chunking, newline })
    }

    /// Every permutation; `cuts`: the case names offsets of its own, which fit its file as it is.
    pub(super) fn permutations(&self, cuts: bool) -> Vec<Permutation> {
        let newlines: Vec<Option<Newline>> =
            if self.newline.is_empty() { vec![None] } else { self.newline.iter().copied().map(Some).collect() };
        let mut all = Vec::new();
        for newline in newlines {
            let plan = |plan: &ChunkPlan| Permutation { chunking: Chunking::Plan(plan.clone()), newline };
            all.extend(self.chunking.iter().map(plan));
        }
        if cuts {
            all.push(Permutation { chunking: Chunking::Cuts, newline: None });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Newline;

    #[test]
    fn line_ends_are_told_apart_and_rewritten() {
        for (text, kind) in [
            ("a\nb\n", Newline::Lf),
            ("a\r\nb", Newline::CrLf),
            ("a\rb\r", Newline::Cr),
            ("a\r\nb\n", Newline::Mixed),
            ("a\r\r\n", Newline::Mixed),
            ("a", Newline::Lf),
        ] {
            assert_eq!(Newline::of(text.as_bytes()), kind, "{text:?}");
        }
        assert_eq!(&*Newline::CrLf.rewrite(b"a\nb\rc\r\n\nd"), b"a\r\nb\r\nc\r\n\r\nd");
        assert_eq!(&*Newline::Cr.rewrite(b"a\r\n\r\n"), b"a\r\r");
        assert_eq!(&*Newline::Mixed.rewrite(b"a\r\n\n"), b"a\r\n\n");
    }
}
