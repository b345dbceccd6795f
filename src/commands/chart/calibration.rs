//! `annals chart calibration`: predicted against observed results of rating systems.

use std::process::ExitCode;

use annals_analytics::charts::calibration::calibration;
use annals_analytics::charts::of_dataset;
use annals_analytics::ratings::compare_games;

use super::picture::PictureArgs;
use crate::commands::rating::compare::ComparisonArgs;
use crate::dataset_session::open_default;
use crate::errors::CliError;
use crate::home::Home;

/// Draw predicted against observed results of rating systems
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Draw predicted against observed results of rating systems\n\n\
        Each game is predicted from the games that ended before it began. The games are put into bins by the \
        predicted share of Gold. Each bin is a point with its 95% confidence interval; the lower chart counts \
        its games.",
    after_long_help = "Examples:\n  annals chart calibration --systems gameroom whr -o calibration.svg\n  \
        annals chart calibration --systems \"elo k=20\" \"elo k=40\" --bins 20 -o elo.png\n  \
        annals chart calibration --unrated --where \"NOT postal\" -o all.svg"
)]
pub struct Args {
    #[command(flatten)]
    comparison: ComparisonArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.picture.check()?;
    let (systems, terms) = args.comparison.asked()?;
    let session = open_default(home)?;
    let (compared, _) = compare_games(&session, &args.comparison.selection(&terms), &systems, &terms)?;
    let source = of_dataset(&session, &format!("annals chart calibration{}", args.comparison.words()));
    args.picture.write(&calibration(&compared, source))
}
