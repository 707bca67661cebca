//! Families: instances with samples, points, runs of gradient descent, losses on a line.

use super::code::Code;
use super::problem::{Placed, Point, Problem, Sampled, default_b, show_sample};
use claim::{Family, Instance, Tape};
use numeric::{Field, Rational};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::{Arc, OnceLock};

/// Codes for each number of symbols up to this are kept ready.
const MOST: usize = 10;
/// Codes of each size.
const CODES: u64 = 8;

/// The stream of words of a seed.
pub fn words_of_seed(seed: u64) -> impl FnMut() -> u64 {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    move || stream.next_u64()
}

/// The given code where there is one, and codes found by greedy search.
fn pool(symbols: usize) -> &'static [Arc<Code>] {
    static POOLS: OnceLock<Vec<Vec<Arc<Code>>>> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        let found = |symbols: usize| {
            let searched = (0..CODES).filter_map(|seed| Code::search(symbols, words_of_seed(seed)).ok());
            // The last one has two equal words: it does not satisfy the assumption, and counts only for a variant without it.
            let collided = Code::search(symbols, words_of_seed(CODES)).ok().map(|code| code.with_equal_words(1, 0));
            Code::given(symbols).into_iter().chain(searched).chain(extremal(symbols)).chain(collided).map(Arc::new).collect()
        };
        (0..=MOST).map(found).collect()
    });
    pools.get(symbols).map_or(&[], Vec::as_slice)
}

/// A code with two words at inner product exactly 1/2, where the length allows it: its first row is as light as can be.
fn extremal(symbols: usize) -> Option<Code> {
    let weight = (6 * symbols as u32).div_ceil(4);
    let light = (1_u128 << weight) - 1;
    let mut words = words_of_seed(1);
    // Rows beside the light one by the same greedy rule: a search whose first draw is fixed.
    let mut first = true;
    let length = 6 * symbols as u32;
    Code::search(symbols, move || {
        if first {
            // The search takes the top bits of 128: the light row is handed to it in two words.
            first = false;
            return ((light << (128 - length)) >> 64) as u64;
        }
        words()
    })
    .ok()
}

/// The code with this number in the pool; the given one is the first.
#[must_use]
pub fn code(symbols: usize, index: usize) -> Option<Arc<Code>> {
    let pool = pool(symbols);
    pool.get(index % pool.len().max(1)).cloned()
}

/// An instance: b, r = (p, q), the sample's length as m, and a code of the pool by its number.
#[must_use]
pub fn sampled(b: Rational, r: (i64, i64), sample: &[usize], index: usize) -> Sampled {
    let symbols = sample.len();
    let problem = Problem { symbols, b, r: Rational::new(r.0, r.1), pull: Rational::from(1), code: code(symbols, index) };
    Sampled { problem, sample: sample.to_vec() }
}

/// The instances of the reference table.
#[must_use]
pub fn table() -> Vec<Sampled> {
    let of = |q, sample: &[usize]| sampled(Rational::new(1, q), (1, 2), sample, 0);
    vec![of(3, &[0, 0]), of(4, &[0, 0, 1]), of(4, &[0, 0, 1, 1]), of(4, &[0, 0, 0, 0]), of(4, &[0, 1, 2, 2]), of(5, &[0, 0, 1, 1, 2, 2])]
}

/// All m^m samples of m draws.
#[must_use]
pub fn all_samples(symbols: usize) -> Vec<Vec<usize>> {
    (0..symbols).fold(vec![Vec::new()], |samples, _| {
        samples.iter().flat_map(|sample| (0..symbols).map(move |symbol| sample.iter().copied().chain([symbol]).collect())).collect()
    })
}

/// Instances with samples.
pub struct Samples {
    /// Largest number of symbols drawn.
    pub most: usize,
}

