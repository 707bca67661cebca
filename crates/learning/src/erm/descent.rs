//! Gradient descent on the empirical risk: in integers with every piece enumerated, in closed form, and enclosed for any m.
//!
//! w_0 = 0, w_(t+1) = projection to K of w_t - eta g_t; sign(0) = 0, H picks the lowest-index active set, G the zero piece on ties.

use super::bounds;
use super::problem::{Problem, ProblemError, positive_part};
use numeric::{Field, Interval, Ordered, Rational, Rounding, Surd};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Why a run cannot be followed further.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescentError {
    /// The instance.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// eta <= 0.
    #[error("eta = {eta} must be positive")]
    StepSize {
        /// eta
        eta: Rational,
    },
    /// The projection of y is active: the point is irrational from there on.
    #[error("|y| exceeds r = {r} at step {step}: from there on the projection acts, and the iterates are irrational")]
    Projected {
        /// The step.
        step: u64,
        /// r
        r: Rational,
    },
    /// x leaves its ball.
    #[error("|x|^2 exceeds 3/4 at step {step}: the step size is too large for this instance")]
    Escaped {
        /// The step.
        step: u64,
    },
    /// Numbers that do not fit.
    #[error("b (about {b}), r (about {r}) or eta (about {eta}) has too many digits for an exact run")]
    Digits {
        /// b, to six digits.
        b: String,
        /// r, likewise.
        r: String,
        /// eta, likewise.
        eta: String,
    },
    /// The enclosure is too wide, or the structure that it relies on is not there.
    #[error("step {step}: {what} cannot be certified")]
    Undecided {
        /// The step.
        step: u64,
        /// What.
        what: &'static str,
    },
}

/// A number for a message: exact where it is short.
fn short(value: &Rational) -> String {
    if value.digit_count() <= 30 { value.to_string() } else { format!("about {}", value.to_decimal(6, Rounding::Nearest)) }
}

/// The first hypothesis of the closed form that fails, in words; None when all hold.
#[must_use]
pub fn broken_hypothesis(problem: &Problem, counts: &[usize], eta: &Rational, steps: u64) -> Option<String> {
    let (b, r) = (&problem.b, &problem.r);
    let most = counts.iter().copied().max().unwrap_or(0) as i64;
    let step = eta.clone() * problem.code_slope();
    let swing = eta.clone() * (Rational::from(most) + Rational::new(3, 4)) * bounds::a() / problem.size();
    if *b >= Rational::from(2) * r.clone() {
        return Some(format!("b < 2r: b = {}, r = {}", short(b), short(r)));
    }
    let quarter = |value: &Rational| value.clone() / Rational::from(4);
    if swing > quarter(b) {
        return Some(format!("eta (c_max + 3/4) a/m <= b/4: it is {} with c_max = {most}, b/4 = {}", short(&swing), short(&quarter(b))));
    }
    let way = step.clone() * Rational::from(steps);
    if way > *r {
        return Some(format!("eta a3 gamma T <= r: it is {}, r = {}", short(&way), short(r)));
    }
    if step > quarter(r) {
        return Some(format!("eta a3 gamma <= r/4: it is {}, r/4 = {}", short(&step), short(&quarter(r))));
    }
    None
}

fn too_long(problem: &Problem, eta: &Rational) -> DescentError {
    let six = |value: &Rational| value.to_decimal(6, Rounding::Nearest);
    DescentError::Digits { b: six(&problem.b), r: six(&problem.r), eta: six(eta) }
}

/// A rational threshold for integers.
struct Threshold {
    floor: i128,
    /// The same where it has 64 bits: comparisons are faster there.
    near: Option<i64>,
    whole: bool,
}

impl Threshold {
    fn new(value: &Rational) -> Option<Threshold> {
        let floor = Ordered::floor(value).to_i128()?;
        Some(Threshold { floor, near: i64::try_from(floor).ok(), whole: value.is_integer() })
    }

    /// The order of a 64-bit x and the threshold.
    fn order_near(&self, x: i64) -> Ordering {
        match self.near {
            None => self.order(i128::from(x)),
            Some(floor) if self.whole => x.cmp(&floor),
            Some(floor) if x <= floor => Ordering::Less,
            Some(_) => Ordering::Greater,
        }
    }

