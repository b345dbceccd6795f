//! `manifest.json`: the commit of a dataset. It lists every file that belongs to the dataset with its rows and digest,
//! every source with what became of its rows, and every input file, so that an unchanged one is not read twice.
//! What it does not list does not exist for a reader. It is written beside itself and renamed into place, so
//! there is always exactly one, and it carries a checksum of its own text.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::other_version::{Head, OtherVersion};
pub use crate::source::MANIFEST_FILE;
use crate::tables::SCHEMA_VERSION;

/// What the file says it is.
pub const FORMAT: &str = "annals dataset";

/// What became of rows. Accepted + flagged + rejected + also in the log = rows, always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Rows read.
    pub rows: u64,
    /// Stored without a flag.
    pub accepted: u64,
    /// Stored with at least one flag.
    pub flagged: u64,
    /// Not stored; each stands in `rejects` with its reason.
    pub rejected: u64,
    /// Not stored, because the game is stored from a log already, with the same events.
    #[serde(default, skip_serializing_if = "is_none")]
    pub also_in_log: u64,
}

impl Counts {
    /// Whether every row is accounted for.
    #[must_use]
    pub const fn add_up(&self) -> bool {
        self.accepted + self.flagged + self.rejected + self.also_in_log == self.rows
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.rows += other.rows;
        self.accepted += other.accepted;
        self.flagged += other.flagged;
        self.rejected += other.rejected;
        self.also_in_log += other.also_in_log;
    }
}

/// One source: a text file, or one member of a packed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// Its name: a file, or `outer.tgz!member.txt`.
    pub name: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub digest: String,
    /// Bytes of text.
    pub bytes: u64,
    /// What became of its rows.
    #[serde(flatten)]
    pub counts: Counts,
    /// Rows that it gave to `turns`.
    pub turns: u64,
    /// How many of the stored games nobody played: they say of themselves that they were generated.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generated: u64,
    /// How many stored games have each flag.
    pub flags: BTreeMap<String, u64>,
    /// How many rows were rejected for each reason.
    pub reasons: BTreeMap<String, u64>,
    /// Why it could not be read to its end; absent when it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Values that no part of the program knows, by column, with the number of rows (or lines of the server's log) that have each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, BTreeMap<String, u64>>,
    /// Columns of the source that are none of the archive's: nothing of them is stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_columns: Vec<String>,
    /// Columns of the archive that the source lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_columns: Vec<String>,
}

impl SourceEntry {
    /// Whether its columns are those of the archive.
    #[must_use]
    pub const fn has_only_known_columns(&self) -> bool {
        self.other_columns.is_empty() && self.missing_columns.is_empty()
    }
}

/// A dataset of games that were played says nothing of generated ones.
fn is_none(number: &u64) -> bool {
    *number == 0
}

/// A source, or a whole input, of which nothing could be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedSource {
    pub name: String,
    /// Why, as a short stable word.
    pub reason: String,
    pub detail: String,
}

/// A file that was read, as it lies on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    pub name: String,
    /// BLAKE3 of the file as it lies, in hexadecimal.
    pub digest: String,
    pub bytes: u64,
    /// The digests of the sources in it, in order.
    pub sources: Vec<String>,
    /// What in it is no archive text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedSource>,
}

/// A Parquet file of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The table it belongs to.
    pub table: String,
    /// Where it lies below the dataset folder, with `/`.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3 of the file, in hexadecimal.
    pub digest: String,
    /// The year whose games it holds, for the tables that are divided by year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// The digest of the source whose rows it holds, for the tables that are divided by source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The list of everything in a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// The version of the tables' shapes.
    pub schema_version: u32,
    /// The program that wrote it, with its version.
    pub program: String,
    /// What became of all rows of all sources.
    pub counts: Counts,
    /// Rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// The files that were read, sorted by name and digest.
    pub inputs: Vec<InputEntry>,
    /// The sources that were found in them, sorted by name and digest.
    pub sources: Vec<SourceEntry>,
    /// The files of the dataset, sorted by path.
    pub files: Vec<FileEntry>,
    /// BLAKE3 of this text with an empty checksum, in hexadecimal.
    pub checksum: String,
}

