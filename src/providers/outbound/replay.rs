//! A conversation as it can be replayed: what failed is left out, what another model kept for itself is taken out, and
//! each call has exactly one result, right behind its message and in the order of the calls.
//!
//! The caller's messages stay as they are; replaying the same messages gives the same transcript, and more messages
//! only add to it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::adjustments::Adjustments;
use super::ids::{CallId, IdRule, assign};
use crate::json::JsonText;
use crate::model::{
    Api, AssistantBlock, AssistantMessage, CallArguments, CallBlock, Content, Image, Message, Origin, Request, Stop,
    ThinkingBlock, ToolResult, usable_id,
};

/// What the text of a result says that was never given.
pub(in crate::providers) const NO_RESULT: &str = "No result provided";

/// How a conversation is replayed.
#[derive(Debug, Clone, Copy)]
pub(in crate::providers) struct ReplayRules {
    /// The API, which its own provider blocks belong to.
    pub(in crate::providers) api: Api,
    /// Which ids it takes.
    pub(in crate::providers) ids: IdRule,
    /// The provider keeps earlier turns: a result without a call answers one of those.
    pub(in crate::providers) stored_calls: bool,
}

/// A conversation as it goes out.
#[derive(Debug, Default)]
pub(in crate::providers) struct Transcript<'r> {
    /// What was said, in order.
    pub(in crate::providers) items: Vec<Item<'r>>,
    /// The wire ids of calls, by [`Call::key`] and [`Answer::key`].
    pub(in crate::providers) ids: Vec<String>,
}

/// A piece of a conversation.
#[derive(Debug)]
pub(in crate::providers) enum Item<'r> {
    /// From the user.
    User(&'r Content),
    /// From the model; at least one block.
    Assistant(Said<'r>),
    /// The results of the calls before it: one for each, in their order.
    Results(Vec<Answer<'r>>),
}

/// What the model said in a turn.
#[derive(Debug)]
pub(in crate::providers) struct Said<'r> {
    /// Position of the message in the request.
    pub(in crate::providers) message: usize,
    /// Whose it is.
    pub(in crate::providers) source: Source,
    /// Its blocks, at least one.
    pub(in crate::providers) blocks: Vec<Block<'r>>,
}

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum Source {
    /// The same API and model: everything goes back as it came.
    Own,
    /// Nobody said: taken for the same, but its ids have to be legal.
    Unknown,
    /// Another API or model.
    Foreign,
}

/// A block of an assistant message.
#[derive(Debug)]
pub(in crate::providers) enum Block<'r> {
    /// Text, not empty unless it has a signature.
    Text(&'r str, Option<&'r str>),
    /// Thinking of the same model.
    Thinking(&'r ThinkingBlock),
    /// A call.
    Call(Call<'r>),
    /// A block of this API, to be sent as it is.
    Provider(&'r JsonText),
}

/// A call in a conversation.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the block of a conversation is a call, too")]
pub(in crate::providers) struct Call<'r> {
    /// Which one: its place in [`Transcript::ids`].
    pub(in crate::providers) key: usize,
    /// The call.
    pub(in crate::providers) call: &'r CallBlock,
    /// Opaque state that goes back with it.
    pub(in crate::providers) signature: Option<&'r str>,
}

/// The result of a call.
#[derive(Debug)]
pub(in crate::providers) struct Answer<'r> {
    /// Which call: its place in [`Transcript::ids`].
    pub(in crate::providers) key: usize,
    /// The tool's name, in the caller's words; may be empty.
    pub(in crate::providers) tool: &'r str,
    /// The result; `None` if there is none, and an error stands in for it.
    pub(in crate::providers) result: Option<&'r ToolResult>,
}

impl<'r> Answer<'r> {
    /// True if the call failed, or was never answered.
    pub(in crate::providers) fn is_error(&self) -> bool {
        self.result.is_none_or(|result| result.is_error)
    }

    /// The texts of the result that are not empty, joined by line ends.
    pub(in crate::providers) fn text(&self) -> String {
        match self.result {
            None => NO_RESULT.to_owned(),
            Some(result) => result.content.texts().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n"),
        }
    }

    /// The images of the result.
    pub(in crate::providers) fn images(&self) -> impl Iterator<Item = &'r Image> + use<'r> {
        self.result.into_iter().flat_map(|result| result.content.images())
    }
}

/// Replays messages of a request, the first of which is its `first`.
pub(in crate::providers) fn replay<'r>(
    request: &'r Request,
    messages: &'r [Message],
    first: usize,
    rules: &ReplayRules,
    adjustments: &mut Adjustments,
) -> Transcript<'r> {
    let mut replayer = Replayer {
        request,
        rules,
        adjustments,
        items: Vec::new(),
        calls: Vec::new(),
        answers: Vec::new(),
        waiting: HashMap::new(),
        said: HashSet::new(),
    };
    for (index, message) in (first..).zip(messages) {
        match message {
            Message::User(content) => replayer.items.push(Item::User(content)),
            Message::Assistant(message) => replayer.assistant(index, message),
            Message::ToolResult(result) => replayer.result(index, result),
        }
    }
    replayer.finish()
}

