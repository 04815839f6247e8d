//! `toolwire new`: the beginning of a case.
#![expect(clippy::disallowed_methods, reason = "the edge: writes the case's files")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Exit, input, output, select};
use crate::corpus::{CaseId, CorpusVersion, FaultKind, TurnPattern};
use crate::json::{Style, Writer};
use crate::load;
use crate::model::{Api, Turn};
use crate::providers::{self, DecodeSetup};

const EXAMPLES: &str = "\
Examples:
  toolwire new openai-chat/my-server-sends-it-so --corpus my-corpus --from response.sse
  toolwire new openai-chat/my-server-sends-it-so --kind id-missing --from response.sse
  toolwire run --corpus my-corpus";

/// How many kinds a message names.
const SHOWN_KINDS: usize = 5;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct NewArgs {
    /// The id of the new case, api/slug
    #[arg(value_name = "CASE")]
    case: String,

    /// The folder of the corpus that gets it
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    corpus: PathBuf,

    /// The kind of fault that it shows, as `toolwire list --coverage` names it; needed if the corpus has a kinds.json
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,

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
    let about = About::of(&args.corpus)?;
    let kind = about.kind(args)?;
    let streamed = is_streamed(&body);
    let file = if streamed { "1.response.sse" } else { "1.response.json" };
    let folder = args.corpus.join(id.as_str());
    if folder.exists() {
        bail!("`{}` is there already; choose another slug", folder.display());
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("failed to create `{}`", folder.display()))?;
    write(&folder.join(file), &body)?;
    let turn = providers::decode(api, DecodeSetup::default(), &body);
    let features: Vec<&str> = [if streamed { "streaming" } else { "non-streaming" }].into_iter().chain(kind).collect();
    let case = case(&id, api, &features, about.since, file, &turn);
    write(&folder.join("case.json"), case.as_bytes())?;
    output::result(&folder.display().to_string())?;
    output::note("fill in title, why, source and request in case.json, and review `expect`: it is what toolwire reads");
    Ok(Exit::AsExpected)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("failed to write `{}`", path.display()))
}

/// What the corpus says about cases; the embedded one where it says nothing.
struct About {
    kinds: Vec<FaultKind>,
    /// The kinds are the corpus's own, so each of its cases has one.
    own: bool,
    since: CorpusVersion,
}

impl About {
    fn of(dir: &Path) -> anyhow::Result<Self> {
        let own =
            load::corpus_head(dir).with_context(|| format!("failed to load the corpus in `{}`", dir.display()))?;
        let embedded = select::corpus(None)?;
        let since = own.version.or(embedded.version).unwrap_or(CorpusVersion::NONE);
        let has_kinds = !own.kinds.is_empty();
        Ok(Self { kinds: if has_kinds { own.kinds } else { embedded.kinds }, own: has_kinds, since })
    }

    /// The kind that was named, if it is one.
    fn kind<'a>(&self, args: &'a NewArgs) -> anyhow::Result<Option<&'a str>> {
        let some: Vec<&str> = self.kinds.iter().map(|kind| kind.id.as_str()).take(SHOWN_KINDS).collect();
        let mut list = "toolwire list --coverage".to_owned();
        if self.own {
            let _ = write!(list, " --corpus {}", args.corpus.display());
        }
        match args.kind.as_deref() {
            Some(kind) if !self.kinds.iter().any(|known| known.id == kind) => {
                bail!("unknown fault kind `{kind}`; use one such as {} (`{list}` shows all)", some.join(", "))
            }
            None if self.own => {
                bail!("name the kind of fault with --kind, such as {} (`{list}` shows all)", some.join(", "))
            }
            kind => Ok(kind),
        }
    }
}

/// As framing decides it: a body that begins with `{` or `[` is one JSON value.
fn is_streamed(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    !matches!(body.first(), Some(b'{' | b'['))
}

fn case(id: &CaseId, api: Api, features: &[&str], since: CorpusVersion, file: &str, turn: &Turn) -> String {
    let mut writer = Writer::new(Style::Pretty);
    writer.object(|w| {
        w.member("title", &format!("TODO: what {id} shows"));
        w.member("why", "TODO: what clients get wrong here");
        w.member("class", "bent");
        w.member("level", "should");
        w.member("api", api.name());
        w.key("features");
        w.array(|w| features.iter().for_each(|feature| w.string(feature)));
        w.member("since", &since.to_string());
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
        Api::OpenaiResponses => include_bytes!("templates/openai-responses.sse"),
        Api::Gemini => include_bytes!("templates/gemini.sse"),
        Api::MistralChat => include_bytes!("templates/mistral-chat.sse"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_streamed;

    #[test]
    fn bodies_and_streams_are_told_apart_as_framing_does() {
        for (body, streamed) in [
            ("{}", false),
            (" \n[1]", false),
            ("\u{feff}{}", false),
            ("\u{feff} {}", false),
            ("data: {}", true),
            ("", true),
        ] {
            assert_eq!(is_streamed(body.as_bytes()), streamed, "{body:?}");
        }
    }
}
