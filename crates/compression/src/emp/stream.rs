//! Scores streamed from a file: exact sums, exact selection and the kept indices, each in one pass over chunks that fit a core's cache.
//!
//! All sums are exact, so neither the chunks nor the threads show in a result.

use super::scores::{Mode, Selection, Sink, Totals};
use data::{Binary, DataError, Element, Scratch, Tensor};
use numeric::{ExactSum, Field, Rational};
use rayon::prelude::*;
use std::ops::Range;

/// Elements a chunk: a megabyte of single-precision floats.
const CHUNK: u64 = 1 << 18;
/// Up to this many elements are selected from in memory.
const SMALL: u64 = CHUNK;

/// What a stream remembers of the first pass: a sample that says where the threshold will be (nothing but speed depends on it), and the least element.
#[derive(Default)]
pub struct Hint {
    sample: Vec<u64>,
    least: f64,
}

/// Arrays in a file, as one vector.
pub struct Stream<'a> {
    file: &'a Binary,
    tensors: Vec<Tensor>,
    order: Order,
}

/// How elements are ordered by an integer key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By magnitude; none is double: the bits of a single-precision |x|.
    Single,
    /// By magnitude: the bits of |x|.
    Double,
    /// By value: the bits of x, those of negative numbers reversed.
    Signed,
}

const SIGN: u64 = 1 << 63;

impl Order {
    fn key(self, value: f64) -> u64 {
        match self {
            Order::Single => u64::from(simd::magnitude_bits(value as f32)),
            Order::Double => value.abs().to_bits(),
            Order::Signed => {
                // Adding zero makes -0 and 0 one.
                let bits = (value + 0.0).to_bits();
                if bits & SIGN == 0 { bits | SIGN } else { !bits }
            }
        }
    }

    /// The keys of many elements: one loop an order.
    fn keys(self, values: &[f64], out: &mut Vec<u64>) {
        out.clear();
        match self {
            Order::Single => out.extend(values.iter().map(|&value| Order::Single.key(value))),
            Order::Double => out.extend(values.iter().map(|&value| Order::Double.key(value))),
            Order::Signed => out.extend(values.iter().map(|&value| Order::Signed.key(value))),
        }
    }

    fn value(self, key: u64) -> f64 {
        match self {
            Order::Single => f64::from(f32::from_bits(key as u32)),
            Order::Double => f64::from_bits(key),
            Order::Signed => f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN }),
        }
    }

    /// What the sums are over: the element, or its magnitude.
    fn term(self, value: f64) -> f64 {
        if self == Order::Signed { value } else { value.abs() }
    }
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
    scratch: Scratch,
    moments: Vec<simd::Moments>,
    above: Vec<simd::Above>,
    inside: Vec<u32>,
    masked: Vec<f64>,
    keys: Vec<u64>,
    double_moments: Vec<simd::DoubleMoments>,
}

/// Exact sums of terms.
#[derive(Default, Clone)]
struct Sums {
    sum: ExactSum,
    squares: ExactSum,
}

impl Sums {
    fn merge(mut self, other: &Sums) -> Sums {
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
        self
    }

    fn add(&mut self, term: f64) {
        self.sum.add(term);
        self.squares.add_square(term);
    }

    fn add_moments(&mut self, moments: &simd::Moments) {
        self.sum.add(moments.sum);
        self.squares.add(moments.squares);
        self.squares.add(moments.squares_error);
    }

    /// Adds the terms, which `moments` are of.
    fn add_block(&mut self, terms: &[f64], moments: &simd::DoubleMoments, order: Order) {
        if moments.is_exact() {
            moments.sum.iter().for_each(|&part| self.sum.add(part));
            moments.squares.iter().for_each(|&part| self.squares.add(part));
        } else {
            terms.iter().for_each(|&term| self.add(order.term(term)));
        }
    }

    /// The sums over `count` scores, each `least` below its term: sum (x - m) and sum (x - m)^2.
    fn shifted(&self, count: u64, least: &Rational) -> (Rational, Rational) {
        let (sum, squares) = (self.sum.value(), self.squares.value());
        if least.is_zero() {
            return (sum, squares);
        }
        let all = &Rational::from(count) * least;
        let cross = least * &(&sum + &(&sum - &all));
        (&sum - &all, &squares - &cross)
    }
}

