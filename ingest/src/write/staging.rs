//! The staging folder, where an ingest writes. Completed files have their final names; publication moves them into the
//! dataset and then replaces the manifest, so that a crash leaves the old or the new dataset. A journal of completed
//! sources lets the same ingest resume.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use serde::{Deserialize, Serialize};

use super::error::WriteError;
use super::table_file::StagedFile;
use crate::manifest::{
    FileEntry, InputEntry, MANIFEST_FILE, Manifest, ManifestError, SourceEntry, sync_folder,
};

/// Inside the dataset folder.
pub const STAGING_FOLDER: &str = "staging";

/// Excludes concurrent ingests.
pub const LOCK_FILE: &str = "lock";

const JOURNAL_FILE: &str = "journal.json";

/// The table folders: only these are cleaned.
const TABLE_FOLDERS: [&str; 7] =
    ["games", "turns", "lookup", "server_log", "rejected_turns", "rejects", "players"];

/// How long a held lock is retried.
const PATIENCE: Duration = Duration::from_millis(400);

/// Excludes other ingests while it lives; the system releases it with the process.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code, reason = "held, not read")] File);

impl Lock {
    /// Locks a dataset folder, created if missing.
    ///
    /// # Errors
    /// If another process holds the lock, or the disk fails.
    pub fn acquire(dataset: &Path) -> Result<Lock, WriteError> {
        fs::create_dir_all(dataset).map_err(|e| WriteError::io("created", dataset, e))?;
        let path = dataset.join(LOCK_FILE);
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(|e| WriteError::io("created", &path, e))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                // A starting process holds its parent's handles until its own program begins.
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(PATIENCE / 20);
                }
                Err(TryLockError::WouldBlock) => return Err(WriteError::Busy { folder: dataset.to_owned() }),
                Err(TryLockError::Error(error)) => return Err(WriteError::io("locked", &path, error)),
            }
        }
    }
}

/// A completed source with its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedSource {
    /// In its input, from 0.
    pub ordinal: u32,
    /// Its manifest entry; none if rejected or known before.
    pub entry: Option<SourceEntry>,
    pub files: Vec<FileEntry>,
}

/// An input with at least one completed source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedInput {
    pub entry: InputEntry,
    /// All its sources are completed.
    pub whole: bool,
    /// Completed, in order.
    pub sources: Vec<FinishedSource>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// The start of the ingest: the manifest's checksum and the options that affect bytes.
    pub base: String,
    /// In order.
    pub inputs: Vec<FinishedInput>,
}

impl Journal {
    pub fn files(&self) -> impl Iterator<Item = &FileEntry> {
        self.inputs.iter().flat_map(|input| &input.sources).flat_map(|source| &source.files)
    }

    /// Completed and stored.
    pub fn sources(&self) -> impl Iterator<Item = &SourceEntry> {
        self.inputs.iter().flat_map(|input| &input.sources).filter_map(|source| source.entry.as_ref())
    }
}

#[derive(Debug)]
pub struct Staging {
    dataset: PathBuf,
    folder: PathBuf,
    opened: u32,
    syncer: Option<Syncer>,
}

impl Staging {
    /// Opens the staging folder of a dataset, created if missing.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn open(dataset: &Path) -> Result<Staging, WriteError> {
        let folder = dataset.join(STAGING_FOLDER);
        fs::create_dir_all(&folder).map_err(|e| WriteError::io("created", &folder, e))?;
        Ok(Staging { dataset: dataset.to_owned(), folder, opened: 0, syncer: None })
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// For a file without a final name.
    pub fn fresh_path(&mut self) -> PathBuf {
        self.opened += 1;
        self.folder.join(format!("open-{}.parquet", self.opened))
    }

    /// The path of a file that is not published yet.
    #[must_use]
    pub fn staged(&self, entry: &FileEntry) -> Option<PathBuf> {
        Some(self.folder.join(&entry.path)).filter(|path| path.exists())
    }

    /// Gives a completed file its final name, and starts its sync.
    ///
    /// # Errors
    /// If the disk fails, or the name exists.
    pub fn keep(
        &mut self,
        staged: StagedFile,
        table: &str,
        path: String,
        year: Option<i16>,
        source: Option<String>,
    ) -> Result<FileEntry, WriteError> {
        let StagedFile { path: now, rows, bytes, digest, file } = staged;
        let then = self.folder.join(&path);
        if then.exists() {
            return Err(WriteError::NameTaken { path });
        }
        move_file(&now, &then)?;
        self.syncer.get_or_insert_with(Syncer::start).sync(file, then);
        Ok(FileEntry { table: table.to_owned(), path, rows, bytes, digest, year, source })
    }

