//! Keys that the API knows, level by level. proto3 JSON refuses a key that it does not know ("Cannot find field").
//!
//! Source: types of google-genai 3.6 and @google/genai 2.32; google-gemini/gemini-cli for the envelope.

use super::super::super::charset::camel_case;
use super::super::super::node::Node;
use super::super::super::request_view::RequestView;
use super::super::super::rule::{Offences, shown};
use super::super::read;

const BODY: &[&str] = &[
    "contents",
    "systemInstruction",
    "tools",
    "toolConfig",
    "generationConfig",
    "safetySettings",
    "cachedContent",
    "labels",
    "continuationToken",
    "model",
    "serviceTier",
    "store",
    "modelArmorConfig",
];
/// Beside those, inside the envelope of Code Assist.
const ENVELOPED: &[&str] = &["sessionId"];
const CONTENT: &[&str] = &["role", "parts"];
const PART: &[&str] = &[
    "text",
    "thought",
    "thoughtSignature",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "toolCall",
    "toolResponse",
    "executableCode",
    "codeExecutionResult",
    "videoMetadata",
    "mediaResolution",
    "partMetadata",
];
const CALL: &[&str] = &["id", "name", "args", "partialArgs", "willContinue"];
const RESPONSE: &[&str] = &["id", "name", "response", "parts", "willContinue", "scheduling"];
const DECLARATION: &[&str] =
    &["name", "description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema", "behavior"];
const TOOL_CONFIG: &[&str] = &["functionCallingConfig", "retrievalConfig", "includeServerSideToolInvocations"];
const CALLING_CONFIG: &[&str] = &["mode", "allowedFunctionNames", "streamFunctionCallArguments"];

fn look(node: &Node<'_>, known: &[&str], more: &[&str], out: &mut Offences<'_>) {
    for (key, _) in node.value.members() {
        let key = key.decode();
        let name = camel_case(&key);
        if !known.contains(&name.as_str()) && !more.contains(&name.as_str()) {
            // The pointer is to the object: the key may be long.
            out.add(&node.pointer, format!("the key {} is not known here", shown(&key)));
        }
    }
}

pub(super) fn known(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let body = &view.body;
    let enveloped = body.pointer == "/request";
    look(body, BODY, if enveloped { ENVELOPED } else { &[] }, out);
    let system = body.any(read::SYSTEM);
    for content in view.messages.iter().map(|message| &message.node).chain(&system) {
        look(content, CONTENT, &[], out);
        for part in content.items_of("parts") {
            look(&part, PART, &[], out);
            if let Some(call) = part.any(read::CALL) {
                look(&call, CALL, &[], out);
            }
            if let Some(response) = part.any(read::RESPONSE) {
                look(&response, RESPONSE, &[], out);
            }
        }
    }
    for entry in body.items_of("tools") {
        for declaration in entry.any(read::DECLARATIONS).iter().flat_map(Node::items) {
            look(&declaration, DECLARATION, &[], out);
        }
    }
    if let Some(config) = body.any(read::TOOL_CONFIG) {
        look(&config, TOOL_CONFIG, &[], out);
        if let Some(calling) = config.any(read::CALLING_CONFIG) {
            look(&calling, CALLING_CONFIG, &[], out);
        }
    }
}
