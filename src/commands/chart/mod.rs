//! `annals chart`: pictures of what is in the dataset and in the log. Each chart is one file here; all are written in the same
//! way.

mod board;
mod calibration;
mod crosstable;
mod evaluation;
mod picture;
mod ratings;
mod standings;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;

/// Draw charts and boards as SVG or PNG
#[derive(Debug, clap::Subcommand)]
#[command(
    after_long_help = "Every chart names its source. docs/reference/charts.md describes each chart.\n\n\
        Examples:\n  \
        annals chart board 669192 --turn 12w -o board.svg\n  \
        annals chart evaluation 669192 -o game.svg\n  \
        annals chart ratings --system whr --player Fritzlein -o ratings.png\n  \
        annals chart calibration --systems gameroom whr -o calibration.svg\n  \
        annals chart crosstable wcc-2015 -o crosstable.svg\n  \
        annals chart standings wcc-2015 -o standings.svg --data standings.csv"
)]
pub enum Command {
    Board(board::Args),
    Calibration(calibration::Args),
    Crosstable(crosstable::Args),
    Evaluation(evaluation::Args),
    Ratings(ratings::Args),
    Standings(standings::Args),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Board(args) => board::run(args, home),
        Command::Calibration(args) => calibration::run(args, home),
        Command::Crosstable(args) => crosstable::run(args, home),
        Command::Evaluation(args) => evaluation::run(args, home),
        Command::Ratings(args) => ratings::run(args, home),
        Command::Standings(args) => standings::run(args, home),
    }
}
