//! Proofs for readers without the log and this program: a JSON document that `tools/check_proof.py` checks with a
//! receipt. An inclusion proof shows an event with all fields under a head, a consistency proof that a later head
//! begins with an earlier one.

use std::ops::Range;

use annals_events::{EventId, Hash, Micros};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::chain::{Chain, genesis};
use crate::fault::Fault;
use crate::head::Head;
use crate::log::Log;
use crate::merkle::{check_consistency, check_inclusion, consistency_ranges, inclusion_ranges};
use crate::outside::{hash_at, stored_tree};
use crate::row::{COLUMNS, EventRef};
use crate::tail::Tail;
use crate::tlog::checkpoint::{Checkpoint, SignedCheckpoint, log_of};
use crate::tlog::proof::TlogProof;

/// The format's name.
pub const INCLUSION: &str = "annals-inclusion/1";

/// The format's name.
pub const CONSISTENCY: &str = "annals-consistency/1";

const WRONG_EVENT: &str = "the event does not match its hash, or its hash not the stored root";

/// Every field covered by the hash. The payload is the stored text, as a string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvenEvent {
    /// From 1.
    pub seq: u64,
    pub stream: String,
    /// In the stream.
    pub version: u64,
    pub id: EventId,
    #[serde(rename = "type")]
    pub event_type: String,
    /// Of the payload.
    pub schema: u32,
    pub effective_at: Micros,
    pub recorded_at: Micros,
    pub actor: String,
    /// As stored.
    pub payload: String,
    /// Or the genesis.
    pub previous_hash: Hash,
    pub hash: Hash,
}

/// An event is in the log of a head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InclusionProof {
    /// [`INCLUSION`].
    pub format: String,
    pub event: ProvenEvent,
    pub head: Head,
    /// From the leaf to the root (RFC 6962, section 2.1.1).
    pub path: Vec<Hash>,
}

/// The log of a head begins with that of an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyProof {
    /// [`CONSISTENCY`].
    pub format: String,
    pub old: Head,
    pub new: Head,
    /// RFC 6962, section 2.1.2.
    pub path: Vec<Hash>,
    /// The inclusion path of the earlier log's last event in the later one.
    pub last_of_old: Vec<Hash>,
}

impl ProvenEvent {
    #[must_use]
    pub fn of(event: &EventRef<'_>, previous_hash: Hash) -> ProvenEvent {
        ProvenEvent {
            seq: event.seq,
            stream: event.stream.to_owned(),
            version: event.version,
            id: event.id,
            event_type: event.event_type.to_owned(),
            schema: event.schema,
            effective_at: event.effective_at,
            recorded_at: event.recorded_at,
            actor: event.actor.to_owned(),
            payload: event.payload.to_owned(),
            previous_hash,
            hash: event.hash,
        }
    }

    /// Whether the fields give the hash, and the event can be one of the log of a head.
    pub(crate) fn is_of(&self, head: &Head) -> bool {
        Chain::default().hash(&self.previous_hash, &self.as_event()) == self.hash
            && (self.seq != 1 || self.previous_hash == genesis(head.log))
            && (self.seq != head.seq || self.hash == head.hash)
            && self.seq > 0
    }

    fn as_event(&self) -> EventRef<'_> {
        EventRef {
            seq: self.seq,
            stream: &self.stream,
            version: self.version,
            id: self.id,
            event_type: &self.event_type,
            schema: self.schema,
            effective_at: self.effective_at,
            recorded_at: self.recorded_at,
            actor: &self.actor,
            payload: &self.payload,
            hash: self.hash,
        }
    }
}

impl InclusionProof {
    /// Whether the fields give the hash, and the hash is under the root. The head must come from elsewhere, such as a
    /// receipt.
    #[must_use]
    pub fn holds(&self) -> bool {
        let event = &self.event;
        let (size, root) = (self.head.seq, &self.head.root);
        self.format == INCLUSION
            && event.is_of(&self.head)
            && check_inclusion(&event.hash, event.seq - 1, size, &self.path, root)
    }
}

