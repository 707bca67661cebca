//! Families: processes indexed by finite sets of points, simplices, star-shaped classes.

use super::chaining::Steps;
use super::covering::{cover, profile};
use super::instances_covering::symmetric;
use claim::{Family, Instance, Tape};
use numeric::{Field, Ordered, Rational};

fn show(values: &[i64]) -> String {
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", shown.join(", "))
}

/// X_t = offset + <signs, t - t_0> for independent fair signs and points t of an integer grid, t_0 the first of them.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Walk {
    /// The points.
    pub points: Vec<Vec<i64>>,
    /// The value at t_0, the same for all signs.
    pub offset: i64,
    /// D^2 times 10,000.
    pub reach: i64,
    /// delta^2 times 10,000.
    pub step: i64,
}

/// What [`Walk::reach`] and [`Walk::step`] are divided by.
const UNIT: i64 = 10_000;

impl Walk {
    /// The squared distance of two points.
    #[must_use]
    pub fn square(&self, s: usize, t: usize) -> i64 {
        self.points[s].iter().zip(&self.points[t]).map(|(a, b)| (a - b).pow(2)).sum()
    }

    /// diam(T)^2
    #[must_use]
    pub fn diameter_square(&self) -> i64 {
        let pairs = (0..self.points.len()).flat_map(|s| (0..s).map(move |t| (s, t)));
        pairs.map(|(s, t)| self.square(s, t)).max().unwrap_or(0)
    }

    /// D^2
    #[must_use]
    pub fn reach_square(&self) -> Rational {
        Rational::new(self.reach, UNIT)
    }

    /// delta^2
    #[must_use]
    pub fn step_square(&self) -> Rational {
        Rational::new(self.step, UNIT)
    }

    /// The mean over all signs of a function of the values (X_t - offset).
    fn mean(&self, f: impl Fn(&[i64]) -> i64) -> Rational {
        let dimension = self.points[0].len();
        let mut values = vec![0; self.points.len()];
        let mut sum = 0;
        for signs in 0..1_u32 << dimension {
            for (value, point) in values.iter_mut().zip(&self.points) {
                let steps = point.iter().zip(&self.points[0]).enumerate();
                *value = steps.map(|(i, (a, b))| if signs >> i & 1 == 0 { a - b } else { b - a }).sum();
            }
            sum += f(&values);
        }
        Rational::new(sum, 1 << dimension)
    }

    /// E max X_t.
    #[must_use]
    pub fn expected_max(&self) -> Rational {
        self.mean(|values| values.iter().copied().max().unwrap_or(0)) + Rational::from(self.offset)
    }

    /// E of the largest X_s - X_t over all pairs with squared distance at most `square` (None: all).
    #[must_use]
    pub fn expected_oscillation(&self, square: Option<&Rational>) -> Rational {
        let count = self.points.len();
        let near: Vec<(usize, usize)> = (0..count)
            .flat_map(|s| (0..count).map(move |t| (s, t)))
            .filter(|&(s, t)| square.is_none_or(|limit| Rational::from(self.square(s, t)) <= *limit))
            .collect();
        self.mean(|values| near.iter().map(|&(s, t)| values[s] - values[t]).max().unwrap_or(0))
    }

