//! The items of a Responses stream, and which of them an event belongs to (decisions 59 to 65).

use serde_json::Value;

use super::arguments::Fragment;
use super::output_item::{Kind, OutputItem, id};
use super::quirk::{Quirk, Switch};
use super::value::{name, text};

/// Where the event says that it belongs.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) index: Option<i64>,
    pub(super) item_id: Option<String>,
}

/// The items of a response, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct Output(pub(super) Vec<OutputItem>);

impl Output {
    fn newest(&self, wanted: impl Fn(&OutputItem) -> bool) -> Option<usize> {
        self.0.iter().rposition(wanted)
    }

    /// The one of the items that stand at an index that an event is about: the only one, or else by the first of
    /// these signs that one of them bears (decisions 60 and 62).
    fn here(
        &self,
        index: Option<i64>,
        fits: impl Fn(&OutputItem) -> bool,
        signs: &[&dyn Fn(&OutputItem) -> bool],
    ) -> Option<usize> {
        let here = |item: &OutputItem| index.is_some() && item.index == index && fits(item);
        if self.0.iter().filter(|item| here(item)).count() > 1 {
            let unfinished = |item: &OutputItem| item.finished.is_none();
            let signs = signs.iter().copied().chain([&unfinished as &dyn Fn(&OutputItem) -> bool]);
            let found = signs.map(|sign| self.newest(|item| here(item) && sign(item)));
            if let Some(found) = found.flatten().next() {
                return Some(found);
            }
        }
        self.newest(here)
    }

    /// Where a piece goes (decision 60); opens an item without a head where there is none.
    pub(super) fn piece_target(
        &mut self,
        kind: Kind,
        address: &Address,
        at: usize,
        switch: Switch,
    ) -> Option<&mut OutputItem> {
        let takes = |item: &OutputItem| item.kind == kind;
        let known = |item: &OutputItem| item.is_known_as(address.item_id.as_ref());
        let known_anywhere = || self.newest(|item| takes(item) && known(item));
        if switch.on(Quirk::KeyedByItemId) {
            let found = known_anywhere()?;
            return self.0.get_mut(found);
        }
        let here = self.here(address.index, takes, &[&known]);
        let unfinished = || self.newest(|item| takes(item) && item.finished.is_none());
        let found = here.or_else(known_anywhere).or_else(|| if address.index.is_none() { unfinished() } else { None });
        if let Some(found) = found {
            return self.0.get_mut(found);
        }
        let lost = address.index.is_none() && address.item_id.is_none();
        let mut calls = self.0.iter().filter(|item| item.kind.is_call()).peekable();
        if lost && kind.is_call() && calls.peek().is_some() && calls.all(|call| call.finished.is_some()) {
            return None;
        }
        let mut item = OutputItem::new(kind.item_type(), kind, address.index, at);
        item.ids.extend(address.item_id.clone());
        self.0.push(item);
        self.0.last_mut()
    }

    /// Takes a piece of arguments.
    pub(super) fn take_piece(&mut self, kind: Kind, address: &Address, piece: Fragment, switch: Switch) {
        if let Some(item) = self.piece_target(kind, address, piece.at, switch) {
            item.pieces.push(piece);
        }
    }

    /// Takes arguments that came whole, but not in their item.
    pub(super) fn take_whole(
        &mut self,
        kind: Kind,
        address: &Address,
        whole: Fragment,
        name: Option<&str>,
        switch: Switch,
    ) {
        if let Some(item) = self.piece_target(kind, address, whole.at, switch) {
            item.told.get_or_insert(whole);
            item.told_name = item.told_name.take().or(name.map(str::to_owned));
        }
    }

    /// The item without a head that one of this type gives its head to (decision 61): at its index, or of its id.
    fn headless(&self, item_type: &str, address: &Address) -> Option<usize> {
        let waits = |item: &OutputItem| !item.headed && item.item_type == item_type;
        let mut first =
            self.0.iter().position(|item| waits(item) && item.index.is_some() && item.index == address.index);
        if first.is_none() {
            first = self.0.iter().position(|item| waits(item) && item.is_known_as(address.item_id.as_ref()));
        }
        first
    }

    /// The item without a head and index that the next of its type gives its head to.
    fn homeless(&self, item_type: &str) -> Option<usize> {
        self.0.iter().position(|item| !item.headed && item.index.is_none() && item.item_type == item_type)
    }

    /// Takes an item that is announced (decision 59).
    pub(super) fn add(&mut self, index: Option<i64>, item: &Value, at: usize, switch: Switch) {
        let item_type = text(item, "type").unwrap_or("");
        let Some(kind) = Kind::of(item_type) else { return };
        let address = Address { index, item_id: id(item, "id") };
        let call_id = id(item, "call_id").filter(|_| kind.is_call());
        let waiting = self.headless(item_type, &address);
        let same_again = |other: &OutputItem| {
            let theirs = other.call_ids();
            let alike = call_id.as_ref().is_none_or(|id| theirs.is_empty() || theirs.contains(id));
            other.headed && other.finished.is_none() && other.item_type == item_type && alike
        };
        let here = |other: &OutputItem| index.is_some() && other.index == index;
        let merged = switch.on(Quirk::MergeCallsOfEqualIndex) && kind.is_call();
        if waiting.is_none()
            && self.0.iter().any(|other| here(other) && (same_again(other) || (merged && other.kind.is_call())))
        {
            return;
        }
        let position = waiting.or_else(|| self.homeless(item_type)).unwrap_or_else(|| {
            self.0.push(OutputItem::new(item_type, kind, index, at));
            self.0.len() - 1
        });
        if let Some(opened) = self.0.get_mut(position) {
            opened.open(item, index, at);
        }
    }

