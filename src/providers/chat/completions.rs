//! Chunks, or one whole completion, to a turn.

use super::super::error_body;
use super::super::problems::Problems;
use super::super::protocol::{Context, Ended, Event, Protocol};
use super::accumulator::Clock;
use super::choice::{Choice, Failures, merge_disjoint};
use super::delta::ChoiceView;
use super::family::Family;
use crate::json::{Kind, Value};
use crate::model::{Problem, ProblemKind, Stop, Turn, Usage};

/// How many choices are read: the most that OpenAI's `n` can ask for.
const MAX_CHOICES: usize = 128;

/// Reads a chat completion, streamed or not.
#[derive(Debug)]
pub(in super::super) struct Completions {
    family: &'static Family,
    /// The choices by their index, in order of first appearance.
    choices: Vec<(i64, Choice)>,
    problems: Problems,
    usage: Option<Usage>,
    clock: Clock,
    /// The answer came as whole messages.
    whole: bool,
    /// `[DONE]` came: what follows is not read, as in the official clients.
    done: bool,
}

impl Protocol for Completions {
    fn event(&mut self, event: Event<'_>, cx: &mut Context<'_>) {
        if self.done {
            return cx.note("OAI-C-056", || "the stream goes on after `[DONE]`".to_owned());
        }
        self.clock.tick();
        let envelope = event.value;
        let event = Event { value: self.unwrapped(envelope), ..event };
        let body = event.value;
        let [error, choices, usage, groq, base] = body.pick(["error", "choices", "usage", "x_groq", "base_resp"]);
        let places = [error, choices, groq, base];
        // A failure can stand beside the chunk, too.
        let beside = || error_body::find(envelope).map(|_| error_body::read(envelope));
        if let Some(problem) = error_in(event, places).or_else(beside) {
            self.failed(problem, cx);
        }
        if body.kind() != Kind::Object {
            if body.kind() != Kind::Array {
                cx.note("OAI-C-030", || format!("an event is {}, not an object", body.kind().article()));
            }
            return;
        }
        self.usage_of(usage);
        self.usage_of(groq.and_then(|groq| groq.some("usage")));
        if choices.is_some_and(Value::is_null) {
            cx.note("OAI-C-058", || "`choices` is null".to_owned());
        }
        for (position, choice) in (0..).zip(choices.into_iter().flat_map(Value::items)) {
            let choice = ChoiceView::read(choice, self.family);
            self.usage_of(choice.usage);
            let index = if choice.is_whole() {
                // The choices of a whole answer are told apart by their place: Copilot numbers two of them 0.
                self.whole = true;
                position
            } else {
                choice.index.unwrap_or(position)
            };
            let known = self.choices.iter().position(|(known, _)| *known == index);
            if known.is_none() && self.choices.len() < MAX_CHOICES {
                self.choices.push((index, Choice::default()));
            } else if known.is_none() {
                let text = format!("more than {MAX_CHOICES} choices");
                self.problems.add(Problem::new(ProblemKind::ProtocolViolation).reason("OAI-C-061").message(text));
                continue;
            }
            let at = known.unwrap_or(self.choices.len().saturating_sub(1));
            if let Some((_, state)) = self.choices.get_mut(at) {
                state.push(&choice, self.family, &mut self.clock, cx);
            }
        }
    }

    fn failed(&mut self, problem: Problem, _cx: &mut Context<'_>) {
        if self.done {
            return;
        }
        self.problems.add(problem);
        self.choices.iter_mut().for_each(|(_, choice)| choice.fail());
    }

    fn done(&mut self, _cx: &mut Context<'_>) {
        self.done = true;
    }

    fn finish(self: Box<Self>, ended: Ended, cx: &mut Context<'_>) -> Turn {
        let Self { mut choices, problems, usage, whole, .. } = *self;
        choices.sort_by_key(|(index, _)| *index);
        let mut choices: Vec<Choice> = choices.into_iter().map(|(_, choice)| choice).collect();
        if choices.len() > 1 && cx.setup.choices.is_none_or(|asked| asked <= 1) {
            choices = merge_disjoint(choices);
            if choices.len() == 1 && whole {
                cx.note("OAI-C-061", || "one answer came in several choices".to_owned());
            }
        }
        if choices.is_empty() {
            choices.push(Choice::default());
        }
        // A whole answer is its own end marker.
        let ended = Ended { done: ended.done || whole, ..ended };
        let (reported, problems) = (problems.explain_the_end(), problems.finish());
        let failures = Failures { problems: &problems, reported };
        let mut turns = (0u32..).zip(choices).map(|(position, choice)| choice.end(position, ended, &failures, cx));
        let mut turn = turns.next().unwrap_or_else(|| Turn::empty(Stop::Error));
        turn.choices = turns.collect();
        turn.usage = usage;
        if !ended.done && turn.stop != Stop::Error {
            cx.note("OAI-C-056", || "`[DONE]` is missing".to_owned());
        }
        turn
    }
}

impl Completions {
    /// Nothing has come yet.
    pub(in super::super) fn new(family: &'static Family) -> Self {
        Self {
            family,
            choices: Vec::new(),
            problems: Problems::default(),
            usage: None,
            clock: Clock::default(),
            whole: false,
            done: false,
        }
    }

    /// The chunk inside the family's envelope, or the chunk itself.
    fn unwrapped<'a>(&self, body: Value<'a>) -> Value<'a> {
        let Some(envelope) = self.family.envelope else { return body };
        let [inner, choices] = body.pick([envelope, "choices"]);
        inner.filter(|inner| choices.is_none() && inner.kind() == Kind::Object).unwrap_or(body)
    }

    fn usage_of(&mut self, usage: Option<Value<'_>>) {
        let Some(usage) = usage.filter(|usage| usage.kind() == Kind::Object) else { return };
        let count = |key: &str| usage.get(key).and_then(Value::as_u64);
        let camel_case = |key: &str| if self.family.camel_case { count(key) } else { None };
        let detail = |key: &str| usage.some("prompt_tokens_details")?.get(key)?.as_u64();
        let usage = Usage {
            input: count("prompt_tokens").or_else(|| camel_case("promptTokens")),
            output: count("completion_tokens").or_else(|| camel_case("completionTokens")),
            // OpenAI; DeepSeek; Anthropic models behind Databricks. OpenRouter counts what was written, too.
            cache_read: detail("cached_tokens")
                .or_else(|| count("prompt_cache_hit_tokens"))
                .or_else(|| count("cache_read_input_tokens")),
            cache_write: detail("cache_write_tokens").or_else(|| count("cache_creation_input_tokens")),
        };
        self.usage.get_or_insert_default().update(usage);
    }
}

/// The failure that an event reports, wherever a dialect puts it; of its members `error`, `choices`, `x_groq` and
/// `base_resp`.
fn error_in(event: Event<'_>, [error, choices, groq, base]: [Option<Value<'_>>; 4]) -> Option<Problem> {
    let body = event.value;
    if event.name == "error" {
        return Some(error_body::read(body));
    }
    // A healthy chunk has choices and none of the others; it is looked at no further.
    let suspicious = error.is_some() || choices.is_none() || base.is_some();
    let reported = if suspicious { error_body::reported(body) } else { None };
    let of_groq = || groq.and_then(error_body::find);
    let in_choice = || choices.into_iter().flat_map(Value::items).find_map(error_body::find);
    reported.or_else(|| of_groq().or_else(in_choice).map(error_body::read))
}
