//! Tools in namespaces, and tools that are left to a search.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::outbound::adjustments::Adjustments;
use super::super::outbound::names::WORD_64;
use super::super::outbound::projection::{Choice, OutboundTool};
use super::super::outbound::sort::utf16;
use super::encode_dialects::Dialect;
use crate::model::{Namespace, Request};

/// Which tools of a request stand in which namespace.
#[derive(Debug, Default)]
pub(super) struct Groups<'r> {
    /// The namespaces of tools, by wire name.
    of: HashMap<String, &'r Namespace>,
    /// Tools that are left to a search, by wire name.
    deferred: HashSet<String>,
}

/// What stands in the list of tools.
#[derive(Debug)]
pub(super) enum Entry<'t, 'r> {
    /// A tool of its own.
    Tool(&'t OutboundTool<'r>),
    /// A namespace and its tools.
    Group(&'r Namespace, Vec<&'t OutboundTool<'r>>),
}

impl<'r> Groups<'r> {
    /// The namespaces of the tools that go out, where the server has any. A tool that the choice names has to stand outside:
    /// inside it cannot be addressed (vercel/ai, `@ai-sdk/openai`).
    pub(super) fn of(
        request: &'r Request,
        tools: &[OutboundTool<'_>],
        choice: Option<&Choice>,
        dialect: &Dialect,
        adjustments: &mut Adjustments,
    ) -> Self {
        let chosen: HashSet<&str> = match choice {
            Some(Choice::Tool(name)) => HashSet::from([name.as_str()]),
            Some(Choice::Allowed { names, .. }) => names.iter().map(String::as_str).collect(),
            _ => HashSet::new(),
        };
        let mut groups = Self::default();
        for tool in tools {
            let Some(declared) = request.tools.get(tool.index) else { continue };
            if declared.namespace.is_none() && !declared.deferred {
                continue;
            }
            let legal = declared.namespace.as_ref().is_none_or(|group| WORD_64.takes(&group.name));
            if !dialect.namespaces || !legal || chosen.contains(tool.wire.as_str()) {
                let message = format!("`{}` is declared outside any namespace, and not left to a search", tool.name);
                adjustments.tool("namespace-left-out", message, tool.index, Some(tool.name));
                continue;
            }
            if declared.deferred {
                groups.deferred.insert(tool.wire.clone());
            }
            if let Some(group) = &declared.namespace {
                groups.of.insert(tool.wire.clone(), group);
            }
        }
        groups
    }

    /// The name of the namespace of a tool.
    pub(super) fn name(&self, wire: &str) -> Option<&'r str> {
        self.of.get(wire).map(|group| group.name.as_str())
    }

    /// True if a tool is left to a search.
    pub(super) fn is_deferred(&self, wire: &str) -> bool {
        self.deferred.contains(wire)
    }

    /// The list of tools: what stands alone and what stands in a namespace, in the one order of names.
    pub(super) fn entries<'t>(&self, tools: &'t [OutboundTool<'r>]) -> Vec<Entry<'t, 'r>> {
        let mut members: BTreeMap<&str, Vec<&'t OutboundTool<'r>>> = BTreeMap::new();
        let mut entries = Vec::with_capacity(tools.len());
        for tool in tools {
            match self.name(&tool.wire) {
                None => entries.push((tool.wire.as_str(), Entry::Tool(tool))),
                Some(name) => members.entry(name).or_default().push(tool),
            }
        }
        for (name, tools) in members {
            // Namespaces of one name are one; what its first tool says of it counts.
            let group = tools.first().and_then(|tool| self.of.get(&tool.wire));
            if let Some(group) = group {
                entries.push((name, Entry::Group(group, tools)));
            }
        }
        entries.sort_by(|(a, _), (b, _)| utf16(a, b));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }
}
