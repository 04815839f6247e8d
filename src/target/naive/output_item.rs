//! One item of a Responses stream, with all that came for it (decisions 58 to 64).

use serde_json::Value;

use super::arguments::Fragment;
use super::call::wire_id;
use super::quirk::{Quirk, Switch};
use super::value::{arguments, list, name, text};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A call of the client's.
    Function,
    /// A freeform call of the client's.
    Custom,
    /// A call that the provider runs.
    Server,
    Message,
    Reasoning,
}

impl Kind {
    /// The kind of an item type, if it is one that says anything here.
    pub(super) fn of(item_type: &str) -> Option<Self> {
        match item_type {
            "function_call" => Some(Self::Function),
            "custom_tool_call" => Some(Self::Custom),
            "message" => Some(Self::Message),
            "reasoning" => Some(Self::Reasoning),
            other => other.ends_with("_call").then_some(Self::Server),
        }
    }

    pub(super) fn is_call(self) -> bool {
        matches!(self, Self::Function | Self::Custom)
    }

    /// The type of an item of this kind; those of the provider have many.
    pub(super) fn item_type(self) -> &'static str {
        match self {
            Self::Function => "function_call",
            Self::Custom => "custom_tool_call",
            Self::Message => "message",
            Self::Reasoning => "reasoning",
            Self::Server => "",
        }
    }

    /// The member that holds the arguments.
    fn arguments_key(self) -> &'static str {
        if self == Self::Custom { "input" } else { "arguments" }
    }
}

/// One item, with all that came for it.
#[derive(Debug)]
pub(super) struct OutputItem {
    pub(super) kind: Kind,
    /// Its type; of an item without a head the one that its pieces ask for.
    pub(super) item_type: String,
    /// Its `output_index`.
    pub(super) index: Option<i64>,
    /// Its place in the snapshot.
    pub(super) place: Option<i64>,
    /// The ids that it was known by.
    pub(super) ids: Vec<String>,
    /// An event or the snapshot holds the item itself.
    pub(super) headed: bool,
    /// It was announced.
    pub(super) announced: bool,
    /// The item as it was added, as it was finished and as the snapshot has it; null if not at all.
    added: Value,
    done: Value,
    pub(super) snapshot: Value,
    /// The pieces of its arguments.
    pub(super) pieces: Vec<Fragment>,
    /// The arguments, and the name, that came whole but without the item.
    pub(super) told: Option<Fragment>,
    pub(super) told_name: Option<String>,
    /// The parts that have text, and those that have a refusal.
    pub(super) texts: Vec<i64>,
    pub(super) refusals: Vec<i64>,
    /// Its thinking, in order of arrival.
    pub(super) thinking: String,
    /// When it began, when it was finished, and when the snapshot came.
    pub(super) opened: usize,
    pub(super) finished: Option<usize>,
    shown_at: usize,
    /// Something failed while it was unfinished (decision 24).
    pub(super) broken: bool,
}

impl OutputItem {
    pub(super) fn new(item_type: &str, kind: Kind, index: Option<i64>, at: usize) -> Self {
        Self {
            kind,
            item_type: item_type.to_owned(),
            index,
            place: None,
            ids: Vec::new(),
            headed: false,
            announced: false,
            added: Value::Null,
            done: Value::Null,
            snapshot: Value::Null,
            pieces: Vec::new(),
            told: None,
            told_name: None,
            texts: Vec::new(),
            refusals: Vec::new(),
            thinking: String::new(),
            opened: at,
            finished: None,
            shown_at: at,
            broken: false,
        }
    }

    /// The item's own words, the most trusted first (decision 63).
    pub(super) fn heads(&self) -> [&Value; 3] {
        [&self.done, &self.snapshot, &self.added]
    }

    /// A usable id in one of its heads.
    pub(super) fn item_id(&self) -> Option<String> {
        self.heads().into_iter().find_map(|head| id(head, "id"))
    }

    /// Its name (decision 61 for an item without a head).
    pub(super) fn name(&self) -> Option<&str> {
        self.heads().into_iter().find_map(name).or(self.told_name.as_deref())
    }

    /// The `call_id`s that the stream gave it, in order.
    pub(super) fn call_ids(&self) -> Vec<String> {
        [&self.added, &self.done].into_iter().filter_map(|head| id(head, "call_id")).collect()
    }

