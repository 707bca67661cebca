//! The command line as a function, and the facade for property tests of one's own.
//!
//! ```
//! use theorycheck::numeric::{Field, Interval, Ordered, Rational, Real, Truth};
//!
//! // One formula, exactly and certified: x - ln(1 + x) >= 0 at x = 1/10.
//! fn gap<S: Real>(x: S) -> S {
//!     x.clone() - x.ln_1p()
//! }
//! let x: Interval = Interval::from_rational(&"0.1".parse::<Rational>()?);
//! assert_eq!(Interval::zero().lt(&gap(x)), Truth::True);
//! # Ok::<(), theorycheck::numeric::ParseRationalError>(())
//! ```

mod calc;
mod check;
mod commands;
mod common;
mod falsify;
mod lean;
mod look;
mod new;
mod plot;
mod registry;
mod sample;
mod select;
mod setup;

pub use calculator;
pub use claim;
/// The parser's type of a command.
pub use clap::Command;
pub use commands::{main_with, parser};
pub use common::{Exit, Streams};
pub use compression;
pub use engine;
pub use formal;
pub use lean::candidates as lean_candidates;
pub use learning;
pub use numeric;
pub use optimization;
pub use registry::papers;
pub use report;
