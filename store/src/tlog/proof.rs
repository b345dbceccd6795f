//! Proofs of inclusion (`tlog-proof`): an event is in the log of a checkpoint. The extra data is the event with all its
//! fields, from which the record, its hash, is computed.

use std::fmt;
use std::str::FromStr;

use annals_events::Hash;

use super::checkpoint::{SignedCheckpoint, log_of};
use super::note::{FormatError, MAX_NOTE};
use super::{from_base64, hash_lines, hashes_from, to_base64};
use crate::head::{Head, whole_number};
use crate::merkle::check_inclusion;
use crate::new_event::MAX_PAYLOAD;
use crate::proof::ProvenEvent;

const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";

/// Longest proof that is read: that of the largest event.
pub const MAX_PROOF: usize = MAX_NOTE + 3 * MAX_PAYLOAD + 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlogProof {
    pub extra: Option<Vec<u8>>,
    /// From 0.
    pub index: u64,
    /// From the leaf to the root.
    pub path: Vec<Hash>,
    pub checkpoint: SignedCheckpoint,
}

impl TlogProof {
    /// Whether a record is at the index in the tree of the checkpoint. The signatures are not checked here.
    #[must_use]
    pub fn holds(&self, record: &Hash) -> bool {
        let of = &self.checkpoint.checkpoint;
        check_inclusion(record, self.index, of.size, &self.path, &of.root)
    }

    /// The event in the extra data, if its fields have its hash, and it can be at the index in the log of the origin.
    #[must_use]
    pub fn event(&self) -> Option<ProvenEvent> {
        let of = &self.checkpoint.checkpoint;
        let event: ProvenEvent = serde_json::from_slice(self.extra.as_ref()?).ok()?;
        // The hash of the last event is not in a checkpoint: only log and number are compared.
        let head = Head { log: log_of(&of.origin)?, seq: 0, hash: event.hash, root: of.root };
        (event.is_of(&head) && event.seq == self.index.checked_add(1)?).then_some(event)
    }
}

impl fmt::Display for TlogProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", to_base64(extra))?;
        }
        write!(f, "index {}\n{}\n{}", self.index, hash_lines(&self.path), self.checkpoint)
    }
}

impl FromStr for TlogProof {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<TlogProof, FormatError> {
        let bad = |problem| FormatError { what: "tlog-proof", problem };
        if text.len() > MAX_PROOF {
            return Err(bad("it is too long"));
        }
        let (lines, checkpoint) = text.split_once("\n\n").ok_or(bad("it has no empty line"))?;
        let mut lines = lines.split('\n').peekable();
        if lines.next() != Some(FIRST_LINE) {
            return Err(bad("the first line is not `c2sp.org/tlog-proof@v1`"));
        }
        let extra = lines.next_if(|line| line.starts_with("extra ")).map(|line| &line["extra ".len()..]);
        let extra =
            extra.map(|text| from_base64(text).ok_or(bad("the extra data is not base64"))).transpose()?;
        let index = lines.next().and_then(|line| line.strip_prefix("index "));
        let index = index.and_then(whole_number).ok_or(bad("it has no line `index N`"))?;
        let path = hashes_from(lines).ok_or(bad("a line of the path is not a hash in base64"))?;
        Ok(TlogProof { extra, index, path, checkpoint: checkpoint.parse()? })
    }
}
