//! `toolwire encode`: a neutral request in, the provider's request out.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::{Exit, input, output};
use crate::json::{Doc, Style};
use crate::model::{ApiName, Request};
use crate::providers::encode;

const EXAMPLES: &str = "\
Examples:
  toolwire encode --api anthropic-messages request.json
  toolwire encode --api openai-chat/deepseek --body request.json
  echo '{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}' | toolwire encode --api mistral-chat

Exits with 1 if the request cannot be sent at all; `refused` then says why. What was left out or rewritten stands in
`diagnostics`.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EncodeArgs {
    /// The API that the request goes to, or API/DIALECT
    #[arg(long, value_name = "API")]
    api: ApiName,

    /// Print the body alone, byte for byte as it is sent, without a line end
    #[arg(long)]
    body: bool,

    /// The neutral request, as JSON; `-` is stdin
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

pub(super) fn run(args: &EncodeArgs) -> anyhow::Result<Exit> {
    let mut request = read(&args.file)?;
    if let Some(dialect) = &args.api.dialect {
        match &request.options.dialect {
            Some(other) if other != dialect => {
                bail!("the request is for the dialect `{other}` (at /options/dialect), not for `{dialect}`")
            }
            _ => request.options.dialect = Some(dialect.clone()),
        }
    }
    match encode(args.api.api, &request) {
        Ok(encoded) => {
            if args.body {
                output::exactly(&encoded.body)?;
            } else {
                output::result(&encoded.to_json(Style::Pretty))?;
            }
            Ok(Exit::AsExpected)
        }
        Err(refused) => {
            output::result(&refused.to_json(Style::Pretty))?;
            Ok(Exit::NotConformant)
        }
    }
}

fn read(path: &Path) -> anyhow::Result<Request> {
    let name = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
    let text = String::from_utf8(input::read(path)?).with_context(|| format!("`{name}` is not UTF-8"))?;
    let doc = Doc::parse(text).with_context(|| format!("`{name}` is not JSON"))?;
    Request::read(doc.root()).with_context(|| format!("`{name}` is no request"))
}
