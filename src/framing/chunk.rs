//! Chunk plans: where a response is cut into the pieces that a client reads.

use std::fmt;
use std::str::FromStr;

/// A way to cut a response.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ChunkPlan {
    /// Not at all.
    Whole,
    /// After each event, that is after each blank line.
    Event,
    /// After each line.
    Line,
    /// After each byte.
    Byte,
    /// At every place where careless clients break: inside a CRLF, between the line ends of a
    /// blank line, inside a UTF-8 sequence, a JSON escape or a number.
    Cut,
    /// At up to eight of those places, chosen by the seed.
    CutSeed(u64),
    /// At these byte offsets.
    Offsets(Vec<usize>),
    /// At random places, 1 to 64 bytes apart, chosen by the seed.
    Seed(u64),
}

/// How many pieces a seeded `cut` plan makes at most.
const CUT_PIECES: usize = 8;

impl ChunkPlan {
    /// Every way to cut `len` bytes in two.
    pub fn every_split(len: usize) -> impl Iterator<Item = Self> {
        (1..len).map(|at| Self::Offsets(vec![at]))
    }

    /// The offsets at which `bytes` are cut: ascending, distinct, strictly inside.
    pub fn cuts(&self, bytes: &[u8]) -> Vec<usize> {
        let inside = 1..bytes.len();
        match self {
            Self::Whole => Vec::new(),
            Self::Byte => inside.collect(),
            Self::Line => inside.filter(|&at| line_ends_before(bytes, at)).collect(),
            Self::Event => inside.filter(|&at| line_ends_before(bytes, at) && blank_line_before(bytes, at)).collect(),
            Self::Cut => nasty(bytes),
            Self::CutSeed(seed) => {
                let mut random = SplitMix(*seed);
                let mut places = nasty(bytes);
                // Draws without replacement by swapping the drawn ones to the front.
                let drawn = places.len().min(CUT_PIECES - 1);
                for i in 0..drawn {
                    let other = i + random.below(places.len() - i);
                    places.swap(i, other);
                }
                places.truncate(drawn);
                places.sort_unstable();
                places
            }
            Self::Offsets(offsets) => {
                let mut offsets: Vec<usize> = offsets.iter().copied().filter(|at| inside.contains(at)).collect();
                offsets.sort_unstable();
                offsets.dedup();
                offsets
            }
            Self::Seed(seed) => {
                let mut random = SplitMix(*seed);
                let steps = std::iter::repeat_with(|| 1 + random.below(64));
                steps
                    .scan(0, |at, step| {
                        *at += step;
                        Some(*at)
                    })
                    .take_while(|at| inside.contains(at))
                    .collect()
            }
        }
    }

    /// `bytes` in pieces; none is empty, and joined they are `bytes`.
    pub fn pieces<'b>(&self, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        let mut rest = bytes;
        let mut done = 0;
        let mut pieces = Vec::new();
        for at in self.cuts(bytes) {
            // Offsets are ascending and inside, so the split always exists.
            if let Some((piece, tail)) = rest.split_at_checked(at - done) {
                pieces.push(piece);
                rest = tail;
                done = at;
            }
        }
        if !rest.is_empty() {
            pieces.push(rest);
        }
        pieces
    }
}

/// A line ends right before `at`, and `at` is not inside a CRLF.
fn line_ends_before(bytes: &[u8], at: usize) -> bool {
    match at.checked_sub(1).and_then(|i| bytes.get(i)) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// The line that ends right before `at` is blank.
fn blank_line_before(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(..at).unwrap_or(bytes);
    let before = line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")).or_else(|| line.strip_suffix(b"\r"));
    before.is_some_and(|before| before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\r"))
}

/// The places of [`ChunkPlan::Cut`].
fn nasty(bytes: &[u8]) -> Vec<usize> {
    // Length of the JSON escape that began at the offset before, still to be passed.
    let mut escape = 0usize;
    let mut places = Vec::new();
    for (at, pair) in bytes.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        let inside_escape = if escape > 0 {
            escape -= 1;
            escape > 0
        } else if before == b'\\' {
            escape = if after == b'u' { 5 } else { 1 };
            true
        } else {
            false
        };
        let hit = inside_escape
            || matches!((before, after), (b'\r' | b'\n', b'\n' | b'\r'))
            || (0x80..0xc0).contains(&after)
            || (before.is_ascii_digit() && (after.is_ascii_digit() || matches!(after, b'.' | b'e' | b'E')));
        if hit {
            places.push(at + 1);
        }
    }
    places
}

/// A small, well-known generator (Steele, Lea, Flood 2014); the same seed gives the same plan on
/// every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        // The remainder is below `limit`, so it fits.
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }
}

