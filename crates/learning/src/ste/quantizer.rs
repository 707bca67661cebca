//! Quantizers: monotone step functions with exact levels and thresholds, and their Gaussian moments in closed form.

use numeric::{Field, Rational, Real};

/// Most bits of a uniform quantizer.
pub const MAX_BITS: u32 = 16;

/// Why there is no such quantizer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuantizerError {
    /// Too few or too many bits.
    #[error("{bits} bits: a {kind} quantizer has {least} to 16")]
    Bits {
        /// What was asked for.
        bits: u32,
        /// mid-rise or mid-tread.
        kind: &'static str,
        /// The least number.
        least: u32,
    },
    /// The range is not a positive number.
    #[error("range {range}: must be positive")]
    Range {
        /// What was asked for.
        range: Rational,
    },
    /// The numbers of levels and thresholds do not fit.
    #[error("{levels} levels and {thresholds} thresholds: a step function has at least one level and one threshold fewer than levels")]
    Count {
        /// Levels.
        levels: usize,
        /// Thresholds.
        thresholds: usize,
    },
    /// The levels do not increase.
    #[error("level {index} is {value}: not above the one before it")]
    Levels {
        /// Which, from 1.
        index: usize,
        /// Its value.
        value: Rational,
    },
    /// The thresholds do not increase.
    #[error("threshold {index} is {value}: not above the one before it")]
    Thresholds {
        /// Which, from 1.
        index: usize,
        /// Its value.
        value: Rational,
    },
}

/// The two uniform quantizers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 2^b levels, 0 is a threshold.
    MidRise,
    /// 2^b - 1 levels, 0 is a level.
    MidTread,
}

/// phi(w) = L_k for t_k <= w < t_(k+1): a tie goes up.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantizer {
    levels: Vec<Rational>,
    thresholds: Vec<Rational>,
}

/// E x psi, E psi^2, E x^2 psi^2, E x psi^3, E psi^4 of an input x and its quantized value psi.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments<S> {
    /// E x psi
    pub c1: S,
    /// E psi^2
    pub c2: S,
    /// E x^2 psi^2
    pub k22: S,
    /// E x psi^3
    pub k13: S,
    /// E psi^4
    pub k04: S,
}

impl<S: Field> Moments<S> {
    /// A standard normal input that is not quantized: 1, 1, 3, 3, 3.
    #[must_use]
    pub fn unquantized() -> Moments<S> {
        let three = || S::from_i64(3);
        Moments { c1: S::one(), c2: S::one(), k22: three(), k13: three(), k04: three() }
    }

    /// 1 - c1^2/c2: the share of the teacher's power that no weight can explain.
    pub fn floor(&self) -> S {
        S::one() - self.c1.square() / self.c2.clone()
    }

    /// 2/c2: from this step size on, SGD with quantized inputs and free weights diverges.
    pub fn eta_critical(&self) -> S {
        S::from_i64(2) / self.c2.clone()
    }
}

/// E phi(W), E phi(W)^2, E W phi(W) of a normal weight.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightMoments<S> {
    /// E phi(W)
    pub mean: S,
    /// E phi(W)^2
    pub square: S,
    /// E W phi(W)
    pub cross: S,
}

/// The standard normal density.
pub fn density<S: Real>(x: &S) -> S {
    (-(x.square() / S::from_i64(2))).exp() / (S::from_i64(2) * S::pi()).sqrt()
}

impl Quantizer {
    /// A step function from its levels and thresholds.
    ///
    /// # Errors
    /// [`QuantizerError`] where the counts do not fit or an entry does not exceed the one before it.
    pub fn new(levels: Vec<Rational>, thresholds: Vec<Rational>) -> Result<Quantizer, QuantizerError> {
        if levels.len() != thresholds.len() + 1 {
            return Err(QuantizerError::Count { levels: levels.len(), thresholds: thresholds.len() });
        }
        let fault = |values: &[Rational]| (1..values.len()).find(|&i| values[i - 1] >= values[i]);
        if let Some(i) = fault(&levels) {
            return Err(QuantizerError::Levels { index: i + 1, value: levels[i].clone() });
        }
        if let Some(i) = fault(&thresholds) {
            return Err(QuantizerError::Thresholds { index: i + 1, value: thresholds[i].clone() });
        }
        Ok(Quantizer { levels, thresholds })
    }

