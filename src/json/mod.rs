//! JSON as it came over the wire.
//!
//! In: text from outside. Out: a [`Doc`], a tree of spans over that text, so that number
//! spelling, key order, duplicate keys, lone surrogates and byte offsets all stay visible.
//! One pass, linear, depth-limited, no recursion over input. Nothing here ever changes a value.

mod check;
mod compact;
mod compare;
mod doc;
pub(crate) mod fields;
mod hidden;
mod number;
mod parse;
mod scan;
mod string;
mod text;
mod tree;
mod write;

pub use check::{Facts, check};
pub use compact::CompactText;
pub use compare::{Difference, Strictness, difference};
pub use doc::{Doc, Kind, Tape, Value};
pub use hidden::is_hidden;
pub use number::same_number;
pub use parse::{Error, ErrorKind, MAX_DEPTH, validate};
pub use scan::{Progress, Scanner};
pub use string::{Str, TextBuffer};
pub use text::JsonText;
pub use tree::Tree;
pub use write::{Style, Writer};
