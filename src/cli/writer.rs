//! Report files: lines are written as they come, renderings at the end.
#![expect(clippy::disallowed_methods, reason = "the edge: writes the files that the user named")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;

use crate::check;
use crate::report::{Line, Report, html, json, junit, markdown};

/// A report that was asked for.
#[derive(Debug, Clone)]
pub(super) struct ReportFile {
    path: PathBuf,
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Lines,
    Json,
    Junit,
    Markdown,
    Html,
}

/// Endings of file names.
const ENDINGS: &[(&str, Format)] = &[
    ("jsonl", Format::Lines),
    ("json", Format::Json),
    ("xml", Format::Junit),
    ("md", Format::Markdown),
    ("html", Format::Html),
];

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let format = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format);
        let Some(format) = format else {
            let known: Vec<String> = ENDINGS.iter().map(|(known, _)| format!(".{known}")).collect();
            return Err(format!("the name has to end in one of {}", known.join(", ")));
        };
        Ok(Self { path, format })
    }
}

/// Open report files.
#[derive(Debug)]
pub(super) struct ReportFiles(Vec<(ReportFile, BufWriter<File>)>);

impl ReportFiles {
    /// Creates the files, so that a path that cannot be written is known before the run.
    pub(super) fn create(files: &[ReportFile]) -> anyhow::Result<Self> {
        let create = |file: &ReportFile| {
            let name = file.path.display().to_string();
            let handle = File::create(&file.path).with_context(|| format!("failed to create `{name}`"))?;
            Ok((file.clone(), BufWriter::new(handle)))
        };
        files.iter().map(create).collect::<anyhow::Result<_>>().map(Self)
    }

    /// Writes a line to the files that hold lines.
    pub(super) fn line(&mut self, line: &Line) -> anyhow::Result<()> {
        for (file, handle) in self.0.iter_mut().filter(|(file, _)| file.format == Format::Lines) {
            writeln!(handle, "{}", line.to_json())
                .with_context(|| format!("failed to write `{}`", file.path.display()))?;
        }
        Ok(())
    }

    /// Writes the renderings and closes the files.
    pub(super) fn finish(self, report: &Report) -> anyhow::Result<()> {
        for (file, mut handle) in self.0 {
            let text = match file.format {
                Format::Lines => String::new(),
                Format::Json => json::render(report),
                Format::Junit => junit::render(report, check::rule),
                Format::Markdown => markdown::render(report, check::rule),
                Format::Html => html::render(report, check::rule),
            };
            handle
                .write_all(text.as_bytes())
                .and_then(|()| handle.flush())
                .with_context(|| format!("failed to write `{}`", file.path.display()))?;
        }
        Ok(())
    }
}
