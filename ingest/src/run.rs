//! `ingest`: from archive files to a published dataset. One thread reads and digests, several play games and encode
//! rows, one writes in source order; then the indexes of the changed years and the players are rebuilt, and everything
//! is published at once.
//!
//! Completed sources are recorded in the staging folder's journal: the same ingest resumes after an interruption with
//! the same bytes as result. The old dataset remains until publication.

mod error;
mod filed;
pub(crate) mod limits;
mod logged;
mod of_amazons;
mod of_files;
pub mod pipeline;
mod plan;
mod publish;
mod record;
mod same_game;
pub mod shards;
mod stored_games;
mod unknown;
mod worker;
mod writer;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arrow::datatypes::UInt64Type;
use hex::FromHex as _;

pub use error::{IngestError, UnreadableEvent};
pub use limits::Limits;
pub use logged::{LogSource, LoggedEvent, LoggedGame, ingest_log};

use crate::location::{Deposited, TableFile};
use crate::manifest::{FileEntry, InputEntry, Manifest, ManifestError};
use crate::source::{
    self, Block, Blocks, FoundGames, Piece, SourceEnd, SourceFile, SourceInfo, SourceRejected, discover,
};
use crate::summary::{DatasetSummary, Summary};
use crate::tables::{GameRows, Rows, SCHEMA_VERSION};
use crate::write::{FinishedInput, FinishedSource, Journal, Lock, Staging, StoredFile, stored_text};
use pipeline::{Feed, Shape, Stopped};
use plan::{Plan, ToRead};
use stored_games::{StoredGames, StoredRecord};
use worker::{BlockDone, Encoders, Worker};
use writer::{Writer, rejected_source};

#[derive(Debug, Clone)]
pub struct Options {
    /// `HOME/dataset`.
    pub dataset: PathBuf,
    /// Files, folders and patterns.
    pub inputs: Vec<PathBuf>,
    pub threads: usize,
    /// Count steps and turns of every position: a thousand times slower.
    pub counts: bool,
    /// Set to true to stop; completed sources are kept.
    pub cancel: Arc<AtomicBool>,
    pub limits: Limits,
}

