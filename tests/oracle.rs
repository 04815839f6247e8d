//! The decoders against the naive readers: on the corpus, on captured traffic, on mutilated streams.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod support;

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree as _;
use serde_json::Value;
use toolwire::corpus::{Corpus, Subject};
use toolwire::framing::ChunkPlan;
use toolwire::json::{Doc, Style};
use toolwire::model::{Api, ApiName, Turn};
use toolwire::providers::{DecodeSetup, Decoder, wire_names};
use toolwire::target::naive;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| toolwire::load::embedded_corpus().unwrap());

fn decode(api: Api, setup: &DecodeSetup, pieces: &[&[u8]]) -> Turn {
    let mut decoder = Decoder::new(api, setup.clone());
    for piece in pieces {
        decoder.push(piece, &mut |_| {});
    }
    decoder.finish(&mut |_| {})
}

/// What both readers have to agree on: everything but diagnostics and the wording of messages.
fn essence(mut turn: Turn) -> Turn {
    turn.diagnostics.clear();
    turn.errors.iter_mut().for_each(|error| error.message = None);
    turn.choices = turn.choices.into_iter().map(essence).collect();
    turn
}

fn disagreement(api: Api, setup: &DecodeSetup, bytes: &[u8]) -> Option<String> {
    let ours = essence(decode(api, setup, &[bytes]));
    let naive = essence(naive::read(api, setup, None, &[bytes]));
    (ours != naive && !beyond_the_oracle(bytes)).then(|| {
        let diff = similar_lines(&naive.to_json(Style::Pretty), &ours.to_json(Style::Pretty));
        format!("{diff}\nstream:\n{}", String::from_utf8_lossy(bytes).chars().take(3000).collect::<String>())
    })
}

/// True for events that `serde_json` cannot read although they are JSON: over 128 levels, or numbers that are no doubles.
fn beyond_the_oracle(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let payloads = text.split(['\n', '\r']).map(|line| line.strip_prefix("data:").unwrap_or(line)).chain([&*text]);
    let errors = payloads.filter_map(|payload| serde_json::from_str::<Value>(payload).err());
    let limits = ["number out of range", "recursion limit exceeded"];
    errors.map(|error| error.to_string()).any(|error| limits.iter().any(|limit| error.starts_with(limit)))
}

/// Lines of both that are not in the other, marked.
fn similar_lines(naive: &str, ours: &str) -> String {
    let only = |a: &str, b: &str, mark: &'static str| {
        let b: Vec<&str> = b.lines().collect();
        let only = a.lines().filter(|line| !b.contains(line));
        only.flat_map(|line| [mark, " ", line, "\n"]).collect::<String>()
    };
    only(naive, ours, "-") + &only(ours, naive, "+")
}

/// Every response of the corpus with what is known of its request.
fn responses() -> Vec<(String, Api, DecodeSetup, Vec<u8>)> {
    let mut all = Vec::new();
    for case in &CORPUS.cases {
        let Subject::Api(api) = case.subject else { continue };
        let mut setup = DecodeSetup::default();
        if let Some(request) = &case.request {
            let name = ApiName { api, dialect: case.dialect.clone() };
            let doc = request.doc();
            setup = setup.with_request(doc.root()).with_names(wire_names(&name, doc.root()));
        }
        for (number, turn) in (0..).zip(&case.turns) {
            let setup = DecodeSetup { turn: number, status: Some(turn.response.status), ..setup.clone() };
            all.push((case.id.to_string(), api, setup, turn.response.body.clone()));
        }
    }
    all
}

#[test]
fn they_agree_on_the_corpus() {
    let found: Vec<String> = responses()
        .into_iter()
        .filter_map(|(id, api, setup, body)| Some(format!("{id}\n{}", disagreement(api, &setup, &body)?)))
        .collect();
    assert!(found.is_empty(), "{} disagreements\n{}", found.len(), found.join("\n\n"));
}

