//! Families: one exact step, stationary laws with any exponentials, closed equations.

use super::quantizer::{Moments, Quantizer};
use claim::{Family, Instance, Tape};
use numeric::{Field, Rational};

type Ratio = (i64, i64);

fn of(ratio: Ratio) -> Rational {
    Rational::new(ratio.0, ratio.1)
}

fn show(values: &[Ratio]) -> String {
    let shown: Vec<String> = values.iter().map(|&value| of(value).to_string()).collect();
    format!("({})", shown.join(", "))
}

/// The weight quantizer of an exact step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weights {
    /// None: phi(w) = w.
    Free,
    /// Levels -1, 0, 1 with thresholds -1/2, 1/2.
    Ternary,
    /// Levels -3/2, -1/2, 1/2, 3/2 with thresholds -1, 0, 1.
    Four,
    /// Levels -2, -1/4, 1, 5 with thresholds -1, 1/3, 2.
    Uneven,
}

impl Weights {
    /// The step function.
    #[must_use]
    pub fn quantizer(self) -> Option<Quantizer> {
        let of = |p: i64, q: i64| Rational::new(p, q);
        let (levels, thresholds) = match self {
            Weights::Free => return None,
            Weights::Ternary => (vec![of(-1, 1), of(0, 1), of(1, 1)], vec![of(-1, 2), of(1, 2)]),
            Weights::Four => (vec![of(-3, 2), of(-1, 2), of(1, 2), of(3, 2)], vec![of(-1, 1), of(0, 1), of(1, 1)]),
            Weights::Uneven => (vec![of(-2, 1), of(-1, 4), of(1, 1), of(5, 1)], vec![of(-1, 1), of(1, 3), of(2, 1)]),
        };
        Quantizer::new(levels, thresholds).ok()
    }
}

/// One step from given weights, inputs independent with a symmetric law on few points.
#[derive(Clone, Debug, Hash)]
pub struct OneStep {
    /// Positive points x with their weights and 2 psi(x); -x has the same weight and psi(-x) = -psi(x).
    pub half: Vec<(i64, i64, i64)>,
    /// Weight of x = 0 (psi = 0), 0 for none.
    pub zero: i64,
    /// phi
    pub weights: Weights,
    /// w
    pub w: Vec<Ratio>,
    /// w*
    pub teacher: Vec<Ratio>,
    /// eta
    pub eta: Ratio,
    /// sigma^2
    pub sigma2: Ratio,
}

impl OneStep {
    /// (x, psi, probability), each point of the law.
    #[must_use]
    pub fn law(&self) -> Vec<(Rational, Rational, Rational)> {
        let total: i64 = self.zero + 2 * self.half.iter().map(|point| point.1).sum::<i64>();
        let mut law = Vec::new();
        for &(x, weight, psi) in &self.half {
            for sign in [-1, 1] {
                law.push((Rational::from(sign * x), Rational::new(sign * psi, 2), Rational::new(weight, total)));
            }
        }
        if self.zero > 0 {
            law.push((Rational::from(0), Rational::from(0), Rational::new(self.zero, total)));
        }
        law
    }

    /// E x^2 and the other moments, by summation.
    #[must_use]
    pub fn moments(&self) -> (Rational, Moments<Rational>) {
        let law = self.law();
        let mean = |f: &dyn Fn(&Rational, &Rational) -> Rational| law.iter().fold(Rational::from(0), |sum, (x, psi, p)| sum + p.clone() * f(x, psi));
        let moments = Moments {
            c1: mean(&|x, psi| x.clone() * psi.clone()),
            c2: mean(&|_, psi| psi.square()),
            k22: mean(&|x, psi| (x.clone() * psi.clone()).square()),
            k13: mean(&|x, psi| x.clone() * psi.powi(3)),
            k04: mean(&|_, psi| psi.powi(4)),
        };
        (mean(&|x, _| x.square()), moments)
    }

    /// (w, w*, phi(w)).
    #[must_use]
    pub fn vectors(&self) -> [Vec<Rational>; 3] {
        let w: Vec<Rational> = self.w.iter().copied().map(of).collect();
        let phi = match self.weights.quantizer() {
            Some(quantizer) => w.iter().map(|w| quantizer.apply(w)).collect(),
            None => w.clone(),
        };
        [w, self.teacher.iter().copied().map(of).collect(), phi]
    }

    /// eta
    #[must_use]
    pub fn step_size(&self) -> Rational {
        of(self.eta)
    }

    /// sigma^2
    #[must_use]
    pub fn noise(&self) -> Rational {
        of(self.sigma2)
    }

