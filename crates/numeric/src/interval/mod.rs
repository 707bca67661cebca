//! Outward-rounded intervals on `f64`.
//!
//! An [`Interval`] encloses every value that a formula takes on its inputs. The rules:
//!
//! * **Ends** are floats; `-inf` and `inf` mean unbounded. An end is never NaN, and zero has no sign that a branch could see.
//! * **Exact results are not widened**: an operation whose result is a float returns it, so equality cases can be proved.
//! * **Empty** is a value of its own (no point of the input was in the domain); every operation with it is empty; no comparison with it is decided.
//! * **No information** is the whole line, never the empty set.
//! * **Defined** tells whether every operation so far was defined on all of its input (the decoration of IEEE 1788-2015, section 8.8, reduced to one
//!   bit: `def` or better against `trv`). ln, sqrt and division on a partly bad input give the image of the good part and clear the bit;
//!   no comparison with such an interval is decided.
//!
//! The page `docs/arithmetic.md` lists by how much each operation is widened and what it trusts.

mod arithmetic;
mod elementary;
mod special;

use crate::{Rational, Truth};
use std::fmt;

/// A closed interval with float ends, or the empty set. See the module's rules.
#[derive(Clone, Copy)]
pub struct Interval {
    lo: f64,
    hi: f64,
    defined: bool,
}

