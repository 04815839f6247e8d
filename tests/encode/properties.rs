//! What holds for every request.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{encoded, views, whole};

const APIS: &[&str] = &[
    "anthropic-messages",
    "anthropic-messages/bedrock",
    "openai-chat",
    "openai-chat/deepseek",
    "openai-chat/openrouter",
    "openai-chat/gemini",
    "mistral-chat",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["a", "b", "B", "a.b", "a/b", "a_b", "\u{ff5e}", "\u{1f600}", "é", "bash", ""])
            .prop_map(str::to_owned),
        "[a-c]{1,3}",
        "[a-b]{60,70}",
    ]
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["", "null", "f:0", "f.0", "f_0", "abc-def-ghi", "abcdefghi", "call_a", "call_1|fc_1"])
            .prop_map(str::to_owned),
        "[a-b]{38,70}",
        "call_[a-c]{1,2}",
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer", "nullable": true})),
        Just(json!({"const": "x"})),
        Just(json!({"type": "array"})),
        Just(json!({"$ref": "#/$defs/T"})),
        Just(json!({"$ref": "#"})),
        Just(json!(true)),
    ];
    let inner = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec((select(vec!["a", "type", "$ref", "enum"]), inner.clone()), 0..3).prop_map(
                |properties| {
                    let properties: serde_json::Map<_, _> =
                        properties.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
                    json!({"type": "object", "properties": properties, "required": ["a"]})
                }
            ),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|list| json!({"anyOf": list})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|list| json!({"allOf": list})),
            inner.prop_map(|items| json!({"type": "array", "items": items})),
        ]
    });
    let whole = (inner.clone(), inner).prop_map(|(mut schema, t)| {
        if let Some(object) = schema.as_object_mut() {
            object.insert("$defs".to_owned(), json!({"T": t}));
        }
        schema
    });
    prop_oneof![4 => whole, 1 => Just(json!("x")), 1 => Just(json!(null)), 1 => Just(json!({}))]
}

pub(crate) fn tools() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec((name(), "[a-b]{0,2}", schema()), 0..6).prop_map(|tools| {
        let mut seen = HashSet::new();
        tools
            .into_iter()
            .filter(|(name, _, _)| seen.insert(name.clone()))
            .map(|(name, description, schema)| json!({"name": name, "description": description, "parameters": schema}))
            .collect()
    })
}

fn content() -> impl Strategy<Value = Value> {
    prop_oneof![
        select(vec!["", " ", "x", "y\u{0}z"]).prop_map(|text| json!(text)),
        prop::collection::vec(
            prop_oneof![
                select(vec!["", "t"]).prop_map(|text| json!({"type": "text", "text": text})),
                Just(json!({"type": "image", "mimeType": "image/png", "data": "AAAA"}))
            ],
            0..3
        )
        .prop_map(|blocks| json!(blocks)),
    ]
}

fn message() -> impl Strategy<Value = Value> {
    let block = prop_oneof![
        select(vec!["", "t"]).prop_map(|text| json!({"type": "text", "text": text})),
        (any::<bool>(), any::<bool>()).prop_map(|(text, signature)| json!({"type": "thinking", "thinking": if text { "p" } else { "" }, "signature": if signature { json!("s") } else { json!(null) }})),
        (id(), name(), 0..3).prop_map(|(id, name, n)| json!({"type": "toolCall", "id": id, "name": name, "arguments": {"n": n}})),
        (id(), name()).prop_map(|(id, name)| json!({"type": "toolCall", "id": id, "name": name, "invalidArguments": "{"})),
    ];
    let origin = select(vec![json!(null), json!({"api": "gemini", "model": "g"})]);
    let stop = select(vec![json!(null), json!("toolUse"), json!("error"), json!("stop")]);
    prop_oneof![
        2 => content().prop_map(|content| json!({"role": "user", "content": content})),
        3 => (prop::collection::vec(block, 0..4), origin, stop).prop_map(|(content, origin, stop)| json!({"role": "assistant", "content": content, "origin": origin, "stop": stop})),
        3 => (id(), name(), content(), any::<bool>()).prop_map(|(id, name, content, failed)| json!({"role": "toolResult", "toolCallId": id, "toolName": name, "content": content, "isError": failed})),
    ]
}

