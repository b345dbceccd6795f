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
        "{path}: the log is gone, but its anchor says that it had {} acknowledged events. Restore it from a \
         backup; `{anchored}` is the last receipt",
        anchored.seq
    )]
    LogGone { path: PathBuf, anchored: Head },
    /// Another file is in the log's place next to its anchor.
    #[error(
        "{problem}. Yet the anchor beside it says that {path} was a log with {} acknowledged events: it was emptied, \
         replaced or damaged. Keep all its files as they are; restore it from a backup, or run `annals doctor`, which \
         says what can be saved; `{anchored}` is the last receipt",
        anchored.seq
    )]
    NotTheLog { path: PathBuf, anchored: Box<Head>, problem: Box<NotALog> },
    #[error("{path}: there is a log already. Nothing was changed; choose another path, or open it")]
    Exists { path: PathBuf },
    /// Differs from the compiled-in schema.
    #[error(
        "{path}: {} {}: the file's own protection against changes is not what this program made. Nothing was \
         changed; run `annals log verify` to see whether the events are whole",
        difference.object,
        difference.what
    )]
    Schema { path: PathBuf, difference: SchemaDifference },
    /// Log and anchor contradict each other, or the anchor is unusable.
    #[error(
        "{path}: {problem}. Nothing was changed, and nothing is appended to it: copy all its files aside, then \
         run `annals doctor`, which says what can be saved"
    )]
    Anchor { path: PathBuf, problem: AnchorProblem },
    /// The stored Merkle tree is not that of the events.
    #[error(
        "{path}: {problem}. Nothing was changed, and nothing is appended to it; `annals doctor --rebuild-tree` makes the \
         tree again from the hashes of the events, where all of them are whole"
    )]
    Tree { path: PathBuf, problem: String },
    #[error("{path}: {problem}. Nothing was changed; run `annals log verify`")]
    Head { path: PathBuf, problem: String },
    /// The given clock is of the wrong kind.
    #[error(
        "{path}: this log declares a {} clock, and cannot be written under a {} one. A simulated log and a real \
         one are never mixed",
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
