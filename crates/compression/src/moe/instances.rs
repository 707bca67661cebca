//! Families: gradients with noise, subset laws, quadratics, budgets, greedy routing.

use super::algorithm::{common_denominator, integer_recursion};
use super::bounds::Budget;
use claim::{Family, Instance, Tape};
use numeric::{Field, Rational};

fn show<T: ToString>(values: &[T]) -> String {
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("({})", shown.join(", "))
}

/// One gradient entry a block with two-point noise, K active blocks, B tokens.
#[derive(Clone, Debug, Hash)]
pub struct Noisy {
    /// grad_i
    pub gradient: Vec<i64>,
    /// (a, b): the noise is a/2 with probability b/(a+b), else -b/2; none where either is 0. Its variance is a b/4.
    pub noise: Vec<(i64, i64)>,
    /// K
    pub active: usize,
    /// B
    pub batch: usize,
}

impl Noisy {
    /// M/K
    #[must_use]
    pub fn ratio(&self) -> Rational {
        Rational::new(self.gradient.len() as i64, self.active as i64)
    }

    /// ||grad||^2
    #[must_use]
    pub fn gradient_square(&self) -> Rational {
        Rational::from(self.gradient.iter().map(|g| g * g).sum::<i64>())
    }

    /// sigma^2
    #[must_use]
    pub fn variance(&self) -> Rational {
        Rational::new(self.noise.iter().map(|(a, b)| a * b).sum::<i64>(), 4)
    }
}

impl Instance for Noisy {
    fn show(&self) -> String {
        let variances: Vec<Rational> = self.noise.iter().map(|(a, b)| Rational::new(a * b, 4)).collect();
        format!("grad = {}, sigma_i^2 = {}, K = {}, B = {}", show(&self.gradient), show(&variances), self.active, self.batch)
    }
}

/// Gradients with noise; every subset and every value of the noise is enumerated by the check.
pub struct NoisyGradients {
    /// Batches of several tokens too.
    pub batches: bool,
}

impl Family for NoisyGradients {
    type Instance = Noisy;

    fn id(&self) -> String {
        if self.batches { "noisy-batches" } else { "noisy-gradients" }.into()
    }

    fn domain(&self) -> String {
        "integer gradients of M blocks, independent two-point noise with mean 0, 1 <= K <= M; all K-subsets and all noise enumerated".into()
    }

    fn special(&self) -> Vec<Noisy> {
        let quiet = |gradient: &[i64], active, batch| Noisy { gradient: gradient.to_vec(), noise: vec![(0, 0); gradient.len()], active, batch };
        let mut special = vec![quiet(&[1], 1, 1), quiet(&[0, 1], 1, 1), quiet(&[3, 3], 1, 1), quiet(&[2, -1], 2, 1)];
        if self.batches {
            special.push(quiet(&[1, 2, -1, 3], 2, 2));
            special.push(Noisy { gradient: vec![0, 0], noise: vec![(2, 2), (2, 2)], active: 1, batch: 2 });
        } else {
            let noise = vec![(2, 2), (2, 1), (0, 0), (4, 2), (2, 2)];
            special.push(Noisy { gradient: vec![0, 0], noise: vec![(2, 2), (2, 2)], active: 1, batch: 1 });
            special.extend((1..=5).map(|active| Noisy { gradient: vec![1, -2, 3, 0, 5], noise: noise.clone(), active, batch: 1 }));
        }
        special
    }

    fn tape_len(&self) -> usize {
        14
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Noisy {
        let batch = if self.batches { tape.integer(1, 3) } else { 1 };
        // At most 4,096 outcomes of all tokens together.
        let most = match (self.batches, batch) {
            (false, _) => 4,
            (true, 1 | 2) => 3,
            _ => 2,
        };
        let experts = tape.integer(1, most);
        let active = tape.integer(1, experts) as usize;
        let gradient = (0..experts).map(|_| tape.heavy(1 << 10) * if tape.word().is_multiple_of(2) { 1 } else { -1 }).collect();
        let noise = (0..experts).map(|_| tape.choose(&[(0, 0), (2, 2), (1, 2), (4, 2), (6, 1), (3, 3)])).collect();
        Noisy { gradient, noise, active, batch: batch as usize }
    }
}

/// Roots r_i with a_i = r_i^2 and a law on the K-subsets.
#[derive(Clone, Debug, Hash)]
pub struct SubsetLaw {
    /// r_i >= 0
    pub roots: Vec<i64>,
    /// K
    pub active: usize,
    /// A weight for each K-subset in lexicographic order.
    pub weights: Vec<i64>,
}

impl Instance for SubsetLaw {
    fn show(&self) -> String {
        format!("sqrt(a_i) = {}, K = {}, weights of the K-subsets {}", show(&self.roots), self.active, show(&self.weights))
    }
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Laws on subsets of at most five blocks.
pub struct SubsetLaws;

impl Family for SubsetLaws {
    type Instance = SubsetLaw;

