//! The stored games by number and record, which decide about duplicates. The reading thread claims a number when it
//! reads a row; the writing thread adds the digest when the game is written. The shared set has a memory budget and
//! spills the rest.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::IngestError;
use crate::spill::{NumberedMap, Value};
use crate::write::WriteError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredRecord {
    /// Of an archive's row, a file's bytes, or a logged game's events.
    pub digest: [u8; 16],
    pub of_log: bool,
}

impl Value for StoredRecord {
    type Bytes = [u8; 17];

    fn to_bytes(self) -> [u8; 17] {
        let mut bytes = [u8::from(self.of_log); 17];
        bytes[..16].copy_from_slice(&self.digest);
        bytes
    }

    fn from_bytes(bytes: &[u8; 17]) -> StoredRecord {
        let mut digest = [0; 16];
        digest.copy_from_slice(&bytes[..16]);
        StoredRecord { digest, of_log: bytes[16] != 0 }
    }
}

/// Games stored or claimed.
pub struct StoredGames(Mutex<Known>);

struct Known {
    /// Claimed but not written.
    claimed: HashSet<u64>,
    stored: NumberedMap<StoredRecord>,
    failed: Option<WriteError>,
}

impl StoredGames {
    /// Empty; spills above `bytes` to `folder`.
    pub fn new(folder: &Path, bytes: usize) -> StoredGames {
        let stored = NumberedMap::new(folder, bytes);
        StoredGames(Mutex::new(Known { claimed: HashSet::new(), stored, failed: None }))
    }

    /// Whether a game came before; marks it. [`StoredGames::check`] reports disk errors, which the reading thread
    /// cannot handle.
    pub fn claim(&self, id: u64) -> bool {
        let mut known = self.known();
        match known.has(id) {
            Ok(true) => true,
            Ok(false) => {
                known.claimed.insert(id);
                false
            }
            Err(error) => {
                known.failed.get_or_insert(error);
                true
            }
        }
    }

    /// Adds the record of a claimed or stored game.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn store(&self, id: u64, record: StoredRecord) -> Result<(), WriteError> {
        let mut known = self.known();
        known.claimed.remove(&id);
        known.stored.insert(id, record)
    }

    /// The record of a stored game; none if only claimed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn record(&self, id: u64) -> Result<Option<StoredRecord>, WriteError> {
        self.known().stored.get(id)
    }

    /// # Errors
    /// The first failure of a claim.
    pub fn check(&self) -> Result<(), IngestError> {
        self.known().failed.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn has(&self, id: u64) -> Result<bool, WriteError> {
        Ok(self.claimed.contains(&id) || self.stored.get(id)?.is_some())
    }
}
