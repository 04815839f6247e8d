//! The calls of one choice, put together by a decision table: one function below for each
//! combination of what an entry names.
//!
//! Servers bend every field that tells calls apart. The table below decides, for each entry, which call it
//! belongs to; a rule of thumb runs through it: two objects are never glued together, and a call is
//! never opened without a sign of one.

use std::collections::HashMap;

use super::super::calls::{Call, Fate};
use super::super::protocol::Context;
use super::entry::{Entry, Fragment};
use super::finish::Finish;
use crate::json::Progress;
use crate::model::Step;

/// When something came: in which event of the answer, as which entry of it. An end stands behind all entries.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    event: u32,
    entry: u32,
}

/// Counts what comes, over all choices of an answer.
#[derive(Debug, Default)]
pub(super) struct Clock {
    now: Moment,
    calls: usize,
}

impl Clock {
    /// The next event begins.
    pub(super) fn tick(&mut self) {
        self.now = Moment { event: self.now.event.saturating_add(1), entry: 0 };
    }

    fn entry(&mut self) {
        self.now.entry = self.now.entry.saturating_add(1);
    }

    fn end_of_event(&self) -> Moment {
        Moment { entry: u32::MAX, ..self.now }
    }
}

/// How long a name may get that comes in pieces, in bytes.
const MAX_NAME: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Accumulator {
    calls: Vec<Slot>,
    /// The call that was opened last at an index.
    by_index: HashMap<i64, usize>,
    /// The newest call that has an id.
    by_id: HashMap<String, usize>,
    /// When the newest call was opened, that is, got its name or arguments.
    opened: Moment,
    /// When a finish reason last closed what was there.
    closed: Moment,
    /// Calls that something came for since the last failure.
    recent: Vec<usize>,
    /// The output limit was hit: a finish reason closes nothing.
    limited: bool,
}

#[derive(Debug)]
struct Slot {
    call: Call,
    /// When its last piece came.
    touched: Moment,
    /// It was open when the stream failed.
    broken: bool,
    /// It is in the list of recent ones.
    recent: bool,
}

/// Where an entry belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// To this call.
    Existing(usize),
    /// To this call, of whose name it is a piece.
    NamePiece(usize),
    /// To a call that it opens.
    New,
    /// To none: it repeats or adds nothing.
    Nothing,
}

impl Slot {
    /// Freeform text is never known to be whole.
    fn complete(&self) -> bool {
        !self.call.custom && self.call.arguments.progress() == Progress::Complete
    }

    /// Arguments have begun and are not whole.
    fn partial(&self) -> bool {
        !self.call.custom && self.call.arguments.progress() == Progress::Partial
    }

    /// It says so little that it is no call.
    fn is_blank(&self) -> bool {
        self.call.name.is_empty() && self.no_arguments()
    }

    fn no_arguments(&self) -> bool {
        self.call.arguments.progress() == Progress::Empty
    }

    /// Its end is known: a later call was opened at `opened`, a finish reason came at `closed`, or its arguments
    /// came as one value.
    fn is_closed(&self, opened: Moment, closed: Moment) -> bool {
        self.touched < opened || self.touched <= closed || self.call.arguments.is_value()
    }

    /// The fragment can only go on with what has begun.
    fn continued_by(&self, fragment: &Fragment<'_>) -> bool {
        self.partial() && !fragment.is_empty() && !fragment.starts_object()
    }

    /// The fragment is the whole object once more.
    fn repeated_by(&self, fragment: &Fragment<'_>) -> bool {
        match fragment {
            Fragment::Text(text) => self.complete() && self.call.arguments.is_copy(*text),
            Fragment::Value(value) => self.complete() && self.call.arguments.as_str() == value.raw(),
            Fragment::None => false,
        }
    }
}

impl Accumulator {
    pub(super) fn is_empty(&self) -> bool {
        self.calls.iter().all(Slot::is_blank)
    }

