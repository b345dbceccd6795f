//! The folder of one session for rows that do not fit into memory. A dropped session removes its folder; a
//! killed one leaves it, and the next session in the same place removes it. The owner has a lock, which ends with its process.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Error;

/// How the names of the folders begin.
const NAME: &str = "spill-";

/// The file in a folder that its owner keeps locked.
const OWNER: &str = "owner";

/// The file that is locked while folders are created and removed.
const GATE: &str = "lock";

/// A folder for spilled rows.
pub(crate) struct Spill {
    folder: PathBuf,
    owner: Option<File>,
}

impl Spill {
    /// Removes folders that killed sessions left, and creates a folder in `place`; if that is empty or not
    /// writable, in the system's folder for temporary files.
    ///
    /// # Errors
    /// `Io` if neither is writable.
    pub(crate) fn begin(place: &Path) -> Result<Spill, Error> {
        // A read-only home can be queried too.
        Spill::begin_in(place).or_else(|_| {
            let other = std::env::temp_dir();
            let doing =
                || format!("create a folder for spilled rows in {} or {}", place.display(), other.display());
            Spill::create_in(&other, "annals-spill-").map_err(|error| Error::io(doing(), error))
        })
    }

    fn begin_in(place: &Path) -> io::Result<Spill> {
        if place.as_os_str().is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        fs::create_dir_all(place)?;
        let gate = File::options().create(true).append(true).open(place.join(GATE))?;
        gate.lock()?;
        remove_left_over(place)?;
        Spill::create_in(place, NAME)
    }

    /// Creates a folder that only this user can read.
    fn create_in(place: &Path, name: &str) -> io::Result<Spill> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        #[allow(unused_mut)]
        let mut private = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = place.join(format!("{name}{}-{number}", std::process::id()));
            match private.create(&folder) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
            let owner = File::create(folder.join(OWNER))?;
            owner.lock()?;
            return Ok(Spill { folder, owner: Some(owner) });
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // Not every system removes a file that is open.
        self.owner = None;
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes the folders whose owners have ended. A folder that cannot be removed remains for the next session.
fn remove_left_over(place: &Path) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(NAME) || !entry.file_type()?.is_dir() {
            continue;
        }
        let folder = entry.path();
        let is_owned = match File::open(folder.join(OWNER)) {
            Ok(owner) => matches!(owner.try_lock(), Err(TryLockError::WouldBlock)),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if !is_owned {
            let _ = fs::remove_dir_all(&folder);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(place: &Path) -> usize {
        fs::read_dir(place).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }

    #[test]
    fn a_folder_goes_with_its_session_and_one_that_was_left_with_the_next() {
        let place = tempfile::tempdir().unwrap();
        let first = Spill::begin(place.path()).unwrap();
        fs::write(first.path().join("rows"), "kept").unwrap();
        // The leftover of a killed process: its lock is free.
        let left = place.path().join("spill-1-0");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(OWNER), "").unwrap();
        fs::create_dir(place.path().join("spill-1-1")).unwrap();
        fs::create_dir(place.path().join("mine")).unwrap();
        let second = Spill::begin(place.path()).unwrap();
        assert!(!left.exists());
        assert_eq!(fs::read(first.path().join("rows")).unwrap(), b"kept", "its owner is at work");
        assert_eq!(folders(place.path()), 3);
        drop((first, second));
        assert_eq!(folders(place.path()), 1, "what is no folder of ours stays");
    }
}
