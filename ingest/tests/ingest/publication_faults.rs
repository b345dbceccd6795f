//! Publishers and readers of one address in an object store, with everything that can fail there: requests that fail
//! before or after they take effect, answers that end early, publishers that are killed, and others that come in
//! between. One seed determines all of it. What a reader gets is one dataset, whole, or an error.
//!
//! ```sh
//! ANNALS_SEEDS=10000 cargo test -p annals-ingest --test ingest -- publication_faults --nocapture
//! ANNALS_SEED=17 cargo test -p annals-ingest --test ingest -- publication_faults --nocapture      # one, with its history
//! ```

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::future::Future;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::{fs, mem, thread};

use annals_ingest::location::{Location, Objects, OpenDataset, PublishError, publish};
use annals_ingest::manifest::{Manifest, ManifestError};
use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use parquet::file::reader::{ChunkReader as _, Length as _};

use crate::dataset::store;
use crate::fixture::{cases, text, write};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Nothing is done.
    Fails,
    /// It is done, and the answer is lost.
    Unanswered,
    /// No request after it succeeds; it is done itself or not.
    Killed { is_done: bool },
    /// An answer ends early.
    Short,
    /// Something else happens before it.
    Meanwhile,
}

/// What happens at a request.
enum Next {
    Passes,
    Fails,
    Unanswered,
    Short,
}

#[derive(Default)]
struct Plan {
    /// Requests until the fault.
    left: u64,
    fault: Option<Fault>,
    /// With [`Fault::Meanwhile`].
    other: Option<Box<dyn FnOnce() + Send>>,
    is_down: bool,
    has_happened: bool,
}

/// The store as one process sees it.
struct Network {
    store: Arc<InMemory>,
    plan: Mutex<Plan>,
}

impl Network {
    fn next(&self) -> Next {
        let (next, other) = {
            let mut plan = self.plan.lock().unwrap();
            if plan.is_down {
                return Next::Fails;
            }
            let Some(fault) = plan.fault else { return Next::Passes };
            if plan.left > 0 {
                plan.left -= 1;
                return Next::Passes;
            }
            (plan.fault, plan.has_happened) = (None, true);
            plan.is_down = matches!(fault, Fault::Killed { .. });
            let next = match fault {
                Fault::Fails | Fault::Killed { is_done: false } => Next::Fails,
                Fault::Unanswered | Fault::Killed { is_done: true } => Next::Unanswered,
                Fault::Short => Next::Short,
                Fault::Meanwhile => Next::Passes,
            };
            (next, plan.other.take())
        };
        // It waits for requests of its own.
        if let Some(Err(panic)) = other.map(|other| thread::spawn(other).join()) {
            std::panic::resume_unwind(panic);
        }
        next
    }

    async fn request<T>(&self, request: impl Future<Output = Result<T>>) -> Result<T> {
        match self.next() {
            Next::Passes | Next::Short => request.await,
            Next::Fails => Err(lost()),
            Next::Unanswered => {
                drop(request.await);
                Err(lost())
            }
        }
    }
}

fn lost() -> object_store::Error {
    object_store::Error::Generic { store: "network", source: "the connection was lost".into() }
}

impl Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Network")
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("network")
    }
}

#[async_trait]
impl ObjectStore for Network {
    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.request(self.store.put_opts(path, payload, options)).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.request(self.store.put_multipart_opts(path, options)).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        let found = self.store.get_opts(path, options).await;
        match self.next() {
            Next::Passes => found,
            Next::Fails | Next::Unanswered => Err(lost()),
            Next::Short => {
                let found = found?;
                let (meta, range, attributes) =
                    (found.meta.clone(), found.range.clone(), found.attributes.clone());
                let content = found.bytes().await?;
                let part = Ok(content.slice(..content.len() / 2));
                let payload = GetResultPayload::Stream(Box::pin(futures::stream::iter([part])));
                Ok(GetResult { payload, meta, range, attributes })
            }
        }
    }

    async fn get_ranges(&self, path: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.request(self.store.get_ranges(path, ranges)).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.request(self.store.list_with_delimiter(prefix)).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.request(self.store.copy_opts(from, to, options)).await
    }
}

/// Datasets of a folder of this machine, which differ and share files.
struct Datasets {
    _folder: tempfile::TempDir,
    folders: Vec<PathBuf>,
    manifests: Vec<Manifest>,
}