/// A conversation in which most calls are answered.
pub(crate) fn messages() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec((message(), any::<bool>()), 0..8).prop_map(|messages| {
        let mut out = vec![json!({"role": "user", "content": "go"})];
        for (message, answered) in messages {
            let blocks = message["content"].as_array().cloned().unwrap_or_default();
            out.push(message);
            for call in blocks.iter().filter(|block| answered && block["type"] == "toolCall") {
                out.push(json!({"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"], "content": "r", "isError": false}));
            }
        }
        out
    })
}

fn legal(api: &str, id: &str) -> bool {
    match api.split('/').next().unwrap() {
        "anthropic-messages" => {
            (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
        }
        "mistral-chat" => id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric()),
        _ if api == "openai-chat" => (1..=40).contains(&id.len()),
        _ => !id.is_empty(),
    }
}

/// The roots of all schemas that go out.
fn schemas(body: &Value) -> Vec<&Value> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.map(|tool| tool.get("input_schema").unwrap_or_else(|| &tool["function"]["parameters"])).collect()
}

fn has_local_reference(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.get("$ref").is_some_and(Value::is_string) || members.values().any(has_local_reference)
        }
        Value::Array(items) => items.iter().any(has_local_reference),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn tools_in_any_order_give_the_same_bytes(tools in tools(), order in any::<prop::sample::Index>(), api in select(APIS)) {
        let mut turned = tools.clone();
        turned.reverse();
        let by = order.index(tools.len().max(1));
        turned.rotate_left(by.min(tools.len()));
        let sent = |tools: &Vec<Value>| encoded(api, &whole(json!({"tools": tools}))).map(|sent| (sent.body, sent.headers, sent.names)).map_err(|refused| refused.kind);
        prop_assert_eq!(sent(&tools), sent(&turned));
    }

    #[test]
    fn schemas_that_go_out_are_objects_without_alternatives(tools in tools(), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"tools": tools}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        for schema in schemas(&body) {
            prop_assert!(schema["type"] == "object" && schema["properties"].is_object(), "{schema}");
            for keyword in ["anyOf", "oneOf", "allOf", "$defs", "definitions"] {
                prop_assert!(schema.get(keyword).is_none(), "{schema}");
            }
            prop_assert!(!has_local_reference(schema), "{schema}");
        }
        let names: Vec<&str> = body["tools"].as_array().into_iter().flatten().map(|tool| tool.get("name").unwrap_or_else(|| &tool["function"]["name"]).as_str().unwrap()).collect();
        prop_assert!(names.iter().all(|name| (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))), "{names:?}");
        prop_assert!(names.iter().collect::<HashSet<_>>().len() == names.len());
        for (wire, _) in &sent.names {
            prop_assert!(names.contains(&wire.as_str()));
        }
    }

    #[test]
    fn each_call_has_one_result_and_ids_are_legal(messages in messages(), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"messages": messages}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let (calls, results) = views::ids(&body);
        prop_assert_eq!(&calls, &results, "{}", sent.body);
        prop_assert_eq!(calls.iter().collect::<HashSet<_>>().len(), calls.len(), "{}", sent.body);
        prop_assert!(calls.iter().all(|id| legal(api, id)), "{:?}", calls);
    }

    #[test]
    fn results_stand_directly_behind_their_calls(messages in messages(), api in select(APIS)) {
        let Ok(sent) = encoded(api, &whole(json!({"messages": messages}))) else { return Ok(()) };
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let list = body["messages"].as_array().unwrap();
        for (at, message) in list.iter().enumerate() {
            let chat = message["tool_calls"].as_array().map_or(0, Vec::len);
            for next in list.iter().skip(at + 1).take(chat) {
                prop_assert_eq!(&next["role"], "tool", "{}", sent.body);
            }
            let uses = message["content"].as_array().into_iter().flatten().filter(|block| block["type"] == "tool_use").count();
            let behind = list.get(at + 1).and_then(|next| next["content"].as_array());
            let results = behind.into_iter().flatten().take(uses).filter(|block| block["type"] == "tool_result").count();
            prop_assert_eq!(results, uses, "{}", sent.body);
            if api == "mistral-chat" && message["role"] == "user" && at > 0 {
                prop_assert_ne!(&list[at - 1]["role"], "tool");
            }
        }
        prop_assert!(sent.body.matches("cache_control").count() <= 4);
    }

    #[test]
    fn a_longer_conversation_begins_as_the_shorter_did(messages in messages(), cut in any::<prop::sample::Index>(), api in select(APIS)) {
        // A request is sent when all calls are answered, and never ends in the middle of a turn.
        let settled: Vec<usize> = (1..=messages.len()).filter(|end| complete(&messages[..*end])).collect();
        if settled.is_empty() {
            return Ok(());
        }
        let end = settled[cut.index(settled.len())];
        let rest_is_new = messages[end..].iter().all(|message| message["role"] != "toolResult" || answers_later(&messages, end, message));
        if !rest_is_new {
            return Ok(());
        }
        let sent = |messages: &[Value]| encoded(api, &whole(json!({"messages": messages, "system": "s", "tools": [super::tool("a")]})));
        let (Ok(short), Ok(long)) = (sent(&messages[..end]), sent(&messages)) else { return Ok(()) };
        let view = |body: &str| {
            let body: Value = serde_json::from_str(body).unwrap();
            (views::tools(&body), views::blocks(&body))
        };
        let ((tools, first), (more_tools, second)) = (view(&short.body), view(&long.body));
        prop_assert_eq!(tools, more_tools);
        let prefix = second.get(..first.len()).unwrap_or(&second);
        prop_assert_eq!(&first[..], prefix, "{}\n{}", short.body, long.body);
    }
}

