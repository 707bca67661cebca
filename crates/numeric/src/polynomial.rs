//! Polynomials at many intervals at once.

use crate::Interval;
use simd::horner::{Ends, WIDTH, horner};

/// Evaluates the polynomial with the given coefficients (highest first) at each interval by Horner's rule, and appends the enclosures to `out`.
///
/// The result is bit for bit that of `coefficients[1..].iter().fold(coefficients[0], |y, &c| y * x + c)`, which also does the work wherever an end is
/// infinite, undefined, or leaves the range of the vector arithmetic. No coefficients: the zero polynomial.
pub fn evaluate_polynomial(coefficients: &[Interval], xs: &[Interval], out: &mut Vec<Interval>) {
    let Some((&first, rest)) = coefficients.split_first() else {
        out.extend(xs.iter().map(|x| Interval::raw(0.0, 0.0).defined_if(x.is_defined())));
        return;
    };
    let scalar = |x: Interval| rest.iter().fold(first, |y, &c| y * x + c);
    let plain = |x: &Interval| x.is_defined() && !x.is_empty() && x.is_bounded();
    if !coefficients.iter().all(plain) {
        out.extend(xs.iter().map(|&x| scalar(x)));
        return;
    }
    let ends: Vec<(f64, f64)> = coefficients.iter().map(|c| (c.lo(), c.hi())).collect();
    let (batches, tail) = xs.as_chunks::<WIDTH>();
    for batch in batches {
        let lanes: Ends = (batch.map(|x| x.lo()), batch.map(|x| x.hi()));
        let found = if batch.iter().all(plain) { horner(&ends, &lanes) } else { [None; WIDTH] };
        out.extend(batch.iter().zip(found).map(|(&x, ends)| ends.map_or_else(|| scalar(x), |(lo, hi)| Interval::raw(lo, hi))));
    }
    out.extend(tail.iter().map(|&x| scalar(x)));
}