    fn id(&self) -> String {
        "subset-laws".into()
    }

    fn domain(&self) -> String {
        "a_i = r_i^2 for integers r_i >= 0, any rational law on the K-subsets of M <= 5 blocks".into()
    }

    fn special(&self) -> Vec<SubsetLaw> {
        let law = |roots: &[i64], active, weights: &[i64]| SubsetLaw { roots: roots.to_vec(), active, weights: weights.to_vec() };
        vec![
            law(&[1], 1, &[1]),
            law(&[1, 1], 1, &[1, 1]),
            law(&[1, 3], 1, &[1, 1]),
            law(&[0, 3], 1, &[1, 2]),
            law(&[1, 2, 3], 1, &[1, 2, 3]),
            law(&[1, 2, 3], 2, &[1, 2, 3]),
            law(&[2, 2, 2, 2], 2, &[1, 0, 0, 0, 0, 1]),
        ]
    }

    fn tape_len(&self) -> usize {
        17
    }

    fn draw(&self, tape: &mut Tape<'_>) -> SubsetLaw {
        let experts = tape.integer(1, 5) as usize;
        let active = tape.integer(1, experts as i64) as usize;
        let roots = (0..experts).map(|_| tape.heavy(1 << 10) - 1).collect();
        let weights = (0..choose(experts, active)).map(|_| tape.integer(1, 9)).collect();
        SubsetLaw { roots, active, weights }
    }
}

/// F(x) = sum h_i x_i^2/2, one coordinate a block, with a start, noise, K, a step size and a number of steps.
#[derive(Clone, Debug, Hash)]
pub struct Quadratic {
    /// h_i > 0
    pub curvature: Vec<i64>,
    /// x_0
    pub start: Vec<i64>,
    /// sigma_i^2 >= 0
    pub noise: Vec<i64>,
    /// K
    pub active: usize,
    /// eta as p/q
    pub eta: (i64, i64),
    /// T >= 1
    pub steps: u32,
}

impl Quadratic {
    /// L
    #[must_use]
    pub fn smoothness(&self) -> Rational {
        Rational::from(self.curvature.iter().copied().max().unwrap_or(1))
    }

    /// M/K
    #[must_use]
    pub fn ratio(&self) -> Rational {
        Rational::new(self.start.len() as i64, self.active as i64)
    }

    /// eta
    #[must_use]
    pub fn step_size(&self) -> Rational {
        Rational::new(self.eta.0, self.eta.1)
    }

    /// F(x_0)
    #[must_use]
    pub fn delta(&self) -> Rational {
        Rational::new(self.curvature.iter().zip(&self.start).map(|(h, x)| h * x * x).sum::<i64>(), 2)
    }

    /// sigma_i^2
    #[must_use]
    pub fn variances(&self) -> Vec<Rational> {
        self.noise.iter().copied().map(Rational::from).collect()
    }

    /// The sum over t < T of e_t, and e_T, for e' = rate e + gain: in machine integers where they suffice.
    fn moments(&self, start: i64, rate: &Rational, gain: &Rational) -> (Rational, Rational) {
        let fast = common_denominator(rate, gain).and_then(|parts| {
            let (sum, n, power) = integer_recursion(start, parts, self.steps)?;
            let before = if self.steps == 0 { 1 } else { power / parts.2 };
            Some((Rational::from_i128(sum, before), Rational::from_i128(n, power)))
        });
        fast.unwrap_or_else(|| {
            (0..self.steps).fold((Rational::from(0), Rational::from(start)), |(sum, e), _| (sum + e.clone(), rate.clone() * e + gain.clone()))
        })
    }

