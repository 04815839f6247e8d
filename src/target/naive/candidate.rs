//! One candidate of a Gemini answer: its parts in order, and the calls in them (decisions 74 to 82).

use serde_json::Value;

use super::arguments::Fragment;
use super::call::{Flaw, RawCall, wire_id};
use super::partial::{Said, built};
use super::quirk::{Quirk, Switch};
use super::reason::{Grade, grade};
use super::value::{arguments, either, name, parse, restore, text, unmark};
use crate::json::JsonText;
use crate::model::{ServerCall, Thinking};

/// A call, as its parts tell it.
#[derive(Debug, Default)]
struct PartCall {
    id: Option<String>,
    wire_id: String,
    name: String,
    opened: usize,
    /// When its last part came.
    last: usize,
    /// What its parts say of its arguments.
    said: Vec<Said>,
    /// It has arguments: `args` that are not empty, or pieces.
    argued: bool,
    signature: Option<String>,
    /// It waits for more parts.
    open: bool,
    /// Something failed while it was open (decision 24).
    broken: bool,
}

/// A thought.
#[derive(Debug, Default)]
struct Thought {
    text: String,
    signature: Option<String>,
    ended: bool,
}

/// A finish reason.
#[derive(Debug)]
pub(super) struct Reason {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) message: Option<String>,
}

/// Everything that came for one candidate.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub(super) text: String,
    /// Signatures of text.
    pub(super) signatures: Vec<String>,
    thoughts: Vec<Thought>,
    calls: Vec<PartCall>,
    pub(super) server_calls: Vec<ServerCall>,
    pub(super) reasons: Vec<Reason>,
}

/// Members that say something of a part, and are not what it holds.
const ASIDE: &[&str] = &[
    "thought",
    "thoughtSignature",
    "thought_signature",
    "videoMetadata",
    "video_metadata",
    "mediaResolution",
    "media_resolution",
    "mediaProcessing",
    "media_processing",
    "partMetadata",
    "part_metadata",
];

impl Candidate {
    /// Takes a part. A reader that looks for the end first has `lost` the calls beside it.
    pub(super) fn take_part(&mut self, part: &Value, at: usize, lost: bool, switch: Switch) {
        let signature = either(part, "thoughtSignature").and_then(Value::as_str).filter(|text| !text.is_empty());
        let object = |key| either(part, key).filter(|value: &&Value| value.is_object());
        let said = text(part, "text");
        let thinks = part.get("thought") == Some(&Value::Bool(true)) && !switch.on(Quirk::ThoughtTextAsText);
        let call = object("functionCall");
        let own_signature = signature.filter(|_| call.is_none());
        if let Some(call) = object("toolCall") {
            let name = either(call, "toolType").and_then(Value::as_str).filter(|name| !name.is_empty());
            let args = either(call, "args").map_or("{}".to_owned(), kept);
            self.take_server_call("toolCall", name.unwrap_or("toolCall"), call, args, at, switch);
        }
        if let Some(code) = either(part, "executableCode") {
            // The value is kept as text, its id is in it.
            let inner = serde_json::from_str(&kept(code)).unwrap_or(Value::Null);
            self.take_server_call("executableCode", "code_execution", &inner, kept(code), at, switch);
        }
        if thinks {
            self.take_thought(said.unwrap_or(""), own_signature);
        } else {
            if let Some(said) = said.filter(|said| !said.is_empty()) {
                self.end_thought();
                self.text.push_str(said);
            }
            let nothing_else = part.as_object().is_some_and(|members| {
                members.iter().all(|(key, value)| value.is_null() || ASIDE.contains(&key.as_str()))
            });
            if said.is_some() || nothing_else {
                self.signatures.extend(own_signature.map(str::to_owned));
            }
        }
        let Some(call) = call.filter(|_| !lost) else { return };
        match self.take_call(call, at, switch).and_then(|position| self.calls.get_mut(position)) {
            Some(call) => {
                call.signature = signature.map(str::to_owned).or(call.signature.take());
                self.end_thought();
            }
            None => self.signatures.extend(signature.map(str::to_owned)),
        }
    }

    fn end_thought(&mut self) {
        if let Some(thought) = self.thoughts.last_mut() {
            thought.ended = true;
        }
    }

    fn take_thought(&mut self, said: &str, signature: Option<&str>) {
        if said.is_empty() && signature.is_none() {
            return;
        }
        if self.thoughts.last().is_none_or(|thought| thought.ended) {
            self.thoughts.push(Thought::default());
        }
        if let Some(thought) = self.thoughts.last_mut() {
            thought.text.push_str(said);
            thought.signature = signature.map(str::to_owned);
            thought.ended = signature.is_some();
        }
    }

