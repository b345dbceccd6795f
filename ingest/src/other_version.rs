//! A dataset of another version of the tables: what its manifest states of it.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::source::SourceFile;
use crate::tables::SCHEMA_VERSION;

/// Prefix of a log's name among the inputs.
const LOG: &str = "log ";

/// A dataset that this program cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherVersion {
    pub folder: PathBuf,
    pub version: u64,
    pub inputs: Vec<String>,
    /// It has games of a log.
    pub has_log: bool,
    /// Below the folder.
    pub files: Vec<String>,
}

/// What manifests of all versions have.
#[derive(Deserialize)]
pub(crate) struct Head {
    pub format: String,
    pub schema_version: u64,
    #[serde(default)]
    inputs: Vec<Name>,
    #[serde(default)]
    files: Vec<Place>,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

#[derive(Deserialize)]
struct Place {
    path: String,
}

impl Head {
    pub fn other_version(self, folder: &Path) -> Option<OtherVersion> {
        let names = self.inputs.into_iter().map(|input| input.name);
        let (logs, inputs): (Vec<String>, Vec<String>) = names.partition(|name| name.starts_with(LOG));
        (self.schema_version != u64::from(SCHEMA_VERSION)).then(|| OtherVersion {
            folder: folder.to_owned(),
            version: self.schema_version,
            inputs,
            has_log: !logs.is_empty(),
            files: self.files.into_iter().map(|file| file.path).collect(),
        })
    }
}

impl OtherVersion {
    /// Whether an ingest can make it again.
    #[must_use]
    pub fn is_earlier(&self) -> bool {
        self.version < u64::from(SCHEMA_VERSION)
    }

    /// Inputs missing among the named files, by file name.
    #[must_use]
    pub fn not_named(&self, named: &[SourceFile]) -> Vec<&str> {
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let named: Vec<String> = named.iter().map(|file| last(&file.name)).collect();
        let missing = self.inputs.iter().filter(|input| !named.contains(&last(input)));
        missing.map(String::as_str).collect()
    }
}

impl fmt::Display for OtherVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (folder, found) = (self.folder.display(), self.version);
        write!(
            f,
            "the dataset in `{folder}` has tables of version {found}, expected version {SCHEMA_VERSION}"
        )
    }
}
