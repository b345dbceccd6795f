//! Publishes a dataset: its files under names by content, and the next numbered manifest last, only if it is absent.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use futures::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStoreExt as _, PutPayload, WriteMultipart};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::metadata::PageIndexPolicy;

use super::error::{AddressError, RequestFailure};
use super::events::PublishedEvents;
use super::newest;
use super::objects::Objects;
use super::published::{self, ObjectEntry, Published};
use crate::manifest::{Manifest, ManifestError};

/// Files that are copied at the same time.
const AT_ONCE: usize = 4;

/// A larger file is copied in parts of this size.
const PART: usize = 8 << 20;

/// Parts that wait for the network at the same time.
const PARTS_AT_ONCE: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("`{}` cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("`{}` is damaged: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
    /// Another publication was first.
    #[error("another publication has created `{object}`")]
    Conflict { object: String },
    #[error("the manifest cannot be written as text: {0}")]
    Text(#[from] serde_json::Error),
}

/// The rows of the table `events` in a file of this machine.
#[derive(Debug, Clone)]
pub struct EventsFile {
    pub path: PathBuf,
    pub rows: u64,
    /// The receipt of the log's head.
    pub head: String,
}

/// Files and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    pub files: u64,
    pub bytes: u64,
}

impl Copied {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// Of its manifest.
    pub number: u64,
    /// False if the last manifest lists the same dataset and events already.
    pub is_new: bool,
    /// The digest of the dataset.
    pub digest: String,
    pub copied: Copied,
    /// Already at the address.
    pub present: Copied,
}

/// A file to be copied.
struct Source {
    /// In the manifest; none for events.
    listed: Option<String>,
    path: PathBuf,
    object: String,
    bytes: u64,
    digest: String,
    tail: u64,
}

/// Publishes the dataset of a folder. `commit` is random. `progress` gets the bytes of each file that is there now, and of all. An interrupted publication leaves the dataset that was there.
///
/// # Errors
/// If the dataset is damaged, the address cannot be read or written, or another publication was first.
pub fn publish(
    folder: &Path,
    to: &Objects,
    events: Option<&EventsFile>,
    commit: [u8; 16],
    progress: impl Fn(u64, u64),
) -> Result<Publication, PublishError> {
    if !to.creates_if_absent() {
        return Err(AddressError::Request {
            object: to.address().to_owned(),
            what: "written",
            failure: RequestFailure::NotSupported,
            why: "a web host cannot create a file only if it is absent".to_owned(),
        }
        .into());
    }
    let manifest = Manifest::open(folder)?;
    manifest.check_files(folder)?;
    let last = newest::read(to)?;
    let mut sources = Vec::new();
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let object = named_by_content(&file.path, &file.digest);
        let tail = tail(&path, file.bytes)?;
        let (listed, bytes, digest) = (Some(file.path.clone()), file.bytes, file.digest.clone());
        sources.push(Source { listed, path, object, bytes, digest, tail });
    }
    let published_events = events.map(|events| described(events, &mut sources)).transpose()?;
    if let Some(last) = &last
        && last.manifest.checksum == manifest.checksum
        && (published_events.is_none() || last.events == published_events)
    {
        let mut present = Copied::default();
        sources.iter().for_each(|source| present.add(source.bytes));
        let (number, digest) = (last.number, manifest.checksum);
        return Ok(Publication { number, is_new: false, digest, copied: Copied::default(), present });
    }
    let done = Objects::wait(copy(to, &sources, &progress));
    let done = done.map_err(|source| PublishError::Read { path: folder.to_owned(), source })??;
    let objects: BTreeMap<String, ObjectEntry> = sources
        .into_iter()
        .filter_map(|source| Some((source.listed?, ObjectEntry { object: source.object, tail: source.tail })))
        .collect();
    let number = last.map_or(0, |last| last.number) + 1;
    let commit = hex::encode(commit);
    let digest = manifest.checksum.clone();
    let published = Published::new(number, &commit, manifest, objects, published_events)?;
    commit_manifest(to, &published)?;
    let (copied, present) = done;
    Ok(Publication { number, is_new: true, digest, copied, present })
}

/// Creates the manifest. Whatever the answer, the manifest that is read back decides: an answer can be lost.
fn commit_manifest(to: &Objects, published: &Published) -> Result<(), PublishError> {
    let name = published::name(published.number);
    let text = published.text()?;
    let created = to.run(async { to.create(&name, text).await });
    if matches!(created, Ok(true)) {
        return Ok(());
    }
    let found = to.run(async { to.read(&name).await });
    match (found, created) {
        (Ok(found), _) => match Published::parse(&found, published.number, to) {
            Ok(found) if found.commit == published.commit => Ok(()),
            _ => Err(PublishError::Conflict { object: to.named(&name) }),
        },
        (Err(_), Err(error)) | (Err(error), Ok(_)) => Err(error.into()),
    }
}

