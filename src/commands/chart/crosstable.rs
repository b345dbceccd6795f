//! `annals chart crosstable`: the result of each player against each other in a tournament.

use std::process::ExitCode;

use annals_analytics::charts::crosstable::of_tournament;
use annals_replay::queries::TournamentAt;

use super::picture::TournamentArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Draw the crosstable of a tournament
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw the crosstable of a tournament\n\n\
        Fields show every game of two players. They are blue where the player of the row won more games, and \
        orange where more were lost.",
    after_long_help = "Examples:\n  \
        annals chart crosstable wcc-2015 -o crosstable.svg\n  \
        annals chart crosstable wcc-2015 --as-of round:3 -o three.png --data three.csv\n  \
        annals chart crosstable wcc-2015 --known-at 2015-03-08 -o known.svg"
)]
pub struct Args {
    #[command(flatten)]
    of: TournamentArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let command = |name: &str| format!("annals chart crosstable {name}");
    args.of.draw(home, command, |log, stream, cut, source| {
        if let Some(chart) = of_tournament(log, stream, cut, source)? {
            return Ok(chart);
        }
        let name = stream.name();
        Err(match TournamentAt::at(log, stream, cut)?.tournament().published_table() {
            Some(_) => {
                CliError::new(format!("{stream} has no crosstable to draw: its games are not recorded"))
                    .reason("a source states the final table alone")
                    .hint(format!("annals tournament crosstable {name}"))
            }
            None => {
                CliError::new(format!("{stream} has no crosstable to draw: no game is decided at that point"))
                    .hint(format!("`annals tournament round list {name}` lists the pairings"))
            }
        })
    })
}
