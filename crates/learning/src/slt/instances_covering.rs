//! Families: finite metric spaces, balls in few dimensions, vectors for Maurey's sampling, laws for small balls.

use claim::{Family, Instance, Tape};
use numeric::Rational;

fn show<T: ToString>(values: &[T]) -> String {
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", shown.join(", "))
}

/// A finite metric space A, a set s in it, a set s' between them, and two radii, the second not smaller. Distances may be 0 between different points.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Space {
    /// Distances, row by row.
    pub distance: Vec<Vec<i64>>,
    /// s, ascending.
    pub inside: Vec<usize>,
    /// s', a superset of s, ascending.
    pub around: Vec<usize>,
    /// Twice the radius.
    pub radius: i64,
    /// Twice another radius, at least the first.
    pub larger: i64,
}

impl Space {
    /// Points of the ambient space.
    #[must_use]
    pub fn ambient(&self) -> Vec<usize> {
        (0..self.distance.len()).collect()
    }
}

impl Instance for Space {
    fn show(&self) -> String {
        let rows: Vec<String> = self.distance.iter().map(|row| show(row)).collect();
        let half = |value| Rational::new(value, 2);
        format!(
            "d = {}, s = {}, s' = {}, eps = {}, eps' = {}",
            rows.join(" "),
            show(&self.inside),
            show(&self.around),
            half(self.radius),
            half(self.larger)
        )
    }
}

fn line(places: &[i64]) -> Vec<Vec<i64>> {
    places.iter().map(|a| places.iter().map(|b| (a - b).abs()).collect()).collect()
}

/// Lengths between different points, drawn one after the other.
pub(super) fn symmetric(count: usize, mut length: impl FnMut() -> i64) -> Vec<Vec<i64>> {
    let mut distance = vec![vec![0; count]; count];
    for (i, j) in (0..count).flat_map(|i| (0..i).map(move |j| (i, j))) {
        distance[i][j] = length();
        distance[j][i] = distance[i][j];
    }
    distance
}

/// The largest metric below the given lengths.
fn shortest(mut distance: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
    let count = distance.len();
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                distance[from][to] = distance[from][to].min(distance[from][via] + distance[via][to]);
            }
        }
    }
    distance
}

/// Random finite metric spaces: lengths in {m, .., 2m}, shortest paths, points of the line and of a grid; many ties.
pub struct Spaces;

impl Family for Spaces {
    type Instance = Space;

    fn id(&self) -> String {
        "finite-spaces".into()
    }

    fn domain(&self) -> String {
        "metric spaces A of at most 7 points with integer distances (zeros and ties among them), s in s' in A, radii that are multiples of 1/2".into()
    }

    fn special(&self) -> Vec<Space> {
        let on_line = |places: &[i64], inside: &[usize], around: &[usize], radius, larger| Space {
            distance: line(places),
            inside: inside.to_vec(),
            around: around.to_vec(),
            radius,
            larger,
        };
        let all = [0, 1, 2, 3, 4, 5, 6];
        let mut special = vec![
            on_line(&[0], &[], &[0], 1, 1),
            on_line(&[0], &[0], &[0], 1, 2),
            on_line(&[0, 1], &[0, 1], &[0, 1], 1, 2),
            on_line(&[0, 1], &[0, 1], &[0, 1], 2, 2),
            on_line(&[0, 2], &[0, 1], &[0, 1], 2, 4),
            on_line(&[0, 3], &[0, 1], &[0, 1], 2, 3),
            on_line(&[0, 2, 1], &[0, 1], &[0, 1, 2], 2, 2),
            on_line(&[0, 4, 2], &[0, 1], &[0, 1, 2], 4, 4),
            on_line(&[0, 0, 0], &[0, 2], &[0, 1, 2], 1, 1),
            on_line(&[0, 101], &[0, 1], &[0, 1], 200, 202),
        ];
        for radius in 1..=6 {
            special.push(on_line(&[0, 1, 2, 3, 4, 5, 6], &all, &all, radius, radius + 1));
        }
        for radius in 1..=4 {
            let equal = (0..7).map(|i| (0..7).map(|j| if i == j { 0 } else { 1 }).collect()).collect();
            special.push(Space { distance: equal, inside: all[1..].to_vec(), around: all.to_vec(), radius, larger: 4 });
            let star = (0..7_i64)
                .map(|i| {
                    (0..7_i64)
                        .map(|j| {
                            if i == j {
                                0
                            } else if i * j == 0 {
                                1
                            } else {
                                2
                            }
                        })
                        .collect()
                })
                .collect();
            special.push(Space { distance: star, inside: all[1..].to_vec(), around: all.to_vec(), radius, larger: 4 });
        }
        special
    }

