//! All items of a response, and which of them an event is about.
//!
//! Servers leave out indexes, ids or both, give one index to several items, or a fresh item id to each event.
//! Index comes first, then the item id, then the order. Every question is answered from a map, so that no
//! stream, however odd, is read in more than linear time.

use std::collections::{HashMap, VecDeque};

use super::super::calls::Call;
use super::item::{Head, Item, Sort};

/// The items of one sort.
#[derive(Debug, Default)]
struct Lane {
    places: HashMap<i64, Place>,
    /// The newest item of an id.
    by_id: HashMap<String, usize>,
    /// Unfinished items by id and by `call_id`, the newest last.
    open_by_id: HashMap<String, Vec<usize>>,
    open_by_call: HashMap<String, Vec<usize>>,
    /// Finished items by `call_id`.
    done_by_call: HashMap<String, usize>,
    /// Unfinished items, the newest last.
    open: Vec<usize>,
    /// Items without head and index, the oldest first.
    loose: VecDeque<usize>,
    any: bool,
}

/// The items of one sort at one index.
#[derive(Debug, Default)]
struct Place {
    first: usize,
    newest: usize,
    count: usize,
    /// Unfinished ones, the newest last.
    open: Vec<usize>,
    by_id: HashMap<String, usize>,
    by_call: HashMap<String, usize>,
    /// The one without a head.
    headless: Option<usize>,
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
    /// Nowhere: it names nothing, and everything is finished.
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
}

/// The last item of a stack that is not done; those above it are dropped, for nothing is undone.
fn newest_open(stack: &mut Vec<usize>, all: &[Item]) -> Option<usize> {
    while let Some(&at) = stack.last() {
        if all.get(at).is_some_and(|item| !item.done) {
            return Some(at);
        }
        stack.pop();
    }
    None
}

