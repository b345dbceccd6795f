//! `annals publish`: the dataset of the home to an address.

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

use annals_analytics::output::{Format, Layout, write_answer};
use annals_analytics::{Schema, queries};
use annals_ingest::location::{EventsFile, Location, Objects, publish};

use super::publication::{Published, commit_id};
use crate::dataset_session::{EngineArgs, TableArgs};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output::answer;
use crate::progress::bar;

/// Publish the dataset where `--dataset ADDRESS` reads it
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Publish the dataset where `--dataset ADDRESS` reads it\n\n\
        The files are copied under names made of their content; those that are there with their size are kept. Then the next \
        numbered manifest is created, only if no other publication created it. Readers have the old dataset or the new \
        one. No whole file at the address is changed or deleted.\n\n\
        The address is s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, or a folder. Credentials are read from the environment \
        (AWS_ACCESS_KEY_ID and so on). `--dataset ADDRESS` reads a published dataset.",
    after_long_help = "Examples:\n  \
        annals publish s3://my-bucket/arimaa\n  \
        annals publish public/dataset --log\n  \
        annals --dataset s3://my-bucket/arimaa query 'SELECT count(*) FROM games'"
)]
pub struct Args {
    /// Address or folder
    #[arg(value_name = "ADDRESS")]
    address: String,

    /// Publish the events of the log too, as a Parquet file
    #[arg(long)]
    log: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let folder = home.own_dataset("publish")?;
    let to = match Location::parse(&args.address)? {
        Location::Folder(folder) => Objects::in_folder(&folder)?,
        Location::Address(_) => Objects::at(&args.address)?,
    };
    let scratch = tempfile::tempdir().cannot("cannot create a temporary folder")?;
    let events = args.log.then(|| events(home, &args.engine, scratch.path())).transpose()?;
    let shown =
        bar(0, "{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left", "publishing");
    let published = publish(&folder, &to, events.as_ref(), commit_id()?, |bytes, all| {
        shown.set_length(all);
        shown.inc(bytes);
    });
    shown.finish_and_clear();
    let value = Published::of(to.address(), published?);
    answer(args.json, &value, || value.document())?;
    Ok(ExitCode::SUCCESS)
}

/// The events of the log as rows of the table `events`.
fn events(home: &Home, engine: &EngineArgs, scratch: &Path) -> Result<EventsFile, CliError> {
    let log = log_file::open_whole(home)?;
    let head = log.acknowledged().map_or_else(|| log.head(), Ok)?;
    let session = engine.open_with(home, Schema::Public, &TableArgs::default())?;
    let sql = format!("SELECT * FROM events WHERE seq <= {} ORDER BY seq", head.seq);
    let path = scratch.join("events.parquet");
    let file = File::create(&path).cannot("cannot write a temporary file")?;
    let layout =
        Layout { format: Format::Parquet, header: true, max_rows: None, width: None, metadata: Vec::new() };
    let mut rows = 0;
    for question in queries(&sql)? {
        rows = write_answer(&mut session.ask(&question)?, &file, layout.clone())?.rows as u64;
    }
    Ok(EventsFile { path, rows, head: head.to_string() })
}
