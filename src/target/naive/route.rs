//! Which call an entry of `tool_calls` belongs to: a decision table, with
//! `docs/decisions.md`, 14 to 18.

use serde_json::Value;

use super::arguments::{Fragment, Shape, joined, shape};
use super::call::{RawCall, wire_id};
use super::quirk::{Quirk, Switch};
use super::value::{arguments, full, index, name, some};

/// One entry, cleaned: what is empty or null is absent.
#[derive(Debug, Default)]
pub(super) struct Entry {
    index: Option<i64>,
    id: Option<String>,
    wire_id: Option<String>,
    name: Option<String>,
    arguments: String,
    /// The arguments are a value, not text.
    value: bool,
    freeform: bool,
    signature: Option<String>,
    /// An entry of a whole message, which is a call of its own.
    whole: bool,
}

impl Entry {
    /// Reads an entry of `tool_calls`; `whole` if it stands in a message and not in a delta.
    pub(super) fn of_tool_call(value: &Value, whole: bool, switch: Switch) -> Self {
        // Snowflake sends an empty `custom` beside each `function`.
        let function = some(value, "function");
        let custom = some(value, "custom").filter(|_| function.is_none());
        let inner = function.or(custom).unwrap_or(&Value::Null);
        // Fireworks' types allow text in place of the object; it can only be arguments.
        let given = if inner.is_object() {
            inner.get(if custom.is_some() { "input" } else { "arguments" })
        } else {
            Some(inner)
        };
        let (arguments, is_value) = text_of(given);
        let (mut id, mut came) = wire_id(value.get("id"));
        if id.is_none() {
            // Where llama.cpp put it before its #13800.
            let (inner_id, inner_came) = wire_id(inner.get("id"));
            (id, came) = (inner_id, came.or(inner_came));
        }
        if switch.on(Quirk::NullIdKept) {
            id = id.or_else(|| came.clone().filter(|came| came == "null"));
        }
        let of_vendor = |vendor| full(some(some(value, "extra_content")?, vendor)?, "thought_signature");
        Self {
            index: value.get("index").and_then(index),
            id,
            wire_id: came,
            name: name(inner).map(str::to_owned),
            arguments,
            value: is_value,
            freeform: custom.is_some(),
            signature: of_vendor("google").or_else(|| of_vendor("vertex")).map(str::to_owned),
            whole,
        }
    }

    /// Reads a `function_call`, of which there is one, without id; an empty one is nothing.
    pub(super) fn of_function_call(value: &Value, whole: bool) -> Option<Self> {
        let (arguments, is_value) = text_of(value.get("arguments"));
        let name = name(value).map(str::to_owned);
        let says = name.is_some() || !arguments.is_empty();
        says.then(|| Self { index: Some(0), name, arguments, value: is_value, whole, ..Self::default() })
    }

    /// The arguments can only be the beginning of an object.
    fn starts(&self) -> bool {
        self.value || self.arguments.trim_start().starts_with('{')
    }
}

/// Argument text, and whether it came as a value.
fn text_of(value: Option<&Value>) -> (String, bool) {
    match (arguments(value), value.filter(|value| !value.is_null())) {
        (Some((text, is_value)), _) => (text.to_owned(), is_value),
        // Something else where a function should be.
        (None, Some(value)) => (value.to_string(), true),
        (None, None) => (String::new(), false),
    }
}

/// Where an entry goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Into this call.
    Call(usize),
    /// Into this call, of whose name it has the next piece.
    NameOf(usize),
    /// Into a call of its own.
    Own,
    /// Nowhere: it says nothing, or nothing new.
    Nowhere,
}

/// Files an entry that came at a moment: into one of the calls, or as a new one.
pub(super) fn file(calls: &mut Vec<RawCall>, entry: Entry, at: usize, tools: &[String], switch: Switch) {
    let target = match target(calls, &entry, tools, switch) {
        Target::Nowhere => return,
        Target::Own => {
            calls.push(RawCall { opened: at, index: entry.index, ..RawCall::default() });
            Target::Call(calls.len() - 1)
        }
        target => target,
    };
    let (Target::Call(position) | Target::NameOf(position)) = target else { return };
    let Some(call) = calls.get_mut(position) else { return };
    if let Some(name) = entry.name {
        if call.name.is_empty() || matches!(target, Target::NameOf(_)) {
            call.name.push_str(&name);
        }
        call.named.get_or_insert(at);
        call.names.push(name);
    }
    if call.wire_id.is_empty() {
        call.wire_id = entry.wire_id.unwrap_or_default();
    }
    call.id = call.id.take().or(entry.id);
    call.freeform |= entry.freeform;
    call.signature = entry.signature.or(call.signature.take());
    if !entry.arguments.is_empty() {
        call.fragments.push(Fragment { at, text: entry.arguments, value: entry.value });
    }
}

/// How far the call's arguments have come. Freeform text has no shape but its beginning.
fn shape_of(call: &RawCall) -> Shape {
    match shape(&joined(&call.fragments)) {
        Shape::Blank => Shape::Blank,
        _ if call.freeform => Shape::Beyond,
        shape => shape,
    }
}

