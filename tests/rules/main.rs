//! Every rule of requests has a body that breaks it and one that does not.
#![expect(clippy::unwrap_used, reason = "tests")]

mod anthropic;
mod captures;
mod chat;
mod encoded;
mod gemini;
mod hostile;
mod mistral;
mod responses;
#[path = "../support/mod.rs"]
mod shared;
mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rstest::rstest;
use support::{Case, findings};
use toolwire::providers::Severity;

#[rstest]
#[case::anthropic(anthropic::BASE, anthropic::CASES)]
#[case::chat(chat::BASE, chat::CASES)]
#[case::responses(responses::BASE, responses::CASES)]
#[case::gemini(gemini::BASE, gemini::CASES)]
#[case::mistral(mistral::BASE, mistral::CASES)]
fn every_rule_tells_right_from_wrong(#[case] base: &str, #[case] cases: &[Case]) {
    let mut wrong = String::new();
    for Case { rule, api, breaks, holds } in cases {
        let broken = findings(api, base, breaks);
        let Some(finding) = broken.iter().find(|finding| finding.rule.id == *rule) else {
            let _ = writeln!(wrong, "{rule} is not broken by {breaks}, but {broken:#?}");
            continue;
        };
        assert!(!finding.message.is_empty() && finding.severity >= finding.rule.severity, "{rule}");
        for finding in findings(api, base, holds) {
            if finding.rule.id == *rule || finding.severity == Severity::Error {
                let _ = writeln!(wrong, "{rule}: {holds} has {finding:#?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_its_bodies() {
    let tables = [anthropic::CASES, chat::CASES, responses::CASES, gemini::CASES, mistral::CASES];
    let tested: BTreeSet<&str> = tables.iter().flat_map(|table| table.iter().map(|case| case.rule)).collect();
    let all: BTreeSet<&str> = toolwire::lint::rules().map(|(_, rule)| rule.id).collect();
    assert_eq!(tested, all);
}

#[test]
fn ids_stand_once_and_in_order() {
    for api in toolwire::model::Api::ALL {
        let ids: Vec<&str> = toolwire::providers::rules(*api).iter().map(|rule| rule.id).collect();
        // Those of single servers come behind the API's own.
        let own: Vec<&str> =
            ids.iter().copied().take_while(|id| id.split('-').next() == ids[0].split('-').next()).collect();
        assert!(own.is_sorted(), "{own:?}");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    }
}

#[test]
fn rules_say_what_to_do_and_who_says_so() {
    for (_, rule) in toolwire::lint::rules() {
        for text in [rule.says, rule.fix, rule.source] {
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains("sheet"), "{}: {text}", rule.id);
        }
    }
}
