//! Cases with requests, from the corpus to the checks.

use std::borrow::Cow;

use toolwire::check::CheckOutcome;
use toolwire::corpus::{Corpus, Files, Grade};
use toolwire::harness::{Finished, Interrupt, Plan, Selection, run};
use toolwire::json::JsonText;
use toolwire::model::ApiName;
use toolwire::observe::{Ended, Sent, SentRequest};
use toolwire::target::{Builtin, Naive, Stimulus, Target};
use toolwire::verdict::Outcome;

const CASE: &str = r#"{
    "title": "t", "why": "w", "class": "legal", "level": "must", "api": "openai-chat", "features": ["outbound"],
    "since": "2026.12", "source": [{ "kind": "docs", "ref": "a", "says": "b" }],
    "request": {
        "model": "m",
        "tools": [{ "name": "b", "description": "d", "parameters": { "type": "object", "properties": {} } },
                  { "name": "a", "description": "d", "parameters": { "type": "object", "properties": {} } }],
        "messages": [{ "role": "user", "content": "go" },
            { "role": "assistant", "content": [{ "type": "toolCall", "id": "call_a", "name": "a", "arguments": { "n": 1 } }] },
            { "role": "toolResult", "toolCallId": "call_a", "toolName": "a", "content": [{ "type": "text", "text": "1" }] }]
    },
    "turns": [{ "outbound": OUTBOUND }]
}"#;

fn corpus(outbound: &str, body: &str) -> Corpus {
    let mut files = Files::new();
    let text = CASE.replace("OUTBOUND", outbound);
    files.insert("openai-chat/x/case.json".to_owned(), Cow::Owned(text.into_bytes()));
    files.insert("openai-chat/x/1.request.json".to_owned(), Cow::Owned(body.as_bytes().to_vec()));
    Corpus::build(&files).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Outcome, checks with their outcomes, and the message.
fn ran(
    corpus: &Corpus,
    target: &dyn Target,
    at_least: Option<Grade>,
) -> (Outcome, Vec<(String, bool)>, Option<String>) {
    let plan = Plan::new(corpus, &Selection { at_least, ..Selection::default() }).unwrap();
    let mut all: Vec<Finished<'_>> = Vec::new();
    run(&plan, target, 1, &Interrupt::new(), &|_, _| false, &mut |_, results| all.extend(results));
    assert_eq!(all.len(), 1);
    let one = all.remove(0);
    let checks = one.checks.iter().map(|check| (check.check.clone(), check.outcome == CheckOutcome::Pass)).collect();
    (one.outcome, checks, one.message)
}

const NAMES: &str = r#"{ "body": "1.request.json", "at": ["/tools/0/function/name"], "absent": ["/tool_choice"] }"#;

#[test]
fn builtin_sends_what_the_case_expects() {
    let corpus = corpus(NAMES, r#"{"tools":[{"function":{"name":"a"}}]}"#);
    let (outcome, checks, message) = ran(&corpus, &Builtin, None);
    assert_eq!((outcome, message), (Outcome::Pass, None), "{checks:?}");
    let names: Vec<&str> = checks.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["outbound.request", "outbound.tools", "outbound.tool_choice", "outbound.determinism", "outbound.prefix"]
    );
}

#[test]
fn a_difference_fails_its_check() {
    let corpus = corpus(NAMES, r#"{"tools":[{"function":{"name":"b"}}]}"#);
    let (outcome, checks, _) = ran(&corpus, &Builtin, None);
    assert_eq!(outcome, Outcome::Fail);
    assert!(
        checks.contains(&("outbound.tools".to_owned(), false))
            && checks.contains(&("outbound.request".to_owned(), true))
    );
}

#[test]
fn a_target_without_requests_is_unsupported() {
    let (outcome, checks, message) = ran(&corpus(NAMES, "{}"), &Naive::healthy(), None);
    assert_eq!((outcome, checks.len()), (Outcome::Unsupported, 0));
    assert!(message.unwrap().contains("naive"));
}

/// Sends tools as they come, and forgets the first message once there is a second.
struct Careless {
    sorts: bool,
}

impl Target for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn run(&self, _: &Stimulus<'_>) -> Ended {
        Ended::Observed(Vec::new())
    }

    fn encode(&self, _: &ApiName, request: &JsonText) -> Sent {
        let doc = request.doc();
        let names = doc.root().get("tools").unwrap().items().map(|tool| tool.text_of("name").unwrap());
        let tools: Vec<String> =
            names.map(|name| format!(r#"{{"type":"function","function":{{"name":"{name}"}}}}"#)).collect();
        let count = doc.root().get("messages").unwrap().items().count();
        let body = format!(
            r#"{{"model":"m","tools":[{}],"messages":[{{"role":"user","content":"{count} messages"}}]}}"#,
            tools.join(",")
        );
        let request = SentRequest { body: body.into_bytes(), ..SentRequest::default() };
        Sent::Request { request, diagnostics: None }
    }

    fn sorts_tools(&self) -> bool {
        self.sorts
    }
}

#[test]
fn order_and_prefix_are_asked_of_those_that_promise_them() {
    let corpus = corpus(r#"{ "absent": ["/store"] }"#, "{}");
    let (outcome, checks, _) = ran(&corpus, &Careless { sorts: true }, None);
    assert_eq!(outcome, Outcome::Fail);
    for name in ["outbound.determinism", "outbound.prefix"] {
        assert!(checks.contains(&(name.to_owned(), false)), "{checks:?}");
    }
    let (outcome, checks, _) = ran(&corpus, &Careless { sorts: false }, None);
    assert_eq!(outcome, Outcome::Pass, "{checks:?}");
    assert!(checks.contains(&("outbound.determinism".to_owned(), true)));
}

#[test]
fn bytes_can_be_demanded_of_every_case() {
    let corpus =
        corpus(r#"{ "body": "1.request.json", "at": ["/model"], "grade": "equivalent" }"#, r#"{"model":"\u006d"}"#);
    assert_eq!(ran(&corpus, &Builtin, Some(Grade::Exact)).0, Outcome::Pass);
    assert_eq!(ran(&corpus, &Builtin, Some(Grade::Bytes)).0, Outcome::Fail);
}

#[test]
fn mistakes_in_a_case_are_named() {
    for (outbound, message) in [
        (r#"{ "rules": ["ANT-Q-001"] }"#, "`ANT-Q-001` is no rule of openai-chat (at /turns/0/outbound/rules/0)"),
        (r#"{ "body": "2.request.json" }"#, "there is no file `2.request.json`"),
        (r#"{ "at": ["/a"], "path": "/" }"#, "there is no `body` to compare with (at /turns/0/outbound/at)"),
        (r#"{ "path": "/", "grade": "same" }"#, "`same` is not one of equivalent, exact, bytes"),
        (r#"{ "body": "1.request.json" }"#, "`1.request.json` is not JSON"),
    ] {
        let mut files = Files::new();
        files.insert("openai-chat/x/case.json".to_owned(), Cow::Owned(CASE.replace("OUTBOUND", outbound).into_bytes()));
        files.insert("openai-chat/x/1.request.json".to_owned(), Cow::Borrowed(b"{"));
        let errors: Vec<String> = Corpus::build(&files).unwrap_err().iter().map(ToString::to_string).collect();
        assert!(errors.iter().any(|error| error.contains(message)), "{message}: {errors:?}");
    }
}
