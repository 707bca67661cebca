//! Families of instances: sequences, root chains, trajectories.

use claim::{Family, Instance, Tape};
use numeric::Rational;

fn show<T: ToString>(values: &[T]) -> String {
    let shown: Vec<String> = values.iter().take(12).map(ToString::to_string).collect();
    let more = if values.len() > 12 { format!(", .. ({} in all)", values.len()) } else { String::new() };
    format!("({}{more})", shown.join(", "))
}

/// Square roots of partial sums, 0 < r_1 <= r_2 <= ..: the sequence a_t = r_t^2 - r_(t-1)^2, all of whose sums have rational roots.
#[derive(Clone, Debug, Hash)]
pub struct Roots(pub Vec<i64>);

impl Instance for Roots {
    fn show(&self) -> String {
        format!("sqrt(S_t) = {}", show(&self.0))
    }
}

/// Nondecreasing chains of positive integers.
pub struct RootChains;

impl Family for RootChains {
    type Instance = Roots;

    fn id(&self) -> String {
        "root-chains".into()
    }

    fn domain(&self) -> String {
        "sequences a_t >= 0 whose partial sums are squares of integers r_1 <= r_2 <= ..".into()
    }

    fn special(&self) -> Vec<Roots> {
        // One term; a zero term; the chain 3, 4, 12, 84 of Pythagorean triples; doubling; equal steps, long.
        vec![
            Roots(vec![1]),
            Roots(vec![1, 1]),
            Roots(vec![3, 5, 13, 85]),
            Roots((0..20).map(|k| 1 << k).collect()),
            Roots((1..=10).collect()),
            Roots((1..=400).collect()),
        ]
    }

    fn tape_len(&self) -> usize {
        9
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Roots {
        let count = tape.integer(1, 8);
        let mut root = 0;
        Roots(
            (0..count)
                .map(|index| {
                    root += if index == 0 { tape.heavy(1 << 20) } else { tape.heavy(1 << 20) - 1 };
                    root
                })
                .collect(),
        )
    }
}

/// A sequence a_t >= 0 with a_1 > 0, an offset and an exponent in eighths.
#[derive(Clone, Debug, Hash)]
pub struct Sequence {
    /// a_1, a_2, ..
    pub terms: Vec<i64>,
    /// lambda^2 > 0
    pub offset: i64,
    /// 8 q, 1 to 7
    pub eighths: i64,
}

impl Instance for Sequence {
    fn show(&self) -> String {
        format!("a = {}, lambda^2 = {}, q = {}", show(&self.terms), self.offset, Rational::new(self.eighths, 8))
    }
}

/// Integer sequences; the special ones hold the long constant ones at which the constants are nearly attained.
pub struct Sequences;

impl Family for Sequences {
    type Instance = Sequence;

    fn id(&self) -> String {
        "sequences".into()
    }

    fn domain(&self) -> String {
        "integer sequences a_t >= 0, a_1 > 0, lambda^2 a positive integer, q = k/8".into()
    }

    fn special(&self) -> Vec<Sequence> {
        let constant = |count: usize, offset, eighths| Sequence { terms: vec![1; count], offset, eighths };
        let mut special = vec![
            Sequence { terms: vec![1], offset: 1, eighths: 4 },
            Sequence { terms: vec![1, 0, 0], offset: 1, eighths: 1 },
            Sequence { terms: vec![9, 16, 144, 7056], offset: 1, eighths: 4 },
            constant(100, 1, 4),
            constant(100, 1_000, 4),
            constant(10_000, 1, 6),
        ];
        special.extend((1..8).map(|eighths| constant(50, 3, eighths)));
        special
    }

    fn tape_len(&self) -> usize {
        11
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Sequence {
        let count = tape.integer(1, 8);
        let terms = (0..count).map(|index| if index == 0 { tape.heavy(1 << 30) } else { tape.heavy(1 << 30) - 1 }).collect();
        Sequence { terms, offset: tape.heavy(1 << 20), eighths: tape.integer(1, 7) }
    }
}

/// A few integers with signs.
#[derive(Clone, Debug, Hash)]
pub struct Integers(pub Vec<i64>);

impl Instance for Integers {
    fn show(&self) -> String {
        show(&self.0)
    }
}

/// Tuples of a fixed length, signed from the given index on.
pub struct Tuples {
    /// The family's name.
    pub name: &'static str,
    /// What they are.
    pub domain: &'static str,
    /// Length.
    pub length: usize,
    /// Entries from this index on may be negative.
    pub signed_from: usize,
    /// Largest size.
    pub cap: i64,
    /// Instances tried first.
    pub first: Vec<Vec<i64>>,
}

impl Family for Tuples {
    type Instance = Integers;

    fn id(&self) -> String {
        self.name.into()
    }

