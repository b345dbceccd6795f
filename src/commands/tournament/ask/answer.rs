//! What the questions share: the point in time, the form of the answer, and the way from a tournament's name to an answer.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::Cut;
use annals_replay::queries::{QueryError, TournamentAt};
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

// The point in time, and the form of the answer.
#[derive(Debug, clap::Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    pub moment: MomentArgs,

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

impl AnswerArgs {
    /// Gives an answer in the form that is asked for. What goes to a file says what was verified.
    fn give(
        &self,
        log: &Log,
        answer: &(impl ToDocument + Serialize),
        zone: &TimeZone,
    ) -> Result<ExitCode, CliError> {
        let verdict = log_file::verified(log)?;
        let Some(path) = &self.output else {
            self.print(answer, zone)?;
            return Ok(ExitCode::SUCCESS);
        };
        let text = if self.json {
            json(&Published { answer, verified: &verdict })?
        } else if self.csv {
            damage_line() + &answer.table().csv()
        } else {
            format!("{}{}\n{verdict}\n", damage_line(), answer.document(zone).text(zone, None))
        };
        output_file::write(path, self.force.force, text.as_bytes())?;
        diagnostic(format_args!("note: {}; {verdict}", path.display()));
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, answer: &(impl ToDocument + Serialize), zone: &TimeZone) -> Result<(), CliError> {
        if self.json {
            return write_json(answer);
        }
        if !self.csv {
            return write_document(&answer.document(zone), zone, "`--csv`, `--json`");
        }
        let text = answer.table().csv();
        // A program gets every name as it is; a person at a terminal gets none that moves the cursor.
        if std::io::stdout().is_terminal() { write_record(&text) } else { write_text(&text) }
    }

    /// Asks about one tournament, and gives the answer.
    pub fn about<A: ToDocument + Serialize>(
        &self,
        home: &Home,
        tournament: &str,
        ask: impl FnOnce(&Log, &TournamentAt<'_>, &TimeZone) -> Result<A, QueryError>,
    ) -> Result<ExitCode, CliError> {
        let log = log_file::open(home)?;
        let stream = tournament_stream(&log, tournament)?;
        let (cut, zone) = self.moment.cut(&log, Some(&stream))?;
        let opened = TournamentAt::at(&log, &stream, &cut)?;
        self.give(&log, &ask(&log, &opened, &zone)?, &zone)
    }
}

/// A question about one tournament, as arguments.
pub trait OfTournament: clap::Args {
    type Answer: ToDocument + Serialize;

    fn ask(&self, log: &Log, at: &TournamentAt<'_>, zone: &TimeZone) -> Result<Self::Answer, QueryError>;
}

/// A question about all of the log, as arguments.
pub trait OfAll: clap::Args {
    type Answer: ToDocument + Serialize;

    fn ask(&self, log: &Log, cut: &Cut) -> Result<Self::Answer, QueryError>;
}

// The command is described where its question is: a comment here would hide the longer text there.
#[derive(Debug, clap::Args)]
pub struct About<Q: OfTournament> {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    question: Q,

    #[command(flatten)]
    answer: AnswerArgs,
}

impl<Q: OfTournament> About<Q> {
    /// Asks, and gives the answer.
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        self.answer.about(home, &self.tournament, |log, at, zone| self.question.ask(log, at, zone))
    }
}

// As `About`.
#[derive(Debug, clap::Args)]
pub struct AboutAll<Q: OfAll> {
    #[command(flatten)]
    question: Q,

    #[command(flatten)]
    answer: AnswerArgs,
}

impl<Q: OfAll> AboutAll<Q> {
    /// Asks, and gives the answer.
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let without_log = !home.log().exists();
        let log =
            log_file::open(home).map_err(|error| if without_log { error.hint(HISTORY) } else { error })?;
        let (cut, zone) = self.answer.moment.cut(&log, None)?;
        self.answer.give(&log, &self.question.ask(&log, &cut)?, &zone)
    }
}

/// Says on standard error what was verified, for answers that are published as they are.
pub fn note_verified(log: &Log) {
    if let Ok(verdict) = log_file::verified(log) {
        diagnostic(format_args!("note: {verdict}"));
    }
}

/// The stream of a tournament that a user named.
pub fn tournament_stream(log: &Log, name: &str) -> Result<StreamName, CliError> {
    let bare = name.strip_prefix("tournament/").unwrap_or(name);
    let stream: StreamName = format!("tournament/{bare}").parse()?;
    if log.stream_info(&stream)?.is_some() {
        return Ok(stream);
    }
    let streams = log.streams(Some("tournament"))?;
    let names: Vec<&str> = streams.iter().map(|stream| stream.name.name()).collect();
    let otherwise = match names.as_slice() {
        [] => "it has no tournament at all; `annals tournament announce` begins one",
        _ => "`annals tournament list` lists those that it has",
    };
    Err(CliError::new(format!("the log has no tournament `{bare}`")).did_you_mean(bare, names, otherwise))
}
