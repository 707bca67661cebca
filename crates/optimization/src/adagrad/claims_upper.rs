//! Group B: the upper bounds in expectation, their constants and exponents.

use super::bounds::{Setting, exponents, norm_bound};
use super::shared::{mutant, n, part, q};
use super::simulate::{Noise, Objective, PathSummary, run_adagrad};
use claim::{
    Arm, Asserted, CertifiedPart, Check, Claim, Coverage, ExactPart, Family, Formula, Instance, Judgement, Knowledge, Mutant, Parameter, Part,
    Provenance, RatePart, Sign, Size, StatisticalPart, Tape, Verdict,
};
use numeric::{BigInterval, Field, Ordered, QuadraticSurd, Rational, Real};
use sample::{Lottery, Pareto, TwoPoint, Words};

pub(super) fn all() -> Vec<Claim> {
    vec![noise_growth(), norm_rate(), upper_main(), exponents_claim()]
}

/// Draws of a number made from one run.
fn runs(
    objective: Objective,
    noise: Noise,
    (start, gamma, lambda): (f64, f64, f64),
    steps: u64,
    number: fn(&PathSummary) -> f64,
) -> impl Fn(&mut dyn Words, &mut [f64]) + Send + Sync + 'static {
    move |words, out| {
        for slot in out {
            *slot = number(&run_adagrad(objective, &noise, start, gamma, lambda, steps, words));
        }
    }
}

fn two_point(a: Rational, b: Rational) -> Option<(TwoPoint, BigInterval)> {
    let law = TwoPoint::new(a, b).ok()?;
    // sigma = (E|xi|^p)^(1/p) at p = 3/2.
    let moment = law.real_moment(&BigInterval::ratio(3, 2));
    Some((law, moment.pow(&BigInterval::ratio(2, 3))))
}

/// How E sqrt(v_T) - E sqrt(u_T) is said to grow.
#[derive(Clone, Copy, PartialEq)]
enum Growth {
    /// sigma T^(1/p)
    Heavy,
    /// sigma sqrt T, true for p = 2 only
    Light,
}

