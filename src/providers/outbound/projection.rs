//! Which tools go out, and what is left of the tool choice.
//!
//! A tool that cannot be sent is left out and named; the others go out. A choice that the remaining tools cannot keep
//! is refused before anything is sent.

use super::super::encoder::{RefusalKind, Refused};
use super::adjustments::Adjustments;
use super::names::{NameRule, Names, duplicate};
use super::schema::{self, Schema, SchemaRules};
use super::sort;
use crate::json::{CompactText, Tape};
use crate::model::{AssistantBlock, Message, Request, Tool, ToolChoice, ToolInput};

/// What a provider or server takes of tools.
#[derive(Debug, Clone, Copy)]
pub(in crate::providers) struct ToolRules {
    /// Names.
    pub(in crate::providers) names: NameRule,
    /// Schemas.
    pub(in crate::providers) schemas: SchemaRules,
    /// Custom tools, which take free text.
    pub(in crate::providers) freeform: bool,
}

/// The tools of a request as they go out.
#[derive(Debug)]
pub(in crate::providers) struct Projection<'r> {
    /// The tools, in the one order.
    pub(in crate::providers) tools: Vec<OutboundTool<'r>>,
    /// The choice, where one is to be sent.
    pub(in crate::providers) choice: Option<Choice>,
    /// Whether several calls a turn are wanted; only where tools go out.
    pub(in crate::providers) parallel: Option<bool>,
    /// Wire names of tools and of calls in the conversation.
    pub(in crate::providers) names: Names,
}

/// A tool that goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) struct OutboundTool<'r> {
    /// Position in the request.
    pub(in crate::providers) index: usize,
    /// The caller's name.
    pub(in crate::providers) name: &'r str,
    /// The name on the wire.
    pub(in crate::providers) wire: String,
    /// The description; empty if none.
    pub(in crate::providers) description: &'r str,
    /// What it takes.
    pub(in crate::providers) input: OutboundInput<'r>,
}

/// What a tool that goes out takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) enum OutboundInput<'r> {
    /// Arguments.
    Schema(Schema<'r>),
    /// Free text, in a format.
    Freeform(Option<&'r CompactText>),
}

/// A tool choice that the tools can keep; names are wire names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::providers) enum Choice {
    /// The model decides.
    Auto,
    /// No call.
    None,
    /// At least one call.
    Required,
    /// This tool.
    Tool(String),
    /// Some tools only.
    Allowed {
        /// Their names, at least one.
        names: Vec<String>,
        /// At least one call.
        required: bool,
    },
}

/// Projects the tools of a request.
///
/// # Errors
/// Two tools of one name, two names that become one, or a choice that cannot be kept.
pub(in crate::providers) fn project<'r>(
    request: &'r Request,
    rules: &ToolRules,
    adjustments: &mut Adjustments,
) -> Result<Projection<'r>, Refused> {
    let mut tools: Vec<OutboundTool<'r>> = Vec::with_capacity(request.tools.len());
    let mut tape = Tape::new();
    for (index, tool) in request.tools.iter().enumerate() {
        match outbound(index, tool, rules, &mut tape, adjustments) {
            Ok(tool) => tools.push(tool),
            Err(why) => {
                let what = tool
                    .name
                    .as_ref()
                    .map_or_else(|| "a tool without a name".to_owned(), |name| format!("tool `{name}`"));
                adjustments.tool("tool-skipped", format!("{what} is left out: {why}"), index, tool.name.as_deref());
            }
        }
    }
    if let Some(name) = duplicate(tools.iter().map(|tool| tool.name)) {
        return Err(Refused::new(RefusalKind::DuplicateToolName, format!("two tools are called `{name}`")));
    }
    let mut names = Names::declare(rules.names, tools.iter().map(|tool| tool.name), adjustments)?;
    for name in called(&request.messages) {
        names.replay(name);
    }
    for tool in &mut tools {
        tool.wire = names.wire(tool.name).to_owned();
    }
    tools.sort_by(|a, b| sort::utf16(&a.wire, &b.wire).then_with(|| sort::utf16(a.description, b.description)));
    let choice = choose(request, &tools, adjustments)?;
    let parallel = if tools.is_empty() {
        if request.parallel_tool_calls.is_some() {
            adjustments.add("parallel-left-out", "`parallelToolCalls` is left out: no tool goes out");
        }
        None
    } else {
        request.parallel_tool_calls
    };
    Ok(Projection { tools, choice, parallel, names })
}

/// The names of all calls in a conversation.
fn called(messages: &[Message]) -> impl Iterator<Item = &str> {
    let blocks = messages.iter().flat_map(|message| match message {
        Message::Assistant(message) => message.content.as_slice(),
        _ => &[],
    });
    blocks.filter_map(|block| match block {
        AssistantBlock::Call(call) => Some(call.name.as_str()),
        _ => None,
    })
}

fn outbound<'r>(
    index: usize,
    tool: &'r Tool,
    rules: &ToolRules,
    tape: &mut Tape,
    adjustments: &mut Adjustments,
) -> Result<OutboundTool<'r>, String> {
    let name = tool.name.as_deref().ok_or("its name is missing, empty or no string")?;
    let input = match &tool.input {
        ToolInput::Nothing => OutboundInput::Schema(Schema::empty()),
        ToolInput::Schema(text) => {
            let normalized = schema::normalize(text, &rules.schemas, tape)?;
            for reference in &normalized.unresolved {
                let message = format!("`{reference}` leads nowhere in the schema of `{name}`; it is sent as it is");
                adjustments.tool("schema-reference-unresolved", message, index, Some(name));
            }
            if normalized.cut {
                let message = format!("the types of `{name}` refer to each other; deep levels take anything");
                adjustments.tool("schema-cut", message, index, Some(name));
            }
            if let Some(subset) = rules.schemas.gemini
                && !normalized.left_out.is_empty()
            {
                let keywords = normalized.left_out.join("`, `");
                let message =
                    format!("{} cannot say `{keywords}`, and the schema of `{name}` goes without", subset.place);
                adjustments.tool("schema-keywords-left-out", message, index, Some(name));
            }
            OutboundInput::Schema(normalized.schema)
        }
        ToolInput::NotObject(value) => {
            return Err(format!("its schema is {}, not an object", value.doc().root().kind().article()));
        }
        ToolInput::Freeform(format) if rules.freeform => OutboundInput::Freeform(format.as_ref()),
        ToolInput::Freeform(_) => return Err("the API has no custom tools".to_owned()),
    };
    Ok(OutboundTool { index, name, wire: String::new(), description: &tool.description, input })
}

