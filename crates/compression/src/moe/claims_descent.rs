//! Convergence of routed gradient descent: bounds on the average squared gradient, exact recursions on quadratics.

use super::algorithm::{average_of_recursion, plain_step, scaled_step, top_k};
use super::bounds::{fixed_bound, plain_bound, plain_fixed_bound, sharp_bound, tuned_bound};
use super::instances::{Fixed, FixedRuns, Long, LongRuns, Quadratic, Quadratics};
use super::shared::{c, mutant, n, part, polynomial, q, sum};
use claim::{Check, Claim, Coverage, ExactPart, Judgement, Mutant, Part, Provenance, Relation, Verdict, identity};
use numeric::{Field, Ordered, QuadraticSurd, Rational};

pub(super) fn all() -> Vec<Claim> {
    vec![abstract_rate(), sharp(), plain(), fixed(), tuned(), greedy_descent()]
}

const GAP: Option<&str> = Some("all L-smooth F: the descent lemma is used, the runs are quadratics");

/// delta, eta, T, L, sigma^2, M/K -> a bound.
type Bound = fn(&Rational, &Rational, &Rational, &Rational, &Rational, &Rational) -> Rational;

#[derive(Clone, Copy, PartialEq)]
enum Router {
    Scaled,
    Plain,
}

impl Router {
    fn run(self, at: &Quadratic, variances: &[Rational]) -> (Rational, Rational) {
        let (eta, ratio) = (at.step_size(), at.ratio());
        let share = ratio.recip();
        at.run(variances, |e, h, noise| match self {
            Router::Scaled => scaled_step(e, h, &eta, &ratio, noise),
            Router::Plain => plain_step(e, h, &eta, &share, noise),
        })
    }
}

/// eta < 2K/(LM)
fn below_scaled_limit(at: &Quadratic) -> bool {
    at.step_size() * at.smoothness() * at.ratio() < n(2)
}

/// eta < 2/L
fn below_plain_limit(at: &Quadratic) -> bool {
    at.step_size() * at.smoothness() < n(2)
}

/// avg E||grad F||^2 <= the bound wherever `allowed`.
fn bounded(router: Router, allowed: fn(&Quadratic) -> bool, bound: Bound) -> Check {
    ExactPart::new(Quadratics, move |at: &Quadratic| {
        if !allowed(at) {
            return Judgement::Unmet;
        }
        let variances = at.variances();
        let (average, _) = router.run(at, &variances);
        let right = bound(&at.delta(), &at.step_size(), &n(i64::from(at.steps)), &at.smoothness(), &sum(variances), &at.ratio());
        Judgement::compare(average, Relation::Le, right)
    })
    .erase()
}

/// Where all curvatures are L it is an equation with F(x_0) - E F(x_T) in place of Delta.
fn exact_on_isotropic(router: Router, allowed: fn(&Quadratic) -> bool, bound: Bound) -> Check {
    ExactPart::new(Quadratics, move |at: &Quadratic| {
        // The same curvature everywhere: the instance's first.
        let at = Quadratic { curvature: vec![at.curvature[0]; at.curvature.len()], ..at.clone() };
        if !allowed(&at) {
            return Judgement::Unmet;
        }
        let variances = at.variances();
        let (average, last) = router.run(&at, &variances);
        let right = bound(&(at.delta() - last), &at.step_size(), &n(i64::from(at.steps)), &at.smoothness(), &sum(variances), &at.ratio());
        Judgement::compare(average, Relation::Eq, right)
    })
    .erase()
}

