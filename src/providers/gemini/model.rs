//! What a model's name says about the requests that it takes.

use super::super::outbound::ids::IdRule;

/// A model behind Gemini's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts about a model, each on its own")]
pub(super) struct Model {
    /// Calls and results carry ids. Models from Gemini 3 on give ids and answer nothing without them
    /// (BerriAI/litellm#34603); older ones never gave any, and older servers refuse the field (vercel/ai#15891). Models of
    /// other vendors need them.
    pub(super) ids: bool,
    /// A call may have none: pairs are told by order and name as well.
    pub(super) optional_ids: bool,
    /// Which ids it takes.
    pub(super) id_rule: IdRule,
    /// Images of a result stand in it (`functionResponse.parts`, from Gemini 3 on), and not behind it.
    pub(super) images_in_results: bool,
    /// The first call of each turn has to have a thought signature (from Gemini 3 on).
    pub(super) signatures: bool,
    /// Its thinking can be asked for and switched.
    pub(super) thinking: Thinking,
}

/// What can be said about a model's thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thinking {
    /// Nothing: `thinkingConfig` is refused.
    Unknown,
    /// It can be shown.
    Shown,
    /// It can be shown, and switched off by a budget of nothing.
    Budgeted,
}

/// What goes in the place of a signature for a call that Gemini did not make: the documented word
/// (ai.google.dev, thought signatures).
pub(in super::super) const PLACEHOLDER: &str = "skip_thought_signature_validator";

/// True for models that sign their calls and want the signature back.
pub(in super::super) fn signs_calls(model: &str) -> bool {
    Model::of(model).signatures
}

/// Vendors whose models take ids of word characters alone.
const WORDS: &[&str] = &["claude-", "gpt-oss-"];

impl Model {
    /// The model called `name`, which may be the name of a resource.
    pub(super) fn of(name: &str) -> Self {
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let generation = generation(&name);
        let new = generation.is_none_or(|generation| generation >= 30);
        Self {
            ids: new,
            optional_ids: generation.is_some(),
            id_rule: if WORDS.iter().any(|prefix| name.starts_with(prefix)) { IdRule::Word(64) } else { IdRule::Any },
            images_in_results: new,
            signatures: generation.is_some_and(|generation| generation >= 30),
            thinking: match generation {
                Some(25) if !name.contains("pro") => Thinking::Budgeted,
                None | Some(25..) => Thinking::Shown,
                Some(_) => Thinking::Unknown,
            },
        }
    }
}

/// Ten times the generation of a model of Google: 25 for `gemini-2.5-pro`. One that names none, such as
/// `gemini-flash-latest`, is of the newest. `None` for other vendors' models.
fn generation(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("gemini-")?;
    let number = rest.split('-').find_map(|part| {
        let (whole, tenth) = part.split_once('.').unwrap_or((part, "0"));
        let (whole, tenth): (u32, u32) = (whole.parse().ok()?, tenth.parse().ok()?);
        // `001` and `1206` are versions and dates.
        (whole > 0 && whole < 100 && tenth < 10 && !part.starts_with('0')).then_some(whole * 10 + tenth)
    });
    Some(number.unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Model, Thinking};
    use crate::providers::outbound::ids::IdRule;

    #[test]
    fn names_tell_the_generation() {
        for (name, ids, signatures, thinking) in [
            ("gemini-1.5-pro-002", false, false, Thinking::Unknown),
            ("models/gemini-2.0-flash-001", false, false, Thinking::Unknown),
            ("gemini-2.5-pro", false, false, Thinking::Shown),
            ("gemini-2.5-flash-preview-09-2025", false, false, Thinking::Budgeted),
            ("gemini-live-2.5-flash", false, false, Thinking::Budgeted),
            ("gemini-3-pro-preview", true, true, Thinking::Shown),
            ("Gemini-3.7-flash", true, true, Thinking::Shown),
            ("gemini-flash-latest", true, true, Thinking::Shown),
            ("claude-sonnet-5", true, false, Thinking::Shown),
            ("m", true, false, Thinking::Shown),
        ] {
            let model = Model::of(name);
            assert_eq!((model.ids, model.signatures, model.thinking), (ids, signatures, thinking), "{name}");
        }
        assert_eq!(Model::of("publishers/anthropic/models/claude-opus-5").id_rule, IdRule::Word(64));
    }
}
