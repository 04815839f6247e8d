//! The response in its terminal event: what it adds to what the stream said.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::super::protocol::Context;
use super::decode::Responses;
use super::heads::sort_and_head;
use super::item::{Content, Head, Item, Sort, Source, State};
use super::status::Terminal;
use crate::json::Value;

/// Items by a sign that they bear, the oldest first.
type Queues<K> = HashMap<K, VecDeque<usize>>;

/// Items of the stream that no item of the snapshot was matched with yet.
#[derive(Debug, Default)]
struct Unmatched {
    by_call: Queues<(Sort, String)>,
    by_id: Queues<(Sort, String)>,
    by_index: Queues<(Sort, i64)>,
    by_index_and_call: Queues<(Sort, i64, String)>,
    by_index_and_name: Queues<(Sort, i64, String)>,
    /// Items without a head, by index and without one.
    headless: Queues<(Sort, Option<i64>)>,
    matched: HashSet<usize>,
}

/// The first of a queue that is not matched; those before it are dropped.
fn first<K: Hash + Eq>(queues: &mut Queues<K>, key: Option<K>, matched: &HashSet<usize>) -> Option<usize> {
    let queue = queues.get_mut(&key?)?;
    while queue.front().is_some_and(|at| matched.contains(at)) {
        queue.pop_front();
    }
    queue.front().copied()
}

impl Unmatched {
    fn of(items: &[Item]) -> Self {
        let mut unmatched = Self::default();
        for (at, item) in items.iter().enumerate() {
            let sort = || item.sort.clone();
            for id in &item.ids {
                unmatched.by_id.entry((sort(), id.clone())).or_default().push_back(at);
            }
            if !item.headed {
                unmatched.headless.entry((sort(), item.index)).or_default().push_back(at);
            }
            if let Some(index) = item.index {
                unmatched.by_index.entry((sort(), index)).or_default().push_back(at);
            }
            let Some(call) = item.call() else { continue };
            if let Some(id) = &call.id {
                unmatched.by_call.entry((sort(), id.clone())).or_default().push_back(at);
            }
            if let (Some(index), Some(id)) = (item.index, &call.id) {
                unmatched.by_index_and_call.entry((sort(), index, id.clone())).or_default().push_back(at);
            }
            if let Some(index) = item.index {
                unmatched.by_index_and_name.entry((sort(), index, call.name.clone())).or_default().push_back(at);
            }
        }
        unmatched
    }

    /// The item that an item of the snapshot is, at most one for each.
    fn take(&mut self, position: i64, sort: &Sort, head: Head<'_>) -> Option<usize> {
        let Self { by_call, by_id, by_index, by_index_and_call, by_index_and_name, headless, matched } = self;
        let sort = || sort.clone();
        let id = head.id().map(|id| (sort(), id.into_owned()));
        let found = if sort().is_call() {
            let call_id = head.call_id();
            let with_call = call_id.as_deref().map(|id| (sort(), position, id.to_owned()));
            let with_name = head.name().map(|name| (sort(), position, name.into_owned()));
            first(by_index_and_call, with_call, matched)
                .or_else(|| first(by_call, Some((sort(), call_id?.into_owned())), matched))
                .or_else(|| first(by_id, id, matched))
                .or_else(|| first(by_index_and_name, with_name, matched))
        } else {
            first(by_id, id, matched).or_else(|| first(by_index, Some((sort(), position)), matched))
        };
        let found = found
            .or_else(|| first(headless, Some((sort(), Some(position))), matched))
            .or_else(|| first(headless, Some((sort(), None)), matched))?;
        matched.insert(found);
        Some(found)
    }
}

impl Responses {
    /// Takes the items of the response that the terminal event holds.
    pub(super) fn snapshot(&mut self, output: Value<'_>, terminal: Terminal, cx: &mut Context<'_>) {
        self.whole_text(output, cx);
        self.choose_call_ids(output);
        let had_reasoning = self.items.all().iter().any(|item| item.sort == Sort::Reasoning);
        let mut unmatched = Unmatched::of(self.items.all());
        for (position, (sort, head)) in
            (0i64..).zip(output.items()).filter_map(|(at, item)| Some((at, sort_and_head(item)?)))
        {
            if sort == Sort::Message {
                continue;
            }
            let at = match unmatched.take(position, &sort, head) {
                Some(at) => at,
                None if sort == Sort::Reasoning && had_reasoning => continue,
                None => {
                    if !self.whole {
                        cx.note("OAI-R-042", || "an item stands only in the final response".to_owned());
                    }
                    self.open(sort, Some(position), true, None, cx)
                }
            };
            self.name(at, Some(position), head, Source::Snapshot, cx);
            self.close(at, head, Source::Snapshot, cx);
            let completed = head.value.get("status").and_then(Value::as_str).is_some_and(|s| s.is("completed"));
            if let Some(item) = self.items.get_mut(at)
                && terminal == Terminal::Incomplete
                && !item.done
                && !completed
            {
                item.state = State::Cut;
            }
        }
    }

    /// Gives a call the later of its two ids if the snapshot has only that.
    fn choose_call_ids(&mut self, output: Value<'_>) {
        let ids: HashSet<_> = output.items().filter_map(|item| Head { value: item }.call_id()).collect();
        for item in self.items.all_mut() {
            if let Content::Call { call, later_id, .. } = &mut item.content
                && later_id.as_deref().is_some_and(|id| ids.contains(id))
                && call.id.as_deref().is_none_or(|id| !ids.contains(id))
            {
                call.id = later_id.take();
            }
        }
    }
}
