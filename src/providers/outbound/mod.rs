//! What all encoders share, in the order in which a request goes through it.
//!
//! - [`projection`]: which tools go out, under which names ([`names`]), with which schemas ([`schema`], [`refs`], [`root`],
//!   [`strict`], [`gemini_cleaning`]), in which order ([`sort`]), and what is left of the tool choice
//! - [`replay`]: the conversation as it can be replayed: calls and results paired, foreign state taken out
//! - [`ids`]: the ids of its calls, legal at the provider
//! - [`arguments`]: what calls are replayed with
//!
//! Nothing here writes a provider's JSON.

mod gemini_alternatives;
mod gemini_cleaning;
mod keywords;
mod refs;
mod root;

pub(super) mod adjustments;
pub(super) mod arguments;
pub(super) mod gemini_subset;
pub(super) mod ids;
pub(super) mod names;
pub(super) mod projection;
pub(super) mod replay;
pub(super) mod schema;
pub(super) mod sort;
pub(super) mod strict;

/// A text as one segment of a path: what is neither unreserved in a URL nor `@` is percent-encoded (RFC 3986, 2.3, 3.3).
pub(super) fn path_segment(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, b| {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'@') {
            out.push(char::from(b));
        } else {
            let digit = |n: u8| char::from_digit(u32::from(n), 16).map_or('0', |digit| digit.to_ascii_uppercase());
            out.extend(['%', digit(b >> 4), digit(b & 15)]);
        }
        out
    })
}
