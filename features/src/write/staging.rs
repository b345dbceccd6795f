//! A temporary folder next to the output file, always removed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::FeatureError;

pub(super) struct Staging {
    folder: PathBuf,
}

impl Staging {
    /// Also checks that the file can be written.
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

    pub fn path(&self, part: &str) -> PathBuf {
        self.folder.join(part)
    }

    /// Syncs and renames a part.
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
        // A leftover has a unique name and does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
