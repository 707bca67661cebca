//! The .safetensors format: the length of a JSON header, the header, raw data. The header is parsed and validated by the format's own crate.

use crate::binary::{Binary, Element, Tensor, open_file};
use crate::error::DataError;
use safetensors::Dtype;
use safetensors::tensor::Metadata;
use std::io::Read;
use std::path::Path;

/// The format's own limit.
const MAX_HEADER: u64 = 100_000_000;

pub(crate) fn open(path: &Path) -> Result<Binary, DataError> {
    let (name, mut file, length) = open_file(path)?;
    let unreadable = |error: &std::io::Error| DataError::unreadable(&name, error);
    if length < 8 {
        return Err(DataError::header(&name, format!("{length} bytes are too few for a .safetensors header")));
    }
    let mut prefix = [0_u8; 8];
    file.read_exact(&mut prefix).map_err(|error| unreadable(&error))?;
    let header_length = u64::from_le_bytes(prefix);
    if header_length > MAX_HEADER || header_length > length - 8 {
        return Err(DataError::header(&name, format!("the header claims {header_length} bytes; the file has {} after the length", length - 8)));
    }
    let mut header = vec![0_u8; header_length as usize];
    file.read_exact(&mut header).map_err(|error| unreadable(&error))?;
    let metadata: Metadata =
        serde_json::from_slice(&header).map_err(|error| DataError::header(&name, format!("the header is corrupted: {error}")))?;
    let offset = 8 + header_length;
    let data = length - offset;
    if metadata.data_len() as u64 != data {
        return Err(DataError::header(&name, format!("the header describes {} bytes of data, but {data} follow", metadata.data_len())));
    }
    let mut tensors = Vec::new();
    let mut skipped = Vec::new();
    for key in metadata.offset_keys() {
        let Some(info) = metadata.info(&key) else { continue };
        let element = match info.dtype {
            Dtype::F16 => Element::F16,
            Dtype::BF16 => Element::BF16,
            Dtype::F32 => Element::F32,
            Dtype::F64 => Element::F64,
            other => {
                skipped.push((key, format!("{other:?}")));
                continue;
            }
        };
        let shape: Vec<u64> = info.shape.iter().map(|&side| side as u64).collect();
        // The crate has checked that the shape and the offsets agree.
        let len = (info.data_offsets.1 - info.data_offsets.0) as u64 / element.size();
        tensors.push(Tensor::new(key, shape, element, len, offset + info.data_offsets.0 as u64));
    }
    if tensors.iter().all(|tensor| tensor.len == 0) {
        return Err(DataError::Empty { file: name });
    }
    Ok(Binary::new(path, file, tensors, skipped))
}
