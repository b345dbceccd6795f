//! File output: buffered, digested, limited by a quota.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Buffer size.
const PIECE: usize = 512 << 10;

/// The remaining staged bytes, shared by all files of an ingest.
#[derive(Debug, Clone)]
pub struct Quota(Arc<AtomicU64>);

impl Quota {
    /// None is unlimited.
    #[must_use]
    pub fn new(bytes: Option<u64>) -> Quota {
        Quota(Arc::new(AtomicU64::new(bytes.unwrap_or(u64::MAX))))
    }

    fn take(&self, bytes: u64) -> io::Result<()> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        match taken {
            Ok(_) => Ok(()),
            Err(left) => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                format!("the limit for staged files leaves {left} bytes, {bytes} are needed"),
            )),
        }
    }
}

#[derive(Debug)]
pub struct Sink {
    file: File,
    path: PathBuf,
    piece: Vec<u8>,
    hasher: blake3::Hasher,
    bytes: u64,
    quota: Quota,
}

impl Sink {
    /// Creates or replaces a file.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn create(path: &Path, quota: &Quota) -> io::Result<Sink> {
        Ok(Sink {
            file: File::create(path)?,
            path: path.to_owned(),
            piece: Vec::with_capacity(PIECE),
            hasher: blake3::Hasher::new(),
            bytes: 0,
            quota: quota.clone(),
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
        self.quota.take(self.piece.len() as u64)?;
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
        let mut sink = Sink::create(&path, &Quota::new(None)).unwrap();
        for i in 0..200_000u32 {
            sink.write_all(&i.to_le_bytes()).unwrap();
        }
        let (_, bytes, digest) = sink.finish().unwrap();
        let content = std::fs::read(&path).unwrap();
        assert_eq!((bytes, content.len()), (800_000, 800_000));
        assert_eq!(digest, blake3::hash(&content).to_hex().to_string());
    }

    #[test]
    fn a_quota_is_shared_and_refuses_like_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let quota = Quota::new(Some(PIECE as u64 + 10));
        let mut one = Sink::create(&folder.path().join("1"), &quota).unwrap();
        let mut two = Sink::create(&folder.path().join("2"), &quota).unwrap();
        one.write_all(&vec![0; PIECE]).unwrap();
        one.finish().unwrap();
        two.write_all(&[0; 11]).unwrap();
        assert_eq!(two.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
