//! Names of a backup in progress: copy, anchor and digest have temporary names and get their own last, the copy after
//! the others, so that a file with a backup's name is complete. `NAME.sealing` is locked by the process and deleted at
//! the end. The next backup of that name deletes the leftovers of a killed one: the file contains the number in its
//! copy's names and, before the first renaming, the word `publishing`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::fault::{Fault, sync_folder_of};
use crate::files::has_name;
use crate::log::random_id;
use crate::names::{anchor_path, appended, beside, digest_path, wal_path};
use crate::open_error::OpenError;
use crate::verify::Finding;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("the copy cannot be opened again: {0}")]
    Open(#[from] OpenError),
    #[error("{path}: the folder {folder} does not exist")]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("{path} exists")]
    Exists { path: PathBuf },
    /// Another process makes a backup of that name.
    #[error("{path}: another backup of that name is being made")]
    InWork { path: PathBuf },
    /// The log is damaged; a copy of it is no backup.
    #[error("the log is damaged: {finding}")]
    Damaged { finding: Box<Finding> },
}

const TAG: &str = "annals-sealing/1 ";
const PUBLISHING: &str = "publishing\n";
const DOING: &str = "sealing the copy";

/// A backup in progress; dropping it before publication deletes its files.
pub(crate) struct Sealing {
    to: PathBuf,
    lock: File,
    lock_path: PathBuf,
    copy: PathBuf,
    is_publishing: bool,
}

impl Sealing {
    /// Reserves the name, and deletes leftovers of a killed backup.
    pub fn begin(to: &Path) -> Result<Sealing, BackupError> {
        if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        {
            return Err(BackupError::NoFolder { path: to.to_owned(), folder: folder.to_owned() });
        }
        let lock_path = beside(to, "sealing");
        let lock = locked(to, &lock_path)?;
        let fault = |error: io::Error| Fault::io(&lock_path, DOING, &error);
        let mut left = Vec::new();
        (&lock).take(100).read_to_end(&mut left).map_err(fault)?;
        if !is_of_a_backup(&left) {
            return Err(BackupError::Exists { path: lock_path });
        }
        if let Some((number, is_publishing)) = parsed(&left) {
            clean(to, &copy_path(to, number), is_publishing);
        }
        let [a, b, c, d, e, f, g, h, ..] = random_id()?;
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        let copy = copy_path(to, number);
        let mut sealing = Sealing { to: to.to_owned(), lock, lock_path, copy, is_publishing: false };
        for path in [to.to_owned(), digest_path(to), anchor_path(to)] {
            if std::fs::symlink_metadata(&path).is_ok() {
                return Err(BackupError::Exists { path });
            }
        }
        sealing
            .lock
            .set_len(0)
            .and_then(|()| io::Seek::rewind(&mut sealing.lock))
            .map_err(|e| sealing.fault(&e))?;
        sealing.record(&format!("{TAG}{number:016x}\n"))?;
        sync_folder_of(to)?;
        Ok(sealing)
    }

    /// The path of the copy.
    pub fn copy(&self) -> &Path {
        &self.copy
    }

    /// Renames the files, which are complete and synced.
    pub fn publish(mut self) -> Result<(), BackupError> {
        self.record(PUBLISHING)?;
        self.is_publishing = true;
        for (made, named) in companions(&self.copy, &self.to) {
            rename_new(&made, &named)?;
        }
        // The copy's name must not be durable before the others.
        sync_folder_of(&self.to)?;
        rename_new(&self.copy, &self.to)?;
        Ok(sync_folder_of(&self.to)?)
    }

    fn record(&mut self, text: &str) -> Result<(), Fault> {
        self.lock.write_all(text.as_bytes()).map_err(|e| self.fault(&e))?;
        self.lock.sync_all().map_err(|e| Fault::sync(&self.lock_path, DOING, &e))
    }

    fn fault(&self, error: &io::Error) -> Fault {
        Fault::io(&self.lock_path, DOING, error)
    }
}

