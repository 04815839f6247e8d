//! A neutral request as an Anthropic one.
//!
//! Sources: the Messages reference on platform.claude.com, anthropic-sdk-python, and `OpenClaw`'s adapter for what the reference
//! leaves to the client.

use super::super::encoder::{Encoded, RefusalKind, Refused};
use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::ids::IdRule;
use super::super::outbound::names::{NameRule, WORD_64};
use super::super::outbound::path_segment;
use super::super::outbound::projection::{self, Choice, Projection, ToolRules};
use super::super::outbound::replay::{self, ReplayRules};
use super::super::outbound::schema::SchemaRules;
use super::cache::{self, Marker};
use super::dialects::{self, Dialect, Version};
use super::messages::Conversation;
use super::tools;
use crate::json::{Style, Writer};
use crate::model::{Api, CacheRetention, Request, Strict};

/// The output limit if the caller gives none; the API wants one.
const DEFAULT_MAX_TOKENS: u64 = 4096;

/// The names that clients with an OAuth token have to use: those of Claude Code.
const CLAUDE_CODE_NAMES: &[&str] = &[
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Grep",
    "Glob",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillShell",
    "NotebookEdit",
    "Skill",
    "Task",
    "TaskOutput",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
];

const OAUTH_BETA: &str = "oauth-2025-04-20";
const FINE_GRAINED_BETA: &str = "fine-grained-tool-streaming-2025-05-14";

/// Encodes a request.
pub(in crate::providers) fn encode(request: &Request) -> Result<Encoded, Refused> {
    let options = &request.options;
    let dialect = dialects::dialect(options.dialect.as_deref())
        .ok_or_else(|| Refused::unknown_dialect(request, Api::AnthropicMessages, dialects::names()))?;
    let mut adjustments = Adjustments::for_request(request);
    adjustments.no_stored_responses(request);
    let casing = if options.oauth_tool_names { CLAUDE_CODE_NAMES } else { &[] };
    let rules = ToolRules {
        names: NameRule { casing, ..WORD_64 },
        // Anthropic takes dynamic references, and does not say what it makes of them.
        schemas: SchemaRules { dynamic_references: true, ..SchemaRules::JSON_SCHEMA },
        freeform: false,
    };
    let Projection { mut tools, choice, parallel, names } = projection::project(request, &rules, &mut adjustments)?;
    let choice = match choice {
        Some(Choice::Allowed { names, required }) => {
            tools.retain(|tool| names.contains(&tool.wire));
            adjustments
                .add("tool-choice-emulated", "the tools that are not allowed are left out: the API cannot be told");
            Some(if required { Choice::Required } else { Choice::Auto })
        }
        choice => choice,
    };
    if options.strict == Strict::On && !tools.is_empty() {
        adjustments.add("strict-left-out", "`strict` is not sent: schemas are not normalized for it here");
    }
    let replay_rules = ReplayRules { api: Api::AnthropicMessages, ids: IdRule::Word(64), stored_calls: false };
    let transcript = replay::replay(request, &request.messages, 0, &replay_rules, &mut adjustments);
    let mut choice = choice;
    if tools.is_empty() && dialect.stub_tools {
        tools = tools::stubs(&transcript, &names);
        if !tools.is_empty() {
            adjustments.add("tools-stubbed", "the tools of earlier calls are declared, and none may be called");
            choice = Some(Choice::None);
        }
    }
    let mut conversation = Conversation::build(&transcript, &names, dialect, &mut adjustments);
    conversation.check()?;

    let system_blocks: Vec<&String> = request.system.iter().filter(|text| !text.trim().is_empty()).collect();
    let marker = marker(options.cache_retention, dialect);
    let budget = cache::Budget::spend(marker, system_blocks.len(), dialect.tool_cache && !tools.is_empty());
    cache::place(&mut conversation, budget.messages);
    let eager = match dialect.eager {
        Some(default) => options.eager_input_streaming.unwrap_or(default),
        None => false,
    };
    let mut betas = Vec::new();
    if options.oauth_tool_names {
        betas.push(OAUTH_BETA);
    }
    if !eager && !tools.is_empty() {
        betas.push(FINE_GRAINED_BETA);
    }

    let mut w = Writer::new(Style::Compact);
    w.object(|w| {
        if let Version::Body(version) = dialect.version {
            w.member("anthropic_version", version);
        }
        if dialect.betas_in_body && !betas.is_empty() {
            w.key("anthropic_beta");
            w.array(|w| betas.iter().for_each(|beta| w.string(beta)));
        }
        if dialect.model {
            w.member("model", &request.model);
        }
        w.key("max_tokens");
        w.literal(request.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS));
        if options.stream && dialect.stream {
            w.key("stream");
            w.literal(true);
        }
        system(&system_blocks, &budget, w);
        if !tools.is_empty() {
            w.key("tools");
            tools::write(&tools, eager, budget.tools, w);
        }
        tools::choice(choice.as_ref(), parallel, w);
        if let Some(thinking) = request.thinking {
            // `adaptive` goes with every tool choice and needs no budget below the output limit.
            w.key("thinking");
            w.object(|w| w.member("type", if thinking { "adaptive" } else { "disabled" }));
        }
        w.key("messages");
        conversation.write(budget.marker, w);
    });
    let mut headers = vec![("content-type", "application/json".to_owned())];
    if let Version::Header(version) = dialect.version {
        headers.push(("anthropic-version", version.to_owned()));
    }
    if !dialect.betas_in_body && !betas.is_empty() {
        headers.push(("anthropic-beta", betas.join(",")));
    }
    let path = if options.stream { dialect.stream_path } else { dialect.path };
    Ok(Encoded {
        method: "POST",
        path: path.replace("{model}", &path_segment(&request.model)),
        headers,
        body: w.finish(),
        diagnostics: adjustments.finish(),
        names: names.changed(),
    })
}

fn marker(retention: CacheRetention, dialect: &Dialect) -> Option<Marker> {
    match retention {
        CacheRetention::None => None,
        CacheRetention::Long if dialect.long_cache => Some(Marker { hour: true }),
        CacheRetention::Short | CacheRetention::Long => Some(Marker { hour: false }),
    }
}

fn system(blocks: &[&String], budget: &cache::Budget, w: &mut Writer) {
    if blocks.is_empty() {
        return;
    }
    let unmarked = blocks.len().saturating_sub(budget.system);
    w.key("system");
    w.array(|w| {
        for (at, text) in blocks.iter().enumerate() {
            w.object(|w| {
                w.member("type", "text");
                w.member("text", text);
                if at >= unmarked {
                    cache::write(budget.marker, w);
                }
            });
        }
    });
}

impl Conversation<'_> {
    fn check(&self) -> Result<(), Refused> {
        match self.first_role() {
            None => Err(Refused::new(RefusalKind::EmptyConversation, "there is no message to send")),
            Some("assistant") => Err(Refused::new(
                RefusalKind::AssistantFirst,
                "the conversation begins with the assistant; Anthropic wants a user message first",
            )),
            Some(_) => Ok(()),
        }
    }
}
