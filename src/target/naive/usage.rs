//! Token counts.

use serde_json::Value;

use super::quirk::{Quirk, Switch};
use super::value::some;
use crate::model::Usage;

/// The usage objects of a response, in order.
#[derive(Debug, Default)]
pub(super) struct Counts(Vec<Usage>);

impl Counts {
    /// Takes the counters of the member `usage`, of either API, if there is one.
    pub(super) fn take(&mut self, owner: &Value) {
        let Some(value) = some(owner, "usage") else { return };
        let count = |name| some(value, name).and_then(Value::as_u64);
        let cached = || some(some(value, "prompt_tokens_details")?, "cached_tokens")?.as_u64();
        self.0.push(Usage {
            input: count("prompt_tokens").or_else(|| count("input_tokens")),
            output: count("completion_tokens").or_else(|| count("output_tokens")),
            cache_read: cached()
                .or_else(|| count("prompt_cache_hit_tokens"))
                .or_else(|| count("cache_read_input_tokens")),
            cache_write: count("cache_creation_input_tokens"),
        });
    }

    /// The last value of each counter, since they are running totals; `None` if there is none.
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
        (sum != Usage::default()).then_some(sum)
    }
}
