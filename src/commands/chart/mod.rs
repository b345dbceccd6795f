//! `annals chart`: pictures of what is in the dataset and in the log. Each chart is one file here; all are written in the same
//! way.

mod calibration;
mod crosstable;
mod evaluation;
mod ratings;
mod standings;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_analytics::charts::of_log;
use annals_charts::{Drawn, Picture};
use annals_events::StreamName;
use annals_replay::Cut;
use annals_store::Log;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{damage, damage_line, diagnostic};
use crate::output_file::{self, ForceArgs, write_picture};
use annals_replay::subject::find_tournament;

/// Draw charts and boards as SVG or PNG
#[derive(Debug, clap::Subcommand)]
#[command(after_long_help = "Every chart names its source. docs/charts.md describes each chart.\n\n\
        Examples:\n  \
        annals chart evaluation 669192 -o game.svg\n  \
        annals chart ratings --system whr --player Fritzlein -o ratings.png\n  \
        annals chart calibration --systems gameroom whr -o calibration.svg\n  \
        annals chart crosstable wcc-2015 -o crosstable.svg\n  \
        annals chart standings wcc-2015 -o standings.svg --data standings.csv")]
pub enum Command {
    Calibration(calibration::Args),
    Crosstable(crosstable::Args),
    Evaluation(evaluation::Args),
    Ratings(ratings::Args),
    Standings(standings::Args),
}

/// Where a chart goes.
#[derive(Debug, clap::Args)]
pub struct PictureArgs {
    /// Picture to write, .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// File for the figures of the chart as CSV
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

impl PictureArgs {
    /// Returns an error if a file cannot be written, before anything is computed.
    fn check(&self) -> Result<(), CliError> {
        Picture::of(&self.output)?;
        if self.data.as_ref() == Some(&self.output) {
            return Err(CliError::new("--output and --data name the same file").hint("name two files"));
        }
        let files = std::iter::once(&self.output).chain(&self.data);
        files.into_iter().try_for_each(|path| output_file::check(path, self.force.force))
    }

    /// Writes a chart and its figures.
    fn write(&self, chart: &impl Drawn) -> Result<ExitCode, CliError> {
        write_picture(chart, &self.output, self.force.force)?;
        if let Some(path) = &self.data {
            output_file::write(path, self.force.force, (damage_line() + &chart.data()?).as_bytes())?;
        }
        diagnostic(format_args!("note: {} in {}", chart.title(), self.output.display()));
        Ok(ExitCode::SUCCESS)
    }
}

/// The tournament of a chart.
#[derive(Debug, clap::Args)]
struct TournamentArgs {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

impl TournamentArgs {
    /// Draws the tournament at the point in time. `command` is the command for its name.
    fn draw<C: Drawn>(
        &self,
        home: &Home,
        command: impl FnOnce(&str) -> String,
        chart: impl FnOnce(&Log, &StreamName, &Cut, String) -> Result<C, CliError>,
    ) -> Result<ExitCode, CliError> {
        self.picture.check()?;
        let log = log_file::open(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, _) = self.moment.cut(&log, Some(&stream))?;
        let source = with_verdict(&log, of_log(&log, &cut, &command(stream.name()))?)?;
        self.picture.write(&chart(&log, &stream, &cut, source)?)
    }
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Calibration(args) => calibration::run(args, home),
        Command::Crosstable(args) => crosstable::run(args, home),
        Command::Evaluation(args) => evaluation::run(args, home),
        Command::Ratings(args) => ratings::run(args, home),
        Command::Standings(args) => standings::run(args, home),
    }
}

/// The source of a chart of the log, with what was verified, or the mark of a damaged log in front.
fn with_verdict(log: &Log, source: String) -> Result<String, CliError> {
    Ok(match damage() {
        None => {
            diagnostic(format_args!("note: {}", log_file::verified(log)?));
            let head = log.acknowledged().map_or(0, |head| head.seq);
            match log.last_seq()? {
                last if last > head => format!("{source}; verified against head {head}, events to {last}"),
                _ => format!("{source}; verified against head {head}"),
            }
        }
        Some(damage) => format!("DAMAGED LOG: {damage}. {source}"),
    })
}

/// A word of a command line as it is typed.
pub fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "._-+:/=@%,".contains(sign);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("\"{word}\"") }
}
