//! `annals replay`: a game, a tournament, the people or the whole log as they stood at any point in time.

use std::process::ExitCode;

use annals_replay::subject::Subject;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::answer_in;

/// Show a game, tournament or log at any point in time
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show a game, tournament or log at any point in time\n\n\
        --as-of shows what was true at a point in time, as known today. --known-at shows what was recorded by \
        then. Both together show what was recorded by one point about another. Of a game under way, --as-of \
        shows both clocks at that second.",
    after_help = "Examples:\n  \
        annals replay game/arimaa-669192 --as-of 2026-02-01T10:20:31Z\n  \
        annals replay tournament/wcc-2015 --as-of round:5 --tz EST\n  \
        annals replay wcc-2015 --known-at 2015-03-08 --json | jq .standings\n  \
        annals replay people\n  \
        annals replay log --as-of seq:1000"
)]
pub struct Args {
    /// Stream, its name, `log`, or `people`
    #[arg(value_name = "STREAM")]
    subject: String,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON; times in microseconds since 1970, clocks in seconds
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open(home)?;
    let subject = Subject::of(&log, &args.subject)?;
    let (cut, zone) = args.moment.cut(&log, subject.stream())?;
    let view = subject.view(&log, &cut)?;
    answer_in(args.json, &view, &zone, || view.document(&zone))?;
    Ok(ExitCode::SUCCESS)
}