fn noise_growth() -> Claim {
    /// The lottery with q = 1/T on a flat objective, where sqrt(v_T) is the noise alone, and two-point noise on ln cosh.
    fn check(growth: Growth) -> Option<Check> {
        let exponent = if growth == Growth::Heavy { q(2, 3) } else { q(1, 2) };
        let at = |sigma: &BigInterval, steps: i64| {
            (sigma.clone() * BigInterval::from_i64(steps).pow(&BigInterval::from_rational(&exponent))).to_interval()
        };
        let part = StatisticalPart::new("p = 3/2: the lottery with q = 1/T, T = 1000, on f = 0; two-point noise (9, 1) on ln cosh x, T = 200");
        let lottery = Lottery::new(n(1), q(1, 1000)).ok()?;
        let sigma = lottery.real_moment(&BigInterval::ratio(3, 2)).pow(&BigInterval::ratio(2, 3));
        // sqrt(v_T) is at most sqrt(T) times the largest draw, 999.
        let knowledge = Knowledge::Bounded { low: 0.0, high: 31_600.0 };
        let arm = Arm { name: "sqrt(v_T), lottery".into(), knowledge, asserted: Asserted::AtMost, bound: at(&sigma, 1000), draws: 8_192 };
        let part = part.arm(arm, runs(Objective::Flat, Noise::Lottery(lottery), (0.0, 1.0, 1.0), 1000, |path| path.root_v));
        let (law, sigma) = two_point(n(9), n(1))?;
        let knowledge = Knowledge::Bounded { low: -15.0, high: 150.0 };
        let arm =
            Arm { name: "sqrt(v_T) - sqrt(u_T), two points".into(), knowledge, asserted: Asserted::AtMost, bound: at(&sigma, 200), draws: 8_192 };
        Some(part.arm(arm, runs(Objective::LogCosh, Noise::TwoPoint(law), (2.0, 0.5, 0.1), 200, |path| path.root_v - path.root_u)).erase())
    }
    /// E sqrt(v_T) for Pareto noise of tail index 1.7 grows like T^(1/1.7): the slope is at most 1/p for p = 3/2 and more than 1/2.
    fn slope(exponent: Rational) -> Option<Check> {
        let noise = Pareto::new(1.7, 1.0, true).ok()?;
        // The route takes bounded quantities: the root is capped at 40 T^(5/8), a cap that grows faster than the root and is met about once in 1,000 runs, so
        // that the slope is nearly that of the uncapped mean; the part's statement names the cap.
        let sizes = [16_u64, 512]
            .into_iter()
            .map(|size| {
                let cap = 40.0 * core_math::pow(size as f64, 0.625);
                let run =
                    move |words: &mut dyn Words| run_adagrad(Objective::Flat, &Noise::Pareto(noise), 0.0, 1.0, 1.0, size, words).root_v.min(cap);
                Size { size, draws: 16_384, high: cap, sampler: Box::new(move |words, out| out.fill_with(|| run(words))) }
            })
            .collect();
        let (asserted, log_power, level) = (Asserted::AtMost, n(0), Rational::new(1, 1_000_000_000));
        let domain = "f = 0, Pareto noise of tail index 1.7, T = 16 and 512, sqrt(v_T) capped at 40 T^(5/8)".to_owned();
        Some(RatePart { domain, level, asserted, exponent, log_power, sizes }.erase())
    }
    fn parts() -> Vec<Part> {
        let bound = check(Growth::Heavy).map(|check| part("bound", "E sqrt(v_T) - E sqrt(u_T) <= sigma T^(1/p)", check));
        let rate =
            slope(q(2, 3)).map(|check| part("slope", "the slope of ln E min(sqrt(v_T), 40 T^(5/8)) against ln T is at most 1/p, p = 3/2", check));
        bound.into_iter().chain(rate).collect()
    }
    fn mutants() -> Vec<Mutant> {
        let light = check(Growth::Light).map(|check| mutant("sqrt-T", "sigma sqrt T for p < 2", check));
        let flat = slope(q(1, 2)).map(|check| mutant("slope-1/2", "the slope is at most 1/2 for p < 2", check));
        light.into_iter().chain(flat).collect()
    }
    Claim {
        id: "adagrad/noise-growth",
        statement: "E sqrt(v_T,i) <= sigma_i T^(1/p) + E sqrt(u_T,i), u_T the sum of squared true gradients",
        assumptions: &["E[xi_t | past] = 0 and E[|xi_t,i|^p | past] <= sigma_i^p, 1 < p <= 2"],
        provenance: Provenance::Derived,
        source: "the paper's Lemma 4.7, by its public notes",
        declared: Verdict::Supported,
        argument: "The triangle inequality in R^T, then adagrad/l2-lp for the noise and Jensen's inequality for the power 1/p.",
        gap: Some("all laws with the moment: the tests draw from four"),
        finding: None,
        see: &["adagrad/l2-lp"],
        parts,
        mutants,
        without_mutants: None,
    }
}

