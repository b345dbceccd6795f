//! What the reader yields: blocks of a source in order, then its end with digest and counts; or, for what is no
//! archive text, the rejection of the whole source. Every source ends in exactly one [`Piece::End`] or
//! [`Piece::Rejected`].

use std::sync::Arc;

use super::block::{Block, SourceDigest, SourceInfo};
use super::games::FoundGames;
use crate::row::{Column, HeaderError};

/// One thing that the reader yields.
#[derive(Debug)]
pub enum Piece {
    /// The next block of the source that is being read.
    Block(Block),
    /// The next games of the game file that is being read.
    Games(FoundGames),
    /// A source is done: all its blocks came before.
    End(SourceEnd),
    /// A source holds no archive text (no block of it came before).
    Rejected(SourceRejected),
}

/// A source that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceEnd {
    pub source: Arc<SourceInfo>,
    /// BLAKE3 of its text (of as much as was read, when it is incomplete).
    pub digest: SourceDigest,
    /// Bytes of text.
    pub bytes: u64,
    /// Lines, the header included.
    pub lines: u64,
    /// Rows: what stands in its blocks, or the games of a game file.
    pub rows: u64,
    /// Why it could not be read to its end; none when it was.
    pub incomplete: Option<String>,
    /// Columns of the header that are none of the archive's: nothing of them is stored.
    pub other_columns: Vec<String>,
    /// Columns of the archive that the header lacks, and that a game can be read without.
    pub missing_columns: Vec<&'static str>,
}

/// A source of which nothing is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRejected {
    pub source: Arc<SourceInfo>,
    pub reason: SourceRejectReason,
}

/// Why a whole source is not stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceRejectReason {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It cannot be opened or read.
    #[error("cannot be read: {why}")]
    Unreadable { why: String },
    /// A kind of file that is not read.
    #[error("{what}; expected tab-separated text with a header, or that text in .gz, .tgz, .tar or .zip")]
    SomethingElse {
        /// What it looks like.
        what: String,
    },
    /// A header line that lacks columns.
    #[error("the header lacks {}: a game cannot be read without {}", list(missing), if missing.len() == 1 { "it" } else { "them" })]
    MissingColumns {
        /// The names of the missing columns, in canonical order.
        missing: Vec<&'static str>,
    },
    /// A header line that names a column twice.
    #[error("the header names `{column}` twice, so it is unclear which of the two is meant")]
    RepeatedColumn { column: &'static str },
    /// A packed file that is broken, unpacks to too much, or has too many layers.
    #[error("cannot be unpacked: {why}")]
    Packing { why: String },
}

impl SourceRejectReason {
    /// A short stable word for the kind, in `snake_case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            SourceRejectReason::Empty => "empty_source",
            SourceRejectReason::Unreadable { .. } => "unreadable_source",
            SourceRejectReason::SomethingElse { .. } => "something_else",
            SourceRejectReason::MissingColumns { .. } => "missing_columns",
            SourceRejectReason::RepeatedColumn { .. } => "repeated_column",
            SourceRejectReason::Packing { .. } => "broken_packing",
        }
    }
}

impl From<HeaderError> for SourceRejectReason {
    fn from(error: HeaderError) -> SourceRejectReason {
        match error {
            HeaderError::Repeated(column) => SourceRejectReason::RepeatedColumn { column },
            HeaderError::Missing(missing) if missing.len() == Column::ALL.len() => {
                let what = "the first line is no header of the archive: it names none of its 29 columns";
                SourceRejectReason::SomethingElse { what: what.to_owned() }
            }
            HeaderError::Missing(missing) => SourceRejectReason::MissingColumns { missing },
        }
    }
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
