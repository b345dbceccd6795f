//! `annals doctor`: the state of the log and its files, and the next step; recovery after a real loss.

#[cfg(feature = "dataset")]
mod dataset_files;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_replay::diagnosis::{Checkup, salvage_document};
use annals_report::Document;
use annals_store::{
    AcceptedLoss, Appended, ClockSetting, Log, MachineClock, Rebuilt, Restored, VerifyOptions, diagnose,
    rebuild_tree, restore_schema, salvage, verify,
};
use jiff::tz::TimeZone;
use serde_json::json;

use super::log::verify::next_step;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::hints::NEXT;
use crate::home::{Home, in_home};
use crate::log_file::{self, ActorArgs, open_existing, open_for_append};
use crate::output_file::OutputFile;
use crate::terminal::{counted, grouped};
use crate::values::shell_path;

/// Check the log and its files, and print the next step
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check the log and its files, and print the next step\n\n\
        Checks the files, the anchor, every event, the room on the disk, the clock and the time of a sync. It \
        lists damage with the command to run next, and changes nothing. Exit status 1 when something must be \
        done.\n\n\
        After a loss: --salvage writes every event that is provably intact. --accept-loss copies all files \
        aside, and records who accepted the loss and why; the log then continues. --rebuild-tree repairs the \
        stored Merkle tree, --restore-schema the triggers. --acknowledge writes a new line of the anchor.\n\n\
        With --dataset ADDRESS it reads every file of that dataset, and compares it with its digest.\n\n\
        The log rejects events while the clock is ten seconds behind the last event or 366 days ahead. \
        --confirm-clock records that the clock is right.",
    after_long_help = "Examples:\n  \
        annals doctor\n  \
        annals doctor --salvage intact.jsonl\n  \
        annals doctor --dataset s3://my-bucket/arimaa\n  \
        annals doctor --accept-loss \"restored from last night's copy\" --actor omar\n  \
        annals doctor --confirm-clock \"the machine was a year ahead\" --actor omar"
)]
pub struct Args {
    /// Accept the loss of acknowledged events, for this reason
    #[arg(long, value_name = "REASON")]
    accept_loss: Option<String>,

    /// File for every event that is provably intact, as JSON lines
    #[arg(long, value_name = "FILE", conflicts_with = "accept_loss")]
    salvage: Option<PathBuf>,

    /// Compute the Merkle tree again from the hashes of the events
    #[arg(long, conflicts_with_all = ["accept_loss", "salvage"])]
    rebuild_tree: bool,

    /// Restore the triggers, and remove tables and indexes that were added
    #[arg(long, conflicts_with_all = ["accept_loss", "salvage", "rebuild_tree"])]
    restore_schema: bool,

    /// Acknowledge the events after the last one in the anchor
    #[arg(long, conflicts_with_all = ["accept_loss", "salvage", "rebuild_tree", "restore_schema"])]
    acknowledge: bool,

    /// Confirm that the clock of the machine is right, for this reason
    #[arg(long, value_name = "REASON",
          conflicts_with_all = ["accept_loss", "salvage", "rebuild_tree", "restore_schema", "acknowledge"])]
    confirm_clock: Option<String>,

    /// Do not measure how long a sync takes
    #[arg(long)]
    no_probe: bool,

    #[command(flatten)]
    actor: ActorArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

