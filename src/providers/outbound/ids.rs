//! Ids of calls, legal at the provider and one to one.
//!
//! A legal id stays, and so does any id that the same model gave. Others are rewritten, always with a hash of the
//! whole id: to cut or to replace alone makes two ids equal (HKUDS/nanobot#4356, fawney19/Aether#829), and a hash only
//! on collision would change an id when a later message brings the other one.

use std::collections::{HashMap, HashSet};

use crate::model::{GeneratedIds, usable_id};

/// Which ids a provider takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum IdRule {
    /// Any that is not empty.
    Any,
    /// Any of at most so many characters (`OpenAI`: 40 in chat, camel-ai/camel#2215).
    Length(usize),
    /// As [`Length`](Self::Length), and of `call_id|item_id` the first half, whoever gave it (Responses, where a call's
    /// item has an id of its own).
    Paired(usize),
    /// `^[A-Za-z0-9_-]+$`, of at most so many characters (Anthropic).
    Word(usize),
    /// Exactly nine of `[A-Za-z0-9]` (Mistral, error 3280: anomalyco/opencode#1680).
    Nine,
}

/// A call whose id is wanted.
#[derive(Debug, Clone, Copy)]
pub(in crate::providers) struct CallId<'r> {
    /// The id as it came.
    pub(in crate::providers) id: &'r str,
    /// The same model gave it: it stays whatever it is.
    pub(in crate::providers) own: bool,
    /// Position of the message in the request.
    pub(in crate::providers) message: usize,
    /// Position among the calls of the message.
    pub(in crate::providers) position: usize,
}

/// The wire ids of calls, in their order. Equal conversations give equal ids, and a longer one the same ids for the
/// part that it shares.
pub(in crate::providers) fn assign<'r>(rule: IdRule, calls: &[CallId<'r>]) -> Vec<String> {
    // Ids that stay are taken before any is made up; of two calls with one id the first has it.
    let mut taken: HashSet<String> = HashSet::new();
    let stays: Vec<bool> = calls
        .iter()
        .map(|call| {
            let own = call.own && !rule.splits(call.id);
            let keep = usable_id(call.id).is_some() && (own || rule.takes(call.id));
            keep && (taken.insert(call.id.to_owned()) || own)
        })
        .collect();
    // How often an id was rewritten: the next one is another.
    let mut attempts: HashMap<&str, u32> = HashMap::new();
    let assign = |(call, stays): (&CallId<'r>, bool)| {
        if stays {
            return call.id.to_owned();
        }
        if usable_id(call.id).is_none() {
            let turn = u32::try_from(call.message).unwrap_or(u32::MAX);
            return GeneratedIds::new(turn, 0).make(call.position, &mut taken);
        }
        let attempt = attempts.entry(call.id).or_default();
        loop {
            let id = rule.rewrite(call.id, *attempt);
            *attempt += 1;
            if taken.insert(id.clone()) {
                return id;
            }
        }
    };
    calls.iter().zip(stays).map(assign).collect()
}

