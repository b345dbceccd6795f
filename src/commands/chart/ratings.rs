//! `annals chart ratings`: ratings over time.

use std::process::ExitCode;

use annals_analytics::charts::of_dataset;
use annals_analytics::charts::ratings::ratings;
use annals_analytics::ratings::Ratings;

use super::{PictureArgs, quoted};
use crate::commands::query::open_usual;
use crate::commands::rating::SelectionArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Draw the ratings of players over time, as `annals rating list` computes them.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the ratings of players over time, as `annals rating list` computes them from the games of the dataset: the rating of \
        each named player after each game, or of the highest rated. Bands hold the rating in 95 of 100 cases where the system has \
        errors (glicko2, whr). bradley-terry gives one strength for all time: there the players stand beside each other.",
    after_help = "Examples:\n  annals chart ratings -o ratings.svg\n  \
        annals chart ratings --system \"whr w2=14\" --player Fritzlein --player chessandgo -o two.png --data two.csv\n  \
        annals chart ratings --unrated --as-of 2026-02 -o february.svg"
)]
pub struct Args {
    /// Whose rating; the highest rated where nobody is named. May be given several times.
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players.
    #[arg(long = "players", value_name = "NAME", num_args = 1..)]
    among: Vec<String>,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let session = open_usual(home)?;
    let selection = args.selection.selection(&args.among)?;
    let (computed, _) = Ratings::compute(&session, &selection)?;
    let mut command = format!("annals chart ratings {}", args.selection.words());
    for player in &args.players {
        command.push_str(&format!(" --player {}", quoted(player)));
    }
    if !args.among.is_empty() {
        let among: Vec<String> = args.among.iter().map(|name| quoted(name)).collect();
        command.push_str(&format!(" --players {}", among.join(" ")));
    }
    let source = of_dataset(&session, &command);
    args.picture.write(&ratings(&computed, &selection.system, &args.players, source)?)
}