/// b as a fraction of its largest value 1/(2 ceil(sqrt n)), r and the sample from a tape.
fn draw_sampled(tape: &mut Tape<'_>, most: usize) -> Sampled {
    let symbols = tape.integer(2, most as i64) as usize;
    let index = tape.index(CODES as usize + 3);
    let b = default_b(symbols) * Rational::new(tape.integer(1, 16), 16);
    let near = b.clone() * Rational::new(3, 5);
    let r = tape.choose(&[Rational::new(1, 2), Rational::new(1, 3), Rational::new(1, 4), near]);
    let sample: Vec<usize> = (0..symbols).map(|_| tape.index(symbols)).collect();
    let mut drawn = sampled(b, (1, 2), &sample, index);
    drawn.problem.r = r;
    drawn
}

impl Family for Samples {
    type Instance = Sampled;

    fn id(&self) -> String {
        format!("samples-{}", self.most)
    }

    fn domain(&self) -> String {
        format!(
            "m = n from 2 to {}, codes by greedy search and the given ones, b up to 1/(2 ceil(sqrt n)), r = 1/2, 1/3, 1/4 or 3b/5; all samples for n <= 4",
            self.most
        )
    }

    fn special(&self) -> Vec<Sampled> {
        let mut special = table();
        special.retain(|sampled| sampled.problem.symbols <= self.most);
        for symbols in 2..=4.min(self.most) {
            special.extend(all_samples(symbols).iter().map(|sample| sampled(default_b(symbols), (1, 2), sample, 0)));
        }
        // All draws equal, all distinct.
        for symbols in 5..=self.most {
            special.push(sampled(default_b(symbols), (1, 2), &vec![0; symbols], 0));
            special.push(sampled(default_b(symbols), (1, 2), &(0..symbols).collect::<Vec<_>>(), 0));
        }
        // b just below 2r.
        special.push(sampled(Rational::new(1, 4), (126, 1000), &[0, 0, 1, 1], 0));
        special.push(sampled(Rational::new(1, 3), (1, 6), &[0, 0], 0));
        special.push(sampled(Rational::new(1, 3), (168, 1000), &[0, 0], 0));
        special
    }

    fn tape_len(&self) -> usize {
        4 + self.most
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Sampled {
        draw_sampled(tape, self.most)
    }
}

/// Units a point's coordinates are drawn in.
const DEN: i64 = 12;

/// Where points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In K.
    Domain,
    /// With |y| up to 3r as well.
    Outside,
    /// So near w_S that they are approximate minimizers.
    Near,
}

/// Instances with samples and points.
pub struct Points(pub Where);

/// w_T scaled by p/DEN plus w_U scaled by q/DEN.
fn blend(problem: &Problem, first: (usize, i64), second: (usize, i64)) -> Option<Point> {
    let (a, b) = (problem.corner(first.0).ok()?, problem.corner(second.0).ok()?);
    let mix = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| first.1 * a + second.1 * b).collect();
    Some(Point { x: mix(&a.x, &b.x), y: mix(&a.y, &b.y), den: DEN })
}

/// (x_S, s r v_S), s = p/DEN.
fn ray(sampled: &Sampled, p: i64) -> Option<Point> {
    let corner = sampled.problem.corner(sampled.support()).ok()?;
    Some(Point { x: corner.x.iter().map(|x| DEN * x).collect(), y: corner.y.iter().map(|y| p * y).collect(), den: DEN })
}

