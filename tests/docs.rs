//! The pages in `docs/` say what the program does.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::borrow::Cow;
use std::path::Path;

use toolwire::corpus::{Cell, Corpus, Files};

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

#[test]
fn the_example_of_the_case_format_is_a_case() {
    let text = page("case-format.md");
    let case = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut files = Files::new();
    files.insert("openai-chat/x/case.json".to_owned(), Cow::Owned(case.as_bytes().to_vec()));
    files.insert("openai-chat/x/1.response.sse".to_owned(), Cow::Borrowed(b"data: [DONE]\n\n"));
    let corpus = Corpus::build(&files).unwrap();
    assert_eq!(corpus.cases.first().unwrap().turns.len(), 1);
}

#[test]
fn the_case_format_names_every_key_of_the_schema() {
    let text = page("case-format.md");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/schema/case.schema.json");
    let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    for key in schema.get("properties").unwrap().as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{key}`")), "docs/case-format.md does not name `{key}`");
    }
}

#[test]
fn the_case_format_lists_every_rewrite_that_changes_nothing() {
    let text = page("case-format.md");
    for row in toolwire::check::outbound::EQUIVALENCES {
        let apis: Vec<&str> = row.apis.iter().map(|api| api.name()).collect();
        let row = format!("| `{}` | {} | {} |", row.id, apis.join(", "), row.says);
        assert!(text.lines().any(|line| line == row), "docs/case-format.md lacks {row}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn exit_codes_are_the_documented_ones_in_their_order() {
    use toolwire::cli::Exit;
    let text = page("exit-codes.md");
    let documented: Vec<u8> =
        text.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok()).collect();
    let mut all =
        [Exit::AsExpected, Exit::NotConformant, Exit::Usage, Exit::TargetFailed, Exit::NothingSelected, Exit::Internal];
    all.sort();
    assert_eq!(documented, all.map(Exit::code));
}

#[test]
fn every_cell_of_the_coverage_is_filled_or_has_a_reason() {
    let corpus = toolwire::load::embedded_corpus().unwrap();
    assert!(corpus.kinds.len() > 60);
    for column in corpus.columns() {
        for kind in &corpus.kinds {
            assert_ne!(kind.cell(column, &corpus.cases), Cell::Empty, "{} in {column}", kind.id);
        }
    }
}

#[test]
fn decisions_are_numbered_without_gaps() {
    let numbers: Vec<usize> =
        page("decisions.md").lines().filter_map(|line| line.split_once(". **")?.0.parse().ok()).collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
}

#[test]
fn the_turn_page_names_every_stop_and_kind() {
    use toolwire::model::{ProblemKind, Stop};
    let text = page("turn.md");
    let words = Stop::ALL.iter().map(|stop| stop.name()).chain(ProblemKind::ALL.iter().map(|kind| kind.name()));
    for word in words {
        assert!(text.contains(&format!("| `{word}` |")), "docs/turn.md does not explain `{word}`");
    }
    let example = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(example).is_ok());
}

#[test]
fn the_request_page_names_every_refusal_and_adjustment() {
    use toolwire::json::Doc;
    use toolwire::model::Request;
    use toolwire::providers::RefusalKind;
    let text = page("request.md");
    for kind in RefusalKind::ALL {
        assert!(text.contains(&format!("| `{}` |", kind.name())), "docs/request.md does not explain `{}`", kind.name());
    }
    let mut rules = std::collections::BTreeSet::new();
    adjustment_rules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/providers"), &mut rules);
    for rule in &rules {
        assert!(text.contains(&format!("`{rule}`")), "docs/request.md does not explain `{rule}`");
    }
    assert!(rules.len() > 20);
    let example = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    Request::read(Doc::parse(example).unwrap().root()).unwrap();
}

/// Rules of adjustments in the sources of the encoders: the first argument of the calls that add one.
fn adjustment_rules(dir: &Path, rules: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            adjustment_rules(&path, rules);
            continue;
        }
        let source = std::fs::read_to_string(path).unwrap();
        for call in ["adjustments.add(", "adjustments.message(", "adjustments.tool(", "adjustments.named("] {
            let arguments = source.split(call).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
            rules.extend(arguments.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
}

/// Rule ids in the sources of the decoders.
fn rule_ids(dir: &Path, ids: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rule_ids(&path, ids);
            continue;
        }
        let source = std::fs::read_to_string(path).unwrap();
        let id = |word: &&str| {
            let (family, number) = word.rsplit_once('-').unwrap_or(("", ""));
            let family = !family.is_empty() && family.bytes().all(|b| b.is_ascii_uppercase() || b == b'-');
            family && number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit())
        };
        ids.extend(source.split('"').filter(id).map(str::to_owned));
    }
}

#[test]
fn the_rules_page_lists_exactly_the_rules_that_are_noted() {
    let mut ids = std::collections::BTreeSet::new();
    rule_ids(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/providers"), &mut ids);
    let text = page("rules.md");
    let listed: std::collections::BTreeSet<String> =
        text.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned())).collect();
    assert_eq!(ids, listed);
    assert!(ids.len() > 40);
}

#[test]
fn the_rules_page_says_what_the_rules_of_requests_say() {
    let text = page("rules.md");
    for (_, rule) in toolwire::lint::rules() {
        let dialects =
            if rule.dialects.is_empty() { String::new() } else { format!(" ({})", rule.dialects.join(", ")) };
        let row = format!("| `{}` | {} | {}{dialects} |", rule.id, rule.severity, rule.says);
        assert!(text.lines().any(|line| line == row), "docs/rules.md lacks {row}");
    }
}

/// A source that names a page of ours names one that exists, and no page that only its writer has.
#[test]
fn sources_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for case in toolwire::load::embedded_corpus().unwrap().cases {
        for source in &case.source {
            let page = source.reference.split([' ', '#', ',', ';']).next().unwrap();
            let ours = page.starts_with("docs/");
            assert!(!ours || root.join(page).is_file(), "{}: {}", case.id, source.reference);
            assert!(!source.reference.contains("sheet"), "{}: {}", case.id, source.reference);
        }
    }
}
