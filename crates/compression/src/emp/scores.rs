//! Exact totals and exact selection over scores: held in memory as exact numbers, or streamed from a file in constant memory.

use data::{Binary, DataError, Element, Tensor};
use numeric::{ExactSum, Field, Ordered, Rational};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// Elements a chunk: a megabyte of single-precision floats, which stays in a core's cache.
const CHUNK: u64 = 1 << 18;

/// The exact sums over all scores.
#[derive(Clone, Debug)]
pub struct Totals {
    /// N.
    pub n: u64,
    /// Sum of |s|.
    pub s1: Rational,
    /// Sum of s^2.
    pub s2: Rational,
}

/// What is kept, by the rule: larger magnitudes first, equal ones by index.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The smallest kept magnitude.
    pub threshold: Rational,
    /// How many are above it.
    pub greater: u64,
    /// How many equal to it are kept: the first ones.
    pub ties: u64,
    /// Sum of the kept magnitudes.
    pub sum: Rational,
    /// Sum of their squares.
    pub squares: Rational,
}

/// A vector of scores.
pub enum Scores<'a> {
    /// Exact numbers in memory (text input, or shifted scores).
    Exact(Vec<Rational>),
    /// Arrays in a file, one after the other.
    Stream(Stream<'a>),
}

impl Scores<'_> {
    /// The exact sums.
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be read or holds a NaN or an infinity.
    pub fn totals(&self) -> Result<(Totals, Hint), DataError> {
        match self {
            Scores::Exact(values) => {
                let total = |map: fn(&Rational) -> Rational| values.iter().fold(Rational::from(0), |sum, value| &sum + &map(value));
                Ok((Totals { n: values.len() as u64, s1: total(Rational::abs), s2: total(Rational::square) }, Hint::default()))
            }
            Scores::Stream(stream) => stream.totals(),
        }
    }

    /// Selects the `kept` largest (1 <= kept <= N).
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
    pub fn indices<E: From<DataError>>(&self, selection: &Selection, sink: Sink<'_, E>) -> Result<(), E> {
        match self {
            Scores::Exact(values) => {
                let mut ties = selection.ties;
                for (index, value) in values.iter().enumerate() {
                    let kept = match value.abs().cmp_exact(&selection.threshold) {
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
            Scores::Stream(stream) => stream.indices(selection, sink),
        }
    }
}

/// Takes indices: each is the first argument plus an entry of the second.
pub type Sink<'a, E> = &'a mut dyn FnMut(u64, &[u32]) -> Result<(), E>;

fn select_exact(values: &[Rational], kept: u64) -> Selection {
    let mut sizes: Vec<Rational> = values.iter().map(Rational::abs).collect();
    sizes.sort_by(|a, b| b.cmp_exact(a).unwrap_or(Ordering::Equal));
    let head = &sizes[..kept as usize];
    let threshold = head[head.len() - 1].clone();
    let greater = head.iter().take_while(|value| **value != threshold).count() as u64;
    let total = |map: fn(&Rational) -> Rational| head.iter().fold(Rational::from(0), |sum, value| &sum + &map(value));
    Selection { greater, ties: kept - greater, sum: total(Rational::clone), squares: total(Rational::square), threshold }
}

/// A sample of magnitudes from the first pass: it says where the threshold will be, and nothing depends on it but speed.
#[derive(Default)]
pub struct Hint {
    /// Bits of magnitudes, in descending order.
    sample: Vec<u32>,
}

/// Arrays in a file, as one vector.
pub struct Stream<'a> {
    file: &'a Binary,
    tensors: Vec<Tensor>,
}

/// A piece of a tensor and the index of its first element in the whole vector.
struct Chunk<'a> {
    tensor: &'a Tensor,
    range: Range<u64>,
    start: u64,
}

/// Buffers that a thread keeps.
#[derive(Default)]
struct Buffers {
    single: Vec<f32>,
    double: Vec<f64>,
    moments: Vec<simd::Moments>,
    above: Vec<simd::Above>,
}

/// Exact sums of one chunk.
#[derive(Default, Clone)]
struct Sums {
    sum: ExactSum,
    squares: ExactSum,
}

impl Sums {
    fn merge(mut self, other: Sums) -> Sums {
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self
    }

