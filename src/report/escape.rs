//! Hostile text made harmless, for every sink in one place.
//!
//! In: text that a provider, a client or a report file wrote. Out: the same text, with everything
//! that the sink would act on instead of showing spelled out, as `\u{1b}`. A renderer passes every
//! text through one of these.

use std::borrow::Cow;

pub use crate::json::is_hidden;

/// One line: hidden characters spelled `\u{…}`, line ends and tabs `\n`, `\r`, `\t`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The lines of a text (CRLF or LF), each made visible.
pub fn visible_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().map(visible)
}

/// At most `chars` characters; what was cut off is counted.
pub fn shorten(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let (head, tail) = text.split_at(end);
            Cow::Owned(format!("{head}… (+{})", tail.chars().count()))
        }
    }
}

/// One whole line for a terminal. What CI runners take for a command is broken up: `##[error]` on GitHub
/// and `##vso[…]` on Azure anywhere in a line, `::error::` at its start, white space aside.
pub fn terminal(text: &str) -> String {
    let line = visible(text).replace("##", "#\\u{23}");
    if line.trim_start().starts_with("::") { line.replacen("::", ":\\u{3a}", 1) } else { line }
}

/// Text of XML, not yet as entities: the XML writer does that. Line feeds stay.
pub fn xml(text: &str) -> String {
    lines_joined(text)
}

/// Text of HTML, not yet as entities: the template does that. Line feeds stay.
pub fn html(text: &str) -> String {
    lines_joined(text)
}

fn lines_joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in visible_lines(text).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&line);
    }
    out
}

/// The message of a GitHub workflow command, behind the second `::`; line feeds stay, as `%0A`.
/// <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>
pub fn github_message(text: &str) -> String {
    lines_joined(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a GitHub workflow command, such as its title.
pub fn github_property(text: &str) -> String {
    visible(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C")
}

/// One line of Markdown, also inside a table: no markup, no link, no mention.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in visible(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '{' | '}' | '$' => out.extend(['\\', c]),
            '<' | '>' | '&' | '|' | '@' => push_entity(&mut out, c),
            c => out.push(c),
        }
    }
    without_links(&out)
}

/// One line of Markdown as a code span, also inside a table.
pub fn markdown_code(text: &str) -> String {
    // Cells of a table end at a pipe even inside a code span, and `\|` there shows its backslash elsewhere.
    let text = visible(text).replace('|', "\\u{7c}");
    let ticks = "`".repeat(longest_run(&text) + 1);
    // Spaces keep ticks at the edges apart, and of an empty span make text.
    if text.is_empty() || text.starts_with('`') || text.ends_with('`') {
        format!("{ticks} {text} {ticks}")
    } else {
        format!("{ticks}{text}{ticks}")
    }
}

/// A code block of Markdown whose fence no line of `lines` can close.
pub fn markdown_block<'a>(language: &str, lines: impl Iterator<Item = Cow<'a, str>>) -> String {
    let lines: Vec<String> = lines.map(|line| visible(&line).into_owned()).collect();
    let ticks = "`".repeat(lines.iter().map(|line| longest_run(line)).max().unwrap_or(0).max(2) + 1);
    format!("{ticks}{language}\n{}\n{ticks}\n", lines.join("\n"))
}

/// One line of HTML inside Markdown, such as a `<summary>`.
pub fn markdown_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in visible(text).chars() {
        if matches!(c, '<' | '>' | '&' | '"' | '\'' | '|' | '@' | '`' | '*' | '_' | '[' | ']' | '\\' | '~') {
            push_entity(&mut out, c);
        } else {
            out.push(c);
        }
    }
    without_links(&out)
}

/// A word of a POSIX shell, quoted where it has to be.
pub fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | ',' | '+');
    let text = terminal(text);
    if !text.is_empty() && text.chars().all(plain) { text } else { shell_word(&text) }
}

/// A word of a POSIX shell in single quotes.
pub fn shell_word(text: &str) -> String {
    format!("'{}'", terminal(text).replace('\'', "'\\''"))
}

/// Breaks what GitHub makes a link of without being asked.
fn without_links(text: &str) -> String {
    text.replace("://", "&#58;//").replace("www.", "www&#46;")
}

fn push_entity(out: &mut String, c: char) {
    use std::fmt::Write as _;
    // Writing to a String cannot fail.
    let _ = write!(out, "&#{};", u32::from(c));
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{
        github_message, github_property, markdown, markdown_block, markdown_code, shell, shell_word, shorten, visible,
    };

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(
            visible("a\u{1b}[31m\r\n\tb\u{202e}\u{fffe}\u{e0041}é"),
            "a\\u{1b}[31m\\r\\n\\tb\\u{202e}\\u{fffe}\\u{e0041}é"
        );
        assert!(matches!(visible("plain é 漢"), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn each_sink_has_its_own_escapes() {
        assert_eq!(github_message("50%\n::error::x\ry"), "50%25%0A::error::x\\ry");
        assert_eq!(github_property("a:b,c%\n"), "a%3Ab%2Cc%25\\n");
        assert_eq!(markdown("a|b <i> @me *x*"), "a&#124;b &#60;i&#62; &#64;me \\*x\\*");
        assert_eq!(markdown_code("a`b``"), "``` a`b`` ```");
        assert_eq!(markdown_code("a|b"), "`a\\u{7c}b`");
        assert_eq!(markdown_block("diff", ["```".into()].into_iter()), "````diff\n```\n````\n");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell("openai-python"), "openai-python");
        assert_eq!(shell("adapter:a b;c"), "'adapter:a b;c'");
        assert_eq!(shorten("añb漢c", 3), "añb… (+2)");
    }
}
