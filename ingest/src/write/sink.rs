//! File output: buffered and digested.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Buffer size.
const PIECE: usize = 512 << 10;

#[derive(Debug)]
pub struct Sink {
    file: File,
    path: PathBuf,
    piece: Vec<u8>,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Sink {
    /// Creates or replaces a file.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn create(path: &Path) -> io::Result<Sink> {
        Ok(Sink {
            file: File::create(path)?,
            path: path.to_owned(),
            piece: Vec::with_capacity(PIECE),
            hasher: blake3::Hasher::new(),
            bytes: 0,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes; returns the file, its size, and its digest in hexadecimal.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn finish(mut self) -> io::Result<(File, u64, String)> {
        self.put_piece()?;
        Ok((self.file, self.bytes, self.hasher.finalize().to_hex().to_string()))
    }

    fn put_piece(&mut self) -> io::Result<()> {
        self.file.write_all(&self.piece)?;
        self.hasher.update(&self.piece);
        self.bytes += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() + bytes.len() > PIECE && !self.piece.is_empty() {
            self.put_piece()?;
        }
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Buffered until large enough, or the end.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut sink = Sink::create(&path).unwrap();
        for i in 0..200_000u32 {
            sink.write_all(&i.to_le_bytes()).unwrap();
        }
        let (_, bytes, digest) = sink.finish().unwrap();
        let content = std::fs::read(&path).unwrap();
        assert_eq!((bytes, content.len()), (800_000, 800_000));
        assert_eq!(digest, blake3::hash(&content).to_hex().to_string());
    }
}
