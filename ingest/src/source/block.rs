//! A block: about 8 MiB of whole lines of a source, with row positions. Block limits depend on the text alone.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::row::Columns;

/// A block has at least this many bytes, up to the next line end; the last one has the rest.
pub const BLOCK_BYTES: usize = 8 << 20;

/// A longer row (16 MiB) is rejected. The longest real one has some 60 kB.
pub const MAX_ROW_BYTES: usize = 16 << 20;

/// A longer field (4 KiB), except moves and server log, rejects its row. The longest real one has some 60 bytes.
pub const MAX_FIELD_BYTES: usize = 4 << 10;

/// Bytes kept of an overlong row or bad header.
pub const EVIDENCE_BYTES: usize = 1024;

/// A text file, or one member of a packed file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceInfo {
    /// In the dataset: the path below the given folder (with `/`), and for a member of a packed file
    /// `outer.tgz!member.txt`.
    pub name: String,
    /// On disk, as given.
    pub path: PathBuf,
    /// In reading order, from 0.
    pub ordinal: u32,
}

/// BLAKE3 of a source's text, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceDigest(pub [u8; 32]);

impl fmt::Display for SourceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for SourceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceDigest({self})")
    }
}

/// Why a row is not stored: structural reasons only. Any readable row with a new id is stored, perhaps with flags.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    #[error("{found} columns where the header has {expected}")]
    ColumnCount { found: u32, expected: u32 },
    /// The id is not an integer from 0 to 2^64 − 1.
    #[error("the id `{found}` is no number")]
    UnreadableId {
        /// Its beginning.
        found: String,
    },
    /// A second header line, as in joined files.
    #[error("the header line again, not a game")]
    RepeatedHeader,
    /// Longer than [`MAX_ROW_BYTES`].
    #[error("{bytes} bytes long; a row has at most {MAX_ROW_BYTES}")]
    TooLong {
        /// Without the line end.
        bytes: u64,
    },
    /// Longer than [`MAX_FIELD_BYTES`].
    #[error("`{column}` has {bytes} bytes; a field has at most {MAX_FIELD_BYTES}")]
    FieldTooLong { column: &'static str, bytes: u64 },
    /// The source ends in this row.
    #[error("the source broke off in this row: {why}")]
    CutOff {
        /// The error.
        why: String,
    },
}

impl RejectReason {
    /// Stable, in `snake_case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            RejectReason::ColumnCount { .. } => "column_count",
            RejectReason::UnreadableId { .. } => "unreadable_id",
            RejectReason::RepeatedHeader => "repeated_header",
            RejectReason::TooLong { .. } => "row_too_long",
            RejectReason::FieldTooLong { .. } => "field_too_long",
            RejectReason::CutOff { .. } => "cut_off",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowStatus {
    /// The first row with this id.
    New {
        id: u64,
    },
    /// A later row with this id. [`Block::row_digest`] shows whether it is the same.
    Duplicate {
        id: u64,
    },
    Rejected(Box<RejectReason>),
}

/// The position of a row in its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRef {
    /// In the block's text.
    pub start: u32,
    /// Without the line end; of an overlong row the kept beginning.
    pub len: u32,
    /// In the source.
    pub byte_offset: u64,
    /// In the source, from 1; the header is line 1.
    pub line: u64,
    pub status: RowStatus,
}

/// About 8 MiB of one source: whole rows with positions.
#[derive(Debug)]
pub struct Block {
    pub source: Arc<SourceInfo>,
    /// From the source's header.
    pub columns: Arc<Columns>,
    /// In its source, from 0.
    pub index: u32,
    pub text: Vec<u8>,
    /// In file order, without blank lines.
    pub rows: Vec<RowRef>,
    /// Receives the buffer when the block is dropped.
    pub(crate) pool: Option<Arc<Pool>>,
}

impl Block {
    /// Without line end.
    #[must_use]
    pub fn row_text(&self, row: &RowRef) -> &[u8] {
        let start = row.start as usize;
        self.text.get(start..start + row.len as usize).unwrap_or_default()
    }

    /// BLAKE3 over a row's 29 fields in canonical order, joined by tabs, truncated to 16 bytes: independent of column
    /// order and extra columns. Other rows are digested as they are.
    #[must_use]
    pub fn row_digest(&self, row: &RowRef) -> [u8; 16] {
        self.columns.row_digest(self.row_text(row))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.put(std::mem::take(&mut self.text));
        }
    }
}

/// Buffers of dropped blocks.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Vec<u8>>>);

impl Pool {
    const KEPT: usize = 16;

    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default()
    }

    fn put(&self, mut buffer: Vec<u8>) {
        if buffer.capacity() > 2 * BLOCK_BYTES {
            return;
        }
        if let Ok(mut spare) = self.0.lock()
            && spare.len() < Pool::KEPT
        {
            buffer.clear();
            spare.push(buffer);
        }
    }
}
