//! Members of a zip file by its directory, which the `zip` crate reads. Members are unpacked here, as independent
//! streams.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use ::zip::{CompressionMethod, ZipArchive};
use flate2::Crc;

use super::meter::{Metered, Progress, Stream, Unpacked};

pub(super) struct Zip {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    next: usize,
    /// Bytes of the file that are not those of an earlier member. Members that share bytes would make any size of a
    /// small file.
    left: u64,
}

pub(super) struct ZipMember {
    pub name: String,
    pub content: io::Result<Stream>,
}

impl Zip {
    pub fn open(path: PathBuf) -> io::Result<Zip> {
        let file = File::open(&path)?;
        let left = file.metadata()?.len();
        let archive = ZipArchive::new(BufReader::new(file)).map_err(io::Error::other)?;
        Ok(Zip { path, archive, next: 0, left })
    }

    /// The next regular file.
    pub fn next_member(&mut self, progress: &Progress) -> Option<ZipMember> {
        loop {
            let index = self.next;
            if index >= self.archive.len() {
                return None;
            }
            self.next += 1;
            let name = self.archive.name_for_index(index).unwrap_or("?").to_owned();
            let member = match self.archive.by_index_raw(index) {
                Ok(member) => member,
                Err(error) => {
                    return Some(ZipMember { name, content: Err(io::Error::other(error)) });
                }
            };
            if member.is_dir() || member.is_symlink() {
                continue;
            }
            let (method, encrypted) = (member.compression(), member.encrypted());
            let (start, packed, crc) = (member.data_start(), member.compressed_size(), member.crc32());
            drop(member);
            let content = match (start, self.left.checked_sub(packed)) {
                _ if encrypted => Err(io::Error::other("it is encrypted")),
                (None, _) => Err(io::Error::other("the zip file does not say where it begins")),
                (_, None) => {
                    Err(io::Error::other("the members together are larger than the file: they share bytes"))
                }
                (Some(start), Some(left)) => {
                    self.left = left;
                    self.content(start, packed, method, crc, progress)
                }
            };
            return Some(ZipMember { name, content });
        }
    }

    fn content(
        &self,
        start: u64,
        packed: u64,
        method: CompressionMethod,
        crc: u32,
        progress: &Progress,
    ) -> io::Result<Stream> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(start))?;
        let packed = Metered { inner: file.take(packed), progress: progress.clone() };
        let check = |inner: Stream| Box::new(Checked { inner, sum: Crc::new(), expected: crc });
        match method {
            CompressionMethod::Stored => Ok(check(Box::new(packed))),
            CompressionMethod::Deflated => {
                let buffered = BufReader::with_capacity(64 << 10, packed);
                let decoder = flate2::bufread::DeflateDecoder::new(buffered);
                Ok(check(Box::new(Unpacked::new(decoder, progress))))
            }
            other => Err(io::Error::other(format!("it is packed by {other}; only deflate is read"))),
        }
    }
}

/// Verifies a member's checksum at its end.
struct Checked {
    inner: Stream,
    sum: Crc,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.sum.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.sum.sum() != self.expected {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "its checksum is not the one that the zip file states: some of it is damaged",
            ));
        }
        Ok(read)
    }
}
