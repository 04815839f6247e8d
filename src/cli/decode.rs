//! `toolwire decode`: a response in, the turn out.

use std::path::PathBuf;

use anyhow::Context as _;

use super::{Exit, input, output};
use crate::framing::ChunkPlan;
use crate::json::{Doc, Style};
use crate::model::ApiName;
use crate::providers::{DecodeSetup, Decoder, wire_names};

const EXAMPLES: &str = "\
Examples:
  toolwire decode --api anthropic-messages response.sse
  curl -sN … | toolwire decode --api openai-chat
  toolwire decode --api openai-chat/deepseek --chunking byte response.sse
  toolwire decode --api openai-chat --request request.json response.json

Exits with 0 whenever a turn came out, whatever was wrong with it: see its `stop` and `errors`.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DecodeArgs {
    /// The API that sent the response, or API/DIALECT
    #[arg(long, value_name = "API")]
    api: ApiName,

    /// How the response is cut on its way in: whole, event, line, byte, cut, cut:SEED, at:OFFSET,… or
    /// seed:N; the result is always the same
    #[arg(long, value_name = "CHUNKING", default_value = "whole")]
    chunking: ChunkPlan,

    /// Number of the turn in its conversation; generated ids depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    turn: u32,

    /// The request that was answered (neutral or the provider's own): its tool names settle split names,
    /// its `n` tells how many choices were asked for. Of a neutral one, calls get the caller's names back
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,

    /// The HTTP status of the response, if it was not 200
    #[arg(long, value_name = "STATUS", value_parser = clap::value_parser!(u16).range(100..600))]
    status: Option<u16>,

    /// Mend broken arguments where that is safe, and mark those calls "repaired"
    #[arg(long)]
    repair: bool,

    /// The response: a stream or a JSON body; `-` is stdin
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

pub(super) fn run(args: &DecodeArgs) -> anyhow::Result<Exit> {
    let mut setup = DecodeSetup { turn: args.turn, status: args.status, repair: args.repair, ..DecodeSetup::default() };
    if let Some(path) = &args.request {
        let name = path.display();
        let text = String::from_utf8(input::read(path)?).with_context(|| format!("`{name}` is not UTF-8"))?;
        let request = Doc::parse(text).with_context(|| format!("`{name}` is not JSON"))?;
        setup = setup.with_request(request.root()).with_names(wire_names(&args.api, request.root()));
    }
    let bytes = input::read(&args.file)?;
    let mut decoder = Decoder::new(args.api.api, setup);
    for piece in args.chunking.pieces(&bytes) {
        decoder.push(piece, &mut |_| {});
    }
    let turn = decoder.finish(&mut |_| {});
    output::result(&turn.to_json(Style::Pretty))?;
    Ok(Exit::AsExpected)
}
