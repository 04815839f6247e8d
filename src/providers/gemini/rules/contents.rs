//! Contents: roles, calls and responses, signatures.
//!
//! Source: types of google-genai 3.6; answers of the API quoted in the issues that each rule names.

use super::super::super::charset::is_base64;
use super::super::super::request_view::{CallView, MessageView, Part, PartContent, RequestView, ResultView, Role};
use super::super::super::rule::{Offences, shown};
use super::super::model::{PLACEHOLDER, signs_calls};
use super::super::read;
use crate::json::Kind;

/// Signatures that stand for one that was never given.
const PLACEHOLDERS: &[&str] = &[
    PLACEHOLDER,
    "context_engineering_is_the_way_to_go",
    "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
    "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
];

fn calls<'v, 'a>(message: &'v MessageView<'a>) -> Vec<(&'v Part<'a>, &'v CallView<'a>)> {
    message.calls().collect()
}

fn results<'v, 'a>(message: &'v MessageView<'a>) -> Vec<(&'v Part<'a>, &'v ResultView<'a>)> {
    message.results().collect()
}

fn is_response(message: &MessageView<'_>) -> bool {
    message.results().next().is_some()
}

fn is_call(message: &MessageView<'_>) -> bool {
    message.calls().next().is_some()
}

/// Contents with calls, each with those that follow it as long as they hold responses.
fn exchanges<'v, 'a>(view: &'v RequestView<'a>) -> Vec<(&'v MessageView<'a>, Vec<&'v MessageView<'a>>)> {
    let mut out: Vec<(&MessageView<'a>, Vec<&MessageView<'a>>)> = Vec::new();
    let mut open = false;
    for message in &view.messages {
        if is_call(message) {
            out.push((message, Vec::new()));
            open = true;
        } else if is_response(message) && open {
            out.last_mut().into_iter().for_each(|(_, answers)| answers.push(message));
        } else {
            open = false;
        }
    }
    out
}

pub(super) fn roles(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in &view.messages {
        match message.role {
            Role::Other => {
                let role = message.node.text("role").unwrap_or_default();
                out.add(&message.node.at("role"), format!("{} is no role; there are user and model", shown(&role)));
            }
            Role::Tool => out.warn(&message.node.at("role"), "the role of responses is user"),
            _ => {}
        }
    }
}

pub(super) fn parts(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in &view.messages {
        if message.parts.is_empty() {
            out.add(&message.node.at("parts"), "a content without parts");
        }
        for part in message.parts.iter().filter(|part| part.node.value.members().next().is_none()) {
            out.add(&part.node.pointer, "a part that holds nothing");
        }
    }
}

pub(super) fn objects(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, call) in view.calls() {
        if let Some(arguments) = &call.arguments
            && !matches!(arguments.value.kind(), Kind::Object | Kind::Null)
        {
            out.add(&arguments.pointer, format!("`args` is {}, not an object", arguments.value.kind().article()));
        }
    }
    for (part, _) in view.results() {
        let Some(function) = part.node.any(read::RESPONSE) else { continue };
        match function.get("response") {
            None => out.add(&function.at("response"), "the response holds no `response`"),
            Some(response) if response.value.kind() != Kind::Object => {
                let kind = response.value.kind().article();
                out.add(&response.pointer, format!("`response` is {kind}, not an object"));
            }
            Some(_) => {}
        }
    }
}

/// Calls and responses of one exchange in pairs: by id where both have one, else by place.
fn pairs<'v, 'a>(
    call: &'v MessageView<'a>,
    answers: &[&'v MessageView<'a>],
) -> Vec<(&'v CallView<'a>, &'v Part<'a>, &'v ResultView<'a>)> {
    let calls = calls(call);
    let by_id: std::collections::HashMap<&str, &CallView<'a>> =
        calls.iter().filter_map(|(_, call)| Some((call.id.as_deref()?, *call))).collect();
    let answers = answers.iter().flat_map(|message| results(message));
    answers
        .enumerate()
        .filter_map(|(at, (part, result))| {
            let by_id = result.call_id.as_deref().and_then(|id| by_id.get(id).copied());
            Some((by_id.or_else(|| calls.get(at).map(|(_, call)| *call))?, part, result))
        })
        .collect()
}

pub(super) fn response_names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (part, result) in view.results() {
        if result.name.as_deref().is_none_or(str::is_empty) {
            out.add(&part.node.pointer, "the response names no function");
        }
    }
    for (call, answers) in exchanges(view) {
        for (call, part, result) in pairs(call, &answers) {
            if let (Some(called), Some(named)) = (call.name.as_deref(), result.name.as_deref())
                && called != named
                && !named.is_empty()
            {
                let message = format!("the response of {} answers a call of {}", shown(named), shown(called));
                out.add(&part.node.pointer, message);
            }
        }
    }
}

pub(super) fn counts(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (call, answers) in exchanges(view) {
        let calls = call.calls().count();
        let responses: usize = answers.iter().map(|message| message.results().count()).sum();
        // Without any it is the order that is wrong.
        if responses != calls && responses > 0 {
            out.add(&call.node.pointer, format!("{calls} calls are followed by {responses} responses"));
        }
    }
}

