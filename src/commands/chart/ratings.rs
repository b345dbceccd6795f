//! `annals chart ratings`: ratings over time.

use std::process::ExitCode;

use annals_analytics::charts::of_dataset;
use annals_analytics::charts::ratings::ratings;
use annals_analytics::ratings::Ratings;

use super::PictureArgs;
use crate::commands::query::open_usual;
use crate::commands::rate::SelectionArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Draw the ratings of players over time, as `annals rate` computes them.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the ratings of players over time, as `annals rate` computes them from all games of the dataset: the rating of \
        each named player after each game, or of the highest rated.",
    after_help = "Examples:\n  annals chart ratings -o ratings.svg\n  \
        annals chart ratings --player Fritzlein --player chessandgo -o two.png --data two.csv\n  \
        annals chart ratings --unrated --as-of 2026-02 -o february.svg"
)]
pub struct Args {
    /// Whose rating; the highest rated where nobody is named. May be given several times.
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = open_usual(home)?;
    let (computed, _) = Ratings::compute(&session, &args.selection.selection(&[])?)?;
    let source = of_dataset(&session, &format!("annals rate {}", args.selection.words()));
    args.picture.write(&ratings(&computed, &args.players, source)?)
}
