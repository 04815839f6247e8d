//! From accumulated calls to the calls, errors and incomplete calls of a turn.

use std::borrow::Cow;
use std::collections::HashSet;

use super::arguments::{ArgumentText, Assembly};
use super::protocol::Context;
use crate::json::Value;
use crate::model::{Arguments, GeneratedIds, Incomplete, Problem, ProblemKind, Step, ToolCall, usable_id};

/// A call while it is put together.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// Number of the call for steps.
    pub(super) number: usize,
    /// The id on the wire, if it is usable.
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: ArgumentText,
    /// A freeform call: its input is no JSON.
    pub(super) custom: bool,
    pub(super) thought_signature: Option<String>,
    /// The id of the item that carries it, where an API tells the two apart.
    pub(super) item_id: Option<String>,
}

/// An `id` if it is usable; LM Studio's are digits, so a number is taken too.
pub(super) fn id_of(id: Value<'_>) -> Option<Cow<'_, str>> {
    let text = id.to_text().or_else(|| id.as_number().map(Cow::Borrowed))?;
    usable_id(&text).is_some().then_some(text)
}

/// What became of a call by the end of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It has its end.
    Closed,
    /// It was open when the output limit hit.
    Truncated,
    /// It was open when the stream ended or failed.
    Incomplete,
}

/// The lint rules that name an API's oddities around calls.
#[derive(Debug)]
pub(super) struct CallRules {
    pub(super) missing_id: &'static str,
    pub(super) duplicate_id: &'static str,
    pub(super) no_arguments: Option<&'static str>,
    pub(super) leading_empty: &'static str,
    pub(super) repeated: &'static str,
    pub(super) cumulative: &'static str,
    pub(super) duplicate_keys: &'static str,
    pub(super) undeclared: &'static str,
    /// The rule for one call sent twice, id, name and arguments alike; `None` where that means two calls.
    pub(super) copies: Option<&'static str>,
}

/// The calls of a turn, settled.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) calls: Vec<ToolCall>,
    pub(super) errors: Vec<Problem>,
    pub(super) incomplete: Vec<Incomplete>,
    /// How many calls the model asked for, usable or not.
    pub(super) requested: usize,
}

/// Settles calls in their order; `choice` counts from 0.
pub(super) fn settle(calls: Vec<(Call, Fate)>, choice: u32, rules: &CallRules, cx: &mut Context<'_>) -> Settled {
    let calls = without_copies(calls, rules, cx);
    let ids = GeneratedIds::new(cx.setup.turn, choice);
    // Ids on the wire are taken from the start, so that a generated one cannot meet a later one.
    let mut taken: HashSet<String> = calls.iter().filter_map(|(call, _)| call.id.clone()).collect();
    let mut used: HashSet<String> = HashSet::new();
    let mut settled = Settled { requested: calls.len(), ..Settled::default() };
    for (position, (call, fate)) in calls.into_iter().enumerate() {
        let Call { number, id, name: wire, arguments, custom, thought_signature, item_id } = call;
        let declared = cx.setup.tools.is_empty() || cx.setup.tools.contains(&wire);
        let name = cx.setup.callers_name(wire);
        match fate {
            Fate::Closed => {}
            Fate::Truncated => {
                let problem = Problem::new(ProblemKind::TruncatedArguments)
                    .message("the output limit hit before the call was finished")
                    .raw(arguments.into_text())
                    .call(id, Some(name).filter(|name| !name.is_empty()));
                settled.errors.push(problem);
                continue;
            }
            Fate::Incomplete => {
                let name = Some(name).filter(|name| !name.is_empty());
                settled.incomplete.push(Incomplete { id, name, arguments_text: arguments.into_text() });
                continue;
            }
        }
        cx.step(Step::Closed { call: number });
        let id = match id {
            Some(id) if used.insert(id.clone()) => id,
            duplicate => {
                let made = ids.make(position, &mut taken);
                match duplicate {
                    Some(id) => cx.note(rules.duplicate_id, || {
                        format!("id `{id}` stands on two calls; the second, of `{name}`, is now `{made}`")
                    }),
                    None => cx.note(rules.missing_id, || {
                        format!("the call of `{name}` has no usable id; it is now `{made}`")
                    }),
                }
                used.insert(made.clone());
                made
            }
        };
        if name.is_empty() {
            let problem = Problem::new(ProblemKind::MissingName)
                .message("the call ended without a name")
                .raw(arguments.into_text())
                .call(Some(id), None);
            settled.errors.push(problem);
            continue;
        }
        if !declared {
            cx.note(rules.undeclared, || format!("tool `{name}` was not declared"));
        }
        let (arguments, repaired) = if custom {
            (Arguments::Freeform(arguments.into_text()), false)
        } else {
            match arguments.resolve(cx.setup.repair) {
                Ok(resolved) => {
                    if let Some((rule, what)) = assembly_note(resolved.assembly, rules) {
                        cx.note(rule, || format!("arguments of `{name}`: {what}"));
                    }
                    if resolved.duplicate_keys {
                        cx.note(rules.duplicate_keys, || format!("arguments of `{name}` hold one key twice"));
                    }
                    (Arguments::Object(resolved.arguments), resolved.assembly == Assembly::Repaired)
                }
                Err((unusable, raw)) => {
                    let problem =
                        Problem::new(unusable.kind).message(unusable.message).raw(raw).call(Some(id), Some(name));
                    settled.errors.push(problem);
                    continue;
                }
            }
        };
        settled.calls.push(ToolCall { id, name, arguments, item_id, thought_signature, repaired });
    }
    settled
}

fn assembly_note(assembly: Assembly, rules: &CallRules) -> Option<(&'static str, &'static str)> {
    match assembly {
        Assembly::Plain | Assembly::Repaired => None,
        Assembly::Empty => rules.no_arguments.map(|rule| (rule, "none came, read as {}")),
        Assembly::LeadingEmpty => Some((rules.leading_empty, "an empty object stood before the real one")),
        Assembly::Repeated => Some((rules.repeated, "the object came more than once")),
        Assembly::Cumulative => Some((rules.cumulative, "each piece repeated what came before")),
    }
}

/// Leaves out calls that are an earlier one once more: id, name and arguments alike.
fn without_copies(calls: Vec<(Call, Fate)>, rules: &CallRules, cx: &mut Context<'_>) -> Vec<(Call, Fate)> {
    let Some(rule) = rules.copies else { return calls };
    let mut seen: HashSet<(&str, &str, &str)> = HashSet::new();
    let mut keep = Vec::with_capacity(calls.len());
    for (call, _) in &calls {
        let first = call.id.as_deref().is_none_or(|id| seen.insert((id, &call.name, call.arguments.as_str())));
        if !first {
            let id = call.id.as_deref().unwrap_or_default();
            cx.note(rule, || format!("call `{id}` of `{}` came twice", call.name));
        }
        keep.push(first);
    }
    calls.into_iter().zip(keep).filter_map(|(call, keep)| keep.then_some(call)).collect()
}
