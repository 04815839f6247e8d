//! Where in a response a failure shows.

use crate::check::{CheckOutcome, CheckResult};
use crate::corpus::{CaseTurn, Permutation, Subject};
use crate::framing::{ChunkPlan, Framer, Framing, Limits, Piece};
use crate::model::Step;
use crate::providers::{DecodeSetup, Decoder};
use crate::report::{Evidence, FrameExcerpt};

/// How many frames are shown at most, and how much of each, in characters.
const MAX_FRAMES: usize = 4;
const MAX_DATA: usize = 240;

/// The frames that carry what the first failed check is about: those of the call that its pointer
/// names, by our own reading of the stream; else the last ones.
pub(super) fn evidence(
    turn: &CaseTurn,
    subject: Subject,
    setup: &DecodeSetup,
    permutation: &Permutation,
    checks: &[CheckResult],
) -> Evidence {
    let bytes = turn.response.bytes(permutation);
    let frames = frames(&bytes);
    let pointer = checks.iter().find(|c| c.outcome == CheckOutcome::Fail).and_then(|check| check.pointer.as_deref());
    let call = pointer.and_then(|p| p.strip_prefix("/calls/")?.split('/').next()?.parse::<usize>().ok());
    let of_call = match (call, subject) {
        (Some(call), Subject::Api(api)) => frames_of(call, &bytes, Decoder::new(api, setup.clone())),
        _ => Vec::new(),
    };
    let mut chosen: Vec<FrameExcerpt> = frames
        .iter()
        .filter(|f| of_call.iter().any(|(start, end)| f.start < *end && f.end > *start))
        .cloned()
        .collect();
    if chosen.is_empty() {
        chosen = frames.iter().skip(frames.len().saturating_sub(MAX_FRAMES)).cloned().collect();
    }
    chosen.truncate(MAX_FRAMES);
    Evidence {
        response: turn.response.file.clone(),
        cuts: turn.response.plan(permutation).cuts(&bytes),
        frames: chosen,
        ..Evidence::default()
    }
}

fn frames(bytes: &[u8]) -> Vec<FrameExcerpt> {
    let mut excerpts = Vec::new();
    let mut framer = Framer::new(Framing::Auto, Limits::DEFAULT);
    let mut sink = |piece: Piece<'_>| {
        if let Piece::Frame(frame) = piece {
            let text = String::from_utf8_lossy(frame.data);
            let mut data: String = text.chars().take(MAX_DATA).collect();
            if data.len() < text.len() {
                data.push('…');
            }
            let (number, event) = (frame.number, frame.event.to_owned());
            excerpts.push(FrameExcerpt { number, start: frame.span.start, end: frame.span.end, event, data });
        }
    };
    framer.push(bytes, &mut sink);
    framer.finish(&mut sink);
    excerpts
}

/// The byte ranges in which our own decoder learned something about a call.
fn frames_of(call: usize, bytes: &[u8], mut decoder: Decoder) -> Vec<(u64, u64)> {
    let mut ranges = Vec::new();
    let mut start = 0u64;
    for piece in ChunkPlan::Event.pieces(bytes) {
        let end = start + piece.len() as u64;
        let mut touched = false;
        decoder.push(piece, &mut |step| {
            let about = match step {
                Step::Opened { call, .. } | Step::Named { call, .. } | Step::Appended { call, .. } => Some(call),
                _ => None,
            };
            touched |= about == Some(call);
        });
        if touched {
            ranges.push((start, end));
        }
        start = end;
    }
    ranges
}
