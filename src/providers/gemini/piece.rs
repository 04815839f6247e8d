//! One entry of `partialArgs`: a place in the arguments and the value that goes there.

use std::borrow::Cow;

use super::super::arguments::MAX_ARGUMENTS;
use super::super::protocol::Context;
use super::keys::either;
use super::partial::MAX_VALUES;
use crate::json::{Kind, MAX_DEPTH, Str, Value};

/// Why a piece spoils the arguments that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum PieceError {
    #[error("`partialArgs` are not a list")]
    NotAList,
    #[error("a piece of the arguments has no jsonPath")]
    NoPath,
    #[error("the jsonPath of a piece cannot be read")]
    UnreadablePath,
    #[error("the jsonPath of a piece has more than {MAX_DEPTH} steps")]
    DeepPath,
    #[error("the jsonPath of a piece leads through a value that cannot hold it")]
    NoParent,
    #[error("the jsonPath of a piece leads beyond the end of an array")]
    BeyondTheEnd,
    #[error("a piece of the arguments has two values")]
    TwoValues,
    #[error("the value of a piece is not of the type that its key says")]
    WrongType,
    #[error("`args` beside other arguments are no object, or stand beside something that is none")]
    ArgsNoObject,
    #[error("arguments hold half of a surrogate pair")]
    HalfCharacter,
    #[error("arguments are longer than {MAX_ARGUMENTS} bytes")]
    TooLong,
    #[error("arguments hold more than {MAX_VALUES} values")]
    TooMany,
}

/// The value of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) enum Leaf<'a> {
    Text(Str<'a>),
    /// A number, a boolean or null, as JSON.
    Json(&'a str),
}

#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) path: Cow<'a, str>,
    pub(super) leaf: Leaf<'a>,
    /// More of the same string follows.
    pub(super) more: bool,
}

impl<'a> Piece<'a> {
    /// Reads an entry; `None` if it has no value, which changes nothing.
    pub(super) fn read(entry: Value<'a>, cx: &mut Context<'_>) -> Result<Option<Self>, PieceError> {
        let [path, path_snake, more, more_snake] =
            entry.pick(["jsonPath", "json_path", "willContinue", "will_continue"]);
        let [text, text_snake, number, number_snake] =
            entry.pick(["stringValue", "string_value", "numberValue", "number_value"]);
        let [boolean, boolean_snake, null, null_snake] =
            entry.pick(["boolValue", "bool_value", "nullValue", "null_value"]);
        let scalars = [
            either(text, text_snake, cx).map(|value| (value, Kind::String)),
            either(number, number_snake, cx).map(|value| (value, Kind::Number)),
            either(boolean, boolean_snake, cx).map(|value| (value, Kind::Bool)),
        ];
        // The word NULL_VALUE, its number, or null itself, as protobuf's JSON writes it where nothing else stands.
        let alone = [text, text_snake, number, number_snake, boolean, boolean_snake].iter().all(Option::is_none);
        let null = either(null, null_snake, cx).is_some() || alone && (null.is_some() || null_snake.is_some());
        let mut values = scalars.into_iter().flatten();
        let leaf = match (values.next(), values.next(), null) {
            (None, _, false) => {
                cx.note("GGL-S-024", || "a piece of arguments has no value".to_owned());
                return Ok(None);
            }
            (None, _, true) => Leaf::Json("null"),
            (Some((value, kind)), None, false) if value.kind() == kind => {
                value.as_str().map_or(Leaf::Json(value.raw()), Leaf::Text)
            }
            (Some(_), None, false) => return Err(PieceError::WrongType),
            (Some(_), ..) => return Err(PieceError::TwoValues),
        };
        let path = either(path, path_snake, cx).ok_or(PieceError::NoPath)?;
        let path = path.as_str().filter(|path| !path.has_lone_surrogate()).ok_or(PieceError::UnreadablePath)?;
        let more = either(more, more_snake, cx).and_then(Value::as_bool) == Some(true);
        Ok(Some(Self { path: path.decode(), leaf, more }))
    }
}
