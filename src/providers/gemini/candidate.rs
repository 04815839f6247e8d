//! One candidate of an answer: the parts of its content in order, and its end.
//!
//! A `functionCall` is whole in its part, except where Vertex streams arguments: then `willContinue` keeps it open, and
//! the parts that follow belong to it until one comes without. So at most one call is open, and it is the last.

use std::borrow::Cow;

use super::super::calls::{Call, CallRules, Fate, id_of, settle};
use super::super::protocol::{Context, Ended, OPEN_ARRAY};
use super::call::{CallPart, OpenCall};
use super::finish::{Finish, finish_reason};
use super::keys::either;
use super::thoughts::Thoughts;
use crate::json::{JsonText, Kind, TextBuffer, Value};
use crate::model::{Problem, ProblemKind, ServerCall, Step, Stop, Turn};

const CALL_RULES: CallRules = CallRules {
    missing_id: "GGL-S-015",
    duplicate_id: "GGL-S-014",
    no_arguments: None,
    leading_empty: "GGL-S-012",
    repeated: "GGL-S-012",
    cumulative: "GGL-S-012",
    duplicate_keys: "GGL-S-012",
    undeclared: "GGL-S-013",
    copies: None,
};

/// Members of a part that say something about it and hold nothing themselves.
const BESIDE: &[&str] = &[
    "thoughtSignature",
    "thought_signature",
    "thought",
    "videoMetadata",
    "video_metadata",
    "mediaResolution",
    "media_resolution",
    "mediaProcessing",
    "media_processing",
    "partMetadata",
    "part_metadata",
];

/// Kinds of parts that are known and say nothing about calls.
const SILENT: &[&str] = &[
    "text",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "codeExecutionResult",
    "code_execution_result",
    "functionResponse",
    "function_response",
    "toolResponse",
    "tool_response",
    "audioTranscription",
    "audio_transcription",
];

/// What went wrong with an answer as a whole.
#[derive(Debug)]
pub(super) struct Failures<'a> {
    pub(super) problems: &'a [Problem],
    /// One of them explains why the end did not come.
    pub(super) explained: bool,
    /// The prompt was blocked, which voids all calls.
    pub(super) blocked: bool,
}

/// The gravest finish reason so far.
#[derive(Debug)]
struct End {
    finish: Finish,
    name: String,
    message: Option<String>,
}

/// What one candidate has said so far.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    calls: Vec<OpenCall>,
    /// The last call goes on.
    open: bool,
    /// It has gone on since the last finish reason, which cannot close it then.
    after_end: bool,
    text: TextBuffer,
    text_signatures: Vec<String>,
    thoughts: Thoughts,
    server_calls: Vec<ServerCall>,
    end: Option<End>,
}

impl Candidate {
    /// Takes a candidate of a chunk or of a whole answer; `calls` counts those of all candidates.
    pub(super) fn push(&mut self, candidate: Value<'_>, calls: &mut usize, cx: &mut Context<'_>) {
        let [content, reason, reason_snake, message, message_snake] =
            candidate.pick(["content", "finishReason", "finish_reason", "finishMessage", "finish_message"]);
        let parts = content.and_then(|content| content.get("parts"));
        for part in parts.into_iter().flat_map(Value::items) {
            self.part(part, calls, cx);
        }
        if let Some((name, finish)) = either(reason, reason_snake, cx).and_then(finish_reason) {
            let finish = finish.unwrap_or_else(|| {
                cx.note("GGL-S-033", || format!("unknown finishReason `{name}`"));
                Finish::Clean
            });
            if self.end.is_some() {
                cx.note("GGL-S-031", || "finishReason came more than once".to_owned());
            }
            self.after_end = false;
            if self.end.as_ref().is_none_or(|before| before.finish < finish) {
                let message = either(message, message_snake, cx).and_then(Value::to_text);
                let message = message.filter(|message| !message.is_empty()).map(Cow::into_owned);
                self.end = Some(End { finish, name: name.into_owned(), message });
            }
        }
    }

