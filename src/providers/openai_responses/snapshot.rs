//! The response in its terminal event: what it adds to what the stream said.

use std::collections::{HashMap, HashSet, VecDeque};

use super::super::error_body;
use super::super::protocol::Context;
use super::decode::{Responses, sort_and_head};
use super::item::{Content, Head, Item, Sort, Source, State};
use super::status::{self, Terminal};
use crate::json::Value;
use crate::model::{Problem, ProblemKind};

/// Items of the stream that no item of the snapshot was matched with yet.
#[derive(Debug, Default)]
struct Unmatched {
    by_call: HashMap<(Sort, String), VecDeque<usize>>,
    by_id: HashMap<(Sort, String), VecDeque<usize>>,
    by_index: HashMap<(Sort, i64), VecDeque<usize>>,
    matched: HashSet<usize>,
}

/// The first of a queue that is not matched; those before it are dropped.
fn first(queue: Option<&mut VecDeque<usize>>, matched: &HashSet<usize>) -> Option<usize> {
    let queue = queue?;
    while queue.front().is_some_and(|at| matched.contains(at)) {
        queue.pop_front();
    }
    queue.front().copied()
}

impl Unmatched {
    fn of(items: &[Item], ids: &[Option<String>], in_snapshot: &HashSet<String>) -> Self {
        let mut unmatched = Self::default();
        for (at, (item, id)) in items.iter().zip(ids).enumerate() {
            if let Some(id) = id {
                unmatched.by_id.entry((item.sort.clone(), id.clone())).or_default().push_back(at);
            }
            if let Some(index) = item.index {
                unmatched.by_index.entry((item.sort.clone(), index)).or_default().push_back(at);
            }
            if let Content::Call { call, later_id, .. } = &item.content {
                // The later of two ids stands only if the snapshot does not have the first.
                let later = later_id.as_ref().filter(|_| call.id.as_ref().is_none_or(|id| !in_snapshot.contains(id)));
                for id in call.id.iter().chain(later) {
                    unmatched.by_call.entry((item.sort.clone(), id.clone())).or_default().push_back(at);
                }
            }
        }
        unmatched
    }

    /// The item that an item of the snapshot is, at most one for each.
    fn take(&mut self, position: i64, sort: &Sort, head: Head<'_>, items: &[Item]) -> Option<usize> {
        let Self { by_call, by_id, by_index, matched } = self;
        let here = first(by_index.get_mut(&(sort.clone(), position)), matched);
        let here_item = here.and_then(|at| items.get(at));
        let call_id = head.call_id().filter(|_| sort.is_call());
        let call = here_item.and_then(Item::call);
        let same_call = call_id.is_some() && call.is_some_and(|call| call.id.as_deref() == call_id.as_deref());
        let same_name = call.is_none_or(|call| Some(&*call.name) == head.name().as_deref());
        let found = here
            .filter(|_| same_call)
            .or_else(|| first(by_call.get_mut(&(sort.clone(), call_id?.into_owned())), matched))
            .or_else(|| first(by_id.get_mut(&(sort.clone(), head.id()?.into_owned())), matched))
            .or(here.filter(|_| same_name || here_item.is_some_and(|item| !item.headed)))?;
        matched.insert(found);
        Some(found)
    }
}

impl Responses {
    /// Takes the terminal event; `response` is its snapshot.
    pub(super) fn terminate(&mut self, event: Terminal, response: Option<Value<'_>>, cx: &mut Context<'_>) {
        let status = response.and_then(|response| response.text_of("status"));
        let stated = status.as_deref().and_then(status::of_status);
        if stated.is_some_and(|stated| stated != event) {
            cx.note("OAI-R-046", || "the status of the response is not that of its event".to_owned());
        }
        let terminal = stated.map_or(event, |stated| stated.max(event));
        if terminal == Terminal::Failed {
            let problem = response.and_then(error_body::find).map_or_else(
                || {
                    let word = status.as_deref().unwrap_or("failed");
                    let message = format!("the response ended as `{word}`");
                    Problem::new(ProblemKind::ProviderError).reason(word).message(message)
                },
                error_body::read,
            );
            super::super::protocol::Protocol::failed(self, problem, cx);
            self.terminal = Some(terminal);
            return;
        }
        self.terminal = Some(terminal);
        self.reason = response
            .and_then(|response| response.some("incomplete_details"))
            .and_then(|details| details.text_of("reason"))
            .map(std::borrow::Cow::into_owned);
        if let Some(output) = response.and_then(|response| response.some("output")) {
            self.snapshot(output, terminal, cx);
        }
    }

    fn snapshot(&mut self, output: Value<'_>, terminal: Terminal, cx: &mut Context<'_>) {
        self.whole_text(output, cx);
        let ids: HashSet<String> = output
            .items()
            .filter_map(|item| Head { value: item }.call_id())
            .map(std::borrow::Cow::into_owned)
            .collect();
        let known: Vec<Option<String>> = self.items.all().iter().map(|item| item.id.known().cloned()).collect();
        let had_reasoning = self.items.all().iter().any(|item| item.sort == Sort::Reasoning);
        let mut unmatched = Unmatched::of(self.items.all(), &known, &ids);
        // The oldest items without head and index take what matches nothing else.
        let mut loose: HashMap<Sort, VecDeque<usize>> = HashMap::new();
        for (at, item) in self.items.all().iter().enumerate() {
            if !item.headed && item.index.is_none() {
                loose.entry(item.sort.clone()).or_default().push_back(at);
            }
        }
        for (position, (sort, head)) in
            (0i64..).zip(output.items()).filter_map(|(at, item)| Some((at, sort_and_head(item)?)))
        {
            if sort == Sort::Message {
                continue;
            }
            let mut found = unmatched.take(position, &sort, head, self.items.all());
            if found.is_none() {
                found = first(loose.get_mut(&sort), &unmatched.matched);
                unmatched.matched.extend(found);
            }
            let at = match found {
                Some(at) => at,
                None if sort == Sort::Reasoning && had_reasoning => continue,
                None => {
                    if !self.whole {
                        cx.note("OAI-R-042", || "an item stands only in the final response".to_owned());
                    }
                    self.open(sort.clone(), Some(position), true, None, cx)
                }
            };
            let done = self.items.all().get(at).is_some_and(|item| item.done);
            if let Some(Content::Call { call, later_id, .. }) = self.items.get_mut(at).map(|item| &mut item.content)
                && later_id.is_some()
                && later_id.as_deref() == head.call_id().as_deref()
            {
                call.id = later_id.take();
            }
            self.name(at, Some(position), head, Source::Snapshot, cx);
            if !done {
                self.close(at, head, Source::Snapshot, cx);
                let completed = head.value.get("status").and_then(Value::as_str).is_some_and(|s| s.is("completed"));
                if let Some(item) = self.items.get_mut(at)
                    && terminal == Terminal::Incomplete
                    && !completed
                {
                    item.state = State::Cut;
                }
            } else if head.is_cut()
                && let Some(item) = self.items.get_mut(at)
            {
                item.state = State::Cut;
            } else if !sort.is_call() {
                self.close(at, head, Source::Snapshot, cx);
            }
        }
    }
}
