//! The calculator on files of every kind, and the keys of its answers.

use crate::run::command;
use serde_json::Value;
use theorycheck::Exit;

fn answer(arguments: &[&str], input: &str) -> Value {
    let outcome = command(arguments, input);
    assert_eq!(outcome.exit, Exit::Success, "{arguments:?}: {}", outcome.messages);
    serde_json::from_str(&outcome.output).unwrap()
}

const KEYS: [&str; 11] = [
    "n",
    "n_eff",
    "n_eff_decimal",
    "kept",
    "sparsity",
    "preserved_mass",
    "preserved_mass_decimal",
    "mass_floor_decimal",
    "mass_floor_formula",
    "threshold",
    "tail_energy_decimal",
];

#[test]
fn text_is_exact_and_the_keys_are_the_documented_ones() {
    let value = answer(&["calc", "emp", "-", "--json", "--lambda-max", "2"], "5, 4\n-1");
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..11], KEYS);
    assert_eq!(keys[11], "loss_increase_bound");
    // (5,4,1): N_eff = 100/42, nu = 2, mass 9/10, tau = 1/100; (2/2) * 10^2 * tau = 1
    assert_eq!((&value["n"], &value["kept"]), (&Value::from(3), &Value::from(2)));
    assert_eq!((&value["n_eff"], &value["preserved_mass"]), (&Value::from("50/21"), &Value::from("9/10")));
    assert_eq!((&value["tail_energy_decimal"], &value["loss_increase_bound"]), (&Value::from("0.01"), &Value::from("1")));
    assert!(value["mass_floor_decimal"].as_str().unwrap().starts_with("0.786851709182132976"));
    // 0.1 is 1/10: three equal scores, so all are kept.
    let value = answer(&["calc", "emp", "-", "--json"], "0.1 1/10 1e-1");
    assert_eq!((&value["n_eff"], &value["kept"], &value["preserved_mass"]), (&Value::from("3"), &Value::from(3), &Value::from("1")));
}

#[test]
fn extremes_do_not_overflow() {
    let value = answer(&["calc", "emp", "-", "--json"], "1e200 1e200 1e-200");
    assert_eq!((&value["kept"], &value["n_eff"], &value["preserved_mass"]), (&Value::from(2), &Value::Null, &Value::Null));
    assert!(value["preserved_mass_decimal"].as_str().unwrap().starts_with("0.99999"), "rounded down, never 1");
    assert_eq!(answer(&["calc", "emp", "-", "--json"], "1e-200 1e-200 1e-200")["kept"], 3);
}

#[test]
fn shift_and_rows() {
    // s - min: (4, 3, 0)
    let value = answer(&["calc", "emp", "-", "--json", "--mode", "shift"], "5 4 1");
    assert_eq!(value["n_eff"], "49/25");
    let value = answer(&["calc", "emp", "-", "--json", "--per-row"], "1 1\n\n3 1 1 1 1\n");
    let reports = value["reports"].as_array().unwrap();
    assert_eq!(
        (&reports[0]["name"], &reports[0]["kept"], &reports[1]["name"], &reports[1]["kept"]),
        (&"line 1".into(), &2.into(), &"line 3".into(), &3.into())
    );
}

/// A .safetensors file: header, then data.
fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn tensors_of_several_types() {
    // a: f32 (3,1,1,1,1); b: bf16 (1,1); ids: i32; c: f64 (5,4,1). bf16 1.0 is 0x3f80.
    let header = r#"{"a":{"dtype":"F32","shape":[5],"data_offsets":[0,20]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[20,24]},"ids":{"dtype":"I32","shape":[1],"data_offsets":[24,28]},"c":{"dtype":"F64","shape":[3],"data_offsets":[28,52]}}"#;
    let mut data: Vec<u8> = [3.0_f32, 1.0, 1.0, 1.0, 1.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    data.extend([0x80, 0x3f, 0x80, 0x3f, 7, 0, 0, 0]);
    data.extend([5.0_f64, -4.0, 1.0].iter().flat_map(|value| value.to_le_bytes()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    std::fs::write(&path, safetensors(header, &data)).unwrap();
    let path = path.display().to_string();
    let outcome = command(&["calc", "emp", &path, "--per-tensor", "--json"], "");
    assert!(outcome.messages.contains("tensor ids is left out"), "{}", outcome.messages);
    let value: Value = serde_json::from_str(&outcome.output).unwrap();
    let found: Vec<(&str, &str)> =
        value["reports"].as_array().unwrap().iter().map(|report| (report["name"].as_str().unwrap(), report["n_eff"].as_str().unwrap())).collect();
    assert_eq!(found, [("a", "49/13"), ("b", "2"), ("c", "50/21")]);
    // As one vector of ten: S1 = 7 + 2 + 10, S2 = 13 + 2 + 42
    assert_eq!(answer(&["calc", "emp", &path, "--json"], "")["n_eff"], "19/3");
    assert_eq!(answer(&["calc", "emp", &path, "--tensor", "c", "--json"], "")["n_eff"], "50/21");
}

#[test]
fn indices_are_ascending_with_ties_by_index() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("s.npy"), folder.path().join("keep.npy"));
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend([1.0_f32, -1.0, 3.0, 1.0, 1.0].iter().flat_map(|value| value.to_le_bytes()));
    std::fs::write(&input, bytes).unwrap();
    let value = answer(&["calc", "emp", &input.display().to_string(), "--indices", &output.display().to_string(), "--json"], "");
    assert_eq!(value["kept"], 3);
    let written = std::fs::read(&output).unwrap();
    assert_eq!(written.len() % 64, 3 * 4, "the data start at a multiple of 64");
    let data: Vec<u32> = written[written.len() - 12..].chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(data, [0, 1, 2], "the 3 and the first two ones");
    let from_text = folder.path().join("text.npy");
    answer(&["calc", "emp", "-", "--indices", &from_text.display().to_string(), "--json"], "1 -1 3 1 1");
    assert_eq!(std::fs::read(from_text).unwrap(), written);
}

#[test]
fn bounds_for_given_counts() {
    let bound = |arguments: &[&str]| answer(&[&["calc", "emp", "bound", "--json"], arguments].concat(), "");
    let value = bound(&["3", "1"]);
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["printed", "valid", "floor", "printed_exact", "floor_exact"]);
    assert_eq!((&value["valid"], &value["printed_exact"], &value["floor_exact"]), (&false.into(), &"2/3".into(), &"1/2".into()));
    let value = bound(&["10", "5"]);
    assert_eq!((&value["valid"], &value["printed_exact"]), (&true.into(), &Value::Null));
    assert_eq!(value["printed"], value["floor"]);
    let value = bound(&["5", "5"]);
    assert_eq!((&value["printed"], &value["floor"], &value["floor_exact"]), (&Value::Null, &"1".into(), &"1".into()));
    assert_eq!(bound(&["10", "5", "3/4"])["floor_exact"], "7/12");
    assert_eq!(bound(&["10", "5", "0.75"])["floor_exact"], "7/12");
    // A thousand million in no time: only the ends of the range of k matter.
    assert_eq!(bound(&["1000000000", "2"])["valid"], true);
}
