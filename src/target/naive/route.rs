//! Which call an entry of `tool_calls` belongs to: the decision table of wire sheet §0.4, with
//! `docs/decisions.md`, 14 to 18.

use serde_json::Value;

use super::arguments::{Fragment, assembled, joined};
use super::call::{RawCall, wire_id};
use super::quirk::{Quirk, Switch};
use super::value::{full, some, text, whole_number};

/// The index of the one call of the old `function_call` field.
const LEGACY: i64 = i64::MIN;

/// One entry, cleaned: what is empty or null is absent.
#[derive(Debug, Default)]
pub(super) struct Entry {
    index: Option<i64>,
    id: Option<String>,
    wire_id: Option<String>,
    name: Option<String>,
    arguments: String,
    /// The arguments are an object, not text.
    object: bool,
    freeform: bool,
    signature: Option<String>,
    /// An entry of a whole message, which is a call of its own.
    whole: bool,
}

impl Entry {
    /// Reads an entry of `tool_calls`; `whole` if it stands in a message and not in a delta.
    pub(super) fn of_tool_call(value: &Value, whole: bool) -> Self {
        // Fireworks' types allow a string here; it is of use only if it is JSON.
        let inner = match some(value, "function") {
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
            Some(function) => function.clone(),
            None => Value::Null,
        };
        let custom = some(value, "custom");
        let freeform = custom.is_some() || text(value, "type") == Some("custom");
        let named = custom.unwrap_or(&inner);
        let (arguments, object) = arguments(named.get(if custom.is_some() { "input" } else { "arguments" }));
        let (mut id, mut came) = wire_id(value.get("id"));
        if id.is_none() {
            // Where llama.cpp put it before its #13800.
            let (inner_id, inner_came) = wire_id(inner.get("id"));
            (id, came) = (inner_id, came.or(inner_came));
        }
        let of_vendor = |vendor| full(some(some(value, "extra_content")?, vendor)?, "thought_signature");
        Self {
            index: value.get("index").and_then(whole_number),
            id,
            wire_id: came,
            name: full(named, "name").map(str::to_owned),
            arguments,
            object: object && custom.is_none(),
            freeform,
            signature: of_vendor("google").or_else(|| of_vendor("vertex")).map(str::to_owned),
            whole,
        }
    }

    /// Reads a `function_call`, which has neither id nor index.
    pub(super) fn of_function_call(value: &Value, whole: bool) -> Self {
        let (arguments, object) = arguments(value.get("arguments"));
        let name = full(value, "name").map(str::to_owned);
        Self { index: Some(LEGACY), name, arguments, object, whole, ..Self::default() }
    }

    fn starts_object(&self) -> bool {
        self.arguments.trim_start().starts_with('{')
    }
}

/// Argument text, and whether it came as an object.
fn arguments(value: Option<&Value>) -> (String, bool) {
    match value {
        None | Some(Value::Null) => (String::new(), false),
        Some(Value::String(text)) => (text.clone(), false),
        Some(value) => (value.to_string(), value.is_object()),
    }
}

/// Files an entry that came at a moment: into one of the calls, or as a new one.
pub(super) fn file(calls: &mut Vec<RawCall>, entry: Entry, at: usize, tools: &[String], switch: Switch) {
    let target = target(calls, &entry, tools, switch).unwrap_or_else(|| {
        calls.push(RawCall { opened: at, ..RawCall::default() });
        calls.len() - 1
    });
    let Some(call) = calls.get_mut(target) else { return };
    if let Some(name) = entry.name {
        if call.name.is_empty() {
            call.name.clone_from(&name);
        } else if entry.id.is_none() && joins(call, &name, tools) {
            call.name.push_str(&name);
        }
        call.names.push(name);
    }
    // A piece at another index makes that one the call's too; an empty entry does not.
    let says_something = call.opened == at || entry.id.is_some() || !entry.arguments.is_empty();
    if let Some(index) = entry.index.filter(|index| says_something && !call.indexes.contains(index)) {
        call.indexes.push(index);
    }
    if call.wire_id.is_empty() {
        call.wire_id = entry.wire_id.unwrap_or_default();
    }
    if let Some(id) = entry.id.filter(|id| !call.ids.contains(id)) {
        call.ids.push(id);
    }
    call.freeform |= entry.freeform;
    call.signature = entry.signature.or(call.signature.take());
    if !entry.arguments.is_empty() {
        call.fragments.push(Fragment { at, text: entry.arguments, object: entry.object });
    }
}

/// True if the call's arguments need no more pieces.
fn complete(call: &RawCall) -> bool {
    if call.freeform { !call.fragments.is_empty() } else { assembled(&call.fragments).is_some() }
}

