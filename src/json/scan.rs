//! "Is this JSON complete yet?" in the middle of a stream, without reading anything twice.

/// How far the text that a [`Scanner`] saw has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing but white space.
    Empty,
    /// A value has begun.
    Partial,
    /// The outermost brackets or quotes have closed; only white space followed.
    Complete,
    /// More text came after that, or brackets closed that never opened.
    Overrun,
}

/// Follows brackets and strings over any cutting of the text. It does not check the grammar;
/// that is left to the parser, which runs once at the end.
#[derive(Debug, Clone, Copy)]
pub struct Scanner {
    depth: u32,
    in_string: bool,
    escaped: bool,
    progress: Progress,
}

impl Default for Scanner {
    fn default() -> Self {
        Self { depth: 0, in_string: false, escaped: false, progress: Progress::Empty }
    }
}

impl Scanner {
    /// A scanner that saw one whole object or array.
    pub(crate) fn after_brackets() -> Self {
        Self { progress: Progress::Complete, ..Self::default() }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, text: &str) {
        for &b in text.as_bytes() {
            if self.in_string {
                match b {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => {
                        self.in_string = false;
                        if self.depth == 0 {
                            self.progress = Progress::Complete;
                        }
                    }
                    _ => {}
                }
                continue;
            }
            if matches!(b, b' ' | b'\n' | b'\r' | b'\t') {
                continue;
            }
            match self.progress {
                Progress::Complete | Progress::Overrun => {
                    self.progress = Progress::Overrun;
                    return;
                }
                Progress::Empty => self.progress = Progress::Partial,
                Progress::Partial => {}
            }
            match b {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    let Some(depth) = self.depth.checked_sub(1) else {
                        self.progress = Progress::Overrun;
                        return;
                    };
                    self.depth = depth;
                    if depth == 0 {
                        self.progress = Progress::Complete;
                    }
                }
                _ => {}
            }
        }
    }

    /// Where the first whole value of a text ends.
    pub fn end_of_value(text: &str) -> Option<usize> {
        let mut scanner = Self::default();
        text.char_indices().find_map(|(at, c)| {
            let mut utf8 = [0; 4];
            scanner.push(c.encode_utf8(&mut utf8));
            (scanner.progress == Progress::Complete).then_some(at + c.len_utf8())
        })
    }

    /// How far the text has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }
}

#[cfg(test)]
mod tests {
    use super::{Progress, Scanner};

    fn scan(pieces: &[&str]) -> Progress {
        let mut scanner = Scanner::default();
        for piece in pieces {
            scanner.push(piece);
        }
        scanner.progress()
    }

    #[test]
    fn progress_follows_brackets_outside_strings() {
        assert_eq!(scan(&[" "]), Progress::Empty);
        assert_eq!(scan(&["{\"a\":\"}", "\\", "\"}\""]), Progress::Partial);
        assert_eq!(scan(&["{\"a\":\"\\\\\"", "} "]), Progress::Complete);
        assert_eq!(scan(&["{}", "{"]), Progress::Overrun);
        assert_eq!(scan(&["}"]), Progress::Overrun);
        assert_eq!(scan(&["\"a", "\""]), Progress::Complete);
        assert_eq!(Scanner::end_of_value(" {\"é\":[1]} x"), Some(11));
        assert_eq!(Scanner::end_of_value("{\"a\":1"), None);
    }
}