    /// E w' and E |w'|^2/d over all inputs, by enumeration; the noise enters by its mean 0 and its variance.
    #[must_use]
    pub fn enumerate(&self) -> (Vec<Rational>, Rational) {
        let law = self.law();
        let [w, teacher, phi] = self.vectors();
        let d = w.len();
        let size = Rational::from(d as u64);
        let rate = self.step_size() / size.clone();
        let (mut mean, mut square) = (vec![Rational::from(0); d], Rational::from(0));
        let mut choice = vec![0; d];
        loop {
            let chosen: Vec<&(Rational, Rational, Rational)> = choice.iter().map(|&index: &usize| &law[index]).collect();
            let mut gap = Rational::from(0);
            let mut chance = Rational::from(1);
            for (i, (x, psi, p)) in chosen.iter().enumerate() {
                gap = gap + teacher[i].clone() * x.clone() - phi[i].clone() * psi.clone();
                chance = chance * p.clone();
            }
            for (i, (_, psi, _)) in chosen.iter().enumerate() {
                let next = w[i].clone() + rate.clone() * gap.clone() * psi.clone();
                let noise = self.step_size().square() * self.noise() * psi.square() / size.clone();
                square = square + chance.clone() * (next.square() + noise);
                mean[i] = mean[i].clone() + chance.clone() * next;
            }
            let Some(place) = (0..d).find(|&i| choice[i] + 1 < law.len()) else { break };
            choice[place] += 1;
            choice[..place].fill(0);
        }
        (mean, square / size)
    }
}

impl Instance for OneStep {
    fn show(&self) -> String {
        let points: Vec<String> =
            self.half.iter().map(|&(x, weight, psi)| format!("+-{x} (weight {weight}, psi +-{})", Rational::new(psi, 2))).collect();
        let zero = if self.zero > 0 { format!(", 0 (weight {})", self.zero) } else { String::new() };
        format!(
            "x = {}{zero}; phi {:?}; w = {}, w* = {}, eta = {}, sigma^2 = {}",
            points.join(", "),
            self.weights,
            show(&self.w),
            show(&self.teacher),
            of(self.eta),
            of(self.sigma2)
        )
    }
}

/// Steps in small dimensions.
pub struct OneSteps;

/// The spec's law: -2, -1, 1, 2 with weights 1, 3, 3, 1 and psi = +-3/2, +-1/2.
const FOUR_POINTS: [(i64, i64, i64); 2] = [(1, 3, 1), (2, 1, 3)];

impl Family for OneSteps {
    type Instance = OneStep;

    fn id(&self) -> String {
        "one-steps".into()
    }

    fn domain(&self) -> String {
        "symmetric input laws on 2 to 5 points, psi odd, d = 1 to 4, rational weights, teachers, eta >= 0 and sigma^2 >= 0; weights free or through one of three step functions".into()
    }

    fn special(&self) -> Vec<OneStep> {
        let base = OneStep {
            half: FOUR_POINTS.to_vec(),
            zero: 0,
            weights: Weights::Free,
            w: vec![(1, 3), (-2, 5), (3, 4)],
            teacher: vec![(1, 1), (-1, 2), (2, 3)],
            eta: (1, 7),
            sigma2: (1, 5),
        };
        let rademacher = OneStep { half: vec![(1, 1, 2)], w: vec![(1, 2)], teacher: vec![(1, 1)], ..base.clone() };
        vec![
            rademacher,
            base.clone(),
            OneStep { weights: Weights::Ternary, w: vec![(1, 3), (-3, 5), (3, 4)], ..base.clone() },
            OneStep { teacher: vec![(0, 1); 3], ..base.clone() },
            OneStep { eta: (0, 1), ..base.clone() },
            // 2/c2 with c2 = 3/4.
            OneStep { eta: (8, 3), ..base.clone() },
            // On thresholds: the tie goes up.
            OneStep { weights: Weights::Ternary, w: vec![(1, 2), (-1, 2), (0, 1)], ..base.clone() },
            OneStep { weights: Weights::Four, w: vec![(0, 1), (1, 1), (-1, 1)], zero: 2, ..base.clone() },
            OneStep { w: vec![(1, 3), (-2, 5), (3, 4), (5, 1)], teacher: vec![(1, 1), (-1, 2), (2, 3), (0, 1)], ..base.clone() },
            OneStep { weights: Weights::Uneven, w: vec![(1, 3), (-2, 5), (3, 4), (5, 1)], teacher: vec![(1, 1), (-1, 2), (2, 3), (-7, 1)], ..base },
        ]
    }

    fn tape_len(&self) -> usize {
        2 + 6 + 1 + 12 + 4
    }

