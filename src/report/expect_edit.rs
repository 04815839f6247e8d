//! Edits the text of an expectations file: entries go, change their case, come. What is not touched keeps its bytes.

use std::ops::Range;

use toml_edit::{Document, Item, Table, Value};

use crate::verdict::Entry;

/// Where an entry stands in the text.
struct Block {
    /// From the first comment that is attached to it.
    start: usize,
    /// Its `[[expect]]`.
    header: usize,
    /// The value of `case`, quotes included.
    case: Range<usize>,
    /// Behind its last line, line end included.
    end: usize,
}

/// What becomes of the entries, in the order of the file.
pub(super) enum Fate {
    /// It stays as it is.
    Kept,
    /// It goes, and the comment lines right above it with it.
    Removed,
    /// It becomes several, one for each case pattern.
    Narrowed(Vec<String>),
}

/// The text after that; `added` come at the end.
pub(super) fn edit(text: &str, fates: &[Fate], added: &[Entry]) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (block, fate) in blocks(text).iter().zip(fates) {
        match fate {
            Fate::Kept => {}
            Fate::Removed => {
                push(&mut out, text, at..block.start);
                // One of the two blank lines around it goes with it.
                let set_off = out.is_empty() || out.ends_with("\n\n") || out.ends_with("\n\r\n");
                at = if set_off { blank_lines_end(text, block.end) } else { block.end };
            }
            Fate::Narrowed(cases) => {
                push(&mut out, text, at..block.header);
                for (index, case) in cases.iter().enumerate() {
                    if index > 0 {
                        end_line(&mut out, newline);
                        out.push_str(newline);
                    }
                    push(&mut out, text, block.header..block.case.start);
                    out.push_str(&toml_string(case));
                    push(&mut out, text, block.case.end..block.end);
                }
                at = block.end;
            }
        }
    }
    push(&mut out, text, at..text.len());
    if at == text.len() {
        // The last entry went; so does the blank line that set it off.
        out.truncate(out.trim_end().len());
        if !out.is_empty() {
            out.push_str(newline);
        }
    }
    for entry in added {
        if !out.is_empty() {
            end_line(&mut out, newline);
            if !out.ends_with(&newline.repeat(2)) {
                out.push_str(newline);
            }
        }
        out.push_str(&written(entry, newline));
    }
    out
}

fn written(entry: &Entry, newline: &str) -> String {
    let mut lines = vec![
        "[[expect]]".to_owned(),
        format!("target = {}", toml_string(entry.target.as_str())),
        format!("case   = {}", toml_string(entry.case.as_str())),
    ];
    lines.extend(entry.check.as_deref().map(|check| format!("check  = {}", toml_string(check))));
    lines.push(format!("status = {}", toml_string(entry.status.name())));
    lines.push(format!("reason = {}", toml_string(&entry.reason)));
    lines.extend(entry.issue.as_deref().map(|issue| format!("issue  = {}", toml_string(issue))));
    lines.iter().flat_map(|line| [line, newline]).collect()
}

fn toml_string(text: &str) -> String {
    Value::from(text).to_string()
}

/// The text was read as expectations before; one that cannot be is left alone.
fn blocks(text: &str) -> Vec<Block> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let tables = document.as_table().get("expect").and_then(Item::as_array_of_tables);
    tables.into_iter().flatten().filter_map(|table| block(text, table)).collect()
}

