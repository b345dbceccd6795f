//! A block: about 8 MiB of text of one source, whole lines only, with the place of every row in it. Blocks are
//! what the reading thread hands to the parsing threads; where they are cut depends on the text alone, never
//! on the number of threads or on how many bytes a read happened to give.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::row::Columns;

/// A block begins after the end of the one before and holds at least this many bytes, to the next line end
/// (the last block of a source holds what is left).
pub const BLOCK_BYTES: usize = 8 << 20;

/// A row longer than this (16 MiB) is rejected unread. The longest real row has some 60 kB.
pub const MAX_ROW_BYTES: usize = 16 << 20;

/// A field longer than this (4 KiB), other than the moves and the server's log, rejects its row. The longest real one has some
/// 60 bytes.
pub const MAX_FIELD_BYTES: usize = 4 << 10;

/// Of a row that is too long, and of a bad header, only so many bytes are kept as evidence.
pub const EVIDENCE_BYTES: usize = 1024;

/// One source: a text file, or one member of a packed file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceInfo {
    /// The name that stands in the dataset: the file's name below the folder that was given (with `/`), and for a
    /// member of a packed file `outer.tgz!member.txt`.
    pub name: String,
    /// The file on disk, as it was named.
    pub path: PathBuf,
    /// Which source of this reading it is, from 0, in order of reading.
    pub ordinal: u32,
}

/// BLAKE3 digest of the text of a source (of a packed one: of the text inside).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceDigest(pub [u8; 32]);

impl SourceDigest {
    /// From 64 hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<SourceDigest> {
        blake3::Hash::from_hex(text).ok().map(|hash| SourceDigest(*hash.as_bytes()))
    }
}

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

/// Why a row is not stored. Structural reasons only: whatever can be read as a row of an own id is stored,
/// if need be with flags.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    /// The row has more or fewer columns than the header.
    #[error("{found} columns where the header has {expected}")]
    ColumnCount {
        /// Columns in the row.
        found: u32,
        /// Columns in the header.
        expected: u32,
    },
    /// The id is no whole number from 0 to 2^64 − 1.
    #[error("the id `{found}` is no number")]
    UnreadableId {
        /// What stands there (its beginning, where it is long).
        found: String,
    },
    /// The header line came again, as when files were joined.
    #[error("the header line again, not a game")]
    RepeatedHeader,
    /// The row is longer than [`MAX_ROW_BYTES`].
    #[error("{bytes} bytes long; a row has at most {MAX_ROW_BYTES}")]
    TooLong {
        /// Its length without the line end.
        bytes: u64,
    },
    /// A field is longer than [`MAX_FIELD_BYTES`].
    #[error("`{column}` has {bytes} bytes; a field has at most {MAX_FIELD_BYTES}")]
    FieldTooLong {
        column: &'static str,
        /// The length of the field.
        bytes: u64,
    },
    /// The source broke off in this row.
    #[error("the source broke off in this row: {why}")]
    CutOff {
        /// What the reading reported.
        why: String,
    },
}

impl RejectReason {
    /// A short stable word for the kind, in `snake_case`.
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

/// What the reading thread decided about a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowStatus {
    /// The first row with this id: to be parsed and stored.
    New {
        /// The game's id.
        id: u64,
    },
    /// A row with this id came before, in file order. Whether it says the same is told by comparing
    /// [`Block::row_digest`] with that of the first one.
    Duplicate {
        /// The game's id.
        id: u64,
    },
    /// Not stored, and why.
    Rejected(Box<RejectReason>),
}

/// Where one row stands in its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRef {
    /// Offset of its first byte in the block's text.
    pub start: u32,
    /// Its length in the block's text, without the line end (of a row that is too long: of the beginning that was kept).
    pub len: u32,
    /// Offset of its first byte in the source.
    pub byte_offset: u64,
    /// Line number in the source, from 1; the header is line 1.
    pub line: u64,
    /// What is to be done with it.
    pub status: RowStatus,
}

/// About 8 MiB of one source: whole rows, and where they are.
#[derive(Debug)]
pub struct Block {
    pub source: Arc<SourceInfo>,
    /// Which column stands where, from the source's header.
    pub columns: Arc<Columns>,
    /// Number of the block in its source, from 0.
    pub index: u32,
    /// Offset of the block's first byte in the source.
    pub first_offset: u64,
    pub text: Vec<u8>,
    /// The rows, in file order. Blank lines are no rows.
    pub rows: Vec<RowRef>,
    /// Where the buffer goes when the block is dropped.
    pub(crate) pool: Option<Arc<Pool>>,
}

impl Block {
    /// The bytes of one row, without its line end.
    #[must_use]
    pub fn row_text(&self, row: &RowRef) -> &[u8] {
        let start = row.start as usize;
        self.text.get(start..start + row.len as usize).unwrap_or_default()
    }

    /// Digest of a row's content: BLAKE3 over its 29 fields in their canonical order, joined by tabs, cut to 16
    /// bytes. It depends neither on the order of the columns in the file nor on further columns. Rows that are not
    /// made of the header's columns are digested as they stand.
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

/// Buffers of dropped blocks, to be used again.
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
