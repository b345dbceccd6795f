//! Checkpoints of a grid search: every completed combination.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::{CheckpointError, Keep};
use crate::file::{self, FileError, Kind};
use crate::samples::Samples;
use crate::score::Figures;
use crate::settings::Settings;
use crate::split::Split;

/// Version 1 had other arithmetic, with other figures.
const KIND: Kind = Kind { name: "grid checkpoint", version: 2 };

/// Figures, or why a training failed.
type CameTo = Result<Figures, String>;

/// Identifies a search. The combined values are not included: a search may be widened.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Identity {
    program: String,
    split: String,
    folds: u32,
    settings: Settings,
    data: String,
    rows: String,
}

/// As bits: decimal notation may change the last one.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Bits {
    positions: u64,
    mse: u64,
    mae: u64,
    r2: Option<u64>,
    accuracy: u64,
    log_loss: u64,
}

impl Bits {
    fn of(figures: &Figures) -> Bits {
        Bits {
            positions: figures.positions,
            mse: figures.mse.to_bits(),
            mae: figures.mae.to_bits(),
            r2: figures.r2.map(f64::to_bits),
            accuracy: figures.accuracy.to_bits(),
            log_loss: figures.log_loss.to_bits(),
        }
    }

    fn figures(&self) -> Figures {
        Figures {
            positions: self.positions,
            mse: f64::from_bits(self.mse),
            mae: f64::from_bits(self.mae),
            r2: self.r2.map(f64::from_bits),
            accuracy: f64::from_bits(self.accuracy),
            log_loss: f64::from_bits(self.log_loss),
        }
    }
}

/// A completed combination.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Done {
    settings: Settings,
    came_to: Result<Bits, String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct About {
    search: Identity,
    done: Vec<Done>,
}

pub(crate) struct Kept<'a> {
    keep: &'a Keep,
    about: Mutex<About>,
}

impl<'a> Kept<'a> {
    /// The saved state, else empty.
    pub(crate) fn open(
        keep: &'a Keep,
        samples: &Samples<'_>,
        rows: &[u32],
        base: &Settings,
        (split, folds): (Split, u32),
    ) -> Result<Kept<'a>, CheckpointError> {
        let mut hash = Sha256::new();
        rows.iter().for_each(|row| hash.update(row.to_le_bytes()));
        let search = Identity {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            split: split.to_string(),
            folds,
            settings: *base,
            data: hex::encode(samples.digest),
            rows: hex::encode(hash.finalize()),
        };
        let path = &keep.path;
        keep.check()?;
        let done = match file::read::<About>(path, KIND) {
            Ok((about, _)) => {
                differs(keep, &about.search, &search)?;
                about.done
            }
            Err(FileError::Missing { .. }) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Kept { keep, about: Mutex::new(About { search, done }) })
    }

    /// If completed.
    pub(crate) fn found(&self, settings: &Settings) -> Option<CameTo> {
        let about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        let done = about.done.iter().find(|done| done.settings == *settings)?;
        Some(done.came_to.as_ref().map(Bits::figures).map_err(String::clone))
    }

    /// Saves another result. The file is small and written as a whole.
    pub(crate) fn add(&self, settings: &Settings, result: &CameTo) -> Result<(), CheckpointError> {
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        let came_to = result.as_ref().map(Bits::of).map_err(String::clone);
        about.done.push(Done { settings: *settings, came_to });
        Ok(file::write(&self.keep.path, KIND, &*about, &[])?)
    }
}

fn differs(keep: &Keep, then: &Identity, now: &Identity) -> Result<(), CheckpointError> {
    let compared = [
        ("the version of the program", then.program.clone(), now.program.clone()),
        ("the split", then.split.clone(), now.split.clone()),
        ("the number of folds", then.folds.to_string(), now.folds.to_string()),
        ("the digest of the data", then.data.clone(), now.data.clone()),
        ("the digest of the positions taken", then.rows.clone(), now.rows.clone()),
        ("the settings", format!("{:?}", then.settings), format!("{:?}", now.settings)),
    ];
    match compared.into_iter().find(|(_, was, is)| was != is) {
        Some((what, was, is)) => Err(CheckpointError::Other { path: keep.path.clone(), what, was, is }),
        None => Ok(()),
    }
}
