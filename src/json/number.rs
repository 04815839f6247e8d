//! Numbers by exact decimal value, without floats.

/// A number text as sign, significant digits and the power of ten of its last digit.
struct Decimal<'a> {
    negative: bool,
    /// Integer digits, then fraction digits; zeros at both ends are cut off by `digits`.
    integer: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Takes a text that the grammar accepted; `None` if the exponent does not fit.
    fn read(text: &'a str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Some(Self { negative, integer: integer.as_bytes(), fraction: fraction.as_bytes(), exponent })
    }

    /// Significant digits and the exponent of the last of them; no digits for zero.
    fn normal(&self) -> (Vec<u8>, i64) {
        let mut digits: Vec<u8> = self.integer.iter().chain(self.fraction).copied().collect();
        let mut exponent = self.exponent.saturating_sub(i64::try_from(self.fraction.len()).unwrap_or(i64::MAX));
        while digits.last() == Some(&b'0') {
            digits.pop();
            exponent = exponent.saturating_add(1);
        }
        let zeros = digits.iter().take_while(|&&d| d == b'0').count();
        digits.drain(..zeros);
        (digits, exponent)
    }
}

/// True if two JSON numbers have the same decimal value: `1.0` and `1`, `1e2` and `100`, but not
/// `12345678901234567890` and `12345678901234567000`.
pub fn same_number(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b)) = (Decimal::read(a), Decimal::read(b)) else {
        return false;
    };
    let (a_digits, a_exponent) = a.normal();
    let (b_digits, b_exponent) = b.normal();
    if a_digits.is_empty() || b_digits.is_empty() {
        return a_digits.is_empty() && b_digits.is_empty();
    }
    a.negative == b.negative && a_digits == b_digits && a_exponent == b_exponent
}

#[cfg(test)]
mod tests {
    use super::same_number;

    #[test]
    fn numbers_compare_by_value() {
        for (a, b) in [("1", "1.0"), ("1e2", "100"), ("-0", "0"), ("0.10", "1E-1"), ("120", "1.2e+2"), ("0e9", "0")] {
            assert!(same_number(a, b), "{a} {b}");
        }
        for (a, b) in
            [("12345678901234567890", "12345678901234567000"), ("1", "-1"), ("1", "10"), ("0.1", "0.01"), ("0", "1")]
        {
            assert!(!same_number(a, b), "{a} {b}");
        }
        assert!(!same_number("1e99999999999999999999", "1"));
    }
}
