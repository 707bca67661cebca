//! Group D: the noises and their moments.

use super::shared::{mutant, n, part, q};
use claim::{
    Arm, Asserted, Check, Claim, Coverage, ExactPart, Family, Instance, Judgement, Knowledge, Mutant, Part, Provenance, StatisticalPart, Tape,
    Verdict,
};
use numeric::{BigInterval, Field, Ordered, Rational};
use sample::{Law, LawError, Lottery, Pareto, SymmetricStable, TwoPoint, Words};

pub(super) fn all() -> Vec<Claim> {
    vec![moments()]
}

/// Parameters of a two-valued law (both positive) and an order.
#[derive(Clone, Hash)]
struct Parameters {
    first: (i64, i64),
    second: (i64, i64),
    order: u32,
}

impl Instance for Parameters {
    fn show(&self) -> String {
        format!("({}, {}), r = {}", q(self.first.0, self.first.1), q(self.second.0, self.second.1), self.order)
    }
}

struct TwoValued;

impl Family for TwoValued {
    type Instance = Parameters;

    fn id(&self) -> String {
        "two-valued".into()
    }

    fn domain(&self) -> String {
        "rational parameters (eps, q) of the lottery or (a, b) of the two-point law, orders r = 1 to 4".into()
    }

    fn special(&self) -> Vec<Parameters> {
        let of = |first, second, order| Parameters { first, second, order };
        vec![of((1, 1), (1, 100), 2), of((1, 1), (1, 1), 1), of((9, 1), (1, 1), 2), of((1, 10), (1, 101), 2), of((1, 3), (1, 2), 3)]
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Parameters {
        let (first, second) = ((tape.heavy(1_000), tape.heavy(1_000)), (tape.heavy(1_000), tape.heavy(1_000)));
        Parameters { first, second, order: tape.integer(1, 4) as u32 }
    }
}

/// E X and E|X|^r from the two values and their probabilities.
fn direct(values: [(Rational, Rational); 2], order: u32) -> (Rational, Rational) {
    values
        .into_iter()
        .fold((n(0), n(0)), |(mean, moment), (value, chance)| (mean + chance.clone() * value.clone(), moment + chance * value.abs().powi(order)))
}

fn two_valued(lottery: bool, extra: Rational) -> Check {
    ExactPart::new(TwoValued, move |x: &Parameters| {
        let (first, second) = (q(x.first.0, x.first.1), q(x.second.0, x.second.1));
        let (values, formula) = if lottery {
            let Ok(law) = Lottery::new(first.clone(), second.clone()) else { return Judgement::Unmet };
            let win = first.clone() * (second.recip() - n(1));
            ([(win, second.clone()), (-first, n(1) - second)], law.moment(x.order))
        } else {
            let Ok(law) = TwoPoint::new(first.clone(), second.clone()) else { return Judgement::Unmet };
            let sum = first.clone() + second.clone();
            ([(first.clone(), second.clone() / sum.clone()), (-second, first / sum)], law.moment(x.order))
        };
        let (mean, moment) = direct(values, x.order);
        let formula = formula * extra.clone();
        Judgement::Property { holds: mean == n(0) && moment == formula, detail: format!("mean {mean}, moment {moment}, formula {formula}") }
    })
    .erase()
}

/// An order at or above the tail index.
#[derive(Clone, Hash)]
struct Orders((i64, i64), (i64, i64));

impl Instance for Orders {
    fn show(&self) -> String {
        format!("alpha = {}, r = {}", q(self.0.0, self.0.1), q(self.1.0, self.1.1))
    }
}

struct Infinite;

impl Family for Infinite {
    type Instance = Orders;

    fn id(&self) -> String {
        "infinite-orders".into()
    }

    fn domain(&self) -> String {
        "alpha = 1, 3/2, 9/5 with r = alpha, r = 2".into()
    }