/// Why two numbers are not the ends of an interval.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum IntervalError {
    /// An end is NaN.
    #[error("an interval's end is NaN: [{lo}, {hi}]")]
    NotANumber {
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// The lower end is above the upper one.
    #[error("an interval's ends are reversed: [{lo}, {hi}]")]
    Reversed {
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
    /// Both ends are the same infinity: no number lies between.
    #[error("no number lies in [{lo}, {hi}]")]
    Infinite {
        /// Lower end.
        lo: f64,
        /// Upper end.
        hi: f64,
    },
}

impl Interval {
    /// The whole line, defined: nothing is known of the value.
    pub const WHOLE: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY, defined: true };
    /// The empty set.
    pub const EMPTY: Interval = Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY, defined: false };

    /// `[lo, hi]`.
    ///
    /// # Errors
    /// [`IntervalError`] for a NaN end, reversed ends, or twice the same infinity.
    pub fn new(lo: f64, hi: f64) -> Result<Interval, IntervalError> {
        if lo.is_nan() || hi.is_nan() {
            return Err(IntervalError::NotANumber { lo, hi });
        }
        if lo > hi {
            return Err(IntervalError::Reversed { lo, hi });
        }
        if lo == hi && lo.is_infinite() {
            return Err(IntervalError::Infinite { lo, hi });
        }
        Ok(Interval::raw(lo, hi))
    }

    /// `[x, x]`; for a NaN or an infinity the whole line, not defined (it is no number).
    #[must_use]
    pub fn point(x: f64) -> Interval {
        if x.is_finite() { Interval::raw(x, x) } else { Interval::WHOLE.undefined() }
    }

    /// The tightest interval around a rational; the whole line, not defined, for the undefined rational.
    #[must_use]
    pub fn from_rational(value: &Rational) -> Interval {
        if value.is_defined() { Interval::raw(value.to_f64_down(), value.to_f64_up()) } else { Interval::WHOLE.undefined() }
    }

    /// Ends that the caller knows to be in order; -0 becomes 0.
    #[inline]
    pub(crate) fn raw(lo: f64, hi: f64) -> Interval {
        debug_assert!(lo <= hi, "ends out of order: {lo} {hi}");
        Interval { lo: lo + 0.0, hi: hi + 0.0, defined: true }
    }

    /// The same set, not defined everywhere.
    #[inline]
    #[must_use]
    pub(crate) fn undefined(mut self) -> Interval {
        self.defined = false;
        self
    }

    /// The same set, defined only if `condition` is, too.
    #[inline]
    #[must_use]
    pub(crate) fn defined_if(mut self, condition: bool) -> Interval {
        self.defined &= condition;
        self
    }

    /// Lower end (`inf` for the empty set).
    #[inline]
    #[must_use]
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// Upper end (`-inf` for the empty set).
    #[inline]
    #[must_use]
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Whether it is the empty set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    /// Whether every operation so far was defined on all of its input.
    #[inline]
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined
    }

    /// Whether it is one number.
    #[inline]
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// Whether both ends are finite (the empty set is bounded).
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.lo != f64::NEG_INFINITY && self.hi != f64::INFINITY
    }

    /// Whether the number lies in it.
    #[inline]
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        self.lo <= x && x <= self.hi && x.is_finite()
    }

    /// Whether the rational lies in it.
    #[must_use]
    pub fn contains_rational(&self, x: &Rational) -> bool {
        if self.is_empty() || !x.is_defined() {
            return false;
        }
        let above = Rational::from_f64(self.lo).is_none_or(|lo| lo <= *x);
        let below = Rational::from_f64(self.hi).is_none_or(|hi| *x <= hi);
        above && below
    }

    /// Whether every number of `self` is in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Interval) -> bool {
        self.is_empty() || (other.lo <= self.lo && self.hi <= other.hi)
    }

    /// hi - lo rounded up; 0 for the empty set.
    #[must_use]
    pub fn width(&self) -> f64 {
        if self.is_empty() { 0.0 } else { crate::round::add_up(self.hi, -self.lo) }
    }

    /// A finite number inside, near the middle (0 for the whole line and for the empty set).
    #[must_use]
    pub fn mid(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        match (self.lo.is_finite(), self.hi.is_finite()) {
            (true, true) => {
                let mid = self.lo / 2.0 + self.hi / 2.0;
                // Halving a subnormal end may round: stay inside.
                mid.clamp(self.lo, self.hi)
            }
            (false, false) => 0.0,
            // An unbounded side: a finite number far out, so that bisection reaches any scale in a few steps.
            (true, false) => {
                if self.lo < 0.0 {
                    0.0
                } else {
                    (self.lo.max(1.0) * 16.0).min(f64::MAX).max(self.lo)
                }
            }
            (false, true) => {
                if self.hi > 0.0 {
                    0.0
                } else {
                    (self.hi.min(-1.0) * 16.0).max(-f64::MAX).min(self.hi)
                }
            }
        }
    }

    /// The two halves, meeting at [`Self::mid`].
    #[must_use]
    pub fn split(&self) -> (Interval, Interval) {
        if self.is_empty() {
            return (*self, *self);
        }
        let mid = self.mid();
        let half = |lo, hi| Interval { defined: self.defined, ..Interval::raw(lo, hi) };
        (half(self.lo, mid), half(mid, self.hi))
    }

    /// Largest |x| in it; 0 for the empty set.
    #[must_use]
    pub fn mag(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.lo.abs().max(self.hi.abs()) }
    }

    /// Smallest |x| in it; 0 for the empty set.
    #[must_use]
    pub fn mig(&self) -> f64 {
        if self.is_empty() || (self.lo <= 0.0 && self.hi >= 0.0) { 0.0 } else { self.lo.abs().min(self.hi.abs()) }
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn hull(&self, other: &Interval) -> Interval {
        if self.is_empty() {
            return other.defined_if(self.defined);
        }
        if other.is_empty() {
            return self.defined_if(other.defined);
        }
        Interval::raw(self.lo.min(other.lo), self.hi.max(other.hi)).defined_if(self.defined && other.defined)
    }

    /// The numbers in both. The bit is kept if both have it: an intersection of two enclosures of one value is an enclosure of it.
    #[must_use]
    pub fn intersect(&self, other: &Interval) -> Interval {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo > hi { Interval::EMPTY } else { Interval::raw(lo, hi).defined_if(self.defined && other.defined) }
    }

    /// Whether the order of all pairs is decided.
    #[inline]
    fn compare(&self, other: &Interval, certainly: bool, certainly_not: bool) -> Truth {
        if self.is_empty() || other.is_empty() || !self.defined || !other.defined {
            Truth::Unknown
        } else if certainly {
            Truth::True
        } else if certainly_not {
            Truth::False
        } else {
            Truth::Unknown
        }
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("empty");
        }
        write!(f, "[{:e}, {:e}]{}", self.lo, self.hi, if self.defined { "" } else { " (not defined everywhere)" })
    }
}
