//! One call while its parts come.

use std::borrow::Cow;

use super::super::calls::{Call, id_of};
use super::super::protocol::Context;
use super::keys::either;
use super::partial::Partial;
use super::piece::PieceError;
use crate::json::{Doc, Kind, Value};
use crate::model::Step;

/// A `functionCall`, cleaned: what counts as absent is absent.
#[derive(Debug)]
pub(super) struct CallPart<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Option<Cow<'a, str>>,
    args: Option<Value<'a>>,
    pieces: Option<Value<'a>>,
    /// `willContinue`: further parts belong to the call.
    pub(super) more: bool,
}

impl<'a> CallPart<'a> {
    pub(super) fn read(call: Value<'a>, cx: &mut Context<'_>) -> Self {
        let [id, name, args, pieces, pieces_snake, more, more_snake] =
            call.pick(["id", "name", "args", "partialArgs", "partial_args", "willContinue", "will_continue"]);
        let pieces = either(pieces, pieces_snake, cx);
        Self {
            id: id.and_then(id_of),
            name: name.and_then(Value::to_text).filter(|name| !name.trim().is_empty()),
            args: args.and_then(Value::non_null).filter(|args| !is_none(*args)),
            // An empty list is what a proto leaves out.
            pieces: pieces.filter(|list| list.kind() != Kind::Array || list.items().next().is_some()),
            more: either(more, more_snake, cx).and_then(Value::as_bool) == Some(true),
        }
    }

    /// It holds nothing that a call could be made of.
    pub(super) fn is_blank(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.args.is_none() && self.pieces.is_none()
    }

    /// It has `args` that say something: some servers print empty ones in every part.
    fn has_args(&self) -> bool {
        self.args.is_some_and(|args| args.kind() != Kind::Object || args.members().next().is_some())
    }
}

/// True for text in the place of arguments that means that there are none, as everywhere.
fn is_none(args: Value<'_>) -> bool {
    args.to_text().is_some_and(|text| matches!(text.trim(), "" | "null"))
}

/// A call and what has come of it.
#[derive(Debug, Default)]
pub(super) struct OpenCall {
    call: Call,
    /// Arguments that come as pieces.
    partial: Option<Partial>,
    /// Arguments that say something came, or pieces of them.
    argued: bool,
    /// It was open when the stream failed.
    pub(super) broken: bool,
}

impl OpenCall {
    /// The call that a part begins, with this number for steps.
    pub(super) fn begin(part: &CallPart<'_>, number: usize, cx: &mut Context<'_>) -> Self {
        let id = part.id.as_deref();
        cx.step(Step::Opened { call: number, id });
        if let Some(name) = &part.name {
            cx.step(Step::Named { call: number, name });
        }
        let name = part.name.as_deref().unwrap_or_default().to_owned();
        let call = Call { number, id: id.map(str::to_owned), name, ..Call::default() };
        Self { call, ..Self::default() }
    }

    /// True if a part with a name means this very call: it says the head again, by id or before arguments came.
    pub(super) fn is_meant_by(&self, part: &CallPart<'_>) -> bool {
        let same = match &part.id {
            Some(id) => self.call.id.as_deref() == Some(id),
            None => !self.argued,
        };
        same && !part.has_args() && part.name.as_deref() == Some(&*self.call.name)
    }

    /// Takes what a part adds to the call.
    pub(super) fn push(&mut self, part: &CallPart<'_>, signature: Option<Cow<'_, str>>, cx: &mut Context<'_>) {
        if let (None, Some(id)) = (&self.call.id, &part.id) {
            self.call.id = Some(id.as_ref().to_owned());
        }
        if let Some(signature) = signature {
            self.call.thought_signature = Some(signature.into_owned());
        }
        self.argued |= part.has_args() || part.pieces.is_some();
        if let Some(args) = part.args {
            // The first keep their text; what comes on top of them makes another value.
            if self.partial.is_none() && self.call.arguments.as_str().is_empty() {
                self.call.arguments.push_value(args);
            } else {
                self.partial().args(args);
            }
        }
        if let Some(pieces) = part.pieces {
            self.partial().pieces(pieces, cx);
        }
    }

    /// The value that pieces build, made of the `args` that came before.
    fn partial(&mut self) -> &mut Partial {
        let call = &mut self.call;
        self.partial.get_or_insert_with(|| {
            let mut partial = Partial::default();
            let args = std::mem::take(&mut call.arguments).into_text();
            match Doc::parse(&*args) {
                Ok(args) => partial.args(args.root()),
                Err(_) if args.is_empty() => {}
                Err(_) => partial.fail(Some(PieceError::ArgsNoObject)),
            }
            partial
        })
    }

    /// Nothing more comes: the arguments are shown, in one piece, since pieces come in any order.
    pub(super) fn end(&mut self, cx: &mut Context<'_>) {
        if let Some(partial) = self.partial.take() {
            self.call.arguments = partial.finish();
        }
        let text = self.call.arguments.as_str();
        if !text.is_empty() {
            cx.step(Step::Appended { call: self.call.number, text });
        }
    }

    pub(super) fn into_call(self) -> Call {
        self.call
    }
}
