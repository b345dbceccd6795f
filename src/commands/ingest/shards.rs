//! `annals ingest --plan`, `--shard` and `--finish`: an ingest on several machines.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::run::shards::{Finished, Shard, ShardDone, ShardPlan, finish, run_shard};
use annals_ingest::run::{IngestError, Moment, Options, Stage};
use annals_ingest::summary::Summary;
use annals_report::{Cell, Document, counted, grouped};
use serde::Serialize;

use super::watched;
use crate::commands::publication::{Published, amount, commit_id};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::output::answer;
use crate::output_file;
use crate::values::shell_path;

#[derive(Debug, Clone, clap::Args)]
pub struct ShardArgs {
    /// Plan of an ingest on several machines: --shard reads it, FILE writes it
    #[arg(long, value_name = "PLAN", conflicts_with = "log")]
    plan: Option<PathBuf>,

    /// Address or folder at which the dataset will be
    #[arg(long, value_name = "ADDRESS", requires = "plan", conflicts_with = "shard")]
    address: Option<String>,

    /// Shard to run, such as 2/4
    #[arg(long, value_name = "K/N", requires = "plan", conflicts_with_all = ["inputs", "counts"])]
    shard: Option<Shard>,

    /// Plan whose shards are complete: merge and publish them
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["inputs", "plan", "log", "counts"])]
    finish: Option<PathBuf>,
}

impl ShardArgs {
    pub fn are_asked_for(&self) -> bool {
        self.plan.is_some() || self.finish.is_some()
    }
}

pub fn run(
    args: ShardArgs,
    options: Options,
    home: &Home,
    strict: bool,
    json: bool,
) -> Result<ExitCode, CliError> {
    let ShardArgs { plan, address, shard, finish } = args;
    match (plan, shard, finish) {
        (Some(plan), Some(shard), _) => run_one(&plan, shard, options, home, strict, json),
        (_, _, Some(plan)) => finish_all(&plan, options, strict, json),
        (Some(plan), None, None) => {
            let address = address.ok_or_else(|| {
                CliError::new("a plan needs an address")
                    .reason("the shards write their tables there")
                    .hint("add `--address s3://BUCKET/PREFIX`, or a folder that all machines have")
            })?;
            make_plan(&plan, &address, &options, json)
        }
        (None, _, None) => Ok(ExitCode::SUCCESS),
    }
}

#[derive(Serialize)]
struct Planned<'a> {
    plan: &'a Path,
    address: &'a str,
    files: usize,
    bytes: u64,
    /// The manifest of the dataset to which the games will be added; 0 without one.
    base: u64,
}

fn make_plan(path: &Path, address: &str, options: &Options, json: bool) -> Result<ExitCode, CliError> {
    output_file::check(path, false)?;
    let plan = watched(|progress| {
        let mut tick = |bytes, total| {
            progress.at(Moment { stage: Stage::Looking, bytes, total, games: 0, turns: 0 });
            match options.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                true => Err(IngestError::Cancelled { finished: 0 }),
                false => Ok(()),
            }
        };
        ShardPlan::make(&options.inputs, address, options.counts, &mut tick)
    })?;
    output_file::write(path, false, plan.text().cannot("cannot write the plan as JSON")?.as_bytes())?;
    let bytes = plan.inputs.iter().map(|input| input.bytes).sum();
    let value =
        Planned { plan: path, address: &plan.address, files: plan.inputs.len(), bytes, base: plan.base };
    answer(json, &value, || {
        let base = match plan.base {
            0 => "none".to_owned(),
            number => format!("manifest-{number}.json"),
        };
        Document::new(format!("Plan {}", path.display())).facts(vec![
            ("Address", Cell::text(value.address.to_owned())),
            ("Dataset there", Cell::text(base)),
            (
                "Files",
                Cell::text(format!("{}, {} bytes", counted(value.files as u64, "file"), grouped(bytes))),
            ),
            ("Run next", Cell::text(format!("annals ingest --plan {} --shard 1/N, to N/N", path.display()))),
        ])
    })?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct ShardWritten<'a> {
    shard: String,
    address: &'a str,
    /// False if the shard was complete before.
    is_new: bool,
    #[serde(flatten)]
    summary: Option<&'a Summary>,
}

