//! `annals doctor`: how the log and its surroundings are, and what to do next; the way back after a real loss.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_report::{Cell, Document};
use annals_store::{
    Diagnosis, Finding, Log, MachineClock, Report, Salvaged, VerifyOptions, diagnose, rebuild_tree, salvage,
    verify,
};
use serde::Serialize;
use serde_json::json;

use super::log::verify::{NEXT, next_command};
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{ActorArgs, open_for_append};
use crate::output::{answer, write_json, write_text};
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::{counted, grouped};

/// Check the log and its files, and print the next step
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check the log and its files, and print the next step\n\n\
        Checks the files, the anchor, every event, the room on the disk, the clock and the time of a sync. It \
        lists damage with the command to run next, and changes nothing. Exit status 1 when something must be \
        done.\n\n\
        After a loss: --salvage writes every event that is provably intact. --accept-loss copies all files \
        aside, and records who accepted the loss and why; the log then continues. --rebuild-tree repairs the \
        stored Merkle tree.\n\n\
        The log rejects events while the clock is ten seconds behind the last event or 366 days ahead. \
        --confirm-clock records that the clock is right.",
    after_help = "Examples:\n  \
        annals doctor\n  \
        annals doctor --salvage intact.jsonl\n  \
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

    /// Confirm that the clock of the machine is right, for this reason
    #[arg(long, value_name = "REASON", conflicts_with_all = ["accept_loss", "salvage", "rebuild_tree"])]
    confirm_clock: Option<String>,

    #[command(flatten)]
    force: ForceArgs,

    /// Do not measure how long a sync takes
    #[arg(long)]
    no_probe: bool,

    #[command(flatten)]
    actor: ActorArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// At most this many findings are listed.
const DAMAGE_SHOWN: usize = 8;

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
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
        return rebuild(home, args.json);
    }
    let diagnosis = diagnose(&home.log(), &MachineClock, !args.no_probe);
    // A log that cannot be opened at all is in the diagnosis.
    let verification = verify(&home.log(), &VerifyOptions::default()).ok();
    let is_whole = verification.as_ref().is_none_or(Report::is_whole);
    answer(args.json, &Answer { diagnosis: &diagnosis, verification: verification.as_ref() }, || {
        document(&diagnosis, verification.as_ref())
    })?;
    Ok(ExitCode::from(u8::from(!diagnosis.is_well() || !is_whole)))
}

/// The diagnosis with the verification of all events; none for a log that cannot be opened.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    diagnosis: &'a Diagnosis,
    verification: Option<&'a Report>,
}

