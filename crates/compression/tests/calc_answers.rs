//! The calculator's answers: the reference table through every kind of input, the hazards of floating point, the floor against a full scan, and what it
//! leaves on disk.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Report, Value};
use compression::emp::EmpCalculator;
use compression::emp::bounds::{edge_mass, far_edge_mass};
use numeric::{Ordered, QuadraticSurd, Rational, Rounding};
use std::path::{Path, PathBuf};

fn run(arguments: &[&str], input: &str) -> Result<Answer, CalculatorError> {
    let matches = EmpCalculator.command().no_binary_name(true).try_get_matches_from(arguments).unwrap();
    EmpCalculator.run(&matches, &mut input.as_bytes())
}

fn single(arguments: &[&str], input: &str) -> Report {
    let answer = run(arguments, input).unwrap();
    assert_eq!(answer.reports.len(), 1);
    answer.reports.into_iter().next().unwrap()
}

fn text(report: &Report, key: &str) -> String {
    report.get(key).unwrap_or_else(|| panic!("no key {key}")).to_text()
}

/// A .npy file in a folder: the bytes of its elements under a description of their type.
fn npy(folder: &Path, name: &str, descr: &str, shape: &str, data: &[u8]) -> String {
    let path: PathBuf = folder.join(name);
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

fn singles(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn doubles(values: impl IntoIterator<Item = f64>) -> Vec<u8> {
    values.into_iter().flat_map(f64::to_le_bytes).collect()
}

type Row = (Vec<i64>, &'static str, &'static str, u64, &'static str, &'static str);

/// Scores, beta, N_eff, nu, s_eff, and the first digits of the floor: the reference table of the paper's quantities, computed elsewhere in 30-digit
/// arithmetic (exact where the floor is attained).
fn table() -> Vec<Row> {
    vec![
        (vec![3, 1, 1, 1, 1], "1", "49/13", 3, "5/7", "0.714285714285714285"),
        (vec![8, 3, 3, 3, 3], "1", "4", 4, "17/20", "0.85"),
        ([vec![10], vec![1; 9]].concat(), "1", "361/109", 3, "12/19", "0.631578947368421052"),
        (vec![5, 4, 1], "1", "50/21", 2, "9/10", "0.786851709182132976"),
        ((1..=10).map(|i| 2520 / i).collect(), "1", "4952651/894695", 5, "5754/7381", "0.649675312191908832"),
        ((0..20).map(|i| 1 << (19 - i)).collect(), "1", "3145725/1048577", 2, "262144/349525", "0.591507364601484714"),
        (vec![1; 10], "1/2", "10", 5, "1/2", "0.5"),
        (vec![4, 4, 4, 1, 1, 1, 1], "0.75", "64/13", 3, "3/4", "0.580094310254260183"),
        (vec![51, 49, 0], "1", "5000/2501", 1, "51/100", "0.51"),
    ]
}

#[test]
fn the_reference_table_through_text_single_and_double_precision() {
    let folder = tempfile::tempdir().unwrap();
    for (row, (values, beta, n_eff, kept, mass, floor)) in table().into_iter().enumerate() {
        let written: Vec<String> = values.iter().map(i64::to_string).collect();
        let shape = format!("({},)", values.len());
        let f4 = npy(folder.path(), &format!("{row}f4.npy"), "<f4", &shape, &singles(values.iter().map(|&value| -value as f32)));
        let f8 = npy(folder.path(), &format!("{row}f8.npy"), "<f8", &shape, &doubles(values.iter().map(|&value| value as f64)));
        for (file, input) in [("-", written.join(", ")), (f4.as_str(), String::new()), (f8.as_str(), String::new())] {
            let report = single(&[file, "--beta", beta], &input);
            assert_eq!((text(&report, "n"), text(&report, "n_eff")), (values.len().to_string(), n_eff.to_owned()), "{file} {written:?}");
            assert_eq!((text(&report, "kept"), text(&report, "preserved_mass")), (kept.to_string(), mass.to_owned()), "{file} {written:?}");
            // The table is rounded (or cut) in its last of at most 18 decimals.
            let [decimal, expected]: [Rational; 2] = [&text(&report, "mass_floor_decimal"), floor].map(|number| number.parse().unwrap());
            assert!((&decimal - &expected).abs() <= "1e-18".parse().unwrap(), "{file} {written:?}: {decimal}");
        }
    }
}

#[test]
fn hazards_of_floating_point() {
    let folder = tempfile::tempdir().unwrap();
    for n in 1..200_u16 {
        let shape = format!("({n},)");
        let f4 = npy(folder.path(), "f4.npy", "<f4", &shape, &singles((0..n).map(|_| 1.0 / f32::from(n))));
        let f8 = npy(folder.path(), "f8.npy", "<f8", &shape, &doubles((0..n).map(|_| 1.0 / f64::from(n))));
        for file in [&f4, &f8] {
            let report = single(&[file], "");
            assert_eq!((text(&report, "kept"), text(&report, "n_eff")), (n.to_string(), n.to_string()), "uniform, N = {n}");
            assert_eq!((text(&report, "preserved_mass"), text(&report, "mass_floor_decimal")), ("1".to_owned(), "1".to_owned()));
        }
    }
    let kept = |values: [f64; 3]| text(&single(&[&npy(folder.path(), "x.npy", "<f8", "(3,)", &doubles(values))], ""), "kept");
    assert_eq!(kept([1e200, 1e200, 1e-200]), "2", "squares overflow in floats");
    assert_eq!(kept([1e-200; 3]), "3", "squares vanish in floats");
    assert_eq!(kept([f64::MAX, f64::MAX, f64::from_bits(1)]), "2");
}

#[test]
fn mass_is_rounded_down_and_tail_energy_up() {
    // Mass 10^30/(10^30 + 1) differs from one beyond the digits printed: nothing below one prints as one.
    let report = single(&["-"], "1e30 1");
    assert_eq!(text(&report, "preserved_mass"), format!("1{}/1{}1", "0".repeat(30), "0".repeat(29)));
    for key in ["preserved_mass_decimal", "mass_floor_decimal"] {
        let printed: Rational = text(&report, key).parse().unwrap();
        assert!(printed < Rational::from(1) && printed > "0.99999999999999999999".parse().unwrap(), "{key}: {printed}");
    }
    let report = single(&["-", "--lambda-max", "1/3"], &format!("{} 1", 1_u64 << 60));
    // tau = 1/(2^60 + 1)^2, and the bound is 1/3/2 of the pruned squares: 1/6 = 0.1666.., up.
    let bound: Rational = text(&report, "loss_increase_bound").parse().unwrap();
    assert!(bound > Rational::new(1, 6) && bound < "0.16666666666666666666667".parse().unwrap());
    let tau: Rational = text(&report, "tail_energy_decimal").parse().unwrap();
    let exact = Rational::from((1_u64 << 60) + 1).recip();
    assert!(tau >= &exact * &exact);
}

#[test]
fn shifted_files_agree_with_shifted_text_and_ignore_what_the_shift_removes() {
    let folder = tempfile::tempdir().unwrap();
    let values = [-3.5, 0.25, 7.0, -3.5, 7.0, 1.0];
    let file = npy(folder.path(), "s.npy", "<f4", "(6,)", &singles(values));
    let moved = npy(folder.path(), "m.npy", "<f8", "(6,)", &doubles(values.map(|value| f64::from(value) + 1024.0)));
    let written = "-3.5 0.25 7 -3.5 7 1";
    let from_text = run(&["-", "--mode", "shift"], written).unwrap();
    assert_eq!(from_text, run(&[&file, "--mode", "shift"], "").unwrap());
    assert_eq!(from_text, run(&[&moved, "--mode", "shift"], "").unwrap());
    // Scores 0, 15/4, 21/2, 0, 21/2, 9/2: (117/4)^2 / (4077/16).
    assert_eq!(text(&from_text.reports[0], "n_eff"), "1521/453".parse::<Rational>().unwrap().to_string());
    assert_ne!(from_text, run(&["-"], written).unwrap());
}

#[test]
fn rows_are_the_slices_of_the_last_axis_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<[f32; 4]> = (0..6_u8).map(|i| [1.0, f32::from(i), 2.0, -5.0]).collect();
    let file = npy(folder.path(), "m.npy", "<f4", "(2, 3, 4)", &singles(rows.concat()));
    let one = run(&[&file, "--per-row", "--threads", "1"], "").unwrap();
    assert_eq!(one, run(&[&file, "--per-row", "--threads", "3"], "").unwrap());
    assert_eq!(one.reports.len(), 6);
    for (report, row) in one.reports.iter().zip(&rows) {
        let written: Vec<String> = row.iter().map(f32::to_string).collect();
        assert_eq!(report.entries, single(&["-"], &written.join(" ")).entries);
    }
    // The first bad row is named, not the one that a thread met first.
    let mut bad = rows.concat();
    bad[8..].fill(0.0);
    let file = npy(folder.path(), "bad.npy", "<f4", "(6, 4)", &singles(bad));
    for _ in 0..20 {
        assert!(run(&[&file, "--per-row", "--threads", "4"], "").unwrap_err().to_string().contains("row 2:"));
    }
}

#[test]
fn the_floor_for_given_counts_is_the_least_of_a_full_scan() {
    // LB(N, nu, Q) by its definition: every k, not only the ends of the range.
    let scan = |n: u64, nu: u64, q: &Rational| -> QuadraticSurd {
        if nu == n {
            return Rational::from(1).into();
        }
        let m = q.recip().floor().to_i128().unwrap() as u64;
        let share = |a: u64, b: u64| Rational::from(a) / Rational::from(b);
        if *q <= Rational::from(n).recip() {
            return share(nu, n).into();
        }
        let exact = QuadraticSurd::from(q.clone());
        let mut least = QuadraticSurd::from(Ordered::min(&Rational::from(1), &share(nu, m)));
        for k in m + 1..=n {
            if k > nu {
                least = Ordered::min(&least, &edge_mass(&exact, nu, k));
            }
            if m > nu {
                least = Ordered::min(&least, &far_edge_mass(&exact, nu, m, k));
            }
        }
        least
    };
    for n in 1..=24_u64 {
        for nu in 1..=n {
            for beta in ["1/4", "1/2", "0.9", "1", "3/2", "4"] {
                let report = single(&["bound", &n.to_string(), &nu.to_string(), beta], "");
                // q > beta / (nu + 1), and q >= 1/N; it is at most 1.
                let q = beta.parse::<Rational>().unwrap() / Rational::from(nu + 1);
                let q = Ordered::min(&Ordered::max(&q, &Rational::from(n).recip()), &Rational::from(1));
                let expected = scan(n, nu, &q);
                assert_eq!(text(&report, "floor"), expected.to_decimal(25, Rounding::Down), "N = {n}, nu = {nu}, beta = {beta}");
                let exact = expected.as_rational().map(Rational::to_string);
                assert_eq!(report.get("floor_exact"), Some(&Value::Exact(exact)), "N = {n}, nu = {nu}, beta = {beta}");
            }
        }
    }
}

#[test]
fn indices_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let input = npy(folder.path(), "s.npy", "<f8", "(4,)", &doubles([2.0, -3.0, 2.0, 0.5]));
    let before = std::fs::read(&input).unwrap();
    let output = folder.path().join("keep.npy");
    let output = output.display().to_string();
    run(&[&input, "--indices", &output], "").unwrap();
    // (15/2)^2 / (69/4) = 3.26: three are kept.
    let written = std::fs::read(&output).unwrap();
    assert_eq!(written[written.len() - 12..], [0_u32, 1, 2].map(u32::to_le_bytes).concat());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &str| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&output), mode(&input), "as any new file");
    }
    // Refusals leave everything as it was.
    let zeros = npy(folder.path(), "zeros.npy", "<f4", "(2,)", &singles([0.0, 0.0]));
    assert!(run(&[&zeros, "--indices", &output], "").is_err());
    assert_eq!(std::fs::read(&output).unwrap(), written);
    let error = run(&[&input, "--indices", &input], "").unwrap_err().to_string();
    assert!(error.contains("it is the input"), "{error}");
    let error = run(&[&input, "--indices", &folder.path().display().to_string()], "").unwrap_err().to_string();
    assert!(error.contains("not a file"), "{error}");
    assert_eq!(std::fs::read(&input).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no file beside them");
}
