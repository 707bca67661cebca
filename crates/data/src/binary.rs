//! Arrays of floats in a file, read in place.

use crate::DataError;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};
use half::{bf16, f16};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE half precision.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl Element {
    /// Bytes an element.
    #[must_use]
    pub fn size(self) -> u64 {
        match self {
            Element::F16 | Element::BF16 => 2,
            Element::F32 => 4,
            Element::F64 => 8,
        }
    }
}

/// One array.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name; empty in a .npy file.
    pub name: String,
    /// Its shape, row-major.
    pub shape: Vec<u64>,
    /// Its elements' type.
    pub element: Element,
    /// Elements in it.
    pub len: u64,
    /// Where it starts in the file.
    offset: u64,
}

impl Tensor {
    pub(crate) fn new(name: String, shape: Vec<u64>, element: Element, len: u64, offset: u64) -> Tensor {
        Tensor { name, shape, element, len, offset }
    }

    /// The part of the tensor from element `start` on, `len` elements long, as a tensor of its own.
    #[must_use]
    pub fn slice(&self, start: u64, len: u64, name: String) -> Tensor {
        Tensor { name, shape: vec![len], element: self.element, len, offset: self.offset + start * self.element.size() }
    }
}

/// Memory that readings of narrower elements use again.
#[derive(Default)]
pub struct Scratch {
    halves: Vec<u16>,
    singles: Vec<f32>,
}

/// Opens a file that must not be empty: its name for messages, the file, its length.
pub(crate) fn open_file(path: &Path) -> Result<(String, File, u64), DataError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| DataError::unreadable(&name, &error))?;
    let length = file.metadata().map_err(|error| DataError::unreadable(&name, &error))?.len();
    if length == 0 { Err(DataError::Empty { file: name }) } else { Ok((name, file, length)) }
}

/// A file of arrays.
pub struct Binary {
    name: String,
    file: File,
    /// The arrays of floats, in the file's order.
    pub tensors: Vec<Tensor>,
    /// Arrays of other types, which are not read: name and type.
    pub skipped: Vec<(String, String)>,
}

impl Binary {
    pub(crate) fn new(path: &Path, file: File, tensors: Vec<Tensor>, skipped: Vec<(String, String)>) -> Binary {
        Binary { name: path.display().to_string(), file, tensors, skipped }
    }

    /// The file's name, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tensor of this name.
    ///
    /// # Errors
    /// [`DataError::UnknownTensor`] with the closest names.
    pub fn tensor(&self, name: &str) -> Result<&Tensor, DataError> {
        self.tensors.iter().find(|tensor| tensor.name == name).ok_or_else(|| DataError::UnknownTensor {
            file: self.name.clone(),
            name: name.to_owned(),
            nearest: crate::nearest(name, self.tensors.iter().map(|tensor| tensor.name.clone())),
        })
    }

    /// Reads the elements of a range into `out` as single-precision floats, exactly. Not for [`Element::F64`].
    ///
    /// # Errors
    /// [`DataError::Unreadable`] when the file cannot be read (or has shrunk), or for double-precision elements.
    pub fn read_f32(&self, tensor: &Tensor, range: Range<u64>, out: &mut Vec<f32>, scratch: &mut Scratch) -> Result<(), DataError> {
        let count = (range.end - range.start) as usize;
        out.resize(count, 0.0);
        match tensor.element {
            Element::F32 => {
                self.read_bytes(tensor, range, bytemuck::cast_slice_mut(out))?;
                if cfg!(target_endian = "big") {
                    out.iter_mut().for_each(|value| *value = f32::from_bits(value.to_bits().swap_bytes()));
                }
            }
            Element::F16 | Element::BF16 => {
                let bits = &mut scratch.halves;
                bits.resize(count, 0);
                self.read_bytes(tensor, range, bytemuck::cast_slice_mut(bits))?;
                if cfg!(target_endian = "big") {
                    bits.iter_mut().for_each(|bits| *bits = bits.swap_bytes());
                }
                if tensor.element == Element::BF16 {
                    bits.reinterpret_cast::<bf16>().convert_to_f32_slice(out);
                } else {
                    bits.reinterpret_cast::<f16>().convert_to_f32_slice(out);
                }
            }
            Element::F64 => {
                return Err(DataError::Unreadable { file: self.name.clone(), reason: "double-precision elements read as single".to_owned() });
            }
        }
        Ok(())
    }

    /// Reads the elements of a range into `out` as double-precision floats, exactly, whatever their type.
    ///
    /// # Errors
    /// [`DataError::Unreadable`] when the file cannot be read (or has shrunk).
    pub fn read_f64(&self, tensor: &Tensor, range: Range<u64>, out: &mut Vec<f64>, scratch: &mut Scratch) -> Result<(), DataError> {
        if tensor.element != Element::F64 {
            let mut singles = std::mem::take(&mut scratch.singles);
            let read = self.read_f32(tensor, range, &mut singles, scratch);
            out.clear();
            out.extend(singles.iter().copied().map(f64::from));
            scratch.singles = singles;
            return read;
        }
        out.resize((range.end - range.start) as usize, 0.0);
        self.read_bytes(tensor, range, bytemuck::cast_slice_mut(out))?;
        if cfg!(target_endian = "big") {
            out.iter_mut().for_each(|value| *value = f64::from_bits(value.to_bits().swap_bytes()));
        }
        Ok(())
    }

    fn read_bytes(&self, tensor: &Tensor, range: Range<u64>, bytes: &mut [u8]) -> Result<(), DataError> {
        let offset = tensor.offset + range.start * tensor.element.size();
        read_at(&self.file, bytes, offset).map_err(|error| DataError::unreadable(&self.name, &error))
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(not(unix))]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    // A handle of its own, so that readers side by side do not move each other's position.
    let mut own = file.try_clone()?;
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    own.seek(SeekFrom::Start(offset))?;
    own.read_exact(bytes)
}