#[test]
fn both_give_the_callers_names_back() {
    let request = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"docs/read"}]}"#;
    let doc = Doc::parse(request).unwrap();
    let chat = r#"{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[
        {"id":"a","function":{"name":"docs_read","arguments":"{}"}},{"id":"b","function":{"name":"docs_read","arguments":"["}},
        {"id":"c","function":{"name":"Docs_read","arguments":"{}"}}]}}]}"#;
    // A name in two pieces is one because the wire has such a tool; the call is never finished.
    let open = r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"docs_"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"read"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}

"#;
    let responses = r#"{"object":"response","status":"completed","output":[
        {"type":"function_call","status":"completed","id":"1","call_id":"a","name":"docs_read","arguments":"{}"},
        {"type":"function_call","status":"completed","id":"2","call_id":"b","name":"docs_read","arguments":"["},
        {"type":"function_call","status":"completed","id":"3","call_id":"c","name":"Docs_read","arguments":"{}"}]}"#;
    let messages = r#"{"type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"a","name":"docs_read",
        "input":{}},{"type":"tool_use","id":"b","name":"docs_read","input":[]},{"type":"tool_use","id":"c","name":"Docs_read","input":{}}]}"#;
    let gemini = r#"{"candidates":[{"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"docs_read","args":{}}},
        {"functionCall":{"name":"docs_read","args":"x"}},{"functionCall":{"name":"Docs_read","args":{}}}]}}]}"#;
    let whole = ["docs/read", "Docs_read", "docs/read"];
    for (api, body, want) in [
        (Api::OpenaiChat, chat, &whole[..]),
        (Api::MistralChat, chat, &whole),
        (Api::OpenaiResponses, responses, &whole),
        (Api::AnthropicMessages, messages, &whole),
        (Api::Gemini, gemini, &whole),
        (Api::OpenaiChat, open, &["docs/read"]),
    ] {
        let names = wire_names(&ApiName { api, dialect: None }, doc.root());
        let setup = DecodeSetup::default().with_request(doc.root()).with_names(names);
        let turn = decode(api, &setup, &[body.as_bytes()]);
        let called = turn.calls.iter().map(|call| Some(&*call.name));
        let errors = turn.errors.iter().filter(|error| error.id.is_some()).map(|error| error.name.as_deref());
        let open = turn.incomplete.iter().map(|call| call.name.as_deref());
        let found: Vec<&str> = called.chain(errors).chain(open).flatten().collect();
        assert_eq!(found, want, "{api}");
        assert_eq!(disagreement(api, &setup, body.as_bytes()), None);
    }
}

#[test]
fn they_agree_on_captured_traffic() {
    let Some(dir) = support::shared("captures") else { return };
    let captures = toolwire::load::captures(&dir).unwrap();
    assert!(captures.len() > 100, "{}", captures.len());
    let mut found = Vec::new();
    for capture in captures {
        let mut setup = DecodeSetup { status: capture.status, ..DecodeSetup::default() };
        if let Some(request) = &capture.request {
            setup = setup.with_request(request.doc().root());
        }
        if let Some(text) = disagreement(capture.api, &setup, &capture.body) {
            found.push(format!("{}\n{text}", capture.name));
        }
        let whole = decode(capture.api, &setup, &[&capture.body]);
        for plan in [ChunkPlan::Byte, ChunkPlan::Cut, ChunkPlan::Line, ChunkPlan::Seed(3)] {
            let cut = decode(capture.api, &setup, &plan.pieces(&capture.body));
            assert_eq!(whole, cut, "{} under {plan}", capture.name);
        }
        let healthy = capture.status.is_none_or(|status| status < 300);
        let unparsable = toolwire::model::ProblemKind::UnparsableEvent;
        assert!(!healthy || whole.errors.iter().all(|e| e.kind != unparsable), "{}", capture.name);
    }
    assert!(found.is_empty(), "{} disagreements\n{}", found.len(), found.join("\n\n"));
}

/// What can happen to a stream on its way, or in a careless server.
#[derive(Debug, Clone)]
enum Mutilation {
    DropEvent(Index),
    RepeatEvent(Index),
    SwapEvents(Index, Index),
    CutAt(Index),
    ReplaceByte(Index, u8),
    Splice(Index),
    /// Another value for some member.
    Bend(Index, Index),
}

