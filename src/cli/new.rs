//! `toolwire new`: the beginning of a case.
#![expect(clippy::disallowed_methods, reason = "the edge: writes the case's files")]

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Exit, input, output, show};
use crate::corpus::{CaseId, TurnPattern};
use crate::json::{Style, Writer};
use crate::model::{Api, Turn};

const EXAMPLES: &str = "\
Examples:
  toolwire new openai-chat/my-server-sends-it-so --corpus my-corpus --from response.sse
  toolwire run --corpus my-corpus";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NewArgs {
    /// The id of the new case, api/slug
    #[arg(value_name = "CASE")]
    case: String,

    /// The folder of the corpus that gets it
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    corpus: PathBuf,

    /// A response to begin with; what toolwire reads in it becomes the expectation, to be reviewed
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(super) fn run(args: &NewArgs) -> anyhow::Result<Exit> {
    let id = CaseId::new(&args.case)?;
    let api: Api = id.folder().parse()?;
    let body = match &args.from {
        Some(path) => input::read(path)?,
        None => template(api).to_vec(),
    };
    let streamed = !body.trim_ascii_start().starts_with(b"{");
    let file = if streamed { "1.response.sse" } else { "1.response.json" };
    let folder = args.corpus.join(id.as_str());
    if folder.exists() {
        bail!("`{}` is there already; choose another slug", folder.display());
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("failed to create `{}`", folder.display()))?;
    write(&folder.join(file), &body)?;
    let case = case(&id, api, file, streamed, &show::reading(api, &body));
    write(&folder.join("case.json"), case.as_bytes())?;
    output::result(&folder.display().to_string())?;
    output::note("fill in title, why, source and request in case.json, and review `expect`: it is what toolwire reads");
    Ok(Exit::AsExpected)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("failed to write `{}`", path.display()))
}

fn case(id: &CaseId, api: Api, file: &str, streamed: bool, turn: &Turn) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.object(|w| {
        w.member("title", &format!("TODO: what {id} shows"));
        w.member("why", "TODO: what clients get wrong here");
        w.member("class", "bent");
        w.member("level", "should");
        w.member("api", api.name());
        w.key("features");
        w.array(|w| w.string(if streamed { "streaming" } else { "non-streaming" }));
        w.member("since", "2026.12");
        w.key("source");
        w.array(|w| {
            w.object(|w| {
                w.member("kind", "issue");
                w.member("ref", "TODO: owner/repo#1");
                w.member("says", "TODO: in your own words");
            });
        });
        w.key("request");
        w.object(|w| {
            w.member("model", "m");
            w.key("messages");
            w.array(|w| {
                w.object(|w| {
                    w.member("role", "user");
                    w.member("content", "TODO");
                });
            });
        });
        w.key("turns");
        w.array(|w| {
            w.object(|w| {
                w.key("response");
                w.object(|w| {
                    w.key("status");
                    w.literal(200);
                    w.member("body", file);
                });
                w.key("expect");
                TurnPattern::of(turn).write(w);
            });
        });
    });
    writer.finish() + "\n"
}

/// A stream with one call, for a case that begins from nothing.
fn template(api: Api) -> &'static [u8] {
    match api {
        Api::AnthropicMessages => include_bytes!("templates/anthropic-messages.sse"),
        Api::OpenaiChat => include_bytes!("templates/openai-chat.sse"),
    }
}
