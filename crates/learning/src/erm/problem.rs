//! The instance: losses, risks and subgradients, exactly.
//!
//! Symbols z = 0, .., n-1 with n = m, uniform. A point is w = (x, y), x in R^n, y in R^(6n). For a set T of symbols, x_T is b on T and -b elsewhere, and v_T
//! is the code's unit vector. With a = 1/4, a1 = a, a2 = a/2, a3 = a/(4nb), a4 = 1/2, gamma = b^2/(2r), theta = 3r/4,
//!
//! H(x, y) = max over T of <x_T, x> - gamma <v_T, y>,  G_z(y) = max(0, max over T without z of <v_T, y> - theta),
//! f(w; z) = a1 |x_z - b| + (a2/n) sum |x_i + b| + a3 H(x, y) + a4 G_z(y)  on  K = {|x|^2 <= 3/4} x {|y| <= r}.

use super::bounds;
use super::code::{Code, MOST_SYMBOLS};
use claim::Instance;
use numeric::{Field, Ordered, Rational};
use std::sync::Arc;

/// Why parameters make no instance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// m < 2.
    #[error("m = {symbols}: at least 2 symbols are needed")]
    FewSymbols {
        /// m
        symbols: usize,
    },
    /// b <= 0.
    #[error("b = {b} must be positive")]
    NotPositive {
        /// b
        b: Rational,
    },
    /// m b^2 > 1/4.
    #[error("m b^2 = {square} is above 1/4: b may be at most 1/(2 sqrt {symbols})")]
    WideBox {
        /// m b^2
        square: Rational,
        /// m
        symbols: usize,
    },
    /// b >= 2r.
    #[error("b = {b} is not below 2 r = {twice}: a smaller b or a larger r is needed")]
    ShortRadius {
        /// b
        b: Rational,
        /// 2 r
        twice: Rational,
    },
    /// r > 1/2.
    #[error("r = {r} is above 1/2: the domain would leave the unit ball")]
    LongRadius {
        /// r
        r: Rational,
    },
    /// Two words of the code are too close.
    #[error("the code has inner products up to {coherence}, above 1/2")]
    Coherent {
        /// The largest inner product.
        coherence: Rational,
    },
    /// A symbol that does not exist.
    #[error("symbol {symbol} at place {place} of the sample is not below m = {symbols}")]
    Symbol {
        /// The symbol.
        symbol: usize,
        /// Where it stands, from 1.
        place: usize,
        /// m
        symbols: usize,
    },
    /// A sample that does not have m draws.
    #[error("the sample has {length} draws, not m = {symbols}")]
    Length {
        /// Draws given.
        length: usize,
        /// m
        symbols: usize,
    },
    /// No code where one is needed, or one of another size.
    #[error("a code of {symbols} rows is needed to enumerate the pieces, for at most {MOST_SYMBOLS} symbols")]
    NoCode {
        /// m
        symbols: usize,
    },
}

/// The instance I(m, b, r, code).
#[derive(Clone, Debug, Hash)]
pub struct Problem {
    /// m = n
    pub symbols: usize,
    /// b
    pub b: Rational,
    /// r
    pub r: Rational,
    /// gamma over b^2/(2r): 1 in the construction.
    pub pull: Rational,
    /// The code. Without one only points with y = 0 can be evaluated, where H = b |x|_1.
    pub code: Option<Arc<Code>>,
}

/// 1/(2 ceil(sqrt m)): the default b.
#[must_use]
pub fn default_b(symbols: usize) -> Rational {
    let root = symbols.isqrt();
    Rational::new(1, 2 * (root + usize::from(root * root < symbols)) as i64)
}

/// A point of K: x in units of b/den, y in units of r/(den sqrt(6n)). An empty y is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// den x/b
    pub x: Vec<i64>,
    /// den sqrt(6n) y/r
    pub y: Vec<i64>,
    /// den
    pub den: i64,
}

impl Point {
    /// The point as the statements write it.
    #[must_use]
    pub fn show(&self) -> String {
        let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let y = if self.y.iter().all(|&y| y == 0) { "0".to_owned() } else { format!("r/({} sqrt {}) ({})", self.den, self.y.len(), list(&self.y)) };
        format!("x = b/{} ({}), y = {y}", self.den, list(&self.x))
    }
}

