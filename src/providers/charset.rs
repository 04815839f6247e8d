//! What names and ids may be made of.

/// ASCII letters, digits, `_` and `-`: names and ids at most providers.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// True if the text has 1 to `longest` characters, and all of them are `allowed`.
pub(super) fn fits(text: &str, longest: usize, allowed: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && !is_longer(text, longest) && text.chars().all(allowed)
}

/// True if the text has more than `longest` characters.
pub(super) fn is_longer(text: &str, longest: usize) -> bool {
    text.len() > longest && text.chars().nth(longest).is_some()
}

/// True if the text is nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// True if the text is standard base64 with its padding.
pub(super) fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+' || b == b'/')
}

/// A key in lowerCamelCase.
pub fn camel_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut upper = false;
    for c in key.chars() {
        match c {
            '_' if !out.is_empty() => upper = true,
            c if upper => {
                out.extend(c.to_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{camel_case, fits, is_base64, is_longer, is_word};

    #[test]
    fn lengths_are_counted_in_characters() {
        assert!(fits("a-b_C9", 6, is_word) && !fits("a-b_C9x", 6, is_word) && !fits("", 6, is_word));
        assert!(!is_longer("éé", 2) && is_longer("ééé", 2));
        assert!(is_base64("c2ln") && is_base64("YQ==") && !is_base64("YQ=") && !is_base64("a_b-") && is_base64(""));
    }

    #[test]
    fn both_spellings_are_one() {
        for (key, expected) in [("function_calling_config", "functionCallingConfig"), ("mode", "mode"), ("_x", "_x")] {
            assert_eq!(camel_case(key), expected);
        }
    }
}