fn draw_point(tape: &mut Tape<'_>, sampled: &Sampled, place: Where) -> Option<Point> {
    let outside = place == Where::Outside;
    let problem = &sampled.problem;
    let (symbols, sets) = (problem.symbols, 1_i64 << problem.symbols);
    let corner = problem.corner(sampled.support()).ok()?;
    let most = if outside { 3 * DEN } else { DEN };
    if place == Where::Near {
        // x moved by at most 2 in 48, y shortened by at most 1 in 16, both in 960ths: about the tolerance.
        let scale = 80 * DEN;
        let mut x: Vec<i64> = corner.x.iter().map(|x| scale * x).collect();
        for _ in 0..2 {
            let symbol = tape.index(symbols);
            x[symbol] -= tape.integer(0, 20) * x[symbol].signum();
        }
        let far = tape.word() % 4 == 3;
        let length = scale - tape.integer(0, if far { scale } else { 60 });
        let mut y: Vec<i64> = corner.y.iter().map(|y| length * y).collect();
        let turned = tape.index(y.len());
        y[turned] -= tape.integer(0, 60) * y[turned].signum();
        return Some(Point { x, y, den: scale });
    }
    Some(match tape.index(4) {
        // Near w_S: few coordinates of x moved, y shortened a little or turned by some of its signs.
        0 => {
            let mut x: Vec<i64> = corner.x.iter().map(|x| DEN * x).collect();
            for _ in 0..2 {
                let symbol = tape.index(symbols);
                let by = tape.integer(0, 8);
                x[symbol] += if tape.word().is_multiple_of(2) { by } else { -by };
            }
            let length = if outside { tape.integer(0, most) } else { DEN - tape.integer(0, DEN) };
            let mut y: Vec<i64> = corner.y.iter().map(|y| length * y).collect();
            for _ in 0..2 {
                let (place, by) = (tape.index(y.len()), tape.integer(0, 2));
                y[place] -= by * y[place].signum();
            }
            Point { x, y, den: DEN }
        }
        // The ray on which the certificate is attained.
        1 => ray(sampled, most - tape.integer(0, 2 * most))?,
        // Between w_S, another w_U and 0.
        2 => {
            let first = tape.integer(0, DEN);
            let second = tape.integer(0, DEN - first);
            let other = tape.integer(0, sets - 1) as usize;
            blend(problem, (sampled.support(), DEN - first - second), (other, second))?
        }
        _ => {
            let x = (0..symbols).map(|_| tape.integer(-20, 20)).collect();
            let y = (0..6 * symbols).map(|_| tape.integer(-most, most)).collect();
            Point { x, y, den: DEN }
        }
    })
}

impl Family for Points {
    type Instance = Placed;

    fn id(&self) -> String {
        match self.0 {
            Where::Domain => "points",
            Where::Outside => "points-outside",
            Where::Near => "points-near",
        }
        .into()
    }

    fn domain(&self) -> String {
        let points = match self.0 {
            Where::Domain => "points of K: near w_S, on the ray (x_S, s v_S), between w_S, w_U and 0, anywhere",
            Where::Outside => "points with |x|^2 <= 3/4, |y| <= 3r: near w_S, on the ray (x_S, s v_S), between w_S, w_U and 0, anywhere",
            Where::Near => "points of K very near w_S, and some farther away",
        };
        format!("m = n from 2 to 6 with codes, b, r and samples; {points}")
    }

    fn special(&self) -> Vec<Placed> {
        let mut special = Vec::new();
        let mut cases = table();
        cases.push(sampled(Rational::new(1, 16), (1, 2), &[0, 0, 1, 1], 0));
        cases.push(sampled(Rational::new(1, 4), (3, 20), &[0, 0, 1, 1], 0));
        cases.push(sampled(Rational::new(1, 4), (126, 1000), &[0, 0, 1, 1], 0));
        // Two words equal: for the variant without the assumption on the code.
        let collided = Code::given(2).map(|code| Arc::new(code.with_equal_words(1, 0)));
        let mut bad = sampled(Rational::new(1, 3), (1, 2), &[0, 0], 0);
        bad.problem.code = collided;
        cases.push(bad);
        for sampled in cases {
            let set = sampled.support();
            let ends = if self.0 == Where::Outside { vec![0, DEN - 1, DEN, 2 * DEN] } else { vec![0, DEN / 2, DEN - 1, DEN, -DEN] };
            let mut points: Vec<Point> = ends.into_iter().filter_map(|p| ray(&sampled, p)).collect();
            for other in [0, set ^ 1, set ^ (1 << (sampled.problem.symbols - 1)), (1 << sampled.problem.symbols) - 1] {
                points.extend(blend(&sampled.problem, (set, 6), (other, 6)));
                points.extend(blend(&sampled.problem, (set, 0), (other, 12)));
            }
            // One unseen coordinate a little inside its wall.
            if let Some(mut point) = ray(&sampled, DEN) {
                if let Some(last) = point.x.last_mut() {
                    *last += 1;
                }
                points.push(point);
            }
            special.extend(points.into_iter().map(|point| Placed { sampled: sampled.clone(), point }));
        }
        // Too many symbols to enumerate: y = 0, where H is known.
        let halves: Vec<usize> = (0..64).map(|i| i % 32).collect();
        let large = Problem { symbols: 64, b: Rational::new(1, 16), r: Rational::new(1, 2), pull: Rational::from(1), code: None };
        let x = (0..64).map(|i| if i < 32 { 1 } else { -1 }).collect();
        special.push(Placed { sampled: Sampled { problem: large, sample: halves }, point: Point { x, y: Vec::new(), den: 1 } });
        special
    }

