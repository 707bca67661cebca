//! Exact rationals (placeholder until the real type lands in the next commit).
/// Rational
#[derive(Clone, Debug)]
pub struct Rational;
