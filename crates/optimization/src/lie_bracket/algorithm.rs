//! Gradient updates in one order and in another, the bracket that predicts the difference, and the tournament over many sources.
//!
//! Convention, fixed once: the fields are X_i = -grad f_i, \[X, Y\] = DY X - DX Y, so b_AB = H_B g_A - H_A g_B; "A first, then B" is U_B(U_A(theta)).
//! The opposite convention flips every sign.

use claim::Polynomial;
use numeric::{Dual, Field, Ordered, Rational, Real};

/// <a, b>
pub fn dot<S: Field>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (x, y)| sum + x.clone() * y.clone())
}

/// a + factor b
pub fn combine<S: Field>(a: &[S], factor: &S, b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(x, y)| x.clone() + factor.clone() * y.clone()).collect()
}

/// a - b
pub fn minus<S: Field>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(x, y)| x.clone() - y.clone()).collect()
}

/// a + b
pub fn plus<S: Field>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(x, y)| x.clone() + y.clone()).collect()
}

/// factor a
pub fn times<S: Field>(factor: &S, a: &[S]) -> Vec<S> {
    a.iter().map(|x| factor.clone() * x.clone()).collect()
}

/// The product of a matrix (rows) and a vector.
pub fn apply<S: Field>(matrix: &[Vec<S>], vector: &[S]) -> Vec<S> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// A loss over R^d: value, gradient, Hessian-vector product. Whoever has only the value takes [`Automatic`] or [`AutomaticPolynomial`].
pub trait Loss<S: Field> {
    /// d
    fn dimension(&self) -> usize;
    /// f(x)
    fn value(&self, x: &[S]) -> S;
    /// grad f(x)
    fn gradient(&self, x: &[S]) -> Vec<S>;
    /// Hess f(x) v
    fn hessian_vector(&self, x: &[S], v: &[S]) -> Vec<S>;
}

/// f(x) = x'Hx/2 - c'x + a s^3/6 + b s^4/24 with s = <u, x>: H symmetric; a = b = 0 gives a quadratic.
#[derive(Clone, Debug)]
pub struct PolynomialLoss<S> {
    /// H, as rows.
    pub hessian: Vec<Vec<S>>,
    /// c
    pub linear: Vec<S>,
    /// u
    pub direction: Vec<S>,
    /// a
    pub cubic: S,
    /// b
    pub quartic: S,
}

impl<S: Field> PolynomialLoss<S> {
    /// The quadratic x'Hx/2 - c'x.
    #[must_use]
    pub fn quadratic(hessian: Vec<Vec<S>>, linear: Vec<S>) -> PolynomialLoss<S> {
        let direction = vec![S::zero(); linear.len()];
        PolynomialLoss { hessian, linear, direction, cubic: S::zero(), quartic: S::zero() }
    }

    /// a + b s: the third derivative along u is this, times |u|^3 in the direction of u.
    pub fn third(&self, x: &[S]) -> S {
        self.cubic.clone() + self.quartic.clone() * dot(&self.direction, x)
    }

    /// Hess f(x) = H + (a s + b s^2/2) u u'
    pub fn hessian_at(&self, x: &[S]) -> Vec<Vec<S>> {
        let s = dot(&self.direction, x);
        let weight = self.cubic.clone() * s.clone() + S::ratio(1, 2) * self.quartic.clone() * s.square();
        self.hessian.iter().zip(&self.direction).map(|(row, u)| combine(row, &(weight.clone() * u.clone()), &self.direction)).collect()
    }
}

impl<S: Field> Loss<S> for PolynomialLoss<S> {
    fn dimension(&self) -> usize {
        self.linear.len()
    }

    fn value(&self, x: &[S]) -> S {
        let s = dot(&self.direction, x);
        let steep = self.cubic.clone() * S::ratio(1, 6) * s.powi(3) + self.quartic.clone() * S::ratio(1, 24) * s.powi(4);
        S::ratio(1, 2) * dot(x, &apply(&self.hessian, x)) - dot(&self.linear, x) + steep
    }

    fn gradient(&self, x: &[S]) -> Vec<S> {
        let s = dot(&self.direction, x);
        let steep = self.cubic.clone() * S::ratio(1, 2) * s.square() + self.quartic.clone() * S::ratio(1, 6) * s.powi(3);
        combine(&minus(&apply(&self.hessian, x), &self.linear), &steep, &self.direction)
    }

