//! The only readers of input files: .npy, .npz, .safetensors, .csv, .txt, .json, and standard input as text.
//!
//! Text is read exactly as written (decimals and p/q); binary files hold what their bits say, and are read in place, chunk by chunk, so that a
//! program's memory does not grow with them.

mod binary;
mod error;
mod json;
mod npy;
mod npz;
mod safetensors;
mod text;

pub use binary::{Binary, Element, Scratch, Tensor};
pub use error::DataError;
pub use json::{Number, read_json};
pub use text::{Text, read_columns, read_text};

use std::path::Path;

/// An opened input.
pub enum Input {
    /// Arrays of floats in a file.
    Binary(Binary),
    /// Rows of exact numbers.
    Text(Text),
}

/// Opens a file by its extension: .npy, .npz, .safetensors, .csv or .txt.
///
/// # Errors
/// [`DataError`], naming the file and the place in it.
pub fn open(path: &Path) -> Result<Input, DataError> {
    let file = path.display().to_string();
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("npy") => npy::open(path).map(Input::Binary),
        Some("npz") => npz::open(path).map(Input::Binary),
        Some("safetensors") => safetensors::open(path).map(Input::Binary),
        Some("csv") => {
            let content = std::fs::read(path).map_err(|error| DataError::unreadable(&file, &error))?;
            text::read_csv(&file, &content).map(Input::Text)
        }
        Some("txt") => {
            let content = std::fs::read(path).map_err(|error| DataError::unreadable(&file, &error))?;
            text::read_text(&file, &content).map(Input::Text)
        }
        other => Err(DataError::Kind { file, extension: other.unwrap_or("none").to_owned() }),
    }
}

/// The names closest to what was typed, best first, at most three.
#[must_use]
pub fn nearest(typed: &str, names: impl IntoIterator<Item = String>) -> Vec<String> {
    // The second one sees a swap of two letters at the front, which the first does not.
    let score = |name: &str| strsim::jaro_winkler(typed, name).max(strsim::normalized_damerau_levenshtein(typed, name));
    let mut scored: Vec<(f64, String)> = names.into_iter().map(|name| (score(&name), name)).filter(|(score, _)| *score > 0.6).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}
