//! Which games are stored, and by what record: the one place that says whether a row comes again. The reading thread claims
//! a game's number as soon as it reads its row, the writing thread enters the record's digest when the game is written.
//! Both share one set, which holds a fixed budget of bytes and puts the rest into temporary files.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::IngestError;
use crate::spill::NumberedMap;
use crate::write::WriteError;

/// The games that are stored or about to be.
pub struct StoredGames(Mutex<Known>);

struct Known {
    /// Claimed, but not written yet: as many as the pipeline has under way.
    claimed: HashSet<u64>,
    stored: NumberedMap<[u8; 16]>,
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

    /// Enters the digest of a game that was claimed, or is stored already.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn store(&self, id: u64, digest: [u8; 16]) -> Result<(), WriteError> {
        let mut known = self.known();
        known.claimed.remove(&id);
        known.stored.insert(id, digest)
    }

    /// The digest of the record by which a game is stored.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn digest(&self, id: u64) -> Result<Option<[u8; 16]>, WriteError> {
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
