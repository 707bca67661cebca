//! Families: pairs of losses with a target, sets of sources, score matrices, affine fields.

use super::algorithm::{Entrant, Loss, PolynomialLoss};
use claim::{Family, Instance, Tape};
use numeric::Rational;

fn n(value: i64) -> Rational {
    Rational::from(value)
}

/// Directions u with integer length, by dimension: the Hessian of a (u.x)^3/6 is |a| |u|^3-Lipschitz, a rational number.
const DIRECTIONS: [&[&[i64]]; 4] = [
    &[&[1], &[2]],
    &[&[1, 0], &[0, 1], &[3, 4], &[4, -3]],
    &[&[1, 0, 0], &[1, 2, 2], &[2, -1, 2], &[2, 3, 6]],
    &[&[0, 0, 0, 1], &[1, 1, 1, 1], &[1, -1, 1, 1], &[1, 1, 3, 5]],
];

/// A loss with integer data: x'Hx/2 - c'x + a (u.x)^3/6 + b (u.x)^4/24.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct Data {
    /// The upper triangle of H by rows.
    pub hessian: Vec<i64>,
    /// c
    pub linear: Vec<i64>,
    /// Which direction u of this dimension.
    pub direction: usize,
    /// a
    pub cubic: i64,
    /// b
    pub quartic: i64,
}

impl Data {
    /// A quadratic.
    #[must_use]
    pub fn quadratic(hessian: &[i64], linear: &[i64]) -> Data {
        Data { hessian: hessian.to_vec(), linear: linear.to_vec(), direction: 0, cubic: 0, quartic: 0 }
    }

    /// d
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.linear.len()
    }

    /// H as rows.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<i64>> {
        let d = self.dimension();
        let at = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            self.hessian[i * d - i * (i + 1) / 2 + j]
        };
        (0..d).map(|i| (0..d).map(|j| at(i, j)).collect()).collect()
    }

    /// u
    #[must_use]
    pub fn direction(&self) -> Vec<i64> {
        let d = self.dimension();
        match DIRECTIONS.get(d.wrapping_sub(1)).and_then(|known| known.get(self.direction)) {
            Some(direction) => direction.to_vec(),
            None => vec![0; d],
        }
    }

    /// |u|, an integer.
    #[must_use]
    pub fn direction_norm(&self) -> Rational {
        let square: i64 = self.direction().iter().map(|value| value * value).sum();
        n(square).exact_sqrt().unwrap_or(Rational::UNDEFINED)
    }

    /// The loss.
    #[must_use]
    pub fn loss(&self) -> PolynomialLoss<Rational> {
        PolynomialLoss {
            hessian: self.rows().iter().map(|row| row.iter().copied().map(n).collect()).collect(),
            linear: self.linear.iter().copied().map(n).collect(),
            direction: self.direction().into_iter().map(n).collect(),
            cubic: n(self.cubic),
            quartic: n(self.quartic),
        }
    }

    fn draw(tape: &mut Tape<'_>, d: usize, degree: u32) -> Data {
        let hessian = (0..d * (d + 1) / 2).map(|_| signed(tape, 5)).collect();
        let linear = (0..d).map(|_| signed(tape, 6)).collect();
        let (direction, cubic, quartic) = (tape.index(DIRECTIONS.get(d - 1).map_or(1, |known| known.len())), signed(tape, 4), signed(tape, 3));
        Data { hessian, linear, direction, cubic: if degree >= 3 { cubic } else { 0 }, quartic: if degree >= 4 { quartic } else { 0 } }
    }
}

/// An integer of either sign; small words give small sizes.
fn signed(tape: &mut Tape<'_>, size: i64) -> i64 {
    let word = tape.integer(0, 2 * size);
    if word % 2 == 1 { (word + 1) / 2 } else { -word / 2 }
}

fn show_loss(name: &str, data: &Data) -> String {
    let mut text = format!("{name}: H = {:?}, c = {:?}", data.rows(), data.linear);
    if data.cubic != 0 || data.quartic != 0 {
        text.push_str(&format!(", + {}/6 s^3 + {}/24 s^4 with s = {:?}.x", data.cubic, data.quartic, data.direction()));
    }
    text
}

/// Two sources and a target at a point.
#[derive(Clone, Debug, Hash)]
pub struct Pair {
    /// A
    pub a: Data,
    /// B
    pub b: Data,
    /// E
    pub target: Data,
    /// theta_0
    pub theta: Vec<i64>,
    /// eta > 0
    pub eta: (i64, i64),
    /// Steps on each source, where that matters.
    pub steps: u32,
}

impl Pair {
    /// The three losses.
    #[must_use]
    pub fn losses(&self) -> [PolynomialLoss<Rational>; 3] {
        [self.a.loss(), self.b.loss(), self.target.loss()]
    }

