//! Families: concrete configurations that satisfy the assumptions, special ones first.

use claim::{Family, Instance, Tape};
use numeric::Rational;

/// Two numbers, in quarters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// First number, in quarters.
    pub x: i64,
    /// Second number, in quarters.
    pub y: i64,
}

impl Pair {
    /// The numbers themselves.
    #[must_use]
    pub fn values(&self) -> (Rational, Rational) {
        (Rational::new(self.x, 4), Rational::new(self.y, 4))
    }
}

impl Instance for Pair {
    fn show(&self) -> String {
        let (x, y) = self.values();
        format!("x = {x}, y = {y}")
    }
}

/// Pairs of numbers.
pub struct Pairs;

impl Family for Pairs {
    type Instance = Pair;

    fn id(&self) -> String {
        "pairs".to_owned()
    }

    fn domain(&self) -> String {
        "x, y: quarters of integers up to 2^20 in size".to_owned()
    }

    /// Zeros, ties, equality cases, extremes; smallest first, since the first failure is the witness that people see.
    fn special(&self) -> Vec<Pair> {
        [(0, 0), (4, 4), (0, 4), (-4, 4), (4, 5), (1 << 22, -(1 << 22))].map(|(x, y)| Pair { x, y }).to_vec()
    }

    fn tape_len(&self) -> usize {
        2
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Pair {
        let limit = 1 << 22;
        Pair { x: tape.integer(-limit, limit), y: tape.integer(-limit, limit) }
    }
}
