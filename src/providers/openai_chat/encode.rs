//! A neutral request as a Chat Completions one.

use super::super::chat::request;
use super::super::encoder::{Encoded, Refused};
use super::dialects;
use crate::model::{Api, Request};

/// Encodes a request.
pub(in crate::providers) fn encode(request: &Request) -> Result<Encoded, Refused> {
    let dialect = dialects::dialect(request.options.dialect.as_deref())
        .ok_or_else(|| Refused::unknown_dialect(request, Api::OpenaiChat, dialects::names()))?;
    request::encode(request, dialect)
}