fn run_one(
    path: &Path,
    shard: Shard,
    options: Options,
    home: &Home,
    strict: bool,
    json: bool,
) -> Result<ExitCode, CliError> {
    let plan = read(path)?;
    let name = format!("{}-{}-of-{}", plan.checksum.get(..16).unwrap_or_default(), shard.number, shard.of);
    let options = Options { dataset: home.shard(&name), ..options };
    let done = watched(|progress| run_shard(&plan, shard, &options, progress));
    let done = done.map_err(|error| error.naming("PLAN", shell_path(path)))?;
    let (summary, copied) = match &done {
        ShardDone::Before => (None, None),
        ShardDone::Now { summary, copied, present } => (Some(&**summary), Some((*copied, *present))),
    };
    let value =
        ShardWritten { shard: shard.to_string(), address: &plan.address, is_new: summary.is_some(), summary };
    answer(json, &value, || {
        let mut facts = vec![("Address", Cell::text(plan.address.clone()))];
        match (summary, copied) {
            (Some(summary), Some((copied, present))) => {
                facts.extend(of_summary(summary));
                facts.push(("Copied", Cell::text(amount(copied))));
                facts.push(("Already there", Cell::text(amount(present))));
            }
            _ => facts.push(("State", Cell::text("complete before; nothing was changed"))),
        }
        facts.push(("After all", Cell::text(format!("annals ingest --finish {}", path.display()))));
        Document::new(format!("Shard {shard} of {}", path.display())).facts(facts)
    })?;
    Ok(status(summary, strict))
}

#[derive(Serialize)]
struct FinishedJson<'a> {
    #[serde(flatten)]
    published: &'a Published,
    shards: u32,
    /// Files with games that other shards have too.
    read_again: &'a [String],
    summary: &'a Summary,
}

fn finish_all(path: &Path, options: Options, strict: bool, json: bool) -> Result<ExitCode, CliError> {
    let plan = read(path)?;
    let scratch = tempfile::tempdir().cannot("cannot create a temporary folder")?;
    let options = Options { dataset: scratch.path().to_owned(), ..options };
    let commit = commit_id()?;
    let finished = watched(|progress| finish(&plan, &options, commit, progress));
    let finished = finished.map_err(|error| error.naming("PLAN", shell_path(path)))?;
    let Finished { publication, summary, shards, read_again } = finished;
    let published = Published::of(&plan.address, publication);
    let value = FinishedJson { published: &published, shards, read_again: &read_again, summary: &summary };
    answer(json, &value, || {
        let mut facts = Vec::new();
        if shards > 0 {
            facts.push(("Shards", Cell::text(shards.to_string())));
            facts.extend(of_summary(&summary));
            let again = match read_again.len() as u64 {
                0 => "none".to_owned(),
                files => format!("{}, with games of several shards", counted(files, "file")),
            };
            facts.push(("Read again", Cell::text(again)));
        }
        published.document().facts(facts)
    })?;
    Ok(status((shards > 0).then_some(&summary), strict))
}

fn of_summary(summary: &Summary) -> Vec<(&'static str, Cell)> {
    let counts = summary.counts;
    vec![
        ("Rows", Cell::text(grouped(counts.rows))),
        ("Games", Cell::text(grouped(counts.accepted + counts.flagged))),
        ("Flagged", Cell::text(grouped(counts.flagged))),
        ("Rejected", Cell::text(grouped(counts.rejected))),
        ("Turns", Cell::text(grouped(summary.turns))),
        ("Time", Cell::text(format!("{:.2} s", summary.seconds))),
    ]
}

fn status(summary: Option<&Summary>, strict: bool) -> ExitCode {
    ExitCode::from(u8::from(strict && summary.is_some_and(|summary| !summary.is_clean())))
}

fn read(path: &Path) -> Result<ShardPlan, CliError> {
    const MAKE: &str = "`annals ingest FILE... --address ADDRESS --plan PLAN` makes a plan";
    let text = std::fs::read_to_string(path).cannot(format!("cannot read {}", path.display())).hint(MAKE)?;
    ShardPlan::parse(&text).hint(MAKE)
}
