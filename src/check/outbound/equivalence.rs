//! Rewrites of a request that its provider is known not to mind, as a table with sources.
//!
//! Two bodies that differ in nothing else are `equivalent`. Inside schemas, arguments and results nothing is
//! rewritten: keys are data there, and a default is something that somebody said.

use crate::json::{Kind, Value};
use crate::model::Api::{self, AnthropicMessages, Gemini, MistralChat, OpenaiChat, OpenaiResponses};

/// A rewrite that changes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Equivalence {
    /// Its name.
    pub id: &'static str,
    /// The APIs that do not mind it.
    pub apis: &'static [Api],
    /// What counts as the same.
    pub says: &'static str,
    /// Who says so.
    pub source: &'static str,
    pub(super) rewrite: Rewrite,
}

/// What is rewritten.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rewrite {
    /// `snake_case` and `lowerCamelCase` keys are one.
    Casing,
    /// Under these keys a string and a list of one block of one of these types with that text are one.
    OneBlock { keys: &'static [&'static str], types: &'static [&'static str] },
    /// A string as input is one message of the user's.
    OneMessage(&'static str),
    /// A member with this value and none are one.
    Default(&'static [(&'static str, &'static str)]),
    /// Strings under this key are equal if their JSON is; a string and the value that it holds are one too.
    JsonString(&'static str),
    /// Not compared here: `outbound.cache_control` does.
    Aside(&'static str),
    /// In the API's own schemas the casing of `type` does not matter.
    TypeCasing,
}

/// The table.
pub static EQUIVALENCES: &[Equivalence] = &[
    Equivalence {
        id: "casing",
        apis: &[Gemini],
        says: "`function_call` is `functionCall`: keys of messages may be in either spelling",
        source: "Protocol Buffers docs, ProtoJSON: parsers accept both the lowerCamelCase name and the original field name",
        rewrite: Rewrite::Casing,
    },
    Equivalence {
        id: "type-casing",
        apis: &[Gemini],
        says: "in `parameters` the type `STRING` is `string`",
        source: "google-genai 3.6, Type",
        rewrite: Rewrite::TypeCasing,
    },
    Equivalence {
        id: "one-block",
        apis: &[AnthropicMessages],
        says: "a string as `content` or `system` is one block of text",
        source: "Anthropic docs, Messages: a string is shorthand for one text block",
        rewrite: Rewrite::OneBlock { keys: &["content", "system"], types: &["text"] },
    },
    Equivalence {
        id: "one-part",
        apis: &[OpenaiChat, MistralChat],
        says: "a string as `content` is one part of text",
        source: "openai-python 3.57 and mistralai 3.7, types of messages",
        rewrite: Rewrite::OneBlock { keys: &["content"], types: &["text"] },
    },
    Equivalence {
        id: "one-input",
        apis: &[OpenaiResponses],
        says: "a string as `content` or `output` is one part of text",
        source: "openai-python 3.57, EasyInputMessageParam and FunctionCallOutput",
        rewrite: Rewrite::OneBlock { keys: &["content", "output"], types: &["input_text", "output_text"] },
    },
    Equivalence {
        id: "one-message",
        apis: &[OpenaiResponses],
        says: "a string as `input` is one message of the user's",
        source: "openai/openai-openapi 2.3.0, `input`: a text input, equivalent to one with the user role",
        rewrite: Rewrite::OneMessage("input"),
    },
    Equivalence {
        id: "defaults",
        apis: &[AnthropicMessages],
        says: "a member with its default is none",
        source: "anthropic SDK 2.14, types of the request",
        rewrite: Rewrite::Default(&[
            ("is_error", "false"),
            ("is_error", "null"),
            ("stream", "false"),
            ("strict", "false"),
            ("type", "\"custom\""),
            ("cache_control", "null"),
            ("disable_parallel_tool_use", "false"),
            ("defer_loading", "false"),
            ("eager_input_streaming", "null"),
        ]),
    },
    Equivalence {
        id: "defaults",
        apis: &[OpenaiChat],
        says: "a member with its default is none",
        source: "openai/openai-openapi 2.3.0, CreateChatCompletionRequest and FunctionObject",
        rewrite: Rewrite::Default(&[
            ("strict", "false"),
            ("strict", "null"),
            ("stream", "false"),
            ("parallel_tool_calls", "true"),
            ("store", "false"),
            ("n", "1"),
            ("content", "null"),
            ("refusal", "null"),
            ("tool_calls", "null"),
            ("function_call", "null"),
            ("audio", "null"),
            ("cache_control", "null"),
        ]),
    },
    Equivalence {
        id: "defaults",
        apis: &[OpenaiResponses],
        says: "a member with its default is none; `strict` has none, for without it the schema is changed",
        source: "openai/openai-openapi 2.3.0, CreateResponse; openai-python 3.57",
        rewrite: Rewrite::Default(&[
            ("stream", "false"),
            ("store", "true"),
            ("parallel_tool_calls", "true"),
            ("type", "\"message\""),
            ("previous_response_id", "null"),
            ("id", "null"),
            ("status", "null"),
            ("annotations", "[]"),
            ("detail", "\"auto\""),
        ]),
    },
    Equivalence {
        id: "defaults",
        apis: &[Gemini],
        says: "a member with its default is none",
        source: "Protocol Buffers docs, ProtoJSON: default values are left out; google-genai 3.6: a content without role is the user's",
        rewrite: Rewrite::Default(&[
            ("role", "\"user\""),
            ("thought", "false"),
            ("args", "{}"),
            ("id", "\"\""),
            ("nullable", "false"),
        ]),
    },
    Equivalence {
        id: "defaults",
        apis: &[MistralChat],
        says: "a member with its default is none",
        source: "mistralai 3.7, types of the request",
        rewrite: Rewrite::Default(&[
            ("strict", "false"),
            ("stream", "false"),
            ("parallel_tool_calls", "true"),
            ("prefix", "false"),
            ("content", "null"),
            ("content", "\"\""),
            ("type", "\"function\""),
        ]),
    },
    Equivalence {
        id: "arguments",
        apis: &[OpenaiChat, OpenaiResponses, MistralChat],
        says: "arguments are equal if their JSON is, white space and key order aside; Mistral takes the object itself too",
        source: "openai-python 3.57: arguments are JSON that the model generated; mistralai 3.7: object or string",
        rewrite: Rewrite::JsonString("arguments"),
    },
    Equivalence {
        id: "cache-markers",
        apis: &[AnthropicMessages, OpenaiChat],
        says: "cache markers are compared by outbound.cache_control alone",
        source: "they do not change what the model reads: Anthropic docs, Prompt caching",
        rewrite: Rewrite::Aside("cache_control"),
    },
];

/// Keys whose values are data of the user's, by API.
const DATA: &[(&[Api], &[&str])] = &[
    (&[AnthropicMessages], &["input", "input_schema", "input_examples", "metadata", "schema"]),
    (&[OpenaiChat, MistralChat], &["parameters", "metadata", "schema", "logit_bias"]),
    (&[OpenaiResponses], &["parameters", "output_schema", "metadata", "schema"]),
    (
        &[Gemini],
        &[
            "args",
            "response",
            "parametersJsonSchema",
            "responseJsonSchema",
            "parameters_json_schema",
            "response_json_schema",
            "labels",
        ],
    ),
];

/// What keys mean at some place of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// The API defines them.
    Wire,
    /// The user does.
    Data,
    /// A schema in Gemini's own words.
    Schema,
    /// Names of properties in such a schema.
    Properties,
}

/// The zone of the value under `key`.
pub(super) fn below(api: Api, zone: Zone, key: &str) -> Zone {
    let data = || DATA.iter().any(|(apis, keys)| apis.contains(&api) && keys.contains(&key));
    match zone {
        Zone::Schema if key == "properties" => Zone::Properties,
        Zone::Schema if matches!(key, "default" | "example" | "enum") => Zone::Data,
        Zone::Wire if api == Gemini && key == "parameters" => Zone::Schema,
        Zone::Wire if data() => Zone::Data,
        Zone::Properties => Zone::Schema,
        other => other,
    }
}

/// The rewrites of an API.
pub(super) fn rewrites(api: Api) -> impl Iterator<Item = Rewrite> {
    EQUIVALENCES.iter().filter(move |row| row.apis.contains(&api)).map(|row| row.rewrite)
}

/// True if a member with this value and none are one.
pub(super) fn is_default(api: Api, zone: Zone, key: &str, value: Value<'_>) -> bool {
    let same = |text: &str| match value.kind() {
        Kind::Object => text == "{}" && value.members().next().is_none(),
        Kind::Array => text == "[]" && value.items().next().is_none(),
        _ => value.raw() == text,
    };
    matches!(zone, Zone::Wire | Zone::Schema)
        && rewrites(api).any(|rewrite| match rewrite {
            Rewrite::Default(members) => members.iter().any(|(name, text)| *name == key && same(text)),
            _ => false,
        })
}

/// True if the member is compared elsewhere.
pub(super) fn is_aside(api: Api, zone: Zone, key: &str) -> bool {
    zone == Zone::Wire && rewrites(api).any(|rewrite| matches!(rewrite, Rewrite::Aside(name) if name == key))
}
