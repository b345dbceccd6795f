//! The end of a sharded ingest: files with games of several shards are read again, indexes are merged, the table of
//! players is built, and the manifest is created.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::plan::{PlanError, PlannedInput, ShardPlan};
use super::report::Report;
use super::shard::{Base, base, unchanged};
use super::shared_games::{ReadInput, shared};
use crate::location::{
    Copied, Objects, Publication, PublishError, Published, PublishedEvents, TableFile, create, numbered,
    read_newest,
};
use crate::manifest::{FileEntry, Manifest};
use crate::position_index;
use crate::run::error::IngestError;
use crate::run::plan::ToRead;
use crate::run::publish::of_table;
use crate::run::{Options, Progress, Run, Stage};
use crate::summary::{DatasetSummary, Summary};
use crate::tables::{LookupRows, Rows as _, SCHEMA_VERSION, TurnRows};
use crate::write::{Journal, Lock, StagedFile, Staging};

#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub publication: Publication,
    /// Of all shards; empty if the dataset had been published before.
    pub summary: Summary,
    pub shards: u32,
    /// Files that were read again, since other shards have games of theirs.
    pub read_again: Vec<String>,
}

/// Publishes the dataset of a plan whose shards are complete. `options.dataset` is an empty folder for its work; `commit`
/// is random. A second finisher finds the dataset of the first.
///
/// # Errors
/// If a shard is not complete, another dataset was published since the plan was made, or a file cannot be read.
pub fn finish(
    plan: &ShardPlan,
    options: &Options,
    commit: [u8; 16],
    progress: &dyn Progress,
) -> Result<Finished, IngestError> {
    let begun = Instant::now();
    let to = plan.objects()?;
    if let Some(publication) = published_before(plan, &to)? {
        return Ok(Finished { publication, summary: Summary::default(), shards: 0, read_again: Vec::new() });
    }
    let reports = Report::all(&to, plan)?;
    let shards = reports.len() as u32;
    let options = &Options { counts: plan.counts, ..options.clone() };
    let _lock = Lock::acquire(&options.dataset)?;
    let (Base { manifest, events }, mut deposited) = base(plan, &to)?;
    let (mut inputs, mut indexes) = (Vec::new(), Vec::new());
    for report in reports {
        deposited.add(report.objects.into_values());
        indexes.extend(report.indexes);
        let mut planned = plan.inputs_of(report.shard).iter();
        for read in report.inputs {
            let same = |input: &&PlannedInput| input.is(&read.entry);
            let planned =
                planned.find(same).ok_or_else(|| PlanError::Changed { name: read.entry.name.clone() })?;
            inputs.push(ReadInput { planned, shard: report.shard.number, read });
        }
    }
    let staging = Staging::open(&options.dataset)?;
    let mut run = Run { deposited: Some(deposited), ..Run::new(options, progress, manifest, staging) };
    let (journal, read_again) = run.in_order(inputs)?;
    let next = run.next_dataset(&journal, &read_again, &indexes)?;
    let publication = run.publish_at(plan, &to, next, events, commit)?;
    run.summary.dataset = DatasetSummary::of(&run.manifest);
    run.summary.seconds = begun.elapsed().as_secs_f64();
    let read_again = read_again.into_iter().map(|file| file.name).collect();
    Ok(Finished { publication, summary: run.summary, shards, read_again })
}

/// The publication that has all files of the plan.
///
/// # Errors
/// If another dataset was published since the plan was made.
fn published_before(plan: &ShardPlan, at: &Objects) -> Result<Option<Publication>, IngestError> {
    let Some(Published { number, manifest, .. }) = read_newest(at)?.filter(|last| last.number != plan.base)
    else {
        return Ok(None);
    };
    let stored: HashSet<&str> = manifest.inputs.iter().map(|input| input.digest.as_str()).collect();
    match plan.inputs.iter().all(|input| stored.contains(input.digest.as_str())) {
        true => {
            let mut present = Copied::default();
            manifest.files.iter().for_each(|file| present.add(file.bytes));
            let digest = manifest.checksum;
            Ok(Some(Publication { number, is_new: false, digest, copied: Copied::default(), present }))
        }
        false => {
            let (address, base) = (at.address().to_owned(), plan.base);
            Err(PlanError::OtherBase { address, base, last: number }.into())
        }
    }
}

/// A file that was read again, and the years of its games as the shard had read it.
struct ReadAgain {
    name: String,
    years: BTreeSet<i16>,
}

