//! Bad input, from a data file: exit code 2, one line that names the place, nothing on standard output.

use crate::run::command;
use serde::Deserialize;
use theorycheck::Exit;

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    /// The command line; FILE stands for a file made of `bytes` (escapes: \xNN) with the extension `file`.
    args: Vec<String>,
    #[serde(default)]
    input: String,
    file: Option<String>,
    #[serde(default)]
    bytes: String,
    /// The dictionary of a .npy file, version 1.
    npy: Option<String>,
    /// The header of a .safetensors file.
    header: Option<String>,
    /// Appended to `bytes` as little-endian floats: "nan", "inf" and numbers.
    #[serde(default)]
    f32: Vec<String>,
    /// What the message must contain.
    says: Vec<String>,
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        out.push(u8::from_str_radix(&rest[at + 2..at + 4], 16).unwrap());
        rest = &rest[at + 4..];
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

#[test]
fn each_case_is_refused_with_its_place() {
    let mut files: Vec<_> =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/data/bad-input")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let cases: Vec<Case> = files.iter().flat_map(|file| toml::from_str::<Table>(&std::fs::read_to_string(file).unwrap()).unwrap().case).collect();
    assert!(cases.len() >= 100 && files.len() >= 4);
    let folder = tempfile::tempdir().unwrap();
    for (index, case) in cases.iter().enumerate() {
        let path = folder.path().join(format!("case{index}.{}", case.file.as_deref().unwrap_or("none")));
        let mut bytes = unescape(&case.bytes);
        if let Some(dictionary) = &case.npy {
            bytes.extend(b"\x93NUMPY\x01\x00");
            bytes.extend((dictionary.len() as u16).to_le_bytes());
            bytes.extend(dictionary.as_bytes());
        }
        if let Some(header) = &case.header {
            bytes.extend((header.len() as u64).to_le_bytes());
            bytes.extend(header.as_bytes());
        }
        for value in &case.f32 {
            bytes.extend(value.parse::<f32>().unwrap().to_le_bytes());
        }
        if case.file.is_some() {
            std::fs::write(&path, bytes).unwrap();
        }
        let path = path.display().to_string();
        let arguments: Vec<String> =
            case.args.iter().map(|argument| argument.replace("FILE", &path).replace("DIR", &folder.path().display().to_string())).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let outcome = command(&arguments, &case.input);
        assert_eq!((outcome.exit, outcome.output.as_str()), (Exit::BadInput, ""), "{arguments:?}: {}", outcome.messages);
        for part in &case.says {
            assert!(outcome.messages.contains(part.as_str()), "{arguments:?}: '{part}' is not in: {}", outcome.messages);
        }
    }
    // Nothing half-written: only the inputs are there.
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, cases.iter().filter(|case| case.file.is_some()).count());
}