    /// The order of x and the threshold.
    fn order(&self, x: i128) -> Ordering {
        if self.whole {
            x.cmp(&self.floor)
        } else if x <= self.floor {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}

/// -1, 0 or 1.
fn sign(order: Ordering) -> i64 {
    order as i64
}

/// The move of a coordinate in units of eta a/(4m): minus its slope 4 c sign(x - b) + 2 sign(x + b) + piece.
fn coordinate_step(position: i64, count: usize, wall: &Threshold, piece: i64) -> i64 {
    let above = sign(wall.order_near(position));
    // x + b has the opposite sign of (-x) - b.
    let below = -sign(wall.order_near(-position));
    -(4 * count as i64 * above + 2 * below + piece)
}

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The set that H picked.
    pub piece: usize,
    /// Whether G was active on a symbol of the sample.
    pub beyond: bool,
}

/// Gradient descent with all 2^n pieces enumerated, in integers: x in units of eta a/(4m), <v_T, y> in units of eta a3 gamma/(6n q).
pub struct Descent<'a> {
    problem: &'a Problem,
    counts: &'a [usize],
    eta: Rational,
    /// Steps done.
    pub steps: u64,
    positions: Vec<i64>,
    overlaps: Vec<i128>,
    multiples: BTreeMap<usize, i128>,
    wall: Threshold,
    /// theta in units of the overlaps.
    threshold: Threshold,
    /// One step along a code vector, and a4 c_z/m for c_z = 1, in units of eta a3 gamma/q.
    units: (i128, i128),
    /// 2^n pieces are compared by q sum - p overlap.
    weights: (i128, i128),
    /// The largest |y|^2 and |x|^2 allowed, in squares of the units.
    limits: (Rational, Rational),
}

