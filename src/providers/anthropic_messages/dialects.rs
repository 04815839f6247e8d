//! Routes to Anthropic models and servers that speak Messages: how their requests differ.

/// A route or a compatible server.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Dialect {
    /// What `options.dialect` calls it.
    pub(super) names: &'static [&'static str],
    /// The path of a streamed request; `{model}` stands for the model.
    pub(super) stream_path: &'static str,
    /// The path of one that is not streamed.
    pub(super) path: &'static str,
    /// The version, and where it stands.
    pub(super) version: Version,
    /// `model` stands in the body.
    pub(super) model: bool,
    /// `stream` stands in the body.
    pub(super) stream: bool,
    /// Betas stand in the body as `anthropic_beta`, not in a header.
    pub(super) betas_in_body: bool,
    /// The default of `eager_input_streaming`, or `None` if the server does not know the field.
    pub(super) eager: Option<bool>,
    /// Tools may carry a cache marker.
    pub(super) tool_cache: bool,
    /// Cache markers may ask for an hour.
    pub(super) long_cache: bool,
    /// A conversation with calls needs tools: those of the calls, if there are no others.
    pub(super) stub_tools: bool,
    /// Thinking goes back without a signature.
    pub(super) unsigned_thinking: bool,
}

/// The API version of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Version {
    /// The header `anthropic-version`.
    Header(&'static str),
    /// The member `anthropic_version` of the body.
    Body(&'static str),
}

/// api.anthropic.com. `2023-06-01` is the version that compatible servers know too.
const FIRST_PARTY: Dialect = Dialect {
    names: &[],
    stream_path: "/v1/messages",
    path: "/v1/messages",
    version: Version::Header("2023-06-01"),
    model: true,
    stream: true,
    betas_in_body: false,
    eager: Some(true),
    tool_cache: true,
    long_cache: true,
    stub_tools: false,
    unsigned_thinking: false,
};

/// A server that speaks Messages for other models: what only Anthropic has is left out.
const COMPATIBLE: Dialect = Dialect { eager: Some(false), long_cache: false, unsigned_thinking: true, ..FIRST_PARTY };

const DIALECTS: &[Dialect] = &[
    FIRST_PARTY,
    // anthropic-sdk-python `lib/vertex`: no `model`, version in the body.
    Dialect {
        names: &["vertex"],
        stream_path: "/v1/projects/{project}/locations/{location}/publishers/anthropic/models/{model}:streamRawPredict",
        path: "/v1/projects/{project}/locations/{location}/publishers/anthropic/models/{model}:rawPredict",
        version: Version::Body("vertex-2023-10-16"),
        model: false,
        ..FIRST_PARTY
    },
    // anthropic-sdk-python `lib/bedrock`: neither `model` nor `stream`, betas in the body; the legacy InvokeModel route does
    // not know `eager_input_streaming`, and wants tools beside calls (vercel/ai#7537).
    Dialect {
        names: &["bedrock"],
        stream_path: "/model/{model}/invoke-with-response-stream",
        path: "/model/{model}/invoke",
        version: Version::Body("bedrock-2023-05-31"),
        model: false,
        stream: false,
        betas_in_body: true,
        eager: None,
        stub_tools: true,
        ..FIRST_PARTY
    },
    Dialect {
        names: &["bedrock-mantle"],
        stream_path: "/anthropic/v1/messages",
        path: "/anthropic/v1/messages",
        ..FIRST_PARTY
    },
    Dialect {
        names: &["foundry", "azure"],
        stream_path: "/anthropic/v1/messages",
        path: "/anthropic/v1/messages",
        ..FIRST_PARTY
    },
    // `OpenClaw` sends Fireworks neither the field nor a marker on tools.
    Dialect {
        names: &["fireworks"],
        stream_path: "/inference/v1/messages",
        path: "/inference/v1/messages",
        eager: Some(false),
        tool_cache: false,
        ..COMPATIBLE
    },
    Dialect { names: &["openrouter"], stream_path: "/api/v1/messages", path: "/api/v1/messages", ..FIRST_PARTY },
    Dialect { names: &["litellm"], ..FIRST_PARTY },
    Dialect {
        names: &[
            "deepseek",
            "zai",
            "glm",
            "minimax",
            "moonshot",
            "kimi",
            "dashscope",
            "ollama",
            "vllm",
            "llamacpp",
            "copilot",
        ],
        ..COMPATIBLE
    },
];

/// The row of a dialect; without a name Anthropic itself.
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