    fn hessian_vector(&self, x: &[S], v: &[S]) -> Vec<S> {
        let s = dot(&self.direction, x);
        let weight = self.cubic.clone() * s.clone() + S::ratio(1, 2) * self.quartic.clone() * s.square();
        combine(&apply(&self.hessian, v), &(weight * dot(&self.direction, v)), &self.direction)
    }
}

/// A loss given by its formula alone.
pub trait LossFormula {
    /// d
    fn dimension(&self) -> usize;
    /// f(x)
    fn eval<S: Real>(&self, x: &[S]) -> S;
}

/// Derivatives by automatic differentiation (dual numbers; two levels for the Hessian-vector product).
///
/// ```
/// use numeric::{Interval, Field, Real};
/// use optimization::lie_bracket::{Automatic, Loss, LossFormula};
/// struct LogCosh;
/// impl LossFormula for LogCosh {
///     fn dimension(&self) -> usize { 1 }
///     fn eval<S: Real>(&self, x: &[S]) -> S { x[0].cosh().ln() }
/// }
/// let slope = &Automatic(LogCosh).gradient(&[Interval::ratio(1, 2)])[0];
/// assert!((slope.mid() - 0.46211715726000976).abs() < 1e-14);
/// ```
pub struct Automatic<F>(pub F);

/// The same for a formula that needs no more than a field: exact on rationals.
pub struct AutomaticPolynomial<F>(pub F, pub usize);

/// The gradient of a formula, filled up where it does not depend on a variable.
fn gradient_by<S: Field>(x: &[S], formula: impl Fn(&[Dual<S>]) -> Dual<S>) -> Vec<S> {
    let variables: Vec<Dual<S>> = x.iter().enumerate().map(|(index, value)| Dual::variable(value.clone(), index, x.len())).collect();
    filled(formula(&variables).gradient(), x.len())
}

fn filled<S: Field>(gradient: &[S], count: usize) -> Vec<S> {
    if gradient.is_empty() { vec![S::zero(); count] } else { gradient.to_vec() }
}

/// d/dt of the gradient at x + t v.
fn hessian_vector_by<S: Field>(x: &[S], v: &[S], formula: impl Fn(&[Dual<Dual<S>>]) -> Dual<Dual<S>>) -> Vec<S> {
    let t = Dual::variable(Dual::constant(S::zero()), 0, 1);
    let along: Vec<Dual<Dual<S>>> = x
        .iter()
        .zip(v)
        .enumerate()
        .map(|(index, (value, slope))| {
            Dual::constant(Dual::variable(value.clone(), index, x.len())) + t.clone() * Dual::constant(Dual::constant(slope.clone()))
        })
        .collect();
    match formula(&along).gradient() {
        [slope] => filled(slope.gradient(), x.len()),
        _ => vec![S::zero(); x.len()],
    }
}

impl<S: Real, F: LossFormula> Loss<S> for Automatic<F> {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn value(&self, x: &[S]) -> S {
        self.0.eval(x)
    }

    fn gradient(&self, x: &[S]) -> Vec<S> {
        gradient_by(x, |x| self.0.eval(x))
    }

    fn hessian_vector(&self, x: &[S], v: &[S]) -> Vec<S> {
        hessian_vector_by(x, v, |x| self.0.eval(x))
    }
}

impl<S: Field, F: Polynomial> Loss<S> for AutomaticPolynomial<F> {
    fn dimension(&self) -> usize {
        self.1
    }

    fn value(&self, x: &[S]) -> S {
        self.0.eval(x)
    }

    fn gradient(&self, x: &[S]) -> Vec<S> {
        gradient_by(x, |x| self.0.eval(x))
    }

    fn hessian_vector(&self, x: &[S], v: &[S]) -> Vec<S> {
        hessian_vector_by(x, v, |x| self.0.eval(x))
    }
}

/// One step of gradient descent: x - eta grad f(x).
pub fn step<S: Field>(loss: &dyn Loss<S>, eta: &S, x: &[S]) -> Vec<S> {
    combine(x, &-eta.clone(), &loss.gradient(x))
}