    fn tape_len(&self) -> usize {
        27
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Space {
        let count = tape.integer(1, 7) as usize;
        let kind = tape.index(4);
        let radius = tape.integer(1, 16);
        let larger = radius + tape.integer(0, 8);
        let members = tape.word();
        let inside: Vec<usize> = (0..count).filter(|i| members >> i & 1 == 0).collect();
        let around: Vec<usize> = (0..count).filter(|i| members >> i & 1 == 0 || members >> (i + 8) & 1 == 0).collect();
        let distance = match kind {
            0 | 1 => {
                let scale = tape.integer(1, 6);
                let distance = symmetric(count, || if kind == 0 { tape.integer(scale, 2 * scale) } else { tape.heavy(20) });
                if kind == 0 { distance } else { shortest(distance) }
            }
            2 => line(&(0..count).map(|_| tape.integer(0, 12)).collect::<Vec<_>>()),
            _ => {
                let places: Vec<(i64, i64)> = (0..count).map(|_| (tape.integer(0, 4), tape.integer(0, 4))).collect();
                places.iter().map(|a| places.iter().map(|b| (a.0 - b.0).abs() + (a.1 - b.1).abs()).collect()).collect()
            }
        };
        Space { distance, inside, around, radius, larger }
    }
}

/// R/eps of a ball.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Share {
    /// R/eps, not negative.
    pub ratio: Rational,
}

impl Instance for Share {
    fn show(&self) -> String {
        format!("R/eps = {}", self.ratio)
    }
}

/// Ratios R/eps: 0, integers, half-integers, values just above them.
pub struct Shares {
    /// Largest numerator over denominator.
    pub most: i64,
}

impl Family for Shares {
    type Instance = Share;

    fn id(&self) -> String {
        "ratios".into()
    }

    fn domain(&self) -> String {
        format!("rational R/eps from 0 to {}", self.most)
    }

    fn special(&self) -> Vec<Share> {
        let ratio = |p, q| Share { ratio: Rational::new(p, q) };
        vec![
            ratio(0, 1),
            ratio(1, 1000),
            ratio(1, 2),
            ratio(100_005, 200_000),
            ratio(1, 1),
            ratio(100_001, 100_000),
            ratio(3, 2),
            ratio(2, 1),
            ratio(200_001, 100_000),
            ratio(7, 1),
        ]
    }

    fn tape_len(&self) -> usize {
        2
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Share {
        let below = tape.integer(1, 400);
        Share { ratio: Rational::new(tape.integer(0, self.most * below), below) }
    }
}

/// Grid points of a Euclidean ball, gone through from an offset with a stride.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Grid {
    /// d
    pub dimension: usize,
    /// R in steps of the grid.
    pub radius: i64,
    /// eps^2.
    pub square: i64,
    /// The i-th point visited is the (start + i stride)-th, modulo their number.
    pub start: usize,
    /// See `start`.
    pub stride: usize,
}

impl Grid {
    /// The grid points of a ball of this radius, in the order they are visited.
    #[must_use]
    pub fn points(&self, radius: i64) -> Vec<[i64; 3]> {
        let range = |used: bool| if used { -radius..=radius } else { 0..=0 };
        let mut all = Vec::new();
        for x in range(self.dimension > 0) {
            for y in range(self.dimension > 1) {
                for z in range(self.dimension > 2) {
                    if x * x + y * y + z * z <= radius * radius {
                        all.push([x, y, z]);
                    }
                }
            }
        }
        let count = all.len();
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for i in 0..count {
            // A stride that shares a factor with the count comes back early: then the next point not yet visited is taken.
            let mut at = (self.start + i * self.stride) % count;
            while seen[at] {
                at = (at + 1) % count;
            }
            seen[at] = true;
            order.push(all[at]);
        }
        order
    }
}

impl Instance for Grid {
    fn show(&self) -> String {
        format!("d = {}, R = {}, eps^2 = {}, from point {} by {}", self.dimension, self.radius, self.square, self.start, self.stride)
    }
}

/// Balls on a grid in up to three dimensions.
pub struct Grids;

impl Family for Grids {
    type Instance = Grid;

