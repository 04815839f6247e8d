//! What goes out to Gemini, byte for byte.

use super::encode;
use crate::json::{Doc, JsonText};
use crate::model::Request;
use crate::providers::Encoded;

fn refused_or_encoded(members: &str) -> Result<Encoded, String> {
    let model = if members.contains("\"model\"") { "" } else { r#""model":"gemini-2.5-pro","# };
    let messages =
        if members.contains("\"messages\"") { "" } else { r#""messages":[{"role":"user","content":"go"}],"# };
    let text = format!("{{{model}{messages}{members}}}");
    let doc = Doc::parse(text.as_str()).unwrap();
    let request = Request::read(doc.root()).unwrap();
    let encoded = encode(&request).map_err(|refused| format!("{}: {}", refused.kind.name(), refused.message))?;
    JsonText::new(encoded.body.as_str()).expect("the body is JSON");
    Ok(encoded)
}

fn encoded(members: &str) -> Encoded {
    refused_or_encoded(members).unwrap_or_else(|why| panic!("{members}: {why}"))
}

fn at(encoded: &Encoded, pointer: &str) -> Option<String> {
    Doc::parse(encoded.body.as_str()).unwrap().root().pointer(pointer).map(|value| value.raw().to_owned())
}

fn contents(model: &str, messages: &str) -> String {
    at(&encoded(&format!(r#""model":"{model}","messages":[{messages}]"#)), "/contents").unwrap()
}

fn rules(encoded: &Encoded) -> Vec<&'static str> {
    encoded.diagnostics.iter().map(|one| one.rule).collect()
}

const USER: &str = r#"{"role":"user","content":"go"}"#;
const WIRE_USER: &str = r#"{"role":"user","parts":[{"text":"go"}]}"#;
const WEATHER: &str = r#"{"name":"get_weather","description":"Weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]}}"#;
const NOW: &str = r#"{"name":"now","description":"Clock"}"#;

fn paris(more: &str) -> String {
    format!(
        r#""messages":[{{"role":"user","content":"Paris? And the time?"}},
            {{"role":"assistant","content":[{{"type":"toolCall","id":"w1","name":"get_weather","arguments":{{"city":"Paris"}},"thoughtSignature":"c2ln"}},{{"type":"toolCall","id":"n1","name":"now","arguments":{{}}}}]}},
            {{"role":"toolResult","toolCallId":"n1","content":"clock off","isError":true}},
            {{"role":"toolResult","toolCallId":"w1","content":"12 C"}}],
           "tools":[{NOW},{WEATHER}],"toolChoice":"auto","options":{{"geminiSchemaField":"parameters"{more}}}"#
    )
}

#[test]
fn a_conversation_is_that_of_the_reference() {
    let unsigned = paris("").replace(r#","thoughtSignature":"c2ln""#, "");
    assert_eq!(
        encoded(&unsigned).body,
        r#"{"tools":[{"functionDeclarations":[{"name":"get_weather","description":"Weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"},"unit":{"type":"STRING","enum":["c","f"]}},"required":["city"]}},{"name":"now","description":"Clock"}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"contents":[{"role":"user","parts":[{"text":"Paris? And the time?"}]},{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Paris"}}},{"functionCall":{"name":"now","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"output":"12 C"}}},{"functionResponse":{"name":"now","response":{"error":"clock off"}}}]}]}"#
    );
    let newer = encoded(&format!(r#""model":"gemini-3-pro",{}"#, paris("")));
    assert_eq!(
        at(&newer, "/contents/1/parts").unwrap(),
        r#"[{"functionCall":{"id":"w1","name":"get_weather","args":{"city":"Paris"}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"n1","name":"now","args":{}}}]"#
    );
    assert_eq!(
        at(&newer, "/contents/2/parts").unwrap(),
        r#"[{"functionResponse":{"id":"w1","name":"get_weather","response":{"output":"12 C"}}},{"functionResponse":{"id":"n1","name":"now","response":{"error":"clock off"}}}]"#
    );
    let assist = encoded(&paris(r#","dialect":"codeassist","stream":false"#));
    assert_eq!(assist.path, "/v1internal:generateContent");
    assert!(
        assist.body.starts_with(
            r#"{"model":"gemini-2.5-pro","project":"{project}","request":{"tools":[{"functionDeclarations""#
        )
    );
    assert!(rules(&assist).is_empty());
}

#[test]
fn a_request_has_its_members_in_one_order() {
    let encoded = encoded(&format!(
        r#""system":["be brief","","be kind"],"tools":[{WEATHER}],"toolChoice":"required","parallelToolCalls":false,"maxTokens":3,"thinking":true,
           "options":{{"strict":true}},"previousResponseId":"r""#
    ));
    assert_eq!(
        encoded.body,
        r#"{"systemInstruction":{"parts":[{"text":"be brief"},{"text":"be kind"}]},"tools":[{"functionDeclarations":[{"name":"get_weather","description":"Weather","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"generationConfig":{"maxOutputTokens":3,"thinkingConfig":{"includeThoughts":true}},"contents":[{"role":"user","parts":[{"text":"go"}]}]}"#
    );
    assert_eq!(encoded.path, "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
    assert_eq!(encoded.headers, [("content-type", "application/json".to_owned())]);
    assert_eq!(rules(&encoded), ["previous-response-left-out", "parallel-left-out", "strict-left-out"]);
    assert_eq!(
        refused_or_encoded(r#""model":"gemini-2.5-flash","thinking":false"#).unwrap().body,
        r#"{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},"contents":[{"role":"user","parts":[{"text":"go"}]}]}"#
    );
}

#[test]
fn the_choice_is_a_mode_and_names() {
    let tools = r#""tools":[{"name":"b"},{"name":"3d print"},{"name":"sh","kind":"custom"}]"#;
    for (choice, wire) in [
        (r#""auto""#, r#"{"mode":"AUTO"}"#),
        (r#""none""#, r#"{"mode":"NONE"}"#),
        (r#""required""#, r#"{"mode":"ANY"}"#),
        (r#"{"name":"3d print"}"#, r#"{"mode":"ANY","allowedFunctionNames":["_3d_print"]}"#),
        (r#"{"allowed":["b","gone"],"mode":"required"}"#, r#"{"mode":"ANY","allowedFunctionNames":["b"]}"#),
        (r#"{"allowed":["b"]}"#, r#"{"mode":"VALIDATED","allowedFunctionNames":["b"]}"#),
        (r#"{"allowed":["gone"]}"#, r#"{"mode":"NONE"}"#),
    ] {
        let encoded = encoded(&format!(r#"{tools},"toolChoice":{choice}"#));
        assert_eq!(at(&encoded, "/toolConfig/functionCallingConfig").as_deref(), Some(wire), "{choice}");
        assert_eq!(encoded.names, [("_3d_print".to_owned(), "3d print".to_owned())]);
        assert!(rules(&encoded).contains(&"tool-skipped"), "custom tools are nothing that Gemini knows");
    }
    assert_eq!(at(&encoded(r#""toolChoice":"auto""#), "/toolConfig"), None);
    assert!(
        refused_or_encoded(&format!(r#"{tools},"toolChoice":{{"name":"sh"}}"#))
            .unwrap_err()
            .starts_with("tool_choice_unavailable")
    );
}

/// (tool's parameters, as `parameters`); `d` is the description, `f` the name.
const PARAMETERS: &[(&str, &str)] = &[
    (
        r##"{"type":"object","properties":{"o":{"$ref":"#/$defs/O"}},"$defs":{"O":{"type":"object","properties":{"l":{"type":"string"}},"required":["l"]}}}"##,
        r#"{"type":"OBJECT","properties":{"o":{"type":"OBJECT","properties":{"l":{"type":"STRING"}},"required":["l"]}}}"#,
    ),
    (
        r##"{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}"##,
        r#"{"type":"OBJECT","properties":{"n":{"type":"OBJECT","properties":{"kids":{"type":"ARRAY","items":{"type":"OBJECT"}}}}}}"#,
    ),
    (
        r#"{"type":"object","properties":{"default":{"type":"string"},"const":{"type":"integer"},"$schema":{"type":"string"}},"required":["default","const"]}"#,
        r#"{"type":"OBJECT","properties":{"default":{"type":"STRING"},"const":{"type":"INTEGER"},"$schema":{"type":"STRING"}},"required":["default","const"]}"#,
    ),
    (
        r#"{"type":"object","properties":{"s":{"type":["string","null"],"description":"x"}},"required":["s"]}"#,
        r#"{"type":"OBJECT","properties":{"s":{"type":"STRING","description":"x","nullable":true}},"required":["s"]}"#,
    ),
    (
        r#"{"type":"object","properties":{"a":{"type":["null","array"],"items":{"type":"string"}}}}"#,
        r#"{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"type":"STRING"},"nullable":true}}}"#,
    ),
    (
        r#"{"type":"object","properties":{"s":{"anyOf":[{"type":"string"},{"type":"null","description":"none"}]}}}"#,
        r#"{"type":"OBJECT","properties":{"s":{"type":"STRING","nullable":true}}}"#,
    ),
    (
        r#"{"type":"object","properties":{"e":{"type":"integer","enum":[1,2]}}}"#,
        r#"{"type":"OBJECT","properties":{"e":{"type":"INTEGER","description":"One of: 1, 2."}}}"#,
    ),
    (
        r#"{"type":"object","properties":{"k":{"const":"ins"}}}"#,
        r#"{"type":"OBJECT","properties":{"k":{"type":"STRING","enum":["ins"]}}}"#,
    ),
    (
        r#"{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"string"}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}"#,
        r#"{"type":"OBJECT","properties":{"k":{"type":"STRING","enum":["a","b"]},"x":{"type":"STRING"}},"required":["k"]}"#,
    ),
];

#[test]
fn parameters_are_said_in_the_older_form() {
    for (schema, wire) in PARAMETERS {
        let encoded = encoded(&format!(
            r#""tools":[{{"name":"f","description":"d","parameters":{schema}}}],"options":{{"geminiSchemaField":"parameters"}}"#
        ));
        assert_eq!(
            at(&encoded, "/tools").unwrap(),
            format!(r#"[{{"functionDeclarations":[{{"name":"f","description":"d","parameters":{wire}}}]}}]"#),
            "{schema}"
        );
    }
}

#[test]
fn keywords_that_are_left_out_are_told() {
    let tools = r#""tools":[{"name":"f","parameters":{"type":"object","$schema":"x","properties":{"a":{"type":"string","format":"email"}},"additionalProperties":false}}],"options":{"geminiSchemaField":"parameters""#;
    let told = encoded(&format!("{tools}}}"));
    let message =
        "`parameters` cannot say `$schema`, `additionalProperties`, `format`, and the schema of `f` goes without";
    assert_eq!(told.diagnostics.iter().map(|one| one.message.as_str()).collect::<Vec<_>>(), [message]);
    let vertex = encoded(&format!(r#"{tools},"dialect":"vertex"}}"#));
    assert_eq!(
        at(&vertex, "/tools/0/functionDeclarations/0/parameters/additionalProperties").as_deref(),
        Some("false")
    );
}

fn call(more: &str) -> String {
    format!(
        r#"{{"role":"assistant","content":[{{"type":"toolCall","id":"call_a","name":"f","arguments":{{}}{more}}}]}}"#
    )
}

fn result(content: &str, more: &str) -> String {
    format!(r#"{{"role":"toolResult","toolCallId":"call_a","toolName":"f","content":{content}{more}}}"#)
}

#[test]
fn results_are_objects_under_one_of_two_keys() {
    for (content, more, response) in [
        (r#""1""#, "", r#"{"output":"1"}"#),
        (r#"[{"type":"text","text":"[{\"a\":1}]"}]"#, "", r#"{"output":"[{\"a\":1}]"}"#),
        (r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#, "", r#"{"output":"a\nb"}"#),
        ("[]", "", r#"{"output":""}"#),
        (r#""no""#, r#","isError":true"#, r#"{"error":"no"}"#),
        ("[]", r#","isError":true"#, r#"{"error":"(no output)"}"#),
    ] {
        assert_eq!(
            contents("gemini-2.5-pro", &format!("{USER},{},{}", call(""), result(content, more))),
            format!(
                r#"[{WIRE_USER},{{"role":"model","parts":[{{"functionCall":{{"name":"f","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{response}}}}}]}}]"#
            )
        );
    }
    let unanswered = contents("gemini-2.5-pro", &format!("{USER},{},{USER}", call("")));
    assert!(
        unanswered.contains(
            r#"{"functionResponse":{"name":"f","response":{"error":"No result provided"}}}]},{"role":"user""#
        ),
        "{unanswered}"
    );
}

#[test]
fn images_of_results_stand_in_them_or_behind_all_of_them() {
    let image = r#"{"type":"image","mimeType":"image/png","data":"AAAA"}"#;
    let messages = format!(
        r#"{USER},{{"role":"assistant","content":[{{"type":"toolCall","id":"a","name":"f"}},{{"type":"toolCall","id":"b","name":"g"}}]}},
           {{"role":"toolResult","toolCallId":"a","content":[{image}]}},{{"role":"toolResult","toolCallId":"b","content":[{{"type":"text","text":"map"}},{image}]}}"#
    );
    let inline = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#;
    assert!(contents("gemini-2.5-pro", &messages).ends_with(&format!(
        r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"output":"(see attached image)"}}}}}},{{"functionResponse":{{"name":"g","response":{{"output":"map"}}}}}}]}},{{"role":"user","parts":[{{"text":"Tool result image:"}},{inline},{inline}]}}]"#
    )));
    assert!(contents("gemini-3-pro", &messages).ends_with(&format!(
        r#"{{"role":"user","parts":[{{"functionResponse":{{"id":"a","name":"f","response":{{"output":"(see attached image)"}},"parts":[{inline}]}}}},{{"functionResponse":{{"id":"b","name":"g","response":{{"output":"map"}},"parts":[{inline}]}}}}]}}]"#
    )));
    let of_user =
        contents("gemini-2.5-pro", &format!(r#"{{"role":"user","content":[{image},{{"type":"text","text":""}}]}}"#));
    assert_eq!(of_user, format!(r#"[{{"role":"user","parts":[{inline}]}}]"#));
}

#[test]
fn signatures_stay_on_their_part_and_a_placeholder_stands_for_those_that_never_were() {
    let said = |origin: &str| {
        format!(
            r#"{USER},{{"role":"assistant"{origin},"content":[{{"type":"thinking","thinking":"hm","signature":"dGg="}},{{"type":"text","text":"ok"}},
               {{"type":"toolCall","id":"a","name":"f","thoughtSignature":"c2ln"}},{{"type":"toolCall","id":"b","name":"g"}},{{"type":"text","text":"","thoughtSignature":"ZW5k"}}]}}"#
        )
    };
    let parts = |model: &str, messages: &str| {
        let encoded = encoded(&format!(r#""model":"{model}","messages":[{messages}]"#));
        at(&encoded, "/contents/1/parts").unwrap()
    };
    let own = r#"[{"thought":true,"text":"hm","thoughtSignature":"dGg="},{"text":"ok"},{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"b","name":"g","args":{}}},{"text":"","thoughtSignature":"ZW5k"}]"#;
    assert_eq!(parts("gemini-3-pro", &said("")), own);
    assert_eq!(parts("gemini-3-pro", &said(r#","origin":{"api":"gemini","model":"gemini-3-pro"}"#)), own);
    let other = said(r#","origin":{"api":"gemini","model":"gemini-3-flash"}"#);
    assert_eq!(
        parts("gemini-3-pro", &other),
        r#"[{"text":"hm"},{"text":"ok"},{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"b","name":"g","args":{}}}]"#
    );
    assert_eq!(
        parts("gemini-2.5-pro", &other),
        r#"[{"text":"hm"},{"text":"ok"},{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]"#
    );
    assert_eq!(
        parts("gemini-2.5-pro", &format!("{USER},{}", call(r#","thoughtSignature":"<no base64>""#))),
        r#"[{"functionCall":{"name":"f","args":{}}}]"#
    );
}

#[test]
fn ids_of_other_vendors_models_are_word_characters() {
    let text = contents("claude-sonnet-5", &format!("{USER},{}", call("").replace("call_a", "functions.f:0")));
    assert!(text.contains(r#""functionCall":{"id":"functions_f_0_"#), "{text}");
    assert!(contents("gemini-3-pro", &format!("{USER},{}", call(""))).contains(r#""functionCall":{"id":"call_a""#));
    // An id that never came is not made up where it is not needed.
    let without = call("").replace("call_a", "");
    assert!(!contents("gemini-3-pro", &format!("{USER},{without}")).contains(r#""id""#));
    assert!(contents("claude-sonnet-5", &format!("{USER},{without}")).contains(r#""id""#));
}

#[test]
fn contents_alternate_where_calls_stand() {
    // Text and calls of two turns of the model are one content, and an empty message none.
    assert_eq!(
        contents(
            "gemini-2.5-pro",
            &format!(r#"{USER},{{"role":"assistant","content":"one"}},{{"role":"user","content":""}},{}"#, call(""))
        ),
        format!(
            r#"[{WIRE_USER},{{"role":"model","parts":[{{"text":"one"}},{{"functionCall":{{"name":"f","args":{{}}}}}}]}},{{"role":"user","parts":[{{"functionResponse":{{"name":"f","response":{{"error":"No result provided"}}}}}}]}}]"#
        )
    );
    let block = r#"{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"q":1.0}},"thoughtSignature":"c2ln"}"#;
    assert_eq!(
        contents(
            "gemini-3-pro",
            &format!(
                r#"{USER},{{"role":"assistant","content":[{{"type":"providerBlock","api":"gemini","block":{block}}}]}}"#
            )
        ),
        format!(r#"[{WIRE_USER},{{"role":"model","parts":[{block}]}}]"#)
    );
}

#[test]
fn what_cannot_be_sent_is_refused() {
    for (members, why) in [
        (r#""messages":[]"#, "empty_conversation"),
        (r#""messages":[{"role":"user","content":""}]"#, "empty_conversation"),
        (r#""messages":[{"role":"assistant","content":"hi"}]"#, "assistant_first"),
        (
            r#""options":{"dialect":"azure"}"#,
            "unknown_dialect: `gemini` has no dialect `azure`; known are aistudio, vertex, codeassist",
        ),
        (r#""tools":[{"name":"f"}],"toolChoice":{"name":"g"}"#, "tool_choice_unavailable"),
    ] {
        assert!(refused_or_encoded(members).unwrap_err().starts_with(why), "{members}");
    }
    let many = (0..513).map(|n| format!(r#"{{"name":"f{n}"}}"#)).collect::<Vec<_>>().join(",");
    assert!(refused_or_encoded(&format!(r#""tools":[{many}]"#)).unwrap_err().starts_with("too_many_tools"));
}
