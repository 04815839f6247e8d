//! Arguments of calls in a conversation, as the object that goes back.

use crate::json::{JsonText, Style, Tree, Writer};
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
        CallArguments::Object(text) => write_text(text, w),
        CallArguments::Freeform(text) => w.object(|w| w.member(INPUT, text)),
        CallArguments::Invalid(text) => w.object(|w| w.member(INVALID, text)),
    }
}

/// The arguments as the text of an object.
pub(in crate::providers) fn text(arguments: &CallArguments) -> String {
    let mut writer = Writer::new(Style::Compact);
    write(arguments, &mut writer);
    writer.finish()
}

/// Writes a value without white space, and without lone surrogates.
pub(in crate::providers) fn write_text(text: &JsonText, w: &mut Writer) {
    let doc = text.doc();
    let root = doc.root();
    if root.has_lone_surrogate() {
        Tree::of(root).write(w);
    } else {
        w.value(root);
    }
}