    /// N(eps, T) with balls around the points, the middles of pairs and the centroids of triples: an upper bound would need no more centres, so this is the
    /// covering number in a space of these centres. None where it is out of reach.
    #[must_use]
    pub fn steps(&self) -> Option<Steps> {
        let count = self.points.len();
        let mut centres: Vec<Vec<i64>> = Vec::new();
        for i in 0..count {
            for j in 0..=i {
                for k in 0..=j {
                    // Times 6: (i, i, i), (i, j, j) as a middle, (i, j, k).
                    let weights = if i == j && j == k {
                        [6, 0, 0]
                    } else if j == k {
                        [3, 3, 0]
                    } else if i == j {
                        continue;
                    } else {
                        [2, 2, 2]
                    };
                    let of = |axis: usize| weights[0] * self.points[i][axis] + weights[1] * self.points[j][axis] + weights[2] * self.points[k][axis];
                    centres.push((0..self.points[0].len()).map(of).collect());
                }
            }
        }
        let squares: Vec<Vec<i64>> = self
            .points
            .iter()
            .map(|point| centres.iter().map(|centre| point.iter().zip(centre).map(|(a, b)| (6 * a - b).pow(2)).sum()).collect())
            .collect();
        let mut radii: Vec<i64> = squares.iter().flatten().copied().chain([0]).collect();
        radii.sort_unstable();
        radii.dedup();
        let number = |index: usize| {
            let found = cover(count, centres.len(), |p, c| squares[p][c] <= radii[index]).ok()?;
            found.verify(count, centres.len(), |p, c| squares[p][c] <= radii[index]).ok()?;
            Some(found.size())
        };
        let numbers = profile(radii.len(), |index| number(index).ok_or(())).ok()?;
        let mut steps: Vec<(Rational, u64)> = Vec::new();
        for (radius, number) in radii.iter().zip(numbers) {
            if steps.last().is_none_or(|(_, last)| *last != number as u64) {
                steps.push((Rational::new(*radius, 36), number as u64));
            }
        }
        Some(Steps { squared: true, steps })
    }
}

impl Instance for Walk {
    fn show(&self) -> String {
        let points: Vec<String> = self.points.iter().map(|point| show(point)).collect();
        let step = if self.step == 0 { String::new() } else { format!(", delta^2 = {}", self.step_square()) };
        format!("T = {{{}}}, X at the first point {}, D^2 = {}{step}", points.join(", "), self.offset, self.reach_square())
    }
}

/// Processes driven by fair signs.
pub struct Walks {
    /// With a delta.
    pub truncated: bool,
}

impl Family for Walks {
    type Instance = Walk;

    fn id(&self) -> String {
        if self.truncated { "sign-processes-truncated" } else { "sign-processes" }.into()
    }

    fn domain(&self) -> String {
        "X_t = <signs, t - t_0> on 1 to 4 integer points (up to 12 among the special ones) of up to 3 dimensions; all signs enumerated".into()
    }

    fn special(&self) -> Vec<Walk> {
        let walk = |points: &[&[i64]], offset, reach, step| Walk {
            points: points.iter().map(|point| point.to_vec()).collect(),
            offset,
            reach: reach * UNIT,
            step: if self.truncated { step } else { 0 },
        };
        let mut special = vec![
            walk(&[&[0]], 0, 1, 100),
            walk(&[&[0], &[1]], 0, 1, 100),
            walk(&[&[0], &[0]], 0, 1, 100),
            // D = 16, delta = 4.
            walk(&[&[0], &[1]], 0, 256, 16 * UNIT),
            walk(&[&[0], &[1]], 3, 1, 100),
            walk(&[&[0, 0], &[1, 0], &[0, 1], &[1, 1]], 0, 2, 100),
            walk(&[&[1, 0, 0], &[0, 1, 0], &[0, 0, 1], &[-1, 0, 0], &[0, -1, 0], &[0, 0, -1]], 0, 4, 1000),
        ];
        let cube: Vec<Vec<i64>> = (0..8).map(|i| (0..3).map(|axis| i >> axis & 1).collect()).collect();
        special.push(Walk { points: cube, offset: 0, reach: 3 * UNIT, step: if self.truncated { 1000 } else { 0 } });
        // Twelve points, the most that are given.
        let block = (0..12).map(|i| vec![i / 4, i / 2 % 2, i % 2]).collect();
        special.push(Walk { points: block, offset: 0, reach: 6 * UNIT, step: if self.truncated { 3000 } else { 0 } });
        // D far below the diameter.
        special.push(Walk { points: vec![vec![0], vec![1]], offset: 0, reach: 1, step: 0 });
        special
    }