/// True if the last turn's calls are all answered.
pub(crate) fn complete(messages: &[Value]) -> bool {
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        match message["role"].as_str().unwrap() {
            "assistant" => {
                if !open.is_empty() {
                    return false;
                }
                open = message["content"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|block| block["type"] == "toolCall")
                    .map(|call| &call["id"])
                    .collect();
            }
            "toolResult" => {
                if let Some(at) = open.iter().position(|id| **id == message["toolCallId"]) {
                    open.remove(at);
                }
            }
            _ => {}
        }
    }
    open.is_empty() && messages.last().is_some_and(|message| message["role"] != "assistant")
}

/// True if the result answers a call that comes after `end`.
pub(crate) fn answers_later(messages: &[Value], end: usize, result: &Value) -> bool {
    messages[end..]
        .iter()
        .filter(|message| message["role"] == "assistant")
        .any(|message| message["content"].as_array().unwrap().iter().any(|block| block["id"] == result["toolCallId"]))
}

/// Requests that are large in one way only: the time to encode them has to stay in proportion.
#[test]
fn hostile_requests_are_encoded_in_time_that_is_linear() {
    const N: usize = 10_000;
    let call = |id: &str, n: usize| json!({"type": "toolCall", "id": id, "name": "f", "arguments": {"n": n}});
    let answers = |id: &str| {
        (0..N)
            .map(|_| json!({"role": "toolResult", "toolCallId": id, "toolName": "f", "content": "r"}))
            .collect::<Vec<_>>()
    };
    let conversation = |calls: Vec<Value>, answers: Vec<Value>| {
        let mut messages =
            vec![json!({"role": "user", "content": "go"}), json!({"role": "assistant", "content": calls})];
        messages.extend(answers);
        json!({"messages": messages})
    };
    let branches = |branch: fn(usize) -> Value| json!({"tools": [{"name": "f", "parameters": {"allOf": (0..N).map(branch).collect::<Vec<_>>()}}]});
    let requests = [
        conversation((0..N).map(|n| call("same", n)).collect(), answers("same")),
        conversation((0..N).map(|_| call("same", 1)).collect(), answers("same")),
        conversation((0..N).map(|n| call("", n)).collect(), answers("")),
        conversation((0..N).map(|n| call(&format!("f.{n}"), n)).collect(), Vec::new()),
        json!({"messages": [{"role": "user", "content": "go"}], "tools": (0..N).map(|n| json!({"name": format!("a.{n}"), "parameters": {}})).collect::<Vec<_>>()}),
        branches(|n| json!({"properties": {"p": {"const": n}}, "required": [format!("p{n}")]})),
        branches(|n| json!({"properties": {format!("p{n}"): {}}})),
        json!({"tools": [{"name": "f", "parameters": {"anyOf": (0..N).map(|n| json!({"required": ["k", format!("p{n}")], "properties": {"k": {"type": "string"}}})).collect::<Vec<_>>()}}]}),
    ];
    for request in requests {
        let request = whole(request);
        for api in ["anthropic-messages", "openai-chat/vllm", "mistral-chat"] {
            let sent = encoded(api, &request).unwrap();
            assert!(sent.body.len() > 100);
        }
    }
}