/// One step on each loss, in this order.
pub fn pass<S: Field>(order: &[&dyn Loss<S>], eta: &S, theta: &[S]) -> Vec<S> {
    order.iter().fold(theta.to_vec(), |x, loss| step(*loss, eta, &x))
}

/// `count` steps on `first`, then `count` on `second`.
pub fn repeated<S: Field>(first: &dyn Loss<S>, second: &dyn Loss<S>, count: u32, eta: &S, theta: &[S]) -> Vec<S> {
    let many = |loss: &dyn Loss<S>, x: Vec<S>| (0..count).fold(x, |x, _| step(loss, eta, &x));
    many(second, many(first, theta.to_vec()))
}

/// One step on each loss with heavy-ball momentum: v <- beta v + g, x <- x - eta v, the buffer starting at 0.
pub fn pass_with_momentum<S: Field>(order: &[&dyn Loss<S>], eta: &S, beta: &S, theta: &[S]) -> Vec<S> {
    let (mut x, mut buffer) = (theta.to_vec(), vec![S::zero(); theta.len()]);
    for loss in order {
        buffer = combine(&loss.gradient(&x), beta, &buffer);
        x = combine(&x, &-eta.clone(), &buffer);
    }
    x
}

/// b_AB = H_B g_A - H_A g_B at theta: two Hessian-vector products.
pub fn bracket<S: Field>(a: &dyn Loss<S>, b: &dyn Loss<S>, theta: &[S]) -> Vec<S> {
    let (g_a, g_b) = (a.gradient(theta), b.gradient(theta));
    minus(&b.hessian_vector(theta, &g_a), &a.hessian_vector(theta, &g_b))
}

/// theta_ref = theta - eta (g_A + g_B)
pub fn drift_reference<S: Field>(a: &dyn Loss<S>, b: &dyn Loss<S>, eta: &S, theta: &[S]) -> Vec<S> {
    combine(theta, &-eta.clone(), &plus(&a.gradient(theta), &b.gradient(theta)))
}

/// What a pair's score says about the better order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// A first, then B.
    A,
    /// B first, then A.
    B,
    /// No difference at this order.
    Tie,
    /// The arithmetic cannot tell the score's sign.
    Unknown,
}

/// Where the target's gradient is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// At theta.
    Start,
    /// At theta - eta (g_A + g_B): one order better for quadratics.
    Drift,
}

/// sigma_AB = <grad f_E, b_AB> and the order it favours: f_E(A then B) - f_E(B then A) = eta^2 sigma_AB + O(eta^3).
pub fn pair_score<S: Ordered>(a: &dyn Loss<S>, b: &dyn Loss<S>, target: &dyn Loss<S>, eta: &S, theta: &[S], reference: Reference) -> (S, First) {
    let at = match reference {
        Reference::Start => theta.to_vec(),
        Reference::Drift => drift_reference(a, b, eta, theta),
    };
    let sigma = dot(&target.gradient(&at), &bracket(a, b, theta));
    let zero = S::zero();
    let first = match (sigma.lt(&zero), zero.lt(&sigma)) {
        (numeric::Truth::True, _) => First::A,
        (_, numeric::Truth::True) => First::B,
        (numeric::Truth::False, numeric::Truth::False) => First::Tie,
        _ => First::Unknown,
    };
    (sigma, first)
}

/// theta_ref - (s/2) eta^2 b_AB with s the sign of <grad f_E(theta_ref), b_AB> (given).
pub fn controlled<S: Field>(a: &dyn Loss<S>, b: &dyn Loss<S>, eta: &S, theta: &[S], sign: i64) -> Vec<S> {
    let factor = S::ratio(-sign, 2) * eta.square();
    combine(&drift_reference(a, b, eta, theta), &factor, &bracket(a, b, theta))
}

/// What the tournament needs of a source: g_i = grad f_i(theta) and q_i = Hess f_i(theta) g_E, one Hessian-vector product each.
#[derive(Clone, Debug)]
pub struct Entrant<S> {
    /// g_i
    pub gradient: Vec<S>,
    /// q_i
    pub curved: Vec<S>,
}

/// The entrants of a list of sources against a target.
pub fn entrants<S: Field>(sources: &[&dyn Loss<S>], target: &dyn Loss<S>, theta: &[S]) -> Vec<Entrant<S>> {
    let g_e = target.gradient(theta);
    sources.iter().map(|loss| Entrant { gradient: loss.gradient(theta), curved: loss.hessian_vector(theta, &g_e) }).collect()
}

