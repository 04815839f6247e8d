//! Argument texts: JSON objects of an exact length, spelled as models spell them.

use std::fmt::Write as _;

use super::random::Random;

/// Pieces of strings, as they stand in JSON text.
const PIECES: &[&str] = &[
    "the quick brown fox ",
    "src/main.rs",
    "C:\\\\Users\\\\ann\\\\notes.txt",
    "fn main() {\\n    println!(\\\"hi\\\");\\n}\\n",
    "\\tindented ",
    "Zürich, Straße 7 ",
    "caf\\u00e9 ",
    "東京 ",
    "\\ud83d\\ude00 and 🦀 ",
    "<b>bold</b> &amp; ",
    "SELECT id FROM t WHERE n = 'x'; ",
    "https://example.org/a?b=c&d=e ",
];

/// An object of strings, numbers and small nested values.
pub(super) fn mixed(size: usize, random: &mut Random) -> String {
    object(size, random, |number, random, out| {
        let _ = write!(out, "\"field_{number}\": ");
        match number % 5 {
            0 | 1 => string_value(3, random, out),
            2 => number_value(random, out),
            3 => {
                let _ = write!(out, "[{}, {}, true, null, ", random.below(100), random.below(1000));
                string_value(1, random, out);
                out.push(']');
            }
            _ => {
                let _ = write!(out, "{{\"line\": {}, \"ok\": false, \"at\": {{\"x\": ", random.below(5000));
                number_value(random, out);
                out.push_str("}, \"text\": ");
                string_value(2, random, out);
                out.push('}');
            }
        }
    })
}

/// An object with one long string, as when a file is written.
pub(super) fn string(size: usize, random: &mut Random) -> String {
    let mut out = String::with_capacity(size);
    out.push_str("{\"path\": \"notes.txt\", \"content\": \"");
    while out.len() + 64 < size {
        out.push_str(random.pick(PIECES));
    }
    while out.len() + 2 < size {
        out.push('.');
    }
    out.push_str("\"}");
    out
}

/// An object of values as small as they get, which costs a tree the most.
pub(super) fn nested(size: usize, random: &mut Random) -> String {
    object(size, random, |number, random, out| {
        let _ = write!(out, "\"{number}\":[[{},{}],[[]],{{\"a\":{{}}}}]", random.below(10), random.below(10));
    })
}

/// An object of `size` bytes with the members that `member` writes.
fn object(size: usize, random: &mut Random, member: impl Fn(u64, &mut Random, &mut String)) -> String {
    const TAIL: &str = "\"end\": \"";
    let mut out = String::with_capacity(size);
    out.push('{');
    let mut next = String::new();
    for number in 0.. {
        next.clear();
        member(number, random, &mut next);
        next.push_str(", ");
        if out.len() + next.len() + TAIL.len() + 2 > size {
            break;
        }
        out.push_str(&next);
    }
    out.push_str(TAIL);
    while out.len() + 2 < size {
        out.push('.');
    }
    out.push_str("\"}");
    out
}

fn string_value(pieces: u64, random: &mut Random, out: &mut String) {
    out.push('"');
    for _ in 0..=random.below(pieces) {
        out.push_str(random.pick(PIECES));
    }
    out.push('"');
}

fn number_value(random: &mut Random, out: &mut String) {
    let _ = match random.below(3) {
        0 => write!(out, "{}", random.below(1 << 40)),
        1 => write!(out, "-{}.{}", random.below(1000), random.below(100_000)),
        _ => write!(out, "{}.5e-{}", random.below(10), random.below(30)),
    };
}

#[cfg(test)]
mod tests {
    use super::{Random, mixed, nested, string};

    #[test]
    fn texts_are_objects_of_the_asked_length() {
        let mut random = Random::new(1);
        for size in [500, 4096, 100_000] {
            for text in [mixed(size, &mut random), string(size, &mut random), nested(size, &mut random)] {
                assert_eq!(text.len(), size);
                assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap().is_object());
            }
        }
    }
}
