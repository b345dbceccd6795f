//! `manifest.json`: the commit of a dataset. It lists every file with rows and digest, every source with the counts of
//! its rows, and every input file, so that unchanged ones are not read again. Readers ignore what it does not list. It
//! is written to a temporary name and renamed, and has a checksum of its own text.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::other_version::{Head, OtherVersion};
pub use crate::source::MANIFEST_FILE;
use crate::tables::SCHEMA_VERSION;

pub const FORMAT: &str = "annals dataset";

/// Counts of rows: accepted + flagged + rejected + also in the log = rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub rows: u64,
    /// Stored without flag.
    pub accepted: u64,
    /// Stored with a flag.
    pub flagged: u64,
    /// Not stored; in `rejects` with a reason.
    pub rejected: u64,
    /// Not stored: the game is stored from a log with the same events.
    #[serde(default, skip_serializing_if = "is_none")]
    pub also_in_log: u64,
}

impl Counts {
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

/// A text file, or one member of a packed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// A file, or `outer.tgz!member.txt`.
    pub name: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub digest: String,
    /// Of text.
    pub bytes: u64,
    #[serde(flatten)]
    pub counts: Counts,
    /// Its rows in `turns`.
    pub turns: u64,
    /// Stored games that state that they were generated.
    #[serde(default, skip_serializing_if = "is_none")]
    pub generated: u64,
    /// Stored games by flag.
    pub flags: BTreeMap<String, u64>,
    /// Rejected rows by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Why it is truncated; absent if complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Unknown values by column, with the number of rows (or log lines) of each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, BTreeMap<String, u64>>,
    /// Unknown columns, which are not stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_columns: Vec<String>,
    /// Missing columns of the archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_columns: Vec<String>,
}

impl SourceEntry {
    #[must_use]
    pub const fn has_only_known_columns(&self) -> bool {
        self.other_columns.is_empty() && self.missing_columns.is_empty()
    }
}

/// Omitted without generated games.
fn is_none(number: &u64) -> bool {
    *number == 0
}

/// A source, or whole input, of which nothing could be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedSource {
    pub name: String,
    /// Stable.
    pub reason: String,
    pub detail: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    pub name: String,
    /// BLAKE3 of the file, in hexadecimal.
    pub digest: String,
    pub bytes: u64,
    /// The digests of its sources, in order.
    pub sources: Vec<String>,
    /// Members without archive text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedSource>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    pub table: String,
    /// Below the dataset folder, with `/`.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3, in hexadecimal.
    pub digest: String,
    /// For tables divided by year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// The source's digest, for tables divided by source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// Of the tables.
    pub schema_version: u32,
    /// With version.
    pub program: String,
    /// Over all sources.
    pub counts: Counts,
    /// By table.
    pub rows: BTreeMap<String, u64>,
    /// Sorted by name and digest.
    pub inputs: Vec<InputEntry>,
    /// Sorted by name and digest.
    pub sources: Vec<SourceEntry>,
    /// Sorted by path.
    pub files: Vec<FileEntry>,
    /// BLAKE3 of this text with an empty checksum, in hexadecimal.
    pub checksum: String,
}

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
    #[error(transparent)]
    Address(#[from] crate::location::AddressError),
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
    /// Reads a folder's manifest.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn open(folder: &Path) -> Result<Manifest, ManifestError> {
        Manifest::read(folder)?.ok_or_else(|| ManifestError::Missing { folder: folder.to_owned() })
    }

    /// Reads a folder's manifest; none without a dataset.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or has another version.
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

    pub(crate) fn parse(text: &str, folder: &Path) -> Result<Manifest, ManifestError> {
        let damaged = |why: String| ManifestError::Damaged { path: folder.join(MANIFEST_FILE), why };
        // The version first: other versions may have other fields.
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

    /// Sorted by path.
    pub fn table<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a FileEntry> + 'a {
        self.files.iter().filter(move |file| file.table == table)
    }

    /// Checks that every listed file exists with its size.
    ///
    /// # Errors
    /// For the first file that differs.
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

    /// Sorts the lists and computes counts, rows and checksum.
    ///
    /// # Errors
    /// If serialization fails, which cannot happen.
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

    /// Writes the manifest: temporary file, sync, rename.
    ///
    /// # Errors
    /// If the system fails; the old manifest remains.
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

/// Syncs the names in a folder.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only Unix can open and sync a folder.
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
