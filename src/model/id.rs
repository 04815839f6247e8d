//! Call ids: which are usable, and what replaces the others.

use std::collections::HashSet;

/// The id if a result can be addressed to it. Empty and blank ids and the text `null` (what Mistral's
/// Python types turn a missing id into) count as missing.
pub fn usable_id(id: &str) -> Option<&str> {
    (!id.trim().is_empty() && id != "null").then_some(id)
}

/// Makes ids for the calls of one choice of one turn.
///
/// An id is a hash of (turn, choice, position): nine characters of `[A-Za-z0-9]`, which is what
/// Mistral demands and everyone else takes. Equal inputs give equal ids; a collision with an id
/// of the turn is hashed again.
#[derive(Debug)]
pub struct GeneratedIds {
    turn: u32,
    choice: u32,
}

const LENGTH: usize = 9;
const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

impl GeneratedIds {
    /// Ids for one choice of one turn; both count from 0.
    pub fn new(turn: u32, choice: u32) -> Self {
        Self { turn, choice }
    }

    /// An id for the call at `position` that is not in `taken`, and is put there.
    pub fn make(&self, position: usize, taken: &mut HashSet<String>) -> String {
        for attempt in 0u32.. {
            let id = self.hash(position, attempt);
            if taken.insert(id.clone()) {
                return id;
            }
        }
        // Not reached: a turn would have to hold four billion calls.
        String::new()
    }

    fn hash(&self, position: usize, attempt: u32) -> String {
        // FNV-1a (Fowler, Noll, Vo), finished by the mixer of SplitMix64 so that near inputs differ.
        let words = [u64::from(self.turn), u64::from(self.choice), position as u64, u64::from(attempt)];
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^= hash >> 31;
        (0..LENGTH)
            .map(|_| {
                let at = usize::try_from(hash % 62).unwrap_or(0);
                hash /= 62;
                char::from(ALPHABET.get(at).copied().unwrap_or(b'A'))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{GeneratedIds, usable_id};

    #[test]
    fn ids_are_nine_characters_stable_and_distinct() {
        let mut taken = HashSet::new();
        for turn in 0..8 {
            for choice in 0..4 {
                for position in 0..32 {
                    let id = GeneratedIds::new(turn, choice).make(position, &mut taken);
                    assert!(id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()), "{id}");
                }
            }
        }
        assert_eq!(taken.len(), 8 * 4 * 32);
        let fresh = |position| GeneratedIds::new(0, 0).make(position, &mut HashSet::new());
        assert_eq!(fresh(0), fresh(0));
        let again = GeneratedIds::new(0, 0).make(0, &mut taken);
        assert_ne!(again, fresh(0), "a taken id is hashed again");
    }

    #[test]
    fn unusable_ids_count_as_missing() {
        assert_eq!(usable_id("call_1"), Some("call_1"));
        for id in ["", " ", "null"] {
            assert_eq!(usable_id(id), None, "{id:?}");
        }
    }
}