impl Datasets {
    fn new() -> Datasets {
        let folder = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> = (0..4_u64)
            .map(|number| {
                let (inputs, dataset) = (
                    folder.path().join(format!("inputs-{number}")),
                    folder.path().join(format!("dataset-{number}")),
                );
                write(&inputs, "games.txt", text(0..2 + 3 * number).as_bytes());
                store(&dataset, &[&inputs]).unwrap();
                dataset
            })
            .collect();
        let manifests = folders.iter().map(|folder| Manifest::open(folder).unwrap()).collect();
        Datasets { _folder: folder, folders, manifests }
    }
}

/// What is known of the address.
#[derive(Default)]
struct Known {
    /// The dataset of each publication that began, by its random number.
    begun: Vec<usize>,
    /// The text of the manifest of each number, as it was first seen.
    manifests: BTreeMap<u64, Bytes>,
    /// The dataset of each number that was acknowledged.
    acknowledged: BTreeMap<u64, usize>,
    /// An object was cut or removed since all was whole.
    is_damaged: bool,
    history: Vec<String>,
    faults: BTreeMap<String, u64>,
}

#[derive(Clone)]
struct World {
    seed: u64,
    store: Arc<InMemory>,
    datasets: Arc<Datasets>,
    known: Arc<Mutex<Known>>,
}

/// A number of a purpose, below a limit.
fn dice(of: &[u64], limit: u64) -> u64 {
    let bytes: Vec<u8> = of.iter().flat_map(|number| number.to_le_bytes()).collect();
    let digest = blake3::hash(&bytes);
    u64::from_le_bytes(digest.as_bytes()[..8].try_into().unwrap()) % limit
}

fn manifest(number: u64) -> Path {
    Path::from(format!("address/manifest-{number}.json"))
}

impl World {
    fn dice(&self, step: u64, purpose: u64, limit: u64) -> u64 {
        dice(&[self.seed, step, purpose], limit)
    }

    fn tell(&self, line: String) {
        self.known.lock().unwrap().history.push(line);
    }

    /// The store for one process, and the fault that it will meet.
    fn network(&self, step: u64, depth: u64) -> (Arc<Network>, Option<Fault>) {
        let fault = match self.dice(step, 1, 12) {
            0 => Some(Fault::Fails),
            1 => Some(Fault::Unanswered),
            2 | 3 => Some(Fault::Killed { is_done: self.dice(step, 2, 2) == 0 }),
            4 => Some(Fault::Short),
            5..9 if depth < 3 => Some(Fault::Meanwhile),
            _ => None,
        };
        let other: Option<Box<dyn FnOnce() + Send>> = (fault == Some(Fault::Meanwhile)).then(|| {
            let (world, next) = (self.clone(), step * 16 + depth + 1);
            Box::new(move || world.act(next, depth + 1)) as Box<dyn FnOnce() + Send>
        });
        // The manifest is among the last requests, so that its number is not always small.
        let left = self.dice(step, 3, 1 + self.dice(step, 4, 24));
        let plan = Plan { left, fault, other, ..Plan::default() };
        (Arc::new(Network { store: self.store.clone(), plan: Mutex::new(plan) }), fault)
    }

    fn objects(store: Arc<dyn ObjectStore>) -> Objects {
        Objects::in_store("memory:///address", store).unwrap()
    }

    fn content(&self, path: &Path) -> Option<Bytes> {
        let read = async { self.store.get(path).await.ok()?.bytes().await.ok() };
        futures::executor::block_on(read)
    }

    /// The dataset of a manifest, by the random number of its publication.
    fn dataset_of(&self, number: u64) -> Option<usize> {
        let text: serde_json::Value = serde_json::from_slice(&self.content(&manifest(number))?).ok()?;
        let commit = usize::from_str_radix(text["commit"].as_str()?.get(..8)?, 16).ok()?;
        self.known.lock().unwrap().begun.get(commit).copied()
    }

    fn act(&self, step: u64, depth: u64) {
        match self.dice(step, 0, 20) {
            0..12 => self.publish(step, depth),
            17 if depth == 0 => self.damage(step, false),
            18 if depth == 0 => self.damage(step, true),
            19 if depth == 0 => self.cut_manifest(step),
            _ => self.read(step, depth),
        }
    }

    fn publish(&self, step: u64, depth: u64) {
        let of = self.dice(step, 10, self.datasets.folders.len() as u64) as usize;
        let (network, fault) = self.network(step, depth);
        self.publish_through(of, network, fault);
    }