/// sigma_ij = <q_j, g_i> - <q_i, g_j>
pub fn sigma<S: Field>(i: &Entrant<S>, j: &Entrant<S>) -> S {
    dot(&j.curved, &i.gradient) - dot(&i.curved, &j.gradient)
}

/// The antisymmetric matrix of all scores, N^2 of them: for checks and small N.
pub fn scores_matrix<S: Field>(entrants: &[Entrant<S>]) -> Vec<Vec<S>> {
    entrants.iter().map(|i| entrants.iter().map(|j| sigma(i, j)).collect()).collect()
}

/// S_i = <Q, g_i> - <q_i, Gam> with Q, Gam the sums of all q_i, g_i: the row sums of sigma without the matrix.
pub fn row_sums<S: Field>(entrants: &[Entrant<S>]) -> Vec<S> {
    let Some(first) = entrants.first() else { return Vec::new() };
    let zero = vec![S::zero(); first.gradient.len()];
    let (q, gam) = entrants.iter().fold((zero.clone(), zero), |(q, gam), entrant| (plus(&q, &entrant.curved), plus(&gam, &entrant.gradient)));
    entrants.iter().map(|entrant| dot(&q, &entrant.gradient) - dot(&entrant.curved, &gam)).collect()
}

/// Indices by ascending score, ties by index: the tournament's order.
#[must_use]
pub fn order_by_score(scores: &[Rational]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&i, &j| scores[i].cmp_exact(&scores[j]).unwrap_or(std::cmp::Ordering::Equal).then(i.cmp(&j)));
    order
}

/// F(pi) = sum over i before j of <q_j, g_i>: the part of the second-order term that depends on the order.
pub fn schedule_value<S: Field>(entrants: &[Entrant<S>], order: &[usize]) -> S {
    let mut total = S::zero();
    for (position, &j) in order.iter().enumerate() {
        for &i in &order[..position] {
            total = total + dot(&entrants[j].curved, &entrants[i].gradient);
        }
    }
    total
}

/// The order that minimizes the sum of sigma_ij over i before j (so F), the first in lexicographic order among equals, and that minimum; by dynamic
/// programming over subsets, N 2^N steps with N^2 additions each. N is at most 20.
#[must_use]
pub fn best_order(sigma: &[Vec<Rational>]) -> Option<(Vec<usize>, Rational)> {
    let n = sigma.len();
    if n > 20 {
        return None;
    }
    // least[rest] = the least sum for the sources in `rest`, placed after all others.
    let mut least: Vec<Rational> = vec![Rational::from(0); 1 << n];
    let lead = |i: usize, rest: usize| (0..n).filter(|&j| rest >> j & 1 == 1).fold(Rational::from(0), |sum, j| sum + sigma[i][j].clone());
    for rest in 1..1_usize << n {
        let mut best: Option<Rational> = None;
        for i in (0..n).filter(|&i| rest >> i & 1 == 1) {
            let others = rest & !(1 << i);
            let value = lead(i, others) + least[others].clone();
            if best.as_ref().is_none_or(|best| value < *best) {
                best = Some(value);
            }
        }
        least[rest] = best?;
    }
    let mut rest = (1_usize << n) - 1;
    let total = least[rest].clone();
    let mut order = Vec::new();
    while rest != 0 {
        let next = (0..n).filter(|&i| rest >> i & 1 == 1).find(|&i| {
            let others = rest & !(1 << i);
            (lead(i, others) + least[others].clone()).equals(&least[rest]).is_true()
        })?;
        order.push(next);
        rest &= !(1 << next);
    }
    Some((order, total))
}

/// The cycles of the relation "sigma_ij < 0: i before j": all of length 3, or, where there is none but ties hide a longer one, one shortest cycle.
/// Without any the tournament is transitive: some order agrees with every score.
#[must_use]
pub fn cycles(sigma: &[Vec<Rational>]) -> Vec<Vec<usize>> {
    let n = sigma.len();
    let before: Vec<Vec<bool>> = sigma.iter().map(|row| row.iter().map(|value| value.signum() == Some(-1)).collect()).collect();
    let mut found = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in i + 1..n {
                if j != k && before[i][j] && before[j][k] && before[k][i] {
                    found.push(vec![i, j, k]);
                }
            }
        }
    }
    if !found.is_empty() {
        return found;
    }
    (0..n).filter_map(|start| shortest_cycle(&before, start)).min_by_key(Vec::len).into_iter().collect()
}

