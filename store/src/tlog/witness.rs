//! A witness (`tlog-witness`): it cosigns a checkpoint of another log only if that log begins with the checkpoint that it
//! cosigned before. `witness.key` is its key, and `witness.json` has the logs that it watches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint::SignedCheckpoint;
use super::key::{KeyError, PrivateKey};
use super::note::{FormatError, KeyKind, Signed, VerifierKey, is_key_name};
use super::request::Request;
use super::state;
use crate::fault::{Fault, FaultKind};
use crate::merkle::{check_consistency, empty_root};

const WITNESSING: &str = "cosigning a checkpoint";

/// A log that a witness watches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// Verifier keys, any of which signs its checkpoints.
    pub keys: Vec<String>,
    /// As it was cosigned last.
    pub checkpoint: Option<String>,
    /// Seconds since 1970.
    pub cosigned_at: Option<u64>,
}

type Logs = BTreeMap<String, Watched>;

/// Why a request is refused, with the status of HTTP that the specification demands.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error("the proof is for {old} events, more than the {size} of the checkpoint")]
    OldIsLarger { old: u64, size: u64 },
    #[error("the log `{origin}` is not one that this witness watches")]
    UnknownOrigin { origin: String },
    #[error("the checkpoint is not signed by a key of `{origin}` that this witness trusts")]
    NotSigned { origin: String },
    #[error("the checkpoint that this witness cosigned last has {size} events, and the proof is for {old}")]
    OtherSize { old: u64, size: u64 },
    #[error("the log was rewritten: this witness cosigned another root of the same {size} events")]
    OtherRoot { size: u64 },
    #[error(
        "the log was rewritten, or the proof is wrong: the {size} events cosigned last are not its beginning"
    )]
    Inconsistent { size: u64 },
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Refusal {
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Refusal::Format(_) | Refusal::OldIsLarger { .. } => 400,
            Refusal::NotSigned { .. } => 403,
            Refusal::UnknownOrigin { .. } => 404,
            Refusal::OtherSize { .. } | Refusal::OtherRoot { .. } => 409,
            Refusal::Inconsistent { .. } => 422,
            Refusal::Fault(_) => 500,
        }
    }

    /// The size that was cosigned last, which the answer states.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        match self {
            Refusal::OtherSize { size, .. } | Refusal::OtherRoot { size } => Some(*size),
            _ => None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("{folder} has no key of a witness")]
    NoKey { folder: PathBuf },
    #[error("`{name}` is not a valid name of a witness: expected a name without spaces and `+`")]
    Name { name: String },
    #[error("{key} is not the key of a log")]
    NotOfALog { key: String },
}

#[derive(Debug)]
pub struct Witness {
    key: PrivateKey,
    key_path: PathBuf,
    path: PathBuf,
}

impl Witness {
    /// Makes the key of a witness in a folder.
    ///
    /// # Errors
    /// If there is one, the name is not valid, or it cannot be written.
    pub fn create(folder: &Path, name: &str) -> Result<Witness, WitnessError> {
        if !is_key_name(name) {
            return Err(WitnessError::Name { name: name.to_owned() });
        }
        let fault = |error: std::io::Error| Fault::io(folder, "creating the folder", &error);
        std::fs::create_dir_all(folder).map_err(fault)?;
        PrivateKey::random(name, KeyKind::Witness)?.create(&folder.join("witness.key"))?;
        Witness::open(folder)
    }

    /// # Errors
    /// If the folder has no key of a witness.
    pub fn open(folder: &Path) -> Result<Witness, WitnessError> {
        let key_path = folder.join("witness.key");
        let key = PrivateKey::read(&key_path)?.filter(|key| key.verifier().kind() == KeyKind::Witness);
        let key = key.ok_or_else(|| WitnessError::NoKey { folder: folder.to_owned() })?;
        Ok(Witness { key, key_path, path: folder.join("witness.json") })
    }

    #[must_use]
    pub fn verifier_key(&self) -> VerifierKey {
        self.key.verifier()
    }

    /// # Errors
    /// If the file cannot be read.
    pub fn watched(&self) -> Result<BTreeMap<String, Watched>, Fault> {
        state::read(&self.path, WITNESSING)
    }

    /// Trusts a key to sign for a log, whose origin is its name unless another one is stated. Keys trusted before stay
    /// trusted, or are replaced.
    ///
    /// # Errors
    /// If the key is not that of a log, or the file cannot be written.
    pub fn watch(&self, key: &VerifierKey, origin: Option<&str>, replaces: bool) -> Result<(), WitnessError> {
        if key.kind() != KeyKind::Log {
            return Err(WitnessError::NotOfALog { key: key.to_string() });
        }
        let _locked = state::lock(&self.key_path, WITNESSING)?;
        let mut logs = self.watched()?;
        let keys = &mut logs.entry(origin.unwrap_or(key.name()).to_owned()).or_default().keys;
        if replaces {
            keys.clear();
        }
        if !keys.contains(&key.to_string()) {
            keys.push(key.to_string());
        }
        Ok(state::write(&self.path, &logs, WITNESSING)?)
    }

    /// Cosigns the checkpoint of a request at a time in seconds since 1970, once it is kept. Returns the signature line.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn cosign(&self, request: &str, now: u64) -> Result<String, Refusal> {
        let Request { old, path, checkpoint: SignedCheckpoint { checkpoint, note } } = request.parse()?;
        let origin = checkpoint.origin.as_str();
        // Comparing with the last checkpoint and keeping the new one is one step.
        let _locked = state::lock(&self.key_path, WITNESSING)?;
        let mut logs: Logs = self.watched()?;
        let unknown = || Refusal::UnknownOrigin { origin: origin.to_owned() };
        let watched = logs.get_mut(origin).ok_or_else(unknown)?;
        let keys = watched.keys.iter().filter_map(|key| key.parse::<VerifierKey>().ok());
        let signed: Vec<Signed> = keys.map(|key| note.signed_by(&key)).collect();
        if signed.contains(&Signed::Wrong) || !signed.iter().any(|one| matches!(one, Signed::Yes(_))) {
            return Err(Refusal::NotSigned { origin: origin.to_owned() });
        }
        if old > checkpoint.size {
            return Err(Refusal::OldIsLarger { old, size: checkpoint.size });
        }
        let damaged = |problem: FormatError| {
            Fault::new(FaultKind::Damaged, &self.path, WITNESSING, problem.to_string())
        };
        let last = watched.checkpoint.as_deref().map(str::parse::<SignedCheckpoint>).transpose();
        let last = last.map_err(damaged)?.map(|last| (last.checkpoint.size, last.checkpoint.root));
        let (size, root) = last.unwrap_or_else(|| (0, empty_root()));
        if old != size {
            return Err(Refusal::OtherSize { old, size });
        }
        if size == checkpoint.size && root != checkpoint.root {
            return Err(Refusal::OtherRoot { size });
        }
        if !check_consistency(size, &root, checkpoint.size, &checkpoint.root, &path) {
            return Err(Refusal::Inconsistent { size });
        }
        (watched.checkpoint, watched.cosigned_at) = (Some(note.to_string()), Some(now));
        state::write(&self.path, &logs, WITNESSING)?;
        Ok(format!("{}\n", self.key.sign(note.text(), now)))
    }
}
