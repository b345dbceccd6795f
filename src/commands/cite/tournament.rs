//! `annals cite tournament`: a tournament at a point in time.

use std::process::ExitCode;

use annals_replay::citations;
use annals_replay::queries::TournamentAt;
use annals_replay::subject::find_tournament;

use super::StyleArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;

/// Cite a tournament at a point in time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Cite a tournament at a point in time\n\n\
        Without a point in time the citation names the present log: later events do not change what it names.",
    after_long_help = "Examples:\n  \
        annals cite tournament cup\n  \
        annals cite tournament cup --as-of round:5 --format bibtex\n  \
        annals cite tournament wcc-2015 --known-at 2015-03-08 --format csl-json"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    args.style.check()?;
    let log = log_file::open_whole(home)?;
    let stream = find_tournament(&log, &args.tournament)?;
    let (cut, _) = args.moment.cut(&log, Some(&stream))?;
    let at = TournamentAt::at(&log, &stream, &cut)?;
    let citation = citations::of_tournament(&log, &at)?;
    args.style.write(&citation.ok_or_else(|| CliError::new(format!("{stream} has no event at that point")))?)
}
