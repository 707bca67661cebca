//! The streamed path against exact arithmetic in memory: same counts, sums, thresholds and indices, for every element type and any thread count.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use compression::emp::scores::{Mode, Scores, Selection, Stream};
use data::{Binary, DataError, Input};
use numeric::Rational;
use std::io::Write;
use std::path::Path;

fn npy(descr: &str, shape: &str, data: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".npy").tempfile().unwrap();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    file.write_all(b"\x93NUMPY\x01\x00").unwrap();
    file.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.write_all(data).unwrap();
    file
}

fn open(path: &Path) -> Binary {
    match data::open(path).unwrap() {
        Input::Binary(binary) => binary,
        Input::Text(_) => panic!("a .npy file is binary"),
    }
}

fn indices(scores: &Scores<'_>, selection: &Selection) -> Vec<u64> {
    let mut out = Vec::new();
    scores
        .indices::<DataError>(selection, &mut |base, piece| {
            out.extend(piece.iter().map(|&index| base + u64::from(index)));
            Ok(())
        })
        .unwrap();
    out
}

/// Streams a file and compares all with the exact path on the same values, in both modes and for several counts.
fn compare(file: &Binary, exact: Vec<f64>) {
    for mode in [Mode::Magnitude, Mode::Shift] {
        compare_in(file, &exact, mode);
    }
}

fn compare_in(file: &Binary, exact: &[f64], mode: Mode) {
    let reference = Scores::exact(exact.iter().map(|&value| Rational::from_f64(value).unwrap()).collect(), mode);
    let streamed = Scores::Stream(Stream::new(file, file.tensors.clone(), mode));
    let ((expected, no_hint), (totals, hint)) = (reference.totals().unwrap(), streamed.totals().unwrap());
    assert_eq!((totals.n, &totals.s1, &totals.s2), (expected.n, &expected.s1, &expected.s2));
    let n = totals.n;
    // The exact reference is slow: two counts for long vectors.
    let counts = if n > 100_000 { vec![n / 3, n - 1] } else { vec![1, 2, n / 3, n / 2, n - 1, n] };
    for kept in counts {
        let kept = kept.clamp(1, n);
        let expected = reference.select(kept, &no_hint).unwrap();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let selection = streamed.select(kept, &hint).unwrap();
                assert_eq!(
                    (&selection.threshold, selection.greater, selection.ties),
                    (&expected.threshold, expected.greater, expected.ties),
                    "kept {kept}"
                );
                assert_eq!((&selection.sum, &selection.squares), (&expected.sum, &expected.squares), "kept {kept}");
                assert_eq!(indices(&streamed, &selection), indices(&reference, &expected), "kept {kept}");
            });
        }
    }
}

/// A fixed generator of 64-bit words.
fn words() -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

#[test]
fn single_precision_of_every_kind() {
    let finite = |bits: u32| if bits & 0x7f80_0000 == 0x7f80_0000 { bits & 0x807f_ffff } else { bits };
    let kinds: [fn(u64) -> u32; 4] = [
        |word| ((word % 2000) as f32 / 100.0 - 10.0).to_bits(),
        |word| word as u32,
        |word| [0, 1, 0x8000_0000, 0x3f80_0000][word as usize % 4],
        |word| (word as u32 & 0x807f_ffff) | ((115 + (word >> 40) as u32 % 10) << 23),
    ];
    for kind in kinds {
        // More than one chunk of the stream, and an odd tail.
        for n in [1, 5, 300, 20_000, 270_001] {
            let values: Vec<f32> = words().take(n).map(|word| f32::from_bits(finite(kind(word)))).collect();
            if values.iter().all(|&value| value == 0.0) {
                continue;
            }
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let file = npy("<f4", &format!("({n},)"), &bytes);
            compare(&open(file.path()), values.iter().map(|&value| f64::from(value)).collect());
        }
    }
}

#[test]
fn rows_that_repeat_do_not_mislead_the_sample() {
    // Ascending within each block, more than is held in memory.
    let values: Vec<f32> = (0..300_000).map(|i| (i % 256) as f32 + 1.0).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let file = npy("<f4", "(300000,)", &bytes);
    compare(&open(file.path()), values.iter().map(|&value| f64::from(value)).collect());
}

#[test]
fn double_and_half_precision() {
    let values: Vec<f64> = words().take(3000).map(|word| f64::from_bits((word & 0x800f_ffff_ffff_ffff) | ((word % 2047) << 52))).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let file = npy("<f8", "(3, 1000)", &bytes);
    compare(&open(file.path()), values);
    // More than is held in memory; exponents within 40 of each other keep the reference quick.
    let values: Vec<f64> = words().take(270_001).map(|word| f64::from_bits((word & 0x800f_ffff_ffff_ffff) | ((1000 + word % 40) << 52))).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let file = npy("<f8", "(270001,)", &bytes);
    compare(&open(file.path()), values);
    let bits: Vec<u16> = words().take(5000).map(|word| word as u16 & 0xbfff).collect();
    let bytes: Vec<u8> = bits.iter().flat_map(|value| value.to_le_bytes()).collect();
    let file = npy("<f2", "(5000,)", &bytes);
    // The value of a half: sign, 5 exponent bits, 10 fraction bits.
    let half = |bits: u16| {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
        let size = if exponent == 0 { fraction * 2.0_f64.powi(-24) } else { (1024.0 + fraction) * 2.0_f64.powi(exponent - 25) };
        if bits >> 15 == 1 { -size } else { size }
    };
    compare(&open(file.path()), bits.into_iter().map(half).collect());
}
