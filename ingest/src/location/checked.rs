//! Reads every byte of a dataset, and compares its files with the digests of the manifest. Readers check only the manifest, the
//! sizes and the footers, since they request parts of files.

use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _};
use object_store::ObjectStoreExt as _;

use super::error::AddressError;
use super::objects::Objects;
use super::published::Published;
use super::upload::Copied;
use super::{Location, newest};
use crate::manifest::{Manifest, ManifestError};

/// Files that are read at the same time.
const AT_ONCE: usize = 4;

/// Bytes of a request: an answer has to be whole within a time.
const PART: u64 = 8 << 20;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The digest of the dataset.
    pub digest: String,
    /// The number of a published manifest.
    pub number: Option<u64>,
    /// All files of the manifest, as it lists them.
    pub files: Copied,
    pub damaged: Vec<DamagedFile>,
}

/// A file that is not as the manifest lists it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct DamagedFile {
    /// Its path or address.
    pub file: String,
    pub why: String,
}

/// A file as the manifest lists it.
struct Listed {
    object: String,
    bytes: u64,
    digest: String,
}

impl Location {
    /// Compares every file of the dataset with its digest. `progress` gets the bytes of each file, and of all.
    ///
    /// # Errors
    /// If there is no dataset, its manifest is damaged, or the address cannot be read.
    pub fn check(&self, progress: impl Fn(u64, u64)) -> Result<Checked, ManifestError> {
        if let Location::Folder(folder) = self
            && let Some(manifest) = Manifest::read(folder)?
        {
            let objects = Objects::in_folder(folder)?;
            let listed = manifest.files.iter().map(|file| Listed {
                object: file.path.clone(),
                bytes: file.bytes,
                digest: file.digest.clone(),
            });
            return check(&objects, listed.collect(), &manifest, None, &progress);
        }
        let missing = || ManifestError::Missing { folder: self.to_string().into() };
        let objects: Arc<Objects> = self.objects()?.ok_or_else(missing)?;
        let published = newest::read(&objects)?.ok_or_else(missing)?;
        check(&objects, listed(&published), &published.manifest, Some(published.number), &progress)
    }
}

fn listed(published: &Published) -> Vec<Listed> {
    let files = published.manifest.files.iter().map(|file| Listed {
        object: published.object(file).0,
        bytes: file.bytes,
        digest: file.digest.clone(),
    });
    let events = published.events.iter().map(|events| Listed {
        object: events.object.clone(),
        bytes: events.bytes,
        digest: events.digest.clone(),
    });
    files.chain(events).collect()
}

fn check(
    at: &Objects,
    listed: Vec<Listed>,
    manifest: &Manifest,
    number: Option<u64>,
    progress: &impl Fn(u64, u64),
) -> Result<Checked, ManifestError> {
    let all = listed.iter().map(|file| file.bytes).sum();
    let mut files = Copied::default();
    listed.iter().for_each(|file| files.add(file.bytes));
    let checks = futures::stream::iter(&listed).map(|file| async move {
        let damage = damage(at, file).await?;
        progress(file.bytes, all);
        Ok::<_, AddressError>(damage)
    });
    let found = at.run(checks.buffer_unordered(AT_ONCE).try_collect::<Vec<_>>())?;
    let mut damaged: Vec<DamagedFile> = found.into_iter().flatten().collect();
    damaged.sort();
    Ok(Checked { digest: manifest.checksum.clone(), number, files, damaged })
}

/// What is wrong with a file, if anything.
async fn damage(at: &Objects, file: &Listed) -> Result<Option<DamagedFile>, AddressError> {
    let damaged = |why: String| Ok(Some(DamagedFile { file: at.named(&file.object), why }));
    let failed = |error: object_store::Error| AddressError::request(at.named(&file.object), "read", &error);
    match at.size(&file.object).await? {
        None => return damaged("it does not exist".to_owned()),
        Some(size) if size != file.bytes => {
            return damaged(format!("it has {size} bytes instead of {}", file.bytes));
        }
        Some(_) => {}
    }
    let mut hasher = blake3::Hasher::new();
    let mut read = 0;
    while read < file.bytes {
        let end = file.bytes.min(read + PART);
        let part = at.store().get_range(&at.path(&file.object), read..end).await.map_err(failed)?;
        hasher.update(&part);
        read = end;
    }
    match hasher.finalize().to_hex().as_str() == file.digest {
        true => Ok(None),
        false => damaged("its content does not match its digest".to_owned()),
    }
}
