//! Making the stored Merkle tree again, where it alone is damaged. The tree follows from the hashes of the events, and
//! whether those are whole is verified first.

use std::path::{Path, PathBuf};

use crate::connection::{self, Access};
use crate::fault::Fault;
use crate::head::Head;
use crate::log::Log;
use crate::loss::copy_aside;
use crate::merkle::Frontier;
use crate::open_error::OpenError;
use crate::outside::{AnchorProblem, hash_at, stored_tree};
use crate::schema::OBJECTS;
use crate::tail::last_seq;
use crate::verify::{Finding, Severity, VerifyOptions, verify};

/// A tree that was made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// The head of the log with the new tree.
    pub head: Head,
    /// Copies of the files as they were before.
    pub copies: Vec<PathBuf>,
}

/// Why the tree was not made again.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("{path}: the stored Merkle tree is the one over the events")]
    Sound { path: PathBuf },
    /// More than the tree is damaged.
    #[error("{path}: more than the Merkle tree is damaged: {finding}")]
    Damaged { path: PathBuf, finding: Box<Finding> },
}

/// Computes the stored Merkle tree again from the hashes of the events, after all of them were verified. All files are
/// copied aside first.
///
/// No handle on the log may be open in this process.
///
/// # Errors
/// When the tree is sound; when more than the tree is damaged; when the file system refuses.
pub fn rebuild_tree(path: &Path) -> Result<Rebuilt, RebuildError> {
    let findings = verify(path, &VerifyOptions::default())?.findings;
    let damage = || findings.iter().filter(|finding| finding.severity() == Severity::Damage);
    if let Some(other) = damage().find(|finding| !is_of_the_tree(finding) && !is_without_testimony(finding)) {
        return Err(RebuildError::Damaged { path: path.to_owned(), finding: Box::new(other.clone()) });
    }
    if !damage().any(is_of_the_tree) {
        return Err(RebuildError::Sound { path: path.to_owned() });
    }
    let copies = copy_aside(path, "before-rebuild")?;
    let log = Log::look(path, Access::Write)?;
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "making the Merkle tree again", error);
    connection::make_durable(&log.connection).map_err(|e| fault(&e))?;
    let writing = log.connection.unchecked_transaction().map_err(|e| fault(&e))?;
    let tree = replace(&writing).map_err(|e| fault(&e))?;
    let hash = hash_at(&writing, tree.size()).map_err(|e| fault(&e))?.unwrap_or_default();
    writing.commit().map_err(|e| fault(&e))?;
    Ok(Rebuilt { head: Head { log: log.id(), seq: tree.size(), hash, root: tree.root() }, copies })
}

/// The tree itself, and what SQLite's own check says of its table.
fn is_of_the_tree(finding: &Finding) -> bool {
    match finding {
        Finding::Tree { .. } => true,
        Finding::Integrity { line } => line.ends_with(" in tree") || line.contains(" in tree."),
        _ => false,
    }
}

/// Whether the anchor says nothing about the events. A tree over events that it contradicts would make a forged history
/// consistent.
fn is_without_testimony(finding: &Finding) -> bool {
    use AnchorProblem::{LineUnreadable, Missing, Unreadable};
    matches!(finding, Finding::Anchor(Missing { .. } | Unreadable | LineUnreadable { .. }))
}

/// Puts the computed tree in the place of the stored one. The triggers that keep it from being replaced by accident come
/// back in the same transaction.
fn replace(connection: &rusqlite::Connection) -> rusqlite::Result<Frontier> {
    let triggers = || OBJECTS.iter().filter(|object| object.kind == "trigger" && object.table == "tree");
    for trigger in triggers() {
        connection.execute_batch(&format!("DROP TRIGGER {}", trigger.name))?;
    }
    connection.execute("DELETE FROM tree", [])?;
    // The deletion took the lock for writing: no event comes after this one.
    let tree = stored_tree(connection, 0..last_seq(connection)?)?;
    let insert = "INSERT INTO tree (only, size, peaks) VALUES (1, ?1, ?2)";
    connection.execute(insert, rusqlite::params![tree.size() as i64, tree.to_bytes()])?;
    for sql in triggers().filter_map(|trigger| trigger.sql) {
        connection.execute_batch(sql)?;
    }
    Ok(tree)
}
