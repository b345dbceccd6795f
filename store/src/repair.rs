//! Repairs in place of what protects the events, never of the events: the stored Merkle tree, and the triggers, tables and
//! indexes of the file. Identity and receipts of the log stay.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::connection::{self, Access};
use crate::fault::Fault;
use crate::head::Head;
use crate::log::Log;
use crate::loss::copy_aside;
use crate::merkle::Frontier;
use crate::open_error::OpenError;
use crate::outside::{AnchorProblem, hash_at, stored_tree};
use crate::schema::{self, OBJECTS};
use crate::tail::last_seq;
use crate::verify::{Finding, Severity, VerifyOptions, verify};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// With the new tree.
    pub head: Head,
    /// Of the files before.
    pub copies: Vec<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What differed: "trigger event_no_update is missing".
    pub objects: Vec<String>,
    /// Of the files before.
    pub copies: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("{path}: {what}")]
    Sound { path: PathBuf, what: &'static str },
    /// More is damaged than is repaired.
    #[error("{path}: more than {part} is damaged: {finding}")]
    Damaged { path: PathBuf, part: &'static str, finding: Box<Finding> },
}

/// The findings of damage, which must be none but these kinds.
fn damage_only(
    path: &Path,
    part: &'static str,
    is_one: fn(&Finding) -> bool,
) -> Result<Vec<Finding>, RepairError> {
    let mut findings = verify(path, &VerifyOptions::default())?.findings;
    findings.retain(|finding| finding.severity() == Severity::Damage);
    match findings.iter().find(|finding| !is_one(finding)) {
        Some(other) => {
            Err(RepairError::Damaged { path: path.to_owned(), part, finding: Box::new(other.clone()) })
        }
        None => Ok(findings),
    }
}

/// Recomputes the stored Merkle tree from verified event hashes. All files are copied first. No handle on the log may
/// be open in this process.
///
/// # Errors
/// If the tree is sound, more is damaged, or the file system fails.
pub fn rebuild_tree(path: &Path) -> Result<Rebuilt, RepairError> {
    let is_one = |finding: &Finding| is_of_the_tree(finding) || is_without_testimony(finding);
    let damage = damage_only(path, "the Merkle tree", is_one)?;
    if !damage.iter().any(is_of_the_tree) {
        let what = "the stored Merkle tree is the one over the events";
        return Err(RepairError::Sound { path: path.to_owned(), what });
    }
    make_tree(path)
}

/// Makes the tree over the stored hashes, which the caller verified.
pub(crate) fn make_tree(path: &Path) -> Result<Rebuilt, RepairError> {
    let copies = copy_aside(path, "before-rebuild")?;
    let log = Log::look(path, Access::Write)?;
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "making the Merkle tree again", error);
    connection::make_durable(&log.connection, path, "making the Merkle tree again")?;
    let writing = log.connection.unchecked_transaction().map_err(|e| fault(&e))?;
    let tree = replace_tree(&writing).map_err(|e| fault(&e))?;
    let hash = hash_at(&writing, tree.size()).map_err(|e| fault(&e))?.unwrap_or_default();
    writing.commit().map_err(|e| fault(&e))?;
    Ok(Rebuilt { head: Head { log: log.id(), seq: tree.size(), hash, root: tree.root() }, copies })
}

/// Gives the file the triggers that this program made, and removes what was added. No event is changed, so a
/// contradiction with the anchor stays one. All files are copied first. No handle on the log may be open in this process.
///
/// # Errors
/// If nothing differs, events are damaged, or the file system fails.
pub fn restore_schema(path: &Path) -> Result<Restored, RepairError> {
    let damage = damage_only(path, "the schema", Finding::is_of_protection)?;
    let differences = damage.iter().filter(|finding| matches!(finding, Finding::Schema(_)));
    let objects: Vec<String> = differences.map(ToString::to_string).collect();
    if objects.is_empty() {
        let what = "the tables, indexes and triggers are those of a log";
        return Err(RepairError::Sound { path: path.to_owned(), what });
    }
    let copies = copy_aside(path, "before-restore")?;
    let log = Log::look(path, Access::Write)?;
    let fault = |error: &rusqlite::Error| Fault::sqlite(path, "restoring the triggers", error);
    connection::make_durable(&log.connection, path, "restoring the triggers")?;
    let writing = log.connection.unchecked_transaction().map_err(|e| fault(&e))?;
    schema::restore(&writing).map_err(|e| fault(&e))?;
    let left = schema::differences(&writing).map_err(|e| fault(&e))?;
    if let Some(difference) = left.into_iter().next() {
        let finding = Box::new(Finding::Schema(difference));
        return Err(RepairError::Damaged { path: path.to_owned(), part: "what can be restored", finding });
    }
    writing.commit().map_err(|e| fault(&e))?;
    Ok(Restored { objects, copies })
}

/// The tree, and SQLite's own check of its table.
pub(crate) fn is_of_the_tree(finding: &Finding) -> bool {
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
pub(crate) fn replace_tree(connection: &Connection) -> rusqlite::Result<Frontier> {
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
