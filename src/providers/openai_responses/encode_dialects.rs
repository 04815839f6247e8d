//! Servers that speak Responses: how their requests differ.
//!
//! Sources: the vendors' references, and the issues named at each row.

/// What a server takes in a request.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about a server")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// What it is called; the first is its name, the others stand for it as well.
    pub(super) names: &'static [&'static str],
    /// The path, from the host on.
    pub(super) path: &'static str,
    /// How strict schemas are asked for.
    pub(super) strict: StrictUse,
    /// `store` is taken.
    pub(super) store: bool,
    /// Responses are stored, and a request can go on from one.
    pub(super) previous: bool,
    /// `instructions` may stand beside `previous_response_id`. Where they may not, the stored ones hold on.
    pub(super) instructions_again: bool,
    /// Encrypted thinking is asked for with `include`, and goes back.
    pub(super) encrypted: bool,
    /// Item ids go back. The call's own id pairs it with its result; the item's is optional.
    pub(super) item_ids: bool,
    /// Custom tools, which take free text.
    pub(super) freeform: bool,
    /// Tools stand in namespaces, and may be left to a search (openai/openai-agents-js#1072).
    pub(super) namespaces: bool,
    /// The most tools that a request may hold.
    pub(super) max_tools: Option<usize>,
    /// `tool_choice` is read.
    pub(super) choice: bool,
    /// `tool_choice` may allow some of the tools.
    pub(super) allowed: bool,
    /// `max_output_tokens` is taken.
    pub(super) max_tokens: bool,
    /// `prompt_cache_retention` is taken.
    pub(super) retention: bool,
    /// `reasoning` is taken.
    pub(super) reasoning: bool,
}

/// How strict schemas are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrictUse {
    /// With `strict`; strict unless the caller says otherwise.
    Native,
    /// With `strict`; not strict unless the caller says so. An absent flag means "strict, if you can" at OpenAI
    /// (0xPlaygrounds/rig#2477), and whatever they like elsewhere.
    Taken,
    /// Not at all.
    Refused,
}

/// OpenAI itself.
const OPENAI: Dialect = Dialect {
    names: &["openai"],
    path: "/v1/responses",
    strict: StrictUse::Native,
    store: true,
    previous: true,
    instructions_again: true,
    encrypted: true,
    item_ids: true,
    freeform: true,
    namespaces: true,
    max_tools: None,
    choice: true,
    allowed: true,
    max_tokens: true,
    retention: true,
    reasoning: true,
};

/// What any other server takes: the specification of Open Responses, without what only OpenAI has.
const COMPATIBLE: Dialect = Dialect {
    names: &["open-responses"],
    strict: StrictUse::Taken,
    freeform: false,
    namespaces: false,
    retention: false,
    ..OPENAI
};

/// A server that keeps nothing.
const STATELESS: Dialect = Dialect { store: false, previous: false, ..COMPATIBLE };

const DIALECTS: &[Dialect] = &[
    OPENAI,
    COMPATIBLE,
    // The deployment's name is the model.
    Dialect { names: &["azure"], path: "/openai/v1/responses", retention: false, ..OPENAI },
    // Behind a ChatGPT account nothing may be stored, and a limit is refused (kortix-ai/suna#5124).
    Dialect {
        names: &["chatgpt", "codex"],
        path: "/backend-api/codex/responses",
        previous: false,
        max_tokens: false,
        retention: false,
        ..OPENAI
    },
    // `store: true` and `previous_response_id` are refused (openrouter.ai/docs, Responses, error handling).
    Dialect { names: &["openrouter"], path: "/api/v1/responses", store: true, ..STATELESS },
    // The system prompt and a stored response exclude each other (10-X-eng/vibecad#4); at most 128 tools (docs.x.ai).
    Dialect { names: &["xai"], instructions_again: false, allowed: false, max_tools: Some(128), ..COMPATIBLE },
    // `previous_response_id`, `store` and `include` are not supported (console.groq.com/docs/responses-api).
    Dialect { names: &["groq"], path: "/openai/v1/responses", encrypted: false, allowed: false, ..STATELESS },
    // Item ids change with every event (BerriAI/litellm#30071), and made-up ones are refused (bastani-inc/atomic#2204); at most
    // 128 tools (sst/opencode#4909).
    Dialect {
        names: &["copilot"],
        path: "/responses",
        item_ids: false,
        freeform: true,
        max_tools: Some(128),
        ..STATELESS
    },
    // Stateless (api-docs.deepseek.com/guides/responses_api).
    Dialect { names: &["deepseek"], strict: StrictUse::Refused, allowed: false, encrypted: false, ..STATELESS },
    // Stateless, and `tool_choice` is not read (docs.ollama.com/api/openai-compatibility).
    Dialect {
        names: &["ollama"],
        strict: StrictUse::Refused,
        encrypted: false,
        item_ids: false,
        choice: false,
        allowed: false,
        ..STATELESS
    },
    // Items of its streams have no ids (ggml-org/llama.cpp#20607).
    Dialect {
        names: &["llamacpp"],
        strict: StrictUse::Refused,
        encrypted: false,
        item_ids: false,
        allowed: false,
        ..STATELESS
    },
    Dialect { names: &["vllm"], strict: StrictUse::Taken, allowed: false, encrypted: false, ..COMPATIBLE },
    Dialect { names: &["lmstudio"], strict: StrictUse::Refused, allowed: false, encrypted: false, ..COMPATIBLE },
    Dialect { names: &["litellm"], ..COMPATIBLE },
];

/// The row of a dialect; without a name OpenAI itself.
pub(super) fn dialect(name: Option<&str>) -> Option<&'static Dialect> {
    match name {
        None => Some(&OPENAI),
        Some(name) => DIALECTS.iter().find(|dialect| dialect.names.contains(&name)),
    }
}

/// The names of all dialects.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().filter_map(|dialect| dialect.names.first().copied())
}

#[cfg(test)]
mod tests {
    use super::{DIALECTS, dialect};

    #[test]
    fn every_name_stands_for_one_row() {
        let names: Vec<&str> = DIALECTS.iter().flat_map(|dialect| dialect.names).copied().collect();
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| dialect(Some(name)).is_some_and(|row| row.names.contains(name))));
        assert!(DIALECTS.iter().all(|dialect| dialect.path.ends_with("/responses")));
        assert!(dialect(Some("nobody")).is_none());
    }
}