/// A long run's average against `factor` times the bound: at least, or at most, that.
fn long(router: Router, relation: Relation, factor: Rational, bound: Bound) -> Check {
    ExactPart::new(LongRuns, move |at: &Long| {
        let (eta, ratio) = (q(at.eta.0, at.eta.1), q(at.experts, at.active));
        let (one, zero) = (n(1), n(0));
        let step = |e: &Rational, noise: &Rational| match router {
            Router::Scaled => scaled_step(e, &one, &eta, &ratio, noise),
            Router::Plain => plain_step(e, &one, &eta, &ratio.recip(), noise),
        };
        let (average, _) = average_of_recursion(&n(at.start), &step(&one, &zero), &step(&zero, &n(at.noise)), at.steps);
        let delta = q(at.start, 2);
        let right = bound(&delta, &eta, &n(i64::from(at.steps)), &one, &n(at.noise), &ratio) * factor.clone();
        // Exact numbers of thousands of digits: shown as decimals.
        let holds = relation.decide(&average, &right).is_true();
        let shown = |value: &Rational| value.to_decimal(25, numeric::Rounding::Down);
        let (small, large) = if relation == Relation::Le { (&average, &right) } else { (&right, &average) };
        let ratio = (small.clone() / large.clone()).to_f64_down();
        Judgement::Enclosed { holds, detail: format!("average {}, {factor} times the bound {}", shown(&average), shown(&right)), ratio }
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

fn noise_99(delta: &Rational, eta: &Rational, steps: &Rational, l: &Rational, noise: &Rational, ratio: &Rational) -> Rational {
    sharp_bound(delta, eta, steps, l, &(noise.clone() * q(99, 100)), ratio)
}

fn without_routing(delta: &Rational, eta: &Rational, steps: &Rational, l: &Rational, noise: &Rational, ratio: &Rational) -> Rational {
    sharp_bound(delta, eta, steps, l, &(noise.clone() / ratio.clone()), ratio)
}

fn dense(delta: &Rational, eta: &Rational, steps: &Rational, l: &Rational, noise: &Rational, _ratio: &Rational) -> Rational {
    plain_bound(delta, eta, steps, l, noise, &n(1))
}

// One step, variables (L, eta, r, e, s): F - E F+ with F = L e/2 on the isotropic quadratic, grad^2 = L^2 e.
polynomial!(ScaledDecrease, |x| {
    let (l, eta, r, e, s) = (&x[0], &x[1], &x[2], &x[3], &x[4]);
    S::ratio(1, 2) * l.clone() * (e.clone() - scaled_step(e, l, eta, r, s))
});
polynomial!(ScaledDecreaseBy, |x| {
    let (l, eta, r, e, s) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let square = l.square() * e;
    eta.clone() * square.clone() - S::ratio(1, 2) * l * eta.square() * r * (square + s)
});
polynomial!(ScaledDecreaseOff, |x| {
    let (l, eta, r, e, s) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let square = l.square() * e;
    eta.clone() * square.clone() - S::ratio(1, 2) * l * eta.square() * (r * square + s)
});
// The same for the plain router with r = K/M.
polynomial!(PlainDecrease, |x| {
    let (l, eta, r, e, s) = (&x[0], &x[1], &x[2], &x[3], &x[4]);
    S::ratio(1, 2) * l.clone() * (e.clone() - plain_step(e, l, eta, r, s))
});
polynomial!(PlainDecreaseBy, |x| {
    let (l, eta, r, e, s) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let square = l.square() * e;
    r * (eta.clone() * square.clone() - S::ratio(1, 2) * l * eta.square() * (square + s))
});
polynomial!(PlainDecreaseOff, |x| {
    let (l, eta, r, e, s) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone(), x[4].clone());
    let square = l.square() * e;
    eta.clone() * square.clone() - S::ratio(1, 2) * l * eta.square() * r * (square + s)
});

fn sharp() -> Claim {
    const STEP: &[&str] = &["L", "eta", "r", "e", "s"];
    fn parts() -> Vec<Part> {
        vec![
            part(
                "step",
                "one step, r = M/K, F = (L/2)||x||^2, e = E||x||^2: F - E F+ = eta L^2 e - (L eta^2/2) r (L^2 e + sigma^2)",
                identity(STEP, ScaledDecrease, ScaledDecreaseBy),
            ),
            part("bound", "avg E||grad F||^2 <= the bound", bounded(Router::Scaled, below_scaled_limit, sharp_bound)),
            part(
                "isotropic",
                "an equation on (L/2)||x||^2 with F(x_0) - E F(x_T) for Delta",
                exact_on_isotropic(Router::Scaled, below_scaled_limit, sharp_bound),
            ),
            part("long", "the bound on long runs", long(Router::Scaled, Relation::Le, n(1), sharp_bound)),
            part("tight", "on them it is at least 98/100 of the bound", long(Router::Scaled, Relation::Ge, q(98, 100), sharp_bound)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant(
                "any-step",
                "eta <= 1/L suffices, whatever K is",
                bounded(
                    Router::Scaled,
                    |at| at.step_size() * at.smoothness() <= n(1) && at.step_size() * at.smoothness() * at.ratio() != n(2),
                    sharp_bound,
                ),
            ),
            mutant("noise-0.99", "the noise term 1% smaller", long(Router::Scaled, Relation::Le, n(1), noise_99)),
            mutant("no-routing-factor", "noise term L eta sigma^2/2 without M/K", long(Router::Scaled, Relation::Le, n(1), without_routing)),
            mutant("step-noise", "noise without M/K in the step", identity(STEP, ScaledDecrease, ScaledDecreaseOff)),
            mutant("tight-0.999", "within 1/1000 at T = 1000", long(Router::Scaled, Relation::Ge, q(999, 1000), sharp_bound)),
        ]
    }
    Claim {
        id: "moe/conv-sharp",
        statement: "Scaled random-K SGD, eta < 2K/(LM): (1/T) sum E||grad F(x_t)||^2 <= [Delta/(eta T) + L eta sigma^2 M/(2K)]/(1 - L eta M/(2K)); an equation on (L/2)||x||^2 with F(x_0) - E F(x_T) for Delta",
        assumptions: &["F is L-smooth, bounded below", "eta < 2K/(LM)", "E xi = 0, E||xi||^2 <= sigma^2, independent of the routing"],
        provenance: Provenance::Derived,
        source: "the explicit form of the abstract's rate",
        declared: Verdict::Holds,
        argument: "The descent lemma with moe/second-moment: E F(x+) <= F - eta ||grad F||^2 + (L eta^2/2)(M/K)(||grad F||^2 + sigma^2); sum over t and divide.",
        gap: GAP,
        finding: None,
        see: &["moe/second-moment", "moe/conv-fixed", "moe/conv-unscaled"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn plain() -> Claim {
    const STEP: &[&str] = &["L", "eta", "r", "e", "s"];
    fn parts() -> Vec<Part> {
        vec![
            part(
                "step",
                "one step, r = K/M: F - E F+ = r (eta L^2 e - (L eta^2/2)(L^2 e + sigma^2))",
                identity(STEP, PlainDecrease, PlainDecreaseBy),
            ),
            part("bound", "avg E||grad F||^2 <= the bound", bounded(Router::Plain, below_plain_limit, plain_bound)),
            part(
                "isotropic",
                "an equation on (L/2)||x||^2 with F(x_0) - E F(x_T) for Delta",
                exact_on_isotropic(Router::Plain, below_plain_limit, plain_bound),
            ),
            part("long", "the bound on long runs", long(Router::Plain, Relation::Le, n(1), plain_bound)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("dense", "Delta/(eta T) without M/K", bounded(Router::Plain, below_plain_limit, dense)),
            mutant("step-full", "the first-order term without K/M", identity(STEP, PlainDecrease, PlainDecreaseOff)),
            mutant("bound-0.99", "the bound 1% smaller", long(Router::Plain, Relation::Le, q(99, 100), plain_bound)),
        ]
    }
    Claim {
        id: "moe/conv-unscaled",
        statement: "Plain masking, eta < 2/L: (1/T) sum E||grad F(x_t)||^2 <= [Delta M/(K eta T) + L eta sigma^2/2]/(1 - L eta/2): sparsity slows the optimization, not the noise; an equation on (L/2)||x||^2",
        assumptions: &["F is L-smooth, bounded below", "eta < 2/L", "E xi = 0, E||xi||^2 <= sigma^2, independent of the routing"],
        provenance: Provenance::Derived,
        source: "the explicit form of the abstract's rate for a router without reweighting",
        declared: Verdict::Holds,
        argument: "E g = (K/M) grad F and E||g||^2 = (K/M)(||grad F||^2 + sigma^2) in the descent lemma; sum and divide.",
        gap: GAP,
        finding: None,
        see: &["moe/second-moment", "moe/conv-sharp"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// At eta = eta0/sqrt T: average <= bound(delta, eta0, sqrt T, L, sigma^2, M/K), under the condition on T (built into the family, checked here).
fn at_fixed(router: Router, bound: Bound) -> Check {
    ExactPart::new(FixedRuns, move |at: &Fixed| {
        let run = &at.quadratic;
        let limit = run.smoothness() * at.eta0() * if router == Router::Scaled { run.ratio() } else { n(1) };
        if n(at.root) < limit {
            return Judgement::Unmet;
        }
        let variances = run.variances();
        let (average, _) = router.run(run, &variances);
        let right = bound(&run.delta(), &at.eta0(), &n(at.root), &run.smoothness(), &sum(variances), &run.ratio());
        Judgement::compare(average, Relation::Le, right)
    })
    .erase()
}

// z = L eta M/K <= 1, X = Delta/(eta T) + z sigma^2/2: 2 X (1 - z/2) - X = X (1 - z).
polynomial!(Doubled, |x| c::<S>(2) * x[0].clone() * (c::<S>(1) - x[1].clone() / c::<S>(2)) - x[0].clone());
polynomial!(DoubledBy, |x| x[0].clone() * (c::<S>(1) - x[1].clone()));
// With 2 Delta = L u^2 s: both forms times u, u = eta0; variables (L, u, s, r).
polynomial!(BalancedScaled, |x| {
    let delta_twice = x[0].clone() * x[1].square() * x[2].clone();
    delta_twice + x[0].clone() * x[1].square() * x[2].clone() * x[3].clone()
});
polynomial!(BalancedPlain, |x| {
    let delta_twice = x[0].clone() * x[1].square() * x[2].clone();
    delta_twice * x[3].clone() + x[0].clone() * x[1].square() * x[2].clone()
});
polynomial!(Balanced, |x| x[0].clone() * x[1].square() * x[2].clone() * (c::<S>(1) + x[3].clone()));
// The noise floor e* = z s/(2 - z), z = eta r: a fixed point of e' = (1 - 2 eta + eta^2 r) e + eta^2 r s; both sides times (2 - z). Variables (eta, r, s).
polynomial!(Floor, |x| {
    let z = x[0].clone() * x[1].clone();
    let cleared = z.clone() * x[2].clone();
    let one = c::<S>(1);
    scaled_step(&cleared, &one, &x[0], &x[1], &c::<S>(0)) + (c::<S>(2) - z) * scaled_step(&c::<S>(0), &one, &x[0], &x[1], &x[2])
});
polynomial!(FloorBy, |x| x[0].clone() * x[1].clone() * x[2].clone());

fn root_ratio(delta: &Rational, eta0: &Rational, root: &Rational, l: &Rational, noise: &Rational, ratio: &Rational) -> Rational {
    // sqrt(M/K) where it is rational, else M/K: the special runs with M/K = 36 and 4 have one.
    fixed_bound(delta, eta0, root, l, noise, &ratio.exact_sqrt().unwrap_or_else(|| ratio.clone()))
}

fn fixed() -> Claim {
    fn parts() -> Vec<Part> {
        vec![
            part("scaled", "scaled, T >= (L eta0 M/K)^2: (2 Delta/eta0 + L eta0 sigma^2 M/K)/sqrt T", at_fixed(Router::Scaled, fixed_bound)),
            part("plain", "unscaled, T >= (L eta0)^2: ((2 Delta/eta0) M/K + L eta0 sigma^2)/sqrt T", at_fixed(Router::Plain, plain_fixed_bound)),
            part(
                "doubled",
                "twice the numerator X covers the denominator 1 - z/2, z = L eta M/K <= 1: 2 X (1 - z/2) - X = X (1 - z)",
                identity(&["X", "z"], Doubled, DoubledBy),
            ),
            part(
                "balanced",
                "with 2 Delta = L eta0^2 sigma^2, eta0 times the scaled numerator is L eta0^2 sigma^2 (1 + M/K)",
                identity(&["L", "eta0", "s", "r"], BalancedScaled, Balanced),
            ),
            part("balanced-plain", "and so is the unscaled one", identity(&["L", "eta0", "s", "r"], BalancedPlain, Balanced)),
            part(
                "floor",
                "the noise floor on ||x||^2/2 is z sigma^2/(2 - z), z = eta M/K: linear in M/K and in 1/sqrt T to first order",
                identity(&["eta", "r", "s"], Floor, FloorBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("root-ratio", "sqrt(M/K) in place of M/K", at_fixed(Router::Scaled, root_ratio)),
            mutant("no-ratio", "no M/K at all", at_fixed(Router::Scaled, |d, e, r, l, s, _| fixed_bound(d, e, r, l, s, &n(1)))),
            mutant("half", "half of the bound", at_fixed(Router::Plain, |d, e, r, l, s, m| plain_fixed_bound(d, e, r, l, s, m) / n(2))),
        ]
    }
    Claim {
        id: "moe/conv-fixed",
        statement: "eta = eta0/sqrt T. Scaled, T >= (L eta0 M/K)^2: avg E||grad F||^2 <= (2 Delta/eta0 + L eta0 sigma^2 M/K)/sqrt T. Unscaled, T >= (L eta0)^2: ((2 Delta/eta0) M/K + L eta0 sigma^2)/sqrt T. With eta0 = sqrt(2 Delta/(L sigma^2)) both are sqrt(2 Delta L sigma^2)(1 + M/K)/sqrt T",
        assumptions: &["as in moe/conv-sharp and moe/conv-unscaled, T as stated"],
        provenance: Provenance::Derived,
        source: "moe/conv-sharp and moe/conv-unscaled at the abstract's step size",
        declared: Verdict::Holds,
        argument: "The denominators are at least 1/2 for such T.",
        gap: GAP,
        finding: None,
        see: &["moe/conv-sharp", "moe/conv-unscaled", "moe/abstract-rate", "moe/simulated"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The noise of a run, scaled so that eta0^2 = 2 Delta/(L sigma^2); None without noise or start.
fn balanced(at: &Fixed) -> Option<Vec<Rational>> {
    let run = &at.quadratic;
    let weights = run.variances();
    let total: Rational = sum(weights.clone());
    let wanted = n(2) * run.delta() / (run.smoothness() * at.eta0().square());
    if total.is_zero() || wanted.is_zero() {
        return None;
    }
    Some(weights.into_iter().map(|weight| weight * wanted.clone() / total.clone()).collect())
}

fn abstract_rate() -> Claim {
    /// average <= factor * sqrt(2 Delta L sigma^2) shape(M/K)/sqrt T, where sqrt(2 Delta L sigma^2) = L eta0 sigma^2.
    fn rate(router: Router, shape: fn(&Rational) -> Rational) -> Check {
        ExactPart::new(FixedRuns, move |at: &Fixed| {
            let run = &at.quadratic;
            let Some(variances) = balanced(at) else { return Judgement::Unmet };
            let limit = run.smoothness() * at.eta0() * if router == Router::Scaled { run.ratio() } else { n(1) };
            if n(at.root) < limit {
                return Judgement::Unmet;
            }
            let (average, _) = router.run(run, &variances);
            let constant = run.smoothness() * at.eta0() * sum(variances);
            Judgement::compare(average, Relation::Le, constant * shape(&run.ratio()) / n(at.root))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("scaled", "scaled router: sqrt(2 Delta L sigma^2)(1 + M/K)/sqrt T", rate(Router::Scaled, |ratio| n(1) + ratio.clone())),
            part("plain", "plain router: the same", rate(Router::Plain, |ratio| n(1) + ratio.clone())),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("dense-rate", "scaled: no M/K, half of the dense rate's constant", rate(Router::Scaled, |_| n(1))),
            mutant("plain-dense-rate", "plain: the same without M/K", rate(Router::Plain, |_| n(1))),
        ]
    }
    Claim {
        id: "moe/abstract-rate",
        statement: "avg_t E||grad F(x_t)||^2 = O((1 + M/K)/sqrt T), decreasing in K; explicitly sqrt(2 Delta L sigma^2)(1 + M/K)/sqrt T for T >= (L eta0 M/K)^2 with eta = eta0/sqrt T, eta0 = sqrt(2 Delta/(L sigma^2))",
        assumptions: &["F is L-smooth, bounded below", "E xi = 0, E||xi||^2 <= sigma^2, independent of the routing", "K blocks uniformly at random"],
        provenance: Provenance::Abstract,
        source: "the abstract's rate, through the explicit form in moe/conv-fixed",
        declared: Verdict::Holds,
        argument: "moe/conv-fixed at the step size that balances its two terms. Uniformly random K blocks are an assumption: greedy choice per token breaks the rate (moe/topk-biased-diverges), and so does a frozen router (moe/router-stall).",
        gap: GAP,
        finding: None,
        see: &["moe/conv-fixed", "moe/topk-biased-diverges", "moe/router-stall"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn tuned() -> Claim {
    /// The noise for which a run's eta is the tuned one: below the cap K/(LM) the noise follows from eta; at the cap it is any smaller one. None above the cap,
    /// or where there is nothing to spread the noise over.
    fn noise(at: &Quadratic) -> Option<Vec<Rational>> {
        let cap = (at.smoothness() * at.ratio()).recip();
        let eta = at.step_size();
        let weights = at.variances();
        let total: Rational = sum(weights.clone());
        if eta > cap || total.is_zero() || at.delta().is_zero() {
            return None;
        }
        let critical = n(2) * at.delta() / (at.smoothness() * at.ratio() * eta.square() * n(i64::from(at.steps)));
        let wanted = if eta == cap { critical * Ordered::min(&(total.clone() / n(8)), &n(1)) } else { critical };
        Some(weights.into_iter().map(|weight| weight * wanted.clone() / total.clone()).collect())
    }
    fn check(factor: fn(&Rational) -> Rational) -> Check {
        ExactPart::new(Quadratics, move |at: &Quadratic| {
            let Some(variances) = noise(at) else { return Judgement::Unmet };
            let (average, _) = Router::Scaled.run(at, &variances);
            let total: Rational = sum(variances);
            let surd = |value: Rational| QuadraticSurd::from(value);
            let right = tuned_bound(&surd(at.delta()), &surd(n(i64::from(at.steps))), &surd(at.smoothness()), &surd(total), &surd(at.ratio()));
            Judgement::compare(average, Relation::Le, right * surd(factor(&at.ratio())))
        })
        .erase()
    }
    // With T = R/(kappa K): M/(K T) = M kappa/R. Variables (M, kappa, K, T) with R = kappa K T: M R = (M kappa) (K T).
    polynomial!(AtBudget, |x| x[0].clone() * (x[1].clone() * x[2].clone() * x[3].clone()));
    polynomial!(AtBudgetBy, |x| (x[0].clone() * x[1].clone()) * (x[2].clone() * x[3].clone()));
    polynomial!(AtBudgetOff, |x| x[0].clone() * x[1].clone() * x[3].clone());
    fn parts() -> Vec<Part> {
        const NAMES: &[&str] = &["M", "kappa", "K", "T"];
        vec![
            part("bound", "avg E||grad F||^2 <= max{2 sigma sqrt(2 Delta L M/(K T)), 4 Delta L M/(K T)}", check(|_| n(1))),
            part(
                "budget",
                "with R = kappa K T: M/(K T) = M kappa/R, cross-multiplied; so the bound at a budget does not depend on K",
                identity(NAMES, AtBudget, AtBudgetBy),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        const NAMES: &[&str] = &["M", "kappa", "K", "T"];
        vec![
            mutant("no-ratio", "without the factor M/K: the bound divided by M/K", check(Rational::recip)),
            mutant("third", "a third of the bound", check(|_| q(1, 3))),
            mutant("budget-K", "M/(K T) = M kappa/(R K)", identity(NAMES, AtBudget, AtBudgetOff)),
        ]
    }
    Claim {
        id: "moe/conv-tuned",
        statement: "Scaled, eta = min{K/(LM), sqrt(2 Delta K/(L M sigma^2 T))}: avg E||grad F||^2 <= max{2 sigma sqrt(2 Delta L M/(K T)), 4 Delta L M/(K T)}: sqrt(M/K), better than M/K. With T = R/(kappa K) it does not depend on K",
        assumptions: &["as in moe/conv-sharp; eta knows Delta, L, sigma"],
        provenance: Provenance::Derived,
        source: "moe/conv-sharp at the best step size",
        declared: Verdict::Holds,
        argument: "L eta M/K <= 1, so the bound of moe/conv-sharp is at most 2 Delta/(eta T) + L eta sigma^2 M/K; insert eta.",
        gap: GAP,
        finding: None,
        see: &["moe/conv-sharp", "moe/budget"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn greedy_descent() -> Claim {
    /// T steps of exact-gradient top-K descent at eta = 1/L: the gradients' squares before each step, the active part's, and F before and after.
    type Path = Vec<(Rational, Rational, Rational, Rational)>;
    fn path(at: &Quadratic) -> Option<Path> {
        let h: Vec<Rational> = at.curvature.iter().copied().map(Rational::from).collect();
        let l = at.smoothness();
        let value = |x: &[Rational]| sum(x.iter().zip(&h).map(|(x, h)| x.square() * h.clone())) / n(2);
        let mut x: Vec<Rational> = at.start.iter().copied().map(Rational::from).collect();
        let mut out = Vec::new();
        for _ in 0..at.steps {
            let gradient: Vec<Rational> = x.iter().zip(&h).map(|(x, h)| x.clone() * h.clone()).collect();
            let active = top_k(&gradient, at.active).ok()?;
            let before = value(&x);
            for &block in &active {
                x[block] = x[block].clone() - gradient[block].clone() / l.clone();
            }
            let kept = sum(active.iter().map(|&block| gradient[block].square()));
            out.push((sum(gradient.iter().map(Field::square)), kept, before, value(&x)));
        }
        Some(out)
    }
    fn kept(factor: Rational) -> Check {
        ExactPart::new(Quadratics, move |at: &Quadratic| {
            let Some(path) = path(at) else { return Judgement::Unmet };
            let (all, kept, ..) = path[0].clone();
            Judgement::compare(kept, Relation::Ge, factor.clone() * all / at.ratio())
        })
        .erase()
    }
    fn decrease(factor: Rational) -> Check {
        ExactPart::new(Quadratics, move |at: &Quadratic| {
            let Some(path) = path(at) else { return Judgement::Unmet };
            let (all, _, before, after) = path[0].clone();
            Judgement::compare(before - after, Relation::Ge, factor.clone() * all / (n(2) * at.smoothness() * at.ratio()))
        })
        .erase()
    }
    fn average(factor: Rational) -> Check {
        ExactPart::new(Quadratics, move |at: &Quadratic| {
            let Some(path) = path(at) else { return Judgement::Unmet };
            let steps = n(path.len() as i64);
            let average = sum(path.iter().map(|step| step.0.clone())) / steps.clone();
            let least = path.iter().map(|step| step.0.clone()).reduce(|a, b| Ordered::min(&a, &b)).unwrap_or_else(|| n(0));
            if least > average {
                return Judgement::Property { holds: false, detail: format!("least {least}, average {average}") };
            }
            let right = factor.clone() * n(2) * at.smoothness() * at.ratio() * at.delta() / steps;
            Judgement::compare(average, Relation::Le, right)
        })
        .erase()
    }
    /// All |x_i| and curvatures equal: an equation.
    fn tight() -> Check {
        ExactPart::new(Quadratics, |at: &Quadratic| {
            let count = at.start.len();
            let equal = Quadratic { curvature: vec![at.curvature[0]; count], start: vec![at.start[0]; count], ..at.clone() };
            let Some(path) = path(&equal) else { return Judgement::Unmet };
            let (all, _, before, after) = path[0].clone();
            Judgement::compare(before - after, Relation::Eq, all / (n(2) * equal.smoothness() * equal.ratio()))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("kept", "||grad_S F||^2 >= (K/M)||grad F||^2", kept(n(1))),
            part("decrease", "F(x+) <= F - (K/(2LM))||grad F||^2", decrease(n(1))),
            part("average", "min_t <= avg_t ||grad F||^2 <= 2 L M Delta/(K T)", average(n(1))),
            part("tight", "one step is an equation where all |x_i| and all curvatures are equal", tight()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("kept-1.01", "1% more is kept", kept(q(101, 100))),
            mutant("decrease-1.01", "1% more decrease", decrease(q(101, 100))),
            mutant("average-0.99", "1% less than the bound on the average", average(q(99, 100))),
        ]
    }
    Claim {
        id: "moe/topk-gd",
        statement: "Exact-gradient top-K descent, eta = 1/L: ||grad_S F||^2 >= (K/M)||grad F||^2, F(x+) <= F - (K/(2LM))||grad F||^2, so min_t ||grad F||^2 <= avg <= 2 L M Delta/(K T)",
        assumptions: &["F is L-smooth, bounded below", "S holds the K largest ||grad_i F||, exact gradients"],
        provenance: Provenance::Derived,
        source: "the deterministic router",
        declared: Verdict::Holds,
        argument: "The K largest of M squares have at least K/M of their sum; the descent lemma along grad_S F with eta = 1/L. A block's curvature may be below L.",
        gap: GAP,
        finding: None,
        see: &["moe/topk-biased-diverges"],
        parts,
        mutants,
        without_mutants: None,
    }
}
