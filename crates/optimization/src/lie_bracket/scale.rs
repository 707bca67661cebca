//! The tournament for many sources: two passes over the rows g_i, q_i, no N x N matrix, and an error bound for every score.
//!
//! With u = 2^-53: a sum of N doubles in any order is off by at most 2 N u times the sum of their sizes while N u < 1/4, a product sum of d terms likewise
//! by 2 d u times its absolute sum (Higham, Accuracy and Stability, section 4.2). So Q, the sum of all q_j, is off by at most 2 N u (sum of |q_j|) in norm,
//! and by Cauchy-Schwarz S_i by at most |g_i| (2 N u sum |q_j| + 2 (d + 2) u |Q|) + |q_i| (2 N u sum |g_j| + 2 (d + 2) u |Gam|). The norms come out of the
//! first pass; the second is one product a row and array.

use rayon::prelude::*;
use std::ops::Range;

/// Rows a chunk: the partial sums are folded chunk by chunk, so the result does not depend on the number of threads.
const CHUNK: usize = 256;
const UNIT: f64 = f64::EPSILON / 2.0;

/// Where the rows come from: slices in memory, or a file that is read chunk by chunk.
pub trait Rows: Sync {
    /// What can go wrong while reading.
    type Error: Send;
    /// N
    fn count(&self) -> usize;
    /// d
    fn dimension(&self) -> usize;
    /// Hands the rows of a range to `work`: all g_i one after the other, and all q_i.
    ///
    /// # Errors
    /// Whatever the reader meets.
    fn with(&self, range: Range<usize>, work: &mut dyn FnMut(&[f64], &[f64])) -> Result<(), Self::Error>;
}

/// Rows in memory.
pub struct InMemory<'a> {
    /// N rows of d doubles.
    pub gradients: &'a [f64],
    /// N rows of d doubles: H_i g_E.
    pub curved: &'a [f64],
    /// d > 0
    pub dimension: usize,
}

impl Rows for InMemory<'_> {
    type Error = std::convert::Infallible;

    fn count(&self) -> usize {
        self.gradients.len().min(self.curved.len()) / self.dimension.max(1)
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn with(&self, range: Range<usize>, work: &mut dyn FnMut(&[f64], &[f64])) -> Result<(), Self::Error> {
        let place = range.start * self.dimension..range.end * self.dimension;
        work(&self.gradients[place.clone()], &self.curved[place]);
        Ok(())
    }
}

/// The scores of many sources.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredRows {
    /// S_i, in input order.
    pub scores: Vec<f64>,
    /// S_i is off by at most this.
    pub errors: Vec<f64>,
    /// Indices by ascending score, ties by index.
    pub order: Vec<usize>,
    /// Whether each source certainly comes before its successor: the gap of the scores exceeds both errors.
    pub certain: Vec<bool>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum ScaleError<E> {
    /// The rows could not be read.
    #[error("{0}")]
    Rows(E),
    /// A sum or a score is not finite: NaN or infinity in the rows, or an overflow.
    #[error("row {row}: the score is not finite (NaN or infinity in the rows, or an overflow)")]
    NotFinite {
        /// The first row concerned, from 0.
        row: usize,
    },
}

/// The sums of the g and of the q over rows, and each row's squared norms.
struct Sums {
    vectors: [Vec<f64>; 2],
    squares: [Vec<f64>; 2],
}

/// The norm of a vector whose entries' squares sum to about `square`, from above; entries below the normal range count as if they were there.
fn norm_above(square: f64, count: f64) -> f64 {
    (square * (1.0 + 2.0 * (count + 2.0) * UNIT) + count * f64::MIN_POSITIVE).sqrt() * (1.0 + 4.0 * UNIT)
}

