//! Arguments and parameters far outside the usual sizes: the enclosures must hold, and nothing may fill the memory.

use numeric::{BigInterval, Field, Ordered, Rational, Real, regularized_beta};

fn tenth_power(n: u32) -> Rational {
    Rational::from(10).powi(n)
}

#[test]
fn integer_powers_beyond_32_bits() {
    // (1 + 10^-10)^(2^33) from mpmath; 2^33 does not fit 32 bits.
    let base = BigInterval::from_rational(&(Rational::from(1) + Rational::from(1) / tenth_power(10)));
    assert!(base.pow_integer(1 << 33).to_decimal(20).starts_with("2.36078327263554"));
    let odd = (-BigInterval::one()).pow_integer((1 << 33) + 1);
    assert!(odd.equals(&-BigInterval::one()).is_true());
    assert!((-BigInterval::one()).pow_integer(-(1 << 33)).equals(&BigInterval::one()).is_true());
}

#[test]
fn exponents_never_overflow() {
    // (e^(10^9))^(2^34) has an exponent near 2^64, which no 64-bit integer holds.
    let power = BigInterval::from_i64(1_000_000_000).exp();
    let huge = power.powi(u32::MAX).powi(4);
    assert!(BigInterval::from_i64(1).lt(&huge).is_true());
    assert!(!huge.is_bounded());
    let tiny = BigInterval::one() / huge.clone();
    assert!(BigInterval::zero().le(&tiny).is_true());
    assert!(tiny.lt(&BigInterval::one()).is_true());
    // The product's true value is 1.
    let unit = huge * tiny;
    assert!(!unit.equals(&BigInterval::one()).is_false());
}

#[test]
fn functions_of_numbers_too_long_to_write_out() {
    // ln(1 + e^(5 10^11)) = 5 10^11 to far more digits than are kept.
    let x = BigInterval::from_i64(500_000_000_000).exp();
    assert!(x.ln_1p().contains_rational(&Rational::from_i128(500_000_000_000, 1)));
    assert!(BigInterval::from_i64(1).lt(&x.gamma()).is_true());
    // Stirling: ln gamma(x) > x for x > e^2.
    assert!(x.lt(&x.ln_gamma()).is_true());
    assert!(BigInterval::from_i64(1).lt(&BigInterval::from_i64(2).pow(&x)).is_true());
}

#[test]
fn beta_series_with_parameters_of_very_different_size() {
    // I_x(1/2, 10^30 + 1/2) at x = 10^-31, from mpmath at 120 digits; close to erf(sqrt(0.1)).
    let b = tenth_power(30) + Rational::new(1, 2);
    let tails = regularized_beta(&Rational::new(1, 2), &b, &(Rational::from(1) / tenth_power(31))).unwrap();
    let (low, unit): (Rational, Rational) = ("0.34527915398142297059676407063740781066".parse().unwrap(), Rational::from(1) / tenth_power(38));
    let inside = BigInterval::between(&low, &(low.clone() + unit));
    // The reference is cut after 38 digits: the true value is in it, so the two enclosures must meet.
    assert!(!tails.lower.intersect(&inside).is_empty(), "{}", tails.lower.to_decimal(40));
}
