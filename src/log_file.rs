//! The log of a home: opened for reading or for appending, created where there is none yet; and who appends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use annals_events::log::ClockKind;
use annals_events::{LogId, Micros, PROGRAM, StreamName};
use annals_replay::subject::find_stream;
use annals_store::{
    AcceptedLoss, Appended, Clock, Finding, Log, MachineClock, NewLog, OpenError, SetClock, VerifyOptions,
    random_id, verify,
};

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_files::note_append;
use crate::output::{damage, mark_damaged, talk};
use crate::terminal::counted;

/// What to run next about a damaged log.
pub const DOCTOR: &str = "`annals doctor` lists the damage, and the command to run next";

/// How long a log that somebody else is just making is waited for.
const UNTIL_MADE: Duration = Duration::from_secs(2);

// Who appends.
#[derive(Debug, clap::Args)]
pub struct ActorArgs {
    /// Actor of the events [default: the user's name]
    #[arg(long, env = "ANNALS_ACTOR", value_name = "NAME")]
    actor: Option<String>,
}

impl ActorArgs {
    /// Of an actor who is known.
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

    /// The name that the log records, or where nobody is named, that of the command, which says of itself what happened.
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
    match damage_of(&path, &VerifyOptions::default())? {
        None => open_at(&path),
        Some(damage) if home.allows_damage() => {
            mark_damaged(&damage);
            Ok(Log::inspect(&path)?)
        }
        Some(damage) => {
            Err(refused(&path, &damage).hint("`--allow-damage` shows what can be read, with exit status 1"))
        }
    }
}

/// Opens the log for reading, once all of it was verified, for what is handed on as evidence or as data: a damaged log is always
/// refused.
pub fn open_whole(home: &Home) -> Result<Log, CliError> {
    let path = home.log();
    refuse_damage(&path, &VerifyOptions::default())?;
    open_at(&path)
}

/// What was verified, to be printed with what is published.
pub fn verified(log: &Log) -> Result<String, CliError> {
    let head = match log.acknowledged() {
        Some(head) => head,
        None => log.head()?,
    };
    let later = match log.last_seq()?.saturating_sub(head.seq) {
        0 => String::new(),
        later => format!(
            "; {} after it, not yet acknowledged by their writer, {} included",
            counted(later, "event"),
            if later == 1 { "is" } else { "are" }
        ),
    };
    Ok(match damage() {
        None => format!("verified against head {head}{later}"),
        Some(damage) => format!("DAMAGED LOG: {damage}"),
    })
}

/// The worst finding about a log; none for a log that is whole.
pub fn damage_of(path: &Path, options: &VerifyOptions<'_>) -> Result<Option<String>, CliError> {
    let report = verify(path, options)?;
    let Some(worst) = report.damage().next() else { return Ok(None) };
    Ok(Some(match report.first_bad() {
        Some(seq) => format!("{worst}; event {seq} is the first event that is not verified"),
        None => worst.to_string(),
    }))
}

fn refuse_damage(path: &Path, options: &VerifyOptions<'_>) -> Result<(), CliError> {
    match damage_of(path, options)? {
        None => Ok(()),
        Some(damage) => Err(refused(path, &damage)),
    }
}

fn refused(path: &Path, damage: &str) -> CliError {
    CliError::new(format!("{} is damaged", path.display())).finding().reason(damage).hint(DOCTOR)
}

/// Opens a log at any place for reading.
pub fn open_at(path: &Path) -> Result<Log, CliError> {
    Log::open(path).map_err(CliError::from)
}

/// A log that is open for appending, and what its clock shows.
pub struct ForAppend {
    /// The log.
    pub log: Log,
    /// The present time by the log's own clock, microseconds since 1970, UTC.
    pub now: Micros,
}

/// Opens the log for appending. A simulated log stands at the time of its last event, or at the one given.
pub fn open_for_append(path: &Path, at: Option<Micros>) -> Result<ForAppend, CliError> {
    // Every append rests on what stands before it: hashes, tree and anchor.
    // Indexes are verified too: by them it is decided, and SQLite writes where its list of free pages says.
    refuse_damage(path, &VerifyOptions { payloads: false, ..VerifyOptions::default() })?;
    note_append();
    let looked = Log::open(path)?;
    let declared = looked.opened().clock;
    let last = looked.last_seq()?;
    let stands_at = looked.event(last)?.map_or(0, |event| event.recorded_at);
    drop(looked);
    let clock = clock(declared, at.unwrap_or(stands_at));
    let now = clock.now();
    if at.is_some() && declared == ClockKind::Real {
        return Err(CliError::new("`--at` sets the clock of a simulated log, and this log has a real one")
            .state("nothing was appended")
            .hint("leave `--at` out; an event states its time as `effective_at`"));
    }
    Ok(ForAppend { log: Log::open_for_append(path, clock)?, now })
}

