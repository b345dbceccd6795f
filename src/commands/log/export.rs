//! `annals log export`: events as JSON lines, as `annals log import` reads them.

use std::path::PathBuf;
use std::process::ExitCode;

use annals_replay::export;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::output::{diagnostic, standard_output};
use crate::output_file::{ForceArgs, OutputFile};
use crate::terminal::counted;

/// Write events as JSON lines
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Write events as JSON lines\n\n\
        One envelope a line, as canonical JSON, in the order of the log. `annals log import` reads the lines \
        into another log, which gives them new positions, hashes and times of recording (`recorded_at`) and \
        keeps everything else. So `--known-at` a time before the import has no event of them.",
    after_long_help = "Examples:\n  \
        annals log export > everything.jsonl\n  \
        annals log export tournament/wcc-2015 -o wcc-2015.jsonl\n  \
        annals log export | jq -r 'select(.type == \"game.ended\") | .payload'"
)]
pub struct Args {
    /// Streams [default: all]
    #[arg(value_name = "STREAM")]
    streams: Vec<String>,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let log = log_file::open_whole(home)?;
    let streams =
        args.streams.iter().map(|text| log_file::stream(&log, text)).collect::<Result<Vec<_>, _>>()?;
    let Some(path) = &args.output else {
        export(&log, &streams, standard_output())?;
        diagnostic(format_args!("note: {}", log_file::verified(&log)?));
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = OutputFile::create(path, args.force.force)?;
    let events = counted(export(&log, &streams, &mut out)?, "event");
    out.finish()?;
    diagnostic(format_args!("note: {events} in {}; {}", path.display(), log_file::verified(&log)?));
    Ok(ExitCode::SUCCESS)
}
