//! What a case expects of a turn, or of the frames of a stream.
//!
//! Only the keys present are asserted; under a key, objects are subsets and arrays are equal in
//! length and order.

use super::fields::{FieldResult, Place};
use crate::json::{Doc, JsonText, Kind, Style, Writer};
use crate::model::{ProblemKind, Stop, Turn};

/// Stands for any non-empty string.
pub const ANY: &str = "<any>";

/// An object that must be contained in the actual one.
pub type ObjectPattern = JsonText;

/// An expected turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnPattern {
    /// The calls, in order.
    pub calls: Option<Vec<CallPattern>>,
    /// The text.
    pub text: Option<String>,
    /// How the turn ended.
    pub stop: Option<Stop>,
    /// The errors, as a set.
    pub errors: Option<Vec<ObjectPattern>>,
    /// Thinking blocks, in order.
    pub thinking: Option<Vec<ObjectPattern>>,
    /// Open calls, in order.
    pub incomplete: Option<Vec<ObjectPattern>>,
    /// Signatures of text, in order.
    pub text_signatures: Option<Vec<String>>,
    /// Token counts.
    pub usage: Option<ObjectPattern>,
    /// Calls that the provider ran, in order.
    pub server_calls: Option<Vec<ObjectPattern>>,
    /// The other choices, in order.
    pub choices: Option<Vec<TurnPattern>>,
}

/// An expected call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPattern {
    /// The id; `None` for any that is not empty and unique in the turn.
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// The arguments: the text of an object, or of a string for freeform calls.
    pub arguments: JsonText,
    /// Further keys of the call, such as `thoughtSignature`.
    pub rest: Option<ObjectPattern>,
}

impl TurnPattern {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let keys = [
            "calls",
            "text",
            "stop",
            "errors",
            "thinking",
            "textSignatures",
            "incomplete",
            "usage",
            "serverCalls",
            "choices",
        ];
        let fields = place.object(&keys)?;
        let objects = |key: &str, known: &[&str]| fields.get(key).map(|list| objects(&list, known)).transpose();
        Ok(Self {
            calls: fields
                .get("calls")
                .map(|calls| calls.items()?.iter().map(CallPattern::read).collect::<FieldResult<_>>())
                .transpose()?,
            text: fields.get("text").map(|text| text.string()).transpose()?,
            stop: fields.get("stop").map(|stop| stop.word(Stop::ALL, Stop::name)).transpose()?,
            errors: fields.get("errors").map(|errors| errors.items()?.iter().map(problem).collect()).transpose()?,
            thinking: objects("thinking", &["text", "signature", "itemId", "encrypted"])?,
            text_signatures: fields
                .get("textSignatures")
                .map(|list| list.items()?.iter().map(Place::string).collect::<FieldResult<_>>())
                .transpose()?,
            incomplete: objects("incomplete", &["id", "name", "argumentsText"])?,
            usage: fields
                .get("usage")
                .map(|usage| {
                    usage.object(&["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"])?;
                    Ok(JsonText::of(usage.value))
                })
                .transpose()?,
            server_calls: objects("serverCalls", &["id", "name", "kind", "arguments"])?,
            choices: fields
                .get("choices")
                .map(|choices| choices.items()?.iter().map(Self::read).collect::<FieldResult<_>>())
                .transpose()?,
        })
    }

    /// The pattern that asserts all of a turn but its diagnostics.
    pub fn of(turn: &Turn) -> Self {
        let bare = Turn { diagnostics: Vec::new(), choices: Vec::new(), ..turn.clone() };
        let text = bare.to_json(Style::Compact);
        let read = Doc::parse(text.as_str()).ok().and_then(|doc| Self::read(&Place::root(doc.root())).ok());
        // Every turn that our writer writes is a pattern; the fallback asserts the essence.
        let mut pattern = read.unwrap_or(Self { stop: Some(turn.stop), ..Self::default() });
        if !turn.choices.is_empty() {
            pattern.choices = Some(turn.choices.iter().map(Self::of).collect());
        }
        pattern
    }

    /// The pattern as JSON, as it stands in a case.
    pub fn to_json(&self, style: Style) -> String {
        let mut writer = Writer::new(style);
        self.write(&mut writer);
        writer.finish()
    }

    /// Writes the pattern as the next value.
    pub fn write(&self, w: &mut Writer) {
        w.object(|w| {
            if let Some(calls) = &self.calls {
                w.key("calls");
                w.array(|w| calls.iter().for_each(|call| call.write(w)));
            }
            w.optional("text", self.text.as_deref());
            w.optional("stop", self.stop.map(Stop::name));
            let lists = [
                ("errors", &self.errors),
                ("thinking", &self.thinking),
                ("incomplete", &self.incomplete),
                ("serverCalls", &self.server_calls),
            ];
            for (key, list) in lists {
                if let Some(list) = list {
                    w.key(key);
                    w.array(|w| list.iter().for_each(|item| w.value(item.doc().root())));
                }
            }
            if let Some(signatures) = &self.text_signatures {
                w.key("textSignatures");
                w.array(|w| signatures.iter().for_each(|signature| w.string(signature)));
            }
            if let Some(usage) = &self.usage {
                w.key("usage");
                w.value(usage.doc().root());
            }
            if let Some(choices) = &self.choices {
                w.key("choices");
                w.array(|w| choices.iter().for_each(|choice| choice.write(w)));
            }
        });
    }

    /// True if no key is asserted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

