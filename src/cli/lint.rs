//! `toolwire lint`: a request under the rules of its API.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{Exit, input, output};
use crate::json::{Doc, Style};
use crate::lint::{self, Finding, LintSetup, Profile};
use crate::model::ApiName;
use crate::observe::SentRequest;
use crate::providers::{HttpView, Severity};

const EXAMPLES: &str = "\
Examples:
  toolwire lint --request body.json --api anthropic-messages
  toolwire lint --request body.json --api openai-chat/deepseek --deny warning
  toolwire encode --api gemini request.json | toolwire lint --request - --api gemini
  toolwire lint --request body.json --api openai-chat --allow OAI-C-025 --format json

The request is a provider's own body, or {\"method\",\"path\",\"headers\",\"body\"} with the body as text, as `encode` \
prints it: then headers and path are judged too. `toolwire rules` lists the rules. Exits with 1 on an error.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LintArgs {
    /// The request: a provider's body, or one with method, path and headers; `-` is stdin
    #[arg(long, value_name = "FILE", required = true)]
    request: PathBuf,

    /// The API that it is sent to, or API/DIALECT
    #[arg(long, value_name = "API")]
    api: ApiName,

    /// strict: the rules of the API's own servers; compat: what only those insist on is a warning. strict
    /// if not given, compat with a dialect
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,

    /// Treat warnings as errors
    #[arg(long, value_name = "SEVERITY", value_enum)]
    deny: Option<Deny>,

    /// Leave this rule out; may be repeated
    #[arg(long, value_name = "ID")]
    allow: Vec<String>,

    /// text, or json: one array of findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: output::TextOrJson,
}

/// What counts as an error besides errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    /// Warnings.
    Warning,
}

fn profile(text: &str) -> Result<Profile, String> {
    let known = || Profile::ALL.iter().map(|profile| profile.name()).collect::<Vec<_>>().join(", ");
    Profile::ALL.iter().copied().find(|profile| profile.name() == text).ok_or_else(|| format!("known are {}", known()))
}

pub(super) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    for id in &args.allow {
        anyhow::ensure!(lint::rule(id).is_some(), "there is no rule `{id}`; `toolwire rules` lists them");
    }
    let name = file_name(&args.request);
    let text = String::from_utf8(input::read(&args.request)?).with_context(|| format!("`{name}` is not UTF-8"))?;
    let doc = Doc::parse(text).with_context(|| format!("`{name}` is not JSON"))?;
    let profile = args.profile.unwrap_or_else(|| Profile::of(args.api.dialect.as_deref()));
    let mut findings = match SentRequest::read(doc.root()) {
        None => lint::lint_request(&args.api, doc.root(), &LintSetup { http: None, profile }),
        Some(sent) => {
            let body = String::from_utf8_lossy(&sent.body);
            let body = Doc::parse(&*body).with_context(|| format!("`body` of `{name}` is not JSON"))?;
            let http = HttpView { path: &sent.path, headers: &sent.headers };
            lint::lint_request(&args.api, body.root(), &LintSetup { http: Some(http), profile })
        }
    };
    findings.retain(|finding| !args.allow.iter().any(|id| finding.rule.id.eq_ignore_ascii_case(id)));
    match args.format {
        output::TextOrJson::Json => output::result(&lint::write_findings(&findings, Some(&name), Style::Pretty))?,
        output::TextOrJson::Text if findings.is_empty() => {}
        output::TextOrJson::Text => output::result(&output::for_terminal(&text_of(&findings, &name)))?,
    }
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if args.format == output::TextOrJson::Text {
        let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        output::note(&format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")));
    }
    let denied = args.deny == Some(Deny::Warning) && warnings > 0;
    Ok(if errors > 0 || denied { Exit::NotConformant } else { Exit::AsExpected })
}

fn file_name(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

fn text_of(findings: &[Finding], file: &str) -> String {
    let one = |finding: &Finding| {
        // What a body wrote stays on its line.
        let line = |text: &str| text.replace(['\n', '\r'], " ");
        let (pointer, message) = (line(&finding.pointer), line(&finding.message));
        let at = if pointer.is_empty() { String::new() } else { format!(" {pointer}") };
        format!("{file}{at}: {} {}: {message}\n    {}", finding.severity, finding.rule.id, finding.rule.fix)
    };
    findings.iter().map(one).collect::<Vec<_>>().join("\n")
}
