//! The one order of tools: by wire name, then by description, both as JavaScript compares strings.

use std::cmp::Ordering;

/// Compares by UTF-16 code units. It differs from the order of bytes where a character beyond U+FFFF meets one of
/// U+E000 to U+FFFF: `"\u{1F600}"` stands before `"\u{FF5E}"`.
pub(in crate::providers) fn utf16(a: &str, b: &str) -> Ordering {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    match (a.as_bytes().get(same), b.as_bytes().get(same)) {
        // The units differ only where UTF-16 needs surrogates and bytes do not show it.
        (Some(x), Some(y)) if *x >= 0xee && *y >= 0xee => a.encode_utf16().cmp(b.encode_utf16()),
        (x, y) => x.cmp(&y),
    }
}

#[cfg(test)]
mod tests {
    use super::utf16;

    #[test]
    fn the_order_is_that_of_code_units() {
        let mut names =
            ["\u{ff5e}", "\u{1f600}", "b", "a", "B", "", "aa", "é", "\u{e000}", "\u{d7ff}", "a\u{1f600}", "a\u{ffff}"];
        names.sort_by(|a, b| utf16(a, b));
        let mut expected = names;
        expected.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        assert_eq!(names, expected);
        assert_eq!(utf16("\u{1f600}", "\u{ff5e}"), std::cmp::Ordering::Less, "bytes would say the opposite");
        assert_eq!(utf16("B", "a"), std::cmp::Ordering::Less, "a locale would say the opposite");
    }
}