/// A chunking that is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown chunking `{0}`; use whole, event, line, byte, cut, cut:SEED, at:OFFSET,… or seed:N")]
pub struct ChunkPlanError(String);

impl FromStr for ChunkPlan {
    type Err = ChunkPlanError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || ChunkPlanError(text.to_owned());
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        match (name, value) {
            ("whole", None) => Ok(Self::Whole),
            ("event", None) => Ok(Self::Event),
            ("line", None) => Ok(Self::Line),
            ("byte", None) => Ok(Self::Byte),
            ("cut", None) => Ok(Self::Cut),
            ("cut", Some(seed)) => seed.parse().map(Self::CutSeed).map_err(|_| unknown()),
            ("seed", Some(seed)) => seed.parse().map(Self::Seed).map_err(|_| unknown()),
            ("at", Some(offsets)) => {
                let offsets: Result<Vec<usize>, _> = offsets.split(',').map(str::parse).collect();
                offsets.map(Self::Offsets).map_err(|_| unknown())
            }
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for ChunkPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Event => f.write_str("event"),
            Self::Line => f.write_str("line"),
            Self::Byte => f.write_str("byte"),
            Self::Cut => f.write_str("cut"),
            Self::CutSeed(seed) => write!(f, "cut:{seed}"),
            Self::Seed(seed) => write!(f, "seed:{seed}"),
            Self::Offsets(offsets) => {
                f.write_str("at:")?;
                for (i, at) in offsets.iter().enumerate() {
                    write!(f, "{}{at}", if i == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ChunkPlan;

    #[test]
    fn plans_cut_where_they_say() {
        let bytes = "data: é1\\u00e9\r\n\r\ndata: b\n\n".as_bytes();
        let cut = |plan: &str| plan.parse::<ChunkPlan>().unwrap().cuts(bytes);
        assert_eq!(cut("whole"), Vec::<usize>::new());
        assert_eq!(cut("line"), [17, 19, 27]);
        assert_eq!(cut("event"), [19]);
        assert_eq!(cut("byte").len(), bytes.len() - 1);
        assert_eq!(cut("cut"), [7, 10, 11, 12, 13, 14, 16, 17, 18, 27]);
        assert_eq!(cut("at:9,3,3,0,99"), [3, 9]);
        assert_eq!(cut("seed:7"), cut("seed:7"));
    }

    #[test]
    fn pieces_join_to_the_whole_and_seeds_differ() {
        let bytes: Vec<u8> = (0..200u8).map(|i| b'0' + i % 10).collect();
        for plan in ["whole", "event", "line", "byte", "cut", "cut:3", "seed:1", "seed:2", "at:1,5,80"] {
            let plan: ChunkPlan = plan.parse().unwrap();
            assert_eq!(plan.pieces(&bytes).concat(), bytes, "{plan}");
            assert_eq!(plan.to_string().parse::<ChunkPlan>().unwrap(), plan);
        }
        assert_eq!(ChunkPlan::CutSeed(3).pieces(&bytes).len(), 8);
        assert_ne!(ChunkPlan::Seed(1).cuts(&bytes), ChunkPlan::Seed(2).cuts(&bytes));
        assert_eq!(ChunkPlan::every_split(4).map(|p| p.cuts(b"abcd")).collect::<Vec<_>>(), [[1], [2], [3]]);
        assert!(ChunkPlan::Byte.pieces(b"").is_empty());
    }

    #[test]
    fn unknown_plans_are_named() {
        for text in ["", "bytes", "cut:x", "at:", "seed", "whole:1"] {
            assert!(text.parse::<ChunkPlan>().unwrap_err().to_string().contains("use whole"), "{text}");
        }
    }
}
