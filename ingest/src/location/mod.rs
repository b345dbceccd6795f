//! Where a dataset is: the folder of a home, or an address at which one was published.
//!
//! A folder has `manifest.json`. An address has numbered manifests, `manifest-1.json` and so on, of which the last
//! counts; each is created only if it is absent, so that two publications never mix. Published files are named by their
//! content and are never changed.

mod error;
mod events;
mod file;
mod newest;
mod objects;
mod publish;
mod published;
mod stores;
mod tails;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::ObjectStore;

pub use error::{AddressError, RequestFailure};
pub use events::PublishedEvents;
pub use file::{TableFile, TableReader};
pub use objects::Objects;
pub use publish::{Copied, EventsFile, Publication, PublishError, publish};
pub use published::MANIFEST_OF;

use crate::manifest::{FileEntry, MANIFEST_FILE, Manifest, ManifestError};
use published::Published;
use tails::Tails;

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
        match text.contains("://") {
            true => Ok(Location::Address(Arc::new(Objects::at(text)?))),
            false => Ok(Location::Folder(PathBuf::from(text))),
        }
    }

    /// Reads the manifest.
    ///
    /// # Errors
    /// If there is no dataset, or its manifest or a file is not valid.
    pub fn open(&self) -> Result<OpenDataset, ManifestError> {
        match self {
            Location::Folder(folder) => match Manifest::read(folder)? {
                Some(manifest) => {
                    manifest.check_files(folder)?;
                    let store = Files::Folder(folder.clone());
                    Ok(OpenDataset { manifest, files: store, number: None })
                }
                // A published dataset that was copied to this machine.
                None if folder.join(published::name(1)).is_file() => {
                    Location::Address(Arc::new(Objects::in_folder(folder)?)).open()
                }
                None => Err(ManifestError::Missing { folder: folder.clone() }),
            },
            Location::Address(objects) => {
                let Some(published) = newest::read(objects)? else {
                    return Err(ManifestError::Missing { folder: objects.address().into() });
                };
                Ok(OpenDataset::published(objects, published))
            }
        }
    }

    /// What changes when the dataset does: the number of the last manifest, or length and time of the folder's.
    ///
    /// # Errors
    /// If the address cannot be read.
    pub fn stamp(&self) -> Result<Option<Stamp>, AddressError> {
        match self {
            Location::Folder(folder) if folder.join(MANIFEST_FILE).is_file() => {
                let found = std::fs::metadata(folder.join(MANIFEST_FILE)).ok();
                let of = |found: std::fs::Metadata| Some(Stamp::Folder(found.len(), found.modified().ok()?));
                Ok(found.and_then(of))
            }
            Location::Folder(folder) if folder.join(published::name(1)).is_file() => {
                let number = newest::number(&Objects::in_folder(folder)?)?;
                Ok(Some(Stamp::Number(number)))
            }
            Location::Folder(_) => Ok(None),
            Location::Address(objects) => {
                Ok(Some(newest::number(objects)?).filter(|number| *number > 0).map(Stamp::Number))
            }
        }
    }
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
