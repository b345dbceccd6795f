//! `annals replay`: a game, a tournament, the people or the whole log as they stood at any point in time.

use std::process::ExitCode;

use annals_replay::subject::Subject;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::answer_in;

/// Show a game, a tournament, the people or the log as they were at any point in time.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show a game, a tournament, the people or the log as they were at any point in time, rebuilt from the \
        events.\n\nTwo clocks, two questions: --as-of asks what was true then, as known today; --known-at asks what was \
        believed then. Both together ask what was believed at one time about another. --seq looks at the first N events \
        only. Of a game under way, --as-of also tells both clocks at that very second.",
    after_help = "Examples:\n  annals replay game/arimaa-669192 --as-of 2026-02-01T10:20:31Z\n  \
        annals replay tournament/wcc-2015 --as-of round:5 --tz EST\n  \
        annals replay wcc-2015 --known-at 2015-03-08 --json | jq .standings\n  \
        annals replay people\n  annals replay log --seq 1000"
)]
pub struct Args {
    /// A stream (`tournament/wcc-2015`, or its name alone), `log` for the whole log, or `people`.
    #[arg(value_name = "STREAM")]
    subject: String,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON; times in microseconds since 1970, clocks in seconds.
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