impl Options {
    /// Uses as many threads as the machine has.
    #[must_use]
    pub fn new(dataset: impl Into<PathBuf>, inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Options {
        Options {
            dataset: dataset.into(),
            inputs: inputs.into_iter().map(Into::into).collect(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            counts: false,
            cancel: Arc::default(),
            limits: Limits::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Digesting files to find stored ones.
    Looking,
    Reading,
    /// Building index and player table.
    Indexing,
    /// To an address.
    Copying,
    Publishing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub stage: Stage,
    /// Bytes read so far; while looking, digested.
    pub bytes: u64,
    /// Bytes to be read.
    pub total: u64,
    pub games: u64,
    pub turns: u64,
}

pub trait Progress {
    /// Called about twenty times a second on the thread that called [`ingest`].
    fn at(&self, moment: Moment);
}

impl Progress for () {
    fn at(&self, _: Moment) {}
}

/// # Errors
/// If an input is missing, the existing dataset cannot be used, the disk fails, or it was stopped. The dataset is then
/// unchanged. Bad rows are not errors: see [`Summary`].
pub fn ingest(options: &Options, progress: &dyn Progress) -> Result<Summary, IngestError> {
    let begun = Instant::now();
    let files = discover(&options.inputs)?;
    let _lock = Lock::acquire(&options.dataset)?;
    let (manifest, old) = started_from(&options.dataset, &files)?;
    let staging = Staging::open(&options.dataset)?;
    let mut run = Run { old, ..Run::new(options, progress, manifest, staging) };
    let result = run.all(files);
    // Completed sources are kept, so that the same ingest resumes.
    if !matches!(result, Err(IngestError::Cancelled { .. })) {
        run.staging.remove();
    }
    result?;
    run.finish(begun)
}

/// The manifest to start from. A dataset of an earlier version counts as none if all its inputs are named; its files
/// are returned, and remain until publication.
fn started_from(dataset: &Path, named: &[SourceFile]) -> Result<(Manifest, Vec<String>), IngestError> {
    match Manifest::read(dataset) {
        Err(ManifestError::OtherVersion(old)) if old.is_earlier() => match old.not_named(named).is_empty() {
            true => Ok((Manifest::default(), old.files)),
            false => Err(ManifestError::OtherVersion(old).into()),
        },
        read => {
            let manifest = read?.unwrap_or_default();
            manifest.check_files(dataset)?;
            Ok((manifest, Vec::new()))
        }
    }
}

struct Run<'o> {
    options: &'o Options,
    progress: &'o dyn Progress,
    manifest: Manifest,
    /// Of a replaced dataset of an earlier version.
    old: Vec<String>,
    staging: Staging,
    /// Files that are neither staged nor in the dataset's folder.
    deposited: Option<Deposited>,
    summary: Summary,
}

impl<'o> Run<'o> {
    fn new(
        options: &'o Options,
        progress: &'o dyn Progress,
        manifest: Manifest,
        staging: Staging,
    ) -> Run<'o> {
        let (old, deposited, summary) = (Vec::new(), None, Summary::default());
        Run { options, progress, manifest, old, staging, deposited, summary }
    }

    /// Where a file is: staged, at an address, or in the dataset.
    fn locate(&self, entry: &FileEntry) -> TableFile {
        let deposited = || self.deposited.as_ref()?.file(entry);
        match self.staging.staged(entry) {
            Some(path) => TableFile::Local(path),
            None => deposited().unwrap_or_else(|| TableFile::Local(self.options.dataset.join(&entry.path))),
        }
    }

    /// Removes replaced files and sums up.
    fn finish(mut self, begun: Instant) -> Result<Summary, IngestError> {
        if !self.old.is_empty() && !self.manifest.files.is_empty() {
            self.staging.clean(&self.manifest, &[], &[])?;
        }
        self.summary.dataset = DatasetSummary::of(&self.manifest);
        self.summary.seconds = begun.elapsed().as_secs_f64();
        Ok(self.summary)
    }

    fn all(&mut self, files: Vec<SourceFile>) -> Result<(), IngestError> {
        let journal = self.sources(files, "")?;
        let result = self.publish(&journal, &BTreeSet::new());
        self.keep_for_later(&journal, result)
    }

    /// Reads files, or the rest of them after an interruption of the same `work`.
    fn sources(&mut self, files: Vec<SourceFile>, work: &str) -> Result<Journal, IngestError> {
        let base = format!("{} {SCHEMA_VERSION} {}{work}", self.manifest.checksum, self.options.counts);
        let mut plan = self.plan(files, &base)?;
        let mut journal = Journal { base, inputs: std::mem::take(&mut plan.resumed) };
        self.summary.unchanged = plan.unchanged.into_iter().map(|file| file.name).collect();
        self.summary.resumed = journal.sources().count() as u64;
        let wanted: Vec<&FileEntry> = journal.files().collect();
        self.staging.clean(&self.manifest, &self.old, &wanted)?;
        if !plan.to_read.is_empty() {
            let stored = self.stored_games(self.manifest.files.iter().chain(journal.files()))?;
            let result = self.read(&plan.to_read, &mut journal, &stored);
            self.keep_for_later(&journal, result)?;
        }
        Ok(journal)
    }

    /// Keeps completed sources after a stop, and reports their number.
    fn keep_for_later(&self, journal: &Journal, result: Result<(), IngestError>) -> Result<(), IngestError> {
        if let Err(IngestError::Cancelled { .. }) = result {
            self.staging.save_journal(journal)?;
            return Err(IngestError::Cancelled { finished: journal.sources().count() });
        }
        result
    }

    fn plan(&self, files: Vec<SourceFile>, base: &str) -> Result<Plan, IngestError> {
        let journal = self.staging.load_journal().filter(|journal| journal.base == base);
        let total = files.iter().map(|file| file.bytes).sum();
        let mut bytes = 0;
        let mut tick = |digested: u64| {
            bytes += digested;
            self.progress.at(Moment { stage: Stage::Looking, bytes, total, games: 0, turns: 0 });
            self.may_go_on()
        };
        plan::plan(files, &self.manifest, journal, &self.staging, &mut tick)
    }

    fn may_go_on(&self) -> Result<(), IngestError> {
        match self.options.cancel.load(Ordering::Relaxed) {
            true => Err(IngestError::Cancelled { finished: 0 }),
            false => Ok(()),
        }
    }

    /// Reads files; completed sources are recorded in the journal, also after an error.
    fn read(
        &mut self,
        to_read: &[ToRead],
        journal: &mut Journal,
        stored: &StoredGames,
    ) -> Result<(), IngestError> {
        let known = self.manifest.sources.iter().chain(journal.sources()).map(|s| s.digest.clone()).collect();
        let encoders = Encoders::new()?;
        let writer = Writer::new(&encoders, known, stored, false)?;
        let shape =
            Shape { threads: self.options.threads.max(1), window: 2 * self.options.threads.max(1) + 2 };
        let counter = source::Progress::default();
        let (cancel, counts, progress) = (&*self.options.cancel, self.options.counts, self.progress);
        let total = to_read.iter().map(|file| file.file.bytes).sum();
        let so_far = Cell::new(Moment { stage: Stage::Reading, bytes: 0, total, games: 0, turns: 0 });
        let mut collector = Collector {
            writer,
            staging: &mut self.staging,
            journal,
            summary: &mut self.summary,
            so_far: &so_far,
            saved: Instant::now(),
        };
        pipeline::run(
            shape,
            |feed| read_files(to_read, stored, counter.clone(), cancel, feed),
            || Worker::new(&encoders, stored, counts),
            |worker, job| match job {
                Job::Block(block) => Ok(Item::Block(Arc::clone(&block.source), worker.work(&block)?)),
                Job::Games(games) => Ok(Item::Block(Arc::clone(&games.source), worker.games(games)?)),
            },
            |item| collector.take(item, to_read),
            || {
                progress.at(Moment { bytes: counter.bytes(), ..so_far.get() });
                stored.check()?;
                match cancel.load(Ordering::Relaxed) {
                    true => Err(IngestError::Cancelled { finished: 0 }),
                    false => Ok(()),
                }
            },
        )?;
        stored.check()
    }

    /// Numbers and digests of the games in files of the table `games`; other files are ignored.
    fn stored_games<'f>(
        &self,
        files: impl Iterator<Item = &'f FileEntry>,
    ) -> Result<StoredGames, IngestError> {
        let stored = StoredGames::new(self.staging.folder(), self.options.limits.held_bytes);
        self.add_stored_games(files, &stored)?;
        Ok(stored)
    }

    fn add_stored_games<'f>(
        &self,
        files: impl Iterator<Item = &'f FileEntry>,
        stored: &StoredGames,
    ) -> Result<(), IngestError> {
        for entry in files.filter(|file| file.table == GameRows::SPEC.name) {
            let file = StoredFile::open(&self.locate(entry))?;
            file.each_batch(&["game_id", "row_digest", "stream"], |batch| {
                let ids = batch.numbers::<UInt64Type>("game_id")?;
                let (digests, streams) = (batch.texts("row_digest")?, batch.texts("stream")?);
                for row in 0..batch.rows() {
                    let digest = <[u8; 16]>::from_hex(digests.value(row)).ok();
                    let digest =
                        digest.ok_or_else(|| file.damaged("a row digest is no digest".to_owned()))?;
                    let of_log = stored_text(streams, row).is_some();
                    stored.store(ids.value(row), StoredRecord { digest, of_log })?;
                }
                Ok::<_, IngestError>(())
            })?;
            self.may_go_on()?;
        }
        Ok(())
    }
}

