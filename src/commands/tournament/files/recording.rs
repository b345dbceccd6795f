//! How a tournament of a file is recorded, and what is printed about its import.

use std::fs::File;

use annals_events::tournament::Stage;
use annals_events::{PlayerId, StreamName, TournamentId};
use annals_ingest::imported::{DEFAULT_RULEBOOK, ImportedEvent, Recording};
use annals_replay::handler::{SourceNote, TournamentImport, drafts_of, import_tournament};
use annals_report::{Document, counted};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::commands::tournament::options::OptionArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs, ForAppend};
use crate::output::{answer_in, write_unmarked};
use crate::values::assignment;

// How a tournament is recorded.
#[derive(Debug, clap::Args)]
pub struct RecordingArgs {
    /// Name of the tournament in the log
    #[arg(long = "as", value_name = "NAME")]
    id: Option<TournamentId>,

    /// Rulebook
    #[arg(long, default_value = DEFAULT_RULEBOOK)]
    rulebook: String,

    /// Stage of the rounds [default: the first that is played by rounds]
    #[arg(long)]
    stage: Option<Stage>,

    #[command(flatten)]
    options: OptionArgs,

    /// Title [default: the name in the log]
    #[arg(long, value_name = "TITLE")]
    name: Option<String>,

    /// Identity of a player of the file; may be repeated [default: the name in lower case]
    #[arg(long = "player", value_name = "NAME=IDENTITY", value_parser = assignment::<String, PlayerId>)]
    players: Vec<(String, PlayerId)>,
}

impl RecordingArgs {
    /// The stream of the tournament, and how it is recorded.
    pub fn read(&self) -> Result<(StreamName, Recording), CliError> {
        let id = self.id.as_ref().ok_or_else(|| {
            CliError::new("a tournament needs a name in the log").hint("name it, such as --as wc-2006")
        })?;
        let name = self.name.as_deref().unwrap_or(id.as_str());
        let mut recording = Recording::new(name, self.options.rulebook(&self.rulebook)?);
        if let Some(stage) = self.stage {
            recording = recording.of_stage(stage)?;
        }
        Ok((format!("tournament/{id}").parse()?, recording.with_identities(&self.players)?))
    }
}

// Who imports, and what is printed.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    #[command(flatten)]
    actor: ActorArgs,

    /// Import nothing; print what would be imported
    #[arg(long)]
    pub dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A log that is open for an import.
pub struct RunningImport {
    pub open: ForAppend,
    pub actor: String,
    /// Locks the log against other imports.
    _lock: File,
}

/// What an import prints.
#[derive(Serialize)]
struct Answer<'a, S> {
    #[serde(flatten)]
    summary: &'a S,
    pub dry_run: bool,
    taken: Option<&'a TournamentImport>,
}

impl ImportArgs {
    /// Opens the log; none for a dry run.
    pub fn open(&self, home: &Home) -> Result<Option<RunningImport>, CliError> {
        if self.dry_run {
            return Ok(None);
        }
        let actor = self.actor.name()?;
        let open = log_file::open_or_create(home, &actor, None)?;
        Ok(Some(RunningImport { open, actor, _lock: log_file::lock_imports(&home.log())? }))
    }

    /// Writes what was imported, or would be: the summary, its lines and the receipt.
    pub fn write(
        &self,
        summary: &impl Serialize,
        (mut lines, events): (Vec<String>, usize),
        taken: Option<&TournamentImport>,
        zone: &TimeZone,
    ) -> Result<(), CliError> {
        lines.extend(imported_lines(taken, events));
        self.write_lines(&Answer { summary, dry_run: self.dry_run, taken }, lines, zone)?;
        self.write_receipt(taken.and_then(|taken| taken.receipt.as_deref()))
    }

    pub fn write_lines(
        &self,
        answer: &impl Serialize,
        lines: Vec<String>,
        zone: &TimeZone,
    ) -> Result<(), CliError> {
        answer_in(self.json, answer, zone, || Document::default().lines("", lines))
    }

    /// Writes the receipt of the log, which no terminal wraps.
    pub fn write_receipt(&self, receipt: Option<&str>) -> Result<(), CliError> {
        match receipt {
            Some(receipt) if !self.json => write_unmarked(&format!("{receipt}\n")),
            _ => Ok(()),
        }
    }
}

impl RunningImport {
    /// Imports a tournament.
    pub fn import(
        &mut self,
        stream: &StreamName,
        events: &[ImportedEvent],
        note: &SourceNote,
    ) -> Result<TournamentImport, CliError> {
        let drafts = drafts_of(stream, events.iter().map(ImportedEvent::entry))
            .cannot("an event cannot be written")?;
        Ok(import_tournament(&mut self.open.log, stream, &drafts, note, (&self.actor, self.open.now))?)
    }
}

/// What was appended, or how many events would be.
pub fn imported_lines(taken: Option<&TournamentImport>, events: usize) -> Vec<String> {
    match taken {
        Some(taken) => taken.lines(),
        None => vec![format!("{} would be appended", counted(events as u64, "event"))],
    }
}