    fn special(&self) -> Vec<Orders> {
        let of = |alpha| [Orders(alpha, alpha), Orders(alpha, (2, 1))];
        [(1, 1), (3, 2), (9, 5)].into_iter().flat_map(of).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Orders {
        Orders((1, 1), (1, 1))
    }
}

/// Whether the library refuses the moment (`refused`) or gives a number.
fn infinite(refused: bool) -> Check {
    ExactPart::new(Infinite, move |at: &Orders| {
        let (alpha, r, one) = (BigInterval::ratio(at.0.0, at.0.1), BigInterval::ratio(at.1.0, at.1.1), BigInterval::one());
        let found = [SymmetricStable::moment(&alpha, &one, &r), Pareto::moment(&alpha, &one, &r)];
        let infinite = found.iter().all(|moment| matches!(moment, Err(LawError::InfiniteMoment { .. })));
        Judgement::Property { holds: infinite == refused, detail: format!("reported as infinite: {infinite}") }
    })
    .covering(Coverage::FiniteFamily)
    .erase()
}

/// E|X|^r against its closed form from both sides, within 5%; the variance of |X|^r is at most its second moment.
fn arms(part: StatisticalPart, name: &str, law: impl Law + Clone, r: f64, mean: &BigInterval, second: &BigInterval) -> StatisticalPart {
    let variance = second.to_interval().hi();
    let centre = mean.to_interval();
    let effect = 0.05 * centre.mid();
    let draws = (100.0 * variance / (effect * effect)) as u64 + 4_096;
    [(Asserted::AtMost, BigInterval::ratio(21, 20)), (Asserted::AtLeast, BigInterval::ratio(19, 20))].into_iter().fold(
        part,
        |part, (asserted, factor)| {
            let law = law.clone();
            let arm = Arm {
                name: format!("|X|^{r}, {name}"),
                knowledge: Knowledge::Moment { order: 2.0, bound: variance },
                asserted,
                bound: (mean.clone() * factor).to_interval(),
                draws,
            };
            part.arm(arm, move |words: &mut dyn Words, out: &mut [f64]| {
                law.fill(words, out);
                for x in out {
                    *x = core_math::pow(x.abs(), r);
                }
            })
        },
    )
}

fn moments() -> Claim {
    /// `tail` multiplies the tail index in the closed form: 1 for the truth.
    fn simulated(tail: &Rational) -> Option<Check> {
        let one = BigInterval::one();
        let ratio = BigInterval::ratio;
        let part = StatisticalPart::new("Pareto(9/5) at r = 1/2; symmetric stable 3/2 at r = 3/8, 1 at r = 1/4, 2 at r = 1/2");
        let alpha = BigInterval::from_rational(&(q(9, 5) * tail.clone()));
        let moment = |r: (i64, i64)| Pareto::moment(&alpha, &one, &ratio(r.0, r.1)).ok();
        let part = arms(part, "Pareto(9/5)", Pareto::new(1.8, 1.0, true).ok()?, 0.5, &moment((1, 2))?, &moment((1, 1))?);
        [(1.5, (3, 2), 0.375, (3, 8)), (1.0, (1, 1), 0.25, (1, 4)), (2.0, (2, 1), 0.5, (1, 2))]
            .into_iter()
            .try_fold(part, |part, (alpha, exact, r, order)| {
                let index = ratio(exact.0, exact.1);
                let moment = |r: (i64, i64)| SymmetricStable::moment(&index, &one, &ratio(r.0, r.1)).ok();
                let law = SymmetricStable::new(alpha, 1.0).ok()?;
                Some(arms(part, &format!("stable({alpha})"), law, r, &moment(order)?, &moment((2 * order.0, order.1))?))
            })
            .map(StatisticalPart::erase)
    }
    fn parts() -> Vec<Part> {
        let mut parts = vec![
            part("lottery", "E X = 0 and E|X|^r = eps^r ((1-q) + q (1/q - 1)^r), r = 1 to 4", two_valued(true, n(1))),
            part("two-point", "E X = 0 and E|X|^r = (a^r b + b^r a)/(a + b), r = 1 to 4", two_valued(false, n(1))),
            part("infinite", "moments of order r >= alpha are reported as infinite", infinite(true)),
        ];
        parts.extend(simulated(&n(1)).map(|check| part("simulated", "draws have the closed forms' moments, within 5%", check)));
        parts
    }
    fn mutants() -> Vec<Mutant> {
        let mut mutants = vec![
            mutant("lottery-1.01", "the lottery's moment is 1% larger", two_valued(true, q(101, 100))),
            mutant("two-point-1.01", "the two-point law's moment is 1% larger", two_valued(false, q(101, 100))),
            mutant("finite-at-alpha", "E|X|^r is finite at r = alpha", infinite(false)),
        ];
        mutants.extend(simulated(&q(7, 10)).map(|check| mutant("tail-index-0.7", "the Pareto law's tail index is 7/10 of 9/5", check)));
        mutants
    }
    Claim {
        id: "adagrad/moments",
        statement: "Closed forms of E|X|^r: lottery eps^r ((1-q) + q (1/q-1)^r); two-point (a^r b + b^r a)/(a+b); Pareto x_m^r alpha/(alpha - r), symmetric stable c^r 2^r Gamma((1+r)/2) Gamma(1-r/alpha)/(sqrt(pi) Gamma(1-r/2)), both for r < alpha only and infinite from alpha on",
        assumptions: &["r > 0"],
        provenance: Provenance::Derived,
        source: "integration; the stable law's moments are classical",
        declared: Verdict::Supported,
        argument: "Two-valued laws by summation. The continuous ones are compared with draws at orders whose square still has a mean.",
        gap: None,
        finding: None,
        see: &["adagrad/noise-growth"],
        parts,
        mutants,
        without_mutants: None,
    }
}