fn mutilation() -> impl Strategy<Value = Mutilation> {
    prop_oneof![
        3 => any::<Index>().prop_map(Mutilation::DropEvent),
        2 => any::<Index>().prop_map(Mutilation::RepeatEvent),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Mutilation::SwapEvents(a, b)),
        2 => any::<Index>().prop_map(Mutilation::CutAt),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutilation::ReplaceByte(at, byte)),
        1 => any::<Index>().prop_map(Mutilation::Splice),
        4 => (any::<Index>(), any::<Index>()).prop_map(|(how, at)| Mutilation::Bend(how, at)),
    ]
}

/// Members and the values that servers, careless or not, give them.
const BENDS: &[(&str, &[&str])] = &[
    ("index", &["0", "1", "2", "-1", "0.0", "null"]),
    ("id", &[r#""x""#, r#""y""#, r#""""#, "7", "null"]),
    ("name", &[r#""now""#, r#""get""#, r#""_weather""#, r#""x_semantic_search""#, r#""""#, "null"]),
    ("arguments", &[r#""""#, r#""{""#, r#""1}""#, r#""{}""#, r#""{\"a\":1}""#, r#"{"a":1}"#, r#"" ""#, "[1]", "null"]),
    ("partial_json", &[r#""""#, r#""{""#, r#""1}""#, r#""{}""#, r#""{\"a\":1}""#, r#"{"a":1}"#, "[1]", "null"]),
    ("input", &[r#"{"a":1}"#, r#""""#, r#""x""#, "[]", "null"]),
    ("function", &[r#""{}""#, "{}", "null"]),
    ("finish_reason", &[r#""stop""#, r#""length""#, r#""error""#, r#""content_filter""#, r#""""#, "null"]),
    ("stop_reason", &[r#""end_turn""#, r#""max_tokens""#, r#""refusal""#, r#""pause_turn""#, r#""""#, "null"]),
    (
        "type",
        &[
            r#""tool_use""#,
            r#""text""#,
            r#""thinking""#,
            r#""server_tool_use""#,
            r#""function_call""#,
            r#""custom_tool_call""#,
            r#""mcp_call""#,
            r#""output_text""#,
            r#""refusal""#,
            r#""error""#,
            r#""message_stop""#,
            "null",
        ],
    ),
    ("content", &[r#""hi""#, r#"[{"type":"thinking","thinking":"a"}]"#, "null"]),
    ("refusal", &[r#""no""#, "null"]),
    ("delta", &["{}", r#"{"b":1.0}"#, "7", "null", r#""{\"a\":1}""#, r#""""#]),
    ("output_index", &["0", "1", "2", "1.0", r#""1""#, "null"]),
    ("item_id", &[r#""fc_1""#, r#""x""#, "null"]),
    ("call_id", &[r#""call_1""#, r#""x""#, r#""""#, "null"]),
    ("status", &[r#""completed""#, r#""incomplete""#, r#""failed""#, r#""in_progress""#, r#""odd""#, "null"]),
    ("item", &["null", "{}"]),
    ("response", &["{}", r#"{"usage":{"input_tokens":7}}"#, "null"]),
    ("part", &[r#"{"type":"output_text","text":"p"}"#, r#"{"type":"refusal","refusal":"p"}"#, "null"]),
    ("action", &[r#"{"a":1.0}"#, "[1]", r#""x""#, "null"]),
    ("object", &[r#""response""#, r#""error""#, "null"]),
    ("output", &["[]", "null"]),
    ("reason", &[r#""max_output_tokens""#, r#""content_filter""#, "null"]),
    ("text", &[r#""""#, r#""hi""#, "null"]),
    ("content_index", &["0", "1", "null"]),
    ("encrypted_content", &[r#""e""#, "null"]),
    ("summary", &[r#"[{"type":"summary_text","text":"s"}]"#, "[]", "null"]),
    ("args", &[r#"{"a":1}"#, "{}", r#""{}""#, r#""""#, "[1]", "null"]),
    (
        "functionCall",
        &["{}", r#"{"name":"f"}"#, r#"{"name":"f","willContinue":true}"#, r#"{"willContinue":true}"#, "null"],
    ),
    ("willContinue", &["true", "false", "null"]),
    ("jsonPath", &[r#""$.a""#, r#""$.a[0]""#, r#""$['b'].c""#, r#""$""#, r#""x""#, "null"]),
    ("stringValue", &[r#""s""#, r#""""#, "7", "null"]),
    ("numberValue", &["7", "1.50", r#""7""#, "null"]),
    (
        "finishReason",
        &[
            r#""STOP""#,
            r#""MAX_TOKENS""#,
            r#""SAFETY""#,
            r#""MALFORMED_FUNCTION_CALL""#,
            r#""CONTINUATION""#,
            r#""ODD""#,
            "1",
            "null",
        ],
    ),
    ("thought", &["true", "false", "null"]),
    ("thoughtSignature", &[r#""c2ln""#, r#""""#, "null"]),
    ("blockReason", &[r#""SAFETY""#, "1", "0", "null"]),
    ("parts", &["[]", "null"]),
    ("tool_calls", &["[]", "null"]),
    ("choices", &["[]", "[null]", "null"]),
    ("candidates", &["[]", "[null]", "null"]),
    (
        "partialArgs",
        &["[]", "{}", r#"[{"jsonPath":"$.a","nullValue":null}]"#, r#"[{"jsonPath":"$","numberValue":1}]"#, "null"],
    ),
    ("toolType", &[r#""""#, "null"]),
    ("signature", &[r#""s""#, r#""""#, "null"]),
    ("promptFeedback", &[r#"{"blockReason":"OTHER"}"#, "null"]),
    ("message", &[r#""m""#, "null"]),
    ("response", &["[]", "null"]),
    ("data", &["[]", "null"]),
    ("toolCalls", &["[]", "null"]),
    ("error", &[r#""x""#, r#"{"message":"m","code":"tool_use_failed"}"#, "false", "null"]),
];

/// The bytes with another value for one member, chosen by both indexes.
fn bend(bytes: &[u8], how: Index, at: Index) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let found =
        |key: &str| text.match_indices(&format!("\"{key}\":")).map(|(at, key)| at + key.len()).collect::<Vec<_>>();
    let spots: Vec<(&[&str], usize)> =
        BENDS.iter().flat_map(|(key, values)| found(key).into_iter().map(|at| (*values, at))).collect();
    let (values, start) = *spots.get(at.index(spots.len().max(1)))?;
    let mut old = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    old.next()?.ok()?;
    let end = start + old.byte_offset();
    Some([&text[..start], values[how.index(values.len())], &text[end..]].concat().into_bytes())
}

fn mutilate(bytes: &[u8], how: &Mutilation, other: &[u8]) -> Vec<u8> {
    let mut events: Vec<Vec<u8>> = ChunkPlan::Event.pieces(bytes).into_iter().map(<[u8]>::to_vec).collect();
    if events.is_empty() {
        return Vec::new();
    }
    match how {
        Mutilation::DropEvent(at) => drop(events.remove(at.index(events.len()))),
        Mutilation::RepeatEvent(at) => {
            let at = at.index(events.len());
            let event = events[at].clone();
            events.insert(at, event);
        }
        Mutilation::SwapEvents(a, b) => {
            let (a, b) = (a.index(events.len()), b.index(events.len()));
            events.swap(a, b);
        }
        Mutilation::CutAt(at) => return bytes[..at.index(bytes.len())].to_vec(),
        Mutilation::ReplaceByte(at, byte) => {
            let mut bytes = bytes.to_vec();
            let at = at.index(bytes.len());
            bytes[at] = *byte;
            return bytes;
        }
        Mutilation::Bend(how, at) => return bend(bytes, *how, *at).unwrap_or_else(|| bytes.to_vec()),
        Mutilation::Splice(at) => {
            let at = at.index(events.len());
            events.truncate(at);
            events.push(other.to_vec());
        }
    }
    events.concat()
}

static STREAMS: LazyLock<Vec<(Api, DecodeSetup, Vec<u8>)>> = LazyLock::new(|| {
    let small = responses().into_iter().filter(|(_, _, setup, body)| body.len() < 20_000 && setup.status == Some(200));
    small.map(|(_, api, setup, body)| (api, setup, body)).collect()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn they_agree_on_mutilated_streams(which in any::<Index>(), other in any::<Index>(), how in prop::collection::vec(mutilation(), 1..4)) {
        let (api, setup, body) = which.get(&STREAMS);
        let same_api: Vec<&Vec<u8>> = STREAMS.iter().filter(|(a, _, _)| a == api).map(|(_, _, body)| body).collect();
        let mut bytes = body.clone();
        for how in &how {
            bytes = mutilate(&bytes, how, same_api[other.index(same_api.len())]);
        }
        let found = disagreement(*api, setup, &bytes);
        prop_assert!(found.is_none(), "{}", found.unwrap());
    }

    #[test]
    fn any_cutting_gives_the_same_turn(which in any::<Index>(), how in prop::option::of(mutilation()), cuts in prop::collection::vec(any::<Index>(), 0..8)) {
        let (api, setup, body) = which.get(&STREAMS);
        let bytes = how.map_or_else(|| body.clone(), |how| mutilate(body, &how, body));
        let offsets = if bytes.is_empty() { Vec::new() } else { cuts.iter().map(|at| at.index(bytes.len())).collect() };
        let pieces = ChunkPlan::Offsets(offsets).pieces(&bytes);
        prop_assert_eq!(decode(*api, setup, &[&bytes[..]]), decode(*api, setup, &pieces));
    }

    #[test]
    fn nothing_panics_and_nothing_runs_on_noise(api in prop::sample::select(Api::ALL), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let turn = decode(api, &DecodeSetup { repair: true, ..DecodeSetup::default() }, &[&bytes]);
        prop_assert!(turn.calls.is_empty());
    }
}

#[test]
fn every_split_in_two_gives_the_same_turn() {
    for (api, setup, body) in STREAMS.iter().filter(|(_, _, body)| body.len() < 1500) {
        let whole = decode(*api, setup, &[body]);
        for plan in ChunkPlan::every_split(body.len()) {
            assert_eq!(whole, decode(*api, setup, &plan.pieces(body)), "{plan}");
        }
    }
}

/// A wider search than the property's, which stops at its first find: each kind of disagreement once, the shortest stream of it.
/// `TOOLWIRE_SURVEY=100000 cargo test --release --test oracle survey -- --ignored`
#[test]
#[ignore = "a search, which takes as long as it is told to"]
#[expect(clippy::disallowed_methods, reason = "how long comes from outside")]
fn survey() {
    let count = std::env::var("TOOLWIRE_SURVEY").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::default());
    let strategy = (any::<Index>(), any::<Index>(), prop::collection::vec(mutilation(), 1..4));
    let mut kinds: std::collections::BTreeMap<(&str, String), String> = std::collections::BTreeMap::new();
    for _ in 0..count {
        let (which, other, how) = strategy.new_tree(&mut runner).unwrap().current();
        let (api, setup, body) = which.get(&STREAMS);
        let same_api: Vec<&Vec<u8>> = STREAMS.iter().filter(|(a, _, _)| a == api).map(|(_, _, body)| body).collect();
        let mut bytes = body.clone();
        for how in &how {
            bytes = mutilate(&bytes, how, same_api[other.index(same_api.len())]);
        }
        let Some(found) = disagreement(*api, setup, &bytes) else { continue };
        let diff = found.split("\nstream:").next().unwrap_or_default();
        let kind: String = diff.lines().map(|line| line.split(':').next().unwrap_or(line).to_owned() + "\n").collect();
        let shortest = kinds.entry((api.name(), kind)).or_insert_with(|| found.clone());
        if found.len() < shortest.len() {
            *shortest = found;
        }
    }
    for ((api, _), found) in &kinds {
        println!("== {api}\n{found}\n");
    }
    assert!(kinds.is_empty(), "{} kinds of disagreement", kinds.len());
}