pub(super) fn alternation(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (at, message) in view.messages.iter().enumerate() {
        let next = view.messages.get(at + 1);
        if is_call(message) && !is_response(message) && !next.is_some_and(is_response) {
            out.add(&message.node.pointer, "no content with responses follows the calls");
        }
        let before = at.checked_sub(1).and_then(|before| view.messages.get(before));
        let expected = before.is_some_and(|before| is_call(before) || is_response(before));
        if is_response(message) && !is_call(message) && !expected {
            out.add(&message.node.pointer, "the responses do not follow a content with calls");
        }
    }
}

pub(super) fn calls_after_user(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (at, message) in view.messages.iter().enumerate().filter(|(_, message)| is_call(message)) {
        match at.checked_sub(1).and_then(|before| view.messages.get(before)) {
            None => out.add(&message.node.pointer, "calls stand first in the conversation"),
            Some(before) if before.role == Role::Assistant => {
                out.add(&message.node.pointer, "calls follow a content of the model's");
            }
            Some(_) => {}
        }
    }
}

pub(super) fn not_mixed(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for message in view.messages.iter().filter(|message| is_call(message) && is_response(message)) {
        out.add(&message.node.pointer, "calls and responses in one content");
    }
}

pub(super) fn same_order(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (call, answers) in exchanges(view) {
        let named: Vec<_> = call.calls().map(|(_, call)| (&call.id, &call.name)).collect();
        let answered: Vec<_> = answers
            .iter()
            .flat_map(|message| results(message))
            .map(|(_, result)| (&result.call_id, &result.name))
            .collect();
        // Ids decide where both sides have them; names only tell without.
        let same = |((id, name), (answer, answer_name)): (&(&Option<_>, &Option<_>), &(&Option<_>, &Option<_>))| {
            if id.is_some() && answer.is_some() { id == answer } else { name == answer_name }
        };
        if named.len() == answered.len() && !named.iter().zip(&answered).all(same) {
            out.add(&call.node.pointer, "the responses are not in the order of the calls");
        }
    }
}

pub(super) fn ids_repeated(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (call, answers) in exchanges(view) {
        for (call, part, result) in pairs(call, &answers) {
            if let Some(id) = call.id.as_deref()
                && result.call_id.as_deref() != Some(id)
            {
                out.add(&part.node.pointer, format!("the response does not repeat the id {} of its call", shown(id)));
            }
        }
    }
}

pub(super) fn ids_not_invented(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (call, answers) in exchanges(view) {
        for (call, part, result) in pairs(call, &answers) {
            if let (None, Some(id)) = (call.id.as_deref(), result.call_id.as_deref()) {
                out.add(&part.node.pointer, format!("the response has the id {}, its call has none", shown(id)));
            }
        }
    }
}

pub(super) fn signed(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if !view.model.as_deref().is_some_and(signs_calls) {
        return;
    }
    // The current turn: what follows the last content of the user's that holds no response.
    let own = |message: &MessageView<'_>| message.role == Role::User && !is_response(message);
    let start = view.messages.iter().rposition(own).map_or(0, |at| at + 1);
    for message in view.messages.iter().skip(start) {
        let Some((part, _)) = message.calls().next() else { continue };
        if part.node.any(read::SIGNATURE).is_none() {
            out.add(&part.node.at("thoughtSignature"), "the first call of the content lacks its signature");
        }
    }
}

pub(super) fn placeholders(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, part) in view.parts() {
        let Some(signature) = part.node.any(read::SIGNATURE) else { continue };
        if signature.to_text().is_some_and(|text| PLACEHOLDERS.contains(&&*text)) {
            out.add(&signature.pointer, "a placeholder stands for the signature");
        }
    }
}

pub(super) fn together(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, answers) in exchanges(view) {
        if let Some(second) = answers.get(1) {
            out.add(&second.node.pointer, "the responses of one content stand in several contents");
        }
    }
}

pub(super) fn base64(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for (_, part) in view.parts() {
        let signature = part.node.any(read::SIGNATURE);
        let data = part.node.any(read::INLINE).and_then(|inline| inline.some("data"));
        let inner = part.as_result().into_iter().flat_map(|result| &result.parts);
        let inner = inner.filter(|part| matches!(part.content, PartContent::Media));
        let inner = inner.filter_map(|part| part.node.any(read::INLINE)?.some("data"));
        for node in signature.into_iter().chain(data).chain(inner) {
            let text = node.to_text().unwrap_or_default();
            // The URL-safe alphabet is read too, and padding may be left out.
            let plain = text.replace('-', "+").replace('_', "/");
            let padded = format!("{plain}{}", "=".repeat((4 - plain.len() % 4) % 4));
            if !is_base64(&padded) && !PLACEHOLDERS.contains(&&*text) {
                out.add(&node.pointer, "this is not base64");
            }
        }
    }
}
