//! Why a log is not opened or created.

use std::path::PathBuf;

use annals_events::log::ClockKind;

use crate::connection::NotALog;
use crate::fault::{Fault, FaultKind};
use crate::head::Head;
use crate::outside::AnchorProblem;
use crate::schema::SchemaDifference;

/// Why a log cannot be opened or created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    NotALog(#[from] NotALog),
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log is gone, but its anchor is there.
    #[error(
        "{path}: the log is gone, but its anchor states {} acknowledged events; the last receipt is `{anchored}`",
        anchored.seq
    )]
    LogGone { path: PathBuf, anchored: Head },
    /// Something else stands where the log was, with its anchor beside it.
    #[error(
        "{problem}; but its anchor states that {path} was a log with {} acknowledged events, so it was emptied, \
         replaced or damaged; the last receipt is `{anchored}`",
        anchored.seq
    )]
    NotTheLog {
        path: PathBuf,
        anchored: Box<Head>,
        /// What is there instead.
        problem: Box<NotALog>,
    },
    #[error("{path}: there is a log already")]
    Exists { path: PathBuf },
    /// A table, index or trigger is not the compiled-in one.
    #[error(
        "{path}: {} {}: the file's own protection against changes is not what this program made",
        difference.object,
        difference.what
    )]
    Schema {
        path: PathBuf,
        /// The first difference.
        difference: SchemaDifference,
    },
    /// The log and its anchor contradict each other, or the anchor cannot testify.
    #[error("{path}: {problem}")]
    Anchor { path: PathBuf, problem: AnchorProblem },
    /// The stored Merkle tree is not the one over the events.
    #[error("{path}: {problem}")]
    Tree { path: PathBuf, problem: String },
    #[error("{path}: {problem}")]
    Head { path: PathBuf, problem: String },
    /// The clock that was handed in is not of the kind that the log declares.
    #[error(
        "{path}: this log declares a {} clock, and cannot be written under a {} one",
        clock_word(*declared),
        clock_word(*given)
    )]
    WrongClock {
        path: PathBuf,
        /// What the first event declares.
        declared: ClockKind,
        given: ClockKind,
    },
    #[error("the first event of the log cannot be made: {problem}")]
    FirstEvent { problem: String },
}

pub(crate) const fn clock_word(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Real => "real",
        ClockKind::Simulated => "simulated",
    }
}

impl OpenError {
    /// Whether the log is damaged, and not only missing, locked, or not a log.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            OpenError::LogGone { .. }
            | OpenError::NotTheLog { .. }
            | OpenError::Schema { .. }
            | OpenError::Anchor { .. }
            | OpenError::Tree { .. }
            | OpenError::Head { .. } => true,
            OpenError::Fault(fault) | OpenError::NotALog(NotALog::Fault(fault)) => {
                fault.kind == FaultKind::Damaged
            }
            _ => false,
        }
    }
}
