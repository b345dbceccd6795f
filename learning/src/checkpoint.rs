//! Checkpoints of training, from which it resumes as if never interrupted.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::file::{self, FileError, Kind};
use crate::samples::Samples;
use crate::settings::{Optimizer, Settings};

/// Version 1 had other arithmetic: it cannot be continued to the same bits.
const KIND: Kind = Kind { name: "checkpoint", version: 2 };

/// The state of training.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    pub(crate) parameters: Vec<f32>,
    /// Of the optimizer.
    pub(crate) memory: Vec<f32>,
    /// Parameters at the beginning of the epoch, if targets follow from them; else empty.
    pub(crate) began: Vec<f32>,
    /// Of the best epoch.
    pub(crate) best: Vec<f32>,
    /// From 1; 0 before the first ends.
    pub(crate) best_epoch: u32,
    /// Of every completed epoch.
    pub(crate) errors: Vec<f64>,
    /// Successive epochs without progress.
    pub(crate) without_progress: u32,
    /// Of the present epoch.
    pub(crate) batches_done: usize,
    /// Of their errors.
    pub(crate) squares: f64,
    /// One had a non-zero gradient.
    pub(crate) is_alive: bool,
}

impl Checkpoint {
    /// Before training.
    pub(crate) fn new(parameters: Vec<f32>, optimizer: Optimizer) -> Checkpoint {
        Checkpoint {
            memory: vec![0.0; parameters.len() * optimizer.memory()],
            began: Vec::new(),
            best: parameters.clone(),
            parameters,
            best_epoch: 0,
            errors: Vec::new(),
            without_progress: 0,
            batches_done: 0,
            squares: 0.0,
            is_alive: false,
        }
    }

    /// Completed epochs.
    pub(crate) fn epoch(&self) -> u32 {
        self.errors.len() as u32
    }
}

#[derive(Debug, Clone)]
pub struct Keep {
    pub path: PathBuf,
    /// The interval; every epoch's end is saved, too.
    pub every: Duration,
    /// Resume. Without it an existing file is an error, so that no work is lost by mistake.
    pub resume: bool,
    /// Ends the training after a batch, with a checkpoint.
    pub stop: Arc<AtomicBool>,
}

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    /// Of another training.
    #[error(
        "the checkpoint {} is of another training: {what} was {was}, and is {is} now; go on with what it was begun with, or train \
         without --resume into another --output or --checkpoint", path.display()
    )]
    Other { path: PathBuf, what: &'static str, was: String, is: String },
    /// One exists, and resuming was not requested.
    #[error(
        "there is a checkpoint {} of a training that did not end; continue from it with --resume, or delete it to start again",
        path.display()
    )]
    Unfinished { path: PathBuf },
}

/// Identifies a training.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Identity {
    network: String,
    settings: Settings,
    data: String,
    rows: String,
    program: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct About {
    training: Identity,
    best_epoch: u32,
    /// As bits: decimal notation may change the last one.
    errors: Vec<u64>,
    without_progress: u32,
    batches_done: usize,
    squares: u64,
    is_alive: bool,
}

impl Keep {
    /// Once a minute.
    #[must_use]
    pub fn at(path: PathBuf, resume: bool) -> Keep {
        Keep { path, every: Duration::from_secs(60), resume, stop: Arc::default() }
    }

    /// Rejects a checkpoint of a training that did not end, unless that training is resumed; whether there is a checkpoint.
    ///
    /// # Errors
    /// As described.
    pub fn check(&self) -> Result<bool, CheckpointError> {
        match self.path.exists() {
            true if !self.resume => Err(CheckpointError::Unfinished { path: self.path.clone() }),
            exists => Ok(exists),
        }
    }

    /// Deletes the file, when its content is written elsewhere.
    ///
    /// # Errors
    /// If the system fails.
    pub fn remove(&self) -> std::io::Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// For one training.
pub(crate) struct Keeper<'a> {
    keep: &'a Keep,
    training: Identity,
}

