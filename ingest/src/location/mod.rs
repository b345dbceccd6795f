//! Where a dataset is: the folder of a home, or an address at which one was published.
//!
//! A folder has `manifest.json`. An address has numbered manifests, `manifest-1.json` and so on, of which the last
//! counts; each is created only if it is absent, so that two publications never mix. Published files are named by their
//! content and are never changed.

mod checked;
mod deposited;
mod error;
mod events;
mod file;
mod newest;
mod objects;
mod publish;
mod published;
mod stores;
mod tails;
mod upload;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::ObjectStore;

pub use checked::{Checked, DamagedFile};
pub use error::{AddressError, RequestFailure};
pub use events::PublishedEvents;
pub use file::{TableFile, TableReader};
pub use objects::Objects;
pub use publish::{EventsFile, Publication, PublishError, publish};
pub use published::MANIFEST_OF;
pub use upload::Copied;

pub(crate) use deposited::Deposited;
pub(crate) use newest::{numbered, read as read_newest};
pub(crate) use publish::{check_creates, create};
pub(crate) use published::{ObjectEntry, Published};
pub(crate) use upload::{Upload, copy};

use crate::manifest::{FileEntry, MANIFEST_FILE, Manifest, ManifestError};
use tails::Tails;

/// The store of an address, with the credentials of the environment.
///
/// # Errors
/// If the program cannot read addresses of its kind.
pub fn store_of(url: &url::Url) -> Result<Arc<dyn ObjectStore>, AddressError> {
    stores::open(url, url.as_str()).map(|(store, _)| store)
}

#[derive(Debug, Clone)]
pub enum Location {
    Folder(PathBuf),
    Address(Arc<Objects>),
}

impl Location {
    /// Reads a folder's path, or an address such as `s3://bucket/prefix`.
    ///
    /// # Errors
    /// If the address is not valid, or the program cannot read addresses of its kind.
    pub fn parse(text: &str) -> Result<Location, AddressError> {
        match is_address(text) {
            true => Ok(Location::Address(Arc::new(Objects::at(text)?))),
            false => Ok(Location::Folder(PathBuf::from(text))),
        }
    }

    /// Whether a path names a dataset: an address, or a folder with a manifest.
    #[must_use]
    pub fn is_named_by(path: &Path) -> bool {
        is_address(&path.to_string_lossy()) || path.join(MANIFEST_FILE).is_file() || is_published(path)
    }

    /// Reads the manifest.
    ///
    /// # Errors
    /// If there is no dataset, or its manifest or a file is not valid.
    pub fn open(&self) -> Result<OpenDataset, ManifestError> {
        if let Location::Folder(folder) = self
            && let Some(manifest) = Manifest::read(folder)?
        {
            manifest.check_files(folder)?;
            return Ok(OpenDataset { manifest, files: Files::Folder(folder.clone()), number: None });
        }
        let missing = || ManifestError::Missing { folder: self.to_string().into() };
        let objects = self.objects()?.ok_or_else(missing)?;
        let published = newest::read(&objects)?.ok_or_else(missing)?;
        Ok(OpenDataset::published(&objects, published))
    }

    /// What changes when the dataset does: the number of the last manifest, or length and time of the folder's.
    ///
    /// # Errors
    /// If the address cannot be read.
    pub fn stamp(&self) -> Result<Option<Stamp>, AddressError> {
        if let Location::Folder(folder) = self
            && let Ok(found) = std::fs::metadata(folder.join(MANIFEST_FILE))
        {
            return Ok(found.modified().ok().map(|at| Stamp::Folder(found.len(), at)));
        }
        let Some(objects) = self.objects()? else { return Ok(None) };
        Ok(Some(newest::number(&objects)?).filter(|number| *number > 0).map(Stamp::Number))
    }

    /// Where a published dataset is: the address, or a folder to which one was published or copied.
    fn objects(&self) -> Result<Option<Arc<Objects>>, AddressError> {
        match self {
            Location::Address(objects) => Ok(Some(Arc::clone(objects))),
            Location::Folder(folder) if is_published(folder) => {
                Objects::in_folder(folder).map(|objects| Some(Arc::new(objects)))
            }
            Location::Folder(_) => Ok(None),
        }
    }
}

fn is_address(text: &str) -> bool {
    text.contains("://")
}

fn is_published(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| file.file_name().into_string().ok())
        .any(|name| published::number_of(&name).is_some())
}

impl From<PathBuf> for Location {
    fn from(folder: PathBuf) -> Location {
        Location::Folder(folder)
    }
}

impl From<&Path> for Location {
    fn from(folder: &Path) -> Location {
        Location::Folder(folder.to_owned())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Folder(folder) => write!(f, "{}", folder.display()),
            Location::Address(objects) => f.write_str(objects.address()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// Length and time of `manifest.json`.
    Folder(u64, std::time::SystemTime),
    /// Of the last manifest.
    Number(u64),
}

/// A manifest, and where its files are.
#[derive(Debug, Clone)]
pub struct OpenDataset {
    pub manifest: Manifest,
    /// The number of a published manifest.
    pub number: Option<u64>,
    files: Files,
}

#[derive(Debug, Clone)]
enum Files {
    Folder(PathBuf),
    Published { objects: Arc<Objects>, published: Arc<Published>, store: Arc<dyn ObjectStore> },
}

impl OpenDataset {
    fn published(objects: &Arc<Objects>, published: Published) -> OpenDataset {
        let manifest = published.manifest.clone();
        let number = Some(published.number);
        let store: Arc<dyn ObjectStore> = match objects.is_remote() {
            true => Arc::new(Tails::new(objects.store(), &published, objects)),
            false => objects.store(),
        };
        let files = Files::Published { objects: objects.clone(), published: Arc::new(published), store };
        OpenDataset { manifest, number, files }
    }

    /// Where a listed file is.
    #[must_use]
    pub fn file(&self, entry: &FileEntry) -> TableFile {
        match &self.files {
            Files::Folder(folder) => TableFile::Local(folder.join(&entry.path)),
            Files::Published { objects, published, store } => {
                let (object, tail) = published.object(entry);
                TableFile::remote(objects, store.clone(), &object, entry.bytes, tail)
            }
        }
    }

    /// The log's events as they were published with the dataset.
    #[must_use]
    pub fn events(&self) -> Option<(TableFile, &PublishedEvents)> {
        let Files::Published { objects, published, store } = &self.files else { return None };
        let events = published.events.as_ref()?;
        let file = TableFile::remote(objects, store.clone(), &events.object, events.bytes, events.tail);
        Some((file, events))
    }

    /// The store of published files, and its URL; none for a folder.
    #[must_use]
    pub fn store(&self) -> Option<(&url::Url, Arc<dyn ObjectStore>)> {
        match &self.files {
            Files::Folder(_) => None,
            Files::Published { objects, store, .. } => Some((objects.root(), store.clone())),
        }
    }
}
