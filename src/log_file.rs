//! The log of a home, opened for reading or for appending; and who appends.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub use annals_store::ForAppend;

use annals_events::log::ClockKind;
use annals_events::{Micros, StreamName};
use annals_replay::subject::find_stream;
use annals_replay::verification::clock;
use annals_store::{
    ClockSetting, Head, Log, LogFiles, OpenError, VerifiedError, VerifyOptions, anchor_path, damage_of,
    wal_path,
};

use crate::errors::{CliError, DOCTOR, UNCHANGED};
use crate::hints::{NEXT, VERIFY};
use crate::home::Home;
use crate::output::{damage, diagnostic, mark_damaged};
use crate::provenance;

/// Whether this process opened a log for appending, and so may have changed it.
static APPENDS: AtomicBool = AtomicBool::new(false);

// Who appends.
#[derive(Debug, clap::Args)]
pub struct ActorArgs {
    /// Actor of the events [default: the user's name]
    #[arg(long, env = "ANNALS_ACTOR", value_name = "NAME")]
    actor: Option<String>,
}

impl ActorArgs {
    /// The arguments that name this actor.
    pub fn of(actor: &str) -> ActorArgs {
        ActorArgs { actor: Some(actor.to_owned()) }
    }

    /// The name that the log records.
    pub fn name(&self) -> Result<String, CliError> {
        self.named().ok_or_else(|| {
            CliError::new("the log records an actor for each append, and none is named")
                .hint("add `--actor NAME`, or set ANNALS_ACTOR")
        })
    }

    /// The name that the log records, or if none is named, that of the command.
    pub fn name_or(&self, command: &str) -> String {
        self.named().unwrap_or_else(|| command.to_owned())
    }

    fn named(&self) -> Option<String> {
        let environment =
            || ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        let is_name = |name: &String| !name.is_empty();
        self.actor.clone().or_else(environment).filter(is_name).or_else(account).filter(is_name)
    }
}

/// The name of the account under which the program runs.
#[cfg(unix)]
fn account() -> Option<String> {
    Some(nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??.name)
}

#[cfg(not(unix))]
fn account() -> Option<String> {
    None
}

/// Opens the log for reading, once all of it was verified. A damaged log is refused (exit status 1); with `--allow-damage` it is
/// opened, and all output is marked.
pub fn open(home: &Home) -> Result<Log, CliError> {
    let path = home.log();
    if !home.allows_damage() {
        return open_whole(home).map_err(|error| match error.status() {
            1 if Log::inspect(&path).is_ok() => {
                error.hint("`--allow-damage` shows what can be read, with exit status 1")
            }
            _ => error,
        });
    }
    match damage_of(&path, &VerifyOptions::default()).map_err(|error| not_openable(error, true))? {
        None => noted(open_at(&path)?),
        Some(damage) => {
            mark_damaged(&damage);
            noted(Log::inspect(&path)?)
        }
    }
}

/// Opens the log for reading, once all of it was verified, for evidence or data: a damaged log is always refused.
pub fn open_whole(home: &Home) -> Result<Log, CliError> {
    let path = home.log();
    let log = Log::open_verified(&path).map_err(|error| match (error, path.exists()) {
        (VerifiedError::Open(error), true) if Log::inspect(&path).is_err() => not_openable(error, true),
        (error @ VerifiedError::Open(OpenError::LogGone { .. }), _) | (error, true) => CliError::from(error),
        _ => none_to_read(home),
    })?;
    noted(log)
}

/// The error for a log that cannot be opened, such as a truncated one, so that no command lists its events.
pub fn not_openable(error: OpenError, is_of_home: bool) -> CliError {
    let can_be_saved = error.is_damage() && !matches!(error, OpenError::LogGone { .. });
    let error = CliError::from(error).without_hint(VERIFY);
    if can_be_saved && is_of_home {
        error.hint(format!("`{NEXT}` writes every event that is still intact"))
    } else {
        error
    }
}

/// Whether the home has no file of a log.
pub fn is_absent(home: &Home) -> bool {
    let log = home.log();
    [log.clone(), anchor_path(&log), wal_path(&log)].iter().all(|file| !file.exists())
}

/// The home has no log, and nothing states that it had one.
pub fn none_in(home: &Home) -> CliError {
    CliError::new(format_args!("{}: there is no log", home.log().display()))
}

/// As [`none_in`], with what the home has, or what makes a log.
fn none_to_read(home: &Home) -> CliError {
    let error = none_in(home);
    match home.has_own_dataset() {
        true => error
            .reason("this home has a dataset, whose games are named by their numbers")
            .hint("`annals game list` lists the games of the dataset")
            .hint("`annals log init` creates an empty log"),
        false => error.hint("`annals log init` creates an empty log"),
    }
}

/// A log whose content may be written into a file.
fn noted(log: Log) -> Result<Log, CliError> {
    provenance::reads_log(&log);
    Ok(log)
}

/// What was verified, to be printed with what is published.
pub fn verified(log: &Log) -> Result<String, CliError> {
    verified_as(log, |head| format!("verified against head {head}"))
}

/// As [`verified`], for a line of a terminal.
pub fn verified_in_short(log: &Log) -> Result<String, CliError> {
    verified_as(log, |head| {
        format!("verified up to event {}; `annals log head` prints the receipt", head.seq)
    })
}

