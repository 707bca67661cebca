//! Two updates in two orders: the commutator, the order effect, the drift reference, the control, several steps, certified verdicts.

use super::algorithm::{
    Automatic, Loss, LossFormula, PolynomialLoss, bracket, combine, controlled, dot, drift_reference, minus, pass, pass_with_momentum, plus,
    repeated, repeated_step, times,
};
use super::bounds::{
    PairAt, Radius, certified_eta, commutator_remainder, drift_remainder, norm, order_effect_remainder, repeated_remainder, slope_between, smoothness,
};
use super::instances::{Kind, Pair, Pairs};
use super::shared::{mutant, n, part, q};
use claim::{
    Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Mutant, Part, Provenance, RadicalSides, Relation, Tape, Verdict,
    compare_radicals, identity, polynomial,
};
use numeric::{BigInterval, Field, Interval, Ordered, Rational, Real, Surd, with_precision};

pub(super) fn all() -> Vec<Claim> {
    vec![commutator(), quadratic_exact(), order_effect(), drift(), control(), k_step(), certified()]
}

/// Rows.
type Matrix = Vec<Vec<Rational>>;

/// One pair, worked out exactly.
struct Worked {
    losses: [PolynomialLoss<Rational>; 3],
    theta: Vec<Rational>,
    eta: Rational,
    g_a: Vec<Rational>,
    g_b: Vec<Rational>,
    g_e: Vec<Rational>,
    bracket: Vec<Rational>,
    /// A first, then B.
    ab: Vec<Rational>,
    /// B first, then A.
    ba: Vec<Rational>,
}

impl Worked {
    fn new(at: &Pair) -> Worked {
        let losses = at.losses();
        let (theta, eta) = (at.start(), at.step_size());
        let [a, b, e] = &losses;
        Worked {
            g_a: a.gradient(&theta),
            g_b: b.gradient(&theta),
            g_e: e.gradient(&theta),
            bracket: bracket(a, b, &theta),
            ab: pass(&[a, b], &eta, &theta),
            ba: pass(&[b, a], &eta, &theta),
            losses,
            theta,
            eta,
        }
    }

    fn difference(&self) -> Vec<Rational> {
        minus(&self.ab, &self.ba)
    }

    fn middle(&self) -> Vec<Rational> {
        times(&q(1, 2), &plus(&self.ab, &self.ba))
    }

    /// R = d - eta^2 b
    fn remainder(&self) -> Vec<Rational> {
        combine(&self.difference(), &-self.eta.square(), &self.bracket)
    }

    /// D = f_E(theta_AB) - f_E(theta_BA)
    fn effect(&self) -> Rational {
        self.losses[2].value(&self.ab) - self.losses[2].value(&self.ba)
    }

    fn sigma(&self) -> Rational {
        dot(&self.g_e, &self.bracket)
    }

    fn reference(&self) -> Vec<Rational> {
        drift_reference(&self.losses[0], &self.losses[1], &self.eta, &self.theta)
    }

    /// What the bounds for quadratics take.
    fn pair(&self) -> PairAt<Rational> {
        PairAt::new(&self.g_a, &self.g_b, &self.losses[0].hessian_at(&self.theta), &self.losses[1].hessian_at(&self.theta))
    }

    /// M_A, M_B on the segments that the argument uses (the third derivative is monotone along a segment).
    fn lipschitz(&self, at: &Pair) -> (Rational, Rational) {
        let along = |index: usize, data: &super::instances::Data, to: &[Rational]| {
            let end = combine(&self.theta, &-self.eta.clone(), to);
            let size = self.losses[index].third(&self.theta).abs().max(&self.losses[index].third(&end).abs());
            size * data.direction_norm().powi(3)
        };
        (along(0, &at.a, &self.g_b), along(1, &at.b, &self.g_a))
    }
}

fn to<S: Field>(v: &[Rational]) -> Vec<S> {
    v.iter().map(S::from_rational).collect()
}

fn rows<S: Field>(matrix: &[Vec<Rational>]) -> Vec<Vec<S>> {
    matrix.iter().map(|row| to(row)).collect()
}

fn lift<S: Field>(pair: &PairAt<Rational>) -> PairAt<S> {
    PairAt { g_a: to(&pair.g_a), g_b: to(&pair.g_b), h_b_g_a: to(&pair.h_b_g_a), h_a_g_b: to(&pair.h_a_g_b) }
}

// --- C1 ---------------------------------------------------------------------------------------------------------------------------------------------

/// |R|^2 against (factor times the bound)^2.
fn remainder_bounded(factor: Rational) -> Check {
    ExactPart::new(Pairs(Kind::Quartic), move |at: &Pair| {
        let worked = Worked::new(at);
        let (m_a, m_b) = worked.lipschitz(at);
        let squares = (dot(&worked.g_a, &worked.g_a), dot(&worked.g_b, &worked.g_b));
        let bound = factor.clone() * commutator_remainder(&worked.eta, (&m_a, &m_b), (&squares.0, &squares.1));
        let remainder = worked.remainder();
        Judgement::compare(dot(&remainder, &remainder), Relation::Le, bound.square())
    })
    .erase()
}

/// The cubics of the argument at 0, in (eta, M_A, M_B, c_A, c_B).
fn cubic_losses<S: Field>(x: &[S]) -> [PolynomialLoss<S>; 2] {
    let of = |cubic: S, slope: &S| PolynomialLoss {
        hessian: vec![vec![S::zero()]],
        linear: vec![-slope.clone()],
        direction: vec![S::one()],
        cubic,
        quartic: S::zero(),
    };
    [of(-x[1].clone(), &x[3]), of(x[2].clone(), &x[4])]
}

