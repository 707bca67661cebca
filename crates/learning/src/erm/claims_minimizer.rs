//! The losses, their unique minimizer, its excess, approximate minimizers, strong convexity.

use super::bounds;
use super::instances::{Pair, Pairs, Points, Samples, Sizes, Where};
use super::problem::{Placed, Point, Problem, Sampled, positive_part};
use super::shared::{admitted, inside, known, mutant, n, part, q};
use claim::{CertifiedPart, Check, Claim, ExactPart, Formula, Judgement, Mutant, Parameter, Part, Provenance, Relation, Sign, Verdict};
use numeric::{Field, QuadraticSurd, Rational, Real};

pub(super) fn all() -> Vec<Claim> {
    vec![lipschitz(), unique(), excess(), approximate(), strongly_convex()]
}

const NUMBERS: &[&str] = &["m = n >= 2, b > 0, n b^2 <= 1/4", "b < 2r, r <= 1/2", "<v_T, v_U> <= 1/2 for T != U"];
const RECONSTRUCTION: &str = "our reconstruction of the abstract (its own instance was not available)";

/// 31/32 - (3/4 + 3t/16 + k t^2/32) with t = 1/sqrt n, k = b/r.
struct LipschitzMargin;

impl LipschitzMargin {
    fn margin<S: Field>(x: &[S]) -> S {
        let bound = S::ratio(3, 4) + S::ratio(3, 16) * x[0].clone() + x[1].clone() * x[0].square() / S::from_i64(32);
        bounds::lipschitz_constant::<S>() - bound
    }
}

impl Formula for LipschitzMargin {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        Self::margin(x)
    }

    fn eval_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        Some(Self::margin(x))
    }
}

