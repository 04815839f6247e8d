//! Cache markers for models of Anthropic behind a chat endpoint: on the system prompt, the last tool, and the newest text
//! of the conversation.

use super::dialect::Dialect;
use crate::json::Writer;
use crate::model::{CacheRetention, Request};

/// A marker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    hour: bool,
}

impl Marker {
    /// The marker of a request, if its server and model take any.
    pub(super) fn of(request: &Request, dialect: &Dialect) -> Option<Self> {
        if !dialect.markers || !request.model.starts_with("anthropic/") {
            return None;
        }
        match request.options.cache_retention {
            CacheRetention::None => None,
            CacheRetention::Short => Some(Self { hour: false }),
            CacheRetention::Long => Some(Self { hour: true }),
        }
    }

    /// Writes it as a member.
    pub(super) fn write(self, w: &mut Writer) {
        w.key("cache_control");
        w.object(|w| {
            w.member("type", "ephemeral");
            if self.hour {
                w.member("ttl", "1h");
            }
        });
    }
}