/// Of the first pass over one chunk.
struct First {
    sums: Sums,
    sample: Vec<u64>,
    least: f64,
    bad: Option<(u64, f64)>,
}

/// A fixed place in each block of 256, without a pattern that data could have.
fn sampled(block: u64) -> usize {
    (block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

impl<'a> Stream<'a> {
    /// The tensors of a file, in the order given.
    #[must_use]
    pub fn new(file: &'a Binary, tensors: Vec<Tensor>, mode: Mode) -> Self {
        let order = match mode {
            Mode::Shift => Order::Signed,
            Mode::Magnitude if tensors.iter().all(|tensor| tensor.element != Element::F64) => Order::Single,
            Mode::Magnitude => Order::Double,
        };
        Stream { file, tensors, order }
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

    fn read_single(&self, chunk: &Chunk<'_>, buffers: &mut Buffers) -> Result<(), DataError> {
        self.file.read_f32(chunk.tensor, chunk.range.clone(), &mut buffers.single, &mut buffers.scratch)
    }

    /// Reads a chunk as doubles and feeds each element.
    fn doubles(&self, chunk: &Chunk<'_>, buffers: &mut Buffers, mut each: impl FnMut(u64, f64)) -> Result<(), DataError> {
        self.file.read_f64(chunk.tensor, chunk.range.clone(), &mut buffers.double, &mut buffers.scratch)?;
        buffers.double.iter().zip(chunk.start..).for_each(|(&value, index)| each(index, value));
        Ok(())
    }

    /// One pass: each chunk is mapped by some thread, the results are in the chunks' order.
    fn pass<T: Send>(&self, map: impl Fn(&Chunk<'_>, &mut Buffers) -> Result<T, DataError> + Sync) -> Result<Vec<T>, DataError> {
        self.chunks().par_iter().map_init(Buffers::default, |buffers, chunk| map(chunk, buffers)).collect()
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

    /// The file said something else on an earlier pass.
    fn changed(&self) -> DataError {
        DataError::Unreadable { file: self.file.name().to_owned(), reason: "it changed while it was read".to_owned() }
    }

    pub(super) fn totals(&self) -> Result<(Totals, Hint), DataError> {
        let parts =
            self.pass(|chunk, buffers| if self.order == Order::Single { self.first_single(chunk, buffers) } else { self.first(chunk, buffers) })?;
        let mut sums = Sums::default();
        let mut hint = Hint { sample: Vec::with_capacity(parts.iter().map(|part| part.sample.len()).sum()), least: f64::INFINITY };
        for part in parts {
            if let Some((index, value)) = part.bad {
                return Err(self.not_finite(index, value));
            }
            sums = sums.merge(&part.sums);
            hint.sample.extend(part.sample);
            hint.least = hint.least.min(part.least);
        }
        if self.order != Order::Signed || hint.least == f64::INFINITY {
            hint.least = 0.0;
        }
        let n = self.n();
        let (s1, s2) = sums.shifted(n, &exact(hint.least));
        Ok((Totals { n, s1, s2 }, hint))
    }

    fn first_single(&self, chunk: &Chunk<'_>, buffers: &mut Buffers) -> Result<First, DataError> {
        let mut out = First { sums: Sums::default(), sample: Vec::new(), least: 0.0, bad: None };
        self.read_single(chunk, buffers)?;
        buffers.moments.clear();
        simd::moments(&buffers.single, &mut buffers.moments);
        for ((number, block), moments) in (0_u64..).zip(buffers.single.chunks(simd::BLOCK)).zip(&buffers.moments) {
            out.sample.push(u64::from(simd::magnitude_bits(block[sampled(number) % block.len()])));
            if moments.largest >= simd::INFINITE {
                let at = block.iter().position(|value| !value.is_finite()).unwrap_or(0);
                out.bad = Some((chunk.start + number * simd::BLOCK as u64 + at as u64, f64::from(block[at])));
                break;
            }
            if moments.is_exact() {
                out.sums.add_moments(moments);
            } else {
                block.iter().for_each(|&value| out.sums.add(f64::from(value.abs())));
            }
        }
        Ok(out)
    }

    fn first(&self, chunk: &Chunk<'_>, buffers: &mut Buffers) -> Result<First, DataError> {
        let mut out = First { sums: Sums::default(), sample: Vec::new(), least: f64::INFINITY, bad: None };
        self.file.read_f64(chunk.tensor, chunk.range.clone(), &mut buffers.double, &mut buffers.scratch)?;
        buffers.double_moments.clear();
        simd::double_moments(&buffers.double, self.order == Order::Signed, &mut buffers.double_moments);
        for ((number, block), moments) in (0_u64..).zip(buffers.double.chunks(simd::BLOCK)).zip(&buffers.double_moments) {
            out.sample.push(self.order.key(block[sampled(number) % block.len()]));
            if moments.largest >= simd::INFINITE_DOUBLE {
                let at = block.iter().position(|value| !value.is_finite()).unwrap_or(0);
                out.bad = Some((chunk.start + number * simd::BLOCK as u64 + at as u64, block[at]));
                break;
            }
            out.sums.add_block(block, moments, self.order);
        }
        out.least = buffers.double.iter().fold(f64::INFINITY, |least, &value| if value < least { value } else { least });
        Ok(out)
    }

    pub(super) fn select(&self, kept: u64, hint: &Hint) -> Result<Selection, DataError> {
        let (low, high) = if self.n() <= SMALL { (0, u64::MAX) } else { window(kept, self.n(), &hint.sample) };
        match self.select_in_window(kept, (low, high), hint.least)? {
            Some(selection) => Ok(selection),
            None => self.select_by_digits(kept, hint.least),
        }
    }

    /// The threshold, guessed to lie in a window of keys: one pass. None when the guess was wrong.
    fn select_in_window(&self, kept: u64, window: (u64, u64), least: f64) -> Result<Option<Selection>, DataError> {
        let parts = self.pass(|chunk, buffers| {
            if self.order == Order::Single {
                return self.above_single(chunk, buffers, window);
            }
            self.above(chunk, buffers, window)
        })?;
        let (mut all, mut above) = (Sums::default(), 0);
        let mut inside = Vec::with_capacity(parts.iter().map(|(_, _, inside)| inside.len()).sum());
        for (sums, count, more) in parts {
            all = all.merge(&sums);
            above += count;
            inside.extend(more);
        }
        // The kept ones that are not above the window are the largest in it.
        if kept <= above || kept - above > inside.len() as u64 {
            return Ok(None);
        }
        let rest = (kept - above) as usize;
        let (larger, &mut threshold, _) = inside.select_nth_unstable_by(rest - 1, |a, b| b.cmp(a));
        let mut greater = above;
        for &mut key in larger {
            if key > threshold {
                greater += 1;
                all.add(self.order.value(key));
            }
        }
        self.finish(&all, threshold, greater, kept, least).map(Some)
    }

    /// Sums and number of what is above the window, and the keys in it.
    fn above(&self, chunk: &Chunk<'_>, buffers: &mut Buffers, window: (u64, u64)) -> Result<(Sums, u64, Vec<u64>), DataError> {
        let (mut sums, mut count, mut inside) = (Sums::default(), 0, Vec::new());
        self.file.read_f64(chunk.tensor, chunk.range.clone(), &mut buffers.double, &mut buffers.scratch)?;
        // Loops without branches on the data, but for the few elements in the window.
        buffers.masked.clear();
        buffers.masked.extend_from_slice(&buffers.double);
        self.order.keys(&buffers.double, &mut buffers.keys);
        for (masked, &key) in buffers.masked.iter_mut().zip(&buffers.keys) {
            let above = u64::from(key > window.1);
            count += above;
            *masked = f64::from_bits(masked.to_bits() & above.wrapping_neg());
        }
        // One comparison, which is seldom true (an empty window has no span).
        if let Some(span) = window.1.checked_sub(window.0) {
            inside.extend(buffers.keys.iter().filter(|&&key| key.wrapping_sub(window.0) <= span));
        }
        buffers.double_moments.clear();
        simd::double_moments(&buffers.masked, self.order == Order::Signed, &mut buffers.double_moments);
        for (block, moments) in buffers.masked.chunks(simd::BLOCK).zip(&buffers.double_moments) {
            sums.add_block(block, moments, self.order);
        }
        Ok((sums, count, inside))
    }

    fn above_single(&self, chunk: &Chunk<'_>, buffers: &mut Buffers, window: (u64, u64)) -> Result<(Sums, u64, Vec<u64>), DataError> {
        // Keys have 32 bits here; the kernel wants room above the window.
        let (low, high) = (window.0 as u32, window.1.min(u64::from(u32::MAX - 1)) as u32);
        self.read_single(chunk, buffers)?;
        buffers.above.clear();
        buffers.inside.clear();
        let (mut sums, mut count) = (Sums::default(), 0);
        simd::above(&buffers.single, (low, high), &mut buffers.above, &mut buffers.inside);
        for (block, above) in buffers.single.chunks(simd::BLOCK).zip(&buffers.above) {
            count += u64::from(above.count);
            if above.moments.is_exact() {
                sums.add_moments(&above.moments);
            } else {
                block.iter().filter(|&&value| simd::magnitude_bits(value) > high).for_each(|&value| sums.add(f64::from(value.abs())));
            }
        }
        Ok((sums, count, buffers.inside.iter().map(|&bits| u64::from(bits)).collect()))
    }

    /// The threshold digit by digit (16 bits of the key at a time): counting passes whatever the data, then one for the sums.
    fn select_by_digits(&self, kept: u64, least: f64) -> Result<Selection, DataError> {
        const DIGIT: u32 = 16;
        let mut prefix = 0_u64;
        let mut left = kept;
        let levels = if self.order == Order::Single { 2 } else { 4 };
        for shift in (0..levels).rev().map(|level| DIGIT * level) {
            let counts = self
                .chunks()
                .par_iter()
                .map_init(Buffers::default, |buffers, chunk| {
                    let mut counts = vec![0_u64; 1 << DIGIT];
                    self.doubles(chunk, buffers, |_, value| {
                        let key = self.order.key(value) >> shift;
                        // What is above this digit must be the prefix.
                        if key >> DIGIT == prefix {
                            counts[(key & 0xffff) as usize] += 1;
                        }
                    })?;
                    Ok(counts)
                })
                .try_reduce(
                    || vec![0_u64; 1 << DIGIT],
                    |mut a, b| {
                        a.iter_mut().zip(b).for_each(|(count, more)| *count += more);
                        Ok(a)
                    },
                )?;
            let mut digit = counts.len() - 1;
            while digit > 0 && counts[digit] < left {
                left -= counts[digit];
                digit -= 1;
            }
            prefix = prefix << DIGIT | digit as u64;
        }
        let parts = self.pass(|chunk, buffers| {
            let (mut sums, mut greater) = (Sums::default(), 0_u64);
            self.doubles(chunk, buffers, |_, value| {
                if self.order.key(value) > prefix {
                    greater += 1;
                    sums.add(self.order.term(value));
                }
            })?;
            Ok((sums, greater))
        })?;
        let (sums, greater) = parts.iter().fold((Sums::default(), 0), |(sums, greater), (more, count)| (sums.merge(more), greater + count));
        self.finish(&sums, prefix, greater, kept, least)
    }

    /// Adds the ties to the sums of what is above the threshold.
    fn finish(&self, sums: &Sums, key: u64, greater: u64, kept: u64, least: f64) -> Result<Selection, DataError> {
        let ties = kept.checked_sub(greater).filter(|&ties| ties > 0).ok_or_else(|| self.changed())?;
        let least = exact(least);
        let threshold = &exact(self.order.value(key)) - &least;
        let times = Rational::from(ties);
        let (sum, squares) = sums.shifted(greater, &least);
        Ok(Selection { greater, ties, sum: &sum + &(&times * &threshold), squares: &squares + &(&times * &threshold.square()), threshold, key })
    }

    pub(super) fn indices<E: From<DataError> + Send>(&self, selection: &Selection, sink: Sink<'_, E>) -> Result<(), E> {
        let chunks = self.chunks();
        let (mut ties, mut written) = (selection.ties, 0);
        // While one wave of chunks goes to the sink the next is read, in buffers that are used again.
        let width = 2 * rayon::current_num_threads();
        let (mut current, mut next): (Vec<Slot>, Vec<Slot>) = (0..width).map(|_| (Slot::default(), Slot::default())).unzip();
        let fill = |wave: Option<&[Chunk<'_>]>, slots: &mut [Slot]| {
            wave.unwrap_or(&[]).par_iter().zip(slots).try_for_each(|(chunk, slot)| self.kept_in(chunk, slot, selection.key))
        };
        let mut waves = chunks.chunks(width);
        let mut wave = waves.next();
        fill(wave, &mut current)?;
        while let Some(full) = wave {
            wave = waves.next();
            let (filled, drained) = rayon::join(
                || fill(wave, &mut next),
                || {
                    full.iter().zip(&mut current).try_for_each(|(chunk, slot)| {
                        if slot.equal > ties {
                            self.drop_ties(chunk, slot, selection.key, ties)?;
                        }
                        ties -= slot.equal.min(ties);
                        written += slot.indices.len() as u64;
                        sink(slot.base, &slot.indices)
                    })
                },
            );
            drained?;
            filled?;
            std::mem::swap(&mut current, &mut next);
        }
        if written == selection.greater + selection.ties { Ok(()) } else { Err(self.changed().into()) }
    }

    /// Indices of a chunk's elements at or above the threshold, and how many are equal to it.
    fn kept_in(&self, chunk: &Chunk<'_>, slot: &mut Slot, threshold: u64) -> Result<(), DataError> {
        slot.indices.clear();
        // Absolute indices where they fit in 32 bits, else relative to the chunk.
        let end = chunk.start + (chunk.range.end - chunk.range.start);
        let (base, first) = if end <= 1 << 32 { (0, chunk.start as u32) } else { (chunk.start, 0) };
        slot.base = base;
        if self.order == Order::Single {
            self.read_single(chunk, &mut slot.buffers)?;
            slot.equal = simd::at_least(&slot.buffers.single, threshold as u32, first, &mut slot.indices);
            return Ok(());
        }
        let (indices, equal) = (&mut slot.indices, &mut slot.equal);
        *equal = 0;
        self.doubles(chunk, &mut slot.buffers, |index, value| {
            let key = self.order.key(value);
            *equal += u64::from(key == threshold);
            if key >= threshold {
                indices.push((index - base) as u32);
            }
        })
    }

    /// Keeps the first `ties` of the elements equal to the threshold.
    fn drop_ties(&self, chunk: &Chunk<'_>, slot: &mut Slot, threshold: u64, ties: u64) -> Result<(), DataError> {
        let mut equal = Vec::new();
        let base = slot.base;
        self.doubles(chunk, &mut slot.buffers, |index, value| {
            if self.order.key(value) == threshold {
                equal.push((index - base) as u32);
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

/// A finite float as a number.
fn exact(value: f64) -> Rational {
    Rational::from_f64(value).unwrap_or(Rational::UNDEFINED)
}

/// Keys between which the `kept`-th largest of n lies unless the sample misleads: six standard deviations of a sample quantile's rank, and a few ranks.
fn window(kept: u64, n: u64, sample: &[u64]) -> (u64, u64) {
    let mut sample = sample.to_vec();
    let size = sample.len();
    let share = kept as f64 / n as f64;
    let centre = (share * size as f64) as usize;
    let reach = (6.0 * (share * (1.0 - share) * size as f64).sqrt()) as usize + 8;
    let mut ranked = |rank: usize| (rank < size).then(|| *sample.select_nth_unstable_by(rank, |a, b| b.cmp(a)).1);
    let low = ranked(centre + reach).unwrap_or(0);
    let high = centre.checked_sub(reach).and_then(ranked).unwrap_or(u64::MAX);
    (low, high)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use std::io::Write;

    /// A .npy file of these floats.
    fn file(values: &[f32]) -> (tempfile::NamedTempFile, Binary) {
        let mut file = tempfile::Builder::new().suffix(".npy").tempfile().unwrap();
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", values.len());
        file.write_all(b"\x93NUMPY\x01\x00").unwrap();
        file.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
        file.write_all(header.as_bytes()).unwrap();
        values.iter().for_each(|value| file.write_all(&value.to_le_bytes()).unwrap());
        let data::Input::Binary(binary) = data::open(file.path()).unwrap() else { panic!("a .npy file is binary") };
        (file, binary)
    }

    #[test]
    fn keys_order_as_numbers_do_and_give_them_back() {
        let values = [f64::MAX, 2.5, 1.0, f64::MIN_POSITIVE, f64::from_bits(1), 0.0, -f64::from_bits(1), -1.0, -2.5, f64::MIN];
        for pair in values.windows(2) {
            assert!(Order::Signed.key(pair[0]) > Order::Signed.key(pair[1]), "{pair:?}");
        }
        assert_eq!(Order::Signed.key(-0.0), Order::Signed.key(0.0));
        for value in values {
            assert_eq!(Order::Signed.value(Order::Signed.key(value)), value);
            assert_eq!(Order::Double.value(Order::Double.key(value)), value.abs());
            let single = value as f32;
            if single.is_finite() {
                assert_eq!(Order::Single.value(Order::Single.key(f64::from(single))), f64::from(single.abs()));
            }
        }
    }

    #[test]
    fn digits_windows_and_memory_select_the_same_and_a_wrong_window_is_seen() {
        let values: Vec<f32> = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) % 700) as f32 - 350.25).collect();
        let (_keep, binary) = file(&values);
        for mode in [Mode::Magnitude, Mode::Shift] {
            let mut stream = Stream::new(&binary, binary.tensors.clone(), mode);
            let (_, hint) = stream.totals().unwrap();
            // Single precision has two orders by magnitude, of 32 and of 64 bits.
            let orders = if mode == Mode::Shift { vec![Order::Signed] } else { vec![Order::Single, Order::Double] };
            for order in orders {
                stream.order = order;
                let mut keys: Vec<u64> = values.iter().map(|&value| order.key(f64::from(value))).collect();
                keys.sort_unstable_by(|a, b| b.cmp(a));
                for kept in [1_u64, 2, 700, 2500, 4999, 5000] {
                    let key = keys[kept as usize - 1];
                    let all = stream.select_in_window(kept, (0, u64::MAX), hint.least).unwrap().unwrap();
                    let narrow = stream.select_in_window(kept, (key, key), hint.least).unwrap().unwrap();
                    let digits = stream.select_by_digits(kept, hint.least).unwrap();
                    for other in [&narrow, &digits] {
                        assert_eq!((all.key, all.greater, all.ties), (other.key, other.greater, other.ties), "kept {kept}");
                        assert_eq!((&all.threshold, &all.sum, &all.squares), (&other.threshold, &other.sum, &other.squares), "kept {kept}");
                    }
                    assert_eq!(all.key, key);
                    let (largest, least) = (keys[0], keys[keys.len() - 1]);
                    if key > least {
                        assert!(stream.select_in_window(kept, (0, key - 1), hint.least).unwrap().is_none(), "all kept ones are above the window");
                    }
                    if key < largest {
                        assert!(stream.select_in_window(kept, (key + 1, largest), hint.least).unwrap().is_none(), "not all kept ones are in it");
                    }
                }
            }
        }
    }

    #[test]
    fn a_window_contains_the_rank_it_is_for() {
        let sample: Vec<u64> = (0..10_000_u64).map(|i| i.wrapping_mul(7919) % 10_000).collect();
        for kept in [1, 10, 5_000, 9_999, 10_000] {
            let (low, high) = window(kept * 100, 1_000_000, &sample);
            // The sample is the numbers below 10,000: the quantile is one of them.
            assert!(low <= 10_000 - kept && 10_000 - kept <= high, "{kept}: {low} {high}");
            assert!(kept == 1 || high == u64::MAX || high - low <= 2 * 308, "six deviations are 300 ranks at most, and 8");
        }
    }

    #[test]
    fn a_file_that_changes_between_passes_is_an_error() {
        let (keep, binary) = file(&[1.0, 2.0, 3.0, 4.0]);
        let stream = Stream::new(&binary, binary.tensors.clone(), Mode::Magnitude);
        let (_, hint) = stream.totals().unwrap();
        let selection = stream.select(2, &hint).unwrap();
        let length = keep.as_file().metadata().unwrap().len();
        let mut sink = |_: u64, _: &[u32]| Ok::<(), DataError>(());
        stream.indices(&selection, &mut sink).unwrap();
        let mut bytes = std::fs::read(keep.path()).unwrap();
        bytes[length as usize - 16..][..4].copy_from_slice(&9.0_f32.to_le_bytes());
        std::fs::write(keep.path(), &bytes).unwrap();
        let error = stream.indices(&selection, &mut sink).unwrap_err();
        assert!(error.to_string().contains("changed while it was read"), "{error}");
        std::fs::write(keep.path(), &bytes[..length as usize - 4]).unwrap();
        assert!(stream.select(2, &hint).is_err(), "cut off");
    }
}
