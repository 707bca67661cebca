//! The .npy format, versions 1 to 3: a fixed prefix, a Python dictionary, raw data.
//!
//! The dictionary is parsed by `py_literal`; what it may say is checked here, before anything is allocated by it.

use crate::binary::{Binary, Element, Tensor, open_file};
use crate::error::DataError;
use py_literal::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longest dictionary that is read; the library that writes the format stays far below.
const MAX_HEADER: usize = 1 << 16;

/// Why a header gives no array.
pub(crate) enum Fault {
    /// Elements of this type are not read.
    Type(String),
    /// Anything else.
    Bad(DataError),
}

pub(crate) fn open(path: &Path) -> Result<Binary, DataError> {
    let (name, mut file, length) = open_file(path)?;
    let (element, shape, len, offset) = header(&name, &mut file, 0, length).map_err(|fault| match fault {
        Fault::Type(kind) => DataError::header(&name, format!("elements of type '{kind}' are not floats; '<f2', '<f4' and '<f8' are read")),
        Fault::Bad(error) => error,
    })?;
    if len == 0 {
        return Err(DataError::Empty { file: name });
    }
    Ok(Binary::new(path, file, vec![Tensor::new(String::new(), shape, element, len, offset)], Vec::new()))
}

/// The header of an array that starts at `start` (where `file` stands) and is `length` bytes long with its data: element type, shape, number of elements, and
/// where the data start in the file.
pub(crate) fn header(name: &str, file: &mut File, start: u64, length: u64) -> Result<(Element, Vec<u64>, u64, u64), Fault> {
    let unreadable = |error: &std::io::Error| Fault::Bad(DataError::unreadable(name, error));
    let fail = |reason: String| Fault::Bad(DataError::header(name, reason));
    let mut prefix = [0_u8; 12];
    let got = read_up_to(file, &mut prefix).map_err(|error| unreadable(&error))?;
    if got < 10 || &prefix[..6] != b"\x93NUMPY" {
        return Err(fail("it does not start like a .npy file".to_owned()));
    }
    let (header_start, header_length) = match prefix[6] {
        1 => (10, usize::from(u16::from_le_bytes([prefix[8], prefix[9]]))),
        2 | 3 if got == 12 => (12, u32::from_le_bytes([prefix[8], prefix[9], prefix[10], prefix[11]]) as usize),
        version => return Err(fail(format!(".npy format version {version} is not known, or the header is cut off"))),
    };
    if header_length > MAX_HEADER {
        return Err(fail(format!("the header claims {header_length} bytes; more than {MAX_HEADER} are not read")));
    }
    let mut header = prefix[header_start.min(got)..got].to_vec();
    header.truncate(header_length);
    let have = header.len();
    header.resize(header_length, 0);
    let rest = read_up_to(file, &mut header[have..]).map_err(|error| unreadable(&error))?;
    if have + rest < header_length {
        return Err(fail(format!("the header is cut off: {} of {header_length} bytes", have + rest)));
    }
    let text = std::str::from_utf8(&header).map_err(|_| fail("the header is not text".to_owned()))?;
    let (element, shape) = interpret(text).map_err(|wrong| match wrong {
        Wrong::Type(kind) => Fault::Type(kind),
        Wrong::Said(reason) => fail(reason),
    })?;
    let offset = (header_start + header_length) as u64;
    let len = shape
        .iter()
        .try_fold(1_u64, |product, &side| product.checked_mul(side))
        .ok_or_else(|| fail(format!("shape {shape:?} has too many elements")))?;
    let bytes = len.checked_mul(element.size()).and_then(|bytes| bytes.checked_add(offset));
    if bytes != Some(length) {
        let data = length.saturating_sub(offset);
        return Err(fail(format!("shape {shape:?} asks for {len} elements of {} bytes, but {data} bytes of data follow the header", element.size())));
    }
    Ok((element, shape, len, start + offset))
}

/// Reads until the buffer is full or the file ends.
fn read_up_to(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// What is wrong with a dictionary.
enum Wrong {
    Type(String),
    Said(String),
}

impl From<String> for Wrong {
    fn from(reason: String) -> Wrong {
        Wrong::Said(reason)
    }
}

/// Element type and shape of the header's dictionary.
fn interpret(text: &str) -> Result<(Element, Vec<u64>), Wrong> {
    // A real header nests two deep; a bomb of brackets must not reach a recursive parser.
    if text.bytes().filter(|byte| matches!(byte, b'[' | b'(' | b'{')).count() > 64 {
        return Err("the header has more than 64 brackets".to_owned().into());
    }
    let value: Value = text.trim().parse().map_err(|_| "the header is not a Python dictionary".to_owned())?;
    let Value::Dict(entries) = value else { return Err("the header is not a Python dictionary".to_owned().into()) };
    let find = |key: &str| {
        let mut found = entries.iter().filter(|(name, _)| matches!(name, Value::String(text) if text == key)).map(|(_, value)| value);
        match (found.next(), found.next()) {
            (Some(value), None) => Ok(value),
            (None, _) => Err(format!("the header has no '{key}'")),
            _ => Err(format!("the header has '{key}' twice")),
        }
    };
    let element = match find("descr")? {
        Value::String(kind) => match kind.as_str() {
            "<f2" => Element::F16,
            "<f4" => Element::F32,
            "<f8" => Element::F64,
            kind if kind.starts_with('>') => {
                return Err(format!("big-endian data ('{kind}') are not read; save them with .astype('<f4') or '<f8'").into());
            }
            kind if kind.contains('O') => return Err("object arrays (pickled Python data) are not read".to_owned().into()),
            kind => return Err(Wrong::Type(kind.to_owned())),
        },
        _ => return Err("structured arrays are not read".to_owned().into()),
    };
    let shape = match find("shape")? {
        Value::Tuple(sides) => sides
            .iter()
            .map(|side| match side {
                Value::Integer(side) => u64::try_from(side).map_err(|_| format!("'{side}' is not a side of a shape")),
                other => Err(format!("'{other}' is not a side of a shape")),
            })
            .collect::<Result<Vec<u64>, String>>()?,
        _ => return Err("the shape is not a tuple".to_owned().into()),
    };
    match find("fortran_order")? {
        Value::Boolean(false) => {}
        // Fewer than two sides longer than 1: both orders are the same.
        Value::Boolean(true) if shape.iter().filter(|&&side| side > 1).count() < 2 => {}
        Value::Boolean(true) => return Err("the array is in Fortran order; save it with numpy.ascontiguousarray".to_owned().into()),
        _ => return Err("'fortran_order' is neither True nor False".to_owned().into()),
    }
    Ok((element, shape))
}