impl<'a> Descent<'a> {
    /// At w_0 = 0.
    ///
    /// # Errors
    /// [`DescentError`] for eta <= 0, without a code, or for numbers of too many digits.
    pub fn new(problem: &'a Problem, counts: &'a [usize], eta: &Rational) -> Result<Descent<'a>, DescentError> {
        let code = problem.code.as_ref().ok_or(ProblemError::NoCode { symbols: problem.symbols })?;
        if *eta <= Rational::from(0) {
            return Err(DescentError::StepSize { eta: eta.clone() });
        }
        let digits = || too_long(problem, eta);
        let length = Rational::from(i64::from(code.length()));
        let step = eta.clone() * problem.code_slope();
        let unit = eta.clone() * bounds::box_slope(&problem.size());
        // (eta a4/m)/(eta a3 gamma) = p/q
        let (push, q) = (bounds::code_weight::<Rational>() / problem.size() / problem.code_slope()).to_i128_parts().ok_or_else(digits)?;
        let height = step.clone() / (length.clone() * Rational::from_i128(q, 1));
        let ratio = problem.gamma() * height.clone() / (problem.b.clone() * unit.clone());
        let (p, w) = ratio.to_i128_parts().ok_or_else(digits)?;
        let small = |value: i128| value.abs() < 1 << 62;
        if ![p, w, push, q].into_iter().all(small) {
            return Err(digits());
        }
        Ok(Descent {
            problem,
            counts,
            steps: 0,
            positions: vec![0; problem.symbols],
            overlaps: vec![0; 1 << problem.symbols],
            multiples: BTreeMap::new(),
            wall: Threshold::new(&(problem.b.clone() / unit.clone())).ok_or_else(digits)?,
            threshold: Threshold::new(&(bounds::threshold(&problem.r) / height)).ok_or_else(digits)?,
            units: (q, push),
            weights: (p, w),
            limits: ((problem.r.clone() * Rational::from_i128(q, 1) / step).square() * length, Rational::new(3, 4) / unit.square()),
            eta: eta.clone(),
        })
    }

    /// Adds c times a code vector to y.
    fn add(&mut self, set: usize, c: i128) {
        let Some(code) = &self.problem.code else { return };
        let length = i128::from(code.length());
        for (other, overlap) in self.overlaps.iter_mut().enumerate() {
            *overlap += c * (length - 2 * i128::from(code.distance(set, other)));
        }
        *self.multiples.entry(set).or_insert(0) += c;
    }

    /// One step.
    ///
    /// # Errors
    /// [`DescentError::Projected`], [`DescentError::Escaped`], or [`DescentError::Digits`] when the integers overflow.
    pub fn step(&mut self) -> Result<Step, DescentError> {
        let digits = || too_long(self.problem, &self.eta);
        let (p, w) = self.weights;
        let mut sums = vec![-self.positions.iter().sum::<i64>()];
        for &x in &self.positions {
            sums.extend_from_within(..);
            let half = sums.len() / 2;
            sums[half..].iter_mut().for_each(|sum| *sum += 2 * x);
        }
        let mut best: Option<(i128, usize)> = None;
        for (set, (&sum, &overlap)) in sums.iter().zip(&self.overlaps).enumerate() {
            let left = w.checked_mul(i128::from(sum)).ok_or_else(digits)?;
            let right = p.checked_mul(overlap).ok_or_else(digits)?;
            let height = left.checked_sub(right).ok_or_else(digits)?;
            if best.is_none_or(|(before, _)| height > before) {
                best = Some((height, set));
            }
        }
        let piece = best.map_or(0, |(_, set)| set);
        // G on the symbols seen: only sets that lack one of them count.
        let seen: usize = self.counts.iter().enumerate().map(|(symbol, &count)| usize::from(count > 0) << symbol).sum();
        let beyond = |set: usize| self.threshold.order(self.overlaps[set]) == Ordering::Greater;
        let mut pushes = Vec::new();
        if (0..self.overlaps.len()).any(|set| set & seen != seen && beyond(set)) {
            for (symbol, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let lacking = (0..self.overlaps.len()).filter(|set| set >> symbol & 1 == 0);
                // The first of the largest.
                let top = lacking.reduce(|best, set| if self.overlaps[set] > self.overlaps[best] { set } else { best });
                pushes.extend(top.filter(|&set| beyond(set)).map(|set| (set, count as i128)));
            }
        }
        for (symbol, &count) in self.counts.iter().enumerate() {
            let side = if piece >> symbol & 1 == 1 { 1 } else { -1 };
            self.positions[symbol] += coordinate_step(self.positions[symbol], count, &self.wall, side);
        }
        let (along, push) = self.units;
        self.add(piece, along);
        for &(set, count) in &pushes {
            self.add(set, -push * count);
        }
        self.steps += 1;
        let square: i128 = self.positions.iter().map(|&x| i128::from(x) * i128::from(x)).sum();
        if Rational::from_i128(square, 1) > self.limits.1 {
            return Err(DescentError::Escaped { step: self.steps });
        }
        let norm: i128 = self.multiples.iter().map(|(&set, c)| c * self.overlaps[set]).sum();
        if Rational::from_i128(norm, 1) > self.limits.0 {
            return Err(DescentError::Projected { step: self.steps, r: self.problem.r.clone() });
        }
        Ok(Step { piece, beyond: !pushes.is_empty() })
    }

    /// x_i
    #[must_use]
    pub fn x(&self, symbol: usize) -> Rational {
        Rational::from(self.positions[symbol]) * self.eta.clone() * bounds::box_slope(&self.problem.size())
    }

    /// <v_T, y>
    #[must_use]
    pub fn overlap(&self, set: usize) -> Rational {
        let length = 6 * self.problem.symbols as i128;
        Rational::from_i128(self.overlaps[set], length * self.units.0) * self.eta.clone() * self.problem.code_slope()
    }

    /// F(w) - F_S(w) at the present point: the terms of the seen and unseen symbols; what all losses share cancels.
    #[must_use]
    pub fn gap(&self) -> Rational {
        let m = self.problem.symbols as i64;
        (0..self.problem.symbols).fold(Rational::from(0), |sum, symbol| {
            let top = (0..self.overlaps.len()).filter(|set| set >> symbol & 1 == 0).max_by_key(|&set| self.overlaps[set]).unwrap_or(0);
            let beyond = positive_part(&(self.overlap(top) - bounds::threshold(&self.problem.r)));
            let loss = bounds::a::<Rational>() * (self.x(symbol) - self.problem.b.clone()).abs() + bounds::code_weight::<Rational>() * beyond;
            sum + Rational::new(1 - self.counts[symbol] as i64, m) * loss
        })
    }
}

/// Where a coordinate with this count stands after T steps when the pieces are the empty set, then the support, ..: in closed form of the pieces, any m.
///
/// # Errors
/// [`DescentError::StepSize`] and [`DescentError::Digits`].
pub fn coordinate(problem: &Problem, count: usize, eta: &Rational, steps: u64) -> Result<Rational, DescentError> {
    if *eta <= Rational::from(0) {
        return Err(DescentError::StepSize { eta: eta.clone() });
    }
    let unit = eta.clone() * bounds::box_slope(&problem.size());
    let digits = || too_long(problem, eta);
    let wall = Threshold::new(&(problem.b.clone() / unit.clone())).ok_or_else(digits)?;
    let mut position = 0;
    for step in 0..steps {
        position += coordinate_step(position, count, &wall, if step > 0 && count > 0 { 1 } else { -1 });
    }
    Ok(Rational::from(position) * unit)
}

