//! The table: a row a comparison, with its bar and what became of it.

use std::fmt;
use std::time::Duration;

/// What a ratio has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bar {
    /// This much or more.
    AtLeast(f64),
    /// This much or less.
    AtMost(f64),
    /// Anything: the row is there to be read.
    None,
}

impl Bar {
    /// True if `ratio` is what it has to be.
    pub fn holds(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(bar) => ratio >= bar,
            Self::AtMost(bar) => ratio <= bar,
            Self::None => true,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bar) => f.pad(&format!(">= {bar:.2}")),
            Self::AtMost(bar) => f.pad(&format!("<= {bar:.2}")),
            Self::None => f.pad("-"),
        }
    }
}

/// Prints rows as they come and remembers whether a bar was missed.
#[derive(Debug, Default)]
pub struct Report {
    missed: bool,
}

impl Report {
    /// Prints the line above the rows.
    pub fn head(&self) {
        println!(
            "{:<8} {:<19} {:<21} {:<26} {:>12} {:>12} {:>7}  {:<8}",
            "", "api", "stream", "against", "toolwire", "other", "ratio", "bar"
        );
    }

    /// Prints a row.
    pub fn row(&mut self, row: &Row<'_>) {
        let Row { group, api, stream, against, toolwire, other, ratio, bar } = row;
        let verdict = match (bar, bar.holds(*ratio)) {
            (Bar::None, _) => "",
            (_, true) => "ok",
            (_, false) => "MISSED",
        };
        self.missed |= !bar.holds(*ratio);
        let line = format!(
            "{group:<8} {api:<19} {stream:<21} {against:<26} {toolwire:>12} {other:>12} {ratio:>7.2}  {bar:<8} {verdict}"
        );
        println!("{}", line.trim_end());
    }

    /// Takes over what another process found.
    pub fn missed_elsewhere(&mut self) {
        self.missed = true;
    }

    /// True if a bar was missed.
    pub fn missed(&self) -> bool {
        self.missed
    }
}

/// A comparison.
#[derive(Debug)]
pub struct Row<'a> {
    /// What kind it is.
    pub group: &'a str,
    /// The API.
    pub api: &'a str,
    /// The stream.
    pub stream: &'a str,
    /// What toolwire is compared with.
    pub against: &'a str,
    /// How toolwire did.
    pub toolwire: String,
    /// How the other side did.
    pub other: String,
    /// The ratio that the bar is about.
    pub ratio: f64,
    /// What it has to be.
    pub bar: Bar,
}

/// Bytes a second, in megabytes (10^6 bytes).
pub fn speed(bytes: usize, time: Duration) -> String {
    format!("{:.0} MB/s", millions(bytes) / time.as_secs_f64())
}

/// `bytes` in megabytes (10^6 bytes).
pub fn millions(bytes: usize) -> f64 {
    u32::try_from(bytes).map_or(f64::INFINITY, f64::from) / 1e6
}
