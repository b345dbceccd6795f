//! `annals tournament qualifier import-games`: games between entrants and benchmark players among the archive's rows.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::StreamName;
use annals_ingest::archive_events::{Head, QualifyingSummary, heads, qualifying};
use annals_ingest::archive_games::files_digest;
use annals_ingest::source::discover;
use annals_replay::handler::{QualifyingGames, QualifyingSearch, SourceNote};
use annals_replay::subject::find_tournament;
use serde::Serialize;

use super::recording::ImportArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::moments::ZoneArgs;

/// Record the qualifying games of archive files
///
/// Records every game between an entrant and a benchmark player in the qualifying period. Players are identified by account
/// number, else by name or alias.
///
/// Games that do not count are recorded too; `annals tournament qualifier rank` states why. A second run adds only new
/// games. Exit status 1 if a row could not be read, or differs from the record.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament qualifier import-games wcc-2015 allgames201501.tgz --dry-run\n  \
    annals tournament qualifier import-games wcc-2015 allgames201501.tgz --json | jq .by_player")]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Archive files, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    summary: &'a QualifyingSummary,
    dry_run: bool,
    receipt: Option<&'a str>,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let files = discover(&self.files).hint("name archive files, or folders of them")?;
        let zone = self.zone.zone()?;
        let log = log_file::open_whole(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let search = QualifyingSearch::of(&log, &stream)
            .map_err(|error| CliError::from(error).about(stream.name()))?;
        let mut all: Vec<Head> = Vec::new();
        let counts = heads(&files, |head| all.push(head));
        let rows = qualifying(&all, &search.entrants, &search.benchmarks, search.period, |game| {
            let stream = format!("game/{game}").parse::<StreamName>();
            stream.is_ok_and(|stream| log.stream_info(&stream).is_ok_and(|info| info.is_some()))
        });
        let found = rows.games.iter().map(|selected| selected.game.clone());
        let games = QualifyingGames::compare(&log, &stream, found)?;
        drop(log);
        let mut receipt = None;
        if let Some(mut running) = self.import.open(home)? {
            let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
            let note = SourceNote {
                left_out: all.len() as u64 - games.new.len() as u64,
                rejected: counts.unread.len() as u64,
                ..SourceNote::new(names.join(", "), "qualifying_games", files_digest(&files)?)
            };
            games.import(&mut running.open.log, &stream, &note, (&running.actor, running.open.now))?;
            receipt = running.open.log.acknowledged().map(|head| head.to_string());
        }
        let clean = counts.unread.is_empty() && games.differ.is_empty();
        let summary =
            rows.summary(&stream, search.period, &counts, (games.new.len(), games.known, games.differ));
        let lines = summary.lines(&zone).into_iter().chain(counts.lines()).collect();
        let answer = Answer { summary: &summary, dry_run: self.import.dry_run, receipt: receipt.as_deref() };
        self.import.write_lines(&answer, lines, &zone)?;
        self.import.write_receipt(receipt.as_deref())?;
        Ok(ExitCode::from(u8::from(!clean)))
    }
}
