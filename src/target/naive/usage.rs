//! Token counts.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::value::{either, some};
use crate::model::{Api, Usage};

/// One usage object.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    usage: Usage,
    /// Tokens of thinking that the output does not include (Gemini).
    thoughts: Option<u64>,
}

/// The usage objects of a response, in order.
#[derive(Debug, Default)]
pub(super) struct Counts(Vec<Count>);

impl Counts {
    /// Takes the counters of the usage object, if there is one.
    pub(super) fn take(&mut self, owner: &Value, api: Api) {
        let value = if api == Api::Gemini { either(owner, "usageMetadata") } else { some(owner, "usage") };
        let Some(value) = value.filter(|usage| usage.is_object()) else { return };
        let count = |name| some(value, name).and_then(Value::as_u64);
        let of = |details, name| some(some(value, details)?, name)?.as_u64();
        let google = |name| either(value, name).and_then(Value::as_u64);
        let (cache_read, cache_write) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
        let usage = match api {
            Api::AnthropicMessages => {
                Usage { input: count("input_tokens"), output: count("output_tokens"), cache_read, cache_write }
            }
            Api::OpenaiResponses => Usage {
                input: count("input_tokens"),
                output: count("output_tokens"),
                cache_read: of("input_tokens_details", "cached_tokens"),
                cache_write: of("input_tokens_details", "cache_write_tokens"),
            },
            Api::Gemini => Usage {
                input: google("promptTokenCount"),
                output: google("candidatesTokenCount"),
                cache_read: google("cachedContentTokenCount"),
                cache_write: None,
            },
            Api::OpenaiChat | Api::MistralChat => {
                let camel = |name| count(name).filter(|_| api == Api::MistralChat);
                Usage {
                    input: count("prompt_tokens").or_else(|| camel("promptTokens")),
                    output: count("completion_tokens").or_else(|| camel("completionTokens")),
                    cache_read: of("prompt_tokens_details", "cached_tokens")
                        .or_else(|| count("prompt_cache_hit_tokens"))
                        .or(cache_read),
                    cache_write: of("prompt_tokens_details", "cache_write_tokens").or(cache_write),
                }
            }
        };
        let thoughts = google("thoughtsTokenCount").filter(|_| api == Api::Gemini);
        self.0.push(Count { usage, thoughts });
    }

    /// The last value of each counter, since they are running totals; `None` if there is no usage.
    pub(super) fn usage(&self, switch: Switch) -> Option<Usage> {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        let sum = self.0.iter().fold(Count::default(), |mut sum, later| {
            if switch.on(Quirk::UsageSummed) {
                sum.usage = Usage {
                    input: add(sum.usage.input, later.usage.input),
                    output: add(sum.usage.output, later.usage.output),
                    cache_read: add(sum.usage.cache_read, later.usage.cache_read),
                    cache_write: add(sum.usage.cache_write, later.usage.cache_write),
                };
                sum.thoughts = add(sum.thoughts, later.thoughts);
            } else {
                sum.usage.update(later.usage);
                sum.thoughts = later.thoughts.or(sum.thoughts);
            }
            sum
        });
        let output = add(sum.usage.output, sum.thoughts);
        (!self.0.is_empty()).then_some(Usage { output, ..sum.usage })
    }
}
