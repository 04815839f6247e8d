//! All items of a response, and which of them an event is about.
//!
//! Servers leave out indexes, ids or both, give one index to several items, or a fresh item id to each event.
//! Index comes first, then the item id, then the order. Every question is answered from a map, so that no
//! stream, however odd, is read in more than linear time.

use std::collections::{HashMap, HashSet, VecDeque};

use super::item::{Content, Head, Item, Sort};

/// The items of one sort.
#[derive(Debug, Default)]
struct Lane {
    places: HashMap<i64, Place>,
    /// The newest item of an id.
    by_id: HashMap<String, usize>,
    /// Unfinished items by id and by `call_id`, the newest last.
    open_by_id: HashMap<String, Vec<usize>>,
    open_by_call: HashMap<String, Vec<usize>>,
    /// The `call_id`s of finished items.
    done_calls: HashSet<String>,
    /// Unfinished items, the newest last.
    open: Vec<usize>,
    /// Items without head and index, the oldest first.
    loose: VecDeque<usize>,
}

/// The items of one sort at one index.
#[derive(Debug, Default)]
struct Place {
    first: usize,
    newest: usize,
    count: usize,
    /// Unfinished ones, the newest last: all, those of a `call_id`, and those without.
    open: Vec<usize>,
    open_by_call: HashMap<String, Vec<usize>>,
    open_without_call: Vec<usize>,
    /// The newest of an id and of a `call_id`.
    by_id: HashMap<String, usize>,
    by_call: HashMap<String, usize>,
    /// The one without a head.
    headless: Option<usize>,
}

impl Place {
    fn hold(&mut self, at: usize) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
        self.newest = self.newest.max(at);
        self.open.push(at);
        self.open_without_call.push(at);
    }

    /// The one that an event is about: the only one, that with its id, that with its `call_id`, the newest
    /// unfinished, the newest.
    fn find(&mut self, id: Option<&str>, call_id: Option<&str>, all: &[Item]) -> usize {
        if self.count == 1 {
            return self.first;
        }
        let by_id = id.and_then(|id| self.by_id.get(id).copied());
        by_id
            .or_else(|| self.by_call.get(call_id?).copied())
            .or_else(|| newest_open(&mut self.open, all))
            .unwrap_or(self.newest)
    }

    /// True if an unfinished one may be the call of this id, or if none is given.
    fn has_open(&mut self, call_id: Option<&str>, all: &[Item]) -> bool {
        let Some(call_id) = call_id else { return newest_open(&mut self.open, all).is_some() };
        let without = |item: &Item| !item.done && item.call().is_some_and(|call| call.id.is_none());
        let same = self.open_by_call.get_mut(call_id).and_then(|open| newest_open(open, all));
        same.or_else(|| newest(&mut self.open_without_call, all, without)).is_some()
    }
}

/// Notes the newest item of a key.
fn note_newest(map: &mut HashMap<String, usize>, key: &str, at: usize) {
    let newest = map.entry(key.to_owned()).or_insert(at);
    *newest = at.max(*newest);
}

/// Where an event says that it belongs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address<'a> {
    pub(super) index: Option<i64>,
    pub(super) id: Option<&'a str>,
}

/// Where a piece goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// Into this item.
    Of(usize),
    /// Into an item that has no head yet.
    Headless,
    /// Nowhere: it names nothing, and all calls are finished.
    Nothing,
}

/// What a head is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Headed {
    /// This item.
    Of(usize),
    /// An item that it opens.
    New,
    /// Nothing new: an item that is known.
    Known,
}

#[derive(Debug, Default)]
pub(super) struct Items {
    all: Vec<Item>,
    lanes: HashMap<Sort, Lane>,
    /// Calls of the client's, and how many of them are unfinished.
    calls: usize,
    open_calls: usize,
}