struct Replayer<'r, 'a> {
    request: &'r Request,
    rules: &'a ReplayRules,
    adjustments: &'a mut Adjustments,
    items: Vec<Item<'r>>,
    calls: Vec<CallId<'r>>,
    /// The answer of each call, by key; calls of one message stand together.
    answers: Vec<Answer<'r>>,
    /// Calls by the id that they came with (all unusable ones under the empty one), a group a message, newest last.
    waiting: HashMap<&'r str, Vec<Group>>,
    /// The calls of the message that is being read.
    said: HashSet<(&'r str, &'r str, &'r CallArguments)>,
}

/// The calls of one message that came with one id.
struct Group {
    message: usize,
    /// Keys of those that have no result yet, in order.
    unanswered: VecDeque<usize>,
    /// The message was dropped, and its results are with it.
    dropped: bool,
}

impl<'r> Replayer<'r, '_> {
    fn assistant(&mut self, index: usize, message: &'r AssistantMessage) {
        if matches!(message.stop, Some(Stop::Error | Stop::Aborted)) {
            let how = message.stop.map_or("", Stop::name);
            self.adjustments.message(
                "message-dropped",
                format!("a turn that ended with `{how}` is not replayed"),
                index,
            );
            for block in &message.content {
                if let AssistantBlock::Call(call) = block {
                    self.wait(call, index, None);
                }
            }
            return;
        }
        let source = self.source(message.origin.as_ref());
        let first_key = self.calls.len();
        self.said.clear();
        let mut blocks = Vec::with_capacity(message.content.len());
        for block in &message.content {
            match block {
                AssistantBlock::Text { text, signature } => {
                    let signature = signature.as_deref().filter(|_| source != Source::Foreign);
                    if !text.is_empty() || signature.is_some() {
                        blocks.push(Block::Text(text, signature));
                    }
                }
                AssistantBlock::Thinking(thinking) => self.thinking(index, source, thinking, &mut blocks),
                AssistantBlock::Provider { api, block } => {
                    if api.split('/').next() == Some(self.rules.api.name()) {
                        blocks.push(Block::Provider(block));
                    } else {
                        let message = format!("a block of `{api}` is left out: no other API reads it");
                        self.adjustments.message("provider-block-left-out", message, index);
                    }
                }
                AssistantBlock::Call(call) => {
                    let position = self.calls.len() - first_key;
                    self.call(index, source, call, position, &mut blocks);
                }
            }
        }
        if blocks.is_empty() {
            self.adjustments.message(
                "message-dropped",
                "an assistant message of which nothing is left is not replayed",
                index,
            );
            return;
        }
        self.items.push(Item::Assistant(Said { message: index, source, blocks }));
        if self.calls.len() > first_key {
            self.items.push(Item::Results(Vec::new()));
        }
    }

    fn thinking(&mut self, index: usize, source: Source, thinking: &'r ThinkingBlock, blocks: &mut Vec<Block<'r>>) {
        if source != Source::Foreign {
            blocks.push(Block::Thinking(thinking));
        } else if thinking.thinking.trim().is_empty() || thinking.redacted.is_some() {
            self.adjustments.message("thinking-left-out", "thinking that only another model reads is left out", index);
        } else {
            self.adjustments.message("thinking-as-text", "thinking of another model is replayed as text", index);
            blocks.push(Block::Text(&thinking.thinking, None));
        }
    }