    pub fn discard(&self, entry: &FileEntry) {
        // A file that cannot be removed is unlisted, and removed by the next ingest.
        let _ = fs::remove_file(self.folder.join(&entry.path));
    }

    /// # Errors
    /// If the disk fails.
    pub fn save_journal(&self, journal: &Journal) -> Result<(), WriteError> {
        let (beside, path) = (self.folder.join("journal.new"), self.folder.join(JOURNAL_FILE));
        let write = || -> io::Result<()> {
            // Not synced: its files are digested again before use.
            File::create(&beside)?.write_all(&serde_json::to_vec(journal)?)?;
            fs::rename(&beside, &path)
        };
        write().map_err(|e| WriteError::io("written", &path, e))
    }

    /// The journal of an interrupted ingest, if usable.
    #[must_use]
    pub fn load_journal(&self) -> Option<Journal> {
        serde_json::from_slice(&fs::read(self.folder.join(JOURNAL_FILE)).ok()?).ok()
    }

    /// Whether a journal's file is complete. A file that was moved into the dataset but never listed is moved back.
    #[must_use]
    pub fn recover(&self, entry: &FileEntry) -> bool {
        let staged = self.folder.join(&entry.path);
        if !staged.exists() && move_file(&self.dataset.join(&entry.path), &staged).is_err() {
            return false;
        }
        let digest = File::open(&staged).and_then(|mut file| {
            let mut hasher = blake3::Hasher::new();
            io::copy(&mut file, &mut hasher)?;
            Ok(hasher.finalize().to_hex().to_string())
        });
        digest.is_ok_and(|digest| digest == entry.digest)
    }

    /// Removes files that are neither listed, nor `wanted`, nor of the present `old` dataset: leftovers of interrupted
    /// ingests, and replaced files.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn clean(
        &self,
        manifest: &Manifest,
        old: &[String],
        wanted: &[&FileEntry],
    ) -> Result<(), WriteError> {
        let listed = manifest.files.iter().map(|file| &file.path).chain(old);
        let listed: HashSet<PathBuf> = listed.map(|path| self.dataset.join(path)).collect();
        for table in TABLE_FOLDERS {
            remove_files(&self.dataset.join(table), &|path| {
                !listed.contains(path) && path.extension().is_some_and(|e| e == "parquet")
            })?;
        }
        let wanted: HashSet<PathBuf> = wanted.iter().map(|file| self.folder.join(&file.path)).collect();
        let journal = self.folder.join(JOURNAL_FILE);
        remove_files(&self.folder, &|path| !wanted.contains(path) && (path != journal || wanted.is_empty()))
    }

    /// Publishes the staged files: moves them, then replaces the manifest.
    ///
    /// # Errors
    /// If the disk fails; the old manifest remains, and moved files are unlisted.
    pub fn publish(&mut self, manifest: &Manifest, new: &[FileEntry]) -> Result<(), PublishError> {
        if let Some(syncer) = self.syncer.take() {
            syncer.wait()?;
        }
        let mut folders = HashSet::new();
        for entry in new {
            let (from, to) = (self.folder.join(&entry.path), self.dataset.join(&entry.path));
            move_file(&from, &to)?;
            folders.extend(to.ancestors().skip(1).take_while(|f| *f != self.dataset).map(Path::to_owned));
        }
        folders.insert(self.dataset.clone());
        for folder in folders {
            sync_folder(&folder).map_err(|e| WriteError::io("synced", &folder, e))?;
        }
        if !self.dataset.join(MANIFEST_FILE).exists() {
            self.sync_own_name()?;
        }
        manifest.write(&self.dataset)?;
        self.remove();
        Ok(())
    }

    /// The name of a new dataset's folder.
    fn sync_own_name(&self) -> Result<(), WriteError> {
        let parent = self.dataset.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        match sync_folder(parent) {
            // Not a folder of this user, who so did not create the dataset's in it.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            synced => synced.map_err(|e| WriteError::io("synced", parent, e)),
        }
    }

    pub fn remove(&mut self) {
        if let Some(syncer) = self.syncer.take() {
            let _ = syncer.wait();
        }
        // The next ingest removes the rest.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

/// A thread that syncs files.
#[derive(Debug)]
struct Syncer {
    files: Sender<(File, PathBuf)>,
    thread: JoinHandle<Result<(), WriteError>>,
}

impl Syncer {
    fn start() -> Syncer {
        let (files, queue) = crossbeam_channel::unbounded::<(File, PathBuf)>();
        let thread = std::thread::spawn(move || {
            for (file, path) in queue {
                file.sync_all().map_err(|e| WriteError::io("synced", &path, e))?;
            }
            Ok(())
        });
        Syncer { files, thread }
    }

    fn sync(&self, file: File, path: PathBuf) {
        // The thread ends early only on an error, which `wait` reports.
        let _ = self.files.send((file, path));
    }

    fn wait(self) -> Result<(), WriteError> {
        drop(self.files);
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => {
                Err(WriteError::io("synced", Path::new("staging"), io::Error::other("the thread died")))
            }
        }
    }
}