    fn tape_len(&self) -> usize {
        56
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Placed {
        // The point's kind and numbers stand before its filling words, so that short tapes are simple points.
        let sampled = draw_sampled(tape, 6);
        let point = draw_point(tape, &sampled, self.0).unwrap_or(Point { x: vec![0; sampled.problem.symbols], y: Vec::new(), den: 1 });
        Placed { sampled, point }
    }
}

/// A symbol and two points.
#[derive(Clone, Debug, Hash)]
pub struct Pair {
    /// The first point, with the instance.
    pub placed: Placed,
    /// The second point.
    pub other: Point,
    /// z
    pub symbol: usize,
}

impl Instance for Pair {
    fn show(&self) -> String {
        let Sampled { problem, .. } = &self.placed.sampled;
        let code = problem.code.as_ref().map_or_else(String::new, |code| format!(", code {}", code.to_hex()));
        let (w, other) = (self.placed.point.show(), self.other.show());
        format!("m = {}, b = {}, r = {}{code}, z = {}; w: {w}; w': {other}", problem.symbols, problem.b, problem.r, self.symbol)
    }
}

/// Pairs of points of K.
pub struct Pairs;

impl Family for Pairs {
    type Instance = Pair;

    fn id(&self) -> String {
        "pairs".into()
    }

    fn domain(&self) -> String {
        "m = n from 2 to 5, any symbol, two points of K".into()
    }

    fn special(&self) -> Vec<Pair> {
        let mut special = Vec::new();
        for sampled in table().into_iter().filter(|sampled| sampled.problem.symbols <= 4) {
            let Some(base) = ray(&sampled, DEN) else { continue };
            for symbol in 0..sampled.problem.symbols {
                // From w_S along the steepest direction: x_z away from b, y along a word that lacks z.
                let mut other = base.clone();
                other.x[symbol] = -DEN;
                special.push(Pair { placed: Placed { sampled: sampled.clone(), point: base.clone() }, other, symbol });
                for p in [0, 6, 11] {
                    let Some(other) = blend(&sampled.problem, (sampled.support(), p), (0, DEN - p)) else { continue };
                    special.push(Pair { placed: Placed { sampled: sampled.clone(), point: base.clone() }, other, symbol });
                }
                // Both ends beyond the threshold of G_z: x_z falls by 2 units while y grows along v_empty.
                let (Some(low), Some(high)) = (blend(&sampled.problem, (0, 10), (0, 0)), blend(&sampled.problem, (0, DEN), (0, 0))) else { continue };
                let (mut low, mut high) = (low, high);
                low.x.fill(0);
                high.x.fill(0);
                high.x[symbol] = -2;
                special.push(Pair { placed: Placed { sampled: sampled.clone(), point: low }, other: high, symbol });
            }
        }
        special
    }

