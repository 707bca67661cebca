//! The .npz format: a ZIP archive of .npy files. Stored members are read in place; compressed ones are first unpacked into a temporary file.

use crate::binary::{Binary, Tensor, open_file};
use crate::error::DataError;
use crate::npy;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive};

/// Most bytes that compressed members may unpack to together.
const MAX_UNPACKED: u64 = 1 << 36;

pub(crate) fn open(path: &Path) -> Result<Binary, DataError> {
    let (name, file, _) = open_file(path)?;
    let fail = |reason: String| DataError::header(&name, reason);
    let handle = file.try_clone().map_err(|error| DataError::unreadable(&name, &error))?;
    let mut archive = ZipArchive::new(handle).map_err(|error| fail(format!("not a ZIP archive: {error}")))?;
    let mut members = Vec::new();
    let mut stored = true;
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index).map_err(|error| fail(format!("member {index}: {error}")))?;
        let full = member.name().map_err(|error| fail(format!("member {index}: {error}")))?;
        let Some(array) = full.strip_suffix(".npy").map(str::to_owned) else { continue };
        stored &= member.compression() == CompressionMethod::Stored;
        let start = member.data_start().ok_or_else(|| fail(format!("'{array}': no place of its data")))?;
        members.push((index, array, start, member.size()));
    }
    let file = if stored { file } else { unpack(&mut archive, &mut members).map_err(fail)? };
    let mut tensors = Vec::new();
    let mut skipped = Vec::new();
    for (_, array, start, size) in members {
        let mut at = file.try_clone().map_err(|error| DataError::unreadable(&name, &error))?;
        at.seek(SeekFrom::Start(start)).map_err(|error| DataError::unreadable(&name, &error))?;
        let place = format!("{name}: {array}");
        match npy::header(&place, &mut at, start, size) {
            Ok((element, shape, len, offset)) => tensors.push(Tensor::new(array, shape, element, len, offset)),
            Err(npy::Fault::Type(kind)) => skipped.push((array, kind)),
            Err(npy::Fault::Bad(error)) => return Err(error),
        }
    }
    if tensors.is_empty() {
        return Err(DataError::Empty { file: name });
    }
    Ok(Binary::new(path, file, tensors, skipped))
}

type Member = (usize, String, u64, u64);

/// All members, one after the other, in a file that vanishes with its handle.
fn unpack(archive: &mut ZipArchive<File>, members: &mut [Member]) -> Result<File, String> {
    let mut out = tempfile::tempfile().map_err(|error| format!("no temporary file: {error}"))?;
    let mut position = 0;
    for (index, array, start, size) in members {
        let member = archive.by_index(*index).map_err(|error| format!("'{array}': {error}"))?;
        // One byte more than announced would be read, so that a false size shows.
        let room = (*size + 1).min(MAX_UNPACKED.saturating_sub(position));
        let copied = std::io::copy(&mut std::io::Read::take(member, room), &mut out).map_err(|error| format!("'{array}': {error}"))?;
        if copied != *size {
            return Err(format!("'{array}' unpacks to {copied} bytes or more, not to the {size} it announces"));
        }
        (*start, position) = (position, position + copied);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{CompressionMethod, open};
    use crate::Scratch;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dictionary.len() as u16).to_le_bytes());
        bytes.extend(dictionary.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn archive(method: CompressionMethod, members: &[(&str, Vec<u8>)]) -> tempfile::TempPath {
        let file = tempfile::Builder::new().suffix(".npz").tempfile().unwrap();
        let mut writer = ZipWriter::new(file.reopen().unwrap());
        for (name, bytes) in members {
            writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
        file.into_temp_path()
    }

    #[test]
    fn stored_and_compressed_archives_read_alike() {
        let data: Vec<u8> = [1.5_f64, -2.0, 0.25, 3.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        let single: Vec<u8> = [0.5_f32, 7.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        let members = [("g.npy", npy("<f8", "(2, 2)", &data)), ("names.npy", npy("<U1", "(1,)", b"a\0\0\0")), ("q.npy", npy("<f4", "(2,)", &single))];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let path = archive(method, &members);
            let binary = open(&path).unwrap();
            assert_eq!(binary.skipped, [("names".to_owned(), "<U1".to_owned())]);
            let (mut out, mut scratch) = (Vec::new(), Scratch::default());
            let g = binary.tensor("g").unwrap();
            assert_eq!(g.shape, [2, 2]);
            binary.read_f64(g, 1..4, &mut out, &mut scratch).unwrap();
            assert_eq!(out, [-2.0, 0.25, 3.0]);
            binary.read_f64(binary.tensor("q").unwrap(), 0..2, &mut out, &mut scratch).unwrap();
            assert_eq!(out, [0.5, 7.0]);
        }
    }

    #[test]
    fn faults_name_the_array() {
        let short = archive(CompressionMethod::Stored, &[("g.npy", npy("<f8", "(3,)", &[0; 8]))]);
        assert!(open(&short).err().unwrap().to_string().contains("g: shape [3] asks for 3 elements"));
        let none = archive(CompressionMethod::Stored, &[("readme.txt", b"hello".to_vec())]);
        assert!(open(&none).err().unwrap().to_string().contains("no numbers"));
        let mut file = tempfile::Builder::new().suffix(".npz").tempfile().unwrap();
        file.write_all(b"PK no archive").unwrap();
        assert!(open(file.path()).err().unwrap().to_string().contains("not a ZIP archive"));
    }
}
