//! The working precision: a number of bits that the operations of the current thread round to.

use std::cell::Cell;

/// Bits of the working precision unless a scope says otherwise: about 38 digits.
pub const DEFAULT_PRECISION: u32 = 128;
/// The precisions tried one after the other where doubles do not decide a comparison: each step costs about three times the one before.
pub const PRECISIONS: [u32; 4] = [128, 256, 512, 1_024];
/// The least precision that may be asked for.
pub const MIN_PRECISION: u32 = 2;
/// The largest precision that may be asked for: about 19,700 digits.
pub const MAX_PRECISION: u32 = 65_536;

thread_local! {
    static BITS: Cell<u32> = const { Cell::new(DEFAULT_PRECISION) };
}

/// A precision that cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a precision of {bits} bits is not between {MIN_PRECISION} and {MAX_PRECISION}")]
pub struct PrecisionError {
    /// What was asked for.
    pub bits: u32,
}

/// Runs `work` with a working precision of `bits` on this thread; the old one is back afterwards, also when `work` panics.
///
/// Every enclosure is correct at any precision; more bits make it narrower.
///
/// ```
/// use numeric::{BigInterval, Field, Real, with_precision};
/// let pi = with_precision(256, BigInterval::pi)?;
/// assert!(pi.to_decimal(60).starts_with("3.14159265358979323846264338327950288419716939937510582097494"));
/// assert!(with_precision(0, BigInterval::pi).is_err());
/// # Ok::<(), numeric::PrecisionError>(())
/// ```
///
/// # Errors
/// [`PrecisionError`] when `bits` is below [`MIN_PRECISION`] or above [`MAX_PRECISION`].
pub fn with_precision<T>(bits: u32, work: impl FnOnce() -> T) -> Result<T, PrecisionError> {
    if !(MIN_PRECISION..=MAX_PRECISION).contains(&bits) {
        return Err(PrecisionError { bits });
    }
    Ok(scoped(bits, work))
}

struct Restore(u32);

impl Drop for Restore {
    fn drop(&mut self) {
        BITS.set(self.0);
    }
}

/// The same for the functions of this room, whose guard bits may pass the limit.
pub(crate) fn scoped<T>(bits: u32, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(BITS.replace(bits.max(MIN_PRECISION)));
    work()
}

/// The working precision of this thread.
pub(crate) fn bits() -> u32 {
    BITS.get()
}