/// The last item of a stack that is wanted; those above it are dropped, for they will not be wanted again.
fn newest(stack: &mut Vec<usize>, all: &[Item], wanted: impl Fn(&Item) -> bool) -> Option<usize> {
    while let Some(&at) = stack.last() {
        if all.get(at).is_some_and(&wanted) {
            return Some(at);
        }
        stack.pop();
    }
    None
}

fn newest_open(stack: &mut Vec<usize>, all: &[Item]) -> Option<usize> {
    newest(stack, all, |item| !item.done)
}

impl Items {
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Item> {
        self.all.get_mut(at)
    }

    pub(super) fn all(&self) -> &[Item] {
        &self.all
    }

    pub(super) fn all_mut(&mut self) -> &mut [Item] {
        &mut self.all
    }

    pub(super) fn into_all(self) -> Vec<Item> {
        self.all
    }

    /// Where a piece for items of a sort goes.
    pub(super) fn piece(&mut self, sort: &Sort, address: Address<'_>) -> Piece {
        let Self { all, lanes, calls, open_calls } = self;
        if let Some(lane) = lanes.get_mut(sort) {
            if let Some(place) = address.index.and_then(|index| lane.places.get_mut(&index)) {
                return Piece::Of(place.find(address.id, None, all));
            }
            if let Some(at) = address.id.and_then(|id| lane.by_id.get(id)) {
                return Piece::Of(*at);
            }
            if address.index.is_none()
                && let Some(at) = newest_open(&mut lane.open, all)
            {
                return Piece::Of(at);
            }
        }
        let lost = address.index.is_none() && address.id.is_none();
        if lost && sort.is_call() && *calls > 0 && *open_calls == 0 { Piece::Nothing } else { Piece::Headless }
    }

    /// What an `output_item.added` is about.
    pub(super) fn added(&mut self, sort: &Sort, address: Address<'_>, head: Head<'_>) -> Headed {
        let Self { all, lanes, .. } = self;
        let Some(lane) = lanes.get_mut(sort) else { return Headed::New };
        let headless = |at: &usize| all.get(*at).is_some_and(|item| !item.headed);
        let mut place = address.index.and_then(|index| lane.places.get_mut(&index));
        let here = place.as_ref().and_then(|place| place.headless).filter(headless);
        let of_id = || address.id.and_then(|id| lane.by_id.get(id).copied()).filter(headless);
        if let Some(at) = here.or_else(of_id) {
            return Headed::Of(at);
        }
        let call_id = head.call_id().filter(|_| sort.is_call());
        if place.as_mut().is_some_and(|place| place.has_open(call_id.as_deref(), all)) {
            return Headed::Known;
        }
        lane.loose(all).map_or(Headed::New, Headed::Of)
    }

    /// What an `output_item.done` is about.
    pub(super) fn done(&mut self, sort: &Sort, address: Address<'_>, head: Head<'_>) -> Headed {
        let Self { all, lanes, .. } = self;
        let Some(lane) = lanes.get_mut(sort) else { return Headed::New };
        let call_id = head.call_id().filter(|_| sort.is_call());
        let call_id = call_id.as_deref();
        let place = address.index.and_then(|index| lane.places.get_mut(&index));
        let mut found = match place {
            Some(place) => Some(place.find(address.id, call_id, all)),
            None => lane.find_open(address.id, call_id, all),
        };
        if found.is_none() && address.index.is_none() {
            if lane.has_finished(address.id, call_id) {
                return Headed::Known;
            }
            found = newest_open(&mut lane.open, all).filter(|at| {
                let free = |item: &Item| call_id.is_none() || item.call().is_none_or(|call| call.id.is_none());
                all.get(*at).is_some_and(|item| free(item) && !item.is_named_otherwise(head))
            });
        }
        let Some(at) = found.or_else(|| lane.loose(all)) else { return Headed::New };
        match all.get(at) {
            Some(item) if item.done && call_id.is_none_or(|id| item.has_call_id(id)) => Headed::Known,
            Some(item) if !item.done && !(item.headed && item.is_named_otherwise(head)) => Headed::Of(at),
            _ => Headed::New,
        }
    }