    fn id(&self) -> String {
        "grids".into()
    }

    fn domain(&self) -> String {
        "integer points of the ball of integer radius R, d = 1, 2, 3, eps^2 an integer; greedy maximal packings in many orders".into()
    }

    fn special(&self) -> Vec<Grid> {
        let mut special = Vec::new();
        for dimension in 1..=3 {
            for radius in 0..=4 {
                for square in [1, 2, 3, 4, 8, 15, 16, 63, 64] {
                    special.push(Grid { dimension, radius, square, start: 0, stride: 1 });
                }
            }
        }
        special
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Grid {
        let dimension = tape.integer(1, 3) as usize;
        let radius = tape.integer(0, if dimension == 3 { 3 } else { 5 });
        Grid { dimension, radius, square: tape.integer(1, 40), start: tape.index(97), stride: tape.integer(1, 60) as usize }
    }
}

/// Balls with at most 64 grid points.
pub struct SmallGrids;

impl Family for SmallGrids {
    type Instance = Grid;

    fn id(&self) -> String {
        "small-grids".into()
    }

    fn domain(&self) -> String {
        "integer points of the ball of radius R, at most 64 of them: d = 1 (R <= 12), 2 (R <= 4), 3 (R <= 2); eps^2 an integer below 4 R^2".into()
    }

    fn special(&self) -> Vec<Grid> {
        let balls = (0..=12).map(|radius| (1, radius)).chain((0..=4).map(|radius| (2, radius))).chain((0..=2).map(|radius| (3, radius)));
        let squares = |radius: i64| (1..=4 * radius * radius).step_by(1 + radius as usize / 5);
        balls.flat_map(|(dimension, radius)| squares(radius).map(move |square| Grid { dimension, radius, square, start: 0, stride: 1 })).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Grid {
        Grid { dimension: 1, radius: 0, square: 1, start: 0, stride: 1 }
    }
}

/// x in the l1 ball of radius R = 1, columns of a design, and the number of draws.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Draws {
    /// x times the denominator.
    pub numerators: Vec<i64>,
    /// The common denominator, at least the sum of the numerators' sizes.
    pub denominator: i64,
    /// k, the number of draws.
    pub draws: u32,
    /// Columns X_j of a design with n rows; none for the identity.
    pub columns: Vec<Vec<i64>>,
    /// Columns are divided by this.
    pub divisor: i64,
}

impl Instance for Draws {
    fn show(&self) -> String {
        let runs = self.numerators.chunk_by(|a, b| a == b);
        let x: Vec<String> = runs
            .map(|run| {
                let value = Rational::new(run[0], self.denominator);
                if run.len() == 1 { value.to_string() } else { format!("{value} {} times", run.len()) }
            })
            .collect();
        let design = if self.columns.is_empty() {
            String::new()
        } else {
            let columns: Vec<String> = self.columns.iter().map(|column| show(column)).collect();
            format!(", columns of X (times {}) {}", self.divisor, columns.join(" "))
        };
        format!("x = {}, R = 1, k = {}{design}", show(&x), self.draws)
    }
}

/// Vectors of the unit l1 ball and few draws; with a design if asked.
pub struct Vectors {
    /// With the columns of a design.
    pub design: bool,
    /// Vectors of many dimensions too, for formulas that enumerate nothing.
    pub long: bool,
}

impl Family for Vectors {
    type Instance = Draws;

    fn id(&self) -> String {
        match (self.design, self.long) {
            (true, _) => "designs",
            (false, true) => "long-vectors",
            (false, false) => "vectors",
        }
        .into()
    }

    fn domain(&self) -> String {
        match (self.design, self.long) {
            (true, _) => "rational theta with ||theta||_1 <= 1, d <= 3, k <= 3 draws, n <= 3 rows, rational columns; all outcomes enumerated",
            (false, true) => "rational x with ||x||_1 <= 1 in up to 1,000 dimensions",
            (false, false) => "rational x with ||x||_1 <= 1, d <= 4, k <= 4 draws; all outcomes enumerated",
        }
        .into()
    }

