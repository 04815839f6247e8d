//! Keys in both spellings: Google answers in camelCase, proxies that print a Python or Go object in `snake_case`.

use super::super::protocol::Context;
use crate::json::Value;

/// The member in camelCase, or else the one in `snake_case`; null is what a proto leaves out.
pub(super) fn either<'a>(
    camel: Option<Value<'a>>,
    snake: Option<Value<'a>>,
    cx: &mut Context<'_>,
) -> Option<Value<'a>> {
    camel.and_then(Value::non_null).or_else(|| {
        let value = snake?.non_null()?;
        cx.note("GGL-S-006", || "keys are in snake_case".to_owned());
        Some(value)
    })
}
