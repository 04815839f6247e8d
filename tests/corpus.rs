//! Every case of the corpus, and every fault of the shared collection where it is present, as a test of its own:
//! all permutations, on the decoders and on the healthy naive readers.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod support;

use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

use libtest_mimic::{Arguments, Failed, Trial};
use toolwire::check::{CheckOutcome, rule};
use toolwire::corpus::{Corpus, Files};
use toolwire::harness::{Interrupt, Plan, Selection, Unit, run};
use toolwire::json::{Doc, Style, Value, Writer};
use toolwire::target::{Builtin, Naive, Target};
use toolwire::verdict::Outcome;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| toolwire::load::embedded_corpus().unwrap());
static FAULTS: LazyLock<Option<Corpus>> =
    LazyLock::new(|| Some(Corpus::build(&fault_files(&support::shared("faults/cases")?)).unwrap()));

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = trials("corpus", &CORPUS);
    if let Some(faults) = &*FAULTS {
        trials.extend(self::trials("fault", faults));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn trials(kind: &str, corpus: &'static Corpus) -> Vec<Trial> {
    let plan = Plan::new(corpus, &Selection::default()).unwrap();
    plan.units
        .into_iter()
        .map(|unit| Trial::test(unit.case.id.to_string(), move || judge(&unit)).with_kind(kind))
        .collect()
}

fn judge(unit: &Unit<'_>) -> Result<(), Failed> {
    let plan = Plan { units: vec![unit.clone()], at_least: None };
    let mut failed = Vec::new();
    let naive = Naive::healthy();
    // A reader has nothing to say where there is only a request.
    let readers = (!unit.case.turns.is_empty()).then_some(&naive as &dyn Target);
    for target in [&Builtin as &dyn Target].into_iter().chain(readers) {
        run(&plan, target, 1, &Interrupt::new(), &|_, _| false, &mut |_, results| {
            for result in results.iter().filter(|r| !matches!(r.outcome, Outcome::Pass | Outcome::Lenient)) {
                let checks = result.checks.iter().filter(|c| c.outcome == CheckOutcome::Fail);
                let told: Vec<String> = checks
                    .map(|check| {
                        let text = |side: &Option<toolwire::json::JsonText>| {
                            side.as_ref().map_or("nothing", |text| text.as_str()).to_owned()
                        };
                        let says = rule(&check.check).unwrap_or_default();
                        format!(
                            "{}: {says}\n  expected {}\n  actual   {}",
                            check.check,
                            text(&check.expected),
                            text(&check.actual)
                        )
                    })
                    .collect();
                let (name, outcome) = (target.name(), result.outcome.name());
                failed.push(format!("{name} {}: {outcome}\n{}", result.permutation, told.join("\n")));
            }
        });
    }
    match failed.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} permutations\n{first}", failed.len()).into()),
    }
}

/// The decode faults in the corpus's own format.
fn fault_files(dir: &Path) -> Files<'static> {
    let mut files = Files::new();
    let mut folders: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let body = ["stream.sse", "response.json"].into_iter().find(|name| folder.join(name).is_file());
        let (Some(body), Ok(expected)) = (body, std::fs::read_to_string(folder.join("expected.json"))) else {
            continue;
        };
        let expected = Doc::parse(expected).unwrap();
        let api = expected.root().text_of("api").unwrap().into_owned();
        let api = api.split('/').next().unwrap();
        if api.parse::<toolwire::model::Api>().is_err() {
            continue;
        }
        let id = format!("{api}/{}", folder.file_name().unwrap().to_str().unwrap());
        let tools = std::fs::read_to_string(folder.join("tools.json")).ok();
        files.insert(
            format!("{id}/case.json"),
            Cow::Owned(case(api, body, expected.root(), tools.as_deref()).into_bytes()),
        );
        files.insert(format!("{id}/{body}"), Cow::Owned(std::fs::read(folder.join(body)).unwrap()));
    }
    files
}

fn case(api: &str, body: &str, expected: Value<'_>, tools: Option<&str>) -> String {
    let turn = |w: &mut Writer, turn: Value<'_>| {
        w.object(|w| {
            for (key, value) in turn.members().filter(|(key, _)| !key.is("api") && !key.is("accept")) {
                w.key(&key.decode());
                w.value(value);
            }
        });
    };
    let mut writer = Writer::new(Style::Compact);
    writer.object(|w| {
        for (key, value) in
            [("title", "a fault"), ("why", "a real client had it"), ("class", "bent"), ("level", "should")]
        {
            w.member(key, value);
        }
        w.member("api", api);
        w.member("since", "2026.12");
        w.key("features");
        w.array(|_| {});
        w.key("source");
        w.array(|w| {
            w.object(|w| {
                w.member("kind", "issue");
                w.member("ref", "log.tsv");
                w.member("says", "it broke a client");
            });
        });
        if let Some(tools) = tools {
            let tools = Doc::parse(tools).unwrap();
            w.key("request");
            w.object(|w| {
                w.key("tools");
                w.value(tools.root());
            });
        }
        w.key("turns");
        w.array(|w| {
            w.object(|w| {
                w.key("response");
                w.object(|w| {
                    w.member("body", body);
                    w.key("expand");
                    w.object(|w| {
                        w.key("{{REPEAT x 70000}}");
                        w.object(|w| {
                            w.member("repeat", "x");
                            w.key("times");
                            w.literal(70000);
                        });
                    });
                });
                w.key("expect");
                turn(w, expected);
                w.key("accept");
                w.array(|w| {
                    for accept in expected.some("accept").into_iter().flat_map(Value::items) {
                        w.object(|w| {
                            w.member("grade", "lenient");
                            w.member("why", "as the collection says");
                            w.key("expect");
                            turn(w, accept);
                        });
                    }
                });
            });
        });
    });
    writer.finish()
}
