//! Mistakes in the list of tools, in their names, and in the choice among them.

use std::collections::HashSet;

use super::place::{at, change, inner_key, list};
use super::{OutboundQuirk, Wire};
use crate::json::Tree;
use crate::model::Api;
use crate::providers::{ChoiceMode, ToolKind, ToolView};

/// What is read of a neutral tool; the rest is the caller's.
const TOOL_KEYS: &[&str] = &["name", "description", "parameters", "kind", "format"];

const MARKER: &str = "cache_control";

/// Makes the mistake.
pub(super) fn edit(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    match wire.quirk {
        OutboundQuirk::ToolsAsGiven => {
            let given: Vec<&str> = wire.request.tools.iter().filter_map(|tool| tool.name.as_deref()).collect();
            sort(wire, tree, |name| given.iter().position(|one| *one == wire.callers(name)));
        }
        OutboundQuirk::ToolsSortedByLocale => sort(wire, tree, str::to_lowercase),
        OutboundQuirk::UsedToolsFirst => {
            let used: HashSet<&str> = wire.view.calls().filter_map(|(_, call)| call.name.as_deref()).collect();
            sort(wire, tree, |name| !used.contains(name));
        }
        OutboundQuirk::EmptyToolsSent if wire.view.tools.is_empty() => {
            if let Some(body) = at(tree, &wire.view.body.pointer) {
                body.set("tools", Tree::Array(Vec::new()));
            }
        }
        OutboundQuirk::OneBadToolDropsAll if wire.view.tools.len() < wire.request.tools.len() => {
            if let Some(body) = at(tree, &wire.view.body.pointer) {
                for key in ["tools", "tool_choice", "toolConfig", "parallel_tool_calls"] {
                    body.remove(key);
                }
            }
        }
        OutboundQuirk::CallerFieldsSent => each(wire, tree, |tool, item| {
            let name = wire.callers(tool.name.as_deref().unwrap_or_default());
            let given = wire.neutral.some("tools").into_iter().flat_map(|tools| tools.items().collect::<Vec<_>>());
            let given = given.filter(|one| one.text_of("name").as_deref() == Some(name));
            for (key, value) in given.flat_map(|one| one.members().collect::<Vec<_>>()) {
                let key = key.decode();
                if !TOOL_KEYS.contains(&&*key) {
                    item.set(key.into_owned(), owned(value.raw()));
                }
            }
        }),
        OutboundQuirk::StrictRegardless => each(wire, tree, |tool, item| {
            if tool.kind == ToolKind::Function {
                item.set("strict", Tree::bool(true));
            }
        }),
        OutboundQuirk::StrictNullSent => each(wire, tree, |tool, item| {
            if tool.kind == ToolKind::Function && tool.strict.is_none() {
                item.set("strict", Tree::null());
            }
        }),
        OutboundQuirk::NamesAsDeclared => {
            each(wire, tree, |tool, item| rename(item, tool.name.as_deref(), wire));
            history(wire, tree);
            choice(wire, tree);
        }
        OutboundQuirk::NamesMappedInToolsOnly => history(wire, tree),
        OutboundQuirk::WrongWordForRequired | OutboundQuirk::ForcedToolByItsBareName => word(wire, tree),
        OutboundQuirk::MarkerOnTheFirstTool | OutboundQuirk::MarkersOnAllTools => markers(wire, tree),
        _ => {}
    }
}

impl Wire<'_> {
    /// The caller's name of a tool on the wire.
    pub(super) fn callers<'n>(&'n self, wire: &'n str) -> &'n str {
        self.names.iter().find(|(name, _)| name == wire).map_or(wire, |(_, name)| name)
    }

    /// Where the tools of the client stand.
    fn tools_at(&self) -> String {
        let below = if self.api.api == Api::Gemini { "/tools/0/functionDeclarations" } else { "/tools" };
        format!("{}{below}", self.view.body.pointer)
    }
}

