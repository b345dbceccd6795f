//! Input files read as a whole. Pipes, devices and files above the limit are errors; standard input has the same limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Largest input read as a whole.
const MAX_BYTES: u64 = 256 << 20;

/// Opens a regular file.
///
/// # Errors
/// If it cannot be read, or is too long.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // Checked before opening, which would wait for a pipe's writer.
    let found = fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        return Err(io::Error::other(
            "not a regular file but a pipe or a device; write it into a file first",
        ));
    }
    File::open(path)
}

/// # Errors
/// If it cannot be read, or is too long.
pub fn bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read(open(path)?, &mut bytes)?;
    Ok(bytes)
}

/// # Errors
/// If it cannot be read, or is too long.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    utf8(bytes(path)?)
}

/// # Errors
/// If it cannot be read, or is too long.
pub fn standard_input() -> io::Result<String> {
    utf8(standard_input_bytes()?)
}

/// The bytes of standard input.
///
/// # Errors
/// When it cannot be read, or is too long.
pub fn standard_input_bytes() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read(io::stdin().lock(), &mut bytes)?;
    Ok(bytes)
}

fn read(from: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let read = from.take(MAX_BYTES + 1).read_to_end(bytes)?;
    if read as u64 > MAX_BYTES {
        let what = format!("more than {} MiB, which is the most that is read", MAX_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(())
}

fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bounded_text_in_a_regular_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "anna\n").unwrap();
        assert_eq!(text(&path).unwrap(), "anna\n");
        fs::write(&path, b"anna\xff").unwrap();
        assert!(text(&path).unwrap_err().to_string().contains("byte 4"));
        File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(bytes(&path).unwrap_err().to_string().contains("256 MiB"));
        #[cfg(unix)]
        assert!(text("/dev/zero").unwrap_err().to_string().contains("not a regular file"));
    }
}
