//! `cargo run --release -p toolwire-bench`: is toolwire as fast and as lean as it has to be?
//!
//! Prints a ratio a line; the exit code is 1 if one misses its bar.

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use toolwire::model::Api;
use toolwire::target::{Builtin, Naive};
use toolwire_bench::report::{Bar, Report, Row, millions, speed};
use toolwire_bench::streams::{Shape, Stream};
use toolwire_bench::{corpus, decode, encode, framing, timing};

/// Measures toolwire against memchr and against eventsource-stream with `serde_json`.
#[derive(Debug, Parser)]
#[command(name = "toolwire-bench", version)]
struct Args {
    /// How many pairs are timed a row
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// How long each generated stream is, in megabytes (2^20 bytes)
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024))]
    megabytes: u16,
    /// Only this group; may be given several times
    #[arg(long)]
    only: Vec<Group>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Bytes to frames, against a walk from line end to line end
    Framing,
    /// Bytes to turns, against eventsource-stream with `serde_json::Value`
    Decode,
    /// Long arguments against short ones, a byte
    Size,
    /// Heap beyond the input, in lengths of the argument
    Heap,
    /// A neutral request to a body, against `serde_json` from structs of that body
    Encode,
    /// Permutations of the corpus judged a second, against the naive readers
    Corpus,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if cfg!(debug_assertions) {
        eprintln!("warning: this build is not optimized; use --release");
    }
    let wants = |group| args.only.is_empty() || args.only.contains(&group);
    let rounds = usize::from(args.rounds);
    let mut report = Report::default();
    report.head();
    for api in Api::ALL.iter().copied() {
        if ![Group::Framing, Group::Decode, Group::Size].into_iter().any(wants) {
            break;
        }
        let [small, large] = [Shape::Parallel, Shape::Large].map(|shape| {
            let stream = Stream::generate(api, shape, usize::from(args.megabytes) << 20);
            decode::check(api, &stream);
            (shape, stream)
        });
        for (shape, stream) in [&small, &large] {
            if wants(Group::Framing) {
                framing_rows(api, *shape, stream, rounds, &mut report);
            }
            if wants(Group::Decode) {
                decode_row(api, *shape, stream, rounds, &mut report);
            }
        }
        if wants(Group::Size) {
            size_row(api, &small.1, &large.1, rounds, &mut report);
        }
    }
    if wants(Group::Encode) {
        encode_rows(rounds, &mut report);
    }
    if wants(Group::Corpus) {
        corpus_row(rounds, &mut report);
    }
    if wants(Group::Heap) && !heap_rows() {
        report.missed_elsewhere();
    }
    ExitCode::from(u8::from(report.missed()))
}

fn encode_rows(rounds: usize, report: &mut Report) {
    /// How often a body is made in a round: one alone is too short to time.
    const TIMES: usize = 200;
    let request = encode::request();
    for api in Api::ALL.iter().copied() {
        let body = encode::toolwire(api, &request);
        let ready = encode::ready(api, &body);
        let ours = || (0..TIMES).for_each(|_| drop(black_box(encode::toolwire(api, black_box(&request)))));
        let structs = || (0..TIMES).for_each(|_| drop(black_box(encode::baseline(black_box(&ready)))));
        let pairs = timing::pairs(rounds, ours, structs);
        report.row(&Row {
            group: "encode",
            api: api.name(),
            stream: "100 tools, 200 messages",
            against: "serde_json from structs",
            toolwire: speed(body.len() * TIMES, pairs.first),
            other: speed(body.len() * TIMES, pairs.second),
            ratio: pairs.ratio,
            bar: Bar::AtLeast(0.5),
        });
    }
}

fn corpus_row(rounds: usize, report: &mut Report) {
    let corpus = toolwire::load::embedded_corpus().expect("the embedded corpus is whole");
    let rate = |(judged, took): (u32, Duration)| f64::from(judged) / took.as_secs_f64();
    let mut rates: Vec<(f64, f64)> = (0..rounds.max(1))
        .map(|_| (rate(corpus::judge(&corpus, &Builtin)), rate(corpus::judge(&corpus, &Naive::healthy()))))
        .collect();
    rates.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (ours, naive) = rates[rates.len() / 2];
    report.row(&Row {
        group: "corpus",
        api: "all",
        stream: "every permutation",
        against: "naive readers",
        toolwire: format!("{ours:.0}/s"),
        other: format!("{naive:.0}/s"),
        ratio: ours / naive,
        bar: Bar::None,
    });
}

