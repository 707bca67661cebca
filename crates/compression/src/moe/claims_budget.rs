//! The bound at a compute budget: its shape, its best K.
//!
//! In the proofs a = c2 M, R = 1 (a common factor), and u = sqrt K, so that B(u^2) = c1 u + a/u.

use super::bounds::{curvature, integer_rule};
use super::instances::{AllConstants, Constants, Which};
use super::shared::{c, mutant, n, part, polynomial};
use claim::{CertifiedPart, Check, Claim, ExactPart, Finding, Judgement, Mutant, Parameter, Part, Provenance, Relation, Sign, Verdict, identity};
use numeric::{Field, QuadraticSurd, Rational};

pub(super) fn all() -> Vec<Claim> {
    vec![budget(), as_printed(), convexity(), unimodal(), integer(), affine()]
}

/// Best K by trying all of 1..=M: the first with the least square.
fn tried(constants: &Constants) -> u64 {
    let budget = constants.budget();
    let mut best = (1, budget.square(&n(1)));
    for k in 2..=constants.experts {
        let square = budget.square(&Rational::from(k));
        if square < best.1 {
            best = (k, square);
        }
    }
    best.0
}

fn same_integer(which: Which, rule: impl Fn(&Constants) -> u64 + Send + Sync + 'static) -> Check {
    ExactPart::new(AllConstants(which), move |constants: &Constants| {
        let (rule, tried) = (rule(constants), tried(constants));
        Judgement::Property { holds: rule == tried, detail: format!("rule {rule}, best of all {tried}") }
    })
    .erase()
}

fn by_rule(constants: &Constants) -> u64 {
    let budget = constants.budget();
    integer_rule(&budget.c1, &budget.c2, budget.experts)
}

/// The sparse side: K* < M for integers iff (c2/c1)^2 <= 1 - 1/M, for reals iff c2 < c1.
fn sparse_iff(asserted: impl Fn(&Constants) -> bool + Send + Sync + 'static) -> Check {
    ExactPart::new(AllConstants(Which::Plain), move |constants: &Constants| {
        let (best, sparse) = (tried(constants), asserted(constants));
        Judgement::Property { holds: (best < constants.experts) == sparse, detail: format!("best integer K = {best} of M = {}", constants.experts) }
    })
    .erase()
}

fn by_constants(constants: &Constants) -> bool {
    let budget = constants.budget();
    (budget.c2 / budget.c1).square() <= n(1) - Rational::new(1, constants.experts as i64)
}

