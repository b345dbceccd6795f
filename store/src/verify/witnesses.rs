//! Outside records: receipts and sealed backups.

use annals_events::{Hash, LogId};
use rusqlite::Connection;

use super::Verifying;
use super::report::Finding;
use crate::anchor::AnchorLine;
use crate::comparison::{digest_problem, first_difference, open_tables};
use crate::head::Head;
use crate::names::digest_path;
use crate::outside::{hash_at, stored_tree};
use crate::tail::last_seq;
use crate::tlog::checkpoint::{Checkpoint, SignedCheckpoint, log_of};
use crate::tlog::signing::Signers;

/// A receipt or a checkpoint.
struct Kept {
    name: String,
    log: Option<LogId>,
    seq: u64,
    /// Of a receipt.
    hash: Option<Hash>,
    root: Hash,
    /// What is wrong with the signature or origin of a checkpoint.
    problem: Option<&'static str>,
}

impl Kept {
    fn receipt(receipt: &Head) -> Kept {
        let Head { log, seq, hash, root } = *receipt;
        Kept {
            name: format!("receipt `{receipt}`"),
            log: Some(log),
            seq,
            hash: Some(hash),
            root,
            problem: None,
        }
    }

    fn checkpoint(checkpoint: &SignedCheckpoint, signers: &Signers) -> Kept {
        let Checkpoint { origin, size, root } = &checkpoint.checkpoint;
        Kept {
            name: format!("checkpoint of {size} events of `{origin}`"),
            log: log_of(origin),
            seq: *size,
            hash: None,
            root: *root,
            problem: signers.signed(checkpoint).err(),
        }
    }
}

/// How a receipt does not hold.
enum Broken {
    /// Of another log.
    Other,
    /// Its origin or signature.
    Unsigned(&'static str),
    /// The log ends before it.
    Beyond,
    Hash,
    Root,
}

impl Verifying<'_> {
    pub(super) fn receipts(&mut self, log: LogId, last: u64, anchored: Option<&AnchorLine>) {
        // Events before a known rewriting are not in doubt.
        let rewritten = self.first_contradicted();
        let (mut held, mut broken) = (Vec::new(), Vec::new());
        let mut kept: Vec<Kept> = self.options.receipts.iter().map(Kept::receipt).collect();
        if !self.options.checkpoints.is_empty() {
            let read = |connection: &Connection| Signers::read(connection, log);
            if let Some(signers) = self.ask("reading the keys of the log", read) {
                let checkpoints = self.options.checkpoints.iter();
                kept.extend(checkpoints.map(|checkpoint| Kept::checkpoint(checkpoint, &signers)));
            }
        }
        for receipt in kept {
            let found = self.ask("holding the log against a receipt", |connection| {
                let is_other_hash =
                    |hash: Hash| Ok::<_, rusqlite::Error>(hash_at(connection, receipt.seq)? != Some(hash));
                Ok(if receipt.log != Some(log) {
                    Some(Broken::Other)
                } else if receipt.seq > last {
                    Some(Broken::Beyond)
                } else if receipt.seq > 0 && receipt.hash.map_or(Ok(false), is_other_hash)? {
                    Some(Broken::Hash)
                } else if stored_tree(connection, 0..receipt.seq)?.root() != receipt.root {
                    Some(Broken::Root)
                } else {
                    receipt.problem.map(Broken::Unsigned)
                })
            });
            match found {
                Some(Some(how)) => broken.push((receipt, how)),
                Some(None) => held.push(receipt.seq),
                None => {}
            }
        }
        for (receipt, how) in broken {
            // What an earlier receipt or a backup proves is not in doubt either.
            let earlier = held.iter().copied().filter(|seq| *seq < receipt.seq).max().unwrap_or(0);
            let proven = earlier.max(self.agreed.min(receipt.seq.saturating_sub(1)));
            let rewritten = rewritten.filter(|first| *first <= receipt.seq).unwrap_or(1);
            let narrowed = rewritten.max(proven + 1);
            let (first, problem) = match how {
                Broken::Other => (None, format!("it is of another log than this one, {log}")),
                Broken::Unsigned(problem) => (None, problem.to_owned()),
                Broken::Beyond => (Some(last + 1), format!("the log ends at event {last}, before it")),
                Broken::Hash => {
                    let since = match proven {
                        0 => "the log was rewritten at or before it".to_owned(),
                        proven => format!("the log was rewritten between event {proven} and it"),
                    };
                    (Some(narrowed), format!("event {} has another hash now: {since}", receipt.seq))
                }
                Broken::Root => {
                    (Some(narrowed), "the events up to it have another Merkle root now".to_owned())
                }
            };
            self.findings.push(Finding::Receipt { receipt: receipt.name, first, problem });
        }
        let newest = held.into_iter().max().unwrap_or(0);
        // A receipt is printed once its events are acknowledged.
        if let Some(acknowledged) = anchored.map(AnchorLine::seq).filter(|seq| *seq < newest) {
            self.findings.push(Finding::AnchorBehind { acknowledged, receipt: newest });
        }
    }

    pub(super) fn backups(&mut self, last: u64) {
        for path in &self.options.backups {
            // A damaged backup proves nothing: only its stored hashes are compared.
            let digest = digest_problem(path);
            let is_sound = digest.is_none();
            self.findings.extend(digest.map(|problem| Finding::Digest { path: digest_path(path), problem }));
            let compared = open_tables(path).map_err(|e| e.to_string()).and_then(|other| {
                let first = first_difference(&self.connection, &other).map_err(|e| e.to_string())?;
                Ok((first, last_seq(&other).map_err(|e| e.to_string())?))
            });
            if let (Ok((first, other_last)), true) = (&compared, is_sound) {
                let agrees = first.map_or(*other_last, |first| first.saturating_sub(1)).min(last);
                self.agreed = self.agreed.max(agrees);
            }
            let compared = compared.map(|(first, _)| first);
            let finding = |first, problem| Finding::Backup { path: path.clone(), first, problem };
            match compared {
                Err(problem) => {
                    self.findings.push(finding(None, format!("it cannot be compared: {problem}")))
                }
                Ok(Some(first)) if !is_sound => {
                    let problem =
                        format!("its event {first} is another one, but the backup is damaged itself");
                    self.findings.push(finding(None, problem));
                }
                Ok(Some(first)) if first > last => {
                    let problem = format!("it goes on with event {first}, where the log ends");
                    self.findings.push(finding(Some(first), problem));
                }
                Ok(Some(first)) => {
                    let problem = format!("event {first} is the first that differs");
                    self.findings.push(finding(Some(first), problem));
                    self.narrow_down(first);
                }
                Ok(None) => {}
            }
        }
    }
}