    fn tape_len(&self) -> usize {
        96
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Pair {
        let sampled = draw_sampled(tape, 5);
        let symbol = tape.index(sampled.problem.symbols);
        let origin = Point { x: vec![0; sampled.problem.symbols], y: vec![0; 6 * sampled.problem.symbols], den: 1 };
        let point = draw_point(tape, &sampled, Where::Domain).unwrap_or_else(|| origin.clone());
        let other = draw_point(tape, &sampled, Where::Domain).unwrap_or(origin);
        Pair { placed: Placed { sampled, point }, other, symbol }
    }
}

/// m, b and r alone.
#[derive(Clone, Debug, Hash)]
pub struct Numbers {
    /// n = m
    pub n: i64,
    /// b
    pub b: Rational,
    /// r
    pub r: Rational,
}

impl Instance for Numbers {
    fn show(&self) -> String {
        format!("n = {}, b = {}, r = {}", self.n, self.b, self.r)
    }
}

/// Parameters of any size.
pub struct Sizes;

impl Family for Sizes {
    type Instance = Numbers;

    fn id(&self) -> String {
        "sizes".into()
    }

    fn domain(&self) -> String {
        "n from 2 to 2^20, n b^2 <= 1/4, b < 2r, r <= 1/2".into()
    }

    fn special(&self) -> Vec<Numbers> {
        let of = |n, q, r: (i64, i64)| Numbers { n, b: Rational::new(1, q), r: Rational::new(r.0, r.1) };
        vec![
            of(2, 3, (1, 5)),
            of(2, 3, (168, 1000)),
            of(2, 4, (1, 2)),
            of(3, 4, (126, 1000)),
            of(4, 4, (126, 1000)),
            of(64, 16, (1, 2)),
            of(1 << 20, 2048, (1, 2)),
        ]
    }

    fn tape_len(&self) -> usize {
        3
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Numbers {
        let n = 1 + tape.heavy((1 << 20) - 1);
        let b = default_b(n as usize) * Rational::new(tape.integer(1, 64), 64);
        // r from just above b/2 to 1/2.
        let share = Rational::new(tape.integer(1, 64), 64);
        let least = b.clone() / Rational::from(2);
        let r = least.clone() + share * (Rational::new(1, 2) - least);
        Numbers { n, b, r }
    }
}

/// A run of gradient descent on an instance.
#[derive(Clone, Debug, Hash)]
pub struct Run {
    /// The instance with its sample.
    pub sampled: Sampled,
    /// eta
    pub eta: Rational,
    /// T
    pub steps: u64,
}

impl Instance for Run {
    fn show(&self) -> String {
        format!("{}, eta = {}, T = {}", self.sampled.show(), self.eta, self.steps)
    }
}

/// Runs with every piece enumerated.
pub struct Runs {
    /// Until every coordinate is saturated, and a little longer.
    pub saturated: bool,
}

/// The step size at which the step condition is an equality: b m/(4 a (c_max + 3/4)).
fn largest_eta(sampled: &Sampled) -> Rational {
    let most = (0..sampled.problem.symbols).map(|symbol| sampled.sample.iter().filter(|&&drawn| drawn == symbol).count()).max().unwrap_or(1);
    sampled.problem.b.clone() * sampled.problem.size() / (Rational::from(most as i64) + Rational::new(3, 4))
}

impl Family for Runs {
    type Instance = Run;

    fn id(&self) -> String {
        if self.saturated { "saturated-runs" } else { "runs" }.into()
    }

    fn domain(&self) -> String {
        if self.saturated {
            "m = n from 2 to 4, eta up to the step condition and beyond, eta T from 4 m b/a on; the reference runs"
        } else {
            "m = n from 2 to 5, eta up to the step condition and beyond, T up to 40; the reference runs"
        }
        .into()
    }