/// Why a dataset's manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("there is no dataset in `{}`", folder.display())]
    Missing { folder: PathBuf },
    #[error("the manifest `{}` cannot be {what}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// `read` or `written`.
        what: &'static str,
        source: io::Error,
    },
    /// It is no manifest.
    #[error("the manifest `{}` is damaged: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("{0}")]
    OtherVersion(Box<OtherVersion>),
    /// A file that it lists is not as listed.
    #[error("the dataset in `{}` is damaged: its file `{}` {why}", folder.display(), path.display())]
    File { folder: PathBuf, path: PathBuf, why: String },
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            schema_version: SCHEMA_VERSION,
            program: concat!("annals ", env!("CARGO_PKG_VERSION")).to_owned(),
            counts: Counts::default(),
            rows: BTreeMap::new(),
            inputs: Vec::new(),
            sources: Vec::new(),
            files: Vec::new(),
            checksum: String::new(),
        }
    }
}

impl Manifest {
    /// Reads the manifest of the dataset in a folder.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn open(folder: &Path) -> Result<Manifest, ManifestError> {
        Manifest::read(folder)?.ok_or_else(|| ManifestError::Missing { folder: folder.to_owned() })
    }

    /// Reads the manifest of the dataset in a folder; none where there is no dataset yet.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or was made by another version.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(ManifestError::Damaged { path, why: "it is not UTF-8".to_owned() });
            }
            Err(source) => return Err(ManifestError::Io { path, what: "read", source }),
        };
        Manifest::parse(&text, folder).map(Some)
    }

    fn parse(text: &str, folder: &Path) -> Result<Manifest, ManifestError> {
        let damaged = |why: String| ManifestError::Damaged { path: folder.join(MANIFEST_FILE), why };
        // The version first: what another version wrote may have another shape.
        let head: Head = serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?;
        if head.format != FORMAT {
            return Err(damaged(format!("it says that it is `{}`, not `{FORMAT}`", head.format)));
        }
        if let Some(other) = head.other_version(folder) {
            return Err(ManifestError::OtherVersion(Box::new(other)));
        }
        let manifest: Manifest = serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?;
        let checksum = manifest.computed_checksum().map_err(|e| damaged(e.to_string()))?;
        if checksum != manifest.checksum {
            return Err(damaged("its text does not match its checksum".to_owned()));
        }
        if !manifest.counts.add_up() {
            return Err(damaged("its counts do not add up".to_owned()));
        }
        Ok(manifest)
    }

    /// The files of one table, sorted by path.
    pub fn table<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a FileEntry> + 'a {
        self.files.iter().filter(move |file| file.table == table)
    }

    /// Looks whether every listed file is there and has its listed size.
    ///
    /// # Errors
    /// On the first file that is not as listed.
    pub fn check_files(&self, folder: &Path) -> Result<(), ManifestError> {
        for file in &self.files {
            let path = folder.join(&file.path);
            let why = match fs::metadata(&path) {
                Ok(metadata) if metadata.len() == file.bytes => continue,
                Ok(metadata) => format!("has {} bytes instead of {}", metadata.len(), file.bytes),
                Err(error) => format!("cannot be opened ({error})"),
            };
            return Err(ManifestError::File { folder: folder.to_owned(), path, why });
        }
        Ok(())
    }

    /// Brings the lists into their order and computes what follows from them: counts, rows, checksum.
    ///
    /// # Errors
    /// When it has no JSON, which cannot happen.
    pub fn seal(&mut self) -> Result<(), serde_json::Error> {
        self.inputs.sort_by(|a, b| (&a.name, &a.digest).cmp(&(&b.name, &b.digest)));
        self.sources.sort_by(|a, b| (&a.name, &a.digest).cmp(&(&b.name, &b.digest)));
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.counts = Counts::default();
        for source in &self.sources {
            self.counts += source.counts;
        }
        self.rows.clear();
        for file in &self.files {
            *self.rows.entry(file.table.clone()).or_default() += file.rows;
        }
        self.checksum = self.computed_checksum()?;
        Ok(())
    }

    /// Writes the manifest into a dataset folder: beside the old one, synced, then renamed over it.
    ///
    /// # Errors
    /// When the disk refuses; the old manifest stands.
    pub fn write(&self, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        let beside = folder.join("manifest.json.new");
        let write = || -> io::Result<()> {
            let mut text = serde_json::to_string_pretty(self)?;
            text.push('\n');
            let mut file = fs::File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            sync_folder(folder)
        };
        write().map_err(|source| ManifestError::Io { path: path.clone(), what: "written", source })
    }

    fn computed_checksum(&self) -> Result<String, serde_json::Error> {
        let unsealed = Manifest { checksum: String::new(), ..self.clone() };
        Ok(blake3::hash(serde_json::to_string(&unsealed)?.as_bytes()).to_hex().to_string())
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only Unix lets a folder be opened and synced; elsewhere renames are as durable as the system makes them.
    if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Manifest {
        let counts = Counts { rows: 3, accepted: 1, flagged: 1, rejected: 1, also_in_log: 0 };
        let source = |name: &str| SourceEntry {
            name: name.to_owned(),
            digest: "d".to_owned(),
            bytes: 7,
            counts,
            turns: 40,
            generated: 0,
            flags: BTreeMap::from([("corrupt".to_owned(), 1)]),
            reasons: BTreeMap::from([("duplicate".to_owned(), 1)]),
            incomplete: None,
            unknown: BTreeMap::new(),
            other_columns: Vec::new(),
            missing_columns: Vec::new(),
        };
        let mut manifest =
            Manifest { sources: vec![source("b.txt"), source("a.txt")], ..Manifest::default() };
        manifest.seal().unwrap();
        manifest
    }

    #[test]
    fn what_was_written_is_read_back_and_the_counts_are_those_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Manifest::read(folder.path()).unwrap().is_none());
        let manifest = sample();
        manifest.write(folder.path()).unwrap();
        let read = Manifest::open(folder.path()).unwrap();
        assert_eq!(read, manifest);
        assert_eq!(read.counts, Counts { rows: 6, accepted: 2, flagged: 2, rejected: 2, also_in_log: 0 });
        assert_eq!(read.sources[0].name, "a.txt");
    }

    #[test]
    fn a_single_changed_digit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        sample().write(folder.path()).unwrap();
        let path = folder.path().join(MANIFEST_FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("\"turns\": 40", "\"turns\": 41", 1)).unwrap();
        let error = Manifest::open(folder.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("checksum"), "{error}");
    }

    #[test]
    fn no_cut_and_no_changed_byte_makes_the_reader_accept_or_panic() {
        let text = serde_json::to_string_pretty(&sample()).unwrap();
        let folder = Path::new("x");
        for cut in 0..text.len() {
            assert!(Manifest::parse(&text[..cut], folder).is_err());
        }
        let mut accepted = 0;
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes)
                && Manifest::parse(&changed, folder).is_ok()
            {
                // Only white space may change without a trace.
                assert!(text.as_bytes()[at].is_ascii_whitespace(), "byte {at}");
                accepted += 1;
            }
        }
        assert!(accepted < text.len() / 10);
    }

    #[test]
    fn another_version_is_told_apart_from_damage() {
        let ours = format!("\"schema_version\":{SCHEMA_VERSION}");
        let text = serde_json::to_string(&sample()).unwrap().replace(&ours, "\"schema_version\":9");
        let error = Manifest::parse(&text, Path::new("home/dataset")).unwrap_err();
        let ManifestError::OtherVersion(other) = &error else { panic!("{error}") };
        assert!(other.version == 9 && !other.is_earlier(), "{error}");
    }

    #[test]
    fn a_dataset_of_an_earlier_version_names_what_it_was_made_of() {
        let inputs = r#"{"name":"b.txt","bytes":7},{"name":"log 12","digest":""}"#;
        let text = format!(r#"{{"format":"{FORMAT}","schema_version":1,"inputs":[{inputs}],"more":7}}"#);
        let error = Manifest::parse(&text, Path::new("home/dataset")).unwrap_err();
        assert!(error.to_string().contains("has tables of version 1, expected version"), "{error}");
        let ManifestError::OtherVersion(other) = &error else { panic!("{error}") };
        assert!(other.is_earlier() && other.has_log && other.inputs == ["b.txt"], "{other:?}");
    }

    #[test]
    fn a_missing_file_and_a_file_of_another_size_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let entry = FileEntry {
            table: "games".to_owned(),
            path: "games/x.parquet".to_owned(),
            rows: 1,
            bytes: 3,
            digest: String::new(),
            year: None,
            source: None,
        };
        let manifest = Manifest { files: vec![entry], ..Manifest::default() };
        let error = manifest.check_files(folder.path()).unwrap_err().to_string();
        assert!(error.contains("games/x.parquet") && error.contains("cannot be opened"), "{error}");
        fs::create_dir(folder.path().join("games")).unwrap();
        fs::write(folder.path().join("games/x.parquet"), b"four").unwrap();
        let error = manifest.check_files(folder.path()).unwrap_err().to_string();
        assert!(error.contains("4 bytes instead of 3"), "{error}");
        fs::write(folder.path().join("games/x.parquet"), b"3 b").unwrap();
        manifest.check_files(folder.path()).unwrap();
    }
}