    /// A step function whose thresholds lie midway between its levels.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn midpoints(levels: Vec<Rational>) -> Result<Quantizer, QuantizerError> {
        let thresholds = levels.windows(2).map(|pair| (pair[0].clone() + pair[1].clone()) / Rational::from(2)).collect();
        Quantizer::new(levels, thresholds)
    }

    /// 2^bits levels -range + k 2 range/(2^bits - 1), thresholds midway.
    ///
    /// # Errors
    /// [`QuantizerError`] for bits outside 1 to 16 or a range that is not positive.
    pub fn mid_rise(bits: u32, range: &Rational) -> Result<Quantizer, QuantizerError> {
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(QuantizerError::Bits { bits, kind: "mid-rise", least: 1 });
        }
        let top = (1_i64 << bits) - 1;
        Quantizer::uniform((0..=top).map(|k| Rational::new(2 * k - top, top)), range)
    }

    /// 2^bits - 1 levels range j/(2^(bits-1) - 1), j = -(2^(bits-1) - 1), .., thresholds midway.
    ///
    /// # Errors
    /// [`QuantizerError`] for bits outside 2 to 16 or a range that is not positive.
    pub fn mid_tread(bits: u32, range: &Rational) -> Result<Quantizer, QuantizerError> {
        if !(2..=MAX_BITS).contains(&bits) {
            return Err(QuantizerError::Bits { bits, kind: "mid-tread", least: 2 });
        }
        let top = (1_i64 << (bits - 1)) - 1;
        Quantizer::uniform((-top..=top).map(|j| Rational::new(j, top)), range)
    }

    /// One of the two by name.
    ///
    /// # Errors
    /// As for [`Self::mid_rise`] and [`Self::mid_tread`].
    pub fn of_kind(kind: Kind, bits: u32, range: &Rational) -> Result<Quantizer, QuantizerError> {
        match kind {
            Kind::MidRise => Quantizer::mid_rise(bits, range),
            Kind::MidTread => Quantizer::mid_tread(bits, range),
        }
    }

    fn uniform(shares: impl Iterator<Item = Rational>, range: &Rational) -> Result<Quantizer, QuantizerError> {
        if !(range.is_defined() && *range > Rational::from(0)) {
            return Err(QuantizerError::Range { range: range.clone() });
        }
        Quantizer::midpoints(shares.map(|share| share * range.clone()).collect())
    }

    /// L_0 < L_1 < ..
    #[must_use]
    pub fn levels(&self) -> &[Rational] {
        &self.levels
    }

    /// t_1 < t_2 < ..: the k-th separates level k - 1 from level k.
    #[must_use]
    pub fn thresholds(&self) -> &[Rational] {
        &self.thresholds
    }

    /// The largest level.
    #[must_use]
    pub fn top(&self) -> Rational {
        self.levels.last().cloned().unwrap_or(Rational::UNDEFINED)
    }

    /// The index of the level of w.
    #[must_use]
    pub fn cell(&self, w: &Rational) -> usize {
        self.thresholds.partition_point(|t| t <= w)
    }

    /// phi(w).
    #[must_use]
    pub fn apply(&self, w: &Rational) -> Rational {
        self.levels[self.cell(w)].clone()
    }

    /// The moments under a standard normal input.
    ///
    /// c1 = sum_k (L_k - L_(k-1)) n(t_k), k13 = sum_k (L_k^3 - L_(k-1)^3) n(t_k), c2 and k04 = sum_k L_k^2 P_k and L_k^4 P_k,
    /// k22 = sum_k L_k^2 [N(x) - x n(x)] over the cell.
    #[must_use]
    pub fn moments<S: Real>(&self) -> Moments<S> {
        let levels: Vec<S> = self.levels.iter().map(S::from_rational).collect();
        let mut out = Moments { c1: S::zero(), c2: S::zero(), k22: S::zero(), k13: S::zero(), k04: S::zero() };
        let (mut cdf, mut inner) = (S::zero(), S::zero());
        for (index, level) in levels.iter().enumerate() {
            let (next_cdf, next_inner) = match self.thresholds.get(index) {
                Some(t) => {
                    let t = S::from_rational(t);
                    let (n, cdf, above) = (density(&t), t.normal_cdf(), &levels[index + 1]);
                    out.c1 = out.c1 + (above.clone() - level.clone()) * n.clone();
                    out.k13 = out.k13 + (above.powi(3) - level.powi(3)) * n.clone();
                    (cdf.clone(), cdf - t * n)
                }
                None => (S::one(), S::one()),
            };
            let (mass, square) = (next_cdf.clone() - cdf, level.square());
            out.c2 = out.c2 + square.clone() * mass.clone();
            out.k04 = out.k04 + square.square() * mass;
            out.k22 = out.k22 + square * (next_inner.clone() - inner);
            (cdf, inner) = (next_cdf, next_inner);
        }
        out
    }

    /// The moments of phi(W) for a normal W of mean m and variance v > 0: with z_k = (t_k - m)/s, s = sqrt v,
    /// E phi = sum L_k (N(z_(k+1)) - N(z_k)), E phi^2 likewise, E W phi = m E phi + s sum (L_k - L_(k-1)) n(z_k).
    pub fn normal_moments<S: Real>(&self, m: &S, v: &S) -> WeightMoments<S> {
        let s = v.sqrt();
        let levels: Vec<S> = self.levels.iter().map(S::from_rational).collect();
        // Summed by parts from the lowest level, so that no mass near 1 is a difference.
        let (mut mean, mut square, mut jumps) = (levels[0].clone(), levels[0].square(), S::zero());
        for (t, pair) in self.thresholds.iter().zip(levels.windows(2)) {
            let z = (S::from_rational(t) - m.clone()) / s.clone();
            let (above, jump) = ((-z.clone()).normal_cdf(), pair[1].clone() - pair[0].clone());
            mean = mean + jump.clone() * above.clone();
            square = square + (pair[1].square() - pair[0].square()) * above;
            jumps = jumps + jump * density(&z);
        }
        WeightMoments { cross: m.clone() * mean.clone() + s * jumps, mean, square }
    }

    /// The derivative's sign function of the floor 1 - c1^2/c2 in the range, for thresholds and levels that scale with it: with c1 = r a(r), c2 = r^2 B(r),
    /// F = 2 a' B - a B' vanishes where the floor is least; the floor falls while F > 0.
    #[must_use]
    pub fn range_slope<S: Real>(&self, range: &S) -> S {
        let (mut a, mut da, mut db) = (S::zero(), S::zero(), S::zero());
        for (t, pair) in self.thresholds.iter().zip(self.levels.windows(2)) {
            let (t, low, high) = (S::from_rational(t), S::from_rational(&pair[0]), S::from_rational(&pair[1]));
            let (n, squares) = (density(&(range.clone() * t.clone())), high.square() - low.square());
            let jump = (high - low) * n.clone();
            a = a + jump.clone();
            da = da - range.clone() * t.square() * jump;
            db = db - squares * t * n;
        }
        // Each cell's mass from the tail on its side, so that far cells keep their digits.
        let zero = Rational::from(0);
        let count = self.thresholds.len();
        let b = self.levels.iter().enumerate().fold(S::zero(), |sum, (k, level)| {
            let right = (k > 0).then(|| self.thresholds[k - 1].clone()).is_some_and(|t| t >= zero);
            let tail = |index: usize| {
                let x = range.clone() * S::from_rational(&self.thresholds[index]);
                if right { (-x).normal_cdf() } else { x.normal_cdf() }
            };
            let (outer, inner) =
                if right { ((k < count).then(|| tail(k)), Some(tail(k - 1))) } else { ((k > 0).then(|| tail(k - 1)), (k < count).then(|| tail(k))) };
            let mass = inner.unwrap_or_else(S::one) - outer.unwrap_or_else(S::zero);
            sum + S::from_rational(level).square() * mass
        });
        S::from_i64(2) * da * b - a * db
    }
}