    /// Its `call_id`: the one that it was opened with, unless the snapshot has only the later one (decision 62).
    pub(super) fn call_id(&self, in_snapshot: &[String]) -> Option<String> {
        let given = self.call_ids();
        let shown = given.iter().find(|id| in_snapshot.contains(id));
        shown.or(given.first()).cloned().or_else(|| id(&self.snapshot, "call_id"))
    }

    /// The id as it came, usable or not.
    pub(super) fn wire_id(&self) -> String {
        let [done, snapshot, added] = self.heads();
        let mut came = [added, done, snapshot].into_iter().filter_map(|head| wire_id(head.get("call_id")).1);
        came.next().unwrap_or_default()
    }

    pub(super) fn is_known_as(&self, item_id: Option<&String>) -> bool {
        item_id.is_some_and(|id| self.ids.contains(id))
    }

    fn take_head(&mut self, item: &Value, index: Option<i64>) {
        self.headed = true;
        self.ids.extend(id(item, "id"));
        self.index = self.index.or(index);
    }

    /// Takes the item as it is announced; arguments in it are a piece (decision 59).
    pub(super) fn open(&mut self, item: &Value, index: Option<i64>, at: usize) {
        self.take_head(item, index);
        self.announced = true;
        self.added = item.clone();
        let given = arguments(item.get(self.kind.arguments_key()));
        if let Some((text, value)) = given.filter(|(text, _)| !text.is_empty()) {
            self.pieces.push(Fragment { at, text: text.to_owned(), value });
        }
    }

    /// Takes the item as it is finished.
    pub(super) fn finish(&mut self, item: &Value, index: Option<i64>, at: usize) {
        self.take_head(item, index);
        self.done = item.clone();
        self.finished = Some(at);
        self.think_whole(item);
    }

    /// Takes the item as the snapshot has it.
    pub(super) fn show(&mut self, item: &Value, place: i64, at: usize) {
        self.headed = true;
        self.place = Some(place);
        self.snapshot = item.clone();
        self.shown_at = at;
        self.think_whole(item);
    }

    /// Takes the thinking in a head, if nothing came yet (decision 70).
    fn think_whole(&mut self, item: &Value) {
        if self.kind == Kind::Reasoning && self.thinking.is_empty() {
            let parts = list(item, "summary").iter().chain(list(item, "content"));
            self.thinking.extend(parts.filter_map(|part| text(part, "text")));
        }
    }

    /// Its arguments (decision 63).
    pub(super) fn arguments(&self, switch: Switch) -> Vec<Fragment> {
        let pieces_first = switch.on(Quirk::ParseEachFragment) && !self.pieces.is_empty();
        if switch.on(Quirk::DeltasOnly) || pieces_first {
            return self.pieces.clone();
        }
        let whole = |head: &Value, at| {
            let (text, value) = arguments(head.get(self.kind.arguments_key()))?;
            Some(Fragment { at, text: text.to_owned(), value })
        };
        let done = whole(&self.done, self.finished.unwrap_or(self.opened));
        let whole = done.or_else(|| whole(&self.snapshot, self.shown_at)).or_else(|| self.told.clone());
        match whole {
            Some(whole) if whole.text.is_empty() => Vec::new(),
            Some(whole) => vec![whole],
            None => self.pieces.clone(),
        }
    }

    /// True if one of its ends says that it is cut.
    pub(super) fn is_incomplete(&self) -> bool {
        [&self.done, &self.snapshot].into_iter().any(|head| text(head, "status") == Some("incomplete"))
    }

    /// True if the snapshot has it, of a response that ended like this.
    pub(super) fn is_shown(&self, response_is_incomplete: bool) -> bool {
        !self.snapshot.is_null() && (!response_is_incomplete || text(&self.snapshot, "status") == Some("completed"))
    }

    /// What it is as a call of the provider's: the item that is trusted most.
    pub(super) fn told_last(&self) -> &Value {
        self.heads().into_iter().find(|head| !head.is_null()).unwrap_or(&Value::Null)
    }
}

/// A usable id in a member.
pub(super) fn id(item: &Value, key: &str) -> Option<String> {
    wire_id(item.get(key)).0
}
