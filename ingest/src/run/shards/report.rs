//! What a shard wrote: the last object that it creates.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};

use super::plan::{PlanError, Shard, ShardPlan};
use crate::location::{ObjectEntry, Objects, PublishError};
use crate::manifest::FileEntry;
use crate::write::FinishedInput;

/// `format` of a report.
const REPORT: &str = "annals-ingest-shard";

/// Requests at the same time.
const ASKED_AT_ONCE: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// [`REPORT`].
    format: String,
    /// The checksum of the plan.
    plan: String,
    pub shard: Shard,
    /// The files that were read, in the order of the plan, with their tables.
    pub inputs: Vec<FinishedInput>,
    /// Indexes of the shard's games, by year.
    pub indexes: Vec<FileEntry>,
    /// The objects of all files, by path.
    pub objects: BTreeMap<String, ObjectEntry>,
}

impl Report {
    pub fn new(
        plan: &ShardPlan,
        shard: Shard,
        inputs: Vec<FinishedInput>,
        indexes: Vec<FileEntry>,
        objects: BTreeMap<String, ObjectEntry>,
    ) -> Report {
        Report { format: REPORT.to_owned(), plan: plan.checksum.clone(), shard, inputs, indexes, objects }
    }

    /// Reads the report of a shard; none if the shard is not complete.
    pub fn read(from: &Objects, plan: &ShardPlan, shard: Shard) -> Result<Option<Report>, PlanError> {
        let name = name(plan, shard);
        let read = from.run(async {
            match from.size(&name).await? {
                Some(_) => from.read(&name).await.map(Some),
                None => Ok(None),
            }
        });
        let Some(text) = read.map_err(PublishError::from)? else { return Ok(None) };
        let damaged = |why: String| PlanError::Report { report: from.named(&name), why };
        let report: Report = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if report.format != REPORT || report.plan != plan.checksum || report.shard != shard {
            return Err(damaged("it is of another plan or shard".to_owned()));
        }
        let files = report.inputs.iter().flat_map(|input| &input.sources).flat_map(|source| &source.files);
        match files.chain(&report.indexes).find(|file| !report.objects.contains_key(&file.path)) {
            Some(file) => Err(damaged(format!("it names no object of the file `{}`", file.path))),
            None => Ok(Some(report)),
        }
    }

    /// Creates the report; one that is there already must be the same.
    pub fn create(&self, at: &Objects, plan: &ShardPlan) -> Result<(), PlanError> {
        let name = name(plan, self.shard);
        let text = serde_json::to_vec(self).map_err(PublishError::from)?;
        if at.run(async { at.create(&name, text).await }).map_err(PublishError::from)? {
            return Ok(());
        }
        match Report::read(at, plan, self.shard)? {
            Some(found) if found == *self => Ok(()),
            _ => Err(PlanError::OtherReport { shard: self.shard, report: at.named(&name) }),
        }
    }

    /// The reports of all shards: of the smallest number of shards that is complete.
    pub fn all(from: &Objects, plan: &ShardPlan) -> Result<Vec<Report>, PlanError> {
        let mut incomplete = None;
        for of in Report::begun(from, plan)? {
            let mut reports = Vec::new();
            for number in 1..=of {
                let shard = Shard { number, of };
                match Report::read(from, plan, shard)? {
                    Some(report) => reports.push(report),
                    None => {
                        let report = from.named(&self::name(plan, shard));
                        incomplete.get_or_insert(PlanError::Missing { shard, report });
                        break;
                    }
                }
            }
            if reports.len() == of as usize {
                return Ok(reports);
            }
        }
        Err(incomplete.unwrap_or(PlanError::NoShard))
    }

    /// The numbers of shards of which the first is complete.
    fn begun(from: &Objects, plan: &ShardPlan) -> Result<Vec<u32>, PlanError> {
        let first = |of| async move {
            let size = from.size(&name(plan, Shard { number: 1, of })).await?;
            Ok(size.map(|_| of))
        };
        let begun = from.run(async {
            let asked = futures::stream::iter((1..=Shard::MOST).map(first)).buffered(ASKED_AT_ONCE);
            asked.try_filter_map(|of| async move { Ok(of) }).try_collect().await
        });
        begun.map_err(|error| PublishError::from(error).into())
    }
}

fn name(plan: &ShardPlan, Shard { number, of }: Shard) -> String {
    format!("{}/{number}-of-{of}.json", plan.folder())
}