impl<'a> Keeper<'a> {
    pub(crate) fn new(
        keep: &'a Keep,
        samples: &Samples<'_>,
        rows: &[u32],
        settings: &Settings,
    ) -> Keeper<'a> {
        let mut hash = Sha256::new();
        rows.iter().for_each(|row| hash.update(row.to_le_bytes()));
        let training = Identity {
            network: settings.network.to_string(),
            // The length of training may change: what was done until then is the same.
            settings: Settings { epochs: 0, stable: 0, ..*settings },
            data: hex::encode(samples.digest),
            rows: hex::encode(hash.finalize()),
            // The engine's scores can be labels.
            program: format!("{}, engine {}", env!("CARGO_PKG_VERSION"), annals_engine::VERSION),
        };
        Keeper { keep, training }
    }

    /// Between two checkpoints.
    pub(crate) fn every(&self) -> Duration {
        self.keep.every
    }

    /// The training is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.keep.stop.load(Ordering::Relaxed)
    }

    /// The saved state, else the beginning.
    pub(crate) fn open(&self, first: impl FnOnce() -> Vec<f32>) -> Result<Checkpoint, CheckpointError> {
        let path = &self.keep.path;
        self.keep.check()?;
        match file::read::<About>(path, KIND) {
            Ok((about, blocks)) => self.restore(about, blocks),
            Err(FileError::Missing { .. }) => Ok(Checkpoint::new(first(), self.training.settings.optimizer)),
            Err(error) => Err(error.into()),
        }
    }

    fn restore(
        &self,
        about: About,
        mut blocks: HashMap<String, Vec<f32>>,
    ) -> Result<Checkpoint, CheckpointError> {
        let path = || self.keep.path.clone();
        let (then, now) = (&about.training, &self.training);
        let settings = |training: &Identity| format!("{:?}", training.settings);
        let compared = [
            ("the network", then.network.clone(), now.network.clone()),
            ("the version of the program", then.program.clone(), now.program.clone()),
            ("the digest of the data", then.data.clone(), now.data.clone()),
            ("the digest of the split", then.rows.clone(), now.rows.clone()),
            ("the settings", settings(then), settings(now)),
        ];
        if let Some((what, was, is)) = compared.into_iter().find(|(_, was, is)| was != is) {
            return Err(CheckpointError::Other { path: path(), what, was, is });
        }
        let parameters = now.settings.network.parameters();
        let mut block = |name: &str, wanted: usize| match blocks.remove(name) {
            Some(block) if block.len() == wanted => Ok(block),
            _ => Err(FileError::Damaged {
                kind: KIND.name,
                path: path(),
                reason: format!("`{name}` is incomplete"),
            }),
        };
        Ok(Checkpoint {
            parameters: block("parameters", parameters)?,
            memory: block("memory", parameters * now.settings.optimizer.memory())?,
            began: match now.settings.bootstrap > 0.0 {
                true => block("began", parameters)?,
                false => Vec::new(),
            },
            best: block("best", parameters)?,
            best_epoch: about.best_epoch,
            errors: about.errors.into_iter().map(f64::from_bits).collect(),
            without_progress: about.without_progress,
            batches_done: about.batches_done,
            squares: f64::from_bits(about.squares),
            is_alive: about.is_alive,
        })
    }

    pub(crate) fn write(&self, state: &Checkpoint) -> Result<(), CheckpointError> {
        let about = About {
            training: self.training.clone(),
            best_epoch: state.best_epoch,
            errors: state.errors.iter().map(|error| error.to_bits()).collect(),
            without_progress: state.without_progress,
            batches_done: state.batches_done,
            squares: state.squares.to_bits(),
            is_alive: state.is_alive,
        };
        let mut blocks =
            vec![("parameters", &state.parameters), ("memory", &state.memory), ("best", &state.best)];
        if !state.began.is_empty() {
            blocks.push(("began", &state.began));
        }
        let blocks: Vec<_> = blocks
            .into_iter()
            .map(|(name, numbers)| (name, vec![numbers.len()], numbers.as_slice()))
            .collect();
        Ok(file::write(&self.keep.path, KIND, &about, &blocks)?)
    }
}
