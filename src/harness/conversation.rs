//! The next request of a conversation: what the model said and what the tools answered, behind the request before.

use std::collections::HashMap;

use crate::corpus::ScriptedResult;
use crate::json::{JsonText, Value, Writer};
use crate::model::{Api, ToolCall, Turn};

/// Plays the tools of a case.
#[derive(Debug)]
pub(super) struct Conversation<'c> {
    script: &'c [ScriptedResult],
    /// How often each tool was called.
    calls: HashMap<String, u64>,
}

impl<'c> Conversation<'c> {
    pub(super) fn new(script: &'c [ScriptedResult]) -> Self {
        Self { script, calls: HashMap::new() }
    }

    /// The neutral request that follows on `turn`, the answer to `request`. A call that the script does not know gets
    /// no result.
    pub(super) fn next(&mut self, api: Api, request: &JsonText, turn: &Turn) -> JsonText {
        let doc = request.doc();
        let root = doc.root();
        let model = root.text_of("model").unwrap_or_default();
        let answers: Vec<Option<&ScriptedResult>> = turn.calls.iter().map(|call| self.answer(&call.name)).collect();
        JsonText::build(|w| {
            w.object(|w| {
                for (key, value) in root.members() {
                    w.key(&key.decode());
                    if !key.is("messages") {
                        w.value(value);
                        continue;
                    }
                    w.array(|w| {
                        value.items().for_each(|message: Value<'_>| w.value(message));
                        assistant(api, &model, turn, w);
                        for (call, answer) in turn.calls.iter().zip(&answers) {
                            if let Some(answer) = answer {
                                result(call, answer, w);
                            }
                        }
                    });
                }
            });
        })
    }

    fn answer(&mut self, name: &str) -> Option<&'c ScriptedResult> {
        let count = self.calls.entry(name.to_owned()).or_default();
        let nth = *count;
        *count += 1;
        self.script.iter().find(|answer| answer.name == name && answer.nth == nth)
    }
}

/// The assistant message that a turn is: thinking, text, calls.
fn assistant(api: Api, model: &str, turn: &Turn, w: &mut Writer) {
    w.object(|w| {
        w.member("role", "assistant");
        w.key("content");
        w.array(|w| {
            for thinking in &turn.thinking {
                w.object(|w| {
                    w.member("type", "thinking");
                    w.member("thinking", &thinking.text);
                    w.optional("signature", thinking.signature.as_deref());
                    w.optional("itemId", thinking.item_id.as_deref());
                    w.optional("encrypted", thinking.encrypted.as_deref());
                });
            }
            if !turn.text.is_empty() || !turn.text_signatures.is_empty() {
                w.object(|w| {
                    w.member("type", "text");
                    w.member("text", &turn.text);
                    w.optional("thoughtSignature", turn.text_signatures.last().map(String::as_str));
                });
            }
            turn.calls.iter().for_each(|call| call.write(w));
        });
        w.member("stop", turn.stop.name());
        w.key("origin");
        w.object(|w| {
            w.member("api", api.name());
            w.member("model", model);
        });
    });
}

fn result(call: &ToolCall, answer: &ScriptedResult, w: &mut Writer) {
    w.object(|w| {
        w.member("role", "toolResult");
        w.member("toolCallId", &call.id);
        w.member("toolName", &call.name);
        w.key("content");
        w.array(|w| {
            w.object(|w| {
                w.member("type", "text");
                w.member("text", &answer.text);
            });
        });
        w.key("isError");
        w.literal(answer.is_error);
    });
}

#[cfg(test)]
mod tests {
    use super::Conversation;
    use crate::corpus::ScriptedResult;
    use crate::json::JsonText;
    use crate::model::Api;
    use crate::providers::{DecodeSetup, decode};

    #[test]
    fn calls_are_answered_by_name_and_number_and_stand_behind_what_was_said() {
        let answer = |nth, text: &str, is_error| ScriptedResult { name: "f".into(), nth, text: text.into(), is_error };
        let script = [answer(0, "18C", false), answer(1, "down", true)];
        let stream = br#"{"candidates":[{"content":{"parts":[{"text":"Hm"},{"functionCall":{"name":"f","args":{"n":1.0},"id":"a"}},{"functionCall":{"name":"f","id":"b"}},{"functionCall":{"name":"g","id":"c"}}]},"finishReason":"STOP"}]}"#;
        let turn = decode(Api::Gemini, DecodeSetup::default(), stream);
        let request = JsonText::new(r#"{"model":"m","messages":[{"role":"user","content":"go"}],"tools":[]}"#).unwrap();
        let next = Conversation::new(&script).next(Api::Gemini, &request, &turn);
        let call = |id: &str, name: &str, arguments: &str| {
            format!(r#"{{"type":"toolCall","id":"{id}","name":"{name}","arguments":{arguments}}}"#)
        };
        let result = |id: &str, text: &str, error: bool| {
            format!(
                r#"{{"role":"toolResult","toolCallId":"{id}","toolName":"f","content":[{{"type":"text","text":"{text}"}}],"isError":{error}}}"#
            )
        };
        let expected = format!(
            r#"{{"model":"m","messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"text","text":"Hm"}},{},{},{}],"stop":"toolUse","origin":{{"api":"gemini","model":"m"}}}},{},{}],"tools":[]}}"#,
            call("a", "f", r#"{"n":1.0}"#),
            call("b", "f", "{}"),
            call("c", "g", "{}"),
            result("a", "18C", false),
            result("b", "down", true)
        );
        assert_eq!(next.as_str(), expected);
    }
}
