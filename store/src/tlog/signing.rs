//! What a log does with its key: it signs checkpoints. The key is in a file next to the log (`log.key` for `log.db`), and
//! an event names it. `log.signed` keeps the last checkpoint of each origin, so that a log whose files were all put back
//! to an earlier state signs nothing that contradicts it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annals_events::log::{KeyNamed, LOG_STREAM};
use annals_events::{Event, EventId, Hash, LogEvent, LogId};
use rusqlite::Connection;

use super::checkpoint::{Checkpoint, Origin, SignedCheckpoint};
use super::key::{KeyError, PrivateKey};
use super::note::{self, FormatError, KeyKind, Note, VerifierKey};
use super::request::Request;
use super::state;
use crate::fault::{Fault, FaultKind, sync_folder_of};
use crate::log::{Log, random_id};
use crate::names::beside;
use crate::new_event::{EventError, NewEvent};
use crate::outside::stored_tree;
use crate::proof::ProofError;
use crate::transaction::{AppendError, Transaction};

const SIGNING: &str = "signing a checkpoint";

/// The last checkpoint of each origin.
type Signed = BTreeMap<String, String>;

/// `log.key` for `log.db`.
#[must_use]
pub fn key_path(log: &Path) -> PathBuf {
    beside(log, "key")
}

/// `log.signed` for `log.db`: the last checkpoint of each origin.
#[must_use]
pub fn signed_path(log: &Path) -> PathBuf {
    beside(log, "signed")
}

/// Of a rotation that is not finished.
fn next_key_path(log: &Path) -> PathBuf {
    beside(log, "key-next")
}

#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("the key was not recorded: {0}")]
    Event(#[from] EventError),
    #[error("the key was not recorded: {0}")]
    Append(#[from] AppendError),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error("the log has no key")]
    NoKey,
    #[error("the log has a key already: {named}")]
    HasKey { named: String },
    #[error("{path} does not have the key that the log names, {named}")]
    OtherKey { path: PathBuf, named: String },
    /// The files were put back to an earlier state, or rewritten.
    #[error("the log does not begin with the {size} events of the checkpoint that it signed last")]
    Contradicts { size: u64, path: PathBuf },
}

/// The origins and keys of a log, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signers {
    pub origins: Vec<Origin>,
    pub keys: Vec<VerifierKey>,
}

impl Signers {
    /// From the log's own stream.
    pub fn read(connection: &Connection, log: LogId) -> rusqlite::Result<Signers> {
        let sql = "SELECT type, schema, payload, hash FROM event WHERE stream = ?1 AND \
                   type IN ('log.loss_acknowledged', 'log.key_named') ORDER BY version";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([LOG_STREAM])?;
        let mut signers =
            Signers { origins: vec![Origin { log, losses: 0, last_loss: None }], keys: Vec::new() };
        while let Some(row) = rows.next()? {
            let (event_type, schema, payload): (String, u32, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            match Event::from_payload(&event_type, schema, &payload) {
                Ok(Event::Log(LogEvent::LossAcknowledged(_))) => {
                    let (losses, last_loss) = (signers.origins.len() as u64, Some(Hash(row.get(3)?)));
                    signers.origins.push(Origin { log, losses, last_loss });
                }
                Ok(Event::Log(LogEvent::KeyNamed(named))) => {
                    // Unreadable events are findings elsewhere.
                    signers.keys.extend(named.verifier_key.parse::<VerifierKey>().ok());
                }
                _ => {}
            }
        }
        Ok(signers)
    }

    fn origin(&self) -> String {
        self.origins.last().map(Origin::to_string).unwrap_or_default()
    }

    /// The key that signs, under the present origin.
    fn key(&self) -> Option<VerifierKey> {
        Some(self.keys.last()?.named(&self.origin()))
    }

    /// Whether the origin is one of this log, and a key that it names signed for it.
    pub fn signed(&self, checkpoint: &SignedCheckpoint) -> Result<(), &'static str> {
        let origin = &checkpoint.checkpoint.origin;
        if !self.origins.iter().any(|known| known.to_string() == *origin) {
            return Err("its origin is of a history that this log does not have");
        }
        let is_signed =
            |key: &VerifierKey| matches!(checkpoint.note.signed_by(&key.named(origin)), note::Signed::Yes(_));
        match self.keys.iter().any(is_signed) {
            true => Ok(()),
            false if self.keys.is_empty() => Err("the log names no key with which it could be signed"),
            false => Err("it is not signed by a key that the log names"),
        }
    }
}