/// S_i = <Q, g_i> - <q_i, Gam> for every row, with error bounds; memory O(d) a thread and O(N) beside the rows.
///
/// # Errors
/// [`ScaleError`] when the rows cannot be read or a score is not finite.
pub fn scored_rows<R: Rows>(rows: &R) -> Result<ScoredRows, ScaleError<R::Error>> {
    let (count, dimension) = (rows.count(), rows.dimension());
    let chunks: Vec<Range<usize>> = (0..count).step_by(CHUNK).map(|start| start..(start + CHUNK).min(count)).collect();
    let mut total = Sums { vectors: [(); 2].map(|()| vec![0.0; dimension]), squares: [(); 2].map(|()| Vec::with_capacity(count)) };
    // Waves bound the memory of the partial sums.
    for wave in chunks.chunks(16) {
        let sums: Vec<Result<Sums, R::Error>> = wave
            .par_iter()
            .map(|range| {
                let mut sums = Sums { vectors: [(); 2].map(|()| vec![0.0; dimension]), squares: [(); 2].map(|()| vec![0.0; range.len()]) };
                rows.with(range.clone(), &mut |g, q| {
                    simd::rows::add_rows(g, &mut sums.vectors[0], &mut sums.squares[0]);
                    simd::rows::add_rows(q, &mut sums.vectors[1], &mut sums.squares[1]);
                })?;
                Ok(sums)
            })
            .collect();
        for sums in sums {
            let sums = sums.map_err(ScaleError::Rows)?;
            for array in 0..2 {
                total.vectors[array].iter_mut().zip(&sums.vectors[array]).for_each(|(sum, x)| *sum += x);
                total.squares[array].extend(&sums.squares[array]);
            }
        }
    }
    let (n, d) = (count as f64, dimension as f64);
    let [gam, big] = &total.vectors;
    // 2 N u (sum of the rows' norms) + 2 (d + 2) u |sum|, from above (the last factor covers the rounding here).
    let weight = |array: usize| {
        let norms: f64 = total.squares[array].iter().map(|&square| norm_above(square, d)).sum();
        let sum = norm_above(total.vectors[array].iter().map(|x| x * x).sum(), d);
        (2.0 * n * UNIT * norms + 2.0 * (d + 2.0) * UNIT * sum) * (1.0 + 1e-6)
    };
    let (gam_weight, big_weight) = (weight(0), weight(1));
    let parts: Vec<Result<Vec<f64>, R::Error>> = chunks
        .par_iter()
        .map(|range| {
            let (mut plus, mut minus) = (vec![0.0; range.len()], vec![0.0; range.len()]);
            rows.with(range.clone(), &mut |g, q| {
                simd::rows::dot_rows(big, g, &mut plus);
                simd::rows::dot_rows(gam, q, &mut minus);
            })?;
            plus.iter_mut().zip(&minus).for_each(|(plus, minus)| *plus -= minus);
            Ok(plus)
        })
        .collect();
    let mut scored = ScoredRows { scores: Vec::with_capacity(count), errors: Vec::with_capacity(count), order: Vec::new(), certain: Vec::new() };
    for part in parts {
        for score in part.map_err(ScaleError::Rows)? {
            let row = scored.scores.len();
            let [g, q] = [0, 1].map(|array| norm_above(total.squares[array][row], d));
            let error = (g * big_weight + q * gam_weight) * (1.0 + 1e-6) + 2.0 * d * f64::MIN_POSITIVE;
            if !score.is_finite() || !error.is_finite() {
                return Err(ScaleError::NotFinite { row });
            }
            scored.scores.push(score);
            scored.errors.push(error);
        }
    }
    let ScoredRows { scores, errors, order, certain } = &mut scored;
    *order = (0..count).collect();
    order.sort_by(|&i, &j| scores[i].total_cmp(&scores[j]).then(i.cmp(&j)));
    // -0 and 0 are one score.
    *certain = order.windows(2).map(|pair| scores[pair[1]] - scores[pair[0]] > (errors[pair[0]] + errors[pair[1]]) * (1.0 + 1e-12)).collect();
    Ok(scored)
}

#[cfg(test)]
mod tests {
    use super::{InMemory, ScaleError, scored_rows};
    use crate::lie_bracket::algorithm::{Entrant, order_by_score, row_sums};
    use numeric::Rational;

    /// A fixed sequence of doubles in [-1, 1], of all sizes down to 2^-40.
    fn doubles(count: usize, mut state: u64) -> Vec<f64> {
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let value = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
                value / (1_u64 << (state % 41)) as f64
            })
            .collect()
    }

    #[test]
    fn scores_are_within_their_errors_of_the_exact_ones() {
        for (count, dimension) in [(1, 1), (2, 3), (7, 16), (300, 9), (600, 33)] {
            let (g, q) = (doubles(count * dimension, 1), doubles(count * dimension, 2));
            let scored = scored_rows(&InMemory { gradients: &g, curved: &q, dimension }).unwrap();
            let exact = |row: &[f64]| row.iter().map(|&x| Rational::from_f64(x).unwrap()).collect::<Vec<_>>();
            let entrants: Vec<Entrant<Rational>> =
                g.chunks(dimension).zip(q.chunks(dimension)).map(|(g, q)| Entrant { gradient: exact(g), curved: exact(q) }).collect();
            let sums = row_sums(&entrants);
            for ((score, error), sum) in scored.scores.iter().zip(&scored.errors).zip(&sums) {
                let off = Rational::from_f64(*score).unwrap() - sum.clone();
                let off = if off < Rational::from(0) { -off } else { off };
                assert!(off <= Rational::from_f64(*error).unwrap(), "{count} {dimension}: {off} > {error}");
            }
            // Where every gap is certain, the order is the exact one.
            if scored.certain.iter().all(|&certain| certain) {
                assert_eq!(scored.order, order_by_score(&sums));
            }
            assert!(count < 2 || scored.certain.iter().filter(|&&certain| certain).count() * 2 >= count, "{count} {dimension}");
        }
    }

    #[test]
    fn threads_do_not_matter_and_faults_have_a_row() {
        let (g, q) = (doubles(2_000 * 20, 3), doubles(2_000 * 20, 4));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| scored_rows(&InMemory { gradients: &g, curved: &q, dimension: 20 }).unwrap())
        };
        assert_eq!(run(1), run(3));
        let mut bad = g.clone();
        bad[41] = f64::NAN;
        assert!(matches!(scored_rows(&InMemory { gradients: &bad, curved: &q, dimension: 20 }), Err(ScaleError::NotFinite { row: 0 })));
        // Equal rows tie: nothing is certain.
        let tied = scored_rows(&InMemory { gradients: &[1.0, 1.0], curved: &[2.0, 2.0], dimension: 1 }).unwrap();
        assert_eq!((tied.order, tied.certain), (vec![0, 1], vec![false]));
    }
}
