//! Least squares over a linear class: the squared error is sigma^2/n times a chi-square variable of the class's rank.

use super::chaining::chi_square_within;
use numeric::{BigInterval, Field, Ordered, Rational, Real, TailError};

/// Halvings that the search for the best constant makes: more than the digits printed.
const HALVINGS: u32 = 90;

/// The least c with P(chi2_r <= c s) >= 1 - exp(-s/2), s = n t d/sigma^2: the number that could stand in place of 16 in P(error <= 16 t d) >= 1 - exp(-n t d/(2
/// sigma^2)). Two rationals with it between them, or none where the arithmetic cannot tell at the thread's precision.
///
/// # Errors
/// [`TailError`] for a rank of 0 or a size that is not one of positive numbers.
pub fn best_constant(rank: u64, size: &BigInterval) -> Result<Option<(Rational, Rational)>, TailError> {
    let miss = (-(size.clone() / BigInterval::from_i64(2))).exp();
    // Whether c is large enough; None where the arithmetic cannot tell.
    let enough = |c: &Rational| -> Result<Option<bool>, TailError> {
        let (_, above) = chi_square_within(rank, &(BigInterval::from_rational(c) * size.clone()))?;
        Ok(if above.le(&miss).is_true() { Some(true) } else { miss.lt(&above).is_true().then_some(false) })
    };
    let (mut low, mut high) = (Rational::from(0), Rational::from(16));
    let half = Rational::new(1, 2);
    for _ in 0..HALVINGS {
        let mid = (low.clone() + high.clone()) * half.clone();
        match enough(&mid)? {
            Some(true) => high = mid,
            Some(false) => low = mid,
            None => {
                // c may be this very number (it is 1 for r = 2): close in on it from both sides.
                let step = half.powi(HALVINGS);
                let (left, right) = (mid.clone() - step.clone(), mid + step);
                if enough(&left)? == Some(false) && enough(&right)? == Some(true) {
                    (low, high) = (left, right);
                }
                break;
            }
        }
    }
    let known = high.clone() - low.clone() <= half.powi(HALVINGS - 8);
    Ok(known.then_some((low, high)))
}
