//! Tool names on the wire, one to one with the caller's.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::encoder::{RefusalKind, Refused};
use super::adjustments::Adjustments;
use super::ids::hash;

/// Which names a provider takes.
#[derive(Debug, Clone, Copy)]
pub(in crate::providers) struct NameRule {
    /// Characters besides letters, digits and `_`.
    pub(in crate::providers) extra: &'static str,
    /// A digit or one of `extra` may stand first.
    pub(in crate::providers) any_first: bool,
    /// At most so many characters.
    pub(in crate::providers) max: usize,
    /// Names that take this casing whatever theirs is.
    pub(in crate::providers) casing: &'static [&'static str],
}

/// The rule of Anthropic, OpenAI and Mistral: `^[a-zA-Z0-9_-]{1,64}$`.
pub(in crate::providers) const WORD_64: NameRule = NameRule { extra: "-", any_first: true, max: 64, casing: &[] };

/// What a call without a name is called in a replay.
pub(in crate::providers) const UNNAMED: &str = "unknown_tool";

/// Tool names and their wire names.
#[derive(Debug)]
pub(in crate::providers) struct Names {
    rule: NameRule,
    wire: HashMap<String, String>,
    /// Wire names and whose they are.
    taken: HashMap<String, String>,
    /// Those that differ, in order: (wire, original).
    changed: Vec<(String, String)>,
}

impl Names {
    /// The wire names of tools that go out, each given once, in any order.
    pub(in crate::providers) fn declare<'r>(
        rule: NameRule,
        tools: impl Iterator<Item = &'r str> + Clone,
        adjustments: &mut Adjustments,
    ) -> Result<Self, Refused> {
        let mut names = Self { rule, wire: HashMap::new(), taken: HashMap::new(), changed: Vec::new() };
        // Names that are legal have theirs before any is made up.
        let (legal, illegal): (Vec<&str>, Vec<&str>) = tools.partition(|name| rule.takes(name));
        for name in legal {
            let wire = rule.cased(name);
            if let Some(other) = names.taken.get(wire) {
                let (a, b) = if other.as_str() < name { (other.as_str(), name) } else { (name, other.as_str()) };
                return Err(Refused::new(
                    RefusalKind::NameCollision,
                    format!("tools `{a}` and `{b}` are both called `{wire}` on the wire"),
                ));
            }
            names.put(name, wire.to_owned());
        }
        let mut illegal = illegal;
        illegal.sort_unstable();
        let mut claims: HashMap<String, usize> = HashMap::new();
        for name in &illegal {
            *claims.entry(rule.replace(name)).or_default() += 1;
        }
        for name in illegal {
            let plain = rule.replace(name);
            let alone = claims.get(&plain) == Some(&1) && !rule.cuts(name);
            names.make_up(name, alone);
            if let Some(wire) = names.wire.get(name) {
                let message = format!("tool `{name}` is called `{wire}` on the wire");
                adjustments.named("name-rewritten", message, name);
            }
        }
        Ok(names)
    }

    /// Learns a name of the conversation that no tool has.
    pub(in crate::providers) fn replay(&mut self, name: &str) {
        let name = if name.is_empty() { UNNAMED } else { name };
        if self.wire.contains_key(name) {
            return;
        }
        let wire = self.rule.cased(name);
        // A call that was never mapped back has the wire name already.
        let cased = self.rule.casing.contains(&wire);
        if self.rule.takes(name) && (cased || !self.taken.contains_key(wire)) {
            let wire = wire.to_owned();
            self.wire.insert(name.to_owned(), wire.clone());
            self.taken.entry(wire).or_insert_with(|| name.to_owned());
        } else {
            self.make_up(name, true);
        }
    }

    /// The wire name of a tool that was declared or replayed.
    pub(in crate::providers) fn wire<'n>(&'n self, name: &'n str) -> &'n str {
        let name = if name.is_empty() { UNNAMED } else { name };
        self.wire.get(name).map_or(name, String::as_str)
    }

    /// The names that differ: (wire, original), in the order of wire names.
    pub(in crate::providers) fn changed(mut self) -> Vec<(String, String)> {
        self.changed.sort_unstable_by(|(a, _), (b, _)| super::sort::utf16(a, b));
        self.changed
    }

    fn put(&mut self, name: &str, wire: String) {
        if wire != name {
            self.changed.push((wire.clone(), name.to_owned()));
        }
        self.taken.insert(wire.clone(), name.to_owned());
        self.wire.insert(name.to_owned(), wire);
    }

    /// Gives an illegal name a legal one, with a hash unless the replaced characters are enough.
    fn make_up(&mut self, name: &str, plain: bool) {
        let replaced = self.rule.replace(name);
        if plain && !self.rule.cuts(name) && !self.taken.contains_key(&replaced) {
            return self.put(name, replaced);
        }
        for attempt in 0.. {
            let hashed = hash(name, attempt);
            let head: String = replaced.chars().take(self.rule.max.saturating_sub(hashed.len() + 1)).collect();
            let wire = format!("{head}_{hashed}");
            if !self.taken.contains_key(&wire) {
                return self.put(name, wire);
            }
        }
    }
}

