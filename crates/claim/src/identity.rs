//! Polynomial identities, decided by degree.

use crate::{Check, Coverage, ExactPart, Family, Instance, Judgement, Relation, Tape};
use numeric::{Degree, Field, Rational};
use std::sync::Arc;

/// A polynomial in a fixed number of variables, written once over any field.
pub trait Polynomial: Send + Sync + 'static {
    /// The value at `x`, one entry a variable. Division only by nonzero constants.
    fn eval<S: Field>(&self, x: &[S]) -> S;
}

/// A grid point.
#[derive(Clone, Hash)]
pub struct GridPoint {
    names: &'static [&'static str],
    values: Vec<i64>,
}

impl Instance for GridPoint {
    fn show(&self) -> String {
        let sides: Vec<String> = self.names.iter().zip(&self.values).map(|(name, value)| format!("{name} = {value}")).collect();
        sides.join(", ")
    }
}

/// The full grid with one more value of each variable than the degree.
struct Grid {
    names: &'static [&'static str],
    degrees: Vec<u32>,
}

impl Family for Grid {
    type Instance = GridPoint;

    fn id(&self) -> String {
        "grid".into()
    }

    fn domain(&self) -> String {
        let degrees: Vec<String> = self.names.iter().zip(&self.degrees).map(|(name, degree)| format!("{degree} in {name}")).collect();
        format!("all real {}: a polynomial identity of degree at most {}, exact on a full grid one larger", self.names.join(", "), degrees.join(", "))
    }

    fn special(&self) -> Vec<GridPoint> {
        let mut points: Vec<Vec<i64>> = vec![Vec::new()];
        for &degree in &self.degrees {
            // 0, 1, -1, 2, -2, ..: small values keep the arithmetic in machine integers.
            let values: Vec<i64> = (0..=i64::from(degree)).map(|i| if i % 2 == 1 { (i + 1) / 2 } else { -i / 2 }).collect();
            points = points.iter().flat_map(|point| values.iter().map(move |&value| point.iter().copied().chain([value]).collect())).collect();
        }
        points.into_iter().map(|values| GridPoint { names: self.names, values }).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> GridPoint {
        GridPoint { names: self.names, values: vec![0; self.degrees.len()] }
    }
}

/// `lhs = rhs` as polynomials in the named variables: proved when they agree on the full grid that their degrees ask for.
///
/// The degrees come from evaluating the same formulas on [`Degree`]; a formula that is not a polynomial gives a check that is undecided.
pub fn identity(names: &'static [&'static str], lhs: impl Polynomial, rhs: impl Polynomial) -> Check {
    let variables: Vec<Degree> = (0..names.len()).map(|index| Degree::variable(index, names.len())).collect();
    let (left, right) = (lhs.eval(&variables), rhs.eval(&variables));
    let degrees = match (left.degrees(), right.degrees()) {
        (Some(a), Some(b)) => (0..names.len()).map(|i| a.get(i).copied().unwrap_or(0).max(b.get(i).copied().unwrap_or(0))).collect(),
        _ => Vec::new(),
    };
    let polynomial = left.degrees().is_some() && right.degrees().is_some();
    let sides = Arc::new((lhs, rhs));
    let judge = move |point: &GridPoint| {
        let x: Vec<Rational> = point.values.iter().copied().map(Rational::from).collect();
        if polynomial {
            Judgement::compare(sides.0.eval(&x), Relation::Eq, sides.1.eval(&x))
        } else {
            // Undefined on purpose: no degree, no decision.
            Judgement::compare(Rational::UNDEFINED, Relation::Eq, Rational::UNDEFINED)
        }
    };
    ExactPart::new(Grid { names, degrees }, judge).covering(Coverage::WholeDomain).erase()
}

#[cfg(test)]
mod tests {
    use super::{Polynomial, identity};
    use crate::{Batch, Check, Outcome};
    use numeric::Field;

    struct SquareOfSum;
    impl Polynomial for SquareOfSum {
        fn eval<S: Field>(&self, x: &[S]) -> S {
            (x[0].clone() + x[1].clone()).square()
        }
    }

    /// x^2 + y^2 + 2xy + c x (x - 1)(x + 1): equal to the square at x = -1, 0, 1 whatever c is.
    struct Expanded(i64);
    impl Polynomial for Expanded {
        fn eval<S: Field>(&self, x: &[S]) -> S {
            let cubic = x[0].clone() * (x[0].clone() - S::one()) * (x[0].clone() + S::one());
            x[0].square() + x[1].square() + S::from_i64(2) * x[0].clone() * x[1].clone() + S::from_i64(self.0) * cubic
        }
    }

    struct Quotient;
    impl Polynomial for Quotient {
        fn eval<S: Field>(&self, x: &[S]) -> S {
            x[0].clone() / x[1].clone()
        }
    }

    fn outcomes(check: &Check) -> Vec<Outcome> {
        let Check::Exact(check) = check else { return Vec::new() };
        let mut out = Vec::new();
        check.evaluate(Batch::Special(0..check.special_len()), &mut out);
        out.into_iter().map(|evaluation| evaluation.outcome).collect()
    }

    #[test]
    fn the_grid_is_as_large_as_the_degrees_ask() {
        let holds = outcomes(&identity(&["x", "y"], SquareOfSum, Expanded(0)));
        // Degree 3 in x is seen although its coefficient is 0 (a constant 0 counts as none): at least 3 values of each.
        assert!(holds.len() >= 9 && holds.iter().all(|&outcome| outcome == Outcome::Holds), "{holds:?}");
        // Three values of x would not see the cubic: the fourth does.
        let fails = outcomes(&identity(&["x", "y"], SquareOfSum, Expanded(1)));
        assert_eq!(fails.len(), 4 * 3);
        assert!(fails.contains(&Outcome::Fails));
    }

    #[test]
    fn what_is_no_polynomial_is_never_decided() {
        let outcomes = outcomes(&identity(&["x", "y"], Quotient, Quotient));
        assert!(!outcomes.is_empty() && outcomes.iter().all(|&outcome| outcome == Outcome::Undecided), "{outcomes:?}");
    }
}