fn lipschitz() -> Claim {
    fn at_most(limit: Rational) -> Check {
        ExactPart::new(Sizes, move |x| {
            let problem = Problem { symbols: x.n as usize, b: x.b.clone(), r: x.r.clone(), pull: n(1), code: None };
            if problem.check_numbers().is_err() {
                return Judgement::Unmet;
            }
            let surd = |value: &Rational| QuadraticSurd::from(value.clone());
            Judgement::compare(bounds::lipschitz(&surd(&n(x.n)), &surd(&x.b), &surd(&x.r)), Relation::Le, limit.clone())
        })
        .erase()
    }
    /// The relation of the two numbers as functions of t and k.
    fn substitution() -> Check {
        ExactPart::new(Sizes, |x| {
            if x.b >= n(2) * x.r.clone() {
                return Judgement::Unmet;
            }
            let surd = |value: Rational| QuadraticSurd::from(value);
            let t = QuadraticSurd::new(n(0), q(1, x.n), n(x.n));
            let margin = LipschitzMargin::margin(&[t, surd(x.b.clone() / x.r.clone())]);
            let direct = surd(bounds::lipschitz_constant()) - bounds::lipschitz(&surd(n(x.n)), &surd(x.b.clone()), &surd(x.r.clone()));
            Judgement::compare(margin, Relation::Eq, direct)
        })
        .erase()
    }
    fn everywhere() -> Check {
        let parameters = vec![Parameter::real("t", n(0), q(442, 625)), Parameter::real("k", n(0), n(2))];
        CertifiedPart::new(parameters, "t = 1/sqrt n in [0, 442/625] (all n >= 2), k = b/r in [0, 2]", LipschitzMargin, Sign::NonNegative).erase()
    }
    /// |f(w; z) - f(w'; z)|^2 <= L^2 |w - w'|^2, L the bound, or another number.
    fn pairs(other: Option<Rational>) -> Check {
        ExactPart::new(Pairs, move |x: &Pair| known(pair(x, other.as_ref()))).erase()
    }
    fn pair(x: &Pair, other: Option<&Rational>) -> Option<Judgement> {
        let problem = &x.placed.sampled.problem;
        admitted(&x.placed.sampled, true)?;
        let (first, second) = (problem.loss(x.symbol, &x.placed.point).ok()?, problem.loss(x.symbol, &x.other).ok()?);
        let distance = problem.distance_square(&x.placed.point, &x.other);
        if !inside(&x.placed, false) || distance.is_zero() {
            return None;
        }
        let surd = |value: &Rational| QuadraticSurd::from(value.clone());
        let constant = other.map_or_else(|| bounds::lipschitz(&surd(&problem.size()), &surd(&problem.b), &surd(&problem.r)), surd);
        Some(Judgement::compare((first - second).square(), Relation::Le, constant.square() * QuadraticSurd::from(distance)))
    }
    /// f(w') >= f(w) + <g, w' - w>; `whole` keeps the part of g that comes from G.
    fn supported(whole: bool) -> Check {
        ExactPart::new(Pairs, move |x: &Pair| known(support(x, whole))).erase()
    }
    fn support(x: &Pair, whole: bool) -> Option<Judgement> {
        let problem = &x.placed.sampled.problem;
        admitted(&x.placed.sampled, true)?;
        let mut gradient = problem.subgradient(x.symbol, &x.placed.point).ok()?;
        if !whole {
            gradient.y.truncate(1);
        }
        let (from, to) = (problem.loss(x.symbol, &x.placed.point).ok()?, problem.loss(x.symbol, &x.other).ok()?);
        let along = problem.slope_along(&gradient, &x.placed.point, &x.other).ok()?;
        Some(Judgement::compare(to, Relation::Ge, from + along))
    }
    fn parts() -> Vec<Part> {
        vec![
            part("constant", "a1 + a2/sqrt n + a3 (b sqrt n + gamma) + a4 <= 31/32", at_most(bounds::lipschitz_constant())),
            part("substitution", "31/32 minus it is 31/32 - (3/4 + 3t/16 + k t^2/32) with t = 1/sqrt n, k = b/r", substitution()),
            part("everywhere", "3/4 + 3t/16 + k t^2/32 <= 31/32", everywhere()),
            part("pairs", "|f(w; z) - f(w'; z)| <= L |w - w'|", pairs(None)),
            part("convex", "f(w'; z) >= f(w; z) + <g, w' - w> for the subgradient g that gradient descent takes", supported(true)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("four-fifths", "the constant is at most 4/5", at_most(q(4, 5))),
            mutant("code-only", "L = a4 = 1/2, the slope along the code alone", pairs(Some(q(1, 2)))),
            mutant("without-g", "the subgradient of f without G's part", supported(false)),
        ]
    }
    Claim {
        id: "erm/lipschitz",
        statement: "f(.; z) is convex and L-Lipschitz with L <= a1 + a2/sqrt n + a3 (b sqrt n + gamma) + a4 <= 31/32",
        assumptions: NUMBERS,
        provenance: Provenance::Derived,
        source: RECONSTRUCTION,
        declared: Verdict::Holds,
        argument: "A sum of maxima of linear functions with positive weights. Slopes: a1 for |x_z - b|, (a2/n) sqrt n for the sum, |x_T| = b sqrt n and gamma for H, 1 for G. With a3 b = a/(4n) and b < 2r the sum is 3/4 + 3t/16 + k t^2/32, t = 1/sqrt n.",
        gap: Some("the inequality for all w: pairs are sampled, for n <= 5"),
        finding: None,
        see: &["erm/unique-erm", "erm/gd-upper"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The instance with gamma multiplied by a factor.
fn pulled(sampled: &Sampled, pull: &Rational) -> Problem {
    Problem { pull: pull.clone(), ..sampled.problem.clone() }
}

/// F_S(w_S) with all pieces enumerated.
fn corner_risk(problem: &Problem, counts: &[usize], support: usize) -> Option<Rational> {
    problem.risk(counts, &problem.corner(support).ok()?).ok()
}

fn formula(problem: &Problem, unseen: &Rational) -> Rational {
    bounds::minimum_value(&problem.size(), &problem.b, &problem.r, &problem.gamma(), unseen)
}

fn unique() -> Claim {
    fn value(pull: i64) -> Check {
        ExactPart::new(Samples { most: 10 }, move |sampled: &Sampled| {
            known(admitted(sampled, true).and_then(|counts| {
                let problem = pulled(sampled, &n(pull));
                let found = corner_risk(&problem, &counts, sampled.support())?;
                Some(Judgement::compare(found, Relation::Eq, formula(&problem, &sampled.unseen())))
            }))
        })
        .erase()
    }
    /// F_S(w) - F_S(w_S) >= sides[0] (a/(4m)) |x - x_S|_1 + sides[1] a3 gamma (r - <v_S, y>).
    fn certificate(coherent: bool, sides: [Rational; 2]) -> Check {
        ExactPart::new(Points(Where::Domain), move |placed: &Placed| known(certify(placed, coherent, &sides))).erase()
    }
    fn certify(placed: &Placed, coherent: bool, sides: &[Rational; 2]) -> Option<Judgement> {
        let Sampled { problem, .. } = &placed.sampled;
        let counts = admitted(&placed.sampled, coherent).filter(|_| inside(placed, false))?;
        let support = placed.sampled.support();
        let rise = problem.risk(&counts, &placed.point).ok()? - corner_risk(problem, &counts, support)?;
        let (x, y) = problem.offsets(support, &placed.point).ok()?;
        let bound = sides[0].clone() * bounds::box_slope(&problem.size()) * x + sides[1].clone() * problem.code_slope() * y;
        Some(Judgement::compare(rise, Relation::Ge, bound))
    }
    fn strict(pull: i64) -> Check {
        ExactPart::new(Points(Where::Domain), move |placed: &Placed| {
            known(admitted(&placed.sampled, true).filter(|_| inside(placed, false)).and_then(|counts| {
                let problem = pulled(&placed.sampled, &n(pull));
                let support = placed.sampled.support();
                let (x, y) = problem.offsets(support, &placed.point).ok()?;
                // In K, <v_S, y> = r only at y = r v_S.
                if x.is_zero() && y.is_zero() {
                    return None;
                }
                let (here, corner) = (problem.risk(&counts, &placed.point).ok()?, corner_risk(&problem, &counts, support)?);
                Some(Judgement::compare(here, Relation::Gt, corner))
            }))
        })
        .erase()
    }
    /// Equality at (x_S, s r v_S), s = 0, 1/4, .., 1.
    fn attained() -> Check {
        ExactPart::new(Samples { most: 6 }, |sampled: &Sampled| {
            known(admitted(sampled, true).and_then(|counts| {
                let Sampled { problem, .. } = sampled;
                let support = sampled.support();
                let (corner, lowest) = (problem.corner(support).ok()?, corner_risk(problem, &counts, support)?);
                for s in 0..=4 {
                    let scaled = |values: &[i64], by: i64| values.iter().map(|value| value * by).collect();
                    let point = Point { x: scaled(&corner.x, 4), y: scaled(&corner.y, s), den: 4 };
                    let rise = problem.risk(&counts, &point).ok()? - lowest.clone();
                    let bound = problem.code_slope() * problem.offsets(support, &point).ok()?.1;
                    if rise != bound {
                        return Some(Judgement::compare(rise, Relation::Eq, bound));
                    }
                }
                Some(Judgement::Property { holds: true, detail: "equal at s = 0, 1/4, 1/2, 3/4, 1".to_owned() })
            }))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("value", "F_S(w_S) = 2 a2 b (1-u) + a3 (n b^2 - gamma r), all 2^n pieces enumerated", value(1)),
            part(
                "certificate",
                "F_S(w) - F_S(w_S) >= (a/(4m)) |x - x_S|_1 + a3 gamma (r - <v_S, y>) for all w in K",
                certificate(true, [n(1), n(1)]),
            ),
            part("unique", "F_S(w) > F_S(w_S) for w in K other than w_S", strict(1)),
            part("attained", "equality on the ray (x_S, s r v_S), 0 <= s <= 1", attained()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("coherence", "two words may be equal", certificate(false, [n(1), n(1)])),
            mutant("gamma-8", "gamma = 4 b^2/r, eight times larger", value(8)),
            mutant("gamma-0", "gamma = 0: still unique", strict(0)),
            mutant("slope-x", "the slope in x is 1% larger", certificate(true, [q(101, 100), n(1)])),
            mutant("slope-y", "the slope in y is 1% larger", certificate(true, [n(1), q(101, 100)])),
        ]
    }
    Claim {
        id: "erm/unique-erm",
        statement: "For every sample S, w_S = (x_S, r v_S) is the unique minimizer of F_S on K: F_S(w) - F_S(w_S) >= (a/(4m)) |x - x_S|_1 + a3 gamma (r - <v_S, y>), and F_S(w_S) = 2 a2 b (1-u) + a3 (n b^2 - gamma r)",
        assumptions: NUMBERS,
        provenance: Provenance::Derived,
        source: RECONSTRUCTION,
        declared: Verdict::Holds,
        argument: "H is at least its piece T = supp S, and G >= 0. What remains is separable: seen coordinates rise from b by at least a1 c_i/m - a2/n - a3 b >= a/(4m), unseen ones from -b by a2/n - a3 b = a/(4m); the y part is linear. At w_S the piece is active, because <x_S - x_T, x_S> >= 2b^2 > b^2 >= gamma r (1 - rho), and G_z = 0 for seen z, because <v_T, r v_S> <= r/2 < theta for the T without z.",
        gap: Some("every sample and every w: they are enumerated for n <= 4 and sampled for n <= 10 (values) and n <= 6 (inequalities)"),
        finding: None,
        see: &["erm/excess", "erm/approx-erm", "erm/strongly-convex"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn excess() -> Claim {
    /// Whether an instance's own r is kept, or r = 1/2 put in its place.
    fn with_radius(own: bool, judge: fn(&Sampled, &Rational, &Rational, &Rational) -> Option<Judgement>) -> Check {
        ExactPart::new(Samples { most: 10 }, move |drawn: &Sampled| {
            let mut sampled = drawn.clone();
            if !own {
                sampled.problem.r = q(1, 2);
            }
            let sampled = &sampled;
            known(admitted(sampled, true).and_then(|counts| {
                let Sampled { problem, .. } = sampled;
                let corner = problem.corner(sampled.support()).ok()?;
                let all = problem.corner((1 << problem.symbols) - 1).ok()?;
                let (here, lowest) = (problem.population(&corner).ok()?, problem.population(&all).ok()?);
                judge(sampled, &here, &lowest, &problem.risk(&counts, &corner).ok()?)
            }))
        })
        .erase()
    }
    fn values(judge: fn(&Sampled, &Rational, &Rational, &Rational) -> Option<Judgement>) -> Check {
        with_radius(true, judge)
    }
    fn of(sampled: &Sampled, f: fn(&Rational, &Rational, &Rational) -> Rational) -> Rational {
        f(&sampled.problem.b, &sampled.problem.r, &sampled.unseen())
    }
    fn lowest() -> Check {
        ExactPart::new(Points(Where::Domain), |placed: &Placed| {
            known(admitted(&placed.sampled, true).filter(|_| inside(placed, false)).and_then(|_| {
                let Sampled { problem, .. } = &placed.sampled;
                Some(Judgement::compare(problem.population(&placed.point).ok()?, Relation::Ge, formula(problem, &n(0))))
            }))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "minimum",
                "F(w_[n]) = 2 a2 b + a3 (n b^2 - gamma r)",
                values(|s, _, lowest, _| Some(Judgement::compare(lowest.clone(), Relation::Eq, formula(&s.problem, &n(0))))),
            ),
            part("lowest", "F(w) is at least that on K", lowest()),
            part(
                "excess",
                "F(w_S) - min F = u (a b + a4 r/4)",
                values(|s, here, lowest, _| Some(Judgement::compare(here - lowest, Relation::Eq, of(s, bounds::excess)))),
            ),
            part(
                "gap",
                "F(w_S) - F_S(w_S) = u (2 a1 b + a4 r/4)",
                values(|s, here, _, risk| Some(Judgement::compare(here - risk, Relation::Eq, of(s, bounds::gap)))),
            ),
            part(
                "sixteenth",
                "with r = 1/2 the excess is at least u/16",
                with_radius(false, |s, here, lowest, _| Some(Judgement::compare(here - lowest, Relation::Ge, s.unseen() / n(16)))),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "excess-1.01",
                "the excess is at least 1.01 u (a b + a4 r/4)",
                values(|s, here, lowest, _| Some(Judgement::compare(here - lowest, Relation::Ge, q(101, 100) * of(s, bounds::excess)))),
            ),
            mutant(
                "gap-as-excess",
                "the gap is u (a b + a4 r/4), too",
                values(|s, here, _, risk| Some(Judgement::compare(here - risk, Relation::Eq, of(s, bounds::excess)))),
            ),
            mutant(
                "sixteenth-any-r",
                "the excess is at least u/16 for every r",
                values(|s, here, lowest, _| Some(Judgement::compare(here - lowest, Relation::Ge, s.unseen() / n(16)))),
            ),
        ]
    }
    Claim {
        id: "erm/excess",
        statement: "min over K of F is 2 a2 b + a3 (n b^2 - gamma r); for every sample the unique ERM has F(w_S) - min F = u (a b + a4 r/4) and F(w_S) - F_S(w_S) = u (2 a1 b + a4 r/4), u the fraction of symbols not in S; with r = 1/2 the excess is at least u/16",
        assumptions: NUMBERS,
        provenance: Provenance::Derived,
        source: RECONSTRUCTION,
        declared: Verdict::Holds,
        argument: "F is F_S with every count 1, so erm/unique-erm gives its minimum. For unseen z, |x_z - b| = 2b, and T = supp lacks z, so G_z = r - theta = r/4; every other term is as at w_[n].",
        gap: Some("every n: it is enumerated for n <= 4 and sampled for n <= 10"),
        finding: None,
        see: &["erm/unique-erm", "erm/probability"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The tolerance of a point, F_S(w) - F_S(w_S), and its excess F(w) - min F, the minima by their formulas.
fn tolerance_and_excess(placed: &Placed, counts: &[usize]) -> Option<(Rational, Rational)> {
    let Sampled { problem, .. } = &placed.sampled;
    let eps = problem.risk(counts, &placed.point).ok()? - formula(problem, &placed.sampled.unseen());
    Some((eps, problem.population(&placed.point).ok()? - formula(problem, &n(0))))
}

fn approximate() -> Claim {
    fn lower(share: Rational) -> Check {
        ExactPart::new(Points(Where::Domain), move |placed: &Placed| {
            known(admitted(&placed.sampled, true).filter(|_| inside(placed, false)).and_then(|counts| {
                let Sampled { problem, .. } = &placed.sampled;
                let (eps, excess) = tolerance_and_excess(placed, &counts)?;
                let bound = bounds::approximate_excess(&problem.size(), &problem.b, &problem.r, &placed.sampled.unseen(), &eps, &share);
                Some(Judgement::compare(excess, Relation::Ge, positive_part(&bound)))
            }))
        })
        .erase()
    }
    fn within(tolerance: fn(&Problem) -> Rational) -> Check {
        ExactPart::new(Points(Where::Near), move |placed: &Placed| {
            known(admitted(&placed.sampled, true).filter(|_| inside(placed, false)).and_then(|counts| {
                let Sampled { problem, .. } = &placed.sampled;
                let (eps, excess) = tolerance_and_excess(placed, &counts)?;
                let bound = placed.sampled.unseen() * problem.r.clone() / n(16);
                (eps <= tolerance(problem)).then(|| Judgement::compare(excess, Relation::Ge, bound))
            }))
        })
        .erase()
    }
    fn at_origin() -> Check {
        ExactPart::new(Samples { most: 10 }, |sampled: &Sampled| {
            known(admitted(sampled, true).and_then(|counts| {
                let Sampled { problem, .. } = sampled;
                let corner = problem.corner(sampled.support()).ok()?;
                let placed = Placed { sampled: sampled.clone(), point: Point { y: Vec::new(), ..corner } };
                let (eps, excess) = tolerance_and_excess(&placed, &counts)?;
                let expected = bounds::a::<Rational>() * problem.b.clone() / (n(8) * problem.size());
                let whole = sampled.unseen() * bounds::a() * problem.b.clone() + expected.clone();
                let detail = format!("eps = {eps}, excess = {excess}");
                Some(Judgement::Property { holds: eps == expected && excess == whole, detail })
            }))
        })
        .erase()
    }
    fn printed(problem: &Problem) -> Rational {
        bounds::tolerance(&problem.size(), &problem.b)
    }
    fn parts() -> Vec<Part> {
        vec![
            part("lower", "F_S(w) <= F_S(w_S) + eps implies F(w) - min F >= a4 u max(0, r/4 - eps/(a3 gamma))", lower(q(1, 4))),
            part("tolerance", "eps <= a b/(64 m) implies an excess of at least a4 u r/8", within(printed)),
            part("sharp", "(x_S, 0) has eps = a b/(8m) exactly and excess u a b + a b/(8m)", at_origin()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("tolerance-1/m", "every eps-ERM with eps = 1/m has an excess of at least a4 u r/8", within(|problem| problem.size().recip())),
            mutant("tolerance-16", "the tolerance may be sixteen times larger: a b/(4m)", within(|problem| n(16) * printed(problem))),
            mutant("half", "the excess is at least a4 u max(0, r/2 - eps/(a3 gamma))", lower(q(1, 2))),
        ]
    }
    Claim {
        id: "erm/approx-erm",
        statement: "Every w in K with F_S(w) <= F_S(w_S) + eps has F(w) - min F >= a4 u max(0, r/4 - eps/(a3 gamma)); so eps <= a b/(64 m) = Theta(m^-1.5) gives at least a4 u r/8. (x_S, 0) has eps = a b/(8m) and only excess u a b + a b/(8m): no larger order of eps will do",
        assumptions: NUMBERS,
        provenance: Provenance::Derived,
        source: "the abstract says that every Theta(m^-1.5)-approximate minimizer has constant excess; constants and proof are ours",
        declared: Verdict::Holds,
        argument: "By the certificate <v_S, y> >= r - eps/(a3 gamma). F(w) is at least the bound of the certificate for S = [n] plus a4 E G, and an unseen z has G_z >= <v_S, y> - 3r/4.",
        gap: Some("every w: points are sampled, for n <= 6"),
        finding: None,
        see: &["erm/unique-erm", "erm/excess"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn strongly_convex() -> Claim {
    /// (lambda/2) |w|^2 added on both sides; lambda = factor times ab/(8mr^2).
    struct Added {
        lambda: Rational,
        /// F_S(w) - F_S(w_S) with the quadratic.
        rise: Rational,
        /// |w - w_S|^2
        distance: Rational,
        offsets: (Rational, Rational),
    }
    fn add(placed: &Placed, factor: &Rational, flat: bool, free: bool) -> Option<Added> {
        let Sampled { problem, .. } = &placed.sampled;
        let counts = admitted(&placed.sampled, true).filter(|_| inside(placed, free))?;
        if flat && problem.b.square() > n(2) * problem.r.square() {
            return None;
        }
        let support = placed.sampled.support();
        let corner = problem.corner(support).ok()?;
        let origin = Point { x: vec![0; problem.symbols], y: Vec::new(), den: 1 };
        let lambda = factor.clone() * bounds::strength(&problem.size(), &problem.b, &problem.r);
        let squares = problem.distance_square(&placed.point, &origin) - problem.distance_square(&corner, &origin);
        let rise = problem.risk(&counts, &placed.point).ok()? - problem.risk(&counts, &corner).ok()? + lambda.clone() / n(2) * squares;
        let distance = problem.distance_square(&placed.point, &corner);
        Some(Added { lambda, rise, distance, offsets: problem.offsets(support, &placed.point).ok()? })
    }
    fn certificate(factor: Rational, place: Where) -> Check {
        ExactPart::new(Points(place), move |placed: &Placed| {
            known(add(placed, &factor, true, place == Where::Outside).map(|added| {
                let Sampled { problem, .. } = &placed.sampled;
                let Added { lambda, rise, distance, offsets: (x, y), .. } = added;
                let in_x = bounds::box_slope::<Rational>(&problem.size()) - lambda.clone() * problem.b.clone();
                let in_y = problem.code_slope() - lambda.clone() * problem.r.clone();
                Judgement::compare(rise, Relation::Ge, in_x * x + in_y * y + lambda / n(2) * distance)
            }))
        })
        .erase()
    }
    fn strict(factor: Rational, flat: bool) -> Check {
        ExactPart::new(Points(Where::Outside), move |placed: &Placed| {
            known(
                add(placed, &factor, flat, true)
                    .filter(|added| !added.distance.is_zero())
                    .map(|added| Judgement::compare(added.rise, Relation::Gt, n(0))),
            )
        })
        .erase()
    }
    /// The general bound 4 L^2/(lambda m) on the excess, or a part of it.
    fn consistent(share: Rational) -> Check {
        ExactPart::new(Samples { most: 6 }, move |sampled: &Sampled| {
            known(admitted(sampled, true).and_then(|_| {
                let placed = Placed { sampled: sampled.clone(), point: sampled.problem.corner(sampled.support()).ok()? };
                let added = add(&placed, &n(1), true, false)?;
                let Sampled { problem, .. } = sampled;
                let all = problem.corner((1 << problem.symbols) - 1).ok()?;
                // |w_S| does not depend on S: the quadratic cancels in the excess.
                let excess = problem.population(&placed.point).ok()? - problem.population(&all).ok()?;
                let constant = bounds::lipschitz_constant::<Rational>().square();
                Some(Judgement::compare(excess, Relation::Le, share.clone() * n(4) * constant / (added.lambda * problem.size())))
            }))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "half",
                "at half the largest lambda: the rise is at least (a/(4m) - lambda b)|x - x_S|_1 + (a3 gamma - lambda r)(r - <v_S, y>) + (lambda/2)|w - w_S|^2 on K",
                certificate(q(1, 2), Where::Domain),
            ),
            part("largest", "the same at lambda = a b/(8 m r^2), without the constraint |y| <= r", certificate(n(1), Where::Outside)),
            part("unique", "at lambda = a b/(8 m r^2) w_S is the unique minimizer, without the constraint |y| <= r", strict(n(1), true)),
            part("consistent", "the excess is at most the general 4 L^2/(lambda m)", consistent(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("lambda-2", "lambda twice as large", strict(n(2), true)),
            mutant("box", "without b^2 <= 2 r^2", strict(n(1), false)),
            mutant("general-1/1000", "a thousandth of the general bound is an upper bound, too", consistent(q(1, 1000))),
        ]
    }
    Claim {
        id: "erm/strongly-convex",
        statement: "Adding (lambda/2)|w|^2 with lambda <= a b/(8 m r^2) keeps w_S the unique minimizer on K; with lambda = a b/(8 m r^2) = Theta(m^-1.5) it is the unique minimizer even without |y| <= r. The excess stays below the general bound 4 L^2/(lambda m)",
        assumptions: &["m = n >= 2, b > 0, n b^2 <= 1/4", "b < 2r, r <= 1/2", "<v_T, v_U> <= 1/2 for T != U", "b^2 <= 2 r^2"],
        provenance: Provenance::Derived,
        source: "the abstract says that the loss may be Theta(m^-1.5)-strongly convex; constants and proof are ours",
        declared: Verdict::Holds,
        argument: "(lambda/2)(|w|^2 - |w_S|^2) = lambda <w_S, w - w_S> + (lambda/2)|w - w_S|^2, and <w_S, w - w_S> >= -b |x - x_S|_1 - r (r - <v_S, y>). The certificate's slopes a/(4m) and a3 gamma pay for it when lambda b <= a/(4m) (that is b^2 <= 2 r^2 at the largest lambda) and lambda r <= a3 gamma. The certificate itself does not use |y| <= r.",
        gap: Some("every w: points are sampled, for n <= 6"),
        finding: None,
        see: &["erm/unique-erm"],
        parts,
        mutants,
        without_mutants: None,
    }
}