    /// (1/T) sum E||grad F(x_t)||^2 and E F(x_T) when each coordinate's second moment follows `step(e, h, sigma_i^2)`, which is affine in e and has no constant but
    /// the noise's.
    pub fn run(&self, variances: &[Rational], step: impl Fn(&Rational, &Rational, &Rational) -> Rational) -> (Rational, Rational) {
        let (mut total, mut last) = (Rational::from(0), Rational::from(0));
        // Equal neighbours have equal moments: they are computed once.
        let mut before: Option<(i64, i64, &Rational, Rational, Rational)> = None;
        for ((&h, &x), noise) in self.curvature.iter().zip(&self.start).zip(variances) {
            let (sum, end) = match before {
                Some((same_h, same_x, same_noise, sum, end)) if same_h == h && same_x == x && same_noise == noise => (sum, end),
                _ => {
                    let curvature = Rational::from(h);
                    let (sum, e) =
                        self.moments(x * x, &step(&Rational::from(1), &curvature, &Rational::from(0)), &step(&Rational::from(0), &curvature, noise));
                    (curvature.square() * sum, curvature * e)
                }
            };
            total = total + sum.clone();
            last = last + end.clone();
            before = Some((h, x, noise, sum, end));
        }
        (total / Rational::from(i64::from(self.steps)), last / Rational::from(2))
    }
}

impl Instance for Quadratic {
    fn show(&self) -> String {
        format!(
            "h = {}, x_0 = {}, sigma_i^2 = {}, K = {}, eta = {}, T = {}",
            show(&self.curvature),
            show(&self.start),
            show(&self.noise),
            self.active,
            self.step_size(),
            self.steps
        )
    }
}

/// Quadratics with at most three blocks and four steps by tape; the special ones are larger. eta = j K/(8 L M), j = 1 to 16: up to the scaled router's limit.
pub struct Quadratics;

impl Family for Quadratics {
    type Instance = Quadratic;

    fn id(&self) -> String {
        "quadratics".into()
    }

    fn domain(&self) -> String {
        "quadratics with one coordinate a block, integer curvatures, starts and noise variances, eta up to 2K/(LM)".into()
    }

    fn special(&self) -> Vec<Quadratic> {
        let same = |experts: usize, x: i64, noise: i64, active, eta, steps| Quadratic {
            curvature: vec![1; experts],
            start: vec![x; experts],
            noise: vec![noise; experts],
            active,
            eta,
            steps,
        };
        vec![
            same(1, 1, 0, 1, (1, 1), 1),
            same(2, 1, 0, 1, (1, 4), 1),
            same(2, 1, 1, 2, (1, 2), 3),
            same(8, 1, 1, 1, (1, 2), 4),
            same(8, 1, 1, 1, (1, 16), 4),
            same(8, 0, 1, 2, (1, 4), 12),
            same(8, 1, 2, 2, (1, 8), 12),
            Quadratic { curvature: vec![1, 2, 3], start: vec![3, -1, 0], noise: vec![1, 0, 2], active: 2, eta: (1, 6), steps: 8 },
        ]
    }

    fn tape_len(&self) -> usize {
        16
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Quadratic {
        let experts = tape.integer(1, 3);
        let active = tape.integer(1, experts);
        let steps = tape.integer(1, 4) as u32;
        let eighths = tape.integer(1, 16);
        let signed = |tape: &mut Tape<'_>| tape.integer(0, 9) * if tape.word().is_multiple_of(2) { 1 } else { -1 };
        let curvature: Vec<i64> = (0..experts).map(|_| tape.integer(1, 4)).collect();
        let start = (0..experts).map(|_| signed(tape)).collect();
        let noise = (0..experts).map(|_| tape.heavy(64) - 1).collect();
        let largest = curvature.iter().copied().max().unwrap_or(1);
        Quadratic { curvature, start, noise, active: active as usize, eta: (eighths * active, 8 * largest * experts), steps }
    }
}

/// A quadratic whose step size is eta0/s for T = s^2 steps.
#[derive(Clone, Debug, Hash)]
pub struct Fixed {
    /// The quadratic; its step size is eta0/s and its number of steps s^2.
    pub quadratic: Quadratic,
    /// s
    pub root: i64,
}

impl Fixed {
    /// eta0 = eta s
    #[must_use]
    pub fn eta0(&self) -> Rational {
        self.quadratic.step_size() * Rational::from(self.root)
    }
}

impl Instance for Fixed {
    fn show(&self) -> String {
        format!("{}, eta0 = {}", self.quadratic.show(), self.eta0())
    }
}

/// Quadratics at eta0/sqrt T; eta = j K/(8 L M), j = 1 to 8, which is T >= (L eta0 M/K)^2.
pub struct FixedRuns;

impl Family for FixedRuns {
    type Instance = Fixed;

