//! What is run: M blocks of parameters, K of them updated in each step.
//!
//! The scaled router multiplies the active blocks' gradients by M/K (unbiased), the plain one does not; top-K takes the K largest gradients.

use numeric::{Field, Rational};

/// A routing that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutingError {
    /// No experts.
    #[error("M = 0 experts: there must be at least one")]
    NoExperts,
    /// K is 0 or above M.
    #[error("K = {active} active experts of M = {experts}: K must be from 1 to M")]
    Active {
        /// K
        active: usize,
        /// M
        experts: usize,
    },
}

/// Whether K of M experts can be active.
///
/// # Errors
/// [`RoutingError`] for M = 0, K = 0, K > M.
pub fn check_routing(experts: usize, active: usize) -> Result<(), RoutingError> {
    if experts == 0 {
        Err(RoutingError::NoExperts)
    } else if active == 0 || active > experts {
        Err(RoutingError::Active { active, experts })
    } else {
        Ok(())
    }
}

/// All K-subsets of 0..M, each ascending, in lexicographic order.
///
/// # Errors
/// [`RoutingError`] as for [`check_routing`].
pub fn subsets(experts: usize, active: usize) -> Result<Vec<Vec<usize>>, RoutingError> {
    check_routing(experts, active)?;
    let mut current: Vec<usize> = (0..active).collect();
    let mut all = Vec::new();
    loop {
        all.push(current.clone());
        // The last place that can still move up.
        let Some(place) = (0..active).rev().find(|&place| current[place] < experts - active + place) else { return Ok(all) };
        current[place] += 1;
        for next in place + 1..active {
            current[next] = current[next - 1] + 1;
        }
    }
}

/// The K blocks with the largest gradients, ties to the lowest index; ascending.
///
/// # Errors
/// [`RoutingError`] as for [`check_routing`].
pub fn top_k(gradient: &[Rational], active: usize) -> Result<Vec<usize>, RoutingError> {
    check_routing(gradient.len(), active)?;
    let squares: Vec<Rational> = gradient.iter().map(Field::square).collect();
    let mut order: Vec<usize> = (0..gradient.len()).collect();
    // A stable sort keeps equal blocks in the order of their indices.
    order.sort_by(|&i, &j| squares[j].partial_cmp(&squares[i]).unwrap_or(std::cmp::Ordering::Equal));
    order.truncate(active);
    order.sort_unstable();
    Ok(order)
}

/// E x_i^2 after one scaled step on F = sum h_i x_i^2/2: (1 - 2 eta h + eta^2 h^2 M/K) e + eta^2 (M/K) sigma_i^2, with `ratio` = M/K.
pub fn scaled_step<S: Field>(e: &S, h: &S, eta: &S, ratio: &S, noise: &S) -> S {
    let z = eta.clone() * h.clone();
    (S::one() - S::from_i64(2) * z.clone() + z.square() * ratio.clone()) * e.clone() + eta.square() * ratio.clone() * noise.clone()
}

/// E x_i^2 after one plain step: (1 - (2 eta h - eta^2 h^2) K/M) e + eta^2 (K/M) sigma_i^2, with `share` = K/M.
pub fn plain_step<S: Field>(e: &S, h: &S, eta: &S, share: &S, noise: &S) -> S {
    let z = eta.clone() * h.clone();
    (S::one() - (S::from_i64(2) * z.clone() - z.square()) * share.clone()) * e.clone() + eta.square() * share.clone() * noise.clone()
}

/// Integers p, g and d > 0 with rate = p/d and gain = g/d. None where 128 bits do not hold them.
#[must_use]
pub fn common_denominator(rate: &Rational, gain: &Rational) -> Option<(i128, i128, i128)> {
    let ((p, r), (g, s)) = (rate.to_i128_parts()?, gain.to_i128_parts()?);
    let common = num_integer::lcm(r, s);
    Some((p.checked_mul(common / r)?, g.checked_mul(common / s)?, common))
}

/// The recursion e' = (p e + g)/d from an integer, in machine integers: (S, n, D) with the sum over t < T of e_t = S/D' and e_T = n/D, where D = d^T and D' = d^(T-1)
/// (1 for T = 0). None where 128 bits overflow.
#[must_use]
pub fn integer_recursion(start: i64, (p, g, d): (i128, i128, i128), steps: u32) -> Option<(i128, i128, i128)> {
    let (mut n, mut power, mut sum) = (i128::from(start), 1_i128, 0_i128);
    for step in 0..steps {
        // The sum's denominator is that of the term that is added.
        sum = if step == 0 { n } else { sum.checked_mul(d)?.checked_add(n)? };
        n = p.checked_mul(n)?.checked_add(g.checked_mul(power)?)?;
        power = power.checked_mul(d)?;
    }
    Some((sum, n, power))
}

