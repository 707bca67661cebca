//! Group A: lemmas on real sequences.

use super::instances::{Integers, RootChains, Roots, Sequence, Sequences, Tuples};
use super::shared::{Sides, compare_enclosed, mutant, n, part, q};
use claim::{
    CertifiedPart, Check, Claim, ExactPart, Formula, Judgement, Mutant, Parameter, Part, Polynomial, Provenance, Relation, Sign, Verdict, identity,
};
use numeric::{Field, Ordered, QuadraticSurd, Rational, Real, Surd};

pub(super) fn all() -> Vec<Claim> {
    vec![sum_sqrt(), sum_log(), sum_power(), proxy(), l2_lp()]
}

/// The sum of a_t / sqrt(S_t) for a chain of roots.
fn weighted_sum(roots: &Roots) -> Rational {
    let mut before = n(0);
    roots.0.iter().fold(n(0), |sum, &root| {
        let root = n(root);
        let term = (root.square() - before.square()) / root.clone();
        before = root;
        sum + term
    })
}

// r (2 (r - s)) - (r^2 - s^2) = (r - s)^2 with r = sqrt(S_t), s = sqrt(S_(t-1)): the identity's term, multiplied by r.
struct TermLeft;
impl Polynomial for TermLeft {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        let (r, s) = (x[0].clone(), x[1].clone());
        S::from_i64(2) * r.clone() * (r.clone() - s.clone()) - (r.square() - s.square())
    }
}
struct TermRight;
impl Polynomial for TermRight {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        (x[0].clone() - x[1].clone()).square()
    }
}
struct TermRightOff;
impl Polynomial for TermRightOff {
    fn eval<S: Field>(&self, x: &[S]) -> S {
        x[0].square() - x[1].square()
    }
}

/// (1 - y^2) - (1 - y) = y (1 - y) on [0, 1], y = sqrt(S_(t-1)/S_t): each term of the lower bound.
struct LowerTerm;
impl Formula for LowerTerm {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        (S::one() - x[0].square()) - (S::one() - x[0].clone())
    }
    fn eval_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        Some((QuadraticSurd::one() - x[0].square()) - (QuadraticSurd::one() - x[0].clone()))
    }
}