/// A shortest cycle through `start`, by breadth-first search.
fn shortest_cycle(before: &[Vec<bool>], start: usize) -> Option<Vec<usize>> {
    let mut previous = vec![None; before.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for (next, _) in before[at].iter().enumerate().filter(|&(_, &edge)| edge) {
            if next == start {
                let mut cycle = vec![at];
                let mut place = at;
                while let Some(before) = previous[place].filter(|_| place != start) {
                    cycle.push(before);
                    place = before;
                }
                cycle.reverse();
                return Some(cycle);
            }
            if previous[next].is_none() {
                previous[next] = Some(at);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The squared Frobenius norms of sigma and of its cyclic part c_ij = sigma_ij - (S_i - S_j)/N.
#[must_use]
pub fn cyclic_share(sigma: &[Vec<Rational>]) -> (Rational, Rational) {
    let n = Rational::from(sigma.len() as i64);
    let sums: Vec<Rational> = sigma.iter().map(|row| row.iter().fold(Rational::from(0), |sum, value| sum + value.clone())).collect();
    let mut total = (Rational::from(0), Rational::from(0));
    for (row, s_i) in sigma.iter().zip(&sums) {
        for (value, s_j) in row.iter().zip(&sums) {
            let cyclic = value.clone() - (s_i.clone() - s_j.clone()) / n.clone();
            total.0 = total.0 + value.square();
            total.1 = total.1 + cyclic.square();
        }
    }
    total
}

/// An affine field x -> M x + v.
#[derive(Clone, Debug)]
pub struct AffineField<S> {
    /// M, as rows.
    pub matrix: Vec<Vec<S>>,
    /// v
    pub offset: Vec<S>,
}

impl<S: Field> AffineField<S> {
    /// -grad f of a quadratic: (-H, c).
    #[must_use]
    pub fn descent(loss: &PolynomialLoss<S>) -> AffineField<S> {
        let matrix = loss.hessian.iter().map(|row| row.iter().map(|value| -value.clone()).collect()).collect();
        AffineField { matrix, offset: loss.linear.clone() }
    }

    /// \[X, Y\] = (M_Y M_X - M_X M_Y, M_Y v_X - M_X v_Y)
    #[must_use]
    pub fn bracket(&self, other: &AffineField<S>) -> AffineField<S> {
        let matrix = product(&other.matrix, &self.matrix).iter().zip(product(&self.matrix, &other.matrix)).map(|(a, b)| minus(a, &b)).collect();
        AffineField { matrix, offset: minus(&apply(&other.matrix, &self.offset), &apply(&self.matrix, &other.offset)) }
    }

    /// The sum of two fields.
    #[must_use]
    pub fn add(&self, other: &AffineField<S>) -> AffineField<S> {
        let matrix = self.matrix.iter().zip(&other.matrix).map(|(a, b)| plus(a, b)).collect();
        AffineField { matrix, offset: plus(&self.offset, &other.offset) }
    }

    /// M x + v
    #[must_use]
    pub fn at(&self, x: &[S]) -> Vec<S> {
        plus(&apply(&self.matrix, x), &self.offset)
    }
}

/// The product of two matrices given as rows.
pub fn product<S: Field>(a: &[Vec<S>], b: &[Vec<S>]) -> Vec<Vec<S>> {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| (0..columns).map(|j| row.iter().zip(b).fold(S::zero(), |sum, (value, other)| sum + value.clone() * other[j].clone())).collect())
        .collect()
}

/// P = eta sum over j < k of (I - eta H)^j, applied to a vector.
pub fn repeated_step<S: Field>(hessian: &[Vec<S>], eta: &S, count: u32, vector: &[S]) -> Vec<S> {
    let mut term = vector.to_vec();
    let mut sum = vec![S::zero(); vector.len()];
    for _ in 0..count {
        sum = plus(&sum, &term);
        term = combine(&term, &-eta.clone(), &apply(hessian, &term));
    }
    times(eta, &sum)
}