    fn id(&self) -> String {
        "fixed-runs".into()
    }

    fn domain(&self) -> String {
        "quadratics with one coordinate a block, eta = eta0/sqrt T, T = s^2 >= (L eta0 M/K)^2".into()
    }

    fn special(&self) -> Vec<Fixed> {
        let at = |experts: usize, x: i64, noise: i64, active, eta, root: i64| Fixed {
            quadratic: Quadratic {
                curvature: vec![1; experts],
                start: vec![x; experts],
                noise: vec![noise; experts],
                active,
                eta,
                steps: (root * root) as u32,
            },
            root,
        };
        // Many blocks and little start: the noise's factor M/K is what shows.
        vec![
            at(1, 1, 0, 1, (1, 1), 1),
            at(1, 1, 1, 1, (1, 2), 2),
            at(2, 1, 1, 1, (1, 2), 4),
            at(36, 0, 1, 1, (1, 36), 12),
            at(16, 1, 1, 4, (1, 8), 10),
        ]
    }

    fn tape_len(&self) -> usize {
        17
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Fixed {
        let root = tape.integer(1, 3);
        let mut quadratic = Quadratics.draw(tape);
        // At most half of the limit: T >= (L eta0 M/K)^2.
        quadratic.eta.1 *= 2;
        quadratic.steps = (root * root) as u32;
        Fixed { quadratic, root }
    }
}

/// A long run of the isotropic quadratic F = ||x||^2/2.
#[derive(Clone, Debug, Hash)]
pub struct Long {
    /// M
    pub experts: i64,
    /// K
    pub active: i64,
    /// eta as p/q
    pub eta: (i64, i64),
    /// sigma^2
    pub noise: i64,
    /// ||x_0||^2
    pub start: i64,
    /// T
    pub steps: u32,
}

impl Instance for Long {
    fn show(&self) -> String {
        let eta = Rational::new(self.eta.0, self.eta.1);
        format!("M = {}, K = {}, eta = {eta}, sigma^2 = {}, ||x_0||^2 = {}, T = {}", self.experts, self.active, self.noise, self.start, self.steps)
    }
}

/// Long runs that the closed form of the recursion makes cheap.
pub struct LongRuns;

impl Family for LongRuns {
    type Instance = Long;

    fn id(&self) -> String {
        "long-runs".into()
    }

    fn domain(&self) -> String {
        "five long runs of the isotropic quadratic with L = 1, by the closed form of the recursion".into()
    }

    fn special(&self) -> Vec<Long> {
        let at = |experts, active, eta, noise, start, steps| Long { experts, active, eta, noise, start, steps };
        vec![
            at(8, 1, (1, 16), 1, 8, 1_000),
            at(8, 2, (1, 16), 1, 8, 1_000),
            at(8, 8, (1, 16), 1, 8, 1_000),
            at(16, 4, (1, 10), 4, 16, 1_000),
            at(8, 2, (1, 16), 1, 8, 5_000),
        ]
    }

    fn tape_len(&self) -> usize {
        0
    }

    fn draw(&self, _tape: &mut Tape<'_>) -> Long {
        Long { experts: 8, active: 2, eta: (1, 16), noise: 1, start: 8, steps: 1_000 }
    }
}

/// Constants of the budget bound: c1 = p1/4, c2 = p2/4, M, F0, F1.
#[derive(Clone, Debug, Hash)]
pub struct Constants {
    /// 4 c1
    pub c1: i64,
    /// 4 c2
    pub c2: i64,
    /// M
    pub experts: u64,
    /// F0
    pub overhead: i64,
    /// F1
    pub per_expert: i64,
}

impl Constants {
    /// The bound's constants.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget {
            c1: Rational::new(self.c1, 4),
            c2: Rational::new(self.c2, 4),
            experts: self.experts,
            overhead: Rational::from(self.overhead),
            per_expert: Rational::from(self.per_expert),
        }
    }
}

impl Instance for Constants {
    fn show(&self) -> String {
        let (c1, c2) = (Rational::new(self.c1, 4), Rational::new(self.c2, 4));
        format!("c1 = {c1}, c2 = {c2}, M = {}, F0 = {}, F1 = {}", self.experts, self.overhead, self.per_expert)
    }
}

/// Which constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Any, an iteration costs its experts only.
    Plain,
    /// Any, with overhead.
    Affine,
    /// c1 = c2: the abstract's literal constants, up to a common factor.
    Literal,
}

/// Constants with M <= 48, and special ones with M up to 137.
pub struct AllConstants(pub Which);

impl Family for AllConstants {
    type Instance = Constants;

