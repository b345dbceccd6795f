//! What the questions share: the point in time, the form of the answer, and the way from a tournament's name to an answer.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::Cut;
use annals_replay::questions::page::csv;
use annals_replay::questions::{Answer, Opened, QuestionError};
use annals_store::Log;
use jiff::tz::TimeZone;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{write_json, write_record, write_text};
use crate::suggest::nearest;

/// The point in time, and the form of the answer.
#[derive(Debug, clap::Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    pub moment: MomentArgs,

    /// Print JSON; times in microseconds since 1970, points in halves, money in cents.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV (RFC 4180); times in UTC; a name that a spreadsheet would run as a formula begins with '.
    #[arg(long)]
    csv: bool,
}

impl AnswerArgs {
    /// Gives an answer in the form that is asked for.
    pub fn give(&self, answer: &impl Answer, zone: &TimeZone) -> Result<ExitCode, CliError> {
        if self.json {
            write_json(answer)?;
        } else if self.csv {
            let text = csv(&answer.table());
            // A program gets every name as it is; a person at a terminal gets none that moves the cursor.
            if std::io::stdout().is_terminal() {
                write_record(&text.replace("\r\n", "\n"))?;
            } else {
                write_text(&text)?;
            }
        } else {
            write_record(&answer.page(zone).render(zone))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Asks about one tournament, and gives the answer.
    pub fn about<A: Answer>(
        &self,
        home: &Home,
        tournament: &str,
        ask: impl FnOnce(&Log, &Opened<'_>) -> Result<A, QuestionError>,
    ) -> Result<ExitCode, CliError> {
        let log = log_file::open(home)?;
        let stream = tournament_stream(&log, tournament)?;
        let (cut, zone) = self.moment.cut(&log, Some(&stream))?;
        let opened = Opened::at(&log, &stream, &cut)?;
        self.give(&ask(&log, &opened)?, &zone)
    }

    /// Asks about all of the log, and gives the answer.
    pub fn about_all<A: Answer>(
        &self,
        home: &Home,
        ask: impl FnOnce(&Log, &Cut) -> Result<A, QuestionError>,
    ) -> Result<ExitCode, CliError> {
        let log = log_file::open(home)?;
        let (cut, zone) = self.moment.cut(&log, None)?;
        self.give(&ask(&log, &cut)?, &zone)
    }
}

/// The stream of a tournament that a user named.
pub fn tournament_stream(log: &Log, name: &str) -> Result<StreamName, CliError> {
    let bare = name.strip_prefix("tournament/").unwrap_or(name);
    let stream: StreamName =
        format!("tournament/{bare}").parse().map_err(|error| CliError::from_error(&error))?;
    if log.stream_info(&stream)?.is_some() {
        return Ok(stream);
    }
    let streams = log.streams(Some("tournament"))?;
    let names: Vec<&str> = streams.iter().map(|stream| stream.name.name()).collect();
    let error = CliError::new(format!("the log has no tournament `{bare}`"));
    Err(match (nearest(bare, names.iter().copied()), names.is_empty()) {
        (Some(near), _) => error.hint(format!("did you mean `{near}`?")),
        (None, true) => error.hint("it has no tournament at all; `annals tournament announce` begins one"),
        (None, false) => error.hint("`annals tournament list` lists those that it has"),
    })
}

impl From<QuestionError> for CliError {
    fn from(error: QuestionError) -> CliError {
        let hint = match &error {
            QuestionError::Refused(refusal) => refusal.next.clone(),
            _ => None,
        };
        let error = CliError::from_error(&error);
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}