    /// theta_0
    #[must_use]
    pub fn start(&self) -> Vec<Rational> {
        self.theta.iter().copied().map(n).collect()
    }

    /// eta
    #[must_use]
    pub fn step_size(&self) -> Rational {
        Rational::new(self.eta.0, self.eta.1)
    }
}

impl Instance for Pair {
    fn show(&self) -> String {
        let steps = if self.steps == 1 { String::new() } else { format!(", k = {}", self.steps) };
        format!(
            "{}; {}; {}; theta_0 = {:?}, eta = {}{steps}",
            show_loss("A", &self.a),
            show_loss("B", &self.b),
            show_loss("E", &self.target),
            self.theta,
            self.step_size()
        )
    }
}

/// The instance of the reference table: two quadratics and a target in the plane.
#[must_use]
pub fn reference_pair() -> Pair {
    Pair {
        a: Data::quadratic(&[2, 1, 3], &[1, 0]),
        b: Data::quadratic(&[1, -1, 4], &[0, 2]),
        target: Data::quadratic(&[1, 0, 2], &[1, -1]),
        theta: vec![1, -1],
        eta: (1, 10),
        steps: 1,
    }
}

/// Its third source.
#[must_use]
pub fn reference_third() -> Data {
    Data::quadratic(&[3, 0, 1], &[-1, 1])
}

/// d = 1 quadratics from (h, g) at theta_0 = 0: f = g x + h x^2/2.
fn line(a: (i64, i64), b: (i64, i64), target: (i64, i64), eta: (i64, i64), steps: u32) -> Pair {
    let of = |(h, g): (i64, i64)| Data::quadratic(&[h], &[-g]);
    Pair { a: of(a), b: of(b), target: of(target), theta: vec![0], eta, steps }
}

/// The cubics -M_A x^3/6 + c_A x, M_B x^3/6 + c_B x that attain the commutator's remainder, with the target f_E = x.
fn cubics(m: (i64, i64), c: (i64, i64), eta: (i64, i64)) -> Pair {
    let of = |cubic, slope: i64| Data { hessian: vec![0], linear: vec![-slope], direction: 0, cubic, quartic: 0 };
    Pair { a: of(-m.0, c.0), b: of(m.1, c.1), target: of(0, 1), theta: vec![0], eta, steps: 1 }
}

/// Which pairs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Quadratics, indefinite ones too, d up to 6.
    Quadratic,
    /// Quadratics in one or two dimensions, where the spectral norm has a closed form.
    Plane,
    /// Sources and target of degree 3, d up to 4.
    Cubic,
    /// Sources of degree up to 4, d up to 4.
    Quartic,
    /// Positive semidefinite sources with eta H <= I, several steps each.
    Repeated,
}

/// Pairs of losses.
pub struct Pairs(pub Kind);

impl Family for Pairs {
    type Instance = Pair;

    fn id(&self) -> String {
        match self.0 {
            Kind::Quadratic => "quadratic-pairs",
            Kind::Plane => "plane-pairs",
            Kind::Cubic => "cubic-pairs",
            Kind::Quartic => "quartic-pairs",
            Kind::Repeated => "repeated-pairs",
        }
        .into()
    }

    fn domain(&self) -> String {
        match self.0 {
            Kind::Quadratic => {
                "integer quadratics in up to 6 dimensions, indefinite ones too, rational eta from 1/64 to 41 (special instances: from 1/1000)"
            }
            Kind::Plane => "integer quadratics in 1 and 2 dimensions, rational eta from 1/64 to 41 (special instances: from 1/1000)",
            Kind::Cubic => "integer polynomials of degree 3 in up to 4 dimensions, rational eta from 1/64 to 41 (special instances: from 1/1000)",
            Kind::Quartic => {
                "integer polynomials of degree up to 4 in up to 4 dimensions, rational eta from 1/64 to 41 (special instances: from 1/1000)"
            }
            Kind::Repeated => "integer positive semidefinite quadratics in 1 and 2 dimensions with eta H <= I, up to 6 steps each",
        }
        .into()
    }

