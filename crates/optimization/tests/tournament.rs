//! `calc lie-bracket tournament` on the reference instance and on arrays.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use calculator::{Answer, Calculator, CalculatorError, Value};
use optimization::lie_bracket::LieBracketCalculator;
use std::io::Write;

fn calc(suffix: &str, content: &[u8], more: &[&str]) -> Result<Answer, CalculatorError> {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    file.write_all(content).unwrap();
    let path = file.path().display().to_string();
    let arguments: Vec<&str> = ["tournament", &path].into_iter().chain(more.iter().copied()).collect();
    let matches = LieBracketCalculator.command().no_binary_name(true).try_get_matches_from(arguments).unwrap();
    LieBracketCalculator.run(&matches, &mut std::io::empty())
}

const SOURCES: &str = r#"{"theta0":[1,-1],"eta":"1/10","sources":[
    {"name":"A","hessian":[[2,1],[1,3]],"linear":[1,0]},
    {"name":"B","hessian":[[1,-1],[-1,4]],"linear":[0,2]},
    {"name":"C","hessian":[[3,0],[0,1]],"linear":[-1,1]}],
    "target":{"hessian":[[1,0],[0,2]],"linear":[1,-1]}}"#;

fn json(answer: &Answer, key: &str) -> String {
    answer.reports[0].get(key).unwrap_or(&Value::Text("missing".into())).to_json().to_string()
}

