//! `annals chart standings`: a tournament round by round.

use std::process::ExitCode;

use annals_analytics::charts::standings::{Counted, standings_by_round};

use super::picture::TournamentArgs;
use crate::errors::CliError;
use crate::home::Home;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Count {
    /// Wins and byes, and half of a draw
    Points,
    /// Games lost
    Losses,
}

/// Draw the points of each player over the rounds
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the points of each player over the rounds\n\n\
        Each round shows the state at its end, as known at the given point. The bye of a round counts once the \
        round is paired.",
    after_long_help = "Examples:\n  \
        annals chart standings wcc-2015 -o standings.svg\n  \
        annals chart standings wcc-2015 --count losses -o losses.png --data losses.csv\n  \
        annals chart standings wcc-2015 --known-at 2015-03-08 -o known.svg"
)]
pub struct Args {
    #[command(flatten)]
    of: TournamentArgs,

    /// Figure to draw
    #[arg(long, value_enum, default_value = "points")]
    count: Count,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let (counted, word) = match args.count {
        Count::Points => (Counted::Points, "points"),
        Count::Losses => (Counted::Losses, "losses"),
    };
    let command = |name: &str| format!("annals chart standings {name} --count {word}");
    args.of.draw(home, command, |log, stream, cut, source| {
        let chart = standings_by_round(log, stream, cut, counted, source)?;
        match chart.series.iter().all(|series| series.points.is_empty()) {
            false => Ok(chart),
            true => Err(CliError::new(format!("{stream} has no round to draw: none is paired"))
                .hint("`annals tournament round pair` pairs the first")),
        }
    })
}
