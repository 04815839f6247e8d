//! What our own encoders send breaks no rule: the requests of the corpus, and those of the faults where they are
//! present, to every API and every dialect.
#![expect(clippy::disallowed_methods, reason = "reads files")]

use std::path::Path;

use toolwire::json::Doc;
use toolwire::lint::Profile;
use toolwire::model::{Api, Request};
use toolwire::providers::{HttpView, Severity, encode};

/// Dialects that are encoded for, and those that only have rules.
const DIALECTS: &[(Api, &[&str])] = &[
    (Api::AnthropicMessages, &["vertex", "bedrock"]),
    (
        Api::OpenaiChat,
        &["deepseek", "moonshot", "minimax", "cerebras", "fireworks", "groq", "gemini", "ollama", "zai", "openrouter"],
    ),
    (Api::OpenaiResponses, &[]),
    (Api::Gemini, &["vertex", "codeassist"]),
    (Api::MistralChat, &[]),
];

/// Neutral requests with their names.
fn requests() -> Vec<(String, String)> {
    let corpus = toolwire::load::embedded_corpus().unwrap();
    let mut all: Vec<(String, String)> = corpus
        .cases
        .iter()
        .filter_map(|case| Some((case.id.to_string(), case.request.as_ref()?.as_str().to_owned())))
        .collect();
    all.sort_by(|a, b| a.1.cmp(&b.1));
    all.dedup_by(|a, b| a.1 == b.1);
    if let Some(faults) = crate::shared::shared("faults/cases") {
        for entry in std::fs::read_dir(faults).unwrap() {
            let dir = entry.unwrap().path();
            all.extend(fault(&dir).map(|request| (dir.display().to_string(), request)));
        }
    }
    all
}

fn fault(dir: &Path) -> Option<String> {
    let file = |name: &str| std::fs::read_to_string(dir.join(name)).ok();
    let messages = file("messages.json")?;
    let tools = file("tools.json").unwrap_or("[]".to_owned());
    Some(format!(r#"{{"model":"m","messages":{messages},"tools":{tools}}}"#))
}

#[test]
fn requests_of_ours_break_no_rule() {
    let mut sent = 0;
    let mut wrong = std::collections::BTreeMap::new();
    for (name, text) in requests() {
        for (api, dialects) in DIALECTS {
            for dialect in std::iter::once(None).chain(dialects.iter().copied().map(Some)) {
                let doc = Doc::parse(text.as_str()).unwrap();
                let Ok(mut request) = Request::read(doc.root()) else { continue };
                if request.options.dialect.is_none() {
                    request.options.dialect = dialect.map(str::to_owned);
                } else if dialect.is_some() {
                    continue;
                }
                let Ok(encoded) = encode(*api, &request) else { continue };
                sent += 1;
                let headers: Vec<(String, String)> =
                    encoded.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
                let api = toolwire::model::ApiName { api: *api, dialect: request.options.dialect.clone() };
                let body = Doc::parse(encoded.body.as_str()).unwrap();
                let setup = toolwire::lint::LintSetup {
                    http: Some(HttpView { path: &encoded.path, headers: &headers }),
                    profile: Profile::of(api.dialect.as_deref()),
                };
                for finding in toolwire::lint::lint_request(&api, body.root(), &setup) {
                    if finding.severity == Severity::Error {
                        let told = format!("{name}: {} {}", finding.pointer, finding.message);
                        let first =
                            wrong.entry((api.api.name(), api.dialect.clone(), finding.rule.id)).or_insert((told, 0));
                        first.1 += 1;
                    }
                }
            }
        }
    }
    assert!(sent > 500, "{sent}");
    let lines: Vec<String> = wrong.iter().map(|(key, (told, n))| format!("{key:?} ×{n}: {told}")).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}
