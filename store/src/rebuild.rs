//! Rebuilds a damaged Merkle tree from the verified event hashes.

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// With the new tree.
    pub head: Head,
    /// Of the files before.
    pub copies: Vec<PathBuf>,
}

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

/// Recomputes the stored Merkle tree from verified event hashes. All files are copied first. No handle on the log may
/// be open in this process.
///
/// # Errors
/// If the tree is sound, more is damaged, or the file system fails.
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

/// The tree, and SQLite's own check of its table.
fn is_of_the_tree(finding: &Finding) -> bool {
    match finding {
        Finding::Tree { .. } => true,
        Finding::Integrity { line } => line.ends_with(" in tree") || line.contains(" in tree."),
        _ => false,
    }
}

/// The anchor makes no statement about the events. A tree over contradicted events would make a forged history consistent.
fn is_without_testimony(finding: &Finding) -> bool {
    use AnchorProblem::{LineUnreadable, Missing, Unreadable};
    matches!(finding, Finding::Anchor(Missing { .. } | Unreadable | LineUnreadable { .. }))
}

/// Replaces the stored tree; the protecting triggers return in the same transaction.
fn replace(connection: &rusqlite::Connection) -> rusqlite::Result<Frontier> {
    let triggers = || OBJECTS.iter().filter(|object| object.kind == "trigger" && object.table == "tree");
    for trigger in triggers() {
        connection.execute_batch(&format!("DROP TRIGGER {}", trigger.name))?;
    }
    connection.execute("DELETE FROM tree", [])?;
    // The deletion took the write lock: no event follows this one.
    let tree = stored_tree(connection, 0..last_seq(connection)?)?;
    let insert = "INSERT INTO tree (only, size, peaks) VALUES (1, ?1, ?2)";
    connection.execute(insert, rusqlite::params![tree.size() as i64, tree.to_bytes()])?;
    for sql in triggers().filter_map(|trigger| trigger.sql) {
        connection.execute_batch(sql)?;
    }
    Ok(tree)
}