    fn draw(&self, tape: &mut Tape<'_>) -> OneStep {
        let d = tape.integer(1, 3);
        let points = tape.integer(1, 2);
        let mut x = 0;
        let half = (0..points)
            .map(|_| {
                x += tape.integer(1, 3);
                (x, tape.integer(1, 5), tape.integer(0, 6))
            })
            .collect();
        let zero = tape.integer(0, 2);
        let weights = tape.choose(&[Weights::Free, Weights::Ternary, Weights::Four, Weights::Uneven]);
        let mut vector = || (0..d).map(|_| (tape.integer(-12, 12), tape.integer(1, 6))).collect::<Vec<_>>();
        let (w, teacher) = (vector(), vector());
        let eta = (tape.integer(0, 12), tape.integer(1, 8));
        OneStep { half, zero, weights, w, teacher, eta, sigma2: (tape.integer(0, 9), tape.integer(1, 5)) }
    }
}

/// A stationary law of quantized weights with rational numbers in the place of its exponentials.
#[derive(Clone, Debug, Hash)]
pub struct Stationary {
    /// Levels, increasing; the thresholds are the midpoints.
    pub levels: Vec<i64>,
    /// mu as a share of the way from the lowest level to the highest, strictly inside.
    pub share: Ratio,
    /// 2/(eta R)
    pub scale: Ratio,
    /// By which factor in (0, 1) the density falls over each inner cell, away from mu.
    pub falls: Vec<Ratio>,
}

/// What a stationary law is made of.
pub struct StationaryLaw {
    /// The step function.
    pub quantizer: Quantizer,
    /// mu
    pub mu: Rational,
    /// s_k = scale (L_k - mu)
    pub slopes: Vec<Rational>,
    /// E_k at the thresholds.
    pub exponentials: Vec<Rational>,
}

impl Stationary {
    /// The law; None for levels that do not increase.
    #[must_use]
    pub fn law(&self) -> Option<StationaryLaw> {
        let quantizer = Quantizer::midpoints(self.levels.iter().copied().map(Rational::from).collect()).ok()?;
        let (bottom, top) = (quantizer.levels()[0].clone(), quantizer.top());
        let mu = bottom.clone() + of(self.share) * (top - bottom);
        let slopes: Vec<Rational> = quantizer.levels().iter().map(|level| of(self.scale) * (level.clone() - mu.clone())).collect();
        let mut exponentials = vec![Rational::from(1)];
        for (k, slope) in slopes.iter().enumerate().take(slopes.len() - 1).skip(1) {
            let fall = of(self.falls.get(k - 1).copied().unwrap_or((1, 2)));
            let last = exponentials[k - 1].clone();
            exponentials.push(match slope.signum() {
                Some(1) => last * fall,
                Some(-1) => last / fall,
                _ => last,
            });
        }
        Some(StationaryLaw { quantizer, mu, slopes, exponentials })
    }
}

impl Instance for Stationary {
    fn show(&self) -> String {
        let mu = self.law().map_or_else(|| "undefined".to_owned(), |law| law.mu.to_string());
        format!("levels {:?}, mu = {mu}, 2/(eta R) = {}, falls {}", self.levels, of(self.scale), show(&self.falls))
    }
}

/// Stationary laws.
pub struct StationaryLaws;

impl Family for StationaryLaws {
    type Instance = Stationary;

    fn id(&self) -> String {
        "stationary-laws".into()
    }

    fn domain(&self) -> String {
        "2 to 6 increasing integer levels, mu strictly between the outermost, 2/(eta R) > 0, any factors in (0, 1) in the place of the exponentials' ratios".into()
    }

    fn special(&self) -> Vec<Stationary> {
        let of = |levels: &[i64], share, scale, falls: &[Ratio]| Stationary { levels: levels.to_vec(), share, scale, falls: falls.to_vec() };
        vec![
            // Two levels: both bounds are attained; mu in the middle.
            of(&[-2, 2], (3, 4), (1, 1), &[]),
            of(&[-1, 1], (1, 2), (3, 1), &[]),
            // mu on a level; on a midpoint.
            of(&[-1, 0, 1], (1, 2), (2, 1), &[(1, 3)]),
            of(&[-3, -1, 1, 3], (2, 3), (1, 1), &[(1, 2), (1, 5)]),
            of(&[-3, -1, 1, 3], (1, 2), (1, 1), &[(1, 2), (1, 2)]),
            // Little noise: nearly all mass on the two levels next to mu; much noise: nearly all on the outermost.
            of(&[-3, -1, 1, 3], (3, 5), (1_000_000, 1), &[(1, 1_000_000), (1, 1_000_000)]),
            of(&[-3, -1, 1, 3], (3, 5), (1, 1_000_000), &[(999_999, 1_000_000), (999_999, 1_000_000)]),
            of(&[-100, -1, 1, 100], (1, 2), (1, 1), &[(1, 9), (1, 9)]),
        ]
    }