    fn special(&self) -> Vec<Run> {
        let of = |sampled: Sampled, eta: (i64, i64), steps| Run { sampled, eta: Rational::new(eta.0, eta.1), steps };
        let quarter = Rational::new(1, 4);
        let mut special = vec![
            of(sampled(quarter.clone(), (1, 2), &[0, 0, 1, 1], 0), (1, 4), 1),
            of(sampled(quarter.clone(), (1, 2), &[0, 0, 1, 1], 0), (1, 4), 2),
            of(sampled(quarter.clone(), (1, 2), &[0, 0, 1, 1], 0), (1, 4), 512),
            of(sampled(quarter.clone(), (1, 4), &[0, 0, 1, 1], 0), (1, 4), 128),
            of(sampled(Rational::new(1, 5), (1, 2), &[0, 0, 1, 1, 2, 2], 0), (1, 4), 200),
            // All draws distinct, all equal, b close to 2r.
            of(sampled(quarter.clone(), (1, 2), &[0, 1, 2, 3], 0), (1, 4), 100),
            of(sampled(quarter.clone(), (1, 2), &[3, 3, 3, 3], 0), (1, 5), 100),
            of(sampled(quarter.clone(), (126, 1000), &[0, 0, 1, 1], 0), (1, 4), 32),
            // The step condition broken.
            of(sampled(quarter, (1, 2), &[0, 0, 0, 0], 0), (1, 1), 24),
        ];
        special.extend(all_samples(3).iter().map(|sample| of(sampled(Rational::new(1, 4), (1, 2), sample, 0), (1, 8), 30)));
        special
    }

    fn tape_len(&self) -> usize {
        12
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Run {
        let sampled = draw_sampled(tape, if self.saturated { 4 } else { 5 });
        // The last share breaks the step condition.
        let least = if self.saturated { 6 } else { 1 };
        let eta = largest_eta(&sampled) * Rational::new(tape.integer(least, 11), 10);
        let first = if self.saturated {
            let time = Rational::from(16) * sampled.problem.size() * sampled.problem.b.clone() / eta.clone();
            numeric::Ordered::ceil(&time).to_i128().unwrap_or(0) as u64
        } else {
            1
        };
        Run { eta, sampled, steps: first + tape.integer(0, 39) as u64 }
    }
}

/// An instance made for (eta, T): b = 1/(2 sqrt m), r = sqrt(eta T/m^1.5)/8 for a square m and a rational r.
#[derive(Clone, Debug, Hash)]
pub struct Tuned {
    /// sqrt m
    pub root: i64,
    /// The sample's counts, largest first; their sum is m.
    pub counts: Vec<usize>,
    /// T
    pub steps: u64,
    /// 64 r
    pub radius: i64,
    /// 6n (1 - <v_empty, v_supp>)/2: bits in which the words differ.
    pub distance: i64,
}

impl Tuned {
    /// m
    #[must_use]
    pub fn m(&self) -> i64 {
        self.root * self.root
    }

    /// r
    #[must_use]
    pub fn r(&self) -> Rational {
        Rational::new(self.radius, 64)
    }

    /// b = 1/(2 sqrt m)
    #[must_use]
    pub fn b(&self) -> Rational {
        Rational::new(1, 2 * self.root)
    }

    /// eta = 64 r^2 m^1.5/T
    #[must_use]
    pub fn eta(&self) -> Rational {
        Rational::from(64 * self.root * self.root * self.root) * self.r().square() / Rational::from(self.steps)
    }

    /// The instance, its code left open.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem { symbols: self.m() as usize, b: self.b(), r: self.r(), pull: Rational::from(1), code: None }
    }

    /// <v_empty, v_supp>
    #[must_use]
    pub fn rho(&self) -> Rational {
        Rational::from(1) - Rational::new(self.distance, 3 * self.m())
    }

