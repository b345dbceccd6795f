//! Files that this machine keeps for later programs, in the user's folder for caches. Each begins with the digest of its content, so
//! that a damaged one counts as absent.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The bytes of a digest before the content.
const DIGEST: usize = blake3::OUT_LEN;

#[derive(Debug)]
pub struct CacheFolder {
    folder: Option<PathBuf>,
    most: u64,
}

impl CacheFolder {
    /// `annals/NAME` in the user's folder for caches, of at most `most` bytes: the oldest files are removed. It keeps nothing if the
    /// environment names no folder for caches.
    #[must_use]
    pub fn named(name: &str, most: u64) -> CacheFolder {
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let caches = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
        CacheFolder { folder: caches.map(|caches| caches.join("annals").join(name)), most }
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        // A name has a digest from a manifest, which is not trusted.
        let is_name =
            name.len() >= 16 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        self.folder.as_ref().filter(|_| is_name).map(|folder| folder.join(name))
    }

    /// The content of a file; none if it is absent or damaged.
    #[must_use]
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut content = fs::read(self.file(name)?).ok()?;
        let digest: [u8; DIGEST] = content.get(..DIGEST)?.try_into().ok()?;
        content.drain(..DIGEST);
        (*blake3::hash(&content).as_bytes() == digest).then_some(content)
    }

    /// Keeps a file, where the folder can be written.
    pub fn keep(&self, name: &str, content: &[u8]) {
        let Some(file) = self.file(name) else { return };
        let Some(folder) = file.parent() else { return };
        let write = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(blake3::hash(content).as_bytes())?;
            new.write_all(content)?;
            new.persist(&file)?;
            remove_oldest(folder, self.most)
        };
        let _ = write();
    }
}

fn remove_oldest(folder: &Path, most: u64) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        files.push((metadata.modified()?, metadata.len(), entry.path()));
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, bytes, path) in files {
        if total <= most {
            break;
        }
        fs::remove_file(path)?;
        total -= bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "0123456789abcdef-1";

    fn within(folder: &Path, most: u64) -> CacheFolder {
        CacheFolder { folder: Some(folder.join("kept")), most }
    }

    #[test]
    fn a_kept_file_is_read_and_a_damaged_one_counts_as_absent() {
        let place = tempfile::tempdir().unwrap();
        let cache = within(place.path(), 1 << 20);
        assert_eq!(cache.read(NAME), None);
        cache.keep(NAME, b"content");
        assert_eq!(cache.read(NAME).as_deref(), Some(&b"content"[..]));
        let file = place.path().join("kept").join(NAME);
        let whole = fs::read(&file).unwrap();
        for bytes in [0, DIGEST - 1, DIGEST, whole.len() - 1] {
            fs::write(&file, &whole[..bytes]).unwrap();
            assert_eq!(cache.read(NAME), None, "{bytes}");
        }
        let mut flipped = whole;
        flipped[DIGEST] ^= 1;
        fs::write(&file, flipped).unwrap();
        assert_eq!(cache.read(NAME), None);
        cache.keep(NAME, b"again");
        assert_eq!(cache.read(NAME).as_deref(), Some(&b"again"[..]));
    }

    #[test]
    fn the_oldest_files_are_removed_and_a_name_never_leaves_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let cache = within(place.path(), 2 * (DIGEST as u64 + 4));
        for (name, second) in [("a", 1), ("b", 2), ("c", 3)] {
            let name = NAME.to_owned() + name;
            cache.keep(&name, b"four");
            let file = fs::File::options().write(true).open(place.path().join("kept").join(name)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(second)).unwrap();
        }
        let found = ["a", "b", "c"].map(|name| cache.read(&(NAME.to_owned() + name)).is_some());
        assert_eq!(found, [false, true, true]);
        cache.keep(&format!("../{NAME}"), b"four");
        assert!(!place.path().join(NAME).exists());
        CacheFolder { folder: None, most: 1 }.keep(NAME, b"four");
    }

    #[test]
    fn a_folder_that_cannot_be_written_keeps_nothing() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("kept"), "a file").unwrap();
        let cache = within(place.path(), 1 << 20);
        cache.keep(NAME, b"content");
        assert_eq!(cache.read(NAME), None);
    }
}