/// What the trajectory ends with.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// <v_supp, y_T>
    pub overlap: Rational,
    /// F(w_T) - F_S(w_T), its part from |x_z - b|.
    pub box_gap: Rational,
    /// Its part from G.
    pub code_gap: Rational,
}

impl End {
    /// F(w_T) - F_S(w_T)
    #[must_use]
    pub fn gap(&self) -> Rational {
        self.box_gap.clone() + self.code_gap.clone()
    }
}

/// Symbols by their counts.
fn groups(counts: &[usize]) -> BTreeMap<usize, i64> {
    counts.iter().fold(BTreeMap::new(), |mut groups, &count| {
        *groups.entry(count).or_insert(0) += 1;
        groups
    })
}

/// The part of F(w_T) - F_S(w_T) that comes from |x_z - b|, the pieces as in [`coordinate`]: exact also where the projection of y acts.
///
/// # Errors
/// As [`coordinate`].
pub fn box_gap(problem: &Problem, counts: &[usize], eta: &Rational, steps: u64) -> Result<Rational, DescentError> {
    groups(counts).into_iter().try_fold(Rational::from(0), |sum, (count, symbols)| {
        let distance = (coordinate(problem, count, eta, steps)? - problem.b.clone()).abs();
        Ok(sum + Rational::new(symbols * (1 - count as i64), problem.symbols as i64) * bounds::a::<Rational>() * distance)
    })
}

/// The end of the trajectory under the hypotheses of `erm/gd-trajectory`, for a code with <v_empty, v_supp> = `rho`; no enumeration, any m.
///
/// # Errors
/// As [`coordinate`].
pub fn closed_form(problem: &Problem, counts: &[usize], rho: &Rational, eta: &Rational, steps: u64) -> Result<End, DescentError> {
    let unseen = counts.iter().filter(|count| **count == 0).count() as i64;
    let m = problem.symbols as i64;
    let box_gap = box_gap(problem, counts, eta, steps)?;
    let overlap = eta.clone() * problem.code_slope() * (Rational::from(steps) - Rational::from(1) + rho.clone());
    let code_gap = bounds::code_weight::<Rational>() * Rational::new(unseen, m) * positive_part(&(overlap.clone() - bounds::threshold(&problem.r)));
    Ok(End { overlap, box_gap, code_gap })
}

/// An enclosed trajectory.
#[derive(Clone, Debug)]
pub struct Enclosed {
    /// <v_supp, y_T>
    pub overlap: Interval,
    /// F(w_T) - F_S(w_T)
    pub gap: Interval,
    /// Its part from G.
    pub code_gap: Interval,
    /// The average over w_1, .., w_T of <v_supp, y_t>.
    pub average_overlap: Interval,
    /// The first step at which the projection acted.
    pub projected: Option<u64>,
}

/// Where a coordinate with slopes down (below the wall) and up (above it) may go, when its place relative to the wall may be unknown.
fn move_seen(x: Interval, wall: Interval, rise: Interval, fall: Interval) -> Interval {
    if x.lt(&wall).is_true() {
        return x + rise;
    }
    if wall.lt(&x).is_true() {
        return x - fall;
    }
    // On either side, or on the wall itself, whose move lies between the two.
    let lower = Interval::new(x.lo().min(wall.lo()), wall.hi()).unwrap_or(Interval::WHOLE);
    let upper = Interval::new(wall.lo(), x.hi().max(wall.hi())).unwrap_or(Interval::WHOLE);
    (lower + rise).hull(&(upper - fall))
}