    fn special(&self) -> Vec<Draws> {
        let plain = |numerators: &[i64], denominator, draws, columns: &[&[i64]], divisor| Draws {
            numerators: numerators.to_vec(),
            denominator,
            draws,
            columns: columns.iter().map(|column| column.to_vec()).collect(),
            divisor,
        };
        if self.design {
            return vec![
                plain(&[1], 1, 1, &[&[1]], 1),
                plain(&[1], 2, 1, &[&[1]], 1),
                plain(&[0], 1, 1, &[&[0]], 1),
                plain(&[1], 2, 1, &[&[10]], 1),
                plain(&[1, 1], 2, 1, &[&[1, 1], &[1, -1]], 1),
                plain(&[1, -1], 2, 2, &[&[7, 1], &[1, 7]], 5),
                plain(&[1, 1, 1], 3, 3, &[&[1, 1, 1], &[1, -1, 1], &[-1, 1, 1]], 1),
            ];
        }
        let mut special = vec![
            plain(&[0], 1, 1, &[], 1),
            plain(&[1], 1, 1, &[], 1),
            plain(&[1], 2, 1, &[], 1),
            plain(&[1, 1], 2, 2, &[], 1),
            plain(&[1, -1, 0], 3, 3, &[], 1),
            plain(&[1, 1, 1, 1], 4, 4, &[], 1),
        ];
        if self.long {
            special.extend([10, 101, 1000].map(|d| plain(&vec![1; d], d as i64, 2, &[], 1)));
        }
        special
    }

    fn tape_len(&self) -> usize {
        if self.design { 18 } else { 8 }
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Draws {
        let draws = tape.integer(1, if self.design { 3 } else { 4 }) as u32;
        if self.long {
            let d = tape.heavy(1000) as usize;
            let (first, rest) = (tape.integer(-20, 20), tape.integer(-3, 3));
            let mut numerators = vec![rest; d];
            numerators[0] = first;
            let sum: i64 = numerators.iter().map(|a| a.abs()).sum();
            return Draws { numerators, denominator: (sum + tape.integer(0, 50)).max(1), draws, columns: vec![], divisor: 1 };
        }
        let d = tape.integer(1, if self.design { 3 } else { 4 });
        let numerators: Vec<i64> = (0..d).map(|_| tape.integer(-9, 9)).collect();
        let sum: i64 = numerators.iter().map(|a| a.abs()).sum();
        let denominator = (sum + tape.integer(0, 12)).max(1);
        let (mut columns, mut divisor) = (Vec::new(), 1);
        if self.design {
            let rows = tape.integer(1, 3);
            columns = (0..d).map(|_| (0..rows).map(|_| tape.integer(-6, 6)).collect::<Vec<i64>>()).collect();
            // Mostly small enough that ||X_j||^2 <= n.
            divisor = tape.integer(1, 7);
        }
        Draws { numerators, denominator, draws, columns, divisor }
    }
}

/// A dimension and a number of draws.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Pair {
    /// d
    pub dimension: u64,
    /// k
    pub draws: u64,
}

impl Instance for Pair {
    fn show(&self) -> String {
        format!("d = {}, k = {}", self.dimension, self.draws)
    }
}

/// All pairs of a small dimension and a small number of draws.
pub struct Pairs;

impl Family for Pairs {
    type Instance = Pair;

    fn id(&self) -> String {
        "pairs".into()
    }

    fn domain(&self) -> String {
        "d = 1, .., 60 and k = 0, .., 20".into()
    }

    fn special(&self) -> Vec<Pair> {
        (1..=60).flat_map(|dimension| (0..=20).map(move |draws| Pair { dimension, draws })).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Pair {
        Pair { dimension: 1, draws: 0 }
    }
}

/// d coordinates, uniform vectors on s of them, overlaps of at most t, and 1/eps.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Overlaps {
    /// d
    pub dimension: u64,
    /// s
    pub support: u64,
    /// t < s
    pub overlap: u64,
    /// 1/eps, at R = 1.
    pub inverse: u64,
}

impl Instance for Overlaps {
    fn show(&self) -> String {
        format!("d = {}, {} coordinates, overlaps <= {}, R = 1, eps = 1/{}", self.dimension, self.support, self.overlap, self.inverse)
    }
}

/// Packings of sparse vectors in high dimension.
pub struct SparsePackings;

impl Family for SparsePackings {
    type Instance = Overlaps;

    fn id(&self) -> String {
        "sparse-packings".into()
    }

    fn domain(&self) -> String {
        "d up to 10^6, vectors (1/s) on s coordinates with pairwise overlaps at most t, the largest integer 1/eps at which they are more than 2 eps apart".into()
    }

