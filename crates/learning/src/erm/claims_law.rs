//! How often the minimizer overfits: the law of the unseen fraction; Feldman's construction, where only the worst minimizer does.

use super::bounds;
use super::code::Code;
use super::instances::words_of_seed;
use super::shared::{mutant, n, part, q};
use claim::{
    Arm, Asserted, CertifiedPart, Check, Claim, Coverage, ExactPart, Family, Formula, Instance, Judgement, Knowledge, Mutant, Parameter, Part,
    Provenance, Relation, Sign, StatisticalPart, Tape, Verdict,
};
use numeric::{Field, Interval, QuadraticSurd, Rational, Real};
use sample::Words;
use std::sync::OnceLock;

pub(super) fn all() -> Vec<Claim> {
    vec![probability(), feldman()]
}

/// A number of draws.
#[derive(Clone, Hash)]
struct Size(u32);

impl Instance for Size {
    fn show(&self) -> String {
        format!("m = n = {}", self.0)
    }
}

/// A range of sizes.
struct SizeRange {
    name: &'static str,
    low: u32,
    high: u32,
}

impl Family for SizeRange {
    type Instance = Size;

    fn id(&self) -> String {
        self.name.into()
    }

    fn domain(&self) -> String {
        format!("m = n = {}, .., {}", self.low, self.high)
    }

    fn special(&self) -> Vec<Size> {
        (self.low..=self.high).map(Size).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Size {
        Size(self.low)
    }
}

/// Every m of the claim.
fn sizes(judge: impl Fn(u32) -> Judgement + Send + Sync + 'static) -> Check {
    ExactPart::new(SizeRange { name: "draws", low: 2, high: 64 }, move |size: &Size| judge(size.0)).covering(Coverage::WholeDomain).erase()
}

/// The law for every m up to 64, computed once.
fn occupancy(m: u32) -> &'static [Rational] {
    static LAWS: OnceLock<Vec<Vec<Rational>>> = OnceLock::new();
    let laws = LAWS.get_or_init(|| (0..=64).map(bounds::occupancy).collect());
    laws.get(m as usize).map_or(&[], Vec::as_slice)
}

/// The law by one draw after the other, in numbers of sequences: `fresh` of the n symbols are new when k were seen.
fn by_draws(m: u32, fresh: fn(i64, i64) -> i64) -> Vec<Rational> {
    let count = i64::from(m);
    let mut ways = vec![n(0); m as usize + 1];
    ways[0] = n(1);
    for _ in 0..m {
        let mut next = vec![n(0); ways.len()];
        for (k, number) in ways.iter().enumerate().filter(|(_, number)| !number.is_zero()) {
            let new = fresh(k as i64, count);
            if k + 1 < next.len() {
                next[k + 1] = next[k + 1].clone() + number.clone() * n(new);
            }
            next[k] = next[k].clone() + number.clone() * n(count - new);
        }
        ways = next;
    }
    let total = n(count).powi(m);
    ways.into_iter().map(|number| number / total.clone()).collect()
}

fn new_symbols(k: i64, count: i64) -> i64 {
    count - k
}

/// The number of distinct symbols among m draws from m; an index is off uniform by at most m/2^64.
fn draw_support(m: u32, words: &mut dyn Words) -> u32 {
    (0..m).fold(0_u64, |seen, _| seen | 1 << ((u128::from(words.word()) * u128::from(m)) >> 64)).count_ones()
}