impl Run<'_> {
    /// The files in the order of the plan, as one ingest would have read them.
    fn in_order(&mut self, inputs: Vec<ReadInput<'_>>) -> Result<(Journal, Vec<ReadAgain>), IngestError> {
        self.say(Stage::Indexing);
        let folder = (self.staging.folder(), self.options.limits.held_bytes);
        let locate = |file: &FileEntry| self.locate(file);
        let shared = shared(&inputs, self.manifest.files.iter(), &locate, folder, &|| self.may_go_on())?;
        let base = format!("{} {SCHEMA_VERSION} {}", self.manifest.checksum, self.options.counts);
        let mut journal = Journal { base, inputs: Vec::with_capacity(inputs.len()) };
        let mut read_again = Vec::new();
        let Some(last) = shared.last().copied() else {
            journal.inputs.extend(inputs.into_iter().map(|input| input.read));
            return Ok((journal, read_again));
        };
        let stored = self.stored_games(self.manifest.files.iter())?;
        for (place, input) in inputs.into_iter().enumerate() {
            if !shared.contains(&place) {
                if place < last {
                    self.add_stored_games(input.files(), &stored)?;
                }
                journal.inputs.push(input.read);
                continue;
            }
            let file = ToRead { file: input.planned.file(), digest: None, finished: 0 };
            let before = journal.inputs.len();
            self.read(&[file], &mut journal, &stored)?;
            let read = journal.inputs.get(before..).unwrap_or_default();
            unchanged(std::slice::from_ref(input.planned), read)?;
            let now = read.iter().flat_map(|input| &input.sources).flat_map(|source| &source.files);
            let years = input.files().chain(now).filter_map(|file| file.year).collect();
            read_again.push(ReadAgain { name: input.planned.name.clone(), years });
        }
        Ok((journal, read_again))
    }

    /// The manifest of the dataset, whose indexes and players are staged.
    fn next_dataset(
        &mut self,
        journal: &Journal,
        read_again: &[ReadAgain],
        indexes: &[FileEntry],
    ) -> Result<Manifest, IngestError> {
        journal.sources().for_each(|source| self.summary.add(source));
        let mut next = self.manifest.clone();
        next.inputs.extend(journal.inputs.iter().map(|input| input.entry.clone()));
        next.sources.extend(journal.sources().cloned());
        let new: Vec<FileEntry> = journal.files().cloned().collect();
        next.files.extend(new.iter().cloned());
        let rebuilt: BTreeSet<i16> = read_again.iter().flat_map(|file| &file.years).copied().collect();
        let years: BTreeSet<i16> = of_table(&new, TurnRows::SPEC.name).filter_map(|file| file.year).collect();
        if self.summary.has_no_game() {
            return Err(PlanError::NoGame.into());
        }
        for year in years.union(&rebuilt).copied() {
            let of_year = |file: &&FileEntry| file.year == Some(year);
            let old = of_table(&self.manifest.files, LookupRows::SPEC.name).filter(of_year);
            let parts: Vec<FileEntry> = old.chain(indexes.iter().filter(of_year)).cloned().collect();
            let built = match (parts.as_slice(), rebuilt.contains(&year)) {
                (_, true) => self.year_index(year, &next.files)?,
                ([only], false) => {
                    // The index of the only shard with games of the year.
                    next.files.push(only.clone());
                    continue;
                }
                (parts, false) => self.merged_index(parts)?,
            };
            self.replace_index(&mut next, year, built)?;
            self.say(Stage::Indexing);
            self.may_go_on()?;
        }
        self.replace_players(&mut next)?;
        next.seal()?;
        Ok(next)
    }

    fn merged_index(&mut self, parts: &[FileEntry]) -> Result<Option<StagedFile>, IngestError> {
        let path = self.staging.fresh_path();
        let parts: Vec<TableFile> = parts.iter().map(|file| self.locate(file)).collect();
        let stop = || self.options.cancel.load(Ordering::Relaxed);
        Ok(position_index::merge(&parts, &path, &stop)?)
    }

    /// Copies the staged files to the address, and creates the manifest.
    fn publish_at(
        &mut self,
        plan: &ShardPlan,
        to: &Objects,
        next: Manifest,
        events: Option<PublishedEvents>,
        commit: [u8; 16],
    ) -> Result<Publication, IngestError> {
        let (staged, (copied, present)) = self.upload(next.files.iter(), to)?;
        let mut objects = BTreeMap::new();
        for file in &next.files {
            let deposited = || self.deposited.as_ref()?.object(file);
            let object = staged.get(&file.path).cloned().or_else(deposited);
            let object = object.ok_or_else(|| PlanError::NoObject { path: file.path.clone() })?;
            objects.insert(file.path.clone(), object);
        }
        self.say(Stage::Publishing);
        self.may_go_on()?;
        let (number, digest) = (plan.base + 1, next.checksum.clone());
        let published = Published::new(number, &hex::encode(commit), next, objects, events)?;
        let is_new = match create(to, &published) {
            Ok(()) => true,
            // Another finisher was first.
            Err(PublishError::Conflict { .. }) if numbered(to, number)?.manifest.checksum == digest => false,
            Err(error) => return Err(PlanError::from(error).into()),
        };
        self.staging.remove();
        self.manifest = published.manifest;
        Ok(Publication { number, is_new, digest, copied, present })
    }
}
