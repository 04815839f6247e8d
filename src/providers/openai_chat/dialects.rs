//! Servers that speak Chat Completions: how their requests differ.
//!
//! Sources: the vendors' references and SDK types, the compat tables of pi and the AI SDK, and the issues named at each row.

use super::super::chat::request::{Dialect, Images, Parallel, Reasoning, ThinkingSwitch};
use super::super::outbound::gemini_subset::HANDED_ON;
use super::super::outbound::ids::IdRule;
use super::super::outbound::names::{NameRule, WORD_64};
use super::super::outbound::schema::SchemaRules;
use crate::model::Api;

/// OpenAI itself. Ids have at most 40 characters (camel-ai/camel#2215), tool messages take text only (openai-python
/// `ChatCompletionToolMessageParam`), `tools: []` is refused (vllm-project/vllm#39780), and so are
/// more than 128 (vishalmysore/Tools4AI#16).
const OPENAI: Dialect = Dialect {
    api: Api::OpenaiChat,
    names: &["openai"],
    path: "/v1/chat/completions",
    strict: true,
    freeform: true,
    empty_tools: false,
    tool_stream: false,
    max_tools: Some(128),
    tool_names: WORD_64,
    schemas: SchemaRules::JSON_SCHEMA,
    choice: true,
    required: Some("required"),
    named: true,
    forced_thinking: true,
    allowed: true,
    parallel: Parallel::Sent,
    store: true,
    developer: true,
    max_tokens: "max_completion_tokens",
    usage: true,
    thinking: ThinkingSwitch::None,
    ids: IdRule::Length(40),
    reasoning: Reasoning::Dropped,
    empty_content: None,
    result_name: false,
    trim_results: false,
    error_mark: "Error: ",
    empty_result: "",
    images: Images::Behind,
    between: None,
    prefix: false,
    markers: false,
};

/// What any other server takes: nothing that only OpenAI has, and ids as they are.
const COMPATIBLE: Dialect = Dialect {
    freeform: false,
    max_tools: None,
    allowed: false,
    store: false,
    developer: false,
    ids: IdRule::Any,
    ..OPENAI
};

const REASONING_CONTENT: Reasoning = Reasoning::Field("reasoning_content");
const REASONING: Reasoning = Reasoning::Field("reasoning");

