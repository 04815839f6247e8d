//! Requests that providers took: no rule may call them wrong.

use toolwire::lint::Profile;
use toolwire::model::Api;
use toolwire::providers::Severity;

use crate::support::judge;

/// Providers whose captures are of the API's own servers.
const OWN: &[&str] = &["anthropic", "azure", "google", "mistral", "openai"];

/// What is wrong in captured requests all the same: capture, rule, why.
const KNOWN: &[(&str, &str, &str)] = &[
    ("mistral/rig-agent-tool-sessions-parallel-tool-calls-single-turn-streaming-t1", "MIS-001", "ids were redacted"),
    ("openai/reqllm-o3-object-streaming", "OAI-R-001", "taken, but the schema was lost"),
    (
        "ollama/magentic-openai-chat-model-acomplete-ollama-return-true.-output-types1-bool",
        "OLV-003",
        "taken, but the choice was ignored",
    ),
];

#[test]
fn requests_that_were_taken_have_no_errors() {
    let Some(dir) = crate::shared::shared("captures") else { return };
    let mut seen = 0;
    let mut wrong = Vec::new();
    for capture in toolwire::load::captures(&dir).unwrap() {
        let Some(request) = capture.request.filter(|_| capture.status.is_none_or(|status| status < 300)) else {
            continue;
        };
        seen += 1;
        let provider = capture.name.split('/').next().unwrap();
        let api = match (capture.api, provider) {
            (api, provider) if OWN.contains(&provider) => api.name().to_owned(),
            (Api::AnthropicMessages, "vertex-anthropic") => "anthropic-messages/vertex".to_owned(),
            (api, provider) => format!("{api}/{provider}"),
        };
        let profile = if OWN.contains(&provider) { Profile::Strict } else { Profile::Compat };
        for finding in judge(&api, request.doc().root(), profile) {
            let known = KNOWN.iter().any(|(name, rule, _)| *name == capture.name && *rule == finding.rule.id);
            if finding.severity == Severity::Error && !known {
                wrong.push(format!("{}: {finding:?}", capture.name));
            }
        }
    }
    assert!(seen > 100, "{seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
