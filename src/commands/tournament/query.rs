//! The arguments common to all queries: tournament, point in time, output format, and output file.

use std::process::ExitCode;

use annals_replay::Cut;
use annals_replay::queries::TournamentAt;
use annals_replay::subject::find_tournament;
use annals_report::ToDocument;
use annals_store::Log;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::diagnostic;
use crate::terminal::stderr_is_terminal;

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
        self.query.form.check()?;
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

    #[command(flatten)]
    form: DocumentArgs,
}

impl LogQuery {
    /// Writes the answer of the whole log.
    pub fn answer<A: ToDocument + Serialize>(
        &self,
        home: &Home,
        ask: impl FnOnce(&Log, &Cut) -> Result<A, CliError>,
    ) -> Result<ExitCode, CliError> {
        self.form.check()?;
        let is_missing = !home.log().exists();
        let log =
            log_file::open(home).map_err(|error| if is_missing { error.hint(HISTORY) } else { error })?;
        let (cut, zone) = self.moment.cut(&log, None)?;
        self.write(&log, &ask(&log, &cut)?, &zone)
    }

    fn write<A: ToDocument + Serialize>(
        &self,
        log: &Log,
        answer: &A,
        zone: &TimeZone,
    ) -> Result<ExitCode, CliError> {
        self.form.write_of_log(answer, zone, &log_file::verified(log)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Notes what was verified, for answers that are published as they are.
pub fn note_verified(log: &Log) {
    let verified = match stderr_is_terminal() {
        true => log_file::verified_in_short(log),
        false => log_file::verified(log),
    };
    if let Ok(verified) = verified {
        diagnostic(format_args!("note: {verified}"));
    }
}