    fn id(&self) -> String {
        match self.0 {
            Which::Plain => "constants",
            Which::Affine => "constants-affine",
            Which::Literal => "constants-literal",
        }
        .into()
    }

    fn domain(&self) -> String {
        let which = match self.0 {
            Which::Plain => "positive c1, c2, cost K",
            Which::Affine => "positive c1, c2, cost F0 + F1 K",
            Which::Literal => "c1 = c2, cost K",
        };
        format!("{which}, quarters of integers, M <= 48 (and a few larger)")
    }

    fn special(&self) -> Vec<Constants> {
        let at = |c1, c2, experts, overhead, per_expert| Constants { c1, c2, experts, overhead, per_expert };
        match self.0 {
            // 137/25 = 5.48: rounding gives 5, and 5 * 6 < 5.48^2.
            Which::Plain => vec![
                at(4, 4, 1, 0, 1),
                at(4, 4, 2, 0, 1),
                at(4, 4, 8, 0, 1),
                at(16, 4, 64, 0, 1),
                at(8, 4, 11, 0, 1),
                at(40, 4, 64, 0, 1),
                at(12, 4, 64, 0, 1),
                at(28, 8, 19, 0, 1),
                at(100, 4, 137, 0, 1),
            ],
            Which::Affine => vec![at(4, 4, 1, 1, 1), at(4, 4, 8, 1, 1), at(16, 4, 64, 16, 1), at(16, 4, 64, 0, 1), at(40, 4, 64, 100, 3)],
            Which::Literal => (1..=48).map(|experts| at(4, 4, experts, 0, 1)).collect(),
        }
    }

    fn tape_len(&self) -> usize {
        5
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Constants {
        let experts = tape.integer(1, 48) as u64;
        let c2 = tape.heavy(1 << 16);
        let c1 = if self.0 == Which::Literal { c2 } else { tape.heavy(1 << 16) };
        let (overhead, per_expert) = if self.0 == Which::Affine { (tape.heavy(1 << 10) - 1, tape.heavy(1 << 10)) } else { (0, 1) };
        Constants { c1, c2, experts, overhead, per_expert }
    }
}

/// A greedy run: x_0 = t (1, 1, 1), eta and a number of steps.
#[derive(Clone, Debug, Hash)]
pub struct Greedy {
    /// t as p/q
    pub scale: (i64, i64),
    /// eta as p/q
    pub eta: (i64, i64),
    /// T
    pub steps: u32,
}

impl Instance for Greedy {
    fn show(&self) -> String {
        let (t, eta) = (Rational::new(self.scale.0, self.scale.1), Rational::new(self.eta.0, self.eta.1));
        format!("x_0 = {t} (1, 1, 1), eta = {eta}, T = {}", self.steps)
    }
}

/// Greedy runs for every scale and step size.
pub struct GreedyRuns;

impl Family for GreedyRuns {
    type Instance = Greedy;

    fn id(&self) -> String {
        "greedy-runs".into()
    }

    fn domain(&self) -> String {
        "rational t != 0 and eta > 0, up to 4 steps".into()
    }

    fn special(&self) -> Vec<Greedy> {
        let at = |scale, eta, steps| Greedy { scale, eta, steps };
        vec![at((1, 1), (1, 1), 1), at((1, 1), (1, 1_000_000), 4), at((-1, 1), (6, 11), 3), at((1, 7), (1, 20), 20)]
    }

    fn tape_len(&self) -> usize {
        6
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Greedy {
        let negative = tape.word() % 2 == 1;
        let scale = tape.heavy(1 << 20);
        Greedy {
            scale: (if negative { -scale } else { scale }, tape.heavy(1 << 10)),
            eta: (tape.heavy(1 << 10), tape.heavy(1 << 10)),
            steps: tape.integer(1, 4) as u32,
        }
    }
}
