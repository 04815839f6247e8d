//! Examples by number, then the decisions.

use serde_json::{Value, json};

use super::samples::{DONE, Sample, data, framed};
use crate::model::Api;

fn sample(name: &'static str, parts: &[String], want: &str) -> Sample {
    Sample::new(Api::Gemini, name, parts.concat(), want)
}

pub(super) fn samples() -> Vec<Sample> {
    [worked(), pieces(), calls(), endings(), signatures(), shapes(), framing()].into_iter().flatten().collect()
}

/// A response with one candidate that holds these parts.
fn chunk(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}}]})
}

fn p(parts: &Value) -> String {
    data(&chunk(parts))
}

/// The same with a finish reason.
fn last(parts: &Value, reason: impl Into<Value>) -> String {
    let mut chunk = chunk(parts);
    chunk["candidates"][0]["finishReason"] = reason.into();
    data(&chunk)
}

fn stop() -> String {
    last(&json!([{"text": ""}]), "STOP")
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn call(name: &str, args: Value) -> Value {
    json!({"functionCall": {"name": name, "args": args}})
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn fc(call: Value) -> Value {
    json!({ "functionCall": call })
}

/// A piece of arguments in a call that goes on.
fn piece(path: &str, value: Value, goes_on: bool) -> Value {
    let mut piece = value;
    piece["jsonPath"] = path.into();
    if goes_on {
        piece["willContinue"] = true.into();
    }
    fc(json!({"partialArgs": [piece], "willContinue": true}))
}

fn string(text: &str) -> Value {
    json!({ "stringValue": text })
}

fn open(name: &str) -> Value {
    fc(json!({"name": name, "willContinue": true}))
}

fn worked() -> Vec<Sample> {
    let paris = || call("get", json!({"city": "Paris"}));
    let bare = |args: Value| last(&json!([call("now", args)]), "STOP");
    vec![
        sample("1", &[last(&json!([paris()]), "STOP")], "toolUse | * get {\"city\":\"Paris\"}"),
        sample("2 the end in a later chunk", &[p(&json!([paris()])), stop()], "toolUse | * get {\"city\":\"Paris\"}"),
        sample(
            "3 the end without content",
            &[
                p(&json!([paris()])),
                data(
                    &json!({"candidates": [{"finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 4}}),
                ),
            ],
            "toolUse | * get {\"city\":\"Paris\"} | u4/-/-/-",
        ),
        sample("4 no arguments", &[last(&json!([fc(json!({"name": "now"}))]), "STOP")], "toolUse | * now {}"),
        sample("4 null arguments", &[bare(Value::Null)], "toolUse | * now {}"),
        sample("4 empty arguments", &[bare(json!({}))], "toolUse | * now {}"),
        sample(
            "5 two calls",
            &[last(&json!([call("a", json!({})), call("b", json!({}))]), "STOP")],
            "toolUse | * a {} | * b {}",
        ),
        sample(
            "5 two equal calls",
            &[p(&json!([call("a", json!({}))])), last(&json!([call("a", json!({}))]), "STOP")],
            "toolUse | * a {} | * a {}",
        ),
        sample(
            "6 an id and a signature",
            &[last(
                &json!([{"functionCall": {"id": "fc_9", "name": "a", "args": {}}, "thoughtSignature": "Zm9v"}]),
                "STOP",
            )],
            "toolUse | fc_9 a {} ^Zm9v",
        ),
        sample(
            "7 a thought",
            &[
                p(&json!([{"text": "plan", "thought": true}])),
                p(&json!([{"text": "Hi"}])),
                last(&json!([call("a", json!({}))]), "STOP"),
            ],
            "toolUse | * a {} | \"Hi\" | ~plan",
        ),
        sample(
            "8 a signature on empty text",
            &[p(&json!([call("a", json!({}))])), last(&json!([{"text": "", "thoughtSignature": "Zm9v"}]), "STOP")],
            "toolUse | * a {} | ^Zm9v",
        ),
        sample("9 numbers", &[bare(json!({"n": 5.0}))], "toolUse | * now {\"n\":5.0}"),
        sample(
            "10 arguments as text",
            &[bare(json!("{\"a\":1}"))],
            "toolUse | !arguments_not_object * now <\"{\\\"a\\\":1}\">",
        ),
        sample(
            "11 malformed",
            &[data(&json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(x)"}]}))],
            "error | !malformed_function_call MALFORMED_FUNCTION_CALL",
        ),
        sample(
            "12 unexpected, beside a whole call",
            &[p(&json!([call("a", json!({})), open("b")])), last(&json!([]), "UNEXPECTED_TOOL_CALL")],
            "error | * a {} | !malformed_function_call UNEXPECTED_TOOL_CALL | ?- b ",
        ),
        sample(
            "13 a blocked prompt",
            &[data(&json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}))],
            "error | !blocked PROHIBITED_CONTENT",
        ),
        sample(
            "14 thoughts took all",
            &[data(&json!({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"role": "model"}}]}))],
            "length",
        ),
        sample(
            "15 a whole call at the limit",
            &[last(&json!([call("a", json!({"x": 1}))]), "MAX_TOKENS")],
            "length | * a {\"x\":1}",
        ),
        sample(
            "16 an error in the stream",
            &[
                p(&json!([{"text": "par"}])),
                data(&json!({"error": {"code": 503, "status": "UNAVAILABLE", "message": "m"}})),
            ],
            "error | !provider_error UNAVAILABLE 503 | \"par\"",
        ),
        sample(
            "17 an error after the stream",
            &[p(&json!([{"text": "par"}])), "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}".to_owned()],
            "error | !provider_error RESOURCE_EXHAUSTED 429 | \"par\"",
        ),
        sample(
            "18 an array",
            &[format!("[{},\r\n{}\r\n]", chunk(&json!([paris()])), json!({"candidates": [{"finishReason": "STOP"}]}))],
            "toolUse | * get {\"city\":\"Paris\"}",
        ),
        sample(
            "18 an array that does not end",
            &[format!("[{},\r\n{}\r\n", chunk(&json!([paris()])), json!({"candidates": [{"finishReason": "STOP"}]}))],
            "error | * get {\"city\":\"Paris\"} | !incomplete_stream",
        ),
        sample(
            "19 an error as the only element",
            &["[{\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"m\"}}]".to_owned()],
            "error | !http_status INVALID_ARGUMENT 400",
        )
        .status(400),
        sample(
            "20 a line separator in a string",
            &[bare(json!({"a": "x\u{2028}y"}))],
            "toolUse | * now {\"a\":\"x\u{2028}y\"}",
        ),
        sample(
            "21 wrapped",
            &[
                data(
                    &json!({"response": {"candidates": [{"content": {"parts": [call("a", json!({}))]}, "finishReason": "STOP"}]}, "traceId": "t"}),
                ),
                data(&json!({"traceId": "t"})),
            ],
            "toolUse | * a {}",
        ),
        sample(
            "31 the provider's own calls",
            &[last(
                &json!([
                {"toolCall": {"id": "t", "toolType": "GOOGLE_SEARCH", "args": {"q": 1.0}}}, {"toolResponse": {"id": "t"}},
                {"executableCode": {"code": "1+1", "id": "e", "language": "PYTHON"}}, {"codeExecutionResult": {"output": "2"}},
                call("a", json!({}))]),
                "STOP",
            )],
            "toolUse | * a {} | @toolCall GOOGLE_SEARCH {\"q\":1.0} | \
             @executableCode code_execution {\"code\":\"1+1\",\"id\":\"e\",\"language\":\"PYTHON\"}",
        ),
        sample("32 the end first", &[last(&json!([]), "STOP"), p(&json!([call("a", json!({}))]))], "toolUse | * a {}"),
        sample(
            "33 two candidates",
            &[
                data(
                    &json!({"candidates": [{"index": 1, "content": {"parts": [{"text": "b"}]}, "finishReason": "STOP"}]}),
                ),
                data(&json!({"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]})),
            ],
            "stop | \"a\" | [stop | \"b\"]",
        ),
        sample("40 no end", &[p(&json!([call("a", json!({}))]))], "error | * a {} | !incomplete_stream"),
    ]
}

/// Decisions 75 to 77.
fn pieces() -> Vec<Sample> {
    vec![
        sample(
            "22 two calls in pieces",
            &[
                p(&json!([{"functionCall": {"name": "w", "willContinue": true}, "thoughtSignature": "s"}])),
                p(&json!([piece("$.location", string("Bos"), true)])),
                p(&json!([piece("$.location", string("ton"), true), piece("$.location", string(""), false)])),
                p(&json!([fc(json!({}))])),
                p(&json!([
                    open("w"),
                    piece("$.location", string("Oslo"), true),
                    piece("$.location", string(""), false)
                ])),
                last(&json!([fc(json!({}))]), "STOP"),
            ],
            "toolUse | * w {\"location\":\"Boston\"} ^s | * w {\"location\":\"Oslo\"}",
        ),
        sample(
            "23 closed by a piece",
            &[p(&json!([open("w"), fc(json!({"partialArgs": [{"jsonPath": "$.n", "numberValue": 0.5}]}))])), stop()],
            "toolUse | * w {\"n\":0.5}",
        ),
        sample(
            "24 nested, with nothing between",
            &[
                p(&json!([open("w"), piece("$.ops[0].a", string("x"), false), fc(json!({"willContinue": true}))])),
                p(&json!([
                    piece("$.ops[0].b", json!({"numberValue": 1}), false),
                    piece("$.ops[1].a", string("y"), false),
                    fc(json!({}))
                ])),
                stop(),
            ],
            "toolUse | * w {\"ops\":[{\"a\":\"x\",\"b\":1},{\"a\":\"y\"}]}",
        ),
        sample(
            "26 a whole call, then one in pieces",
            &[p(&json!([fc(json!({"name": "a"})), open("b")])), last(&json!([fc(json!({}))]), "STOP")],
            "toolUse | * a {} | * b {}",
        ),
        sample(
            "27 cut by the limit",
            &[p(&json!([open("w"), piece("$.a", string("x"), true)])), last(&json!([]), "MAX_TOKENS")],
            "length | !truncated_arguments w <{\"a\":\"x\"}>",
        ),
        sample(
            "28 cut by the end of the bytes",
            &[p(&json!([open("w"), piece("$.a", string("x"), true)]))],
            "error | !incomplete_stream | ?- w {\"a\":\"x\"}",
        ),
        sample(
            "never closed",
            &[p(&json!([open("w"), piece("$.a", string("x"), false), open("v")])), stop()],
            "toolUse | * w {\"a\":\"x\"} | * v {}",
        ),
        sample(
            "begun after the end",
            &[stop(), p(&json!([open("w"), piece("$.a", string("x"), false)]))],
            "error | !incomplete_stream | ?- w {\"a\":\"x\"}",
        ),
        sample(
            "whole arguments first",
            &[
                p(&json!([fc(json!({"name": "w", "args": {"b": 1.0, "a": {}}, "willContinue": true,
                    "partialArgs": [{"jsonPath": "$.a.c", "boolValue": true}]}))])),
                last(&json!([fc(json!({}))]), "STOP"),
            ],
            "toolUse | * w {\"a\":{\"c\":true},\"b\":1.0}",
        ),
        sample(
            "a path that cannot be read",
            &[
                p(&json!([
                    open("w"),
                    piece("$.a", string("x"), false),
                    piece("$..a", string("y"), false),
                    fc(json!({}))
                ])),
                stop(),
            ],
            "toolUse | !invalid_arguments_json * w <{\"a\":\"x\"}>",
        ),
        sample(
            "a value that is no object",
            &[p(&json!([open("w"), piece("$", string("x"), false), fc(json!({}))])), stop()],
            "toolUse | !arguments_not_object * w <\"x\">",
        ),
        sample(
            "a failure between pieces",
            &[
                p(&json!([call("a", json!({})), open("w"), piece("$.a", string("x"), false)])),
                data(&json!({"error": {"code": 500}})),
                last(&json!([fc(json!({}))]), "STOP"),
            ],
            "error | * a {} | !provider_error 500 | ?- w {\"a\":\"x\"}",
        ),
        sample(
            "to be continued",
            &[p(&json!([call("a", json!({})), open("w")])), last(&json!([]), "CONTINUATION")],
            "pause | * a {} | ?- w ",
        ),
    ]
}

/// Decisions 74 and 80.
fn calls() -> Vec<Sample> {
    let named = |id: &str, more: Value| {
        let mut call = more;
        call["name"] = "w".into();
        call["id"] = id.into();
        fc(call)
    };
    let bit = |path: &str| json!([{"jsonPath": path, "boolValue": true}]);
    let go = |path: &str| json!({"partialArgs": bit(path), "willContinue": true});
    vec![
        sample(
            "the same id and name go on",
            &[p(&json!([named("i", go("$.a")), named("i", go("$.b")), named("i", json!({"partialArgs": bit("$.c")}))])), stop()],
            "toolUse | i w {\"a\":true,\"b\":true,\"c\":true}",
        ),
        sample(
            "the same id and name without arguments go on, with arguments they are another call",
            &[p(&json!([named("i", go("$.a")), named("i", json!({"args": {}})), named("i", go("$.a")), named("i", json!({"args": {"b": 1}}))])), stop()],
            "toolUse | i w {\"a\":true} | * w {\"a\":true} | * w {\"b\":1}",
        ),
        sample(
            "without an id the name alone goes on before there are arguments",
            &[p(&json!([open("w"), open("w"), fc(json!({"name": "w", "partialArgs": bit("$.a"), "willContinue": true})), open("w")])), stop()],
            "toolUse | * w {\"a\":true} | * w {}",
        ),
        sample(
            "another id, or none, is another call",
            &[p(&json!([named("i", go("$.a")), named("j", go("$.b")), fc(json!({"name": "w", "partialArgs": bit("$.c")}))])), stop()],
            "toolUse | i w {\"a\":true} | j w {\"b\":true} | * w {\"c\":true}",
        ),
        sample(
            "no name",
            &[p(&json!([fc(json!({"args": {"a": 1}})), fc(json!({"id": "i"})), fc(json!({})), fc(json!({"willContinue": true}))])), stop()],
            "toolUse | !missing_name * <{\"a\":1}> | !missing_name i <>",
        ),
        sample(
            "no name, in pieces",
            &[p(&json!([fc(go("$.a")), fc(json!({"partialArgs": bit("$.b")}))])), stop()],
            "toolUse | !missing_name * <{\"a\":true,\"b\":true}>",
        ),
        sample(
            "one id twice, and the text null",
            &[p(&json!([named("i", json!({})), named("i", json!({})), named("null", json!({}))])), stop()],
            "toolUse | i w {} | * w {} | * w {}",
        ),
        sample("a number as id", &[last(&json!([fc(json!({"name": "w", "id": 7}))]), "STOP")], "toolUse | 7 w {}"),
        sample("an empty text for arguments", &[last(&json!([call("w", json!(""))]), "STOP")], "toolUse | * w {}"),
        sample("a list for arguments", &[last(&json!([call("w", json!([1]))]), "STOP")], "toolUse | !arguments_not_object * w <[1]>"),
        sample(
            "two calls with arguments",
            &[last(&json!([call("a", json!({"x": 1})), call("b", json!({"y": 2}))]), "STOP")],
            "toolUse | * a {\"x\":1} | * b {\"y\":2}",
        ),
        sample(
            "keys keep their order",
            &["data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"a\",\"args\":{\"b\": 1E2,\"a\":12345678901234567890}}}]},\"finishReason\":\"STOP\"}]}\n\n".to_owned()],
            "toolUse | * a {\"b\": 1E2,\"a\":12345678901234567890}",
        ),
    ]
}

/// Decisions 78, 79 and 84.
fn endings() -> Vec<Sample> {
    let a = || p(&json!([call("a", json!({}))]));
    let end = |reason: Value| last(&json!([]), reason);
    let blocked = |reason: Value| data(&json!({"promptFeedback": {"blockReason": reason}}));
    vec![
        sample("by number", &[a(), end(json!(1))], "toolUse | * a {}"),
        sample("the limit by number", &[a(), end(json!(2))], "length | * a {}"),
        sample(
            "malformed by number",
            &[a(), end(json!(10))],
            "error | * a {} | !malformed_function_call MALFORMED_FUNCTION_CALL",
        ),
        sample("an unknown number, an unknown name", &[a(), end(json!(77)), end(json!("NEW"))], "toolUse | * a {}"),
        sample(
            "none yet",
            &[a(), end(json!("FINISH_REASON_UNSPECIFIED")), end(json!(0))],
            "error | * a {} | !incomplete_stream",
        ),
        sample("safety", &[a(), end(json!("SAFETY"))], "refusal | !blocked SAFETY"),
        sample("an image's", &[a(), end(json!("IMAGE_OTHER"))], "refusal | !blocked IMAGE_OTHER"),
        sample(
            "the gravest of several",
            &[a(), end(json!("STOP")), end(json!("MAX_TOKENS")), end(json!("RECITATION")), end(json!("STOP"))],
            "refusal | !blocked RECITATION",
        ),
        sample(
            "malformed is graver than safety",
            &[a(), end(json!("SAFETY")), end(json!("MALFORMED_RESPONSE"))],
            "error | * a {} | !malformed_function_call MALFORMED_RESPONSE",
        ),
        sample("the limit is graver than a pause", &[end(json!("CONTINUATION")), end(json!("MAX_TOKENS"))], "length"),
        sample(
            "safety beside a failure",
            &[a(), data(&json!({"error": {"code": 500}})), end(json!("SAFETY"))],
            "error | !provider_error 500 | !blocked SAFETY",
        ),
        sample(
            "a blocked prompt by number",
            &[a(), blocked(json!(4)), blocked(json!(4))],
            "error | !blocked PROHIBITED_CONTENT",
        ),
        sample(
            "a prompt that is not blocked",
            &[blocked(json!("BLOCK_REASON_UNSPECIFIED")), a(), stop()],
            "toolUse | * a {}",
        ),
        sample(
            "a mark that ends it",
            &[a(), end(json!("STOP")), DONE.to_owned(), p(&json!([{"text": "x"}]))],
            "toolUse | * a {}",
        ),
        sample("a mark is no reason", &[a(), DONE.to_owned()], "error | * a {} | !incomplete_stream"),
        sample("no answer", &[data(&json!({"usageMetadata": {}}))], "error | !incomplete_stream | u-/-/-/-"),
        sample(
            "a stray failure",
            &[a(), stop(), "error: {\"code\":1,\"message\":\"m\"}\n\n".to_owned()],
            "error | * a {} | !provider_error 1",
        ),
    ]
}

/// Decision 81.
fn signatures() -> Vec<Sample> {
    let thought = |text: &str| json!({"text": text, "thought": true});
    let signed = |part: Value, signature: &str| {
        let mut part = part;
        part["thoughtSignature"] = signature.into();
        part
    };
    vec![
        sample(
            "on thoughts",
            &[last(
                &json!([
                    thought("a"),
                    thought("b"),
                    signed(thought("c"), "s"),
                    thought("d"),
                    signed(json!({"thought": true}), "t")
                ]),
                "STOP",
            )],
            "stop | ~abc ^s | ~d ^t",
        ),
        sample(
            "thoughts end at text and at calls",
            &[last(
                &json!([thought("a"), {"text": ""}, thought("b"), {"text": "x"}, thought("c"), call("f", json!({})), thought("d")]),
                "STOP",
            )],
            "toolUse | * f {} | \"x\" | ~ab | ~c | ~d",
        ),
        sample(
            "on text and on nothing",
            &[last(
                &json!([signed(json!({"text": "x"}), "s"), signed(json!({}), "t"), {"text": "y", "thought": false, "thought_signature": "u"}]),
                "STOP",
            )],
            "stop | \"xy\" | ^s | ^t | ^u",
        ),
        sample(
            "the call's own, as its parts come",
            &[last(&json!([open("f"), signed(fc(json!({})), "s")]), "STOP")],
            "toolUse | * f {} ^s",
        ),
    ]
}

/// Decisions 72, 73 and 83.
fn shapes() -> Vec<Sample> {
    let snake = json!({"candidates": [{"content": {"parts": [{"function_call": {"name": "a", "args": {"x": 1}}, "thought_signature": "s"}]},
        "finish_reason": "STOP"}], "usage_metadata": {"prompt_token_count": 5, "candidates_token_count": 2}});
    let usage = |usage: Value| data(&json!({ "usageMetadata": usage }));
    vec![
        sample("snake_case", &[data(&snake)], "toolUse | * a {\"x\":1} ^s | u5/2/-/-"),
        sample(
            "an array as data",
            &[data(&json!([chunk(&json!([{"text": "a"}])), [chunk(&json!([{"text": "b"}]))], 7])), stop()],
            "stop | \"ab\"",
        ),
        sample(
            "an error in a wrapping",
            &[data(&json!({"response": {"error": {"code": 500, "message": "m"}}}))],
            "error | !provider_error 500",
        ),
        sample(
            "places for indexes",
            &[data(
                &json!({"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}, {"content": {"parts": [call("f", json!({}))]}, "finishReason": "STOP"}]}),
            )],
            "stop | \"a\" | [toolUse | * f {}]",
        ),
        sample(
            "running totals",
            &[
                usage(
                    json!({"promptTokenCount": 9, "candidatesTokenCount": 1, "thoughtsTokenCount": 4, "cachedContentTokenCount": 3}),
                ),
                usage(json!({"trafficType": "ON_DEMAND"})),
                usage(json!({"candidatesTokenCount": 6})),
                stop(),
            ],
            "stop | u9/10/3/-",
        ),
    ]
}

fn framing() -> Vec<Sample> {
    let events = [chunk(&json!([call("a", json!({"x": "é"}))])), json!({"candidates": [{"finishReason": "STOP"}]})];
    let mut samples = framed(Api::Gemini, &events, "toolUse | * a {\"x\":\"é\"}");
    // Written over several lines, the arguments are what stands there.
    samples.retain(|sample| !String::from_utf8_lossy(&sample.body).contains("\"x\": "));
    let lines = |comment: &str, end: &str| {
        let all = [
            "data: {\"candidates\":[",
            "data: {\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"a\"}}]},",
            comment,
            "data: \"finishReason\":\"STOP\"}]}",
            "",
        ];
        all.iter().filter(|line| **line != "-").flat_map(|line| [*line, end]).collect::<String>()
    };
    samples.push(sample("comments in an event", &[lines(": no", "\n")], "toolUse | * a {}"));
    samples.push(sample("CR LF in many lines", &[lines("-", "\r\n")], "toolUse | * a {}"));
    samples
}
