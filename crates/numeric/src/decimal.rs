//! Reading numbers exactly as written, and writing them in decimals with a stated rounding.

use crate::Rational;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Pow, Signed, Zero};
use std::fmt;
use std::str::FromStr;

/// Which way a decimal may differ from the number it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Not above the number.
    Down,
    /// Not below the number.
    Up,
    /// The closest (ties away from zero).
    Nearest,
}

/// Largest decimal exponent, in absolute value, that is read: beyond it a few characters would ask for gigabytes.
pub const MAX_EXPONENT: i64 = 10_000;
/// Longest text that is read as one number.
const MAX_LENGTH: usize = 100_000;

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRationalError {
    /// The text (its first 60 characters).
    pub text: String,
    /// Character position of the fault, from 0.
    pub position: usize,
    /// What is wrong.
    pub reason: &'static str,
}

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a number: {} (character {})", self.text, self.reason, self.position + 1)
    }
}

impl std::error::Error for ParseRationalError {}

impl FromStr for Rational {
    type Err = ParseRationalError;

    /// Reads an integer, a decimal ("0.1" is 1/10), one with an exponent ("-1.5e-3") or a fraction of such ("2/3"), exactly.
    fn from_str(text: &str) -> Result<Rational, ParseRationalError> {
        let fail = |position, reason| ParseRationalError { text: text.chars().take(60).collect(), position, reason };
        if text.len() > MAX_LENGTH {
            return Err(fail(MAX_LENGTH, "more than 100,000 characters"));
        }
        match text.find('/') {
            None => decimal(text, 0, &fail),
            Some(slash) => {
                let numerator = decimal(&text[..slash], 0, &fail)?;
                let denominator = decimal(&text[slash + 1..], slash + 1, &fail)?;
                if denominator.is_zero() {
                    return Err(fail(slash + 1, "the denominator is zero"));
                }
                Ok(numerator / denominator)
            }
        }
    }
}

/// One decimal; `start` is its position in the whole text, for messages.
fn decimal(text: &str, start: usize, fail: &dyn Fn(usize, &'static str) -> ParseRationalError) -> Result<Rational, ParseRationalError> {
    let bytes = text.as_bytes();
    let lower = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    if lower.starts_with("nan") || lower.starts_with("inf") {
        return Err(fail(start, "it is not finite"));
    }
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let negative = bytes.first() == Some(&b'-');
    let mut digits = String::new();
    let mut fraction = 0_i64;
    let mut point = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => {
                digits.push(char::from(byte));
                fraction += i64::from(point);
            }
            b'.' if !point => point = true,
            b'e' | b'E' => break,
            _ => return Err(fail(start + at, "a digit was expected")),
        }
        at += 1;
    }
    if digits.is_empty() {
        return Err(fail(start + at, "a digit was expected"));
    }
    let mut exponent = 0_i64;
    if at < bytes.len() {
        let written = &text[at + 1..];
        let body = written.strip_prefix(['+', '-']).unwrap_or(written);
        if body.is_empty() || !body.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fail(start + at + 1, "the exponent is not an integer"));
        }
        exponent = written.parse().unwrap_or(i64::MAX);
        if !(-MAX_EXPONENT..=MAX_EXPONENT).contains(&exponent) {
            return Err(fail(start + at + 1, "the exponent is beyond +-10,000"));
        }
    }
    let magnitude: BigInt = digits.parse().map_err(|_| fail(start, "a digit was expected"))?;
    let numerator = if negative { -magnitude } else { magnitude };
    let power = exponent - fraction;
    let ten = BigInt::from(10);
    Ok(if power >= 0 {
        Rational::from(numerator * Pow::pow(&ten, power.unsigned_abs()))
    } else {
        Rational::from_big(numerator, Pow::pow(&ten, power.unsigned_abs()))
    })
}

impl Rational {
    /// The value with `digits` significant digits (at least 1), rounded as stated; exact values are not padded with zeros.
    ///
    /// Plain notation where the decimal exponent is between -7 and `digits`, otherwise like `1.25e-30`. The undefined value gives "undefined".
    #[must_use]
    pub fn to_decimal(&self, digits: usize, rounding: Rounding) -> String {
        if !self.is_defined() {
            return "undefined".to_owned();
        }
        let digits = digits.max(1);
        let (numerator, denominator) = (self.numer(), self.denom());
        if numerator.is_zero() {
            return "0".to_owned();
        }
        let negative = numerator.is_negative();
        // Magnitudes round the other way round for negative numbers.
        let away = match rounding {
            Rounding::Down => negative,
            Rounding::Up => !negative,
            Rounding::Nearest => false,
        };
        let p = numerator.abs();
        let mut exponent = decimal_exponent(&p, &denominator);
        // mantissa = |value| * 10^(digits - 1 - exponent), an integer of exactly `digits` digits after rounding.
        let shift = digits as i64 - 1 - exponent;
        let ten = BigInt::from(10);
        let (top, bottom) = if shift >= 0 {
            (p * Pow::pow(&ten, shift.unsigned_abs()), denominator)
        } else {
            (p, denominator * Pow::pow(&ten, shift.unsigned_abs()))
        };
        let (mut mantissa, rest) = top.div_rem(&bottom);
        let up = match rounding {
            Rounding::Nearest => &rest * 2 >= bottom,
            _ => away && rest.sign() != Sign::NoSign,
        };
        if up {
            mantissa += 1;
        }
        let mut text = mantissa.to_string();
        if text.len() > digits {
            // Rounding carried into a new digit: 9.99.. became 10.
            text.pop();
            exponent += 1;
        }
        let body = layout(&text, exponent, digits as i64, rest.is_zero());
        if negative { format!("-{body}") } else { body }
    }
}