/// Gradient descent enclosed in doubles, without enumeration: for any m, also where the projection of y acts. `rho` is <v_empty, v_supp>.
///
/// Symbols with equal counts move alike. y is alpha v_empty + beta v_supp as long as H picks the support and G is inactive on the sample, both of which are
/// certified at each step from |<v_T, v_U>| <= 1 and <v_T, v_U> <= 1/2. Under the projection |y| = r, and only the ratio alpha/beta is carried.
///
/// # Errors
/// [`DescentError::Undecided`] where a step cannot be certified; [`DescentError::StepSize`].
pub fn enclose(problem: &Problem, counts: &[usize], rho: &Rational, eta: &Rational, steps: u64) -> Result<Enclosed, DescentError> {
    if *eta <= Rational::from(0) {
        return Err(DescentError::StepSize { eta: eta.clone() });
    }
    let of = Interval::from_rational;
    let (b, r, gamma) = (of(&problem.b), of(&problem.r), of(&problem.gamma()));
    let unit = of(&(eta.clone() * bounds::box_slope(&problem.size())));
    let times = |p: i64| unit * Interval::from_i64(p);
    let exact_step = eta.clone() * problem.code_slope();
    let step = of(&exact_step);
    let theta = of(&bounds::threshold(&problem.r));
    let groups = groups(counts);
    let mut places: Vec<(i64, i64, Interval)> = groups.iter().map(|(&count, &symbols)| (count as i64, symbols, Interval::zero())).collect();
    let (one, half, two) = (Interval::one(), Interval::ratio(1, 2), Interval::from_i64(2));
    let rho_enclosed = of(rho);
    let radius_square = problem.r.square();
    // Before the projection acts, alpha = one step and beta = t - 1 steps, exactly; afterwards the ratio alpha/beta.
    let mut ratio: Option<Interval> = None;
    let mut projected = None;
    let (mut alpha, mut beta) = (Interval::zero(), Interval::zero());
    let mut total = Interval::zero();
    for t in 0..steps {
        let undecided = |what| DescentError::Undecided { step: t + 1, what };
        if t > 0 {
            let mut least = None::<Interval>;
            for (count, _, x) in &places {
                let size = if *count > 0 { *x } else { -*x };
                if !Interval::zero().lt(&size).is_true() {
                    return Err(undecided("the sign of a coordinate"));
                }
                least = Some(least.map_or(size, |least| Ordered::min(&least, &size)));
            }
            // 2 b |x_i| for one symbol more or less, against gamma |v_T - v_supp| |y|.
            let least = least.unwrap_or(Interval::zero());
            if !(gamma * two * (alpha + beta)).lt(&(two * b * least)).is_true() && !(gamma * two * r).lt(&(two * b * least)).is_true() {
                return Err(undecided("that the support is H's piece"));
            }
        }
        for (count, _, x) in &mut places {
            *x = match (t, *count) {
                (0, 0) => -unit,
                (0, count) => times(4 * count - 1),
                (_, 0) => -move_seen(-*x, b, unit, times(3)),
                (_, count) => move_seen(*x, b, times(4 * count - 3), times(4 * count + 3)),
            };
        }
        let square = places.iter().fold(Interval::zero(), |sum, (_, symbols, x)| sum + Interval::from_i64(*symbols) * x.square());
        if !square.le(&Interval::ratio(3, 4)).is_true() {
            return Err(undecided("that x stays in its ball"));
        }
        let next = t + 1;
        if let Some(before) = ratio {
            // |y + s v|^2 = r^2 + 2 s <v, y> + s^2 > r^2: the projection acts again.
            if !Interval::zero().lt(&(alpha * rho_enclosed + beta)).is_true() {
                return Err(undecided("the projection"));
            }
            ratio = Some(before / (one + step / beta));
        } else {
            let rest = Rational::from(t);
            let norm = exact_step.square() * (Rational::from(1) + rest.square() + Rational::from(2) * rest.clone() * rho.clone());
            if norm > radius_square && t > 0 {
                ratio = Some(of(&rest.recip()));
                projected = Some(next);
            } else if norm > radius_square {
                return Err(undecided("a first step that leaves the domain"));
            } else {
                (alpha, beta) = (step, of(&(exact_step.clone() * rest)));
            }
        }
        if let Some(ratio) = ratio {
            beta = r / (one + ratio.square() + two * ratio * rho_enclosed).sqrt();
            alpha = ratio * beta;
        }
        // Of the sets other than the support, the empty one comes closest to the threshold: also at the end, for the gap.
        if !(alpha + beta * half).le(&theta).is_true() {
            return Err(undecided("that G is inactive on the sample"));
        }
        total = total + alpha * rho_enclosed + beta;
    }
    let overlap = alpha * rho_enclosed + beta;
    let m = of(&problem.size());
    let unseen = Interval::from_i64(groups.get(&0).copied().unwrap_or(0)) / m;
    let box_gap = places.iter().fold(Interval::zero(), |sum, (count, symbols, x)| {
        sum + Interval::from_i64(symbols * (1 - count)) / m * bounds::a() * Ordered::abs(&(*x - b))
    });
    let beyond = Ordered::max(&(overlap - theta), &Interval::zero());
    let code_gap = bounds::code_weight::<Interval>() * unseen * beyond;
    Ok(Enclosed {
        overlap,
        gap: box_gap + code_gap,
        code_gap,
        average_overlap: total / Interval::from_rational(&Rational::from(steps.max(1))),
        projected,
    })
}