fn budget() -> Claim {
    /// No K in a rational grid of [1, M] is better than the clamped one.
    fn clamped(shift: Rational) -> Check {
        ExactPart::new(AllConstants(Which::Affine), move |constants: &Constants| {
            let budget = constants.budget();
            let best = budget.best() + QuadraticSurd::from(shift.clone());
            let a = QuadraticSurd::from(budget.weight());
            let surd = |value: &Rational| QuadraticSurd::from(value.clone());
            let factor = surd(&budget.c1) + a / best.clone();
            let least = factor.square() * (surd(&budget.overhead) + surd(&budget.per_expert) * best.clone());
            let top = constants.experts as i64;
            let grid = (0..=16).map(|i| n(1) + Rational::new(i * (top - 1), 16)).map(|k| budget.square(&k));
            let smallest = grid.reduce(|x, y| if y < x { y } else { x }).unwrap_or_else(|| n(0));
            Judgement::compare(least, Relation::Le, smallest)
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "integer",
                "for cost K the best of all K in 1..M is the smallest K with K(K+1) >= (c2 M/c1)^2, else M",
                same_integer(Which::Plain, by_rule),
            ),
            part(
                "integer-affine",
                "for cost F0 + F1 K it is one of the two integers beside the clamped root",
                same_integer(Which::Affine, |at| at.budget().best_integer()),
            ),
            part("clamped", "no real K of a grid in [1, M] is better than the root clamped to [1, M]", clamped(n(0))),
            part("sparse-iff", "the best integer K is below M iff (c2/c1)^2 <= 1 - 1/M", sparse_iff(by_constants)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        let ratio = |at: &Constants| {
            let budget = at.budget();
            budget.weight() / budget.c1
        };
        let clamp = |value: Rational, at: &Constants| value.to_i128().map_or(1, |k| k.clamp(1, i128::from(at.experts)) as u64);
        vec![
            mutant(
                "rounded",
                "the best integer is c2 M/c1 rounded",
                same_integer(Which::Plain, move |at| clamp(numeric::Ordered::floor(&(ratio(at) + Rational::new(1, 2))), at)),
            ),
            mutant(
                "floored",
                "the best integer is the floor of c2 M/c1",
                same_integer(Which::Plain, move |at| clamp(numeric::Ordered::floor(&ratio(at)), at)),
            ),
            mutant("sparse-always", "sparse always wins: the best K is below M for every M > 1", sparse_iff(|at| at.experts > 1)),
            mutant("sparse-real", "the best integer K is below M iff c2 < c1", sparse_iff(|at| at.c2 < at.c1)),
            mutant("clamped-shifted", "a quarter more than the clamped root is as good", clamped(Rational::new(1, 4))),
        ]
    }
    Claim {
        id: "moe/budget",
        statement: "B(K) = c1 sqrt(K/R) + c2 M/sqrt(K R) on [1, M] is least at K* = clamp(c2 M/c1, 1, M): K* = M iff c2 >= c1, K* = 1 iff c2 M <= c1. Over the integers the best K is the smallest with K(K+1) >= (c2 M/c1)^2, else M, and it is below M iff (c2/c1)^2 <= 1 - 1/M. With cost F0 + F1 K, K* is the clamped positive root of c1 F1 K^2 - c2 M F1 K - 2 c2 M F0",
        assumptions: &["c1, c2, R > 0, F1 > 0, F0 >= 0, M >= 1", "T = R/cost as a real number"],
        provenance: Provenance::Abstract,
        source: "the abstract's O(sqrt(K/R) + M/sqrt(K R)) with its hidden constants c1, c2 explicit; the consequences are ours",
        declared: Verdict::Holds,
        argument: "Proved in moe/budget-convexity, moe/budget-unimodal, moe/budget-integer and moe/budget-affine; here every K is tried on instances. With T = R/(kappa K) the scaled router has c1 : c2 = 2 Delta/eta0 : L eta0 sigma^2, the plain one the inverse ratio.",
        gap: None,
        finding: None,
        see: &["moe/budget-as-printed", "moe/budget-convexity", "moe/budget-unimodal", "moe/budget-integer", "moe/budget-affine"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn as_printed() -> Claim {
    fn parts() -> Vec<Part> {
        let check = ExactPart::new(AllConstants(Which::Literal), |constants: &Constants| {
            if constants.experts < 2 {
                return Judgement::Unmet;
            }
            let budget = constants.budget();
            Judgement::compare(budget.best(), Relation::Lt, Rational::from(constants.experts))
        });
        vec![part("interior", "the best real K is below M", check.erase())]
    }
    Claim {
        id: "moe/budget-as-printed",
        statement: "with the abstract's literal constants, c1 = c2 = 1, the budget bound has its best K in the interior: K* < M, so sparse routing wins",
        assumptions: &["c1 = c2 > 0, M >= 2"],
        provenance: Provenance::Abstract,
        source: "the abstract's sentence on an optimal K at a fixed budget, read with the constants as it writes them",
        declared: Verdict::Refuted,
        argument: "The minimizer over all K > 0 is c2 M/c1 = M, so on [1, M] the dense model is best, and strictly; an interior optimum needs c2 < c1.",
        gap: None,
        finding: Some(Finding {
            printed: "at a fixed budget an optimal number K of active experts exists (abstract; read: inside [1, M], for the bound as written)",
            truth: "with both constants 1 the bound falls on all of [1, M] and K* = M, dense; K* < M iff the hidden constants satisfy c2 < c1",
        }),
        see: &["moe/budget"],
        parts,
        mutants: Vec::new,
        without_mutants: Some("it is a false reading itself; the corrected claim has the mutants"),
    }
}

// Variables (c1, a, u, v, w). B(u^2) u = c1 u^2 + a.
fn cleared<S: Field>(c1: &S, a: &S, u: &S) -> S {
    c1.clone() * u.square() + a.clone()
}
// u v (B(u^2) - B(v^2)) = (u - v)(c1 u v - a)
polynomial!(Difference, |x| x[3].clone() * cleared(&x[0], &x[1], &x[2]) - x[2].clone() * cleared(&x[0], &x[1], &x[3]));
polynomial!(DifferenceBy, |x| (x[2].clone() - x[3].clone()) * (x[0].clone() * x[2].clone() * x[3].clone() - x[1].clone()));
polynomial!(DifferenceOff, |x| (x[2].clone() - x[3].clone()) * (x[0].clone() * x[2].clone() * x[3].clone() - c::<S>(2) * x[1].clone()));
// The slopes of B in K over [u^2, v^2] and [v^2, w^2], with denominators u v (u + v) and v w (v + w): their difference times u v w (u + v)(v + w).
polynomial!(SlopeDifference, |x| {
    let (c1, a, u, v, w) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    (c1.clone() * v.clone() * w.clone() - a.clone()) * u.clone() * (u.clone() + v.clone()) - (c1 * u * v.clone() - a) * w.clone() * (v + w)
});
polynomial!(SlopeDifferenceBy, |x| {
    let (c1, a, u, v, w) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    (w.clone() - u.clone()) * (a * (u.clone() + v.clone() + w.clone()) - c1 * u * v * w)
});
polynomial!(SlopeDifferenceOff, |x| {
    let (c1, a, u, v, w) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    (w.clone() - u.clone()) * (a * (u.clone() + v.clone() + w.clone()) - c::<S>(2) * c1 * u * v * w)
});
// With u = s w, v = t w: (a (u + v + w) - c1 u v w)/w >= a (1 + s + t - 3 s t) while c1 w^2 <= 3 a.
polynomial!(ConvexMargin, |x| {
    let (s, t) = (x[0].clone(), x[1].clone());
    c::<S>(1) + s.clone() + t.clone() - c::<S>(3) * s * t
});
// Up to twice the inflection, c1 w^2 = 6 a: not convex.
polynomial!(ConvexMarginTwice, |x| {
    let (s, t) = (x[0].clone(), x[1].clone());
    c::<S>(1) + s.clone() + t.clone() - c::<S>(6) * s * t
});
// With v = t w, u = r v: (c1 u v w - a (u + v + w)) u/(a v w) >= 3 - r (1 + t + r t) while c1 u^2 >= 3 a.
polynomial!(ConcaveMargin, |x| {
    let (t, r) = (x[0].clone(), x[1].clone());
    c::<S>(3) - r.clone() * (c::<S>(1) + t.clone() + r * t)
});
// From half the inflection on, c1 u^2 = 3 a/2: not concave.
polynomial!(ConcaveMarginHalf, |x| {
    let (t, r) = (x[0].clone(), x[1].clone());
    Rational::new(3, 2).to_field::<S>() - r.clone() * (c::<S>(1) + t.clone() + r * t)
});

trait ToField {
    fn to_field<S: Field>(&self) -> S;
}

impl ToField for Rational {
    fn to_field<S: Field>(&self) -> S {
        S::from_rational(self)
    }
}

// B(1) + B(49) - 2 B(25) at c1 = 1, R = 1, in a, times 35: u = 1, 7, 5.
polynomial!(Witness, |x| {
    let at = |u: i64| (c::<S>(u) + x[0].clone() * S::ratio(1, u)) * c::<S>(35);
    at(1) + at(7) - c::<S>(2) * at(5)
});
polynomial!(WitnessBy, |x| c::<S>(26) * x[0].clone() - c::<S>(70));

fn unit_square(names: [&'static str; 2], domain: &str, margin: impl claim::Formula) -> Check {
    let [first, second] = names.map(|name| Parameter::real(name, n(0), n(1)));
    CertifiedPart::new(vec![first, second], domain, margin, Sign::NonNegative).erase()
}

fn convexity() -> Claim {
    const SLOPES: &[&str] = &["c1", "a", "u", "v", "w"];
    fn parts() -> Vec<Part> {
        vec![
            part("difference", "u v (B(u^2) - B(v^2)) = (u - v)(c1 u v - a)", identity(&["c1", "a", "u", "v"], Difference, DifferenceBy)),
            part(
                "second-difference",
                "the slope of B over [v^2, w^2] less that over [u^2, v^2] is (w - u)(a (u + v + w) - c1 u v w)/(u v w (u + v)(v + w))",
                identity(SLOPES, SlopeDifference, SlopeDifferenceBy),
            ),
            part(
                "convex-below",
                "up to K = 3 a/c1 it is not negative: 1 + s + t - 3 s t >= 0, s = u/w, t = v/w",
                unit_square(["s", "t"], "all 0 < u < v < w with c1 w^2 <= 3 a (s = u/w, t = v/w in [0, 1])", ConvexMargin),
            ),
            part(
                "concave-beyond",
                "from K = 3 a/c1 on it is not positive: 3 - r (1 + t + r t) >= 0, t = v/w, r = u/v",
                unit_square(["t", "r"], "all 0 < u < v < w with c1 u^2 >= 3 a (t = v/w, r = u/v in [0, 1])", ConcaveMargin),
            ),
            part(
                "witness",
                "c1 = 1: 35 (B(1) + B(49) - 2 B(25)) = 26 a - 70, so with a = 2 it is 35 (72/7 - 54/5) < 0",
                identity(&["a"], Witness, WitnessBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "convex-always",
                "convex also beyond: up to K = 6 a/c1",
                unit_square(["s", "t"], "all 0 < u < v < w with c1 w^2 <= 6 a", ConvexMarginTwice),
            ),
            mutant(
                "concave-early",
                "concave already from K = 3 a/(2 c1) on",
                unit_square(["t", "r"], "all 0 < u < v < w with c1 u^2 >= 3 a/2", ConcaveMarginHalf),
            ),
            mutant("second-difference-2", "2 c1 u v w in place of c1 u v w", identity(SLOPES, SlopeDifference, SlopeDifferenceOff)),
            mutant("difference-2", "2 a in place of a", identity(&["c1", "a", "u", "v"], Difference, DifferenceOff)),
        ]
    }
    Claim {
        id: "moe/budget-convexity",
        statement: "B is convex on (0, 3 c2 M/c1] and concave beyond: convex on all of [1, M] iff c1 <= 3 c2 (M > 1). At c1 = 1, c2 M = 2, M >= 49: B(1) + B(49) = 72/7 < 54/5 = 2 B(25)",
        assumptions: &["c1, c2, R > 0, real K > 0"],
        provenance: Provenance::Derived,
        source: "part (a) of moe/budget",
        declared: Verdict::Proved,
        argument: "Second differences of B at K = u^2 < v^2 < w^2, exactly. Equality in the two margins only at u = v = w, so both are strict; in the limit B'' has the sign of 3 c2 M - c1 K.",
        gap: None,
        finding: None,
        see: &["moe/budget"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// Variables (p, r, u), c1 = p^2, a = r^2: u B = (p u - r)^2 + 2 p r u.
polynomial!(ArithmeticGeometric, |x| cleared(&x[0].square(), &x[1].square(), &x[2]));
polynomial!(ArithmeticGeometricBy, |x| {
    let (p, r, u) = (x[0].clone(), x[1].clone(), x[2].clone());
    (p.clone() * u.clone() - r.clone()).square() + c::<S>(2) * p * r * u
});
polynomial!(ArithmeticGeometricOff, |x| {
    let (p, r, u) = (x[0].clone(), x[1].clone(), x[2].clone());
    (p.clone() * u.clone() - r.clone()).square() + Rational::new(202, 100).to_field::<S>() * p * r * u
});
// The slopes of B in u over [u, v] and [v, w]: (a - .. ): c1 - a/(u v); times u v w.
polynomial!(ConvexInRoot, |x| {
    let (c1, a, u, v, w) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    (c1.clone() * v.clone() * w.clone() - a.clone()) * u.clone() - (c1 * u * v - a) * w
});
polynomial!(ConvexInRootBy, |x| x[1].clone() * (x[4].clone() - x[2].clone()));
// In log K: u = y^2, w = z^2, the geometric middle y z: y^2 z^2 (B + B - 2 B).
polynomial!(ConvexInLog, |x| {
    let (c1, a, y, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone());
    cleared(&c1, &a, &y.square()) * z.square() + cleared(&c1, &a, &z.square()) * y.square()
        - c::<S>(2) * cleared(&c1, &a, &(y.clone() * z.clone())) * y * z
});
polynomial!(ConvexInLogBy, |x| {
    let (c1, a, y, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone());
    (y.clone() - z.clone()).square() * (c1 * (y * z).square() + a)
});
polynomial!(ConvexInLogOff, |x| {
    let (c1, a, y, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone());
    (y.clone() - z.clone()).square() * (c1 * (y * z).square() - a)
});

fn unimodal() -> Claim {
    const SLOPES: &[&str] = &["c1", "a", "u", "v", "w"];
    fn parts() -> Vec<Part> {
        vec![
            part(
                "sign",
                "u v (B(u^2) - B(v^2)) = (u - v)(c1 u v - a): B falls while K < a/c1 and rises beyond, strictly",
                identity(&["c1", "a", "u", "v"], Difference, DifferenceBy),
            ),
            part(
                "minimum",
                "c1 = p^2, a = r^2: u B(u^2) = (p u - r)^2 + 2 p r u, so B >= 2 sqrt(c1 a), equal only at K = a/c1",
                identity(&["p", "r", "u"], ArithmeticGeometric, ArithmeticGeometricBy),
            ),
            part(
                "convex-in-root",
                "the slope of B in u = sqrt K over [v, w] less that over [u, v] is a (w - u)/(u v w)",
                identity(SLOPES, ConvexInRoot, ConvexInRootBy),
            ),
            part(
                "convex-in-log",
                "y^2 z^2 (B(y^4) + B(z^4) - 2 B(y^2 z^2)) = (y - z)^2 (c1 y^2 z^2 + a)",
                identity(&["c1", "a", "y", "z"], ConvexInLog, ConvexInLogBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("minimum-1.01", "the minimum is 1% larger", identity(&["p", "r", "u"], ArithmeticGeometric, ArithmeticGeometricOff)),
            mutant("sign-2", "it falls while K < 2 a/c1", identity(&["c1", "a", "u", "v"], Difference, DifferenceOff)),
            mutant("log-minus", "(y - z)^2 (c1 y^2 z^2 - a)", identity(&["c1", "a", "y", "z"], ConvexInLog, ConvexInLogOff)),
        ]
    }
    Claim {
        id: "moe/budget-unimodal",
        statement: "B is strictly quasi-convex on (0, inf), convex in log K and in sqrt K; its only minimizer is K0 = c2 M/c1 with B(K0) = 2 sqrt(c1 c2 M/R), and on [1, M] it is clamp(K0, 1, M)",
        assumptions: &["c1, c2, R > 0, real K > 0"],
        provenance: Provenance::Derived,
        source: "part (b) of moe/budget",
        declared: Verdict::Proved,
        argument: "The sign of B(u^2) - B(v^2) for u > v is that of c1 u v - a: negative when both K are at most a/c1, positive when both are at least a/c1. Convexity in log K at midpoints suffices for a continuous function.",
        gap: None,
        finding: None,
        see: &["moe/budget", "moe/budget-convexity"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// Variables (c1, a, K): K (K+1) times B(K)^2 - B(K+1)^2.
polynomial!(Step, |x| {
    let (c1, a, k) = (x[0].clone(), x[1].clone(), x[2].clone());
    let next = k.clone() + c::<S>(1);
    (c1.clone() * k.clone() + a.clone()).square() * next.clone() - (c1 * next + a).square() * k
});
polynomial!(StepBy, |x| {
    let (c1, a, k) = (x[0].clone(), x[1].clone(), x[2].clone());
    a.square() - c1.square() * k.clone() * (k + c::<S>(1))
});
polynomial!(StepOff, |x| {
    let (c1, a, k) = (x[0].clone(), x[1].clone(), x[2].clone());
    a.square() - c1.square() * (k + S::ratio(1, 2)).square()
});
polynomial!(BetweenSquares, |x| (x[0].clone() + c::<S>(1)).square() - x[0].clone() * (x[0].clone() + c::<S>(1)));
polynomial!(BetweenSquaresBy, |x| x[0].clone() + c::<S>(1));

fn integer() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("step", "R K (K+1)(B(K)^2 - B(K+1)^2) = a^2 - c1^2 K (K+1)", identity(&["c1", "a", "K"], Step, StepBy)),
            part(
                "between-squares",
                "K^2 < K (K+1) = (K+1)^2 - (K+1) < (K+1)^2: no square for K >= 1",
                identity(&["K"], BetweenSquares, BetweenSquaresBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("step-rounded", "(K + 1/2)^2 in place of K (K+1): rounding", identity(&["c1", "a", "K"], Step, StepOff))]
    }
    Claim {
        id: "moe/budget-integer",
        statement: "B(K) <= B(K+1) iff c2 M/c1 <= sqrt(K(K+1)): the best integer is the smallest K with K(K+1) >= (c2 M/c1)^2, else M; for rational c2 M/c1 there are no ties",
        assumptions: &["c1, c2, R > 0, integer K >= 1"],
        provenance: Provenance::Derived,
        source: "part (c) of moe/budget",
        declared: Verdict::Proved,
        argument: "Both bounds are positive, so compare squares. K(K+1) rises with K, so the sign changes once. It lies strictly between two squares, so it is no square of an integer, nor of a rational.",
        gap: None,
        finding: None,
        see: &["moe/budget"],
        parts,
        mutants,
        without_mutants: None,
    }
}

// Variables (c1, a, F0, F1, K, h): P(K) = (c1 K + a)^2 (F0 + F1 K), the squared bound times K^2 R.
fn product<S: Field>(c1: &S, a: &S, f0: &S, f1: &S, k: &S) -> S {
    (c1.clone() * k.clone() + a.clone()).square() * (f0.clone() + f1.clone() * k.clone())
}
/// c1 F1 K^2 - a F1 K - 2 a F0
fn quadratic<S: Field>(c1: &S, a: &S, f0: &S, f1: &S, k: &S) -> S {
    c1.clone() * f1.clone() * k.square() - a.clone() * f1.clone() * k.clone() - c::<S>(2) * a.clone() * f0.clone()
}
polynomial!(Increment, |x| {
    let moved = x[4].clone() + x[5].clone();
    product(&x[0], &x[1], &x[2], &x[3], &moved) * x[4].square() - product(&x[0], &x[1], &x[2], &x[3], &x[4]) * moved.square()
});
/// h K (c1 K + a) g(K) + h^2 (3 p3 K^3 + p2 K^2 - P(K)) + h^3 p3 K^2, P's leading coefficients p3 = c1^2 F1, p2 = c1^2 F0 + 2 a c1 F1; `g` is scaled by `factor`.
fn increment<S: Field>(x: &[S], overhead: i64) -> S {
    let (c1, a, f0, f1, k, h) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone(), x[5].clone());
    let (p3, p2) = (c1.square() * f1.clone(), c1.square() * f0.clone() + c::<S>(2) * a.clone() * c1.clone() * f1.clone());
    let g = quadratic(&c1, &a, &(c::<S>(overhead) * f0.clone()), &f1, &k);
    let first = k.clone() * (c1.clone() * k.clone() + a.clone()) * g;
    let second = c::<S>(3) * p3.clone() * k.powi(3) + p2 * k.square() - product(&c1, &a, &f0, &f1, &k);
    h.clone() * first + h.square() * second + h.powi(3) * p3 * k.square()
}
polynomial!(IncrementBy, |x| increment(x, 1));
polynomial!(IncrementOff, |x| increment(x, 2));
// Variables (c1, a, F0, F1, z), K = z/(2 c1 F1): 4 c1 F1 g(K), with c1 F1 K^2 = z^2/(4 c1 F1) and a F1 K = a z/(2 c1).
polynomial!(AtRoot, |x| {
    let (c1, a, f0, f1, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    z.square() - c::<S>(2) * a.clone() * f1.clone() * z - c::<S>(8) * c1 * f1 * a * f0
});
polynomial!(AtRootBy, |x| {
    let (c1, a, f0, f1, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let linear = a.clone() * f1.clone();
    (z - linear.clone()).square() - (linear.square() + c::<S>(8) * c1 * a * f1 * f0)
});
polynomial!(AtRootOff, |x| {
    let (c1, a, f0, f1, z) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let linear = a.clone() * f1.clone();
    (z - linear.clone()).square() - (linear.square() + c::<S>(4) * c1 * a * f1 * f0)
});
// Variables (c1, F0, F1, M): g(M) at a = c1 M.
polynomial!(LiteralAtDense, |x| quadratic(&x[0], &(x[0].clone() * x[3].clone()), &x[1], &x[2], &x[3]));
polynomial!(LiteralAtDenseBy, |x| -(c::<S>(2) * x[0].clone() * x[3].clone() * x[1].clone()));
// Variables (c1, a, F0, F1, K): 2 Q Q'' - Q'^2 for Q = P/K^2, cleared by K^6; B = sqrt Q has 4 Q^(3/2) B'' = 2 Q Q'' - Q'^2.
polynomial!(SecondDerivative, |x| {
    let (c1, a, f0, f1, k) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let p = product(&c1, &a, &f0, &f1, &k);
    let (s, cost) = (c1.clone() * k.clone() + a, f0 + f1.clone() * k.clone());
    let first = c::<S>(2) * c1.clone() * s.clone() * cost.clone() + f1.clone() * s.square();
    let second = c::<S>(2) * c1.square() * cost + c::<S>(4) * c1 * f1 * s;
    // K^3 Q' = P' K - 2 P; K^4 Q'' = P'' K^2 - 4 P' K + 6 P.
    let slope = first.clone() * k.clone() - c::<S>(2) * p.clone();
    let bend = second * k.square() - c::<S>(4) * first * k + c::<S>(6) * p.clone();
    c::<S>(2) * p * bend - slope.square()
});
polynomial!(SecondDerivativeBy, |x| {
    let (c1, a, k) = (x[0].clone(), x[1].clone(), x[4].clone());
    let s = c1 * k.clone() + a;
    s.powi(3) * curvature(&x[0], &x[1], &x[2], &x[3], &k)
});

fn affine() -> Claim {
    const NAMES: &[&str] = &["c1", "a", "F0", "F1", "K", "h"];
    const ROOT: &[&str] = &["c1", "a", "F0", "F1", "z"];
    fn parts() -> Vec<Part> {
        vec![
            part(
                "derivative",
                "P = (c1 K + a)^2 (F0 + F1 K) is K^2 R times the squared bound; P(K+h) K^2 - P(K)(K+h)^2 begins with h K (c1 K + a)(c1 F1 K^2 - a F1 K - 2 a F0)",
                identity(NAMES, Increment, IncrementBy),
            ),
            part(
                "root",
                "at K = z/(2 c1 F1), 4 c1 F1 times the quadratic is (z - a F1)^2 - ((a F1)^2 + 8 c1 a F1 F0)",
                identity(ROOT, AtRoot, AtRootBy),
            ),
            part(
                "literal",
                "with c1 = c2 the quadratic at K = M is -2 c1 M F0 <= 0: the root is at least M",
                identity(&["c1", "F0", "F1", "M"], LiteralAtDense, LiteralAtDenseBy),
            ),
            part(
                "curvature",
                "the second derivative has the sign of 8 a F0^2 + 12 a F0 F1 K + 3 a F1^2 K^2 - c1 F1^2 K^3",
                identity(&["c1", "a", "F0", "F1", "K"], SecondDerivative, SecondDerivativeBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("overhead-twice", "c1 F1 K^2 - a F1 K - 4 a F0", identity(NAMES, Increment, IncrementOff)),
            mutant("root-4", "(a F1)^2 + 4 c1 a F1 F0 under the root", identity(ROOT, AtRoot, AtRootOff)),
        ]
    }
    Claim {
        id: "moe/budget-affine",
        statement: "Cost F0 + F1 K per iteration: the bound (c1 + c2 M/K) sqrt((F0 + F1 K)/R) falls, then rises; its only stationary point is K = [c2 M F1 + sqrt((c2 M F1)^2 + 8 c1 c2 F1 F0 M)]/(2 c1 F1), which grows with F0; with c1 = c2 it is at least M",
        assumptions: &["c1, c2, R, F1 > 0, F0 >= 0, real K > 0"],
        provenance: Provenance::Derived,
        source: "part (d) of moe/budget",
        declared: Verdict::Proved,
        argument: "The squared bound's derivative has the sign of c1 F1 K^2 - a F1 K - 2 a F0, which is not positive at 0 and has one positive root; the root's formula is read off after completing the square. The curvature's polynomial has one change of sign, hence one positive root: convex up to it.",
        gap: None,
        finding: None,
        see: &["moe/budget"],
        parts,
        mutants,
        without_mutants: None,
    }
}
