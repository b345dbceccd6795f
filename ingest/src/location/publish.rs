//! Publishes a dataset: its files under names by content, and the next numbered manifest last, only if it is absent.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{AddressError, RequestFailure};
use super::events::PublishedEvents;
use super::newest;
use super::objects::Objects;
use super::published::{self, Published};
use super::upload::{Copied, Upload, copy};
use crate::manifest::{FileEntry, Manifest, ManifestError};

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

/// Publishes the dataset of a folder. `commit` is random. `progress` gets the bytes of each file that is there now, and
/// of all. An interrupted publication leaves the dataset that was there.
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
    check_creates(to)?;
    let manifest = Manifest::open(folder)?;
    manifest.check_files(folder)?;
    let (last_number, last) = last_of(to)?;
    let listed = |file: &FileEntry| Upload::listed(folder.join(&file.path), file);
    let mut uploads: Vec<Upload> = manifest.files.iter().map(listed).collect::<Result<_, _>>()?;
    let objects: BTreeMap<_, _> = manifest
        .files
        .iter()
        .map(|file| file.path.clone())
        .zip(uploads.iter().map(|upload| upload.entry.clone()))
        .collect();
    let published_events = events.map(described).transpose()?.map(|(upload, described)| {
        uploads.push(upload);
        described
    });
    // Also of a dataset that is published already: an object can be missing.
    let (copied, present) = copy(to, &uploads, &progress)?;
    let digest = manifest.checksum.clone();
    if let Some(last) = &last
        && last.manifest.checksum == digest
        && (published_events.is_none() || last.events == published_events)
    {
        return Ok(Publication { number: last_number, is_new: false, digest, copied, present });
    }
    let number = last_number + 1;
    let published = Published::new(number, &hex::encode(commit), manifest, objects, published_events)?;
    create(to, &published)?;
    Ok(Publication { number, is_new: true, digest, copied, present })
}

/// The last number, and its manifest unless that cannot be read: a damaged one, or one of an earlier version, is replaced by
/// the next.
fn last_of(to: &Objects) -> Result<(u64, Option<Published>), PublishError> {
    let number = newest::number(to)?;
    if number == 0 {
        return Ok((0, None));
    }
    match newest::numbered(to, number) {
        Ok(published) => Ok((number, Some(published))),
        Err(ManifestError::Damaged { .. } | ManifestError::Address(AddressError::Damaged { .. })) => {
            Ok((number, None))
        }
        Err(ManifestError::OtherVersion(other)) if other.is_earlier() => Ok((number, None)),
        Err(error) => Err(error.into()),
    }
}

/// # Errors
/// If the store cannot create a file only if it is absent.
pub(crate) fn check_creates(to: &Objects) -> Result<(), AddressError> {
    match to.is_web_host() {
        false => Ok(()),
        true => Err(AddressError::Request {
            object: to.address().to_owned(),
            what: "written",
            failure: RequestFailure::NotSupported,
            why: "a web host cannot create a file only if it is absent".to_owned(),
        }),
    }
}

/// Creates the manifest. Whatever the answer, the manifest that is read back decides: an answer can be lost.
pub(crate) fn create(to: &Objects, published: &Published) -> Result<(), PublishError> {
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

/// The events as a file to be copied, and as the manifest names them.
fn described(events: &EventsFile) -> Result<(Upload, PublishedEvents), PublishError> {
    let read = |source| PublishError::Read { path: events.path.clone(), source };
    let mut hasher = blake3::Hasher::new();
    let bytes = io::copy(&mut File::open(&events.path).map_err(read)?, &mut hasher).map_err(read)?;
    let digest = hasher.finalize().to_hex().to_string();
    let upload = Upload::new(events.path.clone(), "events/", bytes, &digest)?;
    let (object, tail) = (upload.entry.object.clone(), upload.entry.tail);
    let (rows, head) = (events.rows, events.head.clone());
    Ok((upload, PublishedEvents { object, rows, bytes, digest, tail, head }))
}