    fn part(&mut self, part: Value<'_>, calls: &mut usize, cx: &mut Context<'_>) {
        let [text, thought, signature, signature_snake, call, call_snake, server, server_snake, code, code_snake] =
            part.pick([
                "text",
                "thought",
                "thoughtSignature",
                "thought_signature",
                "functionCall",
                "function_call",
                "toolCall",
                "tool_call",
                "executableCode",
                "executable_code",
            ]);
        let text = text.and_then(Value::as_str);
        let thought = thought.and_then(Value::as_bool) == Some(true);
        let signature = either(signature, signature_snake, cx).and_then(Value::to_text);
        let signature = signature.filter(|signature| !signature.is_empty());
        let object = |value: &Value<'_>| value.kind() == Kind::Object;
        let call = either(call, call_snake, cx).filter(object);
        let server = either(server, server_snake, cx).filter(object);
        let code = either(code, code_snake, cx);
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            if thought {
                cx.step(Step::Thinking(self.thoughts.push(text)));
            } else {
                self.goes_on("text", cx);
                self.thoughts.end();
                cx.step(Step::Text(self.text.push(text)));
            }
        }
        if let Some(server) = server {
            self.server_calls.push(tool_call(server, cx));
        }
        if let Some(code) = code {
            self.server_calls.push(ServerCall {
                id: code.get("id").and_then(id_of).map(Cow::into_owned),
                name: "code_execution".to_owned(),
                kind: "executableCode".to_owned(),
                arguments: Some(JsonText::of(code)),
            });
        }
        if let Some(call) = call {
            return self.call(&CallPart::read(call, cx), signature, calls, cx);
        }
        if text.is_none() && server.is_none() && code.is_none() {
            self.other_part(part, thought, signature, cx);
        } else if let Some(signature) = signature {
            if thought {
                self.thoughts.sign(signature.into_owned());
            } else if text.is_some() {
                self.text_signatures.push(signature.into_owned());
            }
        }
    }

    /// A part that is neither text nor a call.
    fn other_part(&mut self, part: Value<'_>, thought: bool, signature: Option<Cow<'_, str>>, cx: &mut Context<'_>) {
        let is_one_of = |names: &[&str], key: &str| names.contains(&key);
        let mut content = part.members().filter(|(_, value)| !value.is_null()).map(|(key, _)| key.decode());
        let content = content.find(|key| !is_one_of(BESIDE, key));
        match (signature, content) {
            (Some(signature), _) if thought => self.thoughts.sign(signature.into_owned()),
            (Some(signature), None) => self.text_signatures.push(signature.into_owned()),
            (_, Some(kind)) if !is_one_of(SILENT, &kind) => {
                cx.note("GGL-S-042", || format!("unknown kind of part `{kind}`"));
            }
            _ => {}
        }
    }

    fn call(&mut self, part: &CallPart<'_>, signature: Option<Cow<'_, str>>, calls: &mut usize, cx: &mut Context<'_>) {
        let continued = self.calls.last().filter(|_| self.open);
        let goes_on = continued.is_some_and(|open| part.name.is_none() || open.is_meant_by(part));
        if !goes_on {
            if part.name.is_none() {
                cx.note("GGL-S-022", || "a functionCall without a name, and no call is open".to_owned());
            }
            if part.is_blank() {
                self.text_signatures.extend(signature.map(Cow::into_owned));
                return;
            }
            if self.open {
                cx.note("GGL-S-023", || "a call begins while another is open".to_owned());
                self.close(cx);
            }
            self.goes_on("a call", cx);
            self.calls.push(OpenCall::begin(part, *calls, cx));
            *calls += 1;
        }
        self.thoughts.end();
        self.open = part.more;
        self.after_end = true;
        if let Some(call) = self.calls.last_mut() {
            call.push(part, signature, cx);
        }
        if !self.open {
            self.close(cx);
        }
    }

    /// Closes the last call.
    fn close(&mut self, cx: &mut Context<'_>) {
        self.open = false;
        if let Some(call) = self.calls.last_mut() {
            call.end(cx);
        }
    }

    fn goes_on(&self, what: &str, cx: &mut Context<'_>) {
        if self.end.is_some() {
            cx.note("GGL-S-032", || format!("{what} after the finishReason"));
        }
    }

    /// The stream failed here.
    pub(super) fn fail(&mut self) {
        if let Some(call) = self.calls.last_mut().filter(|_| self.open) {
            call.broken = true;
        }
    }

    /// Ends the candidate as the turn number `position` of the answer.
    pub(super) fn finish(mut self, position: u32, ended: Ended, failures: &Failures<'_>, cx: &mut Context<'_>) -> Turn {
        let end = self.end.take();
        let finish = end.as_ref().map(|end| end.finish);
        let mut errors = failures.problems.to_vec();
        let incomplete = |message: &str| Problem::new(ProblemKind::IncompleteStream).message(message);
        match (finish, &end) {
            (Some(Finish::Malformed), Some(end)) => errors.push(told(ProblemKind::MalformedFunctionCall, end)),
            _ if failures.explained => {}
            (None, _) if ended.cut => errors.push(incomplete("the stream was cut inside an event")),
            _ if ended.open_array => errors.push(incomplete(OPEN_ARRAY)),
            (None, _) => errors.push(incomplete("the stream ended before a finishReason")),
            // What an old reason says of a call that went on after it is nothing.
            (Some(Finish::Clean), _) if self.open && self.after_end => {
                errors.push(incomplete("the stream goes on with a call after the finishReason, and has no end"));
            }
            _ => {}
        }
        let stop = match finish {
            _ if !errors.is_empty() => Stop::Error,
            Some(Finish::Blocked) => Stop::Refusal,
            Some(Finish::Length) => Stop::Length,
            Some(Finish::Pause) => Stop::Pause,
            _ => Stop::Stop,
        };
        let mut turn = Turn::empty(stop);
        // A refusal voids every call, whatever else went wrong.
        let void = failures.blocked || finish == Some(Finish::Blocked);
        let calls = if void { Vec::new() } else { self.fates(finish, stop, cx) };
        let settled = settle(calls, position, &CALL_RULES, cx);
        if let (Some(Finish::Blocked), Some(end)) = (finish, &end) {
            errors.push(told(ProblemKind::Blocked, end));
        }
        errors.extend(settled.errors);
        turn.errors = errors;
        turn.calls = settled.calls;
        turn.incomplete = settled.incomplete;
        turn.text = self.text.finish();
        turn.text_signatures = self.text_signatures;
        turn.thinking = self.thoughts.finish();
        turn.server_calls = self.server_calls;
        if stop == Stop::Stop && settled.requested > 0 {
            turn.stop = Stop::ToolUse;
        } else if stop == Stop::Stop && turn.text.is_empty() && turn.server_calls.is_empty() {
            cx.note("GGL-S-035", || "an answer with neither text nor calls".to_owned());
        }
        cx.step(Step::Stop(turn.stop));
        turn
    }

    /// What became of each call, given how the answer ends.
    fn fates(&mut self, finish: Option<Finish>, stop: Stop, cx: &mut Context<'_>) -> Vec<(Call, Fate)> {
        let open = if self.open { self.calls.len().checked_sub(1) } else { None };
        let ended = finish == Some(Finish::Clean) && !self.after_end;
        if open.is_some() {
            if ended {
                cx.note("GGL-S-023", || "the answer ends while a call is open".to_owned());
            }
            self.close(cx);
        }
        let fate = |(at, call): (usize, OpenCall)| {
            let fate = match stop {
                _ if call.broken => Fate::Incomplete,
                _ if ended || open != Some(at) => Fate::Closed,
                Stop::Length => Fate::Truncated,
                _ => Fate::Incomplete,
            };
            (call.into_call(), fate)
        };
        std::mem::take(&mut self.calls).into_iter().enumerate().map(fate).collect()
    }
}

/// A finish reason as a problem.
fn told(kind: ProblemKind, end: &End) -> Problem {
    let message = || format!("the provider ended with finishReason `{}`", end.name);
    Problem::new(kind).reason(&*end.name).message(end.message.clone().unwrap_or_else(message))
}

/// A call of a tool that Google runs itself.
fn tool_call(call: Value<'_>, cx: &mut Context<'_>) -> ServerCall {
    let [id, kind, kind_snake, args] = call.pick(["id", "toolType", "tool_type", "args"]);
    let name = either(kind, kind_snake, cx).and_then(Value::to_text).filter(|name| !name.is_empty());
    ServerCall {
        id: id.and_then(id_of).map(Cow::into_owned),
        name: name.map_or_else(|| "toolCall".to_owned(), Cow::into_owned),
        kind: "toolCall".to_owned(),
        arguments: Some(args.and_then(Value::non_null).map_or_else(JsonText::empty_object, JsonText::of)),
    }
}