    fn publish_through(&self, of: usize, network: Arc<Network>, fault: Option<Fault>) {
        let attempt = {
            let mut known = self.known.lock().unwrap();
            known.begun.push(of);
            u32::try_from(known.begun.len() - 1).unwrap()
        };
        let mut commit = [7; 16];
        commit[..4].copy_from_slice(&attempt.to_be_bytes());
        let objects = World::objects(network.clone());
        let result = publish(&self.datasets.folders[of], &objects, None, commit, |_, _| ());
        let happened = network.plan.lock().unwrap().has_happened.then_some(fault).flatten();
        self.tell(format!("publication {attempt} of dataset {of}, {happened:?}: {result:?}"));
        let mut known = self.known.lock().unwrap();
        *known.faults.entry(happened.map_or("none".to_owned(), |fault| format!("{fault:?}"))).or_default() +=
            1;
        let is_damaged = known.is_damaged;
        drop(known);
        match result {
            // Nobody heard it.
            _ if matches!(happened, Some(Fault::Killed { .. })) => {}
            Ok(done) => {
                assert_eq!(self.dataset_of(done.number), Some(of), "acknowledged as number {}", done.number);
                let before = self.known.lock().unwrap().acknowledged.insert(done.number, of);
                assert!(!done.is_new || before.is_none(), "number {} was acknowledged twice", done.number);
            }
            Err(PublishError::Conflict { .. }) => {
                assert!(
                    matches!(
                        happened,
                        Some(Fault::Meanwhile | Fault::Unanswered | Fault::Fails | Fault::Short)
                    ),
                    "there was no other publication"
                );
            }
            Err(error) => {
                let is_explained = happened.is_some_and(|fault| fault != Fault::Meanwhile) || is_damaged;
                assert!(is_explained, "nothing failed, and it is refused: {error}");
            }
        }
    }

    /// Opens the newest dataset, and reads all of it; something may happen between.
    fn read(&self, step: u64, depth: u64) {
        let (network, fault) = self.network(step, depth);
        let at_least = self.known.lock().unwrap().acknowledged.keys().next_back().copied();
        let result = self.read_through(network.clone());
        let happened = network.plan.lock().unwrap().has_happened.then_some(fault).flatten();
        self.tell(format!("reader, {happened:?}: {result:?}"));
        match result {
            Ok(number) => assert!(Some(number) >= at_least, "{number} is older than {at_least:?}"),
            Err(error) => {
                let is_damaged = self.known.lock().unwrap().is_damaged;
                let is_empty = error == "none" && at_least.is_none();
                let is_failure = happened.is_some_and(|fault| fault != Fault::Meanwhile);
                assert!(is_empty || is_failure || is_damaged, "nothing failed, and it is not read: {error}");
            }
        }
    }

    /// The number of the dataset that was read whole.
    fn read_through(&self, network: Arc<Network>) -> std::result::Result<u64, String> {
        let location = Location::Address(Arc::new(World::objects(network)));
        let opened = location.open().map_err(|error| match error {
            ManifestError::Missing { .. } => "none".to_owned(),
            other => other.to_string(),
        })?;
        let number = opened.number.unwrap();
        let of = self.dataset_of(number).expect("a manifest that was read is that of a publication");
        assert_eq!(opened.manifest, self.datasets.manifests[of], "the manifest of number {number}");
        is_whole(&opened).map(|()| number)
    }

    /// Cuts or removes a published file.
    fn damage(&self, step: u64, is_cut: bool) {
        let names: Vec<Path> = futures::executor::block_on(async {
            use futures::TryStreamExt as _;
            self.store.list(None).map_ok(|object| object.location).try_collect().await.unwrap()
        });
        let files: Vec<Path> = names.into_iter().filter(|name| name.as_ref().ends_with(".parquet")).collect();
        if files.is_empty() {
            return;
        }
        let file = &files[self.dice(step, 20, files.len() as u64) as usize];
        let content = self.content(file).unwrap();
        futures::executor::block_on(async {
            match is_cut {
                true => {
                    let part = content.slice(..content.len() / 2);
                    drop(self.store.put(file, part.into()).await.unwrap())
                }
                false => self.store.delete(file).await.unwrap(),
            }
        });
        self.known.lock().unwrap().is_damaged = true;
        self.tell(format!("{file} was {}", if is_cut { "cut" } else { "removed" }));
    }

