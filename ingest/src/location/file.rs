//! One file of a dataset, on this machine or in a store. Of a file in a store only ranges are requested.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf as _, Bytes, BytesMut};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::objects::Objects;

/// Bytes of a request: many small requests cost more than some bytes too many.
const BLOCK: u64 = 1 << 20;

/// Blocks that a reader keeps: one for each column that is read, and some more.
const KEPT: usize = 32;

#[derive(Debug, Clone)]
pub enum TableFile {
    Local(PathBuf),
    Remote(RemoteFile),
}

#[derive(Debug, Clone)]
pub struct RemoteFile {
    store: Arc<dyn ObjectStore>,
    /// For messages.
    name: PathBuf,
    pub object: Path,
    /// Its size in bytes.
    pub bytes: u64,
    /// The bytes of its footer and page index.
    pub tail: u64,
}

impl TableFile {
    pub(super) fn remote(
        objects: &Objects,
        store: Arc<dyn ObjectStore>,
        object: &str,
        bytes: u64,
        tail: u64,
    ) -> TableFile {
        let name = objects.named(object).into();
        TableFile::Remote(RemoteFile { store, name, object: objects.path(object), bytes, tail })
    }

    /// Its path or address.
    #[must_use]
    pub fn name(&self) -> &FilePath {
        match self {
            TableFile::Local(path) => path,
            TableFile::Remote(file) => &file.name,
        }
    }

    /// Opens it for one reader.
    ///
    /// # Errors
    /// If a file of this machine cannot be opened; one in a store is requested when it is read.
    pub fn open(&self) -> io::Result<TableReader> {
        match self {
            TableFile::Local(path) => Ok(TableReader::Local(File::open(path)?)),
            TableFile::Remote(file) => {
                Ok(TableReader::Remote(Ranges { file: file.clone(), kept: Mutex::default() }))
            }
        }
    }
}

impl PartialEq for TableFile {
    fn eq(&self, other: &TableFile) -> bool {
        self.name() == other.name()
    }
}

impl Eq for TableFile {}

pub enum TableReader {
    Local(File),
    Remote(Ranges),
}

impl Length for TableReader {
    fn len(&self) -> u64 {
        match self {
            TableReader::Local(file) => Length::len(file),
            TableReader::Remote(ranges) => ranges.file.bytes,
        }
    }
}

impl ChunkReader for TableReader {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        match self {
            TableReader::Local(file) => Ok(Box::new(file.get_read(start)?)),
            // A page and its header are far smaller than a block.
            TableReader::Remote(ranges) => {
                let length = BLOCK.min(ranges.file.bytes.saturating_sub(start));
                Ok(Box::new(ranges.range(start, length)?.reader()))
            }
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        match self {
            TableReader::Local(file) => file.get_bytes(start, length),
            TableReader::Remote(ranges) => ranges.range(start, length as u64),
        }
    }
}

/// A file in a store, read in blocks of which the last ones are kept.
pub struct Ranges {
    file: RemoteFile,
    kept: Mutex<VecDeque<(u64, Bytes)>>,
}

impl Ranges {
    fn range(&self, start: u64, length: u64) -> ParquetResult<Bytes> {
        let end = start.checked_add(length).filter(|end| *end <= self.file.bytes);
        let end =
            end.ok_or_else(|| ParquetError::EOF(format!("{} ends earlier", self.file.name.display())))?;
        // The tail is one request, which the store may have answered before.
        if start >= self.file.bytes.saturating_sub(self.file.tail) {
            return self.request(start, end);
        }
        let mut out = BytesMut::with_capacity(usize::try_from(length).unwrap_or_default());
        for block in start / BLOCK..=end.saturating_sub(1) / BLOCK {
            let content = self.block(block)?;
            let from = start.max(block * BLOCK) - block * BLOCK;
            let to = end.min((block + 1) * BLOCK) - block * BLOCK;
            let (from, to) = (usize::try_from(from), usize::try_from(to));
            let part = from.ok().zip(to.ok()).and_then(|(from, to)| content.get(from..to));
            let part =
                part.ok_or_else(|| ParquetError::EOF(format!("{} ends earlier", self.file.name.display())))?;
            if start.max(block * BLOCK) == start && end <= (block + 1) * BLOCK {
                return Ok(content.slice_ref(part));
            }
            out.extend_from_slice(part);
        }
        Ok(out.freeze())
    }

    fn block(&self, number: u64) -> ParquetResult<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.iter().position(|(known, _)| *known == number)
            && let Some(found) = kept.remove(place)
        {
            kept.push_back(found.clone());
            return Ok(found.1);
        }
        let content = self.request(number * BLOCK, ((number + 1) * BLOCK).min(self.file.bytes))?;
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((number, content.clone()));
        Ok(content)
    }

    fn request(&self, start: u64, end: u64) -> ParquetResult<Bytes> {
        let external = |error: Box<dyn std::error::Error + Send + Sync>| ParquetError::External(error);
        let asked = self.file.store.get_range(&self.file.object, start..end);
        Objects::wait(asked).map_err(|error| external(error.into()))?.map_err(|error| external(error.into()))
    }
}