    /// Takes an item that is finished (decision 62); the one that it finishes, if it says anything.
    pub(super) fn finish(
        &mut self,
        index: Option<i64>,
        item: &Value,
        at: usize,
        switch: Switch,
    ) -> Option<&mut OutputItem> {
        let item_type = text(item, "type").unwrap_or("");
        let kind = Kind::of(item_type)?;
        let (item_id, call_id) = (id(item, "id"), id(item, "call_id").filter(|_| kind.is_call()));
        let fits = |other: &OutputItem| other.item_type == item_type;
        let known = |other: &OutputItem| other.is_known_as(item_id.as_ref());
        let same_call = |other: &OutputItem| call_id.as_ref().is_some_and(|id| other.call_ids().contains(id));
        let unfinished = |sign: &dyn Fn(&OutputItem) -> bool| {
            self.newest(|other| fits(other) && other.finished.is_none() && sign(other))
        };
        let contradicts = |other: &OutputItem| {
            kind.is_call() && matches!((other.name(), name(item)), (Some(theirs), Some(name)) if theirs != name)
        };
        // Without an index: one that is finished already, or the newest that is not.
        let again = |other: &OutputItem| {
            let same = if call_id.is_some() { same_call(other) } else { known(other) };
            fits(other) && other.finished.is_some() && same
        };
        let newest = || {
            let free = |other: &OutputItem| call_id.is_none() || other.call_ids().is_empty();
            let newest = unfinished(&|_| true)?;
            self.0.get(newest).is_some_and(|other| free(other) && !contradicts(other)).then_some(newest)
        };
        let found = if switch.on(Quirk::KeyedByItemId) {
            unfinished(&known)
        } else {
            let here = self.here(index, fits, &[&known, &same_call]);
            let named = here.or_else(|| unfinished(&same_call)).or_else(|| unfinished(&known));
            if index.is_none() && named.is_none() && self.0.iter().any(again) {
                return None;
            }
            let unnamed = || if index.is_none() { newest() } else { None };
            named.or_else(unnamed).or_else(|| self.homeless(item_type))
        };
        let announced = found.and_then(|at| self.0.get(at)).is_some_and(|found| found.announced);
        if (switch.on(Quirk::DoneItemsOnlyOnceAdded) || switch.on(Quirk::KeyedByItemId)) && !announced {
            return None;
        }
        let mut target = found;
        if let Some(found) = found.and_then(|at| self.0.get(at)) {
            if found.finished.is_some() {
                if call_id.is_none() || same_call(found) {
                    return None;
                }
                target = None;
            } else if found.headed && contradicts(found) {
                target = None;
            }
        }
        let position = target.unwrap_or_else(|| {
            self.0.push(OutputItem::new(item_type, kind, index, at));
            self.0.len() - 1
        });
        let finished = self.0.get_mut(position)?;
        finished.finish(item, index, at);
        Some(finished)
    }

    /// Takes the items of the response that the last event holds (decisions 65 and 70).
    pub(super) fn take_snapshot(&mut self, items: &[Value], at: usize, switch: Switch) {
        let call_ids = snapshot_call_ids(items);
        let thought_before = self.0.iter().any(|item| item.kind == Kind::Reasoning);
        for (place, item) in (0..).zip(items) {
            let item_type = text(item, "type").unwrap_or("");
            let Some(kind) = Kind::of(item_type).filter(|kind| *kind != Kind::Message) else { continue };
            let address = Address { index: Some(place), item_id: id(item, "id") };
            let call_id = id(item, "call_id");
            let free = |other: &OutputItem| other.snapshot.is_null() && other.item_type == item_type;
            let here = |other: &OutputItem| other.index == Some(place);
            let known = |other: &OutputItem| other.is_known_as(address.item_id.as_ref());
            let same_call = |other: &OutputItem| call_id.is_some() && other.call_id(&call_ids) == call_id;
            let same_name = |other: &OutputItem| name(item).is_some() && other.name() == name(item);
            let first = |sign: &dyn Fn(&OutputItem) -> bool| self.0.iter().position(|other| free(other) && sign(other));
            let found = if switch.on(Quirk::KeyedByItemId) {
                first(&known)
            } else if !kind.is_call() {
                first(&known).or_else(|| first(&here))
            } else {
                let by_call = first(&|other| here(other) && same_call(other)).or_else(|| first(&same_call));
                let by_item = || first(&known).or_else(|| first(&|other| here(other) && same_name(other)));
                by_call.or_else(by_item)
            };
            let waiting = || self.headless(item_type, &address).or_else(|| self.homeless(item_type));
            let found = found.or_else(waiting);
            if found.is_none() && kind == Kind::Reasoning && thought_before {
                continue;
            }
            let position = found.unwrap_or_else(|| {
                self.0.push(OutputItem::new(item_type, kind, None, at));
                self.0.len() - 1
            });
            if let Some(shown) = self.0.get_mut(position) {
                shown.show(item, place, at);
            }
        }
    }

    /// Notes that something failed.
    pub(super) fn fail(&mut self) {
        self.0.iter_mut().filter(|item| item.finished.is_none()).for_each(|item| item.broken = true);
    }
}

/// The usable `call_id`s of a snapshot.
pub(super) fn snapshot_call_ids(items: &[Value]) -> Vec<String> {
    items.iter().filter_map(|item| id(item, "call_id")).collect()
}