enum Job {
    Block(Block),
    Games(FoundGames),
}

enum Item {
    Begin(usize),
    /// An encoded block of a source.
    Block(Arc<SourceInfo>, BlockDone),
    End(SourceEnd),
    Rejected(SourceRejected),
    /// A file is complete; its digest if it could be read.
    Done(Option<String>),
}

fn read_files(
    to_read: &[ToRead],
    stored: &StoredGames,
    counter: source::Progress,
    cancel: &AtomicBool,
    feed: &mut Feed<'_, Job, Item>,
) -> Result<(), Stopped> {
    for (number, ToRead { file, digest, finished }) in to_read.iter().enumerate() {
        feed.ready(Item::Begin(number))?;
        let mut plain = None;
        let blocks = Blocks::new(std::slice::from_ref(file), |id| stored.claim(id))
            .with_game_files()
            .passing_over((0..*finished).collect())
            .with_progress(counter.clone());
        for piece in blocks {
            if cancel.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            match piece {
                Piece::Block(block) => feed.job(Job::Block(block))?,
                Piece::Games(games) => feed.job(Job::Games(games))?,
                Piece::End(end) => {
                    if end.source.name == file.name && end.bytes == file.bytes {
                        plain = Some(end.digest.to_string());
                    }
                    feed.ready(Item::End(end))?;
                }
                Piece::Rejected(rejected) => feed.ready(Item::Rejected(rejected))?,
            }
        }
        let digest = match digest.clone().or(plain) {
            Some(digest) => Some(digest),
            None => plan::digest(&file.path, &mut |_| Ok(())).ok().flatten(),
        };
        feed.ready(Item::Done(digest))?;
    }
    Ok(())
}