    /// Takes an entry of a stream.
    pub(super) fn push(&mut self, entry: &Entry<'_>, clock: &mut Clock, cx: &mut Context<'_>) {
        clock.entry();
        if entry.index.is_none_or(|index| index < 0) {
            cx.note("OAI-C-035", || "a tool call entry has no usable index".to_owned());
        }
        match self.target(entry, cx) {
            Target::New => self.open(entry, clock, cx),
            Target::Existing(at) => self.extend(at, entry, false, clock, cx),
            Target::NamePiece(at) => self.extend(at, entry, true, clock, cx),
            Target::Nothing => {}
        }
    }

    /// Takes an entry of a whole message: each is a call of its own.
    pub(super) fn push_whole(&mut self, entry: &Entry<'_>, clock: &mut Clock, cx: &mut Context<'_>) {
        clock.entry();
        self.open(entry, clock, cx);
    }

    fn target(&self, entry: &Entry<'_>, cx: &mut Context<'_>) -> Target {
        let at_index = entry.index.and_then(|index| self.by_index.get(&index).copied());
        let by_id = entry.id.as_ref().and_then(|id| {
            // One id can stand on two calls: the one at the entry's own index is meant.
            let here =
                at_index.filter(|at| self.calls.get(*at).is_some_and(|slot| slot.call.id.as_deref() == Some(id)));
            here.or_else(|| self.by_id.get(id.as_ref()).copied())
        });
        let newest = self.calls.len().checked_sub(1);
        if entry.name.is_none() && entry.id.is_none() && entry.fragment.is_empty() {
            return Self::metadata_target(entry, at_index.or(newest));
        }
        match (entry.index.is_some(), entry.id.is_some()) {
            (_, true) if by_id.is_some() => self.known_id(entry, by_id.unwrap_or(0), at_index, cx),
            (true, true) => self.new_id(entry, at_index, cx),
            (true, false) => self.index_only(entry, at_index, newest, cx),
            (false, true) => match newest {
                // A server that sends a fresh id with each piece and no index.
                Some(at) if entry.name.is_none() && !self.is_complete(at) => Target::Existing(at),
                _ => Target::New,
            },
            (false, false) => self.nothing_but_order(entry, newest, cx),
        }
    }

    /// An entry without id, name and arguments never opens a call; what else it holds goes with
    /// the call at its place.
    fn metadata_target(entry: &Entry<'_>, place: Option<usize>) -> Target {
        match place {
            Some(at) if entry.signature.is_some() => Target::Existing(at),
            _ => Target::Nothing,
        }
    }

    fn is_complete(&self, at: usize) -> bool {
        self.calls.get(at).is_some_and(Slot::complete)
    }

    /// the id stands on a call already.
    fn known_id(&self, entry: &Entry<'_>, known: usize, at_index: Option<usize>, cx: &mut Context<'_>) -> Target {
        let Some(slot) = self.calls.get(known) else { return Target::New };
        let same_place = entry.index.is_none() || at_index == Some(known);
        let Some(name) = &entry.name else { return Target::Existing(known) };
        if slot.call.name.is_empty() {
            return Target::Existing(known);
        }
        if slot.call.name != **name {
            // One place and one id are one call, so the name came in pieces; else the id is on two calls.
            let joins = same_place && slot.no_arguments() && name_goes_on(&slot.call.name, name, cx);
            return if joins { Target::NamePiece(known) } else { Target::New };
        }
        if slot.repeated_by(&entry.fragment) {
            let rule = if same_place { "OAI-C-044" } else { "OAI-C-039" };
            cx.note(rule, || format!("call `{name}` was sent again in full"));
            return Target::Nothing;
        }
        if same_place && !(slot.complete() && entry.fragment.starts_object()) || slot.continued_by(&entry.fragment) {
            return Target::Existing(known);
        }
        Target::New
    }

    /// the id is new, the index given.
    fn new_id(&self, entry: &Entry<'_>, at_index: Option<usize>, cx: &mut Context<'_>) -> Target {
        let Some(at) = at_index else { return Target::New };
        let Some(slot) = self.calls.get(at) else { return Target::New };
        let whole_again = slot.complete() && entry.fragment.starts_object();
        let same_name = entry.name.as_ref().map(|name| slot.call.name.is_empty() || slot.call.name == **name);
        let goes_on = if slot.call.id.is_none() {
            // The id came late.
            same_name != Some(false) && !whole_again
        } else {
            match same_name {
                Some(true) => slot.continued_by(&entry.fragment),
                Some(false) => false,
                None => !slot.complete(),
            }
        };
        if goes_on {
            if slot.call.id.is_some() {
                cx.note("OAI-C-038", || "the id changes inside one call".to_owned());
            }
            return Target::Existing(at);
        }
        cx.note("OAI-C-037", || "one index carries two calls".to_owned());
        Target::New
    }