    fn special(&self) -> Vec<Pair> {
        let flat = line((0, 0), (0, 0), (0, 0), (1, 1), 1);
        // In one dimension: g_A + g_B and h_B g_A + h_A g_B of opposite signs attain the bounds; small and huge steps.
        let attained = line((-1, 2), (-3, 1), (1, 1), (1, 10), 1);
        match self.0 {
            Kind::Quadratic | Kind::Plane => vec![
                reference_pair(),
                flat,
                attained.clone(),
                Pair { eta: (1, 1000), ..attained.clone() },
                Pair { eta: (40, 1), ..attained },
                line((1, 2), (2, 0), (2, 1), (1, 10), 1),
                Pair { eta: (40, 1), ..reference_pair() },
                Pair { b: reference_pair().a, ..reference_pair() },
            ],
            Kind::Cubic | Kind::Quartic => vec![
                cubics((2, 3), (1, 2), (1, 10)),
                cubics((2, 3), (1, 2), (1, 1000)),
                cubics((1, 1), (1, 1), (2, 1)),
                flat,
                reference_pair(),
                // A cubic target in one dimension: the third-derivative term is attained.
                Pair { target: Data { hessian: vec![0], linear: vec![0], direction: 0, cubic: 1, quartic: 0 }, ..attained },
            ],
            Kind::Repeated => vec![
                line((1, 2), (2, 0), (2, 1), (1, 10), 2),
                line((1, 2), (2, 0), (2, 1), (1, 10), 5),
                line((1, 1), (1, -1), (1, 1), (1, 1000), 6),
                line((1, 1), (1, 1), (1, 1), (1, 100_000), 6),
                line((1, 3), (2, 5), (2, 1), (1, 2), 3),
                line((1, 1), (0, 1), (0, 1), (1, 1), 1),
            ],
        }
    }

    fn tape_len(&self) -> usize {
        6 * 7 / 2 * 3 + 3 * 9 + 12
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Pair {
        // eta first, so that a search can move it; then the dimension, small ones more often.
        let below = tape.integer(1, 64);
        let eta = (tape.integer(1, 1 + 40 / below), below);
        let (d, degree) = match self.0 {
            Kind::Quadratic => (tape.choose(&[1, 2, 2, 3, 3, 4, 5, 6]), 2),
            Kind::Plane => (tape.choose(&[1, 2]), 2),
            Kind::Cubic => (tape.choose(&[1, 2, 3, 4]), 3),
            Kind::Quartic => (tape.choose(&[1, 1, 2, 3, 4]), 4),
            Kind::Repeated => return draw_repeated(tape),
        };
        let (a, b) = (Data::draw(tape, d, degree), Data::draw(tape, d, degree));
        let target = Data::draw(tape, d, degree.min(3));
        Pair { a, b, target, theta: (0..d).map(|_| signed(tape, 3)).collect(), eta, steps: 1 }
    }
}

/// H = v v' + w w' with integer vectors, eta at most 1/trace.
fn draw_repeated(tape: &mut Tape<'_>) -> Pair {
    let d = tape.choose(&[1, 1, 2]);
    let mut source = |linear: i64| {
        let (v, w): (Vec<i64>, Vec<i64>) = ((0..d).map(|_| signed(tape, 3)).collect(), (0..d).map(|_| signed(tape, 3)).collect());
        let hessian: Vec<i64> = (0..d).flat_map(|i| (i..d).map(move |j| (i, j))).map(|(i, j)| v[i] * v[j] + w[i] * w[j]).collect();
        let linear = (0..d).map(|_| signed(tape, linear)).collect();
        Data { hessian, linear, direction: 0, cubic: 0, quartic: 0 }
    };
    let (a, b, target) = (source(6), source(6), source(6));
    let trace = |data: &Data| (0..d).map(|i| data.rows()[i][i]).sum::<i64>();
    let largest = trace(&a).max(trace(&b)).max(1);
    let eta = (1, largest * tape.heavy(8));
    Pair { a, b, target, theta: (0..d).map(|_| signed(tape, 3)).collect(), eta, steps: tape.integer(1, 4) as u32 }
}

/// Several sources and a target.
#[derive(Clone, Debug, Hash)]
pub struct Field {
    /// The sources.
    pub sources: Vec<Data>,
    /// E
    pub target: Data,
    /// theta_0
    pub theta: Vec<i64>,
}

impl Field {
    /// g_i and q_i of each source, exactly.
    #[must_use]
    pub fn entrants(&self) -> Vec<Entrant<Rational>> {
        let theta: Vec<Rational> = self.theta.iter().copied().map(n).collect();
        let g_e = self.target.loss().gradient(&theta);
        self.sources
            .iter()
            .map(|source| {
                let loss = source.loss();
                Entrant { gradient: loss.gradient(&theta), curved: loss.hessian_vector(&theta, &g_e) }
            })
            .collect()
    }
}

impl Instance for Field {
    fn show(&self) -> String {
        let sources: Vec<String> = self.sources.iter().enumerate().map(|(index, source)| show_loss(&(index + 1).to_string(), source)).collect();
        format!("{}; {}; theta_0 = {:?}", sources.join("; "), show_loss("E", &self.target), self.theta)
    }
}

/// Sets of sources.
pub struct Fields {
    /// Largest number of sources.
    pub most: usize,
    /// Largest dimension.
    pub dimension: usize,
}

/// d = 1 with weights h and gradients g at theta_0 = 0, target slope 1.
#[must_use]
pub fn on_a_line(sources: &[(i64, i64)], slope: i64) -> Field {
    Field { sources: sources.iter().map(|&(h, g)| Data::quadratic(&[h], &[-g])).collect(), target: Data::quadratic(&[0], &[-slope]), theta: vec![0] }
}

impl Family for Fields {
    type Instance = Field;

