//! Passes over the rows of a matrix: column sums with the rows' squared norms, and products with a vector.
//!
//! Each kernel is one function of plain loops, compiled for the baseline, for AVX2 and for AVX-512: the same operations in the same order, so the same bits.
#![allow(clippy::needless_range_loop, reason = "one plain loop over the lanes an operation is the shape that becomes vector code")]

/// Lanes of the running sums.
const LANES: usize = 16;
/// Rows taken together, so that the column sums are loaded and stored once for all of them.
const GROUP: usize = 4;

#[inline(always)]
fn fold(lanes: &[f64; LANES]) -> f64 {
    let mut half: [f64; LANES / 2] = std::array::from_fn(|lane| lanes[lane] + lanes[lane + LANES / 2]);
    let mut width = LANES / 4;
    while width > 0 {
        for lane in 0..width {
            half[lane] += half[lane + width];
        }
        width /= 2;
    }
    half[0]
}

#[inline(always)]
fn add_group<const ROWS: usize>(rows: [&[f64]; ROWS], sums: &mut [f64], squares: &mut [f64]) {
    let whole = sums.len() / LANES * LANES;
    let mut lanes = [[0.0_f64; LANES]; ROWS];
    for start in (0..whole).step_by(LANES) {
        let column = &mut sums[start..start + LANES];
        let mut total = [0.0_f64; LANES];
        for row in 0..ROWS {
            let part = &rows[row][start..start + LANES];
            for lane in 0..LANES {
                total[lane] += part[lane];
            }
            for lane in 0..LANES {
                lanes[row][lane] += part[lane] * part[lane];
            }
        }
        for lane in 0..LANES {
            column[lane] += total[lane];
        }
    }
    for row in 0..ROWS {
        let mut square = fold(&lanes[row]);
        for k in whole..sums.len() {
            square += rows[row][k] * rows[row][k];
        }
        squares[row] = square;
    }
    for k in whole..sums.len() {
        let mut total = 0.0;
        for row in rows {
            total += row[k];
        }
        sums[k] += total;
    }
}

#[inline(always)]
fn add_all(rows: &[f64], sums: &mut [f64], squares: &mut [f64]) {
    let width = sums.len();
    let mut groups = rows.chunks_exact(width * GROUP);
    let mut out = squares.chunks_exact_mut(GROUP);
    for (group, squares) in (&mut groups).zip(&mut out) {
        add_group::<GROUP>(std::array::from_fn(|row| &group[row * width..(row + 1) * width]), sums, squares);
    }
    for (row, square) in groups.remainder().chunks_exact(width).zip(out.into_remainder().chunks_exact_mut(1)) {
        add_group::<1>([row], sums, square);
    }
}

#[inline(always)]
fn dot(a: &[f64], row: &[f64]) -> f64 {
    // Two groups of lanes hide the additions' latency.
    let (mut first, mut second) = ([0.0_f64; LANES], [0.0_f64; LANES]);
    let whole = a.len() / (2 * LANES) * (2 * LANES);
    for start in (0..whole).step_by(2 * LANES) {
        let (x, y) = (&a[start..start + 2 * LANES], &row[start..start + 2 * LANES]);
        for lane in 0..LANES {
            first[lane] += x[lane] * y[lane];
        }
        for lane in 0..LANES {
            second[lane] += x[LANES + lane] * y[LANES + lane];
        }
    }
    for lane in 0..LANES {
        first[lane] += second[lane];
    }
    let mut total = fold(&first);
    for k in whole..a.len() {
        total += a[k] * row[k];
    }
    total
}

#[inline(always)]
fn dot_all(a: &[f64], rows: &[f64], out: &mut [f64]) {
    for (row, out) in rows.chunks_exact(a.len()).zip(out) {
        *out = dot(a, row);
    }
}

fn add_portable(rows: &[f64], sums: &mut [f64], squares: &mut [f64]) {
    add_all(rows, sums, squares);
}

fn dot_portable(a: &[f64], rows: &[f64], out: &mut [f64]) {
    dot_all(a, rows, out);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    #[target_feature(enable = "avx2")]
    pub fn add_avx2(rows: &[f64], sums: &mut [f64], squares: &mut [f64]) {
        super::add_all(rows, sums, squares);
    }

    #[target_feature(enable = "avx512f")]
    pub fn add_avx512(rows: &[f64], sums: &mut [f64], squares: &mut [f64]) {
        super::add_all(rows, sums, squares);
    }

    #[target_feature(enable = "avx2")]
    pub fn dot_avx2(a: &[f64], rows: &[f64], out: &mut [f64]) {
        super::dot_all(a, rows, out);
    }

    #[target_feature(enable = "avx512f")]
    pub fn dot_avx512(a: &[f64], rows: &[f64], out: &mut [f64]) {
        super::dot_all(a, rows, out);
    }
}