/// The writing thread: passes results to the writer, and keeps the journal.
struct Collector<'c> {
    writer: Writer<'c>,
    staging: &'c mut Staging,
    journal: &'c mut Journal,
    summary: &'c mut Summary,
    so_far: &'c Cell<Moment>,
    saved: Instant,
}

impl Collector<'_> {
    /// Shortest interval of journal writes: a killed process repeats as much.
    const SAVE_EVERY: Duration = Duration::from_millis(250);

    fn take(&mut self, item: Item, to_read: &[ToRead]) -> Result<(), IngestError> {
        match item {
            Item::Begin(number) => self.begin(&to_read[number]),
            Item::Block(source, done) => {
                let Moment { games, turns, .. } = self.so_far.get();
                let games = games + done.tally.accepted + done.tally.flagged;
                let turns = turns + done.tally.turns;
                self.so_far.set(Moment { games, turns, ..self.so_far.get() });
                self.writer.block(&source.name, done, self.staging)?;
            }
            Item::End(end) => {
                let finished = self.writer.end(&end, self.staging)?;
                if finished.entry.is_none() {
                    self.summary.known.push(end.source.name.clone());
                }
                self.finish(finished, |input| {
                    let digest = end.digest.to_string();
                    // A plain text's digest is known once it is read; a stop does not lose it.
                    if input.digest.is_empty() && end.source.name == input.name && end.bytes == input.bytes {
                        input.digest.clone_from(&digest);
                    }
                    input.sources.push(digest);
                });
            }
            Item::Rejected(rejected) => {
                let finished =
                    FinishedSource { ordinal: rejected.source.ordinal, entry: None, files: Vec::new() };
                let rejected = rejected_source(&rejected);
                self.summary.rejected_sources.push(rejected.clone());
                self.finish(finished, |input| input.rejected.push(rejected));
            }
            Item::Done(digest) => self.done(digest)?,
        }
        if self.saved.elapsed() > Self::SAVE_EVERY {
            self.staging.save_journal(self.journal)?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    fn begin(&mut self, ToRead { file, digest, finished }: &ToRead) {
        // A partly completed input has an entry already.
        if *finished == 0 {
            let entry = InputEntry {
                name: file.name.clone(),
                digest: digest.clone().unwrap_or_default(),
                bytes: file.bytes,
                sources: Vec::new(),
                rejected: Vec::new(),
            };
            self.journal.inputs.push(FinishedInput { entry, whole: false, sources: Vec::new() });
        }
    }

    fn finish(&mut self, finished: FinishedSource, note: impl FnOnce(&mut InputEntry)) {
        if let Some(input) = self.journal.inputs.last_mut() {
            note(&mut input.entry);
            input.sources.push(finished);
        }
    }

    fn done(&mut self, digest: Option<String>) -> Result<(), IngestError> {
        let before = self.journal.inputs.split_last().map_or(&[][..], |(_, before)| before);
        let seen = before.iter().any(|input| Some(&input.entry.digest) == digest.as_ref());
        let Some(input) = self.journal.inputs.last_mut() else { return Ok(()) };
        input.entry.digest = digest.unwrap_or_default();
        input.whole = true;
        if input.entry.digest.is_empty() && input.entry.sources.is_empty() {
            // It could not be read, and is tried again next time.
            self.journal.inputs.pop();
        } else if !input.entry.rejected.is_empty() && !seen {
            let files = self.writer.rejected_sources(&input.entry, self.staging)?;
            let ordinal = input.sources.len() as u32;
            input.sources.push(FinishedSource { ordinal, entry: None, files: files.into_iter().collect() });
        }
        Ok(())
    }
}
