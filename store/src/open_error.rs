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
    /// The anchor remains without its log.
    #[error(
        "{path}: the log is gone, but its anchor states {} acknowledged events; the last receipt is `{anchored}`",
        anchored.seq
    )]
    LogGone { path: PathBuf, anchored: Head },
    /// Another file is in the log's place next to its anchor.
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
    /// Differs from the compiled-in schema.
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
    /// The given clock is of the wrong kind.
    #[error(
        "{path}: this log declares a {} clock, and cannot be written under a {} one",
        clock_word(*declared),
        clock_word(*given)
    )]
    WrongClock {
        path: PathBuf,
        /// By the first event.
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
    /// Damaged, not only missing, locked, or not a log.
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
