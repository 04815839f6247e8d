//! The JSON Schemas of the corpus against its files, and against the loader: neither may drift from the other.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};
use toolwire::corpus::{Corpus, Files};
use toolwire::model::Api;

/// Where the schemas stand for their references to each other, which are relative.
const BASE: &str = "json-schema:///";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Halves of surrogate pairs as U+FFFD: a case may hold them, and `serde_json` does not read them.
fn whole_pairs(text: &str) -> String {
    let is = |at: usize, kinds: &[&str]| {
        text.get(at..at + 3).is_some_and(|start| start.starts_with("\\u"))
            && text.get(at + 2..at + 4).is_some_and(|kind| kinds.iter().any(|k| kind.eq_ignore_ascii_case(k)))
    };
    let (high, low) = (["d8", "d9", "da", "db"], ["dc", "dd", "de", "df"]);
    let mut whole = text.to_owned();
    for (at, _) in text.match_indices("\\u") {
        let before = at.checked_sub(6);
        let half =
            is(at, &high) && !is(at + 6, &low) || is(at, &low) && !before.is_some_and(|before| is(before, &high));
        if half {
            whole.replace_range(at..at + 6, "\\ufffd");
        }
    }
    whole
}

fn read(path: &Path) -> Value {
    let text = whole_pairs(&std::fs::read_to_string(path).unwrap());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every schema by its file name.
static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let files = std::fs::read_dir(corpus().join("schema")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path))).collect()
});

static VALIDATORS: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
    let mut registry = Registry::new();
    for (name, schema) in &*SCHEMAS {
        registry = registry.add(format!("{BASE}{name}"), schema.clone()).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let build = |name: &str| {
        let reference = json!({ "$ref": format!("{BASE}{name}") });
        jsonschema::options().with_registry(&registry).offline().build(&reference).unwrap()
    };
    SCHEMAS.keys().map(|name| (name.trim_end_matches(".schema.json").to_owned(), build(name))).collect()
});

