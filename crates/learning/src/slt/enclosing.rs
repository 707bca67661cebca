//! Small things that the claims on coverings and chaining share.

use claim::{Judgement, Relation};
use numeric::{BigInterval, Field, Ordered, Rational, Real, Truth};

pub(super) use claim::{compare_enclosed, mutant, part};

pub(super) fn q(p: i64, r: i64) -> Rational {
    Rational::new(p, r)
}

pub(super) fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// A value that does not exist: a comparison with it stays undecided.
pub(super) fn unknown() -> Judgement {
    Judgement::compare(Rational::UNDEFINED, Relation::Le, Rational::UNDEFINED)
}

/// A comparison of two sides that are already enclosed.
pub(super) fn compare_big(lhs: &BigInterval, relation: Relation, rhs: &BigInterval) -> Judgement {
    let detail = format!("lhs {}, rhs {}", lhs.to_decimal(25), rhs.to_decimal(25));
    let (small, large) = if matches!(relation, Relation::Ge | Relation::Gt) { (rhs, lhs) } else { (lhs, rhs) };
    let (low, high) = (small.to_interval(), large.to_interval());
    let ratio = if low.lo() >= 0.0 && high.lo() > 0.0 { (low / high).lo() } else { f64::NAN };
    match relation.decide(lhs, rhs) {
        Truth::Unknown => unknown(),
        truth => Judgement::Enclosed { holds: truth.is_true(), detail, ratio },
    }
}

/// The enclosure with these ends.
pub(super) fn between(ends: &(Rational, Rational)) -> BigInterval {
    BigInterval::between(&ends.0, &ends.1)
}

/// A rational number as a real.
pub(super) fn real<S: Real>(value: &Rational) -> S {
    S::from_rational(value)
}

/// The smallest integer that is at least the value, for what fits into machine integers.
pub(super) fn ceiling(value: &Rational) -> Option<u64> {
    Ordered::ceil(value).to_i128().and_then(|value| u64::try_from(value).ok())
}

/// base^exponent for a machine exponent.
pub(super) fn power<S: Field>(base: &S, exponent: u64) -> Option<S> {
    u32::try_from(exponent).ok().filter(|exponent| *exponent <= 1 << 20).map(|exponent| base.powi(exponent))
}