/// floor(log10(p / q)) for positive p and q.
fn decimal_exponent(p: &BigInt, q: &BigInt) -> i64 {
    // A guess from the bit lengths is off by at most one; 1233/4096 is log10(2) to four digits and the correction below makes it exact.
    let bits = p.bits() as i64 - q.bits() as i64;
    let mut exponent = (i128::from(bits) * 30_103 / 100_000) as i64;
    let ten = BigInt::from(10);
    let at_least = |e: i64| if e >= 0 { *p >= q * Pow::pow(&ten, e.unsigned_abs()) } else { p * Pow::pow(&ten, e.unsigned_abs()) >= *q };
    while !at_least(exponent) {
        exponent -= 1;
    }
    while at_least(exponent + 1) {
        exponent += 1;
    }
    exponent
}

fn layout(mantissa: &str, exponent: i64, digits: i64, exact: bool) -> String {
    let trimmed = if exact { mantissa.trim_end_matches('0') } else { mantissa };
    let trimmed = if trimmed.is_empty() { "0" } else { trimmed };
    if (-7..0).contains(&exponent) {
        return format!("0.{}{trimmed}", "0".repeat((-exponent - 1) as usize));
    }
    if (0..digits).contains(&exponent) {
        let whole = exponent as usize + 1;
        if trimmed.len() <= whole {
            return format!("{trimmed}{}", "0".repeat(whole - trimmed.len()));
        }
        return format!("{}.{}", &trimmed[..whole], &trimmed[whole..]);
    }
    let (first, rest) = trimmed.split_at(1);
    if rest.is_empty() { format!("{first}e{exponent}") } else { format!("{first}.{rest}e{exponent}") }
}

#[cfg(test)]
mod tests {
    use super::{Rational, Rounding};

    fn read(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_read_exactly_as_written() {
        for (text, p, q) in [
            ("0.1", 1, 10),
            ("-1.5e-3", -3, 2000),
            ("2/3", 2, 3),
            ("+7", 7, 1),
            (".5", 1, 2),
            ("5.", 5, 1),
            ("0.2/0.3", 2, 3),
            ("1E2", 100, 1),
            ("-0", 0, 1),
        ] {
            assert_eq!(read(text), Rational::new(p, q), "{text}");
        }
        assert_eq!(read("1e10000").digit_count(), 10_001);
    }

    #[test]
    fn what_is_not_a_number_says_where() {
        for (text, position) in [
            ("", 0),
            ("-", 1),
            ("1x", 1),
            ("1.2.3", 3),
            ("1/0", 2),
            ("1/", 2),
            ("1e", 2),
            ("1e10001", 2),
            ("1e-10001", 2),
            ("1e99999999999999999999", 2),
            ("NaN", 0),
            ("-inf", 0),
            ("0x10", 1),
            ("1 2", 1),
            ("1/2/3", 3),
            ("é", 0),
        ] {
            let error = text.parse::<Rational>().expect_err(text);
            assert_eq!(error.position, position, "{text}: {error}");
        }
    }

    #[test]
    fn decimals_round_as_asked() {
        let third = Rational::new(1, 3);
        assert_eq!(third.to_decimal(5, Rounding::Down), "0.33333");
        assert_eq!(third.to_decimal(5, Rounding::Up), "0.33334");
        assert_eq!((-third.clone()).to_decimal(5, Rounding::Down), "-0.33334");
        assert_eq!((-third).to_decimal(5, Rounding::Up), "-0.33333");
        let near_one = Rational::new(999_999, 1_000_000);
        assert_eq!(near_one.to_decimal(3, Rounding::Down), "0.999");
        assert_eq!(near_one.to_decimal(3, Rounding::Up), "1.00");
        assert_eq!(near_one.to_decimal(20, Rounding::Up), "0.999999");
        assert_eq!(read("1234500").to_decimal(20, Rounding::Down), "1234500");
        assert_eq!(read("123456789").to_decimal(3, Rounding::Down), "1.23e8");
        assert_eq!(read("2.5e-30").to_decimal(20, Rounding::Nearest), "2.5e-30");
        assert_eq!(read("1e25").to_decimal(20, Rounding::Nearest), "1e25");
        assert_eq!(Rational::new(1, 8).to_decimal(2, Rounding::Nearest), "0.13");
        assert_eq!(Rational::new(1, 0).to_decimal(2, Rounding::Nearest), "undefined");
        assert_eq!(read("1e-7").to_decimal(5, Rounding::Nearest), "0.0000001");
        assert_eq!(read("1e-8").to_decimal(5, Rounding::Nearest), "1e-8");
    }
}
