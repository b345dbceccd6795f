//! `annals tournament report`: one tournament as a page to be printed and kept.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_replay::queries::{TournamentAt, report};
use annals_replay::subject::find_tournament;
use annals_report::{Document, ToDocument as _};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::errors::CliError;
use crate::hints::hint_about;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{damage, damage_line, json, write_unmarked};
use crate::output_file::{self, ForceArgs};

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One file for a browser
    Html,
    /// Markdown with tables
    Markdown,
    /// JSON
    Json,
}

/// Write a report of a tournament for printing
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "The foot of the report names the receipt of the log, which `annals log verify --receipt` checks later.\n\n\
    Examples:\n  \
    annals tournament report wcc-2015 -o wcc-2015.html\n  \
    annals tournament report wcc-2015 --format markdown --as-of round:5 --tz EST"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Format [default: by the file's ending, else html]
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long)]
    json: bool,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    moment: MomentArgs,
}

/// A report as JSON, with what was verified.
#[derive(Serialize)]
struct Published<'a> {
    #[serde(flatten)]
    report: &'a report::Report,
    verified: String,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let format = self.form()?;
        if let Some(path) = &self.output {
            output_file::check(path, self.force.force)?;
        }
        let log = log_file::open(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, zone) = self.moment.cut(&log, Some(&stream))?;
        let mut report = report::ask(&log, &TournamentAt::at(&log, &stream, &cut)?)?;
        report.overview = report.overview.with_hint(hint_about(stream.name()));
        let verified = log_file::verified(&log)?;
        let text = match format {
            Format::Json => json(&Published { report: &report, verified })?,
            Format::Html => page(&report, &zone, &verified).html(&zone),
            Format::Markdown => damage_line() + &page(&report, &zone, &verified).markdown(&zone),
        };
        match &self.output {
            None => write_unmarked(&text)?,
            Some(path) => output_file::write(path, self.force.force, text.as_bytes())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn form(&self) -> Result<Format, CliError> {
        match (self.json, self.format, &self.output) {
            (true, ..) => Ok(Format::Json),
            (_, Some(format), _) => Ok(format),
            (_, None, Some(path)) => Format::of_file(path),
            (_, None, None) => Ok(Format::Html),
        }
    }
}

impl Format {
    /// By the ending of a file.
    fn of_file(path: &Path) -> Result<Format, CliError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("html") => Ok(Format::Html),
            Some("md") => Ok(Format::Markdown),
            Some("json") => Ok(Format::Json),
            _ => {
                Err(CliError::new(format!("the ending of `{}` names no format of a report", path.display()))
                    .reason("the endings are .html, .md and .json")
                    .hint("`--format html` sets the format"))
            }
        }
    }
}

/// The page, with its source and what was verified at its foot; of a damaged log, with the mark at its head too. It does not
/// state when it was made, so that the same log gives the same report.
fn page(report: &report::Report, zone: &TimeZone, verified: &str) -> Document {
    let warning = damage().map(|_| verified.to_owned());
    Document { warning, foot: vec![report.source.line(), verified.to_owned()], ..report.document(zone) }
}