/// True if both have a name, and not the same.
fn other_name(call: Option<&Call>, head: Head<'_>) -> bool {
    let known = call.map(|call| &*call.name).filter(|name| !name.is_empty());
    known.zip(head.name()).is_some_and(|(known, name)| *known != *name)
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
        let Some(lane) = self.lanes.get_mut(sort) else { return Piece::Headless };
        if let Some(place) = address.index.and_then(|index| lane.places.get_mut(&index)) {
            if place.count == 1 {
                return Piece::Of(place.first);
            }
            let by_id = address.id.and_then(|id| place.by_id.get(id).copied());
            return Piece::Of(by_id.or_else(|| newest_open(&mut place.open, &self.all)).unwrap_or(place.newest));
        }
        if let Some(at) = address.id.and_then(|id| lane.by_id.get(id)) {
            return Piece::Of(*at);
        }
        if address.index.is_none() {
            if let Some(at) = newest_open(&mut lane.open, &self.all) {
                return Piece::Of(at);
            }
            if address.id.is_none() && lane.any {
                return Piece::Nothing;
            }
        }
        Piece::Headless
    }

    /// The item without a head that this head is for: at its index, or of its id.
    fn headless(&self, sort: &Sort, address: Address<'_>) -> Option<usize> {
        let lane = self.lanes.get(sort)?;
        let here = address.index.and_then(|index| lane.places.get(&index)?.headless);
        let of_id = || address.id.and_then(|id| lane.by_id.get(id).copied());
        here.or_else(of_id).filter(|at| self.all.get(*at).is_some_and(|item| !item.headed))
    }

    /// The oldest item that has neither head nor index.
    fn loose(&mut self, sort: &Sort) -> Option<usize> {
        let Self { all, lanes } = self;
        let loose = &mut lanes.get_mut(sort)?.loose;
        while let Some(at) = loose.pop_front() {
            if all.get(at).is_some_and(|item| !item.headed) {
                return Some(at);
            }
        }
        None
    }

    /// What an `output_item.added` is about.
    pub(super) fn added(&mut self, sort: &Sort, address: Address<'_>, head: Head<'_>) -> Headed {
        if let Some(at) = self.headless(sort, address) {
            return Headed::Of(at);
        }
        let Self { all, lanes } = self;
        let place = address.index.and_then(|index| lanes.get_mut(sort)?.places.get_mut(&index));
        if let Some(open) = place.and_then(|place| newest_open(&mut place.open, all)).and_then(|at| all.get(at)) {
            // Not done, of the same sort: the same item once more, unless it is another call.
            let known = open.call().and_then(|call| call.id.as_deref());
            let other = head.call_id().filter(|_| sort.is_call());
            if known.zip(other.as_deref()).is_none_or(|(known, other)| known == other) {
                return Headed::Known;
            }
            return Headed::New;
        }
        self.loose(sort).map_or(Headed::New, Headed::Of)
    }

    /// What an `output_item.done` is about.
    pub(super) fn done(&mut self, sort: &Sort, address: Address<'_>, head: Head<'_>) -> Headed {
        if let Some(at) = self.headless(sort, address) {
            return Headed::Of(at);
        }
        let call_id = head.call_id().filter(|_| sort.is_call());
        let Self { all, lanes } = self;
        let Some(lane) = lanes.get_mut(sort) else { return Headed::New };
        if let Some(place) = address.index.and_then(|index| lane.places.get_mut(&index)) {
            let by_id = address.id.and_then(|id| place.by_id.get(id).copied());
            let at = if place.count == 1 { Some(place.first) } else { by_id }
                .or_else(|| place.by_call.get(call_id.as_deref()?).copied())
                .or_else(|| newest_open(&mut place.open, all))
                .unwrap_or(place.newest);
            let Some(item) = all.get(at) else { return Headed::New };
            let call = item.call();
            let known = call.and_then(|call| call.id.as_deref());
            let differs = known.zip(call_id.as_deref()).is_some_and(|(known, other)| known != other);
            return match (item.done, differs) {
                (true, false) => Headed::Known,
                (true, true) => Headed::New,
                (false, true) if other_name(call, head) => Headed::New,
                (false, _) => Headed::Of(at),
            };
        }
        let by_call = call_id.as_deref().and_then(|id| newest_open(lane.open_by_call.get_mut(id)?, all));
        let by_id = || address.id.and_then(|id| newest_open(lane.open_by_id.get_mut(id)?, all));
        if let Some(at) = by_call.or_else(by_id) {
            return Headed::Of(at);
        }
        if address.index.is_none() {
            let by_call = call_id.as_deref().is_some_and(|id| lane.done_by_call.contains_key(id));
            let by_id = || call_id.is_none() && address.id.is_some_and(|id| lane.by_id.contains_key(id));
            if by_call || by_id() {
                return Headed::Known;
            }
            let newest = newest_open(&mut lane.open, all).filter(|at| {
                let Some(call) = all.get(*at).and_then(Item::call) else { return true };
                !other_name(Some(call), head) && (call.id.is_none() || call_id.is_none())
            });
            if let Some(at) = newest {
                return Headed::Of(at);
            }
        }
        self.loose(sort).map_or(Headed::New, Headed::Of)
    }

    /// Adds an item; its position.
    pub(super) fn open(&mut self, item: Item, id: Option<&str>) -> usize {
        let at = self.all.len();
        let lane = self.lanes.entry(item.sort.clone()).or_default();
        lane.any = true;
        lane.open.push(at);
        if item.index.is_none() && !item.headed {
            lane.loose.push_back(at);
        }
        if let Some(index) = item.index {
            let place = lane.places.entry(index).or_default();
            if place.count == 0 {
                place.first = at;
            }
            place.count += 1;
            place.newest = at;
            place.open.push(at);
            if !item.headed {
                place.headless = Some(at);
            }
        }
        self.all.push(item);
        self.learn(at, id, None);
        at
    }

    /// Files an item under an id and a `call_id`.
    pub(super) fn learn(&mut self, at: usize, id: Option<&str>, call_id: Option<&str>) {
        let Some(item) = self.all.get(at) else { return };
        let Some(lane) = self.lanes.get_mut(&item.sort) else { return };
        let mut place = item.index.and_then(|index| lane.places.get_mut(&index));
        if let Some(id) = id {
            lane.by_id.insert(id.to_owned(), at);
            lane.open_by_id.entry(id.to_owned()).or_default().push(at);
            if let Some(place) = &mut place {
                place.by_id.insert(id.to_owned(), at);
            }
        }
        if let Some(id) = call_id {
            lane.open_by_call.entry(id.to_owned()).or_default().push(at);
            if let Some(place) = &mut place {
                place.by_call.insert(id.to_owned(), at);
            }
        }
    }

    /// Gives an index to an item that came without.
    pub(super) fn place(&mut self, at: usize, index: i64) {
        let Some(item) = self.all.get_mut(at) else { return };
        if item.index.is_some() {
            return;
        }
        item.index = Some(index);
        let Some(lane) = self.lanes.get_mut(&item.sort) else { return };
        let place = lane.places.entry(index).or_default();
        if place.count == 0 {
            place.first = at;
        }
        place.count += 1;
        place.newest = at;
        place.open.push(at);
    }

    /// Marks an item as done.
    pub(super) fn finish(&mut self, at: usize) {
        let Some(item) = self.all.get_mut(at) else { return };
        item.done = true;
        let id = item.call().and_then(|call| call.id.clone());
        if let (Some(id), Some(lane)) = (id, self.lanes.get_mut(&item.sort)) {
            lane.done_by_call.insert(id, at);
        }
    }
}