/// (1/T) sum over t < T of e_t, and e_T, for the recursion e' = rate e + gain: exact, without running the T steps. `rate` must not be 1.
#[must_use]
pub fn average_of_recursion(start: &Rational, rate: &Rational, gain: &Rational, steps: u32) -> (Rational, Rational) {
    let one = Rational::from(1);
    let rest = one.clone() - rate.clone();
    let limit = gain.clone() / rest.clone();
    let power = rate.powi(steps);
    let off = start.clone() - limit.clone();
    let average = limit.clone() + off.clone() * (one - power.clone()) / (rest * Rational::from(i64::from(steps)));
    (average, limit + off * power)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::{RoutingError, average_of_recursion, check_routing, common_denominator, integer_recursion, scaled_step, subsets, top_k};
    use numeric::{Field, Rational};

    #[test]
    fn what_does_not_exist_is_an_error() {
        assert_eq!(check_routing(0, 0), Err(RoutingError::NoExperts));
        assert_eq!(subsets(3, 0), Err(RoutingError::Active { active: 0, experts: 3 }));
        assert!(top_k(&[Rational::from(1)], 2).unwrap_err().to_string().contains("K = 2 active experts of M = 1"));
    }

    #[test]
    fn subsets_are_all_of_them() {
        assert_eq!(subsets(4, 2).unwrap(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!((subsets(6, 3).unwrap().len(), subsets(5, 5).unwrap().len(), subsets(1, 1).unwrap().len()), (20, 1, 1));
    }

    #[test]
    fn ties_go_to_the_lowest_index() {
        let gradient: Vec<Rational> = [2, -3, 3, 2].map(Rational::from).to_vec();
        assert_eq!(top_k(&gradient, 1).unwrap(), [1]);
        assert_eq!(top_k(&gradient, 3).unwrap(), [0, 1, 2]);
    }

    /// The machine form against the generic one on 100,000 recursions, those that overflow among them.
    #[test]
    fn machine_integers_agree_with_rationals() {
        let mut state = 7_u64;
        let mut next = |below: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % below
        };
        let (mut overflowed, mut decided) = (0, 0);
        for round in 0..100_000_u32 {
            // Zeros and ones often; now and then numbers that overflow.
            let size = if round % 50 == 0 { 1 << 30 } else { 12 };
            let (rate, gain) = (Rational::new(next(size) - size / 3, 1 + next(size)), Rational::new(next(size), 1 + next(size)));
            let (start, steps) = (next(9), next(7) as u32);
            let Some((sum, n, power)) = common_denominator(&rate, &gain).and_then(|parts| {
                let (sum, n, power) = integer_recursion(start, parts, steps)?;
                let before = if steps == 0 { 1 } else { power / parts.2 };
                Some((Rational::from_i128(sum, before), n, power))
            }) else {
                overflowed += 1;
                continue;
            };
            let (mut e, mut total) = (Rational::from(start), Rational::from(0));
            for _ in 0..steps {
                total = total + e.clone();
                e = rate.clone() * e + gain.clone();
            }
            assert_eq!((sum, Rational::from_i128(n, power)), (total, e), "{rate} {gain} {start} {steps}");
            decided += 1;
        }
        assert!(overflowed > 100 && decided > 97_000, "{overflowed} {decided}");
    }

    #[test]
    fn the_closed_average_is_that_of_the_steps() {
        let (eta, ratio, noise) = (Rational::new(1, 16), Rational::from(4), Rational::new(3, 2));
        let one = Rational::one();
        let (mut e, mut total) = (Rational::from(8), Rational::from(0));
        for _ in 0..9 {
            total = total + e.clone();
            e = scaled_step(&e, &one, &eta, &ratio, &noise);
        }
        let rate = scaled_step(&one, &one, &eta, &ratio, &Rational::zero());
        let gain = scaled_step(&Rational::zero(), &one, &eta, &ratio, &noise);
        assert_eq!(average_of_recursion(&Rational::from(8), &rate, &gain, 9), (total / Rational::from(9), e));
    }
}
