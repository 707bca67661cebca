//! What the paper claims, as formulas over the weakest scalar they need.

use numeric::Field;

/// 2 x y, the example's smaller side.
///
/// Source: say where the formula is printed, or "derived" and by which argument.
pub fn product<S: Field>(x: &S, y: &S) -> S {
    S::from_i64(2) * x.clone() * y.clone()
}

/// x^2 + y^2, the example's larger side.
///
/// Source: as above.
pub fn squares<S: Field>(x: &S, y: &S) -> S {
    x.square() + y.square()
}