    fn tape_len(&self) -> usize {
        17
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Walk {
        let dimension = tape.integer(1, 3);
        let count = tape.integer(1, 4);
        let slack = tape.integer(0, 3);
        let step = tape.integer(1, UNIT);
        let offset = if tape.word().is_multiple_of(8) { tape.integer(0, 4) } else { 0 };
        let points = (0..count).map(|_| (0..dimension).map(|_| tape.integer(-4, 4)).collect()).collect();
        let mut walk = Walk { points, offset, reach: 0, step: 0 };
        let diameter = walk.diameter_square().max(1);
        walk.reach = (diameter + slack) * UNIT;
        if self.truncated {
            // delta^2 <= D^2/16.
            walk.step = ((diameter + slack) * step / 16).max(1);
        }
        walk
    }
}

/// The regular simplex of side 1 with Gaussian increments, X_t = <g, t - t_0>; D and delta.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Simplex {
    /// Vertices.
    pub vertices: u32,
    /// D
    pub reach: Rational,
    /// delta
    pub step: Rational,
}

impl Instance for Simplex {
    fn show(&self) -> String {
        let step = if self.step.is_zero() { String::new() } else { format!(", delta = {}", self.step) };
        format!("regular simplex of side 1, {} vertices, Gaussian, D = {}{step}", self.vertices, self.reach)
    }
}

/// Regular simplices, centres of nets anywhere in Hilbert space.
pub struct Simplices {
    /// With a delta.
    pub truncated: bool,
}

impl Family for Simplices {
    type Instance = Simplex;

    fn id(&self) -> String {
        if self.truncated { "simplices-truncated" } else { "simplices" }.into()
    }

    fn domain(&self) -> String {
        let more = if self.truncated { "; D = 1 or 4, delta = 1/100 or 1/4" } else { ", D = 1" };
        format!("regular simplices of side 1 with 2, 3, 4, 5, 8, 10, 16, 25, 50, 100 vertices, centres in Hilbert space{more}")
    }

    fn special(&self) -> Vec<Simplex> {
        let settings = if self.truncated { &[(1, 100), (1, 4), (4, 100), (4, 4)][..] } else { &[(1, 0)] };
        let step = |inverse| if inverse == 0 { Rational::from(0) } else { Rational::new(1, inverse) };
        [2, 3, 4, 5, 8, 10, 16, 25, 50, 100]
            .into_iter()
            .flat_map(|vertices| {
                settings.iter().map(move |&(reach, inverse)| Simplex { vertices, reach: Rational::from(reach), step: step(inverse) })
            })
            .collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Simplex {
        Simplex { vertices: 2, reach: Rational::from(1), step: Rational::from(0) }
    }
}

/// The cube {0, 1}^m with X_t = <signs, t>.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
pub struct Cube {
    /// m, at most 60.
    pub dimension: u32,
}

impl Cube {
    /// The most points of the cube that a closed ball of Hilbert space with squared radius in [k/4, (k+1)/4) can hold: their pairwise Hamming distances are at
    /// most k, and Kleitman's theorem bounds such a family by 2^m for k >= m, else by sum_{i <= k/2} C(m, i) for even k and twice sum_{i <= (k-1)/2} C(m-1, i)
    /// for odd k.
    fn largest(self, k: u32) -> u64 {
        let sum = |m: u32, most: u32| {
            let mut choose = 1_u64;
            (0..=most).fold(0, |sum, i| {
                let now = choose;
                choose = (u128::from(choose) * u128::from(m.saturating_sub(i)) / u128::from(i + 1)) as u64;
                sum + now
            })
        };
        match (k >= self.dimension, k.is_multiple_of(2)) {
            (true, _) => 1 << self.dimension,
            (false, true) => sum(self.dimension, k / 2),
            (false, false) => 2 * sum(self.dimension - 1, k / 2),
        }
    }