fn move_file(from: &Path, to: &Path) -> Result<(), WriteError> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|e| WriteError::io("created", parent, e))?;
    }
    fs::rename(from, to).map_err(|e| WriteError::io("renamed", from, e))
}

/// Removes `unwanted` files below a folder, and empty folders.
fn remove_files(folder: &Path, unwanted: &dyn Fn(&Path) -> bool) -> Result<(), WriteError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(WriteError::io("read", folder, error)),
    };
    for entry in entries {
        let entry = entry.map_err(|e| WriteError::io("read", folder, e))?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_files(&path, unwanted)?;
            // Fails if not empty, as intended.
            let _ = fs::remove_dir(&path);
        } else if unwanted(&path) {
            fs::remove_file(&path).map_err(|e| WriteError::io("removed", &path, e))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(staging: &mut Staging, content: &[u8]) -> StagedFile {
        let path = staging.fresh_path();
        let mut sink = super::super::sink::Sink::create(&path).unwrap();
        sink.write_all(content).unwrap();
        let (file, bytes, digest) = sink.finish().unwrap();
        StagedFile { path, rows: 1, bytes, digest, file }
    }

    #[test]
    fn one_ingest_keeps_another_out() {
        let folder = tempfile::tempdir().unwrap();
        let held = Lock::acquire(folder.path()).unwrap();
        assert!(matches!(Lock::acquire(folder.path()), Err(WriteError::Busy { .. })));
        drop(held);
        Lock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn published_files_stand_in_the_dataset_and_nothing_is_left_in_staging() {
        let folder = tempfile::tempdir().unwrap();
        let mut staging = Staging::open(folder.path()).unwrap();
        let file = staged(&mut staging, b"rows");
        let entry =
            staging.keep(file, "turns", "turns/year=2026/a.parquet".to_owned(), Some(2026), None).unwrap();
        let mut manifest = Manifest { files: vec![entry.clone()], ..Manifest::default() };
        manifest.seal().unwrap();
        staging.publish(&manifest, &[entry]).unwrap();
        assert_eq!(fs::read(folder.path().join("turns/year=2026/a.parquet")).unwrap(), b"rows");
        assert!(!folder.path().join(STAGING_FOLDER).exists());
        Manifest::open(folder.path()).unwrap().check_files(folder.path()).unwrap();
    }

    #[test]
    fn cleaning_removes_what_is_not_listed_and_nothing_that_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in [
            "games/old.parquet",
            "games/before.parquet",
            "games/kept.parquet",
            "games/notes.txt",
            "lookup/x.parquet",
            "mine.parquet",
        ] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), b"x").unwrap();
        }
        let mut staging = Staging::open(folder.path()).unwrap();
        let file = staged(&mut staging, b"finished");
        let wanted = staging.keep(file, "games", "games/new.parquet".to_owned(), None, None).unwrap();
        let _unfinished = staged(&mut staging, b"unfinished");
        let kept = FileEntry { path: "games/kept.parquet".to_owned(), ..wanted.clone() };
        let manifest = Manifest { files: vec![kept], ..Manifest::default() };
        staging.clean(&manifest, &["games/before.parquet".to_owned()], &[&wanted]).unwrap();
        for (path, stays) in [
            ("games/old.parquet", false),
            ("games/kept.parquet", true),
            ("games/before.parquet", true),
            ("games/notes.txt", true),
            ("lookup/x.parquet", false),
            ("mine.parquet", true),
            ("staging/games/new.parquet", true),
            ("staging/open-2.parquet", false),
        ] {
            assert_eq!(at(path).exists(), stays, "{path}");
        }
    }

    #[test]
    fn a_file_of_the_journal_is_recovered_from_where_it_was_moved_and_only_if_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut staging = Staging::open(folder.path()).unwrap();
        let file = staged(&mut staging, b"finished");
        let entry = staging.keep(file, "games", "games/a.parquet".to_owned(), None, None).unwrap();
        move_file(&folder.path().join("staging/games/a.parquet"), &folder.path().join("games/a.parquet"))
            .unwrap();
        assert!(staging.recover(&entry));
        assert!(folder.path().join("staging/games/a.parquet").exists());
        fs::write(folder.path().join("staging/games/a.parquet"), b"finishes").unwrap();
        assert!(!staging.recover(&entry));
        fs::remove_file(folder.path().join("staging/games/a.parquet")).unwrap();
        assert!(!staging.recover(&entry));
    }
}
