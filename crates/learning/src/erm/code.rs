//! Binary codes of rate 1/6: a unit vector for every subset of the symbols, any two with inner product at most 1/2.

use numeric::Rational;
use std::hash::{Hash, Hasher};

/// Most symbols whose 2^n words are enumerated.
pub const MOST_SYMBOLS: usize = 20;
/// Rows tried for each place of a generator before a search gives up; far fewer are needed (the rate is below the Gilbert-Varshamov bound).
const PATIENCE: u32 = 100_000;

/// Why rows are no code for the construction.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CodeError {
    /// Fewer than two rows.
    #[error("a code of {symbols} rows: at least 2 symbols are needed")]
    TooFew {
        /// Rows given.
        symbols: usize,
    },
    /// More words than are enumerated.
    #[error("a code of {symbols} rows has 2^{symbols} words: at most 20 symbols can be enumerated")]
    TooMany {
        /// Rows given.
        symbols: usize,
    },
    /// A row that is no hexadecimal number.
    #[error("row {row} ('{text}') is not a hexadecimal number")]
    NotHexadecimal {
        /// Index of the row, from 0.
        row: usize,
        /// What was given.
        text: String,
    },
    /// A row with bits beyond the length.
    #[error("row {row} has more than {length} bits: words of {symbols} symbols have 6 bits a symbol")]
    TooWide {
        /// Index of the row, from 0.
        row: usize,
        /// Bits a word.
        length: u32,
        /// Rows given.
        symbols: usize,
    },
    /// Two words that are too close.
    #[error(
        "the words of the sets {first} and {second} differ in {distance} of {length} bits: their inner product is {overlap}, above 1/2; other rows are needed"
    )]
    Coherent {
        /// One set of symbols.
        first: String,
        /// The other.
        second: String,
        /// Bits in which the words differ.
        distance: u32,
        /// Bits a word.
        length: u32,
        /// The inner product of the two unit vectors.
        overlap: Rational,
    },
    /// The search found no row in its budget.
    #[error("no row {row} was found for {symbols} symbols among {PATIENCE} draws")]
    NotFound {
        /// Index of the row, from 0.
        row: usize,
        /// Symbols.
        symbols: usize,
    },
}

/// A set of symbols, `{0, 2}`, from its bits.
#[must_use]
pub fn show_set(set: usize) -> String {
    let members: Vec<String> = (0..usize::BITS).filter(|i| set >> i & 1 == 1).map(|i| i.to_string()).collect();
    format!("{{{}}}", members.join(", "))
}

/// A map from the subsets T of n symbols (bit i of T: symbol i) to words of 6n bits; v_T is the word's signs (bit 0 is +) over sqrt(6n).
#[derive(Clone, Debug)]
pub struct Code {
    rows: Vec<u128>,
    words: Vec<u128>,
    /// For each bit of a word, the set of rows that have it: empty where the words are not the rows' span.
    columns: Vec<usize>,
    /// The least number of bits in which two words differ.
    closest: u32,
}

/// Two codes are the same instance when their words are; a linear code's are told by its rows.
impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rows.hash(state);
        if self.columns.is_empty() {
            self.words.hash(state);
        }
    }
}

/// The words spanned by rows: bit j of the index says whether row j is used.
fn span(rows: &[u128]) -> Vec<u128> {
    rows.iter().fold(vec![0], |mut words, row| {
        words.extend_from_within(..);
        let half = words.len() / 2;
        words[half..].iter_mut().for_each(|word| *word ^= row);
        words
    })
}

fn linear(rows: Vec<u128>) -> Code {
    let columns = (0..6 * rows.len()).map(|bit| rows.iter().enumerate().map(|(j, row)| (row >> bit & 1) as usize * (1 << j)).sum()).collect();
    let words = span(&rows);
    // The closest pair of a linear code is the zero word and a lightest one.
    let closest = words.iter().skip(1).map(|word| word.count_ones()).min().unwrap_or(0);
    Code { words, rows, columns, closest }
}

fn bounded(symbols: usize) -> Result<(), CodeError> {
    match symbols {
        0 | 1 => Err(CodeError::TooFew { symbols }),
        2..=MOST_SYMBOLS => Ok(()),
        _ => Err(CodeError::TooMany { symbols }),
    }
}