polynomial!(CubicRemainder, |x| {
    let [a, b] = cubic_losses(x);
    let zero = [S::zero()];
    let (ab, ba) = (pass(&[&a, &b], &x[0], &zero), pass(&[&b, &a], &x[0], &zero));
    ab[0].clone() - ba[0].clone() - x[0].square() * bracket(&a, &b, &zero)[0].clone()
});
polynomial!(MinusCubicBound, |x| -commutator_remainder(&x[0], (&x[1], &x[2]), (&x[3].square(), &x[4].square())));

/// A network with one hidden layer of two units and squared loss on one example: 9 parameters.
struct Network {
    input: (i64, i64),
    label: i64,
}

impl LossFormula for Network {
    fn dimension(&self) -> usize {
        9
    }

    fn eval<S: Real>(&self, x: &[S]) -> S {
        let (u, v) = (S::ratio(self.input.0, 4), S::ratio(self.input.1, 4));
        let unit = |i: usize| (x[i].clone() * u.clone() + x[i + 1].clone() * v.clone() + x[i + 2].clone()).tanh();
        let output = x[6].clone() * unit(0) + x[7].clone() * unit(3) + x[8].clone();
        (output - S::ratio(self.label, 2)).square()
    }
}

/// A network's data and a step size 2^-shift.
#[derive(Clone, Hash)]
struct Shift {
    seed: i64,
    shift: u32,
}

impl Instance for Shift {
    fn show(&self) -> String {
        format!("network {} of 9 parameters, eta = 2^-{}", self.seed, self.shift)
    }
}

struct Shifts;

impl Family for Shifts {
    type Instance = Shift;

    fn id(&self) -> String {
        "networks".into()
    }

    fn domain(&self) -> String {
        "three tanh networks of 9 parameters, eta from 2^-8 to 2^-14".into()
    }

