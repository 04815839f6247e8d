//! Cache markers: where they stand and how many there may be.
//!
//! A request may hold four; a fifth is refused (continuedev/continue#6937). The prefix is formed of tools, system, messages in this
//! order, so the markers of tools and system are set first and the messages get what is left.

use super::messages::{Conversation, Part};
use crate::json::Writer;

/// The most markers a request may hold.
const MOST: usize = 4;

/// A marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker {
    /// It asks for an hour, not for five minutes.
    pub(super) hour: bool,
}

/// How many markers stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// What they look like; `None` if there are none.
    pub(super) marker: Option<Marker>,
    /// The marker of the last tool.
    pub(super) tools: Option<Marker>,
    /// So many of the last system blocks.
    pub(super) system: usize,
    /// At most so many in messages.
    pub(super) messages: usize,
}

impl Budget {
    /// Spends the markers: one on the last tool, one on each system block while there are any, the rest on messages.
    pub(super) fn spend(marker: Option<Marker>, system: usize, tools: bool) -> Self {
        if marker.is_none() {
            return Self { marker, tools: None, system: 0, messages: 0 };
        }
        let left = MOST - usize::from(tools);
        let system = system.min(left);
        Self { marker, tools: marker.filter(|_| tools), system, messages: left - system }
    }
}

/// Sets the markers of the messages: on the last text or image of the newest user message. If that holds results only,
/// the last of them has it, and a second one stands on the nearest earlier text or image of the user.
pub(super) fn place(conversation: &mut Conversation<'_>, mut left: usize) {
    let mut newest = true;
    for message in conversation.user_messages_backwards() {
        if left == 0 {
            return;
        }
        let visible = message.iter().rposition(|part| matches!(part.part, Part::Text(_) | Part::Image(_)));
        let at = visible.or(if newest { message.len().checked_sub(1) } else { None });
        if let Some(part) = at.and_then(|at| message.get_mut(at)) {
            part.marked = true;
            left -= 1;
        }
        if visible.is_some() {
            return;
        }
        newest = false;
    }
}

/// Writes a marker as a member.
pub(super) fn write(marker: Option<Marker>, w: &mut Writer) {
    let Some(marker) = marker else { return };
    w.key("cache_control");
    w.object(|w| {
        w.member("type", "ephemeral");
        if marker.hour {
            w.member("ttl", "1h");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{Budget, Marker};

    #[test]
    fn there_are_never_more_than_four() {
        let marker = Some(Marker { hour: false });
        for system in 0..7 {
            for tools in [false, true] {
                let budget = Budget::spend(marker, system, tools);
                assert!(budget.system + budget.messages + usize::from(tools) <= 4);
                assert_eq!(Budget::spend(None, system, tools).messages, 0);
            }
        }
        assert_eq!(Budget::spend(marker, 2, true), Budget { marker, tools: marker, system: 2, messages: 1 });
        assert_eq!(Budget::spend(marker, 3, true).messages, 0);
    }
}
