//! The rules of Anthropic Messages: requests.
//!
//! Rules that compare a request with an earlier answer (thinking blocks unchanged, refused turns not replayed)
//! are not here: they need that answer.

mod choice;
mod markers;
mod messages;
mod pairing;
mod route;
mod schema;
mod tools;

use super::super::rule::{About, Rule, Severity::Error, Severity::Warning};

/// The rules, in the order of their ids.
pub(in super::super) static RULES: &[Rule] = &[
    Rule::request(
        "ANT-Q-001",
        Error,
        About::Headers,
        [
            "the version of the API is named: header `anthropic-version`, at Vertex and Bedrock `anthropic_version` in the body",
            "send `anthropic-version: 2023-06-01`",
            "Anthropic docs, Versioning",
        ],
        route::version_present,
    )
    .first_party(),
    Rule::request(
        "ANT-Q-002",
        Warning,
        About::Headers,
        ["the version is a known one", "send one of the documented versions", "anthropic SDK 2.14"],
        route::version_known,
    ),
    Rule::request(
        "ANT-Q-003",
        Error,
        About::Headers,
        ["`x-api-key` and `authorization` are not sent together", "send one of the two", "Anthropic docs, Authentication"],
        route::one_key,
    ),
    Rule::request(
        "ANT-Q-004",
        Error,
        About::Body,
        [
            "the body names the model; at Vertex and Bedrock it does not, and at Bedrock it has no `stream`",
            "name the model where the route expects it",
            "anthropic SDK 2.14, vertex and bedrock clients",
        ],
        route::model,
    ),
    Rule::request(
        "ANT-Q-005",
        Error,
        About::Body,
        [
            "`max_tokens` is a whole number from 1 on (0 only warms the cache, and demands no call)",
            "set `max_tokens`",
            "Anthropic docs, Messages",
        ],
        route::max_tokens,
    ),
    Rule::request(
        "ANT-Q-006",
        Error,
        About::Body,
        [
            "under version 2026-10-21 there are no sampling parameters, no documents in assistant messages and no citations on a user's text",
            "leave them out, or send an earlier version",
            "anthropic SDK 2.14, changelog",
        ],
        route::newest_version,
    ),
    Rule::request(
        "ANT-Q-010",
        Error,
        About::Tools,
        [
            "a tool of one's own has a name and an `input_schema` of type object",
            "give the tool a name and a schema such as {\"type\":\"object\",\"properties\":{}}",
            "Anthropic docs, Define tools",
        ],
        tools::shape,
    ),
    Rule::request(
        "ANT-Q-011",
        Error,
        About::Tools,
        [
            "a tool's name is 1 to 128 letters, digits, `_` or `-`",
            "rename the tool on the wire and map the name back",
            "BerriAI/litellm#26788",
        ],
        tools::name_charset,
    ),
    Rule::request(
        "ANT-Q-012",
        Warning,
        About::Tools,
        ["a tool's name has at most 64 characters", "shorten the name on the wire", "Anthropic docs, Define tools"],
        tools::name_length,
    ),
    Rule::request(
        "ANT-Q-013",
        Error,
        About::Tools,
        ["no two tools have one name", "rename or drop one of them", "anthropics/claude-code#10687"],
        tools::names_unique,
    ),
    Rule::request(
        "ANT-Q-014",
        Error,
        About::Schema,
        [
            "the root of a tool's schema has no oneOf, anyOf or allOf",
            "flatten the alternatives into one object",
            "anthropics/claude-code#5973",
        ],
        schema::root_unions,
    ),
    Rule::request(
        "ANT-Q-015",
        Warning,
        About::Schema,
        [
            "property names are 1 to 64 letters, digits, `_`, `.` or `-`",
            "rename the property",
            "not checked against a source",
        ],
        schema::property_keys,
    ),
    Rule::request(
        "ANT-Q-016",
        Error,
        About::Schema,
        [
            "a strict tool's schema closes every object and has no recursion, bounds, remote references or look-around; at most 20 strict tools, 24 optional parameters, 16 with several types",
            "mend the schema, or drop `strict`",
            "Anthropic docs, Structured outputs",
        ],
        schema::strict,
    ),
    Rule::request(
        "ANT-Q-017",
        Error,
        About::Tools,
        [
            "`input_examples` fit the schema, and stand on tools of one's own only",
            "correct or drop the example",
            "Anthropic docs, Define tools",
        ],
        tools::examples,
    ),
    Rule::request(
        "ANT-Q-018",
        Error,
        About::Tools,
        [
            "a tool that is not deferred is left, the tool search is not deferred, and no deferred tool carries a cache marker",
            "clear `defer_loading`, or move the marker",
            "Anthropic docs, Tool search",
        ],
        tools::deferred,
    ),
    Rule::request(
        "ANT-Q-019",
        Error,
        About::Tools,
        [
            "`allowed_callers` are known, and a tool that is demanded may be called directly",
            "allow `direct`, or demand another tool",
            "Anthropic docs, Programmatic tool calling",
        ],
        tools::callers,
    ),
    Rule::request(
        "ANT-Q-020",
        Warning,
        About::Tools,
        [
            "`eager_input_streaming` stands on tools of one's own, and is not sent to Bedrock",
            "drop the flag there; Bedrock takes the beta `fine-grained-tool-streaming-2025-05-14`",
            "anthropic SDK 2.14",
        ],
        tools::eager,
    ),
    Rule::request(
        "ANT-Q-021",
        Warning,
        About::Tools,
        ["the type of a tool is known, and its name is the one of that type", "correct type or name", "anthropic SDK 2.14"],
        tools::types,
    ),
    Rule::request(
        "ANT-Q-030",
        Error,
        About::CacheControl,
        ["a request has at most four cache markers", "drop the earliest markers in messages", "Anthropic docs, Prompt caching"],
        markers::count,
    ),
    Rule::request(
        "ANT-Q-031",
        Error,
        About::CacheControl,
        [
            "in the order tools, system, messages no marker of an hour follows one of five minutes",
            "give the earlier markers `ttl` \"1h\", or the later ones none",
            "headroom#2939",
        ],
        markers::lifetimes,
    ),
    Rule::request(
        "ANT-Q-032",
        Error,
        About::CacheControl,
        ["no cache marker stands on thinking or on empty text", "move it to the next block", "Anthropic docs, Prompt caching"],
        markers::places,
    ),
    Rule::request(
        "ANT-Q-033",
        Error,
        About::CacheControl,
        ["a cache marker is of type ephemeral, with `ttl` 5m, 1h or none", "correct the marker", "anthropic SDK 2.14"],
        markers::values,
    ),
    Rule::request(
        "ANT-Q-040",
        Error,
        About::ToolChoice,
        [
            "`tool_choice` is of type auto, any, tool or none, and with tool names one that is there",
            "name a tool of the request, or let the model choose",
            "anthropic SDK 2.14",
        ],
        choice::shape,
    ),
    Rule::request(
        "ANT-Q-041",
        Error,
        About::ToolChoice,
        [
            "`disable_parallel_tool_use` stands inside `tool_choice`, and not with type none",
            "write {\"type\":\"auto\",\"disable_parallel_tool_use\":true}",
            "anthropic SDK 2.14",
        ],
        choice::parallel,
    ),
    Rule::request(
        "ANT-Q-042",
        Error,
        About::ToolChoice,
        [
            "no call is demanded while `thinking` is enabled",
            "let the model choose, or use adaptive thinking",
            "Anthropic docs, Extended thinking",
        ],
        choice::forced_while_thinking,
    ),
    Rule::request(
        "ANT-Q-050",
        Error,
        About::Messages,
        ["the first message is the user's, and every role is known", "correct the role", "Anthropic docs, Messages"],
        messages::roles,
    ),
    Rule::request(
        "ANT-Q-051",
        Error,
        About::Messages,
        ["no text is empty or blank", "leave the block out", "Anthropic docs, Messages"],
        messages::blank_text,
    )
    .first_party(),
    Rule::request(
        "ANT-Q-052",
        Error,
        About::Messages,
        [
            "a call has an id of letters, digits, `_` and `-`, a name, and an object as `input`",
            "send {} for no arguments, never a string or null; rewrite foreign ids in call and result alike",
            "bifrost#5097",
        ],
        messages::calls,
    ),
    Rule::request(
        "ANT-Q-053",
        Error,
        About::Messages,
        ["no two calls of the conversation have one id", "give the later call, and its result, an id of its own", "Anthropic docs, Handle tool calls"],
        messages::ids_unique,
    ),
    Rule::request(
        "ANT-Q-054",
        Error,
        About::Messages,
        [
            "every call is answered by exactly one result in the user's next message",
            "add the missing result (an error will do), drop the surplus one",
            "Anthropic docs, Handle tool calls",
        ],
        pairing::answered_once,
    ),
    Rule::request(
        "ANT-Q-055",
        Error,
        About::Messages,
        [
            "every result names a call of the assistant turn right before it",
            "drop the orphan, or put the call back",
            "Anthropic docs, Handle tool calls",
        ],
        pairing::answers_a_call,
    ),
    Rule::request(
        "ANT-Q-056",
        Error,
        About::Messages,
        ["results stand before everything else in their message", "move text and images behind them", "Anthropic docs, Handle tool calls"],
        pairing::results_first,
    ),
    Rule::request(
        "ANT-Q-057",
        Warning,
        About::Messages,
        [
            "all results of a turn stand in one message",
            "merge the messages; split results teach the model to call one by one",
            "Anthropic docs, Parallel tool use",
        ],
        pairing::results_together,
    ),
    Rule::request(
        "ANT-Q-058",
        Error,
        About::Messages,
        ["a result with `is_error` holds text, and is not empty", "say in a sentence what failed", "Anthropic docs, Handle tool calls"],
        messages::failed_results,
    ),
    Rule::request(
        "ANT-Q-059",
        Error,
        About::Messages,
        [
            "a result holds text, images, documents, search results, tool references or browser states",
            "send what came back as text",
            "anthropic SDK 2.14",
        ],
        messages::result_blocks,
    ),
    Rule::request(
        "ANT-Q-060",
        Error,
        About::Messages,
        ["no result is sent for a call that the provider ran", "drop it", "Anthropic docs, Server tools"],
        pairing::no_server_results,
    ),
    Rule::request(
        "ANT-Q-061",
        Error,
        About::Messages,
        [
            "while a call of the provider waits for client results, the message holds results only",
            "send the other content in a later message",
            "Anthropic docs, Programmatic tool calling",
        ],
        pairing::results_only,
    ),
    Rule::request(
        "ANT-Q-062",
        Error,
        About::Messages,
        ["a result repeats the `toolset_name` of its call", "copy it from the call", "Anthropic docs, Computer use"],
        pairing::toolsets,
    ),
    Rule::request(
        "ANT-Q-064",
        Error,
        About::Messages,
        [
            "every thinking block that is sent back has its signature, a redacted one its data",
            "keep the signature with the block, or drop the block",
            "Anthropic docs, Extended thinking",
        ],
        messages::signatures,
    )
    .first_party(),
    Rule::request(
        "ANT-Q-065",
        Warning,
        About::Tools,
        [
            "a conversation that holds calls is sent with `tools`",
            "send the tools again",
            "not checked against a source; an error at Bedrock",
        ],
        messages::tools_absent,
    ),
    Rule::request(
        "ANT-Q-066",
        Error,
        About::Messages,
        [
            "a system message among the others is not first, follows a user turn or a provider's result, and does not part a call from its result",
            "move it, or use `system`",
            "Anthropic docs, Messages",
        ],
        messages::system_inside,
    ),
    Rule::request(
        "ANT-Q-068",
        Warning,
        About::Messages,
        [
            "at models since 4.6 the last message is not the assistant's",
            "end with a user's message; ask for the format instead",
            "Anthropic docs, Migration guide",
        ],
        messages::prefill,
    )
    .first_party(),
];