    /// (lower, upper) bounds of N(eps) with centres in Hilbert space: by the largest balls, and by the 2^(m-k) subcubes of dimension k, whose circumradius is
    /// sqrt(k)/2.
    #[must_use]
    pub fn steps(self) -> (Steps, Steps) {
        let whole = 1_u64 << self.dimension;
        let steps = |number: &dyn Fn(u32) -> u64| Steps {
            squared: true,
            steps: (0..=self.dimension).map(|k| (Rational::new(i64::from(k), 4), number(k))).collect(),
        };
        (steps(&|k| whole.div_ceil(self.largest(k))), steps(&|k| whole >> k))
    }
}

impl Instance for Cube {
    fn show(&self) -> String {
        format!("T = {{0, 1}}^{}, X_t = <signs, t>, D = sqrt({})", self.dimension, self.dimension)
    }
}

/// Cubes of up to 60 dimensions.
pub struct Cubes;

impl Family for Cubes {
    type Instance = Cube;

    fn id(&self) -> String {
        "cubes".into()
    }

    fn domain(&self) -> String {
        "{0, 1}^m for m = 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60, centres in Hilbert space, covering numbers between two bounds".into()
    }

    fn special(&self) -> Vec<Cube> {
        [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60].map(|dimension| Cube { dimension }).to_vec()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Cube {
        Cube { dimension: 1 }
    }
}

/// A finite set, a net in it, a point of the net, and a function.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Discretized {
    /// Distances, row by row.
    pub distance: Vec<Vec<i64>>,
    /// delta
    pub step: i64,
    /// U
    pub net: Vec<usize>,
    /// u_0, a place in U.
    pub base: usize,
    /// X_t
    pub values: Vec<i64>,
}

impl Instance for Discretized {
    fn show(&self) -> String {
        let rows: Vec<String> = self.distance.iter().map(|row| show(row)).collect();
        let base = self.net.get(self.base).map_or_else(|| "none".to_owned(), ToString::to_string);
        format!("d = {}, delta = {}, U = {:?}, u0 = {base}, X = {}", rows.join(" "), self.step, self.net, show(&self.values))
    }
}

/// Functions on finite metric spaces with nets.
pub struct Discretizations;

impl Family for Discretizations {
    type Instance = Discretized;

    fn id(&self) -> String {
        "discretizations".into()
    }

    fn domain(&self) -> String {
        "integer points of the line or integer lengths in {m, .., 2m}, at most 6 points, integer functions, nets U inside".into()
    }

    fn special(&self) -> Vec<Discretized> {
        let on_line = |places: &[i64], step, net: &[usize], values: &[i64]| Discretized {
            distance: places.iter().map(|a| places.iter().map(|b| (a - b).abs()).collect()).collect(),
            step,
            net: net.to_vec(),
            base: 0,
            values: values.to_vec(),
        };
        vec![
            on_line(&[0], 0, &[0], &[0]),
            on_line(&[0, 2], 1, &[0], &[0, 5]),
            on_line(&[0, 1], 1, &[0], &[0, 5]),
            on_line(&[0, 10], 1, &[0, 1], &[0, 7]),
            on_line(&[0, 10, 11, 20, 21], 1, &[0, 1, 3], &[0, 1, 2, -1, -2]),
        ]
    }

    fn tape_len(&self) -> usize {
        32
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Discretized {
        let count = tape.integer(1, 6) as usize;
        let members = tape.word();
        let net: Vec<usize> = (0..count).filter(|i| members >> i & 1 == 0).collect();
        let base = tape.index(net.len());
        let values: Vec<i64> = (0..count).map(|_| tape.integer(-6, 6)).collect();
        let step = tape.integer(0, 8);
        let distance = if tape.word().is_multiple_of(2) {
            let places: Vec<i64> = (0..count).map(|_| tape.integer(0, 20)).collect();
            places.iter().map(|a| places.iter().map(|b| (a - b).abs()).collect()).collect()
        } else {
            let scale = tape.integer(1, 5);
            symmetric(count, || tape.integer(scale, 2 * scale))
        };
        Discretized { distance, step, net, base, values }
    }
}

/// A class of functions whose Gaussian complexity and entropy integral are known, at radius delta = 1 and sqrt(n) ||.||_n the Euclidean norm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A linear space of this dimension.
    Linear(u32),
    /// The multiples of one function by [0, 1].
    Segment,
    /// The union of this many orthogonal segments, an even number.
    Arms(u32),
    /// {0, h}: not star-shaped.
    Pair,
}

impl Instance for Class {
    fn show(&self) -> String {
        match self {
            Class::Linear(rank) => format!("a linear class of rank {rank}"),
            Class::Segment => "H = [0, 1] h, ||h||_n >= delta".into(),
            Class::Arms(count) => format!("H = the union of [0, 1] h_i for {count} orthogonal h_i, ||h_i||_n >= delta"),
            Class::Pair => "H = {0, h}, ||h||_n = delta".into(),
        }
    }
}

/// Those classes.
pub struct Classes;

impl Family for Classes {
    type Instance = Class;

