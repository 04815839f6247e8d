//! The content blocks of a message, and which of them are open.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::arguments::ArgumentText;
use super::super::calls::Call;
use crate::json::JsonText;
use crate::model::ServerCall;

/// What a block holds.
#[derive(Debug)]
pub(super) enum Content {
    /// Position in the thinking of the message.
    Thinking(usize),
    /// A call that the client has to run, and the `input` of its start if that was not empty.
    Call(Call, Option<JsonText>),
    /// A call that the provider runs.
    Server { call: ServerCall, arguments: ArgumentText },
    /// Text, which is joined elsewhere, and blocks that say nothing about calls.
    Other,
}

impl Content {
    /// True for blocks that `input_json_delta` is meant for.
    fn holds_input(&self) -> bool {
        matches!(self, Self::Call(..) | Self::Server { .. })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    /// Stopped when the message had this many blocks.
    Closed(usize),
    /// The stream failed while it was open.
    Broken,
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) content: Content,
    pub(super) state: State,
}

/// All blocks in order; at most one is open at an index.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    all: Vec<Block>,
    by_index: HashMap<i64, usize>,
    /// Open blocks by position, with their index.
    open: BTreeMap<usize, i64>,
    /// Open blocks that hold input, by position.
    open_input: BTreeSet<usize>,
}

impl Blocks {
    /// Opens a block at an index that is free.
    pub(super) fn open(&mut self, index: i64, content: Content) {
        let at = self.all.len();
        self.by_index.insert(index, at);
        self.open.insert(at, index);
        if content.holds_input() {
            self.open_input.insert(at);
        }
        self.all.push(Block { content, state: State::Open });
    }

    /// Closes the block that is open at an index; it, if there is one.
    pub(super) fn close(&mut self, index: i64) -> Option<&Block> {
        let at = self.by_index.remove(&index)?;
        self.open.remove(&at);
        self.open_input.remove(&at);
        let state = State::Closed(self.all.len());
        let block = self.all.get_mut(at)?;
        block.state = state;
        Some(block)
    }

    /// The stream failed: what is open stays so for ever.
    pub(super) fn fail(&mut self) {
        for at in std::mem::take(&mut self.open).into_keys() {
            if let Some(block) = self.all.get_mut(at) {
                block.state = State::Broken;
            }
        }
        self.by_index.clear();
        self.open_input.clear();
    }

    /// True if any block is open.
    pub(super) fn any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The index of the block opened last among those that are open.
    pub(super) fn newest_index(&self) -> Option<i64> {
        self.open.last_key_value().map(|(_, index)| *index)
    }

    /// The block that is open at an index.
    pub(super) fn at(&mut self, index: i64) -> Option<&mut Content> {
        let at = *self.by_index.get(&index)?;
        self.all.get_mut(at).map(|block| &mut block.content)
    }

    /// The block that holds input and is open at an index; else the only open one, and `true`.
    pub(super) fn input_at(&mut self, index: i64) -> Option<(&mut Content, bool)> {
        let own = self.by_index.get(&index).copied().filter(|at| self.open_input.contains(at));
        let only = self.open_input.first().copied().filter(|_| self.open_input.len() == 1);
        let at = own.or(only)?;
        self.all.get_mut(at).map(|block| (&mut block.content, own.is_none()))
    }

    /// How many blocks there are, and the blocks.
    pub(super) fn finish(self) -> (usize, Vec<Block>) {
        (self.all.len(), self.all)
    }
}