fn framing_rows(api: Api, shape: Shape, stream: &Stream, rounds: usize, report: &mut Report) {
    let bytes = stream.bytes();
    let whole = framing::Framed { frames: stream.frames(), payload: stream.payload() };
    assert_eq!(framing::toolwire(bytes), whole, "{api}: toolwire frames wrongly");
    assert_eq!(framing::eventsource(bytes), whole, "{api}: eventsource-stream frames wrongly");
    let ours = || {
        black_box(framing::toolwire(black_box(bytes)));
    };
    let walk = || {
        black_box(framing::line_ends(black_box(bytes)));
    };
    let crates = || {
        black_box(framing::eventsource(black_box(bytes)));
    };
    let rows = [
        ("memchr to each line end", Bar::AtLeast(0.3), timing::pairs(rounds, ours, walk)),
        ("eventsource-stream", Bar::None, timing::pairs(rounds, ours, crates)),
    ];
    for (against, bar, pairs) in rows {
        report.row(&Row {
            group: "framing",
            api: api.name(),
            stream: shape.name(),
            against,
            toolwire: speed(bytes.len(), pairs.first),
            other: speed(bytes.len(), pairs.second),
            ratio: pairs.ratio,
            bar,
        });
    }
}

fn decode_row(api: Api, shape: Shape, stream: &Stream, rounds: usize, report: &mut Report) {
    let ours = || decode::all_toolwire(api, black_box(stream));
    let theirs = || decode::all_baseline(api, black_box(stream));
    let pairs = timing::pairs(rounds, ours, theirs);
    report.row(&Row {
        group: "decode",
        api: api.name(),
        stream: shape.name(),
        against: "eventsource-stream + Value",
        toolwire: speed(stream.bytes().len(), pairs.first),
        other: speed(stream.bytes().len(), pairs.second),
        ratio: pairs.ratio,
        bar: Bar::AtLeast(3.0),
    });
}

/// A byte of the stream with the long argument against a byte of the one with the short ones.
fn size_row(api: Api, small: &Stream, large: &Stream, rounds: usize, report: &mut Report) {
    let few = || decode::all_toolwire(api, black_box(small));
    let many = || decode::all_toolwire(api, black_box(large));
    let pairs = timing::pairs(rounds, few, many);
    report.row(&Row {
        group: "size",
        api: api.name(),
        stream: Shape::Large.name(),
        against: Shape::Parallel.name(),
        toolwire: speed(large.bytes().len(), pairs.second),
        other: speed(small.bytes().len(), pairs.first),
        ratio: pairs.ratio * millions(small.bytes().len()) / millions(large.bytes().len()),
        // Gemini's argument is one event, and the tree of a megabyte outgrows the cache; elsewhere it comes in pieces.
        bar: Bar::AtMost(if api == Api::Gemini { 1.5 } else { 1.2 }),
    });
}

/// Runs the other binary; true if it holds its bars. Under cargo it is built as well.
fn heap_rows() -> bool {
    const NAME: &str = "toolwire-bench-heap";
    #[expect(clippy::disallowed_methods, reason = "the edge: finding and starting the other binary")]
    let mut command = if let (Ok(cargo), Ok(package)) = (std::env::var("CARGO"), std::env::var("CARGO_MANIFEST_DIR")) {
        let mut command = Command::new(cargo);
        command.args(["run", "--quiet", "--release", "--bin", NAME]).current_dir(package);
        command
    } else {
        let own = std::env::current_exe().expect("the path of the running binary is known");
        Command::new(own.with_file_name(NAME))
    };
    let status = command.status().unwrap_or_else(|error| panic!("failed to start {NAME}: {error}"));
    status.success()
}