    /// u
    #[must_use]
    pub fn unseen(&self) -> Rational {
        Rational::new(self.counts.iter().filter(|count| **count == 0).count() as i64, self.m())
    }
}

impl Instance for Tuned {
    fn show(&self) -> String {
        let seen: Vec<usize> = self.counts.iter().copied().filter(|&count| count > 0).collect();
        format!(
            "m = {}, b = {}, r = {}, eta = {}, T = {}, counts {}, <v_empty, v_supp> = {}",
            self.m(),
            self.b(),
            self.r(),
            self.eta(),
            self.steps,
            show_sample(&seen),
            self.rho()
        )
    }
}

/// Instances made for (eta, T).
pub struct TunedRuns;

/// Counts of m draws: as many symbols twice or more as wanted.
fn tuned_counts(m: usize, seen: usize) -> Vec<usize> {
    let seen = seen.clamp(1, m);
    (0..m).map(|symbol| if symbol < seen { m / seen + usize::from(symbol < m % seen) } else { 0 }).collect()
}

impl Family for TunedRuns {
    type Instance = Tuned;

    fn id(&self) -> String {
        "tuned-runs".into()
    }

    fn domain(&self) -> String {
        "m = 4, 9, .., 64, b = 1/(2 sqrt m), r = k/64 in the window, eta T = 64 r^2 m^1.5, T from the fewest that the step condition allows to three times as many, any inner product of v_empty and v_supp in [-1, 1/2]".into()
    }

    fn special(&self) -> Vec<Tuned> {
        let of =
            |root: i64, seen, steps, radius, distance| Tuned { root, counts: tuned_counts((root * root) as usize, seen), steps, radius, distance };
        vec![
            of(2, 2, 512, 32, 6),
            of(2, 2, 128, 16, 24),
            of(2, 4, 512, 32, 6),
            of(2, 2, 60, 16, 6),
            of(4, 10, 1500, 32, 96),
            of(8, 40, 6000, 32, 96),
            of(8, 40, 1500, 16, 96),
            of(8, 40, 600, 5, 384),
        ]
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Tuned {
        let root = tape.integer(2, 8);
        let m = root * root;
        // b < 2r: r above 16/root sixty-fourths.
        let radius = tape.integer(16 / root + 1, 32);
        let counts = tuned_counts(m as usize, tape.integer(m / 2, m) as usize);
        // From the fewest steps that the step condition eta (c_max + 3/4) a/m <= b/4 allows.
        let most = counts.first().copied().unwrap_or(1) as i64;
        let least_steps = (radius * radius * m * (4 * most + 3)).div_euclid(128) + 1;
        let steps = (least_steps * tape.integer(8, 24) / 8) as u64;
        let least = (6 * m).div_euclid(4) + i64::from((6 * m) % 4 != 0);
        Tuned { root, counts, steps, radius, distance: tape.integer(least, 6 * m) }
    }
}

/// Losses p_z |w - q_z| + s_z w on the line, numbers in eighths, with counts of a sample, a neighbour, eta and T.
#[derive(Clone, Debug, Hash)]
pub struct Lines {
    /// (p_z, q_z, s_z), p_z >= 0
    pub losses: Vec<(i64, i64, i64)>,
    /// c_z
    pub counts: Vec<i64>,
    /// One draw of the first symbol becomes the second.
    pub swap: (usize, usize),
    /// 80 eta
    pub eta: i64,
    /// T
    pub steps: u32,
    /// The domain is [-1, 1], else the line.
    pub bounded: bool,
}

impl Lines {
    /// m
    #[must_use]
    pub fn m(&self) -> i64 {
        self.counts.iter().sum()
    }

    /// L
    #[must_use]
    pub fn lipschitz(&self) -> Rational {
        Rational::new(self.losses.iter().map(|(p, _, s)| p + s.abs()).max().unwrap_or(0), 8)
    }

    /// eta
    #[must_use]
    pub fn eta(&self) -> Rational {
        Rational::new(self.eta, 80)
    }

    /// w_T of gradient descent from 0 on these counts.
    #[must_use]
    pub fn end(&self, counts: &[i64]) -> Rational {
        let m: i64 = counts.iter().sum();
        let mut w = Rational::from(0);
        for _ in 0..self.steps {
            let slope: i64 = self
                .losses
                .iter()
                .zip(counts)
                .map(|((p, q, s), count)| {
                    let side = (w.clone() - Rational::new(*q, 8)).signum().unwrap_or(0);
                    count * (p * i64::from(side) + s)
                })
                .sum();
            w = w - self.eta() * Rational::new(slope, 8 * m);
            if self.bounded {
                w = numeric::Ordered::max(&numeric::Ordered::min(&w, &Rational::from(1)), &Rational::from(-1));
            }
        }
        w
    }