/// A subgradient of f(.; z): its x part, and its y part as multiples of the code's vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Subgradient {
    /// The x part.
    pub x: Vec<Rational>,
    /// (T, c): the y part is the sum of c v_T.
    pub y: Vec<(usize, Rational)>,
}

/// <x_T, x> in units of b^2/den for every T.
fn signed_sums(x: &[i64]) -> Vec<i64> {
    x.iter().fold(vec![-x.iter().sum::<i64>()], |mut sums, &x| {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum += 2 * x);
        sums
    })
}

/// The places of the largest piece of H and, for each symbol asked for, of G_z: lowest index first among equals.
struct Pieces {
    /// max over T of 2 d q <x_T, x> - p <v_T, y> in units of b^2/den, gamma over b^2/(2r) = p/q, d = 6n
    height: i128,
    /// The lowest T that attains it.
    set: usize,
    /// For each symbol: the largest correlation among the T without it, and the lowest such T.
    without: Vec<Option<(i64, usize)>>,
}

impl Problem {
    /// An instance of the construction.
    ///
    /// # Errors
    /// [`ProblemError`] where an assumption fails.
    pub fn new(symbols: usize, b: Rational, r: Rational, code: Option<Arc<Code>>) -> Result<Problem, ProblemError> {
        let problem = Problem { symbols, b, r, pull: Rational::from(1), code };
        problem.check_numbers()?;
        if let Some(code) = &problem.code {
            if code.symbols() != symbols {
                return Err(ProblemError::NoCode { symbols });
            }
            let coherence = code.coherence();
            if coherence > Rational::new(1, 2) {
                return Err(ProblemError::Coherent { coherence });
            }
        }
        Ok(problem)
    }

    /// Whether b and r are as assumed.
    ///
    /// # Errors
    /// [`ProblemError`] naming the first assumption that fails.
    pub fn check_numbers(&self) -> Result<(), ProblemError> {
        if self.symbols < 2 {
            return Err(ProblemError::FewSymbols { symbols: self.symbols });
        }
        if self.b <= Rational::from(0) {
            return Err(ProblemError::NotPositive { b: self.b.clone() });
        }
        let square = Rational::from(self.symbols as i64) * self.b.square();
        if square > Rational::new(1, 4) {
            return Err(ProblemError::WideBox { square, symbols: self.symbols });
        }
        if self.r > Rational::new(1, 2) {
            return Err(ProblemError::LongRadius { r: self.r.clone() });
        }
        let twice = Rational::from(2) * self.r.clone();
        if self.b >= twice {
            return Err(ProblemError::ShortRadius { b: self.b.clone(), twice });
        }
        Ok(())
    }

    /// How often each symbol stands in a sample of m draws.
    ///
    /// # Errors
    /// [`ProblemError::Symbol`] and [`ProblemError::Length`].
    pub fn counts(&self, sample: &[usize]) -> Result<Vec<usize>, ProblemError> {
        if let Some(place) = sample.iter().position(|&symbol| symbol >= self.symbols) {
            return Err(ProblemError::Symbol { symbol: sample[place], place: place + 1, symbols: self.symbols });
        }
        if sample.len() != self.symbols {
            return Err(ProblemError::Length { length: sample.len(), symbols: self.symbols });
        }
        Ok((0..self.symbols).map(|symbol| sample.iter().filter(|&&drawn| drawn == symbol).count()).collect())
    }

    /// gamma = b^2/(2r), times the factor of a variant.
    #[must_use]
    pub fn gamma(&self) -> Rational {
        self.pull.clone() * bounds::gamma(&self.b, &self.r)
    }

    /// a3 gamma
    #[must_use]
    pub fn code_slope(&self) -> Rational {
        self.pull.clone() * bounds::code_slope(&self.size(), &self.b, &self.r)
    }

    /// m
    #[must_use]
    pub fn size(&self) -> Rational {
        Rational::from(self.symbols as i64)
    }