/// Opens the log of a home for appending, and creates it where there is none; says so on standard error.
pub fn open_or_create(home: &Home, actor: &str, at: Option<Micros>) -> Result<ForAppend, CliError> {
    let path = home.log();
    // A log that is gone is not made anew; a creation that was cut off, which leaves an anchor of no event, is.
    if path.exists() || matches!(Log::open(&path), Err(OpenError::LogGone { .. })) {
        return open_for_append(&path, at);
    }
    if at.is_some() {
        return Err(CliError::new(format!("there is no simulated log at {}", path.display()))
            .reason("`--at` sets the clock of a simulated log")
            .hint("annals log init --simulated"));
    }
    match made(home, actor, None, ClockKind::Real, None)? {
        Ok(log) => {
            talk(format_args!("note: made a new log, {}", path.display()));
            Ok(log)
        }
        // Somebody else made it at the same time.
        Err(OpenError::Exists { .. }) => {
            let since = Instant::now();
            loop {
                match open_for_append(&path, at) {
                    Err(_) if since.elapsed() < UNTIL_MADE => std::thread::sleep(UNTIL_MADE / 100),
                    opened => return opened,
                }
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Takes the lock under which a log is imported into, and waits while another import holds it: two imports of the same games
/// at once would each take the other's events for foreign ones. The lock ends with the returned file.
pub fn lock_imports(log: &Path) -> Result<File, CliError> {
    let path = log.with_extension("importing");
    let cannot = format!("cannot lock {}", path.display());
    let file = File::options().create(true).append(true).open(&path).cannot(&cannot)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            talk(format_args!("note: waiting for another import into {}", log.display()));
            file.lock().cannot(&cannot)?;
        }
        Err(TryLockError::Error(error)) => return Err(error).cannot(&cannot),
    }
    Ok(file)
}

/// To what the clock of a simulated log is set: it never goes back.
pub fn clock_set_to(home: &Home, at: Option<Micros>) -> Result<Option<Micros>, CliError> {
    let (Some(at), true) = (at, home.log().exists()) else { return Ok(None) };
    let log = open(home)?;
    if log.opened().clock == ClockKind::Real {
        return Ok(None);
    }
    let stands_at = log.event(log.last_seq()?)?.map_or(0, |event| event.recorded_at);
    Ok(Some(at.max(stands_at)))
}

/// Accepts that acknowledged events are gone, and lets the log go on.
pub fn accept_loss(home: &Home, actor: &str, reason: &str) -> Result<AcceptedLoss, CliError> {
    let path = home.log();
    // What the anchor has against the log is accepted, and nothing else.
    let report = verify(&path, &VerifyOptions { payloads: false, ..VerifyOptions::default() })?;
    if let Some(other) = report.damage().find(|finding| !matches!(finding, Finding::Anchor(_))) {
        return Err(refused(&path, &other.to_string()).state("no loss was accepted"));
    }
    let looked = Log::inspect(&path)?;
    let stands_at = looked.event(looked.last_seq()?)?.map_or(0, |event| event.recorded_at);
    let clock = clock(looked.opened().clock, stands_at);
    drop(looked);
    let (_, accepted) = Log::accept_loss(&path, clock, actor, reason)?;
    Ok(accepted)
}

/// Confirms the clock of the machine, where the log doubts it.
pub fn confirm_clock(home: &Home, actor: &str, reason: &str) -> Result<Appended, CliError> {
    Ok(open_for_append(&home.log(), None)?.log.confirm_clock(actor, reason)?)
}

/// Creates the log of a home.
pub fn create(
    home: &Home,
    actor: &str,
    note: Option<String>,
    kind: ClockKind,
    at: Option<Micros>,
) -> Result<ForAppend, CliError> {
    Ok(made(home, actor, note, kind, at)??)
}

/// As [`create`]; what the log itself says against it is told apart from the rest.
fn made(
    home: &Home,
    actor: &str,
    note: Option<String>,
    kind: ClockKind,
    at: Option<Micros>,
) -> Result<Result<ForAppend, OpenError>, CliError> {
    let path = home.log();
    std::fs::create_dir_all(home.root())
        .cannot(format_args!("cannot make the folder {}", home.root().display()))?;
    let new =
        NewLog { log_id: LogId(random_id()?), program: PROGRAM.to_owned(), note, actor: actor.to_owned() };
    let clock = clock(kind, at.unwrap_or_else(|| MachineClock.now()));
    let now = clock.now();
    Ok(Log::create(&path, &new, clock).map(|log| ForAppend { log, now }))
}

fn clock(kind: ClockKind, at: Micros) -> Box<dyn Clock> {
    match kind {
        ClockKind::Real => Box::new(MachineClock),
        ClockKind::Simulated => Box::new(SetClock::at(at)),
    }
}

/// The clock that a log declares, as it is shown.
pub const fn clock_in_words(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Real => "the clock of the machine",
        ClockKind::Simulated => "a simulated clock (no record of what happened)",
    }
}

/// A stream by its name, which must have events. Without a family in front, the name is looked for in every family.
pub fn stream(log: &Log, text: &str) -> Result<StreamName, CliError> {
    Ok(find_stream(log, text)?)
}
