//! How the requests of one server of the chat family differ from another's.

use super::super::super::outbound::ids::IdRule;
use super::super::super::outbound::names::NameRule;
use super::super::super::outbound::schema::SchemaRules;
use crate::model::Api;

/// A server's row.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(in crate::providers) struct Dialect {
    /// The API that it belongs to.
    pub(in crate::providers) api: Api,
    /// What `options.dialect` calls it.
    pub(in crate::providers) names: &'static [&'static str],
    /// The path.
    pub(in crate::providers) path: &'static str,

    /// `strict` is sent with tools.
    pub(in crate::providers) strict: bool,
    /// Custom tools.
    pub(in crate::providers) freeform: bool,
    /// `tools: []` is sent for a conversation with calls, if there are no tools.
    pub(in crate::providers) empty_tools: bool,
    /// `tool_stream: true` is sent, without which arguments come whole.
    pub(in crate::providers) tool_stream: bool,
    /// The most tools that a request may hold.
    pub(in crate::providers) max_tools: Option<usize>,
    /// Which names tools may have.
    pub(in crate::providers) tool_names: NameRule,
    /// What schemas may hold.
    pub(in crate::providers) schemas: SchemaRules,

    /// `tool_choice` is read at all.
    pub(in crate::providers) choice: bool,
    /// The word for "at least one call"; `None` if the server refuses it.
    pub(in crate::providers) required: Option<&'static str>,
    /// A tool may be named.
    pub(in crate::providers) named: bool,
    /// A call may be forced while the model thinks.
    pub(in crate::providers) forced_thinking: bool,
    /// `allowed_tools` is known.
    pub(in crate::providers) allowed: bool,
    /// What may be said of `parallel_tool_calls`.
    pub(in crate::providers) parallel: Parallel,

    /// `store: false` is sent.
    pub(in crate::providers) store: bool,
    /// The system prompt of a thinking model is the developer's.
    pub(in crate::providers) developer: bool,
    /// The field of the output limit.
    pub(in crate::providers) max_tokens: &'static str,
    /// `stream_options.include_usage` is sent.
    pub(in crate::providers) usage: bool,
    /// How thinking is switched.
    pub(in crate::providers) thinking: ThinkingSwitch,

    /// Which ids of calls are taken.
    pub(in crate::providers) ids: IdRule,
    /// How the model's own thinking goes back.
    pub(in crate::providers) reasoning: Reasoning,
    /// The content of an assistant message that holds calls only; `None` is `null`.
    pub(in crate::providers) empty_content: Option<&'static str>,
    /// Results carry the tool's name.
    pub(in crate::providers) result_name: bool,
    /// Results lose the white space around them.
    pub(in crate::providers) trim_results: bool,
    /// What marks a failed result, for there is no flag.
    pub(in crate::providers) error_mark: &'static str,
    /// What stands for a result without text.
    pub(in crate::providers) empty_result: &'static str,
    /// Where images of results stand.
    pub(in crate::providers) images: Images,
    /// What the assistant says between results and the user, where the server wants something there.
    pub(in crate::providers) between: Option<&'static str>,
    /// A conversation that ends with the assistant marks that message as a prefix.
    pub(in crate::providers) prefix: bool,
    /// Models of Anthropic get cache markers.
    pub(in crate::providers) markers: bool,
}

/// What may be said of `parallel_tool_calls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum Parallel {
    /// Anything.
    Sent,
    /// `false` is refused.
    OnlyTrue,
    /// Nothing.
    Unknown,
}

/// How thinking is switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum ThinkingSwitch {
    /// Not by a field of the request.
    None,
    /// `thinking: {type: "enabled" | "disabled"}`.
    Type,
    /// A boolean of this name.
    Flag(&'static str),
}

/// How the model's own thinking goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum Reasoning {
    /// Not at all.
    Dropped,
    /// As a text in this field, where there is any.
    Field(&'static str),
    /// As a text in this field, in every assistant message, or only in those with calls; an empty one if there is none.
    Required {
        /// The field.
        field: &'static str,
        /// Only with calls.
        calls_only: bool,
    },
    /// As `reasoning_details`, opaque parts included.
    Details,
    /// In `<think>` before the text.
    Tag,
    /// As `thinking` chunks of the content.
    Chunks,
    /// Only as signatures on calls, under `extra_content.google`.
    CallSignatures,
}

/// Where images of results stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum Images {
    /// In a user message behind all results of the turn: a tool message takes text only.
    Behind,
    /// In the tool message.
    Inside,
    /// Nowhere: the server takes no images at all.
    Nowhere,
}