    /// Takes a `functionCall`; the position of the call that it opens or goes on with.
    fn take_call(&mut self, part: &Value, at: usize, switch: Switch) -> Option<usize> {
        let (id, came) = wire_id(part.get("id"));
        let args = either(part, "args").and_then(args);
        let is_empty = |args: &String| matches!(parse(args), Ok(Value::Object(members)) if members.is_empty());
        let has_args = args.as_ref().is_some_and(|args| !is_empty(args));
        let pieces: Vec<Said> = match either(part, "partialArgs") {
            None => Vec::new(),
            Some(Value::Array(pieces)) => pieces.iter().cloned().map(Said::Piece).collect(),
            Some(_) => vec![Said::NoList],
        };
        let will_continue = either(part, "willContinue").and_then(Value::as_bool) == Some(true);
        let open = self.calls.iter().rposition(|call| call.open);
        let goes_on = open.filter(|at| {
            let Some(call) = self.calls.get(*at) else { return false };
            // Without an id only arguments tell two calls of one name apart.
            let repeats = || if id.is_some() { call.id == id } else { !call.argued };
            name(part).is_none_or(|name| call.name == name && !has_args && repeats())
        });
        if name(part).is_none() && open.is_none() && id.is_none() && args.is_none() && pieces.is_empty() {
            return None;
        }
        let position = goes_on.unwrap_or_else(|| {
            if let Some(before) = open.and_then(|at| self.calls.get_mut(at)) {
                before.open = false;
            }
            self.calls.push(PartCall { opened: at, ..PartCall::default() });
            self.calls.len() - 1
        });
        let call = self.calls.get_mut(position)?;
        call.id = call.id.take().or(id);
        if call.wire_id.is_empty() {
            call.wire_id = came.unwrap_or_default();
        }
        if call.name.is_empty() {
            name(part).unwrap_or("").clone_into(&mut call.name);
        }
        call.argued |= has_args || !pieces.is_empty();
        call.said.extend(args.map(Said::Args));
        if !switch.on(Quirk::StreamedArgumentsIgnored) {
            call.said.extend(pieces);
        }
        call.last = at;
        call.open = will_continue;
        Some(position)
    }

    fn take_server_call(&mut self, kind: &str, name: &str, call: &Value, args: String, at: usize, switch: Switch) {
        let (id, wire_id) = wire_id(call.get("id"));
        if switch.on(Quirk::ServerToolsAsCalls) {
            let wire_id = wire_id.unwrap_or_default();
            let said = vec![Said::Args(args)];
            let call =
                PartCall { id, wire_id, name: name.to_owned(), opened: at, last: at, said, ..PartCall::default() };
            self.calls.push(call);
            return;
        }
        self.server_calls.push(ServerCall {
            id: id.as_deref().map(restore),
            name: restore(name),
            kind: kind.to_owned(),
            arguments: JsonText::new(args).ok(),
        });
    }

    /// Notes that something failed: it may have been a part of the open call, whatever reason to finish came before.
    pub(super) fn fail(&mut self) {
        self.calls.iter_mut().filter(|call| call.open).for_each(|call| call.broken = true);
    }

    /// The gravest of its reasons.
    pub(super) fn gravest(&self) -> Option<(Grade, &Reason)> {
        let graded = |wanted: Grade| self.reasons.iter().find(|reason| grade(&reason.name) == wanted);
        let gravest = self.reasons.iter().map(|reason| grade(&reason.name)).max()?;
        Some((gravest, graded(gravest)?))
    }

    /// True if a call began or went on after the end, and has none itself (decision 42).
    pub(super) fn goes_on(&self) -> bool {
        self.gravest().is_some_and(|(grade, _)| grade == Grade::Clean)
            && self.calls.iter().any(|call| !is_closed(call, &self.reasons))
    }

    /// Its thoughts.
    pub(super) fn thinking(&self) -> Vec<Thinking> {
        let thinking = |thought: &Thought| Thinking {
            text: restore(&thought.text),
            signature: thought.signature.as_deref().map(restore),
            ..Thinking::default()
        };
        self.thoughts.iter().map(thinking).collect()
    }

    /// Its calls, each with the word whether it was closed.
    pub(super) fn calls(&self, choice: u32, switch: Switch) -> Vec<(RawCall, bool)> {
        let raw = |call: &PartCall| {
            let (fragments, readable) = fragments(call, switch);
            let raw = RawCall {
                choice,
                id: call.id.clone(),
                wire_id: call.wire_id.clone(),
                name: call.name.clone(),
                fragments,
                signature: call.signature.clone(),
                opened: call.opened,
                stopped: Some(call.last),
                flaw: (!readable).then_some(Flaw::Unreadable),
                ..RawCall::default()
            };
            (raw, !call.broken && is_closed(call, &self.reasons))
        };
        self.calls.iter().map(raw).collect()
    }
}

/// True if a call's end was said: by its last part, by a later one, or by a clean end (decision 77).
fn is_closed(call: &PartCall, reasons: &[Reason]) -> bool {
    let grave = reasons.iter().any(|reason| grade(&reason.name) != Grade::Clean);
    !call.open || (!grave && reasons.iter().any(|reason| reason.at > call.last))
}

/// The JSON text of a value.
fn kept(value: &Value) -> String {
    match arguments(Some(value)) {
        Some((text, true)) => text.to_owned(),
        _ => unmark(&value.to_string()),
    }
}

/// The JSON text of `args`; text that stands for none is none (decision 75).
fn args(value: &Value) -> Option<String> {
    let none = matches!(arguments(Some(value)), Some((text, false)) if matches!(text.trim(), "" | "null"));
    (!none).then(|| kept(value))
}

/// The arguments of a call, and whether all that they are made of could be read (decisions 75 and 76).
fn fragments(call: &PartCall, switch: Switch) -> (Vec<Fragment>, bool) {
    let mut said = call.said.clone();
    if switch.on(Quirk::DropTheLastDelta)
        && let Some(last) = said.iter().rposition(|said| matches!(said, Said::Piece(_)))
    {
        said.remove(last);
    }
    // What came whole keeps its text.
    let (text, readable) = match &said[..] {
        [Said::Args(args)] => (args.clone(), true),
        said => built(said),
    };
    let fragments = if text.is_empty() { Vec::new() } else { vec![Fragment { at: call.last, text, value: true }] };
    (fragments, readable)
}
