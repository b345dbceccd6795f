//! What all queries share: the tournament, the point in time, the form of the answer, and where it goes.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
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

    /// Format [default: by the file's ending, else text]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Form>,

    /// Print JSON; times in microseconds since 1970, points in halves, money in cents
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// File to write: .txt, .csv, .tsv, .json, .html or .md [default: standard output]
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
        let form = self.form()?;
        let verified = log_file::verified(log)?;
        let Some(path) = &self.output else {
            match form {
                Form::Text => write_document(&answer.document(zone), zone, "`--format csv`, `--json`")?,
                Form::Json => write_json(answer)?,
                // A program gets every name as it is, a terminal none that moves the cursor.
                _ if std::io::stdout().is_terminal() => write_record(&form.of(answer, zone))?,
                _ => write_text(&form.of(answer, zone))?,
            }
            return Ok(ExitCode::SUCCESS);
        };
        let text = match form {
            Form::Json => json(&Published { answer, verified: &verified })?,
            Form::Text => format!("{}{}\n{verified}\n", damage_line(), form.of(answer, zone)),
            _ => damage_line() + &form.of(answer, zone),
        };
        output_file::write(path, self.force.force, text.as_bytes())?;
        diagnostic(format_args!("note: {}; {verified}", path.display()));
        Ok(ExitCode::SUCCESS)
    }

    fn form(&self) -> Result<Form, CliError> {
        match (self.json, self.format, &self.output) {
            (true, ..) => Ok(Form::Json),
            (_, Some(form), _) => Ok(form),
            (_, None, Some(path)) => Form::of_file(path),
            (_, None, None) => Ok(Form::Text),
        }
    }
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Csv,
    Tsv,
    Json,
    Html,
    Markdown,
}

impl Form {
    /// By the ending of a file.
    fn of_file(path: &Path) -> Result<Form, CliError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("txt") => Ok(Form::Text),
            Some("csv") => Ok(Form::Csv),
            Some("tsv") => Ok(Form::Tsv),
            Some("json") => Ok(Form::Json),
            Some("html") => Ok(Form::Html),
            Some("md") => Ok(Form::Markdown),
            _ => Err(CliError::new(format!("the ending of `{}` names no format", path.display()))
                .reason("the endings are .txt, .csv, .tsv, .json, .html and .md")
                .hint("`--format csv` sets the format")),
        }
    }

    /// An answer as text; JSON has its own writer.
    fn of(self, answer: &impl ToDocument, zone: &TimeZone) -> String {
        match self {
            Form::Csv => answer.table().csv(),
            Form::Tsv => answer.table().tsv(),
            Form::Html => answer.document(zone).html(zone),
            Form::Markdown => answer.document(zone).markdown(zone),
            Form::Text | Form::Json => answer.document(zone).text(zone, None),
        }
    }
}

/// Notes what was verified, for answers that are published as they are.
pub fn note_verified(log: &Log) {
    if let Ok(verified) = log_file::verified(log) {
        diagnostic(format_args!("note: {verified}"));
    }
}
