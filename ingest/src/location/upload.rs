//! Copies files of this machine to an address, under names by content. What is there already is kept.

use std::cell::Cell;
use std::fs::File;
use std::future::ready;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::pin::pin;

use futures::StreamExt as _;
use object_store::{ObjectStoreExt as _, PutPayload, WriteMultipart};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::metadata::PageIndexPolicy;

use super::error::AddressError;
use super::objects::Objects;
use super::publish::PublishError;
use super::published::ObjectEntry;
use crate::manifest::FileEntry;

/// Files that are copied at the same time.
const AT_ONCE: usize = 4;

/// A larger file is copied in parts of this size.
const PART: usize = 8 << 20;

/// Parts that wait for the network at the same time.
const PARTS_AT_ONCE: usize = 4;

/// Files and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    pub files: u64,
    pub bytes: u64,
}

impl Copied {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

/// A Parquet file to be copied.
pub(crate) struct Upload {
    path: PathBuf,
    bytes: u64,
    digest: String,
    pub entry: ObjectEntry,
}

impl Upload {
    /// A file of this machine, with its path in the manifest.
    pub fn new(path: PathBuf, listed: &str, bytes: u64, digest: &str) -> Result<Upload, PublishError> {
        let entry = ObjectEntry { object: named_by_content(listed, digest), tail: tail(&path, bytes)? };
        Ok(Upload { path, bytes, digest: digest.to_owned(), entry })
    }

    /// A file that a manifest lists.
    pub fn listed(path: PathBuf, file: &FileEntry) -> Result<Upload, PublishError> {
        Upload::new(path, &file.path, file.bytes, &file.digest)
    }
}

/// A file's name at the address: its folder, and the first half of its digest.
pub(super) fn named_by_content(path: &str, digest: &str) -> String {
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

/// Copies what is not there yet; returns what was copied, and what was there.
pub(crate) fn copy(
    to: &Objects,
    uploads: &[Upload],
    progress: &impl Fn(u64, u64),
) -> Result<(Copied, Copied), PublishError> {
    let copied = Objects::wait(copy_all(to, uploads, progress));
    copied.map_err(|source| PublishError::Read { path: PathBuf::from(to.address()), source })?
}

async fn copy_all(
    to: &Objects,
    uploads: &[Upload],
    progress: &impl Fn(u64, u64),
) -> Result<(Copied, Copied), PublishError> {
    let all = uploads.iter().map(|upload| upload.bytes).sum();
    let at = |bytes| progress(bytes, all);
    // After a failure no further copy begins, and those under way end: nothing is written once this returns.
    let failed = Cell::new(false);
    let begun = futures::stream::iter(uploads).take_while(|_| ready(!failed.get()));
    let mut copies = pin!(begun.map(|upload| one(to, upload, &at)).buffer_unordered(AT_ONCE));
    let mut done = Ok((Copied::default(), Copied::default()));
    while let Some(copy) = copies.next().await {
        match (copy, &mut done) {
            (Ok((true, bytes)), Ok((_, present))) => present.add(bytes),
            (Ok((false, bytes)), Ok((copied, _))) => copied.add(bytes),
            (Ok(_), Err(_)) => {}
            (Err(error), _) => {
                failed.set(true);
                done = done.and(Err(error));
            }
        }
    }
    done
}

/// Whether the file was there, and its size.
async fn one(to: &Objects, upload: &Upload, progress: &impl Fn(u64)) -> Result<(bool, u64), PublishError> {
    let is_there = to.size(&upload.entry.object).await? == Some(upload.bytes);
    if !is_there {
        copy_one(to, upload).await?;
    }
    progress(upload.bytes);
    Ok((is_there, upload.bytes))
}

async fn copy_one(to: &Objects, upload: &Upload) -> Result<(), PublishError> {
    let read = |error| PublishError::Read { path: upload.path.clone(), source: error };
    let failed = |error| {
        PublishError::Address(AddressError::request(to.named(&upload.entry.object), "written", &error))
    };
    let object = to.path(&upload.entry.object);
    let mut file = File::open(&upload.path).map_err(read)?;
    let mut hasher = blake3::Hasher::new();
    let mut part = |hasher: &mut blake3::Hasher| -> io::Result<Vec<u8>> {
        let mut part = Vec::with_capacity(PART.min(usize::try_from(upload.bytes).unwrap_or(PART)));
        io::Read::by_ref(&mut file).take(PART as u64).read_to_end(&mut part)?;
        hasher.update(&part);
        Ok(part)
    };
    let as_listed = |hasher: &blake3::Hasher| match hasher.finalize().to_hex().as_str() == upload.digest {
        true => Ok(()),
        false => {
            let why = "its content does not match the digest of the manifest".to_owned();
            Err(PublishError::Damaged { path: upload.path.clone(), why })
        }
    };
    if upload.bytes <= PART as u64 {
        let content = part(&mut hasher).map_err(read)?;
        as_listed(&hasher)?;
        to.store().put(&object, PutPayload::from(content)).await.map_err(failed)?;
        return Ok(());
    }
    let sent = to.store().put_multipart(&object).await.map_err(failed)?;
    let mut sent = WriteMultipart::new_with_chunk_size(sent, PART);
    let copied = async {
        loop {
            let next = part(&mut hasher).map_err(read)?;
            if next.is_empty() {
                return as_listed(&hasher);
            }
            sent.wait_for_capacity(PARTS_AT_ONCE).await.map_err(failed)?;
            sent.put(next.into());
        }
    }
    .await;
    match copied {
        Ok(()) => sent.finish().await.map(drop).map_err(failed),
        Err(error) => {
            let _ = sent.abort().await;
            Err(error)
        }
    }
}