impl IdRule {
    /// True if the provider takes the id as it is.
    pub(in crate::providers) fn takes(self, id: &str) -> bool {
        match self {
            Self::Any => !id.is_empty(),
            Self::Length(max) => !id.is_empty() && id.chars().count() <= max,
            Self::Paired(max) => Self::Length(max).takes(id) && !self.splits(id),
            Self::Word(max) => (1..=max).contains(&id.len()) && id.bytes().all(is_word),
            Self::Nine => id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()),
        }
    }

    /// True if the id is two in one, and the rule wants one.
    fn splits(self, id: &str) -> bool {
        matches!(self, Self::Paired(_)) && id.contains('|')
    }

    /// A legal id in the place of `id`; another one for each attempt.
    fn rewrite(self, id: &str, attempt: u32) -> String {
        match self {
            Self::Any => format!("{id}_{}", hash(id, attempt)),
            Self::Length(max) | Self::Paired(max) => {
                // Two ids in one (`call_id|item_id`): the first is the one that pairs call and result.
                if let Some((call, _)) = id.split_once('|')
                    && attempt == 0
                    && self.takes(call)
                {
                    return call.to_owned();
                }
                let first = if self.splits(id) { id.split('|').next().unwrap_or(id) } else { id };
                let head: String = first.chars().take(max.saturating_sub(HASH + 1)).collect();
                format!("{head}_{}", hash(id, attempt))
            }
            Self::Word(max) => {
                let head: String = id.chars().map(|c| if c.is_ascii() && is_word(c as u8) { c } else { '_' }).collect();
                let head = head.get(..max.saturating_sub(HASH + 1)).unwrap_or(&head);
                format!("{head}_{}", hash(id, attempt))
            }
            Self::Nine => nine(id, attempt),
        }
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// Characters of [`hash`].
const HASH: usize = 8;

/// Eight letters and digits that depend on every character of `text`.
pub(super) fn hash(text: &str, attempt: u32) -> String {
    let seed = if attempt == 0 { text.to_owned() } else { format!("{text}:{attempt}") };
    let digits = short_hash(&seed);
    // Two words in base 36 make more than eight digits, but for a handful of values.
    let digits = format!("{digits:0<8}");
    digits.get(..HASH).unwrap_or(&digits).to_owned()
}

/// Mistral's nine characters: those of the id if nine letters and digits are in it, else a hash of them.
fn nine(id: &str, attempt: u32) -> String {
    let plain: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    if attempt == 0 && plain.len() == 9 {
        return plain;
    }
    let seed = if plain.is_empty() { id } else { plain.as_str() };
    let hashed = if attempt == 0 { short_hash(seed) } else { short_hash(&format!("{seed}:{attempt}")) };
    let padded = format!("{hashed:0<9}");
    padded.get(..9).unwrap_or(&padded).to_owned()
}

/// A 64-bit hash of the UTF-16 units as two words in base 36, after bryc's cyrb53: what `OpenClaw` and pi make
/// Mistral's ids with.
fn short_hash(text: &str) -> String {
    let (mut h1, mut h2) = (0xdead_beef_u32, 0x41c6_ce57_u32);
    for unit in text.encode_utf16() {
        h1 = (h1 ^ u32::from(unit)).wrapping_mul(2_654_435_761);
        h2 = (h2 ^ u32::from(unit)).wrapping_mul(1_597_334_677);
    }
    h1 = (h1 ^ (h1 >> 16)).wrapping_mul(2_246_822_507) ^ (h2 ^ (h2 >> 13)).wrapping_mul(3_266_489_909);
    h2 = (h2 ^ (h2 >> 16)).wrapping_mul(2_246_822_507) ^ (h1 ^ (h1 >> 13)).wrapping_mul(3_266_489_909);
    base36(h2) + &base36(h1)
}

fn base36(mut n: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(n % 36, 36).unwrap_or('0'));
        n /= 36;
        if n == 0 {
            break;
        }
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::{CallId, IdRule, assign, nine};

    fn ids(rule: IdRule, ids: &[&str]) -> Vec<String> {
        let calls: Vec<CallId<'_>> =
            ids.iter().enumerate().map(|(position, id)| CallId { id, own: false, message: 1, position }).collect();
        assign(rule, &calls)
    }

    #[test]
    fn mistral_ids_are_those_of_the_reference() {
        for (id, wire) in [
            ("call_abc123", "9k918q7jl"),
            ("abc-def-ghi", "abcdefghi"),
            ("", "k4n83c7h0"),
            ("call_123|fc_456", "1h618ir1b"),
            ("toolcall:0", "toolcall0"),
        ] {
            assert_eq!(nine(id, 0), wire, "{id}");
        }
    }

    #[test]
    fn distinct_ids_stay_distinct_and_legal_ones_stay() {
        let given = ["abc-def-ghi", "abcdefghi", "a.b", "a_b", "call_abcdefgh1", "call_abcdefgh2", "é", "a|b"];
        for rule in
            [IdRule::Any, IdRule::Length(5), IdRule::Length(40), IdRule::Word(64), IdRule::Word(12), IdRule::Nine]
        {
            let wire = ids(rule, &given);
            for (id, wire) in given.iter().zip(&wire) {
                assert!(rule.takes(wire) || rule == IdRule::Length(5), "{rule:?} {id} {wire}");
                assert!(!rule.takes(id) || id == wire, "{rule:?} {id} {wire}");
            }
            let distinct: std::collections::HashSet<_> = wire.iter().collect();
            assert_eq!(distinct.len(), given.len(), "{rule:?} {wire:?}");
        }
    }

    #[test]
    fn two_ids_in_one_are_told_apart_whoever_gave_them() {
        let long = format!("call_{}|fc_{}", "a".repeat(24), "b".repeat(48));
        let wire = ids(IdRule::Paired(64), &[&long, "call_b|fc_1", "call_b|fc_2", "call_c"]);
        assert_eq!(wire.first(), Some(&format!("call_{}", "a".repeat(24))));
        assert_eq!(wire.get(1).map(String::as_str), Some("call_b"));
        assert!(wire.iter().all(|id| IdRule::Paired(64).takes(id)), "{wire:?}");
        assert_eq!(wire.iter().collect::<std::collections::HashSet<_>>().len(), 4);
        let own = CallId { id: "call_d|fc_3", own: true, message: 1, position: 0 };
        assert_eq!(assign(IdRule::Paired(64), &[own]), ["call_d"]);
        assert_eq!(assign(IdRule::Length(64), &[own]), ["call_d|fc_3"]);
    }

    #[test]
    fn a_longer_conversation_gives_the_same_ids() {
        let (short, long) = (["f:0", "f.0", ""], ["f:0", "f.0", "", "f_0", "f:0", "f_0"]);
        for rule in [IdRule::Any, IdRule::Word(64), IdRule::Nine, IdRule::Length(40)] {
            assert_eq!(ids(rule, &short), ids(rule, &long)[..3], "{rule:?}");
        }
    }

    #[test]
    fn an_id_used_twice_is_another_one_the_second_time_unless_the_model_made_it() {
        let wire = ids(IdRule::Word(64), &["call_a", "call_a"]);
        assert_eq!(wire.first().map(String::as_str), Some("call_a"));
        assert_ne!(wire.first(), wire.last());
        let own = CallId { id: "functions.f:0", own: true, message: 1, position: 0 };
        assert_eq!(assign(IdRule::Word(64), &[own, own]), ["functions.f:0", "functions.f:0"]);
    }
}
