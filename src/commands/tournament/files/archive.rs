//! `annals tournament import archive`: the archive's games of one event as a tournament with inferred rounds.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_ingest::archive_events::{EventGames, EventSummary, events_of, select, tournament};
use annals_ingest::archive_games::files_digest;
use annals_ingest::source::{SourceFile, discover};
use annals_replay::handler::{FileImport, SourceNote};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::recording::{ImportArgs, RecordingArgs};
use crate::commands::log::import::import_games;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::moments::ZoneArgs;

/// Import a tournament from the archive's games of one event
///
/// Entries, results and times are those of the rows; a player's rating is that of their first game. Rounds are inferred: as
/// few as possible, with each player once a round and in order. Each inferred pairing is marked. Byes are not inferred.
///
/// With --with-games the games are imported too and attached to their pairings. A repeated import adds nothing. Exit status
/// 1 if a row could not be read.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament import archive --list allgames2006.tgz\n  \
    annals tournament import archive '2006 World Championship' allgames2006.tgz \\\n    \
    --as wc-2006 --rulebook wc-2009 --stage final --dry-run")]
pub struct Args {
    /// Event as the games name it, and archive files, folders or patterns
    // Not required, because clap would print `<EVENT] [FILE>`.
    #[arg(value_name = "EVENT] [FILE")]
    values: Vec<PathBuf>,

    #[command(flatten)]
    recording: RecordingArgs,

    /// List the events of the files
    #[arg(long, conflicts_with_all = ["id", "with_games", "dry_run"])]
    list: bool,

    /// Import the games too
    #[arg(long)]
    with_games: bool,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    import: ImportArgs,
}

/// What is printed of the event, with its games if they are imported.
#[derive(Serialize)]
struct EventImport<'a> {
    #[serde(flatten)]
    event: &'a EventSummary<'a>,
    with_games: Option<&'a [FileImport]>,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let zone = self.zone.zone()?;
        let (event, files) = match self.values.split_first() {
            None => {
                return Err(CliError::new("expected an event and archive files, found none")
                    .hint("`annals tournament import archive --list FILE` lists the events of a file"));
            }
            _ if self.list => (None, self.values.as_slice()),
            Some((event, files)) if !files.is_empty() => (Some(event.to_string_lossy()), files),
            _ => {
                return Err(CliError::new("an event was named, and no archive file")
                    .hint("name the event first, then the files"));
            }
        };
        let files = discover(files).hint("name archive files, or folders of them")?;
        match event {
            Some(event) => self.import(home, event.trim(), &files, &zone),
            None => self.list(&files, &zone),
        }
    }

    fn list(&self, files: &[SourceFile], zone: &TimeZone) -> Result<ExitCode, CliError> {
        let (rows, counts) = events_of(files);
        let lines = rows.iter().map(|row| row.line(zone)).chain(counts.lines()).collect();
        self.import.write_lines(&rows, lines, zone)?;
        Ok(ExitCode::from(u8::from(!counts.unread.is_empty())))
    }

    fn import(
        &self,
        home: &Home,
        event: &str,
        files: &[SourceFile],
        zone: &TimeZone,
    ) -> Result<ExitCode, CliError> {
        let (selected, counts) = select(event, files)?;
        let event = selected.first().map_or_else(String::new, |first| first.event.clone());
        let (stream, recording) = self.recording.read()?;
        let games = EventGames::new(selected);
        recording.check_names(games.games().flat_map(|head| &head.seats).map(|seat| seat.name.as_str()))?;
        let found = tournament(&games, &recording, &event, self.with_games);
        if found.events.is_empty() {
            let what = format!("no game of `{event}` states when it was played, so none has a place in time");
            return Err(CliError::new(what));
        }
        let (mut imported, mut taken) = (None, None);
        if let Some(mut running) = self.import.open(home)? {
            if self.with_games {
                let numbers: Vec<u64> = games.games().map(|head| head.id).collect();
                imported = Some(import_games(&mut running.open, files, &numbers, &running.actor)?);
            }
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            let note = SourceNote::new(names.join(", "), "archive_event", files_digest(files)?);
            taken = Some(running.import(&stream, &found.events, &note)?);
        }
        let summary = found.summary(&event, &games, &counts);
        let games = imported.iter().flatten().flat_map(FileImport::lines);
        let lines = summary.lines(zone).into_iter().chain(counts.lines()).chain(games).collect();
        let answer = EventImport { event: &summary, with_games: imported.as_deref() };
        self.import.write(&answer, (lines, found.events.len()), taken.as_ref(), zone)?;
        Ok(ExitCode::from(u8::from(!counts.unread.is_empty())))
    }
}