    fn special(&self) -> Vec<Overlaps> {
        let mut special = Vec::new();
        for dimension in [4, 100, 10_000, 1_000_000] {
            for (support, overlap) in [(1, 0), (2, 0), (2, 1), (5, 2), (20, 10), (53, 31)] {
                if support <= dimension {
                    // 2 (s - t)/s^2 > 4/m^2, the least such m.
                    let inverse = (1..).find(|m: &u64| 2 * (support - overlap) * m * m > 4 * support * support).unwrap_or(1);
                    special.push(Overlaps { dimension, support, overlap, inverse });
                }
            }
        }
        special
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Overlaps {
        Overlaps { dimension: 4, support: 1, overlap: 0, inverse: 2 }
    }
}

/// A column of length `column` in one dimension with n rows, R/eps; or the design sqrt(n) I with n = root^2.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Design {
    /// n = d = root^2 and X = root I, or n = d = 1 for root = 1.
    pub root: u64,
    /// X is multiplied by this.
    pub factor: Rational,
    /// eps at R = 1.
    pub radius: Rational,
}

impl Instance for Design {
    fn show(&self) -> String {
        let n = self.root * self.root;
        format!("n = d = {n}, X = {} I, R = 1, eps = {}", self.factor.clone() * Rational::from(self.root), self.radius)
    }
}

/// Orthogonal designs X = c sqrt(n) I.
pub struct Designs {
    /// One column only (n = d = 1), drawn at random too.
    pub line: bool,
}

impl Family for Designs {
    type Instance = Design;

    fn id(&self) -> String {
        if self.line { "one-column" } else { "orthogonal" }.into()
    }

    fn domain(&self) -> String {
        if self.line { "n = d = 1, a rational column, rational eps" } else { "n = d = 1, 4, 9, 16, X = sqrt(n) I, 1/eps an integer up to 6" }.into()
    }

    fn special(&self) -> Vec<Design> {
        let design = |root, factor, radius| Design { root, factor, radius };
        let one = Rational::from(1);
        if self.line {
            return vec![
                design(1, Rational::from(0), one.clone()),
                design(1, one.clone(), one.clone()),
                design(1, one.clone(), Rational::new(1, 2)),
                design(1, Rational::from(10), one.clone()),
                design(1, Rational::new(1, 3), Rational::new(1, 10)),
            ];
        }
        (1..=4).flat_map(|root| (1..=6).map(move |inverse| Design { root, factor: Rational::from(1), radius: Rational::new(1, inverse) })).collect()
    }

    fn tape_len(&self) -> usize {
        if self.line { 4 } else { 0 }
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Design {
        let (below, over) = (tape.integer(1, 60), tape.integer(1, 60));
        Design { root: 1, factor: Rational::new(tape.integer(0, below), below), radius: Rational::new(tape.integer(1, 2 * over), over) }
    }
}

/// N independent variables, each uniform on [low, low + width], and eps.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Uniforms {
    /// N
    pub count: u32,
    /// The lower end.
    pub low: Rational,
    /// The width: the density is 1/width.
    pub width: Rational,
    /// eps
    pub level: Rational,
}

impl Instance for Uniforms {
    fn show(&self) -> String {
        format!("N = {}, X_i uniform on [{}, {}], eps = {}", self.count, self.low, self.low.clone() + self.width.clone(), self.level)
    }
}

/// Sums of uniform variables.
pub struct UniformSums;

impl Family for UniformSums {
    type Instance = Uniforms;

    fn id(&self) -> String {
        "uniform-sums".into()
    }

    fn domain(&self) -> String {
        "N <= 10 variables (and 32, 612) uniform on a rational interval, rational eps".into()
    }

    fn special(&self) -> Vec<Uniforms> {
        let on = |count, low, width, level| Uniforms { count, low, width, level };
        let (zero, one) = (Rational::from(0), Rational::from(1));
        let mut special = vec![
            on(1, zero.clone(), one.clone(), one.clone()),
            on(1, zero.clone(), one.clone(), Rational::new(1, 1000)),
            on(3, zero.clone(), one.clone(), Rational::new(1, 2)),
            on(6, zero.clone(), one.clone(), Rational::new(1, 12)),
            on(6, zero.clone(), Rational::new(1, 2), Rational::new(1, 12)),
            on(1, Rational::from(-1), one.clone(), Rational::new(1, 3)),
            on(2, one.clone(), Rational::from(2), Rational::from(2)),
        ];
        for count in [2, 6, 32, 612] {
            special.push(on(count, zero.clone(), one.clone(), Rational::new(1, i64::from(count))));
        }
        special
    }