    /// w_T = (x_T, r v_T).
    ///
    /// # Errors
    /// [`ProblemError::NoCode`] without a code.
    pub fn corner(&self, set: usize) -> Result<Point, ProblemError> {
        let code = self.code.as_ref().ok_or(ProblemError::NoCode { symbols: self.symbols })?;
        Ok(Point { x: self.corner_x(set), y: code.signs(set), den: 1 })
    }

    /// x_T in units of b.
    fn corner_x(&self, set: usize) -> Vec<i64> {
        (0..self.symbols).map(|i| if set >> i & 1 == 1 { 1 } else { -1 }).collect()
    }

    /// Whether a point is in K; the second says whether |y| <= r.
    #[must_use]
    pub fn contains(&self, point: &Point) -> (bool, bool) {
        let squares = |values: &[i64]| values.iter().map(|&v| i128::from(v) * i128::from(v)).sum::<i128>();
        let den = i128::from(point.den);
        let x = self.b.square() * Rational::from_i128(squares(&point.x), den * den);
        (x <= Rational::new(3, 4), squares(&point.y) <= den * den * point.y.len() as i128)
    }

    fn pieces(&self, point: &Point, symbols: impl Iterator<Item = bool>) -> Result<Pieces, ProblemError> {
        let (p, q) = self.pull.to_i128_parts().unwrap_or((1, 1));
        let lacking = ProblemError::NoCode { symbols: self.symbols };
        let wanted: Vec<bool> = symbols.collect();
        if point.y.iter().all(|&y| y == 0) {
            // Every piece without its y part: the largest has the signs of x, a zero counting as -.
            let length = 6 * self.symbols as i128;
            let height = 2 * length * q * point.x.iter().map(|x| i128::from(x.abs())).sum::<i128>();
            let positive = |(i, &x): (usize, &i64)| if x > 0 && i < usize::BITS as usize { 1 << i } else { 0 };
            let set = point.x.iter().enumerate().map(positive).sum();
            return Ok(Pieces { height, set, without: wanted.iter().map(|_| Some((0, 0))).collect() });
        }
        let code = self.code.as_ref().ok_or(lacking)?;
        let (sums, correlations) = (signed_sums(&point.x), code.correlations(&point.y));
        let length = 2 * i128::from(code.length()) * q;
        let mut best = (i128::MIN, 0);
        let mut without: Vec<Option<(i64, usize)>> = vec![None; self.symbols];
        let mut rest = usize::MAX;
        for (symbol, &wanted) in wanted.iter().enumerate() {
            if !wanted {
                rest &= !(1 << symbol);
            }
        }
        for (set, (&sum, &correlation)) in sums.iter().zip(&correlations).enumerate() {
            let height = length * i128::from(sum) - p * i128::from(correlation);
            if height > best.0 {
                best = (height, set);
            }
            let mut missing = !set & rest & ((1 << self.symbols) - 1);
            while missing != 0 {
                let symbol = missing.trailing_zeros() as usize;
                missing &= missing - 1;
                if without[symbol].is_none_or(|(before, _)| correlation > before) {
                    without[symbol] = Some((correlation, set));
                }
            }
        }
        Ok(Pieces { height: best.0, set: best.1, without })
    }

    /// G_z from the largest correlation among the sets without z.
    fn beyond(&self, point: &Point, correlation: i64) -> Rational {
        let share =
            Rational::from_i128(i128::from(correlation), i128::from(point.den) * 6 * self.symbols as i128) - bounds::threshold(&Rational::from(1));
        if share > Rational::from(0) { self.r.clone() * share } else { Rational::from(0) }
    }