    /// only the index tells.
    fn index_only(
        &self,
        entry: &Entry<'_>,
        at_index: Option<usize>,
        newest: Option<usize>,
        cx: &mut Context<'_>,
    ) -> Target {
        let Some((at, slot)) = at_index.and_then(|at| self.calls.get(at).map(|slot| (at, slot))) else {
            // The head of a call stood at another index than the rest of it.
            return match newest {
                Some(at) if entry.name.is_none() && !self.is_complete(at) => {
                    cx.note("OAI-C-036", || "a piece at a new index continues the newest call".to_owned());
                    Target::Existing(at)
                }
                _ => Target::New,
            };
        };
        let Some(name) = &entry.name else {
            if slot.repeated_by(&entry.fragment) {
                cx.note("OAI-C-044", || "arguments were sent again in full".to_owned());
                return Target::Nothing;
            }
            return Target::Existing(at);
        };
        if slot.call.name.is_empty() {
            return Target::Existing(at);
        }
        if slot.call.name == **name {
            if !(slot.complete() && entry.fragment.starts_object()) {
                return Target::Existing(at);
            }
        } else if slot.no_arguments() && entry.fragment.is_empty() && name_goes_on(&slot.call.name, name, cx) {
            return Target::NamePiece(at);
        }
        cx.note("OAI-C-037", || "one index carries two calls".to_owned());
        Target::New
    }

    /// neither index nor id.
    fn nothing_but_order(&self, entry: &Entry<'_>, newest: Option<usize>, cx: &mut Context<'_>) -> Target {
        let Some((at, slot)) = newest.and_then(|at| self.calls.get(at).map(|slot| (at, slot))) else {
            return Target::New;
        };
        let Some(name) = &entry.name else {
            if self.calls.len() > 1 {
                cx.note("OAI-C-036", || "a piece without index and id continues the newest call".to_owned());
            }
            return Target::Existing(at);
        };
        if slot.call.name.is_empty() {
            return Target::Existing(at);
        }
        let goes_on = slot.no_arguments() || slot.partial() && !entry.fragment.starts_object();
        if slot.call.name == **name && goes_on {
            return Target::Existing(at);
        }
        Target::New
    }

    fn open(&mut self, entry: &Entry<'_>, clock: &mut Clock, cx: &mut Context<'_>) {
        let at = self.calls.len();
        let number = clock.calls;
        clock.calls += 1;
        if let Some(index) = entry.index {
            self.by_index.insert(index, at);
        }
        if let Some(id) = &entry.id {
            self.by_id.insert(id.clone().into_owned(), at);
        }
        let call = Call { number, id: entry.id.as_deref().map(str::to_owned), ..Call::default() };
        cx.step(Step::Opened { call: number, id: call.id.as_deref() });
        self.calls.push(Slot { call, touched: clock.now, broken: false, recent: false });
        self.extend(at, entry, false, clock, cx);
    }

    fn extend(&mut self, at: usize, entry: &Entry<'_>, name_piece: bool, clock: &Clock, cx: &mut Context<'_>) {
        let Some(slot) = self.calls.get_mut(at) else { return };
        if !slot.recent {
            slot.recent = true;
            self.recent.push(at);
        }
        let was_blank = slot.is_blank();
        let call = &mut slot.call;
        if call.id.is_none()
            && let Some(id) = &entry.id
        {
            cx.note("OAI-C-033", || format!("id `{id}` came after the call began"));
            self.by_id.insert(id.clone().into_owned(), at);
            call.id = Some(id.clone().into_owned());
        }
        if let Some(name) = &entry.name {
            if call.name.is_empty() || name_piece {
                call.name.push_str(name);
                cx.step(Step::Named { call: call.number, name: &call.name });
            } else {
                cx.note("OAI-C-034", || format!("the name `{name}` is repeated"));
            }
        }
        call.custom |= entry.custom;
        if let Some(signature) = &entry.signature {
            call.thought_signature = Some(signature.clone().into_owned());
        }
        let text = match entry.fragment {
            Fragment::None => "",
            Fragment::Text(text) => call.arguments.push(text),
            Fragment::Value(value) => call.arguments.push_value(value),
        };
        if !text.is_empty() {
            slot.touched = clock.now;
            cx.step(Step::Appended { call: call.number, text });
        }
        if was_blank && !slot.is_blank() {
            slot.touched = clock.now;
            self.opened = clock.now;
        }
    }