/// What the schema has against a value.
fn by_schema(name: &str, value: &Value) -> Vec<String> {
    VALIDATORS[name].iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// What the loader has against a corpus of these files, and of the bodies that they name.
fn by_loader(files: &[(&str, &str)]) -> Vec<String> {
    let mut all: Files<'_> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec().into())).collect();
    for (path, _) in files {
        if let Some(folder) = path.strip_suffix("/case.json") {
            all.insert(format!("{folder}/1.response.sse"), b"data: {{PAD}}\n\n".as_slice().into());
            all.insert(format!("{folder}/1.request.json"), b"{}\n".as_slice().into());
        }
    }
    match Corpus::build(&all) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

fn case_by_loader(case: &Value) -> Vec<String> {
    by_loader(&[("conversations/x/case.json", &case.to_string())])
}

/// The value with another one at `pointer`, or with nothing there if `new` is empty.
fn change(value: &Value, pointer: &str, new: &str) -> Value {
    let mut value = value.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap_or_else(|| panic!("no parent of {pointer}"));
    if new.is_empty() {
        parent.as_object_mut().unwrap().remove(key).unwrap_or_else(|| panic!("nothing at {pointer}"));
        return value;
    }
    let new = serde_json::from_str(new).unwrap_or_else(|error| panic!("{pointer}: {error}"));
    match parent {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = new,
        object => drop(object.as_object_mut().unwrap().insert(key.to_owned(), new)),
    }
    value
}

const SOURCE: &str = r#"{ "kind": "docs", "ref": "a page", "says": "so" }"#;

/// A case with every object that a case can hold.
static CASE: LazyLock<Value> = LazyLock::new(|| {
    let call = json!({ "type": "toolCall", "id": "call_a", "name": "f", "arguments": { "n": 1 } });
    json!({
        "title": "t", "why": "w", "class": "legal", "level": "must", "api": "openai-chat", "features": ["x"],
        "since": "2026.12", "source": [serde_json::from_str::<Value>(SOURCE).unwrap()],
        "request": { "model": "m", "messages": [{ "role": "user", "content": "hi" }] },
        "turns": [{
            "response": {
                "status": 200, "headers": { "content-type": "text/event-stream" }, "body": "1.response.sse",
                "end": "eof", "cuts": [3], "expand": { "{{PAD}}": { "repeat": "ab", "times": 2 } },
            },
            "expect": {
                "calls": [call], "text": "", "stop": "toolUse", "errors": [{ "kind": "blocked" }],
                "thinking": [{ "text": "h" }], "incomplete": [{ "argumentsText": "{" }], "usage": { "inputTokens": 1 },
                "serverCalls": [{ "name": "g" }], "choices": [{ "text": "" }],
            },
            "accept": [{ "grade": "lenient", "why": "w", "expect": { "calls": [] } }],
            "outbound": {
                "body": "1.request.json", "at": ["/tools"], "grade": "exact", "absent": ["/store"], "path": "/",
                "headers": { "x": null }, "rules": [], "placeholders": true,
                "diagnostics": [{ "tool": "f" }],
            },
        }],
        "vary": { "chunking": ["whole", "seed:7"], "newline": ["lf"] },
    })
});

static FRAMING: LazyLock<Value> = LazyLock::new(|| {
    let case = change(&change(&CASE, "/api", r#""framing""#), "/turns/0/outbound", "");
    let frames = r#"{ "frames": [{ "event": "e", "data": "" }], "comments": ["c"],
        "strays": [{ "field": "f", "value": "" }], "unterminated": true, "faults": ["f"] }"#;
    change(&change(&case, "/turns/0/expect", frames), "/turns/0/accept/0/expect", r#"{ "frames": [] }"#)
});

static KINDS: LazyLock<Value> = LazyLock::new(|| {
    let kind = json!({ "id": "k", "scope": "calls", "title": "t", "says": "s", "notApplicable": { "framing": "why" } });
    json!({ "kinds": [kind] })
});

fn kinds_by_loader(kinds: &Value) -> Vec<String> {
    by_loader(&[("kinds.json", &kinds.to_string())])
}

#[test]
fn schemas_are_valid_and_named_after_their_files() {
    assert_eq!(SCHEMAS.len(), 7);
    for (name, schema) in &*SCHEMAS {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
        assert_eq!(schema["$id"], json!(name));
        assert_eq!(schema["$schema"], json!("https://json-schema.org/draft/2020-12/schema"));
    }
}

#[test]
fn every_declared_key_has_a_description() {
    /// Conditions and alternatives narrow a key that is described elsewhere.
    const NARROWING: &[&str] = &["if", "then", "else", "anyOf", "contains", "not", "expectsTurn", "expectsFrames"];
    fn walk(name: &str, schema: &Value, out: &mut Vec<String>) {
        let Some(object) = schema.as_object() else {
            schema.as_array().into_iter().flatten().for_each(|item| walk(name, item, out));
            return;
        };
        for (key, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if property["description"].as_str().is_none_or(str::is_empty) {
                out.push(format!("{name}: {key}"));
            }
        }
        object
            .iter()
            .filter(|(key, _)| !NARROWING.contains(&key.as_str()))
            .for_each(|(_, inner)| walk(name, inner, out));
    }
    let mut bare = Vec::new();
    SCHEMAS.iter().for_each(|(name, schema)| walk(name, schema, &mut bare));
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn the_corpus_keeps_its_schemas() {
    let folders = |dir: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let mut files: Vec<(&str, PathBuf)> =
        ["kinds", "renames", "retired"].map(|name| (name, corpus().join(format!("{name}.json")))).to_vec();
    for root in [Some(corpus()), support::shared("examples/corpus")].into_iter().flatten() {
        let cases = folders(&root).into_iter().flat_map(|api| folders(&api)).map(|case| case.join("case.json"));
        files.extend(cases.map(|path| ("case", path)));
    }
    assert!(files.len() > 390, "{}", files.len());
    let mut found = Vec::new();
    for (schema, path) in files {
        found.extend(by_schema(schema, &read(&path)).into_iter().map(|error| format!("{} {error}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Closed objects: where one stands in a file, and where its schema does.
const CLOSED: &[(&str, &str, &str)] = &[
    ("case", "", ""),
    ("case", "/source/0", "/$defs/source"),
    ("case", "/turns/0", "/$defs/turn"),
    ("case", "/turns/0/response", "/$defs/response"),
    ("case", "/turns/0/response/expand/{{PAD}}", "/$defs/response/properties/expand/additionalProperties"),
    ("case", "/turns/0/accept/0", "/$defs/turn/properties/accept/items"),
    ("case", "/vary", "/$defs/vary"),
    ("case", "/turns/0/outbound", "/$defs/outbound"),
    ("turn", "/turns/0/expect", ""),
    ("turn", "/turns/0/expect/choices/0", ""),
    ("turn", "/turns/0/accept/0/expect", ""),
    ("turn", "/turns/0/expect/calls/0", "/$defs/call"),
    ("turn", "/turns/0/expect/errors/0", "/$defs/problem"),
    ("turn", "/turns/0/expect/thinking/0", "/$defs/thinking"),
    ("turn", "/turns/0/expect/incomplete/0", "/$defs/incomplete"),
    ("turn", "/turns/0/expect/usage", "/$defs/usage"),
    ("turn", "/turns/0/expect/serverCalls/0", "/$defs/serverCall"),
    ("framing-expect", "/turns/0/expect", ""),
    ("framing-expect", "/turns/0/accept/0/expect", ""),
    ("framing-expect", "/turns/0/expect/frames/0", "/properties/frames/items"),
    ("framing-expect", "/turns/0/expect/strays/0", "/properties/strays/items"),
    ("kinds", "", ""),
    ("kinds", "/kinds/0", "/properties/kinds/items"),
];

/// Those that are compared as they stand.
const SUBSETS: &[&str] =
    &["/$defs/problem", "/$defs/thinking", "/$defs/incomplete", "/$defs/usage", "/$defs/serverCall"];

/// Closed lists of words, likewise.
const WORDS: &[(&str, &str, &str)] = &[
    ("case", "/class", "/properties/class"),
    ("case", "/level", "/properties/level"),
    ("case", "/source/0/kind", "/$defs/source/properties/kind"),
    ("case", "/turns/0/response/end", "/$defs/response/properties/end"),
    ("case", "/turns/0/outbound/grade", "/$defs/outbound/properties/grade"),
    ("case", "/vary/newline/0", "/$defs/vary/properties/newline/items"),
    ("turn", "/turns/0/expect/stop", "/properties/stop"),
    ("turn", "/turns/0/expect/errors/0/kind", "/$defs/problem/properties/kind"),
    ("kinds", "/kinds/0/scope", "/properties/kinds/items/properties/scope"),
];

/// What the loader says of the file that this schema is about, once it is changed at `pointer`.
fn provoke(schema: &str, pointer: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let base = match schema {
        "framing-expect" => &FRAMING,
        "kinds" => &KINDS,
        _ => &CASE,
    };
    let value = change(base, pointer, new);
    if schema == "kinds" {
        (by_schema("kinds", &value), kinds_by_loader(&value))
    } else {
        (by_schema("case", &value), case_by_loader(&value))
    }
}

/// The list that closes the loader's message, before the place of the error.
fn listed<'m>(message: &'m str, before: &str) -> BTreeSet<&'m str> {
    let (_, list) = message.split_once(before).unwrap_or_else(|| panic!("no `{before}` in: {message}"));
    list.split(" (at ").next().unwrap().split(", ").collect()
}

#[test]
fn objects_know_the_same_keys_as_the_loader() {
    for (schema, place, path) in CLOSED {
        let (ours, loader) = provoke(schema, &format!("{place}/nonsense"), "1");
        assert!(!ours.is_empty(), "{schema} {place} is open");
        let definition = SCHEMAS[&format!("{schema}.schema.json")].pointer(path).unwrap();
        assert_eq!(definition["additionalProperties"], json!(false), "{schema} {place}");
        let keys: BTreeSet<&str> = definition["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, listed(&loader[0], "; known are "), "{schema} {place}");
        for key in definition["required"].as_array().into_iter().flatten() {
            let (ours, loader) = provoke(schema, &format!("{place}/{}", key.as_str().unwrap()), "null");
            assert!(!ours.is_empty() && !loader.is_empty(), "{schema} {place}/{key}");
        }
        let required = definition["required"].as_array().cloned().unwrap_or_default();
        for key in keys.into_iter().filter(|key| !required.contains(&json!(key))) {
            // Where an object is a subset, null is a value that never matches.
            if SUBSETS.contains(path) {
                continue;
            }
            // Null says the same as leaving the key out, and that breaks no object but by its own rules.
            let (ours, loader) = provoke(schema, &format!("{place}/{key}"), "null");
            assert_eq!(ours.is_empty(), loader.is_empty(), "{schema} {place}/{key}: {ours:?} {loader:?}");
        }
    }
}

#[test]
fn enums_know_the_same_words_as_the_loader() {
    for (schema, place, definition) in WORDS {
        let (ours, loader) = provoke(schema, place, r#""nonsense""#);
        assert!(!ours.is_empty(), "{schema} {place} is open");
        let definition = SCHEMAS[&format!("{schema}.schema.json")].pointer(definition).unwrap();
        let words: BTreeSet<&str> = definition["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(words, listed(&loader[0], " is not one of "), "{schema} {place}");
    }
    let mut apis: Vec<&str> = Api::ALL.iter().map(|api| api.name()).collect();
    apis.push("framing");
    assert_eq!(SCHEMAS["case.schema.json"]["properties"]["api"]["enum"], json!(apis));
}

/// Changes that break a case: a pointer and the new value, nothing to remove it.
const BROKEN: &[(&str, &str)] = &[
    (
        "/turns/0/expect/calls/0",
        r#"{ "type": "toolCall", "id": "a", "name": "f", "arguments": "text", "kind": "of its own" }"#,
    ),
    ("/title", ""),
    ("/title", r#""  ""#),
    ("/why", "7"),
    ("/since", r#""""#),
    ("/since", r#""next""#),
    ("/since", r#""2026.13""#),
    ("/level", r#""may""#),
    ("/level", r#""Must""#),
    ("/class", "null"),
    ("/api", r#""cohere-chat""#),
    ("/api", r#""openai-chat/deepseek""#),
    ("/api", r#""framing""#),
    ("/dialect", "1"),
    ("/features", r#""x""#),
    ("/features", "[1]"),
    ("/source", "[]"),
    ("/toolScript", "{}"),
    ("/toolScript", r#"[{ "name": "f" }]"#),
    ("/source", "{}"),
    ("/source/0/ref", r#""""#),
    ("/request", ""),
    ("/turns", "{}"),
    ("/turns", "[]"),
    ("/turns/0", "{}"),
    ("/turns/0", "[]"),
    ("/turns/0/expect", ""),
    ("/turns/0/expect", "[]"),
    ("/turns/0/expect", "{}"),
    ("/turns/0/response", ""),
    ("/turns/0/response/body", ""),
    ("/turns/0/response/body", r#""""#),
    ("/turns/0/response/body", r#""../1.response.sse""#),
    ("/turns/0/response/body", r#""a/1.response.sse""#),
    ("/turns/0/response/body", r#""a\\1.response.sse""#),
    ("/turns/0/response/body", r#"".1.response.sse""#),
    ("/turns/0/response/status", "99"),
    ("/turns/0/response/status", "600"),
    ("/turns/0/response/status", r#""200""#),
    ("/turns/0/response/headers", "[]"),
    ("/turns/0/response/headers", r#"{ "a": 1 }"#),
    ("/turns/0/response/headers", r#"{ "a": null }"#),
    ("/turns/0/response/end", r#""EOF""#),
    ("/turns/0/response/cuts", "3"),
    ("/turns/0/response/cuts", "[0]"),
    ("/turns/0/response/cuts", "[-1]"),
    ("/turns/0/response/cuts", "[1.5]"),
    ("/turns/0/response/expand", r#"{ "": { "repeat": "a", "times": 1 } }"#),
    ("/turns/0/response/expand", r#"{ "{{A}}": { "repeat": "a", "times": -1 } }"#),
    ("/turns/0/response/expand", r#"{ "{{A}}": { "repeat": "a", "times": 33554433 } }"#),
    ("/turns/0/response/expand", r#"{ "{{A}}": "aaa" }"#),
    ("/turns/0/expect/calls", "{}"),
    ("/turns/0/expect/calls/0", "[]"),
    ("/turns/0/expect/calls/0/type", ""),
    ("/turns/0/expect/calls/0/type", r#""tool_use""#),
    ("/turns/0/expect/calls/0/id", r#""""#),
    ("/turns/0/expect/calls/0/name", ""),
    ("/turns/0/expect/calls/0/arguments", "[]"),
    ("/turns/0/expect/calls/0/arguments", r#""text""#),
    ("/turns/0/expect/calls/0/kind", r#""custom""#),
    ("/turns/0/expect/text", "0"),
    ("/turns/0/expect/stop", r#""tool_use""#),
    ("/turns/0/expect/errors", r#"[{ "id": "a" }]"#),
    ("/turns/0/expect/errors", r#"["blocked"]"#),
    ("/turns/0/expect/thinking", r#"["text"]"#),
    ("/turns/0/expect/usage", "[]"),
    ("/turns/0/expect/choices", r#"[{ "stop": "end" }]"#),
    ("/turns/0/expect/diagnostics", "[]"),
    ("/turns/0/expect/frames", "[]"),
    ("/turns/0/outbound", "[]"),
    ("/turns/0/outbound", "{}"),
    ("/turns/0/outbound", r#"{ "absent": [], "rules": [] }"#),
    ("/turns/0/outbound", r#"{ "at": ["/tools"], "absent": ["/store"] }"#),
    ("/turns/0/outbound", r#"{ "absent": ["store"] }"#),
    ("/turns/0/outbound", r#"{ "path": "/", "refused": "any" }"#),
    ("/turns/0/outbound", r#"{ "path": "/", "headers": { "x": 1 } }"#),
    ("/turns/0/outbound", r#"{ "body": "../1.request.json" }"#),
    ("/turns/0/outbound", r#"{ "diagnostics": [{ "kind": "x" }] }"#),
    ("/turns/0/accept", "{}"),
    ("/turns/0/accept/0/grade", r#""strict""#),
    ("/turns/0/accept/0/why", ""),
    ("/turns/0/accept/0/expect", ""),
    ("/turns/0/accept/0/expect", "null"),
    ("/turns/0/accept/0/expect/calls", "[{}]"),
    ("/vary", "[]"),
    ("/vary/chunking", "[]"),
    ("/vary/chunking", r#""whole""#),
    ("/vary/chunking", r#"["at:3"]"#),
    ("/vary/chunking", r#"["seed"]"#),
    ("/vary/chunking", r#"["seed:-1"]"#),
    ("/vary/chunking", r#"["bytes"]"#),
    ("/vary/newline", r#"["mixed"]"#),
    ("/$schema", r#""case.schema.json""#),
];

/// Changes that leave a case as good as it was.
const SOUND: &[(&str, &str)] = &[
    ("/dialect", r#""deepseek""#),
    ("/dialect", "null"),
    ("/features", "[]"),
    ("/since", r#""2027.01""#),
    ("/request/more", "{}"),
    ("/request/options", r#"{ "cacheRetention": "short", "strict": null, "more": 1 }"#),
    ("/vary", ""),
    ("/vary/newline", "[]"),
    ("/vary/chunking", r#"["whole", "event", "line", "byte", "cut", "cut:1", "seed:18446744073709551615"]"#),
    ("/turns/0/accept", "[]"),
    ("/turns/0/outbound", "null"),
    ("/turns/0/outbound", r#"{ "body": "1.request.json", "at": ["", "/tools"], "headers": { "x": null } }"#),
    ("/turns/0/outbound", r#"{ "body": "1.request.json", "placeholders": true }"#),
    ("/turns/0/outbound", r#"{ "refused": "<any>", "absent": [], "headers": {} }"#),
    ("/turns/0/outbound", r#"{ "rules": ["OAI-C-012"], "diagnostics": [{ "tool": "f" }] }"#),
    ("/turns/0", r#"{ "outbound": { "absent": ["/store"] } }"#),
    ("/turns/0/response", r#"{ "body": "1.response.sse" }"#),
    ("/turns/0/response/status", "200.0"),
    ("/turns/0/response/headers", "{}"),
    ("/turns/0/response/cuts", "[]"),
    ("/turns/0/response/expand", "{}"),
    ("/turns/0/response/expand", r#"{ "{{A}}": { "repeat": "", "times": 99999999 } }"#),
    ("/turns/0/expect/calls", "[]"),
    ("/turns/0/expect/calls/0/id", r#""<any>""#),
    (
        "/turns/0/expect/calls/0",
        r#"{ "type": "toolCall", "id": "a", "name": "f", "arguments": "text", "kind": "custom" }"#,
    ),
    ("/turns/0/expect/errors/0", r#"{ "kind": "http_status", "message": "<any>" }"#),
    ("/turns/0/expect/thinking/0", r#"{ "encrypted": "e" }"#),
    ("/turns/0/expect/usage", "{}"),
    ("/toolScript", r#"[{ "name": "f", "nth": 0, "result": "18C" }]"#),
    ("/tools", r#"[{ "name": "f", "mode": "parallel", "script": [{ "hang": true }] }]"#),
    ("/trace", r#"[{ "event": "agent_start" }]"#),
    ("/abortAfter", "1"),
];

const BROKEN_FRAMING: &[(&str, &str)] = &[
    ("/api", r#""openai-chat""#),
    ("/turns/0/expect/frames", ""),
    ("/turns/0/expect/frames", r#"["data"]"#),
    ("/turns/0/expect/frames/0/data", ""),
    ("/turns/0/expect/frames/0/event", "1"),
    ("/turns/0/expect/comments", r#""c""#),
    ("/turns/0/expect/strays", r#"[["f", "v"]]"#),
    ("/turns/0/expect/strays/0/value", ""),
    ("/turns/0/expect/unterminated", "1"),
    ("/turns/0/expect/faults", "[{}]"),
    ("/turns/0/expect", r#"{ "calls": [] }"#),
    ("/turns/0/accept/0/expect", r#"{ "text": "" }"#),
];

const SOUND_FRAMING: &[(&str, &str)] = &[
    ("/turns/0/expect", r#"{ "frames": [] }"#),
    ("/turns/0/expect/frames/0/event", "null"),
    ("/turns/0/expect/comments", "[]"),
    ("/turns/0/expect/unterminated", "false"),
];

const BROKEN_KINDS: &[(&str, &str)] = &[
    ("/kinds", ""),
    ("/kinds", "{}"),
    ("/kinds/0", r#""k""#),
    ("/kinds/0/id", r#""""#),
    ("/kinds/0/scope", r#""all""#),
    ("/kinds/0/title", ""),
    ("/kinds/0/notApplicable", "[]"),
    ("/kinds/0/notApplicable", r#"{ "framing": true }"#),
];

const SOUND_KINDS: &[(&str, &str)] =
    &[("/kinds", "[]"), ("/kinds/0/scope", r#""framing""#), ("/kinds/0/notApplicable", "")];

#[test]
fn loader_and_schema_refuse_and_accept_the_same() {
    assert_eq!((by_schema("case", &CASE), case_by_loader(&CASE)), (vec![], vec![]));
    assert_eq!((by_schema("case", &FRAMING), case_by_loader(&FRAMING)), (vec![], vec![]));
    assert_eq!((by_schema("kinds", &KINDS), kinds_by_loader(&KINDS)), (vec![], vec![]));
    let tables = [
        ("case", BROKEN, SOUND),
        ("framing-expect", BROKEN_FRAMING, SOUND_FRAMING),
        ("kinds", BROKEN_KINDS, SOUND_KINDS),
    ];
    let mut offences = Vec::new();
    for (schema, broken, sound) in tables {
        for (list, good) in [(broken, false), (sound, true)] {
            for (pointer, new) in list {
                let (ours, loader) = provoke(schema, pointer, new);
                if (ours.is_empty(), loader.is_empty()) != (good, good) {
                    offences.push(format!("{schema} {pointer} {new}\n  schema: {ours:?}\n  loader: {loader:?}"));
                }
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn old_ids_are_read_alike() {
    let case = CASE.to_string();
    for (name, text, good) in [
        ("renames", r#"{ "renames": {} }"#, true),
        ("renames", r#"{ "renames": { "openai-chat/a-1": "conversations/x" } }"#, true),
        ("renames", "{}", false),
        ("renames", r#"{ "renames": [] }"#, false),
        ("renames", r#"{ "renames": { "a/b": 1 } }"#, false),
        ("renames", r#"{ "renames": { "a/B": "conversations/x" } }"#, false),
        ("renames", r#"{ "renames": { "a/b": "x" } }"#, false),
        ("renames", r#"{ "renames": {}, "more": {} }"#, false),
        ("retired", r#"{ "retired": {} }"#, true),
        ("retired", r#"{ "retired": { "a/b": "why" } }"#, true),
        ("retired", "{}", false),
        ("retired", r#"{ "retired": { "a/b": null } }"#, false),
        ("retired", r#"{ "retired": {}, "renames": {} }"#, false),
    ] {
        let path = format!("{name}.json");
        let loader = by_loader(&[("conversations/x/case.json", &case), (&path, text)]);
        let ours = by_schema(name, &serde_json::from_str(text).unwrap());
        assert_eq!((ours.is_empty(), loader.is_empty()), (good, good), "{text}\n{ours:?}\n{loader:?}");
    }
}

/// What the loader lets through and the schema does not: parts that are not judged yet, and values that could never
/// match a turn. What the loader learns to refuse moves to `BROKEN`.
const SCHEMA_ALONE: &[(&str, &str)] = &[
    ("/request", "1"),
    ("/request/model", ""),
    ("/request/messages", "{}"),
    ("/tools", r#"[{ "script": [] }]"#),
    ("/trace", r#"["agent_start"]"#),
    ("/traceMatch", "1"),
    ("/turns/0/expect/calls/0/itemId", "1"),
    ("/turns/0/expect/calls/0/repaired", r#""yes""#),
    ("/turns/0/expect/errors/0/id", "1"),
    ("/turns/0/expect/thinking/0/signature", "null"),
    ("/turns/0/expect/incomplete/0/argumentsText", "{}"),
    ("/turns/0/expect/usage/inputTokens", r#""ten""#),
    ("/turns/0/expect/serverCalls/0/kind", "1"),
    ("/vary/chunking", r#"["seed:+7"]"#),
];

#[test]
fn where_the_schema_is_stricter_is_known() {
    for (pointer, new) in SCHEMA_ALONE {
        let (ours, loader) = provoke("case", pointer, new);
        assert_eq!((ours.is_empty(), loader.is_empty()), (false, true), "{pointer} {new}: {ours:?} {loader:?}");
    }
}

/// What takes more than the one file to see.
const LOADER_ALONE: &[(&str, &str)] = &[
    ("/turns/0/response/body", r#""2.response.sse""#),
    ("/turns/0/response/cuts", "[99]"),
    ("/turns/0/response/expand", r#"{ "{{A}}": { "repeat": "aaa", "times": 33554432 } }"#),
    ("/vary/chunking", r#"["seed:18446744073709551616"]"#),
];

#[test]
fn where_the_loader_is_stricter_is_known() {
    for (pointer, new) in LOADER_ALONE {
        let (ours, loader) = provoke("case", pointer, new);
        assert_eq!((ours.is_empty(), loader.is_empty()), (true, false), "{pointer} {new}: {ours:?} {loader:?}");
    }
    let case = CASE.to_string();
    assert!(!by_loader(&[("anthropic-messages/x/case.json", &case)]).is_empty());
    assert!(!by_loader(&[("conversations/x/case.json", &case.replacen('{', r#"{"level":"must","#, 1))]).is_empty());
}
