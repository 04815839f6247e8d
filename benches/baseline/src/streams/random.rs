//! A small, well-known generator (Steele, Lea, Flood 2014).

/// Numbers that only look random.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// One of `items`.
    pub(super) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        let at = self.below(items.len() as u64);
        usize::try_from(at).ok().and_then(|at| items.get(at)).copied().unwrap_or("")
    }

    /// What providers put behind the prefix of an id.
    pub(super) fn id(&mut self) -> String {
        format!("{:016x}{:08x}", self.next(), self.below(1 << 32))
    }
}