/// A text as a tree that borrows from nothing.
pub(super) fn owned<'a>(text: &str) -> Tree<'a> {
    fn detach<'a>(tree: &Tree<'_>) -> Tree<'a> {
        match tree {
            Tree::Literal(text) => Tree::Literal(text.clone().into_owned().into()),
            Tree::String(text) => Tree::string(text.clone().into_owned()),
            Tree::Array(items) => Tree::Array(items.iter().map(detach).collect()),
            Tree::Object(members) => Tree::Object(
                members.iter().map(|(key, value)| (key.clone().into_owned().into(), detach(value))).collect(),
            ),
        }
    }
    Tree::parse(text).map_or_else(|_| Tree::null(), |tree| detach(&tree))
}

/// Changes each tool: what holds its name.
pub(super) fn each<'a>(wire: &Wire<'_>, tree: &mut Tree<'a>, edit: impl Fn(&ToolView<'_>, &mut Tree<'a>)) {
    for tool in &wire.view.tools {
        if let Some(item) = at(tree, &tool.node.pointer) {
            edit(tool, item);
        }
    }
}

/// Sorts the tools by what is said of their names. The marker stays with the last.
fn sort<K: Ord>(wire: &Wire<'_>, tree: &mut Tree<'_>, key: impl Fn(&str) -> K) {
    let Some(items) = list(tree, &wire.tools_at()) else { return };
    let marker = items.last_mut().and_then(|last| last.remove(MARKER));
    let name = |item: &Tree<'_>| {
        let holder = inner_key(item).and_then(|key| item.get(key)).unwrap_or(item);
        holder.get("name").and_then(Tree::as_str).unwrap_or_default().to_owned()
    };
    items.sort_by_cached_key(|item| key(&name(item)));
    if let (Some(last), Some(marker)) = (items.last_mut(), marker) {
        last.set(MARKER, marker);
    }
}

fn markers(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let Some(items) = list(tree, &wire.tools_at()) else { return };
    let Some(marker) = items.last_mut().and_then(|last| last.remove(MARKER)) else { return };
    let count = if wire.quirk == OutboundQuirk::MarkersOnAllTools { items.len() } else { 1 };
    items.iter_mut().take(count).for_each(|tool| tool.set(MARKER, marker.clone()));
}

fn rename(item: &mut Tree<'_>, name: Option<&str>, wire: &Wire<'_>) {
    if let Some(name) = name {
        item.set("name", Tree::string(wire.callers(name).to_owned()));
    }
}

/// The caller's names in calls and results.
fn history(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    for (part, call) in wire.view.calls() {
        change(tree, &part.node.pointer, |item| rename(item, call.name.as_deref(), wire));
    }
    for (part, result) in wire.view.results() {
        change(tree, &part.node.pointer, |item| rename(item, result.name.as_deref(), wire));
    }
}

fn choice(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    for (name, pointer) in wire.view.tool_choice.iter().flat_map(|choice| &choice.names) {
        if let Some(place) = at(tree, pointer) {
            *place = Tree::string(wire.callers(name).to_owned());
        }
    }
}

/// Says the choice in words that this API does not have.
fn word(wire: &Wire<'_>, tree: &mut Tree<'_>) {
    let Some(choice) = &wire.view.tool_choice else { return };
    let Some(place) = at(tree, &choice.node.pointer) else { return };
    match (wire.quirk, choice.mode, choice.names.first()) {
        (OutboundQuirk::ForcedToolByItsBareName, ChoiceMode::Tool, Some((name, _))) => {
            *place = Tree::string(name.clone().into_owned());
        }
        (OutboundQuirk::WrongWordForRequired, ChoiceMode::Required, _) => match wire.api.api {
            Api::AnthropicMessages => place.set("type", Tree::string("required")),
            Api::Gemini => place.set("mode", Tree::string("REQUIRED")),
            _ if place.as_str() == Some("required") => *place = Tree::string("any"),
            _ if place.as_str() == Some("any") => *place = Tree::string("required"),
            _ => {}
        },
        _ => {}
    }
}