fn probability() -> Claim {
    fn law(fresh: fn(i64, i64) -> i64) -> Check {
        sizes(move |m| {
            let (formula, draws) = (occupancy(m), by_draws(m, fresh));
            let total = formula.iter().fold(n(0), |sum, share| sum + share.clone());
            Judgement::Property { holds: formula == draws && total == n(1), detail: format!("the formula's entries sum to {total}") }
        })
    }
    fn mean(formula: fn(u32) -> Rational) -> Check {
        sizes(move |m| {
            let law = occupancy(m).iter().enumerate();
            let mean = law.fold(n(0), |sum, (k, share)| sum + share.clone() * q(i64::from(m) - k as i64, i64::from(m)));
            Judgement::compare(mean, Relation::Eq, formula(m))
        })
    }
    /// P(u >= share) against 1/2.
    fn half(share: (i64, i64), relation: Relation) -> Check {
        sizes(move |m| {
            let count = i64::from(m);
            let law = occupancy(m).iter().enumerate().filter(|(k, _)| q(count - *k as i64, count) >= q(share.0, share.1));
            Judgement::compare(law.fold(n(0), |sum, (_, value)| sum + value.clone()), relation, q(1, 2))
        })
    }
    /// The share of samples whose minimizer has excess at least 1/64 at r = 1/2 and b = 1/(2 ceil(sqrt m)), by draws.
    fn drawn(bounds_of: &[(u32, Rational)]) -> Check {
        bounds_of
            .iter()
            .fold(StatisticalPart::new("u >= 1/4 for m = 4 and m = 64 draws, which makes the excess at least 1/64 at r = 1/2"), |part, (m, bound)| {
                let m = *m;
                let arm = Arm {
                    name: format!("u >= 1/4, m = {m}"),
                    knowledge: Knowledge::Bounded { low: 0.0, high: 1.0 },
                    asserted: Asserted::AtLeast,
                    bound: Interval::from_rational(bound),
                    draws: 16_384,
                };
                part.arm(arm, move |words: &mut dyn Words, out: &mut [f64]| {
                    out.fill_with(|| f64::from(u8::from(4 * draw_support(m, words) <= 3 * m)));
                })
            })
            .erase()
    }
    /// u >= 1/4 gives excess at least 1/64: u (a b + a4 r/4) with r = 1/2.
    fn constant() -> Check {
        sizes(|m| {
            let b = super::problem::default_b(m as usize);
            Judgement::compare(bounds::excess(&b, &q(1, 2), &q(1, 4)), Relation::Ge, q(1, 64))
        })
    }
    fn parts() -> Vec<Part> {
        let mut half_part = part("half", "P(u >= 1/4) >= 1/2", half((1, 4), Relation::Ge));
        half_part.checks.push(drawn(&[(4, q(7, 8)), (64, q(1, 2))]));
        vec![
            part("law", "P(|supp| = k) = C(n,k) k! S2(m,k)/n^m: it is the law of draw after draw", law(new_symbols)),
            part("mean", "E u = (1 - 1/n)^m", mean(bounds::mean_unseen)),
            half_part,
            part("constant", "u >= 1/4 and r = 1/2 give an excess of at least 1/64", constant()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("strict", "P(u >= 1/4) > 1/2: equal at m = 2", half((1, 4), Relation::Gt)),
            mutant("half-unseen", "P(u >= 1/2) >= 1/2", half((1, 2), Relation::Ge)),
            mutant("mean-1.01", "E u is 1% larger", mean(|m| q(101, 100) * bounds::mean_unseen(m))),
            mutant("without-repeats", "every draw is new", law(|_, count| count)),
            mutant("fifteen-sixteenths", "P(u >= 1/4) >= 15/16 at m = 4 (it is 29/32)", drawn(&[(4, q(15, 16))])),
        ]
    }
    Claim {
        id: "erm/probability",
        statement: "P(|supp| = k) = C(n,k) k! S2(m,k)/n^m, E u = (1-1/n)^m, and P(u >= 1/4) >= 1/2 for every m = n in {2, .., 64} (exactly 1/2 at m = 2): with probability at least 1/2 the unique ERM has excess at least 1/64 in dimension 7m",
        assumptions: &["m = n, 2 <= m <= 64, draws uniform and independent", "r = 1/2 for the constant 1/64"],
        provenance: Provenance::Derived,
        source: "the abstract's 'with probability at least 1/2', on our instance",
        declared: Verdict::Proved,
        argument: "Classical occupancy: all 63 laws are computed exactly, and again draw by draw. By erm/excess the excess is u (a b + a4 r/4) >= u/16 at r = 1/2. As m grows, u concentrates at 1/e and the probability tends to 1; only m <= 64 is claimed.",
        gap: None,
        finding: None,
        see: &["erm/excess"],
        parts,
        mutants,
        without_mutants: None,
    }
}

/// -t - ln(1-t) for t = 2^-m: positive where (1-t)^(1/t) < 1/e. `share` multiplies t in front.
struct Missed {
    share: (i64, i64),
}

impl Formula for Missed {
    fn eval<S: Real>(&self, x: &[S]) -> S {
        -(-x[0].clone()).ln_1p() - S::ratio(self.share.0, self.share.1) * x[0].clone()
    }

    fn eval_exact(&self, x: &[QuadraticSurd]) -> Option<QuadraticSurd> {
        // Rational at t = 0 only.
        (x[0].signum() == Some(0)).then(QuadraticSurd::zero)
    }
}

/// max over the words of a set of words of <v, v_word>, at least 1/2: g_A(v).
fn feldman_value(code: &Code, chosen: usize, at: Option<usize>) -> Rational {
    let Some(word) = at else { return q(1, 2) };
    let members = (0..1 << code.symbols()).filter(|member| chosen >> member & 1 == 1);
    members.map(|member| code.overlap(word, member)).fold(q(1, 2), |best, value| numeric::Ordered::max(&best, &value))
}

fn feldman() -> Claim {
    /// 1 - (1-2^-m)^(2^m) against a bound, enclosed.
    fn at_least(bound: fn() -> Interval) -> Check {
        ExactPart::new(SizeRange { name: "sizes", low: 1, high: 16 }, move |size: &Size| {
            let value = bounds::missed_word::<numeric::BigInterval>(size.0).to_interval();
            let bound = bound();
            super::shared::certain(
                numeric::Ordered::le(&bound, &value),
                format!("probability in [{:e}, {:e}], bound {:e}", value.lo(), value.hi(), bound.lo()),
            )
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    /// The same law by counting all outcomes: m random sets of 2^m words, m = 1, 2.
    fn counted(formula: fn(u32) -> Rational) -> Check {
        ExactPart::new(SizeRange { name: "counted", low: 1, high: 2 }, move |size: &Size| {
            let (m, words) = (size.0, 1_u32 << size.0);
            let total = 1_u64 << (m * words);
            let missed = (0..total).filter(|outcome| {
                let covered = (0..m).fold(0, |union, set| union | outcome >> (set * words) & ((1 << words) - 1));
                covered != (1 << words) - 1
            });
            Judgement::compare(Rational::from_i128(missed.count() as i128, i128::from(total)), Relation::Eq, formula(m))
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    /// F at a codeword, or at 0, by all sets of codewords.
    fn population(at_word: bool, expected: Rational) -> Check {
        ExactPart::new(SizeRange { name: "codes", low: 2, high: 3 }, move |size: &Size| {
            let Ok(code) = Code::search(size.0 as usize, words_of_seed(0)) else { return Judgement::Unmet };
            let words = 1_usize << size.0;
            let sets = 1_usize << words;
            let values = (0..words).map(|word| {
                let sum = (0..sets).fold(n(0), |sum, chosen| sum + feldman_value(&code, chosen, at_word.then_some(word)));
                sum / n(sets as i64)
            });
            let all: Vec<Rational> = values.collect();
            let shown: Vec<String> = all.iter().map(ToString::to_string).collect();
            Judgement::Property { holds: all.iter().all(|value| *value == expected), detail: format!("F = {}", shown.join(", ")) }
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    /// All pairs of sets at m = 2: a word in neither has F_S = 1/2, which no point undercuts.
    fn empirical() -> Check {
        ExactPart::new(SizeRange { name: "samples", low: 2, high: 2 }, |size: &Size| {
            let Ok(code) = Code::search(size.0 as usize, words_of_seed(0)) else { return Judgement::Unmet };
            let mut tried = 0;
            for outcome in 0..256_usize {
                let sets = [outcome & 15, outcome >> 4];
                let risk = |at: Option<usize>| (feldman_value(&code, sets[0], at) + feldman_value(&code, sets[1], at)) / n(2);
                for word in (0..4).filter(|word| (sets[0] | sets[1]) >> word & 1 == 0) {
                    tried += 1;
                    if risk(Some(word)) != q(1, 2) || risk(None) != q(1, 2) {
                        return Judgement::Property { holds: false, detail: format!("sets {sets:?}, word {word}: F_S = {}", risk(Some(word))) };
                    }
                }
            }
            Judgement::Property { holds: tried > 0, detail: format!("{tried} words in neither set") }
        })
        .covering(Coverage::FiniteFamily)
        .erase()
    }
    fn limit() -> Interval {
        Interval::one() - (-Interval::one()).exp()
    }
    fn parts() -> Vec<Part> {
        vec![
            part("probability", "1 - (1 - 2^-m)^(2^m) >= 1 - 1/e", at_least(limit)),
            part(
                "all-m",
                "-t - ln(1-t) >= 0 for t = 2^-m, which is the same inequality",
                CertifiedPart::new(vec![Parameter::real("t", n(0), q(1, 2))], "all t in [0, 1/2]", Missed { share: (1, 1) }, Sign::NonNegative)
                    .erase(),
            ),
            part("counted", "it is the share of all outcomes with a word that no set has, m = 1, 2", counted(bounds::missed_word)),
            part("population", "F(v) = 3/4 for every codeword, m = 2, 3", population(true, q(3, 4))),
            part("origin", "F(0) = 1/2", population(false, q(1, 2))),
            part("empirical", "a codeword that no set has is an ERM with F_S = 1/2, and so is 0", empirical()),
        ]
    }
    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("seven-tenths", "the probability is at least 7/10", at_least(|| Interval::ratio(7, 10))),
            mutant("one-word", "the probability is 2^-m, that of one word", counted(|m| q(1, 1 << m))),
            mutant("every-erm", "every ERM has F = 3/4: the ERM 0 has not", population(false, q(3, 4))),
        ]
    }
    Claim {
        id: "erm/feldman-baseline",
        statement: "g_A(w) = max{1/2, max over v in A of <v, w>} with A a random half of 2^m codewords: with probability 1 - (1 - 2^-m)^(2^m) >= 1 - 1/e some codeword v is in no A_i; then F_S(v) = 1/2 is minimal and F(v) = 3/4. But w = 0 is an ERM with F = 1/2: only the worst ERM fails",
        assumptions: &["unit vectors with inner products of at most 1/2"],
        provenance: Provenance::Paper,
        source: "Feldman 2016, arXiv 1608.04414; the baseline that the paper improves",
        declared: Verdict::Holds,
        argument: "Words are in no A_i independently with probability 2^-m each. v in A has g = 1; otherwise its inner products with A are at most 1/2. (1-1/N)^N <= 1/e because ln(1-t) <= -t.",
        gap: Some("the values F for m > 3: sets of codewords are enumerated for m = 2, 3"),
        finding: None,
        see: &["erm/excess"],
        parts,
        mutants,
        without_mutants: None,
    }
}
