//! Requests: toolwire from a neutral request, against `serde_json` from structs that hold the finished body. The structs
//! are read once from what toolwire wrote, so both sides write the same JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwire::json::Doc;
use toolwire::model::{Api, Request};
use toolwire::providers;

use crate::encode_bodies::{GeminiBody, ResponsesBody};

/// How many tools the request has.
const TOOLS: usize = 100;
/// How many messages it has.
const MESSAGES: usize = 200;

/// A request of an agent that has been at work for a while.
pub fn request() -> Request {
    let tools: Vec<String> = (0..TOOLS)
        .rev()
        .map(|n| {
            format!(
                r#"{{"name":"tool_{n}","description":"Looks for files of kind {n} below a folder and tells what it found there, line by line.",
                "parameters":{{"type":"object","properties":{{"path":{{"type":"string","description":"The folder to begin with"}},
                "depth":{{"type":"integer","minimum":0,"maximum":64}},"kinds":{{"type":"array","items":{{"type":"string","enum":["file","folder","link"]}}}},
                "options":{{"type":"object","properties":{{"hidden":{{"type":"boolean"}},"newer":{{"anyOf":[{{"type":"string"}},{{"type":"null"}}]}}}}}}}},"required":["path"]}}}}"#
            )
        })
        .collect();
    let messages: Vec<String> = (0..MESSAGES)
        .map(|n| match n % 4 {
            0 => format!(r#"{{"role":"user","content":"Please look at part {n} of the work, and say what is left to do there."}}"#),
            1 => format!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"I look at it."}},
                {{"type":"toolCall","id":"call_{n}a","name":"tool_{}","arguments":{{"path":"notes/{n}","depth":3,"kinds":["file"]}}}}]}}"#,
                n % TOOLS
            ),
            2 => format!(
                r#"{{"role":"toolResult","toolCallId":"call_{}a","toolName":"tool_{}","content":[{{"type":"text","text":"{}"}}]}}"#,
                n - 1,
                (n - 1) % TOOLS,
                "a line of output, with some \\\"quotes\\\" in it\\n".repeat(20)
            ),
            _ => format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"Part {n} is done; nothing is left."}}]}}"#),
        })
        .collect();
    let text = format!(
        r#"{{"model":"m","system":"Be brief.","tools":[{}],"messages":[{}]}}"#,
        tools.join(","),
        messages.join(",")
    );
    let doc = Doc::parse(text).expect("the request is JSON");
    Request::read(doc.root()).expect("the request is one")
}

/// Encodes the request.
pub fn toolwire(api: Api, request: &Request) -> String {
    providers::encode(api, request).unwrap_or_else(|refused| panic!("{api}: {refused}")).body
}

/// The same body in structs; schemas and arguments, which may be anything, are `serde_json::Value` in them.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Ready {
    /// One of Anthropic, or of chat completions.
    Messages(Body),
    /// One of Responses.
    Responses(ResponsesBody),
    /// One of Gemini.
    Gemini(GeminiBody),
}

/// A body with `messages`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Body {
    model: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Vec<Block>>,
    tools: Vec<Tool>,
    messages: Vec<Message>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Limit {
    max_tokens: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Tool {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<Function>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eager_input_streaming: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Function {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Message {
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<Call>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Call {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    function: Function,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
    None(()),
}

#[derive(Debug, Serialize, Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Value>,
}

/// Reads a body into structs that write the same JSON again.
pub fn ready(api: Api, body: &str) -> Ready {
    let fits = "the body fits its structs";
    let ready = match api {
        Api::OpenaiResponses => Ready::Responses(serde_json::from_str(body).expect(fits)),
        Api::Gemini => Ready::Gemini(serde_json::from_str(body).expect(fits)),
        _ => Ready::Messages(serde_json::from_str(body).expect(fits)),
    };
    let same = |text: &str| -> Value { serde_json::from_str(text).expect("it is JSON") };
    let mut expected = same(body);
    if let Ready::Messages(_) = ready {
        let fields = expected.as_object_mut().expect("a body is an object");
        fields
            .retain(|key, _| ["model", "max_tokens", "stream", "system", "tools", "messages"].contains(&key.as_str()));
    }
    assert_eq!(same(&baseline(&ready)), expected, "the structs hold the whole body");
    ready
}

/// Serializes the structs.
pub fn baseline(body: &Ready) -> String {
    serde_json::to_string(body).expect("structs are JSON")
}