    fn id(&self) -> String {
        "classes".into()
    }

    fn domain(&self) -> String {
        "linear classes of rank 1 to 60, one segment, 2 to 100 orthogonal segments; every n and delta (both sides scale alike)".into()
    }

    fn special(&self) -> Vec<Class> {
        let mut special = vec![Class::Linear(1), Class::Segment, Class::Pair];
        special.extend([2, 4, 10, 100].map(Class::Arms));
        special.extend((2..=60).map(Class::Linear));
        special
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Class {
        Class::Linear(1)
    }
}

/// Ranks 1, .., 200.
pub struct Ranks;

/// A rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank(pub u32);

impl Instance for Rank {
    fn show(&self) -> String {
        format!("r = {}", self.0)
    }
}

impl Family for Ranks {
    type Instance = Rank;

    fn id(&self) -> String {
        "ranks".into()
    }

    fn domain(&self) -> String {
        "r = 1, .., 200; every n and delta (both sides scale alike)".into()
    }

    fn special(&self) -> Vec<Rank> {
        (1..=200).map(Rank).collect()
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Rank {
        Rank(1)
    }
}

/// Segments [0, 1] h_i in the plane with h_i of rational length (a Pythagorean direction times a length), a weight vector, two radii.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Star {
    /// (direction index, length).
    pub segments: Vec<(usize, Rational)>,
    /// The endpoints only, without the segments: not star-shaped.
    pub ends_only: bool,
    /// w
    pub weights: (i64, i64),
    /// delta
    pub small: Rational,
    /// t
    pub large: Rational,
}

/// Unit vectors with rational entries.
const DIRECTIONS: [(i64, i64, i64); 8] = [(1, 0, 1), (0, 1, 1), (3, 4, 5), (4, -3, 5), (5, 12, 13), (-12, 5, 13), (8, 15, 17), (20, -21, 29)];

impl Star {
    /// sup |<w, h>| over h in H with ||h|| <= radius.
    #[must_use]
    pub fn supremum(&self, radius: &Rational) -> Rational {
        let mut best = Rational::from(0);
        for (direction, length) in &self.segments {
            let (a, b, c) = DIRECTIONS[direction % DIRECTIONS.len()];
            let used = if length <= radius {
                length.clone()
            } else if self.ends_only {
                continue;
            } else {
                radius.clone()
            };
            let value = Ordered::abs(&Rational::new(a * self.weights.0 + b * self.weights.1, c)) * used;
            if value > best {
                best = value;
            }
        }
        best
    }