/// A file's name at the address: its folder, and the first half of its digest.
fn named_by_content(path: &str, digest: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = digest.get(..32).unwrap_or(digest);
    if folder.is_empty() { format!("{name}.parquet") } else { format!("{folder}/{name}.parquet") }
}

/// The bytes from the first page index to the end of a Parquet file.
fn tail(path: &Path, bytes: u64) -> Result<u64, PublishError> {
    let damaged = |why: String| PublishError::Damaged { path: path.to_owned(), why };
    let file = File::open(path).map_err(|source| PublishError::Read { path: path.to_owned(), source })?;
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Skip);
    let metadata = ArrowReaderMetadata::load(&file, options).map_err(|e| damaged(e.to_string()))?;
    // Pages end where the indexes begin; without indexes, where the footer begins.
    let groups = metadata.metadata().row_groups();
    let ends = groups.iter().flat_map(|group| group.columns()).map(|column| {
        let first = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        first.saturating_add(column.compressed_size())
    });
    let end_of_pages = u64::try_from(ends.max().unwrap_or(0)).unwrap_or_default();
    bytes.checked_sub(end_of_pages).ok_or_else(|| damaged("its footer names pages beyond its end".to_owned()))
}

fn described(events: &EventsFile, sources: &mut Vec<Source>) -> Result<PublishedEvents, PublishError> {
    let read = |source| PublishError::Read { path: events.path.clone(), source };
    let mut hasher = blake3::Hasher::new();
    let bytes = io::copy(&mut File::open(&events.path).map_err(read)?, &mut hasher).map_err(read)?;
    let digest = hasher.finalize().to_hex().to_string();
    let object = named_by_content("events/", &digest);
    let tail = tail(&events.path, bytes)?;
    let described = PublishedEvents {
        object: object.clone(),
        rows: events.rows,
        bytes,
        digest: digest.clone(),
        tail,
        head: events.head.clone(),
    };
    sources.push(Source { listed: None, path: events.path.clone(), object, bytes, digest, tail });
    Ok(described)
}

/// Copies what is not there yet; returns what was copied, and what was there.
async fn copy(
    to: &Objects,
    sources: &[Source],
    progress: &impl Fn(u64, u64),
) -> Result<(Copied, Copied), PublishError> {
    let all = sources.iter().map(|source| source.bytes).sum();
    let at = |bytes| progress(bytes, all);
    let copies = futures::stream::iter(sources.iter().map(|source| one(to, source, &at)));
    let done = (Copied::default(), Copied::default());
    copies
        .buffer_unordered(AT_ONCE)
        .try_fold(done, |(mut copied, mut present), (is_there, bytes)| async move {
            if is_there {
                present.add(bytes)
            } else {
                copied.add(bytes)
            }
            Ok((copied, present))
        })
        .await
}

/// Whether the file was there, and its size.
async fn one(to: &Objects, source: &Source, progress: &impl Fn(u64)) -> Result<(bool, u64), PublishError> {
    let is_there = to.size(&source.object).await? == Some(source.bytes);
    if !is_there {
        copy_one(to, source).await?;
    }
    progress(source.bytes);
    Ok((is_there, source.bytes))
}

async fn copy_one(to: &Objects, source: &Source) -> Result<(), PublishError> {
    let read = |error| PublishError::Read { path: source.path.clone(), source: error };
    let failed =
        |error| PublishError::Address(AddressError::request(to.named(&source.object), "written", &error));
    let object = to.path(&source.object);
    let mut file = File::open(&source.path).map_err(read)?;
    let mut hasher = blake3::Hasher::new();
    let mut part = |hasher: &mut blake3::Hasher| -> io::Result<Vec<u8>> {
        let mut part = Vec::with_capacity(PART.min(usize::try_from(source.bytes).unwrap_or(PART)));
        io::Read::by_ref(&mut file).take(PART as u64).read_to_end(&mut part)?;
        hasher.update(&part);
        Ok(part)
    };
    let as_listed = |hasher: &blake3::Hasher| match hasher.finalize().to_hex().as_str() == source.digest {
        true => Ok(()),
        false => {
            let why = "its content does not match the digest of the manifest".to_owned();
            Err(PublishError::Damaged { path: source.path.clone(), why })
        }
    };
    if source.bytes <= PART as u64 {
        let content = part(&mut hasher).map_err(read)?;
        as_listed(&hasher)?;
        to.store().put(&object, PutPayload::from(content)).await.map_err(failed)?;
        return Ok(());
    }
    let upload = to.store().put_multipart(&object).await.map_err(failed)?;
    let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
    let copied = async {
        loop {
            let next = part(&mut hasher).map_err(read)?;
            if next.is_empty() {
                return as_listed(&hasher);
            }
            upload.wait_for_capacity(PARTS_AT_ONCE).await.map_err(failed)?;
            upload.put(next.into());
        }
    }
    .await;
    match copied {
        Ok(()) => upload.finish().await.map(drop).map_err(failed),
        Err(error) => {
            let _ = upload.abort().await;
            Err(error)
        }
    }
}
