//! Counts and limits the output of packed files. A few kilobytes that unpack to gigabytes are an attack or accident;
//! real archives pack about seven to one.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A packed file with a higher ratio is rejected after [`RATIO_FREE_BYTES`].
pub const MAX_RATIO: u64 = 200;

/// Below this, the ratio is not checked.
pub const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Most bytes of one unpacked stream.
pub const MAX_UNPACKED_BYTES: u64 = 64 << 30;

/// Most layers around a text (`.txt` in `.gz` in `.tar` in `.gz` has three).
pub const MAX_LAYERS: usize = 4;

/// Bytes read from disk, shared for display.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

pub(super) struct Metered<R> {
    pub inner: R,
    pub progress: Progress,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.progress.add(read as u64);
        Ok(read)
    }
}

/// Bytes at any depth.
pub(super) type Stream = Box<dyn Read + Send>;

/// Limits a decoder's output.
pub(super) struct Unpacked<R> {
    inner: R,
    out: u64,
    progress: Progress,
    packed_before: u64,
}

impl<R: Read> Unpacked<R> {
    pub fn new(inner: R, progress: &Progress) -> Unpacked<R> {
        Unpacked { inner, out: 0, packed_before: progress.bytes(), progress: progress.clone() }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.out += read as u64;
        if self.out > RATIO_FREE_BYTES {
            // Decoders read ahead; what an outer one buffers counts as read.
            let packed = self.progress.bytes().saturating_sub(self.packed_before) + (64 << 10);
            if self.out > packed.saturating_mul(MAX_RATIO) {
                return Err(io::Error::other(format!(
                    "unpacks to more than {MAX_RATIO} times its size ({} bytes out of {packed} so far), which no archive \
                     of games does; unpack it by hand if it is to be trusted",
                    self.out
                )));
            }
            if self.out > MAX_UNPACKED_BYTES {
                return Err(io::Error::other(format!(
                    "unpacks to more than {MAX_UNPACKED_BYTES} bytes; unpack it by hand and give the text"
                )));
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_grows_beyond_the_ratio_is_stopped_soon_after_the_free_bytes() {
        let progress = Progress::default();
        let mut unpacked = Unpacked::new(io::repeat(0), &progress);
        progress.add(1000);
        let mut buffer = vec![0; 1 << 20];
        let mut out = 0;
        let error = loop {
            match unpacked.read(&mut buffer) {
                Ok(read) => out += read as u64,
                Err(error) => break error,
            }
        };
        assert!((RATIO_FREE_BYTES..RATIO_FREE_BYTES + (1 << 20)).contains(&(out + 1)), "{out}");
        assert!(error.to_string().contains("200 times"), "{error}");
    }

    #[test]
    fn a_stream_within_the_ratio_flows_on() {
        let progress = Progress::default();
        let mut unpacked = Unpacked::new(io::repeat(0), &progress);
        let mut buffer = vec![0; 1 << 20];
        for _ in 0..300 {
            progress.add(6000);
            assert_eq!(unpacked.read(&mut buffer).unwrap(), buffer.len());
        }
    }
}