fn choose(
    request: &Request,
    tools: &[OutboundTool<'_>],
    adjustments: &mut Adjustments,
) -> Result<Option<Choice>, Refused> {
    let unavailable = |message: String| Err(Refused::new(RefusalKind::ToolChoiceUnavailable, message));
    let wire = |name: &str| tools.iter().find(|tool| tool.name == name).map(|tool| tool.wire.clone());
    let choice = match &request.tool_choice {
        None => return Ok(None),
        Some(ToolChoice::Auto) => Choice::Auto,
        Some(ToolChoice::None) => Choice::None,
        Some(ToolChoice::Required) if tools.is_empty() => {
            return unavailable("the tool choice is `required`, and no tool goes out".to_owned());
        }
        Some(ToolChoice::Required) => Choice::Required,
        Some(ToolChoice::Tool(name)) => match wire(name) {
            Some(wire) => Choice::Tool(wire),
            None => return unavailable(format!("the tool choice is `{name}`, which {}", absence(request, name))),
        },
        Some(ToolChoice::Allowed { names, required }) => {
            let mut allowed = Vec::new();
            for name in names {
                match wire(name) {
                    Some(wire) => allowed.push(wire),
                    None => adjustments.add(
                        "tool-choice-reduced",
                        format!("`{name}` is no longer allowed: it {}", absence(request, name)),
                    ),
                }
            }
            if !allowed.is_empty() {
                Choice::Allowed { names: allowed, required: *required }
            } else if *required {
                return unavailable("the tool choice is `required`, and none of the allowed tools goes out".to_owned());
            } else {
                Choice::None
            }
        }
    };
    if tools.is_empty() {
        adjustments.add("tool-choice-left-out", "the tool choice is left out: no tool goes out");
        return Ok(None);
    }
    Ok(Some(choice))
}

/// Why a tool does not go out, as a verb phrase.
fn absence(request: &Request, name: &str) -> &'static str {
    let declared = request.tools.iter().any(|tool| tool.name.as_deref() == Some(name));
    if declared { "cannot be sent" } else { "is not declared" }
}

#[cfg(test)]
mod tests {
    use super::super::adjustments::Adjustments;
    use super::super::names::WORD_64;
    use super::super::schema::SchemaRules;
    use super::{Choice, ToolRules, project};
    use crate::json::Doc;
    use crate::model::Request;

    const RULES: ToolRules = ToolRules { names: WORD_64, schemas: SchemaRules::JSON_SCHEMA, freeform: false };

    /// Wire names, the choice, and the rules of the adjustments.
    type Projected = (Vec<String>, Option<Choice>, Vec<&'static str>);

    fn projected(members: &str) -> Result<Projected, String> {
        let text = format!(r#"{{"model":"m","messages":[],{members}}}"#);
        let request = Request::read(Doc::parse(text).unwrap().root()).unwrap();
        let mut adjustments = Adjustments::default();
        let projection = project(&request, &RULES, &mut adjustments).map_err(|refused| refused.to_string())?;
        let names = projection.tools.iter().map(|tool| tool.wire.clone()).collect();
        Ok((names, projection.choice, adjustments.finish().iter().map(|one| one.rule).collect()))
    }

    #[test]
    fn bad_tools_are_left_out_and_the_rest_is_sorted() {
        let (names, choice, rules) = projected(
            r##""tools":[{"name":"b"},{"name":"","parameters":{}},{"name":"bad","parameters":"x"},{"name":"c","parameters":{"type":"array"}},
                {"name":"r","parameters":{"$ref":"#"}},{"name":"B"},{"name":"a","parameters":{}}],"toolChoice":"auto""##,
        )
        .unwrap();
        assert_eq!(names, ["B", "a", "b"]);
        assert_eq!(choice, Some(Choice::Auto));
        assert_eq!(rules, ["tool-skipped"; 4]);
    }

    #[test]
    fn a_choice_that_cannot_be_kept_is_refused() {
        for (members, why) in [
            (r#""tools":[{"name":"f","parameters":1}],"toolChoice":{"name":"f"}"#, "which cannot be sent"),
            (r#""toolChoice":{"name":"f"}"#, "which is not declared"),
            (r#""toolChoice":"required""#, "no tool goes out"),
            (r#""tools":[{"name":"f"}],"toolChoice":{"allowed":["g"],"mode":"required"}"#, "none of the allowed"),
            (r#""tools":[{"name":"f"},{"name":"f"}]"#, "two tools are called `f`"),
        ] {
            let error = projected(members).unwrap_err();
            assert!(error.contains(why), "{members}: {error}");
        }
        assert_eq!(projected(r#""toolChoice":"auto""#).unwrap().1, None);
        assert_eq!(
            projected(r#""tools":[{"name":"f"}],"toolChoice":{"allowed":["g"]}"#).unwrap().1,
            Some(Choice::None)
        );
    }
}
