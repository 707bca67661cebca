//! Claims, and the mutants that the same code must refute.

use super::bounds::{product, squares};
use super::instances::{Pair, Pairs};
use claim::{Check, Claim, ExactPart, Judgement, Provenance, Relation, Verdict, mutant, part};
use numeric::{Field, Rational};

/// 2 x y <= factor (x^2 + y^2), or with another relation.
fn check(factor: Rational, relation: Relation) -> Check {
    ExactPart::new(Pairs, move |pair: &Pair| {
        let (x, y) = pair.values();
        Judgement::compare(product(&x, &y), relation, factor.clone() * squares(&x, &y))
    })
    .erase()
}

/// All claims of the paper, in the order of its argument.
#[must_use]
pub fn claims() -> Vec<Claim> {
    vec![Claim {
        id: "newpaper/example",
        statement: "2 x y <= x^2 + y^2 for all real x, y",
        assumptions: &["x and y are real"],
        provenance: Provenance::Derived,
        source: "the square of x - y",
        declared: Verdict::Holds,
        argument: "x^2 + y^2 - 2 x y = (x - y)^2 >= 0. `claim::identity` would prove it; here it is tried on instances.",
        gap: None,
        finding: None,
        see: &[],
        parts: || vec![part("bound", "2 x y <= x^2 + y^2", check(Rational::one(), Relation::Le))],
        mutants: || {
            vec![
                mutant("one-percent", "2 x y <= (99/100) (x^2 + y^2)", check(Rational::new(99, 100), Relation::Le)),
                mutant("strict", "2 x y < x^2 + y^2", check(Rational::one(), Relation::Lt)),
            ]
        },
        without_mutants: None,
    }]
}
