//! Output files appear when complete, and are not overwritten unless forced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::{TempDir, TempPath};

#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file exists, and may not be overwritten.
    #[error("{} exists", .0.display())]
    Exists(PathBuf),
    /// The system refuses.
    #[error("cannot write {}", .path.display())]
    System {
        path: PathBuf,
        /// Not `source`: a closed pipe is an error of a named file.
        error: io::Error,
    },
}

/// Called with every folder of unfinished files.
static WATCHER: OnceLock<fn(&Path) -> io::Result<()>> = OnceLock::new();

/// Registers a function that is called with every new folder of unfinished files, so that the program can remove it on
/// a signal. Only the first is used.
pub fn watch_unfinished(watcher: fn(&Path) -> io::Result<()>) {
    let _ = WATCHER.set(watcher);
}

/// Checks that a file can be written: it does not exist or may be overwritten, is not a folder, and its folder exists.
/// Long commands call this first.
///
/// # Errors
/// As described.
pub fn check(path: &Path, force: bool) -> Result<(), OutputError> {
    match fs::symlink_metadata(path) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return fs::metadata(folder_of(path)).map(drop).map_err(|error| cannot(path, error));
        }
        Err(error) => return Err(cannot(path, error)),
    }
    // A dangling link would be replaced.
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(cannot(path, ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => Ok(()),
        _ if force => Ok(()),
        _ => Err(OutputError::Exists(path.to_owned())),
    }
}

/// # Errors
/// As [`OutputFile::create`] and [`OutputFile::finish`].
pub fn write(path: &Path, force: bool, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = OutputFile::create(path, force)?;
    file.write_all(bytes).map_err(|error| cannot(path, error))?;
    file.finish()
}

fn cannot(path: &Path, error: io::Error) -> OutputError {
    OutputError::System { path: path.to_owned(), error }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A folder next to the output file for unfinished files, removed when dropped.
pub struct Staging {
    folder: TempDir,
    force: bool,
}

impl Staging {
    /// # Errors
    /// As [`check`], and if the folder cannot be created.
    pub fn begin(target: &Path, force: bool) -> Result<Staging, OutputError> {
        check(target, force)?;
        Ok(Staging { force, ..Staging::next_to(target)? })
    }

    /// For a folder, which the caller checks.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn next_to(target: &Path) -> Result<Staging, OutputError> {
        if target.file_name().is_none() {
            return Err(cannot(target, ErrorKind::InvalidFilename.into()));
        }
        let folder =
            tempfile::Builder::new().prefix(".annals-").suffix(".unfinished").tempdir_in(folder_of(target));
        let folder = folder.map_err(|error| cannot(target, error))?;
        if let Some(watch) = WATCHER.get() {
            watch(folder.path()).map_err(|error| cannot(target, error))?;
        }
        Ok(Staging { folder, force: false })
    }

    /// The path of an unfinished part.
    pub fn path(&self, part: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(part)
    }

    /// Syncs a part and renames it to the output file.
    ///
    /// # Errors
    /// If the output file now exists and may not be overwritten, or the system fails.
    pub fn publish(&self, part: impl AsRef<Path>, target: &Path) -> Result<(), OutputError> {
        let path = self.path(part);
        let synced = File::open(&path).and_then(|file| file.sync_all());
        let published = synced.and_then(|()| TempPath::try_from_path(path)).and_then(|part| {
            let published = if self.force { part.persist(target) } else { part.persist_noclobber(target) };
            published.map_err(io::Error::from)
        });
        match published {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(OutputError::Exists(target.to_owned()));
            }
            Err(error) => return Err(cannot(target, error)),
        }
        // Makes the name durable. Not every system opens folders.
        if let Ok(folder) = File::open(folder_of(target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// The file name in a staging folder.
const PART: &str = "file";

/// A file being written, removed unless finished. Devices and pipes are written directly.
pub struct OutputFile {
    target: PathBuf,
    staging: Option<Staging>,
    out: BufWriter<File>,
}

impl OutputFile {
    /// # Errors
    /// As [`Staging::begin`].
    pub fn create(path: &Path, force: bool) -> Result<OutputFile, OutputError> {
        check(path, force)?;
        let is_device = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let (staging, file) = if is_device {
            (None, OpenOptions::new().write(true).open(path))
        } else {
            let staging = Staging::begin(path, force)?;
            let file = File::create_new(staging.path(PART));
            (Some(staging), file)
        };
        let out = BufWriter::with_capacity(1 << 18, file.map_err(|error| cannot(path, error))?);
        Ok(OutputFile { target: path.to_owned(), staging, out })
    }

    /// # Errors
    /// As [`Staging::publish`].
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.out.flush().map_err(|error| cannot(&self.target, error))?;
        self.staging.map_or(Ok(()), |staging| staging.publish(PART, &self.target))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer.csv");
        let mut file = OutputFile::create(&path, false).unwrap();
        file.write_all(b"a\n").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\n");
        drop(OutputFile::create(&folder.path().join("unfinished"), false).unwrap());
        assert_eq!(names(folder.path()), ["answer.csv"], "an unfinished output leaves nothing");
    }

    #[test]
    fn a_file_is_overwritten_with_force_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        write(&path, false, b"first").unwrap();
        let error = write(&path, false, b"second").unwrap_err().to_string();
        assert!(error.contains("kept exists"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write(&path, true, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        // Also a file that was created while this one was written.
        let late = folder.path().join("late");
        let mut file = OutputFile::create(&late, false).unwrap();
        file.write_all(b"slow").unwrap();
        fs::write(&late, b"fast").unwrap();
        assert!(file.finish().unwrap_err().to_string().contains("late exists"));
        assert_eq!(fs::read(&late).unwrap(), b"fast");
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "kept").unwrap();
        for wrong in [folder.path().to_owned(), folder.path().join("none/x"), file.join("x"), "..".into()] {
            assert!(check(&wrong, true).is_err(), "{}", wrong.display());
            assert!(OutputFile::create(&wrong, true).is_err(), "{}", wrong.display());
        }
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed_into_another_file_and_a_device_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("gone"), &link).unwrap();
        assert!(write(&link, false, b"text").is_err());
        write(Path::new("/dev/null"), false, b"text").unwrap();
        assert_eq!(names(folder.path()), ["link"]);
    }
}