impl NameRule {
    /// True if the provider takes the name as it is.
    pub(in crate::providers) fn takes(&self, name: &str) -> bool {
        !name.is_empty() && name.len() <= self.max && name.chars().enumerate().all(|(at, c)| self.allows(at, c))
    }

    fn allows(&self, at: usize, c: char) -> bool {
        c.is_ascii_alphabetic()
            || c == '_'
            || ((at > 0 || self.any_first) && (c.is_ascii_digit() || self.extra.contains(c)))
    }

    fn cuts(&self, name: &str) -> bool {
        self.replace(name).len() > self.max
    }

    /// The name with `_` for what may not stand; may still be too long.
    fn replace(&self, name: &str) -> String {
        let mut out: String = name.chars().map(|c| if self.allows(1, c) { c } else { '_' }).collect();
        if !out.chars().next().is_some_and(|c| self.allows(0, c)) {
            out.insert(0, '_');
        }
        out
    }

    fn cased<'n>(&self, name: &'n str) -> &'n str {
        self.casing.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
    }
}

/// The first name that stands twice.
pub(in crate::providers) fn duplicate<'r>(names: impl Iterator<Item = &'r str>) -> Option<Cow<'r, str>> {
    let mut seen = HashSet::new();
    names.into_iter().find(|name| !seen.insert(*name)).map(Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::{NameRule, Names, UNNAMED, WORD_64};
    use crate::providers::outbound::adjustments::Adjustments;

    fn declare(rule: NameRule, tools: &[&str]) -> Result<Names, String> {
        Names::declare(rule, tools.iter().copied(), &mut Adjustments::default()).map_err(|refused| refused.message)
    }

    #[test]
    fn legal_names_stay_and_others_are_mapped_one_to_one() {
        let long = |end: &str| format!("mcp_server_with_a_really_long_name_for_testing__operation_number_{end}");
        let (one, two) = (long("one"), long("two"));
        let tools = ["docs/read file", "a.b", "a/b", "a_b", "é", "3d", &one, &two];
        let names = declare(WORD_64, &tools).unwrap();
        assert_eq!(names.wire("docs/read file"), "docs_read_file");
        assert_eq!(names.wire("a_b"), "a_b");
        let wire: std::collections::HashSet<_> = tools.iter().map(|tool| names.wire(tool)).collect();
        assert_eq!(wire.len(), tools.len());
        assert!(wire.iter().all(|name| WORD_64.takes(name)));
        let mut reversed = tools;
        reversed.reverse();
        let again = declare(WORD_64, &reversed).unwrap();
        assert!(tools.iter().all(|tool| names.wire(tool) == again.wire(tool)));
        assert!(names.changed().iter().any(|(wire, name)| wire == "docs_read_file" && name == "docs/read file"));
    }

    #[test]
    fn a_first_character_of_its_own_rule_gets_a_prefix() {
        let rule = NameRule { extra: "-.", any_first: false, max: 64, casing: &[] };
        assert_eq!(declare(rule, &["3d_print"]).unwrap().wire("3d_print"), "_3d_print");
    }

    #[test]
    fn casing_folds_and_two_that_fold_alike_are_refused() {
        let rule = NameRule { casing: &["Bash", "TodoWrite"], ..WORD_64 };
        let names = declare(rule, &["bash", "todowrite", "find"]).unwrap();
        assert_eq!((names.wire("bash"), names.wire("todowrite"), names.wire("find")), ("Bash", "TodoWrite", "find"));
        assert_eq!(
            declare(rule, &["bash", "BASH"]).unwrap_err(),
            "tools `BASH` and `bash` are both called `Bash` on the wire"
        );
    }

    #[test]
    fn names_of_the_conversation_do_not_take_those_of_tools() {
        let mut names = declare(WORD_64, &["docs/read"]).unwrap();
        for name in ["docs_read", "", "gone"] {
            names.replay(name);
        }
        assert_eq!((names.wire("docs/read"), names.wire(""), names.wire("gone")), ("docs_read", UNNAMED, "gone"));
        assert!(names.wire("docs_read").starts_with("docs_read_"));
    }
}