    fn call(
        &mut self,
        index: usize,
        source: Source,
        call: &'r CallBlock,
        position: usize,
        blocks: &mut Vec<Block<'r>>,
    ) {
        // The same call twice in one message is one call (BerriAI/litellm#23510).
        if usable_id(&call.id).is_some() && !self.said.insert((&call.id, &call.name, &call.arguments)) {
            let message = format!("call `{}` stands twice, and is sent once", call.id);
            return self.adjustments.message("call-repeated", message, index);
        }
        let key = self.calls.len();
        self.calls.push(CallId { id: &call.id, own: source == Source::Own, message: index, position });
        self.answers.push(Answer { key, tool: &call.name, result: None });
        self.wait(call, index, Some(key));
        let signature = call.thought_signature.as_deref().filter(|_| source != Source::Foreign);
        blocks.push(Block::Call(Call { key, call, signature }));
    }

    /// Notes a call that waits for its result, or one of a dropped message, without a key.
    fn wait(&mut self, call: &'r CallBlock, message: usize, key: Option<usize>) {
        let groups = self.waiting.entry(usable_id(&call.id).unwrap_or_default()).or_default();
        match groups.last_mut() {
            Some(group) if group.message == message => group.unanswered.extend(key),
            _ => groups.push(Group { message, unanswered: key.into_iter().collect(), dropped: key.is_none() }),
        }
    }

    fn result(&mut self, index: usize, result: &'r ToolResult) {
        let Some(groups) = self.waiting.get_mut(usable_id(&result.call_id).unwrap_or_default()) else {
            return self.orphan(index, result);
        };
        while groups.len() > 1 && groups.last().is_some_and(|group| !group.dropped && group.unanswered.is_empty()) {
            groups.pop();
        }
        let Some(group) = groups.last_mut() else { return };
        if group.dropped {
            let message = format!("the result of `{}` is not replayed, for its call is not", result.call_id);
            return self.adjustments.message("result-dropped", message, index);
        }
        // Of several calls with one id, or none, the name tells, else the order.
        let named = group
            .unanswered
            .iter()
            .position(|key| self.answers.get(*key).is_some_and(|answer| answer.tool == result.tool_name));
        if group.unanswered.is_empty() {
            let message = format!("a second result for `{}` is left out; the first one counts", result.call_id);
            return self.adjustments.message("result-repeated", message, index);
        }
        let key = group.unanswered.remove(named.unwrap_or(0));
        if let Some(answer) = key.and_then(|key| self.answers.get_mut(key)) {
            answer.result = Some(result);
        }
    }

    fn orphan(&mut self, index: usize, result: &'r ToolResult) {
        if self.rules.stored_calls && usable_id(&result.call_id).is_some() {
            let key = self.calls.len();
            self.calls.push(CallId { id: &result.call_id, own: true, message: index, position: 0 });
            self.answers.push(Answer { key, tool: &result.tool_name, result: Some(result) });
            self.items.push(Item::Results(Vec::new()));
            return;
        }
        let message = format!("a result for `{}` is left out: there is no such call before it", result.call_id);
        self.adjustments.message("result-orphan", message, index);
    }

    fn finish(mut self) -> Transcript<'r> {
        for (answer, call) in self.answers.iter().zip(&self.calls).filter(|(answer, _)| answer.result.is_none()) {
            let message = format!("call `{}` of `{}` has no result; an error stands in for it", call.id, answer.tool);
            self.adjustments.message("result-missing", message, call.message);
        }
        // Keys are given in order, a message after the other, and so are the places for results.
        let mut rest = self.answers.into_iter().peekable();
        for item in &mut self.items {
            let Item::Results(answers) = item else { continue };
            let message = rest.peek().and_then(|answer| self.calls.get(answer.key)).map(|call| call.message);
            while let Some(answer) =
                rest.next_if(|answer| self.calls.get(answer.key).map(|call| call.message) == message)
            {
                answers.push(answer);
            }
        }
        Transcript { ids: assign(self.rules.ids, &self.calls), items: self.items }
    }

    fn source(&self, origin: Option<&Origin>) -> Source {
        let Some(origin) = origin else { return Source::Unknown };
        let (api, dialect) = origin.api.split_once('/').map_or((origin.api.as_str(), None), |(a, d)| (a, Some(d)));
        let ours = self.request.options.dialect.as_deref();
        let same_dialect = dialect.is_none() || ours.is_none() || dialect == ours;
        if api == self.rules.api.name() && same_dialect && origin.model == self.request.model {
            Source::Own
        } else {
            Source::Foreign
        }
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
