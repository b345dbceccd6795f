//! `.npz`: a zip of `.npy` files, each a short header and plain numbers. The same rows give the same bytes: entries
//! have the earliest zip date.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use super::arrays::Array;

/// Planes are mostly zeros: higher levels save little.
const LEVEL: i64 = 1;

/// Entries from this size on have 64-bit sizes.
const LARGE: u64 = 1 << 31;

pub(super) fn write(arrays: &[Array], path: &Path, plain: bool) -> io::Result<()> {
    let mut zip = ZipWriter::new(BufWriter::with_capacity(1 << 18, File::create(path)?));
    let options = match plain {
        true => SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
        false => SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL)),
    };
    for array in arrays {
        let options = options.last_modified_time(DateTime::default()).large_file(array.bytes() >= LARGE);
        zip.start_file(format!("{}.npy", array.column.name), options)?;
        let mut buffered = BufWriter::with_capacity(1 << 18, &mut zip);
        buffered.write_all(&header(descr(array), &array.shape()))?;
        array.copy(&mut buffered)?;
        buffered.flush()?;
    }
    zip.finish()?.flush()
}

/// In `.npy`.
fn descr(array: &Array) -> &'static str {
    match array.column.kind.number_type() {
        "bool" => "|b1",
        "int8" => "|i1",
        "uint16" => "<u2",
        "int16" => "<i2",
        "uint32" => "<u4",
        "uint64" => "<u8",
        _ => "|u1",
    }
}

/// A `.npy` 1.0 header: a Python dictionary, padded so that numbers begin at a multiple of 64 bytes.
fn header(descr: &str, shape: &[usize]) -> Vec<u8> {
    let shape = match shape {
        [rows] => format!("({rows},)"),
        many => format!("({})", many.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let before = b"\x93NUMPY\x01\x00".len() + 2;
    let end = (before + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', end - before - text.len() - 1));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    // At most four numbers: the text is far below 16 bits.
    header.extend_from_slice(&(text.len() as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_multiple_of_64_bytes_and_ends_its_line() {
        for rows in [1, 10, 3_977_256, 123_456_789_012] {
            for shape in [vec![rows], vec![rows, 6, 8, 8]] {
                let header = header("|i1", &shape);
                assert_eq!(header.len() % 64, 0);
                assert_eq!(header.last(), Some(&b'\n'));
                let length = usize::from(u16::from_le_bytes([header[8], header[9]]));
                assert_eq!(length + 10, header.len());
            }
        }
        let text = String::from_utf8_lossy(&header("<u2", &[7])[10..]).into_owned();
        assert_eq!(text.trim_end(), "{'descr': '<u2', 'fortran_order': False, 'shape': (7,), }");
    }
}
