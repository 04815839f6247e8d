//! Mistakes in the headers, in the path, in the rest of the body, and in what is said about it.

use super::{OutboundQuirk, Wire};
use crate::json::{JsonText, Kind, Str, Tree, Value};
use crate::providers::Encoded;

const BETA: &str = "anthropic-beta";
const FINE_GRAINED: &str = "fine-grained-tool-streaming-2025-05-14";

/// Makes the mistake around the body.
pub(super) fn edit(quirk: OutboundQuirk, encoded: &mut Encoded) {
    match quirk {
        OutboundQuirk::BetaHeaderAlways => match encoded.headers.iter_mut().find(|(name, _)| *name == BETA) {
            Some((_, betas)) if betas.contains(FINE_GRAINED) => {}
            Some((_, betas)) => *betas = format!("{betas},{FINE_GRAINED}"),
            None => encoded.headers.push((BETA, FINE_GRAINED.to_owned())),
        },
        OutboundQuirk::HeadersForgotten => encoded.headers.retain(|(name, _)| *name == "content-type"),
        OutboundQuirk::StreamWithoutSse => encoded.path = encoded.path.replace("?alt=sse", ""),
        OutboundQuirk::AdjustmentsKeptQuiet => encoded.diagnostics.clear(),
        _ => {}
    }
}

/// Makes the mistake in the rest of the body.
pub(super) fn edit_body(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    match wire.quirk {
        OutboundQuirk::OldNameOfTheOutputLimit => {
            if let Tree::Object(members) = tree {
                let limits = ["max_completion_tokens", "max_output_tokens"];
                let found = members.iter_mut().find(|(key, _)| limits.contains(&&**key));
                if let Some((key, _)) = found {
                    *key = "max_tokens".into();
                }
            }
        }
        OutboundQuirk::StoringLeftToTheServer => {
            tree.remove("store");
        }
        _ => {}
    }
}

/// Puts halves of surrogate pairs back into the texts that had them.
pub(super) fn halves(wire: &Wire<'_>, body: String) -> String {
    if wire.quirk != OutboundQuirk::SurrogateHalvesSent || !wire.request.mended_surrogates {
        return body;
    }
    let mut texts = Vec::new();
    broken_texts(wire.neutral, &mut texts);
    texts.into_iter().fold(body, |body, text| {
        let mended = text.as_str().map(|text| text.without_halves().into_owned()).unwrap_or_default();
        body.replace(JsonText::string(&mended).as_str(), text.raw())
    })
}

/// Every string with half of a pair.
fn broken_texts<'v>(value: Value<'v>, out: &mut Vec<Value<'v>>) {
    match value.kind() {
        Kind::Object => value.members().for_each(|(_, value)| broken_texts(value, out)),
        Kind::Array => value.items().for_each(|item| broken_texts(item, out)),
        Kind::String if value.as_str().is_some_and(Str::has_lone_surrogate) => out.push(value),
        _ => {}
    }
}