fn verified_as(log: &Log, words: impl FnOnce(&Head) -> String) -> Result<String, CliError> {
    if let Some(damage) = damage() {
        return Ok(format!("DAMAGED LOG: {damage}"));
    }
    let head = log.acknowledged().map_or_else(|| log.head(), Ok)?;
    let later = match log.last_seq()?.saturating_sub(head.seq) {
        0 => String::new(),
        1 => "; 1 event after it, not yet acknowledged by its writer, is included".to_owned(),
        later => format!("; {later} events after it, not yet acknowledged by their writer, are included"),
    };
    Ok(words(&head) + &later)
}

/// Opens a log at any place for reading.
pub fn open_at(path: &Path) -> Result<Log, CliError> {
    Ok(Log::open(path)?)
}

/// Opens the log for appending. The clock of a simulated log shows the time of the last event.
pub fn open_for_append(path: &Path) -> Result<ForAppend, CliError> {
    APPENDS.store(true, Ordering::Relaxed);
    Ok(Log::open_verified_for_append(path, ClockSetting::LastEvent)?)
}

/// Opens the log of a home for appending. A command that does not begin a record creates no log: the home may be a wrong one.
pub fn open_existing(home: &Home, clock: impl Into<ClockSetting>) -> Result<ForAppend, CliError> {
    let path = home.log();
    if !path.exists() {
        if let Err(gone @ OpenError::LogGone { .. }) = Log::open(&path) {
            return Err(gone.into());
        }
        let mut error = CliError::new(format_args!("{}: there is no log", path.display())).state(UNCHANGED);
        let anchor = anchor_path(&path);
        if anchor.exists() {
            error = error.reason(format_args!("{} is the anchor of one", anchor.display()));
        }
        return Err(error.hint("`annals log init` creates an empty one; or name another home with `--home`"));
    }
    APPENDS.store(true, Ordering::Relaxed);
    Ok(Log::open_verified_for_append(&path, clock.into())?)
}

/// The log that this process created.
static CREATED: OnceLock<PathBuf> = OnceLock::new();

/// Removes the log that a failed command created, if nothing was recorded in it.
pub fn remove_empty() {
    let Some(path) = CREATED.get() else { return };
    if annals_store::remove_empty(path).unwrap_or(false) {
        // Only an empty folder is removed.
        let _ = path.parent().map(std::fs::remove_dir);
        diagnostic(format_args!("note: removed the new log, {}: nothing was recorded", path.display()));
    }
}

/// Opens the log of a home for appending, and creates it if there is none.
pub fn open_or_create(
    home: &Home,
    actor: &str,
    clock: impl Into<ClockSetting>,
) -> Result<ForAppend, CliError> {
    APPENDS.store(true, Ordering::Relaxed);
    let opened = Log::open_or_create(&home.log(), actor, clock.into())?;
    if opened.is_new {
        diagnostic(format_args!("note: created a new log, {}", home.log().display()));
        let _ = CREATED.set(home.log());
    }
    Ok(opened)
}

/// As [`open_or_create`]: a log that it creates is simulated, and its clock shows at least this time.
pub fn open_or_create_simulated(home: &Home, actor: &str, at: Micros) -> Result<ForAppend, CliError> {
    let path = home.log();
    let is_there = path.exists() || matches!(Log::open(&path), Err(OpenError::LogGone { .. }));
    if is_there {
        return open_or_create(home, actor, ClockSetting::NotBefore(at));
    }
    APPENDS.store(true, Ordering::Relaxed);
    let kind = ClockKind::Simulated;
    let created = Log::create_in_folder(&path, actor, None, kind, Some(at))?;
    diagnostic(format_args!("note: created a new log, {}, under {}", path.display(), clock(kind)));
    let _ = CREATED.set(path);
    Ok(created)
}

/// The setting of the clock for what happens at a time: a simulated clock never goes back.
pub fn clock_at(at: Option<Micros>) -> ClockSetting {
    at.map_or(ClockSetting::LastEvent, ClockSetting::NotBefore)
}

/// Takes the lock under which a log is imported into, and waits while another import holds it.
pub fn lock_imports(log: &Path) -> Result<File, CliError> {
    let waits = || diagnostic(format_args!("note: waiting for another import into {}", log.display()));
    Ok(annals_store::lock_imports(log, waits)?)
}

/// A stream by its name, which must have events. A name without a family is searched in every family.
pub fn stream(log: &Log, text: &str) -> Result<StreamName, CliError> {
    Ok(find_stream(log, text)?)
}

/// Verifies the log again, if another process changed its files since they were as `files` states: what was read in the meantime
/// may not be what was verified before.
pub fn check_again(log: &Path, files: &LogFiles) -> Result<(), CliError> {
    if APPENDS.load(Ordering::Relaxed) || !log.exists() || *files == LogFiles::of(log) {
        return Ok(());
    }
    match damage_of(log, &VerifyOptions::default())? {
        None => Ok(()),
        Some(damage) => Err(CliError::new(format!("{} was damaged while it was read", log.display()))
            .finding()
            .reason(damage)
            .state("what this command printed is not verified")
            .hint(DOCTOR)),
    }
}