/// The largest double range that is looked at for the best one.
const WIDEST: f64 = 64.0;
/// The best range's enclosure is at most 2^-NARROW of its size: more than 25 digits.
const NARROW: u32 = 90;

/// The range at which a uniform quantizer of the given kind explains most of a normal input (the least 1 - c1^2/c2), enclosed; None for b = 1, where every range
/// is as good.
///
/// # Errors
/// [`QuantizerError`] for the bits.
pub fn best_range(kind: Kind, bits: u32) -> Result<Option<numeric::BigInterval>, QuantizerError> {
    use numeric::{BigInterval, Ordered};
    let unit = Quantizer::of_kind(kind, bits, &Rational::from(1))?;
    if bits == 1 {
        return Ok(None);
    }
    // The slope is positive at first (a wider range helps) and negative for very wide ranges; its last change of sign is searched from the right.
    let slope = |range: f64| unit.range_slope(&range);
    let (mut high, mut low) = (WIDEST, WIDEST);
    // Far out both terms underflow to 0: step down to where the sign shows.
    while slope(low) <= 0.0 {
        high = low;
        low *= 0.9;
        if low < 1e-3 {
            return Ok(None);
        }
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    // Certified by signs on both sides, first as widely as doubles need, then at the digits that are printed.
    let near = Rational::from_f64(f64::midpoint(low, high)).unwrap_or(Rational::UNDEFINED);
    let sign = |range: &Rational| {
        let value = unit.range_slope(&BigInterval::from_rational(range));
        (BigInterval::zero().lt(&value).is_true(), value.lt(&BigInterval::zero()).is_true(), value)
    };
    let bracket = [40, 32, 24, 16].into_iter().find_map(|bits| {
        let wide = Rational::new(1, 1 << bits);
        let (left, right) = (near.clone() - wide.clone(), near.clone() + wide);
        match (sign(&left), sign(&right)) {
            ((true, _, f), (_, true, g)) => Some((left, right, f, g)),
            _ => None,
        }
    });
    let Some((mut left, mut right, mut f, mut g)) = bracket else { return Ok(None) };
    for step in 0..6_u32 {
        if right.clone() - left.clone() < near.clone() * Rational::new(1, 2).powi(NARROW) {
            break;
        }
        // The secant's root, and a bracket around it far narrower than the one before.
        let (Some(p), Some(q)) = (f.mid(), g.mid()) else { break };
        let width = right.clone() - left.clone();
        let root = left.clone() + width.clone() * p.clone() / (p - q);
        let half = width * Rational::new(1, 1 << (8 + 8 * step).min(24));
        let root = BigInterval::from_rational(&root).mid().unwrap_or(root);
        let (a, b) = (root.clone() - half.clone(), root + half);
        let (at_a, at_b) = (sign(&a), sign(&b));
        if at_a.0 && at_b.1 {
            (left, right, f, g) = (a, b, at_a.2, at_b.2);
        }
    }
    Ok(Some(BigInterval::between(&left, &right)))
}