    fn tape_len(&self) -> usize {
        1 + 6 + 2 + 2 + 8
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Stationary {
        let count = tape.integer(2, 6);
        let mut level = -10;
        let levels = (0..count)
            .map(|_| {
                level += tape.heavy(50);
                level
            })
            .collect();
        let below = tape.integer(2, 40);
        let share = (tape.integer(1, below - 1), below);
        let scale = (tape.heavy(1000), tape.heavy(1000));
        let falls = (2..count)
            .map(|_| {
                let below = 1 + tape.heavy(1000);
                (tape.integer(1, below - 1), below)
            })
            .collect();
        Stationary { levels, share, scale, falls }
    }
}

/// The closed equation of quantized inputs: any c1, c2 with c1^2 <= c2.
#[derive(Clone, Debug, Hash)]
pub struct Closed {
    /// c1
    pub c1: Ratio,
    /// c2 = c1^2 + this.
    pub extra: Ratio,
    /// eta c2, in (0, 2)
    pub kappa: Ratio,
    /// rho
    pub rho: Ratio,
    /// sigma^2
    pub sigma2: Ratio,
    /// m and q at the start.
    pub start: (Ratio, Ratio),
    /// tau
    pub tau: Ratio,
}

impl Closed {
    /// Moments with only c1 and c2 set.
    #[must_use]
    pub fn moments(&self) -> Moments<Rational> {
        let c1 = of(self.c1);
        let c2 = c1.square() + of(self.extra);
        let zero = || Rational::from(0);
        Moments { c1, c2, k22: zero(), k13: zero(), k04: zero() }
    }

    /// (rho, eta, sigma^2, m, q, tau).
    #[must_use]
    pub fn numbers(&self) -> [Rational; 6] {
        let eta = of(self.kappa) / self.moments().c2;
        [of(self.rho), eta, of(self.sigma2), of(self.start.0), of(self.start.1), of(self.tau)]
    }
}

impl Instance for Closed {
    fn show(&self) -> String {
        let ([rho, eta, sigma2, m, q, tau], moments) = (self.numbers(), self.moments());
        format!("c1 = {}, c2 = {}, rho = {rho}, eta = {eta}, sigma^2 = {sigma2}, m = {m}, q = {q}, tau = {tau}", moments.c1, moments.c2)
    }
}

/// Closed equations.
pub struct ClosedEquations;

impl Family for ClosedEquations {
    type Instance = Closed;

    fn id(&self) -> String {
        "closed-equations".into()
    }

    fn domain(&self) -> String {
        "0 < c1 <= 2, c1^2 <= c2, 0 < eta < 2/c2, rho, sigma^2 >= 0, any start, 0 <= tau <= 3".into()
    }

    fn special(&self) -> Vec<Closed> {
        let of = |c1, extra, kappa, rho, sigma2, start, tau| Closed { c1, extra, kappa, rho, sigma2, start, tau };
        vec![
            of((1, 1), (0, 1), (1, 2), (1, 1), (0, 1), ((0, 1), (0, 1)), (1, 1)),
            of((1, 1), (0, 1), (1, 1), (1, 1), (1, 100), ((0, 1), (1, 1)), (3, 1)),
            of((97, 100), (1, 7), (39, 20), (1, 1), (1, 100), ((1, 2), (1, 1)), (2, 1)),
            of((4, 5), (9, 25), (1_999, 1_000), (2, 1), (1, 1), ((-1, 1), (3, 1)), (3, 1)),
            of((4, 5), (9, 25), (1, 1_000), (2, 1), (1, 1), ((-1, 1), (3, 1)), (3, 1)),
            of((1, 1), (1, 1), (1, 2), (0, 1), (0, 1), ((0, 1), (0, 1)), (0, 1)),
        ]
    }

    fn tape_len(&self) -> usize {
        14
    }

    fn draw(&self, tape: &mut Tape<'_>) -> Closed {
        let below = tape.integer(1, 20);
        Closed {
            c1: (tape.integer(1, 2 * below), below),
            extra: (tape.integer(0, 20), tape.integer(1, 20)),
            kappa: (tape.integer(1, 1_999), 1_000),
            rho: (tape.integer(0, 20), 10),
            sigma2: (tape.integer(0, 20), 10),
            start: ((tape.integer(-20, 20), 10), (tape.integer(0, 40), 10)),
            tau: (tape.integer(0, 300), 100),
        }
    }
}