const DIALECTS: &[Dialect] = &[
    OPENAI,
    Dialect { names: &["azure"], path: "/openai/v1/chat/completions", ..OPENAI },
    // GPT models behind it hold to OpenAI's limit (BerriAI/litellm#17343).
    Dialect {
        names: &["copilot"],
        path: "/chat/completions",
        max_tools: Some(128),
        developer: true,
        ids: IdRule::Length(40),
        ..COMPATIBLE
    },
    // Thinking has to come back, empty where there was none (earendil-works/pi#3636); `strict` is for `/beta` only, and text is all
    // that messages hold (yilewang/llm-for-zotero#143).
    Dialect {
        names: &["deepseek"],
        path: "/chat/completions",
        strict: false,
        max_tokens: "max_tokens",
        thinking: ThinkingSwitch::Type,
        reasoning: Reasoning::Required { field: "reasoning_content", calls_only: false },
        images: Images::Nowhere,
        ..COMPATIBLE
    },
    // Bounds of strings and arrays are refused (`OpenClaw` `src/plugin-sdk/provider-tools`).
    Dialect {
        names: &["xai"],
        max_tools: Some(128),
        schemas: SchemaRules {
            refused: &["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"],
            ..SchemaRules::JSON_SCHEMA
        },
        ..COMPATIBLE
    },
    Dialect {
        names: &["groq"],
        path: "/openai/v1/chat/completions",
        max_tools: Some(128),
        developer: true,
        reasoning: REASONING,
        ..COMPATIBLE
    },
    // Opaque parts of the reasoning go back unchanged; models of Anthropic take cache markers, and want `tools` beside calls.
    Dialect {
        names: &["openrouter"],
        path: "/api/v1/chat/completions",
        store: true,
        developer: true,
        reasoning: Reasoning::Details,
        empty_tools: true,
        markers: true,
        ..COMPATIBLE
    },
    // Thinking has to come back on messages with calls (mastra-ai/mastra#12592); `required` is refused, and any forced call while
    // it thinks (simstudioai/sim#5716). Ids are `functions.NAME:N`, and the model reads them. A type beside `anyOf` belongs into
    // its branches (AI SDK, `@ai-sdk/moonshotai`).
    Dialect {
        names: &["moonshot", "kimi"],
        strict: false,
        required: None,
        forced_thinking: false,
        max_tokens: "max_tokens",
        schemas: SchemaRules { types_in_branches: true, ..SchemaRules::JSON_SCHEMA },
        thinking: ThinkingSwitch::Type,
        reasoning: Reasoning::Required { field: "reasoning_content", calls_only: true },
        ..COMPATIBLE
    },
    Dialect {
        names: &["dashscope", "qwen"],
        path: "/compatible-mode/v1/chat/completions",
        strict: false,
        max_tokens: "max_tokens",
        thinking: ThinkingSwitch::Flag("enable_thinking"),
        reasoning: REASONING_CONTENT,
        ..COMPATIBLE
    },
    // Arguments stream only on request; a named tool hangs (runlore#391).
    Dialect {
        names: &["zai", "glm"],
        path: "/api/paas/v4/chat/completions",
        named: false,
        tool_stream: true,
        thinking: ThinkingSwitch::Type,
        reasoning: REASONING_CONTENT,
        ..COMPATIBLE
    },
    // The assistant's message goes back whole, `<think>` included (platform.minimax.io, text-openai-api).
    Dialect { names: &["minimax"], strict: false, reasoning: Reasoning::Tag, ..COMPATIBLE },
    Dialect {
        names: &["together"],
        strict: false,
        parallel: Parallel::Unknown,
        max_tokens: "max_tokens",
        ..COMPATIBLE
    },
    Dialect { names: &["fireworks"], path: "/inference/v1/chat/completions", ..COMPATIBLE },
    // `parallel_tool_calls: false` is refused by some models (agno-agi/agno#4508), and `content: null` in a conversation.
    Dialect {
        names: &["cerebras"],
        parallel: Parallel::OnlyTrue,
        reasoning: REASONING,
        empty_content: Some(""),
        ..COMPATIBLE
    },
    Dialect { names: &["vllm"], reasoning: REASONING, ..COMPATIBLE },
    Dialect { names: &["sglang"], reasoning: REASONING_CONTENT, ..COMPATIBLE },
    Dialect { names: &["llamacpp"], strict: false, reasoning: REASONING_CONTENT, ..COMPATIBLE },
    Dialect { names: &["lmstudio"], strict: false, named: false, reasoning: REASONING_CONTENT, ..COMPATIBLE },
    // `tool_choice` and `strict` are not read (ollama/ollama `docs/api/openai-compatibility`).
    Dialect {
        names: &["ollama"],
        strict: false,
        choice: false,
        required: None,
        named: false,
        max_tokens: "max_tokens",
        reasoning: REASONING,
        ..COMPATIBLE
    },
    // Unknown fields are refused (openhanako#394), and calls without their signature (THU-MAIC/OpenMAIC#1556).
    Dialect {
        names: &["gemini"],
        path: "/v1beta/openai/chat/completions",
        strict: false,
        tool_names: NameRule { any_first: false, ..WORD_64 },
        schemas: SchemaRules { gemini: Some(&HANDED_ON), ..SchemaRules::JSON_SCHEMA },
        reasoning: Reasoning::CallSignatures,
        ..COMPATIBLE
    },
    Dialect { names: &["litellm"], empty_tools: true, ..COMPATIBLE },
    Dialect { names: &["cloudflare"], strict: false, ..COMPATIBLE },
];

/// The row of a dialect; without a name OpenAI itself.
pub(super) fn dialect(name: Option<&str>) -> Option<&'static Dialect> {
    match name {
        None => DIALECTS.first(),
        Some(name) => DIALECTS.iter().find(|row| row.names.contains(&name)),
    }
}

/// All names, in order.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().flat_map(|row| row.names).copied()
}
