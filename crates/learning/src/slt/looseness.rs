//! How loose the printed constants are: for each the largest number that some instance needs in its place.

use super::chaining::{Steps, dudley_constant, expected_max, interval_entropy, mean_length};
use super::instances_chaining::Cube;
use super::regression::best_constant;
use numeric::{BigInterval, Field, PrecisionError, Rational, Real, Surd, TailError};

/// A printed constant and what is needed.
#[derive(Clone, Debug)]
pub struct Looseness {
    /// The claim.
    pub claim: &'static str,
    /// Which constant of it.
    pub constant: &'static str,
    /// Its value.
    pub printed: BigInterval,
    /// An enclosure of a number that cannot be undercut: the instance `at` needs it.
    pub needed: BigInterval,
    /// The instance.
    pub at: &'static str,
    /// What is known beyond instances: a limit or a proof, empty where there is nothing.
    pub limit: &'static str,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoosenessError {
    /// A precision that cannot be had.
    #[error(transparent)]
    Precision(#[from] PrecisionError),
    /// A chi-square tail that cannot be had.
    #[error(transparent)]
    Tail(#[from] TailError),
    /// A constant that the arithmetic could not isolate.
    #[error("the constant needed at rank {rank} cannot be told at this precision")]
    Undecided {
        /// The rank.
        rank: u64,
    },
}

/// Bits of the means of maxima behind the table.
const BITS: u32 = 100;

/// N/(N!)^(1/N): the base that N uniform variables need at eps <= 1/N.
fn small_ball_base(count: u32) -> BigInterval {
    let n = BigInterval::from_i64(i64::from(count));
    n.clone() / ((n.clone() + BigInterval::one()).ln_gamma() / n).exp()
}

/// The table, at the thread's working precision.
///
/// # Errors
/// [`LoosenessError`] when the thread's precision is too small.
pub fn looseness() -> Result<Vec<Looseness>, LoosenessError> {
    let of = BigInterval::from_i64;
    let root_two = of(2).sqrt();
    let row = |claim, constant, printed, needed, at, limit| Looseness { claim, constant, printed, needed, at, limit };
    let hundred = expected_max(100, BITS)?;
    let log = of(100).ln().sqrt();
    let (_, cube) = Cube { dimension: 60 }.steps();
    let quarter = BigInterval::ratio(1, 4);
    let truncated = Steps::simplex(100).integral(&(quarter / of(4)), &of(1), &of(2));
    let (_, interval) = interval_entropy::<BigInterval>(2_000);
    // Least squares over a linear class of rank 200 at t = d: n d^2/sigma^2 = 4 (E|g_r|)^2.
    let rank = 200;
    let (low, high) = best_constant(rank, &(of(4) * mean_length::<BigInterval>(rank).square()))?.ok_or(LoosenessError::Undecided { rank })?;
    let almost = Rational::new(1_000_001, 1_000_000);
    Ok(vec![
        row("slt/small-ball", "base e", BigInterval::e(), small_ball_base(612), "612 uniform variables, eps <= 1/612", "sharp: e in the limit"),
        row(
            "slt/euclid-ball",
            "2 of (1 + 2R/eps)^d, for packings",
            of(2),
            // P = 1001 just above 2R/eps = 1000: (P - 1)/(R/eps).
            of(1000) / (of(500) * BigInterval::from_rational(&almost)),
            "d = 1, 2R/eps = 1000.001",
            "sharp: 2 in the limit",
        ),
        row(
            "slt/subgaussian-max",
            "sqrt 2",
            root_two.clone(),
            hundred.clone() / root_two.clone() / log,
            "simplex of 100 vertices",
            "1 in the limit, and enough in Hilbert space",
        ),
        row(
            "slt/dudley",
            "12 sqrt 2",
            dudley_constant(),
            of(30) / cube.whole::<BigInterval>(),
            "signs on the cube {0, 1}^60",
            "at least 1.5293 in the limit",
        ),
        row("slt/truncated-dudley", "32", of(32), root_two.clone() * hundred / truncated, "simplex of 100 vertices, D = 1, delta = 1/4", ""),
        row("slt/truncated-dudley", "2 of the first term", of(2), of(1), "two points of the line within delta", ""),
        row("slt/one-step-discretization", "2 and 2", of(2), of(2), "points 0, 10, 11, 20, 21", "sharp"),
        row(
            "slt/local-gaussian-complexity",
            "24 sqrt 2",
            of(24) * root_two.clone(),
            of(2) * mean_length::<BigInterval>(1) / interval,
            "one segment",
            "",
        ),
        row(
            "slt/local-gaussian-complexity",
            "96 sqrt 2 of the rank's bound",
            of(96) * root_two,
            mean_length::<BigInterval>(200) / of(200).sqrt(),
            "rank 200",
            "1 in the limit, and enough",
        ),
        row(
            "slt/master-error",
            "16",
            of(16),
            BigInterval::between(&low, &high),
            "linear class of rank 200, t = the critical radius",
            "1.7342 for linear classes as the rank grows: x/4 with x - 1 - ln x = 4",
        ),
        row("slt/complexity-monotone", "1", of(1), of(1), "linear classes", "sharp"),
    ])
}