/// True if the name is the next piece of the call's name (decision 17).
fn joins(call: &RawCall, name: &str, tools: &[String]) -> bool {
    let joined = format!("{}{name}", call.name);
    call.name != name
        && call.fragments.is_empty()
        && (tools.is_empty() || tools.iter().any(|tool| tool.starts_with(&joined)))
}

/// The call that the entry goes on with; `None` if it opens a new one.
fn target(calls: &[RawCall], entry: &Entry, tools: &[String], switch: Switch) -> Option<usize> {
    if entry.whole {
        return None;
    }
    let find = |wanted: &dyn Fn(&RawCall) -> bool| calls.iter().rposition(wanted);
    let newest = calls.len().checked_sub(1);
    let of_id = |id: &String| find(&|call| call.ids.contains(id));
    let Some(index) = entry.index else {
        return match (&entry.id, &entry.name) {
            // Rows 7 and 8, and decision 16 for a known id.
            (Some(id), _) if of_id(id).is_some() => of_id(id).filter(|at| continues_id(calls, *at, entry)),
            (_, Some(_)) => None,
            (Some(_), None) => newest.filter(|at| continues_unnamed(calls, *at)),
            // Row 12.
            (None, None) => newest,
        };
    };
    let in_slot = |call: &RawCall| call.indexes.contains(&index);
    if switch.on(Quirk::MergeCallsOfEqualIndex) {
        return find(&in_slot);
    }
    if let Some(id) = &entry.id {
        // Row 3.
        if let Some(at) = find(&|call| in_slot(call) && call.ids.contains(id)) {
            return Some(at).filter(|at| continues_slot_id(calls, *at, entry));
        }
        // A known id at another index: the rest of that call, unless it names itself or has all.
        if let (Some(at), None) = (of_id(id), &entry.name)
            && !calls.get(at).is_some_and(complete)
        {
            return Some(at);
        }
    }
    let Some(at) = find(&in_slot) else {
        // Row 2; decision 15 for a piece with neither id nor name.
        let nothing = entry.id.is_none() && entry.name.is_none();
        return newest.filter(|at| nothing && !calls.get(*at).is_some_and(complete));
    };
    let call = calls.get(at)?;
    let goes_on = match (&entry.id, &entry.name) {
        // Row 1.
        (None, None) => true,
        (None, Some(name)) => continues_named(call, name, entry, tools),
        // Row 5 and decision 14; row 6 if the call has no id yet.
        (Some(_), None) => call.ids.is_empty() || !complete(call),
        (Some(_), Some(name)) if call.ids.is_empty() => {
            let other = !call.name.is_empty() && call.name != *name;
            let again = complete(call) && entry.starts_object() && entry.arguments != joined(&call.fragments);
            !other && !again
        }
        // Row 4 and its exception.
        (Some(_), Some(name)) => call.name == *name && !complete(call) && !entry.starts_object(),
    };
    goes_on.then_some(at)
}

/// True if an entry at the call's own index and with its id goes on with it: always, unless it
/// names another tool when the call is complete.
fn continues_slot_id(calls: &[RawCall], at: usize, entry: &Entry) -> bool {
    calls.get(at).is_some_and(|call| {
        let other = entry.name.as_ref().is_some_and(|name| !call.name.is_empty() && call.name != *name);
        !(other && complete(call))
    })
}

/// True if an entry without index goes on with the call that has its id: not if it names another
/// tool, nor if it begins the same tool again with other arguments.
fn continues_id(calls: &[RawCall], at: usize, entry: &Entry) -> bool {
    let Some((call, name)) = calls.get(at).zip(entry.name.as_ref()) else { return true };
    let other = !call.name.is_empty() && call.name != *name;
    let again = complete(call) && entry.starts_object() && entry.arguments != joined(&call.fragments);
    !other && !again
}

/// True if an entry with a new id, but neither index nor name, goes on with the newest call.
fn continues_unnamed(calls: &[RawCall], at: usize) -> bool {
    calls.get(at).is_some_and(|call| call.ids.is_empty() || !complete(call))
}

/// True if an entry with a name and no id goes on with the call at its index: rows 9 to 11.
fn continues_named(call: &RawCall, name: &String, entry: &Entry, tools: &[String]) -> bool {
    if complete(call) && entry.starts_object() {
        return false;
    }
    if call.name.is_empty() || call.name == *name {
        return true;
    }
    if call.fragments.is_empty() {
        return joins(call, name, tools);
    }
    // Another name in the middle of arguments: junk beside a piece, or the head of another call.
    !complete(call) && !entry.arguments.is_empty() && !entry.starts_object()
}
