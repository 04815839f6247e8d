//! A request body of Mistral's chat API as a neutral view.

use super::super::chat;
use super::super::node::Node;
use super::super::request_view::RequestView;
use crate::model::Api;

/// Reads a body.
pub(in super::super) fn read(body: Node<'_>) -> RequestView<'_> {
    chat::read(Api::MistralChat, body)
}
