//! Conversations of every odd kind, as they are replayed.

use super::super::adjustments::Adjustments;
use super::super::ids::IdRule;
use super::{Block, Item, ReplayRules, Transcript, replay};
use crate::json::Doc;
use crate::model::{Api, Request};

const RULES: ReplayRules = ReplayRules { api: Api::AnthropicMessages, ids: IdRule::Word(64), stored_calls: false };

/// A transcript as text: `u`, `a[...]`, `r[id=text]`, with `!` for errors; and the rules of the adjustments.
fn shown(messages: &str) -> (String, Vec<&'static str>) {
    let text = format!(r#"{{"model":"m","messages":[{messages}]}}"#);
    let request = Request::read(Doc::parse(text).unwrap().root()).unwrap();
    let mut adjustments = Adjustments::default();
    let transcript = replay(&request, &request.messages, 0, &RULES, &mut adjustments);
    (show(&transcript), adjustments.finish().iter().map(|one| one.rule).collect())
}

fn show(transcript: &Transcript<'_>) -> String {
    let items: Vec<String> = transcript
        .items
        .iter()
        .map(|item| match item {
            Item::User(content) => format!("u[{}]", content.texts().collect::<Vec<_>>().join("|")),
            Item::Assistant(said) => {
                let blocks: Vec<String> = said
                    .blocks
                    .iter()
                    .map(|block| match block {
                        Block::Text(text, _) => format!("{text:?}"),
                        Block::Thinking(thinking) => format!("<{}>", thinking.thinking),
                        Block::Call(call) => format!("{}={}", transcript.ids[call.key], call.call.name),
                        Block::Provider(block) => block.as_str().to_owned(),
                    })
                    .collect();
                format!("a[{}]", blocks.join(" "))
            }
            Item::Results(answers) => {
                let answers: Vec<String> = answers
                    .iter()
                    .map(|answer| {
                        let mark = if answer.is_error() { "!" } else { "" };
                        format!("{}{mark}={}", transcript.ids[answer.key], answer.text())
                    })
                    .collect();
                format!("r[{}]", answers.join(" "))
            }
        })
        .collect();
    items.join(" ")
}

fn user(text: &str) -> String {
    format!(r#"{{"role":"user","content":"{text}"}}"#)
}

fn calls(list: &[(&str, &str)], more: &str) -> String {
    let blocks: Vec<String> = list
        .iter()
        .map(|(id, name)| format!(r#"{{"type":"toolCall","id":"{id}","name":"{name}","arguments":{{}}}}"#))
        .collect();
    format!(r#"{{"role":"assistant","content":[{}]{more}}}"#, blocks.join(","))
}

fn result(id: &str, text: &str) -> String {
    format!(r#"{{"role":"toolResult","toolCallId":"{id}","toolName":"","content":"{text}"}}"#)
}

fn check(messages: &[String], expected: &str, rules: &[&str]) {
    let (text, found) = shown(&messages.join(","));
    assert_eq!(text, expected);
    assert_eq!(found, rules);
}

#[test]
fn results_stand_behind_their_calls_in_the_order_of_the_calls() {
    check(
        &[user("go"), calls(&[("a", "f"), ("b", "g")], ""), user("hurry"), result("b", "2"), result("a", "1")],
        "u[go] a[a=f b=g] r[a=1 b=2] u[hurry]",
        &[],
    );
    check(
        &[calls(&[("a", "f")], ""), calls(&[("b", "g")], ""), result("a", "1"), result("b", "2")],
        "a[a=f] r[a=1] a[b=g] r[b=2]",
        &[],
    );
}

#[test]
fn each_call_has_exactly_one_result() {
    check(
        &[user("go"), calls(&[("a", "f"), ("b", "g")], ""), result("a", "1"), result("a", "again"), user("next")],
        "u[go] a[a=f b=g] r[a=1 b!=No result provided] u[next]",
        &["result-repeated", "result-missing"],
    );
    check(&[result("x", "1"), user("go")], "u[go]", &["result-orphan"]);
    check(&[calls(&[("a", "f"), ("a", "f")], ""), result("a", "1")], "a[a=f] r[a=1]", &["call-repeated"]);
}

#[test]
fn an_id_that_is_used_again_is_another_one_the_second_time() {
    let (text, _) = shown(
        &[calls(&[("f", "f")], ""), result("f", "1"), calls(&[("f", "f")], ""), result("f", "2"), result("f", "3")]
            .join(","),
    );
    let second = text.split("a[").nth(2).unwrap().split('=').next().unwrap();
    assert!(second.starts_with("f_"), "{text}");
    assert_eq!(text, format!("a[f=f] r[f=1] a[{second}=f] r[{second}=2]"));
    let two = r#"{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{"x":1}},{"type":"toolCall","id":"a","name":"f","arguments":{"x":2}}]}"#;
    let (text, _) = shown(&[two.to_owned(), result("a", "1"), result("a", "2")].join(","));
    assert!(text.starts_with("a[a=f a_") && text.contains("r[a=1 a_") && text.ends_with("=2]"), "{text}");
}

#[test]
fn calls_without_an_id_get_one_and_their_results_find_them() {
    let (text, rules) = shown(
        &[
            calls(&[("", "f"), ("null", "g")], ""),
            r#"{"role":"toolResult","toolCallId":"","toolName":"g","content":"2"}"#.to_owned(),
            result("", "1"),
        ]
        .join(","),
    );
    let ids: Vec<&str> = text.split(['[', ' ', '=']).filter(|part| part.len() == 9).collect();
    assert!(matches!(ids.as_slice(), [a, b, c, d] if a == c && b == d && a != b), "{text}");
    assert!(text.contains("=1 ") && text.ends_with("=2]") && rules.is_empty(), "{text} {rules:?}");
}

#[test]
fn failed_turns_are_dropped_with_their_results() {
    check(
        &[
            user("go"),
            calls(&[("a", "f")], r#","stop":"error""#),
            result("a", "1"),
            calls(&[("a", "f")], ""),
            result("a", "2"),
        ],
        "u[go] a[a=f] r[a=2]",
        &["message-dropped", "result-dropped"],
    );
    check(&[user("go"), calls(&[], r#","stop":"aborted""#), user("on")], "u[go] u[on]", &["message-dropped"]);
}

#[test]
fn what_another_model_kept_for_itself_is_taken_out() {
    let foreign = |origin: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":"plan","signature":"s"}},{{"type":"thinking","redacted":"x"}},
                {{"type":"text","text":""}},{{"type":"text","text":"hi"}},{{"type":"toolCall","id":"f:0","name":"f","arguments":{{}}}},
                {{"type":"providerBlock","api":"gemini","block":{{}}}},{{"type":"providerBlock","api":"anthropic-messages","block":{{"x":1}}}}]{origin}}}"#
        )
    };
    let own = r#","origin":{"api":"anthropic-messages","model":"m"}"#;
    let (text, _) = shown(&foreign(own));
    assert_eq!(text, r#"a[<plan> <> "hi" f:0=f {"x":1}] r[f:0!=No result provided]"#);
    let (text, _) = shown(&foreign(""));
    assert!(text.starts_with(r#"a[<plan> <> "hi" f_0_"#), "{text}");
    for origin in
        [r#","origin":{"api":"openai-chat","model":"m"}"#, r#","origin":{"api":"anthropic-messages","model":"other"}"#]
    {
        let (text, rules) = shown(&foreign(origin));
        assert!(text.starts_with(r#"a["plan" "hi" f_0_"#), "{text}");
        assert_eq!(rules, ["thinking-as-text", "thinking-left-out", "provider-block-left-out", "result-missing"]);
    }
}