fn is_whole(call: &RawCall) -> bool {
    shape_of(call) == Shape::Whole
}

/// True if the entry holds the call's arguments once more.
fn is_copy(call: &RawCall, entry: &Entry) -> bool {
    is_whole(call) && entry.arguments == joined(&call.fragments)
}

/// True if the entry begins another object although the call has its own.
fn begins_again(call: &RawCall, entry: &Entry) -> bool {
    is_whole(call) && entry.starts()
}

/// True if the entry can only be the rest of arguments that have begun.
fn is_rest(call: &RawCall, entry: &Entry) -> bool {
    shape_of(call) == Shape::Begun && !entry.arguments.is_empty() && !entry.starts()
}

/// True if the name can be the next piece of the call's name (decision 17).
fn joins(call: &RawCall, name: &str, tools: &[String]) -> bool {
    let joined = format!("{}{name}", call.name);
    shape_of(call) == Shape::Blank && (tools.is_empty() || tools.iter().any(|tool| tool.starts_with(&joined)))
}

/// Where the entry goes, by what it says of itself: its id first, then its index, then its place.
fn target(calls: &[RawCall], entry: &Entry, tools: &[String], switch: Switch) -> Target {
    let opens = switch.on(Quirk::ContinuationWithoutIdOpensACall) && entry.id.is_none();
    if entry.whole || opens {
        return Target::Own;
    }
    let newest = |wanted: &dyn Fn(&RawCall) -> bool| calls.iter().rposition(wanted);
    let here = entry.index.and_then(|index| newest(&|call| call.index == Some(index)));
    let last = calls.len().checked_sub(1);
    let says_nothing = entry.id.is_none() && entry.name.is_none() && entry.arguments.is_empty();
    if switch.on(Quirk::MergeCallsOfEqualIndex) && entry.index.is_some() {
        return here.map_or(Target::Own, Target::Call);
    }
    if says_nothing {
        let signed = here.or(last).filter(|_| entry.signature.is_some());
        return signed.map_or(Target::Nowhere, Target::Call);
    }
    let has_id = |call: &RawCall| call.id.is_some() && call.id == entry.id;
    let known = here.filter(|at| calls.get(*at).is_some_and(has_id)).or_else(|| newest(&has_id));
    if let Some((at, call)) = known.and_then(|at| Some((at, calls.get(at)?))) {
        return by_known_id(at, call, entry, entry.index.is_none() || here == known, tools);
    }
    let last_unfinished = last.filter(|at| entry.name.is_none() && !calls.get(*at).is_some_and(is_whole));
    let by_order = || last_unfinished.map_or(Target::Own, Target::Call);
    let place = if entry.index.is_some() { here } else { last };
    let Some((at, call)) = place.and_then(|at| Some((at, calls.get(at)?))) else {
        // Row 2; decision 15.
        return if entry.id.is_some() { Target::Own } else { by_order() };
    };
    let same_name = entry.name.as_ref().map(|name| call.name.is_empty() || call.name == *name);
    let goes_on = match (entry.index.is_some(), entry.id.is_some()) {
        // Rows 4, 5 and 6; decision 14.
        (true, true) if call.id.is_none() => same_name != Some(false) && !begins_again(call, entry),
        (true, true) => match same_name {
            Some(same) => same && is_rest(call, entry),
            None => !is_whole(call),
        },
        // Rows 1, 9, 10, 11 and 14.
        (true, false) => match &entry.name {
            None if is_copy(call, entry) => return Target::Nowhere,
            None => true,
            Some(_) if call.name.is_empty() => true,
            Some(name) if call.name != *name => {
                return if entry.arguments.is_empty() && joins(call, name, tools) {
                    Target::NameOf(at)
                } else {
                    Target::Own
                };
            }
            Some(_) => !begins_again(call, entry),
        },
        // Row 8.
        (false, true) => return by_order(),
        // Row 12.
        (false, false) => match shape_of(call) {
            _ if entry.name.is_none() || call.name.is_empty() => true,
            Shape::Blank => same_name == Some(true),
            Shape::Begun => same_name == Some(true) && !entry.starts(),
            Shape::Whole | Shape::Beyond => false,
        },
    };
    if goes_on { Target::Call(at) } else { Target::Own }
}

/// Where an entry goes whose id is known (rows 3, 7 and 13; decision 16). `here`: nothing says that it belongs
/// to another place.
fn by_known_id(at: usize, call: &RawCall, entry: &Entry, here: bool, tools: &[String]) -> Target {
    let Some(name) = entry.name.as_ref().filter(|_| !call.name.is_empty()) else { return Target::Call(at) };
    if call.name != *name {
        return if here && joins(call, name, tools) { Target::NameOf(at) } else { Target::Own };
    }
    if is_copy(call, entry) {
        return Target::Nowhere;
    }
    let goes_on = if here { !begins_again(call, entry) } else { is_rest(call, entry) };
    if goes_on { Target::Call(at) } else { Target::Own }
}
