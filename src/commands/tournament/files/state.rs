//! `annals tournament import state`: a director's state file into the log.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::TimeNote;
use annals_ingest::archive_games::file_digest;
use annals_ingest::state_file::StateFile;
use annals_replay::handler::{SourceNote, first_event_at};
use annals_replay::point;
use annals_store::{Clock as _, MachineClock};

use super::recording::{ImportArgs, RecordingArgs};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::moments::ZoneArgs;

/// Import a tournament from a director's state file
///
/// Lines are `player NAME RATING`, `round N`, `game GOLD SILVER RESULT` (also `pair`, `pick`), `bye NAME [win|loss]`,
/// `remove NAME`, `add NAME`. The greatest RATING is the first seed. RESULT is `winner NAME`, `draw`, `double win`,
/// `double loss`, `no decision` or `vacated`; an open game has none. Comments begin with `#` or `*`.
///
/// A file with an invalid line is rejected, and nothing is imported. What the rules forbid is imported as it is, for the
/// audit to find. A repeated import adds nothing.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament import state wc2006.txt --as wc-2006 --rulebook wc-2009\n  \
    annals tournament import state finals.txt --as wc-2009 --rulebook wc-2009 \\\n    \
      --stage final --dry-run\n  \
    annals tournament import state finals.txt --as wc-2009 --rulebook wc-2009 \\\n    \
      --player Fritzlein=karl\n  \
    annals tournament import state wcc2016.txt --option finalists=12 --option T7=B")]
pub struct Args {
    /// State file
    file: PathBuf,

    #[command(flatten)]
    recording: RecordingArgs,

    /// Start of the tournament: a time, or a date, month, season or year (its beginning) [default: now]
    #[arg(long)]
    date: Option<String>,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    import: ImportArgs,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let (stream, recording) = self.recording.read()?;
        let file = StateFile::open(&self.file)?;
        recording.check_names(file.names())?;
        let zone = self.zone.zone()?;
        let date = self.date.as_deref().map(|text| point::beginning(text, &zone)).transpose()?;
        let stated = self.date.as_deref().map(|text| point::stated(text, &zone)).transpose()?;
        let mut running = self.import.open(home)?;
        // A repeated import begins when the first one did.
        let recorded = match &running {
            Some(running) => Some(first_event_at(&running.open.log, &stream)?.unwrap_or(running.open.now)),
            None => None,
        };
        let mut state = file.events(&recording, date.or(recorded).unwrap_or_else(|| MachineClock.now()));
        // The date is that of the announcement; the file does not state when the rest happened.
        if let (Some(first), Some(period)) =
            (state.events.first_mut(), stated.and_then(|stated| stated.period))
        {
            first.note = Some(TimeNote::Stated(period));
        }
        let taken = match &mut running {
            Some(running) => {
                let digest =
                    file_digest(&self.file).cannot(format_args!("cannot read {}", self.file.display()))?;
                let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
                Some(running.import(
                    &stream,
                    &state.events,
                    &SourceNote::new(name, "director_state", digest),
                )?)
            }
            None => None,
        };
        let summary = state.summary(&self.file);
        self.import.write(&summary, (summary.lines(), state.events.len()), taken.as_ref(), &zone)?;
        Ok(ExitCode::SUCCESS)
    }
}
