//! Intervals whose ends are dyadic numbers of any precision: what decides where the width of `f64` intervals does not.
//!
//! The rules are those of [`crate::Interval`]: outward rounding, a defined bit, the whole line for "nothing is known". The precision is that of the
//! thread ([`with_precision`]); a value keeps the bits that it was made with.

mod arithmetic;
mod elementary;
mod float;
mod gamma;
mod kernel;
mod precision;

pub use arithmetic::BigInterval;
pub use precision::{DEFAULT_PRECISION, MAX_PRECISION, MIN_PRECISION, PRECISIONS, PrecisionError, with_precision};

pub(crate) use kernel::from_fixed;
pub(crate) use precision::{bits as precision_bits, scoped as scoped_precision};