pub(super) fn objects(list: &Place<'_>, known: &[&str]) -> FieldResult<Vec<ObjectPattern>> {
    list.items()?.iter().map(|item| item.object(known).map(|_| JsonText::of(item.value))).collect()
}

fn problem(place: &Place<'_>) -> FieldResult<ObjectPattern> {
    let fields = place.object(&["kind", "id", "name", "type", "reason", "raw", "message"])?;
    fields.required("kind")?.word(ProblemKind::ALL, ProblemKind::name)?;
    Ok(JsonText::of(place.value))
}

impl CallPattern {
    fn read(place: &Place<'_>) -> FieldResult<Self> {
        let rest_keys = ["itemId", "thoughtSignature", "repaired", "kind"];
        let keys: Vec<&str> = ["type", "id", "name", "arguments"].into_iter().chain(rest_keys).collect();
        let fields = place.object(&keys)?;
        let kind = fields.required("type")?;
        if kind.string()? != "toolCall" {
            return Err(kind.error("the type of a call is `toolCall`"));
        }
        let id = fields.text("id")?;
        let arguments = fields.required("arguments")?;
        let custom = match fields.get("kind") {
            None => false,
            Some(kind) if kind.string()? == "custom" => true,
            Some(kind) => return Err(kind.error("the only kind of a call is `custom`")),
        };
        match (arguments.value.kind(), custom) {
            (Kind::Object, false) | (Kind::String, true) => {}
            _ => return Err(arguments.error("arguments are an object, or a string beside `\"kind\":\"custom\"`")),
        }
        let mut writer = Writer::new(Style::Compact);
        writer.object(|w| {
            for key in rest_keys {
                if let Some(member) = fields.get(key) {
                    w.key(key);
                    w.value(member.value);
                }
            }
        });
        let rest = JsonText::new(writer.finish()).ok().filter(|rest| rest.as_str() != "{}");
        Ok(Self {
            id: (id != ANY).then_some(id),
            name: fields.text("name")?,
            arguments: JsonText::of(arguments.value),
            rest,
        })
    }
}

impl CallPattern {
    fn write(&self, w: &mut Writer) {
        w.object(|w| {
            w.member("type", "toolCall");
            w.member("id", self.id.as_deref().unwrap_or(ANY));
            w.member("name", &self.name);
            w.key("arguments");
            w.value(self.arguments.doc().root());
            let rest = self.rest.as_ref().map(JsonText::doc);
            for (key, value) in rest.iter().flat_map(|rest| rest.root().members()) {
                w.key(&key.decode());
                w.value(value);
            }
        });
    }
}

/// What a framing case expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FramesPattern {
    /// Every event with data, in order: `event` only where a name was given, and `data`.
    pub frames: Vec<(String, String)>,
    /// Comment lines, in order.
    pub comments: Option<Vec<String>>,
    /// Strays as field and value, in order.
    pub strays: Option<Vec<(String, String)>>,
    /// The last event came without its blank line.
    pub unterminated: Option<bool>,
    /// Messages of faults, in order.
    pub faults: Option<Vec<String>>,
}

impl FramesPattern {
    pub(super) fn read(place: &Place<'_>) -> FieldResult<Self> {
        let fields = place.object(&["frames", "comments", "strays", "unterminated", "faults"])?;
        let frame = |place: &Place<'_>| {
            let frame = place.object(&["event", "data"])?;
            let event = frame.get("event").map(|event| event.string()).transpose()?;
            Ok((event.unwrap_or_default(), frame.required("data")?.string()?))
        };
        let stray = |place: &Place<'_>| {
            let stray = place.object(&["field", "value"])?;
            Ok((stray.required("field")?.string()?, stray.required("value")?.string()?))
        };
        Ok(Self {
            frames: fields.required("frames")?.items()?.iter().map(frame).collect::<FieldResult<_>>()?,
            comments: fields.get("comments").map(|list| list.strings()).transpose()?,
            strays: fields
                .get("strays")
                .map(|list| list.items()?.iter().map(stray).collect::<FieldResult<_>>())
                .transpose()?,
            unterminated: fields.get("unterminated").map(|flag| flag.bool()).transpose()?,
            faults: fields.get("faults").map(|list| list.strings()).transpose()?,
        })
    }

    /// The pattern as JSON, as it stands in a case.
    pub fn to_json(&self, style: Style) -> String {
        let texts = |w: &mut Writer, key: &str, list: &[String]| {
            w.key(key);
            w.array(|w| list.iter().for_each(|text| w.string(text)));
        };
        let mut writer = Writer::new(style);
        writer.object(|w| {
            w.key("frames");
            w.array(|w| {
                for (event, data) in &self.frames {
                    w.object(|w| {
                        w.optional("event", Some(event.as_str()).filter(|event| !event.is_empty()));
                        w.member("data", data);
                    });
                }
            });
            if let Some(comments) = &self.comments {
                texts(w, "comments", comments);
            }
            if let Some(strays) = &self.strays {
                w.key("strays");
                w.array(|w| {
                    for (field, value) in strays {
                        w.object(|w| {
                            w.member("field", field);
                            w.member("value", value);
                        });
                    }
                });
            }
            if let Some(unterminated) = self.unterminated {
                w.key("unterminated");
                w.literal(unterminated);
            }
            if let Some(faults) = &self.faults {
                texts(w, "faults", faults);
            }
        });
        writer.finish()
    }
}