    fn special(&self) -> Vec<Shift> {
        (0..3).flat_map(|seed| [8, 10, 12, 14].map(|shift| Shift { seed, shift })).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Shift {
        Shift { seed: 0, shift: 8 }
    }
}

/// What is measured at one step size.
#[derive(Clone, Copy)]
enum Measured {
    Difference,
    Remainder,
    Effect,
}

impl Shift {
    fn measure(&self, shift: u32, what: Measured) -> BigInterval {
        let of = |index: i64| Automatic(Network { input: (3 * index + self.seed, 5 - 2 * index), label: index - self.seed });
        let (a, b, e) = (of(1), of(2), of(-1));
        let theta: Vec<BigInterval> = (0..9).map(|i| BigInterval::ratio((i * i + 3 * self.seed + i) % 7 - 3, 5)).collect();
        let eta = BigInterval::ratio(1, 1 << shift);
        let (ab, ba) = (pass(&[&a, &b], &eta, &theta), pass(&[&b, &a], &eta, &theta));
        let b_ab = bracket(&a, &b, &theta);
        let difference = minus(&ab, &ba);
        match what {
            Measured::Difference => norm(&difference),
            Measured::Remainder => norm(&combine(&difference, &-eta.square(), &b_ab)),
            Measured::Effect => (e.value(&ab) - e.value(&ba) - eta.square() * dot(&e.gradient(&theta), &b_ab)).abs(),
        }
    }
}

/// log2 of the quotient at eta and eta/2 lies within 1/10 of the exponent: an enclosure, not a fit.
fn slope(what: Measured, exponent: i64) -> Check {
    ExactPart::new(Shifts, move |at: &Shift| {
        let slope = with_precision(256, || slope_between(&at.measure(at.shift, what), &at.measure(at.shift + 1, what)));
        let Ok(slope) = slope else { return Judgement::compare(Rational::UNDEFINED, Relation::Eq, Rational::UNDEFINED) };
        let away = (slope.clone() - BigInterval::from_i64(exponent)).abs();
        match away.le(&BigInterval::ratio(1, 10)) {
            numeric::Truth::Unknown => Judgement::compare(Rational::UNDEFINED, Relation::Eq, Rational::UNDEFINED),
            truth => Judgement::Property { holds: truth.is_true(), detail: format!("slope {}", slope.to_decimal(10)) },
        }
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

fn commutator() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("bound", "|theta_AB - theta_BA - eta^2 b_AB| <= (eta^3/2)(M_B G_A^2 + M_A G_B^2)", remainder_bounded(n(1))),
            part(
                "attained",
                "for the cubics -M_A x^3/6 + c_A x and M_B x^3/6 + c_B x at 0: R = -(eta^3/2)(M_B c_A^2 + M_A c_B^2)",
                identity(&["eta", "M_A", "M_B", "c_A", "c_B"], CubicRemainder, MinusCubicBound),
            ),
            part("slope-2", "theta_AB - theta_BA shrinks like eta^2 (exponent within 1/10)", slope(Measured::Difference, 2)),
            part("slope-3", "R shrinks like eta^3 (exponent within 1/10)", slope(Measured::Remainder, 3)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("one-percent", "|R| <= 0.99 (eta^3/2)(M_B G_A^2 + M_A G_B^2)", remainder_bounded(q(99, 100))),
            mutant("slope-4", "R shrinks like eta^4", slope(Measured::Remainder, 4)),
        ]
    }
    Claim {
        id: "lie-bracket/commutator",
        statement: "theta_AB - theta_BA = eta^2 b_AB + R with b_AB = H_B g_A - H_A g_B and |R| <= (eta^3/2)(M_B G_A^2 + M_A G_B^2), for every eta > 0",
        assumptions: &[
            "f_A, f_B twice differentiable; Hess f_B is M_B-Lipschitz on [theta_0, theta_0 - eta g_A], Hess f_A is M_A-Lipschitz on [theta_0, theta_0 - eta g_B]",
            "plain gradient steps: no momentum, no other state",
        ],
        provenance: Provenance::Paper,
        source: "Lemma 2.1, as listed in public reading notes (remainder O(eta^3)); the constant and its tightness are ours",
        declared: Verdict::Holds,
        argument: "Exactly, theta_AB - theta_BA = -eta (grad f_B(theta_0 - eta g_A) - g_B) + eta (grad f_A(theta_0 - eta g_B) - g_A). Taylor's theorem with a Lipschitz Hessian: each bracket is its linear term plus at most M eta^2 G^2/2. No third derivative is needed. The cubics have b_AB = 0 and remainders of one sign, so nothing smaller will do.",
        gap: Some("all losses with a Lipschitz Hessian: polynomials of degree up to 4 and small networks are checked"),
        finding: None,
        see: &["lie-bracket/quadratic-exact"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C2 ---------------------------------------------------------------------------------------------------------------------------------------------

/// Quadratics at 0 from gradients and Hessians.
fn planar<S: Field>(h: [&S; 3], g: [&S; 2]) -> PolynomialLoss<S> {
    let hessian = vec![vec![h[0].clone(), h[1].clone()], vec![h[1].clone(), h[2].clone()]];
    PolynomialLoss::quadratic(hessian, vec![-g[0].clone(), -g[1].clone()])
}

/// A and B from (eta, A: h11, h12, h22, g1, g2, B: the same).
fn two_planar<S: Field>(x: &[S]) -> [PolynomialLoss<S>; 2] {
    [planar([&x[1], &x[2], &x[3]], [&x[4], &x[5]]), planar([&x[6], &x[7], &x[8]], [&x[9], &x[10]])]
}

const PLANAR: &[&str] = &["eta", "A_11", "A_12", "A_22", "g_A1", "g_A2", "B_11", "B_12", "B_22", "g_B1", "g_B2"];

polynomial!(PlanarDifference, |x| {
    let [a, b] = two_planar(x);
    let zero = [S::zero(), S::zero()];
    pass(&[&a, &b], &x[0], &zero)[0].clone() - pass(&[&b, &a], &x[0], &zero)[0].clone()
});
polynomial!(PlanarBracket, |x| {
    let [a, b] = two_planar(x);
    x[0].square() * bracket(&a, &b, &[S::zero(), S::zero()])[0].clone()
});

/// d = factor eta^2 b, by any way of updating.
fn exact_difference(sign: i64, momentum: Option<(i64, i64)>) -> Check {
    ExactPart::new(Pairs(Kind::Quadratic), move |at: &Pair| {
        let worked = Worked::new(at);
        let [a, b, _] = &worked.losses;
        let difference = match momentum {
            None => worked.difference(),
            Some((p, r)) => {
                let beta = q(p, r);
                minus(
                    &pass_with_momentum(&[a, b], &worked.eta, &beta, &worked.theta),
                    &pass_with_momentum(&[b, a], &worked.eta, &beta, &worked.theta),
                )
            }
        };
        let expected = times(&(n(sign) * worked.eta.square()), &worked.bracket);
        let holds = difference.iter().zip(&expected).all(|(x, y)| x.equals(y).is_true());
        Judgement::Property { holds, detail: format!("d = {}, eta^2 b = {}", show(&difference), show(&expected)) }
    })
    .erase()
}

fn show(v: &[Rational]) -> String {
    let inner: Vec<String> = v.iter().map(Rational::to_string).collect();
    format!("({})", inner.join(", "))
}

fn quadratic_exact() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "plane",
                "in two dimensions, first coordinate (the second is the same with the axes exchanged)",
                identity(PLANAR, PlanarDifference, PlanarBracket),
            ),
            part("difference", "theta_AB - theta_BA = eta^2 b_AB", exact_difference(1, None)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("sign", "b_AB = H_A g_B - H_B g_A", exact_difference(-1, None)),
            mutant("momentum", "the same with heavy-ball momentum 9/10 (the effect is then of order eta)", exact_difference(1, Some((9, 10)))),
        ]
    }
    Claim {
        id: "lie-bracket/quadratic-exact",
        statement: "if f_A and f_B are quadratics, theta_AB - theta_BA = eta^2 b_AB for every eta, however large, and also for indefinite Hessians",
        assumptions: &["f_A, f_B quadratic", "plain gradient steps"],
        provenance: Provenance::Derived,
        source: "ours: the remainder of the commutator vanishes with the third derivative",
        declared: Verdict::Holds,
        argument: "grad f(x + v) - grad f(x) = H v without remainder, so both brackets in the commutator's formula are linear. In the plane this is a polynomial identity in eta, the Hessians and the gradients at theta_0, decided by its degree; a line is the case of zero entries.",
        gap: Some("three dimensions and more"),
        finding: None,
        see: &["lie-bracket/commutator"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C3 ---------------------------------------------------------------------------------------------------------------------------------------------

/// |D - eta^2 sigma| against factor times the bound.
struct Effect<'a> {
    left: Rational,
    target: &'a [Vec<Rational>],
    eta: &'a Rational,
    pair: PairAt<Rational>,
    factor: Rational,
    drift: bool,
}

impl RadicalSides for Effect<'_> {
    fn sides<S: Surd>(&self) -> (S, S) {
        let (l_e, eta, pair) = (smoothness(&rows::<S>(self.target)), S::from_rational(self.eta), lift(&self.pair));
        let bound = if self.drift { drift_remainder(&l_e, &eta, &pair) } else { order_effect_remainder(&l_e, &eta, &pair) };
        (S::from_rational(&self.left).abs(), S::from_rational(&self.factor) * bound)
    }
}

fn quadratic_effect(kind: Kind, drift: bool, factor: Rational) -> Check {
    ExactPart::new(Pairs(kind), move |at: &Pair| {
        let worked = Worked::new(at);
        let predicted = if drift { dot(&worked.losses[2].gradient(&worked.reference()), &worked.bracket) } else { worked.sigma() };
        let left = worked.effect() - worked.eta.square() * predicted;
        compare_radicals(
            Relation::Le,
            &Effect {
                left,
                target: &worked.losses[2].hessian_at(&worked.theta),
                eta: &worked.eta,
                pair: worked.pair(),
                factor: factor.clone(),
                drift,
            },
        )
    })
    .erase()
}

/// D = <grad f_E(m), d> for a quadratic target, whatever the sources.
fn midpoint_exact(cubic_target: bool) -> Check {
    ExactPart::new(Pairs(Kind::Quartic), move |at: &Pair| {
        let mut at = at.clone();
        if !cubic_target {
            at.target.cubic = 0;
        }
        let worked = Worked::new(&at);
        let predicted = dot(&worked.losses[2].gradient(&worked.middle()), &worked.difference());
        Judgement::compare(worked.effect(), Relation::Eq, predicted)
    })
    .erase()
}

/// The remainder for a cubic target and any sources, with the middle term (L_E/4)|d|^2 or M_E |d|^3/24.
struct General {
    left: Rational,
    hessians: Vec<Matrix>,
    third: Rational,
    away: Vec<Rational>,
    difference: Vec<Rational>,
    g_e: Vec<Rational>,
    remainder: Vec<Rational>,
    by_third: bool,
    factor: Rational,
}

impl RadicalSides for General {
    fn sides<S: Surd>(&self) -> (S, S) {
        // The Hessian of a cubic is affine and the norm convex: its maximum over a hull is at a vertex.
        let l_e = self.hessians.iter().map(|h| smoothness(&rows::<S>(h))).fold(S::zero(), |a, b| a.max(&b));
        let d = norm(&to::<S>(&self.difference));
        let middle =
            if self.by_third { S::from_rational(&self.third) * d.powi(3) * S::ratio(1, 24) } else { l_e.clone() * S::ratio(1, 4) * d.square() };
        let bound = l_e * norm(&to::<S>(&self.away)) * d + middle + norm(&to::<S>(&self.g_e)) * norm(&to::<S>(&self.remainder));
        (S::from_rational(&self.left).abs(), S::from_rational(&self.factor) * bound)
    }
}

fn general_effect(by_third: bool, factor: Rational) -> Check {
    ExactPart::new(Pairs(Kind::Cubic), move |at: &Pair| {
        let worked = Worked::new(at);
        let target = &worked.losses[2];
        let points = [&worked.theta, &worked.ab, &worked.ba];
        compare_radicals(
            Relation::Le,
            &General {
                left: worked.effect() - worked.eta.square() * worked.sigma(),
                hessians: points.iter().map(|x| target.hessian_at(x)).collect(),
                third: target.cubic.abs() * at.target.direction_norm().powi(3),
                away: minus(&worked.middle(), &worked.theta),
                difference: worked.difference(),
                g_e: worked.g_e.clone(),
                remainder: worked.remainder(),
                by_third,
                factor: factor.clone(),
            },
        )
    })
    .erase()
}

/// |m - theta_0| <= eta |g_A + g_B| + (eta^2/2)(L_B G_A + L_A G_B)
struct Away {
    away: Vec<Rational>,
    eta: Rational,
    drift: Vec<Rational>,
    sources: [(Vec<Matrix>, Vec<Rational>); 2],
    half: Rational,
}

impl RadicalSides for Away {
    fn sides<S: Surd>(&self) -> (S, S) {
        let eta = S::from_rational(&self.eta);
        let term = |(hessians, g): &(Vec<Matrix>, Vec<Rational>)| {
            let l = hessians.iter().map(|h| smoothness(&rows::<S>(h))).fold(S::zero(), |a, b| a.max(&b));
            l * norm(&to::<S>(g))
        };
        let second = term(&self.sources[0]) + term(&self.sources[1]);
        let right = eta.clone() * norm(&to::<S>(&self.drift)) + S::from_rational(&self.half) * eta.square() * second;
        (norm(&to::<S>(&self.away)), right)
    }
}

fn middle_bounded(half: Rational) -> Check {
    ExactPart::new(Pairs(Kind::Cubic), move |at: &Pair| {
        let worked = Worked::new(at);
        let ends = |index: usize, to: &[Rational]| {
            let end = combine(&worked.theta, &-worked.eta.clone(), to);
            vec![worked.losses[index].hessian_at(&worked.theta), worked.losses[index].hessian_at(&end)]
        };
        compare_radicals(
            Relation::Le,
            &Away {
                away: minus(&worked.middle(), &worked.theta),
                eta: worked.eta.clone(),
                drift: plus(&worked.g_a, &worked.g_b),
                sources: [(ends(0, &worked.g_b), worked.g_b.clone()), (ends(1, &worked.g_a), worked.g_a.clone())],
                half: half.clone(),
            },
        )
    })
    .erase()
}

fn order_effect() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "quadratics",
                "|D - eta^2 sigma| <= L_E (eta |g_A + g_B| + (eta^2/2)|H_B g_A + H_A g_B|) eta^2 |b| for quadratics",
                quadratic_effect(Kind::Quadratic, false, n(1)),
            ),
            part("midpoint", "D = <grad f_E(m), d> exactly for a quadratic target, whatever the sources", midpoint_exact(false)),
            part("general", "|D - eta^2 sigma| <= L_E |m - theta_0| |d| + (L_E/4)|d|^2 + |g_E| |R|", general_effect(false, n(1))),
            part("by-third-derivative", "the same with M_E |d|^3/24 in place of (L_E/4)|d|^2", general_effect(true, n(1))),
            part("middle", "|m - theta_0| <= eta |g_A + g_B| + (eta^2/2)(L_B G_A + L_A G_B)", middle_bounded(q(1, 2))),
            part("slope", "on networks the remainder shrinks like eta^3 (exponent within 1/10)", slope(Measured::Effect, 3)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("one-percent", "0.99 of the bound for quadratics", quadratic_effect(Kind::Quadratic, false, q(99, 100))),
            mutant("midpoint-cubic", "D = <grad f_E(m), d> also for a cubic target", midpoint_exact(true)),
            mutant("general-one-percent", "0.99 of the general bound with M_E |d|^3/24", general_effect(true, q(99, 100))),
            mutant("middle-quarter", "|m - theta_0| with eta^2/4", middle_bounded(q(1, 4))),
        ]
    }
    Claim {
        id: "lie-bracket/order-effect",
        statement: "D = f_E(theta_AB) - f_E(theta_BA) = eta^2 sigma_AB + rem with sigma_AB = <g_E, b_AB> and |rem| <= L_E |m - theta_0| |d| + (L_E/4)|d|^2 + |g_E| |R|, m the midpoint, d the difference; for quadratics |rem| <= L_E (eta |g_A + g_B| + (eta^2/2)|H_B g_A + H_A g_B|) eta^2 |b|",
        assumptions: &["f_E is L_E-smooth on the hull of theta_0, theta_AB, theta_BA", "plain gradient steps"],
        provenance: Provenance::Paper,
        source: "Proposition 2.3, as listed in public reading notes (remainder O(eta^3)); the constants are ours",
        declared: Verdict::Holds,
        argument: "With m the midpoint, D = <grad f_E(m), d> + at most (L_E/4)|d|^2 (0 for quadratics, M_E |d|^3/24 with a Lipschitz Hessian), grad f_E(m) differs from g_E by at most L_E |m - theta_0|, and d = eta^2 b + R. D > 0 means: B first is better. In one dimension the bound for quadratics is attained where g_A + g_B and h_B g_A + h_A g_B have opposite signs.",
        gap: Some("all smooth losses: polynomials of degree up to 3 and small networks are checked"),
        finding: None,
        see: &["lie-bracket/drift-reference", "lie-bracket/certified-verdict"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C4 ---------------------------------------------------------------------------------------------------------------------------------------------

/// One dimension: (eta, h_A, g_A, h_B, g_B, h_E, g_E).
fn three_lines<S: Field>(x: &[S]) -> [PolynomialLoss<S>; 3] {
    let of = |h: &S, g: &S| PolynomialLoss::quadratic(vec![vec![h.clone()]], vec![-g.clone()]);
    [of(&x[1], &x[2]), of(&x[3], &x[4]), of(&x[5], &x[6])]
}

const LINE: &[&str] = &["eta", "h_A", "g_A", "h_B", "g_B", "h_E", "g_E"];

polynomial!(LineDriftError, |x| {
    let [a, b, e] = three_lines(x);
    let zero = [S::zero()];
    let effect = e.value(&pass(&[&a, &b], &x[0], &zero)) - e.value(&pass(&[&b, &a], &x[0], &zero));
    let reference = drift_reference(&a, &b, &x[0], &zero);
    effect - x[0].square() * dot(&e.gradient(&reference), &bracket(&a, &b, &zero))
});
polynomial!(LineDriftFormula, |x| {
    let [a, b, _] = three_lines(x);
    let zero = [S::zero()];
    let sum = x[3].clone() * x[2].clone() + x[1].clone() * x[4].clone();
    S::ratio(1, 2) * x[0].powi(4) * sum * x[5].clone() * bracket(&a, &b, &zero)[0].clone()
});

/// D - eta^2 <grad f_E(theta_ref), b> = (eta^4/2) (H_B g_A + H_A g_B)' H_E b
fn drift_exact(kind: Kind) -> Check {
    ExactPart::new(Pairs(kind), move |at: &Pair| {
        let worked = Worked::new(at);
        let left = worked.effect() - worked.eta.square() * dot(&worked.losses[2].gradient(&worked.reference()), &worked.bracket);
        let bent = worked.losses[2].hessian_vector(&worked.theta, &worked.bracket);
        Judgement::compare(left, Relation::Eq, q(1, 2) * worked.eta.powi(4) * dot(&worked.pair().curvature(), &bent))
    })
    .erase()
}

fn drift() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part(
                "line",
                "in one dimension D - eta^2 <grad f_E(theta_ref), b> = (eta^4/2)(h_B g_A + h_A g_B) h_E b",
                identity(LINE, LineDriftError, LineDriftFormula),
            ),
            part("error", "D - eta^2 <grad f_E(theta_ref), b> = (eta^4/2)(H_B g_A + H_A g_B)' H_E b", drift_exact(Kind::Quadratic)),
            part("bound", "its size is at most (L_E/2) eta^4 |H_B g_A + H_A g_B| |b|", quadratic_effect(Kind::Quadratic, true, n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("cubic-sources", "the error is (eta^4/2)(..) for cubic sources too", drift_exact(Kind::Cubic)),
            mutant("cubic-bound", "the bound of order eta^4 for cubic sources", quadratic_effect(Kind::Cubic, true, n(1))),
            mutant("one-percent", "0.99 of the bound", quadratic_effect(Kind::Quadratic, true, q(99, 100))),
        ]
    }
    Claim {
        id: "lie-bracket/drift-reference",
        statement: "for quadratics, |D - eta^2 <grad f_E(theta_ref), b_AB>| <= (L_E/2) eta^4 |H_B g_A + H_A g_B| |b_AB| with theta_ref = theta_0 - eta (g_A + g_B): one order better than with g_E",
        assumptions: &["f_A, f_B, f_E quadratic"],
        provenance: Provenance::Derived,
        source: "ours; public reading notes list the reference in Section 2.4",
        declared: Verdict::Holds,
        argument: "The midpoint is theta_ref + (eta^2/2)(H_B g_A + H_A g_B), and D = <grad f_E(m), eta^2 b>. Attained in one dimension. For sources with a third derivative this is not so: the commutator's remainder of order eta^3 stays, and the error is of order eta^3 again (mutants).",
        gap: Some("two dimensions and more: sampled"),
        finding: None,
        see: &["lie-bracket/order-effect", "lie-bracket/control"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C5 ---------------------------------------------------------------------------------------------------------------------------------------------

/// What moving to theta_ctrl does, against -(eta^2/2)|<grad f_E(theta_ref), b>|.
struct Controlled {
    rest: Rational,
    slope: Rational,
    points: [Vec<Rational>; 2],
}

fn controlled_by(worked: &Worked) -> Controlled {
    let [a, b, e] = &worked.losses;
    let reference = worked.reference();
    let slope = dot(&e.gradient(&reference), &worked.bracket);
    let sign = i64::from(slope.signum().unwrap_or(0));
    let moved = controlled(a, b, &worked.eta, &worked.theta, sign);
    let rest = e.value(&moved) - e.value(&reference) + q(1, 2) * worked.eta.square() * slope.abs();
    Controlled { rest, slope, points: [reference, moved] }
}

fn control_exact(share: Rational, cubic: bool) -> Check {
    ExactPart::new(Pairs(if cubic { Kind::Cubic } else { Kind::Quadratic }), move |at: &Pair| {
        let worked = Worked::new(at);
        let found = controlled_by(&worked);
        if found.slope.is_zero() {
            return Judgement::Unmet;
        }
        let bent = worked.losses[2].hessian_vector(&worked.theta, &worked.bracket);
        Judgement::compare(found.rest, Relation::Eq, share.clone() * worked.eta.powi(4) * dot(&worked.bracket, &bent))
    })
    .erase()
}

struct ControlBound {
    rest: Rational,
    hessians: Vec<Matrix>,
    eta: Rational,
    square: Rational,
    share: Rational,
}

impl RadicalSides for ControlBound {
    fn sides<S: Surd>(&self) -> (S, S) {
        let l_e = self.hessians.iter().map(|h| smoothness(&rows::<S>(h))).fold(S::zero(), |a, b| a.max(&b));
        (S::from_rational(&self.rest).abs(), l_e * S::from_rational(&(self.share.clone() * self.eta.powi(4) * self.square.clone())))
    }
}

fn control_bounded(share: Rational) -> Check {
    ExactPart::new(Pairs(Kind::Cubic), move |at: &Pair| {
        let worked = Worked::new(at);
        let found = controlled_by(&worked);
        let hessians = found.points.iter().map(|x| worked.losses[2].hessian_at(x)).collect();
        compare_radicals(
            Relation::Le,
            &ControlBound {
                rest: found.rest,
                hessians,
                eta: worked.eta.clone(),
                square: dot(&worked.bracket, &worked.bracket),
                share: share.clone(),
            },
        )
    })
    .erase()
}

fn control() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("exact", "for a quadratic target r = (eta^4/8) b' H_E b", control_exact(q(1, 8), false)),
            part("bound", "|r| <= (L_E/8) eta^4 |b|^2", control_bounded(q(1, 8))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("nine-percent", "r = (eta^4/8.8) b' H_E b", control_exact(q(10, 88), false)),
            mutant("cubic-target", "the same equation for a cubic target", control_exact(q(1, 8), true)),
            mutant("one-percent", "|r| <= 0.99 (L_E/8) eta^4 |b|^2", control_bounded(q(99, 800))),
        ]
    }
    Claim {
        id: "lie-bracket/control",
        statement: "theta_ctrl = theta_ref - (s/2) eta^2 b_AB with s = sign <grad f_E(theta_ref), b_AB>: f_E(theta_ctrl) = f_E(theta_ref) - (eta^2/2)|<grad f_E(theta_ref), b_AB>| + r with |r| <= (L_E/8) eta^4 |b_AB|^2, and r = (eta^4/8) b' H_E b for a quadratic target",
        assumptions: &["f_E is L_E-smooth between theta_ref and theta_ctrl", "any sources"],
        provenance: Provenance::Paper,
        source: "Appendix E.8, as listed in public reading notes; the constant is ours",
        declared: Verdict::Holds,
        argument: "The descent lemma along b_AB, with step (eta^2/2) b_AB; a quadratic target leaves its second-order term.",
        gap: Some("all smooth targets: polynomials of degree up to 3 are checked"),
        finding: None,
        see: &["lie-bracket/drift-reference"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C11 --------------------------------------------------------------------------------------------------------------------------------------------

fn k_exact(both: bool) -> Check {
    ExactPart::new(Pairs(Kind::Repeated), move |at: &Pair| {
        let worked = Worked::new(at);
        let [a, b, _] = &worked.losses;
        let difference = minus(&repeated(a, b, at.steps, &worked.eta, &worked.theta), &repeated(b, a, at.steps, &worked.eta, &worked.theta));
        let p = |loss: &PolynomialLoss<Rational>, v: &[Rational]| repeated_step(&loss.hessian, &worked.eta, at.steps, v);
        let bend = |loss: &PolynomialLoss<Rational>, v: &[Rational]| loss.hessian_vector(&worked.theta, v);
        let (left, right) = (p(b, &bend(b, &p(a, &worked.g_a))), p(a, &bend(a, &p(b, &worked.g_b))));
        let leading = times(&(n(i64::from(at.steps)).square() * worked.eta.square()), &worked.bracket);
        let expected = if both { minus(&left, &right) } else { leading };
        let holds = difference.iter().zip(&expected).all(|(x, y)| x.equals(y).is_true());
        Judgement::Property { holds, detail: format!("d = {}, formula {}", show(&difference), show(&expected)) }
    })
    .erase()
}

struct Leading {
    rest: Vec<Rational>,
    eta: Rational,
    steps: u32,
    hessians: [Matrix; 2],
    gradients: [Vec<Rational>; 2],
    factor: Rational,
}

impl RadicalSides for Leading {
    fn sides<S: Surd>(&self) -> (S, S) {
        let (l_a, l_b) = (smoothness(&rows::<S>(&self.hessians[0])), smoothness(&rows::<S>(&self.hessians[1])));
        let (g_a, g_b) = (norm(&to::<S>(&self.gradients[0])), norm(&to::<S>(&self.gradients[1])));
        let bound = repeated_remainder(self.steps, &S::from_rational(&self.eta), (&l_a, &l_b), (&g_a, &g_b));
        (norm(&to::<S>(&self.rest)), S::from_rational(&self.factor) * bound)
    }
}

fn k_leading(factor: Rational) -> Check {
    ExactPart::new(Pairs(Kind::Repeated), move |at: &Pair| {
        let worked = Worked::new(at);
        let [a, b, _] = &worked.losses;
        let difference = minus(&repeated(a, b, at.steps, &worked.eta, &worked.theta), &repeated(b, a, at.steps, &worked.eta, &worked.theta));
        let square = (n(i64::from(at.steps)) * worked.eta.clone()).square();
        compare_radicals(
            Relation::Le,
            &Leading {
                rest: combine(&difference, &-square, &worked.bracket),
                eta: worked.eta.clone(),
                steps: at.steps,
                hessians: [a.hessian.clone(), b.hessian.clone()],
                gradients: [worked.g_a.clone(), worked.g_b.clone()],
                factor: factor.clone(),
            },
        )
    })
    .erase()
}

/// In one dimension with 0 < eta h < 2: D_k is within an explicit distance of f_E(argmin f_B) - f_E(argmin f_A), which shrinks like rho^k.
fn k_limit(flipped: bool) -> Check {
    ExactPart::new(Pairs(Kind::Repeated), move |at: &Pair| {
        let worked = Worked::new(at);
        let [a, b, e] = &worked.losses;
        let (h_a, h_b) = (a.hessian[0][0].clone(), b.hessian[0][0].clone());
        if at.a.dimension() != 1 || h_a.is_zero() || h_b.is_zero() {
            return Judgement::Unmet;
        }
        let count = 3 * at.steps;
        let (best_a, best_b) = (a.linear[0].clone() / h_a.clone(), b.linear[0].clone() / h_b.clone());
        let start = worked.theta[0].clone();
        let factor = |h: &Rational| (n(1) - worked.eta.clone() * h.clone()).abs().powi(count);
        // |theta_(A^k B^k) - argmin f_B| <= rho_B^k (|argmin f_A - argmin f_B| + rho_A^k |theta_0 - argmin f_A|)
        let gap = (best_a.clone() - best_b.clone()).abs();
        let near_b = factor(&h_b) * (gap.clone() + factor(&h_a) * (start.clone() - best_a.clone()).abs());
        let near_a = factor(&h_a) * (gap + factor(&h_b) * (start - best_b.clone()).abs());
        let change =
            |x: &Rational, by: &Rational| e.gradient(std::slice::from_ref(x))[0].abs() * by.clone() + q(1, 2) * e.hessian[0][0].abs() * by.square();
        let allowed = change(&best_b, &near_b) + change(&best_a, &near_a);
        let d_k = e.value(&repeated(a, b, count, &worked.eta, &worked.theta)) - e.value(&repeated(b, a, count, &worked.eta, &worked.theta));
        let limit = e.value(&[best_b]) - e.value(&[best_a]);
        let limit = if flipped { -limit } else { limit };
        Judgement::compare((d_k - limit).abs(), Relation::Le, allowed)
    })
    .erase()
}

/// sign D_k = sign D_1
fn k_sign() -> Check {
    ExactPart::new(Pairs(Kind::Repeated), move |at: &Pair| {
        let worked = Worked::new(at);
        let [a, b, e] = &worked.losses;
        let d_k = e.value(&repeated(a, b, at.steps, &worked.eta, &worked.theta)) - e.value(&repeated(b, a, at.steps, &worked.eta, &worked.theta));
        let d_1 = worked.effect();
        Judgement::Property { holds: d_k.signum() == d_1.signum(), detail: format!("D_1 = {d_1}, D_k = {d_k}") }
    })
    .erase()
}

fn k_step() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("formula", "theta_(A^k B^k) - theta_(B^k A^k) = P_B H_B P_A g_A - P_A H_A P_B g_B", k_exact(true)),
            part(
                "leading-term",
                "|theta_(A^k B^k) - theta_(B^k A^k) - k^2 eta^2 b| <= (k^2 (k-1)/2) eta^3 (L_A + L_B)(L_B G_A + L_A G_B)",
                k_leading(n(1)),
            ),
            part("limit", "on a line, 3k steps each: D is within O(rho^k) of f_E(argmin f_B) - f_E(argmin f_A), explicitly", k_limit(false)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("leading-term-only", "the difference is k^2 eta^2 b exactly", k_exact(false)),
            mutant("one-percent", "0.99 of the bound", k_leading(q(99, 100))),
            mutant("limit-sign", "the limit is f_E(argmin f_A) - f_E(argmin f_B)", k_limit(true)),
            mutant("sign-independent-of-k", "the sign of D does not depend on k", k_sign()),
        ]
    }
    Claim {
        id: "lie-bracket/k-step-exact",
        statement: "k steps on A, then k on B, quadratics, P_i = eta sum over j < k of (I - eta H_i)^j: theta_(A^k B^k) - theta_(B^k A^k) = P_B H_B P_A g_A - P_A H_A P_B g_B; if 0 <= eta H_i <= I it is k^2 eta^2 b_AB up to (k^2 (k-1)/2) eta^3 (L_A + L_B)(L_B G_A + L_A G_B); as k grows the order effect tends to f_E(argmin f_B) - f_E(argmin f_A) where 0 < eta H_i < 2I",
        assumptions: &["f_A, f_B quadratic, convex where the bound is used", "plain gradient steps"],
        provenance: Provenance::Derived,
        source: "ours",
        declared: Verdict::Holds,
        argument: "k steps on a quadratic move x by -P grad f(x), so the formula is that of one step with P_i in place of eta. |P_i - k eta I| <= (k (k-1)/2) eta^2 L_i for 0 <= eta H_i <= I, and |P_i| <= k eta. In the limit the last source alone decides, whatever the bracket says: the verdict of k = 1 can flip.",
        gap: Some("dimensions above 2 (bound) and above 1 (limit)"),
        finding: None,
        see: &["lie-bracket/quadratic-exact"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// --- C12 --------------------------------------------------------------------------------------------------------------------------------------------

/// At `factor` times the lower end of the certified radius (or at the instance's own eta), D has the sign of sigma.
fn sign_certified(factor: Option<Rational>) -> Check {
    ExactPart::new(Pairs(Kind::Plane), move |at: &Pair| {
        let worked = Worked::new(at);
        let radius: Radius<Interval> = certified_eta(&worked.losses[2].hessian, &worked.g_e, &worked.pair());
        let eta = match (radius, &factor) {
            (Radius::Tie, _) => return Judgement::Unmet,
            (Radius::Every, _) | (_, None) => worked.eta.clone(),
            (Radius::Below(radius), Some(factor)) => {
                // A number of 12 bits below the radius, by at most 1/2048 of it: exact, and short enough for fast arithmetic.
                let Some(low) = Rational::from_f64(f64::from_bits(radius.lo().to_bits() >> 41 << 41)) else { return Judgement::Unmet };
                low * factor.clone()
            }
        };
        let [a, b, e] = &worked.losses;
        let effect = e.value(&pass(&[a, b], &eta, &worked.theta)) - e.value(&pass(&[b, a], &eta, &worked.theta));
        let sigma = worked.sigma();
        Judgement::Property {
            holds: effect.signum() == sigma.signum(),
            detail: format!("sigma = {sigma}, D = {effect} at eta = {}", eta.to_f64_nearest()),
        }
    })
    .erase()
}

fn certified() -> Claim {
    fn parts() -> Vec<Part> {
        vec![part("sign", "at 999/1000 of the radius D has the sign of sigma", sign_certified(Some(q(999, 1000))))]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("one-percent", "at 101/100 of the radius, too", sign_certified(Some(q(101, 100)))),
            mutant("every-step-size", "for every eta", sign_certified(None)),
        ]
    }
    Claim {
        id: "lie-bracket/certified-verdict",
        statement: "for quadratics the sign of D is that of sigma_AB whenever |sigma_AB| > L_E |b|(eta |g_A + g_B| + (eta^2/2)|H_B g_A + H_A g_B|); the largest such eta has a closed form, the certified radius",
        assumptions: &["f_A, f_B, f_E quadratic", "sigma_AB is not 0"],
        provenance: Provenance::Derived,
        source: "ours, from the order effect's bound",
        declared: Verdict::Holds,
        argument: "Divide the order effect's bound by eta^2. The condition is a quadratic inequality in eta; its positive root is the radius. In one dimension it can be the exact place where the sign turns.",
        gap: Some("dimensions above 2; step sizes between 0 and the radius other than those tried (the bound is monotone in eta)"),
        finding: None,
        see: &["lie-bracket/order-effect"],
        parts,
        mutants,
        without_mutants: None,
    }
}