    /// (1/m) sum over z of c_z f(w; z): F_S for the counts of a sample, F when all are 1, f(.; z) times 1/m for a single one.
    ///
    /// # Errors
    /// [`ProblemError::NoCode`] where y is not 0 and there is no code.
    pub fn risk(&self, counts: &[usize], point: &Point) -> Result<Rational, ProblemError> {
        let pieces = self.pieces(point, counts.iter().map(|&count| count > 0))?;
        let total: usize = counts.iter().sum();
        let (den, total) = (point.den, total as i128);
        // In units of b/den: a1/m and a2/n of distances, as 4 and 2 sixteenths of 1/m.
        let near: i128 = counts.iter().zip(&point.x).map(|(&count, x)| count as i128 * i128::from((x - den).abs())).sum();
        let far: i128 = point.x.iter().map(|x| i128::from((x + den).abs())).sum();
        let (_, q) = self.pull.to_i128_parts().unwrap_or((1, 1));
        let unit = self.b.clone() / Rational::from_i128(16 * i128::from(den) * self.symbols as i128, 1);
        let linear = Rational::from_i128(4 * near, 1) + Rational::from_i128(2 * far * total, self.symbols as i128);
        // a3 H: a/(4nb) times b^2/den times the height.
        let maximum = Rational::from_i128(pieces.height * total, 12 * q * (self.symbols * self.symbols) as i128);
        let beyond = counts.iter().zip(&pieces.without).filter(|(count, _)| **count > 0).fold(Rational::from(0), |sum, (&count, found)| {
            sum + found.map_or(Rational::from(0), |(correlation, _)| Rational::from(count as i64) * self.beyond(point, correlation))
        });
        Ok(unit * (linear + maximum) + bounds::code_weight::<Rational>() * beyond / self.size())
    }

    /// F, the risk under the uniform law.
    ///
    /// # Errors
    /// As [`Problem::risk`].
    pub fn population(&self, point: &Point) -> Result<Rational, ProblemError> {
        self.risk(&vec![1; self.symbols], point)
    }

    /// f(w; z)
    ///
    /// # Errors
    /// As [`Problem::risk`].
    pub fn loss(&self, symbol: usize, point: &Point) -> Result<Rational, ProblemError> {
        Ok(self.risk(&self.single(symbol), point)? * self.size())
    }

    fn single(&self, symbol: usize) -> Vec<usize> {
        (0..self.symbols).map(|i| usize::from(i == symbol)).collect()
    }

    /// A subgradient of f(.; z): sign(0) = 0, the lowest active set of H, the zero piece of G on ties.
    ///
    /// # Errors
    /// [`ProblemError::NoCode`] as for [`Problem::risk`].
    pub fn subgradient(&self, symbol: usize, point: &Point) -> Result<Subgradient, ProblemError> {
        let pieces = self.pieces(point, self.single(symbol).iter().map(|&count| count > 0))?;
        let n = self.symbols as i64;
        let x = point.x.iter().enumerate().map(|(i, &x)| {
            let near = if i == symbol { Rational::new((x - point.den).signum(), 4) } else { Rational::from(0) };
            let piece = if pieces.set >> i & 1 == 1 { 1 } else { -1 };
            near + Rational::new(2 * (x + point.den).signum() + piece, 16 * n)
        });
        let mut y = vec![(pieces.set, -self.code_slope())];
        if let Some((correlation, set)) = pieces.without[symbol]
            && !self.beyond(point, correlation).is_zero()
        {
            y.push((set, bounds::code_weight()));
        }
        Ok(Subgradient { x: x.collect(), y })
    }

    /// <g, w' - w>
    ///
    /// # Errors
    /// [`ProblemError::NoCode`] without a code.
    pub fn slope_along(&self, gradient: &Subgradient, from: &Point, to: &Point) -> Result<Rational, ProblemError> {
        let code = self.code.as_ref().ok_or(ProblemError::NoCode { symbols: self.symbols })?;
        let x = gradient.x.iter().enumerate().fold(Rational::from(0), |sum, (i, g)| {
            let moved = Rational::new(to.x[i], to.den) - Rational::new(from.x[i], from.den);
            sum + g.clone() * self.b.clone() * moved
        });
        let along = |point: &Point, set: usize| {
            let total: i64 = code.signs(set).iter().zip(&point.y).map(|(sign, y)| sign * y).sum();
            self.r.clone() * Rational::new(total, point.den * i64::from(code.length()))
        };
        Ok(gradient.y.iter().fold(x, |sum, (set, c)| sum + c.clone() * (along(to, *set) - along(from, *set))))
    }

