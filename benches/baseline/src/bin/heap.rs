//! How much heap a decoder takes beyond its input, in lengths of the argument.
//!
//! The input is generated before counting begins; the turn counts, as does all that it is made from.

use std::process::ExitCode;

use toolwire::model::Api;
use toolwire_bench::decode;
use toolwire_bench::report::{Bar, Report, Row, millions};
use toolwire_bench::streams::{Shape, Stream};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() -> ExitCode {
    let mut report = Report::default();
    for api in Api::ALL.iter().copied() {
        for (shape, bar) in [
            (Shape::LargeString, Bar::AtMost(3.0)),
            (Shape::AwkwardString, Bar::AtMost(3.0)),
            (Shape::Large, Bar::AtMost(3.0)),
            (Shape::LargeNested, Bar::None),
        ] {
            let stream = Stream::generate(api, shape, 0);
            decode::check(api, &stream);
            for (response, sent) in stream.responses() {
                let longest = sent.iter().map(String::len).max().unwrap_or(1);
                let peak = peak(api, response);
                report.row(&Row {
                    group: "heap",
                    api: api.name(),
                    stream: shape.name(),
                    against: "length of the argument",
                    toolwire: format!("{:.2} MB", millions(peak)),
                    other: format!("{:.2} MB", millions(longest)),
                    ratio: millions(peak) / millions(longest),
                    bar,
                });
            }
        }
    }
    ExitCode::from(u8::from(report.missed()))
}

/// The most heap that was held at once while a response was decoded.
fn peak(api: Api, response: &[u8]) -> usize {
    let profiler = dhat::Profiler::builder().testing().build();
    let turn = decode::toolwire(api, response);
    let stats = dhat::HeapStats::get();
    drop(turn);
    drop(profiler);
    stats.max_bytes
}
