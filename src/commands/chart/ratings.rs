//! `annals chart ratings`: ratings over time.

use std::process::ExitCode;

use annals_analytics::charts::of_dataset;
use annals_analytics::charts::ratings::ratings;
use annals_analytics::dates::span;
use annals_analytics::ratings::Ratings;
use annals_report::shell_word;

use super::picture::PictureArgs;
use crate::commands::rating::selection::SelectionArgs;
use crate::dataset_session::open_default;
use crate::errors::CliError;
use crate::home::Home;

/// Draw the ratings of players over time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the ratings of players over time\n\n\
        The ratings are those of `annals rating list`. Bands are 95% confidence intervals where the system has \
        errors (glicko2, whr). bradley-terry has one strength for all time: its players are shown side by side.",
    after_long_help = "Examples:\n  \
        annals chart ratings -o ratings.svg\n  \
        annals chart ratings --system \"whr w2=14\" --player Fritzlein -o one.png\n  \
        annals chart ratings --unrated --as-of 2026-02 -o february.svg\n  \
        annals chart ratings --from 2015-03 --to 2015-05 -o spring.svg"
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

    /// First day, month or year to draw; earlier games are still rated
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Last day, month or year to draw
    #[arg(long, value_name = "DATE")]
    to: Option<String>,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let from = args.from.as_deref().map(span).transpose()?.map_or(i64::MIN, |(from, _)| from);
    let to = args.to.as_deref().map(span).transpose()?.map_or(i64::MAX, |(_, end)| end - 1);
    if from > to {
        return Err(CliError::new("--from is later than --to"));
    }
    let session = open_default(home)?;
    let selection = args.selection.selection(&args.among)?;
    let (computed, _) = Ratings::compute(&session, &selection)?;
    let mut command = format!("annals chart ratings {}", args.selection.words());
    for player in &args.players {
        command.push_str(&format!(" --player {}", shell_word(player)));
    }
    if !args.among.is_empty() {
        let among: Vec<String> = args.among.iter().map(|name| shell_word(name)).collect();
        command.push_str(&format!(" --players {}", among.join(" ")));
    }
    for (option, date) in [("from", &args.from), ("to", &args.to)] {
        if let Some(date) = date {
            command.push_str(&format!(" --{option} {}", shell_word(date)));
        }
    }
    let source = of_dataset(&session, &command);
    args.picture.write(&ratings(&computed, &selection.system, &args.players, from..=to, source)?)
}
