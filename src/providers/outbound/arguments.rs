//! Arguments of calls in a conversation, as the object that goes back.

use std::borrow::Cow;

use crate::json::{Style, Writer};
use crate::model::CallArguments;

/// The key under which text that is no JSON object is sent back. Anthropic's pages on fine-grained tool streaming
/// suggest to wrap it, and pydantic-ai takes this key (pydantic/pydantic-ai#7060).
const INVALID: &str = "INVALID_JSON";
/// The key under which the free text of a custom call is sent where there are no custom tools.
const INPUT: &str = "input";

/// What is said when arguments are wrapped.
pub(in crate::providers) const INVALID_NOTE: &str =
    "arguments that are no JSON object are sent as an object with their text";

/// Writes the arguments as an object, compact; numbers keep their text and keys their order.
pub(in crate::providers) fn write(arguments: &CallArguments, w: &mut Writer) {
    match arguments {
        CallArguments::Object(text) => w.compact(text),
        CallArguments::Freeform(text) => w.object(|w| w.member(INPUT, text)),
        CallArguments::Invalid(text) => w.object(|w| w.member(INVALID, text)),
    }
}

/// The arguments as the text of an object.
pub(in crate::providers) fn text(arguments: &CallArguments) -> Cow<'_, str> {
    if let CallArguments::Object(text) = arguments {
        return Cow::Borrowed(text.as_str());
    }
    let mut writer = Writer::new(Style::Compact);
    write(arguments, &mut writer);
    Cow::Owned(writer.finish())
}
