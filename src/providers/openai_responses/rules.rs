//! The rules of the Responses API: requests.
//!
//! Rules that compare a request with an earlier answer (a call's namespace, a message's phase, the reasoning item
//! that belongs to a call) are not here: they need that answer.

mod items;
mod tools;

use super::super::request_view::RequestView;
use super::super::rule::{About, Offences, Rule, Severity::Error, Severity::Warning};

/// The rules, in the order of their ids.
pub(in super::super) static RULES: &[Rule] = &[
    Rule::request(
        "OAI-R-001",
        Error,
        About::Tools,
        ["tools are flat: name and parameters stand beside `type`", "unwrap `function`", "openai-python 3.57"],
        tools::flat,
    ),
    Rule::request(
        "OAI-R-002",
        Error,
        About::Tools,
        [
            "names of tools are letters, digits, `_` and `-`, at most 128, better 64",
            "rename the tool on the wire and map the name back",
            "openai/openai-openapi 2.3.0, openresponses/openresponses",
        ],
        tools::names,
    ),
    Rule::request(
        "OAI-R-003",
        Warning,
        About::Tools,
        [
            "every function says whether it is strict: without a word the server tries to make it so",
            "send `strict` true or false",
            "0xPlaygrounds/rig#2477",
        ],
        tools::strict_said,
    )
    .first_party(),
    Rule::request(
        "OAI-R-004",
        Warning,
        About::Schema,
        ["every function has the key `parameters`", "send a schema, or null", "openai-python 3.57"],
        tools::parameters_said,
    )
    .first_party(),
    Rule::request(
        "OAI-R-005",
        Error,
        About::Schema,
        [
            "a strict schema closes every object, requires every property, and keeps to the keywords and sizes of the strict subset",
            "mend the schema, or send `strict` false",
            "OpenAI docs, Structured Outputs",
        ],
        tools::strict_subset,
    )
    .first_party(),
    Rule::request(
        "OAI-R-006",
        Error,
        About::Messages,
        [
            "every `call_id` has 1 to 64 characters",
            "replace long ids by a hash, in call and output alike",
            "openai/openai-openapi 2.3.0, AnswerDotAI/fastllm#45",
        ],
        items::call_id_length,
    ),
    Rule::request(
        "OAI-R-007",
        Error,
        About::Messages,
        [
            "the id of an item begins as its type asks (fc_, rs_, msg_ …) and is 1 to 64 letters, digits, `_` or `-`",
            "send the genuine id, or leave it out",
            "nodetool-ai/nodetool#4252, langchainjs#11044, pi#977",
        ],
        items::item_ids,
    )
    .first_party(),
    Rule::request(
        "OAI-R-008",
        Error,
        About::Messages,
        ["the id of an item is not the id of its call", "leave the item's id out", "nodetool-ai/nodetool#4252"],
        items::ids_differ,
    )
    .first_party(),
    Rule::request(
        "OAI-R-009",
        Error,
        About::Messages,
        [
            "every call in the input has exactly one output behind it",
            "add the missing output (an error will do), drop the surplus one",
            "CLIProxyAPI#2368",
        ],
        items::answered,
    ),
    Rule::request(
        "OAI-R-010",
        Error,
        About::Messages,
        [
            "every output has its call before it, unless the conversation is kept by the provider",
            "drop the orphan, or send the call",
            "continue#10092",
        ],
        items::answers_a_call,
    ),
    Rule::request(
        "OAI-R-011",
        Error,
        About::Messages,
        ["a function call gets a function's output, a custom call a custom one", "change the type of the output", "openai-python 3.57"],
        items::types_match,
    ),
    Rule::request(
        "OAI-R-012",
        Error,
        About::Messages,
        [
            "an output is a string of at most 10 MiB, or a list of input_text, input_image and input_file",
            "serialize what came back",
            "openai/openai-openapi 2.3.0",
        ],
        items::outputs,
    ),
    Rule::request(
        "OAI-R-014",
        Error,
        About::Messages,
        [
            "a reasoning item is followed by the item that it led to",
            "drop a reasoning item without one",
            "pydantic/pydantic-ai#2861",
        ],
        items::reasoning_followed,
    )
    .first_party(),
    Rule::request(
        "OAI-R-015",
        Error,
        About::Messages,
        [
            "with `store` false there are no references to items, and reasoning carries its `encrypted_content`",
            "send items in full; drop reasoning without encrypted content",
            "@ai-sdk/openai 3.0",
        ],
        items::not_stored,
    )
    .first_party(),
    Rule::request(
        "OAI-R-016",
        Warning,
        About::Body,
        [
            "with `store` false a model that thinks is asked to include `reasoning.encrypted_content`",
            "add it to `include`",
            "openai-python 3.57",
        ],
        encrypted_included,
    )
    .first_party(),
    Rule::request(
        "OAI-R-017",
        Error,
        About::Body,
        ["`previous_response_id` and `conversation` are not sent together", "send one of the two", "openai-python 3.57"],
        one_memory,
    ),
    Rule::request(
        "OAI-R-019",
        Error,
        About::Messages,
        ["the arguments of a function call, and the input of a custom one, are a string", "serialize the object", "openai-python 3.57"],
        items::strings,
    ),
    Rule::request(
        "OAI-R-020",
        Error,
        About::Tools,
        ["the grammar of a custom tool is flat: syntax and definition stand beside `type`", "unwrap `grammar`", "openai-python 3.57"],
        tools::grammar,
    ),
    Rule::request(
        "OAI-R-021",
        Error,
        About::ToolChoice,
        [
            "`tool_choice` is a known word or a flat object, names tools that are there, and allows 1 to 128",
            "write {\"type\":\"function\",\"name\":…} with a tool of the request",
            "openai-python 3.57, openresponses/openresponses",
        ],
        tools::choice,
    ),
    Rule::request(
        "OAI-R-022",
        Warning,
        About::Tools,
        ["a deferred tool comes with a tool of type tool_search", "add {\"type\":\"tool_search\"}", "not checked against a source"],
        tools::deferred,
    ),
    Rule::request(
        "OAI-R-023",
        Error,
        About::Body,
        ["`max_output_tokens` is at least 16", "raise it", "openai/openai-openapi 2.3.0"],
        output_limit,
    )
    .first_party(),
    Rule::request(
        "OR-004",
        Error,
        About::Body,
        [
            "a `response.create` event for a WebSocket has no stream, stream_options or background",
            "leave them out there",
            "openresponses/openresponses",
        ],
        socket_event,
    ),
];