fn sum_sqrt() -> Claim {
    fn upper(constant: Rational) -> Check {
        ExactPart::new(RootChains, move |roots: &Roots| {
            let last = n(roots.0.last().copied().unwrap_or(0));
            Judgement::compare(weighted_sum(roots), Relation::Le, constant.clone() * last)
        })
        .erase()
    }
    fn lower(factor: Rational) -> Check {
        ExactPart::new(RootChains, move |roots: &Roots| {
            let last = n(roots.0.last().copied().unwrap_or(0));
            Judgement::compare(factor.clone() * last, Relation::Le, weighted_sum(roots))
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "term-identity",
                "with r = sqrt(S_t), s = sqrt(S_(t-1)): 2 r (r - s) - (r^2 - s^2) = (r - s)^2",
                identity(&["r", "s"], TermLeft, TermRight),
            ),
            part(
                "lower-term",
                "a_t/sqrt(S_t) >= sqrt(S_t) - sqrt(S_(t-1)), scaled: (1 - y^2) - (1 - y) >= 0",
                CertifiedPart::new(vec![Parameter::real("y", n(0), n(1))], "all y = sqrt(S_(t-1)/S_t) in [0, 1]", LowerTerm, Sign::NonNegative)
                    .erase(),
            ),
            part("upper", "sum a_t/sqrt(S_t) <= 2 sqrt(S_T)", upper(n(2))),
            part("lower", "sqrt(S_T) <= sum a_t/sqrt(S_t)", lower(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("constant-1.98", "the constant 2 becomes 1.98", upper(q(99, 50))),
            mutant("lower-1.01", "the lower bound's constant 1 becomes 1.01", lower(q(101, 100))),
            mutant("identity-without-square", "the gap's term is r^2 - s^2", identity(&["r", "s"], TermLeft, TermRightOff)),
        ]
    }
    Claim {
        id: "adagrad/sum-sqrt",
        statement: "a_t >= 0, S_t = a_1 + .. + a_t, a_1 > 0: 2 sqrt(S_T) - sum a_t/sqrt(S_t) = sum (sqrt(S_t) - sqrt(S_(t-1)))^2/sqrt(S_t), hence sqrt(S_T) <= sum a_t/sqrt(S_t) <= 2 sqrt(S_T)",
        assumptions: &["a_t >= 0 and a_1 > 0"],
        provenance: Provenance::Derived,
        source: "telescoping",
        declared: Verdict::Holds,
        argument: "Term by term: a_t/r = (r^2 - s^2)/r = 2 (r - s) - (r - s)^2/r with r = sqrt(S_t), s = sqrt(S_(t-1)); the sum of r - s telescopes. The left side is attained at T = 1; the right one only in the limit (equal steps r_t = t: ratio 2 - H_T/T).",
        gap: None,
        finding: None,
        see: &["adagrad/sum-power", "adagrad/norm-pathwise"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// sum a_t/(lambda^2 + S_t) against factor ln(1 + S_T/lambda^2).
struct LogSum<'a> {
    sequence: &'a Sequence,
    factor: &'a Rational,
}

impl Sides for LogSum<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let offset = S::from_i64(self.sequence.offset);
        let mut total = 0_i64;
        let sum = self.sequence.terms.iter().fold(S::zero(), |sum, &term| {
            total += term;
            sum + S::from_i64(term) / (offset.clone() + S::from_i64(total))
        });
        (sum, S::from_rational(self.factor) * (S::from_i64(total) / offset).ln_1p())
    }
}

/// u - (1 - e^-u) with u = ln((lambda^2 + S_t)/(lambda^2 + S_(t-1))): each term.
struct LogTerm;
impl Formula for LogTerm {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        x[0].clone() + (-x[0].clone()).exp_m1()
    }
    fn eval_exact(&self, _x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        None
    }
}

fn sum_log() -> Claim {
    fn check(factor: Rational) -> Check {
        ExactPart::new(Sequences, move |sequence: &Sequence| {
            if sequence.terms.iter().all(|&term| term == 0) {
                return Judgement::Unmet;
            }
            compare_enclosed(Relation::Lt, &LogSum { sequence, factor: &factor })
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "term",
                "1 - e^-u <= u",
                CertifiedPart::new(
                    vec![Parameter::real("u", n(0), n(1_000_000))],
                    "0 <= u <= 10^6 (beyond, the left side is below 1)",
                    LogTerm,
                    Sign::NonNegative,
                )
                .on_a_part()
                .erase(),
            ),
            part("sum", "sum a_t/(lambda^2 + S_t) < ln(1 + S_T/lambda^2) unless all a_t are 0", check(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("constant-0.99", "the right side is 1% smaller", check(q(99, 100)))]
    }
    Claim {
        id: "adagrad/sum-log",
        statement: "a_t >= 0, lambda > 0: sum a_t/(lambda^2 + S_t) <= ln(1 + S_T/lambda^2), strictly unless all a_t are 0",
        assumptions: &["a_t >= 0", "lambda > 0"],
        provenance: Provenance::Derived,
        source: "telescoping",
        declared: Verdict::Holds,
        argument: "With x = lambda^2 + S_t and y = lambda^2 + S_(t-1): (x - y)/x = 1 - e^-u <= u = ln(x/y); the logarithms telescope. The ratio tends to 1 for many tiny a_t.",
        gap: None,
        finding: None,
        see: &["adagrad/step-bound"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// sum a_t/S_t^q against factor S_T^(1-q)/(1-q).
struct PowerSum<'a> {
    sequence: &'a Sequence,
    factor: &'a Rational,
}

impl Sides for PowerSum<'_> {
    fn sides<S: Real>(&self) -> (S, S) {
        let exponent = S::ratio(self.sequence.eighths, 8);
        let rest = S::ratio(8 - self.sequence.eighths, 8);
        let mut total = 0_i64;
        let sum = self.sequence.terms.iter().fold(S::zero(), |sum, &term| {
            total += term;
            sum + S::from_i64(term) / S::from_i64(total).pow(&exponent)
        });
        (sum, S::from_rational(self.factor) * S::from_i64(total).pow(&rest) / rest)
    }
}

/// 1 - y^s - s (1 - y) on [0, 1] for s = 1 - q = k/8: each term, scaled by S_t.
struct PowerTerm;
impl Formula for PowerTerm {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        let s = x[0].clone() / S::from_i64(8);
        S::one() - x[1].pow(&s) - s * (S::one() - x[1].clone())
    }
    fn eval_exact(&self, _x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        None
    }
}

fn sum_power() -> Claim {
    fn check(factor: Rational) -> Check {
        ExactPart::new(Sequences, move |sequence: &Sequence| compare_enclosed(Relation::Lt, &PowerSum { sequence, factor: &factor })).erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part(
                "term",
                "s (1 - y) <= 1 - y^s for s = 1 - q",
                CertifiedPart::new(
                    vec![Parameter::integer("8s", 1, 7), Parameter::real("y", q(1, 1_000_000), n(1))],
                    "s = k/8, k = 1..7, y = S_(t-1)/S_t in [10^-6, 1]",
                    PowerTerm,
                    Sign::NonNegative,
                )
                .on_a_part()
                .erase(),
            ),
            part("sum", "sum a_t/S_t^q < S_T^(1-q)/(1-q), q = k/8", check(n(1))),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("constant-0.9", "1/(1-q) becomes 0.9/(1-q)", check(q(9, 10)))]
    }
    Claim {
        id: "adagrad/sum-power",
        statement: "0 < q < 1, a_1 > 0: sum a_t/S_t^q <= S_T^(1-q)/(1-q)",
        assumptions: &["a_t >= 0 and a_1 > 0", "0 < q < 1"],
        provenance: Provenance::Derived,
        source: "telescoping",
        declared: Verdict::Holds,
        argument: "y -> y^(1-q) is concave, so its tangent at S_t lies above it: a_t/S_t^q <= (S_t^(1-q) - S_(t-1)^(1-q))/(1-q). The constant is best possible: a_t = 1, T to infinity.",
        gap: None,
        finding: None,
        see: &["adagrad/sum-sqrt"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// |sqrt(v) - sqrt(w)| <= factor (|xi| + share c), the inequality with its common denominators cleared; v = v0 + (m + xi)^2, w = v0 + m^2 + c^2.
fn proxy_judgement(x: &Integers, factor: &Rational, with_c: bool) -> Judgement {
    let [v0, c, m, xi] = x.0[..] else { return Judgement::Unmet };
    let of = |value: i128| QuadraticSurd::from(Rational::from_i128(value, 1));
    let wide = i128::from;
    let v = of(wide(v0) + (wide(m) + wide(xi)) * (wide(m) + wide(xi))).sqrt();
    let w = of(wide(v0) + wide(m) * wide(m) + wide(c) * wide(c)).sqrt();
    let bound = QuadraticSurd::from(factor.clone() * Rational::from_i128(wide(xi).abs() + if with_c { wide(c) } else { 0 }, 1));
    let (small, large) = if v.le(&w).is_true() { (v, w) } else { (w, v) };
    // large <= small + bound: two radicals, compared exactly.
    Judgement::compare(large, Relation::Le, small + bound)
}

/// The same margin over the reals.
struct ProxyMargin;
impl Formula for ProxyMargin {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        let (v0, c, m, xi) = (x[0].clone(), x[1].clone(), x[2].clone(), x[3].clone());
        let v = v0.clone() + (m.clone() + xi.clone()).square();
        let w = v0 + m.square() + c.square();
        xi.abs() + c - (v.sqrt() - w.sqrt()).abs()
    }
    fn eval_exact(&self, _x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        None
    }
}

fn proxy() -> Claim {
    fn check(factor: Rational, with_c: bool) -> Check {
        let family = Tuples {
            name: "proxy",
            domain: "integers v0, c >= 0, m, xi (the inequality is homogeneous, so these are all rationals up to scale)",
            length: 4,
            signed_from: 2,
            cap: 1 << 16,
            first: vec![
                vec![0, 0, 0, 1],
                vec![0, 1, 0, 0],
                vec![0, 0, 1, -1],
                vec![0, 3, 4, -5],
                vec![1, 1, 1, 1],
                vec![0, 0, 0, 0],
                vec![5, 0, 2, -4],
            ],
        };
        ExactPart::new(family, move |x: &Integers| proxy_judgement(x, &factor, with_c)).erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("exact", "|sqrt(v) - sqrt(w)| <= |xi| + c", check(n(1), true)),
            part(
                "box",
                "the same with a margin, away from the equality cases",
                CertifiedPart::new(
                    vec![
                        Parameter::real("v0", q(1, 2), n(1)),
                        Parameter::real("c", q(1, 4), n(1)),
                        Parameter::real("m", n(-1), n(1)),
                        Parameter::real("xi", n(-1), n(1)),
                    ],
                    "v0 in [1/2, 1], c in [1/4, 1], m and xi in [-1, 1]",
                    ProxyMargin,
                    Sign::Positive,
                )
                .on_a_part()
                .erase(),
            ),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("without-c", "the numerator is |xi| alone", check(n(1), false)),
            mutant("factor-0.99", "the numerator is 0.99 (|xi| + c)", check(q(99, 100), true)),
        ]
    }
    Claim {
        id: "adagrad/proxy",
        statement: "v0, c, lambda >= 0, m and xi real, v = v0 + (m + xi)^2, w = v0 + m^2 + c^2 (lambda > 0 or v, w > 0): |1/(lambda + sqrt v) - 1/(lambda + sqrt w)| <= (|xi| + c)/((lambda + sqrt v)(lambda + sqrt w))",
        assumptions: &["v0, c, lambda >= 0", "lambda > 0 or v, w > 0"],
        provenance: Provenance::Derived,
        source: "the technique is the paper's, by its public notes; the constant is ours",
        declared: Verdict::Holds,
        argument: "Multiplied by the denominators, lambda drops out: |sqrt v - sqrt w| <= |xi| + c. Now |v - w| <= |xi| (|m + xi| + |m|) + c^2 <= (|xi| + c)(sqrt v + sqrt w). Equality at v0 = c = 0 with m and xi of one sign (m = 0 among them), and at v0 = m = xi = 0.",
        gap: None,
        finding: None,
        see: &["adagrad/upper-main"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// (sum x^2)^(1/2) against (sum |x|^p)^(1/p) with |x| = y^k, so that both sides are powers of integers: for p = a/k,
/// (sum y^(2k))^a <= (sum y^a)^(2k).
fn norm_judgement(x: &Integers, a: u32, k: u32) -> Judgement {
    let power = |exponent: u32| x.0.iter().fold(n(0), |sum, &y| sum + n(y.abs()).powi(exponent));
    Judgement::compare(power(2 * k).powi(a), Relation::Le, power(a).powi(2 * k))
}

fn l2_lp() -> Claim {
    fn check(a: u32, k: u32) -> Check {
        let family = Tuples {
            name: "norms",
            domain: "three numbers xi = +-y^k, y integer",
            length: 3,
            signed_from: 0,
            cap: 1 << 10,
            first: vec![vec![0, 0, 0], vec![1, 0, 0], vec![0, -7, 0], vec![1, 1, 0], vec![1, 1, 1], vec![1000, 1, 1]],
        };
        ExactPart::new(family, move |x: &Integers| norm_judgement(x, a, k)).erase()
    }
    /// Equality exactly where at most one is not 0, for p < 2.
    fn equality(a: u32, k: u32) -> Check {
        let family = Tuples {
            name: "norms-equality",
            domain: "three numbers xi = +-y^k, y integer",
            length: 3,
            signed_from: 0,
            cap: 1 << 10,
            first: vec![vec![0, 0, 0], vec![1, 0, 0], vec![0, -7, 0], vec![1, 1, 0], vec![1, 1, 1]],
        };
        ExactPart::new(family, move |x: &Integers| {
            let power = |exponent: u32| x.0.iter().fold(n(0), |sum, &y| sum + n(y.abs()).powi(exponent));
            let equal = power(2 * k).powi(a).equals(&power(a).powi(2 * k)).is_true();
            let single = x.0.iter().filter(|&&y| y != 0).count() <= 1;
            Judgement::Property { holds: equal == single, detail: format!("sides equal: {equal}; at most one not 0: {single}") }
        })
        .erase()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("p=1/2", "p = 1/2", check(1, 2)),
            part("p=1", "p = 1", check(1, 1)),
            part("p=4/3", "p = 4/3", check(4, 3)),
            part("p=3/2", "p = 3/2", check(3, 2)),
            part("p=2", "p = 2 (always equal)", check(2, 1)),
            part("equality", "p = 3/2: equal exactly when at most one is not 0", equality(3, 2)),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![mutant("p=5/2", "the assumption p <= 2 dropped: p = 5/2", check(5, 2))]
    }
    Claim {
        id: "adagrad/l2-lp",
        statement: "(sum xi_t^2)^(1/2) <= (sum |xi_t|^p)^(1/p) for 0 < p <= 2, with equality (p < 2) exactly when at most one xi_t is not 0",
        assumptions: &["0 < p <= 2"],
        provenance: Provenance::Derived,
        source: "monotonicity of l^p norms",
        declared: Verdict::Holds,
        argument: "Scale the right side to 1: then |xi_t| <= 1, so xi_t^2 <= |xi_t|^p. The checks take |xi_t| = y^k and p = a/k, which clears all roots.",
        gap: None,
        finding: None,
        see: &["adagrad/noise-growth"],
        parts,
        mutants,
        without_mutants: None,
    }
}