fn accept_loss(home: &Home, args: &Args, reason: &str) -> Result<ExitCode, CliError> {
    let accepted = Log::accept_verified_loss(&home.log(), &args.actor.name()?, reason)?;
    if args.json {
        write_json(&json!({
            "seq": accepted.seq, "acknowledged": accepted.anchored, "left": accepted.left, "copies": accepted.copies,
        }))?;
    } else {
        let mut text = format!(
            "event {} records the loss: {} had been acknowledged, {} are left; the log accepts events again\n",
            accepted.seq,
            counted(accepted.anchored, "event"),
            grouped(accepted.left)
        );
        for copy in &accepted.copies {
            text.push_str(&format!("as it was before: {}\n", copy.display()));
        }
        write_text(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn confirm_clock(home: &Home, args: &Args, reason: &str) -> Result<ExitCode, CliError> {
    let appended = open_for_append(&home.log())?.log.confirm_clock(&args.actor.name()?, reason)?;
    if args.json {
        write_json(
            &json!({ "seq": appended.last_seq, "recorded_at": appended.recorded_at, "receipt": appended.head }),
        )?;
    } else {
        write_text(&format!(
            "event {} records that the clock is right; the log accepts events again\n",
            appended.last_seq
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn rebuild(home: &Home, json: bool) -> Result<ExitCode, CliError> {
    let rebuilt = rebuild_tree(&home.log())?;
    if json {
        write_json(&json!({ "head": rebuilt.head, "copies": rebuilt.copies }))?;
    } else {
        let events = counted(rebuilt.head.seq, "event");
        let mut text = format!("the Merkle tree over {events} was made again\n{}\n", rebuilt.head);
        for copy in &rebuilt.copies {
            text.push_str(&format!("as it was before: {}\n", copy.display()));
        }
        write_text(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn save(home: &Home, file: &Path, args: &Args) -> Result<ExitCode, CliError> {
    let mut out = OutputFile::create(file, args.force.force)?;
    let saved = salvage(&home.log(), &mut out)?;
    out.finish()?;
    answer(args.json, &saved, || saved_document(&saved, file))?;
    Ok(ExitCode::from(u8::from(!saved.is_complete())))
}

fn document(diagnosis: &Diagnosis, verification: Option<&Report>) -> Document {
    let rows = [
        ("log", diagnosis.log.map(|id| id.to_string())),
        ("clock", diagnosis.clock.map(str::to_owned)),
        ("events", diagnosis.last.map(grouped)),
        ("acknowledged", diagnosis.acknowledged.map(grouped)),
        ("last recorded", diagnosis.last_recorded_at.map(annals_events::narrative::utc)),
        ("database", diagnosis.bytes.map(|bytes| format!("{} bytes", grouped(bytes)))),
        (
            "ahead of it",
            diagnosis.wal_bytes.map(|bytes| format!("{} bytes in the write-ahead log", grouped(bytes))),
        ),
        ("room", diagnosis.free_bytes.map(|bytes| format!("{} MiB", grouped(bytes >> 20)))),
        ("one sync", diagnosis.sync_micros.map(|micros| format!("{} µs", grouped(micros)))),
    ];
    let facts = rows.map(|(what, value)| (what, Cell::some(value))).to_vec();
    let advice =
        diagnosis.advice.iter().map(|advice| format!("{:<8}{}", advice.severity.word(), advice.text));
    let mut lines: Vec<String> = advice.collect();
    let damage: Vec<&Finding> = verification.map_or_else(Vec::new, |report| report.damage().collect());
    lines.extend(damage.iter().take(DAMAGE_SHOWN).map(|finding| format!("damage  {finding}")));
    if damage.len() > DAMAGE_SHOWN {
        let more = damage.len() - DAMAGE_SHOWN;
        lines.push(format!("damage  and {more} more; `annals log verify` lists all"));
    }
    let has_files = diagnosis.bytes.is_some() || diagnosis.wal_bytes.is_some();
    match verification {
        Some(report) if report.is_whole() => {
            lines.push(format!("{} verified", counted(report.last, "event")));
            lines.extend(diagnosis.is_well().then(|| "nothing needs to be done".to_owned()));
        }
        Some(report) => lines.push(format!("next: {}", next_command(report))),
        None if has_files => lines.push(format!("next: {NEXT}")),
        None => {}
    }
    Document::new(diagnosis.path.display().to_string()).facts(facts).lines("", lines)
}

fn saved_document(saved: &Salvaged, file: &Path) -> Document {
    let mut lines = vec![format!("{} written to {}", counted(saved.written, "intact event"), file.display())];
    if let Some(acknowledged) = saved.acknowledged {
        lines.push(format!("{} had been acknowledged", counted(acknowledged, "event")));
    }
    lines.extend(saved.missing.iter().map(|missing| match (missing.start(), missing.end()) {
        (first, last) if first == last => format!("missing: event {first}"),
        (first, last) => format!("missing: events {first} to {last}"),
    }));
    if !saved.unproven.is_empty() {
        lines.push(format!(
            "{} behind a missing one could not be proven and are not written",
            counted(saved.unproven.len() as u64, "event")
        ));
    }
    if !saved.mended.is_empty() {
        let seqs: Vec<String> = saved.mended.iter().map(u64::to_string).collect();
        lines.push(format!("a flipped bit was put right, by the hash, in {}", seqs.join(", ")));
    }
    if saved.mended_bits > 0 {
        lines.push(format!(
            "{} of the write-ahead log put right",
            counted(u64::from(saved.mended_bits), "flipped bit")
        ));
    }
    lines.push(match saved.is_complete() {
        true => "everything that had been acknowledged was saved".to_owned(),
        false => "not everything was saved: a backup may have the rest".to_owned(),
    });
    Document::default().lines("", lines)
}