    fn add(&mut self, value: f64) {
        self.sum.add(value.abs());
        self.squares.add_square(value);
    }

    fn add_moments(&mut self, moments: &simd::Moments) {
        self.sum.add(moments.sum);
        self.squares.add(moments.squares);
        self.squares.add(moments.squares_error);
    }
}

impl<'a> Stream<'a> {
    /// The tensors of a file, in the order given.
    #[must_use]
    pub fn new(file: &'a Binary, tensors: Vec<Tensor>) -> Self {
        Stream { file, tensors }
    }

    fn n(&self) -> u64 {
        self.tensors.iter().map(|tensor| tensor.len).sum()
    }

    fn chunks(&self) -> Vec<Chunk<'_>> {
        let mut out = Vec::new();
        let mut before = 0;
        for tensor in &self.tensors {
            let mut at = 0;
            while at < tensor.len {
                let end = (at + CHUNK).min(tensor.len);
                out.push(Chunk { tensor, range: at..end, start: before + at });
                at = end;
            }
            before += tensor.len;
        }
        out
    }

    fn single(&self) -> bool {
        self.tensors.iter().all(|tensor| tensor.element != Element::F64)
    }

    /// Reads a chunk as doubles and feeds each element.
    fn doubles(&self, chunk: &Chunk<'_>, buffers: &mut Buffers, mut each: impl FnMut(u64, f64)) -> Result<(), DataError> {
        self.file.read_f64(chunk.tensor, chunk.range.clone(), &mut buffers.double)?;
        buffers.double.iter().zip(chunk.start..).for_each(|(&value, index)| each(index, value));
        Ok(())
    }

    /// All elements as doubles, in order (for shifted scores, which are held in memory).
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be read or holds a NaN or an infinity.
    pub fn exact_values(&self) -> Result<Vec<Rational>, DataError> {
        let mut out = Vec::new();
        let mut bad = None;
        let mut buffers = Buffers::default();
        for chunk in self.chunks() {
            self.doubles(&chunk, &mut buffers, |index, value| match Rational::from_f64(value) {
                Some(exact) => out.push(exact),
                None => bad = bad.or(Some((index, value))),
            })?;
            if let Some((index, value)) = bad {
                return Err(self.not_finite(index, value));
            }
        }
        Ok(out)
    }

    fn not_finite(&self, index: u64, value: f64) -> DataError {
        let mut left = index;
        for tensor in &self.tensors {
            if left < tensor.len {
                let file = if tensor.name.is_empty() { self.file.name().to_owned() } else { format!("{}: {}", self.file.name(), tensor.name) };
                return DataError::NotFinite { file, index: left, value: value.to_string() };
            }
            left -= tensor.len;
        }
        DataError::NotFinite { file: self.file.name().to_owned(), index, value: value.to_string() }
    }

    fn totals(&self) -> Result<(Totals, Hint), DataError> {
        let single = self.single();
        type Part = (Sums, Vec<u32>, Option<(u64, f64)>);
        let parts: Vec<Part> = self
            .chunks()
            .par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                let mut sums = Sums::default();
                let mut sample = Vec::new();
                let mut bad = None;
                if single {
                    self.file.read_f32(chunk.tensor, chunk.range.clone(), &mut buffers.single)?;
                    buffers.moments.clear();
                    simd::moments(&buffers.single, &mut buffers.moments);
                    for (block, moments) in buffers.single.chunks(simd::BLOCK).zip(&buffers.moments) {
                        sample.push(simd::magnitude_bits(block[0]));
                        if moments.largest >= simd::INFINITE {
                            let at = block.as_ptr_range().start as usize - buffers.single.as_ptr() as usize;
                            let first = block.iter().position(|value| !value.is_finite()).unwrap_or(0);
                            bad = bad.or(Some((chunk.start + (at / 4 + first) as u64, f64::from(block[first]))));
                        } else if moments.is_exact() {
                            sums.add_moments(moments);
                        } else {
                            block.iter().for_each(|&value| sums.add(f64::from(value)));
                        }
                    }
                } else {
                    self.doubles(chunk, buffers, |index, value| {
                        if value.is_finite() {
                            sums.add(value);
                        } else {
                            bad = bad.or(Some((index, value)));
                        }
                    })?;
                }
                Ok((sums, sample, bad))
            })
            .collect::<Result<Vec<Part>, DataError>>()?;
        let mut all = Sums::default();
        let mut sample = Vec::new();
        for (sums, more, bad) in parts {
            if let Some((index, value)) = bad {
                return Err(self.not_finite(index, value));
            }
            all = all.merge(sums);
            sample.extend(more);
        }
        sample.sort_unstable_by(|a, b| b.cmp(a));
        Ok((Totals { n: self.n(), s1: all.sum.value(), s2: all.squares.value() }, Hint { sample }))
    }

    fn select(&self, kept: u64, hint: &Hint) -> Result<Selection, DataError> {
        if self.single()
            && let Some(selection) = self.select_in_window(kept, hint)?
        {
            return Ok(selection);
        }
        self.select_by_digits(kept)
    }

    /// The threshold, guessed to lie in a window around the sample's quantile: one pass. None when the guess was wrong.
    fn select_in_window(&self, kept: u64, hint: &Hint) -> Result<Option<Selection>, DataError> {
        let size = hint.sample.len();
        if size < 64 {
            return Ok(None);
        }
        // Six standard deviations of a sample quantile's rank, and a few ranks for small samples.
        let share = kept as f64 / self.n() as f64;
        let centre = (share * size as f64) as usize;
        let reach = (6.0 * (share * (1.0 - share) * size as f64).sqrt()) as usize + 8;
        let high = if centre > reach { hint.sample[(centre - reach).min(size - 1)] } else { u32::MAX - 1 };
        let low = hint.sample.get(centre + reach).copied().unwrap_or(0);
        type Part = (Sums, u64, Vec<u32>);
        let parts: Vec<Part> = self
            .chunks()
            .par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                self.file.read_f32(chunk.tensor, chunk.range.clone(), &mut buffers.single)?;
                buffers.above.clear();
                let (mut sums, mut count, mut window) = (Sums::default(), 0, Vec::new());
                simd::above(&buffers.single, (low, high), &mut buffers.above, &mut window);
                for (block, above) in buffers.single.chunks(simd::BLOCK).zip(&buffers.above) {
                    count += u64::from(above.count);
                    if above.moments.is_exact() {
                        sums.add_moments(&above.moments);
                    } else {
                        block.iter().filter(|&&value| simd::magnitude_bits(value) > high).for_each(|&value| sums.add(f64::from(value)));
                    }
                }
                Ok((sums, count, window))
            })
            .collect::<Result<Vec<Part>, DataError>>()?;
        let (mut all, mut above, mut window) = (Sums::default(), 0, Vec::new());
        for (sums, count, more) in parts {
            all = all.merge(sums);
            above += count;
            window.extend(more);
        }
        // The kept ones that are not above the window are the largest in it.
        if kept <= above || kept - above > window.len() as u64 {
            return Ok(None);
        }
        let rest = (kept - above) as usize;
        let (larger, &mut threshold, _) = window.select_nth_unstable_by(rest - 1, |a, b| b.cmp(a));
        let mut greater = above;
        for &mut bits in larger {
            if bits > threshold {
                greater += 1;
                all.add(f64::from(f32::from_bits(bits)));
            }
        }
        Ok(Some(finish(all, f64::from(f32::from_bits(threshold)), greater, kept)))
    }

    /// The threshold digit by digit (16 bits of the double's magnitude at a time): four counting passes whatever the data, then one for the sums.
    fn select_by_digits(&self, kept: u64) -> Result<Selection, DataError> {
        let mut prefix = 0_u64;
        let mut left = kept;
        for level in (0..4).rev() {
            let shift = 16 * level;
            let counts = self
                .chunks()
                .par_iter()
                .map_init(Buffers::default, |buffers, chunk| {
                    let mut counts = vec![0_u64; 1 << 16];
                    self.doubles(chunk, buffers, |_, value| {
                        let bits = value.abs().to_bits();
                        // The top level has no prefix to match (a shift by 64 would be undefined).
                        if level == 3 || bits >> (shift + 16) == prefix >> (shift + 16) {
                            counts[((bits >> shift) & 0xffff) as usize] += 1;
                        }
                    })?;
                    Ok(counts)
                })
                .try_reduce(
                    || vec![0_u64; 1 << 16],
                    |mut a, b| {
                        a.iter_mut().zip(b).for_each(|(count, more)| *count += more);
                        Ok(a)
                    },
                )?;
            let mut digit = counts.len();
            while digit > 0 {
                digit -= 1;
                if counts[digit] >= left {
                    break;
                }
                left -= counts[digit];
            }
            prefix |= (digit as u64) << shift;
        }
        let threshold = f64::from_bits(prefix);
        let (sums, greater) = self
            .chunks()
            .par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                let (mut sums, mut greater) = (Sums::default(), 0_u64);
                self.doubles(chunk, buffers, |_, value| {
                    if value.abs() > threshold {
                        greater += 1;
                        sums.add(value);
                    }
                })?;
                Ok((sums, greater))
            })
            .try_reduce(|| (Sums::default(), 0), |a, b| Ok((a.0.merge(b.0), a.1 + b.1)))?;
        Ok(finish(sums, threshold, greater, kept))
    }

    fn indices<E: From<DataError>>(&self, selection: &Selection, sink: Sink<'_, E>) -> Result<(), E> {
        let threshold = selection.threshold.to_f64_nearest();
        let mut ties = selection.ties;
        // Two chunks a thread in flight, in buffers that are used again.
        let width = 2 * rayon::current_num_threads();
        let mut slots: Vec<Slot> = (0..width).map(|_| Slot::default()).collect();
        for wave in self.chunks().chunks(width) {
            wave.par_iter().zip(&mut slots).try_for_each(|(chunk, slot)| self.kept_in(chunk, slot, threshold))?;
            for (chunk, slot) in wave.iter().zip(&mut slots) {
                if slot.equal > ties {
                    self.drop_ties(chunk, slot, threshold, ties)?;
                }
                ties -= slot.equal.min(ties);
                sink(slot.base, &slot.indices)?;
            }
        }
        Ok(())
    }

    /// Indices of a chunk's elements at or above the threshold, and how many are equal to it.
    fn kept_in(&self, chunk: &Chunk<'_>, slot: &mut Slot, threshold: f64) -> Result<(), DataError> {
        slot.indices.clear();
        // Absolute indices where they fit in 32 bits, else relative to the chunk.
        let end = chunk.start + (chunk.range.end - chunk.range.start);
        let (base, first) = if end <= 1 << 32 { (0, chunk.start as u32) } else { (chunk.start, 0) };
        slot.base = base;
        if self.single() {
            self.file.read_f32(chunk.tensor, chunk.range.clone(), &mut slot.buffers.single)?;
            // The threshold is one of the single-precision magnitudes.
            slot.equal = simd::at_least(&slot.buffers.single, (threshold as f32).to_bits(), first, &mut slot.indices);
        } else {
            let (mut indices, mut equal) = (std::mem::take(&mut slot.indices), 0);
            self.doubles(chunk, &mut slot.buffers, |index, value| {
                equal += u64::from(value.abs() == threshold);
                if value.abs() >= threshold {
                    indices.push((index - base) as u32);
                }
            })?;
            (slot.indices, slot.equal) = (indices, equal);
        }
        Ok(())
    }

    /// Keeps the first `ties` of the elements equal to the threshold.
    fn drop_ties(&self, chunk: &Chunk<'_>, slot: &mut Slot, threshold: f64, ties: u64) -> Result<(), DataError> {
        let mut equal = Vec::new();
        self.doubles(chunk, &mut slot.buffers, |index, value| {
            if value.abs() == threshold {
                equal.push((index - slot.base) as u32);
            }
        })?;
        let dropped = &equal[ties.min(equal.len() as u64) as usize..];
        slot.indices.retain(|index| dropped.binary_search(index).is_err());
        Ok(())
    }
}

/// A chunk on its way to the sink.
#[derive(Default)]
struct Slot {
    buffers: Buffers,
    base: u64,
    indices: Vec<u32>,
    equal: u64,
}

/// Adds the ties to the sums of what is above the threshold.
fn finish(sums: Sums, threshold: f64, greater: u64, kept: u64) -> Selection {
    let ties = kept - greater;
    let size = Rational::from_f64(threshold).unwrap_or(Rational::UNDEFINED);
    let times = Rational::from(ties);
    Selection {
        greater,
        ties,
        sum: sums.sum.value() + times.clone() * size.clone(),
        squares: sums.squares.value() + times * size.square(),
        threshold: size,
    }
}
