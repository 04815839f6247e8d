//! Token counts.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::value::some;
use crate::model::{Api, Usage};

/// The usage objects of a response, in order.
#[derive(Debug, Default)]
pub(super) struct Counts(Vec<Usage>);

impl Counts {
    /// Takes the counters of the member `usage`, if there is one.
    pub(super) fn take(&mut self, owner: &Value, api: Api) {
        let Some(value) = some(owner, "usage").filter(|usage| usage.is_object()) else { return };
        let count = |name| some(value, name).and_then(Value::as_u64);
        let detail = |name| some(some(value, "prompt_tokens_details")?, name)?.as_u64();
        let (cache_read, cache_write) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
        self.0.push(match api {
            Api::AnthropicMessages => {
                Usage { input: count("input_tokens"), output: count("output_tokens"), cache_read, cache_write }
            }
            Api::OpenaiChat | Api::OpenaiResponses | Api::Gemini | Api::MistralChat => Usage {
                input: count("prompt_tokens"),
                output: count("completion_tokens"),
                cache_read: detail("cached_tokens").or_else(|| count("prompt_cache_hit_tokens")).or(cache_read),
                cache_write: detail("cache_write_tokens").or(cache_write),
            },
        });
    }

    /// The last value of each counter, since they are running totals; `None` if there is no usage.
    pub(super) fn usage(&self, switch: Switch) -> Option<Usage> {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        let sum = self.0.iter().fold(Usage::default(), |mut sum, later| {
            if switch.on(Quirk::UsageSummed) {
                sum = Usage {
                    input: add(sum.input, later.input),
                    output: add(sum.output, later.output),
                    cache_read: add(sum.cache_read, later.cache_read),
                    cache_write: add(sum.cache_write, later.cache_write),
                };
            } else {
                sum.update(*later);
            }
            sum
        });
        (!self.0.is_empty()).then_some(sum)
    }
}
