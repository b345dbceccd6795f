//! `annals chart`: pictures of what is in the dataset and in the log. Each chart is one file here; all are written in the same
//! way.

mod calibration;
mod crosstable;
mod evaluation;
mod ratings;
mod standings;

use std::path::PathBuf;
use std::process::ExitCode;

use annals_charts::Drawn;

use crate::errors::CliError;
use crate::home::Home;
use crate::output::talk;

/// Draw charts as SVG or PNG.
#[derive(Debug, clap::Subcommand)]
#[command(
    after_help = "Every chart names its source at the foot, and writes its figures with --data. docs/charts.md tells what each shows \
        and how it is computed.\n\nExamples:\n  \
        annals chart evaluation 669192 -o game.svg\n  \
        annals chart ratings --system whr --player Fritzlein -o ratings.png\n  \
        annals chart calibration --systems gameroom whr -o calibration.svg\n  \
        annals chart crosstable wcc-2015 -o crosstable.svg\n  \
        annals chart standings wcc-2015 -o standings.svg --data standings.csv"
)]
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
    /// The picture, .svg or .png; a file that is there is replaced.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Write the figures behind the chart as CSV too.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl PictureArgs {
    /// Writes a chart and its figures.
    fn write(&self, chart: &impl Drawn) -> Result<ExitCode, CliError> {
        chart.write(&self.output)?;
        if let Some(path) = &self.data {
            chart.write_data(path)?;
        }
        talk(format_args!("annals: {} in {}", chart.title(), self.output.display()));
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs the command.
pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Calibration(args) => calibration::run(args, home),
        Command::Crosstable(args) => crosstable::run(args, home),
        Command::Evaluation(args) => evaluation::run(args, home),
        Command::Ratings(args) => ratings::run(args, home),
        Command::Standings(args) => standings::run(args, home),
    }
}

/// A word of a command line as it is typed.
pub fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "._-+:/=@%,".contains(sign);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("\"{word}\"") }
}
