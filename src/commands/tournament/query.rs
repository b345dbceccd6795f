//! What all queries share: the tournament, the point in time, the form of the answer, and where it goes.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_replay::Cut;
use annals_replay::queries::TournamentAt;
use annals_replay::subject::find_tournament;
use annals_report::ToDocument;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{damage_line, diagnostic, json, write_document, write_json, write_record, write_text};
use crate::output_file::{self, ForceArgs};

/// The command that imports the history that ships with the program.
pub const HISTORY: &str =
    "`annals tournament import history` imports the published tables that ship with Annals";

// Without documentation, which would replace that of the command.
#[derive(Debug, clap::Args)]
pub struct TournamentQuery {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    query: LogQuery,
}

impl TournamentQuery {
    /// Writes the answer of one tournament.
    pub fn answer<A: ToDocument + Serialize>(
        &self,
        home: &Home,
        ask: impl FnOnce(&TournamentAt<'_>, &TimeZone) -> Result<A, CliError>,
    ) -> Result<ExitCode, CliError> {
        let log = log_file::open(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, zone) = self.query.moment.cut(&log, Some(&stream))?;
        let at = TournamentAt::at(&log, &stream, &cut)?;
        let answer = ask(&at, &zone).map_err(|error| error.about(stream.name()))?;
        self.query.write(&log, &answer, &zone)
    }
}

// As `TournamentQuery`.
#[derive(Debug, clap::Args)]
pub struct LogQuery {
    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON; times in microseconds since 1970, points in halves, money in cents
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV; times in UTC
    #[arg(long)]
    csv: bool,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

/// An answer as JSON in a file, with what was verified.
#[derive(Serialize)]
struct Published<'a, A> {
    verified: &'a str,
    answer: &'a A,
}

impl LogQuery {
    /// Writes the answer of the whole log.
    pub fn answer<A: ToDocument + Serialize>(
        &self,
        home: &Home,
        ask: impl FnOnce(&Log, &Cut) -> Result<A, CliError>,
    ) -> Result<ExitCode, CliError> {
        let is_missing = !home.log().exists();
        let log =
            log_file::open(home).map_err(|error| if is_missing { error.hint(HISTORY) } else { error })?;
        let (cut, zone) = self.moment.cut(&log, None)?;
        self.write(&log, &ask(&log, &cut)?, &zone)
    }

    /// Writes an answer; into a file with what was verified.
    fn write<A: ToDocument + Serialize>(
        &self,
        log: &Log,
        answer: &A,
        zone: &TimeZone,
    ) -> Result<ExitCode, CliError> {
        let verified = log_file::verified(log)?;
        let Some(path) = &self.output else {
            self.print(answer, zone)?;
            return Ok(ExitCode::SUCCESS);
        };
        let text = match (self.json, self.csv) {
            (true, _) => json(&Published { answer, verified: &verified })?,
            (_, true) => damage_line() + &answer.table().csv(),
            _ => format!("{}{}\n{verified}\n", damage_line(), answer.document(zone).text(zone, None)),
        };
        output_file::write(path, self.force.force, text.as_bytes())?;
        diagnostic(format_args!("note: {}; {verified}", path.display()));
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, answer: &(impl ToDocument + Serialize), zone: &TimeZone) -> Result<(), CliError> {
        match (self.json, self.csv) {
            (true, _) => write_json(answer),
            (_, false) => write_document(&answer.document(zone), zone, "`--csv`, `--json`"),
            // A program gets every name as it is, a terminal none that moves the cursor.
            _ if std::io::stdout().is_terminal() => write_record(&answer.table().csv()),
            _ => write_text(&answer.table().csv()),
        }
    }
}

/// Notes what was verified, for answers that are published as they are.
pub fn note_verified(log: &Log) {
    if let Ok(verified) = log_file::verified(log) {
        diagnostic(format_args!("note: {verified}"));
    }
}