impl ConsistencyProof {
    /// Both heads must come from elsewhere.
    #[must_use]
    pub fn holds(&self) -> bool {
        let (old, new) = (&self.old, &self.new);
        self.format == CONSISTENCY
            && old.log == new.log
            && old.seq > 0
            && check_consistency(old.seq, &old.root, new.seq, &new.root, &self.path)
            && check_inclusion(&old.hash, old.seq - 1, new.seq, &self.last_of_old, &new.root)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("there is no event {seq}: the log has {last} events")]
    NoSuchEvent { seq: u64, last: u64 },
    /// The earlier head is not one of this log.
    #[error("the log does not begin with the events of the receipt: {problem}")]
    NotABeginning { problem: String },
    #[error("nothing can be proven from a damaged log: {problem}")]
    Damaged { problem: String },
}

impl Log {
    /// Proves that an event is in the present log. Reads all hashes, some 0.3 s per million.
    ///
    /// # Errors
    /// If there is no such event, or the log is damaged.
    pub fn prove_inclusion(&self, seq: u64) -> Result<InclusionProof, ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving an event", error);
        let reading = self.connection.unchecked_transaction().map_err(|e| fault(&e))?;
        let head = self.sound_head(&reading)?;
        let (event, path) = self.with_path(&reading, seq, head.seq)?;
        let proof = InclusionProof { format: INCLUSION.to_owned(), event, head, path };
        sound(proof.holds(), proof, WRONG_EVENT)
    }

    /// Proves that an event is in the log of a checkpoint of this log.
    ///
    /// # Errors
    /// If the checkpoint does not cover the event or is not of this log, or the log is damaged.
    pub fn prove_inclusion_in(
        &self,
        seq: u64,
        checkpoint: &SignedCheckpoint,
    ) -> Result<TlogProof, ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving an event", error);
        let of = &checkpoint.checkpoint;
        let reading = self.connection.unchecked_transaction().map_err(|e| fault(&e))?;
        self.begins_with(&reading, of)?;
        let (event, path) = self.with_path(&reading, seq, of.size)?;
        let extra = serde_json::to_vec(&event).map_err(|e| ProofError::Damaged { problem: e.to_string() })?;
        let (extra, index, checkpoint) = (Some(extra), seq - 1, checkpoint.clone());
        let proof = TlogProof { extra, index, path, checkpoint };
        sound(proof.holds(&event.hash) && proof.event().is_some(), proof, WRONG_EVENT)
    }

    /// The head of the events that a checkpoint of this log covers.
    ///
    /// # Errors
    /// If the log does not begin with them, or cannot be read.
    pub fn head_of(&self, checkpoint: &Checkpoint) -> Result<Head, ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving a beginning", error);
        let reading = self.connection.unchecked_transaction().map_err(|e| fault(&e))?;
        self.begins_with(&reading, checkpoint)?;
        let hash = hash_at(&reading, checkpoint.size).map_err(|e| fault(&e))?;
        let hash = hash.unwrap_or_else(|| genesis(self.id()));
        Ok(Head { log: self.id(), seq: checkpoint.size, hash, root: checkpoint.root })
    }

    fn begins_with(&self, reading: &Connection, of: &Checkpoint) -> Result<(), ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving a beginning", error);
        let not = |problem: String| Err(ProofError::NotABeginning { problem });
        if log_of(&of.origin) != Some(self.id()) {
            return not(format!("the checkpoint is of `{}`, this is log {}", of.origin, self.id()));
        }
        let last = self.sound_head(reading)?.seq;
        if of.size > last {
            return not(format!("the checkpoint has {} events, but the log ends at {last}", of.size));
        }
        if stored_tree(reading, 0..of.size).map_err(|e| fault(&e))?.root() != of.root {
            return not(format!("the events up to {} have another Merkle root", of.size));
        }
        Ok(())
    }

    /// The consistency path from the first `old` events to the first `new`; empty for 0.
    pub(crate) fn path_since(&self, old: u64, new: u64) -> Result<Vec<Hash>, ProofError> {
        if old > new {
            let problem = format!("the witness has seen {old} events, but the log ends at {new}");
            return Err(ProofError::NotABeginning { problem });
        }
        let ranges = consistency_ranges(old, new).unwrap_or_default();
        Ok(tree_hashes(&self.connection, &ranges).map_err(|e| self.fault("proving a beginning", &e))?)
    }

    /// An event, and its inclusion path in the tree of the first `size` events.
    fn with_path(
        &self,
        reading: &Connection,
        seq: u64,
        size: u64,
    ) -> Result<(ProvenEvent, Vec<Hash>), ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving an event", error);
        let absent = || ProofError::NoSuchEvent { seq, last: size };
        let ranges = inclusion_ranges(seq.wrapping_sub(1), size).ok_or_else(absent)?;
        let path = tree_hashes(reading, &ranges).map_err(|e| fault(&e))?;
        let previous_hash = match seq {
            1 => Some(genesis(self.id())),
            _ => hash_at(reading, seq - 1).map_err(|e| fault(&e))?,
        };
        let event = proven_event(reading, seq, previous_hash.unwrap_or_default()).map_err(|e| fault(&e))?;
        Ok((event.ok_or_else(absent)?, path))
    }

    /// Proves that the present log begins with an earlier head.
    ///
    /// # Errors
    /// If it does not, or the log is damaged.
    pub fn prove_consistency(&self, old: &Head) -> Result<ConsistencyProof, ProofError> {
        let fault = |error: &rusqlite::Error| self.fault("proving a beginning", error);
        let reading = self.connection.unchecked_transaction().map_err(|e| fault(&e))?;
        let new = self.sound_head(&reading)?;
        let not = |problem: String| Err(ProofError::NotABeginning { problem });
        if old.log != new.log {
            return not(format!("the receipt is of log {}, this is log {}", old.log, new.log));
        }
        if old.seq > new.seq {
            return not(format!("the receipt is of event {}, but the log ends at {}", old.seq, new.seq));
        }
        let Some(ranges) = consistency_ranges(old.seq, new.seq) else {
            return not("the receipt is of a log without events".to_owned());
        };
        if hash_at(&reading, old.seq).map_err(|e| fault(&e))? != Some(old.hash) {
            return not(format!("event {} has another hash", old.seq));
        }
        let path = tree_hashes(&reading, &ranges).map_err(|e| fault(&e))?;
        let to_last = inclusion_ranges(old.seq - 1, new.seq).unwrap_or_default();
        let last_of_old = tree_hashes(&reading, &to_last).map_err(|e| fault(&e))?;
        let proof = ConsistencyProof { format: CONSISTENCY.to_owned(), old: *old, new, path, last_of_old };
        if !proof.holds() && stored_tree(&reading, 0..old.seq).map_err(|e| fault(&e))?.root() != old.root {
            return not(format!("the events up to {} have another Merkle root", old.seq));
        }
        sound(proof.holds(), proof, "the hashes do not make the stored root")
    }

    /// The head, within one transaction.
    fn sound_head(&self, reading: &Connection) -> Result<Head, ProofError> {
        let tail = Tail::read(reading, self.id()).map_err(|e| self.fault("reading the head", &e))?;
        tail.map(|tail| tail.head(self.id())).map_err(|problem| ProofError::Damaged { problem })
    }
}

fn sound<T>(holds: bool, proof: T, problem: &str) -> Result<T, ProofError> {
    if holds { Ok(proof) } else { Err(ProofError::Damaged { problem: problem.to_owned() }) }
}

fn tree_hashes(connection: &Connection, ranges: &[Range<u64>]) -> rusqlite::Result<Vec<Hash>> {
    ranges.iter().map(|range| Ok(stored_tree(connection, range.clone())?.root())).collect()
}

fn proven_event(
    connection: &Connection,
    seq: u64,
    previous_hash: Hash,
) -> rusqlite::Result<Option<ProvenEvent>> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM event WHERE seq = ?1"))?;
    let mut rows = statement.query([crate::row::clamp(seq)])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(EventRef::from_row(row).ok().map(|event| ProvenEvent::of(&event, previous_hash)))
}
