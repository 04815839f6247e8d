//! The rules of Chat Completions: requests, first OpenAI's own, then those of single servers.

mod dialects;
mod messages;
mod tools;

use super::super::rule::{About, Rule, Severity::Error, Severity::Warning};

/// The rules, in the order of their ids.
pub(in super::super) static RULES: &[Rule] = &[
    Rule::request(
        "OAI-C-001",
        Error,
        About::Tools,
        [
            "names of tools are 1 to 64 letters, digits, `_` or `-`, in `tools`, `tool_choice` and calls",
            "rename the tool on the wire and map the name back",
            "openai-python 3.57",
        ],
        tools::names,
    )
    .first_party(),
    Rule::request(
        "OAI-C-002",
        Error,
        About::Tools,
        ["`tools`, if sent, holds 1 to 128 tools", "leave an empty list out; send fewer tools", "vllm-project/vllm#39780, vishalmysore/Tools4AI#16"],
        tools::number,
    )
    .first_party(),
    Rule::request(
        "OAI-C-003",
        Warning,
        About::Tools,
        ["a tool's description has at most 1024 characters", "shorten it", "getsentry/sentry-mcp#106"],
        tools::descriptions,
    ),
    Rule::request(
        "OAI-C-004",
        Error,
        About::Schema,
        [
            "`parameters`, if sent, is a schema of type object without oneOf, anyOf, allOf, enum or not at its root",
            "flatten the alternatives into one object",
            "cecli-dev/cecli#281",
        ],
        tools::parameters,
    )
    .first_party(),
    Rule::request(
        "OAI-C-005",
        Error,
        About::Schema,
        [
            "in a strict schema every object has `additionalProperties` set to false",
            "close the object, or send `strict` false",
            "OpenAI docs, Structured Outputs",
        ],
        tools::strict_closed,
    )
    .first_party(),
    Rule::request(
        "OAI-C-006",
        Error,
        About::Schema,
        [
            "in a strict schema `required` names every property and nothing else",
            "require it and allow null, or send `strict` false",
            "OpenAI docs, Structured Outputs",
        ],
        tools::strict_required,
    )
    .first_party(),
    Rule::request(
        "OAI-C-007",
        Error,
        About::Schema,
        [
            "a strict schema has no allOf, not, dependentRequired, dependentSchemas, if, then or else",
            "rewrite it, or send `strict` false",
            "OpenAI docs, Structured Outputs",
        ],
        tools::strict_keywords,
    )
    .first_party(),
    Rule::request(
        "OAI-C-008",
        Error,
        About::Schema,
        [
            "a strict schema has at most 5000 properties, 10 levels, 120,000 characters of names and values and 1000 enum values",
            "make it smaller, or send `strict` false",
            "OpenAI docs, Structured Outputs",
        ],
        tools::strict_size,
    )
    .first_party(),
    Rule::request(
        "OAI-C-009",
        Warning,
        About::Schema,
        ["in a strict schema nothing stands beside `$ref`", "inline the definition", "openai-python 3.57, _ensure_strict_json_schema"],
        tools::strict_references,
    ),
    Rule::request(
        "OAI-C-010",
        Error,
        About::ToolChoice,
        [
            "`parallel_tool_calls` is a boolean, and neither it nor `tool_choice` is sent without tools",
            "leave it out",
            "openai/swarm#30, run-llama/llama_index#20825",
        ],
        tools::flags_without_tools,
    )
    .first_party(),
    Rule::request(
        "OAI-C-011",
        Error,
        About::ToolChoice,
        [
            "`tool_choice` is a known word or an object with its `type`, and names tools that are there",
            "write {\"type\":\"function\",\"function\":{\"name\":…}} with a tool of the request",
            "openai/openai-node#521, vllm-project/vllm#21052",
        ],
        tools::choice,
    ),
    Rule::request(
        "OAI-C-012",
        Error,
        About::Messages,
        [
            "every call is answered by exactly one of the tool messages right behind it",
            "add the missing result (an error will do), drop the surplus one, move what stands between",
            "QwenLM/qwen-code#1039",
        ],
        messages::answered,
    ),
    Rule::request(
        "OAI-C-013",
        Error,
        About::Messages,
        [
            "every tool message answers a call of the assistant message right before it",
            "drop the orphan, or put the call back",
            "QwenLM/qwen-code#1039",
        ],
        messages::answers_a_call,
    ),
    Rule::request(
        "OAI-C-014",
        Error,
        About::Messages,
        [
            "ids of calls have 1 to 40 characters",
            "replace long ids by a hash, in call and result alike",
            "camel-ai/camel#2215, langgenius/dify#28987",
        ],
        messages::id_length,
    )
    .first_party(),
    Rule::request(
        "OAI-C-015",
        Error,
        About::Messages,
        ["ids of calls are unique in a message, and better in the conversation", "give each call, and its result, an id of its own", "our reading: a result names one call"],
        messages::ids_unique,
    ),
    Rule::request(
        "OAI-C-016",
        Error,
        About::Messages,
        [
            "the arguments of a call are a string, and hold a JSON object",
            "serialize the object; never send the object itself",
            "openai-python 3.57",
        ],
        messages::arguments,
    ),
    Rule::request(
        "OAI-C-017",
        Error,
        About::Messages,
        ["`tool_calls`, if sent, holds 1 to 128 calls", "leave an empty list out", "pydantic/pydantic-ai#1105"],
        messages::number_of_calls,
    )
    .first_party(),
    Rule::request(
        "OAI-C-018",
        Error,
        About::Messages,
        ["an assistant message without calls has content", "send the text, or drop the message", "openai/openai-openapi 2.3.0"],
        messages::content,
    ),
    Rule::request(
        "OAI-C-019",
        Error,
        About::Messages,
        [
            "the content of a tool message is a string or parts of text",
            "send images in a user message behind the tool messages",
            "openai-python 3.57",
        ],
        messages::tool_content,
    )
    .first_party(),
    Rule::request(
        "OAI-C-020",
        Error,
        About::Body,
        ["`stream_options` goes with `stream` set to true", "leave it out, or stream", "openai-python 3.57"],
        messages::stream_options,
    )
    .first_party(),
    Rule::request(
        "OAI-C-021",
        Error,
        About::Tools,
        [
            "functions, which are deprecated, are not mixed with tools, and better not used",
            "use `tools`, `tool_choice` and `tool_calls`",
            "openai-python 3.57",
        ],
        tools::deprecated,
    ),
    Rule::request(
        "OAI-C-022",
        Warning,
        About::Body,
        ["models that think get `max_completion_tokens` and no sampling parameters", "rename or drop the parameter", "@ai-sdk/openai 3.0"],
        tools::thinking_models,
    )
    .first_party(),
    Rule::request(
        "OAI-C-023",
        Error,
        About::Tools,
        ["the grammar of a custom tool stands in `format.grammar`", "wrap syntax and definition in `grammar`", "openai-python 3.57"],
        tools::grammar,
    ),
    Rule::request(
        "OAI-C-024",
        Error,
        About::ToolChoice,
        ["allowed tools stand in `tool_choice.allowed_tools`", "wrap mode and tools in `allowed_tools`", "openai-python 3.57"],
        tools::allowed_tools,
    ),
    Rule::request(
        "OAI-C-025",
        Warning,
        About::Tools,
        [
            "strict tools go with `parallel_tool_calls` set to false",
            "set it to false where the schema has to hold",
            "mirror of the OpenAI guide on function calling, docs.apiyi.com",
        ],
        tools::strict_and_parallel,
    )
    .first_party(),
    Rule::request(
        "CER-001",
        Error,
        About::Tools,
        ["all tools say the same about `strict`; absent counts as false", "set one value for all of them", "Roo-Code#10334"],
        dialects::mixed_strict,
    )
    .only(&["cerebras"]),
    Rule::request(
        "DS-001",
        Error,
        About::Messages,
        [
            "an assistant message with calls carries its `reasoning_content` (thinking is on by default)",
            "send the reasoning back; \"\" where there was none",
            "pi#3636, @ai-sdk/deepseek 2.0",
        ],
        dialects::reasoning_content,
    )
    .only(&["deepseek"]),
    Rule::request(
        "DS-003",
        Error,
        About::Tools,
        ["all tools say the same about `strict`; absent counts as false", "set one value for all of them", "@ai-sdk/deepseek 2.0"],
        dialects::mixed_strict,
    )
    .only(&["deepseek"]),
    Rule::request(
        "FWK-003",
        Warning,
        About::Schema,
        ["a tool without arguments has a schema of an empty object", "send {\"type\":\"object\",\"properties\":{}}", "fireworks-ai 1.2"],
        dialects::parameters_present,
    )
    .only(&["fireworks"]),
    Rule::request(
        "GEM-001",
        Error,
        About::Messages,
        [
            "the first call of an assistant message carries `extra_content` with its thought signature",
            "keep `extra_content` with the call",
            "OpenMAIC#1556",
        ],
        dialects::gemini_signature,
    )
    .only(&["gemini"]),
    Rule::request(
        "GEM-005",
        Error,
        About::Body,
        [
            "no member that Gemini's endpoint does not know: store, metadata, prompt_cache_key, thinking, web_search_options, frequency_penalty, reasoning, top_k",
            "leave it out for this server",
            "openhanako#394, cursor-byok#112, deer-flow#1515",
        ],
        dialects::gemini_unknown,
    )
    .only(&["gemini"]),
    Rule::request(
        "GLM-001",
        Error,
        About::ToolChoice,
        ["`tool_choice` is a word", "let the model choose; the object form hangs", "runlore#391, zai-sdk 0.2"],
        dialects::choice_is_word,
    )
    .only(&["zhipu", "glm", "zai"]),
    Rule::request(
        "GRQ-005",
        Warning,
        About::Body,
        ["`store` is not true", "leave it out", "groq 1.7"],
        dialects::no_store,
    )
    .only(&["groq"]),
    Rule::request(
        "KIM-001",
        Error,
        About::Messages,
        [
            "while thinking is on, an assistant message with calls carries its `reasoning_content`",
            "send the reasoning back",
            "mastra#12592, continue#11600",
        ],
        dialects::reasoning_content,
    )
    .only(&["moonshot", "kimi"]),
    Rule::request(
        "KIM-003",
        Error,
        About::Schema,
        ["the root of a schema is of type object", "wrap the schema in an object", "@ai-sdk/moonshotai 2.0"],
        dialects::root_object,
    )
    .only(&["moonshot", "kimi"]),
    Rule::request(
        "KIM-006",
        Error,
        About::Messages,
        ["a system message that carries tools has no content", "move the text into another message", "@ai-sdk/moonshotai 2.0"],
        dialects::system_with_tools,
    )
    .only(&["moonshot", "kimi"]),
    Rule::request(
        "MMX-001",
        Error,
        About::Schema,
        ["every tool has `parameters`", "send {\"type\":\"object\",\"properties\":{}}", "QwenLM/qwen-code#11905"],
        dialects::parameters_present,
    )
    .only(&["minimax"]),
    Rule::request(
        "MMX-003",
        Error,
        About::Messages,
        ["the arguments of calls in the history are JSON", "send an object that holds the text instead", "pi#5468"],
        dialects::arguments_are_json,
    )
    .only(&["minimax"]),
    Rule::request(
        "OLV-003",
        Error,
        About::ToolChoice,
        ["nothing relies on `tool_choice`, which is not supported", "send only the tools that may be called", "ollama docs, OpenAI compatibility"],
        dialects::no_choice,
    )
    .only(&["ollama"]),
];