impl Args {
    /// Whether it has more to do than to examine files.
    #[cfg(feature = "dataset")]
    fn works_on_the_log(&self) -> bool {
        let reasons = [&self.accept_loss, &self.confirm_clock].into_iter().any(Option::is_some);
        reasons || self.salvage.is_some() || self.rebuild_tree || self.restore_schema || self.acknowledge
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    #[cfg(feature = "dataset")]
    if let Some(dataset) = home.named_dataset()? {
        return dataset_files::run(&args, &dataset);
    }
    if let Some(reason) = &args.accept_loss {
        return accept_loss(home, &args, reason);
    }
    if let Some(file) = &args.salvage {
        return save(home, file, &args);
    }
    if let Some(reason) = &args.confirm_clock {
        return confirm_clock(home, &args, reason);
    }
    if args.rebuild_tree {
        return rebuild(home, &args.form);
    }
    if args.restore_schema {
        return restore(home, &args.form);
    }
    if args.acknowledge {
        return acknowledge(home, &args.form);
    }
    if log_file::is_absent(home) {
        return match home.has_own_dataset() {
            true => without_log(home, &args.form),
            false => Err(log_file::none_in(home)
                .reason("this home has neither a log nor a dataset, so there is nothing to check")
                .hint("`annals demo` makes a home with an example")
                .hint("`annals log init` creates an empty log")),
        };
    }
    let mut diagnosis = diagnose(&home.log(), &MachineClock, !args.no_probe);
    diagnosis.advice.iter_mut().for_each(|advice| advice.text = in_home(&advice.text));
    // A log that cannot be opened at all is in the diagnosis.
    let verification = verify(&home.log(), &VerifyOptions::default()).ok();
    let checkup = Checkup { diagnosis: &diagnosis, verification: verification.as_ref() };
    let next = verification.as_ref().map_or_else(|| Some(in_home(NEXT)), next_step);
    let next = next.as_deref();
    let (document, table) = (|| checkup.document(next), || checkup.table(next));
    args.form.write_with_table(&checkup, &TimeZone::UTC, document, table)?;
    Ok(ExitCode::from(u8::from(!checkup.is_well())))
}

/// A home with a dataset alone, which needs no log.
fn without_log(home: &Home, form: &DocumentArgs) -> Result<ExitCode, CliError> {
    let lines = [
        format!("{}: there is no log to check", home.log().display()),
        in_home(
            "this home has a dataset: `annals game list` lists its games, `annals log init` creates an empty log",
        ),
        format!(
            "`annals doctor --dataset {}` compares the files of the dataset with their digests",
            shell_path(&home.log().with_file_name("dataset"))
        ),
    ];
    let value = json!({ "path": home.log(), "log": null, "advice": [] });
    form.write_in(&value, &TimeZone::UTC, || Document::default().lines("", lines.to_vec()))?;
    Ok(ExitCode::SUCCESS)
}

fn accept_loss(home: &Home, args: &Args, reason: &str) -> Result<ExitCode, CliError> {
    let AcceptedLoss { seq, anchored, left, is_tree_rebuilt, copies } =
        Log::accept_verified_loss(&home.log(), &args.actor.name()?, reason)?;
    let value = json!({
        "seq": seq, "acknowledged": anchored, "left": left, "tree_rebuilt": is_tree_rebuilt, "copies": copies,
    });
    let anchored = match anchored {
        0 => "how many events had been acknowledged is not known".to_owned(),
        anchored => format!("{} had been acknowledged", counted(anchored, "event")),
    };
    let tree = if is_tree_rebuilt { "; the Merkle tree was made again" } else { "" };
    let what = format!(
        "event {seq} records the loss: {anchored}, {} are left{tree}; the log accepts events again",
        grouped(left)
    );
    done(&args.form, &value, what, &copies)
}

fn confirm_clock(home: &Home, args: &Args, reason: &str) -> Result<ExitCode, CliError> {
    let mut open = open_for_append(&home.log())?;
    let Appended { last_seq, recorded_at, head, .. } = open.log.confirm_clock(&args.actor.name()?, reason)?;
    let value = json!({ "seq": last_seq, "recorded_at": recorded_at, "receipt": head });
    let what = format!("event {last_seq} records that the clock is right; the log accepts events again");
    done(&args.form, &value, what, &[])
}

fn rebuild(home: &Home, form: &DocumentArgs) -> Result<ExitCode, CliError> {
    let Rebuilt { head, copies } = rebuild_tree(&home.log())?;
    let value = json!({ "head": head, "copies": copies });
    let what = format!("the Merkle tree over {} was made again\n{head}", counted(head.seq, "event"));
    done(form, &value, what, &copies)
}

fn restore(home: &Home, form: &DocumentArgs) -> Result<ExitCode, CliError> {
    let Restored { objects, copies } = restore_schema(&home.log())?;
    let value = json!({ "restored": objects, "copies": copies });
    done(form, &value, format!("restored what this program made: {}", objects.join("; ")), &copies)
}

fn acknowledge(home: &Home, form: &DocumentArgs) -> Result<ExitCode, CliError> {
    // Opening for appending verifies the log; the line of the anchor is read before it is written again.
    let before = log_file::open_at(&home.log()).ok().and_then(|log| log.acknowledged());
    let open = open_existing(home, ClockSetting::LastEvent)?;
    let head = open.log.acknowledged().or(before).map_or_else(|| open.log.head(), Ok)?;
    let value = json!({ "acknowledged_before": before.map(|head| head.seq), "receipt": head.to_string() });
    let what = match before.map(|before| head.seq.saturating_sub(before.seq)) {
        Some(0) => format!("the anchor acknowledges all events already\n{head}"),
        _ => format!("the anchor acknowledges {} now\n{head}", counted(head.seq, "event")),
    };
    done(form, &value, what, &[])
}

/// Prints what was done, and where the files are copied as they were before.
fn done(
    form: &DocumentArgs,
    value: &serde_json::Value,
    what: String,
    copies: &[PathBuf],
) -> Result<ExitCode, CliError> {
    let copies = copies.iter().map(|copy| format!("as it was before: {}", copy.display()));
    let lines = what.lines().map(str::to_owned).chain(copies).collect();
    form.write_in(value, &TimeZone::UTC, || Document::default().lines("", lines))?;
    Ok(ExitCode::SUCCESS)
}

fn save(home: &Home, file: &Path, args: &Args) -> Result<ExitCode, CliError> {
    let mut out = OutputFile::create(file, args.form.force().force)?;
    let saved = salvage(&home.log(), &mut out)?;
    out.finish()?;
    let import = format!("annals --home NEW log import {}", shell_path(file));
    args.form.write_in(&saved, &TimeZone::UTC, || salvage_document(&saved, file, &import))?;
    Ok(ExitCode::from(u8::from(!saved.is_complete())))
}
