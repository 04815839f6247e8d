//! `report.jsonl`: written and read back, and what its reader refuses.

use proptest::prelude::*;
use toolwire::check::{CheckOutcome, CheckResult};
use toolwire::corpus::{Class, Level};
use toolwire::json::{Doc, JsonText, MAX_DEPTH, Style, Writer};
use toolwire::report::{CaseLine, Evidence, Footer, FrameExcerpt, Header, Line, Report, TargetLine, read};
use toolwire::verdict::{Outcome, Verdict};

use crate::sample::{failed_check, passed, red};

fn write(lines: &[Line]) -> String {
    lines.iter().map(|line| line.to_json() + "\n").collect()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z#=,/ ]{0,12}", any::<String>(), "[\u{0}-\u{ff}\u{202a}-\u{202e}\u{fffe}\"\\\\\n\r]{0,8}"]
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(text())
}

/// JSON as the writer lays it out, since white space is not kept.
fn value() -> impl Strategy<Value = JsonText> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,3})?",
        text().prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just(r#""\ud83d \u00e9\/""#.to_owned()),
    ];
    let nested = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((text(), inner), 0..4).prop_map(|members| {
                let members: Vec<String> =
                    members.iter().map(|(k, v)| format!("{}:{v}", serde_json::to_string(k).unwrap())).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    nested.prop_map(|text| {
        let mut writer = Writer::new(Style::Compact);
        writer.value(Doc::parse(text).unwrap().root());
        JsonText::new(writer.finish()).unwrap()
    })
}

fn check() -> impl Strategy<Value = CheckResult> {
    let values = (prop::option::of(value()), prop::option::of(value()));
    (text(), prop::sample::select(CheckOutcome::ALL), 0usize..3, values, maybe()).prop_map(
        |(check, outcome, turn, (expected, actual), pointer)| CheckResult {
            check,
            outcome,
            turn,
            expected,
            actual,
            pointer,
        },
    )
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let frame = (any::<u32>(), any::<u64>(), any::<u64>(), text(), text())
        .prop_map(|(number, start, end, event, data)| FrameExcerpt { number, start, end, event, data });
    let cuts = prop::collection::vec(any::<usize>(), 0..4);
    (text(), cuts, prop::collection::vec(frame, 0..3), maybe(), maybe())
        .prop_map(|(response, cuts, frames, request, stderr)| Evidence { response, cuts, frames, request, stderr })
}

fn case() -> impl Strategy<Value = CaseLine> {
    let names = (text(), maybe(), text(), text(), text());
    let words = (
        prop::sample::select(Class::ALL),
        prop::sample::select(Level::ALL),
        prop::sample::select(Outcome::ALL),
        prop::sample::select(Verdict::ALL),
    );
    let rest = (maybe(), maybe(), prop::option::of(evidence()));
    (names, words, any::<bool>(), any::<u64>(), prop::collection::vec(check(), 0..3), rest).prop_map(
        |(names, words, red, micros, checks, rest)| CaseLine {
            target: names.0,
            surface: names.1,
            case: names.2,
            title: names.3,
            permutation: names.4,
            class: words.0,
            level: words.1,
            outcome: words.2,
            verdict: words.3,
            red,
            micros,
            checks,
            message: rest.0,
            reason: rest.1,
            evidence: rest.2,
        },
    )
}

fn header() -> impl Strategy<Value = Header> {
    let target =
        (text(), maybe(), maybe()).prop_map(|(name, version, language)| TargetLine { name, version, language });
    let selection = prop::collection::btree_map(text(), prop::collection::vec(text(), 1..3), 0..3);
    (text(), text(), prop::collection::vec(target, 0..3), selection, any::<u64>()).prop_map(
        |(toolwire, corpus, targets, selection, seed)| {
            let pairs = selection.into_iter().flat_map(|(k, vs)| vs.into_iter().map(move |v| (k.clone(), v)));
            Header { toolwire, corpus, targets, selection: pairs.collect(), seed }
        },
    )
}

fn footer() -> impl Strategy<Value = Footer> {
    let counts = prop::collection::vec(prop_oneof![Just(0), any::<u64>()], Verdict::ALL.len());
    let stale = prop::collection::vec((text(), any::<usize>()), 0..3);
    (counts, stale, any::<u64>(), any::<u8>(), any::<bool>()).prop_map(|(counts, stale, unreviewed, exit, complete)| {
        let counts = Verdict::ALL.iter().copied().zip(counts).collect();
        Footer { counts, stale, unreviewed, exit, complete }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_written_is_read_back(header in header(), cases in prop::collection::vec(case(), 0..3), footer in footer()) {
        let mut lines = vec![Line::Header(header)];
        lines.extend(cases.into_iter().map(|case| Line::Case(Box::new(case))));
        lines.push(Line::Footer(footer));
        let text = write(&lines);
        prop_assert_eq!(text.lines().count(), lines.len());
        prop_assert_eq!(read(&text).unwrap(), lines);
    }

    #[test]
    fn reading_never_panics(text in any::<String>(), at in any::<prop::sample::Index>()) {
        let _ = read(&text);
        let report = write(&red().into_lines());
        let at = at.index(report.len());
        if report.is_char_boundary(at) {
            prop_assert!(read(&report[..at]).is_ok(), "a report cut anywhere is readable");
        }
    }
}

#[test]
fn big_numbers_and_key_order_are_kept() {
    let mut case = passed("a/b", "");
    case.checks = vec![failed_check("x", r#"{"b":12345678901234567890,"a":1.0}"#, "1E400", Some(""))];
    let text = Line::Case(Box::new(case.clone())).to_json();
    assert!(text.contains(r#""expected":{"b":12345678901234567890,"a":1.0},"actual":1E400,"pointer":"""#), "{text}");
    assert_eq!(read(&text).unwrap(), [Line::Case(Box::new(case))]);
}

#[test]
fn values_too_deep_for_a_line_become_text() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for (depth, kept) in [(MAX_DEPTH - 20, true), (MAX_DEPTH, false)] {
        let mut case = passed("a/b", "");
        case.checks = vec![failed_check("x", &nested(depth), "1", None)];
        let lines = read(&Line::Case(Box::new(case)).to_json()).unwrap();
        let [Line::Case(case)] = lines.as_slice() else { panic!() };
        assert_eq!(case.checks[0].expected.as_ref().unwrap().as_str().starts_with('['), kept);
    }
}

#[test]
fn errors_name_the_line_and_what_is_wrong() {
    let good = write(&red().into_lines());
    let case = Line::Case(Box::new(passed("a/b", ""))).to_json();
    for (text, error) in [
        (
            format!("{good}{good}"),
            "line 14: a header line cannot stand here: a report is one header, its cases, one footer",
        ),
        (
            format!("{good}{case}"),
            "line 14: a case line cannot stand here: a report is one header, its cases, one footer",
        ),
        (case.replace("\"target\"", "\"t\""), "line 1: `target` is missing"),
        (case.replace("\"must\"", "\"mu\\u202est\""), "line 1: `level` has the unknown value `mu\\u{202e}st`"),
        (case.replace("1.5", "\"1\""), "line 1: `ms` is not a plain decimal number of milliseconds"),
        (case.replace("1.5", "1e3"), "line 1: `ms` is not a plain decimal number of milliseconds"),
        ("\n{\"type\":\"x\"}".to_owned(), "line 2: `type` has the unknown value `x`"),
        ("[]".to_owned(), "line 1: not an object"),
        ("{\"type\":\n".to_owned(), "line 1: JSON ends inside a value at byte 8"),
        ("{\"type\":x".to_owned(), "line 1: unexpected character at byte 8"),
    ] {
        assert_eq!(read(&text).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn unknown_keys_are_ignored_and_milliseconds_are_decimal() {
    let case = Line::Case(Box::new(passed("a/b", ""))).to_json();
    let lines = read(&case.replace("{\"type\"", "{\"later\":{\"a\":[1]},\"type\"").replace("1.5", "12.3456")).unwrap();
    let [Line::Case(case)] = lines.as_slice() else { panic!() };
    assert_eq!(case.micros, 12_345);
}

#[test]
fn the_page_on_the_format_is_true() {
    let page = include_str!("../../docs/report-format.md");
    let example = page.split("```jsonl\n").nth(1).unwrap().split("```").next().unwrap();
    let lines = read(example).unwrap();
    assert_eq!(write(&lines), example, "the example is what toolwire writes");
    let report = Report::from_lines(lines);
    assert_eq!(report.notices(), Vec::<String>::new());
    // Every key that is written is described.
    let everything = write(&red().into_lines()) + example;
    for line in everything.lines() {
        let doc = Doc::parse(line).unwrap();
        let root = doc.root();
        let mut keys: Vec<String> = root.members().map(|(key, _)| key.decode().into_owned()).collect();
        for (list, item) in [("checks", "0"), ("targets", "0"), ("stale", "0")] {
            keys.extend(
                root.pointer(&format!("/{list}/{item}"))
                    .into_iter()
                    .flat_map(toolwire::json::Value::members)
                    .map(|(key, _)| key.decode().into_owned()),
            );
        }
        for pointer in ["/evidence", "/evidence/frames/0"] {
            keys.extend(
                root.pointer(pointer)
                    .into_iter()
                    .flat_map(toolwire::json::Value::members)
                    .map(|(key, _)| key.decode().into_owned()),
            );
        }
        for key in keys {
            assert!(page.contains(&format!("| `{key}` |")), "`{key}` is not described");
        }
    }
}