    fn domain(&self) -> String {
        self.domain.into()
    }

    fn special(&self) -> Vec<Integers> {
        self.first.iter().cloned().map(Integers).collect()
    }

    fn tape_len(&self) -> usize {
        2 * self.length
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Integers {
        Integers(
            (0..self.length)
                .map(|index| {
                    let size = tape.heavy(self.cap) - 1;
                    let negative = tape.word() % 2 == 1;
                    if index >= self.signed_from && negative { -size } else { size }
                })
                .collect(),
        )
    }
}

/// A run of AdaGrad(-Norm) in one dimension whose accumulator has rational roots at every step.
///
/// From a root s the gradient g = s (k^2 - 1)/(2 k) leads to the root s (k^2 + 1)/(2 k): every rational k > 0 gives one.
#[derive(Clone, Debug, Hash)]
pub struct Trajectory {
    /// x_1 as a fraction of 16.
    pub start: i64,
    /// gamma and lambda in sixteenths.
    pub gamma: i64,
    /// lambda in sixteenths, at least 0.
    pub lambda: i64,
    /// The first gradient, an integer other than 0.
    pub first: i64,
    /// k = p/r for the following ones, with the gradient's sign.
    pub turns: Vec<(i64, i64, bool)>,
}

impl Trajectory {
    /// (g_t, sqrt(v_t)) for t = 1, 2, ..
    #[must_use]
    pub fn steps(&self) -> Vec<(Rational, Rational)> {
        let mut root = Rational::from(self.first.abs());
        let mut out = vec![(Rational::from(self.first), root.clone())];
        for &(p, r, negative) in &self.turns {
            let k = Rational::new(p, r);
            let (square, twice) = (&k * &k, &k + &k);
            let size = root.clone() * (square.clone() - Rational::from(1)) / twice.clone();
            root = root * (square + Rational::from(1)) / twice;
            out.push((if negative { -size } else { size }, root.clone()));
        }
        out
    }

    /// gamma
    #[must_use]
    pub fn step_size(&self) -> Rational {
        Rational::new(self.gamma, 16)
    }

    /// lambda
    #[must_use]
    pub fn offset(&self) -> Rational {
        Rational::new(self.lambda, 16)
    }

    /// x_1
    #[must_use]
    pub fn x1(&self) -> Rational {
        Rational::new(self.start, 16)
    }

    /// x_1, x_2, .., x_(T+1)
    #[must_use]
    pub fn iterates(&self) -> Vec<Rational> {
        self.iterates_with(&Rational::from(1))
    }

    /// The iterates with every gradient multiplied by `factor`.
    #[must_use]
    pub fn iterates_with(&self, factor: &Rational) -> Vec<Rational> {
        let mut x = self.x1();
        let mut out = vec![x.clone()];
        for (g, root) in self.steps() {
            x = x - self.step_size() * g * factor.clone() / (self.offset() + root * factor.clone());
            out.push(x.clone());
        }
        out
    }
}

impl Instance for Trajectory {
    fn show(&self) -> String {
        let gradients: Vec<Rational> = self.steps().into_iter().map(|(g, _)| g).collect();
        format!("x_1 = {}, gamma = {}, lambda = {}, g = {}", self.x1(), self.step_size(), self.offset(), show(&gradients))
    }
}

/// Short trajectories.
pub struct Trajectories;

impl Family for Trajectories {
    type Instance = Trajectory;

    fn id(&self) -> String {
        "trajectories".into()
    }

    fn domain(&self) -> String {
        "runs in one dimension, any gradients, gamma > 0, lambda >= 0, with rational sqrt(v_t)".into()
    }

    fn special(&self) -> Vec<Trajectory> {
        let of = |start, gamma, lambda, first, turns: &[(i64, i64, bool)]| Trajectory { start, gamma, lambda, first, turns: turns.to_vec() };
        vec![
            of(0, 16, 0, 1, &[]),
            of(32, 16, 0, 1, &[]),
            of(32, 8, 1, 3, &[(3, 1, false), (5, 1, false), (13, 1, false)]),
            of(-160, 16, 16, -5, &[(2, 1, true), (2, 1, false), (2, 1, true)]),
            of(16, 16, 0, 1, &[(1, 1, false), (1, 1, true)]),
        ]
    }

    fn tape_len(&self) -> usize {
        24
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Trajectory {
        let start = tape.integer(-200, 200);
        let gamma = tape.integer(1, 64);
        let lambda = tape.integer(0, 40);
        let first = tape.heavy(1_000) * if tape.word().is_multiple_of(2) { 1 } else { -1 };
        let count = tape.integer(0, 5);
        let turns = (0..count).map(|_| (tape.integer(1, 12), tape.integer(1, 12), tape.word() % 2 == 1)).collect();
        Trajectory { start, gamma, lambda, first, turns }
    }
}