impl Code {
    /// The linear code with these generator rows, whatever its distance: [`Code::coherence`] tells it.
    ///
    /// # Errors
    /// [`CodeError`] for fewer than 2 or more than 20 rows, or a row of more than 6n bits.
    pub fn unchecked(rows: Vec<u128>) -> Result<Code, CodeError> {
        let symbols = rows.len();
        bounded(symbols)?;
        let length = 6 * symbols as u32;
        if let Some(row) = rows.iter().position(|row| length < 128 && row >> length != 0) {
            return Err(CodeError::TooWide { row, length, symbols });
        }
        Ok(linear(rows))
    }

    /// The linear code with these generator rows, any two of whose words differ in at least a quarter of their bits.
    ///
    /// # Errors
    /// [`CodeError`] as above, and where two words are closer.
    pub fn new(rows: Vec<u128>) -> Result<Code, CodeError> {
        let code = Code::unchecked(rows)?;
        let distance = code.closest;
        if 4 * distance < code.length() {
            let lightest = (1..code.words.len()).find(|&set| code.distance(0, set) == distance).unwrap_or(0);
            let overlap = code.overlap(0, lightest);
            return Err(CodeError::Coherent { first: show_set(0), second: show_set(lightest), distance, length: code.length(), overlap });
        }
        Ok(code)
    }

    /// The same from hexadecimal rows separated by commas.
    ///
    /// # Errors
    /// [`CodeError`] as above, and for a row that is no hexadecimal number.
    pub fn from_hex(text: &str) -> Result<Code, CodeError> {
        let symbols = text.split(',').count();
        let parse = |(row, text): (usize, &str)| {
            let text = text.trim();
            if text.is_empty() || !text.chars().all(|c| c.is_ascii_hexdigit()) {
                return Err(CodeError::NotHexadecimal { row, text: text.to_owned() });
            }
            // Digits alone fail for one reason: there are too many.
            u128::from_str_radix(text, 16).map_err(|_| CodeError::TooWide { row, length: 6 * symbols as u32, symbols })
        };
        Code::new(text.split(',').enumerate().map(parse).collect::<Result<_, _>>()?)
    }

    /// Greedy search: rows are drawn at random, and one is kept when all words of its coset are far from the span so far.
    ///
    /// # Errors
    /// [`CodeError`] for fewer than 2 or more than 20 symbols, or when the draws do not suffice.
    pub fn search(symbols: usize, mut word: impl FnMut() -> u64) -> Result<Code, CodeError> {
        bounded(symbols)?;
        let length = 6 * symbols as u32;
        let mut words = vec![0_u128];
        let mut rows = Vec::with_capacity(symbols);
        for row in 0..symbols {
            let draw = || (u128::from(word()) << 64 | u128::from(word())) >> (128 - length);
            let far = |candidate: &u128| words.iter().all(|word| 4 * (word ^ candidate).count_ones() >= length);
            let found = std::iter::repeat_with(draw).take(PATIENCE as usize).find(far).ok_or(CodeError::NotFound { row, symbols })?;
            words.extend(words.clone().into_iter().map(|word| word ^ found));
            rows.push(found);
        }
        Ok(linear(rows))
    }

    /// The rows printed with the construction for 2, 4, 6 and 8 symbols.
    #[must_use]
    pub fn given(symbols: usize) -> Option<Code> {
        let rows = match symbols {
            2 => vec![0x226, 0x91b],
            4 => vec![0x22_65b1, 0x91_b758, 0xd8_f16a, 0xcd_613e],
            6 => vec![0x9_2265_b1f5, 0xc_d8f1_6adf, 0x1_c386_bbc4, 0x1_414c_343c, 0xc_7ed4_d57b, 0x7_7311_d8a3],
            8 => vec![
                0x91b7_2265_b1f5,
                0xcd61_d8f1_6adf,
                0x1027_c386_bbc4,
                0x1e2f_414c_343c,
                0xc2ce_7ed4_d57b,
                0x78e5_7311_d8a3,
                0x612e_a6ce_cc1b,
                0x35bf_c9e9_c616,
            ],
            _ => return None,
        };
        Some(linear(rows))
    }

    /// The same code but for the word of one set, which becomes another's: no code for the construction.
    #[must_use]
    pub fn with_equal_words(mut self, set: usize, other: usize) -> Code {
        self.words[set] = self.words[other];
        self.columns.clear();
        self.closest = 0;
        self
    }

    /// n
    #[must_use]
    pub fn symbols(&self) -> usize {
        self.rows.len()
    }

    /// Bits a word: 6n.
    #[must_use]
    pub fn length(&self) -> u32 {
        6 * self.rows.len() as u32
    }

