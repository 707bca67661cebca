//! Exact totals and exact selection over scores: held in memory as exact numbers (text), or streamed from a file in constant memory.

use super::stream::Hint;
use data::DataError;
use num_bigint::BigInt;
use numeric::{Ordered, Rational};
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub use super::stream::Stream;

/// How scores are made from what a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// |s|.
    Magnitude,
    /// s - min s.
    Shift,
}

/// The exact sums over all scores.
#[derive(Clone, Debug)]
pub struct Totals {
    /// N.
    pub n: u64,
    /// Sum of the scores.
    pub s1: Rational,
    /// Sum of their squares.
    pub s2: Rational,
}

/// What is kept, by the rule: larger scores first, equal ones by index.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The smallest kept score.
    pub threshold: Rational,
    /// How many are above it.
    pub greater: u64,
    /// How many equal to it are kept: the first ones.
    pub ties: u64,
    /// Sum of the kept scores.
    pub sum: Rational,
    /// Sum of their squares.
    pub squares: Rational,
    /// The threshold as a stream orders its elements (0 for scores in memory).
    pub(super) key: u64,
}

/// A vector of scores.
pub enum Scores<'a> {
    /// Exact scores in memory, not negative.
    Exact(Vec<Rational>),
    /// Arrays in a file, one after the other.
    Stream(Stream<'a>),
}

/// Takes indices: each is the first argument plus an entry of the second.
pub type Sink<'a, E> = &'a mut (dyn FnMut(u64, &[u32]) -> Result<(), E> + Send);

impl Scores<'_> {
    /// Scores in memory, made from exact numbers.
    #[must_use]
    pub fn exact(values: Vec<Rational>, mode: Mode) -> Self {
        let least = match mode {
            Mode::Magnitude => return Scores::Exact(values.iter().map(Rational::abs).collect()),
            Mode::Shift => values.iter().skip(1).fold(values.first().cloned(), |least, value| least.map(|least| Ordered::min(&least, value))),
        };
        Scores::Exact(values.iter().map(|value| least.as_ref().map_or_else(|| value.clone(), |least| value - least)).collect())
    }

    /// The exact sums.
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be read or holds a NaN or an infinity.
    pub fn totals(&self) -> Result<(Totals, Hint), DataError> {
        match self {
            Scores::Exact(values) => {
                let (s1, s2) = sums(values);
                Ok((Totals { n: values.len() as u64, s1, s2 }, Hint::default()))
            }
            Scores::Stream(stream) => stream.totals(),
        }
    }

    /// Selects the `kept` largest (1 <= kept <= N); the hint is the one that came with the totals.
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be read.
    pub fn select(&self, kept: u64, hint: &Hint) -> Result<Selection, DataError> {
        match self {
            Scores::Exact(values) => Ok(select_exact(values, kept)),
            Scores::Stream(stream) => stream.select(kept, hint),
        }
    }

    /// Hands the kept indices, ascending, to `sink` in pieces.
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be read; whatever `sink` returns.
    pub fn indices<E: From<DataError> + Send>(&self, selection: &Selection, sink: Sink<'_, E>) -> Result<(), E> {
        let values = match self {
            Scores::Stream(stream) => return stream.indices(selection, sink),
            Scores::Exact(values) => values,
        };
        let mut ties = selection.ties;
        for (index, value) in values.iter().enumerate() {
            let kept = match value.cmp_exact(&selection.threshold) {
                Some(Ordering::Greater) => true,
                Some(Ordering::Equal) if ties > 0 => {
                    ties -= 1;
                    true
                }
                _ => false,
            };
            if kept {
                sink(index as u64, &[0])?;
            }
        }
        Ok(())
    }
}

/// Sum and sum of squares. Numbers with equal denominators are added as integers (data in decimals have few denominators), the rest as a balanced
/// tree, so that a common denominator grows late.
fn sums<'a>(values: impl IntoIterator<Item = &'a Rational>) -> (Rational, Rational) {
    let mut groups: BTreeMap<BigInt, (BigInt, BigInt)> = BTreeMap::new();
    for value in values {
        let p = value.numer();
        let (sum, squares) = groups.entry(value.denom()).or_default();
        *squares += &p * &p;
        *sum += p;
    }
    let (sums, squares) =
        groups.into_iter().map(|(q, (sum, squares))| (Rational::from_big(sum, q.clone()), Rational::from_big(squares, &q * &q))).unzip();
    (tree(sums), tree(squares))
}

fn tree(mut values: Vec<Rational>) -> Rational {
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| pair.iter().skip(1).fold(pair[0].clone(), |sum, value| &sum + value)).collect();
    }
    values.pop().unwrap_or(Rational::from(0))
}

fn select_exact(values: &[Rational], kept: u64) -> Selection {
    // The float is within one unit in the last place: numbers whose floats are farther apart than eight are in their order.
    let mut sized: Vec<(u64, &Rational)> = values.iter().map(|value| (value.to_f64_nearest().to_bits(), value)).collect();
    let descending = |a: &(u64, &Rational), b: &(u64, &Rational)| {
        if a.0.abs_diff(b.0) > 8 { b.0.cmp(&a.0) } else { b.1.cmp_exact(a.1).unwrap_or(Ordering::Equal) }
    };
    let (larger, &mut (_, threshold), _) = sized.select_nth_unstable_by(kept as usize - 1, descending);
    let greater = larger.iter().filter(|(_, value)| *value != threshold).count() as u64;
    let (sum, squares) = sums(larger.iter().map(|(_, value)| *value).chain([threshold]));
    Selection { greater, ties: kept - greater, sum, squares, threshold: threshold.clone(), key: 0 }
}
