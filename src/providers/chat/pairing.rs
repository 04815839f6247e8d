//! Calls of chat messages and the tool messages that answer them.

use super::super::request_view::{MessageView, Part, RequestView, ResultView, Role};

/// An assistant message with calls, and the tool messages right behind it.
pub(in super::super) struct Exchange<'v, 'a> {
    /// The assistant message.
    pub(in super::super) asked: &'v MessageView<'a>,
    /// The results behind it, each with its part.
    pub(in super::super) results: Vec<(&'v Part<'a>, &'v ResultView<'a>)>,
}

/// True for a message of the deprecated role `function`, whose results have no id.
fn is_deprecated(message: &MessageView<'_>) -> bool {
    message.node.text("role").as_deref() == Some("function")
}

/// All exchanges, and the tool messages that stand behind no assistant message with calls.
pub(in super::super) fn exchanges<'v, 'a>(view: &'v RequestView<'a>) -> (Vec<Exchange<'v, 'a>>, Vec<&'v Part<'a>>) {
    let mut exchanges: Vec<Exchange<'v, 'a>> = Vec::new();
    let mut orphans = Vec::new();
    // The last exchange goes on as long as tool messages come.
    let mut open = false;
    for message in &view.messages {
        if message.role == Role::Tool {
            match exchanges.last_mut().filter(|_| open) {
                Some(exchange) => exchange.results.extend(message.results()),
                None if is_deprecated(message) => {}
                None => orphans.extend(message.results().map(|(part, _)| part)),
            }
            continue;
        }
        let deprecated = message.node.some("function_call").is_some();
        open = message.role == Role::Assistant && !deprecated && message.calls().next().is_some();
        if open {
            exchanges.push(Exchange { asked: message, results: Vec::new() });
        }
    }
    (exchanges, orphans)
}
