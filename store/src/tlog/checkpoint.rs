//! Checkpoints (`tlog-checkpoint`): the head of a log as a signed note.

use std::fmt;
use std::str::FromStr;

use annals_events::{Hash, LogId};

use super::note::{FormatError, Note};
use super::{hash_from_base64, to_base64};
use crate::head::whole_number;

const LOGS: &str = "annals";

/// Which history of which log: `annals/LOG/EPOCH`. The epoch is `0`, and after accepted losses their number and the
/// beginning of the hash of the event that records the last one: histories that contradict each other have different
/// origins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub log: LogId,
    pub losses: u64,
    /// Of the last loss; without one it is not written.
    pub last_loss: Option<Hash>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LOGS}/{}/{}", self.log, self.losses)?;
        let Some(hash) = &self.last_loss else { return Ok(()) };
        write!(f, "-{}", &hash.to_string()[..8])
    }
}

/// The log of an origin, if it is that of a log of Annals.
#[must_use]
pub fn log_of(origin: &str) -> Option<LogId> {
    let (log, epoch) = origin.strip_prefix(LOGS)?.strip_prefix('/')?.split_once('/')?;
    (!epoch.is_empty()).then(|| log.parse().ok()).flatten()
}

/// The text of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub origin: String,
    /// In events.
    pub size: u64,
    pub root: Hash,
}

impl Checkpoint {
    /// As it is signed; of another log's checkpoint without its extension lines.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, to_base64(self.root.as_bytes()))
    }

    fn from_text(text: &str) -> Result<Checkpoint, FormatError> {
        let bad = |problem| FormatError { what: "checkpoint", problem };
        let lines = text.strip_suffix('\n').ok_or(bad("the text has no line end"))?;
        let mut lines = lines.split('\n');
        let origin = lines.next().filter(|line| !line.is_empty()).ok_or(bad("the origin is empty"))?;
        let size = lines.next().and_then(whole_number).ok_or(bad("the second line is not a size"))?;
        let root =
            lines.next().and_then(hash_from_base64).ok_or(bad("the third line is not a hash in base64"))?;
        if lines.any(str::is_empty) {
            return Err(bad("an extension line is empty"));
        }
        Ok(Checkpoint { origin: origin.to_owned(), size, root })
    }
}

/// A checkpoint with its signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    pub checkpoint: Checkpoint,
    pub note: Note,
}

impl FromStr for SignedCheckpoint {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<SignedCheckpoint, FormatError> {
        let note: Note = text.parse()?;
        Ok(SignedCheckpoint { checkpoint: Checkpoint::from_text(note.text())?, note })
    }
}

impl fmt::Display for SignedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note.fmt(f)
    }
}