    /// A finish reason came.
    pub(super) fn end(&mut self, finish: Finish, clock: &Clock) {
        match finish {
            Finish::Clean | Finish::Filtered => self.closed = clock.end_of_event(),
            Finish::Length => self.limited = true,
            Finish::Failed => self.fail(),
        }
    }

    /// The stream failed: what is open stays incomplete.
    pub(super) fn fail(&mut self) {
        let (opened, closed) = (self.opened, self.closing());
        // What was open at an earlier failure is broken already; only what came since can be open.
        for at in std::mem::take(&mut self.recent) {
            if let Some(slot) = self.calls.get_mut(at) {
                slot.recent = false;
                slot.broken |= slot.is_blank() || !slot.is_closed(opened, closed);
            }
        }
    }

    /// A call is open: it came after the last finish reason.
    pub(super) fn has_open(&self, done: bool) -> bool {
        let (opened, closed) = (self.opened, self.closing());
        !done && self.calls.iter().any(|slot| !slot.is_blank() && !slot.is_closed(opened, closed))
    }

    /// Up to when a finish reason has closed the calls.
    fn closing(&self) -> Moment {
        if self.limited { Moment::default() } else { self.closed }
    }

    /// A signature for the call with this id; true if there is one.
    pub(super) fn sign(&mut self, id: &str, signature: &str) -> bool {
        let slot = self.by_id.get(id).and_then(|at| self.calls.get_mut(*at));
        slot.map(|slot| slot.call.thought_signature = Some(signature.to_owned())).is_some()
    }

    /// Moves the calls of another choice of the same turn behind the own ones.
    pub(super) fn append(&mut self, other: Self) {
        let before = self.calls.len();
        self.by_id.extend(other.by_id.into_iter().map(|(id, at)| (id, before + at)));
        self.calls.extend(other.calls);
        self.opened = self.opened.max(other.opened);
        self.closed = self.closed.max(other.closed);
        self.limited |= other.limited;
    }

    /// The calls in order of first appearance with what became of them. `done`: `[DONE]` closed them; otherwise a
    /// finish reason or a later call did. `open` is the fate of the others.
    pub(super) fn finish(self, done: bool, open: Fate, cx: &mut Context<'_>) -> Vec<(Call, Fate)> {
        let (opened, closed) = (self.opened, self.closing());
        let done = done && !self.limited;
        let mut slots = self.calls;
        slots.retain(|slot| {
            if slot.is_blank() {
                cx.note("GEM-004", || "an entry with neither name nor arguments is no call".to_owned());
            }
            !slot.is_blank()
        });
        let fate = |slot: &Slot| match (slot.broken, done || slot.is_closed(opened, closed)) {
            (true, _) => Fate::Incomplete,
            (false, true) => Fate::Closed,
            (false, false) => open,
        };
        slots
            .into_iter()
            .map(|slot| {
                let fate = fate(&slot);
                (slot.call, fate)
            })
            .collect()
    }
}

/// Whether `name` goes on with the piece `more`: always, unless the declared tools rule it out.
fn name_goes_on(name: &str, more: &str, cx: &Context<'_>) -> bool {
    // No provider takes a name of more than 128 characters.
    if name.len() + more.len() > MAX_NAME {
        return false;
    }
    let joined = format!("{name}{more}");
    cx.setup.tools.is_empty() || cx.setup.tools.iter().any(|tool| tool.starts_with(&joined))
}
