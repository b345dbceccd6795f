//! `annals chart crosstable`: who made what against whom in a tournament.

use std::process::ExitCode;

use annals_analytics::charts::crosstable::of_tournament;
use annals_analytics::charts::of_log;
use annals_replay::subject::find_tournament;

use super::{PictureArgs, with_verdict};
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;

/// Draw the crosstable of a tournament
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the crosstable of a tournament\n\n\
        Fields show every game of two players. They are blue where the player of the row won more games, and \
        orange where more were lost.",
    after_help = "Examples:\n  \
        annals chart crosstable wcc-2015 -o crosstable.svg\n  \
        annals chart crosstable wcc-2015 --as-of round:3 -o three.png --data three.csv\n  \
        annals chart crosstable wcc-2015 --known-at 2015-03-08 -o known.svg"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let log = log_file::open(home)?;
    let stream = find_tournament(&log, &args.tournament)?;
    let (cut, _) = args.moment.cut(&log, Some(&stream))?;
    let source =
        with_verdict(&log, of_log(&log, &cut, &format!("annals chart crosstable {}", stream.name()))?)?;
    let Some(panels) = of_tournament(&log, &stream, &cut, source)? else {
        return Err(CliError::new(format!(
            "{stream} has no crosstable to draw: no game is decided at that point"
        ))
        .hint(format!("`annals tournament round list {}` lists the pairings", stream.name())));
    };
    args.picture.write(&panels)
}