/// Models that think, by the beginning of their names. Source: `@ai-sdk/openai` 3.0.
const THINKING_MODELS: &[&str] = &["o1", "o3", "o4-mini", "gpt-5"];

fn encrypted_included(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let stored = view.body.get("store").and_then(|store| store.value.as_bool()) != Some(false);
    let model = view.model.as_deref().unwrap_or("");
    let thinks = THINKING_MODELS.iter().any(|known| model.starts_with(known)) && !model.contains("chat");
    let included = || {
        let include = view.body.items_of("include");
        include.iter().any(|item| item.to_text().as_deref() == Some("reasoning.encrypted_content"))
    };
    if !stored && thinks && !included() {
        out.add("/include", "the model's reasoning is lost after this answer");
    }
}

fn one_memory(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.some("previous_response_id").is_some()
        && let Some(conversation) = view.body.some("conversation")
    {
        out.add(&conversation.pointer, "`conversation` beside `previous_response_id`");
    }
}

fn output_limit(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if let Some(limit) = view.body.some("max_output_tokens")
        && limit.value.as_u64().is_none_or(|limit| limit < 16)
    {
        out.add(&limit.pointer, "`max_output_tokens` is no number from 16 on");
    }
}

fn socket_event(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if view.body.text("type").as_deref() != Some("response.create") {
        return;
    }
    for key in ["stream", "stream_options", "background"] {
        if view.body.get(key).is_some() {
            out.add(&view.body.at(key), format!("`{key}` in an event for a WebSocket"));
        }
    }
}