    /// The average loss at w, weighed by counts.
    #[must_use]
    pub fn risk(&self, counts: &[i64], w: &Rational) -> Rational {
        let total: i64 = counts.iter().sum();
        let sum = self.losses.iter().zip(counts).fold(Rational::from(0), |sum, ((p, q, s), count)| {
            let distance = numeric::Ordered::abs(&(w.clone() - Rational::new(*q, 8)));
            sum + Rational::from(*count) * (Rational::new(*p, 8) * distance + Rational::new(*s, 8) * w.clone())
        });
        sum / Rational::from(total)
    }

    /// The counts of the neighbouring sample; None where no draw of the first symbol is there.
    #[must_use]
    pub fn neighbour(&self) -> Option<Vec<i64>> {
        let mut counts = self.counts.clone();
        (counts[self.swap.0] > 0).then(|| {
            counts[self.swap.0] -= 1;
            counts[self.swap.1] += 1;
            counts
        })
    }
}

impl Instance for Lines {
    fn show(&self) -> String {
        let losses: Vec<String> = self
            .losses
            .iter()
            .map(|(p, q, s)| format!("{} |w - {}| + {} w", Rational::new(*p, 8), Rational::new(*q, 8), Rational::new(*s, 8)))
            .collect();
        let domain = if self.bounded { "[-1, 1]" } else { "the line" };
        format!(
            "losses {} on {domain}; counts {}, one draw of {} becomes {}; eta = {}, T = {}",
            losses.join("; "),
            self.counts.show(),
            self.swap.0,
            self.swap.1,
            self.eta(),
            self.steps
        )
    }
}

/// Losses on the line.
pub struct LineLosses {
    /// Few draws: for sums over all samples.
    pub small: bool,
}

impl Family for LineLosses {
    type Instance = Lines;

    fn id(&self) -> String {
        if self.small { "line-losses-small" } else { "line-losses" }.into()
    }

    fn domain(&self) -> String {
        let m = if self.small { "m up to 4" } else { "m up to 1,200" };
        format!("losses p |w - q| + s w for two or three symbols, {m}, eta up to 1, T up to 12, on the line or on [-1, 1]")
    }

    fn special(&self) -> Vec<Lines> {
        // |w| + z w/2 for z = -1, 0, 1.
        let signs = vec![(8, 0, -4), (8, 0, 0), (8, 0, 4)];
        let of = |counts: &[i64], steps| Lines { losses: signs.clone(), counts: counts.to_vec(), swap: (2, 0), eta: 8, steps, bounded: false };
        let mut special = vec![of(&[0, 0, 1], 1), of(&[1, 1, 1], 2), of(&[1, 0, 1], 3)];
        if !self.small {
            // 1,000 draws whose mean is 1/1000 on one side and -1/1000 on the other.
            special.insert(0, of(&[499, 1, 500], 2));
        }
        special
    }

    fn tape_len(&self) -> usize {
        18
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Lines {
        let symbols = tape.integer(2, 3) as usize;
        let bounded = tape.word() % 2 == 1;
        let eta = tape.integer(1, 80);
        let steps = tape.integer(1, 12) as u32;
        let swap = (tape.index(symbols), tape.index(symbols));
        let most = if self.small { 1 } else { 400 };
        let mut counts: Vec<i64> = (0..symbols).map(|_| tape.heavy(most + 1) - 1).collect();
        counts[swap.0] += 1;
        let losses = (0..symbols).map(|_| (tape.integer(0, 8), tape.integer(-8, 8), tape.integer(-8, 8))).collect();
        Lines { losses, counts, swap, eta, steps, bounded }
    }
}
