//! `annals chart ratings`: ratings over time.

use std::process::ExitCode;

use annals_analytics::charts::of_dataset;
use annals_analytics::charts::ratings::ratings;
use annals_analytics::ratings::Ratings;

use super::picture::PictureArgs;
use crate::commands::rating::selection::SelectionArgs;
use crate::dataset_session::open_default;
use crate::errors::CliError;
use crate::home::Home;
use crate::values::quoted;

/// Draw the ratings of players over time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the ratings of players over time\n\n\
        The ratings are those of `annals rating list`. Bands are 95% confidence intervals where the system has \
        errors (glicko2, whr). bradley-terry has one strength for all time: its players are shown side by side.",
    after_long_help = "Examples:\n  \
        annals chart ratings -o ratings.svg\n  \
        annals chart ratings --system \"whr w2=14\" --player Fritzlein -o one.png\n  \
        annals chart ratings --unrated --as-of 2026-02 -o february.svg"
)]
pub struct Args {
    /// Player to draw; may be repeated [default: the highest rated]
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Only games among these players
    #[arg(long = "players", value_name = "PLAYER", num_args = 1..)]
    among: Vec<String>,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let session = open_default(home)?;
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
