//! The rate route: the slope of the logarithm of a mean against the logarithm of a size, with confidence.
//!
//! Each size's mean lies in an empirical-Bernstein confidence sequence, all at once with probability at least 1 - level: the level is divided among the sizes,
//! and one event guards either word. From the intervals at the smallest and the largest size follows an interval for the slope, after the claimed power of
//! ln T is taken away; it is compared with the claimed exponent from the side that the claim asserts. The sizes between are measured and shown.

use crate::Progress;
use crate::inference::{EmpiricalBernstein, InferenceError, require, require_part_level};
use crate::statistical::CHUNK;
use crate::stream::Keyed;
use crate::witness::exact_decimal;
use claim::{Asserted, RatePart, Size, Verdict, Witness};
use numeric::{Interval, Ordered, Rational, Real, Truth};
use rayon::prelude::*;

/// What the route found.
pub struct Finding {
    /// The verdict by this route alone.
    pub verdict: Verdict,
    /// Draws used.
    pub draws: u64,
    /// The most draws taken at one size.
    pub sample: u64,
    /// The slope's interval where it is not the one asserted.
    pub witness: Option<Witness>,
    /// The means by size, and the slope.
    pub lines: Vec<(String, String)>,
}

/// The interval of a size's mean and the draws used, or the draw that is outside its range (None for an interruption).
type Measured = Result<((f64, f64), u64), Option<f64>>;

fn measure(size: &Size, keyed: &Keyed, factor: u64, level: &Rational, progress: &dyn Progress) -> Result<Measured, InferenceError> {
    let mut sequence = EmpiricalBernstein::new(0.0, size.high, level, size.draws.saturating_mul(factor))?;
    let chunks = size.draws.saturating_mul(factor).div_ceil(CHUNK as u64);
    let mut draws = 0;
    let mut next = 0;
    while next < chunks {
        if progress.cancelled() {
            return Ok(Err(None));
        }
        let width = 32.min(chunks - next);
        let wave: Vec<Vec<f64>> = (next..next + width)
            .into_par_iter()
            .map(|index| {
                let mut out = vec![0.0; CHUNK];
                (size.sampler)(&mut keyed.stream(index), &mut out);
                out
            })
            .collect();
        next += width;
        for x in wave.into_iter().flatten() {
            draws += 1;
            if !sequence.update(x) {
                return Ok(Err(Some(x)));
            }
        }
    }
    Ok(Ok((sequence.interval(), draws)))
}

/// Runs a part. `path` is (claim id, part name).
///
/// # Errors
/// [`InferenceError`] where the level, the sizes or their ranges allow no slope.
pub fn run(part: &RatePart, seed: u64, factor: u64, path: (&str, &str), progress: &dyn Progress) -> Result<Finding, InferenceError> {
    require_part_level(&part.level)?;
    require(part.sizes.len() >= 2, "rate", "sizes", part.sizes.len(), "at least two")?;
    // From 2 on, so that ln ln T exists.
    let mut before = 1;
    for size in &part.sizes {
        require(size.size > before, "rate", "size", size.size, "above the one before it, the first at least 2")?;
        before = size.size;
    }
    let level = part.level.clone() / Rational::from(part.sizes.len() as i64);
    let mut finding = Finding { verdict: Verdict::Undecided, draws: 0, sample: 0, witness: None, lines: Vec::new() };
    let mut means: Vec<(u64, Interval)> = Vec::new();
    for (index, size) in part.sizes.iter().enumerate() {
        let keyed = Keyed::new(seed, &[path.0, path.1, "rate", &index.to_string()]);
        let ((low, high), draws) = match measure(size, &keyed, factor, &level, progress)? {
            Ok(measured) => measured,
            Err(outside) => {
                let mut values = vec![("stopped_at_size".to_owned(), size.size.to_string())];
                values.extend(outside.map(|x| ("outside_the_law".to_owned(), exact_decimal(x))));
                let reason = if outside.is_some() { "a draw outside its declared range" } else { "interrupted" };
                finding.witness = Some(Witness { instance: reason.into(), values, replay: None });
                return Ok(finding);
            }
        };
        finding.draws += draws;
        finding.sample = finding.sample.max(draws);
        finding.lines.push((format!("mean_at_{}", size.size), format!("[{low:e}, {high:e}] from {draws} draws")));
        let Ok(mean) = Interval::new(low.max(0.0), high) else { return Ok(finding) };
        means.push((size.size, mean));
    }
    let (Some((first, first_mean)), Some((last, last_mean))) = (means.first(), means.last()) else { return Ok(finding) };
    let ln = |size: u64| Interval::from_rational(&Rational::from_i128(i128::from(size), 1)).ln();
    // A mean whose interval reaches down to 0 has a logarithm bounded above only.
    let ln_mean = |mean: &Interval| {
        let above = Interval::point(mean.hi()).ln();
        if mean.lo() > 0.0 { mean.ln() } else { Interval::new(f64::NEG_INFINITY, above.hi()).unwrap_or(Interval::WHOLE) }
    };
    // The corrected mean: E X / (ln T)^k.
    let power = Interval::from_rational(&part.log_power);
    let corrected = |size: u64, mean: &Interval| if part.log_power.is_zero() { ln_mean(mean) } else { ln_mean(mean) - power * ln(size).ln() };
    let (start, end) = (corrected(*first, first_mean), corrected(*last, last_mean));
    let slope = (end - start) / (ln(*last) - ln(*first));
    finding.lines.push(("slope".into(), format!("[{:e}, {:e}]", slope.lo(), slope.hi())));
    let exponent = Interval::from_rational(&part.exponent);
    let truth = match part.asserted {
        Asserted::AtMost => slope.le(&exponent),
        Asserted::AtLeast => exponent.le(&slope),
    };
    finding.verdict = match truth {
        Truth::True => Verdict::Supported,
        Truth::False => Verdict::Refuted,
        Truth::Unknown => Verdict::Undecided,
    };
    if finding.verdict != Verdict::Supported {
        let values = vec![
            ("asserted".to_owned(), format!("slope {} {}", part.asserted.as_str(), part.exponent)),
            ("slope_low".to_owned(), exact_decimal(slope.lo())),
            ("slope_high".to_owned(), exact_decimal(slope.hi())),
        ];
        finding.witness = Some(Witness { instance: format!("sizes {first} and {last}"), values, replay: None });
    }
    Ok(finding)
}