    fn tape_len(&self) -> usize {
        6
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Uniforms {
        let count = tape.integer(1, 10) as u32;
        let below = tape.integer(1, 30);
        let level = Rational::new(tape.integer(1, 2 * below), below);
        // Mostly what the claim assumes: low >= 0, width >= 1.
        let low = Rational::new(tape.integer(0, 4).max(0), 8 * tape.integer(1, 2));
        let width = Rational::from(1) + Rational::new(tape.integer(0, 8), 8);
        Uniforms { count, low, width, level }
    }
}

/// N independent variables with densities that are constant on [j/m, (j+1)/m), and eps.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Histograms {
    /// m, cells a unit.
    pub cells: i64,
    /// For each variable the weights of its cells; the law is weights/sum.
    pub weights: Vec<Vec<i64>>,
    /// eps
    pub level: Rational,
}

impl Instance for Histograms {
    fn show(&self) -> String {
        let laws: Vec<String> = self.weights.iter().map(|law| show(law)).collect();
        format!("cells of 1/{}, weights {}, eps = {}", self.cells, laws.join(" "), self.level)
    }
}

/// Sums of variables with histogram densities, not all alike.
pub struct HistogramSums;

impl Family for HistogramSums {
    type Instance = Histograms;

    fn id(&self) -> String {
        "histogram-sums".into()
    }

    fn domain(&self) -> String {
        "N <= 4 variables whose densities are constant on at most 6 cells of width 1/m, m <= 3, rational eps".into()
    }

    fn special(&self) -> Vec<Histograms> {
        let on = |cells, weights: &[&[i64]], p, q| Histograms {
            cells,
            weights: weights.iter().map(|law| law.to_vec()).collect(),
            level: Rational::new(p, q),
        };
        vec![
            on(1, &[&[1]], 1, 3),
            on(2, &[&[1, 1]], 1, 4),
            on(2, &[&[1, 0, 1]], 1, 4),
            on(1, &[&[1, 1], &[1]], 1, 2),
            on(2, &[&[1], &[1]], 1, 10),
            on(3, &[&[1, 1, 1, 0, 0, 0], &[0, 1, 1, 1, 0, 0]], 1, 5),
        ]
    }

    fn tape_len(&self) -> usize {
        30
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Histograms {
        let cells = tape.integer(1, 3);
        let count = tape.integer(1, 4);
        let below = tape.integer(1, 20);
        let level = Rational::new(tape.integer(1, 2 * below), below);
        let weights = (0..count)
            .map(|_| {
                let length = tape.integer(cells, cells + 3);
                (0..length).map(|_| tape.choose(&[1, 1, 1, 1, 2, 1, 0])).collect()
            })
            .collect();
        Histograms { cells, weights, level }
    }
}

/// N independent exponential variables of rate `rate` and eps.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Exponentials {
    /// N
    pub count: u32,
    /// The rate: the density at 0.
    pub rate: Rational,
    /// eps
    pub level: Rational,
}

impl Instance for Exponentials {
    fn show(&self) -> String {
        format!("N = {}, X_i exponential of rate {}, eps = {}", self.count, self.rate, self.level)
    }
}

/// Sums of exponential variables.
pub struct ExponentialSums;

impl Family for ExponentialSums {
    type Instance = Exponentials;

    fn id(&self) -> String {
        "exponential-sums".into()
    }

    fn domain(&self) -> String {
        "N <= 12 exponential variables of rational rate, rational eps".into()
    }

    fn special(&self) -> Vec<Exponentials> {
        let on = |count, rate, p, q| Exponentials { count, rate, level: Rational::new(p, q) };
        vec![
            on(1, Rational::from(1), 1, 2),
            on(2, Rational::from(1), 1, 2),
            on(6, Rational::from(1), 1, 60),
            on(12, Rational::from(1), 1, 120),
            on(6, Rational::from(4), 1, 100),
            on(3, Rational::new(1, 2), 3, 1),
        ]
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Exponentials {
        let count = tape.integer(1, 12) as u32;
        let below = tape.integer(1, 50);
        let level = Rational::new(tape.integer(1, 3 * below), below);
        let over = tape.integer(1, 9);
        Exponentials { count, rate: Rational::new(tape.integer(1, over), over), level }
    }
}
