//! What goes out to Responses, byte for byte.

use super::encode;
use crate::json::{Doc, JsonText};
use crate::model::Request;
use crate::providers::Encoded;

const WEATHER: &str = r#"{"name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]}}"#;

fn encoded(members: &str) -> Encoded {
    refused_or_encoded(members).unwrap_or_else(|why| panic!("{members}: {why}"))
}

fn refused_or_encoded(members: &str) -> Result<Encoded, String> {
    let messages =
        if members.contains("\"messages\"") { "" } else { r#""messages":[{"role":"user","content":"go"}],"# };
    let text = format!(r#"{{"model":"m",{messages}{members}}}"#);
    let doc = Doc::parse(text.as_str()).unwrap();
    let request = Request::read(doc.root()).unwrap();
    let encoded = encode(&request).map_err(|refused| format!("{}: {}", refused.kind.name(), refused.message))?;
    JsonText::new(encoded.body.as_str()).expect("the body is JSON");
    Ok(encoded)
}

fn at(encoded: &Encoded, pointer: &str) -> Option<String> {
    Doc::parse(encoded.body.as_str()).unwrap().root().pointer(pointer).map(|value| value.raw().to_owned())
}

fn input(messages: &str) -> String {
    input_with(messages, "")
}

fn input_with(messages: &str, more: &str) -> String {
    at(&encoded(&format!(r#""messages":[{messages}]{more}"#)), "/input").unwrap()
}

fn rules(encoded: &Encoded) -> Vec<&'static str> {
    encoded.diagnostics.iter().map(|one| one.rule).collect()
}

const USER: &str = r#"{"role":"user","content":"go"}"#;
const WIRE_USER: &str = r#"{"role":"user","content":"go"}"#;

fn call(id: &str, more: &str) -> String {
    format!(r#"{{"role":"assistant","content":[{{"type":"toolCall","id":"{id}","name":"f","arguments":{{}}{more}}}]}}"#)
}

fn result(id: &str, text: &str) -> String {
    format!(
        r#"{{"role":"toolResult","toolCallId":"{id}","toolName":"f","content":[{{"type":"text","text":"{text}"}}],"isError":false}}"#
    )
}

#[test]
fn a_request_has_its_members_in_one_order() {
    let encoded = encoded(&format!(
        r#""system":["be brief","be kind"],"tools":[{WEATHER}],"toolChoice":"auto","parallelToolCalls":false,"maxTokens":3,
           "options":{{"strict":false,"cacheRetention":"long"}}"#
    ));
    assert_eq!(
        encoded.body,
        r#"{"model":"m","stream":true,"store":false,"max_output_tokens":16,"prompt_cache_retention":"24h","instructions":"be brief\n\nbe kind","tools":[{"type":"function","name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]},"strict":false}],"tool_choice":"auto","parallel_tool_calls":false,"input":[{"role":"user","content":"go"}]}"#
    );
    assert_eq!((encoded.method, encoded.path.as_str()), ("POST", "/v1/responses"));
    assert_eq!(rules(&encoded), ["max-tokens-raised"]);
}

#[test]
fn tools_are_those_of_the_vendors_types() {
    for (tool, strict, wire) in [
        (
            WEATHER,
            "false",
            r#"{"type":"function","name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]},"strict":false}"#,
        ),
        (
            r#"{"name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":["string","null"],"enum":["c","f",null]}},"required":["city","unit"]}}"#,
            "true",
            r#"{"type":"function","name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":["string","null"],"enum":["c","f",null]}},"required":["city","unit"],"additionalProperties":false},"strict":true}"#,
        ),
        (
            r#"{"name":"sh","kind":"custom","description":"Run a shell line","format":{"type":"grammar","syntax":"regex","definition":"^[a-z ]+$"}}"#,
            "true",
            r#"{"type":"custom","name":"sh","description":"Run a shell line","format":{"type":"grammar","syntax":"regex","definition":"^[a-z ]+$"}}"#,
        ),
        (
            r#"{"name":"now"}"#,
            "true",
            r#"{"type":"function","name":"now","parameters":{"type":"object","properties":{},"required":[],"additionalProperties":false},"strict":true}"#,
        ),
        (
            r#"{"name":"now","owner":"o","executionMode":"sequential","sortKey":"a"}"#,
            "null",
            r#"{"type":"function","name":"now","parameters":{"type":"object","properties":{}}}"#,
        ),
    ] {
        let encoded = encoded(&format!(r#""tools":[{tool}],"options":{{"strict":{strict}}}"#));
        assert_eq!(at(&encoded, "/tools/0").as_deref(), Some(wire), "{tool}");
    }
}

#[test]
fn one_optional_property_takes_strict_from_all_tools() {
    let strict_tool =
        r#"{"name":"a","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}"#;
    let all = encoded(&format!(r#""tools":[{strict_tool}]"#));
    assert_eq!(
        at(&all, "/tools/0").unwrap(),
        r#"{"type":"function","name":"a","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"additionalProperties":false},"strict":true}"#
    );
    let mixed = encoded(&format!(r#""tools":[{strict_tool},{WEATHER}]"#));
    assert_eq!(
        at(&mixed, "/tools/0").unwrap(),
        r#"{"type":"function","name":"a","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},"strict":false}"#
    );
    let off = mixed.diagnostics.first().unwrap();
    assert!(off.message.contains("`get_weather.parameters.required.unit`"), "{}", off.message);
    assert_eq!(
        (off.rule, off.tool.as_deref(), off.pointer.as_deref()),
        ("strict-off", Some("get_weather"), Some("/tools/1"))
    );
    let compatible = encoded(&format!(r#""tools":[{strict_tool}],"options":{{"dialect":"openrouter"}}"#));
    assert_eq!(at(&compatible, "/tools/0/strict").as_deref(), Some("false"));
}

#[test]
fn the_choice_has_its_flat_forms() {
    let tools = r#""tools":[{"name":"b"},{"name":"a b"},{"name":"sh","kind":"custom"}]"#;
    for (choice, wire) in [
        (r#""auto""#, r#""auto""#),
        (r#""none""#, r#""none""#),
        (r#""required""#, r#""required""#),
        (r#"{"name":"a b"}"#, r#"{"type":"function","name":"a_b"}"#),
        (r#"{"name":"sh"}"#, r#"{"type":"custom","name":"sh"}"#),
        (
            r#"{"allowed":["b","sh","gone"],"mode":"required"}"#,
            r#"{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"b"},{"type":"custom","name":"sh"}]}"#,
        ),
        (r#"{"allowed":["gone"]}"#, r#""none""#),
    ] {
        let encoded = encoded(&format!(r#"{tools},"toolChoice":{choice}"#));
        assert_eq!(at(&encoded, "/tool_choice").as_deref(), Some(wire), "{choice}");
    }
    let reduced = encoded(&format!(r#"{tools},"toolChoice":{{"allowed":["b"]}},"options":{{"dialect":"xai"}}"#));
    assert_eq!(at(&reduced, "/tool_choice").as_deref(), Some(r#""auto""#));
    assert_eq!(at(&reduced, "/tools/1"), None);
    assert!(rules(&reduced).contains(&"tool-choice-emulated"));
    assert!(
        refused_or_encoded(&format!(r#"{tools},"toolChoice":"required","options":{{"dialect":"ollama"}}"#))
            .unwrap_err()
            .starts_with("tool_choice_unsupported")
    );
    assert_eq!(at(&encoded(r#""toolChoice":"auto","parallelToolCalls":true"#), "/tool_choice"), None);
}

#[test]
fn tools_stand_in_their_namespaces_and_behind_a_search() {
    let group = r#"{"namespace":{"name":"weather","description":"Weather tools"},"deferLoading":true,"#;
    let tools = format!(r#""tools":[{{"name":"a"}},{{"name":"x"}},{}]"#, WEATHER.replacen('{', group, 1));
    assert_eq!(
        at(&encoded(&format!(r#"{tools},"options":{{"strict":false}}"#)), "/tools").unwrap(),
        r#"[{"type":"function","name":"a","parameters":{"type":"object","properties":{}},"strict":false},{"type":"namespace","name":"weather","description":"Weather tools","tools":[{"type":"function","name":"get_weather","description":"Current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]},"strict":false,"defer_loading":true}]},{"type":"function","name":"x","parameters":{"type":"object","properties":{}},"strict":false},{"type":"tool_search"}]"#
    );
    let call = r#"{"role":"assistant","content":[{"type":"toolCall","id":"call_a1","name":"get_weather","arguments":{"city":"Oslo"}}]}"#;
    let wire = r#"{"type":"function_call","call_id":"call_a1","name":"get_weather","namespace":"weather","arguments":"{\"city\":\"Oslo\"}"}"#;
    let echo = encoded(&format!(r#"{tools},"messages":[{USER},{call}]"#));
    assert_eq!(at(&echo, "/input/1").as_deref(), Some(wire));
    let given = call.replacen(r#""arguments""#, r#""namespace":"weather","arguments""#, 1);
    assert_eq!(at(&encoded(&format!(r#""messages":[{USER},{given}]"#)), "/input/1").as_deref(), Some(wire));
    // Nobody else has namespaces, and inside one a tool cannot be chosen.
    for more in [r#""options":{"dialect":"xai"}"#, r#""toolChoice":{"name":"get_weather"}"#] {
        let flat = encoded(&format!("{tools},{more}"));
        assert_eq!(at(&flat, "/tools/1/name").as_deref(), Some(r#""get_weather""#), "{more}");
        assert!(rules(&flat).contains(&"namespace-left-out"));
        assert!(!flat.body.contains("tool_search"));
    }
}

#[test]
fn calls_and_outputs_pair_by_call_id() {
    for (messages, wire) in [
        // The golden turn.
        (
            r#"{"role":"assistant","content":[{"type":"toolCall","id":"call_a1","name":"get_weather","arguments":{"city": "Oslo"}}]},
               {"role":"toolResult","toolCallId":"call_a1","toolName":"get_weather","content":"4 C, rain"}"#.to_owned(),
            r#"{"type":"function_call","call_id":"call_a1","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"},{"type":"function_call_output","call_id":"call_a1","output":"4 C, rain"}"#,
        ),
        // A call's own id is no item id (Wei-Shaw/sub2api#1505).
        (
            format!("{},{}", call("call_a", ""), result("call_a", "1")),
            r#"{"type":"function_call","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":"1"}"#,
        ),
        // Two ids in one are two (nicobailon/pi-subagents#903).
        (
            format!("{},{}", call("call_a|fc_1", ""), result("call_a|fc_1", "1")),
            r#"{"type":"function_call","id":"fc_1","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":"1"}"#,
        ),
        // No result (agno-agi/agno#9376).
        (
            call("call_a", ""),
            r#"{"type":"function_call","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":"Error: No result provided"}"#,
        ),
        // An image.
        (
            format!(r#"{},{{"role":"toolResult","toolCallId":"call_a","toolName":"f","content":[{{"type":"text","text":"map:"}},{{"type":"image","mimeType":"image/png","data":"AAAA"}}]}}"#, call("call_a", "")),
            r#"{"type":"function_call","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":[{"type":"input_text","text":"map:"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,AAAA"}]}"#,
        ),
        // A failure, and nothing at all.
        (
            r#"{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f"},{"type":"toolCall","id":"b","name":"f"},{"type":"toolCall","id":"c","name":"f"}]},
                {"role":"toolResult","toolCallId":"c","content":[],"isError":true},{"role":"toolResult","toolCallId":"b","content":[]},{"role":"toolResult","toolCallId":"a","content":"no","isError":true}"#.to_owned(),
            r#"{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call","call_id":"b","name":"f","arguments":"{}"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"Error: no"},{"type":"function_call_output","call_id":"b","output":""},{"type":"function_call_output","call_id":"c","output":"Error: (no output)"}"#,
        ),
        // Custom tools.
        (
            r#"{"role":"assistant","content":[{"type":"toolCall","kind":"custom","id":"call_c1","name":"sh","arguments":"ls","itemId":"ctc_1"}]},
               {"role":"toolResult","toolCallId":"call_c1","toolName":"sh","content":"a.txt"}"#.to_owned(),
            r#"{"type":"custom_tool_call","id":"ctc_1","call_id":"call_c1","name":"sh","input":"ls"},{"type":"custom_tool_call_output","call_id":"call_c1","output":"a.txt"}"#,
        ),
        // Arguments that are none.
        (
            r#"{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":null,"invalidArguments":"{\"a\":"}]},{"role":"toolResult","toolCallId":"a","content":"bad arguments","isError":true}"#.to_owned(),
            r#"{"type":"function_call","call_id":"a","name":"f","arguments":"{\"INVALID_JSON\":\"{\\\"a\\\":\"}"},{"type":"function_call_output","call_id":"a","output":"Error: bad arguments"}"#,
        ),
    ] {
        assert_eq!(input(&format!("{USER},{messages}")), format!("[{WIRE_USER},{wire}]"), "{messages}");
    }
}

#[test]
fn ids_over_64_characters_are_shortened_one_to_one() {
    let long = |end: &str| format!("call_{}{end}", "x".repeat(80));
    let (one, two) = (long("1"), long("2"));
    let text =
        input(&format!("{USER},{},{},{},{}", call(&one, ""), result(&one, "1"), call(&two, ""), result(&two, "2")));
    let doc = Doc::parse(text).unwrap();
    let ids: Vec<_> = doc.root().items().filter_map(|item| item.text_of("call_id")).collect();
    assert!(matches!(ids.as_slice(), [a, b, c, d] if a == b && c == d && a != c && a.chars().count() <= 64), "{ids:?}");
}

#[test]
fn item_ids_go_back_where_they_are_the_servers_own() {
    for (item_id, sent) in [
        ("fc_1", true),
        ("call_a", false),
        ("ctc_1", false),
        ("fc_", false),
        ("fc_cut_", false),
        ("fc_a b", false),
        ("fc_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ] {
        let text = input(&format!("{USER},{}", call("call_a", &format!(r#","itemId":"{item_id}""#))));
        assert_eq!(text.contains(r#""id":"#), sent, "{text}");
    }
    let own = call("call_a", r#","itemId":"fc_1""#);
    assert!(!input_with(&format!("{USER},{own}"), r#","options":{"dialect":"copilot"}"#).contains("fc_1"));
    let foreign = own.replace(r#""content""#, r#""origin":{"api":"openai-responses","model":"other"},"content""#);
    assert!(!input(&format!("{USER},{foreign}")).contains("fc_1"));
}

#[test]
fn thinking_stands_right_before_what_came_of_it() {
    let thinking = |more: &str| format!(r#"{{"type":"thinking","thinking":"hm","itemId":"rs_1"{more}}}"#);
    let said = |blocks: &str| format!(r#"{USER},{{"role":"assistant","content":[{blocks}]}}"#);
    let encrypted = thinking(r#","encrypted":"ZW5j""#);
    let empty = r#"{"type":"text","text":""}"#;
    let own = r#"{"type":"toolCall","id":"call_a","name":"f","arguments":{},"itemId":"fc_1"}"#;
    let output = r#"{"type":"function_call_output","call_id":"call_a","output":"Error: No result provided"}"#;
    assert_eq!(
        input(&said(&format!("{encrypted},{empty},{own}"))),
        format!(
            r#"[{WIRE_USER},{{"type":"reasoning","id":"rs_1","summary":[{{"type":"summary_text","text":"hm"}}],"encrypted_content":"ZW5j"}},{{"type":"function_call","id":"fc_1","call_id":"call_a","name":"f","arguments":"{{}}"}},{output}]"#
        )
    );
    // The thinking is not complete without its encrypted form, and the item's id would ask for it.
    assert_eq!(
        input(&said(&format!("{},{own}", thinking("")))),
        format!(
            r#"[{WIRE_USER},{{"type":"function_call","call_id":"call_a","name":"f","arguments":"{{}}"}},{output}]"#
        )
    );
    // Nothing came of it (vercel/ai#10829).
    assert_eq!(input(&format!("{},{USER}", said(&encrypted))), format!("[{WIRE_USER},{WIRE_USER}]"));
    assert_eq!(
        input(&said(&format!(r#"{encrypted},{{"type":"text","text":"hi"}},{encrypted}"#))),
        format!(
            r#"[{WIRE_USER},{{"type":"reasoning","id":"rs_1","summary":[{{"type":"summary_text","text":"hm"}}],"encrypted_content":"ZW5j"}},{{"role":"assistant","content":"hi"}}]"#
        )
    );
    let whole = encoded(&format!(r#""messages":[{}],"thinking":true"#, said(&format!("{encrypted},{own}"))));
    assert_eq!(at(&whole, "/include").as_deref(), Some(r#"["reasoning.encrypted_content"]"#));
    assert_eq!(at(&whole, "/reasoning").as_deref(), Some(r#"{"summary":"auto"}"#));
}

#[test]
fn a_stored_response_is_gone_on_from() {
    let (stored, more) = (call("call_a", r#","itemId":"fc_1""#), r#","previousResponseId":"resp_1""#);
    let stored = stored.replace(r#""role":"assistant""#, r#""role":"assistant","responseId":"resp_1""#);
    let messages = format!("{USER},{stored},{}", result("call_a", "1"));
    let encoded_text = encoded(&format!(r#""messages":[{messages}]{more},"system":"s""#));
    assert_eq!(
        encoded_text.body,
        r#"{"model":"m","stream":true,"previous_response_id":"resp_1","instructions":"s","input":[{"type":"function_call_output","call_id":"call_a","output":"1"}]}"#
    );
    // What is stored need not be known here.
    assert_eq!(
        input_with(&result("call_a", "1"), more),
        r#"[{"type":"function_call_output","call_id":"call_a","output":"1"}]"#
    );
    // Without it, a result without its call is refused (agno-agi/agno#9372).
    assert_eq!(input(&format!("{},{USER}", result("call_a", "1"))), format!("[{WIRE_USER}]"));
    let custom = r#"{"role":"assistant","content":[{"type":"toolCall","kind":"custom","id":"call_c","name":"sh","arguments":"ls"}]},
                    {"role":"toolResult","toolCallId":"call_c","content":"x"}"#;
    assert!(input_with(custom, more).contains("custom_tool_call_output"));
    let xai = encoded(&format!(r#""messages":[{messages}]{more},"system":"s","options":{{"dialect":"xai"}}"#));
    assert_eq!(at(&xai, "/instructions"), None);
    let stateless = encoded(&format!(r#""messages":[{messages}]{more},"options":{{"dialect":"openrouter"}}"#));
    assert_eq!(
        (at(&stateless, "/previous_response_id"), at(&stateless, "/input/1/type").as_deref()),
        (None, Some(r#""function_call""#))
    );
    assert_eq!(rules(&stateless), ["previous-response-left-out"]);
}

#[test]
fn dialects_leave_out_what_their_server_refuses() {
    let all = r#""maxTokens":100,"system":"s","thinking":true,"tools":[{"name":"f"},{"name":"sh","kind":"custom"}],"options":{"cacheRetention":"long","dialect":"#;
    for (dialect, path, absent, present) in [
        ("openai", "/v1/responses", "", "store include max_output_tokens reasoning prompt_cache_retention tools/1"),
        ("azure", "/openai/v1/responses", "prompt_cache_retention", "store tools/1"),
        ("chatgpt", "/backend-api/codex/responses", "max_output_tokens prompt_cache_retention", "store instructions"),
        ("copilot", "/responses", "store", "tools/1 max_output_tokens"),
        ("groq", "/openai/v1/responses", "store include tools/1", "tools/0/strict"),
        ("ollama", "/v1/responses", "store include tools/1 tools/0/strict", "max_output_tokens"),
        ("open-responses", "/v1/responses", "prompt_cache_retention", "store include tools/0/strict"),
    ] {
        let encoded = encoded(&format!(r#"{all}"{dialect}"}}"#));
        assert_eq!(encoded.path, path, "{dialect}");
        for member in absent.split_whitespace() {
            assert_eq!(at(&encoded, &format!("/{member}")), None, "{dialect} {member}");
        }
        for member in present.split_whitespace() {
            assert!(at(&encoded, &format!("/{member}")).is_some(), "{dialect} {member}");
        }
    }
    let unknown = refused_or_encoded(r#""options":{"dialect":"nobody"}"#).unwrap_err();
    assert!(
        unknown.starts_with("unknown_dialect: `openai-responses` has no dialect `nobody`; known are openai"),
        "{unknown}"
    );
}

#[test]
fn what_cannot_be_sent_is_refused() {
    for (members, why) in [
        (r#""messages":[]"#, "empty_conversation"),
        (r#""tools":[{"name":"f","parameters":[]}],"toolChoice":{"name":"f"}"#, "tool_choice_unavailable"),
        (r#""tools":[{"name":"f"},{"name":"f"}]"#, "duplicate_tool_name"),
    ] {
        assert!(refused_or_encoded(members).unwrap_err().starts_with(why), "{members}");
    }
}