fn norm_rate() -> Claim {
    /// Bnorm for f = x^2/(1 + x^2): M = 1, L = 2, gamma = 1/2, lambda = 1/10, two-point noise (3, 1/3), p = 3/2.
    fn check(divisor: i64) -> Option<Check> {
        let (law, sigma) = two_point(n(3), q(1, 3))?;
        let part = StatisticalPart::new(
            "f = x^2/(1 + x^2) (L = 2, M = 1), x_1 = 2, gamma = 1/2, lambda = 1/10, two-point noise (3, 1/3), p = 3/2, T = 10 and 10000",
        );
        let arms = [(10_u64, 8_192), (10_000, 4_096)];
        let part = arms.into_iter().fold(part, |part, (steps, draws)| {
            let bound = norm_bound(&q(3, 2), &sigma, &n(2), &n(1), &q(1, 2), &q(1, 10), &Rational::from(steps)) / BigInterval::from_i64(divisor);
            // |f'| <= 3 sqrt 3/8 < 0.65.
            let arm = Arm {
                name: format!("(1/T) sum |f'(x_t)|, T = {steps}"),
                knowledge: Knowledge::Bounded { low: 0.0, high: 0.65 },
                asserted: Asserted::AtMost,
                bound: bound.to_interval(),
                draws,
            };
            part.arm(arm, runs(Objective::Bump, Noise::TwoPoint(law.clone()), (2.0, 0.5, 0.1), steps, |path| path.mean_slope))
        });
        Some(part.erase())
    }
    fn parts() -> Vec<Part> {
        check(1).map(|check| part("mean", "E (1/T) sum |f'(x_t)| <= Bnorm(T)", check)).into_iter().collect()
    }
    fn mutants() -> Vec<Mutant> {
        check(100).map(|check| mutant("hundredth", "a hundredth of Bnorm is enough", check)).into_iter().collect()
    }
    Claim {
        id: "adagrad/norm-rate",
        statement: "AdaGrad-Norm, f L-smooth, M = sup f - inf f finite, 1 < p <= 2, K = M/gamma + gamma L: (E (1/T) sum |grad f(x_t)|^2)^(1/2) <= (K + sqrt(K sigma T^(1/p) + M lambda/gamma))/sqrt T = Bnorm(T); so E (1/T) sum |grad f(x_t)| <= Bnorm(T) = O(T^(-(p-1)/(2p))), p never used by the algorithm",
        assumptions: &["f is L-smooth with finite oscillation M", "E[|xi_t|_2^p | past] <= sigma^p"],
        provenance: Provenance::Derived,
        source: "the rate is the paper's Theorem 4.2 (public notes); the constants are ours",
        declared: Verdict::Supported,
        argument: "The expectation of adagrad/norm-pathwise; E <grad, g> = E |grad|^2; V = E sqrt(u_T)^2 satisfies V <= K (sigma T^(1/p) + sqrt V) + M lambda/gamma by adagrad/noise-growth, and x^2 <= K x + a gives x <= K + sqrt a. The bound is loose by a factor of 5 to 20 on these runs, so its support alone says little: the pathwise inequality says more.",
        gap: Some("all smooth functions and noises: the tests run one of each"),
        finding: None,
        see: &["adagrad/norm-pathwise", "adagrad/exponents"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// One tabulated setting with its value of U*.
#[derive(Clone, Hash)]
struct Tabulated {
    p: (i64, i64),
    log10_steps: u32,
    value: &'static str,
}

impl Instance for Tabulated {
    fn show(&self) -> String {
        format!("p = {}, T = 10^{}, Delta = gamma = lambda = sigma = L = 1: U* = {}", q(self.p.0, self.p.1), self.log10_steps, self.value)
    }
}

struct Table {
    wrong: bool,
}

impl Family for Table {
    type Instance = Tabulated;

    fn id(&self) -> String {
        "tabulated".into()
    }

    fn domain(&self) -> String {
        "three settings in one dimension with c = T^(1/p - 1/2)".into()
    }

    fn special(&self) -> Vec<Tabulated> {
        let entry = |p, log10_steps, value| Tabulated { p, log10_steps, value };
        if self.wrong {
            return vec![entry((2, 1), 4, "195.35105805513416275")];
        }
        vec![entry((2, 1), 4, "195.35105805513416274"), entry((9, 5), 6, "871.11192991494076118"), entry((3, 2), 6, "3257.616548882330651")]
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Tabulated {
        Tabulated { p: (2, 1), log10_steps: 4, value: "195.35105805513416274" }
    }
}

fn unit_setting(p: Rational, steps: Rational) -> Setting {
    Setting { p, sigma: vec![n(1)], smoothness: vec![n(1)], delta: n(1), gamma: n(1), lambda: n(1), steps }
}

/// U*/sqrt T for the unit setting, enclosed.
fn unit_bound(p: &Rational, log10_steps: u32) -> Option<BigInterval> {
    let setting = unit_setting(p.clone(), n(10).powi(log10_steps));
    let fixed = setting.fixed_point(&setting.balanced(), 100)?;
    Some(setting.bound_l1(&fixed))
}

/// A rational p for the slopes far out.
#[derive(Clone, Hash)]
struct Order(i64, i64);

impl Instance for Order {
    fn show(&self) -> String {
        format!("p = {}", q(self.0, self.1))
    }
}

struct Orders;

impl Family for Orders {
    type Instance = Order;

    fn id(&self) -> String {
        "orders".into()
    }

    fn domain(&self) -> String {
        "p = 2, 9/5, 3/2, 7/5, T from 10^30 to 10^31".into()
    }

    fn special(&self) -> Vec<Order> {
        vec![Order(2, 1), Order(9, 5), Order(3, 2), Order(7, 5)]
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Order {
        Order(2, 1)
    }
}

fn upper_main() -> Claim {
    fn table(wrong: bool) -> Check {
        ExactPart::new(Table { wrong }, |entry: &Tabulated| {
            let setting = unit_setting(q(entry.p.0, entry.p.1), n(10).powi(entry.log10_steps));
            let (Some(found), Ok(value)) = (setting.fixed_point(&setting.balanced(), 100), entry.value.parse::<Rational>()) else {
                return Judgement::compare(Rational::UNDEFINED, claim::Relation::Eq, Rational::UNDEFINED);
            };
            // Half a unit of the last decimal printed.
            let decimals = entry.value.split_once('.').map_or(0, |(_, digits)| digits.len() as u32);
            let slack = q(1, 2) / n(10).powi(decimals);
            let allowed = BigInterval::between(&(value.clone() - slack.clone()), &(value + slack));
            Judgement::Property { holds: found.is_subset(&allowed), detail: format!("certified U* = {}", found.to_decimal(25)) }
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    /// The slope of log10(U*/sqrt T) between 10^30 and 10^31 is at most -(3p - 4)/(4p) + tolerance (the logarithm makes it shallower) and not below it.
    fn slopes(tolerance: Rational, factor: Rational) -> Check {
        ExactPart::new(Orders, move |order: &Order| {
            let p = q(order.0, order.1);
            let (Some(near), Some(far)) = (unit_bound(&p, 30), unit_bound(&p, 31)) else {
                return Judgement::compare(Rational::UNDEFINED, claim::Relation::Eq, Rational::UNDEFINED);
            };
            let slope = (far / near).ln() / BigInterval::from_i64(10).ln();
            let target = -(factor.clone() * exponents(&p)[2].clone());
            let holds = BigInterval::from_rational(&target).le(&slope).is_true()
                && slope.le(&BigInterval::from_rational(&(target + tolerance.clone()))).is_true();
            Judgement::Property { holds, detail: format!("slope {}", slope.to_decimal(12)) }
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    /// 100 ln cosh, x_1 = 5, gamma = 3/10, lambda = 1, signed Pareto noise of tail index 1.7 and least size 1/50, p = 8/5, T = 10^4: Delta = 100 ln cosh 5 <= 500,
    /// L = 100. The bound is below sup |f'| = 100, so that the statement says something.
    fn simulated(divisor: i64) -> Option<Check> {
        let noise = Pareto::new(1.7, 0.02, true).ok()?;
        // E|xi|^(8/5) = (1/50)^(8/5) 1.7/0.1; 17^(5/8) <= 5.878.
        let setting = Setting {
            p: q(8, 5),
            sigma: vec![q(5_878, 50_000)],
            smoothness: vec![n(100)],
            delta: n(500),
            gamma: q(3, 10),
            lambda: n(1),
            steps: n(10_000),
        };
        let fixed = setting.fixed_point(&setting.balanced(), 64)?;
        let bound = setting.bound_l1(&fixed) / BigInterval::from_i64(divisor);
        let arm = Arm {
            name: "(1/T) sum |f'(x_t)|, T = 10000".into(),
            knowledge: Knowledge::Bounded { low: 0.0, high: 100.0 },
            asserted: Asserted::AtMost,
            bound: bound.to_interval(),
            draws: 1_024,
        };
        let part = StatisticalPart::new(
            "f = 100 ln cosh x, x_1 = 5, gamma = 3/10, lambda = 1, signed Pareto noise of tail index 1.7 and least size 1/50, p = 8/5, T = 10000",
        );
        Some(part.arm(arm, runs(Objective::SteepLogCosh, Noise::Pareto(noise), (5.0, 0.3, 1.0), 10_000, |path| path.mean_slope)).erase())
    }
    fn parts() -> Vec<Part> {
        let mut parts = vec![
            part("fixed-point", "U* agrees with its tabulated values to their last digit", table(false)),
            part("slope", "between T = 10^30 and 10^31 the bound falls like T^(-(3p-4)/(4p)), at most 0.01 shallower", slopes(q(1, 100), n(1))),
        ];
        parts.extend(simulated(1).map(|check| part("simulated", "E (1/T) sum |f'(x_t)| <= U*/sqrt T", check)));
        parts
    }
    fn mutants() -> Vec<Mutant> {
        let mut mutants = vec![
            mutant("last-digit", "U* with its last digit one larger", table(true)),
            mutant("minimax-exponent", "the exponent is 11/10 of (3p - 4)/(4p)", slopes(q(1, 1000), q(11, 10))),
        ];
        mutants.extend(simulated(1_000).map(|check| mutant("thousandth", "a thousandth of the bound is enough", check)));
        mutants
    }
    Claim {
        id: "adagrad/upper-main",
        statement: "AdaGrad, lambda > 0, 1 < p <= 2, any c_i > 0: E (1/T) sum ||grad f(x_t)||_1 <= U*/sqrt T, U* the unique positive fixed point of R(U) = 2 B(U) + sqrt(A B(U)); with c_i = sigma_i T^(1/p - 1/2) this is O(T^(-(3p-4)/(4p))) up to logarithms, which vanishes iff p > 4/3",
        assumptions: &[
            "f is bounded below, L_i-smooth by coordinate, with a Lipschitz gradient",
            "E[xi_t | past] = 0 and E[|xi_t,i|^p | past] <= sigma_i^p",
            "gamma > 0, lambda > 0",
        ],
        provenance: Provenance::Derived,
        source: "the exponent is the paper's Theorem 3.1 (public notes); the constants are ours",
        declared: Verdict::Supported,
        argument: "Per coordinate, D = lambda + sqrt w with w = v_(t-1) + grad^2 + c^2: (1) by adagrad/proxy -grad g/(lambda + sqrt v) <= -grad g/D + |grad||g|(|xi| + c)/((lambda + sqrt v) D); (2) the c-part is at most grad^2/(4D) + c r^2; (3) the xi-part at most grad^2 |xi|^p/(4 sigma^p D) + sigma^p c^(1-p) r^2 + (sigma^p/c)|g|^(2-p) r^2; (4) expectations and sums; (5) adagrad/step-bound and adagrad/sum-power for the sums of r^2, with Jensen; (6) u_T <= B_i (lambda + c + N_T + 2 sqrt(u_T)), so that U = sum E sqrt(u_T,i) satisfies U <= R(U); R is concave with R(0) > 0, so U <= U*; (7) sum |grad_t| <= sqrt(T u_T). The bound is loose by more than a hundred times on runs, so the informative checks are the fixed point and its slope.",
        gap: Some("the argument's expectations over all functions and noises: the simulated part runs one of each"),
        finding: None,
        see: &["adagrad/proxy", "adagrad/noise-growth", "adagrad/exponents", "adagrad/consistency"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// The difference of two neighbouring exponents with its denominators cleared, over p in [1, 2].
struct ExponentGap(usize);
impl Formula for ExponentGap {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        let values = exponents(&x[0]);
        values[self.0].clone() - values[self.0 + 1].clone()
    }
    fn eval_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        let values = exponents(&x[0]);
        Some(values[self.0].clone() - values[self.0 + 1].clone())
    }
}

/// Rational p.
struct RationalOrders;

impl Family for RationalOrders {
    type Instance = Order;

    fn id(&self) -> String {
        "rational-orders".into()
    }

    fn domain(&self) -> String {
        "rational p in (1, 2]".into()
    }

    fn special(&self) -> Vec<Order> {
        vec![Order(2, 1), Order(4, 3), Order(3, 2), Order(5, 4), Order(1_000_001, 1_000_000), Order(1_999_999, 1_000_000)]
    }

    fn tape_len(&self) -> usize {
        2
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Order {
        let denominator = tape.heavy(1 << 20);
        Order(denominator + tape.integer(1, denominator), denominator)
    }
}

fn exponents_claim() -> Claim {
    fn ordered() -> Check {
        ExactPart::new(RationalOrders, |order: &Order| {
            let p = q(order.0, order.1);
            let [minimax, norm, adagrad, plain] = exponents(&p);
            let equal = [&minimax, &norm, &adagrad].iter().all(|value| **value == plain);
            let strict = minimax > norm && norm > adagrad && adagrad > plain;
            let holds = if p == n(2) { equal && plain == q(1, 4) } else { strict };
            Judgement::Property { holds, detail: format!("{minimax}, {norm}, {adagrad}, {plain}") }
        })
        .erase()
    }
    /// The k-th exponent is positive exactly for p above the threshold.
    fn positive(index: usize, threshold: Rational) -> Check {
        ExactPart::new(RationalOrders, move |order: &Order| {
            let p = q(order.0, order.1);
            let value = exponents(&p)[index].clone();
            let holds = (value > n(0)) == (p > threshold);
            Judgement::Property { holds, detail: format!("exponent {value}") }
        })
        .erase()
    }
    /// No exponent with a fixed gamma reaches the deterministic 1/2.
    fn reaches_half() -> Check {
        ExactPart::new(RationalOrders, |order: &Order| Judgement::compare(exponents(&q(order.0, order.1))[0].clone(), claim::Relation::Ge, q(1, 2)))
            .erase()
    }
    fn parts() -> Vec<Part> {
        let gap = |index| {
            let all = "all real p in [1, 2]";
            CertifiedPart::new(vec![Parameter::real("p", n(1), n(2))], all, ExponentGap(index), Sign::NonNegative).erase()
        };
        vec![
            part("minimax-norm", "(p-1)/(3p-2) >= (p-1)/(2p)", gap(0)),
            part("norm-adagrad", "(p-1)/(2p) >= (3p-4)/(4p)", gap(1)),
            part("adagrad-plain", "(3p-4)/(4p) >= (2p-3)/(2p)", gap(2)),
            part("strict", "all four are 1/4 at p = 2 and strictly ordered below", ordered()),
            part("positive", "(3p-4)/(4p) > 0 exactly for p > 4/3", positive(2, q(4, 3))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("all-p", "the AdaGrad exponent (3p-4)/(4p) is positive for all p > 1", positive(2, n(1))),
            mutant(
                "rate-minimax",
                "the average gradient is at most C/sqrt T for a fixed gamma: the lower bound's exponent is at least 1/2",
                reaches_half(),
            ),
        ]
    }
    Claim {
        id: "adagrad/exponents",
        statement: "p in (1, 2]: (p-1)/(3p-2) >= (p-1)/(2p) >= (3p-4)/(4p) >= (2p-3)/(2p); all equal (1/4) at p = 2, strict below; (3p-4)/(4p) > 0 iff p > 4/3",
        assumptions: &["1 < p <= 2"],
        provenance: Provenance::Paper,
        source: "public notes: the exponents of the lower bound, of AdaGrad-Norm, of AdaGrad and of AdaGrad with c = sigma; their order is ours",
        declared: Verdict::Holds,
        argument: "The differences are (p-1)(2-p)/(2p(3p-2)), (2-p)/(4p) and (2-p)/(4p). The orders are proved on all of [1, 2]; strictness and signs are checked at rational p.",
        gap: None,
        finding: None,
        see: &["adagrad/upper-main", "adagrad/norm-rate", "adagrad/lb-slope"],
        parts,
        mutants,
        without_mutants: None,
    }
}
