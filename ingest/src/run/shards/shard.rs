//! One shard: reads its files as an ingest does, into a folder of this machine, then copies the tables to the address.
//! Its report goes last.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use super::plan::{PlanError, PlannedInput, Shard, ShardPlan};
use super::report::Report;
use crate::location::{
    Copied, Deposited, ObjectEntry, Objects, Published, PublishedEvents, Upload, copy, numbered,
};
use crate::manifest::{FileEntry, Manifest};
use crate::run::error::IngestError;
use crate::run::publish::{index_name, of_table};
use crate::run::{Moment, Options, Progress, Run, Stage};
use crate::summary::Summary;
use crate::tables::{LookupRows, Rows, TurnRows};
use crate::write::{FinishedInput, Journal, Lock, Staging};

#[derive(Debug, Clone, PartialEq)]
pub enum ShardDone {
    /// Its report was at the address.
    Before,
    Now {
        /// Without the dataset.
        summary: Box<Summary>,
        copied: Copied,
        /// At the address before.
        present: Copied,
    },
}

/// Runs a shard. `options.dataset` is a folder for its work, which an interrupted shard leaves and the same shard
/// resumes; `options.inputs` and `options.counts` are those of the plan.
///
/// # Errors
/// As [`ingest`](crate::run::ingest), and if a file or the dataset at the address has changed since the plan was made.
pub fn run_shard(
    plan: &ShardPlan,
    shard: Shard,
    options: &Options,
    progress: &dyn Progress,
) -> Result<ShardDone, IngestError> {
    let begun = Instant::now();
    let to = plan.objects()?;
    if Report::read(&to, plan, shard)?.is_some() {
        return Ok(ShardDone::Before);
    }
    let options = &Options { counts: plan.counts, ..options.clone() };
    let lock = Lock::acquire(&options.dataset)?;
    let (Base { manifest, .. }, deposited) = base(plan, &to)?;
    let staging = Staging::open(&options.dataset)?;
    let mut run = Run { deposited: Some(deposited), ..Run::new(options, progress, manifest, staging) };
    let inputs = plan.inputs_of(shard);
    let result = run.shard(plan, shard, inputs, &to);
    if matches!(result, Err(IngestError::Cancelled { .. })) {
        return result.map(|_| ShardDone::Before);
    }
    run.staging.remove();
    let (copied, present) = result?;
    drop(lock);
    // A folder that cannot be removed has nothing that is used.
    let _ = std::fs::remove_dir_all(&options.dataset);
    run.summary.seconds = begun.elapsed().as_secs_f64();
    Ok(ShardDone::Now { summary: Box::new(run.summary), copied, present })
}

/// The dataset to which the games are added.
#[derive(Default)]
pub(super) struct Base {
    pub manifest: Manifest,
    pub events: Option<PublishedEvents>,
}

/// The dataset to which the games of a plan are added, and its files.
pub(super) fn base(plan: &ShardPlan, at: &Arc<Objects>) -> Result<(Base, Deposited), IngestError> {
    let mut deposited = Deposited::new(Arc::clone(at));
    if plan.base == 0 {
        return Ok((Base::default(), deposited));
    }
    let Published { manifest, objects, events, .. } = numbered(at, plan.base)?;
    deposited.add(objects.into_values());
    Ok((Base { manifest, events }, deposited))
}

impl Run<'_> {
    fn shard(
        &mut self,
        plan: &ShardPlan,
        shard: Shard,
        inputs: &[PlannedInput],
        to: &Objects,
    ) -> Result<(Copied, Copied), IngestError> {
        let files = inputs.iter().map(PlannedInput::file).collect();
        let journal = self.sources(files, &format!(" {} {shard}", plan.checksum))?;
        unchanged(inputs, &journal.inputs)?;
        let result = self.write_shard(plan, shard, &journal, to);
        if let Err(IngestError::Cancelled { .. }) = result {
            self.staging.save_journal(&journal)?;
        }
        result
    }

    fn write_shard(
        &mut self,
        plan: &ShardPlan,
        shard: Shard,
        journal: &Journal,
        to: &Objects,
    ) -> Result<(Copied, Copied), IngestError> {
        journal.sources().for_each(|source| self.summary.add(source));
        self.say(Stage::Indexing);
        let files: Vec<FileEntry> = journal.files().cloned().collect();
        let mut years: Vec<i16> =
            of_table(&files, TurnRows::SPEC.name).filter_map(|file| file.year).collect();
        years.sort_unstable();
        years.dedup();
        let mut indexes = Vec::new();
        for year in years {
            if let Some(file) = self.year_index(year, &files)? {
                let path = index_name(year, &file);
                indexes.push(self.staging.keep(file, LookupRows::SPEC.name, path, Some(year), None)?);
            }
            self.say(Stage::Indexing);
            self.may_go_on()?;
        }
        let (objects, done) = self.upload(files.iter().chain(&indexes), to)?;
        Report::new(plan, shard, journal.inputs.clone(), indexes, objects).create(to, plan)?;
        Ok(done)
    }

    /// Copies staged files to an address; returns their objects.
    #[allow(clippy::type_complexity)]
    pub(super) fn upload<'f>(
        &self,
        files: impl Iterator<Item = &'f FileEntry>,
        to: &Objects,
    ) -> Result<(BTreeMap<String, ObjectEntry>, (Copied, Copied)), IngestError> {
        self.may_go_on()?;
        let (mut objects, mut uploads) = (BTreeMap::new(), Vec::new());
        for file in files {
            let Some(path) = self.staging.staged(file) else { continue };
            let upload = Upload::listed(path, file).map_err(PlanError::from)?;
            objects.insert(file.path.clone(), upload.entry.clone());
            uploads.push(upload);
        }
        let (games, turns) = (self.summary.counts.accepted + self.summary.counts.flagged, self.summary.turns);
        let copied = std::cell::Cell::new(0);
        let at = |bytes, total| {
            copied.set(copied.get() + bytes);
            self.progress.at(Moment { stage: Stage::Copying, bytes: copied.get(), total, games, turns });
        };
        Ok((objects, copy(to, &uploads, &at).map_err(PlanError::from)?))
    }
}

/// # Errors
/// If a file that was read has another content than the plan states.
pub(super) fn unchanged(inputs: &[PlannedInput], read: &[FinishedInput]) -> Result<(), IngestError> {
    let planned: HashSet<(&str, &str)> =
        inputs.iter().map(|input| (input.name.as_str(), input.digest.as_str())).collect();
    let mut entries = read.iter().map(|input| &input.entry);
    match entries.find(|entry| !planned.contains(&(entry.name.as_str(), entry.digest.as_str()))) {
        Some(entry) => Err(PlanError::Changed { name: entry.name.clone() }.into()),
        None => Ok(()),
    }
}
