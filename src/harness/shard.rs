//! A part of a run, for several machines.

use std::str::FromStr;

use crate::corpus::CaseId;

/// Which cases a shard holds. A case is never split: its permutations are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    rule: Rule,
    /// From 0.
    part: u64,
    parts: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// By a hash of the id: a new case moves no other.
    Hash,
    /// Every n-th case: parts of equal size.
    Slice,
}

/// Why a text is no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard; write hash:1/4 or slice:1/4, the first number from 1 to the second")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let read = || {
            let (rule, rest) = text.split_once(':')?;
            let (part, parts) = rest.split_once('/')?;
            let (part, parts): (u64, u64) = (part.parse().ok()?, parts.parse().ok()?);
            let rule = match rule {
                "hash" => Rule::Hash,
                "slice" => Rule::Slice,
                _ => return None,
            };
            (1..=parts).contains(&part).then(|| Self { rule, part: part - 1, parts })
        };
        read().ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rule = match self.rule {
            Rule::Hash => "hash",
            Rule::Slice => "slice",
        };
        write!(f, "{rule}:{}/{}", self.part + 1, self.parts)
    }
}

impl Shard {
    /// True if the shard holds the case, which is number `position` of the selection.
    pub fn holds(self, id: &CaseId, position: usize) -> bool {
        let number = match self.rule {
            Rule::Slice => position as u64,
            // FNV-1a: the same on every machine and in every version.
            Rule::Hash => id
                .as_str()
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        };
        number % self.parts == self.part
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;
    use crate::corpus::CaseId;

    #[test]
    fn shards_hold_every_case_once() {
        for rule in ["hash", "slice"] {
            let shards: Vec<Shard> = (1..=4).map(|part| format!("{rule}:{part}/4").parse().unwrap()).collect();
            for position in 0..200 {
                let id = CaseId::new(&format!("openai-chat/case-{position}")).unwrap();
                assert_eq!(shards.iter().filter(|shard| shard.holds(&id, position)).count(), 1);
            }
        }
        for bad in ["1/4", "hash:0/4", "hash:5/4", "slice:1", "round:1/2", "hash:1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
