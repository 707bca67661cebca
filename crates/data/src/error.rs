//! What can be wrong with an input file: always one line that names the place.

/// Bad input.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be opened or read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's words.
        reason: String,
    },
    /// The extension says no known format.
    #[error("{file}: extension '{extension}' is none of npy, npz, safetensors, csv, txt")]
    Kind {
        /// The file.
        file: String,
        /// Its extension.
        extension: String,
    },
    /// There are no numbers in it.
    #[error("{file}: no numbers in it")]
    Empty {
        /// The file (and tensor).
        file: String,
    },
    /// A header that does not say what the format demands, or not what the file's length allows.
    #[error("{file}: {reason}")]
    Header {
        /// The file.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// A field that is not a number.
    #[error("{file}: line {line}, column {column}: '{text}' is not a number: {reason}")]
    Field {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Character in the line, from 1 (in .csv: the field, from 1).
        column: usize,
        /// The field (its first 40 characters).
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A NaN or an infinity.
    #[error("{file}: index {index} is {value}, not a finite number")]
    NotFinite {
        /// The file (and tensor).
        file: String,
        /// Flat index, from 0.
        index: u64,
        /// What stands there.
        value: String,
    },
    /// No such tensor.
    #[error("{file}: no tensor '{name}'{}", suggestion(.nearest))]
    UnknownTensor {
        /// The file.
        file: String,
        /// What was asked for.
        name: String,
        /// The closest names.
        nearest: Vec<String>,
    },
}

fn suggestion(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(", ")) }
}

impl DataError {
    /// From an input error of the system.
    pub(crate) fn unreadable(file: &str, error: &std::io::Error) -> DataError {
        DataError::Unreadable { file: file.to_owned(), reason: error.to_string() }
    }

    /// A header's fault.
    pub(crate) fn header(file: &str, reason: impl Into<String>) -> DataError {
        DataError::Header { file: file.to_owned(), reason: reason.into() }
    }
}