#[test]
fn the_reference_tournament() {
    let answer = calc(".json", SOURCES.as_bytes(), &[]).unwrap();
    assert_eq!(json(&answer, "scores"), r#"["-11","6","5"]"#);
    assert_eq!(json(&answer, "order"), r#"["A","C","B"]"#);
    assert_eq!(json(&answer, "best_order_second_order"), r#"["A","B","C"]"#);
    assert_eq!(json(&answer, "best_order_true"), r#"["C","B","A"]"#);
    assert_eq!(json(&answer, "sigma"), r#"[["0","-11","0"],["11","0","-5"],["0","5","0"]]"#);
    assert_eq!((json(&answer, "transitive"), json(&answer, "cycles"), json(&answer, "three_cycles")), ("true".into(), "[]".into(), "0".into()));
    // D_AB = 961/20000; the certified radius of A, B is below 0.0462385.
    assert!(json(&answer, "order_effect").starts_with(r#"[{"pair":["A","B"],"effect":"961/20000"}"#));
    let radii = json(&answer, "certified_eta");
    assert!(radii.starts_with(r#"[{"pair":["A","B"],"eta":"0.046238"#) && radii.contains(r#"{"pair":["A","C"],"eta":null}"#), "{radii}");
    // Row differences: S = (-11, 6, 5), so c_12 = -11 + 17/3, c_13 = 16/3, c_23 = -5 - 1/3: equal sizes 16/3; the ratio is (16/3) sqrt 3 / sqrt 146.
    let ratio: f64 = json(&answer, "curl_ratio").trim_matches('"').parse().unwrap();
    assert!((ratio - 16.0 / 3.0 * 3.0_f64.sqrt() / 146.0_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn several_steps_and_other_forms() {
    // One dimension, five steps each: -0.0481243024180285.
    let line = r#"{"theta0":[0],"eta":0.1,"sources":[{"name":"A","hessian":[[1]],"linear":[-2]},{"name":"B","hessian":[[2]],"linear":[0]}],
        "target":{"hessian":[[2]],"linear":[-1]}}"#;
    let effect = |steps: &str| json(&calc(".json", line.as_bytes(), &["--steps", steps]).unwrap(), "order_effect");
    assert_eq!(effect("1"), r#"[{"pair":["A","B"],"effect":"16/625"}]"#);
    assert!(effect("20").contains(r#""effect":"-1.349508399934402"#), "{}", effect("20"));
    // The same scores from gradients and Hessian-vector products at theta0: q = H g_E with g_E = (0, -1).
    let derivatives = r#"{"theta0":[1,-1],"eta":"1/10","sources":[
        {"name":"A","gradient":[0,-2],"hvp_target":[-1,-3]},
        {"name":"B","gradient":[2,-7],"hessian":[[1,-1],[-1,4]]},
        {"name":"C","gradient":[4,-2],"hvp_target":[0,-1]}],"target":{"gradient":[0,-1]}}"#;
    let answer = calc(".json", derivatives.as_bytes(), &[]).unwrap();
    assert_eq!((json(&answer, "scores"), json(&answer, "best_order_true")), (r#"["-11","6","5"]"#.into(), "null".into()));
    assert!(answer.notes.iter().any(|note| note.contains("need quadratics")));
    let rows = calc(".csv", b"0,-2,-1,-3\n2,-7,1,-4\n4,-2,0,-1\n", &[]).unwrap();
    assert_eq!((json(&rows, "scores"), json(&rows, "order")), (r#"["-11","6","5"]"#.into(), r#"["line 1","line 3","line 2"]"#.into()));
    // A target without a slope: all scores 0, said so.
    let flat = calc(
        ".json",
        derivatives
            .replace(r#""target":{"gradient":[0,-1]}"#, r#""target":{"gradient":[0,0]}"#)
            .replace("[-1,-3]", "[0,0]")
            .replace(r#""hvp_target":[0,-1]"#, r#""hvp_target":[0,0]"#)
            .as_bytes(),
        &[],
    )
    .unwrap();
    assert!(json(&flat, "scores") == r#"["0","0","0"]"# && flat.notes.iter().any(|note| note.contains("all scores are 0")));
}

/// A .npz of two stored arrays, N x d doubles each, written by hand after the format's description.
fn npz(rows: &[Vec<f64>], curved: &[Vec<f64>]) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let mut writer = zip::ZipWriter::new(&mut out);
    for (name, values) in [("gradients.npy", rows), ("hvp_target.npy", curved)] {
        let dictionary = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", values.len(), values[0].len());
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, stored).unwrap();
        writer.write_all(b"\x93NUMPY\x01\x00").unwrap();
        writer.write_all(&(dictionary.len() as u16).to_le_bytes()).unwrap();
        writer.write_all(dictionary.as_bytes()).unwrap();
        for value in values.iter().flatten() {
            writer.write_all(&value.to_le_bytes()).unwrap();
        }
    }
    writer.finish().unwrap();
    out.into_inner()
}

#[test]
fn arrays_small_and_large() {
    let small =
        calc(".npz", &npz(&[vec![0.0, -2.0], vec![2.0, -7.0], vec![4.0, -2.0]], &[vec![-1.0, -3.0], vec![1.0, -4.0], vec![0.0, -1.0]]), &[]).unwrap();
    assert_eq!((json(&small, "scores"), json(&small, "order")), (r#"["-11","6","5"]"#.into(), r#"["0","2","1"]"#.into()));
    let bad = calc(".npz", &npz(&[vec![0.0, f64::NAN]], &[vec![0.0, 1.0]]), &[]).unwrap_err().to_string();
    assert!(bad.contains("gradients[0, 1]") && bad.contains("NaN"), "{bad}");
    // 2,048 sources in 1,024 dimensions: scored in doubles. Integers below 2^53 throughout, so the scores are exact.
    let entry = |i: usize, k: usize| ((i * 31 + k * 17) % 23) as f64 - 11.0;
    let g: Vec<Vec<f64>> = (0..2_048).map(|i| (0..1_024).map(|k| entry(i, k)).collect()).collect();
    let q: Vec<Vec<f64>> = (0..2_048).map(|i| (0..1_024).map(|k| entry(3 * i + 1, 2 * k)).collect()).collect();
    let large = calc(".npz", &npz(&g, &q), &[]).unwrap();
    let column = |rows: &[Vec<f64>], k: usize| rows.iter().map(|row| row[k]).sum::<f64>();
    let (big, gam): (Vec<f64>, Vec<f64>) = (0..1_024).map(|k| (column(&q, k), column(&g, k))).unzip();
    let Some(Value::List(scores)) = large.reports[0].get("scores") else { panic!("scores") };
    for i in [0, 1, 1_000, 2_047] {
        let exact: f64 = (0..1_024).map(|k| big[k] * g[i][k] - q[i][k] * gam[k]).sum();
        let Value::Decimal(text) = &scores[i] else { panic!("a decimal") };
        assert_eq!(text.parse::<f64>().unwrap(), exact);
    }
    // Rows repeat with period 23: equal scores are not called certain.
    assert_eq!(json(&large, "order_certain"), "false");
}