    /// Cuts the newest manifest. The next publication has the next number.
    fn cut_manifest(&self, step: u64) {
        let Some(number) = (1..).take_while(|number| self.content(&manifest(*number)).is_some()).last()
        else {
            return;
        };
        let content = self.content(&manifest(number)).unwrap();
        let part = content.slice(..self.dice(step, 21, content.len() as u64) as usize);
        futures::executor::block_on(self.store.put(&manifest(number), part.clone().into())).unwrap();
        let mut known = self.known.lock().unwrap();
        known.manifests.insert(number, part);
        known.acknowledged.remove(&number);
        known.is_damaged = true;
        drop(known);
        self.tell(format!("manifest {number} was cut"));
    }

    /// After a step: no manifest changed, and the newest dataset is whole. Damage is mended by publishing it again.
    fn check(&self) {
        for number in 1.. {
            let Some(content) = self.content(&manifest(number)) else {
                let known = self.known.lock().unwrap();
                assert!(
                    known.manifests.keys().next_back().is_none_or(|last| *last < number),
                    "{number} is gone"
                );
                break;
            };
            let first = self.known.lock().unwrap().manifests.entry(number).or_insert(content.clone()).clone();
            assert_eq!(first, content, "manifest {number} changed");
        }
        let plain = || Arc::new(Network { store: self.store.clone(), plan: Mutex::default() });
        if mem::take(&mut self.known.lock().unwrap().is_damaged) {
            let newest = self.known.lock().unwrap().manifests.keys().next_back().copied();
            let of = newest.and_then(|number| self.dataset_of(number)).unwrap_or(0);
            self.publish_through(of, plain(), None);
        }
        let last = self.known.lock().unwrap().manifests.keys().next_back().copied();
        match self.read_through(plain()) {
            Ok(number) => assert!(Some(number) >= last, "{number}, where there is {last:?}"),
            Err(error) => assert!(error == "none" && last.is_none(), "after this it is not read: {error}"),
        }
    }
}

/// Reads every file as readers of tables do, and compares its digest.
fn is_whole(dataset: &OpenDataset) -> std::result::Result<(), String> {
    for entry in &dataset.manifest.files {
        let reader = dataset.file(entry).open().map_err(|error| error.to_string())?;
        let length = usize::try_from(reader.len()).unwrap();
        let content = reader.get_bytes(0, length).map_err(|error| error.to_string())?;
        assert_eq!(
            blake3::hash(&content).to_string(),
            entry.digest,
            "{}: other bytes, without an error",
            entry.path
        );
    }
    Ok(())
}

/// What is wrong, if anything is.
fn live(seed: u64, datasets: &Arc<Datasets>) -> (Option<String>, Known) {
    let world =
        World { seed, store: Arc::new(InMemory::new()), datasets: datasets.clone(), known: Arc::default() };
    let lived = world.clone();
    let result = thread::spawn(move || {
        for step in 1..=5 + lived.dice(0, 0, 12) {
            lived.act(step, 0);
            lived.check();
        }
    })
    .join();
    let wrong = result.err().map(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    });
    let known = mem::take(&mut *world.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    (wrong, known)
}

#[test]
fn whatever_fails_a_reader_gets_one_published_dataset_whole_or_an_error() {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse::<u64>().ok());
    let datasets = Arc::new(Datasets::new());
    let files = |folder: &PathBuf| fs::read_dir(folder).unwrap().count();
    assert!(datasets.folders.iter().all(|folder| files(folder) > 1));
    if let Some(seed) = number("ANNALS_SEED") {
        let (wrong, known) = live(seed, &datasets);
        known.history.iter().for_each(|line| println!("{line}"));
        assert_eq!(wrong, None);
        return;
    }
    let seeds = number("ANNALS_SEEDS").unwrap_or(u64::from(cases(300)));
    let (mut publications, mut faults) = (0, BTreeMap::<String, u64>::new());
    for seed in 0..seeds {
        let (wrong, known) = live(seed, &datasets);
        if let Some(wrong) = wrong {
            panic!("after {} seeds, seed {seed}: {wrong}\n{}", seed + 1, known.history.join("\n"));
        }
        publications += known.begun.len();
        known.faults.into_iter().for_each(|(fault, count)| *faults.entry(fault).or_default() += count);
    }
    println!("{seeds} seeds, {publications} publications; faults: {faults:#?}");
}