    fn id(&self) -> String {
        format!("sources-{}-{}", self.most, self.dimension)
    }

    fn domain(&self) -> String {
        format!("1 to {} integer polynomials of degree up to 3 with an integer target, in 1 to {} dimensions", self.most, self.dimension)
    }

    fn special(&self) -> Vec<Field> {
        let pair = reference_pair();
        vec![
            // Weights 2, 3, 1: transitive, and the row sums sort it wrongly.
            on_a_line(&[(2, -3), (3, -1), (1, 0)], 1),
            Field { sources: vec![pair.a.clone(), pair.b.clone(), reference_third()], target: pair.target.clone(), theta: pair.theta.clone() },
            on_a_line(&[(1, 1)], 1),
            Field { sources: vec![pair.a.clone(), pair.a.clone()], target: pair.target, theta: pair.theta },
            on_a_line(&[(0, 1), (0, 2), (0, 3)], 0),
        ]
    }

    fn tape_len(&self) -> usize {
        let d = self.dimension;
        3 + d + (self.most + 1) * (d * (d + 1) / 2 + d + 3)
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Field {
        let count = tape.integer(2, self.most as i64);
        let d = tape.integer(1, self.dimension as i64) as usize;
        let target = Data::draw(tape, d, 2);
        let theta = (0..d).map(|_| signed(tape, 3)).collect();
        Field { sources: (0..count).map(|_| Data::draw(tape, d, if d <= 4 { 3 } else { 2 })).collect(), target, theta }
    }
}

/// An antisymmetric matrix of integers, by its upper triangle, with a vector of as many integers.
#[derive(Clone, Debug, Hash)]
pub struct Scores {
    /// N
    pub count: usize,
    /// sigma_ij for i < j, by rows.
    pub upper: Vec<i64>,
    /// Another candidate for the potentials.
    pub other: Vec<i64>,
}

impl Scores {
    /// The matrix.
    #[must_use]
    pub fn matrix(&self) -> Vec<Vec<Rational>> {
        let size = self.count;
        let at = |i: usize, j: usize| {
            let (low, high) = (i.min(j), i.max(j));
            let value = self.upper[low * size - low * (low + 1) / 2 + high - low - 1];
            if i < j { value } else { -value }
        };
        (0..size).map(|i| (0..size).map(|j| if i == j { n(0) } else { n(at(i, j)) }).collect()).collect()
    }
}

impl Instance for Scores {
    fn show(&self) -> String {
        format!("N = {}, sigma_ij (i < j) = {:?}, s' = {:?}", self.count, self.upper, self.other)
    }
}

/// Which matrices.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any.
    Any,
    /// Differences of potentials, with noise of small size now and then.
    NearPotential,
}

/// Antisymmetric integer matrices, N = 2 to 6.
pub struct Matrices(pub Shape);

impl Family for Matrices {
    type Instance = Scores;

    fn id(&self) -> String {
        if self.0 == Shape::Any { "antisymmetric" } else { "near-potential" }.into()
    }

    fn domain(&self) -> String {
        match self.0 {
            Shape::Any => "antisymmetric integer matrices, N = 2 to 6".into(),
            Shape::NearPotential => "antisymmetric integer matrices, N = 2 to 6: differences of integers, every other one disturbed".into(),
        }
    }

    fn special(&self) -> Vec<Scores> {
        let of = |count, upper: &[i64]| Scores { count, upper: upper.to_vec(), other: vec![1; count] };
        vec![
            of(3, &[-7, -3, -1]),
            of(3, &[-1, 1, -1]),
            of(2, &[0]),
            of(2, &[-1]),
            of(3, &[-1, -2, -1]),
            // A source that wins every comparison, the others in a cycle.
            of(4, &[-1, -1, -1, -5, 5, -5]),
            of(4, &[0, -1, 0, -1, 0, -1]),
        ]
    }

    fn tape_len(&self) -> usize {
        29
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Scores {
        let count = tape.integer(2, 6) as usize;
        let other: Vec<i64> = (0..count).map(|_| signed(tape, 9)).collect();
        let disturbed = tape.word() % 2 == 1;
        let potentials: Vec<i64> = (0..count).map(|_| signed(tape, 20)).collect();
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        let upper = pairs
            .map(|(i, j)| {
                let value = signed(tape, 12);
                match self.0 {
                    Shape::Any => value,
                    Shape::NearPotential => potentials[i] - potentials[j] + if disturbed { value / 4 } else { 0 },
                }
            })
            .collect();
        Scores { count, upper, other }
    }
}
