//! Small things that the claims' files share.

use claim::{Judgement, Relation};
use numeric::{BigInterval, Interval, Rational, Real, Truth, with_precision};

pub(super) use claim::{mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// Precisions at which two irrational sides are compared before they count as undecided.
const LADDER: [u32; 3] = [128, 256, 512];

/// Two sides of a comparison, written once over the reals.
pub(super) trait Sides {
    /// (left, right)
    fn sides<S: Real>(&self) -> (S, S);
}

/// A comparison of irrational sides by enclosures: doubles first, then more bits. An equality of irrational sides stays undecided.
pub(super) fn compare_enclosed(relation: Relation, at: &impl Sides) -> Judgement {
    let (lhs, rhs) = at.sides::<Interval>();
    let mut truth = relation.decide(&lhs, &rhs);
    let mut shown = format!("lhs in [{:e}, {:e}], rhs in [{:e}, {:e}]", lhs.lo(), lhs.hi(), rhs.lo(), rhs.hi());
    let (small, large) = if matches!(relation, Relation::Ge | Relation::Gt) { (rhs, lhs) } else { (lhs, rhs) };
    let ratio = if small.lo() >= 0.0 && large.lo() > 0.0 { (small / large).lo() } else { f64::NAN };
    for bits in LADDER {
        if truth != Truth::Unknown {
            break;
        }
        // The ladder's precisions are all allowed, so the error cannot occur.
        let Ok((lhs, rhs)) = with_precision(bits, || at.sides::<BigInterval>()) else { continue };
        truth = relation.decide(&lhs, &rhs);
        shown = format!("lhs {}, rhs {}", lhs.to_decimal(25), rhs.to_decimal(25));
    }
    match truth {
        Truth::Unknown => Judgement::compare(Rational::UNDEFINED, relation, Rational::UNDEFINED),
        truth => Judgement::Enclosed { holds: truth.is_true(), detail: shown, ratio },
    }
}