    /// The generator's rows.
    #[must_use]
    pub fn rows(&self) -> &[u128] {
        &self.rows
    }

    /// The rows in hexadecimal, separated by commas.
    #[must_use]
    pub fn to_hex(&self) -> String {
        let width = (6 * self.rows.len()).div_ceil(4);
        self.rows.iter().map(|row| format!("{row:0width$x}")).collect::<Vec<_>>().join(",")
    }

    /// Bits in which the words of two sets differ.
    #[must_use]
    pub fn distance(&self, first: usize, second: usize) -> u32 {
        (self.words[first] ^ self.words[second]).count_ones()
    }

    /// The inner product of v_T and v_U: 1 - 2 distance/(6n).
    #[must_use]
    pub fn overlap(&self, first: usize, second: usize) -> Rational {
        Rational::from(1) - Rational::new(2 * i64::from(self.distance(first, second)), i64::from(self.length()))
    }

    /// The largest inner product of two different sets' vectors.
    #[must_use]
    pub fn coherence(&self) -> Rational {
        Rational::from(1) - Rational::new(2 * i64::from(self.closest), i64::from(self.length()))
    }

    /// The signs of a set's word: sqrt(6n) v_T.
    #[must_use]
    pub fn signs(&self, set: usize) -> Vec<i64> {
        (0..self.length()).map(|bit| 1 - 2 * (self.words[set] >> bit & 1) as i64).collect()
    }

    /// The inner products of `y` with the signs of every set's word, in the order of the sets: a fast Walsh-Hadamard transform for a linear code.
    #[must_use]
    pub fn correlations(&self, y: &[i64]) -> Vec<i64> {
        if self.columns.is_empty() {
            return (0..self.words.len()).map(|set| self.signs(set).iter().zip(y).map(|(sign, y)| sign * y).sum()).collect();
        }
        let mut table = vec![0; self.words.len()];
        for (&column, y) in self.columns.iter().zip(y) {
            table[column] += y;
        }
        let mut half = 1;
        while half < table.len() {
            for block in table.chunks_exact_mut(2 * half) {
                let (left, right) = block.split_at_mut(half);
                for (a, b) in left.iter_mut().zip(right) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
        table
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::{Code, CodeError};
    use numeric::Rational;

    #[test]
    fn the_given_codes_are_far_apart() {
        for symbols in [2, 4, 6, 8] {
            let code = Code::given(symbols).unwrap();
            assert!(Code::new(code.rows().to_vec()).is_ok() && Code::from_hex(&code.to_hex()).unwrap().rows() == code.rows());
            // All pairs, not only those with the zero word.
            let sets = 0..1 << symbols;
            let least = sets.clone().flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| code.distance(a, b)).min().unwrap();
            assert!(4 * least >= code.length());
            assert_eq!(code.coherence(), Rational::from(1) - Rational::new(2 * i64::from(least), i64::from(code.length())));
        }
        assert_eq!(Code::given(8).unwrap().coherence(), Rational::from(1) - Rational::new(28, 48));
    }

    #[test]
    fn the_transform_is_the_sum() {
        let code = Code::given(4).unwrap();
        let y: Vec<i64> = (0..24).map(|j| (j * j * 7) % 11 - 5).collect();
        // The same words as a table: no transform there.
        let table = code.clone().with_equal_words(0, 0);
        assert_eq!(code.correlations(&y), table.correlations(&y));
        assert_eq!(code.correlations(&code.signs(5))[5], 24);
    }

    #[test]
    fn bad_rows_are_named() {
        assert!(matches!(Code::from_hex("226,xyz").unwrap_err(), CodeError::NotHexadecimal { row: 1, .. }));
        assert!(matches!(Code::from_hex("226").unwrap_err(), CodeError::TooFew { symbols: 1 }));
        assert!(matches!(Code::from_hex("226,1226").unwrap_err(), CodeError::TooWide { row: 1, length: 12, .. }));
        assert!(matches!(Code::from_hex(&format!("226,{}", "1".repeat(33))).unwrap_err(), CodeError::TooWide { row: 1, length: 12, .. }));
        assert!(matches!(Code::from_hex("226,").unwrap_err(), CodeError::NotHexadecimal { row: 1, .. }));
        assert!(matches!(Code::from_hex("226,227").unwrap_err(), CodeError::Coherent { distance: 1, .. }));
        assert!(matches!(Code::new(vec![1; 21]).unwrap_err(), CodeError::TooMany { symbols: 21 }));
    }
}
