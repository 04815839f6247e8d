//! `toolwire show`: one case, with its stream and what is expected.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;

use super::{Exit, output, select};
use crate::corpus::{Case, CaseGlob, Corpus, Expect, RequestPattern};
use crate::framing::{Framer, Framing, Limits, Piece};
use crate::harness::{Plan, Selection};
use crate::json::{Style, Writer};

const EXAMPLES: &str = "\
Examples:
  toolwire show openai-chat/parallel-calls-all-at-index-zero
  toolwire show anthropic-messages/fragmented-input-json-delta";

/// How much of a frame is shown, in characters.
const MAX_DATA: usize = 400;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShowArgs {
    /// The case's id, api/slug
    #[arg(value_name = "CASE")]
    case: String,

    /// The corpus in this folder instead of the embedded one
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let corpus = select::corpus(args.corpus.as_deref())?;
    let case = find(&corpus, &args.case)?;
    output::result(&text(case))?;
    Ok(Exit::AsExpected)
}

/// The case of this id; if there is none, the plan's error says what was probably meant.
fn find<'c>(corpus: &'c Corpus, id: &str) -> anyhow::Result<&'c Case> {
    if let Some(case) = corpus.case(id) {
        return Ok(case);
    }
    let glob: CaseGlob = id.parse()?;
    let selection = Selection { cases: vec![glob], ..Selection::default() };
    let plan = Plan::new(corpus, &selection)?;
    match plan.units.as_slice() {
        [unit] => Ok(unit.case),
        units => Err(anyhow!("`{id}` matches {} cases; `show` takes one", units.len())),
    }
}

fn text(case: &Case) -> String {
    let mut out = format!("{}\n{}\n\n", case.id, case.title);
    let dialect = case.dialect.as_deref().map(|dialect| format!("/{dialect}")).unwrap_or_default();
    let _ = writeln!(out, "why       {}", case.why);
    let _ = writeln!(out, "api       {}{dialect}", case.subject.name());
    let _ = writeln!(out, "level     {} ({})", case.level.name(), case.class.name());
    let _ = writeln!(out, "features  {}", case.features.join(", "));
    for source in &case.source {
        let _ = writeln!(out, "source    {}: {}; {}", source.kind, source.reference, source.says);
    }
    let permutations: Vec<String> = case.permutations().iter().map(|one| case.name_of(one)).collect();
    let _ = writeln!(out, "run as    {}", permutations.join("\n          "));
    for (number, turn) in case.turns.iter().enumerate() {
        let response = &turn.response;
        let _ = writeln!(
            out,
            "\nturn {} — status {}, {}, {} bytes",
            number + 1,
            response.status,
            response.file,
            response.body.len()
        );
        frames(&response.body, &mut out);
        let _ = writeln!(out, "\nexpected\n{}", expected(turn.expect.as_ref()));
        for accept in &turn.accept {
            let _ = writeln!(out, "\naccepted too: {}\n{}", accept.why, expected(Some(&accept.expect)));
        }
    }
    for pattern in &case.requests {
        request(pattern, &mut out);
    }
    out.push_str("\nrun it with\n  toolwire run --case ");
    out.push_str(case.id.as_str());
    output::for_terminal(&out)
}

fn frames(body: &[u8], out: &mut String) {
    let mut framer = Framer::new(Framing::Auto, Limits::DEFAULT);
    let mut sink = |piece: Piece<'_>| {
        let cut = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(MAX_DATA).collect::<String>();
        let _ = match piece {
            Piece::Frame(frame) => {
                let event = if frame.event.is_empty() { String::new() } else { format!("{}: ", frame.event) };
                writeln!(out, "  {:>6}  {event}{}", frame.span.start, cut(frame.data))
            }
            Piece::Comment(comment) => writeln!(out, "          :{}", cut(comment)),
            Piece::Stray(stray) => writeln!(out, "  {:>6}  ({}) {}", stray.span.start, stray.field, cut(stray.value)),
            Piece::Fault(fault) => writeln!(out, "          {fault}"),
        };
    };
    framer.push(body, &mut sink);
    framer.finish(&mut sink);
}

/// What is expected of a request.
fn request(pattern: &RequestPattern, out: &mut String) {
    let _ = writeln!(out, "\nrequest of turn {}", pattern.turn + 1);
    if let Some(kind) = &pattern.refused {
        let _ = writeln!(out, "refused: {kind}");
    }
    if let Some(body) = &pattern.body {
        let at = |pointer: &String| if pointer.is_empty() { "all of it".to_owned() } else { pointer.clone() };
        let at: Vec<String> = pattern.at.iter().map(at).collect();
        let _ = writeln!(out, "{}, {}: {}", body.file, pattern.grade.name(), at.join(", "));
        let mut writer = Writer::new(Style::Pretty);
        writer.value(body.text.doc().root());
        let _ = writeln!(out, "{}", writer.finish());
    }
    if let Some(path) = &pattern.path {
        let _ = writeln!(out, "path {path}");
    }
    for (name, value) in &pattern.headers {
        let _ = writeln!(out, "header {name}: {}", value.as_deref().unwrap_or("(may not be sent)"));
    }
    for pointer in &pattern.absent {
        let _ = writeln!(out, "nothing at {pointer}");
    }
    for rule in &pattern.rules {
        let _ = writeln!(out, "rule {rule}");
    }
    for diagnostic in &pattern.diagnostics {
        let _ = writeln!(out, "says {}", diagnostic.as_str());
    }
}

fn expected(expect: Option<&Expect>) -> String {
    match expect {
        None => "nothing that this version judges".to_owned(),
        Some(Expect::Turn(pattern)) => pattern.to_json(Style::Pretty),
        Some(Expect::Frames(pattern)) => pattern.to_json(Style::Pretty),
    }
}