impl Log {
    fn signers(&self) -> Result<Signers, Fault> {
        Signers::read(&self.connection, self.id()).map_err(|e| self.fault("reading the keys of the log", &e))
    }

    /// The first line of its checkpoints.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn origin(&self) -> Result<String, Fault> {
        Ok(self.signers()?.origin())
    }

    /// The public half of the key that signs; none without a key.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn verifier_key(&self) -> Result<Option<VerifierKey>, Fault> {
        Ok(self.signers()?.key())
    }

    /// Makes the key of a log without one: the file, and the event that names it.
    ///
    /// # Errors
    /// If there is a key, or the file or the event cannot be written.
    pub fn create_key(&mut self, actor: &str) -> Result<VerifierKey, SigningError> {
        let signers = self.signers()?;
        if let Some(named) = signers.key() {
            return Err(SigningError::HasKey { named: named.to_string() });
        }
        // A file without an event is of a creation that was interrupted.
        let key = made(&key_path(self.path()), &signers.origin())?;
        self.name_key(&key, actor, None)?;
        Ok(key.verifier())
    }

    /// Replaces the key. The checkpoint is signed by both keys if the old one is there, so that whoever trusts the old
    /// one sees which key follows.
    ///
    /// # Errors
    /// If there is no key, or files or the event cannot be written.
    pub fn rotate_key(&mut self, actor: &str, reason: &str) -> Result<SignedCheckpoint, SigningError> {
        let signers = self.signers()?;
        let named = signers.key().ok_or(SigningError::NoKey)?;
        let (path, next_path) = (key_path(self.path()), next_key_path(self.path()));
        let _locked = path.exists().then(|| state::lock(&path, SIGNING)).transpose()?;
        self.finish_rotation(&named)?;
        let is_named = |key: &PrivateKey| key.verifier().is_same_key(&named);
        let old = PrivateKey::read(&path)?.filter(is_named);
        let new = made(&next_path, &signers.origin())?;
        self.name_key(&new, actor, Some(reason))?;
        let keys: Vec<&PrivateKey> = [&new].into_iter().chain(&old).collect();
        let checkpoint = self.sign_with(&keys)?;
        self.finish_rotation(&new.verifier())?;
        Ok(checkpoint)
    }

    fn name_key(&mut self, key: &PrivateKey, actor: &str, reason: Option<&str>) -> Result<(), SigningError> {
        let named = KeyNamed { verifier_key: key.verifier().to_string(), reason: reason.map(str::to_owned) };
        let now = self.now().ok_or(AppendError::ReadOnly)?;
        let event = NewEvent::own(LogEvent::KeyNamed(named), EventId(random_id()?), actor, now)?;
        self.append(&Transaction::of(vec![event]))?;
        Ok(())
    }

    /// Gives the next key its name, once the log names it.
    fn finish_rotation(&self, named: &VerifierKey) -> Result<(), SigningError> {
        let (path, next) = (key_path(self.path()), next_key_path(self.path()));
        if PrivateKey::read(&next)?.is_some_and(|key| key.verifier().is_same_key(named)) {
            std::fs::rename(&next, &path).map_err(|error| Fault::io(&path, "rotating the key", &error))?;
            sync_folder_of(&path)?;
        }
        Ok(())
    }

    /// Signs the acknowledged end of the log, once the disk has confirmed its anchor. The log must be open for appending.
    ///
    /// # Errors
    /// If there is no key, the log contradicts a checkpoint that it signed, or the file system fails.
    pub fn sign_checkpoint(&mut self) -> Result<SignedCheckpoint, SigningError> {
        let signers = self.signers()?;
        let named = signers.key().ok_or(SigningError::NoKey)?;
        self.finish_rotation(&named)?;
        let path = key_path(self.path());
        let other = || SigningError::OtherKey { path: path.clone(), named: named.to_string() };
        let key = PrivateKey::read(&path)?.filter(|key| key.verifier().is_same_key(&named));
        let key = key.ok_or_else(other)?;
        let _locked = state::lock(&path, SIGNING)?;
        self.sign_with(&[&key])
    }

    fn sign_with(&mut self, keys: &[&PrivateKey]) -> Result<SignedCheckpoint, SigningError> {
        self.settle()?;
        let Some(writing) = &self.writing else { return Err(AppendError::ReadOnly.into()) };
        let (size, root) = (writing.seen.seq, writing.seen.tree.root());
        let origin = self.signers()?.origin();
        let path = signed_path(self.path());
        let mut signed: Signed = state::read(&path, SIGNING)?;
        if let Some(contradicted) = self.contradicted(&signed, &origin, size)? {
            return Err(SigningError::Contradicts { size: contradicted, path });
        }
        let checkpoint = Checkpoint { origin: origin.clone(), size, root };
        let text = checkpoint.text();
        let lines = keys.iter().map(|key| key.named(&origin).sign(&text, 0)).collect();
        let checkpoint = SignedCheckpoint { checkpoint, note: Note::new(text, lines) };
        signed.insert(origin, checkpoint.to_string());
        state::write(&path, &signed, SIGNING)?;
        Ok(checkpoint)
    }

    /// Whether the log does not begin with the checkpoint of its origin that it signed last.
    pub(crate) fn contradicts_signed(&self) -> Result<bool, Fault> {
        let signed: Signed = state::read(&signed_path(self.path()), SIGNING)?;
        let last = self
            .last_seq()
            .map_err(|error| Fault::new(FaultKind::Damaged, self.path(), SIGNING, error.to_string()))?;
        Ok(self.contradicted(&signed, &self.signers()?.origin(), last)?.is_some())
    }

    /// The size of the checkpoint that the first `size` events contradict.
    fn contradicted(&self, signed: &Signed, origin: &str, size: u64) -> Result<Option<u64>, Fault> {
        let Some(before) = signed.get(origin) else { return Ok(None) };
        let damaged = |problem: FormatError| {
            Fault::new(FaultKind::Damaged, &signed_path(self.path()), SIGNING, problem.to_string())
        };
        let before = before.parse::<SignedCheckpoint>().map_err(damaged)?.checkpoint;
        let tree = stored_tree(&self.connection, 0..before.size.min(size));
        let root = tree.map_err(|error| self.fault(SIGNING, &error))?.root();
        Ok((before.size > size || root != before.root).then_some(before.size))
    }

    /// A request to a witness that cosigned the first `old` events last, 0 if none.
    ///
    /// # Errors
    /// As [`Log::sign_checkpoint`], and if the log has fewer events.
    pub fn request_cosignature(&mut self, old: u64) -> Result<Request, SigningError> {
        let checkpoint = self.sign_checkpoint()?;
        let path = self.path_since(old, checkpoint.checkpoint.size)?;
        Ok(Request { old, path, checkpoint })
    }
}

/// The key of a file, or a new one for it.
fn made(path: &Path, name: &str) -> Result<PrivateKey, SigningError> {
    if let Some(key) = PrivateKey::read(path)? {
        return Ok(key);
    }
    let key = PrivateKey::random(name, KeyKind::Log)?;
    match key.create(path) {
        // Another process made it at the same time.
        Err(fault) if fault.kind == FaultKind::Io && path.exists() => {
            Ok(PrivateKey::read(path)?.ok_or(fault)?)
        }
        made => Ok(made.map(|()| key)?),
    }
}
