//! JSON whose numbers are read exactly as written: literals, or strings such as "1/3".

use crate::DataError;
use numeric::Rational;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::path::Path;

/// A number of a JSON file, exact: 0.1 is 1/10, and "1/3" is allowed. It can only be read by [`read_json`].
#[derive(Clone, Debug, PartialEq)]
pub struct Number(pub Rational);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        // The literal's own text, not a double made of it.
        let raw = <Box<RawValue>>::deserialize(deserializer)?;
        let text = raw.get();
        let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
        bare.parse().map(Number).map_err(|error: numeric::ParseRationalError| {
            let shown: String = bare.chars().take(40).collect();
            D::Error::custom(format!("'{shown}' is not a number: {}", error.reason))
        })
    }
}

/// Reads a JSON file into a type made of structs, vectors and [`Number`]s.
///
/// # Errors
/// [`DataError`]: the file cannot be read, or line and column of what does not fit, in words.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, DataError> {
    let file = path.display().to_string();
    let content = std::fs::read(path).map_err(|error| DataError::unreadable(&file, &error))?;
    serde_json::from_slice(&content).map_err(|error| {
        let text = error.to_string();
        // serde_json ends its message with the place; it comes first here, as in all our messages.
        let reason = text.split(" at line ").next().unwrap_or(&text);
        DataError::header(&file, format!("line {}, column {}: {reason}", error.line(), error.column()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Number, read_json};
    use numeric::Rational;
    use std::io::Write;

    fn read(text: &str) -> Result<Vec<Number>, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read_json(file.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_exact() {
        let numbers = read(r#"[0.1, "1/3", -2e-3, 12345678901234567890123, "0.25"]"#).unwrap();
        let expected =
            [Rational::new(1, 10), Rational::new(1, 3), Rational::new(-1, 500), "12345678901234567890123".parse().unwrap(), Rational::new(1, 4)];
        assert_eq!(numbers, expected.map(Number));
    }

    #[test]
    fn faults_have_a_place() {
        for (text, says) in [
            ("[1,\n 2,\n nan]", "line 3"),
            (r#"["x/2"]"#, "'x/2' is not a number"),
            (r#"["1/0"]"#, "denominator is zero"),
            ("[1e10001]", "beyond"),
            ("[[1]]", "'[1]' is not a number"),
            ("[null]", "'null' is not a number"),
            ("[1, 2", "line 1"),
            ("", "line 1, column 0"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}
