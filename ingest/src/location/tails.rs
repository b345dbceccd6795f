//! Footers and page indexes of published files, kept on this machine. They lie at the end of a file, are read before
//! every query, and never change, since files are named by their content.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use super::objects::Objects;
use super::published::Published;
use crate::cache_folder::CacheFolder;

/// The most bytes of kept tails.
const MOST: u64 = 256 << 20;

#[derive(Debug, Clone)]
struct Tail {
    start: u64,
    end: u64,
    /// Of the file, which names it.
    digest: String,
}

/// A store whose files have known tails.
pub(super) struct Tails {
    inner: Arc<dyn ObjectStore>,
    tails: HashMap<Path, Tail>,
    read: Mutex<HashMap<Path, Bytes>>,
    folder: CacheFolder,
}

impl fmt::Debug for Tails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tails({:?})", self.inner)
    }
}

impl fmt::Display for Tails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tails({})", self.inner)
    }
}

impl Tails {
    pub fn new(inner: Arc<dyn ObjectStore>, published: &Published, objects: &Objects) -> Tails {
        let files = published.manifest.files.iter().map(|file| {
            let (object, tail) = published.object(file);
            (object, tail, file.bytes, file.digest.clone())
        });
        let events = published.events.iter().map(|e| (e.object.clone(), e.tail, e.bytes, e.digest.clone()));
        let tails = files.chain(events).filter(|(_, tail, bytes, _)| *tail > 0 && tail <= bytes).map(
            |(object, tail, end, digest)| (objects.path(&object), Tail { start: end - tail, end, digest }),
        );
        Tails {
            inner,
            tails: tails.collect(),
            read: Mutex::default(),
            folder: CacheFolder::named("footers", MOST),
        }
    }

    /// The tail that has this range.
    fn within(&self, object: &Path, range: &Range<u64>) -> Option<&Tail> {
        self.tails.get(object).filter(|tail| range.start >= tail.start && range.end <= tail.end)
    }

    /// A tail: from memory, from the folder, or requested.
    async fn tail(&self, object: &Path, tail: &Tail) -> Result<Bytes> {
        let known = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(object) {
            return Ok(found.clone());
        }
        let content = match self.kept(tail) {
            Some(found) => found,
            None => {
                let content = self.inner.get_range(object, tail.start..tail.end).await?;
                // One that cannot be kept is requested again next time.
                self.folder.keep(&Tails::name(tail), &content);
                content
            }
        };
        known().insert(object.clone(), content.clone());
        Ok(content)
    }

    fn name(tail: &Tail) -> String {
        format!("{}-{}", tail.digest, tail.end - tail.start)
    }

    /// A kept tail, unless it was damaged.
    fn kept(&self, tail: &Tail) -> Option<Bytes> {
        let content = Bytes::from(self.folder.read(&Tails::name(tail))?);
        (content.len() as u64 == tail.end - tail.start).then_some(content)
    }

    fn part(content: &Bytes, tail: &Tail, range: &Range<u64>) -> Result<Bytes> {
        let bounds =
            usize::try_from(range.start - tail.start).ok().zip(usize::try_from(range.end - tail.start).ok());
        match bounds.filter(|(from, to)| from <= to && *to <= content.len()) {
            Some((from, to)) => Ok(content.slice(from..to)),
            None => {
                Err(object_store::Error::Generic { store: "tails", source: "the file ends earlier".into() })
            }
        }
    }
}

#[async_trait]
impl ObjectStore for Tails {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if let Some(GetRange::Bounded(range)) = &options.range
            && !options.head
            && let Some(tail) = self.within(location, range)
        {
            let content = self.tail(location, tail).await?;
            let part = Tails::part(&content, tail, range)?;
            let meta = ObjectMeta {
                location: location.clone(),
                last_modified: Default::default(),
                size: tail.end,
                e_tag: None,
                version: None,
            };
            let payload = GetResultPayload::Stream(Box::pin(futures::stream::iter([Ok(part)])));
            return Ok(GetResult { payload, meta, range: range.clone(), attributes: Default::default() });
        }
        self.inner.get_opts(location, options).await
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let tail = ranges.first().and_then(|range| self.within(location, range));
        match tail.filter(|_| ranges.iter().all(|range| self.within(location, range).is_some())) {
            Some(tail) => {
                let content = self.tail(location, tail).await?;
                ranges.iter().map(|range| Tails::part(&content, tail, range)).collect()
            }
            None => self.inner.get_ranges(location, ranges).await,
        }
    }

    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(location, options).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