impl Drop for Sealing {
    fn drop(&mut self) {
        clean(&self.to, &self.copy, self.is_publishing);
        // Deleted while locked: a waiting process has to check that the file is still the one of that name.
        let _ = std::fs::remove_file(&self.lock_path);
    }
}

fn locked(to: &Path, lock_path: &Path) -> Result<File, BackupError> {
    let fault = |error: &io::Error| Fault::io(lock_path, DOING, error);
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = options.open(lock_path).map_err(|e| fault(&e))?;
        match lock.try_lock() {
            Ok(()) if has_name(&lock, lock_path) => return Ok(lock),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::InWork { path: to.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(fault(&error).into()),
        }
    }
}

/// Whether a backup made this file, also if it was interrupted.
fn is_of_a_backup(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
        || bytes.starts_with(TAG.as_bytes())
        || TAG.as_bytes().starts_with(bytes)
}

/// The copy's number, and whether it was being renamed.
fn parsed(bytes: &[u8]) -> Option<(u64, bool)> {
    let (number, rest) = std::str::from_utf8(bytes).ok()?.strip_prefix(TAG)?.split_once('\n')?;
    let is_number = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(number, 16).ok().filter(|_| is_number)?;
    Some((number, rest == PUBLISHING))
}

fn copy_path(to: &Path, number: u64) -> PathBuf {
    beside(to, &format!("sealing-{number:016x}.db"))
}

/// Files next to a copy: temporary and final names.
fn companions(copy: &Path, to: &Path) -> [(PathBuf, PathBuf); 2] {
    [(digest_path(copy), digest_path(to)), (anchor_path(copy), anchor_path(to))]
}

/// Deletes the leftovers of a copy. The copy is last, so that an interrupted deletion is repeated.
fn clean(to: &Path, copy: &Path, is_publishing: bool) {
    let exists = |path: &Path| std::fs::symlink_metadata(path).is_ok();
    // A file that cannot be deleted does not matter: each copy has its own names.
    let delete = |path: &Path| drop(std::fs::remove_file(path));
    for (made, named) in companions(copy, to) {
        // While the copy has no name, a renamed companion is useless.
        if is_publishing && exists(copy) && !exists(&made) {
            delete(&named);
        }
    }
    for (made, _) in companions(copy, to) {
        delete(&made);
    }
    for left in [wal_path(copy), appended(copy, "-shm"), appended(copy, "-journal"), copy.to_owned()] {
        delete(&left);
    }
}

/// Never replaces a file.
fn rename_new(from: &Path, to: &Path) -> Result<(), BackupError> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(Errno::EXIST) => return Err(BackupError::Exists { path: to.to_owned() }),
            // Not supported by the file system.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(error) => return Err(Fault::io(to, DOING, &error.into()).into()),
        }
    }
    if std::fs::symlink_metadata(to).is_ok() {
        return Err(BackupError::Exists { path: to.to_owned() });
    }
    std::fs::rename(from, to).map_err(|e| Fault::io(to, DOING, &e).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_only_in_its_exact_form() {
        let whole = format!("{TAG}00000000000000ff\n");
        assert_eq!(parsed(whole.as_bytes()), Some((255, false)));
        assert_eq!(parsed(format!("{whole}{PUBLISHING}").as_bytes()), Some((255, true)));
        assert_eq!(parsed(format!("{whole}publi").as_bytes()), Some((255, false)));
        for cut in 0..whole.len() {
            assert_eq!(parsed(&whole.as_bytes()[..cut]), None, "{cut}");
            assert!(is_of_a_backup(&whole.as_bytes()[..cut]), "{cut}");
        }
        assert!(is_of_a_backup(&[0; 34]));
        for other in ["annals", "annals-sealing/2 00000000000000ff\n", "a note of mine"] {
            assert_eq!(parsed(other.as_bytes()), None);
        }
        assert!(!is_of_a_backup(b"a note of mine"));
        assert_eq!(parsed(format!("{TAG}+0000000000000ff\n").as_bytes()), None);
        assert_eq!(parsed(format!("{TAG}../../../../etc\n").as_bytes()), None);
    }
}
