//! Requests to a witness (`add-checkpoint` of `tlog-witness`): a checkpoint, and the proof that its log begins with the
//! one that the witness has seen.

use std::fmt;
use std::str::FromStr;

use annals_events::Hash;

use super::checkpoint::SignedCheckpoint;
use super::note::{FormatError, MAX_NOTE};
use super::{MAX_PATH, hash_lines, hashes_from};
use crate::head::whole_number;

/// Longest request that is read.
pub const MAX_REQUEST: usize = MAX_NOTE + 64 + 45 * MAX_PATH;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Size of the checkpoint that the witness cosigned last; 0 if none.
    pub old: u64,
    pub path: Vec<Hash>,
    pub checkpoint: SignedCheckpoint,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "old {}\n{}\n{}", self.old, hash_lines(&self.path), self.checkpoint)
    }
}

impl FromStr for Request {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Request, FormatError> {
        let bad = |problem| FormatError { what: "request to a witness", problem };
        if text.len() > MAX_REQUEST {
            return Err(bad("it is too long"));
        }
        let (lines, checkpoint) = text.split_once("\n\n").ok_or(bad("it has no empty line"))?;
        let mut lines = lines.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old = old.and_then(whole_number).ok_or(bad("the first line is not `old N`"))?;
        let path =
            hashes_from(lines).ok_or(bad("a line is not a hash in base64, or there are more than 63"))?;
        Ok(Request { old, path, checkpoint: checkpoint.parse()? })
    }
}