    /// Adds an item; its position.
    pub(super) fn open(&mut self, item: Item, id: Option<&str>) -> usize {
        let at = self.all.len();
        let lane = self.lanes.entry(item.sort.clone()).or_default();
        lane.open.push(at);
        match item.index {
            Some(index) => {
                let place = lane.places.entry(index).or_default();
                place.hold(at);
                if !item.headed {
                    place.headless = Some(at);
                }
            }
            None if !item.headed => lane.loose.push_back(at),
            None => {}
        }
        if item.sort.is_call() {
            self.calls += 1;
            self.open_calls += 1;
        }
        self.all.push(item);
        self.learn(at, id, None);
        at
    }

    /// Files an item under an id and a `call_id`.
    pub(super) fn learn(&mut self, at: usize, id: Option<&str>, call_id: Option<&str>) {
        let Some(item) = self.all.get_mut(at) else { return };
        let Some(lane) = self.lanes.get_mut(&item.sort) else { return };
        let mut place = item.index.and_then(|index| lane.places.get_mut(&index));
        if let Some(id) = id {
            if !item.ids.iter().any(|known| known == id) {
                item.ids.push(id.to_owned());
            }
            note_newest(&mut lane.by_id, id, at);
            lane.open_by_id.entry(id.to_owned()).or_default().push(at);
            if let Some(place) = &mut place {
                note_newest(&mut place.by_id, id, at);
            }
        }
        if let Some(id) = call_id {
            lane.open_by_call.entry(id.to_owned()).or_default().push(at);
            if let Some(place) = &mut place {
                note_newest(&mut place.by_call, id, at);
                place.open_by_call.entry(id.to_owned()).or_default().push(at);
            }
        }
    }

    /// Gives an index to an item that came without.
    pub(super) fn place(&mut self, at: usize, index: i64) {
        let Some(item) = self.all.get_mut(at).filter(|item| item.index.is_none()) else { return };
        item.index = Some(index);
        let Some(lane) = self.lanes.get_mut(&item.sort) else { return };
        let place = lane.places.entry(index).or_default();
        place.hold(at);
        for id in &item.ids {
            note_newest(&mut place.by_id, id, at);
        }
        if let Some(id) = item.call().and_then(|call| call.id.as_deref()) {
            note_newest(&mut place.by_call, id, at);
            place.open_by_call.entry(id.to_owned()).or_default().push(at);
        }
    }

    /// Marks an item as done.
    pub(super) fn finish(&mut self, at: usize) {
        let Some(item) = self.all.get_mut(at) else { return };
        if !item.done && item.sort.is_call() {
            self.open_calls = self.open_calls.saturating_sub(1);
        }
        item.done = true;
        if let (Content::Call { call, later_id, .. }, Some(lane)) = (&item.content, self.lanes.get_mut(&item.sort)) {
            lane.done_calls.extend(call.id.iter().chain(later_id).cloned());
        }
    }
}

impl Lane {
    /// The newest unfinished item with this `call_id`, or else with this id.
    fn find_open(&mut self, id: Option<&str>, call_id: Option<&str>, all: &[Item]) -> Option<usize> {
        let by_call = call_id.and_then(|id| newest_open(self.open_by_call.get_mut(id)?, all));
        by_call.or_else(|| newest_open(self.open_by_id.get_mut(id?)?, all))
    }

    /// True if an item with this `call_id`, or without one with this id, is finished; unfinished ones are none of it.
    fn has_finished(&self, id: Option<&str>, call_id: Option<&str>) -> bool {
        match call_id {
            Some(call_id) => self.done_calls.contains(call_id),
            None => id.is_some_and(|id| self.by_id.contains_key(id)),
        }
    }

    /// The oldest item that has neither head nor index.
    fn loose(&mut self, all: &[Item]) -> Option<usize> {
        while let Some(at) = self.loose.pop_front() {
            if all.get(at).is_some_and(|item| !item.headed) {
                return Some(at);
            }
        }
        None
    }
}
