//! `annals what-if`: the state with further events on top, in memory; the log stays as it is.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::StreamName;
use annals_replay::what_if;
use annals_store::{Clock as _, MachineClock};

use super::log::append::draft_text;
use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::answer_in;

/// Show what further events would change
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show what further events would change\n\n\
        The rules decide the events as in `annals log append`; rejected events are listed with the rule. Nothing \
        is written.",
    after_long_help = "Examples:\n  annals what-if tournament/wcc-2015 ruling.jsonl\n  \
        annals what-if wcc-2015 ruling.jsonl --as-of round:5\n  \
        annals what-if people/omar - < alias.jsonl"
)]
pub struct Args {
    /// Stream, or its name
    stream: String,

    /// File of events as `annals log append` reads them; `-` is standard input
    file: PathBuf,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open(home)?;
    let zone = args.moment.zone.zone()?;
    let lines = draft_text(&args.file)?.read(MachineClock.now(), &zone)?;
    let begun = args.stream.parse::<StreamName>().ok();
    let begun = begun.filter(|name| lines.iter().any(|line| line.draft.stream == *name));
    let stream = match begun {
        Some(name) => name,
        None => log_file::stream(&log, &args.stream)?,
    };
    let known = log.stream_info(&stream)?.is_some();
    let (cut, zone) = args.moment.cut(&log, known.then_some(&stream))?;
    let answer = what_if(&log, &stream, &cut, &lines)?;
    answer_in(args.json, &answer, &zone, || answer.document(&zone))?;
    Ok(ExitCode::SUCCESS)
}
