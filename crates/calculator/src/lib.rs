//! What a paper offers on a user's own data: a command, its arguments, and an answer of ordered keys.
//!
//! A calculator computes and names; how an answer looks is the report's business, and which papers exist is the registry's.

mod answer;
mod plot;

pub use answer::{Answer, Report, Value};
pub use plot::{Axis, Marks, Plot, Scale, Series};

use claim::{Claim, Paper};
use std::io::Read;

/// What a field crate lists for each of its papers.
pub struct Offer {
    /// The paper.
    pub paper: Paper,
    /// Its claims, in order.
    pub claims: fn() -> Vec<Claim>,
    /// Its calculator, if it has one.
    pub calculator: Option<&'static dyn Calculator>,
    /// Its headline figure, if it has one: a picture of the paper's main statement against what happens.
    pub figure: Option<fn() -> Plot>,
}

/// A paper's calculator.
pub trait Calculator: Sync {
    /// The command: its name is the paper's slug; its help shows examples.
    fn command(&self) -> clap::Command;

    /// Answers for parsed arguments. `stdin` is read only where an argument says `-`.
    ///
    /// # Errors
    /// [`CalculatorError`] for whatever the user can mend: an argument, a file, a line in it.
    fn run(&self, arguments: &clap::ArgMatches, stdin: &mut dyn Read) -> Result<Answer, CalculatorError>;
}

/// What a user can mend. One line; the exit code is 2.
#[derive(Debug, thiserror::Error)]
pub enum CalculatorError {
    /// An argument's value makes no sense.
    #[error("{flag}: {reason} (given: {given})")]
    Argument {
        /// The flag or the argument's name.
        flag: &'static str,
        /// What was given.
        given: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The input cannot be read as numbers.
    #[error("{0}")]
    Data(String),
    /// The input is read, but the paper's algorithm is not defined on it.
    #[error("{place}: {reason}")]
    Undefined {
        /// File, tensor or row.
        place: String,
        /// Why.
        reason: String,
    },
    /// An output file cannot be written.
    #[error("cannot write {path}: {reason}")]
    Output {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
}

/// Reads a number exactly as written, for a flag.
///
/// # Errors
/// [`CalculatorError::Argument`] naming the flag and the fault.
pub fn exact_argument(flag: &'static str, text: &str) -> Result<numeric::Rational, CalculatorError> {
    text.parse().map_err(|error: numeric::ParseRationalError| CalculatorError::Argument {
        flag,
        given: error.text.clone(),
        reason: format!("not a number: {} (character {})", error.reason, error.position + 1),
    })
}
