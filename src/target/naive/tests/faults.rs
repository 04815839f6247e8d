//! The reproductions of faults that real clients had, where that collection is at hand.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::read;
use crate::json::Style;
use crate::model::Api;
use crate::providers::DecodeSetup;

/// The collection: under `$TOOLWIRE_SHARED`, or beside the repository.
#[expect(clippy::disallowed_methods, reason = "a test looks for material outside the repository")]
fn cases() -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var("TOOLWIRE_SHARED").map_or_else(|_| beside(), PathBuf::from);
    let entries = std::fs::read_dir(shared.join("faults/cases")).into_iter().flatten();
    let mut cases: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    cases.sort();
    cases
}

#[expect(clippy::disallowed_methods, reason = "a test reads material outside the repository")]
fn text(path: &Path) -> Option<String> {
    let mut text = std::fs::read_to_string(path).ok()?;
    while let Some(at) = text.find("{{REPEAT x ") {
        let count = text[at + 11..].split('}').next().unwrap().to_owned();
        text = text.replace(&format!("{{{{REPEAT x {count}}}}}"), &"x".repeat(count.parse().unwrap()));
    }
    Some(text)
}

/// An expected value is a subset; arrays are equal in length and order; `<any>` is any string.
fn matches(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => expected
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "api" | "accept"))
            .all(|(key, value)| actual.get(key).is_some_and(|other| matches(value, other))),
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual).all(|(a, b)| matches(a, b))
        }
        (Value::String(any), Value::String(id)) if any == "<any>" => !id.is_empty(),
        _ => expected == actual,
    }
}

#[test]
fn the_faults_of_real_clients_are_not_ours() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for case in cases() {
        let Some(expected) = text(&case.join("expected.json")) else { continue };
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let api = expected["api"].as_str().unwrap().split('/').next().unwrap().parse::<Api>();
        let body = ["stream.sse", "response.json"].iter().find_map(|name| text(&case.join(name)));
        let (Ok(api), Some(body)) = (api, body) else { continue };
        seen += 1;
        let turn = read(api, &DecodeSetup::default(), None, &[body.as_bytes()]);
        let single: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        assert_eq!(read(api, &DecodeSetup::default(), None, &single), turn, "{}", case.display());
        let actual: Value = serde_json::from_str(&turn.to_json(Style::Compact)).unwrap();
        let accepted = expected["accept"].as_array().into_iter().flatten();
        if !matches(&expected, &actual) {
            let name = case.file_name().unwrap().to_string_lossy();
            if accepted.into_iter().any(|accepted| matches(accepted, &actual)) {
                println!("{name} is read as an accepted variant");
            } else {
                wrong.push(format!("{name}: {actual}"));
            }
        }
    }
    println!("{seen} faults");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
