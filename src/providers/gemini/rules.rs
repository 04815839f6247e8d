//! The rules of Gemini's `generateContent`: requests.
//!
//! Rules that compare a request with an earlier answer (a signature unchanged and in its place, parts of built-in
//! tools echoed) are not here: they need that answer.

mod contents;
mod keys;
mod route;
mod tools;

use super::super::rule::{About, Rule, Severity::Error, Severity::Warning};

/// The rules, in the order of their ids.
pub(in super::super) static RULES: &[Rule] = &[
    Rule::request(
        "GGL-Q-001",
        Error,
        About::Headers,
        [
            "the path ends in :generateContent or :streamGenerateContent, the latter with `alt=sse`",
            "add `?alt=sse`",
            "google-genai 3.6",
        ],
        route::path,
    ),
    Rule::request(
        "GGL-Q-002",
        Error,
        About::Body,
        [
            "every key of body, contents, parts, calls, responses, declarations and tool configuration is known",
            "leave the key out; an unknown one is refused",
            "google-genai 3.6",
        ],
        keys::known,
    ),
    Rule::request(
        "GGL-Q-003",
        Error,
        About::Body,
        [
            "Code Assist takes `model` and the body in `request`; nobody else does",
            "wrap or unwrap the body",
            "google-gemini/gemini-cli",
        ],
        route::envelope,
    ),
    Rule::request(
        "GGL-Q-010",
        Error,
        About::Tools,
        [
            "a function's name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `:` or `-`, at most 128",
            "rename the function on the wire and map the name back",
            "google-genai 3.6",
        ],
        tools::names,
    ),
    Rule::request(
        "GGL-Q-011",
        Warning,
        About::Tools,
        [
            "a function's name has at most 64 characters",
            "shorten the name on the wire",
            "google-gemini/gemini-cli#7878",
        ],
        tools::name_length,
    ),
    Rule::request(
        "GGL-Q-012",
        Warning,
        About::Tools,
        ["no two functions have one name", "rename or drop one of them", "not checked against a source"],
        tools::names_unique,
    ),
    Rule::request(
        "GGL-Q-013",
        Error,
        About::Schema,
        [
            "a schema is sent in one form: `parameters` or `parametersJsonSchema`",
            "drop one of the two",
            "google-genai 3.6",
        ],
        tools::one_form,
    ),
    Rule::request(
        "GGL-Q-014",
        Error,
        About::Schema,
        [
            "`parameters` holds only keys of the API's own schemas",
            "drop or rewrite the keyword, or send the schema as `parametersJsonSchema`",
            "google-genai 3.6, zed-industries/zed#44875",
        ],
        tools::own_keys,
    ),
    Rule::request(
        "GGL-Q-015",
        Error,
        About::Schema,
        ["in `parameters` a `type` is one word", "write {\"type\":\"string\",\"nullable\":true}", "google-genai 3.6"],
        tools::single_type,
    ),
    Rule::request(
        "GGL-Q-016",
        Error,
        About::Schema,
        [
            "in `parameters` an enum holds strings",
            "drop the enum, or send the schema as `parametersJsonSchema`",
            "google-genai 3.6",
        ],
        tools::enum_strings,
    ),
    Rule::request(
        "GGL-Q-017",
        Error,
        About::Schema,
        [
            "the root of `parameters` is of type object",
            "leave `parameters` out of a function without arguments",
            "google-genai 3.6",
        ],
        tools::root_object,
    ),
    Rule::request(
        "GGL-Q-018",
        Warning,
        About::Schema,
        [
            "in `parameters` an object has properties",
            "leave `parameters` out of a function without arguments",
            "agno-agi/agno#2112",
        ],
        tools::empty_objects,
    ),
    Rule::request(
        "GGL-Q-019",
        Warning,
        About::Schema,
        ["in `parameters` an array has `items`", "add `items`", "not checked against a source; a common refusal"],
        tools::array_items,
    ),
    Rule::request(
        "GGL-Q-020",
        Warning,
        About::Schema,
        [
            "in `parameters` every required name is a property",
            "drop the name",
            "not checked against a source; a common refusal",
        ],
        tools::required_known,
    ),
    Rule::request(
        "GGL-Q-021",
        Warning,
        About::Schema,
        [
            "a parameter's name begins with a letter or `_` and goes on with letters, digits or `_`, at most 64",
            "rename the parameter on the wire and map the name back",
            "google-genai 3.6",
        ],
        tools::property_names,
    ),
    Rule::request(
        "GGL-Q-022",
        Warning,
        About::Schema,
        [
            "`parametersJsonSchema` holds only keywords that are read, and beside `$ref` only keys that begin with `$`",
            "drop or rewrite the keyword",
            "google-genai 3.6",
        ],
        tools::json_schema_keys,
    ),
    Rule::request(
        "GGL-Q-023",
        Error,
        About::Tools,
        ["there are at most 512 declarations", "send fewer", "google-genai 3.6"],
        tools::number,
    ),
    Rule::request(
        "GGL-Q-024",
        Warning,
        About::Body,
        ["`behavior`, `willContinue` and `scheduling` are for the Live API", "leave them out", "google-genai 3.6"],
        tools::live_only,
    ),
    Rule::request(
        "GGL-Q-030",
        Error,
        About::ToolChoice,
        ["the mode is AUTO, ANY, NONE or VALIDATED", "use one of them", "google-genai 3.6"],
        tools::mode,
    ),
    Rule::request(
        "GGL-Q-031",
        Error,
        About::ToolChoice,
        [
            "allowed names go with ANY or VALIDATED, and are declared",
            "set the mode to ANY; name declared functions",
            "google-genai 3.6",
        ],
        tools::allowed_names,
    ),
    Rule::request(
        "GGL-Q-032",
        Error,
        About::ToolChoice,
        ["`streamFunctionCallArguments` is for streams at Vertex", "leave it out", "google-genai 3.6"],
        tools::streamed_arguments,
    ),
    Rule::request(
        "GGL-Q-033",
        Error,
        About::ToolChoice,
        ["`includeServerSideToolInvocations` is for AI Studio", "leave it out", "google-genai 3.6"],
        tools::server_side_calls,
    ),
    Rule::request(
        "GGL-Q-034",
        Warning,
        About::ToolChoice,
        ["the mode ANY comes with declarations", "use AUTO, or declare a function", "not checked against a source"],
        tools::forced_without_tools,
    ),
    Rule::request(
        "GGL-Q-040",
        Error,
        About::Messages,
        ["roles are user and model", "send responses as user", "google-genai 3.6"],
        contents::roles,
    ),
    Rule::request(
        "GGL-Q-041",
        Warning,
        About::Messages,
        [
            "every content has parts, and every part holds something",
            "drop the empty one",
            "not checked against a source",
        ],
        contents::parts,
    ),
    Rule::request(
        "GGL-Q-042",
        Error,
        About::Messages,
        [
            "`args` of a call are an object or left out, `response` of a response is an object",
            "wrap the result: {\"output\": …}",
            "google-genai 3.6",
        ],
        contents::objects,
    ),
    Rule::request(
        "GGL-Q-043",
        Error,
        About::Messages,
        [
            "a response has the name of the function that was called",
            "copy the call's name, not its id",
            "google-genai 3.6",
        ],
        contents::response_names,
    ),
    Rule::request(
        "GGL-Q-044",
        Error,
        About::Messages,
        [
            "a content with calls is followed by as many responses",
            "add the missing response (an error will do), drop the surplus one",
            "google-gemini/gemini-cli#16415",
        ],
        contents::counts,
    ),
    Rule::request(
        "GGL-Q-045",
        Error,
        About::Messages,
        [
            "responses come right after the content with their calls, and calls are followed by responses",
            "move what stands between; answer every call",
            "google-gemini/gemini-cli#26486, langchain-ai/langchain#27799",
        ],
        contents::alternation,
    ),
    Rule::request(
        "GGL-Q-046",
        Error,
        About::Messages,
        [
            "calls come right after a user's content or after responses",
            "merge the model's contents; begin with the user",
            "google-gemini/gemini-cli#11814",
        ],
        contents::calls_after_user,
    ),
    Rule::request(
        "GGL-Q-047",
        Error,
        About::Messages,
        ["calls and responses do not stand in one content", "split the content", "googleapis/python-genai#81"],
        contents::not_mixed,
    ),
    Rule::request(
        "GGL-Q-048",
        Warning,
        About::Messages,
        [
            "responses are in the order of their calls",
            "sort them",
            "our reading: without ids the place is all that pairs them",
        ],
        contents::same_order,
    ),
    Rule::request(
        "GGL-Q-049",
        Error,
        About::Messages,
        ["the response to a call with an id repeats the id", "copy the id", "google-genai 3.6, BerriAI/litellm#34603"],
        contents::ids_repeated,
    ),
    Rule::request(
        "GGL-Q-050",
        Warning,
        About::Messages,
        ["the response to a call without an id has none", "leave it out", "our reading: nobody gave that id"],
        contents::ids_not_invented,
    ),
    Rule::request(
        "GGL-Q-051",
        Error,
        About::Messages,
        [
            "since Gemini 3 the first call of each content of the current turn carries its `thoughtSignature`",
            "keep the signature with the part it came on",
            "Gemini docs, Thought signatures",
        ],
        contents::signed,
    ),
    Rule::request(
        "GGL-Q-053",
        Warning,
        About::Messages,
        [
            "signatures are genuine, not placeholders",
            "send the signature that came with the call",
            "Gemini docs, Thought signatures",
        ],
        contents::placeholders,
    ),
    Rule::request(
        "GGL-Q-055",
        Warning,
        About::Messages,
        ["the responses to one content stand in one content", "merge them", "google-gemini/gemini-cli#16415"],
        contents::together,
    ),
    Rule::request(
        "GGL-Q-056",
        Error,
        About::Messages,
        ["signatures and inline data are base64", "encode the bytes", "proto3 JSON mapping"],
        contents::base64,
    ),
];