fn block(text: &str, table: &Table) -> Option<Block> {
    let span = table.span()?;
    let last = table.iter().filter_map(|(_, item)| item.span()).map(|span| span.end).max().unwrap_or(span.end);
    let header = line_start(text, span.start);
    Some(Block {
        start: attached_comments(text, header),
        header,
        case: table.get("case")?.span()?,
        end: line_end(text, last.max(span.end)),
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |end| at + end + 1)
}

/// Where the comment lines right above `header` begin.
fn attached_comments(text: &str, header: usize) -> usize {
    let mut start = header;
    while let Some(end) = start.checked_sub(1) {
        let above = line_start(text, end);
        if !text.get(above..end).is_some_and(|line| line.trim_start().starts_with('#')) {
            break;
        }
        start = above;
    }
    start
}

fn blank_lines_end(text: &str, at: usize) -> usize {
    let mut at = at;
    while at < text.len() && text.get(at..line_end(text, at)).is_some_and(|line| line.trim().is_empty()) {
        at = line_end(text, at);
    }
    at
}

fn end_line(out: &mut String, newline: &str) {
    if !out.ends_with('\n') {
        out.push_str(newline);
    }
}

fn push(out: &mut String, text: &str, range: Range<usize>) {
    out.push_str(text.get(range).unwrap_or(""));
}

#[cfg(test)]
mod tests {
    use super::{Entry, Fate, edit};
    use crate::verdict::{Status, TargetGlob};

    const TEXT: &str = "\
# What fails.

# about one
[[expect]]
target = \"a\"
case = \"a/one\" # here
status = \"fail\"
reason = \"r\"

# Another heading

  # about two
  [[expect]]
  case = 'a/two'
  # inside
  target = \"a\"
  status = \"fail\"
  reason = \"\"\"
[[expect]]
\"\"\" # behind
# the end
";

    fn one() -> Entry {
        Entry {
            target: TargetGlob::new("t \"q\""),
            case: "a/b#c=d".parse().unwrap(),
            check: Some("text".to_owned()),
            status: Status::Fail,
            reason: "tab\t".to_owned(),
            issue: None,
            line: 0,
        }
    }

    #[test]
    fn what_is_not_touched_keeps_its_bytes() {
        use Fate::{Kept, Narrowed, Removed};
        let narrowed = || Narrowed(vec!["a/two#c=x".to_owned(), "a/two#c=y".to_owned()]);
        let first =
            "# about one\n[[expect]]\ntarget = \"a\"\ncase = \"a/one\" # here\nstatus = \"fail\"\nreason = \"r\"\n\n";
        let (before_second, rest) = TEXT.split_once("  # about two\n").unwrap();
        let second = rest.strip_suffix("# the end\n").unwrap();
        let (x, y) = (second.replace("'a/two'", "\"a/two#c=x\""), second.replace("'a/two'", "\"a/two#c=y\""));
        for (fates, expected) in [
            ([Kept, Kept], TEXT.to_owned()),
            ([Removed, Kept], TEXT.replace(first, "")),
            ([Kept, Removed], format!("{before_second}# the end\n")),
            ([Removed, Removed], "# What fails.\n\n# Another heading\n\n# the end\n".to_owned()),
            ([Kept, narrowed()], format!("{before_second}  # about two\n{x}\n{y}# the end\n")),
        ] {
            assert_eq!(edit(TEXT, &fates, &[]), expected);
            let crlf = TEXT.replace('\n', "\r\n");
            assert_eq!(edit(&crlf, &fates, &[]), expected.replace('\n', "\r\n"));
        }
        let short = "[[expect]]\ntarget='a'\ncase='a/b'\nstatus='fail'\nreason='r'";
        assert_eq!(edit(short, &[Kept], &[]), short);
        assert_eq!(edit(short, &[Removed], &[]), "");
        assert_eq!(edit(&format!("# x\n\n{short}\n\n\n"), &[Removed], &[]), "# x\n");
    }

    #[test]
    fn new_entries_come_last_and_are_toml_string() {
        let entry = "[[expect]]\ntarget = 't \"q\"'\ncase   = \"a/b#c=d\"\ncheck  = \"text\"\nstatus = \"fail\"\nreason = \"tab\\t\"\n";
        assert_eq!(edit("", &[], &[one(), one()]), format!("{entry}\n{entry}"));
        assert_eq!(edit("# only", &[], &[one()]), format!("# only\n\n{entry}"));
        assert_eq!(edit("# only\n\n", &[], &[one()]), format!("# only\n\n{entry}"));
        assert_eq!(edit("# only\r\n", &[], &[one()]), format!("# only\n\n{entry}").replace('\n', "\r\n"));
    }
}
