//! `annals log verify`: checks that the log is what was acknowledged.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_replay::{Cut, GamesAudit, Verification, audit_games};
use annals_store::tlog::actor::actor_of;
use annals_store::tlog::note::{KeyKind, VerifierKey};
use annals_store::{Remedy, Report, VerifyOptions, verify};
use indicatif::ProgressBar;
use jiff::tz::TimeZone;

use super::prove::receipts;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::hints::NEXT;
use crate::home::{Home, in_home};
use crate::log_file;
use crate::output::write_unmarked;
use crate::progress;
use crate::terminal::stderr_is_terminal;
use crate::values::shell_path;

/// Verify the integrity of the log
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Verify the integrity of the log\n\n\
        Checks the hash chain over every field, the order of versions and times, and every payload. Checks the \
        Merkle tree, the anchor, the signatures of actors, and the tables and triggers. SQLite checks its file, and \
        every game is replayed.\n\n\
        Prints the first event that is not verified, and what is intact. Exit status 1 if there is damage. A \
        game that violates the rules is listed, and is no damage.",
    after_long_help = "Examples:\n  \
        annals log verify\n  \
        annals log verify --receipt @receipts.txt --backup /backups/annals.db\n  \
        annals log verify --receipt @checkpoint.txt\n  \
        annals log verify --actor-key \"$(cat omar.vkey)\"\n  \
        annals log verify /backups/annals.db        a sealed copy\n  \
        annals log verify --quick --receipt RECEIPT --receipt RECEIPT\n  \
        annals log verify --json | jq .first_bad"
)]
pub struct Args {
    /// Log file [default: the log of the home]
    file: Option<PathBuf>,

    /// Receipt or checkpoint: the line, or @FILE; may be repeated
    #[arg(long, value_name = "RECEIPT")]
    receipt: Vec<String>,

    /// Sealed copy to compare; may be repeated
    #[arg(long, value_name = "FILE")]
    backup: Vec<PathBuf>,

    /// Verifier key that an actor gave you; may be repeated
    #[arg(long, value_name = "KEY")]
    actor_key: Vec<String>,

    /// Check only hashes, tree, anchor and signatures
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    form: DocumentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let path = args.file.clone().unwrap_or_else(|| home.log());
    if path.is_dir() {
        let log = path.join("log.db");
        let error = CliError::new(format_args!("{}: it is a folder, and no log file", path.display()));
        return Err(if log.is_file() {
            error.hint(format_args!("annals log verify {}", shell_path(&log)))
        } else {
            error
        });
    }
    let (mut kept, mut checkpoints) = (Vec::new(), Vec::new());
    for argument in &args.receipt {
        let given = receipts(argument)?;
        kept.extend(given.receipts);
        checkpoints.extend(given.checkpoints);
    }
    let actor_keys = args.actor_key.iter().map(|key| actor_key(key)).collect::<Result<Vec<_>, _>>()?;
    let bar = bar(&path, "verifying");
    let progress = |events: u64| bar.set_position(events);
    let (receipts_given, newest) =
        (kept.len() + checkpoints.len(), kept.iter().copied().max_by_key(|kept| kept.seq));
    let options = VerifyOptions {
        integrity: !args.quick,
        payloads: !args.quick,
        receipts: kept,
        checkpoints,
        backups: args.backup.clone(),
        actor_keys,
        progress: Some(&progress),
        ..VerifyOptions::default()
    };
    let report = verify(&path, &options);
    bar.finish_and_clear();
    let report = report.map_err(|error| log_file::not_openable(error, args.file.is_none()))?;
    // Games are replayed only if all events can be read.
    let games = if args.quick || !report.is_whole() { None } else { Some(audit(&path)?) };
    let receipts = args.receipt.iter().map(|kept| kept.split(" hash=").next().unwrap_or(kept));
    let backups = args.backup.iter().map(|kept| format!("the backup {}", kept.display()));
    let next = Some(&report).filter(|_| args.file.is_none()).and_then(next_step);
    let verification = Verification {
        report: &report,
        games: games.as_ref(),
        compared: receipts.map(|kept| format!("the receipt {kept}")).chain(backups).collect(),
        receipts: receipts_given,
        is_quick: args.quick,
        next: next.as_deref(),
    };
    // Of an anchor that is older than a receipt, the receipt is the later head.
    let head = report.acknowledged.or(report.head).into_iter().chain(newest).max_by_key(|head| head.seq);
    let head = head.filter(|_| report.is_whole());
    let is_printed = args.form.is_printed();
    let document = || match head.filter(|_| !is_printed) {
        Some(head) => verification.document().drawing(head.to_string()),
        None => verification.document(),
    };
    args.form.write_with_table(&verification, &TimeZone::UTC, document, || verification.table())?;
    if let Some(head) = head.filter(|_| is_printed) {
        write_unmarked(&format!("{head}\n"))?;
    }
    Ok(ExitCode::from(u8::from(!report.is_whole())))
}

/// A key of an actor, which has the actor's name.
fn actor_key(text: &str) -> Result<VerifierKey, CliError> {
    let key: VerifierKey = text.parse()?;
    match (key.kind(), actor_of(key.name())) {
        (KeyKind::Log, Some(_)) => Ok(key),
        _ => Err(CliError::new(format_args!("{key} is not the key of an actor"))
            .reason("`annals log sign --make-key` prints the verifier key of an actor")),
    }
}

/// The next step on a log that is damaged, or that lacks a protection.
pub fn next_step(report: &Report) -> Option<String> {
    let step = match report.remedy()? {
        Remedy::Salvage => NEXT.to_owned(),
        Remedy::RestoreSchema => "annals doctor --restore-schema".to_owned(),
        Remedy::RebuildTree => "annals doctor --rebuild-tree".to_owned(),
        Remedy::AcceptLoss => "annals doctor --accept-loss REASON".to_owned(),
        Remedy::Acknowledge => "annals doctor --acknowledge".to_owned(),
        Remedy::Move { from, to } => format!("mv {} {}", shell_path(&from), shell_path(&to)),
        Remedy::NewBackup => {
            "`annals log backup FILE` makes a new backup; the log needs none to be restored".to_owned()
        }
        Remedy::OtherReceipt => {
            "compare with a receipt of this log; `annals log head` prints one of its present state".to_owned()
        }
        Remedy::Signed => {
            "restore a backup in which the signatures hold: `annals log verify FILE` checks one. Check first that a key \
             that was given is the one of the actor"
                .to_owned()
        }
        Remedy::Backup => {
            "check that the receipt is as it was printed; if it is, restore a backup that has these events"
                .to_owned()
        }
    };
    Some(in_home(&step))
}

fn audit(path: &Path) -> Result<GamesAudit, CliError> {
    let log = log_file::open_at(path)?;
    let bar = bar(path, "replaying");
    let progress = |events: u64| bar.set_position(events);
    let audited = audit_games(&log, &Cut::NOW, Some(&progress));
    bar.finish_and_clear();
    Ok(audited?)
}

/// A bar on a terminal, if the number of events can be read; else none.
fn bar(path: &Path, doing: &str) -> ProgressBar {
    let events = stderr_is_terminal()
        .then(|| log_file::open_at(path).ok())
        .flatten()
        .and_then(|log| log.last_seq().ok());
    let template = "{prefix} {wide_bar} {pos}/{len} events, {eta} left";
    events.map_or_else(ProgressBar::hidden, |events| progress::bar(events, template, doing))
}
