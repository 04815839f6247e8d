//! Events that hold an item itself: what they say of it.

use std::borrow::Cow;

use super::super::protocol::Context;
use super::decode::Responses;
use super::item::{Content, Head, Sort, Source, State};
use super::items::{Address, Headed};
use crate::json::Value;

/// The sort and the head of an item, if it is one that counts.
pub(super) fn sort_and_head(item: Value<'_>) -> Option<(Sort, Head<'_>)> {
    let sort = Sort::of(&item.text_of("type")?)?;
    Some((sort, Head { value: item }))
}

impl Responses {
    pub(super) fn added(&mut self, index: Option<i64>, item: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some((sort, head)) = item.and_then(sort_and_head) else { return };
        let id = head.id();
        let address = Address { index, id: id.as_deref() };
        if index.is_none() {
            cx.note("OAI-R-033", || "an item has no output_index".to_owned());
        }
        let at = match self.items.added(&sort, address, head) {
            Headed::Known => return cx.note("OAI-R-034", || "an item was added twice".to_owned()),
            Headed::Of(at) => at,
            Headed::New => self.open(sort.clone(), index, true, address.id, cx),
        };
        self.name(at, index, head, Source::Pieces, cx);
        if sort.is_call() {
            let arguments = head.arguments(&sort);
            if let Some(arguments) = arguments.filter(|a| a.as_str().is_none_or(|text| !text.is_empty())) {
                cx.note("OAI-R-038", || "an added call has arguments already".to_owned());
                self.append(at, arguments, cx);
            }
        } else {
            self.hold(at, head, Source::Pieces);
        }
    }

    pub(super) fn item_done(&mut self, index: Option<i64>, item: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some((sort, head)) = item.and_then(sort_and_head) else { return };
        let id = head.id();
        let address = Address { index, id: id.as_deref() };
        let at = match self.items.done(&sort, address, head) {
            Headed::Known => return cx.note("OAI-R-040", || "an item was finished twice".to_owned()),
            Headed::Of(at) => at,
            Headed::New => {
                cx.note("OAI-R-033", || "an item was finished that was not added".to_owned());
                self.open(sort, index, true, address.id, cx)
            }
        };
        self.name(at, index, head, Source::Done, cx);
        self.close(at, head, Source::Done, cx);
        self.whole_message(at, head, cx);
        self.items.finish(at);
    }

    /// Takes what a head says of its item: ids and name.
    pub(super) fn name(&mut self, at: usize, index: Option<i64>, head: Head<'_>, source: Source, cx: &mut Context<'_>) {
        if let Some(index) = index {
            self.items.place(at, index);
        }
        let Some(item) = self.items.get_mut(at) else { return };
        item.headed = true;
        item.id.offer(source, head.id().map(Cow::into_owned));
        item.take_name(head, Some(source), cx);
        let call_id = head.call_id().filter(|_| item.sort.is_call());
        if let (Content::Call { call, later_id, .. }, Some(id)) = (&mut item.content, &call_id) {
            match &call.id {
                None => call.id = Some(id.clone().into_owned()),
                Some(known) if known.as_str() != &**id => {
                    cx.note("OAI-R-036", || format!("the call `{known}` is later called `{id}`"));
                    *later_id = Some(id.clone().into_owned());
                }
                Some(_) => {}
            }
        }
        self.items.learn(at, head.id().as_deref(), call_id.as_deref());
    }

    /// Takes what a head holds besides arguments and text.
    fn hold(&mut self, at: usize, head: Head<'_>, source: Source) {
        let Some(item) = self.items.get_mut(at) else { return };
        match &mut item.content {
            Content::Reasoning { encrypted, .. } => {
                encrypted.offer(source, head.value.text_of("encrypted_content").map(Cow::into_owned));
            }
            Content::Server { call } => {
                if let Sort::Server(kind) = &item.sort {
                    call.offer(source, Some(head.server_call(kind)));
                }
            }
            Content::Call { .. } | Content::Message { .. } => {}
        }
    }

    /// Takes the final form of an item, of a message only that it is final.
    pub(super) fn close(&mut self, at: usize, head: Head<'_>, source: Source, cx: &mut Context<'_>) {
        let Some(item) = self.items.get_mut(at) else { return };
        match item.state {
            _ if head.is_cut() => item.state = State::Cut,
            State::Open => item.state = State::Closed,
            State::Closed | State::Cut => {}
        }
        if item.sort.is_call() {
            let arguments = head.arguments(&item.sort);
            self.replace(at, arguments, source, cx);
        } else {
            self.whole_thinking(at, head, cx);
            self.hold(at, head, source);
        }
    }
}