    /// |w - w'|^2
    #[must_use]
    pub fn distance_square(&self, first: &Point, second: &Point) -> Rational {
        let part = |a: &[i64], b: &[i64], length: usize| {
            let at = |values: &[i64], i: usize| i128::from(values.get(i).copied().unwrap_or(0));
            let (p, q) = (i128::from(first.den), i128::from(second.den));
            let total: i128 = (0..length).map(|i| (at(a, i) * q - at(b, i) * p).pow(2)).sum();
            Rational::from_i128(total, p * p * q * q)
        };
        let length = 6 * self.symbols;
        self.b.square() * part(&first.x, &second.x, self.symbols)
            + self.r.square() * part(&first.y, &second.y, length) / Rational::from(length as i64)
    }

    /// |x - x_T|_1 and r - <v_T, y>.
    ///
    /// # Errors
    /// [`ProblemError::NoCode`] where y is not 0 and there is no code.
    pub fn offsets(&self, set: usize, point: &Point) -> Result<(Rational, Rational), ProblemError> {
        let total: i64 = point.x.iter().zip(self.corner_x(set)).map(|(x, corner)| (x - corner * point.den).abs()).sum();
        let along = if point.y.is_empty() {
            0
        } else {
            let code = self.code.as_ref().ok_or(ProblemError::NoCode { symbols: self.symbols })?;
            code.signs(set).iter().zip(&point.y).map(|(sign, y)| sign * y).sum::<i64>()
        };
        let overlap = Rational::from_i128(i128::from(along), i128::from(point.den) * 6 * self.symbols as i128);
        Ok((self.b.clone() * Rational::new(total, point.den), self.r.clone() * (Rational::from(1) - overlap)))
    }
}

/// An instance with a sample.
#[derive(Clone, Debug, Hash)]
pub struct Sampled {
    /// The instance.
    pub problem: Problem,
    /// m draws.
    pub sample: Vec<usize>,
}

impl Sampled {
    /// The counts, where the instance and the sample are as assumed.
    ///
    /// # Errors
    /// [`ProblemError`] naming what is not.
    pub fn counts(&self) -> Result<Vec<usize>, ProblemError> {
        self.problem.check_numbers()?;
        self.problem.counts(&self.sample)
    }

    /// The set of symbols seen.
    #[must_use]
    pub fn support(&self) -> usize {
        self.sample.iter().fold(0, |set, symbol| set | 1 << symbol)
    }

    /// u = 1 - |supp|/n
    #[must_use]
    pub fn unseen(&self) -> Rational {
        let n = self.problem.symbols as i64;
        let seen = (0..self.problem.symbols).filter(|symbol| self.sample.contains(symbol)).count() as i64;
        Rational::new(n - seen, n)
    }
}

impl Instance for Sampled {
    fn show(&self) -> String {
        let Problem { symbols, b, r, pull, code } = &self.problem;
        let code = code.as_ref().map_or_else(String::new, |code| format!(", code {}", code.to_hex()));
        let pull = if *pull == Rational::from(1) { String::new() } else { format!(", gamma = {}", self.problem.gamma()) };
        format!("m = {symbols}, b = {b}, r = {r}{pull}{code}, S = {}", show_sample(&self.sample))
    }
}

/// A sample, shortened where it is long.
#[must_use]
pub fn show_sample(sample: &[usize]) -> String {
    let shown: Vec<String> = sample.iter().take(12).map(ToString::to_string).collect();
    let more = if sample.len() > 12 { ", .." } else { "" };
    format!("({}{more})", shown.join(", "))
}

/// An instance, a sample and a point.
#[derive(Clone, Debug, Hash)]
pub struct Placed {
    /// The instance with its sample.
    pub sampled: Sampled,
    /// The point.
    pub point: Point,
}

impl Instance for Placed {
    fn show(&self) -> String {
        format!("{}; {}", self.sampled.show(), self.point.show())
    }
}

/// The larger of 0 and x.
pub(super) fn positive_part(x: &Rational) -> Rational {
    Ordered::max(x, &Rational::from(0))
}
