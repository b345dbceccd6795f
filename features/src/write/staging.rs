//! A folder beside the file that is to be, in which it is made. It is gone afterwards, however it ended.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::FeatureError;

/// The folder.
pub(super) struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// Makes it, which also shows whether the file can be written at all.
    pub fn begin(target: &Path) -> Result<Staging, FeatureError> {
        let failed = |source| FeatureError::write("created", target, source);
        let name = target.file_name().ok_or_else(|| failed(std::io::ErrorKind::InvalidFilename.into()))?;
        if target.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        let folder = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let name = format!(".{}.{}.unfinished", name.to_string_lossy(), std::process::id());
        let folder = folder.join(name);
        fs::create_dir(&folder).map_err(failed)?;
        Ok(Staging { folder })
    }

    /// Where a part lies.
    pub fn path(&self, part: &str) -> PathBuf {
        self.folder.join(part)
    }

    /// Gives a part its name, once it is safe on the disk.
    pub fn publish(&self, part: &str, target: &Path) -> Result<(), FeatureError> {
        let path = self.path(part);
        let publish = || {
            File::open(&path)?.sync_all()?;
            fs::rename(&path, target)
        };
        publish().map_err(|source| FeatureError::write("put in its place", target, source))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed harms nobody: no other file has such a name.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
