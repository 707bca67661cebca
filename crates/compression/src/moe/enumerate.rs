//! All routings and all noise of a few tokens, in machine integers.

use super::algorithm::subsets;
use super::instances::Noisy;
use numeric::{Field, Rational};

/// Most blocks of an instance that is enumerated.
const BLOCKS: usize = 6;

/// One outcome of a token: its weight, and twice its masked gradient (twice, because the noise comes in halves).
pub type Outcome = (i64, [i64; BLOCKS]);

/// Weighted outcomes of one token and their total weight. None where there is no such routing, or for more than six blocks.
#[must_use]
pub fn outcomes(instance: &Noisy) -> Option<(Vec<Outcome>, i64)> {
    let blocks = instance.gradient.len();
    if blocks > BLOCKS {
        return None;
    }
    let sets = subsets(blocks, instance.active).ok()?;
    let noise = |block: usize| match instance.noise[block] {
        (0, _) | (_, 0) => ([(1, 0), (0, 0)], 1),
        (a, b) => ([(b, a), (a, -b)], 2),
    };
    let weight = |block: usize| {
        let (values, count) = noise(block);
        values[..count].iter().map(|(weight, _)| weight).sum::<i64>()
    };
    let mut all = Vec::new();
    for set in &sets {
        let rest: i64 = (0..blocks).filter(|block| !set.contains(block)).map(weight).product();
        let first = all.len();
        all.push((rest, [0; BLOCKS]));
        for &block in set {
            let twice = 2 * instance.gradient[block];
            let (values, count) = noise(block);
            for index in first..all.len() {
                let (before, gradient): Outcome = all[index];
                for (place, &(weight, shift)) in values[..count].iter().enumerate() {
                    let mut gradient = gradient;
                    gradient[block] = twice + shift;
                    if place == 0 { all[index] = (before * weight, gradient) } else { all.push((before * weight, gradient)) }
                }
            }
        }
    }
    let total = sets.len() as i64 * (0..blocks).map(weight).product::<i64>();
    Some((all, total))
}

/// The weighted sum of squared norms over all tuples of the remaining tokens' outcomes. None where 128 bits do not hold it.
fn tuples(token: &[Outcome], rest: usize, weight: i64, sum: &[i64; BLOCKS]) -> Option<i128> {
    let mut total = 0_i128;
    for (more, values) in token {
        let weight = weight.checked_mul(*more)?;
        let mut next = *sum;
        for (x, y) in next.iter_mut().zip(values) {
            *x = x.checked_add(*y)?;
        }
        let term = if rest == 1 {
            let square = next.iter().try_fold(0_i64, |square, x| square.checked_add(x.checked_mul(*x)?))?;
            i128::from(weight) * i128::from(square)
        } else {
            tuples(token, rest - 1, weight, &next)?
        };
        total = total.checked_add(term)?;
    }
    Some(total)
}

/// E|| sum of B tokens' masked gradients ||^2, exactly: all B-tuples of outcomes. None where there is no such routing, or where 64 bits overflow.
#[must_use]
pub fn square_of_sum(instance: &Noisy) -> Option<Rational> {
    let (token, total) = outcomes(instance)?;
    let sum = tuples(&token, instance.batch.max(1), 1, &[0; BLOCKS])?;
    // Twice the gradients, so four times the squares.
    Some(Rational::from_i128(sum, 4) / Rational::from(total).powi(instance.batch.max(1) as u32))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::{outcomes, square_of_sum};
    use crate::moe::instances::Noisy;
    use numeric::Rational;

    #[test]
    fn outcomes_of_a_small_token() {
        // Two blocks with gradients 1 and 2; the first has noise 1/2 with probability 2/3, else -1; one of them is active.
        let noisy = Noisy { gradient: vec![1, 2], noise: vec![(1, 2), (0, 0)], active: 1, batch: 1 };
        let (mut token, total) = outcomes(&noisy).unwrap();
        token.sort_unstable();
        let of = |x, y| [x, y, 0, 0, 0, 0];
        // Twice the gradient: 2 + 1 with weight 2, 2 - 2 with weight 1; or the second block, with the first one's whole weight 3.
        assert_eq!((token, total), (vec![(1, of(0, 0)), (2, of(3, 0)), (3, of(0, 4))], 6));
        // (2 (3/2)^2 + 3 2^2)/6
        assert_eq!(square_of_sum(&noisy), Some(Rational::new(11, 4)));
        // Two tokens: E||a + b||^2 = 2 E||a||^2 + 2 ||E a||^2 with E a = (1/2, 1).
        assert_eq!(square_of_sum(&Noisy { batch: 2, ..noisy.clone() }), Some(Rational::new(11, 2) + Rational::new(5, 2)));
        // Too large for 64 bits: no answer rather than a wrong one.
        assert_eq!(square_of_sum(&Noisy { gradient: vec![i64::MAX / 8, 2], ..noisy }), None);
    }
}
