//! `annals ingest`: plays through archive files and stores every game, turn and position. A first Ctrl-C ends it
//! cleanly and keeps what is finished for the next time; the progress bar shows on a terminal only.

mod shards;

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[cfg(feature = "sql")]
use annals_analytics::explore::{explored, start};
use annals_ingest::run::{IngestError, Moment, Options, Progress, Stage, ingest, ingest_log};
use annals_ingest::summary::Summary;
use annals_ingest::write::WriteError;
use annals_replay::effective_events::imports_of;

use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt;
use crate::log_file;
use crate::logged_games::{games, source_of};
use crate::output::diagnostic;
use crate::progress::{self, Stages};
use crate::terminal::grouped;

/// Store every game, turn and position of archives as Parquet
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Store every game, turn and position of archives as Parquet\n\n\
        Reads gameroom archives, and games of the Amazons as SGF or move lists, packed or not (.txt .sgf .moves \
        .gz .tgz .tar .zip). Every row is accepted, accepted with a flag, or rejected with its reason; the \
        counts add up.\n\n\
        Files that are stored are not read again. An interrupted run leaves the old dataset, and the same \
        command resumes it.",
    after_long_help = "Examples:\n  \
        annals ingest allgames2002.txt allgames202602.tgz\n  \
        annals ingest archive/                     all archive files in a directory\n  \
        annals ingest 'archive/allgames20*.txt' --strict\n  \
        annals ingest allgames202602.txt --json | jq .counts\n  \
        annals ingest --log                        the games of the home's log\n  \
        annals ingest archive/ --address s3://bucket/arimaa --plan plan.json\n  \
        annals ingest --plan plan.json --shard 2/4\n  \
        annals ingest --finish plan.json"
)]
pub struct Args {
    /// Archive files, directories and patterns
    #[arg(required_unless_present_any = ["log", "shard", "finish"], value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// Store the games of the home's log, replacing those stored before
    #[arg(long, conflicts_with = "inputs")]
    log: bool,

    #[command(flatten)]
    shards: shards::ShardArgs,

    /// Exit with status 1 if a row was flagged or rejected
    #[arg(long)]
    strict: bool,

    /// Count the first steps and distinct turns of every position (slow)
    #[arg(long)]
    counts: bool,

    /// Threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let mut options = Options::new(home.own_dataset("ingest")?, args.inputs);
    options.counts = args.counts;
    options.cancel = stop_on_interrupt()?;
    if let Some(threads) = args.threads {
        options.threads = usize::from(threads);
    }
    if args.shards.are_asked_for() {
        return shards::run(args.shards, options, home, args.strict, args.json);
    }
    let summary =
        if args.log { ingest_log_with_progress(&options, home)? } else { ingest_with_progress(&options)? };
    if args.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &summary).map_err(|e| CliError::from(io::Error::from(e)))?;
        writeln!(out)?;
    } else {
        summary.write(&mut io::stdout().lock(), &imports(home, &summary))?;
    }
    if summary.has_no_game() {
        return Err(no_game(&summary, args.log));
    }
    #[cfg(feature = "sql")]
    keep_the_start(home, &summary)?;
    let failed = args.strict && !summary.is_clean();
    Ok(ExitCode::from(u8::from(failed)))
}

/// Of fewer games the explorer reads all within the time of a page.
#[cfg(feature = "sql")]
const MANY_GAMES: u64 = 1_000;

/// Keeps what was played from the start of a game on this machine, because the explorer reads all games for it.
#[cfg(feature = "sql")]
fn keep_the_start(home: &Home, summary: &Summary) -> Result<(), CliError> {
    let games = summary.dataset.rows.get("games").copied().unwrap_or(0);
    if games >= MANY_GAMES {
        let session = crate::dataset_session::open_default(home)?;
        explored(&session, &start())?;
    }
    Ok(())
}

/// The finding that the named inputs have no game.
fn no_game(summary: &Summary, of_log: bool) -> CliError {
    let state = match summary.dataset.sources {
        0 => "no dataset was made",
        _ => "the dataset is as it was before",
    };
    let (what, hint) = match of_log {
        true => ("the log holds no game", "`annals log import FILE` appends games to the log"),
        false => (
            "no game was found in what was named",
            "`annals ingest --help` lists the files that are read; the reasons above name each that was not",
        ),
    };
    CliError::new(format!("{what}; {state}")).hint(hint).finding()
}

/// Ingests with a progress bar on a terminal.
pub fn ingest_with_progress(options: &Options) -> Result<Summary, CliError> {
    watched(|progress| ingest(options, progress))
}

/// Stores the games of the home's log.
fn ingest_log_with_progress(options: &Options, home: &Home) -> Result<Summary, CliError> {
    let log = log_file::open_whole(home)?;
    diagnostic(format_args!("note: {}", log_file::verified(&log)?));
    let (source, head) = source_of(&log)?;
    let games = games(&log, head)?;
    watched(|progress| ingest_log(options, &source, games, progress))
}

fn explain(error: IngestError) -> CliError {
    let hint = match &error {
        IngestError::Discover(_) => "run `annals ingest --help` for examples",
        IngestError::Write(WriteError::Io { .. }) => {
            "check the permissions of the data directory, or choose another with --home"
        }
        IngestError::Cancelled { .. } => "run the same command again to resume",
        _ => return CliError::from_error(&error),
    };
    CliError::from_error(&error).hint(hint)
}

/// Bytes, rate, time left, games so far, and turns per second of reading.
struct Bar {
    stages: Stages<Stage>,
    began: Cell<Option<Instant>>,
}

impl Progress for Bar {
    fn at(&self, moment: Moment) {
        let (template, what) = match moment.stage {
            Stage::Looking => {
                ("{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left", "looking")
            }
            Stage::Reading => (
                "{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left, {msg}",
                "playing",
            ),
            Stage::Indexing => ("{prefix} {spinner}", "indexing"),
            Stage::Copying => {
                ("{prefix} {wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta} left", "copying")
            }
            Stage::Publishing => ("{prefix} {spinner}", "publishing"),
        };
        let fresh = || progress::bar(moment.total, template, what);
        if moment.stage == Stage::Reading && self.began.get().is_none() {
            self.began.set(Some(Instant::now()));
        }
        let seconds = self.began.get().map_or(0.0, |began| began.elapsed().as_secs_f64());
        let rate = if seconds > 0.0 { (moment.turns as f64 / seconds) as u64 } else { 0 };
        let message = format!("{} games, {} turns/s", grouped(moment.games), grouped(rate));
        self.stages.at(moment.stage, fresh, moment.bytes, message);
    }
}

/// Works with a progress bar on a terminal.
fn watched<T>(work: impl FnOnce(&dyn Progress) -> Result<T, IngestError>) -> Result<T, CliError> {
    match Stages::watched().map(|stages| Bar { stages, began: Cell::new(None) }) {
        Some(bar) => work(&bar),
        None => work(&()),
    }
    .map_err(explain)
}

/// The events by which the log imported the files whose games it has. Empty if the dataset has another log's games.
fn imports(home: &Home, summary: &Summary) -> Vec<(String, u64)> {
    let also = summary.sources.iter().filter(|source| source.counts.also_in_log > 0);
    let names: Vec<&str> = also.map(|source| source.name.split('!').next().unwrap_or_default()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    log_file::open_at(&home.log()).and_then(|log| Ok(imports_of(&log, &names)?)).unwrap_or_default()
}
