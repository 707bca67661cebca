//! Numbers as text, read exactly as written.

use crate::DataError;
use numeric::{ParseRationalError, Rational};

/// Rows of exact numbers; no row is empty.
#[derive(Clone, Debug)]
pub struct Text {
    /// The rows, with their line numbers from 1.
    pub rows: Vec<(usize, Vec<Rational>)>,
}

fn field_error(file: &str, line: usize, column: usize, text: &str, error: &ParseRationalError) -> DataError {
    DataError::Field { file: file.to_owned(), line, column, text: text.chars().take(40).collect(), reason: error.reason.to_owned() }
}

fn finish(file: &str, rows: Vec<(usize, Vec<Rational>)>) -> Result<Text, DataError> {
    if rows.is_empty() { Err(DataError::Empty { file: file.to_owned() }) } else { Ok(Text { rows }) }
}

/// Numbers separated by white space or commas; each line with numbers is a row.
///
/// # Errors
/// [`DataError::Field`] with line and column (the character in the line, from 1) of what is not a number; [`DataError::Empty`].
pub fn read_text(file: &str, content: &[u8]) -> Result<Text, DataError> {
    let mut rows = Vec::new();
    for (index, line) in content.split(|&byte| byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let mut row = Vec::new();
        let mut token = String::new();
        let mut start = 1;
        for (column, character) in (1..).zip(line.chars().chain(std::iter::once(' '))) {
            if character.is_whitespace() || character == ',' {
                if !token.is_empty() {
                    row.push(token.parse().map_err(|error| field_error(file, index + 1, start, &token, &error))?);
                    token.clear();
                }
            } else {
                if token.is_empty() {
                    start = column;
                }
                token.push(character);
            }
        }
        if !row.is_empty() {
            rows.push((index + 1, row));
        }
    }
    finish(file, rows)
}

/// Comma-separated values without a header line; fields may be quoted, lines may differ in length, empty lines are skipped.
///
/// # Errors
/// [`DataError::Field`] with line and field number; [`DataError::Header`] for broken quoting; [`DataError::Empty`].
pub fn read_csv(file: &str, content: &[u8]) -> Result<Text, DataError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(content);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| DataError::header(file, error.to_string()))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        let row: Vec<Rational> = record
            .iter()
            .enumerate()
            .map(|(index, field)| field.parse().map_err(|error| field_error(file, line, index + 1, field, &error)))
            .collect::<Result<_, DataError>>()?;
        if !row.is_empty() {
            rows.push((line, row));
        }
    }
    finish(file, rows)
}

/// The named columns of comma-separated values, in the order of `names`: found by the header line, or by position where the first line is numbers (then there
/// must be exactly as many columns). Each row comes with its line number.
///
/// # Errors
/// [`DataError::Header`] when a name is missing or a row is too short, [`DataError::Field`] for what is not a number, [`DataError::Empty`].
pub fn read_columns(file: &str, content: &[u8], names: &[&str]) -> Result<Text, DataError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(content);
    let mut columns: Option<Vec<usize>> = None;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| DataError::header(file, error.to_string()))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        let places = match &columns {
            Some(places) => places,
            None => {
                let numbers = record.iter().all(|field| field.parse::<Rational>().is_ok());
                if numbers && record.len() == names.len() {
                    columns.insert((0..names.len()).collect())
                } else {
                    let found: Option<Vec<usize>> = names.iter().map(|name| record.iter().position(|field| field == *name)).collect();
                    let Some(found) = found else {
                        let wanted = names.join(",");
                        return Err(DataError::header(file, format!("line {line} does not name the columns {wanted}")));
                    };
                    columns = Some(found);
                    continue;
                }
            }
        };
        let row = places
            .iter()
            .zip(names)
            .map(|(&place, name)| {
                let field = record.get(place).ok_or_else(|| DataError::header(file, format!("line {line} has no column {name}")))?;
                field.parse().map_err(|error| field_error(file, line, place + 1, field, &error))
            })
            .collect::<Result<Vec<Rational>, DataError>>()?;
        rows.push((line, row));
    }
    finish(file, rows)
}
