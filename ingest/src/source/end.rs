//! The end of a source: its digest and counts, or why it is rejected.

use std::sync::Arc;

use super::block::{SourceDigest, SourceInfo};
use crate::row::{Column, HeaderError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceEnd {
    pub source: Arc<SourceInfo>,
    /// Of the text as far as it was read.
    pub digest: SourceDigest,
    /// Of text.
    pub bytes: u64,
    /// Header included.
    pub lines: u64,
    /// Of its blocks, or games of a game file.
    pub rows: u64,
    /// Why it is truncated.
    pub incomplete: Option<String>,
    /// Unknown columns, which are not stored.
    pub other_columns: Vec<String>,
    /// Missing optional columns.
    pub missing_columns: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRejected {
    pub source: Arc<SourceInfo>,
    pub reason: SourceRejectReason,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceRejectReason {
    #[error("the file is empty")]
    Empty,
    /// Cannot be opened or read.
    #[error("cannot be read: {why}")]
    Unreadable { why: String },
    /// An unsupported kind of file.
    #[error("{what}; expected tab-separated text with a header, or that text in .gz, .tgz, .tar or .zip")]
    SomethingElse {
        /// The apparent kind.
        what: String,
    },
    #[error("the header lacks {}: a game cannot be read without {}", list(missing), if missing.len() == 1 { "it" } else { "them" })]
    MissingColumns {
        /// In canonical order.
        missing: Vec<&'static str>,
    },
    #[error("the header names `{column}` twice, so it is unclear which of the two is meant")]
    RepeatedColumn { column: &'static str },
    /// A damaged packed file, or above the limits.
    #[error("cannot be unpacked: {why}")]
    Packing { why: String },
}

impl SourceRejectReason {
    /// Stable, in `snake_case`.
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