    /// The vertices of the convex hull of all h and -h with h in H and ||h|| <= radius, divided by the radius; in order, from the leftmost lowest. None but
    /// 0 may be left.
    ///
    /// In the plane E sup over h of |<w, h>| for standard normal w is sqrt(pi/2) times the mean of the hull's support function over the circle, which is its
    /// perimeter over 2 pi (Cauchy).
    #[must_use]
    pub fn hull(&self, radius: &Rational) -> Vec<[Rational; 2]> {
        let mut points: Vec<[Rational; 2]> = Vec::new();
        for (direction, length) in &self.segments {
            let (a, b, c) = DIRECTIONS[direction % DIRECTIONS.len()];
            let used = if length <= radius {
                length.clone() / radius.clone()
            } else if self.ends_only {
                continue;
            } else {
                Rational::from(1)
            };
            let point = [Rational::new(a, c) * used.clone(), Rational::new(b, c) * used];
            points.push([-point[0].clone(), -point[1].clone()]);
            points.push(point);
        }
        points.sort_by(|p, q| p[0].cmp_exact(&q[0]).zip(p[1].cmp_exact(&q[1])).map_or(std::cmp::Ordering::Equal, |(x, y)| x.then(y)));
        points.dedup();
        if points.len() < 3 {
            return points;
        }
        // Each half of the hull: drop what does not turn left.
        let half = |points: &mut dyn Iterator<Item = &[Rational; 2]>| {
            let mut chain: Vec<[Rational; 2]> = Vec::new();
            for point in points {
                while let [.., before, last] = &chain[..] {
                    let turn = (last[0].clone() - before[0].clone()) * (point[1].clone() - before[1].clone())
                        - (last[1].clone() - before[1].clone()) * (point[0].clone() - before[0].clone());
                    if turn > Rational::from(0) {
                        break;
                    }
                    chain.pop();
                }
                chain.push(point.clone());
            }
            chain.pop();
            chain
        };
        let mut hull = half(&mut points.iter());
        hull.extend(half(&mut points.iter().rev()));
        hull
    }
}

/// The squares of the edges' lengths of a polygon (a segment has two).
#[must_use]
pub fn edge_squares(hull: &[[Rational; 2]]) -> Vec<Rational> {
    let next = hull.iter().cycle().skip(1);
    hull.iter().zip(next).map(|(p, q)| (p[0].clone() - q[0].clone()).square() + (p[1].clone() - q[1].clone()).square()).collect()
}

impl Instance for Star {
    fn show(&self) -> String {
        let segments: Vec<String> = self
            .segments
            .iter()
            .map(|(direction, length)| {
                let (a, b, c) = DIRECTIONS[direction % DIRECTIONS.len()];
                format!("{length} ({a}, {b})/{c}")
            })
            .collect();
        let kind = if self.ends_only { "0 and the points" } else { "segments from 0 to" };
        format!("H = {kind} {}, w = ({}, {}), delta = {}, t = {}", segments.join("; "), self.weights.0, self.weights.1, self.small, self.large)
    }
}

/// Unions of segments.
pub struct Stars;

impl Family for Stars {
    type Instance = Star;

    fn id(&self) -> String {
        "stars".into()
    }

    fn domain(&self) -> String {
        "unions of 1 to 4 segments from 0 in the plane with rational lengths and ends, integer weights, rational 0 < delta <= t".into()
    }

    fn special(&self) -> Vec<Star> {
        let star = |segments: &[(usize, i64)], ends_only, weights, small, large| Star {
            segments: segments.iter().map(|(direction, length)| (*direction, Rational::from(*length))).collect(),
            ends_only,
            weights,
            small,
            large,
        };
        let (half, one, two) = (Rational::new(1, 2), Rational::from(1), Rational::from(2));
        vec![
            star(&[(0, 1)], false, (1, 0), one.clone(), one.clone()),
            star(&[(0, 4)], false, (1, 0), one.clone(), two.clone()),
            star(&[(0, 1)], true, (1, 0), half.clone(), one.clone()),
            star(&[(0, 1), (1, 1)], false, (1, 1), half.clone(), two.clone()),
            star(&[(0, 1), (1, 3)], false, (2, 1), half, two),
        ]
    }

    fn tape_len(&self) -> usize {
        15
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Star {
        let count = tape.integer(1, 4);
        let ends_only = tape.word() % 16 == 15;
        let weights = (tape.integer(-6, 6), tape.integer(-6, 6));
        let small = Rational::new(tape.integer(1, 12), tape.integer(1, 6));
        let large = small.clone() + Rational::new(tape.integer(0, 12), 4);
        let segments = (0..count).map(|_| (tape.index(DIRECTIONS.len()), Rational::new(tape.integer(1, 24), 4))).collect();
        Star { segments, ends_only, weights, small, large }
    }
}