/// Adds the rows of `rows` (as long as `sums` each) to `sums`, and puts each row's sum of squares into `squares`, one a row. Nothing where a row has length 0.
///
/// A sum of N numbers in this order is off by at most (N - 1) u/(1 - (N - 1) u) times the sum of their sizes, u = 2^-53, as in any order.
pub fn add_rows(rows: &[f64], sums: &mut [f64], squares: &mut [f64]) {
    if sums.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F.
            #[expect(unsafe_code, reason = "a call into code compiled for a processor that was asked for it")]
            return unsafe { wide::add_avx512(rows, sums, squares) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            #[expect(unsafe_code, reason = "a call into code compiled for a processor that was asked for it")]
            return unsafe { wide::add_avx2(rows, sums, squares) };
        }
    }
    add_portable(rows, sums, squares);
}

/// Puts the product of each row of `rows` (as long as `a` each) with `a` into `out`, one a row. Nothing where a row has length 0.
pub fn dot_rows(a: &[f64], rows: &[f64], out: &mut [f64]) {
    if a.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F.
            #[expect(unsafe_code, reason = "a call into code compiled for a processor that was asked for it")]
            return unsafe { wide::dot_avx512(a, rows, out) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            #[expect(unsafe_code, reason = "a call into code compiled for a processor that was asked for it")]
            return unsafe { wide::dot_avx2(a, rows, out) };
        }
    }
    dot_portable(a, rows, out);
}

#[cfg(test)]
mod tests {
    use super::{add_portable, add_rows, dot_portable, dot_rows};

    fn doubles(count: usize, mut state: u64) -> Vec<f64> {
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) / (1_u64 << (state % 30)) as f64
            })
            .collect()
    }

    #[test]
    fn all_processors_give_the_same_bits() {
        for (count, width) in [(0, 5), (1, 1), (3, 15), (4, 16), (5, 33), (9, 100), (17, 257)] {
            let (rows, a) = (doubles(count * width, 1), doubles(width, 2));
            let run = |add: fn(&[f64], &mut [f64], &mut [f64]), dot: fn(&[f64], &[f64], &mut [f64])| {
                let (mut sums, mut squares, mut dots) = (a.clone(), vec![0.0; count], vec![0.0; count]);
                add(&rows, &mut sums, &mut squares);
                dot(&a, &rows, &mut dots);
                [sums, squares, dots].map(|values| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
            };
            assert_eq!(run(add_rows, dot_rows), run(add_portable, dot_portable), "{count} {width}");
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                #[expect(unsafe_code, reason = "a call into code compiled for a processor that was asked for it")]
                let narrow = run(|r, s, q| unsafe { super::wide::add_avx2(r, s, q) }, |a, r, o| unsafe { super::wide::dot_avx2(a, r, o) });
                assert_eq!(narrow, run(add_portable, dot_portable), "{count} {width}");
            }
        }
    }

    #[test]
    fn small_integers_are_exact() {
        // Integers: every order of summation is exact.
        for (count, width) in [(1, 1), (2, 3), (7, 40), (13, 65)] {
            let rows: Vec<f64> = (0..count * width).map(|k| ((k * 37 + 11) % 101) as f64 - 50.0).collect();
            let a: Vec<f64> = (0..width).map(|k| ((k * 13) % 17) as f64 - 8.0).collect();
            let (mut sums, mut squares, mut dots) = (a.clone(), vec![0.0; count], vec![0.0; count]);
            add_rows(&rows, &mut sums, &mut squares);
            dot_rows(&a, &rows, &mut dots);
            for k in 0..width {
                assert_eq!(sums[k], a[k] + (0..count).map(|row| rows[row * width + k]).sum::<f64>());
            }
            for row in 0..count {
                let values = &rows[row * width..(row + 1) * width];
                assert_eq!(squares[row], values.iter().map(|x| x * x).sum::<f64>());
                assert_eq!(dots[row], values.iter().zip(&a).map(|(x, y)| x * y).sum::<f64>());
            }
        }
    }
}
