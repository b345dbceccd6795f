//! Which games are stored, and by what record: the one place that says whether a row comes again. The reading thread claims
//! a game's number as soon as it reads its row, the writing thread enters the record's digest when the game is written.
//! Both share one set, which holds a fixed budget of bytes and puts the rest into temporary files.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::IngestError;
use crate::spill::{NumberedMap, Value};
use crate::write::WriteError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredRecord {
    /// The digest of the record: of the row of an archive, of the bytes of a game in a file, of the events of a log's game.
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

/// The games that are stored or about to be.
pub struct StoredGames(Mutex<Known>);

struct Known {
    /// Claimed, but not written yet: as many as the pipeline has under way.
    claimed: HashSet<u64>,
    stored: NumberedMap<StoredRecord>,
    failed: Option<WriteError>,
}

impl StoredGames {
    /// No game yet; what is more than `bytes` will be in files in `folder`.
    pub fn new(folder: &Path, bytes: usize) -> StoredGames {
        let stored = NumberedMap::new(folder, bytes);
        StoredGames(Mutex::new(Known { claimed: HashSet::new(), stored, failed: None }))
    }

    /// Whether a game came before; if not, it has now. A failure of the disk is told by [`StoredGames::check`], because who
    /// claims reads rows and can do nothing about it.
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

    /// Enters the record of a game that was claimed, or is stored already.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn store(&self, id: u64, record: StoredRecord) -> Result<(), WriteError> {
        let mut known = self.known();
        known.claimed.remove(&id);
        known.stored.insert(id, record)
    }

    /// By what record a game is stored; none of one that is only claimed.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn record(&self, id: u64) -> Result<Option<StoredRecord>, WriteError> {
        self.known().stored.get(id)
    }

    /// Fails where a claim has failed since.
    ///
    /// # Errors
    /// The first failure.
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
